//! Builders of small states for tests: objects as the API server would print them, with everything plain left out.
//!
//! Names: set `agent` of namespace `ops`, whose pods carry `app=<set>`. Pods are bound, owned, ready for an hour and of the
//! current revision (hash `new`, number 2) unless said. Ages are in seconds before [`NOW`].

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::api::IntOrString;
use crate::drive::{Cut, Settings};
use crate::plan::Plan;
use crate::reconcile::reconcile;
use crate::snapshot::Snapshot;

/// The clock of all built states.
pub const NOW: &str = "2026-11-29T12:00:00Z";

/// Returns the time so many seconds before [`NOW`]; negative: after it.
pub fn ago(seconds: i64) -> String {
    let now: Timestamp = NOW.parse().expect("a time");
    (now - SignedDuration::from_secs(seconds)).to_string()
}

/// An object under construction.
#[derive(Clone, Debug)]
pub struct Object(pub Value);

impl Object {
    /// Sets the value at a JSON pointer, making the objects on the way.
    pub fn set(mut self, pointer: &str, value: impl Into<Value>) -> Self {
        let mut at = &mut self.0;
        for key in pointer.split('/').skip(1).map(|key| key.replace("~1", "/").replace("~0", "~")) {
            at = match at {
                Value::Array(items) => &mut items[key.parse::<usize>().expect("an index")],
                other => &mut other[key],
            };
        }
        *at = value.into();
        self
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        self.0["metadata"]["name"].as_str().expect("an object has a name")
    }

    /// Decodes the object as the API type that it is.
    pub fn decode<T: DeserializeOwned>(self) -> T {
        serde_json::from_value(self.0).expect("a built object decodes")
    }

    /// Removes the value at a JSON pointer.
    pub fn without(mut self, pointer: &str) -> Self {
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
        self.0.pointer_mut(parent).and_then(Value::as_object_mut).expect("an object").remove(&key.replace("~1", "/"));
        self
    }

    /// Sets a label.
    pub fn label(mut self, key: &str, value: &str) -> Self {
        self.0["metadata"]["labels"][key] = value.into();
        self
    }

    /// Sets the time of creation.
    pub fn created(self, seconds_ago: i64) -> Self {
        self.set("/metadata/creationTimestamp", ago(seconds_ago))
    }

    /// Marks the object as being deleted: due so many seconds ago (negative: still ahead), with 30 seconds of grace.
    pub fn deleting(self, seconds_ago: i64) -> Self {
        self.set("/metadata/deletionTimestamp", ago(seconds_ago)).set("/metadata/deletionGracePeriodSeconds", 30)
    }

    /// Sets the hash label.
    pub fn hash(self, hash: &str) -> Self {
        self.label("controller-revision-hash", hash)
    }

    /// Makes an object be owned by the controller of this kind, name and uid.
    pub fn owned_by(mut self, kind: &str, name: &str, uid: &str) -> Self {
        self.0["metadata"]["ownerReferences"] =
            json!([{ "apiVersion": "apps/v1", "kind": kind, "name": name, "uid": uid, "controller": true }]);
        self
    }

    /// Makes an object have no owner.
    pub fn orphan(self) -> Self {
        self.without("/metadata/ownerReferences")
    }

    // Nodes.

    /// Adds a taint, written `key=value:effect` or `key:effect`.
    pub fn taint(mut self, taint: &str) -> Self {
        let (key, effect) = taint.rsplit_once(':').expect("key:effect");
        let (key, value) = key.split_once('=').map_or((key, None), |(key, value)| (key, Some(value)));
        let mut taint = json!({ "key": key, "effect": effect });
        if let Some(value) = value {
            taint["value"] = value.into();
        }
        push(&mut self.0["spec"]["taints"], taint);
        self
    }

    /// Sets the Ready condition of a node.
    pub fn node_ready(mut self, status: &str, seconds_ago: i64) -> Self {
        self.0["status"]["conditions"] = json!([
            { "type": "Ready", "status": status, "lastTransitionTime": ago(seconds_ago) }
        ]);
        self
    }

    /// Adds a condition of a node that is True.
    pub fn condition(mut self, type_: &str) -> Self {
        push(&mut self.0["status"]["conditions"], json!({ "type": type_, "status": "True" }));
        self
    }

    /// Cordons a node, with the taint that follows.
    pub fn cordoned(self) -> Self {
        self.set("/spec/unschedulable", true).taint("node.kubernetes.io/unschedulable:NoSchedule")
    }

    /// Sets how much of a resource a node has to give; what is not said of it is not known.
    pub fn allocatable(self, resource: &str, amount: &str) -> Self {
        self.set(&format!("/status/allocatable/{resource}"), amount)
    }

    // Pods.

    /// Binds a pod to a node.
    pub fn on(self, node: &str) -> Self {
        self.set("/spec/nodeName", node)
    }

