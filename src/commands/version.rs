//! `version`: which build this is.

use std::process::ExitCode;

use serde::Serialize;

use crate::args::Cli;
use crate::plan::API_VERSION;
use crate::render::Line;

use super::session::{self, Io};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    api_version: &'static str,
    kind: &'static str,
    version: &'static str,
}

pub(super) fn run(cli: &Cli, io: &mut Io) -> anyhow::Result<ExitCode> {
    let version = Version { api_version: API_VERSION, kind: "Version", version: env!("CARGO_PKG_VERSION") };
    let line = format!("kubectl-daemonset v{}", version.version);
    session::print(cli, io, &version, || vec![line.clone()], |_| vec![Line::plain(&line)])?;
    Ok(ExitCode::SUCCESS)
}
