//! DaemonSet: the fields that decide, beside the untouched JSON.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, de};
use serde_json::Value;

use super::meta::{self, null_default};
use super::pod::{Container, required_node_affinity};
use super::{IntOrString, LabelSelector, Labels, NodeSelectorTerm, ObjectMeta, PAUSED_ANNOTATION, Toleration};

/// A DaemonSet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DaemonSet {
    /// Metadata, annotations included.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: DaemonSetSpec,
    /// What the controller last reported.
    pub status: DaemonSetStatus,
    /// The object as it came, unknown fields included.
    pub raw: Value,
    /// The newest timestamp in the object that is not a `deletionTimestamp`.
    pub newest_timestamp: Option<Timestamp>,
}

/// Spec of a DaemonSet.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct DaemonSetSpec {
    /// Which pods and revisions are claimed; `None` selects nothing.
    pub selector: Option<LabelSelector>,
    /// What pods are made from.
    #[serde(deserialize_with = "null_default")]
    pub template: PodTemplate,
    /// How pods of an older template are replaced.
    #[serde(deserialize_with = "null_default")]
    pub update_strategy: DaemonSetUpdateStrategy,
    /// Seconds a pod must have been ready to count as available.
    #[serde(deserialize_with = "null_default")]
    pub min_ready_seconds: i32,
    /// Old revisions to keep.
    pub revision_history_limit: Option<i32>,
}

/// Template of a DaemonSet's pods, as far as it decides or is shown.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub struct PodTemplate {
    /// Labels of the pods.
    #[serde(deserialize_with = "null_default")]
    pub metadata: PodTemplateMeta,
    /// Spec of the pods.
    #[serde(deserialize_with = "null_default")]
    pub spec: PodTemplateSpec,
}

/// Metadata of a pod template.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub struct PodTemplateMeta {
    /// Labels that every pod gets.
    #[serde(deserialize_with = "null_default")]
    pub labels: Labels,
}

/// Spec of a pod template: the inputs of placement, and what explanations show.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct PodTemplateSpec {
    /// The one node to run on, if set.
    #[serde(deserialize_with = "null_default")]
    pub node_name: String,
    /// Labels that a node must have.
    #[serde(deserialize_with = "null_default")]
    pub node_selector: Labels,
    /// Terms of the required node affinity; `None` if there is no required section.
    #[serde(rename = "affinity", deserialize_with = "required_node_affinity")]
    pub required_node_affinity: Option<Vec<NodeSelectorTerm>>,
    /// Tolerations as written, without the ones that every daemon pod gets.
    #[serde(deserialize_with = "null_default")]
    pub tolerations: Vec<Toleration>,
    /// Shares the node's network.
    #[serde(deserialize_with = "null_default")]
    pub host_network: bool,
    /// Containers that run together.
    #[serde(deserialize_with = "null_default")]
    pub containers: Vec<Container>,
    /// Name of the priority class; empty if unset.
    #[serde(deserialize_with = "null_default")]
    pub priority_class_name: String,
}

/// Update strategy of a DaemonSet.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct DaemonSetUpdateStrategy {
    /// `RollingUpdate`, `OnDelete`, or what an unvalidated object says.
    #[serde(rename = "type", deserialize_with = "null_default")]
    pub type_: String,
    /// Parameters of `RollingUpdate`.
    pub rolling_update: Option<RollingUpdateDaemonSet>,
}

/// Parameters of a rolling update.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct RollingUpdateDaemonSet {
    /// Number or percentage of wanted nodes whose pod may be unavailable.
    pub max_unavailable: Option<IntOrString>,
    /// Number or percentage of wanted nodes that may have a new pod beside the old one.
    pub max_surge: Option<IntOrString>,
}

