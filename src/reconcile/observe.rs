//! Observe: claims pods and revisions, finds the current revision, and maps pods to nodes.
//!
//! Mirrors `getNodesToDaemonPods` of `pkg/controller/daemon/daemon_controller.go` and the early exits of `syncDaemonSet`.

use std::collections::BTreeMap;

use crate::api::{CONTROLLER_REVISION_HASH_LABEL, DaemonSet, Pod};
use crate::plan::{Outcome, Resource};
use crate::reconcile::claim::{self, Claimed, OwnerIndex};
use crate::reconcile::history::{self, Revisions};
use crate::snapshot::{ServerVersion, Snapshot};
use crate::upstream::labels::{self, Selector};
use crate::upstream::pods::{self, Availability};

/// Everything that one sync reads, before it decides.
pub struct Observed<'a> {
    /// The state of the cluster.
    pub snapshot: &'a Snapshot,
    /// The set in question.
    pub daemon_set: &'a DaemonSet,
    /// How the sync will end, as far as the set itself decides it.
    pub outcome: Outcome,
    /// The error, if it ends in one.
    pub error: Option<String>,
    /// The set's pods.
    pub pods: Claimed<'a, Pod>,
    /// The set's revisions, and which one is current.
    pub revisions: Revisions<'a>,
    /// Claimed pods by target node, each list in the controller's order. Pods both terminal and deleting are left out.
    pub node_to_daemon_pods: BTreeMap<&'a str, Vec<DaemonPod<'a>>>,
    /// Claimed pods that the map leaves out although they have a target node: terminal and deleting. By name.
    pub terminal_and_deleting: Vec<DaemonPod<'a>>,
    /// Claimed pods that name no target node: the controller does not see them. By name.
    pub without_target: Vec<DaemonPod<'a>>,
    /// When a ready pod counts as available.
    pub availability: Availability,
}

/// A claimed pod, with what the decisions read off it.
#[derive(Clone, Copy, Debug)]
pub struct DaemonPod<'a> {
    /// The pod.
    pub pod: &'a Pod,
    /// Adopted in this sync.
    pub is_adopted: bool,
    /// Its Ready condition is True.
    pub is_ready: bool,
    /// Ready for long enough.
    pub is_available: bool,
    /// Of the current revision, by hash or by template generation.
    pub is_updated: bool,
    /// Of the current revision, by hash alone.
    pub has_current_hash: bool,
}

impl DaemonPod<'_> {
    /// Returns whether the pod counts as running for manage: neither deleting nor ended.
    pub fn is_live(&self) -> bool {
        !self.pod.is_deleting() && !pods::is_pod_terminal(self.pod)
    }
}

/// Reads the state of one set out of the snapshot.
pub fn observe<'a>(snapshot: &'a Snapshot, owners: &OwnerIndex<'a>, daemon_set: &'a DaemonSet) -> Observed<'a> {
    let selector = Selector::from_label_selector(daemon_set.spec.selector.as_ref());
    let skipped = early_exit(daemon_set);
    let (pods, claimed_revisions, mut error) = match (&selector, skipped) {
        (Ok(selector), None) => (
            claim::claim_pods(owners, daemon_set, selector),
            claim::claim_revisions(snapshot, daemon_set, selector),
            None,
        ),
        (_, Some(_)) => unclaimed(owners, daemon_set, None),
        (Err(error), None) => unclaimed(owners, daemon_set, Some(format!("selector does not parse: {error}"))),
    };
    let revisions = history::construct_history(snapshot, daemon_set, claimed_revisions);
    if skipped.is_none() {
        error = error.or_else(|| revisions.error.clone());
    }
    let outcome = skipped.unwrap_or(match &error {
        Some(_) => Outcome::Failed,
        None if daemon_set.status.observed_generation < daemon_set.generation() => Outcome::AwaitingObservation,
        None => Outcome::Reconciled,
    });
    let availability = Availability {
        now: snapshot.now,
        min_ready_seconds: daemon_set.spec.min_ready_seconds,
        is_strict: snapshot.server_version.is_some_and(|version| version < ServerVersion { major: 1, minor: 34 }),
    };
    let mut observed = Observed {
        snapshot,
        daemon_set,
        outcome,
        error,
        pods,
        revisions,
        node_to_daemon_pods: BTreeMap::new(),
        terminal_and_deleting: Vec::new(),
        without_target: Vec::new(),
        availability,
    };
    observed.map_pods_to_nodes();
    observed
}

