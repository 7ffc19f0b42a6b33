//! Redaction: takes out of objects what may be secret and does not decide, before they go into a file.
//!
//! Values of environment variables, arguments, commands and template annotations become `redacted-N`: equal values the
//! same N, different values different ones, over all objects, so that two revisions that differ only there still do.
//! Annotations that do not decide, what servers keep about fields, the last words of containers, which may be lines of a
//! log, and the images that lie on nodes are dropped.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::api::{PAUSED_ANNOTATION, TEMPLATE_GENERATION_ANNOTATION};

/// Annotations that decide or are shown.
const KEPT_ANNOTATIONS: [&str; 3] = [TEMPLATE_GENERATION_ANNOTATION, PAUSED_ANNOTATION, "kubernetes.io/change-cause"];

/// Drops from one object, of any kind, what is not written down; the times of edits stay.
pub fn reduce(object: &mut Value) {
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        if let Some(Value::Object(annotations)) = metadata.get_mut("annotations") {
            annotations.retain(|key, _| KEPT_ANNOTATIONS.contains(&key.as_str()));
            if annotations.is_empty() {
                metadata.remove("annotations");
            }
        }
        let entries = metadata.get_mut("managedFields").and_then(Value::as_array_mut);
        for entry in entries.into_iter().flatten().filter_map(Value::as_object_mut) {
            entry.remove("fieldsV1");
        }
    }
    if let Some(status) = object.get_mut("status").and_then(Value::as_object_mut) {
        status.remove("images");
        last_words(status);
    }
}

/// Drops what containers of a pod said when they ended.
fn last_words(status: &mut Map<String, Value>) {
    for kind in ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"] {
        let containers = status.get_mut(kind).and_then(Value::as_array_mut);
        for container in containers.into_iter().flatten() {
            for state in ["state", "lastState"] {
                if let Some(Value::Object(ended)) = container.pointer_mut(&format!("/{state}/terminated")) {
                    ended.remove("message");
                }
            }
        }
    }
}

/// Replaces in objects what may be secret, numbered in their order.
pub fn redact(objects: &mut [Value]) {
    let mut redactor = Redactor::default();
    for object in objects {
        match object["kind"].as_str().unwrap_or_default() {
            "DaemonSet" => redactor.template(object.pointer_mut("/spec/template")),
            "ControllerRevision" => redactor.template(object.pointer_mut("/data/spec/template")),
            "Pod" => redactor.pod_spec(object.get_mut("spec")),
            _ => {}
        }
    }
}

/// Numbers the values that it has seen.
#[derive(Default)]
struct Redactor {
    numbers: HashMap<String, usize>,
}

impl Redactor {
    fn template(&mut self, template: Option<&mut Value>) {
        let Some(template) = template else { return };
        if let Some(annotations) = template.pointer_mut("/metadata/annotations").and_then(Value::as_object_mut) {
            annotations.values_mut().for_each(|value| self.value(value));
        }
        self.pod_spec(template.get_mut("spec"));
    }

    fn pod_spec(&mut self, spec: Option<&mut Value>) {
        let Some(spec) = spec.and_then(Value::as_object_mut) else { return };
        for kind in ["containers", "initContainers", "ephemeralContainers"] {
            let containers = spec.get_mut(kind).and_then(Value::as_array_mut);
            for container in containers.into_iter().flatten().filter_map(Value::as_object_mut) {
                self.container(container);
            }
        }
    }

    /// Redacts a container, the commands and headers of its probes and hooks included.
    fn container(&mut self, fields: &mut Map<String, Value>) {
        for (key, value) in fields {
            match (key.as_str(), value) {
                ("args" | "command", Value::Array(words)) => words.iter_mut().for_each(|word| self.value(word)),
                ("env" | "httpHeaders", Value::Array(pairs)) => {
                    let values = pairs.iter_mut().filter_map(|pair| pair.get_mut("value"));
                    values.for_each(|value| self.value(value));
                }
                ("args" | "command", value) => self.value(value),
                (_, Value::Object(inner)) => self.container(inner),
                _ => {}
            }
        }
    }

