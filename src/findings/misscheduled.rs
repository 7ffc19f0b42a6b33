//! Taints that keep the set away: pods that are kept where none would be started, and nodes that get none.

use std::collections::BTreeMap;

use crate::findings::context::{Context, finding, is_old, with_remedy};
use crate::findings::text;
use crate::findings::tolerate::{CONTROL_PLANE, RENAMED, is_not_up, toleration_remedy};
use crate::plan::{Finding, FindingCode, NodePlan, NodeVerdict, PodPlan, Reason, Severity, When};
use crate::upstream::taints::taint_text;

/// Keys of the taints by which autoscalers mark a node that they are about to remove.
const LEAVING: [&str; 3] = ["karpenter.sh/disrupted", "karpenter.sh/disruption", "ToBeDeletedByClusterAutoscaler"];

const LEAVING_REMEDY: &str = "Nothing need be done: an autoscaler is about to remove the node.";

/// Taints that are not tolerated, as text, with the nodes that carry just these.
type ByTaints<'a> = BTreeMap<String, Vec<&'a NodePlan>>;

/// Reports, per taint, nodes that keep a pod and nodes that get none.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    let mut kept = ByTaints::new();
    let mut left_out = ByTaints::new();
    for plan in &ctx.plan.nodes {
        let is_tainted = matches!(plan.reason, Reason::UntoleratedNoScheduleTaint | Reason::UntoleratedNoExecuteTaint);
        let groups = match plan.verdict {
            NodeVerdict::Misscheduled if plan.should_continue_running => &mut kept,
            NodeVerdict::NotWanted if is_tainted => &mut left_out,
            _ => continue,
        };
        groups.entry(untolerated(ctx, plan).0).or_default().push(plan);
    }
    let mut findings: Vec<_> = kept.iter().flat_map(|(taints, nodes)| kept_pods(ctx, taints, nodes)).collect();
    if ctx.plan.status.desired_number_scheduled > 0 {
        findings.extend(left_out.iter().map(|(taints, nodes)| not_started(ctx, taints, nodes)));
    }
    findings
}

/// Returns the taints that keep the set off a node, as text; and whether all of them go by themselves.
fn untolerated(ctx: &Context<'_>, plan: &NodePlan) -> (String, bool) {
    let Some(node) = ctx.snapshot.node(&plan.name) else { return (String::new(), false) };
    let taints = ctx.untolerated_taints(node);
    let text: Vec<_> = taints.iter().map(|taint| taint_text(taint)).collect();
    (text.join(", "), taints.iter().all(|taint| is_not_up(&taint.key)))
}

/// Returns whether an autoscaler is about to remove the node.
fn is_leaving(ctx: &Context<'_>, plan: &NodePlan) -> bool {
    let node = ctx.snapshot.node(&plan.name);
    node.is_some_and(|node| node.spec.taints.iter().any(|taint| LEAVING.contains(&taint.key.as_str())))
}

/// Reports kept pods: old ones, which a running rollout deletes, apart from the rest.
fn kept_pods(ctx: &Context<'_>, taints: &str, nodes: &[&NodePlan]) -> Vec<Finding> {
    let is_rolling = matches!(ctx.plan.rollout.when, When::Now | When::AfterManage);
    let (old, others): (Vec<_>, Vec<_>) =
        nodes.iter().copied().partition(|node| is_rolling && node.pods.iter().any(is_old));
    let comes_back = nodes.first().is_some_and(|node| untolerated(ctx, node).1);
    let mut findings = Vec::new();
    if !old.is_empty() {
        findings.push(rollout_loses(ctx, taints, &old, comes_back));
    }
    if others.is_empty() {
        return findings;
    }
    if comes_back && ctx.plan.status.desired_number_scheduled == 0 {
        // That no node is eligible says it all.
        return findings;
    }
    findings.push(if comes_back { kept_until_up(ctx, taints, &others) } else { kept_for_good(ctx, taints, &others) });
    findings
}

fn names<'a>(nodes: &[&'a NodePlan]) -> Vec<&'a str> {
    nodes.iter().map(|node| node.name.as_str()).collect()
}

fn kept_for_good(ctx: &Context<'_>, taints: &str, nodes: &[&NodePlan]) -> Finding {
    let names = names(nodes);
    let message = format!(
        "{} The taint {taints} on {} is not tolerated: none would be started there, but one that runs may stay. {} until deleted \
         and would not come back; a later rollout removes {}. The alert KubeDaemonSetMisScheduled counts {}.",
        sum_text(ctx, nodes.len()),
        text::list(&names),
        text::pick(names.len(), "It stays", "They stay"),
        text::pick(names.len(), "it", "them"),
        text::pick(names.len(), "it", "them"),
    );
    if is_leaving(ctx, nodes[0]) {
        let finding = finding(FindingCode::KeptOnTaintedNodes, Severity::Info, message, &names);
        return with_remedy(finding, LEAVING_REMEDY.to_owned());
    }
    let finding = finding(FindingCode::KeptOnTaintedNodes, Severity::Warning, message, &names);
    with_remedy(finding, format!("Nothing need be done. {}", toleration_remedy(ctx, nodes[0])))
}

