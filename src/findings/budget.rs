//! Nodes that are down and pods that do not terminate: what they hold up, since when, and how to get past them.

use std::collections::BTreeMap;

use jiff::SignedDuration;
use serde_json::json;

use crate::api::IntOrString;
use crate::findings::context::{Context, finding, is_down, with_remedy};
use crate::findings::{failing_pods, text};
use crate::plan::{Finding, FindingCode, NodePlan, PodPlan, Severity};

/// How long a pod may be there after its deletion was due.
const LATE_AFTER: SignedDuration = SignedDuration::from_secs(30);
/// How long a node is down before removing it is worth a thought.
const GIVEN_UP_AFTER: SignedDuration = SignedDuration::from_mins(10);

/// Reports nodes that are down, whether or not they hold up a rollout, and pods that should be gone.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    let nodes = ctx.plan.nodes.iter();
    let down: Vec<_> = nodes.filter(|node| is_down(node) && matters(ctx, node) && !has_available_pod(node)).collect();
    let nodes_down = (!down.is_empty()).then(|| nodes_down(ctx, &down));
    nodes_down.into_iter().chain(stuck_terminating(ctx)).collect()
}

/// Returns whether the set wants the node, or the rollout counts it.
fn matters(ctx: &Context<'_>, node: &NodePlan) -> bool {
    node.should_run || (ctx.is_stalled() && ctx.holds_budget(&node.name))
}

fn has_available_pod(node: &NodePlan) -> bool {
    node.pods.iter().any(|pod| pod.available && !pod.deleting)
}

fn nodes_down(ctx: &Context<'_>, down: &[&NodePlan]) -> Finding {
    let names = names(down);
    let state = format!(
        "{} down, and the set has no available pod there: {}.",
        match down.len() {
            1 => "A node is".to_owned(),
            all if all == ctx.plan.nodes.len() => format!("All {} nodes are", text::number(all)),
            some => format!("{} nodes are", text::number(some)),
        },
        down_text(ctx, down)
    );
    let Some(budget) = ctx.budget_sentence(&names) else {
        let message = format!("{state} A DaemonSet pod is not moved elsewhere: it waits for its node.");
        let finding = finding(FindingCode::NodesDown, Severity::Warning, message, &names);
        return with_remedy(finding, format!("{}.", node_remedies(ctx, down).join("; or ")));
    };
    let message = [Some(state), Some(budget), before_sentence(ctx, down)].into_iter().flatten().collect::<Vec<_>>();
    let mut remedies = node_remedies(ctx, down);
    let fails_anew = failing_pods::fails_anew(ctx);
    if !fails_anew {
        remedies.extend(larger_budget(ctx));
    }
    let emptied = text::pick(
        down.len(),
        "the node stays wanted and counts while it is",
        "the nodes stay wanted and count while they are",
    );
    let spread = if fails_anew { " A larger budget would only spread the new revision, which fails." } else { "" };
    let remedy = format!("{}. Removing only the pods frees nothing: {emptied} empty.{spread}", remedies.join("; or "));
    with_remedy(finding(FindingCode::BudgetExhausted, Severity::Error, message.join(" "), &names), remedy)
}

/// Returns the nodes by condition and state of their pods: `n3, n6 (Ready=Unknown for 6d, pod Terminating)`.
fn down_text(ctx: &Context<'_>, down: &[&NodePlan]) -> String {
    let mut groups = BTreeMap::<(&str, &str), Vec<&NodePlan>>::new();
    for node in down {
        let pods = match node.pods.first() {
            None => "no pod",
            Some(pod) if pod.deleting => "pod Terminating",
            Some(pod) if pod.details.is_bound => "pod not available",
            Some(_) => "pod not scheduled",
        };
        groups.entry((&node.condition.ready, pods)).or_default().push(node);
    }
    let len = groups.len();
    let told = groups.into_iter().map(|((ready, pods), nodes)| {
        format!("{} (Ready={ready}{}, {pods})", text::list(&names(&nodes)), for_ages(ctx, &nodes))
    });
    text::joined(told, len)
}

