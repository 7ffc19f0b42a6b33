//! Pods on ready nodes that do not become available: the new revision is at fault, or something on single nodes.

mod remedy;

use std::collections::{BTreeMap, BTreeSet};

use crate::api::{ContainerStatus, Event, Pod};
use crate::findings::context::{Context, finding, is_down, with_remedy};
use crate::findings::text;
use crate::plan::{Finding, FindingCode, NodePlan, PodPlan, PodRevision, Severity};

/// What failing pods have in common: word of their state, and image.
type Cause<'a> = (&'a str, &'a str);

/// Labels that often tell where an image does not run.
const TELLING: [&str; 2] = ["kubernetes.io/os", "kubernetes.io/arch"];

type FailingPods<'a> = Vec<(&'a NodePlan, &'a PodPlan)>;

/// Pods that fail in the same way, and what is known about them.
struct Group<'a> {
    state: &'a str,
    image: &'a str,
    pods: FailingPods<'a>,
    /// Old pods are still there.
    is_new: bool,
    /// Nodes on which the same revision is available.
    available: Vec<&'a str>,
    /// A label that all failing nodes have and no available one, with its value.
    label: Option<(&'a str, &'a str)>,
    /// The latest warning about the first of the pods.
    event: Option<&'a Event>,
}

/// Reports pods that fail in the same way together.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    let mut groups = BTreeMap::<Cause<'_>, FailingPods<'_>>::new();
    for (node, pod) in failing(ctx) {
        let image = pod.details.image.as_deref().unwrap_or_default();
        groups.entry((&pod.details.state, image)).or_default().push((node, pod));
    }
    groups.into_iter().map(|(cause, pods)| report(ctx, &group(ctx, cause, pods))).collect()
}

/// Returns whether pods of a new revision fail while old ones are still there: then a larger budget does harm.
pub fn fails_anew(ctx: &Context<'_>) -> bool {
    failing(ctx).next().is_some() && has_old_pods(ctx)
}

fn has_old_pods(ctx: &Context<'_>) -> bool {
    ctx.plan.nodes.iter().flat_map(|node| &node.pods).any(|pod| pod.revision == PodRevision::Old)
}

/// Returns the pods of the current revision that a ready node runs, and that time alone does not mend.
fn failing<'a>(ctx: &Context<'a>) -> impl Iterator<Item = (&'a NodePlan, &'a PodPlan)> {
    let nodes = ctx.plan.nodes.iter().filter(|node| !is_down(node) && node.should_run);
    let pods = nodes.flat_map(|node| node.pods.iter().map(move |pod| (node, pod)));
    pods.filter(|(_, pod)| {
        let details = &pod.details;
        let is_live = pod.is_live();
        is_live && pod.revision == PodRevision::Current && details.is_bound && !pod.available && !details.is_in_flight
    })
}

fn group<'a>(ctx: &Context<'a>, (state, image): Cause<'a>, pods: FailingPods<'a>) -> Group<'a> {
    let is_available = |pod: &PodPlan| pod.available && pod.revision == PodRevision::Current && !pod.deleting;
    let nodes = ctx.plan.nodes.iter().filter(|node| node.pods.iter().any(is_available));
    let available: Vec<_> = nodes.map(|node| node.name.as_str()).collect();
    let names: Vec<_> = pods.iter().map(|(node, _)| node.name.as_str()).collect();
    let is_warning = |event: &&Event| event.type_ == "Warning" && event.reason != "FailedScheduling";
    Group {
        state,
        image,
        is_new: has_old_pods(ctx),
        label: if available.is_empty() { None } else { telling_label(ctx, &names, &available) },
        available,
        event: ctx.events("Pod", &pods[0].1.pod).find(is_warning),
        pods,
    }
}

fn report(ctx: &Context<'_>, group: &Group<'_>) -> Finding {
    let Group { state, image, pods, is_new, .. } = group;
    let names: Vec<_> = pods.iter().map(|(node, _)| node.name.as_str()).collect();
    let described = pods.iter().map(|(node, pod)| format!("{} on {}{}", pod.pod, node.name, ctx.for_age(pod.since)));
    let who = match (is_new, group.available.is_empty()) {
        (false, _) => String::new(),
        (true, true) => format!("{} fails: ", text::capitalized(&ctx.revision())),
        (true, false) => format!("{} fails on some nodes: ", text::capitalized(&ctx.revision())),
    };
    let mut message = format!(
        "{who}{} {}: {}{}.",
        text::count(pods.len(), "pod"),
        state_text(state, pods.len()),
        text::joined(described, pods.len()),
        if image.is_empty() { String::new() } else { format!(" (image {image})") },
    );
    for more in [cause_text(ctx, group), Some(elsewhere_text(group)), ctx.budget_sentence(&names)] {
        message.extend(more.into_iter().flat_map(|sentence| [" ".to_owned(), sentence]));
    }
    let code = if *is_new { FindingCode::NewRevisionFails } else { FindingCode::PodsFail };
    with_remedy(finding(code, Severity::Error, message, &names), remedy::remedy(ctx, group))
}

