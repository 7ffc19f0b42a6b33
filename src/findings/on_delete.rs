//! OnDelete: what waits for somebody to delete it, and what to delete first.

use crate::findings::context::{Context, finding, is_old, with_remedy};
use crate::findings::text;
use crate::plan::{Finding, FindingCode, NodePlan, PodPlan, PodRevision, Severity, When};

/// Reports the outdated pods of a set that the controller does not roll out.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    match ctx.plan.rollout.when {
        When::OnDelete => waiting(ctx).into_iter().collect(),
        When::Now | When::AfterManage | When::Never => Vec::new(),
    }
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
fn next_text(ctx: &Context<'_>, old: &[(&NodePlan, &PodPlan)]) -> String {
    let delete = |pods: &[&str]| format!("`kubectl delete pod {}{}`", pods.join(" "), ctx.in_namespace());
    let broken = old.iter().find(|(_, pod)| !pod.available);
    let sound = old.iter().find(|(node, pod)| pod.available && node.should_run);
    if let Some((node, pod)) = broken {
        let then = match sound {
            Some((node, pod)) => format!("; then {} on {}, once the new pod is available", pod.pod, node.name),
            None => String::new(),
        };
        return format!(
            "Next {} on {}: it is not available anyway, so replacing it costs nothing: {}{then}.",
            pod.pod,
            node.name,
            delete(&[&pod.pod])
        );
    }
    let is_new = |pod: &&PodPlan| pod.revision == PodRevision::Current && !pod.deleting;
    let unavailable =
        ctx.plan.nodes.iter().filter(|node| node.should_run && !node.pods.iter().any(|pod| pod.available));
    let unavailable: Vec<_> = unavailable.map(|node| node.name.as_str()).collect();
    let failing = ctx.plan.nodes.iter().flat_map(|node| &node.pods).filter(is_new).any(|pod| pod.details.is_held_up);
    match (sound, unavailable.as_slice()) {
        (_, [_, ..]) if failing => {
            format!("Delete none yet: the new revision does not become available on {}.", text::list(&unavailable))
        }
        (_, [_, ..]) => {
            format!("Wait until {} has an available pod before deleting the next.", text::list(&unavailable))
        }
        (Some((node, pod)), []) => {
            format!("One at a time, the next when the new pod is available: {} ({}).", delete(&[&pod.pod]), node.name)
        }
        (None, []) => "None of them would come back: their nodes want no pod.".to_owned(),
    }
}
