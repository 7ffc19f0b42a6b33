//! The loop of `sync`: read, ask what to do, do it, until told to stop. What to do is decided in `drive`.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::api::{DaemonSet, Pod};
use crate::apply::{Source, WriteErrorKind, Writer, apply};
use crate::args::SyncArgs;
use crate::drive::{Batch, Drive, Ending, Next, Settings, Stop, Wait, Written};
use crate::error::UserError;
use crate::plan::Plan;
use crate::reconcile::reconcile;
use crate::snapshot::Snapshot;
use crate::source::live::{Cluster, Reviewed, WRITE_RIGHTS, WriteOptions, WriteRight, Writes, rules};
use crate::view::sync::{EventType, SyncEvent};

use super::report::Reporter;
use super::signals::Signals;

/// The shortest time between two reads, unless something was written.
const MIN_PAUSE: Duration = Duration::from_secs(1);
/// The longest one.
const MAX_PAUSE: Duration = Duration::from_secs(15);
/// So many times as long as a read takes is waited before the next one.
const PAUSE_FACTOR: u32 = 4;
/// How long a cluster that could be read may be out of reach.
const OUT_OF_REACH_FOR: Duration = Duration::from_secs(60);
/// How long, after Ctrl-C, the read of what is left may take.
const LAST_READ: Duration = Duration::from_secs(5);

/// A run over one cluster.
pub struct Run<'a> {
    cluster: &'a Cluster,
    writes: Writes<'a>,
    started: Instant,
}

/// The state from which a batch was decided.
#[derive(Clone, Copy)]
pub struct Decided<'a> {
    pub snapshot: &'a Snapshot,
    pub daemon_set: &'a DaemonSet,
    pub plan: &'a Plan,
}

/// A fresh state of one set.
struct Fresh {
    snapshot: Snapshot,
    /// `None` if it is gone.
    set: Option<(DaemonSet, Plan)>,
    /// How long the read took.
    took: Duration,
}

impl<'a> Run<'a> {
    pub fn new(args: &SyncArgs, cluster: &'a Cluster) -> anyhow::Result<Self> {
        let options = WriteOptions { field_manager: args.field_manager.clone(), is_dry_run: false };
        Ok(Self { cluster, writes: Writes { cluster, options }, started: Instant::now() })
    }

    /// Brings one set into sync, or as far as it goes.
    pub async fn to_the_end(
        &self,
        shown: &Plan,
        settings: &Settings,
        signals: &mut Signals,
        reporter: &mut Reporter<'_, '_>,
    ) -> anyhow::Result<Stop> {
        let mut drive = Drive::new(settings.clone(), shown);
        let mut reviewed = 0;
        let mut last: Option<Plan> = None;
        loop {
            let until = settings.timeout.map(|timeout| self.started + timeout);
            let Some(fresh) = signals.or_leave(self.read(shown, until, reporter)).await else {
                return self.interrupted(last.as_ref().unwrap_or(shown), signals, reporter).await;
            };
            let fresh = fresh?;
            let Some((daemon_set, plan)) = fresh.set else {
                let why = "the DaemonSet is gone".to_owned();
                return ended(shown, Stop { ending: Ending::Refused, why }, reporter);
            };
            let mut is_interrupted = false;
            match drive.next(&plan, self.started.elapsed()) {
                Next::Stop(stop) => return ended(&plan, stop, reporter),
                Next::Wait(wait) => {
                    reporter.waiting(&plan, &wait)?;
                    let pause = tokio::time::sleep(pause(&wait, fresh.took));
                    is_interrupted = signals.or_leave(pause).await.is_none();
                }
                Next::Nudge => {
                    self.review(&plan, &WRITE_RIGHTS, &mut reviewed, reporter).await?;
                    self.nudge(&plan, reporter).await?;
                }
                Next::Write(batch) => {
                    let needed = if batch.create.is_empty() { 1 } else { WRITE_RIGHTS.len() };
                    self.review(&plan, &WRITE_RIGHTS[..needed], &mut reviewed, reporter).await?;
                    let decided = Decided { snapshot: &fresh.snapshot, daemon_set: &daemon_set, plan: &plan };
                    let writing = carry_out(&self.writes, decided, &batch, reporter);
                    let (written, interrupted) = signals.finish(writing).await;
                    is_interrupted = interrupted;
                    if let Some(stop) = drive.wrote(&plan, &batch, &written?, self.started.elapsed()) {
                        return ended(&plan, stop, reporter);
                    }
                }
            }
            if is_interrupted {
                return self.interrupted(&plan, signals, reporter).await;
            }
            last = Some(plan);
        }
    }

    /// Reads the state of a set; tries again, for a while, where that fails.
    async fn read(
        &self,
        shown: &Plan,
        until: Option<Instant>,
        reporter: &mut Reporter<'_, '_>,
    ) -> anyhow::Result<Fresh> {
        let first = Instant::now();
        loop {
            let began = Instant::now();
            let error = match self.read_once(shown).await {
                Ok(mut fresh) => {
                    fresh.took = began.elapsed();
                    return Ok(fresh);
                }
                Err(error) => error,
            };
            let is_over = until.is_some_and(|until| Instant::now() >= until);
            if first.elapsed() >= OUT_OF_REACH_FOR || is_over {
                return Err(error);
            }
            reporter.cannot_read(&error)?;
            tokio::time::sleep(MIN_PAUSE * 2).await;
        }
    }

