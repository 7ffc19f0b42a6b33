//! Connection flags: all of kubectl's, under the same names, because kubectl does not pass its own on to a plugin.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};

use super::values;

/// Flags that say which cluster is meant and who asks.
///
/// They are hidden from the short help.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Connection")]
pub struct ConnectionFlags {
    /// Kubeconfig file to use instead of those that KUBECONFIG names
    #[arg(long, global = true, hide_short_help = true, value_name = "FILE", value_parser = values::path(), value_hint = ValueHint::FilePath)]
    pub kubeconfig: Option<PathBuf>,
    /// Context of the kubeconfig to use
    #[arg(long, global = true, hide_short_help = true, value_name = "NAME")]
    pub context: Option<String>,
    /// Cluster of the kubeconfig to use
    #[arg(long, global = true, hide_short_help = true, value_name = "NAME")]
    pub cluster: Option<String>,
    /// User of the kubeconfig to use
    #[arg(long, global = true, hide_short_help = true, value_name = "NAME")]
    pub user: Option<String>,
    /// Address of the API server
    #[arg(short, long, global = true, hide_short_help = true, value_name = "URL")]
    pub server: Option<String>,
    /// Bearer token for the API server
    #[arg(long, global = true, hide_short_help = true, value_name = "TOKEN")]
    pub token: Option<Secret>,
    /// User name for basic authentication
    #[arg(long, global = true, hide_short_help = true, value_name = "NAME")]
    pub username: Option<String>,
    /// Password for basic authentication
    #[arg(long, global = true, hide_short_help = true, value_name = "PASSWORD")]
    pub password: Option<Secret>,
    /// User to impersonate
    #[arg(long = "as", global = true, hide_short_help = true, value_name = "USER")]
    pub impersonate: Option<String>,
    /// Group to impersonate; may be repeated
    #[arg(long = "as-group", global = true, hide_short_help = true, value_name = "GROUP")]
    pub impersonate_groups: Vec<String>,
    /// UID to impersonate
    #[arg(long = "as-uid", global = true, hide_short_help = true, value_name = "UID")]
    pub impersonate_uid: Option<String>,
    /// Extra field to impersonate; may be repeated
    #[arg(long = "as-user-extra", global = true, hide_short_help = true, value_name = "KEY=VALUE", value_parser = values::key_value)]
    pub impersonate_extra: Vec<(String, String)>,
    /// File with the certificates of the authority that the server is checked by
    #[arg(long, global = true, hide_short_help = true, value_name = "FILE", value_parser = values::path(), value_hint = ValueHint::FilePath)]
    pub certificate_authority: Option<PathBuf>,
    /// File with the client certificate
    #[arg(long, global = true, hide_short_help = true, value_name = "FILE", value_parser = values::path(), value_hint = ValueHint::FilePath)]
    pub client_certificate: Option<PathBuf>,
    /// File with the key of the client certificate
    #[arg(long, global = true, hide_short_help = true, value_name = "FILE", value_parser = values::path(), value_hint = ValueHint::FilePath)]
    pub client_key: Option<PathBuf>,
    /// Do not check the server's certificate, which makes the connection insecure
    #[arg(long, global = true, hide_short_help = true, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub insecure_skip_tls_verify: Option<bool>,
    /// Name to expect in the server's certificate (default its host)
    #[arg(long, global = true, hide_short_help = true, value_name = "NAME")]
    pub tls_server_name: Option<String>,
    /// Longest time for one request, such as 5s or 2m; 0 is none (default 0)
    #[arg(long, global = true, hide_short_help = true, value_name = "DURATION", value_parser = values::duration)]
    pub request_timeout: Option<Duration>,
    /// Do not ask for compressed answers
    #[arg(long, global = true, hide_short_help = true, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub disable_compression: Option<bool>,
    /// Objects to ask for in one page of a list; 0 is all
    #[arg(long, global = true, hide_short_help = true, value_name = "NUMBER", default_value = "500")]
    pub chunk_size: u32,
    /// Show requests from level 6 on, and their headers, without secrets, from level 7 on
    #[arg(short, long = "v", global = true, hide_short_help = true, value_name = "LEVEL", default_value = "0")]
    pub verbosity: u8,
    /// Flags of kubectl that change nothing here.
    #[command(flatten)]
    pub without_effect: WithoutEffect,
}

/// Flags of kubectl that are accepted and change nothing.
#[derive(Clone, Debug, Default, Args)]
#[allow(missing_docs, reason = "kubectl's own names")]
pub struct WithoutEffect {
    #[arg(long, global = true, hide = true)]
    cache_dir: Option<String>,
    #[arg(long, global = true, hide = true, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    match_server_version: Option<bool>,
    #[arg(long, global = true, hide = true)]
    log_flush_frequency: Option<String>,
    #[arg(long, global = true, hide = true)]
    profile: Option<String>,
    #[arg(long, global = true, hide = true)]
    profile_output: Option<String>,
    #[arg(long, global = true, hide = true, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    warnings_as_errors: Option<bool>,
    #[arg(long, global = true, hide = true)]
    vmodule: Option<String>,
    #[arg(long, global = true, hide = true)]
    kuberc: Option<String>,
}

/// A value that is not shown.
#[derive(Clone)]
pub struct Secret(pub String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}
