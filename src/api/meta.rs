//! Metadata and conditions, cut down to what is read.

use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference, Time};
use serde::{Deserialize, Deserializer};

use super::Labels;

/// Reads a value that may be `null`, which counts as absent.
pub(super) fn null_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

/// Returns the owner reference whose `controller` is true: the first one, if there are several.
///
/// Upstream: apimachinery pkg/apis/meta/v1 `GetControllerOf` (1.37).
pub fn controller_of(metadata: &ObjectMeta) -> Option<&OwnerReference> {
    metadata.owner_references.iter().flatten().find(|owner| owner.controller == Some(true))
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct MetaIn {
    annotations: Option<Labels>,
    creation_timestamp: Option<Time>,
    deletion_timestamp: Option<Time>,
    deletion_grace_period_seconds: Option<i64>,
    finalizers: Option<Vec<String>>,
    generation: Option<i64>,
    labels: Option<Labels>,
    managed_fields: Option<Vec<ManagedFieldsEntry>>,
    name: Option<String>,
    namespace: Option<String>,
    owner_references: Option<Vec<OwnerReference>>,
    resource_version: Option<String>,
    uid: Option<String>,
}

#[derive(Deserialize)]
struct ManagedFieldsEntry {
    time: Option<Time>,
}

impl MetaIn {
    fn into_meta(self, keep_annotations: bool) -> (ObjectMeta, Option<Timestamp>) {
        let newest = self.managed_fields.iter().flatten().filter_map(|entry| entry.time.as_ref()).map(|t| t.0).max();
        let newest = newest.max(self.creation_timestamp.as_ref().map(|t| t.0));
        let metadata = ObjectMeta {
            annotations: self.annotations.filter(|_| keep_annotations),
            creation_timestamp: self.creation_timestamp,
            deletion_timestamp: self.deletion_timestamp,
            deletion_grace_period_seconds: self.deletion_grace_period_seconds,
            finalizers: self.finalizers.filter(|finalizers| !finalizers.is_empty()),
            generation: self.generation,
            labels: self.labels.filter(|labels| !labels.is_empty()),
            name: self.name,
            namespace: self.namespace,
            owner_references: self.owner_references,
            resource_version: self.resource_version,
            uid: self.uid,
            ..ObjectMeta::default()
        };
        (metadata, newest)
    }
}

/// Metadata together with the newest timestamp in it that is not a `deletionTimestamp`.
pub(super) type StampedMeta = (ObjectMeta, Option<Timestamp>);

/// Reads metadata without annotations.
pub(super) fn slim<'de, D: Deserializer<'de>>(deserializer: D) -> Result<StampedMeta, D::Error> {
    Ok(null_default::<_, MetaIn>(deserializer)?.into_meta(false))
}

/// Reads metadata with annotations.
pub(super) fn annotated<'de, D: Deserializer<'de>>(deserializer: D) -> Result<StampedMeta, D::Error> {
    Ok(null_default::<_, MetaIn>(deserializer)?.into_meta(true))
}

/// A condition of a node or pod.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct Condition {
    /// Such as `Ready`.
    #[serde(rename = "type", deserialize_with = "null_default")]
    pub type_: String,
    /// `True`, `False` or `Unknown`.
    #[serde(deserialize_with = "null_default")]
    pub status: String,
    /// Machine-readable cause.
    #[serde(deserialize_with = "null_default")]
    pub reason: String,
    /// Cause in words.
    #[serde(deserialize_with = "null_default")]
    pub message: String,
    /// When `status` last changed.
    pub last_transition_time: Option<Time>,
    /// When a node condition was last reported.
    pub last_heartbeat_time: Option<Time>,
}

impl Condition {
    /// Returns the newest timestamp of the condition.
    pub(super) fn newest(&self) -> Option<Timestamp> {
        let [transition, heartbeat] =
            [&self.last_transition_time, &self.last_heartbeat_time].map(|time| time.as_ref().map(|t| t.0));
        transition.max(heartbeat)
    }
}
