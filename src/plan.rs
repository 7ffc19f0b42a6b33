//! The Plan: what one sync of the controller would do, and every reason.
//!
//! Its serialized form is the contract's JSON (`kubectl-daemonset/v1`): camelCase, API words, absent values left out.
//! Lists are sorted by node, then pod name. Fields that only the human output needs are not serialized.

mod codes;
pub mod numbers;

use std::borrow::Cow;

use jiff::Timestamp;
use serde::{Serialize, Serializer};

use crate::api::IntOrString;

pub use codes::{
    Action, CheckName, FindingCode, NextAction, NodeVerdict, Outcome, PodRevision, Reason, Resource, Severity, Verdict,
    When,
};
pub(crate) use codes::{codes, serialize_as_code};

/// `apiVersion` of everything that is printed as JSON or YAML.
pub const API_VERSION: &str = "kubectl-daemonset/v1";

/// Plans of several DaemonSets, as printed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanList<'a> {
    /// Always [`API_VERSION`].
    pub api_version: &'static str,
    /// Always `PlanList`.
    pub kind: &'static str,
    /// Sorted by namespace, then name.
    pub items: &'a [Plan],
}

impl<'a> PlanList<'a> {
    /// Wraps plans for printing.
    pub fn new(items: &'a [Plan]) -> Self {
        Self { api_version: API_VERSION, kind: "PlanList", items }
    }
}

/// What one sync of the DaemonSet controller would do for one DaemonSet.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// Whose plan this is.
    pub daemon_set: DaemonSetRef,
    /// The clock that was used.
    pub evaluated_at: Timestamp,
    /// How the sync would end.
    pub outcome: Outcome,
    /// The error in which the sync would end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The state of the set in a word.
    pub verdict: Verdict,
    /// The rollout is held by `pause`.
    #[serde(skip_serializing_if = "is_false")]
    pub paused: bool,
    /// Kinds that the source lacks, sorted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Resource>,
    /// The current revision, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<RevisionRef>,
    /// The strategy as written, and what it comes to.
    pub update_strategy: UpdateStrategy,
    /// The numbers that the sync would report.
    pub status: StatusNumbers,
    /// The numbers last reported.
    pub reported: StatusNumbers,
    /// Ownership changes.
    pub claims: Claims,
    /// Creations and deletions outside the rollout.
    pub manage: Manage,
    /// The rolling-update step on this same state.
    pub rollout: Rollout,
    /// Changes to the ControllerRevisions.
    pub history: History,
    /// One entry per existing node, sorted by name.
    pub nodes: Vec<NodePlan>,
    /// Pods on nodes that do not exist, or without a target node.
    pub stray_pods: Vec<PodPlan>,
    /// What a person should know beyond the decisions, gravest first.
    pub findings: Vec<Finding>,
    /// Age of the DaemonSet's creation.
    #[serde(skip)]
    pub created: Option<Timestamp>,
}

impl Plan {
    /// Returns the existing node of this name.
    pub fn node(&self, name: &str) -> Option<&NodePlan> {
        self.nodes.binary_search_by(|node| node.name.as_str().cmp(name)).ok().map(|i| &self.nodes[i])
    }

    /// Returns all pods of the set, wherever they are.
    pub fn pods(&self) -> impl Iterator<Item = &PodPlan> {
        self.nodes.iter().flat_map(|node| &node.pods).chain(&self.stray_pods)
    }
}

/// Identity of a DaemonSet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the API's own names")]
pub struct DaemonSetRef {
    pub namespace: String,
    pub name: String,
    pub uid: String,
    pub generation: i64,
    pub observed_generation: i64,
}

/// The current revision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RevisionRef {
    /// Name of the ControllerRevision.
    pub name: String,
    /// Number as stored.
    pub number: i64,
    /// Value of the hash label that its pods carry.
    pub hash: String,
}

/// Update strategy as written and as resolved.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UpdateStrategy {
    /// `RollingUpdate`, `OnDelete`, or what the object says.
    #[serde(rename = "type")]
    pub type_: String,
    /// As written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_unavailable: Option<IntOrString>,
    /// As written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_surge: Option<IntOrString>,
    /// Nodes, after scaling (percent rounded up) and the both-zero fallback; absent under OnDelete and if it does not parse.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved_max_unavailable: Option<i64>,
    /// Nodes, after scaling (percent rounded up); absent under OnDelete and if it does not parse.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved_max_surge: Option<i64>,
}

