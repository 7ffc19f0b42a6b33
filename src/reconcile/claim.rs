//! Claiming: which pods and ControllerRevisions belong to a set, which ones are adopted, which ones released.
//!
//! Mirrors `pkg/controller/controller_ref_manager.go` and the pod index of `pkg/controller/controller_utils.go`.

use std::collections::HashMap;

use crate::api::{ControllerRevision, DaemonSet, Pod, controller_of};
use crate::snapshot::Snapshot;
use crate::upstream::labels::Selector;

/// Pods by controller reference, and pods without one, by namespace.
///
/// Upstream: pkg/controller `PodControllerIndexKey` (1.37): namespace, kind, name and uid are compared, apiVersion is not.
pub struct OwnerIndex<'a> {
    owned: HashMap<OwnerKey<'a>, Vec<&'a Pod>>,
    orphans: HashMap<&'a str, Vec<&'a Pod>>,
}

#[derive(PartialEq, Eq, Hash)]
struct OwnerKey<'a> {
    namespace: &'a str,
    kind: &'a str,
    name: &'a str,
    uid: &'a str,
}

impl<'a> OwnerIndex<'a> {
    /// Indexes all pods of the snapshot, once for all sets.
    pub fn new(snapshot: &'a Snapshot) -> Self {
        let mut index = Self { owned: HashMap::new(), orphans: HashMap::new() };
        for pod in &snapshot.pods {
            match controller_of(&pod.metadata) {
                None => index.orphans.entry(pod.namespace()).or_default().push(pod),
                Some(owner) => {
                    let key =
                        OwnerKey { namespace: pod.namespace(), kind: &owner.kind, name: &owner.name, uid: &owner.uid };
                    index.owned.entry(key).or_default().push(pod);
                }
            }
        }
        index
    }

    /// Returns the pods whose controller is this set, sorted by name, whatever their labels.
    pub fn owned_by(&self, daemon_set: &'a DaemonSet) -> &[&'a Pod] {
        let key = OwnerKey {
            namespace: daemon_set.namespace(),
            kind: "DaemonSet",
            name: daemon_set.name(),
            uid: daemon_set.uid(),
        };
        self.owned.get(&key).map(Vec::as_slice).unwrap_or_default()
    }

    fn orphans_in(&self, namespace: &str) -> &[&'a Pod] {
        self.orphans.get(namespace).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Objects of one kind after claiming. Each list is sorted by name.
#[derive(Debug)]
pub struct Claimed<'a, T> {
    /// Owned, and the selector matches.
    pub kept: Vec<&'a T>,
    /// Orphans that match and are not being deleted: they are adopted, and count from now on.
    pub adopted: Vec<&'a T>,
    /// Owned, but the selector no longer matches: they are released, and no longer count.
    pub released: Vec<&'a T>,
}

impl<'a, T> Claimed<'a, T> {
    /// Returns all claimed objects: the owned ones, then the adopted ones.
    pub fn all(&self) -> impl Iterator<Item = &'a T> {
        self.kept.iter().chain(&self.adopted).copied()
    }
}

/// Claims the pods of a set that is not being deleted.
///
/// Upstream: pkg/controller/daemon `getDaemonPods`, pkg/controller `ClaimPods` (1.37).
pub fn claim_pods<'a>(owners: &OwnerIndex<'a>, daemon_set: &'a DaemonSet, selector: &Selector) -> Claimed<'a, Pod> {
    let (kept, released) = owners.owned_by(daemon_set).iter().partition(|pod| selector.matches(pod.labels()));
    let orphans = owners.orphans_in(daemon_set.namespace()).iter().copied();
    let adopted = orphans.filter(|pod| !pod.is_deleting() && selector.matches(pod.labels())).collect();
    Claimed { kept, adopted, released }
}

/// Claims the ControllerRevisions of a set that is not being deleted: here only the uid of the owner is compared.
///
/// Upstream: pkg/controller/daemon `controlledHistories`, pkg/controller `ClaimControllerRevisions` (1.37).
pub fn claim_revisions<'a>(
    snapshot: &'a Snapshot,
    daemon_set: &DaemonSet,
    selector: &Selector,
) -> Claimed<'a, ControllerRevision> {
    let mut claimed = Claimed { kept: Vec::new(), adopted: Vec::new(), released: Vec::new() };
    for revision in snapshot.controller_revisions_in(daemon_set.namespace()) {
        let matches = selector.matches(revision.labels());
        match controller_of(&revision.metadata).map(|owner| owner.uid == daemon_set.uid()) {
            Some(true) if matches => claimed.kept.push(revision),
            Some(true) => claimed.released.push(revision),
            None if matches && revision.metadata.deletion_timestamp.is_none() => claimed.adopted.push(revision),
            Some(false) | None => {}
        }
    }
    claimed
}