/// Status of a DaemonSet as reported by the controller.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
#[allow(missing_docs, reason = "the API's own names")]
pub struct DaemonSetStatus {
    #[serde(deserialize_with = "null_default")]
    pub desired_number_scheduled: i32,
    #[serde(deserialize_with = "null_default")]
    pub current_number_scheduled: i32,
    #[serde(deserialize_with = "null_default")]
    pub number_misscheduled: i32,
    #[serde(deserialize_with = "null_default")]
    pub number_ready: i32,
    #[serde(deserialize_with = "null_default")]
    pub updated_number_scheduled: i32,
    #[serde(deserialize_with = "null_default")]
    pub number_available: i32,
    #[serde(deserialize_with = "null_default")]
    pub number_unavailable: i32,
    #[serde(deserialize_with = "null_default")]
    pub observed_generation: i64,
    pub collision_count: Option<i32>,
}

#[derive(Deserialize)]
struct DaemonSetIn {
    #[serde(default, deserialize_with = "meta::annotated")]
    metadata: meta::StampedMeta,
    #[serde(default, deserialize_with = "null_default")]
    spec: DaemonSetSpec,
    #[serde(default, deserialize_with = "null_default")]
    status: DaemonSetStatus,
}

impl<'de> Deserialize<'de> for DaemonSet {
    /// Reads the object twice: as JSON, kept as it is, and from that the typed part. An error names the field.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Value::deserialize(deserializer)?;
        let DaemonSetIn { metadata: (metadata, newest_timestamp), spec, status } =
            serde_path_to_error::deserialize(&raw).map_err(de::Error::custom)?;
        Ok(Self { metadata, spec, status, raw, newest_timestamp })
    }
}

impl DaemonSet {
    /// Returns the name; empty if the object has none.
    pub fn name(&self) -> &str {
        self.metadata.name.as_deref().unwrap_or_default()
    }

    /// Returns the namespace; empty if the object has none.
    pub fn namespace(&self) -> &str {
        self.metadata.namespace.as_deref().unwrap_or_default()
    }

    /// Returns the uid; empty if the object has none.
    pub fn uid(&self) -> &str {
        self.metadata.uid.as_deref().unwrap_or_default()
    }

    /// Returns `metadata.generation`, 0 if absent.
    pub fn generation(&self) -> i64 {
        self.metadata.generation.unwrap_or_default()
    }

    /// Returns the strategy that the set had before its rollout was paused, if it was.
    pub fn paused_strategy(&self) -> Option<Value> {
        let former = self.metadata.annotations.as_ref()?.get(PAUSED_ANNOTATION)?;
        Some(serde_json::from_str(former).unwrap_or_default())
    }

    /// Returns whether the rollout is paused: the strategy is OnDelete and was another one.
    pub fn is_paused(&self) -> bool {
        self.spec.update_strategy.type_ == "OnDelete" && self.paused_strategy().is_some()
    }

    /// Returns whether `metadata.deletionTimestamp` is set.
    pub fn is_deleting(&self) -> bool {
        self.metadata.deletion_timestamp.is_some()
    }

    /// Returns whether another state of this set differs, if at all, only in what is reported, and in who wrote which field.
    pub fn is_same_but_for_status(&self, other: &Self) -> bool {
        let wanted = |set: &Self| {
            let mut raw = set.raw.clone();
            raw["status"] = Value::Null;
            for field in ["resourceVersion", "managedFields"] {
                raw["metadata"][field] = Value::Null;
            }
            raw
        };
        wanted(self) == wanted(other)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::DaemonSet;
    use crate::builders::daemon_set;

    #[test]
    fn only_what_is_reported_may_differ() {
        let set = || daemon_set("agent").set("/metadata/resourceVersion", "7");
        let is_same = |field: &str, value| {
            let other: DaemonSet = set().set(field, value).decode();
            set().decode::<DaemonSet>().is_same_but_for_status(&other)
        };
        assert!(is_same("/metadata/resourceVersion", json!("8")));
        assert!(is_same("/metadata/managedFields", json!([{ "manager": "kube-controller-manager" }])));
        assert!(is_same("/status", json!({ "numberReady": 3 })));
        assert!(!is_same("/metadata/annotations", json!({ "a": "b" })));
        assert!(!is_same("/metadata/uid", json!("another")));
        assert!(!is_same("/spec/minReadySeconds", json!(5)));
        assert!(!is_same("/spec/unknown", json!(5)));
    }
}
