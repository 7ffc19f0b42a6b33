//! Builders of small clusters for unit tests, in words that a test reads like.
//!
//! All times are relative to [`NOW`]: `.ready_for(30)` is a pod that became ready 30 seconds before it. Without revisions of
//! its own a cluster has revision 1 (hash `r1`, another template, 30 days old) and revision 2 (hash `r2`, the template of the
//! set, 20 minutes old); pods are of `r2` unless they say otherwise.

use jiff::{SignedDuration, Timestamp};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::api::{ControllerRevision, DaemonSet, Event, Node, Pod};
use crate::plan::{Finding, Plan};
use crate::reconcile::reconcile;
use crate::snapshot::{ServerVersion, Snapshot};

/// The clock of all built clusters.
pub const NOW: &str = "2026-01-31T12:00:00Z";
/// The namespace of all that is built.
pub const NAMESPACE: &str = "ops";

/// Returns the time this many seconds before [`NOW`]; later than it if negative.
pub fn ago(seconds: i64) -> String {
    let now: Timestamp = NOW.parse().expect("a time");
    now.checked_sub(SignedDuration::from_secs(seconds)).expect("a time in range").to_string()
}

fn decode<T: DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error} in {value}"))
}

/// Sets the value at a JSON pointer, making the objects on the way.
fn set(root: &mut Value, pointer: &str, value: Value) {
    let mut at = root;
    for key in pointer.split('/').skip(1) {
        if !at.is_object() {
            *at = json!({});
        }
        at = at.as_object_mut().expect("an object").entry(key.replace("~1", "/")).or_insert(Value::Null);
    }
    *at = value;
}

fn push(root: &mut Value, pointer: &str, value: Value) {
    match root.pointer_mut(pointer).and_then(Value::as_array_mut) {
        Some(list) => list.push(value),
        None => set(root, pointer, json!([value])),
    }
}

/// A DaemonSet to be built.
#[derive(Clone)]
pub struct DaemonSetBuilder(Value);

/// Starts a set with generation 1, observed, of one container; RollingUpdate with maxUnavailable 1.
pub fn daemon_set(name: &str) -> DaemonSetBuilder {
    DaemonSetBuilder(json!({
        "metadata": {
            "name": name, "namespace": NAMESPACE, "uid": format!("uid-{name}"), "generation": 1,
            "creationTimestamp": ago(90 * 86_400),
        },
        "spec": {
            "selector": { "matchLabels": { "app": name } },
            "template": {
                "metadata": { "labels": { "app": name } },
                "spec": { "containers": [{ "name": "agent", "image": "agent:2.0" }] },
            },
            "updateStrategy": { "type": "RollingUpdate", "rollingUpdate": { "maxUnavailable": 1, "maxSurge": 0 } },
            "revisionHistoryLimit": 10,
        },
        "status": { "observedGeneration": 1 },
    }))
}

impl DaemonSetBuilder {
    /// Sets any field, by JSON pointer.
    pub fn with(mut self, pointer: &str, value: Value) -> Self {
        set(&mut self.0, pointer, value);
        self
    }

    pub fn max_unavailable(self, value: impl Into<Value>) -> Self {
        self.with("/spec/updateStrategy/rollingUpdate/maxUnavailable", value.into())
    }

    pub fn max_surge(self, value: impl Into<Value>) -> Self {
        self.max_unavailable(0).with("/spec/updateStrategy/rollingUpdate/maxSurge", value.into())
    }

    pub fn on_delete(self) -> Self {
        self.with("/spec/updateStrategy", json!({ "type": "OnDelete" }))
    }

    pub fn toleration(mut self, toleration: Value) -> Self {
        push(&mut self.0, "/spec/template/spec/tolerations", toleration);
        self
    }

    pub fn node_selector(self, key: &str, value: &str) -> Self {
        self.with(&format!("/spec/template/spec/nodeSelector/{}", key.replace('/', "~1")), json!(value))
    }

    /// Sets the terms of the required node affinity.
    pub fn affinity(self, terms: Value) -> Self {
        let pointer = "/spec/template/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution";
        self.with(pointer, json!({ "nodeSelectorTerms": terms }))
    }

