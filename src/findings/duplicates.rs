//! Nodes with more pods than they should have: which one stays, and why.

use crate::findings::context::{Context, finding};
use crate::findings::text;
use crate::plan::{Finding, FindingCode, NodePlan, PodPlan, PodReason, Reason, Severity};

/// How many nodes are told with their pods.
const MAX_TOLD: usize = 5;

/// Reports excess pods.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    let is_excess = |pod: &&PodPlan| pod.reason == Some(PodReason::Decision(Reason::ExcessPod));
    let mut by_node = Vec::<(&NodePlan, Vec<&str>)>::new();
    for pod in ctx.plan.manage.delete.iter().filter(is_excess) {
        let Some(node) = pod.node.as_deref().and_then(|name| ctx.node_plan(name)) else { continue };
        match by_node.last_mut() {
            Some((last, pods)) if last.name == node.name => pods.push(&pod.pod),
            _ => by_node.push((node, vec![&pod.pod])),
        }
    }
    if by_node.is_empty() { Vec::new() } else { vec![report(&by_node)] }
}

fn report(by_node: &[(&NodePlan, Vec<&str>)]) -> Finding {
    let names: Vec<_> = by_node.iter().map(|(node, _)| node.name.as_str()).collect();
    let told: Vec<_> = by_node.iter().take(MAX_TOLD).map(|(node, excess)| told(node, excess)).collect();
    let rest = match by_node.len().saturating_sub(MAX_TOLD) {
        0 => String::new(),
        rest => format!(" And {}.", text::count(rest, "more node")),
    };
    let message = format!(
        "{} more pods of the set than {} should. {}{rest} Age decides, not readiness or revision; pods that are bound come \
         before those that are not.",
        format_args!("{} {}", text::count(by_node.len(), "node"), text::pick(by_node.len(), "has", "have")),
        text::pick(by_node.len(), "it", "they"),
        told.join(" "),
    );
    finding(FindingCode::DuplicatePods, Severity::Warning, message, &names)
}

fn told(node: &NodePlan, excess: &[&str]) -> String {
    let is_live = |pod: &&PodPlan| pod.is_live();
    let kept: Vec<_> =
        node.pods.iter().filter(is_live).map(|pod| pod.pod.as_str()).filter(|pod| !excess.contains(pod)).collect();
    format!(
        "{}: {} {}, as the oldest; {} {}.",
        node.name,
        text::list(&kept),
        text::pick(kept.len(), "stays", "stay"),
        text::list(excess),
        text::pick(excess.len(), "is deleted", "are deleted"),
    )
}
