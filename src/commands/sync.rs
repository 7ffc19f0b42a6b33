//! `sync`: carries out what a plan says, or shows what that would be.

mod again;
mod checks;
mod course;
mod flags;
mod gate;
pub(super) mod report;
mod run;

use std::process::ExitCode;

use crate::api::DaemonSet;
use crate::args::{Cli, DryRun, SyncArgs};
use crate::drive::owner::{Owner, owner};
use crate::drive::{self, Batch, Drive, Ending, Next, Preview, Read, Settings, Stop};
use crate::error::UserError;
use crate::plan::Plan;
use crate::reconcile::reconcile;
use crate::source::live::{Cluster, WriteOptions, Writes};
use crate::view::sync::{DryRunMode, EventType, SyncEvent, intent};

use super::interrupt::Interrupt;
use super::select;
use super::session::{self, Io, Source};
use flags::{check_flags, check_set, settings};
use report::Reporter;
use run::{Decided, Run};

pub(super) fn run(cli: &Cli, args: &SyncArgs, io: &mut Io) -> anyhow::Result<ExitCode> {
    check_flags(args)?;
    let is_dry_run = args.write.dry_run != DryRun::None;
    if !cli.source.snapshot.is_empty() && args.write.dry_run != DryRun::Client {
        return Err(UserError::usage("sync writes to a cluster: with --snapshot only --dry-run=client works").into());
    }
    if args.names.is_empty() && !is_dry_run {
        let error = UserError::usage("name the DaemonSets to bring into sync");
        return Err(error.hint("--dry-run shows the next batch of all of them, and writes nothing").into());
    }
    if !cli.source.snapshot.is_empty() {
        let source = session::read(cli, &args.names, io)?;
        return DryRunOf { cli, args, source: &source }.all(io, None);
    }
    let cluster = session::connect(cli, &args.names)?;
    let live = cluster.block_on(cluster.read())?;
    session::warn_about(&live, io)?;
    let source = Source::of_live(live);
    match args.write.dry_run {
        DryRun::None => write(cli, args, &cluster, &source, io),
        DryRun::Client => DryRunOf { cli, args, source: &source }.all(io, None),
        DryRun::Server => DryRunOf { cli, args, source: &source }.all(io, Some(&cluster)),
    }
}

fn chosen<'a>(args: &SyncArgs, source: &'a Source) -> anyhow::Result<Vec<&'a DaemonSet>> {
    let scope = source.scope();
    if args.names.is_empty() {
        return Ok(select::all(&source.snapshot, scope.namespace, args.selector.as_ref()));
    }
    select::check_names(&source.snapshot, &args.names, scope)?;
    Ok(select::those_there(&source.snapshot, &args.names, scope))
}

/// Shows what would be written.
struct DryRunOf<'a> {
    cli: &'a Cli,
    args: &'a SyncArgs,
    source: &'a Source,
}

impl DryRunOf<'_> {
    /// `cluster`: whose server is to judge.
    fn all(&self, io: &mut Io, cluster: Option<&Cluster>) -> anyhow::Result<ExitCode> {
        let (snapshot, scope) = (&self.source.snapshot, self.source.scope());
        let sets = chosen(self.args, self.source)?;
        if sets.is_empty() && !session::is_data(self.cli) {
            for line in select::nothing_found(snapshot, scope.namespace) {
                writeln!(io.err, "{line}")?;
            }
            return Ok(ExitCode::SUCCESS);
        }
        let settings = settings(self.args);
        let mut any_failed = false;
        for (set, plan) in sets.iter().zip(reconcile(snapshot, sets.iter().copied())) {
            let read = Read { plan: &plan, nodes: &snapshot.nodes };
            let warnings = match self.args.names[..] {
                [] => Vec::new(),
                _ => check_set(self.args, read)?,
            };
            let mode = if cluster.is_some() { DryRunMode::Server } else { DryRunMode::Client };
            let mut reporter = Reporter::new(self.cli, io, Some(mode));
            reporter.headline(&plan, sets.len() > 1 && scope.namespace.is_none())?;
            warnings.iter().try_for_each(|warning| reporter.warning(warning))?;
            match at_once(read, &settings) {
                Some(stop) if stop.ending == Ending::Done => continue,
                Some(stop) => {
                    reporter.sentences(&[format!("sync would end at once: {}.", stop.why)])?;
                    continue;
                }
                None => reporter.sentences(&intent(read, &settings))?,
            }
            guard(self.args, [*set], &mut reporter)?;
            let next = drive::preview(&settings, read);
            match cluster {
                Some(cluster) => {
                    let decided = Decided { snapshot, daemon_set: set, plan: &plan };
                    any_failed |= self.by_server(cluster, decided, &next.batch, &mut reporter)?;
                }
                None => by_client(&plan, &next, &mut reporter)?,
            }
        }
        Ok(if any_failed { ExitCode::from(Ending::Failed.exit_code()) } else { ExitCode::SUCCESS })
    }

    /// Returns whether any call failed.
    fn by_server(
        &self,
        cluster: &Cluster,
        decided: Decided<'_>,
        batch: &Batch,
        reporter: &mut Reporter<'_, '_>,
    ) -> anyhow::Result<bool> {
        let options = WriteOptions { field_manager: self.args.write.field_manager.clone(), is_dry_run: true };
        let writes = Writes { cluster, options };
        let evicts = self.args.rollout.evict;
        let (written, printed) = cluster.block_on(run::carry_out(&writes, decided, (batch, evicts), reporter));
        printed.map(|()| written.any_failed)
    }
}

