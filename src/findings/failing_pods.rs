//! Pods on ready nodes that do not become available: the new revision is at fault, or something on single nodes.

use std::collections::BTreeMap;

use crate::api::{ContainerStatus, Event};
use crate::findings::context::{Context, finding, is_down, with_remedy};
use crate::findings::text;
use crate::plan::{Finding, FindingCode, NodePlan, PodPlan, PodRevision, Severity};

/// What failing pods have in common: word of their state, and image.
type Cause<'a> = (&'a str, &'a str);

/// Labels that often tell where an image does not run.
const TELLING: [&str; 2] = ["kubernetes.io/os", "kubernetes.io/arch"];

type FailingPods<'a> = Vec<(&'a NodePlan, &'a PodPlan)>;

/// Reports pods that fail in the same way together.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    let mut groups = BTreeMap::<Cause<'_>, FailingPods<'_>>::new();
    for (node, pod) in failing(ctx) {
        let image = pod.details.image.as_deref().unwrap_or_default();
        groups.entry((&pod.details.state, image)).or_default().push((node, pod));
    }
    groups.into_iter().map(|(cause, pods)| group(ctx, cause, &pods)).collect()
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
        let is_live = !pod.deleting && !matches!(pod.phase.as_str(), "Failed" | "Succeeded");
        is_live && pod.revision == PodRevision::Current && details.is_bound && !pod.available && !details.is_in_flight
    })
}

fn group(ctx: &Context<'_>, (state, image): Cause<'_>, pods: &FailingPods<'_>) -> Finding {
    let is_new = has_old_pods(ctx);
    let names: Vec<_> = pods.iter().map(|(node, _)| node.name.as_str()).collect();
    let described = pods.iter().map(|(node, pod)| format!("{} on {}{}", pod.pod, node.name, ctx.for_age(pod.since)));
    let mut message = format!(
        "{}{} {}: {}{}.",
        if is_new { format!("{} fails: ", text::capitalized(&ctx.revision())) } else { String::new() },
        text::count(pods.len(), "pod"),
        state_text(state, pods.len()),
        text::joined(described, pods.len()),
        if image.is_empty() { String::new() } else { format!(" (image {image})") },
    );
    for more in [cause_text(ctx, pods[0].1), Some(elsewhere_text(ctx, &names)), ctx.budget_sentence(&names)] {
        message.extend(more.into_iter().flat_map(|sentence| [" ".to_owned(), sentence]));
    }
    let code = if is_new { FindingCode::NewRevisionFails } else { FindingCode::PodsFail };
    let remedy = remedy(ctx, state, pods[0].1, is_new);
    with_remedy(finding(code, Severity::Error, message, &names), remedy)
}

fn state_text(state: &str, len: usize) -> String {
    match state {
        "NotReady" => text::pick(len, "runs but is not Ready", "run but are not Ready").to_owned(),
        "Ready" => format!("{} Ready and not yet available", text::pick(len, "is", "are")),
        _ => format!("{} in {state}", text::pick(len, "is", "are")),
    }
}

/// Returns what the kubelet says of the first of the pods: how its container ended last, its words, or an event.
fn cause_text(ctx: &Context<'_>, pod: &PodPlan) -> Option<String> {
    let object = ctx.pod(&pod.pod);
    let ended = object.and_then(|object| object.status.container_statuses.iter().find_map(last_end));
    let restarts = match pod.details.restarts {
        0 => None,
        restarts => Some(text::count(usize::try_from(restarts).unwrap_or_default(), "restart")),
    };
    let words = pod.details.message.as_deref().map(text::quote).or_else(|| event_text(ctx, pod));
    let parts: Vec<_> = [restarts, ended, words].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("{}: {}.", pod.pod, parts.join("; ")))
}

fn last_end(container: &ContainerStatus) -> Option<String> {
    let terminated = container.state.terminated.as_ref().or(container.last_state.terminated.as_ref())?;
    Some(match terminated.reason.as_str() {
        "" | "Error" => format!("container {} ended with exit code {}", container.name, terminated.exit_code),
        reason => format!("container {} ended with {reason} (exit code {})", container.name, terminated.exit_code),
    })
}

