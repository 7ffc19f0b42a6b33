//! Access: server, certificates, credentials and namespace, from flags, kubeconfig or the pod that we run in.
//!
//! Upstream: client-go tools/clientcmd `DirectClientConfig`, `inClusterClientConfig` and kubectl's flags (1.37).

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use http::Uri;
use kube::config::{AuthInfo, Cluster, Config};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;

use crate::args::{ConnectionFlags, Secret};
use crate::error::UserError;

use super::kubeconfig::{Choice, Environment, Files, Selected, select};
use super::proxy::{self, ProxyVariables};
use super::{in_cluster, usable};

/// Everything that is needed to reach a cluster.
#[derive(Clone, Debug)]
pub(super) struct Access {
    /// Address of the API server; may have a path.
    pub(super) server: Uri,
    /// Name of the context, if one is used.
    pub(super) context: Option<String>,
    /// The namespace that the context names; `default` if it names none.
    pub(super) namespace: String,
    /// How the server is checked.
    pub(super) cluster: Cluster,
    /// Name of the user in the kubeconfig.
    pub(super) user_name: Option<String>,
    /// Who asks.
    pub(super) user: AuthInfo,
    /// The proxy, if there is one.
    pub(super) proxy: Option<Uri>,
    /// Longest time for one request.
    pub(super) timeout: Option<Duration>,
    /// Objects in a page of a list; 0 is all.
    pub(super) chunk_size: u32,
    /// How much is told about requests.
    pub(super) verbosity: u8,
    /// If set, a credential plugin asks and tells nobody anything, and is ended then.
    pub(super) quiet_until: Option<Instant>,
}

impl Access {
    /// Finds the way in, as kubectl does. Nothing is contacted and no plugin is run.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, a context, cluster or user that does not exist, flags that contradict each other, or
    /// no configuration at all.
    pub(super) fn new(flags: &ConnectionFlags, environment: Environment<'_>) -> anyhow::Result<Self> {
        let files = Files::choose(flags.kubeconfig.as_deref(), environment);
        let config = files.read()?;
        let [context, cluster, user] = [&flags.context, &flags.cluster, &flags.user].map(given);
        let mut selected = select(&config, Choice { context, cluster, user })?;
        let pod = in_cluster::find(Path::new("/"), environment).transpose()?;
        let is_unset = selected.cluster.server.as_deref().unwrap_or_default().is_empty();
        // The token of a pod is for the server of the pod only.
        match pod {
            Some(pod) if is_unset && given(&flags.server).is_none() => selected = pod,
            Some(pod) => selected.namespace = selected.namespace.or(pod.namespace),
            None => {}
        }
        override_cluster(&mut selected.cluster, flags);
        override_user(&mut selected.user, flags)?;
        usable::check(&selected)?;
        let Some(server) = selected.cluster.server.clone().filter(|server| !server.is_empty()) else {
            return Err(
                no_configuration(&files, &selected, config.contexts.iter().map(|named| named.name.as_str())).into()
            );
        };
        let server = server_uri(&server)?;
        if server.scheme_str() == Some("http") {
            forget_credentials(&mut selected.user);
        }
        let proxy = match selected.cluster.proxy_url.as_deref().filter(|url| !url.is_empty()) {
            Some(url) => Some(proxy::parse(url)?),
            None => ProxyVariables::read(environment).proxy_for(&server)?,
        };
        Ok(Self {
            server,
            context: selected.context,
            namespace: selected.namespace.unwrap_or_else(|| "default".to_owned()),
            cluster: selected.cluster,
            user_name: selected.user_name,
            user: selected.user,
            proxy,
            timeout: flags.request_timeout.filter(|timeout| !timeout.is_zero()),
            chunk_size: flags.chunk_size,
            verbosity: flags.verbosity,
            quiet_until: None,
        })
    }

    /// Returns the server with its port, for messages.
    pub(super) fn host(&self) -> String {
        host_of(&self.server)
    }

    /// Returns the proxy, if there is one, with its port and without its password, for messages.
    pub(super) fn proxy_host(&self) -> Option<String> {
        self.proxy.as_ref().map(host_of)
    }

