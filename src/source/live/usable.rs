//! What a cluster and a user of a kubeconfig may not say, or not at once.
//!
//! Upstream: client-go tools/clientcmd `validateAuthInfo` and `validateClusterInfo`, and transport `TLSConfigFor` (1.37).
//! Unlike upstream, data beside a file of the same content is no error, but comes first.

use kube::config::{AuthInfo, ExecConfig};
use secrecy::{ExposeSecret as _, SecretString};

use crate::error::UserError;

use super::kubeconfig::Selected;

/// Checks the cluster and the user, after flags have changed them.
///
/// Errors: names the cluster or the user, and what is wrong with it.
pub(super) fn check(selected: &Selected) -> Result<(), UserError> {
    check_cluster(selected).and_then(|()| check_user(&selected.user)).map_err(|(kind, problem)| {
        let name = if kind == "cluster" { &selected.cluster_name } else { &selected.user_name };
        match name {
            Some(name) => UserError::new(format!("{kind} {name:?} of the kubeconfig: {problem}")),
            None => UserError::new(problem),
        }
    })
}

/// What is wrong, and whether it is a cluster or a user.
type Problem = (&'static str, String);

fn is_given(text: &Option<String>) -> bool {
    text.as_ref().is_some_and(|text| !text.is_empty())
}

fn is_secret_given(secret: &Option<SecretString>) -> bool {
    secret.as_ref().is_some_and(|secret| !secret.expose_secret().is_empty())
}

fn check_cluster(selected: &Selected) -> Result<(), Problem> {
    let cluster = &selected.cluster;
    let has_authority = is_given(&cluster.certificate_authority) || is_given(&cluster.certificate_authority_data);
    if has_authority && cluster.insecure_skip_tls_verify == Some(true) {
        let problem =
            "a certificate authority and insecure-skip-tls-verify, which makes it void, may not be given at once";
        return Err(("cluster", problem.to_owned()));
    }
    match cluster.proxy_url.as_deref().filter(|url| !url.is_empty()) {
        // Without a scheme `proxy:3128` would be the scheme `proxy`.
        Some(url) if !url.contains("://") => {
            Err(("cluster", "proxy-url has no scheme: write http, https or socks5".to_owned()))
        }
        Some(url) => super::proxy::parse(url).map(drop).map_err(|error| ("cluster", format!("proxy-url: {error}"))),
        None => Ok(()),
    }
}

fn check_user(user: &AuthInfo) -> Result<(), Problem> {
    let has_token = is_secret_given(&user.token);
    let has_password = is_given(&user.username) || is_secret_given(&user.password);
    let has_certificate = is_given(&user.client_certificate) || is_given(&user.client_certificate_data);
    let has_key = is_given(&user.client_key) || is_secret_given(&user.client_key_data);
    let problem = match &user.exec {
        _ if has_token && has_password => "a token and a user name or password may not be given at once".to_owned(),
        _ if has_certificate && !has_key => "a client certificate is given, but not its key".to_owned(),
        _ if has_key && !has_certificate => "a client key is given, but not its certificate".to_owned(),
        Some(_) if user.auth_provider.is_some() => "exec and auth-provider may not be given at once".to_owned(),
        Some(plugin) => match problem_of(plugin) {
            Some(problem) => format!("exec: {problem}"),
            None => return Ok(()),
        },
        None => return Ok(()),
    };
    Err(("user", problem))
}

fn problem_of(plugin: &ExecConfig) -> Option<&'static str> {
    if !is_given(&plugin.command) {
        return Some("command must be given");
    }
    if !is_given(&plugin.api_version) {
        return Some("apiVersion must be given");
    }
    let has_name = |variable: &std::collections::HashMap<String, String>| {
        variable.get("name").is_some_and(|name| !name.is_empty())
    };
    if !plugin.env.iter().flatten().all(has_name) {
        return Some("a variable of env has no name");
    }
    // Older versions have a default.
    let is_v1 = plugin.api_version.as_deref() == Some("client.authentication.k8s.io/v1");
    (is_v1 && plugin.interactive_mode.is_none())
        .then_some("interactiveMode must be given: Never, IfAvailable or Always")
}

#[cfg(test)]
mod tests {
    use kube::config::{AuthInfo, Cluster};
    use serde_json::{Value, json};

    use super::{Selected, check};

    fn error(cluster: Value, user: Value) -> Option<String> {
        let cluster: Cluster = serde_json::from_value(cluster).expect("a cluster");
        let user: AuthInfo = serde_json::from_value(user).expect("a user");
        let (cluster_name, user_name) = (Some("c".to_owned()), Some("u".to_owned()));
        let selected = Selected { cluster, cluster_name, user, user_name, ..Selected::default() };
        check(&selected).err().map(|error| error.to_string())
    }

    #[test]
    fn what_contradicts_itself_is_told_with_its_name() {
        let v1 = "client.authentication.k8s.io/v1";
        for (cluster, user, expected) in [
            (
                json!({ "certificate-authority": "ca", "insecure-skip-tls-verify": true }),
                json!({}),
                "cluster \"c\" of the kubeconfig: a certificate authority and insecure-skip-tls-verify, which makes it void, may not be given at once",
            ),
            (
                json!({ "proxy-url": "proxy:3128" }),
                json!({}),
                "cluster \"c\" of the kubeconfig: proxy-url has no scheme: write http, https or socks5",
            ),
            (
                json!({ "proxy-url": "ftp://proxy" }),
                json!({}),
                "cluster \"c\" of the kubeconfig: proxy-url: proxies of scheme \"ftp\" are not known: write http, https or socks5",
            ),
            (
                json!({}),
                json!({ "token": "t", "username": "u" }),
                "user \"u\" of the kubeconfig: a token and a user name or password may not be given at once",
            ),
            (
                json!({}),
                json!({ "client-certificate": "c" }),
                "user \"u\" of the kubeconfig: a client certificate is given, but not its key",
            ),
            (
                json!({}),
                json!({ "client-key": "k" }),
                "user \"u\" of the kubeconfig: a client key is given, but not its certificate",
            ),
            (
                json!({}),
                json!({ "exec": { "command": "x" }, "auth-provider": { "name": "oidc" } }),
                "user \"u\" of the kubeconfig: exec and auth-provider may not be given at once",
            ),
            (
                json!({}),
                json!({ "exec": { "apiVersion": v1 } }),
                "user \"u\" of the kubeconfig: exec: command must be given",
            ),
            (
                json!({}),
                json!({ "exec": { "command": "x" } }),
                "user \"u\" of the kubeconfig: exec: apiVersion must be given",
            ),
            (
                json!({}),
                json!({ "exec": { "command": "x", "apiVersion": v1, "env": [{ "value": "v" }] } }),
                "user \"u\" of the kubeconfig: exec: a variable of env has no name",
            ),
            (
                json!({}),
                json!({ "exec": { "command": "x", "apiVersion": v1 } }),
                "user \"u\" of the kubeconfig: exec: interactiveMode must be given: Never, IfAvailable or Always",
            ),
        ] {
            assert_eq!(error(cluster, user).as_deref(), Some(expected));
        }
        let beta = json!({ "exec": { "command": "x", "apiVersion": "client.authentication.k8s.io/v1beta1" } });
        assert_eq!(error(json!({}), beta), None);
    }
}