/// Returns how the sync ends before it claims anything, if it does. The selector is looked at first.
fn early_exit(daemon_set: &DaemonSet) -> Option<Outcome> {
    if labels::is_empty(daemon_set.spec.selector.as_ref()) {
        return Some(Outcome::SkippedEmptySelector);
    }
    daemon_set.is_deleting().then_some(Outcome::SkippedDeleting)
}

type Unclaimed<'a> = (Claimed<'a, Pod>, Claimed<'a, crate::api::ControllerRevision>, Option<String>);

/// Returns the pods that the set owns, for display: nothing is claimed.
fn unclaimed<'a>(owners: &OwnerIndex<'a>, daemon_set: &'a DaemonSet, error: Option<String>) -> Unclaimed<'a> {
    let kept = owners.owned_by(daemon_set).to_vec();
    let pods = Claimed { kept, adopted: Vec::new(), released: Vec::new() };
    (pods, Claimed { kept: Vec::new(), adopted: Vec::new(), released: Vec::new() }, error)
}

impl<'a> Observed<'a> {
    /// Upstream: pkg/controller/daemon `getNodesToDaemonPods` (1.37).
    fn map_pods_to_nodes(&mut self) {
        let kept = self.pods.kept.iter().map(|pod| (*pod, false));
        let adopted = self.pods.adopted.iter().map(|pod| (*pod, true));
        let claimed: Vec<_> = kept.chain(adopted).map(|(pod, is_adopted)| self.daemon_pod(pod, is_adopted)).collect();
        for daemon_pod in claimed {
            let target = pods::target_node_name(daemon_pod.pod);
            match target {
                None => self.without_target.push(daemon_pod),
                Some(_) if pods::is_pod_terminal(daemon_pod.pod) && daemon_pod.pod.is_deleting() => {
                    self.terminal_and_deleting.push(daemon_pod);
                }
                Some(node) => self.node_to_daemon_pods.entry(node).or_default().push(daemon_pod),
            }
        }
        for daemon_pods in self.node_to_daemon_pods.values_mut() {
            daemon_pods.sort_by(|a, b| pods::compare_by_creation_timestamp(a.pod, b.pod));
        }
    }

    /// Reads off a pod what the decisions need.
    pub fn daemon_pod(&self, pod: &'a Pod, is_adopted: bool) -> DaemonPod<'a> {
        let has_template_generation = pods::has_template_generation(pod, pods::template_generation(self.daemon_set));
        let label = pod.labels().get(CONTROLLER_REVISION_HASH_LABEL).map_or("", String::as_str);
        let has_current_hash = match &self.revisions.current {
            Some(current) => label == current.hash,
            // Which revision the pods are of can then only be told by their template generation.
            None => self.lacks_revisions() && has_template_generation,
        };
        let has_known_hash = self.revisions.current.as_ref().is_some_and(|current| !current.hash.is_empty());
        DaemonPod {
            pod,
            is_adopted,
            is_ready: pods::is_pod_ready(pod),
            is_available: pods::is_pod_available(pod, self.availability),
            is_updated: (has_known_hash && has_current_hash) || has_template_generation,
            has_current_hash,
        }
    }

    /// Returns whether the source has no ControllerRevisions although the controller has made one.
    pub fn lacks_revisions(&self) -> bool {
        self.snapshot.lacks(Resource::ControllerRevisions, self.daemon_set.status.observed_generation)
    }
}
