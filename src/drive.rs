//! Drive: what `sync` does next, from the plan of a fresh read and the run so far. Pure: the caller reads, writes and waits.
//!
//! Who acts depends on who else would. Creations and deletions of `manage`, and the steps of a rolling update, are the
//! controller's: they are left to it for a while, then it is nudged, and only after a second wait `sync` does them itself,
//! until it sees a write that is not its own. Outdated pods of an OnDelete set are nobody else's.
//!
//! Times are durations since the run began, by a clock that never goes back.

mod batch;
mod disruption;
pub mod edit;
pub mod follow;
mod gate;
mod guard;
mod next;
pub mod owner;
mod preview;
mod rollout;
mod settings;
#[cfg(test)]
mod tests;
mod waves;
mod witness;

use std::collections::BTreeSet;
use std::time::Duration;

use crate::plan::numbers::duration;
use crate::plan::{Outcome, Plan, PodRevision, Reason, Resource, Verdict, When};

pub use batch::{Batch, Deletion, Key, Outdated, Written, outdated};
pub use disruption::never_allowed;
pub use guard::Shown;
pub use next::{Check, Ending, Next, Stop, Wait};
pub use preview::{Preview, preview};
pub use rollout::{Finished, PauseAfter, max_unavailable};
pub use settings::{Read, Settings};
pub use waves::{Canary, Cut, Wave, WaveName, check, waves};

use gate::Gate;
use rollout::{Progress, Step};
use witness::Witness;

/// Failed batches in a row after which the run ends.
const MAX_FAILED_BATCHES: u32 = 5;
/// The pause after the first failed batch; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The pause after a disruption budget has said no.
const HELD_PAUSE: Duration = Duration::from_secs(5);

/// Whose turn it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Turn {
    /// The controller's.
    #[default]
    Controller,
    /// The controller's, which has been nudged.
    Nudged,
    /// Ours, until somebody else writes.
    Ours,
}

/// A run for one set.
#[derive(Debug)]
pub struct Drive {
    settings: Settings,
    shown: Shown,
    has_written: bool,
    turn: Turn,
    /// Since when the controller owes what is due, or an observation.
    owed_since: Option<Duration>,
    /// Since when nothing can proceed.
    stalled_since: Option<Duration>,
    witness: Witness,
    gate: Gate,
    /// A batch with calls of which it is not known whether they were carried out.
    unknown: Option<(Batch, BTreeSet<Key>)>,
    /// Nodes on which a failed pod was deleted.
    failed_on: BTreeSet<String>,
    failed_batches: u32,
    not_before: Duration,
    /// What a disruption budget said to the last batch.
    held: Option<String>,
    /// Since when no eviction was allowed.
    held_since: Option<Duration>,
    progress: Progress,
    /// The gate has let the next batch pass.
    may_pass: bool,
    /// The wave of the last decision.
    wave: Option<WaveName>,
    /// With `once`: what was due at first, while it is.
    first_due: Option<Batch>,
    is_first_batch_out: bool,
}

impl Drive {
    /// Begins a run for a set whose plan was shown.
    pub fn new(settings: Settings, shown: &Plan) -> Self {
        Self {
            settings,
            shown: Shown::new(shown),
            has_written: false,
            turn: Turn::default(),
            owed_since: None,
            stalled_since: None,
            witness: Witness::default(),
            gate: Gate::default(),
            unknown: None,
            failed_on: BTreeSet::new(),
            failed_batches: 0,
            not_before: Duration::ZERO,
            held: None,
            held_since: None,
            progress: Progress::default(),
            may_pass: false,
            wave: None,
            first_due: None,
            is_first_batch_out: false,
        }
    }

    /// Decides what to do on a fresh plan.
    pub fn next(&mut self, read: Read<'_>, elapsed: Duration) -> Next {
        let plan = read.plan;
        let next = self.decide(read, elapsed);
        let is_over = self.settings.timeout.is_some_and(|timeout| elapsed >= timeout);
        match next {
            Next::Stop(_) => next,
            _ if is_over => stop(Ending::TimedOut, "the time is over (--timeout)"),
            Next::Write(ref batch) if !self.has_written => self.shown.refuse_writes(batch).map_or(next, refused),
            Next::Nudge if !self.has_written => self.shown.refuse_writes(&self.due(plan)).map_or(next, refused),
            Next::Wait(wait) => self.wait(plan, wait, elapsed),
            next => next,
        }
    }

