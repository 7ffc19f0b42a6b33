//! Nodes that are down: what they hold up, since when, and how to get past them.

use std::collections::BTreeMap;

use jiff::SignedDuration;
use serde_json::json;

use crate::api::IntOrString;
use crate::findings::context::{Context, finding, is_down, with_remedy};
use crate::findings::{failing_pods, text};
use crate::plan::{Finding, FindingCode, NodePlan, PodPlan, PodRevision, Severity};
use crate::upstream::duration::human_duration;

/// How many nodes are named again in what to do about them.
const FEW: usize = 3;
/// How long a node is down before removing it is worth a thought.
const GIVEN_UP_AFTER: SignedDuration = SignedDuration::from_mins(10);

/// Reports nodes that are down, whether or not they hold up a rollout.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    let nodes = ctx.plan.nodes.iter();
    let down: Vec<_> = nodes.filter(|node| is_down(node) && matters(ctx, node) && !has_available_pod(node)).collect();
    let nodes_down = (!down.is_empty()).then(|| nodes_down(ctx, &down));
    nodes_down.into_iter().collect()
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
        "{} down, and the set has no available pod there: {}.{}",
        match down.len() {
            1 => "A node is".to_owned(),
            all if all == ctx.plan.nodes.len() => format!("All {} nodes are", text::number(all)),
            some => format!("{} nodes are", text::number(some)),
        },
        down_text(ctx, down),
        kubelet_text(ctx, down),
    );
    let Some(budget) = ctx.budget_sentence(&names) else {
        let message = format!("{state} A DaemonSet pod is not moved elsewhere: it waits for its node.");
        let finding = finding(FindingCode::NodesDown, Severity::Warning, message, &names);
        return with_remedy(finding, format!("{}.", node_remedies(ctx, down).join("; or ")));
    };
    let suspects = suspects(ctx, down);
    let suspicion = (!suspects.is_empty()).then(|| suspicion_text(ctx, &suspects));
    let message = [Some(state), Some(budget), before_sentence(ctx, down), suspicion];
    let message = message.into_iter().flatten().collect::<Vec<_>>();
    if let Some((_, pod)) = suspects.first() {
        let others: Vec<_> = down
            .iter()
            .copied()
            .filter(|node| !suspects.iter().any(|(suspect, _)| suspect.name == node.name))
            .collect();
        let others = match others.as_slice() {
            [] => String::new(),
            others => format!(" {}.", node_remedies(ctx, others).join("; or ")),
        };
        let remedy = format!("{}{others}", suspect_remedy(ctx, pod));
        return with_remedy(finding(FindingCode::BudgetExhausted, Severity::Error, message.join(" "), &names), remedy);
    }
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

/// Returns the nodes that went down after a pod of the new revision was started on them, with that pod.
fn suspects<'a>(ctx: &Context<'_>, down: &[&'a NodePlan]) -> Vec<(&'a NodePlan, &'a PodPlan)> {
    let is_new = |node: &NodePlan, pod: &PodPlan| {
        let (created, since) = (pod.details.created, node.condition.since);
        pod.revision == PodRevision::Current
            && pod.details.is_bound
            && created
                .zip(since)
                .is_some_and(|(created, since)| created <= since && ctx.revision_created() <= Some(created))
    };
    let with_pod = down.iter().filter_map(|node| Some((*node, node.pods.iter().find(|pod| is_new(node, pod))?)));
    with_pod.collect()
}

fn suspicion_text(ctx: &Context<'_>, suspects: &[(&NodePlan, &PodPlan)]) -> String {
    let told = suspects.iter().map(|(node, pod)| {
        let created = pod.details.created.zip(node.condition.since);
        let after = created.map(|(created, since)| human_duration(since.duration_since(created))).unwrap_or_default();
        format!("{} went down {after} after {} was made there", node.name, pod.pod)
    });
    format!("{}: {} may be the cause.", text::joined(told, suspects.len()), ctx.revision())
}

/// Returns what to do where the new revision may bring nodes down: nothing that lets it go on.
fn suspect_remedy(ctx: &Context<'_>, pod: &PodPlan) -> String {
    format!(
        "See what the pod does to its node: `kubectl logs {}{} --previous`; if it is the cause, go back: `kubectl rollout undo {}`. \
         Do not raise the budget before that is known: the rollout would go on to the next nodes.",
        pod.pod,
        ctx.in_namespace(),
        ctx.object()
    )
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

/// Returns what the kubelet of the first node that still reports says is wrong.
fn kubelet_text(ctx: &Context<'_>, down: &[&NodePlan]) -> String {
    let reports = |node: &&&NodePlan| node.condition.ready == "False";
    let words = down.iter().filter(reports).find_map(|node| {
        let message = &ctx.snapshot.node(&node.name)?.condition("Ready")?.message;
        (!message.is_empty()).then(|| format!(" The kubelet of {} says: {}.", node.name, text::quote(message)))
    });
    words.unwrap_or_default()
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
    // They are named already; a few bear it twice.
    let them = if names.len() > FEW { "them".to_owned() } else { text::list(&names) };
    let mut remedies = vec![format!("Bring {them} back")];
    // A kubelet that says that it is not ready is not gone.
    let may_be_gone = |node: &&NodePlan| {
        node.condition.ready == "Unknown"
            && node.condition.since.is_some_and(|since| ctx.elapsed(since) >= GIVEN_UP_AFTER)
    };
    if !down.iter().all(may_be_gone) {
        return remedies;
    }
    let pods: Vec<_> = down.iter().flat_map(|node| &node.pods).map(|pod| pod.pod.as_str()).collect();
    let freed = match (ctx.budget_sentence(&names).is_some(), pods.len()) {
        (false, _) | (true, 0) => String::new(),
        (true, len) => format!(
            " (the {} free once pod garbage collection has taken {})",
            text::pick(len, "place comes", "places come"),
            if len > FEW { "their pods".to_owned() } else { text::list(&pods) }
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
