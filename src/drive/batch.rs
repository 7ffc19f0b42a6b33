//! What is written next: what the controller should do now, or the next batch of an OnDelete rollout.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::plan::{Action, Choice, Creation, NodePlan, Plan, PodPlan, PodReason, PodRevision, Reason, When};

/// Writes that go out together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// Pods to make, sorted by node.
    pub create: Vec<Creation>,
    /// Pods to delete, in the order in which they are tried.
    pub delete: Vec<Deletion>,
}

/// A pod to delete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deletion {
    /// Its name.
    pub pod: String,
    /// Its uid, which is a precondition.
    pub uid: String,
    /// Its target node; empty if it has none.
    pub node: String,
    /// Why it goes.
    pub reason: Reason,
}

impl Deletion {
    /// Returns whether a rollout replaces the pod.
    pub fn is_replacement(&self) -> bool {
        matches!(self.reason, Reason::OldPodAvailable | Reason::OldPodUnavailable)
    }
}

impl Batch {
    /// Returns whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.create.is_empty() && self.delete.is_empty()
    }

    /// Returns the writes, each as a key that stays the same while it is due.
    pub fn keys(&self) -> impl Iterator<Item = Key> {
        self.create.iter().map(Key::create).chain(self.delete.iter().map(Key::delete))
    }
}

/// A write, whatever the names of the pods.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// A pod is made for this node.
    Create(String),
    /// The pod of this uid is deleted.
    Delete(String),
}

impl Key {
    /// Returns the key of a creation.
    pub fn create(creation: &Creation) -> Self {
        Self::Create(creation.node.clone())
    }

    /// Returns the key of a deletion.
    pub fn delete(deletion: &Deletion) -> Self {
        Self::Delete(deletion.uid.clone())
    }
}

/// What a batch came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The writes that were made.
    pub made: BTreeSet<Key>,
    /// The writes of which it is not known: the next read tells.
    pub unknown: BTreeSet<Key>,
    /// Uids of the pods that were made, as far as they are known.
    pub created: BTreeSet<String>,
    /// Any call failed, other than on a pod that was gone or changed; or nothing was made for that reason.
    pub any_failed: bool,
    /// Why evictions are not allowed now, in the server's words.
    pub held: Option<String>,
    /// Why an eviction will never be allowed.
    pub never_allowed: Option<String>,
    /// A call was refused in a way that trying again does not mend.
    pub refusal: Option<String>,
    /// What the server asks to wait.
    pub retry_after: Option<Duration>,
}

/// Returns what the controller should do now: manage, else the rolling-update step. Of what is open the first candidates
/// are taken, so that two drivers take the same ones.
pub fn due(plan: &Plan) -> Batch {
    let pods = Pods::new(plan);
    let (manage, rollout) = (&plan.manage, &plan.rollout);
    if !manage.is_empty() {
        return pods.batch(&manage.create, &manage.delete, &manage.choose);
    }
    if rollout.when == When::Now && rollout.error.is_none() {
        return pods.batch(&rollout.create, &rollout.delete, &rollout.choose);
    }
    Batch::default()
}

/// The pods of a plan by name.
struct Pods<'a>(BTreeMap<&'a str, &'a PodPlan>);

impl<'a> Pods<'a> {
    fn new(plan: &'a Plan) -> Self {
        Self(plan.pods().map(|pod| (pod.pod.as_str(), pod)).collect())
    }

    fn batch(&self, create: &[Creation], delete: &[PodPlan], choose: &[Choice]) -> Batch {
        let mut batch = Batch { create: create.to_vec(), delete: delete.iter().filter_map(decided).collect() };
        for choice in choose {
            for candidate in choice.from.iter().take(choice.count) {
                let pod = candidate.pod.as_deref().and_then(|name| self.0.get(name));
                match (choice.action, pod) {
                    (Action::Create, _) => {
                        batch.create.push(Creation { node: candidate.node.clone(), reason: candidate.reason });
                    }
                    (Action::Delete, Some(pod)) => batch.delete.push(deletion(pod, candidate.reason)),
                    (Action::Delete, None) => {}
                }
            }
        }
        // A pod that already terminates is not deleted again.
        batch.delete.retain(|deletion| self.0.get(deletion.pod.as_str()).is_none_or(|pod| !pod.deleting));
        batch.create.sort_by(|a, b| a.node.cmp(&b.node));
        batch
    }
}