/// Returns how the pods that are there come together: `5 pods run: 3 on wanted nodes, and 2 kept on others`.
fn sum_text(ctx: &Context<'_>, kept: usize) -> String {
    let wanted = usize::try_from(ctx.plan.status.current_number_scheduled).unwrap_or_default();
    let all_kept = usize::try_from(ctx.plan.status.number_misscheduled).unwrap_or_default();
    let removed =
        ctx.plan.nodes.iter().filter(|node| node.verdict == NodeVerdict::Misscheduled && !node.should_continue_running);
    let removed = removed.count();
    if kept == all_kept - removed.min(all_kept) && removed == 0 {
        return format!(
            "{} = {} on wanted nodes + {} kept on {}.",
            text::count(wanted + kept, "pod"),
            text::number(wanted),
            text::number(kept),
            text::pick(kept, "a tainted node", "tainted nodes"),
        );
    }
    format!("{} kept on {}.", text::count(kept, "pod"), text::pick(kept, "a tainted node", "tainted nodes"))
}

fn kept_until_up(ctx: &Context<'_>, taints: &str, nodes: &[&NodePlan]) -> Finding {
    let names = names(nodes);
    let message = format!(
        "{} not up ({taints}) and, for the time being, not wanted: {} the pods that are there, counted as misscheduled rather \
         than in DESIRED, and {} wanted again once the taint is gone.",
        format_args!("{} {}", text::list(&names), text::pick(names.len(), "is", "are")),
        text::pick(names.len(), "it keeps", "they keep"),
        text::pick(names.len(), "is", "are"),
    );
    let finding = finding(FindingCode::KeptOnNodesNotReady, Severity::Warning, message, &names);
    with_remedy(finding, not_up_remedy(ctx, nodes[0]))
}

fn rollout_loses(ctx: &Context<'_>, taints: &str, nodes: &[&NodePlan], comes_back: bool) -> Finding {
    let names = names(nodes);
    let pods = nodes.iter().filter_map(|node| node.pods.iter().find(|pod| is_old(pod)).map(|pod| described(node, pod)));
    let then = if comes_back { "a new one is made only when the taint is gone" } else { "none is made in its place" };
    let message = format!(
        "The rollout also deletes {} on {} not tolerated ({taints}): {}. There {then}.",
        text::count(names.len(), "old pod"),
        text::pick(names.len(), "a node whose taint is", "nodes whose taint is"),
        text::joined(pods, names.len()),
    );
    let remedy = if comes_back { not_up_remedy(ctx, nodes[0]) } else { toleration_remedy(ctx, nodes[0]) };
    with_remedy(finding(FindingCode::RolloutLosesPods, Severity::Warning, message, &names), remedy)
}

fn described(node: &NodePlan, pod: &PodPlan) -> String {
    format!("{} on {}", pod.pod, node.name)
}

fn not_started(ctx: &Context<'_>, taints: &str, nodes: &[&NodePlan]) -> Finding {
    let names = names(nodes);
    let message = format!(
        "{} no pod and {} none, because of the taint {taints}: {}.",
        format_args!("{} {}", text::count(names.len(), "node"), text::pick(names.len(), "has", "have")),
        text::pick(names.len(), "wants", "want"),
        text::list(&names),
    );
    let is_temporary = untolerated(ctx, nodes[0]).1;
    let remedy = if is_temporary { not_up_remedy(ctx, nodes[0]) } else { plain_remedy(ctx, nodes[0]) };
    with_remedy(finding(FindingCode::NotStartedOnTaintedNodes, Severity::Info, message, &names), remedy)
}

fn not_up_remedy(ctx: &Context<'_>, node: &NodePlan) -> String {
    format!(
        "Nothing need be done for the set. If nodes need it to come up (network, storage, cloud provider), its template has to \
         tolerate {}.",
        untolerated(ctx, node).0
    )
}

/// Returns what would make the node wanted, where that is hardly meant.
fn plain_remedy(ctx: &Context<'_>, plan: &NodePlan) -> String {
    if is_leaving(ctx, plan) {
        return LEAVING_REMEDY.to_owned();
    }
    let taints = untolerated(ctx, plan).0;
    let renamed = if taints.starts_with(CONTROL_PLANE) { RENAMED } else { "" };
    format!("To run there, tolerate {taints}{renamed} in the template.")
}
