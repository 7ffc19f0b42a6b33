//! Store: keeps sorted lists of objects up to date with what a watch tells.
//!
//! Changes are gathered first and put into effect together, so that a burst of them costs one pass over the list.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1 as core;
use serde::de::DeserializeOwned;

use crate::api::{ControllerRevision, DaemonSet, Event, Node, Pod};
use crate::snapshot::Snapshot;
use crate::source::live::rights::Readable;

/// What happened to objects of a kind.
#[derive(Debug)]
pub(super) enum Delta<T> {
    /// It is new, or another than before.
    Put(T),
    /// It is gone; this was its last state.
    Delete(T),
    /// These are all there are.
    Replace(Vec<T>),
}

/// What happened to objects.
#[derive(Debug)]
pub(super) enum Change {
    Nodes(Delta<Node>),
    DaemonSets(Delta<DaemonSet>),
    Pods(Delta<Pod>),
    ControllerRevisions(Delta<ControllerRevision>),
    Events(Delta<Event>),
}

/// An object that is watched.
pub(super) trait Stored: DeserializeOwned + Send + 'static {
    /// Says where it is served.
    type Kind: Readable;

    /// Returns namespace and name. An object that was deleted and made anew has the same, and takes its place.
    fn key(&self) -> (&str, &str);

    /// Says of which kind it is.
    fn change(delta: Delta<Self>) -> Change;
}

macro_rules! stored {
    ($($type:ident, $kind:ty, $variant:ident, |$it:ident| $key:expr;)*) => {
        $(impl Stored for $type {
            type Kind = $kind;

            fn key(&self) -> (&str, &str) {
                let $it = self;
                $key
            }

            fn change(delta: Delta<Self>) -> Change {
                Change::$variant(delta)
            }
        })*
    };
}

stored! {
    Node, Node, Nodes, |it| ("", it.name());
    DaemonSet, DaemonSet, DaemonSets, |it| (it.namespace(), it.name());
    Pod, Pod, Pods, |it| (it.namespace(), it.name());
    ControllerRevision, ControllerRevision, ControllerRevisions, |it| (it.namespace(), it.name());
    Event, core::Event, Events, |it| (&it.namespace, &it.name);
}

/// Changes that are not yet in effect.
#[derive(Default)]
pub(super) struct Batches {
    nodes: Batch<Node>,
    daemon_sets: Batch<DaemonSet>,
    pods: Batch<Pod>,
    controller_revisions: Batch<ControllerRevision>,
    events: Batch<Event>,
}

impl Batches {
    /// Gathers a change.
    pub(super) fn add(&mut self, change: Change) {
        match change {
            Change::Nodes(delta) => self.nodes.add(delta),
            Change::DaemonSets(delta) => self.daemon_sets.add(delta),
            Change::Pods(delta) => self.pods.add(delta),
            Change::ControllerRevisions(delta) => self.controller_revisions.add(delta),
            Change::Events(delta) => self.events.add(delta),
        }
    }

    /// Puts all changes into effect. Pods of other namespaces than the one that is watched stay as they are.
    pub(super) fn apply(&mut self, snapshot: &mut Snapshot, namespace: Option<&str>) {
        let is_watched = |pod: &Pod| namespace.is_none_or(|namespace| pod.namespace() == namespace);
        std::mem::take(&mut self.nodes).apply(&mut snapshot.nodes, |_| true);
        std::mem::take(&mut self.daemon_sets).apply(&mut snapshot.daemon_sets, |_| true);
        std::mem::take(&mut self.pods).apply(&mut snapshot.pods, is_watched);
        std::mem::take(&mut self.controller_revisions).apply(&mut snapshot.controller_revisions, |_| true);
        std::mem::take(&mut self.events).apply(&mut snapshot.events, |_| true);
    }
}

