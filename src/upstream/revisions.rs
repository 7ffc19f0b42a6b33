//! ControllerRevisions: whose they are, and which one equals the template.
//!
//! Mirrors `pkg/controller/daemon/update.go` (`controlledHistories`, `Match`, `getPatch`).

use serde_json::{Map, Value, json};

use crate::api::{ControllerRevision, DaemonSet};

/// How a zero `creationTimestamp` inside the stored template counts in the comparison with the current template.
///
/// A controller up to 1.33 writes it as null, one since 1.34 leaves it out, and both compare bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NullRule {
    /// Servers since 1.34: equal only without the null.
    LeftOut,
    /// Servers up to 1.33: equal only with the null.
    Written,
    /// The version is not known and may be older than 1.34: left out if some revision matches so, else either way.
    Either,
}

/// Returns for each revision whether it equals the template of the set.
///
/// The data must be an object with `spec.template` alone, equal to the template with `$patch: replace` added, compared as
/// JSON values. Unlike upstream, which compares the bytes of its own serialisation, this ignores the order of keys.
///
/// Upstream: pkg/controller/daemon `Match` (1.37).
pub fn matching_template(daemon_set: &DaemonSet, revisions: &[&ControllerRevision], rule: NullRule) -> Vec<bool> {
    let null = Value::Null;
    let template = daemon_set.raw.pointer("/spec/template").unwrap_or(&null);
    let mut left_out = template.clone();
    remove_null_creation_timestamps(&mut left_out);
    let mut written = left_out.clone();
    write_null_creation_timestamps(&mut written);
    let mut stored: Vec<_> = revisions.iter().map(|revision| stored_template(revision)).collect();
    let equal_to = |stored: &[Option<Value>], expected: &Value| -> Vec<bool> {
        stored.iter().map(|stored| stored.as_ref() == Some(expected)).collect()
    };
    let exact = equal_to(&stored, if rule == NullRule::Written { &written } else { &left_out });
    if rule != NullRule::Either || exact.contains(&true) {
        return exact;
    }
    stored.iter_mut().flatten().for_each(remove_null_creation_timestamps);
    equal_to(&stored, &left_out)
}

/// Returns the template that a revision stores; `None` if the data is not of the form the controller writes.
pub fn stored_template(revision: &ControllerRevision) -> Option<Value> {
    let only = |value: &Value, key: &str| value.as_object().filter(|object| object.len() == 1)?.get(key).cloned();
    let mut template = only(&only(&revision.data, "spec")?, "template")?;
    let patch = template.as_object_mut()?.remove("$patch")?;
    (patch == json!("replace")).then_some(template)
}

/// Calls `change` on the metadata objects of a template in which the Go types hold a `creationTimestamp`.
fn for_each_metadata(template: &mut Value, change: impl Fn(&mut Map<String, Value>)) {
    if let Some(metadata) = template.get_mut("metadata").and_then(Value::as_object_mut) {
        change(metadata);
    }
    let volumes = template.pointer_mut("/spec/volumes").and_then(Value::as_array_mut);
    for volume in volumes.into_iter().flatten() {
        if let Some(metadata) =
            volume.pointer_mut("/ephemeral/volumeClaimTemplate/metadata").and_then(Value::as_object_mut)
        {
            change(metadata);
        }
    }
}

fn remove_null_creation_timestamps(template: &mut Value) {
    for_each_metadata(template, |metadata| {
        if metadata.get("creationTimestamp").is_some_and(Value::is_null) {
            metadata.remove("creationTimestamp");
        }
    });
}

fn write_null_creation_timestamps(template: &mut Value) {
    for_each_metadata(template, |metadata| {
        metadata.entry("creationTimestamp").or_insert(Value::Null);
    });
}

#[cfg(test)]
mod tests;
