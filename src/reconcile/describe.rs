//! Describe: turns what was observed and decided into the words of the Plan.

mod state;

use std::borrow::Cow;

use crate::plan::{NodeCondition, NodePlan, NodeVerdict, PodDetails, PodPlan, PodReason, PodRevision, Reason};
use crate::reconcile::checks;
use crate::reconcile::observe::{DaemonPod, Observed};
use crate::reconcile::place::{PlacedNode, Placement, Placer};
use crate::reconcile::rollout::{Pods, allows_surge, find_updated_pods_on_node};
use crate::upstream::pods;

pub use state::is_in_flight;

/// Returns the pods that are adopted, sorted by node, then name.
pub fn adopted(observed: &Observed<'_>) -> Vec<PodPlan> {
    let adopted = observed.pods.adopted.iter().map(|pod| observed.daemon_pod(pod, true));
    sorted(adopted.map(|daemon_pod| pod_plan(observed, &daemon_pod, None)))
}

/// Returns the pods that are released, sorted by node, then name.
pub fn released(observed: &Observed<'_>) -> Vec<PodPlan> {
    let released = observed.pods.released.iter().map(|pod| observed.daemon_pod(pod, false));
    sorted(released.map(|daemon_pod| pod_plan(observed, &daemon_pod, None)))
}

/// Returns the pods that stand on no existing node, sorted by node, then name.
pub fn stray_pods(observed: &Observed<'_>, nodes: &[PlacedNode<'_>]) -> Vec<PodPlan> {
    let vanished = nodes.iter().filter(|node| node.node.is_none()).flat_map(|node| &node.daemon_pods);
    let terminal = observed.terminal_and_deleting.iter().filter(|daemon_pod| {
        pods::target_node_name(daemon_pod.pod).is_none_or(|name| observed.snapshot.node(name).is_none())
    });
    let strays = vanished.chain(&observed.without_target).chain(terminal);
    sorted(strays.map(|daemon_pod| pod_plan(observed, daemon_pod, None)))
}

/// Sorts pods by node, then name.
pub fn sort_pods(pods: &mut [PodPlan]) {
    pods.sort_by(|a, b| (&a.node, &a.pod).cmp(&(&b.node, &b.pod)));
}

fn sorted(pods: impl Iterator<Item = PodPlan>) -> Vec<PodPlan> {
    let mut pods: Vec<_> = pods.collect();
    sort_pods(&mut pods);
    pods
}

/// Returns a pod in the words of the Plan. `reason` is why it is in a list of actions; without one, its own trouble counts.
pub fn pod_plan(observed: &Observed<'_>, daemon_pod: &DaemonPod<'_>, reason: Option<PodReason>) -> PodPlan {
    let pod = daemon_pod.pod;
    let state = state::state(daemon_pod);
    let is_held_up = state::is_held_up(pod, observed.snapshot.now);
    let is_in_flight = is_in_flight(daemon_pod, observed.snapshot.now);
    let ready = pod.condition("Ready").filter(|_| daemon_pod.is_ready);
    PodPlan {
        pod: pod.name().to_owned(),
        uid: pod.metadata.uid.clone().unwrap_or_default(),
        node: pods::target_node_name(pod).map(str::to_owned),
        phase: pod.status.phase.clone(),
        ready: daemon_pod.is_ready,
        available: daemon_pod.is_available,
        revision: if daemon_pod.is_updated { PodRevision::Current } else { PodRevision::Old },
        deleting: pod.is_deleting(),
        reason: reason.or_else(|| state.trouble.clone().map(PodReason::State)),
        since: state.since,
        details: PodDetails {
            state: state.word,
            hash: pod.labels().get(crate::api::CONTROLLER_REVISION_HASH_LABEL).cloned().unwrap_or_default(),
            created: pod.metadata.creation_timestamp.as_ref().map(|time| time.0),
            ready_since: ready.and_then(|condition| condition.last_transition_time.as_ref()).map(|time| time.0),
            deletion_due: pod.metadata.deletion_timestamp.as_ref().map(|time| time.0),
            is_bound: !pod.spec.node_name.is_empty(),
            is_in_flight,
            is_held_up,
            image: state.image,
            message: state.message,
            restarts: state.restarts,
        },
    }
}