    /// Returns what TLS needs, without credentials.
    pub(super) fn tls(&self) -> anyhow::Result<Config> {
        let cluster = &self.cluster;
        let mut config = Config::new(self.server.clone());
        config.accept_invalid_certs = cluster.insecure_skip_tls_verify.unwrap_or_default();
        config.tls_server_name = cluster.tls_server_name.clone().filter(|name| !name.is_empty());
        let path = cluster.certificate_authority.as_deref();
        let pem = data_or_file(cluster.certificate_authority_data.as_deref(), path, "certificate authority")?;
        if let Some(pem) = pem.filter(|_| !config.accept_invalid_certs) {
            let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
            let certificates = certificates.map_err(|error| anyhow!("read certificate authority: {error}"))?;
            if certificates.is_empty() {
                return Err(anyhow!("read certificate authority: it holds no certificate in PEM"));
            }
            config.root_cert = Some(certificates.iter().map(|certificate| certificate.to_vec()).collect());
        }
        Ok(config)
    }
}

fn host_of(uri: &Uri) -> String {
    let authority = uri.authority().map(|authority| authority.as_str()).unwrap_or_default();
    authority.rsplit('@').next().unwrap_or_default().to_owned()
}

/// Reads data in base64, or else a file.
pub(super) fn data_or_file(data: Option<&str>, path: Option<&str>, what: &str) -> anyhow::Result<Option<Vec<u8>>> {
    if let Some(data) = data.filter(|data| !data.is_empty()) {
        return BASE64
            .decode(data)
            .map(Some)
            .with_context(|| format!("read {what}: its data in the kubeconfig is no base64"));
    }
    let Some(path) = path.filter(|path| !path.is_empty()) else { return Ok(None) };
    std::fs::read(path).map(Some).with_context(|| format!("read {what} {path:?}"))
}

/// Returns the value of a flag; an empty one counts as not given, as in kubectl.
fn given(flag: &Option<String>) -> Option<&str> {
    flag.as_deref().filter(|value| !value.is_empty())
}

/// Returns the path of a flag; an empty one counts as not given.
fn given_path(flag: &Option<PathBuf>) -> Option<String> {
    flag.as_ref().map(|path| path.to_string_lossy().into_owned()).filter(|path| !path.is_empty())
}

/// Returns the secret of a flag; an empty one counts as not given.
fn given_secret(flag: &Option<Secret>) -> Option<&str> {
    flag.as_ref().map(|secret| secret.0.as_str()).filter(|value| !value.is_empty())
}

fn override_cluster(cluster: &mut Cluster, flags: &ConnectionFlags) {
    let (server, tls_server_name) = (given(&flags.server), given(&flags.tls_server_name));
    // As in kubectl, another server or check makes what the kubeconfig says about the check void.
    if tls_server_name.is_some() || server.is_some() {
        cluster.tls_server_name = tls_server_name.map(str::to_owned);
    }
    if let Some(server) = server {
        cluster.server = Some(server.to_owned());
    }
    let authority = given_path(&flags.certificate_authority);
    if flags.insecure_skip_tls_verify == Some(true) || authority.is_some() {
        cluster.insecure_skip_tls_verify = flags.insecure_skip_tls_verify;
        cluster.certificate_authority_data = None;
        cluster.certificate_authority = authority;
    } else if flags.insecure_skip_tls_verify == Some(false) {
        cluster.insecure_skip_tls_verify = Some(false);
    }
    if flags.disable_compression.is_some() {
        cluster.disable_compression = flags.disable_compression;
    }
}

fn override_user(user: &mut AuthInfo, flags: &ConnectionFlags) -> Result<(), UserError> {
    let (token, name, password) = (given_secret(&flags.token), given(&flags.username), given_secret(&flags.password));
    let is_basic = name.is_some() || password.is_some();
    if is_basic && token.is_some() {
        return Err(UserError::usage("--token cannot be used with --username or --password"));
    }
    if is_basic || token.is_some() {
        user.token = token.map(Into::into);
        user.token_file = None;
        user.exec = None;
        user.auth_provider = None;
        user.username = name.map(str::to_owned);
        user.password = password.map(Into::into);
    }
    if let Some(path) = given_path(&flags.client_certificate) {
        user.client_certificate = Some(path);
        user.client_certificate_data = None;
    }
    if let Some(path) = given_path(&flags.client_key) {
        user.client_key = Some(path);
        user.client_key_data = None;
    }
    override_impersonation(user, flags)
}