    async fn read_once(&self, shown: &Plan) -> anyhow::Result<Fresh> {
        let set = &shown.daemon_set;
        let live = self.cluster.read_of(&[&set.name]).await?;
        let is_it = |other: &&DaemonSet| other.name() == set.name && other.namespace() == set.namespace;
        let daemon_set = live.snapshot.daemon_sets.iter().find(is_it).cloned();
        let plan = daemon_set.as_ref().and_then(|daemon_set| reconcile(&live.snapshot, [daemon_set]).next());
        // Right after its start a server may say that what is allowed is forbidden.
        if plan.as_ref().is_some_and(|plan| plan.missing != shown.missing) {
            return Err(UserError::new("some lists cannot be read any longer").into());
        }
        Ok(Fresh { set: daemon_set.zip(plan), snapshot: live.snapshot, took: Duration::ZERO })
    }

    /// Ends the run at the wish of the user, and tells what is left now: since the last read, something may have been written.
    /// Who asks once more, or whose cluster does not answer, is told how it was then.
    async fn interrupted(
        &self,
        last: &Plan,
        signals: &mut Signals,
        reporter: &mut Reporter<'_, '_>,
    ) -> anyhow::Result<Stop> {
        let read = tokio::time::timeout(LAST_READ, self.read_once(last));
        let fresh = signals.or_leave(read).await.and_then(Result::ok).and_then(Result::ok);
        let now = fresh.and_then(|fresh| fresh.set).map(|(_, plan)| plan);
        let why = "interrupted; run the same command again to go on".to_owned();
        ended(now.as_ref().unwrap_or(last), Stop { ending: Ending::Interrupted, why }, reporter)
    }

    /// Makes sure, before the first write that needs them, that all of these rights are there.
    async fn review(
        &self,
        plan: &Plan,
        rights: &[WriteRight],
        reviewed: &mut usize,
        reporter: &mut Reporter<'_, '_>,
    ) -> anyhow::Result<()> {
        if *reviewed >= rights.len() {
            return Ok(());
        }
        let namespace = &plan.daemon_set.namespace;
        match self.writes.review(namespace, rights).await {
            Ok(Reviewed::Missing(missing)) if missing.is_empty() => {}
            Ok(Reviewed::Missing(missing)) => {
                let words: Vec<String> =
                    missing.iter().map(|right| format!("{} {}", right.verb, right.resource)).collect();
                let error = format!("you may not {} in namespace {namespace:?}, which sync needs", words.join(", "));
                return Err(UserError::new(error).hint(rules(&missing, namespace)).into());
            }
            Ok(Reviewed::Refused(why)) => reporter.warning(&format!("your rights were not checked: {why}"))?,
            Err(error) => reporter.warning(&format!("your rights were not checked: {}", error.message))?,
        }
        *reviewed = rights.len();
        Ok(())
    }

    async fn nudge(&self, plan: &Plan, reporter: &mut Reporter<'_, '_>) -> anyhow::Result<()> {
        let set = &plan.daemon_set;
        match self.writes.nudge(&set.namespace, &set.name, plan.evaluated_at).await {
            Ok(()) => reporter.event(SyncEvent::new(plan, EventType::Nudged)),
            Err(error) if error.kind == WriteErrorKind::NotFound => Ok(()),
            Err(error) => reporter.warning(&format!("annotate daemonset.apps/{}: {}", set.name, error.message)),
        }
    }
}

/// Carries out one batch and tells what becomes of each write.
pub async fn carry_out(
    writer: &impl Writer,
    decided: Decided<'_>,
    batch: &Batch,
    reporter: &mut Reporter<'_, '_>,
) -> anyhow::Result<Written> {
    let Decided { snapshot, daemon_set, plan } = decided;
    fn uid(pod: &Pod) -> &str {
        pod.metadata.uid.as_deref().unwrap_or_default()
    }
    let version = |pod: &Pod| pod.metadata.resource_version.clone().unwrap_or_default();
    let resource_versions: BTreeMap<&str, String> =
        snapshot.pods_in(daemon_set.namespace()).iter().map(|pod| (uid(pod), version(pod))).collect();
    let hash = plan.revision.as_ref().map_or("", |revision| revision.hash.as_str());
    let source = Source { daemon_set, hash, resource_versions: &resource_versions };
    let mut printed = Ok(());
    let written = apply(writer, source, batch, |report| {
        let result = reporter.report(plan, report);
        if printed.is_ok() {
            printed = result;
        }
    })
    .await;
    printed.map(|()| written)
}

fn pause(wait: &Wait, took: Duration) -> Duration {
    let pause = (took * PAUSE_FACTOR).clamp(MIN_PAUSE, MAX_PAUSE);
    match wait {
        Wait::Controller { remaining, .. } | Wait::Observation { remaining } => pause.min(*remaining),
        Wait::Pause(remaining) | Wait::Stalled(remaining) => pause.min(*remaining),
        Wait::Pods(_) | Wait::Moving => pause,
    }
}

fn ended(plan: &Plan, stop: Stop, reporter: &mut Reporter<'_, '_>) -> anyhow::Result<Stop> {
    reporter.ended(plan, &stop, true)?;
    Ok(stop)
}
