//! Rollout: which pods of an OnDelete set go next, wave by wave, and when a wave soaks or pauses.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::api::IntOrString;
use crate::plan::Plan;
use crate::upstream::intstr::scaled_value;

use super::batch::{Batch, Limits, on_delete};
use super::waves::{Wave, WaveName, waves};
use super::{Ending, Read, Settings, Stop, Wait};

/// After which waves a run ends until it is told to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PauseAfter {
    /// After the canary.
    Canary,
    /// After the canary and each group.
    Group,
}

/// What a rollout does next.
#[derive(Debug)]
pub(super) enum Step {
    /// Delete these, of this wave.
    Batch(Batch, WaveName),
    Wait(Wait),
    Stop(Stop),
    /// All waves are done.
    Through,
}

/// A wave that is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Which.
    pub wave: WaveName,
    /// How many nodes have an available new pod for it.
    pub num_nodes: usize,
}

/// What a run remembers of its waves. All of it can be done without: a run that takes over reads where things stand, and
/// soaks once more at worst.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// Waves that are done and have soaked. Pods that come and go there later count against the budget, and no more.
    passed: BTreeSet<WaveName>,
    /// Waves that were seen before they were done.
    seen_open: BTreeSet<WaveName>,
    soaking: Option<WaveName>,
    /// Waves that became done since this was last asked.
    pub(super) finished: Vec<Finished>,
}

impl Progress {
    /// Decides what comes next, on a state in which the controller has nothing to do and no pod is waited for.
    pub(super) fn step(&mut self, settings: &Settings, read: Read<'_>) -> Step {
        let waves = waves(&settings.cut, read.plan, read.nodes);
        for (i, wave) in waves.iter().enumerate() {
            let Some(since) = wave.done_since() else {
                if self.passed.contains(&wave.name) && wave.outdated().is_empty() {
                    continue;
                }
                return self.open(settings, read.plan, wave);
            };
            if self.passed.contains(&wave.name) {
                continue;
            }
            if let Some((until, remaining)) = soak(settings, read.plan, wave, since) {
                self.soaking = Some(wave.name.clone());
                return Step::Wait(Wait::Soak { wave: wave.name.clone(), until, remaining });
            }
            self.pass(wave);
            let is_left = || waves[i + 1..].iter().any(|later| !later.outdated().is_empty());
            if self.pauses(settings, &wave.name) && is_left() {
                let why = format!("{} is done, and the rollout pauses after it (--pause-after)", wave.name);
                return Step::Stop(Stop { ending: Ending::Paused, why });
            }
        }
        Step::Through
    }

    fn pass(&mut self, wave: &Wave<'_>) {
        self.passed.insert(wave.name.clone());
        self.soaking = None;
        if self.seen_open.contains(&wave.name) && wave.name.group().is_some() {
            self.finished.push(Finished { wave: wave.name.clone(), num_nodes: wave.count().1 });
        }
    }

    /// Waves that were done before a run began do not hold it up once it is told to go on.
    fn pauses(&self, settings: &Settings, wave: &WaveName) -> bool {
        let is_meant = match (settings.pause_after, wave) {
            (None, _) | (_, WaveName::Rest) => false,
            (Some(PauseAfter::Canary), wave) => *wave == WaveName::Canary,
            (Some(PauseAfter::Group), _) => true,
        };
        is_meant && (!settings.goes_on || self.seen_open.contains(wave))
    }

    /// Goes on with a wave that is not done.
    fn open(&mut self, settings: &Settings, plan: &Plan, wave: &Wave<'_>) -> Step {
        self.seen_open.insert(wave.name.clone());
        let outdated = wave.outdated();
        if outdated.is_empty() {
            let soaked = self.soaking.as_ref() == Some(&wave.name);
            return match wave.failing().filter(|_| soaked) {
                Some(pod) => {
                    let node = pod.node.as_deref().unwrap_or("<none>");
                    let why = format!("pod {} on node {node} fails while {} soaks", pod.pod, wave.name);
                    Step::Stop(Stop { ending: Ending::Blocked, why: format!("{why}: {}", pod.details.state) })
                }
                None => Step::Wait(Wait::Wave { wave: wave.name.clone(), nodes: wave.lacking() }),
            };
        }
        let within = settings.is_per_group.then(|| {
            let wanted = wave.nodes.iter().filter(|node| node.should_run).count();
            (&wave.nodes[..], limit(&settings.max_unavailable, i64::try_from(wanted).unwrap_or(i64::MAX)))
        });
        let batch = on_delete(plan, Limits { all: max_unavailable(settings, plan), within }, &outdated);
        if batch.is_empty() {
            return Step::Wait(Wait::Moving);
        }
        self.soaking = None;
        Step::Batch(batch, wave.name.clone())
    }
}

/// Returns until when a wave that is done has yet to soak, and how long that is, by the server's clock. What is not cut up
/// does not soak.
fn soak(settings: &Settings, plan: &Plan, wave: &Wave<'_>, since: Timestamp) -> Option<(Timestamp, Duration)> {
    let soak = SignedDuration::try_from(settings.soak).unwrap_or(SignedDuration::MAX);
    let until = since.saturating_add(soak).unwrap_or(Timestamp::MAX);
    let left = Duration::try_from(until.duration_since(plan.evaluated_at)).ok()?;
    (!left.is_zero() && wave.name != WaveName::Rest).then_some((until, left))
}

/// Returns the limit of an OnDelete rollout. Units: nodes; at least 1.
pub fn max_unavailable(settings: &Settings, plan: &Plan) -> i64 {
    limit(&settings.max_unavailable, plan.status.desired_number_scheduled)
}

fn limit(max_unavailable: &IntOrString, of: i64) -> i64 {
    scaled_value(Some(max_unavailable), of).unwrap_or(1).max(1)
}
