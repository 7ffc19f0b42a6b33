//! Pod: where it is, whose it is, how it is.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer};

use super::meta::{self, null_default};
use super::{Condition, Labels, NodeSelectorTerm, ObjectMeta, ResourceList, Time};

/// A pod, without what neither decides nor is shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pod {
    /// Name, labels, owners and times; no annotations.
    pub metadata: ObjectMeta,
    /// Where it runs or is to run, and what it requests.
    pub spec: PodSpec,
    /// How it is.
    pub status: PodStatus,
    /// The newest timestamp in the object that is not a `deletionTimestamp`.
    pub newest_timestamp: Option<Timestamp>,
}

/// Spec of a pod.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct PodSpec {
    /// Empty while the pod is not bound.
    #[serde(deserialize_with = "null_default")]
    pub node_name: String,
    /// Terms of the required node affinity; `None` if there is no required section.
    #[serde(rename = "affinity", deserialize_with = "required_node_affinity")]
    pub required_node_affinity: Option<Vec<NodeSelectorTerm>>,
    /// Containers that run together.
    #[serde(deserialize_with = "null_default")]
    pub containers: Vec<Container>,
    /// Containers that run before them, or beside them with `restartPolicy: Always`.
    #[serde(deserialize_with = "null_default")]
    pub init_containers: Vec<Container>,
    /// What the runtime itself requests.
    #[serde(deserialize_with = "null_default")]
    pub overhead: ResourceList,
    /// Scheduling priority; 0 if unset.
    #[serde(deserialize_with = "null_default")]
    pub priority: i32,
    /// Shares the node's network.
    #[serde(deserialize_with = "null_default")]
    pub host_network: bool,
}

/// A container, as far as scheduling and explanations look at it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Container {
    /// Name inside the pod.
    pub name: String,
    /// Image as written.
    pub image: String,
    /// Requests by resource.
    pub requests: ResourceList,
    /// Ports taken on the node, with protocol: such as `9100/TCP`.
    pub host_ports: Vec<String>,
    /// An init container that goes on running (`restartPolicy: Always`).
    pub is_sidecar: bool,
}

/// Status of a pod.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodStatus {
    /// `Pending`, `Running`, `Succeeded`, `Failed`, `Unknown` or empty.
    pub phase: String,
    /// Such as `Evicted`.
    pub reason: String,
    /// The cause in words.
    pub message: String,
    /// `Ready` and `PodScheduled`, in the order written.
    pub conditions: Vec<Condition>,
    /// Containers that are not ready, init containers first.
    pub container_statuses: Vec<ContainerStatus>,
    /// Of the containers that are ready, the one that was restarted most often, if any was.
    pub restarted: Option<Box<ContainerStatus>>,
}

/// Status of a container that is not ready.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct ContainerStatus {
    /// Name inside the pod.
    #[serde(deserialize_with = "null_default")]
    pub name: String,
    /// Image as the kubelet names it.
    #[serde(deserialize_with = "null_default")]
    pub image: String,
    /// Passes its readiness probe.
    #[serde(deserialize_with = "null_default")]
    pub ready: bool,
    /// Restarts so far.
    #[serde(deserialize_with = "null_default")]
    pub restart_count: i32,
    /// What it does now.
    #[serde(deserialize_with = "null_default")]
    pub state: ContainerState,
    /// What its last run ended with.
    #[serde(deserialize_with = "null_default")]
    pub last_state: ContainerState,
}

impl ContainerStatus {
    /// Returns how it ended: now, or in its last run.
    pub fn last_end(&self) -> Option<&Terminated> {
        self.state.terminated.as_ref().or(self.last_state.terminated.as_ref())
    }
}

/// State of a container; at most one member is set.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub struct ContainerState {
    /// Not started, or between two starts.
    pub waiting: Option<Waiting>,
    /// Ended.
    pub terminated: Option<Terminated>,
    /// Runs.
    pub running: Option<Running>,
}

/// A container that waits.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub struct Waiting {
    /// Such as `ImagePullBackOff`.
    #[serde(deserialize_with = "null_default")]
    pub reason: String,
    /// The cause in words.
    #[serde(deserialize_with = "null_default")]
    pub message: String,
}

/// A container that ended.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct Terminated {
    /// Such as `OOMKilled`.
    #[serde(deserialize_with = "null_default")]
    pub reason: String,
    /// Exit status of its process.
    #[serde(deserialize_with = "null_default")]
    pub exit_code: i32,
    /// When it ended.
    pub finished_at: Option<Time>,
}

/// A container that runs.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct Running {
    /// Since when.
    pub started_at: Option<Time>,
}

