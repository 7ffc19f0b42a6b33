//! `why`: why nodes run the set or do not.

use std::process::ExitCode;

use crate::args::{Cli, WhyArgs};
use crate::error::{ServerError, UserError};
use crate::plan::Plan;
use crate::render;
use crate::view::suggest::closest;
use crate::view::verdict::missing;
use crate::view::why::{WhyGroupReport, WhyReport, is_known_node};

use super::select;
use super::session::{self, Io};

pub(super) fn run(cli: &Cli, args: &WhyArgs, io: &mut Io) -> anyhow::Result<ExitCode> {
    let source = session::read(cli, std::slice::from_ref(&args.name), io)?;
    let daemon_set = select::by_name(&source.snapshot, &args.name, source.scope())?;
    let plan = session::plan_of(&source.snapshot, daemon_set)?;
    for sentence in missing(&plan) {
        writeln!(io.err, "Warning: {sentence}")?;
    }
    if args.nodes.is_empty() {
        let report = WhyGroupReport::new(&plan);
        let names = || node_names(report.items.iter().flat_map(|group| group.nodes.iter().copied()));
        session::print(cli, io, &report, names, |layout| render::why_groups(&report, layout))?;
    } else {
        check_nodes(&plan, &args.nodes, source.scope().is_live)?;
        let report = WhyReport::new(&plan, &args.nodes);
        let names = || node_names(report.items.iter().filter_map(|item| item.name));
        session::print(cli, io, &report, names, |layout| render::why_nodes(&report, layout))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn node_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    names.filter(|name| !name.is_empty()).map(|name| format!("node/{name}")).collect()
}

fn check_nodes(plan: &Plan, names: &[String], is_live: bool) -> anyhow::Result<()> {
    let Some(unknown) = names.iter().find(|name| !is_known_node(plan, name)) else { return Ok(()) };
    let near = closest(unknown, plan.nodes.iter().map(|node| node.name.as_str()));
    let hint = near.map(|near| format!("did you mean {near:?}?"));
    if is_live {
        return Err(ServerError::new("NotFound", format!("nodes {unknown:?} not found")).hints(hint).into());
    }
    Err(UserError::new(format!("nodes {unknown:?} not found in the snapshot")).hints(hint).into())
}
