//! The step without surge: old pods are deleted, within maxUnavailable.

use crate::plan::Reason;
use crate::reconcile::rollout::{NodeState, Pods, Step};

/// Decides the step.
///
/// Assumes that manage removes failed pods and prunes nodes with several, and that it creates the new pod once a node is
/// empty. Invariants: an old pod that is not available goes whatever the budget, since it serves nobody; an available one
/// goes only while fewer than `max_unavailable` nodes are unavailable, for whatever cause.
///
/// Upstream: pkg/controller/daemon `rollingUpdate`, branch `maxSurge == 0` (1.37).
pub fn step<'a>(states: &[NodeState<'_, 'a>], max_unavailable: i64) -> Step<'a> {
    let mut step = Step::default();
    for state in states {
        let name = state.node.name;
        match state.pods {
            Pods::Ambiguous => step.used_by.push(state.holder(Reason::AmbiguousPods, None)),
            Pods::Told { new_pod: None, old_pod: None } => step.used_by.push(empty_holder(state)),
            Pods::Told { new_pod: Some(new_pod), old_pod: Some(_) } => {
                step.used_by.push(state.holder(Reason::NewAndOldPod, Some(&new_pod)));
            }
            Pods::Told { new_pod: Some(new_pod), old_pod: None } if !new_pod.is_available => {
                step.used_by.push(state.holder(Reason::NewPodNotAvailable, Some(&new_pod)));
            }
            Pods::Told { new_pod: Some(_), old_pod: None } => {}
            Pods::Told { new_pod: None, old_pod: Some(old_pod) } if !old_pod.is_available => {
                step.used_by.push(state.holder(Reason::OldPodUnavailable, Some(&old_pod)));
                step.certain_deletions.push((name, old_pod, Reason::OldPodUnavailable));
            }
            Pods::Told { new_pod: None, old_pod: Some(old_pod) } => {
                step.open_deletions.push((name, old_pod, Reason::OldPodAvailable));
            }
        }
    }
    let num_unavailable = i64::try_from(step.used_by.len()).unwrap_or(i64::MAX);
    step.num_open_deletions = usize::try_from(max_unavailable - num_unavailable).unwrap_or(0);
    step
}

fn empty_holder(state: &NodeState<'_, '_>) -> crate::plan::BudgetHolder {
    let reason = if state.node.daemon_pods.is_empty() { Reason::NoPod } else { Reason::OnlyTerminatingPods };
    state.holder(reason, None)
}
