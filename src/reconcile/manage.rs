//! Manage: creations and deletions outside the rollout.
//!
//! Mirrors `manage`, `podsShouldBeOnNode` and `getUnscheduledPodsWithoutNode` of
//! `pkg/controller/daemon/daemon_controller.go`.

use crate::plan::{Action, Candidate, Choice, Creation, Manage, PodReason, Reason};
use crate::reconcile::BURST_REPLICAS;
use crate::reconcile::describe;
use crate::reconcile::observe::{DaemonPod, Observed};
use crate::reconcile::place::PlacedNode;
use crate::reconcile::rollout::allows_surge;

/// Creations and deletions before the cap.
#[derive(Default)]
struct Decisions<'a> {
    nodes_needing_daemon_pods: Vec<(&'a str, Reason)>,
    pods_to_delete: Vec<Deletion<'a>>,
    /// Nodes with several failed pods: one of each goes.
    failed_pods: Vec<Vec<Deletion<'a>>>,
}

/// A pod to be deleted, on its target node.
struct Deletion<'a> {
    node: &'a str,
    daemon_pod: DaemonPod<'a>,
    reason: Reason,
}

/// Decides for all nodes.
///
/// Ordering: by node, then pod name. Over [`BURST_REPLICAS`] of a kind, upstream takes any that many.
///
/// Upstream: pkg/controller/daemon `manage`, `syncNodes` (1.37).
pub fn manage(observed: &Observed<'_>, nodes: &[PlacedNode<'_>]) -> Manage {
    let with_surge = allows_surge(&observed.daemon_set.spec.update_strategy);
    let mut decisions = Decisions::default();
    for node in nodes {
        if node.node.is_some() {
            pods_should_be_on_node(node, with_surge, &mut decisions);
        } else {
            unscheduled_pods_without_node(node, &mut decisions);
        }
    }
    let mut manage = Manage::default();
    cap_creations(&decisions, &mut manage);
    cap_deletions(observed, decisions, &mut manage);
    manage
}

/// Upstream: pkg/controller/daemon `podsShouldBeOnNode` (1.37).
fn pods_should_be_on_node<'a>(node: &PlacedNode<'a>, with_surge: bool, decisions: &mut Decisions<'a>) {
    let exists = !node.daemon_pods.is_empty();
    if node.should_run() && !exists {
        decisions.nodes_needing_daemon_pods.push((node.name, Reason::NodeHasNoDaemonPod));
    } else if node.should_continue_running() {
        delete_failed_and_succeeded_pods(node, decisions);
        let live: Vec<_> = node.daemon_pods.iter().copied().filter(DaemonPod::is_live).collect();
        if with_surge {
            prune_with_surge(node, &live, decisions);
        } else {
            // The list is sorted: the first one stays.
            delete_all(node, live.iter().skip(1), Reason::ExcessPod, decisions);
        }
    } else {
        let pods = node.daemon_pods.iter().filter(|daemon_pod| !daemon_pod.pod.is_deleting());
        delete_all(node, pods, Reason::NodeShouldNotContinueRunning, decisions);
    }
}

/// One failed pod goes at a time (the back-off is by node), an owned one before an adopted one; every succeeded pod goes.
fn delete_failed_and_succeeded_pods<'a>(node: &PlacedNode<'a>, decisions: &mut Decisions<'a>) {
    let in_phase = |phase: &'static str| {
        let pods = node.daemon_pods.iter();
        pods.filter(move |daemon_pod| daemon_pod.pod.status.phase == phase && !daemon_pod.pod.is_deleting())
    };
    delete_all(node, in_phase("Succeeded"), Reason::SucceededPod, decisions);
    let any_owned = in_phase("Failed").any(|daemon_pod| !daemon_pod.is_adopted);
    let failed = in_phase("Failed").filter(|daemon_pod| daemon_pod.is_adopted != any_owned);
    let mut failed: Vec<_> =
        failed.map(|pod| Deletion { node: node.name, daemon_pod: *pod, reason: Reason::FailedPod }).collect();
    if failed.len() > 1 {
        decisions.failed_pods.push(failed);
    } else {
        decisions.pods_to_delete.append(&mut failed);
    }
}

