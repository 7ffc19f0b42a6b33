//! `snapshot`: what a plan sees, as a file.

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::args::{Cli, OutputFormat, SnapshotArgs};
use crate::error::UserError;
use crate::render;

use super::select::{self, Scope};
use super::session::{self, Io};

pub(super) fn run(cli: &Cli, args: &SnapshotArgs, io: &mut Io) -> anyhow::Result<ExitCode> {
    if !cli.source.snapshot.is_empty() {
        return Err(UserError::usage("a snapshot is taken of a cluster: leave out --snapshot").into());
    }
    let cluster = session::connect(cli, &args.names)?;
    let live = cluster.block_on(cluster.read_objects(args.full))?;
    session::warn_about(&live, io)?;
    let scope = Scope { namespace: live.namespace.as_deref(), is_live: true };
    select::check_names(&live.snapshot, &args.names, scope)?;
    if live.objects.is_empty() {
        for line in select::nothing_found(&live.snapshot, scope.namespace) {
            writeln!(io.err, "{line}")?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut list = json!({ "apiVersion": "v1", "kind": "List" });
    // `json!` would copy the objects.
    list["items"] = Value::Array(live.objects);
    match cli.output.output {
        OutputFormat::Json => render::print_json(io.out, &list)?,
        _ => render::print_yaml(io.out, &list)?,
    }
    Ok(ExitCode::SUCCESS)
}
