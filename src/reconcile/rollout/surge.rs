//! The step with surge: new pods are made beside the old ones, within maxSurge.

use crate::plan::{BudgetHolder, Reason};
use crate::reconcile::observe::DaemonPod;
use crate::reconcile::rollout::{NodeState, Pods, Step};

/// Decides the step.
///
/// Assumes that manage deletes an old pod once the new one beside it is available, and creates on empty nodes. Invariants: at
/// most `max_surge` nodes hold a new pod that is not yet available beside an available old one; an old pod that is not
/// available gets its successor at once; old pods on nodes that should not run one go only while more nodes are available
/// than are wanted.
///
/// Errors: an old pod on a node that does not exist, with no new one beside it; then nothing at all is done.
///
/// Upstream: pkg/controller/daemon `rollingUpdate`, branch `maxSurge > 0` (1.37).
pub fn step<'a>(
    states: &[NodeState<'_, 'a>],
    max_surge: i64,
    desired_number_scheduled: i64,
) -> Result<Step<'a>, (Vec<BudgetHolder>, String)> {
    let mut step = Step::default();
    let mut num_available = 0;
    let mut vanished = None;
    for state in states {
        let Pods::Told { new_pod, old_pod } = state.pods else {
            step.used_by.push(state.holder(Reason::AmbiguousPods, None));
            continue;
        };
        num_available += i64::from(old_pod.or(new_pod).is_some_and(|pod| pod.is_available));
        match (new_pod, old_pod) {
            (_, None) => {}
            (Some(new_pod), Some(_)) if !new_pod.is_available => {
                step.used_by.push(state.holder(Reason::NewPodNotAvailable, Some(&new_pod)));
            }
            (Some(_), Some(old_pod)) => {
                step.certain_deletions.push((state.node.name, old_pod, Reason::NewPodAvailable));
            }
            (None, Some(old_pod)) if state.node.node.is_some() => replace_old_pod(&mut step, state, old_pod),
            (None, Some(old_pod)) => {
                vanished = vanished.or_else(|| {
                    Some(format!("node {:?} of the old pod {:?} does not exist", state.node.name, old_pod.pod.name()))
                });
            }
        }
    }
    let num_surge = i64::try_from(step.used_by.len()).unwrap_or(i64::MAX);
    step.num_open_creations = usize::try_from(max_surge - num_surge).unwrap_or(0);
    step.num_open_deletions = usize::try_from(num_available - desired_number_scheduled).unwrap_or(0);
    match vanished {
        Some(error) => Err((step.used_by, error)),
        None => Ok(step),
    }
}

fn replace_old_pod<'a>(step: &mut Step<'a>, state: &NodeState<'_, 'a>, old_pod: DaemonPod<'a>) {
    let name = state.node.name;
    match (old_pod.is_available, state.node.should_run()) {
        (false, true) => step.certain_creations.push((name, Reason::OldPodUnavailable)),
        (false, false) => step.certain_deletions.push((name, old_pod, Reason::OldPodOnUnwantedNode)),
        (true, true) => step.open_creations.push((name, Reason::OldPodAvailable)),
        (true, false) => step.open_deletions.push((name, old_pod, Reason::OldPodOnUnwantedNode)),
    }
}