fn state_text(state: &str, len: usize) -> String {
    match state {
        "NotReady" => text::pick(len, "runs but is not Ready", "run but are not Ready").to_owned(),
        "Ready" => format!("{} Ready and not yet available", text::pick(len, "is", "are")),
        _ => format!("{} in {state}", text::pick(len, "is", "are")),
    }
}

/// Returns what the kubelet says of the first of the pods: how its container ended last, its words, or an event.
fn cause_text(ctx: &Context<'_>, group: &Group<'_>) -> Option<String> {
    let (_, pod) = group.pods[0];
    let ended = ctx.pod(&pod.pod).and_then(|object| end_text(object, ended_container(object)?));
    let restarts = match pod.details.restarts {
        0 => None,
        restarts => Some(text::count(usize::try_from(restarts).unwrap_or_default(), "restart")),
    };
    let event = || group.event.map(|event| format!("{}: {}", event.reason, text::quote(&event.message)));
    let words = pod.details.message.as_deref().map(text::quote).or_else(event);
    let parts: Vec<_> = [restarts, ended, words].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("{}: {}.", pod.pod, parts.join("; ")))
}

/// Returns the container of a pod that has ended, now or in its last run.
fn ended_container(pod: &Pod) -> Option<&ContainerStatus> {
    pod.status.container_statuses.iter().find(|container| container.last_end().is_some())
}

/// Returns how a container ended: `init container install ended with exit code 1`.
fn end_text(pod: &Pod, container: &ContainerStatus) -> Option<String> {
    let end = container.last_end()?;
    let is_init = !pod.spec.containers.iter().any(|ordinary| ordinary.name == container.name);
    let who = format!("{}container {}", if is_init { "init " } else { "" }, container.name);
    Some(match end.reason.as_str() {
        "" | "Error" => format!("{who} ended with exit code {}", end.exit_code),
        reason => format!("{who} ended with {reason} (exit code {})", end.exit_code),
    })
}

/// Returns whether the same revision does better elsewhere, and what tells those nodes apart.
fn elsewhere_text(group: &Group<'_>) -> String {
    let (failing, available) = (group.pods.len(), group.available.len());
    if available == 0 {
        return format!(
            "{} Ready, and no pod of this revision is available anywhere, which points to the revision rather than to the node.",
            text::pick(failing, "The node is", "The nodes are")
        );
    }
    let others = text::count(available, "other node");
    match group.label {
        Some((key, value)) => format!(
            "The same revision is available on {others}; {} {key}={value}, which {}.",
            text::pick(failing, "this one has", "all of these have"),
            text::pick(available, "that one lacks", "none of those has"),
        ),
        None => format!(
            "The same revision is available on {others}, so look for what differs on {}.",
            text::pick(failing, "that node", "those nodes")
        ),
    }
}

/// Returns a label that all failing nodes have and no available one; of a single failing node only system and architecture.
fn telling_label<'a>(ctx: &Context<'a>, failing: &[&str], available: &[&str]) -> Option<(&'a str, &'a str)> {
    let node = |name: &&str| ctx.snapshot.node(name);
    let first = node(failing.first()?)?;
    let tells = |key: &str, value: &str| {
        let has =
            |name: &&str| node(name).is_some_and(|node| node.labels().get(key).is_some_and(|found| found == value));
        failing.iter().all(has) && !available.iter().any(has)
    };
    let usual = TELLING.iter().filter_map(|key| first.labels().get_key_value(*key));
    let any = first.labels().iter().filter(|_| failing.len() > 1);
    let mut labels = usual.chain(any).map(|(key, value)| (key.as_str(), value.as_str()));
    labels.find(|(key, value)| tells(key, value))
}

/// Returns the values that a label has on the nodes where the revision is available.
fn values_elsewhere<'a>(ctx: &Context<'a>, group: &Group<'_>, key: &str) -> BTreeSet<&'a str> {
    let nodes = group.available.iter().filter_map(|name| ctx.snapshot.node(name));
    nodes.filter_map(|node| node.labels().get(key)).map(String::as_str).collect()
}