    pub fn host_port(self, port: u16) -> Self {
        let container = json!({ "name": "agent", "image": "agent:2.0", "ports": [{ "hostPort": port }] });
        self.with("/spec/template/spec/containers", json!([container]))
    }

    pub fn min_ready_seconds(self, seconds: i32) -> Self {
        self.with("/spec/minReadySeconds", json!(seconds))
    }

    pub fn generation(self, generation: i64, observed: i64) -> Self {
        self.with("/metadata/generation", json!(generation)).with("/status/observedGeneration", json!(observed))
    }

    pub fn build(&self) -> DaemonSet {
        decode(&self.0)
    }
}

/// A node to be built.
pub struct NodeBuilder(Value);

/// Starts a ready node of 2 cpu and 110 pods.
pub fn node(name: &str) -> NodeBuilder {
    NodeBuilder(json!({
        "metadata": { "name": name, "creationTimestamp": ago(60 * 86_400) },
        "spec": {},
        "status": {
            "conditions": [{ "type": "Ready", "status": "True", "lastTransitionTime": ago(60 * 86_400) }],
            "allocatable": { "cpu": "2", "memory": "4Gi", "pods": "110" },
        },
    }))
}

impl NodeBuilder {
    pub fn label(mut self, key: &str, value: &str) -> Self {
        set(&mut self.0, &format!("/metadata/labels/{}", key.replace('/', "~1")), json!(value));
        self
    }

    /// Adds a taint, written as kubectl does: `key=value:Effect` or `key:Effect`.
    pub fn taint(mut self, taint: &str) -> Self {
        let (name, effect) = taint.rsplit_once(':').expect("an effect");
        let (key, value) = name.split_once('=').unwrap_or((name, ""));
        push(&mut self.0, "/spec/taints", json!({ "key": key, "value": value, "effect": effect }));
        self
    }

    /// Sets the Ready condition, and since how many seconds.
    pub fn ready(mut self, status: &str, seconds: i64) -> Self {
        let ready = json!([{ "type": "Ready", "status": status, "lastTransitionTime": ago(seconds) }]);
        set(&mut self.0, "/status/conditions", ready);
        self
    }

    pub fn condition(mut self, type_: &str) -> Self {
        push(&mut self.0, "/status/conditions", json!({ "type": type_, "status": "True" }));
        self
    }

    pub fn allocatable(mut self, resource: &str, amount: &str) -> Self {
        set(&mut self.0, &format!("/status/allocatable/{resource}"), json!(amount));
        self
    }

    pub fn cordoned(self) -> Self {
        let mut node = self.taint("node.kubernetes.io/unschedulable:NoSchedule");
        set(&mut node.0, "/spec/unschedulable", json!(true));
        node
    }

    pub fn build(&self) -> Node {
        decode(&self.0)
    }
}

/// A pod to be built.
pub struct PodBuilder(Value);

/// Starts a pod of the set `agent` and of its current revision, an hour old, ready since then, on no node.
pub fn pod(name: &str) -> PodBuilder {
    let pod = PodBuilder(json!({
        "metadata": {
            "name": name, "namespace": NAMESPACE, "uid": format!("uid-{name}"),
            "labels": { "app": "agent", "controller-revision-hash": "r2" },
        },
        "spec": { "containers": [{ "name": "agent", "image": "agent:2.0" }] },
        "status": {},
    }));
    pod.owner("DaemonSet", "agent").created(3600).ready_for(3600)
}

impl PodBuilder {
    /// Sets any field, by JSON pointer.
    pub fn with(mut self, pointer: &str, value: Value) -> Self {
        set(&mut self.0, pointer, value);
        self
    }

    pub fn on(self, node: &str) -> Self {
        self.with("/spec/nodeName", json!(node))
    }

    /// Leaves the pod unbound and pins it to a node, as the controller does; it is Pending.
    pub fn pinned_to(self, node: &str) -> Self {
        let field = json!({ "key": "metadata.name", "operator": "In", "values": [node] });
        let required = json!({ "nodeSelectorTerms": [{ "matchFields": [field] }] });
        let pointer = "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution";
        self.with(pointer, required).with("/status", json!({ "phase": "Pending" }))
    }