    /// Replaces a value; what is empty stays, because the API takes it for absent.
    fn value(&mut self, value: &mut Value) {
        if value.is_null() || value.as_str() == Some("") {
            return;
        }
        let next = self.numbers.len() + 1;
        let number = *self.numbers.entry(value.to_string()).or_insert(next);
        *value = format!("redacted-{number}").into();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{redact, reduce};

    fn template(token: &str, arg: &str) -> Value {
        json!({
            "metadata": { "annotations": { "checksum": arg }, "labels": { "app": "agent" } },
            "spec": { "containers": [{
                "name": "agent", "image": "agent:2", "args": ["--token", arg], "command": ["sh"],
                "env": [
                    { "name": "TOKEN", "value": token },
                    { "name": "EMPTY", "value": "" },
                    { "name": "NODE", "valueFrom": { "fieldRef": { "fieldPath": "spec.nodeName" } } },
                ],
                "livenessProbe": {
                    "exec": { "command": ["check", token] },
                    "httpGet": { "path": "/", "httpHeaders": [{ "name": "Authorization", "value": token }] },
                },
            }] },
        })
    }

    /// Returns objects as they are written down.
    fn objects() -> Vec<Value> {
        let set = json!({
            "kind": "DaemonSet",
            "metadata": {
                "name": "agent",
                "annotations": {
                    "deprecated.daemonset.template.generation": "2",
                    "kubectl.kubernetes.io/last-applied-configuration": "s3cret",
                },
                "managedFields": [{ "manager": "kubectl", "time": "2026-11-29T14:43:52Z", "fieldsV1": { "f:spec": {} } }],
            },
            "spec": { "template": template("s3cret", "s3cret-2") },
        });
        let revision = |token: &str| {
            json!({
                "kind": "ControllerRevision", "metadata": { "name": "r" },
                "data": { "spec": { "template": template(token, "s3cret-2") } },
            })
        };
        let pod = json!({
            "kind": "Pod", "metadata": { "name": "p", "annotations": { "a": "s3cret" } },
            "status": { "containerStatuses": [{ "name": "agent", "lastState": { "terminated": { "message": "s3cret" } } }] },
            "spec": template("s3cret", "s3cret-2")["spec"],
        });
        let node = json!({ "kind": "Node", "metadata": { "name": "n", "annotations": { "a": "s3cret" } }, "status": { "images": ["s3cret"] } });
        let mut all = vec![set, revision("s3cret"), revision("s3cret-3"), pod, node];
        all.iter_mut().for_each(reduce);
        redact(&mut all);
        all
    }

    #[test]
    fn nothing_secret_is_left() {
        let all = objects();
        assert!(!json!(all).to_string().contains("s3cret"), "{all:?}");
    }

    #[test]
    fn what_was_equal_is_equal_and_what_was_not_is_not() {
        let all = objects();
        let template = all[0]["spec"]["template"].clone();
        assert_eq!(template, all[1]["data"]["spec"]["template"]);
        assert_ne!(template, all[2]["data"]["spec"]["template"]);
        assert_eq!(template["spec"], all[3]["spec"]);
    }

    #[test]
    fn what_decides_stays() {
        let all = objects();
        assert_eq!(
            all[0]["metadata"],
            json!({
                "name": "agent",
                "annotations": { "deprecated.daemonset.template.generation": "2" },
                "managedFields": [{ "manager": "kubectl", "time": "2026-11-29T14:43:52Z" }],
            })
        );
        assert_eq!(
            all[0]["spec"]["template"],
            json!({
                "metadata": { "annotations": { "checksum": "redacted-1" }, "labels": { "app": "agent" } },
                "spec": { "containers": [{
                    "name": "agent", "image": "agent:2", "args": ["redacted-2", "redacted-1"], "command": ["redacted-3"],
                    "env": [
                        { "name": "TOKEN", "value": "redacted-4" },
                        { "name": "EMPTY", "value": "" },
                        { "name": "NODE", "valueFrom": { "fieldRef": { "fieldPath": "spec.nodeName" } } },
                    ],
                    "livenessProbe": {
                        "exec": { "command": ["redacted-5", "redacted-4"] },
                        "httpGet": { "path": "/", "httpHeaders": [{ "name": "Authorization", "value": "redacted-4" }] },
                    },
                }] },
            })
        );
        assert_eq!(all[4], json!({ "kind": "Node", "metadata": { "name": "n" }, "status": {} }));
    }
}
