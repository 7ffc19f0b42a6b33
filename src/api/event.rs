//! Event: what the controller, the scheduler and kubelets said.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer};

use super::Time;
use super::meta::null_default;

/// An event, core/v1 or events.k8s.io/v1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Event {
    /// Its own namespace.
    pub namespace: String,
    /// Its own name.
    pub name: String,
    /// The object it is about.
    pub regarding: ObjectReference,
    /// Such as `FailedCreate`.
    pub reason: String,
    /// The event in words.
    pub message: String,
    /// `Normal` or `Warning`.
    pub type_: String,
    /// How often it was seen; at least 1.
    pub count: i32,
    /// When it was last seen.
    pub last_seen: Option<Timestamp>,
}

/// The object that an event is about.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
#[allow(missing_docs, reason = "the API's own names")]
pub struct ObjectReference {
    #[serde(deserialize_with = "null_default")]
    pub kind: String,
    #[serde(deserialize_with = "null_default")]
    pub namespace: String,
    #[serde(deserialize_with = "null_default")]
    pub name: String,
    #[serde(deserialize_with = "null_default")]
    pub uid: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct EventIn {
    #[serde(deserialize_with = "null_default")]
    metadata: MetaIn,
    #[serde(alias = "regarding", deserialize_with = "null_default")]
    involved_object: ObjectReference,
    #[serde(deserialize_with = "null_default")]
    reason: String,
    #[serde(alias = "note", deserialize_with = "null_default")]
    message: String,
    #[serde(rename = "type", deserialize_with = "null_default")]
    type_: String,
    #[serde(alias = "deprecatedCount")]
    count: Option<i32>,
    #[serde(alias = "deprecatedFirstTimestamp")]
    first_timestamp: Option<Time>,
    #[serde(alias = "deprecatedLastTimestamp")]
    last_timestamp: Option<Time>,
    event_time: Option<Time>,
    series: Option<SeriesIn>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct MetaIn {
    #[serde(deserialize_with = "null_default")]
    namespace: String,
    #[serde(deserialize_with = "null_default")]
    name: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct SeriesIn {
    count: Option<i32>,
    last_observed_time: Option<Time>,
}

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let event = EventIn::deserialize(deserializer)?;
        let series = event.series.unwrap_or_default();
        let times = [event.first_timestamp, event.last_timestamp, event.event_time, series.last_observed_time];
        Ok(Self {
            namespace: event.metadata.namespace,
            name: event.metadata.name,
            regarding: event.involved_object,
            reason: event.reason,
            message: event.message,
            type_: event.type_,
            count: series.count.or(event.count).unwrap_or(1).max(1),
            last_seen: times.into_iter().flatten().map(|time| time.0).max(),
        })
    }
}
