//! Node: labels and taints decide, the rest is shown.

use jiff::Timestamp;
use serde::Deserialize;

use super::meta::{self, null_default};
use super::{Condition, Labels, ObjectMeta, ResourceList, Taint};

/// A node, without what neither decides nor is shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Name, labels and times; no annotations.
    pub metadata: ObjectMeta,
    /// Taints and the cordon.
    pub spec: NodeSpec,
    /// What explanations show.
    pub status: NodeStatus,
    /// The newest timestamp in the object that is not a `deletionTimestamp`.
    pub newest_timestamp: Option<Timestamp>,
}

/// Spec of a node.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub struct NodeSpec {
    /// Taints, in the order written.
    #[serde(deserialize_with = "null_default")]
    pub taints: Vec<Taint>,
    /// Cordoned. Shown only: the controller looks at the taint that goes with it.
    #[serde(deserialize_with = "null_default")]
    pub unschedulable: bool,
}

/// Status of a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeStatus {
    /// `Ready`, and every other condition that is not `False`.
    pub conditions: Vec<Condition>,
    /// What pods may request in total.
    pub allocatable: ResourceList,
    /// Such as `v1.33.2`; empty if unknown.
    pub kubelet_version: String,
}

#[derive(Deserialize)]
struct NodeIn {
    #[serde(default, deserialize_with = "meta::slim")]
    metadata: meta::StampedMeta,
    #[serde(default, deserialize_with = "null_default")]
    spec: NodeSpec,
    #[serde(default, deserialize_with = "null_default")]
    status: NodeStatusIn,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct NodeStatusIn {
    #[serde(deserialize_with = "null_default")]
    conditions: Vec<Condition>,
    #[serde(deserialize_with = "null_default")]
    allocatable: ResourceList,
    #[serde(deserialize_with = "null_default")]
    node_info: NodeInfoIn,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct NodeInfoIn {
    #[serde(deserialize_with = "null_default")]
    kubelet_version: String,
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let NodeIn { metadata: (metadata, newest), spec, status } = NodeIn::deserialize(deserializer)?;
        let newest_timestamp = newest.max(status.conditions.iter().filter_map(Condition::newest).max());
        let mut conditions = status.conditions;
        conditions.retain(|condition| condition.type_ == "Ready" || condition.status != "False");
        let status = NodeStatus {
            conditions,
            allocatable: status.allocatable,
            kubelet_version: status.node_info.kubelet_version,
        };
        Ok(Self { metadata, spec, status, newest_timestamp })
    }
}

impl Node {
    /// Returns the name; empty if the object has none.
    pub fn name(&self) -> &str {
        self.metadata.name.as_deref().unwrap_or_default()
    }

    /// Returns the labels.
    pub fn labels(&self) -> &Labels {
        static NONE: Labels = Labels::new();
        self.metadata.labels.as_ref().unwrap_or(&NONE)
    }

    /// Returns the first condition of this type, if it was kept.
    pub fn condition(&self, type_: &str) -> Option<&Condition> {
        self.status.conditions.iter().find(|condition| condition.type_ == type_)
    }
}
