//! The view of `nodes`: one item per node, with its pods and what happens next.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::plan::{Check, NodeCondition, NodePlan, NodeVerdict, Plan, PodPlan, PodRevision, Reason};
use crate::snapshot::Snapshot;

use super::head::Head;
use super::next::{Next, NextSteps};
use super::suggest;

/// All nodes of one DaemonSet, as printed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeReport<'a> {
    /// Of kind `NodeReport`.
    #[serde(flatten)]
    pub head: Head<'a>,
    /// Sorted by node name; pods without a target node come last.
    pub items: Vec<NodeItem<'a>>,
}

/// One node, or one that does not exist but has pods.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeItem<'a> {
    /// Name of the node; absent for pods without a target node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// There is a Node object of this name.
    pub exists: bool,
    /// A pod is wanted here.
    pub should_run: bool,
    /// A pod that is here may stay.
    pub should_continue_running: bool,
    /// How the node stands; absent if it does not exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<NodeVerdict>,
    /// Why; absent if it does not exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// What placement looked at; only where it is asked for.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub checks: &'a [Check],
    /// The set's pods here, oldest first.
    pub pods: Vec<PodItem<'a>>,
    /// What happens on the node beside what happens to its pods.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Next>,
    /// How the node is, for `-o wide`.
    #[serde(skip)]
    pub condition: Option<&'a NodeCondition>,
    /// Details of the checks that failed, for `-o wide`.
    #[serde(skip)]
    pub failed_checks: Vec<&'a str>,
}

/// A pod and what happens to it.
#[derive(Clone, Debug, Serialize)]
pub struct PodItem<'a> {
    /// The pod as the plan has it.
    #[serde(flatten)]
    pub pod: &'a PodPlan,
    /// Number of its revision, if that is still stored.
    #[serde(rename = "revisionNumber", skip_serializing_if = "Option::is_none")]
    pub revision_number: Option<i64>,
    /// What happens next.
    pub next: Next,
}

impl<'a> NodeReport<'a> {
    /// Makes the report of one plan; with `only_problems` without the nodes that have none.
    pub fn new(plan: &'a Plan, only_problems: bool) -> Self {
        let mut items = items(plan);
        if only_problems {
            items.retain(NodeItem::is_problem);
        }
        Self { head: Head::new("NodeReport", plan), items }
    }
}

impl NodeItem<'_> {
    /// Returns whether a pod is missing, duplicate, misplaced, stray or not available.
    pub fn is_problem(&self) -> bool {
        use NodeVerdict::{Duplicate, Misscheduled, Missing, NotAvailable};
        matches!(self.verdict, None | Some(Missing | Duplicate | Misscheduled | NotAvailable))
    }

    /// Returns whether an available pod of the current revision is on a node that wants one.
    pub fn is_done(&self) -> bool {
        self.should_run && self.pods.iter().any(|item| item.pod.available && item.pod.revision == PodRevision::Current)
    }
}

/// Returns one item per node, sorted by name, with those that do not exist but have pods.
pub fn items(plan: &Plan) -> Vec<NodeItem<'_>> {
    let steps = NextSteps::new(plan);
    let numbers = revision_numbers(plan);
    let mut items: Vec<NodeItem> = plan.nodes.iter().map(|node| existing(node, &steps, &numbers)).collect();
    items.extend(strays(plan, &steps, &numbers));
    items.sort_by_key(|item| (item.name.is_none(), item.name));
    items
}

fn existing<'a>(node: &'a NodePlan, steps: &NextSteps, numbers: &BTreeMap<&str, i64>) -> NodeItem<'a> {
    NodeItem {
        name: Some(&node.name),
        exists: true,
        should_run: node.should_run,
        should_continue_running: node.should_continue_running,
        verdict: Some(node.verdict),
        reason: Some(node.reason),
        checks: &[],
        pods: node.pods.iter().map(|pod| pod_item(pod, steps.of_pod(pod, Some(node)), numbers)).collect(),
        next: steps.of_node(node),
        condition: Some(&node.condition),
        failed_checks: failed_checks(node),
    }
}

/// Returns the details of the checks that a node failed.
pub fn failed_checks(node: &NodePlan) -> Vec<&str> {
    let mut details: Vec<&str> =
        node.checks.iter().filter(|check| !check.passed).map(|check| check.detail.as_ref()).collect();
    // A NoExecute taint fails both checks of tolerations.
    let mut seen = BTreeSet::new();
    details.retain(|detail| seen.insert(*detail));
    details
}

