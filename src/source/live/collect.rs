//! Collects what a plan needs: one list of each kind, a few more where a pod finds no room.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::api::{ControllerRevision, DaemonSet, Event, Node, Pod, controller_of};
use crate::plan;
use crate::snapshot::ServerVersion;
use crate::source::redact::reduce;
use crate::upstream::pods::target_node_name;

use super::clock::Clock;
use super::list::{List, NoList, list};
use super::session::Session;

/// For how many nodes the pods of other namespaces are read.
const MAX_NODES: usize = 20;

/// What becomes of the objects of an answer.
pub(super) trait Form {
    /// What is kept of an object that is read as `T`.
    type Of<T: DeserializeOwned>: DeserializeOwned;

    /// Returns the part that decides.
    fn slim<T: DeserializeOwned>(object: &Self::Of<T>) -> &T;
}

/// Only what decides is kept.
pub(super) struct Slim;

impl Form for Slim {
    type Of<T: DeserializeOwned> = T;

    fn slim<T: DeserializeOwned>(object: &T) -> &T {
        object
    }
}

/// The JSON is kept too: all of it, or what is written down without `--full`.
pub(super) struct WithJson<const FULL: bool>;

/// An object with its JSON.
pub(super) struct Object<T, const FULL: bool> {
    slim: T,
    pub(super) json: Value,
}

impl<const FULL: bool> Form for WithJson<FULL> {
    type Of<T: DeserializeOwned> = Object<T, FULL>;

    fn slim<T: DeserializeOwned>(object: &Object<T, FULL>) -> &T {
        &object.slim
    }
}

impl<'de, T: DeserializeOwned, const FULL: bool> Deserialize<'de> for Object<T, FULL> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut json = Value::deserialize(deserializer)?;
        let slim = T::deserialize(&json).map_err(serde::de::Error::custom)?;
        if !FULL {
            reduce(&mut json);
        }
        Ok(Self { slim, json })
    }
}

/// The state of a cluster, as far as it may be seen.
pub(super) struct State<F: Form> {
    /// The server's clock; `None` if no answer told it.
    pub(super) clock: Option<Clock>,
    /// Whence changes are watched.
    pub(super) resource_versions: ResourceVersions,
    pub(super) version: Version,
    pub(super) nodes: Vec<F::Of<Node>>,
    pub(super) daemon_sets: Vec<F::Of<DaemonSet>>,
    pub(super) pods: Vec<F::Of<Pod>>,
    pub(super) controller_revisions: Vec<F::Of<ControllerRevision>>,
    pub(super) events: Vec<F::Of<Event>>,
    pub(super) missing: Vec<plan::Resource>,
    /// Some of the nodes on which a pod of a set finds no room.
    pub(super) nodes_without_room: BTreeSet<String>,
    /// What could not be seen, in words, each with a hint.
    pub(super) notes: Vec<Note>,
}

/// The resource version of each list; `None` if it was forbidden.
#[derive(Debug, Default)]
pub(super) struct ResourceVersions {
    pub(super) nodes: Option<String>,
    pub(super) daemon_sets: Option<String>,
    pub(super) pods: Option<String>,
    pub(super) controller_revisions: Option<String>,
    pub(super) events: Option<String>,
}

/// A warning, and what can be done about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Without a prefix.
    pub warning: String,
    /// Without a prefix.
    pub hint: Option<String>,
}

/// What a server says of its version.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Version {
    pub(super) git_version: String,
}

impl Version {
    pub(super) fn parsed(&self) -> Option<ServerVersion> {
        ServerVersion::parse(&self.git_version)
    }
}

/// Lists the DaemonSets of a namespace, or of all.
pub(super) async fn daemon_sets<F: Form>(
    session: &Session,
    namespace: Option<&str>,
) -> Result<List<F::Of<DaemonSet>>, NoList> {
    list::<DaemonSet, _>(session, namespace, None).await
}

/// Reads everything else that decides about sets of these names; without names about all.
///
/// Errors: pods cannot be listed, or anything fails for another reason than missing rights.
pub(super) async fn collect<F: Form>(
    session: &Session,
    namespace: Option<&str>,
    names: &[&str],
    daemon_sets: List<F::Of<DaemonSet>>,
) -> anyhow::Result<State<F>> {
    let (version, nodes, pods, revisions, events) = tokio::join!(
        version(session),
        list::<Node, F::Of<Node>>(session, None, None),
        list::<Pod, F::Of<Pod>>(session, namespace, None),
        list::<ControllerRevision, F::Of<ControllerRevision>>(session, namespace, None),
        list::<k8s_openapi::api::core::v1::Event, F::Of<Event>>(session, namespace, None),
    );
    let mut state = State::<F>::new(daemon_sets, version);
    let versions = ResourceVersions {
        nodes: resource_version(&nodes),
        daemon_sets: state.resource_versions.daemon_sets.take(),
        pods: resource_version(&pods),
        controller_revisions: resource_version(&revisions),
        events: resource_version(&events),
    };
    state.resource_versions = versions;
    let pods = pods.map_err(NoList::into_error)?;
    state.clock = state.clock.max(pods.clock);
    state.pods = pods.items;
    state.nodes = state.take(nodes, Some(plan::Resource::Nodes))?;
    state.controller_revisions = state.take(revisions, Some(plan::Resource::ControllerRevisions))?;
    state.events = state.take(events, None)?;
    if state.clock.is_none() {
        let warning = "the server does not tell its time, so the clock of this machine is used";
        state.notes.push(Note { warning: warning.to_owned(), hint: None });
    }
    state.nodes_without_room = find_nodes_without_room(state.pods.iter().map(F::slim), names);
    if let Some(namespace) = namespace {
        let beside = pods_beside::<F>(session, namespace, &state.nodes_without_room).await?;
        state.pods.extend(beside.pods);
        state.notes.extend(beside.note);
    }
    Ok(state)
}

