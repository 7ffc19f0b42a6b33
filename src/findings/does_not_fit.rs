//! Pods that wait for the scheduler: what does not fit, by how much, and whether anything but their node could help.

use std::collections::BTreeMap;

use jiff::SignedDuration;

use crate::api::{Node, Pod, controller_of};
use crate::findings::context::{Context, finding, is_down, with_remedy};
use crate::findings::room::{self, Shortage, amount_text};
use crate::findings::{text, virtual_nodes};
use crate::plan::{Finding, FindingCode, NodePlan, PodPlan, Severity};

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

/// Why it gets none, as far as the numbers and the scheduler tell.
#[derive(Default)]
struct Trouble {
    shortages: Vec<Shortage>,
    ports: Vec<String>,
    reasons: Vec<String>,
    /// No node at all matches the pod's own node selector.
    is_selector_added: bool,
    /// Only the set's own old pod has the host ports: that is told for the set as a whole.
    is_in_its_own_way: bool,
    /// The numbers were looked at.
    is_worked_out: bool,
    preemption: Option<Preemption>,
}

/// What preemption could do for it.
enum Preemption {
    Hopeless,
    NothingLower { priority: i32 },
    Enough { priority: i32, lower: usize },
    NotEnough { priority: i32, lower: usize },
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
        let trouble = trouble(&waiting, others.get(waiting.plan.name.as_str()));
        if !trouble.is_in_its_own_way {
            groups.entry(trouble.cause()).or_default().push((waiting, trouble));
        }
    }
    groups.values().map(|group| report(ctx, group)).chain(not_scheduled(ctx, &unseen)).collect()
}

fn waiting<'a>(ctx: &Context<'a>) -> Vec<Waiting<'a>> {
    let is_waiting = |pod: &&PodPlan| !pod.deleting && !pod.details.is_bound && matches!(&*pod.phase, "Pending" | "");
    let mut waiting = Vec::new();
    for plan in ctx.plan.nodes.iter().filter(|node| node.should_run && !is_down(node)) {
        for pod_plan in plan.pods.iter().filter(is_waiting) {
            if let (Some(node), Some(pod)) = (ctx.snapshot.node(&plan.name), ctx.pod(&pod_plan.pod))
                && virtual_nodes::virtual_by(node).is_none()
            {
                waiting.push(Waiting { plan, node, pod_plan, pod });
            }
        }
    }
    waiting
}

fn trouble(waiting: &Waiting<'_>, others: Option<&Vec<&Pod>>) -> Trouble {
    let message = waiting.pod.condition("PodScheduled").map(|condition| condition.message.as_str()).unwrap_or_default();
    let mut trouble =
        Trouble { reasons: reasons(message), is_selector_added: is_selector_added(message), ..Trouble::default() };
    if let Some(others) = others {
        trouble.is_worked_out = true;
        trouble.shortages = room::shortages(waiting.node, waiting.pod, others);
        let conflicts = room::port_conflicts(waiting.pod, others);
        let owner = controller_of(&waiting.pod.metadata);
        trouble.is_in_its_own_way = !conflicts.is_empty()
            && trouble.shortages.is_empty()
            && conflicts.iter().all(|(_, other)| owner.is_some() && controller_of(&other.metadata) == owner);
        let conflicts = conflicts.into_iter();
        trouble.ports =
            conflicts.map(|(port, pod)| format!("{port} is taken by {}/{}", pod.namespace(), pod.name())).collect();
        trouble.preemption = (!trouble.shortages.is_empty()).then(|| preemption(waiting, &trouble, others));
    }
    trouble
}

/// Returns what the scheduler says of the one node that counts: its reasons without those of all other nodes.
fn reasons(message: &str) -> Vec<String> {
    let Some((_, rest)) = message.split_once("nodes are available: ") else { return Vec::new() };
    let rest = rest.split(". ").next().unwrap_or_default().trim_end_matches('.');
    let without_count = |reason: &str| {
        let reason = reason.trim();
        reason
            .split_once(' ')
            .filter(|(count, _)| count.parse::<u32>().is_ok())
            .map_or(reason, |(_, words)| words)
            .to_owned()
    };
    rest.split(", ").map(without_count).filter(|reason| !is_about_other_nodes(reason)).collect()
}

/// Returns whether the words are those for a node that the pod is not pinned to, in the scheduler's wordings so far.
fn is_about_other_nodes(reason: &str) -> bool {
    const WORDS: [&str; 5] = [
        "match Pod's node affinity",
        "match node affinity",
        "match node selector",
        "plugin(s) [NodeAffinity]",
        "prefilter",
    ];
    WORDS.iter().any(|words| reason.contains(words))
}

