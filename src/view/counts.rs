//! Counts that several views print.

use std::collections::BTreeSet;

use super::next::has_successor;
use crate::plan::{Action, Choice, Plan, PodPlan, PodRevision, Rollout, When};

/// Returns how many pods the next sync creates.
pub fn creates(plan: &Plan) -> usize {
    let rollout = rollout_now(plan).map_or(0, |rollout| rollout.create.len() + chosen(&rollout.choose, Action::Create));
    plan.manage.create.len() + chosen(&plan.manage.choose, Action::Create) + rollout
}

/// Returns how many pods the next sync deletes.
pub fn deletes(plan: &Plan) -> usize {
    let rollout = rollout_now(plan).map_or(0, |rollout| rollout.delete.len() + chosen(&rollout.choose, Action::Delete));
    plan.manage.delete.len() + chosen(&plan.manage.choose, Action::Delete) + rollout
}

/// Returns the rolling-update step if the next sync takes it.
pub fn rollout_now(plan: &Plan) -> Option<&Rollout> {
    (plan.rollout.when == When::Now).then_some(&plan.rollout)
}

/// Returns the old pods on existing nodes that do not yet terminate, in the order of their nodes.
pub fn old_pods(plan: &Plan) -> Vec<&PodPlan> {
    let pods = plan.nodes.iter().flat_map(|node| &node.pods);
    pods.filter(|pod| pod.revision == PodRevision::Old && !pod.deleting).collect()
}

/// Returns the old pods that neither manage nor the rolling-update step takes or may take, nor replaces by one beside them.
pub fn waiting_old_pods(plan: &Plan) -> Vec<&PodPlan> {
    let rollout = &plan.rollout;
    let taken = plan.manage.delete.iter().chain(&rollout.delete).map(|pod| pod.pod.as_str());
    let choices = plan.manage.choose.iter().chain(&rollout.choose).flat_map(|choice| &choice.from);
    let may_be_taken = choices.filter_map(|candidate| candidate.pod.as_deref());
    let taken: BTreeSet<&str> = taken.chain(may_be_taken).collect();
    let surging: BTreeSet<&str> = rollout
        .create
        .iter()
        .map(|creation| creation.node.as_str())
        .chain(rollout.choose.iter().flat_map(|choice| &choice.from).map(|candidate| candidate.node.as_str()))
        .collect();
    let succeeded = plan.nodes.iter().filter(|node| has_successor(node)).map(|node| node.name.as_str());
    let surging: BTreeSet<&str> = surging.into_iter().chain(succeeded).collect();
    let is_waiting = |pod: &&PodPlan| {
        !taken.contains(pod.pod.as_str()) && !pod.node.as_deref().is_some_and(|node| surging.contains(node))
    };
    old_pods(plan).into_iter().filter(is_waiting).collect()
}

/// Returns the old pods that go once the new pod beside them is available.
pub fn succeeded_old_pods(plan: &Plan) -> Vec<&PodPlan> {
    let doomed: BTreeSet<&str> = plan.manage.delete.iter().map(|pod| pod.pod.as_str()).collect();
    let nodes = plan.nodes.iter().filter(|node| has_successor(node));
    let pods = nodes.flat_map(|node| &node.pods).filter(|pod| pod.revision == PodRevision::Old && !pod.deleting);
    pods.filter(|pod| !doomed.contains(pod.pod.as_str())).collect()
}

fn chosen(choices: &[Choice], action: Action) -> usize {
    choices.iter().filter(|choice| choice.action == action).map(|choice| choice.count).sum()
}