/// With surge a node keeps the first pod of the current revision and the first other one, until the new one is available.
fn prune_with_surge<'a>(node: &PlacedNode<'a>, live: &[DaemonPod<'a>], decisions: &mut Decisions<'a>) {
    if live.is_empty() && node.should_run() {
        decisions.nodes_needing_daemon_pods.push((node.name, Reason::NodeHasNoLivePod));
    }
    if live.len() < 2 {
        return;
    }
    let first = |is_new: bool| live.iter().position(|daemon_pod| daemon_pod.has_current_hash == is_new);
    let (newest_kept, oldest_kept) = (first(true), first(false));
    let others = live.iter().enumerate().filter(|(i, _)| Some(*i) != newest_kept && Some(*i) != oldest_kept);
    delete_all(node, others.map(|(_, daemon_pod)| daemon_pod), Reason::ExcessPod, decisions);
    if let (Some(new), Some(old)) = (newest_kept, oldest_kept) {
        let (new_pod, old_pod) = (&live[new], &live[old]);
        if !old_pod.is_ready {
            delete_all(node, [old_pod], Reason::OldPodNotReady, decisions);
        } else if new_pod.is_available {
            delete_all(node, [old_pod], Reason::NewPodAvailable, decisions);
        }
    }
}

/// Pods pinned to a node that does not exist go, bound ones are left to pod garbage collection.
///
/// Upstream: pkg/controller/daemon `getUnscheduledPodsWithoutNode` (1.37).
fn unscheduled_pods_without_node<'a>(node: &PlacedNode<'a>, decisions: &mut Decisions<'a>) {
    let unbound = node.daemon_pods.iter().filter(|daemon_pod| daemon_pod.pod.spec.node_name.is_empty());
    delete_all(node, unbound, Reason::NodeDoesNotExist, decisions);
}

fn delete_all<'a, 'p>(
    node: &PlacedNode<'a>,
    pods: impl IntoIterator<Item = &'p DaemonPod<'a>>,
    reason: Reason,
    decisions: &mut Decisions<'a>,
) where
    'a: 'p,
{
    let deletions = pods.into_iter().map(|daemon_pod| Deletion { node: node.name, daemon_pod: *daemon_pod, reason });
    decisions.pods_to_delete.extend(deletions);
}

fn cap_creations(decisions: &Decisions<'_>, manage: &mut Manage) {
    let needing = &decisions.nodes_needing_daemon_pods;
    if needing.len() > BURST_REPLICAS {
        let from =
            needing.iter().map(|(node, reason)| Candidate { node: (*node).to_owned(), pod: None, reason: *reason });
        manage.choose.push(Choice { action: Action::Create, count: BURST_REPLICAS, from: from.collect() });
    } else {
        manage.create =
            needing.iter().map(|(node, reason)| Creation { node: (*node).to_owned(), reason: *reason }).collect();
    }
}

fn cap_deletions(observed: &Observed<'_>, decisions: Decisions<'_>, manage: &mut Manage) {
    let Decisions { mut pods_to_delete, failed_pods, .. } = decisions;
    if pods_to_delete.len() + failed_pods.len() > BURST_REPLICAS {
        // Upstream lists the pods of nodes that do not exist last: the cap reaches them only if the others are fewer.
        let is_listed_last = |deletion: &Deletion<'_>| deletion.reason == Reason::NodeDoesNotExist;
        let num_listed_first = pods_to_delete.iter().filter(|deletion| !is_listed_last(deletion)).count();
        if num_listed_first + failed_pods.len() >= BURST_REPLICAS {
            pods_to_delete.retain(|deletion| !is_listed_last(deletion));
        }
        pods_to_delete.extend(failed_pods.into_iter().flatten());
        manage.choose.push(choice(BURST_REPLICAS, &pods_to_delete));
        return;
    }
    manage.choose.extend(failed_pods.iter().map(|failed| choice(1, failed)));
    let deletions = pods_to_delete.iter();
    manage.delete = deletions
        .map(|deletion| describe::pod_plan(observed, &deletion.daemon_pod, Some(PodReason::Decision(deletion.reason))))
        .collect();
    describe::sort_pods(&mut manage.delete);
}

fn choice(count: usize, deletions: &[Deletion<'_>]) -> Choice {
    let mut from: Vec<_> = deletions
        .iter()
        .map(|deletion| Candidate {
            node: deletion.node.to_owned(),
            pod: Some(deletion.daemon_pod.pod.name().to_owned()),
            reason: deletion.reason,
        })
        .collect();
    from.sort();
    Choice { action: Action::Delete, count, from }
}
