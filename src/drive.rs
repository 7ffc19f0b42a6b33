//! Drive: what `sync` does next, from the plan of a fresh read and the run so far. Pure: the caller reads, writes and waits.
//!
//! Who acts depends on who else would. Creations and deletions of `manage`, and the steps of a rolling update, are the
//! controller's: they are left to it for a while, then it is nudged, and only after a second wait `sync` does them itself,
//! until it sees a write that is not its own. Outdated pods of an OnDelete set are nobody else's.
//!
//! Times are durations since the run began, by a clock that never goes back.

mod batch;
pub mod edit;
pub mod follow;
mod gate;
mod guard;
pub mod owner;
#[cfg(test)]
mod tests;
mod witness;

use std::collections::BTreeSet;
use std::time::Duration;

use crate::api::IntOrString;
use crate::plan::numbers::duration;
use crate::plan::{Outcome, Plan, Reason, Resource, Verdict, When, codes, serialize_as_code};
use crate::upstream::intstr::scaled_value;

pub use batch::{Batch, Deletion, Key, Outdated, outdated};
pub use guard::Shown;

use gate::Gate;
use witness::Witness;

/// Failed batches in a row after which the run ends.
const MAX_FAILED_BATCHES: u32 = 5;
/// The pause after the first failed batch; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// What the flags say.
#[derive(Clone, Debug)]
pub struct Settings {
    /// OnDelete: nodes that may be unavailable, as a number or a percentage of the wanted ones.
    pub max_unavailable: IntOrString,
    /// How long the controller is given before it is nudged, and again before `sync` acts itself.
    pub controller_wait: Duration,
    /// How long a pod of a batch may take to become available.
    pub pod_timeout: Duration,
    /// How long a set may be unable to go on before the run ends.
    pub stall_after: Duration,
    /// How long the run may take.
    pub timeout: Option<Duration>,
    /// Only the next batch.
    pub once: bool,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Write these, then read again.
    Write(Batch),
    /// Make the controller look at the set, then read again.
    Nudge,
    /// Read again a little later.
    Wait(Wait),
    /// End.
    Stop(Stop),
}

/// What is waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    /// The controller has so many writes to do, and has this long to begin.
    Controller {
        /// Writes that are due.
        due: usize,
        /// Until it is nudged, or until `sync` acts itself.
        remaining: Duration,
    },
    /// The controller has not yet looked at the newest spec.
    Observation {
        /// Until it is nudged, or until the run ends.
        remaining: Duration,
    },
    /// New pods on these nodes must become available.
    Pods(Vec<String>),
    /// Pods are on their way.
    Moving,
    /// Nothing moves by itself; the run ends after this long.
    Stalled(Duration),
    /// A pause after calls that failed.
    Pause(Duration),
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Decides the exit code.
    pub ending: Ending,
    /// Why, in a sentence without a full stop.
    pub why: String,
}

codes! {
    /// Kinds of ending, the one that counts most among several sets first.
    pub enum Ending {
        Interrupted => "Ctrl-C, or a signal that asks to end",
        Failed => "nothing could be done: it cannot be judged, or the first write was refused",
        Partial => "applied in part: calls failed",
        Refused => "the cluster is no longer what the plan was made from, or a guard said no",
        TimedOut => "out of time (--timeout)",
        Blocked => "work is left and cannot proceed: a pod of a batch fails, or nothing has moved for too long",
        WorkLeft => "the next batch is done, as asked (--once), and work is left",
        Done => "nothing is left to do",
    }
}

serialize_as_code!(Ending);

impl Ending {
    /// Returns the exit code of the contract.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::WorkLeft => 10,
            Self::Blocked => 11,
            Self::TimedOut => 12,
            Self::Refused => 13,
            Self::Partial => 14,
            Self::Interrupted => 130,
        }
    }
}

/// What a batch came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The writes that were made.
    pub made: BTreeSet<Key>,
    /// The writes of which it is not known: the next read tells.
    pub unknown: BTreeSet<Key>,
    /// Uids of the pods that were made, as far as they are known.
    pub created: BTreeSet<String>,
    /// Any call failed, other than on a pod that was gone or changed; or nothing was made for that reason.
    pub any_failed: bool,
    /// A call was refused in a way that trying again does not mend.
    pub refusal: Option<String>,
    /// What the server asks to wait.
    pub retry_after: Option<Duration>,
}

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
            first_due: None,
            is_first_batch_out: false,
        }
    }

    /// Decides what to do on a fresh plan.
    pub fn next(&mut self, plan: &Plan, elapsed: Duration) -> Next {
        let next = self.decide(plan, elapsed);
        let is_over = self.settings.timeout.is_some_and(|timeout| elapsed >= timeout);
        match next {
            Next::Stop(_) => next,
            _ if is_over => stop(Ending::TimedOut, "the time is over (--timeout)"),
            Next::Write(_) | Next::Nudge if !self.has_written => {
                let due = self.due(plan);
                let batch = if let Next::Write(batch) = &next { batch } else { &due };
                self.shown.refuse_writes(batch).map_or(next, refused)
            }
            Next::Wait(wait) => self.wait(plan, wait, elapsed),
            next => next,
        }
    }

    fn decide(&mut self, plan: &Plan, elapsed: Duration) -> Next {
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
            return stop(Ending::Done, "every wanted node has an available pod of the current revision");
        }
        if self.settings.once && self.is_first_batch_done(plan, elapsed) {
            return stop(Ending::WorkLeft, "the next batch is done");
        }
        if elapsed < self.not_before {
            return Next::Wait(Wait::Pause(self.not_before - elapsed));
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
        let batch = batch::on_delete(plan, max_unavailable(&self.settings, plan), &batch::outdated(plan));
        if batch.is_empty() { Next::Wait(Wait::Moving) } else { Next::Write(batch) }
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
        self.is_first_batch_out |= !written.any_failed;
        if !written.unknown.is_empty() {
            self.unknown = Some((batch.clone(), written.unknown.clone()));
        }
        self.failed_batches = if written.any_failed { self.failed_batches + 1 } else { 0 };
        if written.any_failed {
            let pause = FIRST_PAUSE * 2_u32.pow(self.failed_batches.min(MAX_FAILED_BATCHES) - 1);
            self.not_before = elapsed + written.retry_after.unwrap_or(pause).max(pause);
        }
        written.refusal.clone().map(|why| self.failed(why))
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
        Verdict::Blocked | Verdict::Degraded => matches!(wait, Wait::Moving | Wait::Pods(_)),
        Verdict::AwaitingDelete => *wait == Wait::Moving,
        _ => false,
    }
}

/// Returns the limit of an OnDelete rollout. Units: nodes; at least 1.
pub fn max_unavailable(settings: &Settings, plan: &Plan) -> i64 {
    scaled_value(Some(&settings.max_unavailable), plan.status.desired_number_scheduled).unwrap_or(1).max(1)
}

/// Returns what would be written next if nobody else acted: what the controller should do, or the next batch of an OnDelete
/// rollout.
pub fn next_batch(settings: &Settings, plan: &Plan) -> Batch {
    let is_known = plan.revision.is_some() && plan.outcome == Outcome::Reconciled;
    let due = if is_known { batch::due(plan) } else { Batch::default() };
    if due.is_empty() && is_known && plan.rollout.when == When::OnDelete {
        return batch::on_delete(plan, max_unavailable(settings, plan), &batch::outdated(plan));
    }
    due
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
