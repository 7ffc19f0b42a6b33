//! Pods that should be gone and are not, on nodes that are ready: what keeps them.

use jiff::SignedDuration;
use serde_json::json;

use crate::findings::context::{Context, finding, is_down, with_remedy};
use crate::findings::text;
use crate::plan::{Finding, FindingCode, NodePlan, PodPlan, Severity};

/// How long a pod may be there after its deletion was due.
const LATE_AFTER: SignedDuration = SignedDuration::from_secs(30);
/// Reports them, together.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    stuck_terminating(ctx).into_iter().collect()
}

/// Reports pods whose deletion is overdue on nodes that are ready: something keeps them.
fn stuck_terminating(ctx: &Context<'_>) -> Option<Finding> {
    let is_late = |pod: &&PodPlan| {
        let is_ended = pod.is_terminal();
        !is_ended && pod.details.deletion_due.is_some_and(|due| ctx.elapsed(due) > LATE_AFTER)
    };
    let nodes = ctx.plan.nodes.iter().filter(|node| !is_down(node));
    let late: Vec<_> = nodes.flat_map(|node| node.pods.iter().filter(is_late).map(move |pod| (node, pod))).collect();
    let (first_node, first) = late.first()?;
    let names: Vec<_> = late.iter().map(|(node, _)| node.name.as_str()).collect();
    let due = |pod: &PodPlan| pod.details.deletion_due.map(|due| ctx.age(due)).unwrap_or_default();
    let described = late.iter().map(|(node, pod)| format!("{} on {}, due {} ago", pod.pod, node.name, due(pod)));
    let pods = text::joined(described, late.len());
    let surges = ctx.plan.update_strategy.resolved_max_surge.is_some_and(|surge| surge > 0);
    let budget = ctx.budget_sentence(&names);
    let severity = if budget.is_some() { Severity::Error } else { Severity::Warning };
    let message = format!(
        "{} still there although {} deletion was due, on {} ready: {pods}.{}{}",
        format_args!("{} {}", text::count(late.len(), "pod"), text::pick(late.len(), "is", "are")),
        text::pick(late.len(), "its", "their"),
        text::pick(late.len(), "a node that is", "nodes that are"),
        if surges {
            String::new()
        } else {
            format!(" Until {} gone, no new pod is started there.", text::pick(late.len(), "it is", "they are"))
        },
        budget.map(|sentence| format!(" {sentence}")).unwrap_or_default(),
    );
    let remedy = stuck_remedy(ctx, first_node, first);
    Some(with_remedy(finding(FindingCode::PodsStuckTerminating, severity, message, &names), remedy))
}

/// Returns what keeps a pod that should be gone, and how to end it: a finalizer is known, the rest is for the node to tell.
fn stuck_remedy(ctx: &Context<'_>, node: &NodePlan, pod: &PodPlan) -> String {
    let (name, namespace) = (&pod.pod, ctx.in_namespace());
    let object = ctx.pod(name);
    let finalizers = object.and_then(|object| object.metadata.finalizers.as_deref()).unwrap_or_default();
    if finalizers.is_empty() {
        return format!(
            "See what keeps it: `kubectl describe pod {name}{namespace}` (a container that ignores its stop signal, a volume that \
             does not unmount), and the kubelet's log on {}. With --force it would go from the API only: what it runs may stay, \
             and a new pod starts beside it.",
            node.name
        );
    }
    let (the, is, it) = match finalizers.len() {
        1 => ("The finalizer", "keeps", "it"),
        _ => ("The finalizers", "keep", "them"),
    };
    format!(
        "{the} {} {is} {name}: see to whoever owns {it}. Only if that is gone for good, take {it} off: \
         `kubectl patch pod {name}{namespace} --type=merge -p '{}'`.",
        text::list(finalizers),
        json!({ "metadata": { "finalizers": null } })
    )
}
