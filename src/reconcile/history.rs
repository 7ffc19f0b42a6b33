//! History: which revision is current, which ones are made, renumbered and deleted.
//!
//! Mirrors `constructHistory`, `dedupCurHistories` and `cleanupHistory` of `pkg/controller/daemon/update.go`.

use std::collections::BTreeSet;

use crate::api::{CONTROLLER_REVISION_HASH_LABEL, ControllerRevision, DaemonSet};
use crate::plan::{History, Renumber, Resource, RevisionRef, RevisionSummary, Rollout, When};
use crate::reconcile::claim::Claimed;
use crate::reconcile::observe::Observed;
use crate::reconcile::place::PlacedNode;
use crate::snapshot::{ServerVersion, Snapshot};
use crate::upstream::revisions::{NullRule, matching_template};

/// Old revisions that the API server lets a set keep where it does not say.
const DEFAULT_REVISION_HISTORY_LIMIT: i32 = 10;

/// The longest value that a label may have: a revision without hash label gets its own name as one.
const MAX_LABEL_VALUE_LENGTH: usize = 63;

/// The first server whose controller leaves a zero `creationTimestamp` out of the stored template.
const LEAVES_NULLS_OUT: ServerVersion = ServerVersion { major: 1, minor: 34 };

/// The revisions of a set.
pub struct Revisions<'a> {
    /// The one that equals the template: of several the one with the highest number (equal numbers: upstream takes any, we
    /// the first by name).
    pub current: Option<CurrentRevision<'a>>,
    /// Others that equal the template, by name: they go.
    pub equal: Vec<&'a ControllerRevision>,
    /// Those that do not, by number, then name.
    pub old: Vec<&'a ControllerRevision>,
    /// The error in which the sync would end here.
    pub error: Option<String>,
}

/// The current revision.
pub struct CurrentRevision<'a> {
    /// The object.
    pub revision: &'a ControllerRevision,
    /// Value of its hash label, or its name where it has none. May be empty.
    pub hash: &'a str,
}

impl Revisions<'_> {
    /// Returns the current revision as the Plan names it.
    pub fn current_ref(&self) -> Option<RevisionRef> {
        self.current.as_ref().map(|current| RevisionRef {
            name: current.revision.name().to_owned(),
            number: current.revision.revision,
            hash: current.hash.to_owned(),
        })
    }
}

/// Sorts the claimed revisions into the current one and the old ones.
///
/// Upstream: pkg/controller/daemon `constructHistory` (1.37).
pub fn construct_history<'a>(
    snapshot: &Snapshot,
    daemon_set: &DaemonSet,
    claimed: Claimed<'a, ControllerRevision>,
) -> Revisions<'a> {
    let all: Vec<_> = claimed.all().collect();
    let matching = matching_template(daemon_set, &all, null_rule(snapshot));
    let with_match = || all.iter().copied().zip(&matching);
    let mut old: Vec<_> = with_match().filter(|(_, is_match)| !**is_match).map(|(revision, _)| revision).collect();
    old.sort_by_key(|revision| (revision.revision, revision.name()));
    let mut equal: Vec<_> = with_match().filter(|(_, is_match)| **is_match).map(|(revision, _)| revision).collect();
    equal.sort_by_key(|revision| (std::cmp::Reverse(revision.revision), revision.name()));
    let current = (!equal.is_empty()).then(|| equal.remove(0));
    equal.sort_by_key(|revision| revision.name());
    let current = current.map(|revision| CurrentRevision { revision, hash: hash(revision) });
    let error = all.iter().find_map(|revision| label_error(revision));
    Revisions { current, equal, old, error }
}

fn hash(revision: &ControllerRevision) -> &str {
    revision.hash_label().unwrap_or_else(|| revision.name())
}

/// Returns why the controller cannot give the revision the hash label that it lacks, if it cannot.
fn label_error(revision: &ControllerRevision) -> Option<String> {
    let name = revision.name();
    if revision.labels().is_empty() {
        return Some(format!("controllerrevision {name:?} has no labels: the controller panics on it"));
    }
    (revision.hash_label().is_none() && name.len() > MAX_LABEL_VALUE_LENGTH).then(|| {
        format!("controllerrevision {name:?} lacks the label {CONTROLLER_REVISION_HASH_LABEL}, and its name is too long for one")
    })
}