    pub fn hash(self, hash: &str) -> Self {
        self.with("/metadata/labels/controller-revision-hash", json!(hash))
    }

    pub fn label(self, key: &str, value: &str) -> Self {
        self.with(&format!("/metadata/labels/{key}"), json!(value))
    }

    /// Sets the controller that owns the pod.
    pub fn owner(self, kind: &str, name: &str) -> Self {
        let owner = json!({
            "apiVersion": "apps/v1", "kind": kind, "name": name, "uid": format!("uid-{name}"), "controller": true,
        });
        self.with("/metadata/ownerReferences", json!([owner]))
    }

    pub fn orphan(self) -> Self {
        self.with("/metadata/ownerReferences", json!([]))
    }

    /// Sets the age in seconds.
    pub fn created(self, seconds: i64) -> Self {
        self.with("/metadata/creationTimestamp", json!(ago(seconds)))
    }

    pub fn ready_for(self, seconds: i64) -> Self {
        self.condition("Ready", "True", seconds).with("/status/phase", json!("Running"))
    }

    pub fn not_ready_for(self, seconds: i64) -> Self {
        self.condition("Ready", "False", seconds).with("/status/phase", json!("Running"))
    }

    fn condition(self, type_: &str, status: &str, seconds: i64) -> Self {
        let condition = json!({ "type": type_, "status": status, "lastTransitionTime": ago(seconds) });
        self.with("/status/conditions", json!([condition]))
    }

    /// Marks the pod for deletion, due this many seconds ago; in the future if negative.
    pub fn deleting(self, seconds: i64) -> Self {
        self.with("/metadata/deletionTimestamp", json!(ago(seconds)))
            .with("/metadata/deletionGracePeriodSeconds", json!(30))
    }

    pub fn failed(self, reason: &str, message: &str) -> Self {
        self.with("/status", json!({ "phase": "Failed", "reason": reason, "message": message }))
    }

    pub fn succeeded(self) -> Self {
        self.with("/status", json!({ "phase": "Succeeded" }))
    }

    /// Lets the container wait with this reason, not ready for so many seconds.
    pub fn waiting(self, reason: &str, message: &str, seconds: i64) -> Self {
        let waiting = json!({ "waiting": { "reason": reason, "message": message } });
        let status =
            json!({ "name": "agent", "image": "agent:2.0", "ready": false, "restartCount": 0, "state": waiting });
        self.not_ready_for(seconds)
            .with("/status/phase", json!("Pending"))
            .with("/status/containerStatuses", json!([status]))
    }

    /// Lets the scheduler refuse the pod with these words, for so many seconds.
    pub fn unschedulable(self, message: &str, seconds: i64) -> Self {
        let condition = json!({
            "type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": message,
            "lastTransitionTime": ago(seconds),
        });
        self.with("/status/conditions", json!([condition])).with("/status/phase", json!("Pending"))
    }

    /// Lets the container request so much.
    pub fn request(self, resource: &str, amount: &str) -> Self {
        let requests = json!({ "requests": { resource: amount } });
        self.with("/spec/containers", json!([{ "name": "agent", "image": "agent:2.0", "resources": requests }]))
    }

    pub fn host_port(self, port: u16) -> Self {
        let container = json!({ "name": "agent", "image": "agent:2.0", "ports": [{ "hostPort": port }] });
        self.with("/spec/containers", json!([container]))
    }

    pub fn priority(self, priority: i32) -> Self {
        self.with("/spec/priority", json!(priority))
    }

    pub fn build(&self) -> Pod {
        decode(&self.0)
    }
}

/// A revision to be built.
pub struct RevisionBuilder(Value, bool);

/// Starts a revision of the set `agent` with another template: `agent-r1` for the hash `r1`.
pub fn revision(hash: &str, number: i64) -> RevisionBuilder {
    RevisionBuilder(
        json!({
            "metadata": {
                "name": format!("agent-{hash}"), "namespace": NAMESPACE, "uid": format!("uid-agent-{hash}"),
                "creationTimestamp": ago(30 * 86_400),
                "labels": { "app": "agent", "controller-revision-hash": hash },
                "ownerReferences": [{
                    "apiVersion": "apps/v1", "kind": "DaemonSet", "name": "agent", "uid": "uid-agent", "controller": true,
                }],
            },
            "data": { "spec": { "template": { "$patch": "replace", "metadata": { "labels": { "of": hash } } } } },
            "revision": number,
        }),
        false,
    )
}