/// The seven numbers of a DaemonSet's status. Units: nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the API's own names")]
pub struct StatusNumbers {
    pub desired_number_scheduled: i64,
    pub current_number_scheduled: i64,
    pub number_ready: i64,
    pub updated_number_scheduled: i64,
    pub number_available: i64,
    pub number_misscheduled: i64,
    pub number_unavailable: i64,
}

/// Ownership changes that the sync makes first.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Claims {
    /// Orphans that match the selector.
    pub adopt: Vec<PodPlan>,
    /// Owned pods that no longer match it.
    pub release: Vec<PodPlan>,
}

/// What the manage phase does.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Manage {
    /// Certain creations.
    pub create: Vec<Creation>,
    /// Certain deletions; the reason of each pod says why it goes.
    pub delete: Vec<PodPlan>,
    /// Open ones.
    pub choose: Vec<Choice>,
}

impl Manage {
    /// Returns whether the phase does nothing.
    pub fn is_empty(&self) -> bool {
        self.create.is_empty() && self.delete.is_empty() && self.choose.is_empty()
    }
}

/// What the rolling-update step does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rollout {
    /// Whether this sync takes the step.
    pub when: When,
    /// Who may be unavailable, and who is.
    pub budget: Budget,
    /// Certain deletions; the reason of each pod says why it goes.
    pub delete: Vec<PodPlan>,
    /// Certain creations, beside an old pod.
    pub create: Vec<Creation>,
    /// Open ones.
    pub choose: Vec<Choice>,
    /// The step would end in this error and do nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl Rollout {
    /// Returns whether the step does nothing.
    pub fn is_empty(&self) -> bool {
        self.create.is_empty() && self.delete.is_empty() && self.choose.is_empty()
    }
}

/// The rollout budget. Units: nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Budget {
    /// resolvedMaxSurge if positive, else resolvedMaxUnavailable.
    pub max: i64,
    /// Nodes that count against it before the step acts.
    pub used: i64,
    /// max(0, max - used).
    pub free: i64,
    /// The nodes that count, sorted by node.
    pub used_by: Vec<BudgetHolder>,
}

impl Budget {
    /// Returns the names of the nodes that count, sorted.
    pub fn holders(&self) -> impl Iterator<Item = &str> {
        self.used_by.iter().map(|holder| holder.node.as_str())
    }
}

/// A node that counts against the budget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BudgetHolder {
    /// Name of the node, which may no longer exist.
    pub node: String,
    /// The pod that is to blame: the first one in sort order, if there is any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pod: Option<String>,
    /// Why it counts.
    pub reason: Reason,
}

/// A pod to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Creation {
    /// The node it is for.
    pub node: String,
    /// Why.
    pub reason: Reason,
}

/// An open decision: upstream takes any `count` of `from`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// What is done to those taken.
    pub action: Action,
    /// How many are taken; less than there are candidates.
    pub count: usize,
    /// The candidates, sorted by node, then pod name.
    pub from: Vec<Candidate>,
}

/// A candidate of a choice.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Candidate {
    /// Its node.
    pub node: String,
    /// The pod; absent when one is to be created.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pod: Option<String>,
    /// Why it is a candidate.
    #[serde(skip)]
    pub reason: Reason,
}

/// Changes to the ControllerRevisions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct History {
    /// No revision matches the template: one is made.
    #[serde(skip_serializing_if = "is_false")]
    pub create: bool,
    /// An older revision matches again and becomes the newest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renumber: Option<Renumber>,
    /// Revisions that go: equal ones, and those over the limit. Sorted by name.
    pub delete: Vec<String>,
    /// The set's revisions, oldest first.
    #[serde(skip)]
    pub revisions: Vec<RevisionSummary>,
    /// Pods whose hash label is rewritten because equal revisions are merged. Sorted by name.
    #[serde(skip)]
    pub relabel: Vec<String>,
}

/// A revision of the set, as explanations show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisionSummary {
    /// Name of the ControllerRevision.
    pub name: String,
    /// Number as stored.
    pub number: i64,
    /// Value of the hash label that its pods carry.
    pub hash: String,
    /// When it was made.
    pub created: Option<Timestamp>,
    /// Equals the template.
    pub is_equal: bool,
    /// The one that counts among those that equal it.
    pub is_current: bool,
}

/// A new number for an old revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "plain")]
pub struct Renumber {
    pub name: String,
    pub from: i64,
    pub to: i64,
}

