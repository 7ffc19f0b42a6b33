//! Pods that wait for the scheduler: what does not fit, by how much, and whether anything but their node could help.

mod trouble;

use std::collections::BTreeMap;

use jiff::SignedDuration;

use crate::api::{Node, Pod};
use crate::findings::context::{Context, finding, is_down, with_remedy};
use crate::findings::room::{self, amount_text};
use crate::findings::{text, virtual_nodes};
use crate::plan::{Finding, FindingCode, NodePlan, PodPlan, PodRevision, Severity};
use crate::upstream::requests::pod_requests;

use trouble::{Preemption, Trouble, trouble};

/// For how many nodes the room is worked out.
const MAX_NODES: usize = 20;
/// How many pods of a cause are told with their numbers.
const MAX_TOLD: usize = 3;
/// How long the scheduler may take to look at a pod.
const LOOKED_AT_WITHIN: SignedDuration = SignedDuration::from_secs(60);

/// A pod that waits for a place.
struct Waiting<'a> {
    plan: &'a NodePlan,
    node: &'a Node,
    pod_plan: &'a PodPlan,
    pod: &'a Pod,
}

/// Reports pods that the scheduler found no place for, and those that it has not looked at.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    let waiting = waiting(ctx);
    let (unschedulable, unseen): (Vec<_>, Vec<_>) =
        waiting.into_iter().partition(|waiting| waiting.pod_plan.details.state == "Unschedulable");
    let nodes: Vec<_> = unschedulable.iter().map(|waiting| waiting.plan.name.as_str()).take(MAX_NODES).collect();
    let others = if nodes.is_empty() { BTreeMap::new() } else { room::pods_by_node(ctx.snapshot, &nodes) };
    let mut groups = BTreeMap::<String, Vec<(Waiting<'_>, Trouble)>>::new();
    for waiting in unschedulable.into_iter().filter(|waiting| waiting.pod_plan.details.is_held_up) {
        let trouble = trouble(waiting.node, waiting.pod, others.get(waiting.plan.name.as_str()));
        if !trouble.is_in_its_own_way {
            groups.entry(trouble.cause()).or_default().push((waiting, trouble));
        }
    }
    groups.values().map(|group| report(ctx, group)).chain(not_scheduled(ctx, &unseen)).collect()
}

fn waiting<'a>(ctx: &Context<'a>) -> Vec<Waiting<'a>> {
    let is_waiting = |pod: &&PodPlan| !pod.deleting && !pod.details.is_bound && matches!(&*pod.phase, "Pending" | "");
    let mut waiting = Vec::new();
    for plan in ctx.plan.nodes.iter().filter(|node| node.should_run) {
        // The scheduler looks at pods for nodes that are down, too; what it finds there has its cause in that.
        let counts = |pod: &&PodPlan| !is_down(plan) || pod.details.state != "Unschedulable";
        for pod_plan in plan.pods.iter().filter(is_waiting).filter(counts) {
            if let (Some(node), Some(pod)) = (ctx.snapshot.node(&plan.name), ctx.pod(&pod_plan.pod))
                && virtual_nodes::virtual_by(node).is_none()
            {
                waiting.push(Waiting { plan, node, pod_plan, pod });
            }
        }
    }
    waiting
}

fn report(ctx: &Context<'_>, group: &[(Waiting<'_>, Trouble)]) -> Finding {
    let names: Vec<_> = group.iter().map(|(waiting, _)| waiting.plan.name.as_str()).collect();
    let trouble = &group[0].1;
    if trouble.is_selector_added {
        return selector_added(ctx, group, &names);
    }
    let told: Vec<_> = group.iter().take(MAX_TOLD).map(|(waiting, trouble)| told(ctx, waiting, trouble)).collect();
    let rest = match group.len().saturating_sub(MAX_TOLD) {
        0 => String::new(),
        rest => format!("; and {} more", text::number(rest)),
    };
    let mut message = format!(
        "{} on the only node that may host {}: {}{rest}.",
        text::pick(group.len(), "A pod does not fit", "Pods do not fit"),
        text::pick(group.len(), "it", "each of them"),
        told.join("; "),
    );
    let grown = grown(ctx, group);
    let more = [
        grown.clone(),
        trouble.preemption.as_ref().map(Preemption::text),
        current_text(ctx, group.len()),
        ctx.budget_sentence(&names),
    ];
    message.extend(more.into_iter().flatten().flat_map(|sentence| [" ".to_owned(), sentence]));
    let mut remedy = remedy(group, &names);
    if grown.is_some() {
        let undo = format!("Go back to smaller requests: `kubectl rollout undo {}`", ctx.object());
        remedy = format!("{undo}; or else: {}", text::lower_first(&remedy));
    }
    with_remedy(finding(FindingCode::DoesNotFit, Severity::Error, message, &names), remedy)
}

/// Returns that the new revision requests more of what is lacking than the old pods, where it does and going back helps.
fn grown(ctx: &Context<'_>, group: &[(Waiting<'_>, Trouble)]) -> Option<String> {
    let shortage = group[0].1.shortages.iter().find(|shortage| shortage.resource != "pods")?;
    if ctx.plan.history.revisions.len() < 2 || group[0].0.pod_plan.revision != PodRevision::Current {
        return None;
    }
    let pods = ctx.plan.nodes.iter().flat_map(|node| &node.pods);
    let old = pods.filter(|pod| pod.revision == PodRevision::Old && pod.available).find_map(|pod| ctx.pod(&pod.pod))?;
    let before = pod_requests(old).get(&shortage.resource).copied().unwrap_or_default();
    (before < shortage.requested).then(|| format!("The old pods request {}.", amount_text(before, &shortage.resource)))
}

