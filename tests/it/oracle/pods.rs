//! Compares the pods that the controller made with those that we would make.

use kubectl_daemonset::apply::pod_for_node;
use serde_json::Value;

use super::Sample;
use crate::support::{plan_of, snapshot_of_list};

/// Compares every pod of an answer; returns how many there are. A revision that has yet to be made has a hash that only Go
/// can compute.
pub fn compare(sample: &Sample, answer: &Value) -> usize {
    let snapshot = snapshot_of_list(&sample.state, &sample.now);
    let name = |key: &str| sample.daemon_set[key].as_str().expect("a set has a name");
    let plan = plan_of(&snapshot, name("namespace"), name("name"));
    let is_meant =
        |set: &&kubectl_daemonset::api::DaemonSet| set.namespace() == name("namespace") && set.name() == name("name");
    let set = snapshot.daemon_sets.iter().find(is_meant).expect("the set is in the state");
    // Of equal revisions with one number the controller takes any.
    if sample.answer["history"]["currentEver"].as_array().is_some_and(|any| any.len() > 1) {
        return 0;
    }
    let (Some(revision), Some(pods)) = (&plan.revision, answer["pods"].as_object()) else { return 0 };
    for (node, made) in pods {
        let ours = without_empty(pod_for_node(set, &revision.hash, node));
        let theirs = without_empty(made.clone());
        for part in ["/metadata/generateName", "/metadata/labels", "/metadata/annotations", "/metadata/finalizers"] {
            assert_eq!(ours.pointer(part), theirs.pointer(part), "seed {}: {part} of the pod on {node}", sample.seed);
        }
        let owners = "/metadata/ownerReferences";
        assert_eq!(ours.pointer(owners), theirs.pointer(owners), "seed {}: {owners} on {node}", sample.seed);
        assert_eq!(ours["spec"], theirs["spec"], "seed {}: spec of the pod on {node}", sample.seed);
    }
    pods.len()
}

/// Drops what Go's types do not tell apart from absent.
fn without_empty(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(key, value)| (key, without_empty(value)));
            Value::Object(fields.filter(|(_, value)| !is_empty(value)).collect())
        }
        Value::Array(items) => items.into_iter().map(without_empty).collect(),
        other => other,
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Object(fields) => fields.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Bool(is_set) => !is_set,
        Value::Number(number) => number.as_i64() == Some(0),
    }
}
