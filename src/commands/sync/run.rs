//! The loop of `sync`: read, ask what to do, do it, until told to stop. What to do is decided in `drive`.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::api::{DaemonSet, Pod};
use crate::apply::{Source, WriteErrorKind, Writer, apply};
use crate::args::SyncArgs;
use crate::drive::{Batch, Ending, Next, Read, Settings, Stop, Wait, Written};
use crate::error::{UserError, hints, is_closed_pipe};
use crate::plan::Plan;
use crate::reconcile::reconcile;
use crate::snapshot::Snapshot;
use crate::source::live::{Cluster, EVICT, WRITE_RIGHTS, WriteOptions, WriteRight, Writes};
use crate::view::sync::{EventType, SyncEvent};

use super::checks;
use super::course::Course;
use super::report::Reporter;
use crate::commands::interrupt::Interrupt;

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
    pub(super) cluster: &'a Cluster,
    pub(super) writes: Writes<'a>,
    /// What says before each batch that follows updated pods whether all is well.
    pub(super) gate: Option<&'a str>,
    pub(super) evicts: bool,
    /// All that writing can need: the first is all that the rollout of an OnDelete set needs while the controller does its part.
    pub(super) rights: Vec<WriteRight>,
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
    pub fn new(args: &'a SyncArgs, cluster: &'a Cluster) -> Self {
        let options = WriteOptions { field_manager: args.write.field_manager.clone(), is_dry_run: false };
        Self {
            cluster,
            writes: Writes { cluster, options },
            gate: args.rollout.gate.as_deref(),
            evicts: args.rollout.evict,
            rights: Some(EVICT).filter(|_| args.rollout.evict).into_iter().chain(WRITE_RIGHTS).collect(),
            started: Instant::now(),
        }
    }

    /// Brings one set into sync, or as far as it goes.
    ///
    /// Errors: something failed for good before anything was written.
    pub async fn to_the_end(
        &self,
        shown: &Plan,
        settings: &Settings,
        interrupt: &mut Interrupt,
        reporter: &mut Reporter<'_, '_>,
    ) -> anyhow::Result<Stop> {
        let mut course = Course::new(shown, settings, self.started);
        let result = self.follow(&mut course, interrupt, reporter).await;
        if course.is_last_written {
            // What is left is told as it is now; if that cannot be read, not at all.
            let fresh = tokio::time::timeout(LAST_READ, self.read_once(shown)).await.ok().and_then(Result::ok);
            course.note(fresh.and_then(|fresh| fresh.set).map(|(_, plan)| Rc::new(plan)));
        }
        let left = course.last.as_deref();
        match result {
            Ok(stop) => {
                reporter.ended(shown, &stop, left)?;
                Ok(stop)
            }
            Err(error) if is_closed_pipe(&error) => Ok(reporter.unheard(shown, left)),
            Err(error) => {
                let stop = course.drive.failed(format!("{error:#}"));
                if stop.ending == Ending::Failed {
                    return Err(error);
                }
                reporter.ended(shown, &stop, left)?;
                reporter.hints(hints(&error))?;
                Ok(stop)
            }
        }
    }

    async fn follow(
        &self,
        course: &mut Course<'_>,
        interrupt: &mut Interrupt,
        reporter: &mut Reporter<'_, '_>,
    ) -> anyhow::Result<Stop> {
        loop {
            let Some(fresh) = interrupt.or_leave(self.read(course, reporter)).await else { return Ok(interrupted()) };
            let fresh = match fresh {
                Ok(fresh) => fresh,
                Err(error) => {
                    course.forget();
                    return match error {
                        Some(error) if !course.is_over() => Err(error),
                        error => Ok(out_of_time(error.as_ref())),
                    };
                }
            };
            let Some((daemon_set, plan)) = fresh.set else {
                course.note(None);
                let why = "the DaemonSet was deleted since the plan was shown".to_owned();
                return Ok(Stop { ending: Ending::Refused, why });
            };
            let plan = Rc::new(plan);
            course.note(Some(Rc::clone(&plan)));
            let read = Read { plan: &plan, nodes: &fresh.snapshot.nodes };
            let next = course.drive.next(read, self.started.elapsed());
            reporter.finished(&plan, &course.drive.finished())?;
            let mut is_interrupted = false;
            match next {
                Next::Stop(stop) => return Ok(stop),
                Next::Wait(wait) => {
                    reporter.waiting(&plan, &wait)?;
                    let pause = tokio::time::sleep(pause(&wait, fresh.took));
                    is_interrupted = interrupt.or_leave(pause).await.is_none();
                }
                Next::Check(check) => match interrupt.or_leave(self.ask(&plan, &check, course, reporter)).await {
                    Some(stop) => {
                        if let Some(stop) = stop? {
                            return Ok(stop);
                        }
                    }
                    None => is_interrupted = true,
                },
                Next::Nudge => {
                    self.review(&plan, self.rights.len(), course, reporter).await?;
                    if let Some(why) = self.nudge(&plan, reporter).await? {
                        return Ok(course.drive.failed(why));
                    }
                }
                Next::Write(batch) => {
                    let num_needed =
                        if checks::is_one_right_enough(&batch, self.evicts) { 1 } else { self.rights.len() };
                    self.review(&plan, num_needed, course, reporter).await?;
                    let decided = Decided { snapshot: &fresh.snapshot, daemon_set: &daemon_set, plan: &plan };
                    if let Some(why) = self.never_evicted(decided, &batch, reporter).await? {
                        return Ok(Stop { ending: Ending::Blocked, why });
                    }
                    reporter.set_wave(course.drive.wave());
                    let writing = carry_out(&self.writes, decided, (&batch, self.evicts), reporter);
                    course.is_last_written = true;
                    let (written, printed) = writing.await;
                    is_interrupted = interrupt.is_asked();
                    let stop = course.drive.wrote(&plan, &batch, &written, self.started.elapsed());
                    printed?;
                    if let Some(stop) = stop {
                        return Ok(stop);
                    }
                }
            }
            if is_interrupted {
                return Ok(interrupted());
            }
        }
    }

    /// Reads the state of a set; tries again, for a while, where that fails.
    ///
    /// Errors: the last one; none if the time that all may take ran out before there was any.
    async fn read(&self, course: &Course<'_>, reporter: &mut Reporter<'_, '_>) -> Result<Fresh, Option<anyhow::Error>> {
        let first = Instant::now();
        let mut last = None;
        loop {
            let began = Instant::now();
            let Some(result) = course.in_time(self.read_once(course.shown)).await else { return Err(last) };
            let error = match result {
                Ok(mut fresh) => {
                    fresh.took = began.elapsed();
                    return Ok(fresh);
                }
                Err(error) => error,
            };
            if first.elapsed() >= OUT_OF_REACH_FOR {
                return Err(Some(error));
            }
            reporter.cannot_read(&error)?;
            last = Some(error);
            course.in_time(tokio::time::sleep(MIN_PAUSE * 2)).await;
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
            let words: Vec<&str> = live.notes.iter().map(|note| note.warning.as_str()).collect();
            return Err(UserError::new(words.join("; ")).into());
        }
        Ok(Fresh { set: daemon_set.zip(plan), snapshot: live.snapshot, took: Duration::ZERO })
    }

    /// Returns why the server refuses it for good, if it does; the run gets on without what only fails.
    async fn nudge(&self, plan: &Plan, reporter: &mut Reporter<'_, '_>) -> anyhow::Result<Option<String>> {
        let set = &plan.daemon_set;
        let Err(error) = self.writes.nudge(&set.namespace, &set.name, plan.evaluated_at).await else {
            reporter.event(SyncEvent::new(plan, EventType::Nudged))?;
            return Ok(None);
        };
        let what = format!("annotate daemonset.apps/{}: {}", set.name, error.message);
        if matches!(error.kind, WriteErrorKind::Refused | WriteErrorKind::NotFound) {
            return Ok(Some(what));
        }
        reporter.warning(&what)?;
        Ok(None)
    }
}