/// Returns one pod with its node, age and trouble.
fn told(ctx: &Context<'_>, waiting: &Waiting<'_>, trouble: &Trouble) -> String {
    let (pod, node) = (&waiting.pod_plan.pod, &waiting.plan.name);
    format!("{pod} on {node}, Pending{}: {}", ctx.for_age(waiting.pod_plan.since), trouble.text())
}

/// Returns that CURRENT counts pods which do not run.
fn current_text(ctx: &Context<'_>, len: usize) -> Option<String> {
    let current = usize::try_from(ctx.plan.status.current_number_scheduled).unwrap_or_default();
    let current = text::number(current);
    Some(format!(
        "CURRENT {current} counts {}, though {} not run.",
        text::pick(len, "it", "them"),
        text::pick(len, "it does", "they do")
    ))
}

fn remedy(group: &[(Waiting<'_>, Trouble)], names: &[&str]) -> String {
    let (first, trouble) = &group[0];
    let node = &first.plan.name;
    let only = match names {
        [name] => format!("A larger cluster does not help: only {name} can host this pod."),
        _ => "A larger cluster does not help: each of them can run on its own node only.".to_owned(),
    };
    if !trouble.ports.is_empty() {
        return format!("Stop the pod that has the port, or take another host port in the template. {only}");
    }
    if trouble.fits_by_now() {
        return "The scheduler tries again by itself, at the latest after 5m. If it fails again, pods of other namespaces take \
                room that is not known here."
            .to_owned();
    }
    let Some(shortage) = trouble.shortages.first() else {
        return format!("Mend on {} what the scheduler names. {only}", text::list(names));
    };
    let what = match shortage.resource.as_str() {
        "pods" => "a place for a pod".to_owned(),
        resource => amount_text(shortage.short_by(), resource),
    };
    match trouble.preemption {
        Some(Preemption::Hopeless) => {
            format!("Lower the requests in the template, or keep the set off such nodes with a node affinity. {only}")
        }
        Some(Preemption::Enough { .. }) => format!(
            "If it stays so, see whether the template's priority class has preemptionPolicy Never; or free {what} on {node} by \
             removing or moving another pod. {only}"
        ),
        _ => format!(
            "Free {what} on {node} by removing or moving another pod; or set a priorityClassName of higher \
             priority in the template, so that other pods make room; or lower the requests. {only}"
        ),
    }
}

/// Reports pods that no node matches although the set's own template matches: an admission plugin added a selector.
fn selector_added(ctx: &Context<'_>, group: &[(Waiting<'_>, Trouble)], names: &[&str]) -> Finding {
    let pods: Vec<_> = group.iter().map(|(waiting, _)| waiting.pod_plan.pod.as_str()).collect();
    let message = format!(
        "The scheduler refuses every node for {}, also the one that {} pinned to ({}): {} than the set knows, most \
         likely added at admission from a default node selector of the namespace.",
        text::list(&pods),
        text::pick(pods.len(), "it is", "each is"),
        text::list(names),
        text::pick(pods.len(), "it has a stricter node selector", "they have a stricter node selector"),
    );
    let remedy = format!(
        "Compare with `kubectl get pod {}{} -o jsonpath='{{.spec.nodeSelector}}'`; then empty the default for this namespace \
         (annotation openshift.io/node-selector or scheduler.alpha.kubernetes.io/node-selector), or write the same selector \
         into the template, so that no pod is made for nodes that it excludes.",
        pods[0],
        ctx.in_namespace()
    );
    with_remedy(finding(FindingCode::NodeSelectorAdded, Severity::Error, message, names), remedy)
}

/// Reports pods that have no word from the scheduler at all.
fn not_scheduled(ctx: &Context<'_>, unseen: &[Waiting<'_>]) -> Option<Finding> {
    let is_overdue = |waiting: &&Waiting<'_>| {
        let is_unseen =
            waiting.pod.condition("PodScheduled").is_none_or(|condition| condition.reason == "SchedulingGated");
        is_unseen && waiting.pod_plan.details.created.is_some_and(|created| ctx.elapsed(created) >= LOOKED_AT_WITHIN)
    };
    let unseen: Vec<_> = unseen.iter().filter(is_overdue).collect();
    let first = unseen.first()?;
    let is_gated = first.pod.condition("PodScheduled").is_some();
    let names: Vec<_> = unseen.iter().map(|waiting| waiting.plan.name.as_str()).collect();
    let pods = unseen.iter().map(|waiting| {
        format!(
            "{} on {}, made{} ago",
            waiting.pod_plan.pod,
            waiting.plan.name,
            ctx.for_age(waiting.pod_plan.details.created).replace(" for", "")
        )
    });
    let pods = text::joined(pods, unseen.len());
    let (message, remedy) = if is_gated {
        (
            format!("Scheduling gates hold {} back: {pods}.", text::count(unseen.len(), "pod")),
            "Whoever set spec.schedulingGates has to take them away; the scheduler waits for that.".to_owned(),
        )
    } else {
        (
            format!(
                "The scheduler has not looked at {}: {pods}. There is no PodScheduled condition.",
                text::count(unseen.len(), "pod")
            ),
            "See whether the scheduler runs, and whether the template's schedulerName names one that does.".to_owned(),
        )
    };
    Some(with_remedy(finding(FindingCode::NotScheduled, Severity::Error, message, &names), remedy))
}
