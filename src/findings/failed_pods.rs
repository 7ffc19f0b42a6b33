//! Pods that have failed or ended: why, what follows, and whether it will happen again.

use std::collections::BTreeMap;

use crate::api::Node;
use crate::findings::context::{Context, finding, with_remedy};
use crate::findings::text;
use crate::plan::{Finding, FindingCode, NodePlan, PodPlan, Severity};

/// Conditions of a node, and the taints that go with them, under which kubelets evict pods.
const PRESSURES: [(&str, &str); 3] = [
    ("DiskPressure", "node.kubernetes.io/disk-pressure"),
    ("MemoryPressure", "node.kubernetes.io/memory-pressure"),
    ("PIDPressure", "node.kubernetes.io/pid-pressure"),
];

/// Reports ended pods that are not yet being deleted, those with the same reason together.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    let mut groups = BTreeMap::<(&str, &str), Vec<(&NodePlan, &PodPlan)>>::new();
    for node in ctx.plan.nodes.iter().filter(|node| node.should_continue_running) {
        let ended = |pod: &&PodPlan| !pod.deleting && pod.is_terminal();
        for pod in node.pods.iter().filter(ended) {
            groups.entry((&pod.phase, &pod.details.state)).or_default().push((node, pod));
        }
    }
    groups.into_iter().map(|((phase, reason), pods)| report(ctx, phase, reason, &pods)).collect()
}

fn report(ctx: &Context<'_>, phase: &str, reason: &str, pods: &[(&NodePlan, &PodPlan)]) -> Finding {
    let names: Vec<_> = pods.iter().map(|(node, _)| node.name.as_str()).collect();
    let described = pods.iter().map(|(node, pod)| format!("{} on {}", pod.pod, node.name));
    let state = if reason == phase || reason == "Completed" { phase.to_owned() } else { format!("{phase} ({reason})") };
    let mut message = format!(
        "{} {state}: {}.",
        format_args!("{} {}", text::count(pods.len(), "pod"), text::pick(pods.len(), "is", "are")),
        text::joined(described, pods.len()),
    );
    let words = pods[0].1.details.message.as_deref().map(|words| format!("{}: {}.", pods[0].1.pod, text::quote(words)));
    let again = pressure_text(ctx, pods);
    let is_likely_again = again.is_some();
    let counted = pods.iter().any(|(node, _)| node.should_run).then(|| {
        let current = usize::try_from(ctx.plan.status.current_number_scheduled).unwrap_or_default();
        let current = text::number(current);
        format!("CURRENT {current} counts {} all the same.", text::pick(pods.len(), "it", "them"))
    });
    let before = before_text(ctx, &names);
    for sentence in [words, Some(what_follows(phase, pods)), before, again, counted].into_iter().flatten() {
        message += &format!(" {sentence}");
    }
    let severity = if phase == "Succeeded" { Severity::Info } else { Severity::Warning };
    let finding = finding(FindingCode::PodsFailed, severity, message, &names);
    match remedy(reason, is_likely_again, &names) {
        Some(remedy) => with_remedy(finding, remedy),
        None => finding,
    }
}

fn what_follows(phase: &str, pods: &[(&NodePlan, &PodPlan)]) -> String {
    let it = text::pick(pods.len(), "it", "them");
    let wanted = pods.iter().filter(|(node, _)| node.should_run).count();
    let then = match wanted {
        0 => "none is made in its place, since the node does not want one",
        _ => "a later sync makes a new one",
    };
    match phase {
        "Failed" => format!(
            "The controller deletes {it}, and {then}; where a pod fails again it backs off, per node, from 1s up to 15m."
        ),
        _ => format!("The controller deletes {it} without back-off, and {then}."),
    }
}

/// Returns how often pods have failed on these nodes before, as far as the controller's events tell.
fn before_text(ctx: &Context<'_>, nodes: &[&str]) -> Option<String> {
    let is_of_them = |message: &str| nodes.iter().any(|node| message.contains(&format!("on node {node},")));
    let events = ctx.events("DaemonSet", ctx.daemon_set.name());
    let count = events
        .filter(|event| event.reason == "FailedDaemonPod" && is_of_them(&event.message))
        .map(|event| usize::try_from(event.count).unwrap_or(1).max(1))
        .sum::<usize>();
    let there = text::pick(nodes.len(), "there", "on these nodes");
    (count > 1).then(|| {
        format!("It is not the first time: the controller has found {} failed pods {there}.", text::number(count))
    })
}

/// Returns which of the nodes are still in the state that makes kubelets evict.
fn pressure_text(ctx: &Context<'_>, pods: &[(&NodePlan, &PodPlan)]) -> Option<String> {
    let under = pods.iter().filter_map(|(plan, _)| {
        let pressures = pressures(ctx.snapshot.node(&plan.name)?);
        (!pressures.is_empty()).then(|| format!("{} still has {}", plan.name, pressures.join(" and ")))
    });
    let under: Vec<_> = under.collect();
    if under.is_empty() {
        return None;
    }
    Some(format!("{}: expect a new pod to be evicted again.", text::list(&under)))
}

fn pressures(node: &Node) -> Vec<&'static str> {
    let has = |(condition, taint): &&(&str, &str)| {
        node.condition(condition).is_some_and(|condition| condition.status == "True")
            || node.spec.taints.iter().any(|found| found.key == *taint)
    };
    PRESSURES.iter().filter(has).map(|(condition, _)| *condition).collect()
}

fn remedy(reason: &str, is_likely_again: bool, names: &[&str]) -> Option<String> {
    let nodes = text::list(names);
    Some(match reason {
        "Evicted" if is_likely_again => {
            format!(
                "Relieve {nodes} first (images and logs on its disk, pods without limits); requests close to real use and a higher priority make an eviction less likely."
            )
        }
        "OutOfcpu" | "OutOfmemory" | "OutOfpods" | "OutOfephemeral-storage" => {
            format!("The kubelet had no room when the pod arrived: free room on {nodes}, or lower the requests.")
        }
        "NodeAffinity" => {
            format!(
                "The kubelet found that {nodes} does not match the pod's node selector, as after a restart with other labels: compare the labels of the node with the template."
            )
        }
        "Preempting" => {
            format!(
                "The kubelet made room on {nodes} for a critical pod: free room there, or set a priorityClassName of higher priority in the template."
            )
        }
        "NodePorts" => format!("Another process or pod on {nodes} had the host port when the pod arrived."),
        "UnexpectedAdmissionError" => {
            format!(
                "A device plugin or the kubelet's resource managers on {nodes} refused the pod, often just after a restart."
            )
        }
        _ => return None,
    })
}
