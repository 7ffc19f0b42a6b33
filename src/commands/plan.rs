//! `plan`: what the controller will do next.

use std::process::ExitCode;

use crate::args::{Cli, PlanArgs};
use crate::plan::{Plan, PlanList};
use crate::reconcile::reconcile;
use crate::render::{self, Layout, Line};
use crate::snapshot::Snapshot;
use crate::view::exit_code::exit_code;

use super::select::{self, Scope};
use super::session::{self, Io};
use super::watch::until_interrupted;

pub(super) fn run(cli: &Cli, args: &PlanArgs, io: &mut Io) -> anyhow::Result<ExitCode> {
    if args.watch {
        return until_interrupted(cli, &args.names, io, &|snapshot, scope, io| {
            show(cli, args, snapshot, scope, io).map(drop)
        });
    }
    let source = session::read(cli, &args.names, io)?;
    select::check_names(&source.snapshot, &args.names, source.scope())?;
    show(cli, args, &source.snapshot, source.scope(), io)
}

/// Prints the plans of the sets that are there.
fn show(cli: &Cli, args: &PlanArgs, snapshot: &Snapshot, scope: Scope<'_>, io: &mut Io) -> anyhow::Result<ExitCode> {
    let daemon_sets = if args.names.is_empty() {
        select::all(snapshot, scope.namespace, args.selector.as_ref())
    } else {
        select::those_there(snapshot, &args.names, scope)
    };
    if daemon_sets.is_empty() && args.names.is_empty() && !session::is_data(cli) {
        for line in select::nothing_found(snapshot, scope.namespace) {
            writeln!(io.err, "{line}")?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut verdicts = Vec::with_capacity(daemon_sets.len());
    let plans = reconcile(snapshot, daemon_sets).inspect(|plan| verdicts.push(plan.verdict));
    if args.names.is_empty() && session::is_text(cli) {
        let lines = render::plans(plans, scope.namespace.is_none(), session::layout(cli, io));
        session::print_text(io, &lines)?;
    } else {
        let plans: Vec<Plan> = plans.collect();
        session::print(cli, io, &PlanList::new(&plans), || names(&plans), |layout| pages(&plans, layout))?;
    }
    Ok(if args.exit_code { ExitCode::from(exit_code(&verdicts)) } else { ExitCode::SUCCESS })
}

fn names(plans: &[Plan]) -> Vec<String> {
    plans.iter().map(|plan| format!("daemonset.apps/{}", plan.daemon_set.name)).collect()
}

fn pages(plans: &[Plan], layout: Layout) -> Vec<Line> {
    let mut lines = Vec::new();
    for plan in plans {
        if !lines.is_empty() {
            lines.push(Line::empty());
        }
        lines.extend(render::plan(plan, layout));
    }
    lines
}