/// One node: what should be there, and what is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodePlan {
    /// Name of the node.
    pub name: String,
    /// A pod is wanted here.
    pub should_run: bool,
    /// A pod that is here may stay.
    pub should_continue_running: bool,
    /// How the node stands.
    pub verdict: NodeVerdict,
    /// Why.
    pub reason: Reason,
    /// What placement looked at, in the controller's order.
    pub checks: Vec<Check>,
    /// The set's pods here, oldest first as the controller sorts them; serialized by name.
    #[serde(serialize_with = "by_name")]
    pub pods: Vec<PodPlan>,
    /// `Ready` condition and cordon, for explanations.
    #[serde(skip)]
    pub condition: NodeCondition,
}

/// How a node is, as explanations show it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeCondition {
    /// Status of the `Ready` condition: `True`, `False`, `Unknown`, or empty if there is none.
    pub ready: Cow<'static, str>,
    /// Since when.
    pub since: Option<Timestamp>,
    /// Cordoned.
    pub is_unschedulable: bool,
}

/// One check of placement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Which one.
    pub check: CheckName,
    /// Whether the node passed.
    pub passed: bool,
    /// The field that decided, with its value on both sides.
    pub detail: Cow<'static, str>,
}

/// A pod of the set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PodPlan {
    /// Its name.
    pub pod: String,
    /// Its uid.
    pub uid: String,
    /// Its target node, which may not exist; absent if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// As reported.
    pub phase: String,
    /// The Ready condition is True.
    pub ready: bool,
    /// Ready for at least minReadySeconds.
    pub available: bool,
    /// Whether it is of the current revision.
    pub revision: PodRevision,
    /// It terminates.
    #[serde(skip_serializing_if = "is_false")]
    pub deleting: bool,
    /// In a list of actions: why this is done. Elsewhere: what is wrong with the pod, in Kubernetes' own word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<PodReason>,
    /// Since when the pod is in this state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// What only the human output shows.
    #[serde(skip)]
    pub details: PodDetails,
}

impl PodPlan {
    /// Returns whether the pod has ended.
    pub fn is_terminal(&self) -> bool {
        matches!(self.phase.as_str(), "Failed" | "Succeeded")
    }

    /// Returns whether the pod is there to stay: neither deleting nor ended.
    pub fn is_live(&self) -> bool {
        !self.deleting && !self.is_terminal()
    }
}

/// Why a pod is in a list, or what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum PodReason {
    /// A decision of the controller.
    Decision(Reason),
    /// A word of the kubelet, the scheduler or the API, such as `ImagePullBackOff`.
    State(Cow<'static, str>),
}

impl PodReason {
    /// Returns the stable code.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Decision(reason) => reason.as_str(),
            Self::State(word) => word,
        }
    }
}

/// What only the human output shows of a pod.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodDetails {
    /// State in one word, such as `Running`, `Terminating` or `ImagePullBackOff`.
    pub state: Cow<'static, str>,
    /// Value of the hash label; empty if there is none.
    pub hash: String,
    /// Creation time.
    pub created: Option<Timestamp>,
    /// Since when the Ready condition is True; absent if it is not.
    pub ready_since: Option<Timestamp>,
    /// When its deletion is due (request time plus grace period).
    pub deletion_due: Option<Timestamp>,
    /// Bound to its node by the scheduler.
    pub is_bound: bool,
    /// In flight, as the verdict counts it.
    pub is_in_flight: bool,
    /// Held up in a way that time alone does not mend.
    pub is_held_up: bool,
    /// The image of the container that keeps it from being ready.
    pub image: Option<String>,
    /// The kubelet's or scheduler's words.
    pub message: Option<String>,
    /// Restarts of the container that keeps it from being ready.
    pub restarts: i32,
}

/// Something a person should know, with the cheapest safe way out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Stable code.
    pub code: FindingCode,
    /// How grave.
    pub severity: Severity,
    /// One sentence or two, with names and numbers.
    pub message: String,
    /// The nodes it is about, sorted.
    pub nodes: Vec<String>,
    /// What to do; absent if nothing need be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_false(value: &bool) -> bool {
    !value
}

fn by_name<S: Serializer>(pods: &[PodPlan], serializer: S) -> Result<S::Ok, S::Error> {
    let mut pods: Vec<_> = pods.iter().collect();
    pods.sort_by(|a, b| a.pod.cmp(&b.pod));
    serializer.collect_seq(pods)
}