    /// Pins an unbound, pending pod to a node, as the controller makes it.
    pub fn pinned_to(mut self, node: &str) -> Self {
        let field = json!({ "key": "metadata.name", "operator": "In", "values": [node] });
        self.0["spec"]["affinity"] = json!({ "nodeAffinity": { "requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": [{ "matchFields": [field] }]
        } } });
        self.phase("Pending").without("/status/conditions")
    }

    /// Lets the scheduler refuse a pinned pod in these words, since so many seconds.
    pub fn unschedulable(self, message: &str, seconds: i64) -> Self {
        let condition = json!({
            "type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": message,
            "lastTransitionTime": ago(seconds),
        });
        self.set("/status/conditions", vec![condition])
    }

    /// Sets the phase.
    pub fn phase(self, phase: &str) -> Self {
        self.set("/status/phase", phase)
    }

    /// Makes a pod Failed for this reason, with nothing else in its status.
    pub fn failed(self, reason: &str, message: &str) -> Self {
        self.set("/status", json!({ "phase": "Failed", "reason": reason, "message": message }))
    }

    /// Makes a pod ready since so many seconds.
    pub fn ready_for(self, seconds: i64) -> Self {
        self.ready_condition("True", seconds)
    }

    /// Makes a pod unready since so many seconds.
    pub fn not_ready_for(self, seconds: i64) -> Self {
        self.ready_condition("False", seconds)
    }

    fn ready_condition(mut self, status: &str, seconds: i64) -> Self {
        self.0["status"]["conditions"] =
            json!([{ "type": "Ready", "status": status, "lastTransitionTime": ago(seconds) }]);
        self
    }

    /// Lets the first container of an unready pod wait for this reason.
    pub fn waiting(mut self, reason: &str) -> Self {
        self.0["status"]["containerStatuses"] = json!([
            { "name": "agent", "image": "agent:2", "ready": false, "state": { "waiting": { "reason": reason } } }
        ]);
        self.not_ready_for(3600)
    }

    /// Sets the message of the container that waits.
    pub fn waiting_message(self, message: &str) -> Self {
        self.set("/status/containerStatuses/0/state/waiting/message", message)
    }

    /// Makes a pod be of the old revision.
    pub fn old(self) -> Self {
        self.hash("old")
    }

    // DaemonSets.

    /// Sets maxUnavailable.
    pub fn max_unavailable(self, value: impl Into<Value>) -> Self {
        self.set("/spec/updateStrategy/rollingUpdate/maxUnavailable", value)
    }

    /// Sets maxSurge, and maxUnavailable to 0.
    pub fn max_surge(self, value: impl Into<Value>) -> Self {
        self.max_unavailable(0).set("/spec/updateStrategy/rollingUpdate/maxSurge", value)
    }

    /// Makes the strategy OnDelete.
    pub fn on_delete(self) -> Self {
        self.set("/spec/updateStrategy", json!({ "type": "OnDelete" }))
    }

    /// Sets a field of the template's spec.
    pub fn template(self, field: &str, value: impl Into<Value>) -> Self {
        self.set(&format!("/spec/template/spec/{field}"), value)
    }

    /// Sets the terms of the required node affinity.
    pub fn affinity_terms(self, terms: Value) -> Self {
        let required = json!({ "requiredDuringSchedulingIgnoredDuringExecution": { "nodeSelectorTerms": terms } });
        self.template("affinity", json!({ "nodeAffinity": required }))
    }

    // Pods, and the templates of DaemonSets.

    /// Sets a field of the first container.
    fn container(self, field: &str, value: impl Into<Value>) -> Self {
        match self.0["kind"].as_str() {
            Some("Pod") => self.set(&format!("/spec/containers/0/{field}"), value),
            _ => self.template(&format!("containers/0/{field}"), value),
        }
    }

    /// Lets the first container take this port of its node.
    pub fn host_port(self, port: u16) -> Self {
        self.container("ports", json!([{ "hostPort": port }]))
    }

    /// Lets the first container request so much.
    pub fn request(self, resource: &str, amount: &str) -> Self {
        self.container(&format!("resources/requests/{resource}"), amount)
    }

    // Events.

    /// Makes an event have been seen so often, the last time so many seconds ago.
    pub fn seen(self, count: i32, seconds_ago: i64) -> Self {
        self.set("/count", count).set("/lastTimestamp", ago(seconds_ago))
    }
}

fn push(list: &mut Value, value: Value) {
    match list {
        Value::Array(items) => items.push(value),
        other => *other = json!([value]),
    }
}

/// Returns a RollingUpdate set with maxUnavailable 1, observed, two containers' worth of nothing special.
pub fn daemon_set(name: &str) -> Object {
    Object(json!({
        "apiVersion": "apps/v1", "kind": "DaemonSet",
        "metadata": {
            "name": name, "namespace": "ops", "uid": format!("uid-{name}"), "generation": 4, "creationTimestamp": ago(864_000),
        },
        "spec": {
            "selector": { "matchLabels": { "app": name } },
            "template": {
                "metadata": { "labels": { "app": name } },
                "spec": { "containers": [{ "name": "agent", "image": "agent:2" }] },
            },
            "updateStrategy": { "type": "RollingUpdate", "rollingUpdate": { "maxUnavailable": 1, "maxSurge": 0 } },
            "revisionHistoryLimit": 10,
        },
        "status": { "observedGeneration": 4 },
    }))
}