/// Returns whether the scheduler refuses every node for its labels, also the one that the pod is pinned to.
fn is_selector_added(message: &str) -> bool {
    let Some((available, rest)) = message.split_once(" nodes are available: ") else { return false };
    let total = available.trim_start_matches("0/");
    rest.split(['.', ',']).any(|reason| {
        is_about_other_nodes(reason) && reason.trim().split_once(' ').is_some_and(|(count, _)| count == total)
    })
}

/// Judges what the scheduler could gain by preempting the pods of lower priority.
fn preemption(waiting: &Waiting<'_>, trouble: &Trouble, others: &[&Pod]) -> Preemption {
    let priority = waiting.pod.spec.priority;
    let higher: Vec<_> = others.iter().copied().filter(|other| other.spec.priority >= priority).collect();
    let lower = others.len() - higher.len();
    match () {
        () if trouble.shortages.iter().any(Shortage::is_hopeless) => Preemption::Hopeless,
        () if lower == 0 => Preemption::NothingLower { priority },
        () if room::shortages(waiting.node, waiting.pod, &higher).is_empty() => Preemption::Enough { priority, lower },
        () => Preemption::NotEnough { priority, lower },
    }
}

impl Preemption {
    fn text(&self) -> String {
        match *self {
            Self::Hopeless => "The node is too small even if it were empty.".to_owned(),
            Self::NothingLower { priority } => {
                format!("No pod there has a lower priority than its {priority}, so preemption does not help.")
            }
            Self::Enough { priority, lower } => format!(
                "Without the {} there of lower priority than its {priority} it would fit, so the scheduler should preempt.",
                text::count(lower, "pod")
            ),
            Self::NotEnough { priority, lower } => format!(
                "Even without the {} there of lower priority than its {priority} it would not fit.",
                text::count(lower, "pod")
            ),
        }
    }
}

impl Trouble {
    /// Returns what pods with the same cause have in common.
    fn cause(&self) -> String {
        let resources: Vec<_> = self.shortages.iter().map(|shortage| shortage.resource.as_str()).collect();
        match () {
            () if self.is_selector_added => "selector".to_owned(),
            () if !resources.is_empty() => format!("resources {}", resources.join(" ")),
            () if !self.ports.is_empty() => "ports".to_owned(),
            () => format!("words {}", self.reasons.join(", ")),
        }
    }

    /// Returns what keeps a pod out, with numbers.
    fn text(&self) -> String {
        let ports = self.ports.iter().map(|port| format!("host port {port}"));
        let mut parts: Vec<_> = self.shortages.iter().map(shortage_text).chain(ports).collect();
        if parts.is_empty() {
            parts.push(match self.reasons.as_slice() {
                [] => "the scheduler gives no reason".to_owned(),
                reasons if self.fits_by_now() => {
                    format!("the scheduler said: {}; by the pods known here it would fit by now", reasons.join(", "))
                }
                reasons => format!("the scheduler says: {}", reasons.join(", ")),
            });
        }
        parts.join("; ")
    }

    /// Returns whether the scheduler spoke of room, and there is enough by now.
    fn fits_by_now(&self) -> bool {
        let is_about_room = |reason: &String| reason.starts_with("Insufficient") || reason.contains("Too many pods");
        self.is_worked_out
            && self.shortages.is_empty()
            && self.ports.is_empty()
            && self.reasons.iter().any(is_about_room)
    }
}

fn shortage_text(shortage: &Shortage) -> String {
    let Shortage { resource, requested, free, allocatable } = shortage;
    if resource == "pods" {
        return format!("the node has {} pods, of {allocatable} that it may have", allocatable.minus(*free));
    }
    format!(
        "needs {}, free {} of {} (short by {})",
        amount_text(*requested, resource),
        amount_text(*free, resource),
        amount_text(*allocatable, resource),
        amount_text(shortage.short_by(), resource),
    )
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
    let more = [
        trouble.preemption.as_ref().map(Preemption::text),
        current_text(ctx, group.len()),
        ctx.budget_sentence(&names),
    ];
    message.extend(more.into_iter().flatten().flat_map(|sentence| [" ".to_owned(), sentence]));
    with_remedy(finding(FindingCode::DoesNotFit, Severity::Error, message, &names), remedy(group, &names))
}

/// Returns one pod with its node, age and trouble.
fn told(ctx: &Context<'_>, waiting: &Waiting<'_>, trouble: &Trouble) -> String {
    let (pod, node) = (&waiting.pod_plan.pod, &waiting.plan.name);
    format!("{pod} on {node}, Pending{}: {}", ctx.for_age(waiting.pod_plan.since), trouble.text())
}

/// Returns that CURRENT counts pods which do not run.
fn current_text(ctx: &Context<'_>, len: usize) -> Option<String> {
    let current = ctx.plan.status.current_number_scheduled;
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
            "Free {what} on {node} by removing or moving another pod; or set a higher priorityClassName in the template, so \
             that pods of lower priority make room; or lower the requests. {only}"
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
