//! Room on a node: what a pod requests against what the other pods leave.

use std::collections::BTreeMap;

use crate::api::{Node, Pod, Quantity, ResourceList};
use crate::snapshot::Snapshot;
use crate::upstream::pods::is_pod_terminal;
use crate::upstream::requests::{add, pod_requests};

/// A resource of which a node has too little left for a pod.
#[derive(Debug, PartialEq, Eq)]
pub struct Shortage {
    /// Such as `cpu`.
    pub resource: String,
    /// What the pod requests.
    pub requested: Quantity,
    /// What the other pods leave of it; may be negative.
    pub free: Quantity,
    /// What the node has to give in all.
    pub allocatable: Quantity,
}

impl Shortage {
    /// Returns whether the node were too small even if it were empty.
    pub fn is_hopeless(&self) -> bool {
        self.requested > self.allocatable
    }

    /// Returns how much is lacking.
    pub fn short_by(&self) -> Quantity {
        self.requested.minus(self.free)
    }
}

/// Returns the pods that take room on these nodes, of all namespaces that the snapshot holds.
pub fn pods_by_node<'a>(snapshot: &'a Snapshot, nodes: &[&'a str]) -> BTreeMap<&'a str, Vec<&'a Pod>> {
    let mut by_node: BTreeMap<_, Vec<_>> = nodes.iter().map(|node| (*node, Vec::new())).collect();
    for pod in snapshot.pods.iter().filter(|pod| !is_pod_terminal(pod)) {
        if let Some(pods) = by_node.get_mut(pod.spec.node_name.as_str()) {
            pods.push(pod);
        }
    }
    by_node
}

/// Returns the resources of which too little is left, sorted by name; `pods` is the number of pods.
pub fn shortages(node: &Node, pod: &Pod, others: &[&Pod]) -> Vec<Shortage> {
    let mut used = ResourceList::new();
    for other in others {
        add(&mut used, &with_itself(pod_requests(other)));
    }
    let allocatable = &node.status.allocatable;
    let requested = with_itself(pod_requests(pod)).into_iter();
    // A node whose allocatable is not known says nothing.
    let requested = requested.filter(|(resource, amount)| {
        *amount > Quantity::default()
            && !allocatable.is_empty()
            && (resource != "pods" || allocatable.contains_key("pods"))
    });
    requested
        .filter_map(|(resource, requested)| {
            let allocatable = allocatable.get(&resource).copied().unwrap_or_default();
            let free = allocatable.minus(used.get(&resource).copied().unwrap_or_default());
            (requested > free).then_some(Shortage { resource, requested, free, allocatable })
        })
        .collect()
}

fn with_itself(mut requests: ResourceList) -> ResourceList {
    requests.insert("pods".to_owned(), Quantity::from_count(1));
    requests
}

/// Returns the host ports of a pod that another one has taken, with that pod.
pub fn port_conflicts<'a>(pod: &Pod, others: &[&'a Pod]) -> Vec<(String, &'a Pod)> {
    let wanted: Vec<_> = host_ports(pod).collect();
    let taken = others.iter().flat_map(|other| host_ports(other).map(|port| (port, *other)));
    taken.filter(|(port, _)| wanted.contains(port)).map(|(port, other)| (port.clone(), other)).collect()
}

/// Returns the ports that a pod takes on its node, with protocol.
pub fn host_ports(pod: &Pod) -> impl Iterator<Item = &String> {
    pod.spec.containers.iter().chain(&pod.spec.init_containers).flat_map(|container| &container.host_ports)
}

/// Prints an amount with its resource: `250m cpu`, `1536Mi memory`, `1 more pod`.
pub fn amount_text(amount: Quantity, resource: &str) -> String {
    let in_bytes = resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
    let amount = if in_bytes { amount.round_up_to_mebibytes() } else { amount };
    format!("{amount} {resource}")
}
