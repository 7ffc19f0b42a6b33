//! Pods that go at once because their node may not keep one: neither the strategy nor the budget holds that back.

use std::collections::BTreeMap;

use crate::findings::context::{Context, finding, with_remedy};
use crate::findings::text;
use crate::plan::{CheckName, Finding, FindingCode, NodePlan, PodPlan, Reason, Severity};

/// How many pods one sync deletes at most.
const MAX_OF_A_SYNC: usize = 250;
/// How many causes are told.
const MAX_CAUSES: usize = 5;

/// Reports them by the field that decides.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    let mut groups = BTreeMap::<&'static str, Vec<(&NodePlan, &PodPlan)>>::new();
    for node in ctx.plan.nodes.iter().filter(|node| !node.should_continue_running) {
        for pod in node.pods.iter().filter(|pod| !pod.deleting) {
            groups.entry(field(node.reason)).or_default().push((node, pod));
        }
    }
    groups.into_iter().map(|(field, pods)| report(ctx, field, &pods)).collect()
}

fn field(reason: Reason) -> &'static str {
    match reason {
        Reason::NodeNameMismatch => "the nodeName of the template",
        Reason::NodeSelectorMismatch => "the nodeSelector of the template",
        Reason::NodeAffinityMismatch => "the required node affinity of the template",
        _ => "a NoExecute taint that is not tolerated",
    }
}

fn report(ctx: &Context<'_>, field: &str, pods: &[(&NodePlan, &PodPlan)]) -> Finding {
    let names: Vec<_> = pods.iter().map(|(node, _)| node.name.as_str()).collect();
    let mut causes = BTreeMap::<&str, Vec<String>>::new();
    for (node, pod) in pods {
        causes.entry(cause(node)).or_default().push(format!("{} on {}", pod.pod, node.name));
    }
    let causes = causes.into_iter().map(|(cause, pods)| format!("{}: {cause}", text::list(&pods)));
    let strategy = match ctx.plan.update_strategy.type_.as_str() {
        "RollingUpdate" => "Neither the update strategy nor maxUnavailable holds this back".to_owned(),
        other => format!("The update strategy {other} does not hold this back, nor does any budget"),
    };
    let cap = if pods.len() > MAX_OF_A_SYNC { format!("; only {MAX_OF_A_SYNC} go in one sync") } else { String::new() };
    let message = format!(
        "{} at once because of {field}: {}. {strategy}{cap}.",
        format_args!("{} {}", text::count(pods.len(), "pod"), text::pick(pods.len(), "goes", "go")),
        causes.take(MAX_CAUSES).collect::<Vec<_>>().join("; "),
    );
    let can_undo = ctx.plan.history.revisions.len() > 1;
    let remedy = if field.starts_with("a NoExecute") {
        "If the pods should stay, tolerate the taint in the template, or take it off the nodes.".to_owned()
    } else if can_undo {
        format!(
            "If the pods should stay, widen the field again or label the nodes; or go back: `kubectl rollout undo {}`.",
            ctx.object()
        )
    } else {
        "If the pods should stay, widen the field again or label the nodes.".to_owned()
    };
    with_remedy(finding(FindingCode::PodsRemovedAtOnce, Severity::Warning, message, &names), remedy)
}

/// Returns the detail of the check that decides.
fn cause(node: &NodePlan) -> &str {
    let decides = |name: CheckName| {
        let is_taint_check = name == CheckName::Tolerations;
        node.reason != Reason::UntoleratedNoExecuteTaint || !is_taint_check
    };
    let failed = node.checks.iter().find(|check| !check.passed && decides(check.check));
    failed.map(|check| &*check.detail).unwrap_or_default()
}
