//! `status`: how rollouts stand; follows them until they are done.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

use crate::args::{self, Cli, OutputFormat, StatusArgs};
use crate::drive::follow::{DoneWhen, Follow, Look, Rules, standing};
use crate::plan::Plan;
use crate::reconcile::reconcile;
use crate::render;
use crate::snapshot::Snapshot;
use crate::view::status::{StatusItem, StatusReport, groups};

use super::interrupt::INTERRUPTED;
use super::select::{self, Scope};
use super::session::{self, Io};
use super::watch::{Ending, watch};

pub(super) fn run(cli: &Cli, args: &StatusArgs, io: &mut Io) -> anyhow::Result<ExitCode> {
    if args.watch && cli.source.snapshot.is_empty() {
        return follow(cli, args, io);
    }
    let source = session::read(cli, &args.names, io)?;
    let scope = source.scope();
    select::check_names(&source.snapshot, &args.names, scope)?;
    let plans = plans(args, &source.snapshot, scope);
    if plans.is_empty() && nothing_found(cli, &source.snapshot, scope, io)? {
        return Ok(ExitCode::SUCCESS);
    }
    let looks: Vec<Look> = plans.iter().map(|plan| once(plan, args)).collect();
    let report = report(args, &source.snapshot, plans.iter().zip(looks.iter().copied()));
    show(cli, &report, scope, io)?;
    Ok(ExitCode::from(gravest(looks.iter().map(|look| look.standing.exit_code()))))
}

fn report<'a>(
    args: &'a StatusArgs,
    snapshot: &Snapshot,
    looks: impl Iterator<Item = (&'a Plan, Look)>,
) -> StatusReport<'a> {
    let label = args.group_by.as_deref();
    StatusReport::new(
        rule(args),
        looks.map(|(plan, look)| StatusItem::new(plan, look, groups(label, plan, &snapshot.nodes))),
    )
}

fn once(plan: &Plan, args: &StatusArgs) -> Look {
    Look { standing: standing(plan, rule(args)), ended: None, pace: None }
}

fn rule(args: &StatusArgs) -> DoneWhen {
    match args.done_when {
        args::DoneWhen::Available => DoneWhen::Available,
        args::DoneWhen::Updated => DoneWhen::Updated,
        args::DoneWhen::Placed => DoneWhen::Placed,
    }
}

fn plans(args: &StatusArgs, snapshot: &Snapshot, scope: Scope<'_>) -> Vec<Plan> {
    let sets = if args.names.is_empty() {
        select::all(snapshot, scope.namespace, args.selector.as_ref())
    } else {
        select::those_there(snapshot, &args.names, scope)
    };
    reconcile(snapshot, sets).collect()
}

/// Says that there is no set; returns whether that is all there is to say.
fn nothing_found(cli: &Cli, snapshot: &Snapshot, scope: Scope<'_>, io: &mut Io) -> anyhow::Result<bool> {
    if session::is_data(cli) {
        return Ok(false);
    }
    for line in select::nothing_found(snapshot, scope.namespace) {
        writeln!(io.err, "{line}")?;
    }
    Ok(true)
}

/// Returns the code that counts most: 1, then 11, then 12, then 10, then 0.
fn gravest(codes: impl Iterator<Item = u8>) -> u8 {
    let codes: Vec<u8> = codes.collect();
    [1, 11, 12, 10].into_iter().find(|code| codes.contains(code)).unwrap_or(0)
}

fn show(cli: &Cli, report: &StatusReport<'_>, scope: Scope<'_>, io: &mut Io) -> anyhow::Result<()> {
    let names = || report.items.iter().map(|item| format!("daemonset.apps/{}", item.daemon_set.name)).collect();
    session::print(cli, io, report, names, |layout| render::status(report, scope.namespace.is_none(), layout))
}

/// Follows the sets that are there at the beginning; one that goes away counts as failed.
fn follow(cli: &Cli, args: &StatusArgs, io: &mut Io) -> anyhow::Result<ExitCode> {
    let rules = Rules { done_when: rule(args), stall_after: args.stall_after, timeout: args.timeout };
    let began = Instant::now();
    let mut followed: Option<BTreeMap<String, (Follow, Option<u8>)>> = None;
    let ended = watch(cli, &args.names, io, "", &mut |snapshot, scope, io| {
        let plans = plans(args, snapshot, scope);
        let followed = followed.get_or_insert_with(|| {
            plans.iter().map(|plan| (plan.daemon_set.uid.clone(), (Follow::new(rules), None))).collect()
        });
        if followed.is_empty() {
            nothing_found(cli, snapshot, scope, io)?;
            return Ok(ControlFlow::Break(0));
        }
        let (mut shown, mut looks) = (Vec::new(), Vec::new());
        for plan in plans {
            let Some((follow, ended)) = followed.get_mut(&plan.daemon_set.uid) else { continue };
            let look = follow.look(&plan, began.elapsed());
            *ended = ended.or(look.ended);
            looks.push(look);
            shown.push(plan);
        }
        for (uid, (_, ended)) in followed.iter_mut() {
            let is_there = shown.iter().any(|plan| plan.daemon_set.uid == *uid);
            *ended = ended.or((!is_there).then_some(1));
        }
        let report = report(args, snapshot, shown.iter().zip(looks));
        if cli.output.output == OutputFormat::Json {
            // A line for each change.
            serde_json::to_writer(&mut *io.out, &report).map_err(std::io::Error::from)?;
            writeln!(io.out)?;
        } else {
            show(cli, &report, scope, io)?;
        }
        let codes: Option<Vec<u8>> = followed.values().map(|(_, ended)| *ended).collect();
        Ok(codes.map_or(ControlFlow::Continue(()), |codes| ControlFlow::Break(gravest(codes.into_iter()))))
    })?;
    match ended {
        Ending::Over(code) => Ok(ExitCode::from(code)),
        Ending::Interrupted => {
            writeln!(io.err, "Following has ended; the rollout itself goes on.")?;
            Ok(ExitCode::from(INTERRUPTED))
        }
    }
}
