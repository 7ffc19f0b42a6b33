//! What the next sync does, one line for each reason.

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::{Action, Choice, Creation, Plan, PodPlan, PodReason, Reason, Resource, When};
use crate::view::next::any_of;
use crate::view::nodes::failed_checks;
use crate::view::words::{counted, names};

use super::acts;

/// Lines that are printed for different reasons before they are summed up.
pub(super) const REASONS_SHOWN: usize = 8;

/// Says what the next sync does.
pub fn next_sync(plan: &Plan) -> Vec<String> {
    let mut lines = history(plan);
    lines.extend(claim(
        "adopts",
        &plan.claims.adopt,
        ["matches the selector and has no owner", "match the selector and have no owner"],
    ));
    lines.extend(claim(
        "releases",
        &plan.claims.release,
        ["no longer matches the selector", "no longer match the selector"],
    ));
    if !acts(plan) {
        return vec!["does nothing".to_owned()];
    }
    if plan.missing.contains(&Resource::Nodes) {
        lines.push("cannot be judged without the nodes".to_owned());
        return lines;
    }
    lines.extend(creations(&plan.manage.create));
    lines.extend(deletions(plan, &plan.manage.delete));
    lines.extend(choices(&plan.manage.choose));
    if plan.rollout.when == When::Now {
        lines.extend(rollout(plan));
    }
    if lines.is_empty() {
        lines.push("creates 0, deletes 0".to_owned());
    }
    lines
}

fn history(plan: &Plan) -> Vec<String> {
    let history = &plan.history;
    let mut lines = Vec::new();
    if history.create {
        lines.push("makes a new revision: none matches the template".to_owned());
    }
    if let Some(renumber) = &history.renumber {
        lines.push(format!(
            "renumbers revision {} from {} to {}: it matches the template again",
            renumber.name, renumber.from, renumber.to
        ));
    }
    if !history.delete.is_empty() {
        lines.push(format!(
            "deletes {}: {}",
            counted(history.delete.len(), "old ControllerRevision"),
            names(&history.delete)
        ));
    }
    if !history.relabel.is_empty() {
        lines.push(format!("relabels {}: {}", counted(history.relabel.len(), "pod"), names(&history.relabel)));
    }
    lines
}

fn claim(verb: &str, pods: &[PodPlan], [one, many]: [&str; 2]) -> Option<String> {
    let names: Vec<&str> = pods.iter().map(|pod| pod.pod.as_str()).collect();
    let why = if pods.len() == 1 { one } else { many };
    let line = || format!("{verb} {} ({}), which {why}", counted(pods.len(), "pod"), self::names(&names));
    (!pods.is_empty()).then(line)
}

/// Says where pods are created, one line for each reason.
fn creations(creations: &[Creation]) -> Vec<String> {
    let by_reason = grouped(creations.iter().map(|creation| (creation.reason.message(), creation.node.as_str())));
    let line = |(why, nodes): (String, Vec<String>)| {
        format!("creates {} on {}: {why}", counted(nodes.len(), "pod"), names(&nodes))
    };
    by_reason.into_iter().map(line).collect()
}

/// Says which pods are deleted, one line for each reason and deciding detail of the node.
fn deletions<'a>(plan: &Plan, pods: impl IntoIterator<Item = &'a PodPlan>) -> Vec<String> {
    let mut by_reason = grouped(pods.into_iter().map(|pod| (why_deleted(plan, pod), pod_on_node(pod))));
    let others: Vec<String> =
        by_reason.drain(by_reason.len().min(REASONS_SHOWN)..).flat_map(|(_, pods)| pods).collect();
    let line = |(why, pods): (String, Vec<String>)| match &pods[..] {
        [pod] => format!("deletes {pod}: {why}"),
        pods => format!("deletes {} ({}): {why}", counted(pods.len(), "pod"), names(pods)),
    };
    let mut lines: Vec<String> = by_reason.into_iter().map(line).collect();
    if !others.is_empty() {
        lines.push(format!(
            "deletes {} more ({}), each for another reason",
            counted(others.len(), "pod"),
            names(&others)
        ));
    }
    lines
}

/// Puts values with the same key together, in the order in which the keys come first.
pub(super) fn grouped<K: Into<String>, V: Into<String>>(
    pairs: impl Iterator<Item = (K, V)>,
) -> Vec<(String, Vec<String>)> {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for (key, value) in pairs {
        let key = key.into();
        let place = *places.entry(key.clone()).or_insert_with(|| {
            groups.push((key, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(value.into());
    }
    groups
}

fn why_deleted(plan: &Plan, pod: &PodPlan) -> String {
    use Reason::{FailedPod, NodeShouldNotContinueRunning, SucceededPod};
    let Some(PodReason::Decision(reason)) = &pod.reason else { return "it is not wanted".to_owned() };
    let node = pod.node.as_deref().and_then(|name| plan.node(name));
    let comes_back = node.is_some_and(|node| node.should_run);
    let and_then = if comes_back { "; its node gets a new one in a later sync" } else { "" };
    match (reason, node) {
        (NodeShouldNotContinueRunning, Some(node)) => {
            format!("{}: {}", reason.message(), failed_checks(node).join("; "))
        }
        (FailedPod | SucceededPod, _) if pod.details.state == pod.phase => format!("{}{and_then}", reason.message()),
        (FailedPod | SucceededPod, _) => format!("{} ({}){and_then}", reason.message(), pod.details.state),
        _ => reason.message().to_owned(),
    }
}

pub(super) fn pod_on_node(pod: &PodPlan) -> String {
    match &pod.node {
        Some(node) => format!("{} on {node}", pod.pod),
        None => pod.pod.clone(),
    }
}

fn choices(choices: &[Choice]) -> Vec<String> {
    choices.iter().map(choice).collect()
}

fn choice(choice: &Choice) -> String {
    let candidates: Vec<String> = choice
        .from
        .iter()
        .map(|candidate| match &candidate.pod {
            Some(pod) => format!("{pod} on {}", candidate.node),
            None => candidate.node.clone(),
        })
        .collect();
    let reasons: BTreeSet<&str> = choice.from.iter().map(|candidate| candidate.reason.message()).collect();
    let why = reasons.into_iter().collect::<Vec<_>>().join("; or ");
    match choice.action {
        Action::Create => format!("creates a pod on {} ({}): {why}", any_of(choice, "node"), names(&candidates)),
        Action::Delete => format!("deletes {} ({}): {why}", any_of(choice, "pod"), names(&candidates)),
    }
}

/// Says what the rolling-update step does, beside what manage does to the same pods.
pub(super) fn rollout(plan: &Plan) -> Vec<String> {
    let doomed: BTreeSet<&str> = plan.manage.delete.iter().map(|pod| pod.pod.as_str()).collect();
    let delete: Vec<&PodPlan> = plan.rollout.delete.iter().filter(|pod| !doomed.contains(pod.pod.as_str())).collect();
    let mut lines = creations(&plan.rollout.create);
    lines.extend(deletions(plan, delete));
    lines.extend(choices(&plan.rollout.choose));
    lines
}