    fn decide(&mut self, read: Read<'_>, elapsed: Duration) -> Next {
        let plan = read.plan;
        let may_pass = std::mem::take(&mut self.may_pass);
        self.wave = None;
        if let Some(why) = self.shown.refuse(plan) {
            return refused(why);
        }
        if let Some((batch, unknown)) = self.unknown.take() {
            let written = self.witness.find_out(plan, unknown);
            self.take_note(plan, &batch, &written, elapsed);
        }
        if self.witness.sees_others(plan) {
            self.turn = Turn::Controller;
            self.owed_since = None;
        }
        self.gate.settle(plan);
        if let Some(why) = self.gate.failure(plan, elapsed, self.settings.pod_timeout) {
            return stop(Ending::Blocked, why);
        }
        if let Some(missing) = plan.missing.first() {
            let what = if *missing == Resource::Nodes { "nodes" } else { "ControllerRevisions" };
            return stop(Ending::Failed, format!("the {what} are not known, so nothing may be written"));
        }
        match plan.outcome {
            Outcome::Failed => return stop(Ending::Blocked, plan.error.as_deref().unwrap_or("every sync fails")),
            Outcome::SkippedDeleting | Outcome::SkippedEmptySelector => {
                return refused(plan.outcome.message());
            }
            Outcome::Reconciled | Outcome::AwaitingObservation => {}
        }
        if self.failed_batches >= MAX_FAILED_BATCHES {
            return stop(Ending::Partial, format!("calls failed in {MAX_FAILED_BATCHES} batches in a row"));
        }
        if is_in_sync(plan) && self.gate.is_open() {
            return self.end(read);
        }
        if self.settings.once && self.is_first_batch_done(plan, elapsed) {
            return stop(Ending::WorkLeft, "the next batch is done");
        }
        if elapsed < self.not_before {
            let pause = Wait::Pause(self.not_before - elapsed);
            return Next::Wait(self.held.clone().map_or(pause, Wait::Disruption));
        }
        if plan.outcome == Outcome::AwaitingObservation || plan.revision.is_none() {
            return self.await_observation(elapsed);
        }
        let due = self.due(plan);
        if !due.is_empty() {
            return self.leave_to_controller(due, elapsed);
        }
        self.owed_since = None;
        if self.turn == Turn::Nudged {
            self.turn = Turn::Controller;
        }
        if !self.gate.is_open() {
            return Next::Wait(Wait::Pods(self.gate.nodes()));
        }
        if plan.rollout.when != When::OnDelete {
            return Next::Wait(Wait::Moving);
        }
        match self.progress.step(&self.settings, read) {
            Step::Batch(batch, wave) => {
                self.wave = Some(wave.clone());
                self.check(plan, batch, wave, may_pass)
            }
            Step::Wait(wait) => Next::Wait(wait),
            Step::Stop(stop) => Next::Stop(stop),
            Step::Through => Next::Wait(Wait::Moving),
        }
    }

    /// Ends a run for a set that is in sync: after its own last wave has soaked.
    fn end(&mut self, read: Read<'_>) -> Next {
        let is_ours = self.has_written && read.plan.rollout.when == When::OnDelete;
        if let Some(Step::Wait(wait @ Wait::Soak { .. })) = is_ours.then(|| self.progress.step(&self.settings, read)) {
            return Next::Wait(wait);
        }
        stop(Ending::Done, "every wanted node has an available pod of the current revision")
    }

    /// Lets a batch pass the gate, if it follows updated pods.
    fn check(&self, plan: &Plan, batch: Batch, wave: WaveName, may_pass: bool) -> Next {
        let any_new = || plan.pods().any(|pod| pod.is_live() && pod.revision == PodRevision::Current);
        if !self.settings.has_gate || may_pass || !any_new() {
            return Next::Write(batch);
        }
        let updated = plan.nodes.iter().filter(|node| gate::arrived(node).is_some());
        let updated = updated.map(|node| node.name.clone()).collect();
        let next = batch.delete.into_iter().map(|deletion| deletion.node).collect();
        Next::Check(Check { wave, updated, next })
    }

