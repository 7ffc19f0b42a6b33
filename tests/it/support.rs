//! What several test modules share.

use std::fs;
use std::path::{Path, PathBuf};

use kubectl_daemonset::api::{ControllerRevision, DaemonSet, Event, Node, Pod};
use kubectl_daemonset::plan::Plan;
use kubectl_daemonset::reconcile::reconcile;
use kubectl_daemonset::snapshot::Snapshot;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Returns a path below `tests`.
pub fn test_path(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(path)
}

/// Reads a file below `tests`.
pub fn read(path: &str) -> String {
    fs::read_to_string(test_path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Reads a JSON file below `tests`.
pub fn read_json(path: &str) -> Value {
    serde_json::from_str(&read(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Makes a snapshot of the objects of a v1 List.
pub fn snapshot_of_list(list: &Value, now: &str) -> Snapshot {
    let mut snapshot = Snapshot { now: now.trim().parse().expect("a time"), ..Snapshot::default() };
    for item in list["items"].as_array().into_iter().flatten() {
        match item["kind"].as_str().unwrap_or_default() {
            "Node" => snapshot.nodes.push(decode::<Node>(item)),
            "DaemonSet" => snapshot.daemon_sets.push(decode::<DaemonSet>(item)),
            "Pod" => snapshot.pods.push(decode::<Pod>(item)),
            "ControllerRevision" => snapshot.controller_revisions.push(decode::<ControllerRevision>(item)),
            "Event" => snapshot.events.push(decode::<Event>(item)),
            _ => {}
        }
    }
    snapshot.sort();
    snapshot
}

/// Makes a snapshot of the objects of a v1 List in YAML.
pub fn snapshot_of_yaml(text: &str, now: &str) -> Snapshot {
    let list: Value = serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{error}"));
    snapshot_of_list(&list, now)
}

fn decode<T: DeserializeOwned>(item: &Value) -> T {
    serde_path_to_error::deserialize(item).unwrap_or_else(|error| panic!("{error} in {item}"))
}

/// Plans the one set of this name.
pub fn plan_of(snapshot: &Snapshot, namespace: &str, name: &str) -> Plan {
    let is_it = |set: &&DaemonSet| set.namespace() == namespace && set.name() == name;
    let daemon_set = snapshot.daemon_sets.iter().find(is_it).unwrap_or_else(|| panic!("no set {namespace}/{name}"));
    reconcile(snapshot, [daemon_set]).next().expect("a set has a plan")
}