/// Changes of a kind.
struct Batch<T> {
    /// What takes the place of all that was there.
    all: Option<Vec<T>>,
    /// The last state of each object that changed since; `None` if it is gone.
    changed: BTreeMap<(String, String), Option<T>>,
}

impl<T> Default for Batch<T> {
    fn default() -> Self {
        Self { all: None, changed: BTreeMap::new() }
    }
}

impl<T: Stored> Batch<T> {
    fn add(&mut self, delta: Delta<T>) {
        match delta {
            Delta::Put(object) => self.changed.insert(owned(object.key()), Some(object)),
            Delta::Delete(object) => self.changed.insert(owned(object.key()), None),
            Delta::Replace(objects) => {
                self.changed.clear();
                self.all = Some(objects);
                None
            }
        };
    }

    /// Puts the changes into effect on a list, which is sorted by key afterwards.
    fn apply(mut self, objects: &mut Vec<T>, is_watched: impl Fn(&T) -> bool) {
        if self.all.is_none() && self.changed.is_empty() {
            return;
        }
        if let Some(all) = self.all {
            objects.retain(|object| !is_watched(object));
            objects.extend(all);
        }
        objects.retain_mut(|object| match self.changed.remove(&owned(object.key())) {
            Some(Some(changed)) => {
                *object = changed;
                true
            }
            Some(None) => false,
            None => true,
        });
        objects.extend(self.changed.into_values().flatten());
        objects.sort_by(|a, b| a.key().cmp(&b.key()));
    }
}

fn owned((namespace, name): (&str, &str)) -> (String, String) {
    (namespace.to_owned(), name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Batches, Change, Delta};
    use crate::api::Pod;
    use crate::builders::pod;
    use crate::snapshot::Snapshot;

    fn pod_of(namespace: &str, name: &str, uid: &str) -> Pod {
        let mut pod: Pod = pod(name).decode();
        pod.metadata.namespace = Some(namespace.to_owned());
        pod.metadata.uid = Some(uid.to_owned());
        pod
    }

    /// Applies changes to pods `a` and `c` of `ops` and one of another namespace; returns what is there then.
    fn after(deltas: Vec<Delta<Pod>>) -> String {
        let pods = vec![pod_of("ops", "a", "1"), pod_of("ops", "c", "1"), pod_of("qa", "a", "1")];
        let mut snapshot = Snapshot { pods, ..Snapshot::default() };
        let mut batches = Batches::default();
        deltas.into_iter().for_each(|delta| batches.add(Change::Pods(delta)));
        batches.apply(&mut snapshot, Some("ops"));
        let words = |pod: &Pod| {
            format!("{}/{}:{}", pod.namespace(), pod.name(), pod.metadata.uid.as_deref().unwrap_or_default())
        };
        snapshot.pods.iter().map(words).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_last_state_of_each_object_counts() {
        let put = |name: &str, uid: &str| Delta::Put(pod_of("ops", name, uid));
        let delete = |name: &str, uid: &str| Delta::Delete(pod_of("ops", name, uid));
        assert_eq!(after(vec![]), "ops/a:1 ops/c:1 qa/a:1");
        assert_eq!(after(vec![put("b", "1"), put("a", "1")]), "ops/a:1 ops/b:1 ops/c:1 qa/a:1");
        assert_eq!(after(vec![delete("a", "1"), put("a", "2")]), "ops/a:2 ops/c:1 qa/a:1");
        assert_eq!(after(vec![put("b", "1"), delete("b", "1"), delete("c", "1")]), "ops/a:1 qa/a:1");
    }

    #[test]
    fn a_list_takes_the_place_of_what_was_there_before_it() {
        let put = Delta::Put(pod_of("ops", "b", "1"));
        let later = Delta::Put(pod_of("ops", "d", "1"));
        let all = Delta::Replace(vec![pod_of("ops", "c", "2")]);
        assert_eq!(after(vec![put, all, later]), "ops/c:2 ops/d:1 qa/a:1");
    }
}
