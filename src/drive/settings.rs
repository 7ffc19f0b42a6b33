//! Settings: what the flags of a run say, and what a read gives it.

use std::time::Duration;

use crate::api::{IntOrString, Node};
use crate::plan::Plan;

use super::rollout::PauseAfter;
use super::waves::Cut;

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
    /// OnDelete: the waves.
    pub cut: Cut,
    /// OnDelete: the limit holds within each wave, too.
    pub is_per_group: bool,
    /// OnDelete: how long the canary and each group is watched once it is done.
    pub soak: Duration,
    /// OnDelete: after what the run ends until it is told to go on.
    pub pause_after: Option<PauseAfter>,
    /// OnDelete: waves that are done at the beginning do not pause again.
    pub goes_on: bool,
    /// OnDelete: before each batch that follows updated pods it is asked whether all is well.
    pub has_gate: bool,
    /// OnDelete: pods are evicted rather than deleted.
    pub evicts: bool,
}

/// What a read showed.
#[derive(Clone, Copy, Debug)]
pub struct Read<'a> {
    /// The plan of the set.
    pub plan: &'a Plan,
    /// The nodes, with their labels.
    pub nodes: &'a [Node],
}
