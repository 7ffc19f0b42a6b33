//! The pod that is made for a node, as the controller would make it.
//!
//! Mirrors `CreatePodTemplate` and `ReplaceDaemonSetPodNodeNameNodeAffinity` of
//! `pkg/controller/daemon/util/daemonset_util.go`, and `GetPodFromTemplate` of `pkg/controller/controller_utils.go`. The
//! template is taken as it is stored, so that fields we do not know reach the pod.

use serde_json::{Map, Value, json};

use crate::api::{CONTROLLER_REVISION_HASH_LABEL, DaemonSet, TEMPLATE_GENERATION_LABEL};
use crate::upstream::affinity::METADATA_NAME;
use crate::upstream::pods::template_generation;
use crate::upstream::taints::{add_or_update, default_tolerations};

/// Returns the pod of this set for a node; `hash` is the hash label of the current revision.
///
/// Upstream: pkg/controller/daemon `syncNodes` (1.37).
pub fn pod_for_node(daemon_set: &DaemonSet, hash: &str, node: &str) -> Value {
    let template = daemon_set.raw.pointer("/spec/template").unwrap_or(&Value::Null);
    let mut metadata = Map::new();
    metadata.insert("generateName".to_owned(), format!("{}-", daemon_set.name()).into());
    metadata.insert("namespace".to_owned(), daemon_set.namespace().into());
    metadata.insert("labels".to_owned(), labels(template, daemon_set, hash));
    for field in ["annotations", "finalizers"] {
        if let Some(value) = template["metadata"].get(field).filter(|value| !value.is_null()) {
            metadata.insert(field.to_owned(), value.clone());
        }
    }
    metadata.insert("ownerReferences".to_owned(), json!([controller_reference(daemon_set)]));
    let mut spec = template["spec"].clone();
    spec["tolerations"] = tolerations(&spec, daemon_set);
    pin(&mut spec["affinity"], node);
    json!({ "apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec })
}

/// Upstream: pkg/controller/daemon/util `CreatePodTemplate` (1.37).
fn labels(template: &Value, daemon_set: &DaemonSet, hash: &str) -> Value {
    let mut labels = template["metadata"]["labels"].as_object().cloned().unwrap_or_default();
    if let Some(generation) = template_generation(daemon_set) {
        labels.insert(TEMPLATE_GENERATION_LABEL.to_owned(), generation.to_string().into());
    }
    if !hash.is_empty() {
        labels.insert(CONTROLLER_REVISION_HASH_LABEL.to_owned(), hash.into());
    }
    labels.into()
}

/// Upstream: apimachinery pkg/apis/meta/v1 `NewControllerRef` (1.37).
fn controller_reference(daemon_set: &DaemonSet) -> Value {
    json!({
        "apiVersion": "apps/v1", "kind": "DaemonSet", "name": daemon_set.name(), "uid": daemon_set.uid(),
        "controller": true, "blockOwnerDeletion": true,
    })
}

/// Returns the tolerations of the template with the defaults added; one that equals a default but for its
/// `tolerationSeconds` is replaced in place.
///
/// Upstream: pkg/controller/daemon/util `AddOrUpdateDaemonPodTolerations` (1.37).
fn tolerations(spec: &Value, daemon_set: &DaemonSet) -> Value {
    let mut tolerations = spec["tolerations"].as_array().cloned().unwrap_or_default();
    for default in default_tolerations(&daemon_set.spec.template.spec) {
        add_or_update(&mut tolerations, json!(default), |toleration, default| {
            identity(toleration) == identity(default)
        });
    }
    tolerations.into()
}

fn identity(toleration: &Value) -> [&str; 4] {
    ["key", "operator", "value", "effect"].map(|field| toleration[field].as_str().unwrap_or_default())
}

/// Upstream: pkg/controller/daemon/util `ReplaceDaemonSetPodNodeNameNodeAffinity` (1.37).
fn pin(affinity: &mut Value, node: &str) {
    let field = json!({ "key": METADATA_NAME, "operator": "In", "values": [node] });
    affinity["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"] =
        json!([{ "matchFields": [field] }]);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::pod_for_node;
    use crate::builders;

    #[test]
    fn what_the_template_says_reaches_the_pod_unknown_fields_included() {
        let set = builders::daemon_set("agent")
            .set("/spec/template/metadata/annotations", json!({ "note": "kept" }))
            .set("/spec/template/spec/fromTheFuture", json!({ "a": null }))
            .set("/metadata/annotations", json!({ "deprecated.daemonset.template.generation": "7" }))
            .decode();
        let pod = pod_for_node(&set, "new", "n1");
        assert_eq!(pod["metadata"]["generateName"], "agent-");
        assert_eq!(pod["metadata"]["annotations"], json!({ "note": "kept" }));
        assert_eq!(
            pod["metadata"]["labels"],
            json!({ "app": "agent", "controller-revision-hash": "new", "pod-template-generation": "7" })
        );
        assert_eq!(pod["spec"]["fromTheFuture"], json!({ "a": null }));
    }

    #[test]
    fn the_pin_replaces_required_terms_and_leaves_preferred_ones() {
        let affinity = json!({ "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution":
                { "nodeSelectorTerms": [{ "matchExpressions": [{ "key": "zone", "operator": "Exists" }] }] },
            "preferredDuringSchedulingIgnoredDuringExecution": [{ "weight": 1, "preference": {} }],
        }, "podAntiAffinity": {} });
        let set = builders::daemon_set("agent").set("/spec/template/spec/affinity", affinity).decode();
        let pod = pod_for_node(&set, "new", "n1");
        assert_eq!(
            pod["spec"]["affinity"],
            json!({ "nodeAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": { "nodeSelectorTerms":
                    [{ "matchFields": [{ "key": "metadata.name", "operator": "In", "values": ["n1"] }] }] },
                "preferredDuringSchedulingIgnoredDuringExecution": [{ "weight": 1, "preference": {} }],
            }, "podAntiAffinity": {} })
        );
    }

    #[test]
    fn a_toleration_that_differs_from_a_default_in_its_seconds_only_is_replaced() {
        let limited = json!({ "key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute",
            "tolerationSeconds": 300 });
        let set = builders::daemon_set("agent").set("/spec/template/spec/tolerations", json!([limited])).decode();
        let tolerations = &pod_for_node(&set, "new", "n1")["spec"]["tolerations"];
        assert_eq!(tolerations.as_array().map(Vec::len), Some(6));
        assert_eq!(tolerations[0].get("tolerationSeconds"), None);
    }
}
