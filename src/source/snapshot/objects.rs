//! The objects that a snapshot is made of, with the place of each until duplicates are found.

use std::collections::{BTreeSet, HashSet};

use anyhow::bail;
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, de};
use serde_json::Value;

use crate::api::{ControllerRevision, DaemonSet, Event, Node, ObjectMeta, Pod};
use crate::snapshot::{ServerVersion, Snapshot};

use super::kinds::{Kind, TypeMeta};
use super::place::{Failure, Place, Places};

/// How many kinds that are passed over are noted.
const MAX_OTHER_KINDS: usize = 5;

/// What the first item of our own snapshots records.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct SnapshotInfo {
    /// The clock of the API server when the snapshot was taken.
    pub(super) now: Option<Timestamp>,
    /// Its version.
    #[serde(deserialize_with = "server_version")]
    pub(super) server_version: Option<ServerVersion>,
}

/// Everything that was kept.
#[derive(Debug, Default)]
pub(super) struct Objects {
    nodes: Vec<(Place, Node)>,
    daemon_sets: Vec<(Place, DaemonSet)>,
    pods: Vec<(Place, Pod)>,
    controller_revisions: Vec<(Place, ControllerRevision)>,
    events: Vec<Event>,
    /// An event is in a dump twice if both of its API groups were asked; the first is kept.
    event_uids: HashSet<String>,
    /// What a snapshot of ours records.
    pub(super) info: Option<SnapshotInfo>,
    /// The first object that was passed over for its version, in words.
    pub(super) other_version: Option<String>,
    /// Kinds that were passed over, the first few.
    pub(super) other_kinds: BTreeSet<String>,
    /// What the server said in place of objects.
    pub(super) refusal: Option<String>,
}

/// An object that has a name, and of which there is one of that name.
trait Named: DeserializeOwned + PartialEq {
    const KIND: &'static str;
    const IS_NAMESPACED: bool;
    fn metadata(&self) -> &ObjectMeta;
    fn metadata_mut(&mut self) -> &mut ObjectMeta;
}

macro_rules! named {
    ($type:ident, namespaced: $namespaced:literal) => {
        impl Named for $type {
            const KIND: &'static str = stringify!($type);
            const IS_NAMESPACED: bool = $namespaced;
            fn metadata(&self) -> &ObjectMeta {
                &self.metadata
            }
            fn metadata_mut(&mut self) -> &mut ObjectMeta {
                &mut self.metadata
            }
        }
    };
}

named!(Node, namespaced: false);
named!(DaemonSet, namespaced: true);
named!(Pod, namespaced: true);
named!(ControllerRevision, namespaced: true);

impl Objects {
    /// Returns how many objects were kept, those included that are there twice.
    pub(super) fn len(&self) -> usize {
        let named = self.nodes.len() + self.daemon_sets.len() + self.pods.len() + self.controller_revisions.len();
        named + self.events.len()
    }