#[derive(Deserialize)]
struct PodIn {
    #[serde(default, deserialize_with = "meta::slim")]
    metadata: meta::StampedMeta,
    #[serde(default, deserialize_with = "null_default")]
    spec: PodSpec,
    #[serde(default, deserialize_with = "null_default")]
    status: PodStatusIn,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PodStatusIn {
    #[serde(deserialize_with = "null_default")]
    phase: String,
    #[serde(deserialize_with = "null_default")]
    reason: String,
    #[serde(deserialize_with = "null_default")]
    message: String,
    start_time: Option<Time>,
    #[serde(deserialize_with = "null_default")]
    conditions: Vec<Condition>,
    #[serde(deserialize_with = "null_default")]
    init_container_statuses: Vec<ContainerStatus>,
    #[serde(deserialize_with = "null_default")]
    container_statuses: Vec<ContainerStatus>,
}

impl PodStatusIn {
    fn newest(&self) -> Option<Timestamp> {
        let containers = self.init_container_statuses.iter().chain(&self.container_statuses);
        let states = containers.flat_map(|container| [&container.state, &container.last_state]);
        let state_times = states.flat_map(|state| {
            let finished = state.terminated.as_ref().and_then(|terminated| terminated.finished_at.as_ref());
            let started = state.running.as_ref().and_then(|running| running.started_at.as_ref());
            [finished, started].into_iter().flatten().map(|time| time.0)
        });
        let conditions = self.conditions.iter().filter_map(Condition::newest);
        conditions.chain(state_times).chain(self.start_time.as_ref().map(|time| time.0)).max()
    }

    fn into_status(self) -> PodStatus {
        let mut conditions = self.conditions;
        conditions.retain(|condition| matches!(condition.type_.as_str(), "Ready" | "PodScheduled"));
        let mut container_statuses = self.init_container_statuses;
        container_statuses.retain(|container| {
            !container.ready && container.state.terminated.as_ref().is_none_or(|terminated| terminated.exit_code != 0)
        });
        let (ready, not_ready): (Vec<_>, Vec<_>) =
            self.container_statuses.into_iter().partition(|container| container.ready);
        container_statuses.extend(not_ready);
        let restarted = ready.into_iter().filter(|container| container.restart_count > 0);
        let restarted = restarted.max_by_key(|container| container.restart_count).map(Box::new);
        PodStatus {
            phase: self.phase,
            reason: self.reason,
            message: self.message,
            conditions,
            container_statuses,
            restarted,
        }
    }
}

impl<'de> Deserialize<'de> for Pod {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let PodIn { metadata: (metadata, newest), spec, status } = PodIn::deserialize(deserializer)?;
        let newest_timestamp = newest.max(status.newest());
        Ok(Self { metadata, spec, status: status.into_status(), newest_timestamp })
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct AffinityIn {
    node_affinity: Option<NodeAffinityIn>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct NodeAffinityIn {
    required_during_scheduling_ignored_during_execution: Option<NodeSelectorIn>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct NodeSelectorIn {
    #[serde(deserialize_with = "null_default")]
    node_selector_terms: Vec<NodeSelectorTerm>,
}

/// Reads an `affinity`, of which only the required node affinity is kept.
pub(super) fn required_node_affinity<'de, D>(deserializer: D) -> Result<Option<Vec<NodeSelectorTerm>>, D::Error>
where
    D: Deserializer<'de>,
{
    let node_affinity = null_default::<_, AffinityIn>(deserializer)?.node_affinity.unwrap_or_default();
    Ok(node_affinity.required_during_scheduling_ignored_during_execution.map(|selector| selector.node_selector_terms))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct ContainerIn {
    #[serde(deserialize_with = "null_default")]
    name: String,
    #[serde(deserialize_with = "null_default")]
    image: String,
    #[serde(deserialize_with = "null_default")]
    resources: ResourcesIn,
    #[serde(deserialize_with = "null_default")]
    ports: Vec<PortIn>,
    restart_policy: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ResourcesIn {
    #[serde(deserialize_with = "null_default")]
    requests: ResourceList,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PortIn {
    host_port: Option<i32>,
    protocol: Option<String>,
}

impl<'de> Deserialize<'de> for Container {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let container = ContainerIn::deserialize(deserializer)?;
        let host_ports = container.ports.iter().filter_map(|port| {
            let number = port.host_port.filter(|number| *number > 0)?;
            Some(format!("{number}/{}", port.protocol.as_deref().unwrap_or("TCP")))
        });
        Ok(Self {
            host_ports: host_ports.collect(),
            name: container.name,
            image: container.image,
            requests: container.resources.requests,
            is_sidecar: container.restart_policy.as_deref() == Some("Always"),
        })
    }
}

impl Pod {
    /// Returns the name; empty if the object has none.
    pub fn name(&self) -> &str {
        self.metadata.name.as_deref().unwrap_or_default()
    }

    /// Returns the namespace; empty if the object has none.
    pub fn namespace(&self) -> &str {
        self.metadata.namespace.as_deref().unwrap_or_default()
    }

    /// Returns the labels.
    pub fn labels(&self) -> &Labels {
        static NONE: Labels = Labels::new();
        self.metadata.labels.as_ref().unwrap_or(&NONE)
    }

    /// Returns whether `metadata.deletionTimestamp` is set.
    pub fn is_deleting(&self) -> bool {
        self.metadata.deletion_timestamp.is_some()
    }

    /// Returns the first condition of this type, if it was kept.
    pub fn condition(&self, type_: &str) -> Option<&Condition> {
        self.status.conditions.iter().find(|condition| condition.type_ == type_)
    }
}
