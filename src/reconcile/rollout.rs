//! Rollout: the rolling-update step, without and with surge.
//!
//! Mirrors `rollingUpdate`, `findUpdatedPodsOnNode` and `updatedDesiredNodeCounts` of `pkg/controller/daemon/update.go`.

mod step;
mod surge;
mod unavailable;

use crate::api::{DaemonSetUpdateStrategy, IntOrString};
use crate::plan::{Budget, BudgetHolder, Manage, Rollout, UpdateStrategy, When};
use crate::reconcile::observe::{DaemonPod, Observed};
use crate::reconcile::place::PlacedNode;
use crate::upstream::intstr::scaled_value;

pub use step::Step;

/// The strategy under which the controller replaces old pods itself.
pub const ROLLING_UPDATE: &str = "RollingUpdate";
/// The strategy under which somebody has to delete old pods.
pub const ON_DELETE: &str = "OnDelete";

/// What the step may do. Units: nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Nodes whose pod may be unavailable.
    pub max_unavailable: i64,
    /// Nodes that may have a new pod beside the old one.
    pub max_surge: i64,
}

/// Returns whether nodes may hold a new pod beside the old one: maxSurge, taken of one node, is above 0.
///
/// Upstream: pkg/controller/daemon/util `AllowsSurge` (1.37).
pub fn allows_surge(strategy: &DaemonSetUpdateStrategy) -> bool {
    max_surge(strategy, 1).is_ok_and(|max_surge| max_surge > 0)
}

/// Upstream: pkg/controller/daemon/util `SurgeCount` (1.37).
fn max_surge(strategy: &DaemonSetUpdateStrategy, desired_number_scheduled: i64) -> Result<i64, String> {
    match parameters(strategy).and_then(|parameters| parameters.max_surge.as_ref()) {
        None => Ok(0),
        value => scaled_value(value, desired_number_scheduled).map_err(|error| format!("maxSurge: {error}")),
    }
}

/// Upstream: pkg/controller/daemon/util `UnavailableCount` (1.37).
fn max_unavailable(strategy: &DaemonSetUpdateStrategy, desired_number_scheduled: i64) -> Result<i64, String> {
    let Some(parameters) = parameters(strategy) else { return Ok(0) };
    scaled_value(parameters.max_unavailable.as_ref(), desired_number_scheduled)
        .map_err(|error| format!("maxUnavailable: {error}"))
}

fn parameters(strategy: &DaemonSetUpdateStrategy) -> Option<&crate::api::RollingUpdateDaemonSet> {
    strategy.rolling_update.as_ref().filter(|_| strategy.type_ == ROLLING_UPDATE)
}

/// Returns the limits of the step for this many wanted nodes: at least one of them is above 0 if any node is wanted.
///
/// OnDelete has none of its own: the step is shown as with maxUnavailable 1.
///
/// Upstream: pkg/controller/daemon `updatedDesiredNodeCounts` (1.37).
pub fn limits(strategy: &DaemonSetUpdateStrategy, desired_number_scheduled: i64) -> Result<Limits, String> {
    let (max_unavailable, max_surge) = if strategy.type_ == ON_DELETE {
        (0, 0)
    } else {
        (max_unavailable(strategy, desired_number_scheduled)?, max_surge(strategy, desired_number_scheduled)?)
    };
    let both_zero = desired_number_scheduled > 0 && max_unavailable == 0 && max_surge == 0;
    Ok(Limits { max_unavailable: if both_zero { 1 } else { max_unavailable }, max_surge })
}

/// Returns the strategy as written and as resolved.
pub fn update_strategy(observed: &Observed<'_>, desired_number_scheduled: i64) -> UpdateStrategy {
    let strategy = &observed.daemon_set.spec.update_strategy;
    let written = strategy.rolling_update.as_ref();
    let limits = Some(strategy).filter(|strategy| strategy.type_ == ROLLING_UPDATE);
    let limits = limits.and_then(|strategy| limits_or_none(strategy, desired_number_scheduled));
    let value = |value: Option<&IntOrString>| value.cloned();
    UpdateStrategy {
        type_: strategy.type_.clone(),
        max_unavailable: value(written.and_then(|written| written.max_unavailable.as_ref())),
        max_surge: value(written.and_then(|written| written.max_surge.as_ref())),
        resolved_max_unavailable: limits.map(|limits| limits.max_unavailable),
        resolved_max_surge: limits.map(|limits| limits.max_surge),
    }
}

fn limits_or_none(strategy: &DaemonSetUpdateStrategy, desired_number_scheduled: i64) -> Option<Limits> {
    limits(strategy, desired_number_scheduled).ok()
}

