//! What helps failing pods: by what the kubelet says, and by what tells their nodes apart.

use serde_json::json;

use crate::findings::context::Context;
use crate::findings::text;

use super::{Group, TELLING, ended_container, values_elsewhere};

/// What to do where the registry has the image for other platforms only.
const FOR_PLATFORM: &str = "Take an image that is built for the platform of the node, too";

/// What a registry's or runtime's words on an image mean. The first that fits counts.
const IMAGE: [(&[&str], &str); 3] = [
    (&["no matching manifest", "no match for platform", "does not match the specified platform"], FOR_PLATFORM),
    (
        &["toomanyrequests", "Too Many Requests"],
        "The registry limits pulls: wait, or pull with an account, or through a mirror",
    ),
    (
        &["i/o timeout", "no such host", "connection refused", "context deadline exceeded", "x509:"],
        "The node does not get through to the registry: look at its network, DNS, proxy and certificates",
    ),
];

/// Returns what to do about the pods of a group, the cheapest first.
pub(super) fn remedy(ctx: &Context<'_>, group: &Group<'_>) -> String {
    let fix = platform(ctx, group).unwrap_or_else(|| by_state(ctx, group));
    if !group.is_new || ctx.plan.history.revisions.len() < 2 {
        return format!("{fix}.");
    }
    let undo = format!("`kubectl rollout undo {}`", ctx.object());
    if ctx.plan.update_strategy.type_ == "OnDelete" {
        return format!("{fix}; or go back, and then delete the failing pods: {undo}.");
    }
    let spread = if group.available.is_empty() { " A larger budget would only spread the failure." } else { "" };
    format!("{fix}; or go back: {undo} (the failing pods are then replaced first, whatever the budget).{spread}")
}

/// Returns what to do where the failing nodes have another operating system or architecture than the others.
fn platform(ctx: &Context<'_>, group: &Group<'_>) -> Option<String> {
    let (key, value) = group.label.filter(|(key, _)| TELLING.contains(key))?;
    let values: Vec<_> = values_elsewhere(ctx, group, key).into_iter().collect();
    let off = match values.as_slice() {
        [only] => {
            let mut selector = serde_json::Map::new();
            selector.insert(key.to_owned(), json!(only));
            ctx.patch(&json!({ "spec": { "template": { "spec": { "nodeSelector": selector } } } }))
        }
        _ => format!("a required node affinity, {key} NotIn [{value}]"),
    };
    let by_state = by_state(ctx, group);
    if by_state == FOR_PLATFORM {
        return Some(format!(
            "Keep the set off such nodes, which starts a rollout ({off}), or take an image that is built for {value}, too"
        ));
    }
    Some(format!(
        "If the image is not built for {value}: keep the set off such nodes, which starts a rollout ({off}), or take an image \
         that is built for both; otherwise {}",
        text::lower_first(&by_state)
    ))
}

fn by_state(ctx: &Context<'_>, group: &Group<'_>) -> String {
    let (_, pod) = group.pods[0];
    let (name, namespace) = (&pod.pod, ctx.in_namespace());
    match group.state {
        "ErrImagePull" | "ImagePullBackOff" | "InvalidImageName" | "ErrImageNeverPull" => {
            let words = pod.details.message.as_deref().unwrap_or_default();
            let event = group.event.map(|event| event.message.as_str()).unwrap_or_default();
            let says = |needle: &&&str| words.contains(**needle) || event.contains(**needle);
            let known = IMAGE.iter().find(|(needles, _)| needles.iter().any(|needle| says(&needle)));
            known.map_or("Fix the image name, or the pull secret, in the template", |(_, fix)| fix).to_owned()
        }
        "CreateContainerConfigError" => {
            "Create the ConfigMap, Secret or key that the message names, and the kubelet starts \
                                         the pods by itself; or fix the reference in the template"
                .to_owned()
        }
        "CrashLoopBackOff" | "OOMKilled" | "Error" => ended(ctx, group),
        "NotReady" => format!(
            "See which probe fails: `kubectl describe pod {name}{namespace}`, and `kubectl logs {name}{namespace}`"
        ),
        _ => by_event(group)
            .unwrap_or_else(|| format!("See what it waits for: `kubectl describe pod {name}{namespace}`")),
    }
}

/// Returns what to do about a container that ends: its log, or more memory.
fn ended(ctx: &Context<'_>, group: &Group<'_>) -> String {
    let (_, pod) = group.pods[0];
    let object = ctx.pod(&pod.pod);
    let container = object.and_then(ended_container);
    let end = container.and_then(|container| container.last_end());
    if let (Some(container), Some("OOMKilled")) = (container, end.map(|end| end.reason.as_str())) {
        return format!(
            "Raise the memory limit of container {} in the template, or find out what it needs the memory for",
            container.name
        );
    }
    // Of several containers kubectl takes the first that is no init container.
    let is_default =
        |name: &str| object.is_some_and(|object| object.spec.containers.first().is_some_and(|c| c.name == name));
    let of = match container {
        Some(container) if !is_default(&container.name) => format!(" -c {}", container.name),
        _ => String::new(),
    };
    format!("See why it ends: `kubectl logs {}{}{of} --previous`, and fix that", pod.pod, ctx.in_namespace())
}

/// Returns what to do about the latest warning, where it says why a pod does not start.
fn by_event(group: &Group<'_>) -> Option<String> {
    let event = group.event?;
    let nodes: Vec<_> = group.pods.iter().map(|(node, _)| node.name.as_str()).collect();
    match event.reason.as_str() {
        "FailedMount" if event.message.contains("not found") => Some(
            "Create what the message names, and the kubelet starts the pods by itself; or fix the reference in the template"
                .to_owned(),
        ),
        "FailedCreatePodSandBox" => Some(format!(
            "The network plugin or the container runtime fails on {}: look at the plugin's own pod there, and at the kubelet's log",
            text::list(&nodes)
        )),
        _ => None,
    }
}