fn resource_version<T>(list: &Result<List<T>, NoList>) -> Option<String> {
    list.as_ref().ok().map(|list| list.resource_version.clone())
}

impl<F: Form> State<F> {
    fn new(daemon_sets: List<F::Of<DaemonSet>>, version: Version) -> Self {
        Self {
            clock: daemon_sets.clock,
            resource_versions: ResourceVersions {
                daemon_sets: Some(daemon_sets.resource_version),
                ..ResourceVersions::default()
            },
            version,
            nodes: Vec::new(),
            daemon_sets: daemon_sets.items,
            pods: Vec::new(),
            controller_revisions: Vec::new(),
            events: Vec::new(),
            missing: Vec::new(),
            nodes_without_room: BTreeSet::new(),
            notes: Vec::new(),
        }
    }

    /// Takes a list that may be forbidden, which is noted; `resource` is what is missing then, if it decides.
    fn take<T>(&mut self, list: Result<List<T>, NoList>, resource: Option<plan::Resource>) -> anyhow::Result<Vec<T>> {
        match list {
            Ok(list) => {
                self.clock = self.clock.max(list.clock);
                Ok(list.items)
            }
            Err(NoList::Forbidden { message, hint }) => {
                self.missing.extend(resource);
                self.notes.push(Note { warning: message, hint: Some(hint) });
                Ok(Vec::new())
            }
            Err(NoList::Failed(error)) => Err(error),
        }
    }
}

/// Returns the first nodes, sorted, on which a pod of a set of these names, or of any set, finds no room.
pub(super) fn find_nodes_without_room<'a>(pods: impl Iterator<Item = &'a Pod>, names: &[&str]) -> BTreeSet<String> {
    let is_meant = |pod: &&Pod| {
        let owner = controller_of(&pod.metadata).filter(|owner| owner.kind == "DaemonSet");
        owner.is_some_and(|owner| names.is_empty() || names.contains(&owner.name.as_str())) && is_unschedulable(pod)
    };
    let nodes: BTreeSet<_> = pods.filter(is_meant).filter_map(target_node_name).collect();
    nodes.into_iter().take(MAX_NODES).map(str::to_owned).collect()
}

fn is_unschedulable(pod: &Pod) -> bool {
    pod.spec.node_name.is_empty()
        && pod.condition("PodScheduled").is_some_and(|condition| condition.reason == "Unschedulable")
}

/// Pods of other namespaces that take room where a pod finds none.
pub(super) struct PodsBeside<F: Form> {
    pub(super) pods: Vec<F::Of<Pod>>,
    /// They may not be seen.
    pub(super) note: Option<Note>,
}

/// Reads the pods of namespaces other than this one on these nodes.
pub(super) async fn pods_beside<F: Form>(
    session: &Session,
    namespace: &str,
    nodes: &BTreeSet<String>,
) -> anyhow::Result<PodsBeside<F>> {
    let mut beside = PodsBeside { pods: Vec::new(), note: None };
    for node in nodes {
        let on_node = format!("spec.nodeName={node}");
        match list::<Pod, F::Of<Pod>>(session, None, Some(&on_node)).await {
            Ok(list) => {
                beside.pods.extend(list.items.into_iter().filter(|pod| F::slim(pod).namespace() != namespace));
            }
            Err(NoList::Forbidden { hint, .. }) => {
                let warning =
                    "the pods of other namespaces cannot be seen, so what is told of the room on nodes leaves them out";
                beside.note = Some(Note { warning: warning.to_owned(), hint: Some(hint) });
                return Ok(beside);
            }
            Err(NoList::Failed(error)) => return Err(error),
        }
    }
    Ok(beside)
}

/// Reads the version; a server that does not tell it has none.
async fn version(session: &Session) -> Version {
    let answer = session.get("/version").await.ok();
    answer.and_then(|answer| serde_json::from_slice(&answer.body).ok()).unwrap_or_default()
}

/// Names of all sets that may be seen, with their namespaces: only for suggestions, so a failure is none.
pub(super) async fn names_everywhere(session: &Session) -> Vec<(String, String)> {
    let sets = list::<DaemonSet, NameOnly>(session, None, None).await;
    let sets = sets.map(|list| list.items).unwrap_or_default();
    sets.into_iter().map(|set| (set.metadata.namespace, set.metadata.name)).collect()
}

#[derive(Deserialize)]
struct NameOnly {
    metadata: NameMeta,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NameMeta {
    name: String,
    namespace: String,
}