fn event_text(ctx: &Context<'_>, pod: &PodPlan) -> Option<String> {
    let is_warning = |event: &&Event| event.type_ == "Warning" && event.reason != "FailedScheduling";
    let event = ctx.events("Pod", &pod.pod).find(is_warning)?;
    Some(format!("{}: {}", event.reason, text::quote(&event.message)))
}

/// Returns whether the same revision does better elsewhere, and what tells those nodes apart.
fn elsewhere_text(ctx: &Context<'_>, failing: &[&str]) -> String {
    let is_available = |pod: &PodPlan| pod.available && pod.revision == PodRevision::Current && !pod.deleting;
    let available: Vec<_> = ctx
        .plan
        .nodes
        .iter()
        .filter(|node| node.pods.iter().any(is_available))
        .map(|node| node.name.as_str())
        .collect();
    if available.is_empty() {
        return format!(
            "{} Ready, and no pod of this revision is available anywhere, which points to the revision rather than to the node.",
            text::pick(failing.len(), "The node is", "The nodes are")
        );
    }
    let others = text::count(available.len(), "other node");
    match telling_label(ctx, failing, &available) {
        Some(label) => format!(
            "The same revision is available on {others}; {} {label}, which {}.",
            text::pick(failing.len(), "this one has", "all of these have"),
            text::pick(available.len(), "that one lacks", "none of those has"),
        ),
        None => format!(
            "The same revision is available on {others}, so look for what differs on {}.",
            text::pick(failing.len(), "that node", "those nodes")
        ),
    }
}

/// Returns a label that all failing nodes have and no available one; of a single failing node only system and architecture.
fn telling_label(ctx: &Context<'_>, failing: &[&str], available: &[&str]) -> Option<String> {
    let node = |name: &&str| ctx.snapshot.node(name);
    let first = node(failing.first()?)?;
    let tells = |key: &str, value: &str| {
        let has =
            |name: &&str| node(name).is_some_and(|node| node.labels().get(key).is_some_and(|found| found == value));
        failing.iter().all(has) && !available.iter().any(has)
    };
    let usual = TELLING.iter().filter_map(|key| first.labels().get_key_value(*key));
    let any = first.labels().iter().filter(|_| failing.len() > 1);
    usual.chain(any).find(|(key, value)| tells(key, value)).map(|(key, value)| format!("{key}={value}"))
}

fn remedy(ctx: &Context<'_>, state: &str, pod: &PodPlan, is_new: bool) -> String {
    let (name, namespace) = (&pod.pod, ctx.in_namespace());
    let fix = match state {
        "ErrImagePull" | "ImagePullBackOff" | "InvalidImageName" | "ErrImageNeverPull" => {
            "Fix the image name, or the pull secret, in the template".to_owned()
        }
        "CreateContainerConfigError" => {
            "Create the ConfigMap, Secret or key that the message names, or fix the reference".to_owned()
        }
        "CrashLoopBackOff" | "OOMKilled" | "Error" => {
            format!("See why it ends: `kubectl logs {name}{namespace} --previous`, and fix that")
        }
        "NotReady" => format!(
            "See which probe fails: `kubectl describe pod {name}{namespace}`, and `kubectl logs {name}{namespace}`"
        ),
        _ => format!("See what it waits for: `kubectl describe pod {name}{namespace}`"),
    };
    if !is_new || ctx.plan.history.revisions.len() < 2 {
        return format!("{fix}.");
    }
    let undo = format!("`kubectl rollout undo {}`", ctx.object());
    match ctx.plan.update_strategy.type_.as_str() {
        "OnDelete" => format!("{fix}; or go back, and then delete the failing pods: {undo}."),
        _ => format!(
            "{fix}; or go back: {undo} (the failing pods are then replaced first, whatever the budget). A larger budget would \
             only spread the failure."
        ),
    }
}