fn by_client(plan: &Plan, next: &Preview, reporter: &mut Reporter<'_, '_>) -> anyhow::Result<()> {
    let batch = &next.batch;
    reporter.set_wave(next.wave.as_ref());
    let generated = format!("{}-*", plan.daemon_set.name);
    for creation in &batch.create {
        let event = SyncEvent::of_creation(plan, EventType::Created, creation);
        reporter.event(SyncEvent { pod: Some(&generated), ..event })?;
    }
    for deletion in &batch.delete {
        reporter.event(SyncEvent::of_deletion(plan, EventType::Deleted, deletion))?;
    }
    Ok(())
}

fn write(cli: &Cli, args: &SyncArgs, cluster: &Cluster, source: &Source, io: &mut Io) -> anyhow::Result<ExitCode> {
    let sets = chosen(args, source)?;
    let settings = settings(args);
    let plans: Vec<Plan> = reconcile(&source.snapshot, sets.iter().copied()).collect();
    let nodes = &source.snapshot.nodes;
    let reads = || plans.iter().map(|plan| Read { plan, nodes });
    let warnings: Vec<Vec<String>> = reads().map(|read| check_set(args, read)).collect::<anyhow::Result<_>>()?;
    let at_once: Vec<Option<Stop>> = reads().map(|read| at_once(read, &settings)).collect();
    let meant: Vec<&Plan> =
        plans.iter().zip(&at_once).filter(|(_, stop)| stop.is_none()).map(|(plan, _)| plan).collect();
    let meant: Vec<Read<'_>> = meant.into_iter().map(|plan| Read { plan, nodes }).collect();
    let mut reporter = Reporter::new(cli, io, None);
    if !meant.is_empty() {
        reporter.place(&cluster.place())?;
        show(&meant, &settings, &mut reporter)?;
        let sets = sets.iter().zip(&at_once).filter(|(_, stop)| stop.is_none()).map(|(set, _)| *set);
        guard(args, sets, &mut reporter)?;
        warnings.iter().flatten().try_for_each(|warning| reporter.warning(warning))?;
        let plans: Vec<&Plan> = meant.iter().map(|read| read.plan).collect();
        if !args.write.yes && !reporter.confirm(&plans)? {
            return Ok(ExitCode::from(Ending::Refused.exit_code()));
        }
    }
    let run = Run::new(args, cluster);
    let mut interrupt = Interrupt::listen()?;
    let mut endings = Vec::new();
    for (plan, stop) in plans.iter().zip(at_once) {
        let stop = match stop {
            Some(stop) => {
                reporter.ended(plan, &stop, None)?;
                stop
            }
            None => cluster.block_on(run.to_the_end(plan, &settings, &mut interrupt, &mut reporter))?,
        };
        endings.push(stop.ending);
        if stop.ending == Ending::Interrupted {
            break;
        }
    }
    let gravest = Ending::ALL.iter().copied().find(|ending| endings.contains(ending)).unwrap_or(Ending::Done);
    Ok(ExitCode::from(gravest.exit_code()))
}

/// Shows what is about to be done.
fn show(reads: &[Read<'_>], settings: &Settings, reporter: &mut Reporter<'_, '_>) -> anyhow::Result<()> {
    for (i, read) in reads.iter().enumerate() {
        if i > 0 {
            reporter.blank()?;
        }
        reporter.plan(read.plan.clone())?;
        reporter.sentences(&intent(*read, settings))?;
    }
    Ok(())
}

/// Errors: somebody else manages a set, and that is not to be passed over.
fn guard<'a>(
    args: &SyncArgs,
    sets: impl IntoIterator<Item = &'a DaemonSet>,
    reporter: &mut Reporter<'_, '_>,
) -> anyhow::Result<()> {
    for set in sets {
        let Some(Owner { who, .. }) = owner(set) else { continue };
        let name = set.name();
        let warning =
            format!("daemonset.apps/{name} is managed by {who}, which may drive its pods, too, or change it meanwhile");
        if args.write.dry_run == DryRun::None && !args.write.force {
            return Err(UserError::refused(warning).hint("leave the rollout to it, or go on with --force").into());
        }
        reporter.warning(&warning)?;
    }
    Ok(())
}

/// Returns how a run would end before it does anything.
fn at_once(read: Read<'_>, settings: &Settings) -> Option<Stop> {
    match Drive::new(settings.clone(), read.plan).next(read, std::time::Duration::ZERO) {
        Next::Stop(stop) => Some(stop),
        _ => None,
    }
}
