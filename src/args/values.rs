//! Values of flags.

use clap::ValueEnum;
use jiff::Timestamp;

use crate::snapshot::ServerVersion;

/// Formats of `-o`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// Columns for people
    #[default]
    Table,
    /// More columns
    Wide,
    /// Names only
    Name,
    /// Everything, as JSON
    Json,
    /// Everything, as YAML
    Yaml,
}

/// Values of `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal only
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Reads the value of `--now`.
pub(super) fn time(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| "write a time with its zone, such as 2026-11-29T14:43:52Z".to_owned())
}

/// Reads the value of `--server-version`.
pub(super) fn server_version(text: &str) -> Result<ServerVersion, String> {
    ServerVersion::parse(text).ok_or_else(|| "write a version such as 1.37".to_owned())
}