impl RevisionBuilder {
    /// Sets any field, by JSON pointer.
    pub fn with(mut self, pointer: &str, value: Value) -> Self {
        set(&mut self.0, pointer, value);
        self
    }

    /// Gives it the template of the set.
    pub fn current(mut self) -> Self {
        self.1 = true;
        self
    }

    pub fn created(self, seconds: i64) -> Self {
        self.with("/metadata/creationTimestamp", json!(ago(seconds)))
    }

    fn build(&self, daemon_set: &DaemonSet) -> ControllerRevision {
        let mut value = self.0.clone();
        if self.1 {
            let mut template = daemon_set.raw.pointer("/spec/template").cloned().unwrap_or_default();
            let has_null = value.pointer("/data/null").is_some();
            set(&mut template, "/$patch", json!("replace"));
            if has_null {
                set(&mut template, "/metadata/creationTimestamp", Value::Null);
            }
            set(&mut value, "/data", json!({ "spec": { "template": template } }));
        }
        decode(&value)
    }

    /// Writes the null that controllers up to 1.33 wrote.
    pub fn with_null_creation_timestamp(self) -> Self {
        self.with("/data/null", json!(true))
    }
}

/// Makes an event about an object, seen so many times, last so many seconds ago.
pub fn event((kind, name): (&str, &str), reason: &str, message: &str, (count, seconds): (i32, i64)) -> Event {
    decode(&json!({
        "involvedObject": { "kind": kind, "namespace": NAMESPACE, "name": name },
        "reason": reason, "message": message, "type": "Warning", "count": count, "lastTimestamp": ago(seconds),
    }))
}

/// A cluster around one set.
pub struct Cluster {
    daemon_set: DaemonSet,
    snapshot: Snapshot,
}

/// Starts a cluster with this set and the two default revisions.
pub fn cluster(builder: &DaemonSetBuilder) -> Cluster {
    let daemon_set = builder.build();
    let now = NOW.parse().expect("a time");
    let snapshot = Snapshot { now, daemon_sets: vec![daemon_set.clone()], ..Snapshot::default() };
    let cluster = Cluster { daemon_set, snapshot };
    cluster.revisions([revision("r1", 1), revision("r2", 2).current().created(1200)])
}

impl Cluster {
    pub fn nodes(mut self, nodes: impl IntoIterator<Item = NodeBuilder>) -> Self {
        self.snapshot.nodes.extend(nodes.into_iter().map(|node| node.build()));
        self
    }

    pub fn pods(mut self, pods: impl IntoIterator<Item = PodBuilder>) -> Self {
        self.snapshot.pods.extend(pods.into_iter().map(|pod| pod.build()));
        self
    }

    /// Replaces the revisions.
    pub fn revisions(mut self, revisions: impl IntoIterator<Item = RevisionBuilder>) -> Self {
        self.snapshot.controller_revisions =
            revisions.into_iter().map(|revision| revision.build(&self.daemon_set)).collect();
        self
    }

    pub fn events(mut self, events: impl IntoIterator<Item = Event>) -> Self {
        self.snapshot.events.extend(events);
        self
    }

    /// Adds another set.
    pub fn beside(mut self, other: &DaemonSetBuilder) -> Self {
        self.snapshot.daemon_sets.push(other.build());
        self
    }

    pub fn server_version(mut self, major: u32, minor: u32) -> Self {
        self.snapshot.server_version = Some(ServerVersion { major, minor });
        self
    }

    pub fn snapshot(&self) -> Snapshot {
        let mut snapshot = self.snapshot.clone();
        snapshot.sort();
        snapshot
    }

    pub fn plan(&self) -> Plan {
        reconcile(&self.snapshot(), [&self.daemon_set]).next().expect("a set has a plan")
    }

    /// Returns the findings, but for that the reported status is stale, which it always is here.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = self.plan().findings;
        findings.retain(|finding| finding.code != crate::plan::FindingCode::StatusStale);
        findings
    }
}