    /// Lets the next batch pass, if it comes at once: all is well.
    pub fn let_pass(&mut self) {
        self.may_pass = true;
    }

    /// Returns the wave to which the last batch belongs; `None` if it was not one of the rollout.
    pub fn wave(&self) -> Option<&WaveName> {
        self.wave.as_ref()
    }

    /// Returns the waves that became done since this was last asked.
    pub fn finished(&mut self) -> Vec<Finished> {
        std::mem::take(&mut self.progress.finished)
    }

    /// Returns what the controller should do now; once the only batch that was asked for is out, only what completes it.
    fn due(&self, plan: &Plan) -> Batch {
        let mut due = batch::due(plan);
        if self.settings.once && self.is_first_batch_out {
            due.delete.clear();
            due.create.retain(|creation| self.gate.waits_for(&creation.node));
        }
        due
    }

    /// Without a recorded revision the hash of new pods cannot be known: only the controller can go on.
    fn await_observation(&mut self, elapsed: Duration) -> Next {
        match self.owed(elapsed) {
            Ok(remaining) => Next::Wait(Wait::Observation { remaining }),
            Err(Turn::Controller) => self.nudge(),
            Err(_) => refused(
                "the controller has not recorded the newest template, and without that nothing may be written for it: \
                 is kube-controller-manager running?",
            ),
        }
    }

    fn leave_to_controller(&mut self, due: Batch, elapsed: Duration) -> Next {
        if self.settings.once && self.first_due.is_none() {
            self.first_due = Some(due.clone());
        }
        if self.turn != Turn::Ours {
            match self.owed(elapsed) {
                Ok(remaining) => {
                    let due = due.create.len() + due.delete.len();
                    return Next::Wait(Wait::Controller { due, remaining });
                }
                Err(Turn::Controller) => return self.nudge(),
                Err(_) => self.turn = Turn::Ours,
            }
        }
        self.act(due)
    }

    /// Returns how long the controller still has, or whose turn it was when its time ran out.
    fn owed(&mut self, elapsed: Duration) -> Result<Duration, Turn> {
        let since = *self.owed_since.get_or_insert(elapsed);
        let until = since + self.settings.controller_wait;
        until.checked_sub(elapsed).filter(|remaining| !remaining.is_zero()).ok_or(self.turn)
    }

    fn nudge(&mut self) -> Next {
        self.turn = Turn::Nudged;
        self.owed_since = None;
        Next::Nudge
    }

    /// Acts in the controller's place, but deletes a failed pod at most once on each node: what fails again is held back by
    /// the controller too, for longer and longer.
    fn act(&mut self, mut due: Batch) -> Next {
        let is_second = |deletion: &Deletion| {
            deletion.reason == Reason::FailedPod && self.failed_on.contains(deletion.node.as_str())
        };
        let failed_again: Vec<_> = due.delete.iter().filter(|deletion| is_second(deletion)).cloned().collect();
        due.delete.retain(|deletion| !failed_again.contains(deletion));
        match failed_again.first() {
            Some(failed) if due.is_empty() => stop(
                Ending::Blocked,
                format!("pod {} on node {} has failed, like the one before it", failed.pod, failed.node),
            ),
            _ => Next::Write(due),
        }
    }

    /// Waits, unless that has taken too long.
    fn wait(&mut self, plan: &Plan, wait: Wait, elapsed: Duration) -> Next {
        if !is_stalled(plan, &wait) {
            self.stalled_since = None;
            return Next::Wait(wait);
        }
        let since = *self.stalled_since.get_or_insert(elapsed);
        match (since + self.settings.stall_after).checked_sub(elapsed).filter(|remaining| !remaining.is_zero()) {
            Some(remaining) if wait == Wait::Moving => Next::Wait(Wait::Stalled(remaining)),
            Some(_) => Next::Wait(wait),
            None => {
                let why = format!("nothing has moved for {} (--stall-after)", duration(self.settings.stall_after));
                stop(Ending::Blocked, why)
            }
        }
    }