/// Returns the nodes that exist, in the words of the Plan.
pub fn nodes(observed: &Observed<'_>, nodes: &[PlacedNode<'_>]) -> Vec<NodePlan> {
    let placer = Placer::new(&observed.daemon_set.spec.template.spec);
    let with_surge = allows_surge(&observed.daemon_set.spec.update_strategy);
    let mut leftovers = std::collections::BTreeMap::<&str, Vec<&DaemonPod<'_>>>::new();
    for daemon_pod in &observed.terminal_and_deleting {
        leftovers.entry(pods::target_node_name(daemon_pod.pod).unwrap_or_default()).or_default().push(daemon_pod);
    }
    let existing = nodes.iter().filter_map(|placed| placed.node.map(|node| (placed, node)));
    let mut plans = Vec::with_capacity(nodes.len());
    for (placed, node) in existing {
        let (verdict, reason) = node_verdict(placed, with_surge);
        let on_node = placed.daemon_pods.iter().chain(leftovers.get(placed.name).into_iter().flatten().copied());
        let ready = node.condition("Ready");
        plans.push(NodePlan {
            name: placed.name.to_owned(),
            should_run: placed.should_run(),
            should_continue_running: placed.should_continue_running(),
            verdict,
            reason,
            checks: checks::checks(&placer, node),
            pods: on_node.map(|daemon_pod| pod_plan(observed, daemon_pod, None)).collect(),
            condition: NodeCondition {
                ready: ready.map_or(Cow::Borrowed(""), |condition| known_status(&condition.status)),
                since: ready.and_then(|condition| condition.last_transition_time.as_ref()).map(|time| time.0),
                is_unschedulable: node.spec.unschedulable,
            },
        });
    }
    plans
}

fn known_status(status: &str) -> Cow<'static, str> {
    match status {
        "True" => Cow::Borrowed("True"),
        "False" => Cow::Borrowed("False"),
        "Unknown" => Cow::Borrowed("Unknown"),
        other => Cow::Owned(other.to_owned()),
    }
}

/// Returns how a node stands, and why.
fn node_verdict(node: &PlacedNode<'_>, with_surge: bool) -> (NodeVerdict, Reason) {
    if !node.should_run() {
        let verdict = if node.daemon_pods.is_empty() { NodeVerdict::NotWanted } else { NodeVerdict::Misscheduled };
        return (verdict, placement_reason(node.placement));
    }
    if node.daemon_pods.is_empty() {
        return (NodeVerdict::Missing, Reason::NodeHasNoDaemonPod);
    }
    match find_updated_pods_on_node(&node.daemon_pods) {
        Pods::Ambiguous => (NodeVerdict::Duplicate, Reason::AmbiguousPods),
        Pods::Told { new_pod: None, old_pod: None } => (NodeVerdict::NotAvailable, Reason::OnlyTerminatingPods),
        Pods::Told { new_pod: Some(_), old_pod: Some(_) } if !with_surge => {
            (NodeVerdict::Duplicate, Reason::NewAndOldPod)
        }
        Pods::Told { new_pod: Some(new_pod), old_pod: Some(old_pod) } => {
            match (new_pod.is_available, old_pod.is_available) {
                (true, _) => (NodeVerdict::Outdated, Reason::NewPodAvailable),
                (false, true) => (NodeVerdict::Outdated, Reason::NewPodNotAvailable),
                (false, false) => (NodeVerdict::NotAvailable, Reason::NewPodNotAvailable),
            }
        }
        Pods::Told { new_pod: Some(pod), old_pod: None } if pod.is_available => {
            (NodeVerdict::Ok, Reason::DaemonPodAvailable)
        }
        Pods::Told { new_pod: None, old_pod: Some(pod) } if pod.is_available => {
            (NodeVerdict::Outdated, Reason::OldPodAvailable)
        }
        Pods::Told { new_pod, old_pod } => (NodeVerdict::NotAvailable, unavailable_reason(new_pod, old_pod)),
    }
}

fn unavailable_reason(new_pod: Option<DaemonPod<'_>>, old_pod: Option<DaemonPod<'_>>) -> Reason {
    let phase = new_pod.or(old_pod).map(|pod| pod.pod.status.phase.as_str());
    match phase {
        Some("Failed") => Reason::FailedPod,
        Some("Succeeded") => Reason::SucceededPod,
        _ if new_pod.is_some() => Reason::NewPodNotAvailable,
        _ => Reason::OldPodUnavailable,
    }
}

fn placement_reason(placement: Placement) -> Reason {
    match placement {
        Placement::Fits => Reason::NodeHasNoDaemonPod,
        Placement::NodeNameMismatch => Reason::NodeNameMismatch,
        Placement::NodeSelectorMismatch => Reason::NodeSelectorMismatch,
        Placement::NodeAffinityMismatch => Reason::NodeAffinityMismatch,
        Placement::UntoleratedNoScheduleTaint => Reason::UntoleratedNoScheduleTaint,
        Placement::UntoleratedNoExecuteTaint => Reason::UntoleratedNoExecuteTaint,
        Placement::NodeDoesNotExist => Reason::NodeDoesNotExist,
    }
}
