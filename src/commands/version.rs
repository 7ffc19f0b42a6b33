//! `version`: which build this is, and which server answers.

use std::env::consts::{ARCH, OS};
use std::process::ExitCode;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

use crate::args::{Cli, VersionArgs};
use crate::plan::API_VERSION;
use crate::render::Line;
use crate::snapshot::ServerVersion;

use super::session::{self, Io};

/// How long a server may take that was given no `--request-timeout`.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    api_version: &'static str,
    kind: &'static str,
    client_version: ClientVersion,
    /// As the server tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    server_version: Option<Value>,
}

/// Fields are named as kubectl names those of its own version.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ClientVersion {
    major: &'static str,
    minor: &'static str,
    git_version: &'static str,
    platform: String,
}

pub(super) fn run(cli: &Cli, args: &VersionArgs, io: &mut Io) -> anyhow::Result<ExitCode> {
    let (server_version, failure) = match server(cli, args, io) {
        Ok(version) => (version, None),
        Err(error) => (None, Some(error)),
    };
    let version = Version { api_version: API_VERSION, kind: "Version", client_version: client(), server_version };
    let lines = lines(&version);
    session::print(cli, io, &version, || lines.clone(), |_| lines.iter().map(Line::plain).collect())?;
    failure.map_or(Ok(ExitCode::SUCCESS), Err)
}

fn client() -> ClientVersion {
    ClientVersion {
        major: env!("CARGO_PKG_VERSION_MAJOR"),
        minor: env!("CARGO_PKG_VERSION_MINOR"),
        git_version: concat!("v", env!("CARGO_PKG_VERSION")),
        platform: platform(),
    }
}

/// Returns the platform in the words of Go, which are those of krew, too.
fn platform() -> String {
    let os = if OS == "macos" { "darwin" } else { OS };
    let arch = match ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("{os}/{arch}")
}

/// Returns the version of the server, from wherever the flags say; `None` if it is not asked for or not recorded.
fn server(cli: &Cli, args: &VersionArgs, io: &mut Io) -> anyhow::Result<Option<Value>> {
    if args.client {
        return Ok(None);
    }
    if cli.source.snapshot.is_empty() {
        return live(cli).map(Some);
    }
    let version = session::read(cli, &[], io)?.snapshot.server_version;
    if version.is_none() {
        writeln!(io.err, "hint: the snapshot does not say which server it came from; --server-version X.Y does")?;
    }
    Ok(version.map(recorded))
}

fn live(cli: &Cli) -> anyhow::Result<Value> {
    let patience = cli.connection.request_timeout.is_none().then_some(PATIENCE);
    let cluster = session::connect(cli, &[])?;
    cluster.block_on(cluster.version(patience))
}

fn recorded(version: ServerVersion) -> Value {
    let ServerVersion { major, minor } = version;
    json!({ "major": major.to_string(), "minor": minor.to_string(), "gitVersion": format!("v{version}") })
}

fn lines(version: &Version) -> Vec<String> {
    let mut lines = vec![format!("Client Version: {}", version.client_version.git_version)];
    if let Some(server) = &version.server_version {
        let version = server["gitVersion"].as_str().unwrap_or("<unknown>");
        lines.push(format!("Server Version: {version}"));
    }
    lines
}
