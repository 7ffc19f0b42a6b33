//! What follows after the next sync.

use std::collections::BTreeSet;

use crate::plan::{NodePlan, Plan, PodPlan, PodRevision, Resource, When};
use crate::view::counts::{old_pods, succeeded_old_pods, waiting_old_pods};
use crate::view::nodes::failed_checks;
use crate::view::words::{counted, names};

use super::acts;
use super::steps::{REASONS_SHOWN, grouped, pod_on_node, rollout};
use super::troubles::node_trouble;

/// Says what follows after the next sync.
pub(super) fn then(plan: &Plan) -> Vec<String> {
    let mut lines = Vec::new();
    if !acts(plan) || plan.missing.contains(&Resource::Nodes) {
        return lines;
    }
    match plan.rollout.when {
        When::AfterManage => {
            let step = rollout(plan);
            if !step.is_empty() {
                lines.push("once that has been seen, the rolling-update step, as things stand now:".to_owned());
            }
            lines.extend(step);
        }
        When::OnDelete if plan.paused => {}
        When::OnDelete => lines.extend(on_delete(plan)),
        When::Never => lines.push(format!(
            "no old pod is ever replaced: the strategy type {:?} is unknown",
            plan.update_strategy.type_
        )),
        When::Now => {}
    }
    if matches!(plan.rollout.when, When::Now | When::AfterManage) {
        lines.extend(succeeded(plan));
        lines.extend(not_taken(plan));
        lines.extend(waiting(plan));
    }
    lines.extend(would_not_come_back(plan));
    lines
}

/// Says which pods to delete under `OnDelete`, in which order.
///
/// Those that are not available come first, since that costs nothing; those on nodes that are not ready come last, since
/// their successors would not start.
fn on_delete(plan: &Plan) -> Vec<String> {
    let doomed: BTreeSet<&str> = plan.manage.delete.iter().map(|pod| pod.pod.as_str()).collect();
    let old = old_pods(plan).into_iter().filter(|pod| !doomed.contains(pod.pod.as_str()));
    let is_on_ready_node = |pod: &&PodPlan| {
        pod.node.as_deref().and_then(|name| plan.node(name)).is_none_or(|node| node_trouble(node).is_none())
    };
    let (reachable, unreachable): (Vec<&PodPlan>, Vec<&PodPlan>) = old.partition(is_on_ready_node);
    let (available, broken): (Vec<&PodPlan>, Vec<&PodPlan>) = reachable.into_iter().partition(|pod| pod.available);
    let mut lines = Vec::new();
    if !broken.is_empty() {
        lines.push(format!("delete {}: not available, so replacing costs nothing", listed(&broken)));
    }
    let is_failing = |node: &&NodePlan| node.should_run && node.pods.iter().any(is_failing_anew);
    let failing: Vec<&str> = plan.nodes.iter().filter(is_failing).map(|node| node.name.as_str()).collect();
    if !available.is_empty() && !failing.is_empty() {
        lines.push(format!(
            "delete none of the {} yet: the new revision does not become available on {}",
            counted(available.len(), "available old pod"),
            names(&failing)
        ));
    } else if !available.is_empty() {
        let start = if broken.is_empty() { "delete" } else { "then, once its successor is available," };
        let are = if available.len() == 1 { "is" } else { "are" };
        lines.push(format!(
            "{start} {} that {are} outdated but available: {}",
            counted(available.len(), "pod"),
            listed(&available)
        ));
    }
    if !unreachable.is_empty() {
        lines.push(format!("leave for last, since the node is not ready: {}", listed(&unreachable)));
    }
    if !lines.is_empty() {
        let controller =
            "OnDelete: the controller makes the new pod as soon as the old one is gone; no budget holds you";
        lines.push(controller.to_owned());
    }
    lines
}

/// Returns whether a pod of the current revision will not become available by itself.
fn is_failing_anew(pod: &PodPlan) -> bool {
    pod.revision == PodRevision::Current && !pod.deleting && pod.details.is_held_up
}

fn listed(pods: &[&PodPlan]) -> String {
    names(&pods.iter().map(|pod| pod_on_node(pod)).collect::<Vec<_>>())
}

/// Says which old pods the next steps leave.
fn waiting(plan: &Plan) -> Option<String> {
    let waiting: Vec<&str> = waiting_old_pods(plan).iter().filter_map(|pod| pod.node.as_deref()).collect();
    let wait = if waiting.len() == 1 { "waits" } else { "wait" };
    let line = || format!("{} {wait}: {}", counted(waiting.len(), "old pod"), names(&waiting));
    (!waiting.is_empty()).then(line)
}

/// Says how many candidates of the step are left for later ones.
fn not_taken(plan: &Plan) -> Option<String> {
    let left: usize = plan.rollout.choose.iter().map(|choice| choice.from.len() - choice.count).sum();
    match left {
        0 => None,
        1 => Some("the 1 old pod left follows once the budget is free again".to_owned()),
        many => Some(format!("the {many} old pods left follow whenever the budget is free again")),
    }
}

/// Says which old pods only wait for the new pod beside them.
fn succeeded(plan: &Plan) -> Option<String> {
    let nodes: Vec<&str> = succeeded_old_pods(plan).iter().filter_map(|pod| pod.node.as_deref()).collect();
    match &nodes[..] {
        [] => None,
        [node] => Some(format!("the old pod on {node} goes once the new one beside it is available")),
        nodes => {
            Some(format!("{} old pods go once the new one beside each is available: {}", nodes.len(), names(nodes)))
        }
    }
}

/// Says which old pods get no successor when they go.
fn would_not_come_back(plan: &Plan) -> Vec<String> {
    let doomed: BTreeSet<&str> = plan.manage.delete.iter().map(|pod| pod.pod.as_str()).collect();
    let left = old_pods(plan).into_iter().filter(|pod| !doomed.contains(pod.pod.as_str()));
    let nodes = left.filter_map(|pod| plan.node(pod.node.as_deref()?)).filter(|node| !node.should_run);
    let line = |(why, nodes): (String, Vec<String>)| match &nodes[..] {
        [node] => format!("one old pod would not come back, on {node}: {why}"),
        nodes => format!("{} old pods would not come back, on {}: {why}", nodes.len(), names(nodes)),
    };
    by_failed_check(nodes).into_iter().map(line).collect()
}

/// Puts nodes together that fail the same checks; what goes beyond a few groups becomes one of them.
fn by_failed_check<'a>(nodes: impl Iterator<Item = &'a NodePlan>) -> Vec<(String, Vec<String>)> {
    let mut groups = grouped(nodes.map(|node| (failed_checks(node).join("; "), node.name.as_str())));
    let others: Vec<String> = groups.drain(groups.len().min(REASONS_SHOWN)..).flat_map(|(_, nodes)| nodes).collect();
    if !others.is_empty() {
        groups.push(("for other reasons each".to_owned(), others));
    }
    groups
}