    /// Keeps an object if it is of a kind that decides, and returns whether it is.
    ///
    /// Fails on a wrong type in a field that is read, on an object without a name, and on a second, other SnapshotInfo.
    /// The error names object and field.
    pub(super) fn keep(&mut self, type_meta: &TypeMeta, object: &Value, place: Place) -> Result<bool, Failure> {
        match type_meta.kind() {
            Kind::Node => self.nodes.push((place, named(object, place)?)),
            Kind::DaemonSet => {
                let daemon_set: DaemonSet = named(object, place)?;
                if !object["spec"].is_object() {
                    let words = words(&type_meta.kind, object);
                    return Err(Failure::of_object(&words, place.item, "spec: missing"));
                }
                self.daemon_sets.push((place, daemon_set));
            }
            Kind::Pod => self.pods.push((place, named(object, place)?)),
            Kind::ControllerRevision => self.controller_revisions.push((place, named(object, place)?)),
            Kind::Event => self.keep_event(object, place)?,
            Kind::SnapshotInfo => self.keep_info(object, place)?,
            Kind::OtherVersion => {
                let words = || format!("{} of {}", words(&type_meta.kind, object), type_meta.api_version);
                self.other_version.get_or_insert_with(words);
                return Ok(false);
            }
            Kind::NoVersion => {
                let words = words(&type_meta.kind, object);
                return Err(Failure::of_object(&words, place.item, "apiVersion: missing"));
            }
            Kind::Other => {
                self.note_other(type_meta, object);
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn note_other(&mut self, type_meta: &TypeMeta, object: &Value) {
        if type_meta.kind == "Status" {
            let message = object["message"].as_str().unwrap_or_default();
            self.refusal.get_or_insert_with(|| message.to_owned());
        }
        if self.other_kinds.len() < MAX_OTHER_KINDS {
            self.other_kinds.insert(type_meta.kind.clone());
        }
    }

    /// Returns the first set that has no uid, in words: no pod can be its own.
    pub(super) fn without_uid(&self) -> Option<String> {
        let sets = self.daemon_sets.iter().map(|(_, set)| set);
        let mut sets = sets.filter(|set| set.uid().is_empty());
        sets.next().map(|set| format!("DaemonSet \"{}/{}\"", set.namespace(), set.name()))
    }

    fn keep_event(&mut self, object: &Value, place: Place) -> Result<(), Failure> {
        let event = decode("Event", object, place)?;
        let uid = object["metadata"]["uid"].as_str().unwrap_or_default();
        if uid.is_empty() || self.event_uids.insert(uid.to_owned()) {
            self.events.push(event);
        }
        Ok(())
    }

    fn keep_info(&mut self, object: &Value, place: Place) -> Result<(), Failure> {
        let info = decode("SnapshotInfo", object, place)?;
        match &self.info {
            Some(other) if *other != info => {
                Err(Failure::of_object("SnapshotInfo", place.item, "another one says something else"))
            }
            _ => {
                self.info = Some(info);
                Ok(())
            }
        }
    }

    /// Sorts everything, takes what is there twice once, and forgets the places. The clock is not set.
    ///
    /// Fails when two different objects have one name.
    pub(super) fn into_snapshot(self, places: &Places) -> anyhow::Result<Snapshot> {
        Ok(Snapshot {
            nodes: sorted(self.nodes, places)?,
            daemon_sets: sorted(self.daemon_sets, places)?,
            pods: sorted(self.pods, places)?,
            controller_revisions: sorted(self.controller_revisions, places)?,
            events: self.events,
            ..Snapshot::default()
        })
    }
}

/// Decodes an object; if that fails, it does so again to find out where.
fn decode<T: DeserializeOwned>(kind: &str, object: &Value, place: Place) -> Result<T, Failure> {
    // serde takes an array for a struct, field by field.
    if let Some(part) = ["metadata", "spec", "status"].into_iter().find(|part| object[part].is_array()) {
        let cause = format!("{part}: invalid type: sequence, expected a map");
        return Err(Failure::of_object(&words(kind, object), place.item, cause));
    }
    T::deserialize(object).map_err(|untracked| {
        let tracked = serde_path_to_error::deserialize::<_, T>(object).err();
        let cause = match tracked.map(|error| (error.path().to_string(), error.into_inner())) {
            Some((path, error)) if path != "." => format!("{path}: {}", plainly(&error.to_string())),
            _ => plainly(&untracked.to_string()),
        };
        Failure::of_object(&words(kind, object), place.item, cause)
    })
}

/// Puts what is expected in words for people, where the decoder names types of Rust.
fn plainly(error: &str) -> String {
    let Some((found, expected)) = error.split_once(", expected ") else {
        // All that is left without such a word is a time that does not parse.
        let is_time = error.starts_with("failed to parse") || error.contains("timestamp");
        return if is_time { "expected a time such as 2026-11-29T14:43:52Z".to_owned() } else { error.to_owned() };
    };
    if found.starts_with("failed to parse") {
        return "expected a time such as 2026-11-29T14:43:52Z".to_owned();
    }
    let expected = match expected {
        "i32" | "i64" | "u32" | "u64" => "a whole number",
        "IntOrString" => "a whole number, or a text such as 10%",
        other if other.starts_with("struct ") => "a map",
        other => other,
    };
    format!("{found}, expected {expected}")
}

fn named<T: Named>(object: &Value, place: Place) -> Result<T, Failure> {
    let mut decoded: T = decode(T::KIND, object, place)?;
    let metadata = decoded.metadata_mut();
    if metadata.name.as_deref().unwrap_or_default().is_empty() {
        return Err(Failure::of_object(T::KIND, place.item, "metadata.name: missing"));
    }
    if T::IS_NAMESPACED && metadata.namespace.as_deref().unwrap_or_default().is_empty() {
        metadata.namespace = Some("default".to_owned());
    }
    Ok(decoded)
}

/// Words an object that is not decoded: `Pod "ops/agent-x"`.
pub(super) fn words(kind: &str, object: &Value) -> String {
    let metadata = &object["metadata"];
    match (metadata["namespace"].as_str(), metadata["name"].as_str()) {
        (Some(namespace), Some(name)) => format!("{kind} \"{namespace}/{name}\""),
        (None, Some(name)) => format!("{kind} \"{name}\""),
        (_, None) => kind.to_owned(),
    }
}

/// Sorts by namespace, then name, and takes what is there twice once.
fn sorted<T: Named>(mut objects: Vec<(Place, T)>, places: &Places) -> anyhow::Result<Vec<T>> {
    objects.sort_unstable_by(|(a_place, a), (b_place, b)| key(a).cmp(&key(b)).then(a_place.cmp(b_place)));
    let twice = objects.windows(2).find(|pair| key(&pair[0].1) == key(&pair[1].1) && !is_same(&pair[0].1, &pair[1].1));
    if let Some([(first, object), (second, _)]) = twice {
        let (namespace, name) = key(object);
        let full_name = if T::IS_NAMESPACED { format!("{namespace}/{name}") } else { name.to_owned() };
        let words = format!("{} \"{full_name}\"", T::KIND);
        bail!("read {}: a different one is in {}", places.describe_object(*second, &words), places.describe(*first));
    }
    objects.dedup_by(|(_, second), (_, first)| key(first) == key(second));
    let mut sorted: Vec<T> = objects.into_iter().map(|(_, object)| object).collect();
    sorted.shrink_to_fit();
    Ok(sorted)
}

fn key<T: Named>(object: &T) -> (&str, &str) {
    let metadata = object.metadata();
    (metadata.namespace.as_deref().unwrap_or_default(), metadata.name.as_deref().unwrap_or_default())
}

/// Returns whether two objects of one name are one: the same version of the same object, or alike in all that is read.
fn is_same<T: Named>(a: &T, b: &T) -> bool {
    let version = |object: &T| {
        let metadata = object.metadata();
        metadata.uid.clone().filter(|uid| !uid.is_empty()).zip(metadata.resource_version.clone())
    };
    version(a).is_some_and(|version_of_a| Some(version_of_a) == version(b)) || a == b
}

fn server_version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ServerVersion>, D::Error> {
    let Some(text) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    let version = ServerVersion::parse(&text);
    version.map(Some).ok_or_else(|| de::Error::invalid_value(de::Unexpected::Str(&text), &"a version such as 1.37"))
}