/// Returns a ready node without taints; its only label is its host name.
pub fn node(name: &str) -> Object {
    let node = Object(json!({
        "apiVersion": "v1", "kind": "Node",
        "metadata": { "name": name, "labels": { "kubernetes.io/hostname": name }, "creationTimestamp": ago(864_000) },
        "spec": {}, "status": {},
    }));
    node.node_ready("True", 864_000)
}

/// Returns a pod of the set `agent`.
pub fn pod(name: &str) -> Object {
    let pod = Object(json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {
            "name": name, "namespace": "ops", "uid": format!("uid-{name}"), "creationTimestamp": ago(86_400),
            "labels": { "app": "agent", "controller-revision-hash": "new" },
        },
        "spec": { "containers": [{ "name": "agent", "image": "agent:2" }] },
        "status": { "phase": "Running" },
    }));
    pod.owned_by("DaemonSet", "agent", "uid-agent").ready_for(3600)
}

/// Returns the revision of a set that equals its template: `<set>-new`, number 2.
pub fn current_revision(daemon_set: &Object) -> Object {
    let mut template = daemon_set.0["spec"]["template"].clone();
    template["$patch"] = "replace".into();
    revision(daemon_set, "new", 2, template)
}

/// Returns a revision of a set that does not equal its template.
pub fn old_revision(daemon_set: &Object, hash: &str, number: i64) -> Object {
    revision(daemon_set, hash, number, json!({ "$patch": "replace", "metadata": { "labels": { "was": hash } } }))
}

fn revision(daemon_set: &Object, hash: &str, number: i64, template: Value) -> Object {
    let text =
        |pointer: &str| daemon_set.0.pointer(pointer).and_then(Value::as_str).expect("a set is named").to_owned();
    let (name, uid) = (text("/metadata/name"), text("/metadata/uid"));
    let revision = Object(json!({
        "apiVersion": "apps/v1", "kind": "ControllerRevision",
        "metadata": {
            "name": format!("{name}-{hash}"), "namespace": text("/metadata/namespace"), "creationTimestamp": ago(7200),
            "labels": daemon_set.0["spec"]["template"]["metadata"]["labels"],
        },
        "data": { "spec": { "template": template } },
        "revision": number,
    }));
    revision.hash(hash).owned_by("DaemonSet", &name, &uid)
}

/// Returns a warning about an object of this kind and name, seen once, just now.
pub fn event((kind, name): (&str, &str), reason: &str, message: &str) -> Object {
    let event = Object(json!({
        "apiVersion": "v1", "kind": "Event",
        "involvedObject": { "kind": kind, "namespace": "ops", "name": name },
        "type": "Warning", "reason": reason, "message": message,
    }));
    event.seen(1, 0)
}

/// Makes a snapshot of these objects, at [`NOW`].
pub fn snapshot(objects: impl IntoIterator<Item = Object>) -> Snapshot {
    let mut snapshot = Snapshot { now: NOW.parse().expect("a time"), ..Snapshot::default() };
    for object in objects {
        match object.0["kind"].as_str().expect("an object has a kind") {
            "Node" => snapshot.nodes.push(object.decode()),
            "DaemonSet" => snapshot.daemon_sets.push(object.decode()),
            "Pod" => snapshot.pods.push(object.decode()),
            "ControllerRevision" => snapshot.controller_revisions.push(object.decode()),
            "Event" => snapshot.events.push(object.decode()),
            kind => panic!("kind {kind} is not part of a snapshot"),
        }
    }
    snapshot.sort();
    snapshot
}

/// Plans the set `agent` of a snapshot.
pub fn plan(snapshot: &Snapshot) -> Plan {
    let daemon_set = snapshot.daemon_sets.iter().find(|set| set.name() == "agent").expect("the set is there");
    reconcile(snapshot, [daemon_set]).next().expect("a set has a plan")
}

/// Plans a set with its current revision, one old revision (hash `old`, number 1), and these nodes and pods.
pub fn plan_with(daemon_set: Object, objects: impl IntoIterator<Item = Object>) -> Plan {
    let revisions = [current_revision(&daemon_set), old_revision(&daemon_set, "old", 1)];
    plan(&snapshot([daemon_set].into_iter().chain(revisions).chain(objects)))
}

/// Returns what `sync` is told without any flag.
pub fn settings() -> Settings {
    Settings {
        max_unavailable: IntOrString::Int(1),
        controller_wait: Duration::from_secs(10),
        pod_timeout: Duration::from_secs(300),
        stall_after: Duration::from_secs(600),
        timeout: None,
        once: false,
        cut: Cut::default(),
        is_per_group: false,
        soak: Duration::ZERO,
        pause_after: None,
        goes_on: false,
        has_gate: false,
        evicts: false,
    }
}