/// Carries out one batch and tells what becomes of each write; returns also whether that could be told.
pub async fn carry_out(
    writer: &impl Writer,
    decided: Decided<'_>,
    (batch, evicts): (&Batch, bool),
    reporter: &mut Reporter<'_, '_>,
) -> (Written, anyhow::Result<()>) {
    let Decided { snapshot, daemon_set, plan } = decided;
    fn uid(pod: &Pod) -> &str {
        pod.metadata.uid.as_deref().unwrap_or_default()
    }
    let version = |pod: &Pod| pod.metadata.resource_version.clone().unwrap_or_default();
    let resource_versions: BTreeMap<&str, String> =
        snapshot.pods_in(daemon_set.namespace()).iter().map(|pod| (uid(pod), version(pod))).collect();
    let hash = plan.revision.as_ref().map_or("", |revision| revision.hash.as_str());
    let source = Source { daemon_set, hash, resource_versions: &resource_versions, evicts };
    let mut printed = Ok(());
    let written = apply(writer, source, batch, |report| {
        let result = reporter.report(plan, report);
        if printed.is_ok() {
            printed = result;
        }
    })
    .await;
    (written, printed)
}

fn pause(wait: &Wait, took: Duration) -> Duration {
    let pause = (took * PAUSE_FACTOR).clamp(MIN_PAUSE, MAX_PAUSE);
    match wait {
        Wait::Controller { remaining, .. } | Wait::Observation { remaining } => pause.min(*remaining),
        Wait::Pause(remaining) | Wait::Stalled(remaining) => pause.min(*remaining),
        Wait::Soak { remaining, .. } => pause.min(*remaining),
        Wait::Pods(_) | Wait::Moving | Wait::Wave { .. } | Wait::Disruption(_) | Wait::Gate => pause,
    }
}

fn interrupted() -> Stop {
    Stop { ending: Ending::Interrupted, why: "interrupted; run the same command again to go on".to_owned() }
}

pub(super) fn out_of_time(error: Option<&anyhow::Error>) -> Stop {
    let mut why = "the time is over (--timeout)".to_owned();
    if let Some(error) = error {
        why.push_str(&format!(", and the cluster cannot be read: {error:#}"));
    }
    Stop { ending: Ending::TimedOut, why }
}
