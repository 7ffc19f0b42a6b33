//! Gate: nodes on which a pod of ours must become available before more is deleted.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::plan::numbers::duration;
use crate::plan::{NodePlan, Plan, PodPlan, PodRevision};

use super::batch::{Batch, Key};

/// Nodes that are waited for, each since when.
#[derive(Debug, Default)]
pub struct Gate(BTreeMap<String, Duration>);

impl Gate {
    /// Returns whether no node is waited for.
    pub fn is_open(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the nodes that are waited for, sorted.
    pub fn nodes(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    /// Returns whether this node is waited for.
    pub fn waits_for(&self, node: &str) -> bool {
        self.0.contains_key(node)
    }

    /// Waits from now on for the nodes that get a new pod through those writes of a batch that were made.
    pub fn close_for(&mut self, plan: &Plan, batch: &Batch, is_made: impl Fn(Key) -> bool, elapsed: Duration) {
        let creations = batch.create.iter().map(|creation| (Key::create(creation), &creation.node));
        let replaced = batch.delete.iter().filter(|deletion| deletion.is_replacement());
        let replaced = replaced.map(|deletion| (Key::delete(deletion), &deletion.node));
        for (key, node) in creations.chain(replaced) {
            if is_made(key) && plan.node(node).is_some_and(|node| node.should_run) {
                self.0.insert(node.clone(), elapsed);
            }
        }
    }

    /// Waits no longer for nodes that have an available new pod, want none, or are gone.
    pub fn settle(&mut self, plan: &Plan) {
        self.0.retain(|name, _| plan.node(name).is_some_and(|node| node.should_run && arrived(node).is_none()));
    }

    /// Says why the pods that are waited for will not become available, if so: one fails for good, or has taken too long.
    pub fn failure(&self, plan: &Plan, elapsed: Duration, pod_timeout: Duration) -> Option<String> {
        self.0.iter().find_map(|(name, since)| {
            let node = plan.node(name)?;
            let new_pod = node.pods.iter().find(|pod| is_new(pod));
            if let Some(pod) = new_pod.filter(|pod| pod.details.is_held_up) {
                return Some(format!("{} of this batch fails: {}", words(pod, name), trouble(pod)));
            }
            let after = format!("after {} (--pod-timeout)", duration(pod_timeout));
            (elapsed.saturating_sub(*since) >= pod_timeout).then(|| match (new_pod, node.pods.first()) {
                (Some(pod), _) => {
                    format!("{} of this batch is not available {after}: {}", words(pod, name), trouble(pod))
                }
                (None, Some(pod)) if pod.deleting => format!("{} still terminates {after}", words(pod, name)),
                (None, _) => format!("node {name} has no new pod {after}"),
            })
        })
    }
}

/// Returns whether a pod is of the current revision and does not terminate.
pub(super) fn is_new(pod: &PodPlan) -> bool {
    pod.revision == PodRevision::Current && !pod.deleting
}

/// Returns the available new pod of a node.
pub(super) fn arrived(node: &NodePlan) -> Option<&PodPlan> {
    node.pods.iter().find(|pod| is_new(pod) && pod.available)
}

fn words(pod: &PodPlan, node: &str) -> String {
    format!("pod {} on node {node}", pod.pod)
}

/// Returns the state of a pod, with the kubelet's or scheduler's own words.
fn trouble(pod: &PodPlan) -> String {
    match &pod.details.message {
        Some(message) => format!("{} ({})", pod.details.state, message.trim_end_matches('.')),
        None => pod.details.state.to_string(),
    }
}
