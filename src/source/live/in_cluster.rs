//! In a pod: the service account that Kubernetes gives to it.
//!
//! Upstream: client-go rest `InClusterConfig` and tools/clientcmd `inClusterClientConfig` (1.37).

use std::path::Path;

use kube::config::{AuthInfo, Cluster};

use crate::error::UserError;

use super::kubeconfig::{Environment, Selected};

const FOLDER: &str = "var/run/secrets/kubernetes.io/serviceaccount";

/// Returns the configuration of a pod, if this is one; `root` is the root of its file system.
///
/// Errors: a path that is no text.
pub(super) fn find(root: &Path, environment: Environment<'_>) -> Option<Result<Selected, UserError>> {
    let variable = |name| environment(name)?.into_string().ok().filter(|value| !value.is_empty());
    let (host, port) = (variable("KUBERNETES_SERVICE_HOST")?, variable("KUBERNETES_SERVICE_PORT")?);
    let folder = root.join(FOLDER);
    if !folder.join("token").is_file() {
        return None;
    }
    let path = |name: &str| match folder.join(name).to_str() {
        Some(path) => Ok(path.to_owned()),
        None => Err(UserError::new("the folder of the service account has a name that is not text")),
    };
    let host = if host.contains(':') { format!("[{host}]") } else { host };
    let namespace = std::fs::read_to_string(folder.join("namespace")).ok();
    let namespace = namespace.map(|namespace| namespace.trim().to_owned()).filter(|namespace| !namespace.is_empty());
    let selected = || {
        let has_authority = folder.join("ca.crt").is_file();
        let cluster = Cluster {
            server: Some(format!("https://{host}:{port}")),
            certificate_authority: has_authority.then(|| path("ca.crt")).transpose()?,
            ..Cluster::default()
        };
        let user = AuthInfo { token_file: Some(path("token")?), ..AuthInfo::default() };
        Ok(Selected { namespace: variable("POD_NAMESPACE").or(namespace), cluster, user, ..Selected::default() })
    };
    Some(selected())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::fs;

    use super::{FOLDER, find};

    fn in_pod(name: &str) -> Option<OsString> {
        match name {
            "KUBERNETES_SERVICE_HOST" => Some("fd00::1".into()),
            "KUBERNETES_SERVICE_PORT" => Some("443".into()),
            _ => None,
        }
    }

    #[test]
    fn a_pod_uses_its_service_account() {
        let root = tempfile::tempdir().expect("a folder");
        assert!(find(root.path(), &in_pod).is_none(), "no token");
        let folder = root.path().join(FOLDER);
        fs::create_dir_all(&folder).expect("a folder");
        for (name, text) in [("token", "secret"), ("namespace", "ops\n"), ("ca.crt", "PEM")] {
            fs::write(folder.join(name), text).expect("a file");
        }
        assert!(find(root.path(), &|_| None).is_none(), "no service");
        let selected = find(root.path(), &in_pod).expect("a pod").expect("a path");
        let text = |name: &str| folder.join(name).to_str().map(str::to_owned);
        assert_eq!(selected.cluster.server.as_deref(), Some("https://[fd00::1]:443"));
        assert_eq!(selected.cluster.certificate_authority, text("ca.crt"));
        assert_eq!(selected.user.token_file, text("token"));
        assert_eq!(selected.namespace.as_deref(), Some("ops"));
    }
}
