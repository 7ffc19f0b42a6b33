//! Virtual nodes: a blanket toleration makes them eligible, and the pods there never run.

use serde_json::json;

use crate::api::Node;
use crate::findings::context::{Context, finding, with_remedy};
use crate::findings::text;
use crate::plan::{Finding, FindingCode, NodePlan, PodPlan, PodRevision, Severity};
use crate::upstream::taints;

/// Labels by which virtual nodes are known.
const VIRTUAL: [(&str, &str); 6] = [
    ("eks.amazonaws.com/compute-type", "fargate"),
    ("type", "virtual-kubelet"),
    ("liqo.io/type", "virtual-node"),
    ("node.kubernetes.io/instance-type", "eklet"),
    ("alibabacloud.com/virtual-node", "true"),
    ("type", "kwok"),
];

/// Key of the taint that virtual-kubelet puts on its nodes.
const PROVIDER_TAINT: &str = "virtual-kubelet.io/provider";

/// Returns the label that says that a node is virtual, or its taint as `key=value`.
pub fn virtual_by(node: &Node) -> Option<(&str, &str)> {
    let has = |(key, value): &&(&str, &str)| node.labels().get(*key).is_some_and(|found| found == value);
    let by_taint = || {
        let taint = node.spec.taints.iter().find(|taint| taint.key == PROVIDER_TAINT)?;
        Some((taint.key.as_str(), taint.value.as_deref().unwrap_or_default()))
    };
    VIRTUAL.iter().find(has).copied().or_else(by_taint)
}

/// Reports virtual nodes that the set wants and that have no available pod.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    let mut nodes = Vec::new();
    for plan in ctx.plan.nodes.iter().filter(|node| node.should_run && !node.pods.iter().any(|pod| pod.available)) {
        if let Some(node) = ctx.snapshot.node(&plan.name).filter(|node| virtual_by(node).is_some()) {
            nodes.push((plan, node));
        }
    }
    if nodes.is_empty() { Vec::new() } else { vec![report(ctx, &nodes)] }
}

fn report(ctx: &Context<'_>, nodes: &[(&NodePlan, &Node)]) -> Finding {
    let names: Vec<_> = nodes.iter().map(|(plan, _)| plan.name.as_str()).collect();
    let pods: Vec<_> = nodes.iter().flat_map(|(plan, _)| &plan.pods).collect();
    let (key, value) = virtual_by(nodes[0].1).unwrap_or_default();
    let mut message = format!(
        "{} virtual ({key}={value}), where DaemonSet pods never run: {}. {}",
        text::pick(nodes.len(), "A wanted node is", "Wanted nodes are"),
        text::list(&names),
        toleration_text(ctx, nodes[0].1, text::pick(nodes.len(), "its", "their")),
    );
    message += &pods_text(ctx, &pods);
    message.extend(ctx.budget_sentence(&names).into_iter().flat_map(|sentence| [" ".to_owned(), sentence]));
    with_remedy(finding(FindingCode::VirtualNodes, Severity::Error, message, &names), remedy(ctx, (key, value)))
}

fn toleration_text(ctx: &Context<'_>, node: &Node, whose: &str) -> String {
    let hard = node.spec.taints.iter().find(|taint| taints::is_hard(taint));
    let toleration = hard.and_then(|taint| taints::toleration_for(&ctx.tolerations, taint));
    match (toleration, hard) {
        (Some(toleration), Some(taint)) if toleration.key.as_deref().unwrap_or_default().is_empty() => format!(
            "The blanket toleration ({}) of the template covers {whose} taint {}.",
            taints::toleration_text(toleration),
            taints::taint_text(taint)
        ),
        (Some(toleration), Some(taint)) => format!(
            "The toleration {} covers {whose} taint {}.",
            taints::toleration_text(toleration),
            taints::taint_text(taint)
        ),
        _ => "No taint keeps the set away.".to_owned(),
    }
}

fn pods_text(ctx: &Context<'_>, pods: &[&PodPlan]) -> String {
    let [first, ..] = pods else { return String::new() };
    let names: Vec<_> = pods.iter().map(|pod| pod.pod.as_str()).collect();
    let (one, many) = if first.details.is_bound {
        ("does not become available", "do not become available")
    } else {
        ("is Pending", "are Pending")
    };
    let age = first.details.created.map(|created| format!(", made {} ago", ctx.age(created))).unwrap_or_default();
    format!(" {} {}{age}.{}", text::list(&names), text::pick(pods.len(), one, many), up_to_date_text(ctx, pods))
}

/// Returns what the column UP-TO-DATE hides: it counts pods that never run.
fn up_to_date_text(ctx: &Context<'_>, pods: &[&PodPlan]) -> String {
    let new = pods.iter().filter(|pod| pod.revision == PodRevision::Current && !pod.deleting).count();
    let updated = usize::try_from(ctx.plan.status.updated_number_scheduled).unwrap_or_default();
    if new == 0 || ctx.waiting().next().is_none() {
        return String::new();
    }
    if new == updated {
        return format!(
            " UP-TO-DATE {} counts exactly {}, which can never run.",
            text::number(updated),
            text::pick(new, "this one", "these")
        );
    }
    format!(" UP-TO-DATE {} counts {} of these, which can never run.", text::number(updated), text::number(new))
}

fn remedy(ctx: &Context<'_>, (key, value): (&str, &str)) -> String {
    if key == PROVIDER_TAINT {
        return format!(
            "Take the toleration that covers {key} out of the template, or exclude the nodes by a label of theirs with a required node affinity."
        );
    }
    let what = format!("Exclude them in the template with a required node affinity: {key} NotIn [{value}]");
    let effect = "The pods there are then deleted at once, and since the template changes, a rollout follows";
    let terms = ctx.daemon_set.spec.template.spec.required_node_affinity.as_ref();
    if terms.is_some_and(|terms| !terms.is_empty()) {
        return format!("{what}, in every term that is there. {effect}.");
    }
    let expression = json!({ "key": key, "operator": "NotIn", "values": [value] });
    let required = json!({ "nodeSelectorTerms": [{ "matchExpressions": [expression] }] });
    let affinity = json!({ "nodeAffinity": { "requiredDuringSchedulingIgnoredDuringExecution": required } });
    let patch = json!({ "spec": { "template": { "spec": { "affinity": affinity } } } });
    format!("{what}: {}. {effect}.", ctx.patch(&patch))
}
