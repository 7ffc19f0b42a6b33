//! Credential plugins: programs that print a token or a client certificate.
//!
//! Upstream: client-go plugin/pkg/client/auth/exec (1.37). The plugin's own words go to stderr as they are, unless it has to
//! be quiet.

mod quiet;

use std::io::{self, IsTerminal};
use std::process::{Command, Stdio};
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use jiff::Timestamp;
use kube::config::{Cluster, ExecConfig, ExecInteractiveMode};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::UserError;

use super::access::data_or_file;

/// What a plugin gave.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ExecStatus {
    pub(super) token: Option<String>,
    pub(super) client_certificate_data: Option<String>,
    pub(super) client_key_data: Option<String>,
    pub(super) expiration_timestamp: Option<Timestamp>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExecCredential {
    api_version: Option<String>,
    kind: Option<String>,
    status: Option<ExecStatus>,
}

/// Runs a plugin; with `quiet_until` without a terminal and without its words, and no longer than until then.
///
/// # Errors
///
/// It cannot be run, ends with an error, or prints no credentials. What it printed is not repeated.
pub(super) fn run(exec: &ExecConfig, cluster: &Cluster, quiet_until: Option<Instant>) -> anyhow::Result<ExecStatus> {
    let program = exec.command.as_deref().unwrap_or_default();
    let version = exec.api_version.as_deref().unwrap_or_default();
    if !matches!(version, "client.authentication.k8s.io/v1" | "client.authentication.k8s.io/v1beta1") {
        return Err(failed(format!("exec plugin: invalid apiVersion {version:?}")).into());
    }
    let has_terminal = quiet_until.is_none() && io::stdin().is_terminal();
    let is_interactive = is_interactive(exec, has_terminal)?;
    let mut command = Command::new(program);
    command.args(exec.args.iter().flatten());
    for variable in exec.env.iter().flatten() {
        if let (Some(name), Some(value)) = (variable.get("name"), variable.get("value")) {
            command.env(name, value);
        }
    }
    command.env("KUBERNETES_EXEC_INFO", info(exec, version, cluster, is_interactive)?.to_string());
    command.stdin(if is_interactive { Stdio::inherit() } else { Stdio::null() });
    let output = match quiet_until {
        Some(deadline) => quiet::output(command, deadline),
        None => command.stderr(Stdio::inherit()).output(),
    };
    let output = output.map_err(|error| not_run(exec, &error))?;
    if !output.status.success() {
        let ending =
            output.status.code().map_or("was killed".to_owned(), |code| format!("failed with exit code {code}"));
        return Err(failed(format!("exec: executable {program} {ending}")).into());
    }
    Ok(read(program, version, &output.stdout)?)
}

fn failed(cause: String) -> UserError {
    UserError::new(format!("getting credentials: {cause}"))
}

fn not_run(exec: &ExecConfig, error: &io::Error) -> UserError {
    let program = exec.command.as_deref().unwrap_or_default();
    let cause = match error.kind() {
        io::ErrorKind::NotFound => format!("exec: executable {program} not found"),
        _ => format!("exec: {program}: {error}"),
    };
    let hint = exec.install_hint.as_deref().map(|hint| hint.split_whitespace().collect::<Vec<_>>().join(" "));
    failed(cause).hints(hint.filter(|hint| !hint.is_empty()))
}

/// Returns whether the plugin may ask the person.
fn is_interactive(exec: &ExecConfig, has_terminal: bool) -> Result<bool, UserError> {
    match exec.interactive_mode {
        Some(ExecInteractiveMode::Never) => Ok(false),
        Some(ExecInteractiveMode::Always) if !has_terminal => {
            Err(failed("exec plugin cannot support interactive mode: standard input is not a terminal".to_owned()))
        }
        _ => Ok(has_terminal),
    }
}

fn info(exec: &ExecConfig, version: &str, cluster: &Cluster, is_interactive: bool) -> anyhow::Result<Value> {
    let mut info =
        json!({ "kind": "ExecCredential", "apiVersion": version, "spec": { "interactive": is_interactive } });
    if exec.provide_cluster_info {
        info["spec"]["cluster"] = cluster_info(cluster)?;
    }
    Ok(info)
}

fn cluster_info(cluster: &Cluster) -> anyhow::Result<Value> {
    let path = cluster.certificate_authority.as_deref();
    let authority = data_or_file(cluster.certificate_authority_data.as_deref(), path, "certificate authority")?;
    let extension = cluster.extensions.iter().flatten().find(|named| named.name == "client.authentication.k8s.io/exec");
    let fields = [
        ("server", cluster.server.clone().map(Value::from)),
        ("tls-server-name", cluster.tls_server_name.clone().map(Value::from)),
        ("insecure-skip-tls-verify", cluster.insecure_skip_tls_verify.map(Value::from)),
        ("certificate-authority-data", authority.map(|pem| BASE64.encode(pem).into())),
        ("proxy-url", cluster.proxy_url.clone().map(Value::from)),
        ("disable-compression", cluster.disable_compression.map(Value::from)),
        ("config", extension.map(|named| named.extension.clone())),
    ];
    Ok(fields.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect())
}

fn read(program: &str, version: &str, output: &[u8]) -> Result<ExecStatus, UserError> {
    let wrong = |cause: &str| failed(format!("exec: executable {program} {cause}"));
    let credential: ExecCredential =
        serde_json::from_slice(output).map_err(|_| wrong("printed no ExecCredential in JSON"))?;
    if credential.kind.as_deref() != Some("ExecCredential") {
        return Err(wrong("printed an object that is no ExecCredential"));
    }
    if credential.api_version.as_deref() != Some(version) {
        return Err(wrong(&format!("printed another apiVersion than {version}")));
    }
    let status = credential.status.ok_or_else(|| wrong("printed no status"))?;
    let has_token = status.token.as_ref().is_some_and(|token| !token.is_empty());
    match (&status.client_certificate_data, &status.client_key_data) {
        (Some(_), None) | (None, Some(_)) => Err(wrong("printed a client certificate or its key, but not both")),
        (None, None) if !has_token => Err(wrong("printed neither a token nor a client certificate")),
        _ => Ok(status),
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    const V1: &str = "client.authentication.k8s.io/v1";

    #[test]
    fn what_is_no_credential_is_refused_and_not_repeated() {
        for (output, expected) in [
            ("s3cret", "printed no ExecCredential in JSON"),
            (r#"{"kind":"Secret","apiVersion":"v1"}"#, "printed an object that is no ExecCredential"),
            (
                r#"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1alpha1"}"#,
                "printed another apiVersion than client.authentication.k8s.io/v1",
            ),
            (r#"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1"}"#, "printed no status"),
            (
                r#"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":""}}"#,
                "printed neither a token nor a client certificate",
            ),
            (
                r#"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"s3cret","clientKeyData":"s3cret"}}"#,
                "printed a client certificate or its key, but not both",
            ),
        ] {
            let error = read("login", V1, output.as_bytes()).err().expect(output).to_string();
            assert_eq!(error, format!("getting credentials: exec: executable login {expected}"));
        }
    }

    #[test]
    fn a_token_may_expire() {
        let output = r#"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"t","expirationTimestamp":"2026-11-29T14:43:52Z"}}"#;
        let status = read("login", V1, output.as_bytes()).expect("credentials");
        assert_eq!(status.token.as_deref(), Some("t"));
        assert_eq!(status.expiration_timestamp, "2026-11-29T14:43:52Z".parse().ok());
    }
}
