//! Narrows a snapshot to some sets: drops what no answer about them looks at.
//!
//! Kept are the sets, others that share labels with them; pods and revisions that they own, select, or (revisions) would
//! name alike; pods on nodes where a pod of them finds no room; events about what is kept; and all nodes.

use std::collections::BTreeSet;

use crate::api::{ControllerRevision, DaemonSet, Event, Labels, ObjectMeta, Pod, controller_of};
use crate::upstream::labels::Selector;
use crate::upstream::pods::target_node_name;

use super::collect::{Form, State};

/// Drops what has nothing to do with the sets of these names; without names nothing is dropped.
pub(super) fn narrow<F: Form>(state: &mut State<F>, names: &[&str]) {
    if names.is_empty() {
        return;
    }
    let sets: Vec<Named> =
        state.daemon_sets.iter().map(F::slim).filter(|set| names.contains(&set.name())).map(Named::new).collect();
    state.daemon_sets.retain(|set| sets.iter().any(|named| named.is_near(F::slim(set))));
    state.controller_revisions.retain(|revision| sets.iter().any(|named| named.has_revision(F::slim(revision))));
    let without_room = &state.nodes_without_room;
    let is_beside = |pod: &Pod| target_node_name(pod).is_some_and(|node| without_room.contains(node));
    state.pods.retain(|pod| is_beside(F::slim(pod)) || sets.iter().any(|named| named.has_pod(F::slim(pod))));
    let kept: BTreeSet<_> = state.pods.iter().map(|pod| F::slim(pod).name().to_owned()).collect();
    let is_about = |event: &Event| match event.regarding.kind.as_str() {
        "DaemonSet" => names.contains(&event.regarding.name.as_str()),
        "Pod" => kept.contains(&event.regarding.name),
        _ => false,
    };
    state.events.retain(|event| is_about(F::slim(event)));
}

/// A set that was asked for.
struct Named {
    uid: String,
    name: String,
    labels: Labels,
    /// `None` if it does not parse, which selects nothing.
    selector: Option<Selector>,
}

impl Named {
    fn new(set: &DaemonSet) -> Self {
        Self {
            uid: set.uid().to_owned(),
            name: set.name().to_owned(),
            labels: set.spec.template.metadata.labels.clone(),
            selector: Selector::from_label_selector(set.spec.selector.as_ref()).ok(),
        }
    }

    fn selects(&self, labels: &Labels) -> bool {
        self.selector.as_ref().is_some_and(|selector| selector.matches(labels))
    }

    fn owns(&self, metadata: &ObjectMeta) -> bool {
        controller_of(metadata).is_some_and(|owner| owner.uid == self.uid || owner.name == self.name)
    }

    fn is_near(&self, set: &DaemonSet) -> bool {
        let other = Selector::from_label_selector(set.spec.selector.as_ref()).ok();
        set.name() == self.name
            || self.selects(&set.spec.template.metadata.labels)
            || other.is_some_and(|other| other.matches(&self.labels))
    }

    fn has_pod(&self, pod: &Pod) -> bool {
        self.owns(&pod.metadata) || self.selects(pod.labels())
    }

    fn has_revision(&self, revision: &ControllerRevision) -> bool {
        let is_alike = revision.name().strip_prefix(&self.name).is_some_and(|rest| rest.starts_with('-'));
        is_alike || self.owns(&revision.metadata) || self.selects(revision.labels())
    }
}
