//! 4,000 nodes read in a screen.

use serde_json::{Value, json};
use snapbox::file;

use super::process::{session, temporary};
use super::same;

trials![four_thousand_nodes_read_in_a_screen];

fn four_thousand_nodes_read_in_a_screen() {
    let path = temporary(&dump(4000).to_string());
    let flags = format!("--snapshot {path} --now 2026-11-29T12:00:00Z");
    let lines = ["plan", "plan agent", "why agent", "nodes agent --group-by zone"];
    let text = session(&lines.map(|line| format!("{line} {flags}"))).replace(&path, "dump.json");
    same(text, file!["../expected/scale.txt"]);
}

/// Returns a list of so many nodes: most have an old pod, some a broken new one, some are tainted, some have none.
fn dump(num_nodes: usize) -> Value {
    let mut items = vec![daemon_set()];
    for (revision, hash) in [(1, "old"), (2, "new")] {
        items.push(controller_revision(revision, hash));
    }
    for i in 0..num_nodes {
        let name = format!("node-{i:04}");
        items.push(node(&name, i));
        if i % 50 != 7 {
            items.push(pod(&name, i));
        }
    }
    json!({ "apiVersion": "v1", "kind": "List", "items": items })
}

fn template() -> Value {
    json!({ "metadata": { "labels": { "app": "agent" } }, "spec": { "containers": [{ "name": "agent", "image": "agent:2" }] } })
}

fn daemon_set() -> Value {
    json!({
        "apiVersion": "apps/v1", "kind": "DaemonSet",
        "metadata": { "name": "agent", "namespace": "ops", "uid": "u", "generation": 2, "creationTimestamp": "2026-11-01T12:00:00Z" },
        "spec": {
            "selector": { "matchLabels": { "app": "agent" } }, "template": template(),
            "updateStrategy": { "type": "RollingUpdate", "rollingUpdate": { "maxUnavailable": "10%", "maxSurge": 0 } },
        },
        "status": { "observedGeneration": 2 },
    })
}

fn owner() -> Value {
    json!([{ "apiVersion": "apps/v1", "kind": "DaemonSet", "name": "agent", "uid": "u", "controller": true }])
}

fn controller_revision(revision: i64, hash: &str) -> Value {
    let mut template = template();
    template["$patch"] = "replace".into();
    template["spec"]["containers"][0]["image"] = format!("agent:{revision}").into();
    json!({
        "apiVersion": "apps/v1", "kind": "ControllerRevision",
        "metadata": {
            "name": format!("agent-{hash}"), "namespace": "ops", "ownerReferences": owner(),
            "creationTimestamp": "2026-11-01T12:00:00Z", "labels": { "app": "agent", "controller-revision-hash": hash },
        },
        "data": { "spec": { "template": template } }, "revision": revision,
    })
}

fn node(name: &str, i: usize) -> Value {
    let taints =
        if i % 40 == 3 { json!([{ "key": "dedicated", "value": "gpu", "effect": "NoSchedule" }]) } else { json!([]) };
    json!({
        "apiVersion": "v1", "kind": "Node",
        "metadata": { "name": name, "labels": { "kubernetes.io/hostname": name, "zone": format!("zone-{}", i % 3) } },
        "spec": { "taints": taints },
        "status": { "conditions": [{ "type": "Ready", "status": "True", "lastTransitionTime": "2026-11-01T12:00:00Z" }] },
    })
}

fn pod(node: &str, i: usize) -> Value {
    let is_broken = i.is_multiple_of(9);
    let (hash, ready) = if is_broken { ("new", "False") } else { ("old", "True") };
    let container = json!([{
        "name": "agent", "image": "agent:2", "ready": false, "state": { "waiting": { "reason": "ImagePullBackOff" } }
    }]);
    json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {
            "name": format!("agent-{i:04}"), "namespace": "ops", "uid": format!("p{i}"), "ownerReferences": owner(),
            "creationTimestamp": "2026-11-20T12:00:00Z", "labels": { "app": "agent", "controller-revision-hash": hash },
        },
        "spec": { "nodeName": node },
        "status": {
            "phase": if is_broken { "Pending" } else { "Running" },
            "conditions": [{ "type": "Ready", "status": ready, "lastTransitionTime": "2026-11-20T12:00:00Z" }],
            "containerStatuses": if is_broken { container } else { json!([]) },
        },
    })
}