fn strays<'a>(plan: &'a Plan, steps: &NextSteps, numbers: &BTreeMap<&str, i64>) -> Vec<NodeItem<'a>> {
    let mut by_node: BTreeMap<Option<&str>, Vec<PodItem>> = BTreeMap::new();
    for pod in &plan.stray_pods {
        let item = pod_item(pod, steps.of_pod(pod, None), numbers);
        by_node.entry(pod.node.as_deref()).or_default().push(item);
    }
    let item = |(name, pods)| NodeItem {
        name,
        exists: false,
        should_run: false,
        should_continue_running: false,
        verdict: None,
        reason: None,
        checks: &[],
        pods,
        next: None,
        condition: None,
        failed_checks: Vec::new(),
    };
    by_node.into_iter().map(item).collect()
}

fn pod_item<'a>(pod: &'a PodPlan, next: Next, numbers: &BTreeMap<&str, i64>) -> PodItem<'a> {
    PodItem { pod, revision_number: numbers.get(pod.details.hash.as_str()).copied(), next }
}

/// Returns the number of each stored revision by the hash that its pods carry.
fn revision_numbers(plan: &Plan) -> BTreeMap<&str, i64> {
    plan.history.revisions.iter().map(|revision| (revision.hash.as_str(), revision.number)).collect()
}

/// Nodes counted by the value of a label, as printed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeGroupReport<'a> {
    /// Of kind `NodeGroupReport`.
    #[serde(flatten)]
    pub head: Head<'a>,
    /// The label.
    pub label: &'a str,
    /// Sorted by value; nodes without the label come last.
    pub items: Vec<NodeGroup<'a>>,
}

/// Counts of the nodes that have one value of the label. Units: nodes.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeGroup<'a> {
    /// The value; absent for nodes without the label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<&'a str>,
    /// Nodes in all, those that do not exist included.
    pub nodes: usize,
    /// Nodes that want a pod.
    pub desired: usize,
    /// Of these, nodes with an available pod of the current revision.
    pub done: usize,
    /// Of these, nodes with a ready pod.
    pub ready: usize,
    /// Of these, nodes with an available pod.
    pub available: usize,
    /// Of these, nodes with a pod of the current revision.
    pub updated: usize,
    /// Of these, nodes without a pod.
    pub missing: usize,
    /// Nodes that keep a pod though none would be started.
    pub misscheduled: usize,
    /// Nodes that `--problems` shows.
    pub problems: usize,
}

impl<'a> NodeGroupReport<'a> {
    /// Counts the nodes of one plan by a label.
    pub fn new(snapshot: &'a Snapshot, plan: &'a Plan, label: &'a str) -> Self {
        let mut groups: BTreeMap<(bool, Option<&str>), NodeGroup> = BTreeMap::new();
        for item in items(plan) {
            let node = item.name.and_then(|name| snapshot.node(name));
            let value = node.and_then(|node| node.labels().get(label)).map(String::as_str);
            let group = groups.entry((value.is_none(), value)).or_default();
            group.value = value;
            group.count(&item);
        }
        Self { head: Head::new("NodeGroupReport", plan), label, items: groups.into_values().collect() }
    }
}

impl NodeGroup<'_> {
    fn count(&mut self, item: &NodeItem) {
        let wanted_with = |is: fn(&PodPlan) -> bool| item.should_run && item.pods.iter().any(|item| is(item.pod));
        self.nodes += 1;
        self.desired += usize::from(item.should_run);
        self.done += usize::from(item.is_done());
        self.ready += usize::from(wanted_with(|pod| pod.ready));
        self.available += usize::from(wanted_with(|pod| pod.available));
        self.updated += usize::from(wanted_with(|pod| pod.revision == PodRevision::Current));
        self.missing += usize::from(item.verdict == Some(NodeVerdict::Missing));
        self.misscheduled += usize::from(item.verdict == Some(NodeVerdict::Misscheduled));
        self.problems += usize::from(item.is_problem());
    }
}

/// Returns a hint if no node has the label, with a similar one that some node has.
pub fn hint_about_label(snapshot: &Snapshot, label: &str) -> Option<String> {
    let labels: BTreeSet<&str> =
        snapshot.nodes.iter().flat_map(|node| node.labels().keys()).map(String::as_str).collect();
    if snapshot.nodes.is_empty() || labels.contains(label) {
        return None;
    }
    let similar = suggest::closest(label, labels).map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
    Some(format!("no node has the label {label:?}{similar}"))
}
