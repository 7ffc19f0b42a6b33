//! Place: should a pod of the set run on a node, and may one that is there stay.
//!
//! Mirrors `NodeShouldRunDaemonPod` and `predicates` of `pkg/controller/daemon/daemon_controller.go`.

use std::collections::BTreeMap;

use crate::api::{Node, PodTemplateSpec, Taint, Toleration};
use crate::reconcile::observe::{DaemonPod, Observed};
use crate::upstream::affinity::RequiredNodeAffinity;
use crate::upstream::taints::{self, NO_EXECUTE};

/// A node with the set's pods on it. Nodes that do not exist are there if they hold pods.
pub struct PlacedNode<'a> {
    /// Its name; empty for pods pinned to the empty name.
    pub name: &'a str,
    /// The node; `None` if it does not exist.
    pub node: Option<&'a Node>,
    /// Whether a pod should run, and may stay.
    pub placement: Placement,
    /// The set's pods there, in the controller's order. Pods both terminal and deleting are left out.
    pub daemon_pods: Vec<DaemonPod<'a>>,
}

impl PlacedNode<'_> {
    /// Returns whether a pod should run here.
    pub fn should_run(&self) -> bool {
        self.placement.should_run()
    }

    /// Returns whether a pod that is here may stay.
    pub fn should_continue_running(&self) -> bool {
        self.placement.should_continue_running()
    }

    /// Returns whether the rolling update sees the node: it should run a pod, or has one.
    pub fn is_in_rollout(&self) -> bool {
        self.should_run() || !self.daemon_pods.is_empty()
    }
}

/// The answer of placement: the first check that failed decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// All checks passed: should run.
    Fits,
    /// The template names another node.
    NodeNameMismatch,
    /// A label of the node selector is absent or differs.
    NodeSelectorMismatch,
    /// No term of the required node affinity matches.
    NodeAffinityMismatch,
    /// A NoSchedule taint is not tolerated, every NoExecute taint is: may stay.
    UntoleratedNoScheduleTaint,
    /// A NoExecute taint is not tolerated.
    UntoleratedNoExecuteTaint,
    /// The node does not exist.
    NodeDoesNotExist,
}

impl Placement {
    /// Returns whether a pod should run on such a node.
    pub fn should_run(self) -> bool {
        self == Self::Fits
    }

    /// Returns whether a pod that is on such a node may stay.
    pub fn should_continue_running(self) -> bool {
        matches!(self, Self::Fits | Self::UntoleratedNoScheduleTaint)
    }
}

/// The placement inputs of a template, prepared once for all nodes.
pub struct Placer<'a> {
    /// The template.
    pub template: &'a PodTemplateSpec,
    /// Node selector and required node affinity.
    pub affinity: RequiredNodeAffinity<'a>,
    /// Tolerations, the ones that every daemon pod gets included.
    pub tolerations: Vec<Toleration>,
}

impl<'a> Placer<'a> {
    /// Prepares a template.
    pub fn new(template: &'a PodTemplateSpec) -> Self {
        let tolerations = taints::daemon_pod_tolerations(template);
        Self { template, affinity: RequiredNodeAffinity::new(template), tolerations }
    }

    /// Decides about one node.
    ///
    /// Upstream: pkg/controller/daemon `NodeShouldRunDaemonPod`, `predicates` (1.37).
    pub fn placement(&self, node: &Node) -> Placement {
        if !self.matches_node_name(node) {
            return Placement::NodeNameMismatch;
        }
        if !self.affinity.matches_node_selector(node) {
            return Placement::NodeSelectorMismatch;
        }
        if self.affinity.terms.is_some() && self.affinity.matching_term(node).is_none() {
            return Placement::NodeAffinityMismatch;
        }
        let untolerated = self.untolerated_taints(node);
        if untolerated.iter().any(|taint| taint.effect == NO_EXECUTE) {
            return Placement::UntoleratedNoExecuteTaint;
        }
        if untolerated.is_empty() { Placement::Fits } else { Placement::UntoleratedNoScheduleTaint }
    }

    /// Returns whether the template names this node, or none.
    pub fn matches_node_name(&self, node: &Node) -> bool {
        self.template.node_name.is_empty() || self.template.node_name == node.name()
    }

    /// Returns the NoSchedule and NoExecute taints that nothing tolerates.
    pub fn untolerated_taints<'n>(&self, node: &'n Node) -> Vec<&'n Taint> {
        taints::untolerated_taints(&node.spec.taints, &self.tolerations)
    }
}

/// Returns all nodes with their placement and pods, sorted by name; nodes that do not exist among them.
pub fn place<'a>(observed: &Observed<'a>) -> Vec<PlacedNode<'a>> {
    let placer = Placer::new(&observed.daemon_set.spec.template.spec);
    let mut placed: BTreeMap<&str, PlacedNode<'a>> = BTreeMap::new();
    for node in &observed.snapshot.nodes {
        let (name, placement) = (node.name(), placer.placement(node));
        let daemon_pods = observed.node_to_daemon_pods.get(name).cloned().unwrap_or_default();
        placed.insert(name, PlacedNode { name, node: Some(node), placement, daemon_pods });
    }
    for (name, daemon_pods) in &observed.node_to_daemon_pods {
        placed.entry(name).or_insert_with(|| PlacedNode {
            name,
            node: None,
            placement: Placement::NodeDoesNotExist,
            daemon_pods: daemon_pods.clone(),
        });
    }
    placed.into_values().collect()
}