fn null_rule(snapshot: &Snapshot) -> NullRule {
    match snapshot.server_version {
        Some(version) if version < LEAVES_NULLS_OUT => NullRule::Written,
        Some(_) => NullRule::LeftOut,
        None => {
            let kubelets = snapshot.nodes.iter().filter_map(|node| ServerVersion::parse(&node.status.kubelet_version));
            match kubelets.min() {
                Some(oldest) if oldest < LEAVES_NULLS_OUT => NullRule::Either,
                _ => NullRule::LeftOut,
            }
        }
    }
}

/// Returns what happens to the revisions, the limit on old ones included.
///
/// A rollout that ends in an error keeps the sync from cleaning up.
///
/// Upstream: pkg/controller/daemon `cleanupHistory` (1.37).
pub fn cleanup_history(observed: &Observed<'_>, nodes: &[PlacedNode<'_>], rollout: &Rollout) -> History {
    let mut history = untouched(observed);
    let revisions = &observed.revisions;
    history.create = revisions.current.is_none() && !observed.lacks_revisions();
    history.renumber = renumber(revisions);
    history.delete = revisions.equal.iter().map(|revision| revision.name().to_owned()).collect();
    history.relabel = relabelled_pods(observed);
    let rollout_fails = rollout.when == When::Now && rollout.error.is_some();
    if !rollout_fails {
        history.delete.extend(revisions_over_the_limit(observed, nodes));
        history.delete.sort();
    }
    history
}

/// Returns the history as it stands.
pub fn untouched(observed: &Observed<'_>) -> History {
    let revisions = &observed.revisions;
    let current = revisions.current.as_ref().map(|current| current.revision.name());
    let equal = revisions.equal.iter().copied();
    let all =
        revisions.old.iter().copied().chain(equal).chain(revisions.current.as_ref().map(|current| current.revision));
    let mut summaries: Vec<_> = all
        .map(|revision| RevisionSummary {
            name: revision.name().to_owned(),
            number: revision.revision,
            hash: hash(revision).to_owned(),
            created: revision.metadata.creation_timestamp.as_ref().map(|time| time.0),
            is_equal: Some(revision.name()) == current
                || revisions.equal.iter().any(|equal| equal.name() == revision.name()),
            is_current: Some(revision.name()) == current,
        })
        .collect();
    summaries.sort_by(|a, b| (a.number, &a.name).cmp(&(b.number, &b.name)));
    History { revisions: summaries, ..History::default() }
}

fn renumber(revisions: &Revisions<'_>) -> Option<Renumber> {
    let current = revisions.current.as_ref()?.revision;
    let to = revisions.old.last().map_or(0, |revision| revision.revision) + 1;
    (current.revision < to).then(|| Renumber { name: current.name().to_owned(), from: current.revision, to })
}

/// Returns the pods that get the hash of the kept revision because equal ones are merged: all that carry another one.
///
/// Upstream: pkg/controller/daemon `dedupCurHistories` (1.37).
fn relabelled_pods(observed: &Observed<'_>) -> Vec<String> {
    let Some(current) = observed.revisions.current.as_ref().filter(|_| !observed.revisions.equal.is_empty()) else {
        return Vec::new();
    };
    let label = |pod: &crate::api::Pod| pod.labels().get(CONTROLLER_REVISION_HASH_LABEL).cloned().unwrap_or_default();
    let mut names: Vec<_> =
        observed.pods.all().filter(|pod| label(pod) != current.hash).map(|pod| pod.name().to_owned()).collect();
    names.sort();
    names
}

/// Returns the oldest revisions beyond the limit that no mapped pod carries. Equal numbers go by name; upstream takes any.
fn revisions_over_the_limit(observed: &Observed<'_>, nodes: &[PlacedNode<'_>]) -> Vec<String> {
    if observed.snapshot.lacks(Resource::ControllerRevisions, observed.daemon_set.status.observed_generation) {
        return Vec::new();
    }
    let limit = observed.daemon_set.spec.revision_history_limit.unwrap_or(DEFAULT_REVISION_HISTORY_LIMIT);
    let old = &observed.revisions.old;
    let excess = old.len().saturating_sub(usize::try_from(limit).unwrap_or(0));
    let mapped = nodes.iter().flat_map(|node| &node.daemon_pods).chain(&observed.terminal_and_deleting);
    let live_hashes: BTreeSet<_> =
        mapped.filter_map(|daemon_pod| daemon_pod.pod.labels().get(CONTROLLER_REVISION_HASH_LABEL)).collect();
    let unused = old.iter().filter(|revision| {
        let hash = hash(revision);
        hash.is_empty() || !live_hashes.iter().any(|live| *live == hash)
    });
    unused.take(excess).map(|revision| revision.name().to_owned()).collect()
}
