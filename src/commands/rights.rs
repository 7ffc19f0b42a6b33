//! `rights`: the roles that the commands need, as manifests. Nothing is contacted.

use std::process::ExitCode;

use serde_json::json;

use crate::args::{Cli, OutputFormat, RightsArgs, Role};
use crate::error::UserError;
use crate::render;
use crate::source::live::RoleManifest;

use super::session::Io;

pub(super) fn run(cli: &Cli, args: &RightsArgs, io: &mut Io) -> anyhow::Result<ExitCode> {
    let namespace = cli.scope.one_namespace();
    if namespace.is_some() && args.role == Some(Role::Nodes) {
        return Err(UserError::usage("nodes are in no namespace: leave out -n").into());
    }
    let roles = args.role.map_or_else(|| vec![Role::View, Role::Drive], |role| vec![role]);
    let manifests: Vec<_> = roles.into_iter().map(|role| RoleManifest::new(role, namespace)).collect();
    print(cli, &manifests, io)?;
    if namespace.is_some() {
        let hint = "no Role can allow to list nodes: `kubectl daemonset rights nodes` prints the ClusterRole that does";
        writeln!(io.err, "hint: {hint}")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print(cli: &Cli, manifests: &[RoleManifest], io: &mut Io) -> anyhow::Result<()> {
    match (cli.output.output, manifests) {
        (OutputFormat::Name, _) => {
            for manifest in manifests {
                writeln!(io.out, "{}", manifest.name())?;
            }
        }
        (OutputFormat::Json, [manifest]) => render::print_json(io.out, manifest)?,
        (OutputFormat::Json, _) => {
            render::print_json(io.out, &json!({ "apiVersion": "v1", "kind": "List", "items": manifests }))?;
        }
        (OutputFormat::Table | OutputFormat::Wide | OutputFormat::Yaml, _) => {
            for (i, manifest) in manifests.iter().enumerate() {
                if i > 0 {
                    writeln!(io.out, "---")?;
                }
                render::print_yaml(io.out, manifest)?;
            }
        }
    }
    Ok(())
}
