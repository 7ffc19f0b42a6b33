//! Verdict: the state of the set in a word. The first rule that fits decides.

use crate::plan::{Outcome, Plan, Resource, Verdict, When};
use crate::reconcile::describe::is_in_flight;
use crate::reconcile::observe::{DaemonPod, Observed};
use crate::reconcile::place::PlacedNode;
use crate::reconcile::rollout::{self, NodeState, Pods};

/// Judges a set by its finished Plan.
pub fn verdict(observed: &Observed<'_>, nodes: &[PlacedNode<'_>], plan: &Plan) -> Verdict {
    match plan.outcome {
        Outcome::SkippedEmptySelector | Outcome::SkippedDeleting => return Verdict::Skipped,
        Outcome::Failed => return Verdict::Blocked,
        _ if plan.missing.contains(&Resource::Nodes) => return Verdict::Unknown,
        Outcome::AwaitingObservation => return Verdict::Moving,
        Outcome::Reconciled => {}
    }
    if !nodes.iter().any(PlacedNode::is_in_rollout) && observed.without_target.is_empty() {
        return Verdict::NothingToRun;
    }
    let rollout = &plan.rollout;
    if !plan.manage.is_empty() || (rollout.when == When::Now && !rollout.is_empty()) {
        return Verdict::Work;
    }
    let old_pods_remain = old_pods_remain(nodes);
    let is_rolling = rollout.when == When::Now;
    if is_rolling && (rollout.error.is_some() || (old_pods_remain && !moves_once_settled(observed, nodes))) {
        return Verdict::Blocked;
    }
    let in_flight = |node: &PlacedNode<'_>| node.daemon_pods.iter().any(|pod| is_in_flight(pod, observed.snapshot.now));
    let any_in_flight = nodes.iter().any(|node| node.should_run() && in_flight(node));
    if rollout.when == When::OnDelete && old_pods_remain && !any_in_flight {
        return Verdict::AwaitingDelete;
    }
    // A rolling update with old pods left that is not blocked waits for a pod in flight, be it on a node that only keeps one.
    if any_in_flight || (is_rolling && old_pods_remain) {
        return Verdict::Moving;
    }
    if nodes.iter().any(|node| lacks_available_pod(node)) || plan.status.desired_number_scheduled == 0 {
        return Verdict::Degraded;
    }
    Verdict::InSync
}

fn lacks_available_pod(node: &PlacedNode<'_>) -> bool {
    node.should_run() && !node.daemon_pods.iter().any(|pod| pod.is_available && !pod.pod.is_deleting())
}

fn old_pods_remain(nodes: &[PlacedNode<'_>]) -> bool {
    nodes.iter().flat_map(|node| &node.daemon_pods).any(|pod| !pod.is_updated && !pod.pod.is_deleting())
}

/// Returns whether the step would take something if every pod in flight had already arrived.
fn moves_once_settled(observed: &Observed<'_>, nodes: &[PlacedNode<'_>]) -> bool {
    let desired_number_scheduled = rollout::desired_number_scheduled(nodes);
    let Ok(limits) = rollout::limits(&observed.daemon_set.spec.update_strategy, desired_number_scheduled) else {
        return false;
    };
    let in_rollout = nodes.iter().filter(|node| node.is_in_rollout());
    let settled: Vec<_> = in_rollout.filter_map(|node| settled(observed, NodeState::new(node))).collect();
    rollout::step(&settled, limits, desired_number_scheduled).is_ok_and(|step| !step.is_empty())
}

/// Returns the node as it will be once its pods in flight have arrived: a new pod is available; where all that is left
/// terminates, a new pod has taken the place, or, if none is wanted, the node has left the step.
fn settled<'n, 'a>(observed: &Observed<'_>, state: NodeState<'n, 'a>) -> Option<NodeState<'n, 'a>> {
    let in_flight = |pod: &DaemonPod<'a>| is_in_flight(pod, observed.snapshot.now);
    let arrive = |pod: DaemonPod<'a>| DaemonPod { is_available: pod.is_available || in_flight(&pod), ..pod };
    let pods = match state.pods {
        Pods::Ambiguous => Pods::Ambiguous,
        Pods::Told { new_pod: None, old_pod: None } => {
            let leaving = &state.node.daemon_pods;
            if !leaving.iter().all(in_flight) {
                return Some(state);
            }
            if !state.node.should_run() {
                return None;
            }
            let successor = leaving.first().map(|pod| DaemonPod { is_available: true, ..*pod });
            Pods::Told { new_pod: successor, old_pod: None }
        }
        Pods::Told { new_pod, old_pod } => Pods::Told { new_pod: new_pod.map(arrive), old_pod: old_pod.map(arrive) },
    };
    Some(NodeState { pods, ..state })
}