    /// Returns whether the one batch that was asked for is over: written and arrived, be it by the controller.
    fn is_first_batch_done(&mut self, plan: &Plan, elapsed: Duration) -> bool {
        if let Some(first) = self.first_due.take_if(|_| !self.is_first_batch_out) {
            let due: BTreeSet<Key> = batch::due(plan).keys().collect();
            if first.keys().any(|key| due.contains(&key)) {
                self.first_due = Some(first);
            } else {
                self.is_first_batch_out = true;
                self.gate.close_for(plan, &first, |_| true, elapsed);
                self.gate.settle(plan);
            }
        }
        self.is_first_batch_out && self.gate.is_open()
    }

    /// Takes note of a batch that was written; ends the run if the server refuses it for good.
    pub fn wrote(&mut self, plan: &Plan, batch: &Batch, written: &Written, elapsed: Duration) -> Option<Stop> {
        self.take_note(plan, batch, written, elapsed);
        let is_held = written.made.is_empty() && written.held.is_some();
        self.is_first_batch_out |= !written.any_failed && !is_held;
        self.held = written.held.clone();
        if self.held.is_some() {
            self.not_before = elapsed + written.retry_after.unwrap_or(HELD_PAUSE).max(HELD_PAUSE);
        }
        if !written.unknown.is_empty() {
            self.unknown = Some((batch.clone(), written.unknown.clone()));
        }
        self.failed_batches = if written.any_failed { self.failed_batches + 1 } else { 0 };
        if written.any_failed {
            let pause = FIRST_PAUSE * 2_u32.pow(self.failed_batches.min(MAX_FAILED_BATCHES) - 1);
            self.not_before = elapsed + written.retry_after.unwrap_or(pause).max(pause);
        }
        if let Some(why) = &written.never_allowed {
            return Some(Stop { ending: Ending::Blocked, why: why.clone() });
        }
        if let Some(why) = &written.refusal {
            return Some(self.failed(why.clone()));
        }
        let since = *self.held_since.get_or_insert(elapsed);
        self.held_since = self.held_since.filter(|_| is_held);
        let why = self.held.clone().filter(|_| is_held && elapsed - since >= self.settings.stall_after)?;
        let stall_after = duration(self.settings.stall_after);
        Some(Stop { ending: Ending::Blocked, why: format!("no eviction was allowed for {stall_after}: {why}") })
    }

    /// Ends the run because something failed for good: in part if anything was written, or may have been.
    pub fn failed(&self, why: String) -> Stop {
        let ending = if self.has_written || self.unknown.is_some() { Ending::Partial } else { Ending::Failed };
        Stop { ending, why }
    }

    /// Takes note of the writes of a batch that were made.
    fn take_note(&mut self, plan: &Plan, batch: &Batch, written: &Written, elapsed: Duration) {
        self.has_written |= !written.made.is_empty();
        self.witness.wrote(written);
        self.gate.close_for(plan, batch, |key| written.made.contains(&key), elapsed);
        let is_made = |deletion: &&Deletion| written.made.contains(&Key::delete(deletion));
        let failed = batch.delete.iter().filter(is_made).filter(|deletion| deletion.reason == Reason::FailedPod);
        self.failed_on.extend(failed.map(|deletion| deletion.node.clone()));
    }
}

/// Returns whether nothing moves by itself: nobody is expected to write, and no pod is on its way.
fn is_stalled(plan: &Plan, wait: &Wait) -> bool {
    match plan.verdict {
        Verdict::Blocked | Verdict::Degraded => matches!(wait, Wait::Moving | Wait::Pods(_) | Wait::Wave { .. }),
        Verdict::AwaitingDelete => matches!(wait, Wait::Moving | Wait::Wave { .. }),
        _ => false,
    }
}

/// Returns whether nothing is left to do.
pub fn is_in_sync(plan: &Plan) -> bool {
    matches!(plan.verdict, Verdict::InSync | Verdict::NothingToRun)
}

fn refused(why: impl Into<String>) -> Next {
    stop(Ending::Refused, why)
}

fn stop(ending: Ending, why: impl Into<String>) -> Next {
    Next::Stop(Stop { ending, why: why.into() })
}