/// Decides the step on this state, and whether this sync takes it.
///
/// Upstream: pkg/controller/daemon `rollingUpdate` (1.37).
pub fn rolling_update(observed: &Observed<'_>, nodes: &[PlacedNode<'_>], manage: &Manage) -> Rollout {
    let strategy = &observed.daemon_set.spec.update_strategy;
    let desired_number_scheduled = desired_number_scheduled(nodes);
    let when = when(strategy, manage);
    let limits = match limits(strategy, desired_number_scheduled) {
        Ok(limits) if when != When::Never => limits,
        Ok(_) => return without_decisions(when, Budget::default(), None),
        Err(error) => return without_decisions(when, Budget::default(), Some(error)),
    };
    let states: Vec<_> = nodes.iter().filter(|node| node.is_in_rollout()).map(NodeState::new).collect();
    match step(&states, limits, desired_number_scheduled) {
        Ok(step) => step.into_rollout(observed, when, limits),
        Err((holders, error)) => without_decisions(when, budget(limits, holders), Some(error)),
    }
}

/// Decides one step; an error comes with the nodes that hold the budget all the same.
pub fn step<'a>(
    states: &[NodeState<'_, 'a>],
    limits: Limits,
    desired_number_scheduled: i64,
) -> Result<Step<'a>, (Vec<BudgetHolder>, String)> {
    if limits.max_surge == 0 {
        Ok(unavailable::step(states, limits.max_unavailable))
    } else {
        surge::step(states, limits.max_surge, desired_number_scheduled)
    }
}

/// Returns the rollout of a sync that ends before it decides anything.
pub fn no_step(observed: &Observed<'_>, desired_number_scheduled: i64) -> Rollout {
    let strategy = &observed.daemon_set.spec.update_strategy;
    let when = when(strategy, &Manage::default());
    let limits = limits_or_none(strategy, desired_number_scheduled).filter(|_| when != When::Never);
    without_decisions(when, limits.map(|limits| budget(limits, Vec::new())).unwrap_or_default(), None)
}

fn when(strategy: &DaemonSetUpdateStrategy, manage: &Manage) -> When {
    match strategy.type_.as_str() {
        ON_DELETE => When::OnDelete,
        ROLLING_UPDATE if manage.is_empty() => When::Now,
        ROLLING_UPDATE => When::AfterManage,
        _ => When::Never,
    }
}

/// Returns how many nodes should run a pod.
pub fn desired_number_scheduled(nodes: &[PlacedNode<'_>]) -> i64 {
    i64::try_from(nodes.iter().filter(|node| node.should_run()).count()).unwrap_or(i64::MAX)
}

fn without_decisions(when: When, budget: Budget, error: Option<String>) -> Rollout {
    Rollout { when, budget, delete: Vec::new(), create: Vec::new(), choose: Vec::new(), error }
}

fn budget(limits: Limits, used_by: Vec<BudgetHolder>) -> Budget {
    let max = if limits.max_surge > 0 { limits.max_surge } else { limits.max_unavailable };
    let used = i64::try_from(used_by.len()).unwrap_or(i64::MAX);
    Budget { max, used, free: (max - used).max(0), used_by }
}

/// The new and the old pod of a node, as the step sees them.
#[derive(Clone, Copy, Debug)]
pub enum Pods<'a> {
    /// More than one of a kind.
    Ambiguous,
    /// At most one of each; deleting pods do not count.
    Told {
        /// The pod of the current revision.
        new_pod: Option<DaemonPod<'a>>,
        /// The other one.
        old_pod: Option<DaemonPod<'a>>,
    },
}

/// A node of the step's map.
#[derive(Clone, Copy)]
pub struct NodeState<'n, 'a> {
    /// The node.
    pub node: &'n PlacedNode<'a>,
    /// Its pods.
    pub pods: Pods<'a>,
}

impl<'n, 'a> NodeState<'n, 'a> {
    /// Looks at a node's pods.
    pub fn new(node: &'n PlacedNode<'a>) -> Self {
        Self { node, pods: find_updated_pods_on_node(&node.daemon_pods) }
    }

    /// Returns the node as a holder of the budget.
    pub fn holder(&self, reason: crate::plan::Reason, pod: Option<&DaemonPod<'_>>) -> BudgetHolder {
        let pod = pod.or(self.node.daemon_pods.first());
        BudgetHolder { node: self.node.name.to_owned(), pod: pod.map(|pod| pod.pod.name().to_owned()), reason }
    }
}

/// Tells the new from the old pod of a node.
///
/// Upstream: pkg/controller/daemon `findUpdatedPodsOnNode` (1.37).
pub fn find_updated_pods_on_node<'a>(daemon_pods: &[DaemonPod<'a>]) -> Pods<'a> {
    let of = |is_updated: bool| {
        let mut pods = daemon_pods.iter().filter(move |pod| !pod.pod.is_deleting() && pod.is_updated == is_updated);
        (pods.next().copied(), pods.next().is_some())
    };
    match (of(true), of(false)) {
        ((new_pod, false), (old_pod, false)) => Pods::Told { new_pod, old_pod },
        _ => Pods::Ambiguous,
    }
}