/// Returns ` for 6d`, or ` for 21s to 5m` where the nodes differ.
fn for_ages(ctx: &Context<'_>, nodes: &[&NodePlan]) -> String {
    let since = || nodes.iter().filter_map(|node| node.condition.since);
    let (Some(latest), Some(earliest)) = (since().max(), since().min()) else { return String::new() };
    match (ctx.age(latest), ctx.age(earliest)) {
        (short, long) if short == long => format!(" for {long}"),
        (short, long) => format!(" for {short} to {long}"),
    }
}

fn names<'a>(nodes: &[&'a NodePlan]) -> Vec<&'a str> {
    nodes.iter().map(|node| node.name.as_str()).collect()
}

/// Returns which nodes were down before the current revision was made.
fn before_sentence(ctx: &Context<'_>, down: &[&NodePlan]) -> Option<String> {
    let created = ctx.revision_created()?;
    let before: Vec<_> = down
        .iter()
        .filter(|node| node.condition.since.is_some_and(|since| since < created))
        .map(|node| node.name.as_str())
        .collect();
    let who = match before.len() {
        0 => return None,
        all if all == down.len() => text::pick(all, "It was", "All of them were").to_owned(),
        some => format!("{} {}", text::list(&before), text::pick(some, "was", "were")),
    };
    Some(format!("{who} down before {} began, {} ago.", ctx.revision(), ctx.age(created)))
}

fn node_remedies(ctx: &Context<'_>, down: &[&NodePlan]) -> Vec<String> {
    let names = names(down);
    if names.len() > 1 && 2 * names.len() > ctx.plan.nodes.len() {
        return vec![
            "So many at once point to the network or the control plane rather than to each node: look there first"
                .to_owned(),
        ];
    }
    let mut remedies = vec![format!("Bring {} back", text::list(&names))];
    if down.iter().any(|node| node.condition.since.is_none_or(|since| ctx.elapsed(since) < GIVEN_UP_AFTER)) {
        return remedies;
    }
    let pods: Vec<_> = down.iter().flat_map(|node| &node.pods).map(|pod| pod.pod.as_str()).collect();
    let freed = match (ctx.budget_sentence(&names).is_some(), pods.len()) {
        (false, _) | (true, 0) => String::new(),
        (true, len) => format!(
            " (the {} free once pod garbage collection has taken {})",
            text::pick(len, "place comes", "places come"),
            text::list(&pods)
        ),
    };
    remedies.push(format!(
        "if {} gone for good, remove {}: {}{freed}",
        text::pick(names.len(), "it is", "they are"),
        text::pick(names.len(), "its Node object", "their Node objects"),
        delete_nodes(&names)
    ));
    remedies
}

fn delete_nodes(names: &[&str]) -> String {
    match names.len() {
        ..=10 => format!("`kubectl delete node {}`", names.join(" ")),
        _ => "`kubectl delete node NAME` for each".to_owned(),
    }
}

/// Returns how to raise maxUnavailable just enough for one more node.
fn larger_budget(ctx: &Context<'_>) -> Option<String> {
    let strategy = &ctx.plan.update_strategy;
    if strategy.resolved_max_surge.is_some_and(|surge| surge > 0) {
        return None;
    }
    let desired = ctx.plan.status.desired_number_scheduled;
    let value = smallest_that_moves(strategy.max_unavailable.as_ref(), ctx.plan.rollout.budget.used, desired);
    let patch = json!({ "spec": { "updateStrategy": { "rollingUpdate": { "maxUnavailable": value } } } });
    let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Some(format!("set maxUnavailable to {value}, the smallest value that moves: {}", ctx.patch(&patch)))
}

/// Returns the smallest maxUnavailable that leaves a place beside the used ones; a percentage where one is written.
fn smallest_that_moves(written: Option<&IntOrString>, used: i64, desired: i64) -> serde_json::Value {
    let percent = (used * 100).checked_div(desired).map(|percent| percent + 1).filter(|percent| *percent <= 100);
    match (written, percent) {
        (Some(IntOrString::String(_)), Some(percent)) => json!(format!("{percent}%")),
        _ => json!(used + 1),
    }
}

/// Reports pods whose deletion is overdue on nodes that are ready: something keeps them.
fn stuck_terminating(ctx: &Context<'_>) -> Option<Finding> {
    let is_late = |pod: &&PodPlan| {
        let is_ended = matches!(pod.phase.as_str(), "Failed" | "Succeeded");
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