fn decided(pod: &PodPlan) -> Option<Deletion> {
    let Some(PodReason::Decision(reason)) = pod.reason else { return None };
    Some(deletion(pod, reason))
}

fn deletion(pod: &PodPlan, reason: Reason) -> Deletion {
    let node = pod.node.clone().unwrap_or_default();
    Deletion { pod: pod.pod.clone(), uid: pod.uid.clone(), node, reason }
}

/// An old pod that an OnDelete rollout replaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outdated {
    /// The pod.
    pub deletion: Deletion,
    /// It is available, so that deleting it takes a place in the budget.
    pub is_available: bool,
    /// Its node is Ready.
    pub is_node_ready: bool,
    /// A new pod takes its place.
    pub comes_back: bool,
}

/// Returns the old pods that an OnDelete rollout replaces, in the order in which they go: those that are not available
/// first, since they cost nothing; of each kind those that do not come back after the others; pods on nodes that are not
/// ready last of all; for the rest by node.
///
/// Nodes with several live pods are left to manage.
pub fn outdated(plan: &Plan) -> Vec<Outdated> {
    outdated_on(&plan.nodes)
}

/// Like [`outdated`], on these nodes only.
pub(super) fn outdated_on<'a>(nodes: impl IntoIterator<Item = &'a NodePlan>) -> Vec<Outdated> {
    let mut outdated: Vec<_> = nodes.into_iter().filter_map(outdated_on_node).collect();
    outdated.sort_by_key(|outdated| (!outdated.is_node_ready, outdated.is_available, !outdated.comes_back));
    outdated
}

fn outdated_on_node(node: &NodePlan) -> Option<Outdated> {
    let mut live = node.pods.iter().filter(|pod| pod.is_live());
    let (Some(pod), None) = (live.next(), live.next()) else { return None };
    let is_available = pod.available;
    let reason = if is_available { Reason::OldPodAvailable } else { Reason::OldPodUnavailable };
    (pod.revision == PodRevision::Old).then(|| Outdated {
        deletion: deletion(pod, reason),
        is_available,
        is_node_ready: node.condition.ready == "True",
        comes_back: node.should_run,
    })
}

/// How many nodes may be unavailable.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// Of all that count.
    pub all: i64,
    /// Of these nodes, if they have a limit of their own.
    pub within: Option<(&'a [&'a NodePlan], i64)>,
}

impl Limits<'_> {
    /// Returns how many available pods may go, and how many pods in one batch.
    fn free(&self, plan: &Plan) -> (i64, i64) {
        let unavailable = unavailable(plan);
        let free = |max: i64, used: usize| max.saturating_sub(i64::try_from(used).unwrap_or(i64::MAX)).max(0);
        let all = (free(self.all, unavailable.len()), self.all.max(0));
        let Some((nodes, max)) = self.within else { return all };
        let used = nodes.iter().filter(|node| unavailable.contains(node.name.as_str())).count();
        (free(max, used).min(all.0), max.clamp(0, all.1))
    }
}

/// Returns the next batch of an OnDelete rollout: at most as many deletions as the limits, and of available pods only as many
/// as keep the nodes that are unavailable, for whatever cause, within them. Pods on nodes that are not ready go only when no
/// other is left.
pub fn on_delete(plan: &Plan, limits: Limits<'_>, outdated: &[Outdated]) -> Batch {
    let (mut free, mut left) = limits.free(plan);
    let any_ready = outdated.iter().any(|outdated| outdated.is_node_ready);
    let mut delete = Vec::new();
    for outdated in outdated.iter().filter(|outdated| outdated.is_node_ready == any_ready) {
        let costs = i64::from(outdated.is_available);
        if left > 0 && free >= costs {
            left -= 1;
            free -= costs;
            delete.push(outdated.deletion.clone());
        }
    }
    Batch { create: Vec::new(), delete }
}

/// Returns the nodes that count as unavailable: wanted ones without an available pod that stays, and others whose pod goes.
fn unavailable(plan: &Plan) -> BTreeSet<&str> {
    let by_upstream = plan.rollout.budget.holders();
    let wanted = plan.nodes.iter().filter(|node| node.should_run);
    let without = wanted.filter(|node| !node.pods.iter().any(|pod| pod.available && !pod.deleting));
    by_upstream.chain(without.map(|node| node.name.as_str())).collect()
}
