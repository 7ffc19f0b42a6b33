//! Which kinds are read, by apiVersion and kind.

use serde_json::{Map, Value};

/// `apiVersion` and `kind` of an object, or those that a typed list gives to its items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TypeMeta {
    pub(super) api_version: String,
    pub(super) kind: String,
}

/// What is done with an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Node,
    DaemonSet,
    Pod,
    ControllerRevision,
    Event,
    SnapshotInfo,
    /// A DaemonSet or ControllerRevision of a version that no server has served since 1.16, or a DaemonSet of another group.
    OtherVersion,
    /// Of a kind that is read, without a version that says so.
    NoVersion,
    /// Any other kind.
    Other,
}

impl TypeMeta {
    /// Reads the type of an object; what it lacks is taken from the list around it.
    pub(super) fn of(object: &Map<String, Value>, list: Option<&Self>) -> Option<Self> {
        let kind = text(object, "kind").or(list.map(|list| list.kind.as_str()))?;
        let api_version = text(object, "apiVersion").or(list.map(|list| list.api_version.as_str()));
        Some(Self { api_version: api_version.unwrap_or_default().to_owned(), kind: kind.to_owned() })
    }

    /// Returns what is done with objects of this type.
    pub(super) fn kind(&self) -> Kind {
        match (self.api_version.as_str(), self.kind.as_str()) {
            ("v1", "Node") => Kind::Node,
            ("v1", "Pod") => Kind::Pod,
            ("v1" | "events.k8s.io/v1" | "events.k8s.io/v1beta1", "Event") => Kind::Event,
            ("apps/v1", "DaemonSet") => Kind::DaemonSet,
            ("apps/v1", "ControllerRevision") => Kind::ControllerRevision,
            ("kubectl-daemonset/v1", "SnapshotInfo") => Kind::SnapshotInfo,
            ("", "Node" | "Pod" | "Event" | "DaemonSet" | "ControllerRevision") => Kind::NoVersion,
            (_, "DaemonSet") | ("extensions/v1beta1" | "apps/v1beta1" | "apps/v1beta2", "ControllerRevision") => {
                Kind::OtherVersion
            }
            _ => Kind::Other,
        }
    }

    /// Returns whether this is a List, typed or not.
    pub(super) fn is_list(&self) -> bool {
        self.kind.ends_with("List")
    }

    /// Returns the type of items that do not state their own; the items of a `List` always do.
    pub(super) fn item(&self) -> Option<Self> {
        let kind = self.kind.strip_suffix("List").filter(|kind| !kind.is_empty())?;
        Some(Self { api_version: self.api_version.clone(), kind: kind.to_owned() })
    }

    /// Returns whether an `apiVersion` is one of those whose kinds are read.
    pub(super) fn is_known_version(api_version: &str) -> bool {
        matches!(api_version, "v1" | "apps/v1" | "events.k8s.io/v1" | "kubectl-daemonset/v1")
    }
}

/// Returns a field of text that is not empty.
pub(super) fn text<'a>(object: &'a Map<String, Value>, field: &str) -> Option<&'a str> {
    object.get(field).and_then(Value::as_str).filter(|text| !text.is_empty())
}
