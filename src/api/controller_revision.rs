//! ControllerRevision: a template as it was, kept as JSON.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::meta::{self, null_default};
use super::{CONTROLLER_REVISION_HASH_LABEL, Labels, ObjectMeta};

/// A ControllerRevision.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ControllerRevision {
    /// Metadata, annotations included.
    pub metadata: ObjectMeta,
    /// The stored patch, untouched.
    pub data: Value,
    /// Number of the revision.
    pub revision: i64,
    /// The newest timestamp in the object that is not a `deletionTimestamp`.
    pub newest_timestamp: Option<Timestamp>,
}

#[derive(Deserialize)]
struct ControllerRevisionIn {
    #[serde(default, deserialize_with = "meta::annotated")]
    metadata: meta::StampedMeta,
    #[serde(default)]
    data: Value,
    #[serde(default, deserialize_with = "null_default")]
    revision: i64,
}

impl<'de> Deserialize<'de> for ControllerRevision {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let ControllerRevisionIn { metadata: (metadata, newest_timestamp), data, revision } =
            ControllerRevisionIn::deserialize(deserializer)?;
        Ok(Self { metadata, data, revision, newest_timestamp })
    }
}

impl ControllerRevision {
    /// Returns the name; empty if the object has none.
    pub fn name(&self) -> &str {
        self.metadata.name.as_deref().unwrap_or_default()
    }

    /// Returns the namespace; empty if the object has none.
    pub fn namespace(&self) -> &str {
        self.metadata.namespace.as_deref().unwrap_or_default()
    }

    /// Returns the labels.
    pub fn labels(&self) -> &Labels {
        static NONE: Labels = Labels::new();
        self.metadata.labels.as_ref().unwrap_or(&NONE)
    }

    /// Returns the value of the hash label, if the label exists (its value may be empty).
    pub fn hash_label(&self) -> Option<&str> {
        self.labels().get(CONTROLLER_REVISION_HASH_LABEL).map(String::as_str)
    }
}
