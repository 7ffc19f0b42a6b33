//! `nodes`: which node has which pod.

use std::process::ExitCode;

use crate::api::DaemonSet;
use crate::args::{Cli, NodesArgs};
use crate::plan::Plan;
use crate::render;
use crate::snapshot::Snapshot;
use crate::view::nodes::{NodeGroupReport, NodeReport, hint_about_label};
use crate::view::verdict::missing;

use super::select;
use super::session::{self, Io};
use super::watch::until_interrupted;

pub(super) fn run(cli: &Cli, args: &NodesArgs, io: &mut Io) -> anyhow::Result<ExitCode> {
    let names = std::slice::from_ref(&args.name);
    if args.watch {
        return until_interrupted(
            cli,
            names,
            io,
            &|snapshot, scope, io| match select::there(snapshot, &args.name, scope) {
                Some(daemon_set) => show(cli, args, snapshot, daemon_set, io),
                None => Ok(()),
            },
        );
    }
    let source = session::read(cli, names, io)?;
    let daemon_set = select::by_name(&source.snapshot, &args.name, source.scope())?;
    show(cli, args, &source.snapshot, daemon_set, io)?;
    Ok(ExitCode::SUCCESS)
}

fn show(cli: &Cli, args: &NodesArgs, snapshot: &Snapshot, daemon_set: &DaemonSet, io: &mut Io) -> anyhow::Result<()> {
    let plan = session::plan_of(snapshot, daemon_set)?;
    for sentence in missing(&plan) {
        writeln!(io.err, "Warning: {sentence}")?;
    }
    match &args.group_by {
        Some(label) => grouped(cli, io, snapshot, &plan, label),
        None => listed(cli, io, &plan, args.problems),
    }
}

fn listed(cli: &Cli, io: &mut Io, plan: &Plan, only_problems: bool) -> anyhow::Result<()> {
    let report = NodeReport::new(plan, only_problems);
    if report.items.is_empty() && !session::is_data(cli) {
        let what = if only_problems { "No nodes with problems found" } else { "No nodes found" };
        writeln!(io.err, "{what} for daemonset.apps/{}.", plan.daemon_set.name)?;
        return Ok(());
    }
    let names = || report.items.iter().filter_map(|item| Some(format!("node/{}", item.name?))).collect();
    session::print(cli, io, &report, names, |layout| render::nodes(&report, layout))
}

fn grouped(cli: &Cli, io: &mut Io, snapshot: &Snapshot, plan: &Plan, label: &str) -> anyhow::Result<()> {
    let report = NodeGroupReport::new(snapshot, plan, label);
    let names = || report.items.iter().filter_map(|group| group.value).map(str::to_owned).collect();
    session::print(cli, io, &report, names, |layout| render::node_groups(&report, layout))?;
    if let Some(hint) = hint_about_label(snapshot, label) {
        writeln!(io.err, "hint: {hint}")?;
    }
    Ok(())
}
