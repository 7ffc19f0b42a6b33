//! OnDelete: what waits for somebody to delete it, and what to delete first.

use crate::findings::context::{Context, finding, is_down, is_old, with_remedy};
use crate::findings::text;
use crate::plan::{Finding, FindingCode, NodePlan, PodPlan, PodRevision, Severity, When};

/// Reports the outdated pods of a set that the controller does not roll out.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    match ctx.plan.rollout.when {
        When::OnDelete if ctx.plan.paused => vec![paused(ctx)],
        When::OnDelete => waiting(ctx).into_iter().collect(),
        When::Now | When::AfterManage | When::Never => Vec::new(),
    }
}

/// Says who holds the rollout, and that all else goes on.
fn paused(ctx: &Context<'_>) -> Finding {
    let old = ctx.plan.nodes.iter().filter(|node| node.pods.iter().any(is_old));
    let nodes: Vec<_> = old.map(|node| node.name.as_str()).collect();
    let message = format!(
        "The rollout is paused: {} with a pod of an old revision {} it until it is resumed{}. Pods are still created on nodes \
         without one, and removed where they are not wanted.",
        text::count(nodes.len(), "node"),
        text::pick(nodes.len(), "keeps", "keep"),
        if nodes.is_empty() { String::new() } else { format!(" ({})", text::list(&nodes)) },
    );
    let (name, namespace) = (ctx.daemon_set.name(), ctx.in_namespace());
    let remedy = format!("Go on: `kubectl daemonset resume {name}{namespace}`.");
    with_remedy(finding(FindingCode::Paused, Severity::Info, message, &nodes), remedy)
}

fn waiting(ctx: &Context<'_>) -> Option<Finding> {
    let nodes = ctx.plan.nodes.iter().filter(|node| node.should_continue_running);
    let old: Vec<_> =
        nodes.flat_map(|node| node.pods.iter().filter(|pod| is_old(pod)).map(move |pod| (node, pod))).collect();
    if old.is_empty() {
        return None;
    }
    let names: Vec<_> = old.iter().map(|(node, _)| node.name.as_str()).collect();
    let pods = old.iter().map(|(node, pod)| format!("{} on {}", pod.pod, node.name));
    let message = format!(
        "OnDelete: {} of an old revision {} until somebody deletes {}: {}. `kubectl rollout status` refuses a set with this \
         strategy.",
        text::count(old.len(), "pod"),
        text::pick(old.len(), "stays", "stay"),
        text::pick(old.len(), "it", "them"),
        text::joined(pods, old.len()),
    );
    let finding = finding(FindingCode::OnDeleteWaits, Severity::Info, message, &names);
    Some(with_remedy(finding, next_text(ctx, &old)))
}

/// Returns what to delete first: a pod that is not available, since it serves nobody; else one, when all others are available.
///
/// Pods on nodes that are down come last: nothing would replace them for now.
fn next_text(ctx: &Context<'_>, old: &[(&NodePlan, &PodPlan)]) -> String {
    let delete = |pod: &PodPlan| format!("`kubectl delete pod {}{}`", pod.pod, ctx.in_namespace());
    let broken = old.iter().find(|(node, pod)| !pod.available && node.should_run && !is_down(node));
    let sound = old.iter().find(|(node, pod)| pod.available && node.should_run && !is_down(node));
    if let Some((node, pod)) = broken {
        let failing = failing(ctx);
        let then = match sound {
            Some(_) if !failing.is_empty() => format!(
                ". Delete none that is available yet: the new revision does not become available on {}",
                text::list(&failing)
            ),
            Some((node, pod)) => format!("; then {} on {}, once the new pod is available", pod.pod, node.name),
            None => String::new(),
        };
        let (pod_name, delete) = (&pod.pod, delete(pod));
        return format!(
            "Next {pod_name} on {}, which is not available anyway, so that replacing it costs nothing: {delete}{then}.",
            node.name
        );
    }
    let has_available_pod = |node: &NodePlan| node.pods.iter().any(|pod| pod.available && !pod.deleting);
    let nodes = ctx.plan.nodes.iter().filter(|node| node.should_run && !is_down(node) && !has_available_pod(node));
    let unavailable: Vec<_> = nodes.collect();
    let names: Vec<_> = unavailable.iter().map(|node| node.name.as_str()).collect();
    match (sound, names.as_slice()) {
        (_, [_, ..]) if unavailable.iter().any(|node| node.pods.iter().any(|pod| pod.details.is_held_up)) => {
            format!("Delete none yet: the new revision does not become available on {}.", text::list(&names))
        }
        (_, [_, ..]) => {
            format!("Wait until the set is available again on {} before deleting the next.", text::list(&names))
        }
        (Some((node, pod)), []) => {
            format!(
                "One at a time, the next when the new pod is available: `kubectl daemonset sync {}{}` does that; by hand, for a \
                 start, on {}: {}.",
                ctx.daemon_set.name(),
                ctx.in_namespace(),
                node.name,
                delete(pod)
            )
        }
        (None, []) if old.iter().any(|(node, _)| is_down(node)) => {
            "Delete none for now: their nodes are down, and nothing would replace them.".to_owned()
        }
        (None, []) => "None of them would come back: their nodes want no pod.".to_owned(),
    }
}

/// Returns the nodes on which a pod of the new revision is held up.
fn failing<'a>(ctx: &Context<'a>) -> Vec<&'a str> {
    let is_failing = |pod: &PodPlan| pod.revision == PodRevision::Current && !pod.deleting && pod.details.is_held_up;
    let nodes = ctx.plan.nodes.iter().filter(|node| node.should_run && !is_down(node));
    nodes.filter(|node| node.pods.iter().any(is_failing)).map(|node| node.name.as_str()).collect()
}