fn override_impersonation(user: &mut AuthInfo, flags: &ConnectionFlags) -> Result<(), UserError> {
    if let Some(name) = given(&flags.impersonate) {
        user.impersonate = Some(name.to_owned());
    }
    if !flags.impersonate_groups.is_empty() {
        user.impersonate_groups = Some(flags.impersonate_groups.clone());
    }
    if let Some(uid) = given(&flags.impersonate_uid) {
        user.impersonate_uid = Some(uid.to_owned());
    }
    if !flags.impersonate_extra.is_empty() {
        let mut extra = HashMap::<String, Vec<String>>::new();
        for (key, value) in &flags.impersonate_extra {
            extra.entry(key.clone()).or_default().push(value.clone());
        }
        user.impersonate_user_extra.get_or_insert_default().extend(extra);
    }
    let has_more = user.impersonate_groups.as_ref().is_some_and(|groups| !groups.is_empty())
        || user.impersonate_uid.as_ref().is_some_and(|uid| !uid.is_empty())
        || user.impersonate_user_extra.as_ref().is_some_and(|extra| !extra.is_empty());
    if has_more && user.impersonate.as_ref().is_none_or(String::is_empty) {
        return Err(UserError::usage("--as-group, --as-uid and --as-user-extra need --as"));
    }
    Ok(())
}

/// Drops what proves who asks: as in kubectl, nobody gets to read it on the way.
fn forget_credentials(user: &mut AuthInfo) {
    *user = AuthInfo {
        impersonate: user.impersonate.take(),
        impersonate_uid: user.impersonate_uid.take(),
        impersonate_groups: user.impersonate_groups.take(),
        impersonate_user_extra: user.impersonate_user_extra.take(),
        ..AuthInfo::default()
    };
}

/// Reads the address of the server; without a scheme it is HTTP and has no path, as in kubectl. What comes before an `@` may be
/// a password: it is left out, so that nobody shows it.
fn server_uri(text: &str) -> Result<Uri, UserError> {
    let has_scheme = text.contains("://");
    let uri = if has_scheme { text.parse::<Uri>() } else { format!("http://{text}").parse() };
    let is_usable = |uri: &Uri| {
        let is_complete = matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some();
        is_complete && (has_scheme || uri.path() == "/")
    };
    uri.ok().filter(is_usable).and_then(without_user_info).ok_or_else(|| {
        let shown = text.rsplit_once('@').map_or(text, |(_, host)| host);
        UserError::new(format!("the address of the server must be a URL, or HOST:PORT: {shown:?}"))
    })
}

fn without_user_info(uri: Uri) -> Option<Uri> {
    let host = host_of(&uri);
    let mut parts = uri.into_parts();
    parts.authority = host.parse().ok();
    Uri::from_parts(parts).ok()
}

fn no_configuration<'a>(files: &Files, selected: &Selected, contexts: impl Iterator<Item = &'a str>) -> UserError {
    let contexts: Vec<_> = contexts.collect();
    if let Some(context) = selected.context.as_deref().filter(|name| !name.is_empty()) {
        return UserError::new(format!("context {context:?} of {} names no server", files.words()));
    }
    if !contexts.is_empty() {
        let error = UserError::new(format!("no context is chosen: {} has no current-context", files.words()));
        return error.hint(format!("choose one with --context: {}", contexts.join(", ")));
    }
    let error = UserError::new(format!(
        "Missing or incomplete configuration info: no cluster is named in {}, nor with --kubeconfig or --server",
        files.words()
    ));
    error.hint("with --snapshot FILE a dump is read and no cluster is needed")
}

#[cfg(test)]
mod tests;
