//! The view of `why`: each node's checks, or nodes grouped by the same reason.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::plan::{Finding, NodeVerdict, Plan, Reason, Severity};

use super::head::Head;
use super::next::Next;
use super::nodes::{self, NodeItem};

/// Some nodes in full, as printed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WhyReport<'a> {
    /// Of kind `WhyReport`.
    #[serde(flatten)]
    pub head: Head<'a>,
    /// In the order asked for.
    pub items: Vec<NodeItem<'a>>,
    /// Errors and warnings that name one of these nodes, gravest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<&'a Finding>,
}

/// All nodes, grouped, as printed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WhyGroupReport<'a> {
    /// Of kind `WhyGroupReport`.
    #[serde(flatten)]
    pub head: Head<'a>,
    /// Largest first; of equal size by verdict, then by first node.
    pub items: Vec<WhyGroup<'a>>,
}

/// Nodes that stand as they do for the same reason.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WhyGroup<'a> {
    /// How many nodes.
    pub count: usize,
    /// A pod is wanted on them.
    pub should_run: bool,
    /// A pod that is on them may stay.
    pub should_continue_running: bool,
    /// How they stand; absent if they do not exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<NodeVerdict>,
    /// Why; absent if they do not exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// Details of the checks that failed, and of what is wrong with the pods.
    pub details: Vec<String>,
    /// Their names, sorted; empty text for pods without a target node.
    pub nodes: Vec<&'a str>,
}

impl<'a> WhyReport<'a> {
    /// Explains these nodes, which exist or have pods; others are left out.
    pub fn new(plan: &'a Plan, names: &[String]) -> Self {
        let mut by_name: BTreeMap<&str, NodeItem> =
            nodes::items(plan).into_iter().filter_map(|item| Some((item.name?, item))).collect();
        let mut items: Vec<NodeItem> = names.iter().filter_map(|name| by_name.remove(name.as_str())).collect();
        for item in &mut items {
            item.checks = item.name.and_then(|name| plan.node(name)).map_or(&[], |node| node.checks.as_slice());
        }
        Self {
            head: Head::new("WhyReport", plan),
            items,
            findings: plan.findings.iter().filter(|finding| is_about(finding, names)).collect(),
        }
    }
}

/// Returns whether something is wrong on one of these nodes.
fn is_about(finding: &Finding, names: &[String]) -> bool {
    finding.severity != Severity::Info && finding.nodes.iter().any(|node| names.contains(node))
}

/// Returns whether `why` can explain a node of this name: it exists, or has pods though it does not.
pub fn is_known_node(plan: &Plan, name: &str) -> bool {
    plan.node(name).is_some() || plan.stray_pods.iter().any(|pod| pod.node.as_deref() == Some(name))
}

impl<'a> WhyGroupReport<'a> {
    /// Groups all nodes of one plan.
    pub fn new(plan: &'a Plan) -> Self {
        let mut groups: BTreeMap<_, WhyGroup> = BTreeMap::new();
        for item in nodes::items(plan) {
            let details = details(&item);
            let key = (item.verdict, item.reason, item.should_run, item.should_continue_running, details);
            let group = groups.entry(key).or_insert_with_key(|key| WhyGroup {
                count: 0,
                should_run: item.should_run,
                should_continue_running: item.should_continue_running,
                verdict: item.verdict,
                reason: item.reason,
                details: key.4.clone(),
                nodes: Vec::new(),
            });
            group.count += 1;
            group.nodes.push(item.name.unwrap_or_default());
        }
        let mut items: Vec<WhyGroup> = groups.into_values().collect();
        items.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| (a.verdict, &a.nodes).cmp(&(b.verdict, &b.nodes))));
        Self { head: Head::new("WhyGroupReport", plan), items }
    }
}

/// Returns what sets a node apart from others with the same verdict.
///
/// A node's own name is taken out of the texts: it would make a group of every node.
fn details(item: &NodeItem) -> Vec<String> {
    let name = item.name.unwrap_or_default();
    let mut details: Vec<String> = Vec::new();
    for detail in item.failed_checks.iter().map(|detail| without_name(detail, name)) {
        // The NoExecute taints are also among all the taints.
        if !details.iter().any(|told| told.contains(&detail)) {
            details.push(detail);
        }
    }
    let said: BTreeSet<String> =
        details.iter().cloned().chain(item.reason.map(|reason| reason.standing().to_owned())).collect();
    let unsaid = |next: &Next| match next.message.split_once(": ") {
        Some((verb, why)) if said.contains(&standing(&without_name(why, name))) => verb.to_owned(),
        _ => without_name(&next.message, name),
    };
    details.extend(item.pods.iter().filter_map(|pod| match (pod.pod.available, unsaid(&pod.next)) {
        (true, next) => (!next.is_empty()).then_some(next),
        (false, next) if next.is_empty() => Some(format!("pod {}", pod.pod.details.state)),
        (false, next) => Some(format!("pod {}: {next}", pod.pod.details.state)),
    }));
    details.extend(item.next.iter().map(unsaid));
    details
}

/// Returns the part of a reason that says how things stand.
fn standing(why: &str) -> String {
    why.split_once(", so ").map_or(why, |(standing, _)| standing).to_owned()
}

/// Puts `<node>` where the text holds the name as a whole word. Names without a digit may be plain words and stay.
fn without_name(text: &str, name: &str) -> String {
    if !name.contains(|c: char| c.is_ascii_digit()) {
        return text.to_owned();
    }
    let is_inside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '-');
    let mut result = String::new();
    let mut end = 0;
    for (at, _) in text.match_indices(name) {
        let after = at + name.len();
        if at >= end && !is_inside(text[..at].chars().next_back()) && !is_inside(text[after..].chars().next()) {
            result.push_str(&text[end..at]);
            result.push_str("<node>");
            end = after;
        }
    }
    result.push_str(&text[end..]);
    result
}

#[cfg(test)]
mod tests {
    use super::without_name;

    #[test]
    fn only_the_whole_name_is_taken_out() {
        assert_eq!(
            without_name("n1 is not n10, xn1 or n1-a but n1", "n1"),
            "<node> is not n10, xn1 or n1-a but <node>"
        );
        assert_eq!(without_name("has a label", "a"), "has a label");
    }
}
