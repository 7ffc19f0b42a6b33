//! Names for completion: short lists, read quietly and in little time.
//!
//! Input: connection flags, namespace and a deadline. Output: DaemonSets and ControllerRevisions, of which there are few, whole;
//! of namespaces and node labels the metadata alone; of nodes and of pods only the rows that `kubectl get` shows, without any
//! object: that is less than metadata, and says whether a node or a pod is ready, which metadata does not.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, anyhow, bail};
use k8s_openapi::api::core::v1::Namespace;
use kube::Resource;
use kube::api::ListParams;
use kube::core::Selector;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::api::{ControllerRevision, DaemonSet, Labels, Node, Pod};
use crate::args::ConnectionFlags;

use super::access::Access;
use super::kubeconfig::Files;
use super::list::{NoList, list};
use super::rights::Readable;
use super::session::{Session, words};

/// How many nodes, pods or namespaces are asked for. One page is read: what lies beyond is not completed.
const LIMIT: u32 = 5000;

const METADATA: &str = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
const ROWS: &str = "application/json;as=Table;g=meta.k8s.io;v=v1";

/// A way to the names of one cluster.
pub struct Names {
    runtime: tokio::runtime::Runtime,
    session: Session,
    namespace: String,
    deadline: Instant,
}

/// What is shown of a node, and of the set's pod there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeRow {
    /// Name of the node.
    pub name: String,
    /// Such as `Ready` or `NotReady,SchedulingDisabled`; empty if it may not be seen.
    pub status: String,
    /// Ready containers and status of each of the set's pods there, such as `1/1` and `Running`; `None` if pods may not be
    /// seen.
    pub pods: Option<Vec<(String, String)>>,
}

impl Names {
    /// Finds the way and gets credentials, without asking or telling anybody anything; contacts no cluster yet.
    ///
    /// # Errors
    ///
    /// No way to the cluster, or no credentials by the deadline.
    pub fn connect(flags: &ConnectionFlags, namespace: Option<&str>, deadline: Instant) -> anyhow::Result<Self> {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().context("start the runtime")?;
        let mut access = Access::new(flags, &|name| std::env::var_os(name))?;
        access.quiet_until = Some(deadline);
        access.verbosity = 0;
        let namespace = namespace.filter(|namespace| !namespace.is_empty()).unwrap_or(&access.namespace).to_owned();
        // Connections belong to the runtime in which they are made.
        let session = runtime.block_on(async { Session::new(access, |_| {}) })?;
        Ok(Self { runtime, session, namespace, deadline })
    }

    /// Returns the DaemonSets of the namespace.
    ///
    /// # Errors
    ///
    /// As for all lists here: they cannot be had by the deadline.
    pub fn daemon_sets(&self) -> anyhow::Result<Vec<DaemonSet>> {
        self.in_time(self.whole::<DaemonSet>())
    }

    /// Returns the ControllerRevisions of the namespace.
    ///
    /// # Errors
    ///
    /// As for all lists here: they cannot be had by the deadline.
    pub fn controller_revisions(&self) -> anyhow::Result<Vec<ControllerRevision>> {
        self.in_time(self.whole::<ControllerRevision>())
    }

    /// Returns the names of all namespaces.
    ///
    /// # Errors
    ///
    /// As for all lists here: they cannot be had by the deadline.
    pub fn namespaces(&self) -> anyhow::Result<Vec<String>> {
        let namespaces = self.in_time(self.metadata::<Namespace>())?;
        Ok(namespaces.into_iter().map(|item| item.metadata.name).collect())
    }

    /// Returns the labels of each node.
    ///
    /// # Errors
    ///
    /// As for all lists here: they cannot be had by the deadline.
    pub fn node_labels(&self) -> anyhow::Result<Vec<Labels>> {
        let nodes = self.in_time(self.metadata::<Node>())?;
        Ok(nodes.into_iter().map(|item| item.metadata.labels.unwrap_or_default()).collect())
    }

    /// Returns all nodes with the pods of a set, or, if nodes may not be seen, those that have a pod.
    ///
    /// # Errors
    ///
    /// Neither can be had by the deadline.
    pub fn nodes_of(&self, daemon_set: &str) -> anyhow::Result<Vec<NodeRow>> {
        let (nodes, pods) = self.in_time(async {
            let nodes = self.rows::<Node, _>(None, ListParams::default(), ["Name", "Status"]);
            Ok(tokio::join!(nodes, self.pods_of(daemon_set)))
        })?;
        let pods = match (&nodes, pods) {
            (Err(_), Err(error)) => return Err(error),
            (_, pods) => pods.ok(),
        };
        Ok(join(nodes.ok(), pods))
    }

    /// Returns node, ready containers and status of each pod of a set.
    async fn pods_of(&self, daemon_set: &str) -> anyhow::Result<Vec<[String; 3]>> {
        let sets = self.whole::<DaemonSet>().await?;
        let set = sets.into_iter().find(|set| set.name() == daemon_set).context("there is no such set")?;
        let selector = Selector::try_from(set.spec.selector.unwrap_or_default())?;
        let params = ListParams::default().labels_from(&selector);
        self.rows::<Pod, _>(Some(&self.namespace), params, ["Node", "Ready", "Status"]).await
    }

    fn in_time<T>(&self, future: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        self.runtime.block_on(async { tokio::time::timeout(left, future).await })?
    }

    async fn whole<K: Readable + DeserializeOwned>(&self) -> anyhow::Result<Vec<K>> {
        let list = list::<K, K>(&self.session, Some(&self.namespace), None).await;
        Ok(list.map_err(NoList::into_error)?.items)
    }

    async fn metadata<K: Resource<DynamicType = ()>>(&self) -> anyhow::Result<Vec<Item>> {
        let list: MetadataList = self.page(METADATA, &K::url_path(&(), None), ListParams::default(), "").await?;
        Ok(list.items)
    }

    /// Returns some columns of the rows that kubectl prints.
    async fn rows<K: Resource<DynamicType = ()>, const N: usize>(
        &self,
        namespace: Option<&str>,
        params: ListParams,
        columns: [&str; N],
    ) -> anyhow::Result<Vec<[String; N]>> {
        let table: Table = self.page(ROWS, &K::url_path(&(), namespace), params, "&includeObject=None").await?;
        table.columns(columns)
    }

    async fn page<T: DeserializeOwned>(
        &self,
        accept: &'static str,
        path: &str,
        params: ListParams,
        more: &str,
    ) -> anyhow::Result<T> {
        let request = kube::core::Request::new(path).list(&params.limit(LIMIT))?;
        let answer = self.session.get_as(accept, &format!("{}{more}", request.uri())).await;
        let answer = answer.map_err(|failure| anyhow!("list {path}: {}", words(&failure)))?;
        serde_json::from_slice(&answer.body).with_context(|| format!("decode {path}"))
    }
}

/// Puts the pods beside their nodes; pods that are on no node are left out.
fn join(nodes: Option<Vec<[String; 2]>>, pods: Option<Vec<[String; 3]>>) -> Vec<NodeRow> {
    let nodes_of_pods = || pods.iter().flatten().map(|[node, ..]| [node.clone(), String::new()]).collect();
    let mut nodes: Vec<[String; 2]> = nodes.unwrap_or_else(nodes_of_pods);
    nodes.retain(|[name, _]| !name.is_empty() && name != "<none>");
    nodes.sort();
    nodes.dedup();
    let pods_on = |name: &str| {
        let on_node = pods.as_ref()?.iter().filter(|[node, ..]| node == name);
        Some(on_node.map(|[_, ready, status]| (ready.clone(), status.clone())).collect())
    };
    nodes.into_iter().map(|[name, status]| NodeRow { pods: pods_on(&name), name, status }).collect()
}

#[derive(Deserialize)]
struct MetadataList {
    items: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    metadata: ItemMeta,
}

#[derive(Deserialize)]
struct ItemMeta {
    name: String,
    labels: Option<Labels>,
}

/// What a server prints for people.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Table {
    column_definitions: Vec<Column>,
    rows: Option<Vec<Row>>,
}

#[derive(Deserialize)]
struct Column {
    name: String,
}

#[derive(Deserialize)]
struct Row {
    cells: Vec<Value>,
}

impl Table {
    fn columns<const N: usize>(self, names: [&str; N]) -> anyhow::Result<Vec<[String; N]>> {
        let place = |name: &str| self.column_definitions.iter().position(|column| column.name == name);
        let places = names.map(place);
        if places.contains(&None) {
            bail!("the server prints other columns than {}", names.join(", "));
        }
        let cell = |row: &Row, place: Option<usize>| {
            let cell = place.and_then(|place| row.cells.get(place)).and_then(Value::as_str);
            cell.unwrap_or_default().to_owned()
        };
        Ok(self.rows.iter().flatten().map(|row| places.map(|place| cell(row, place))).collect())
    }
}

/// Names in kubeconfig files, each with a description.
#[derive(Debug, Default)]
pub struct KubeconfigNames {
    /// Contexts, with cluster and namespace.
    pub contexts: Vec<(String, String)>,
    /// Clusters, with the address of the server.
    pub clusters: Vec<(String, String)>,
    /// Users.
    pub users: Vec<(String, String)>,
}

/// Returns the names in the file that a flag names, or in those that kubectl would read.
///
/// # Errors
///
/// A file cannot be read, or is no kubeconfig.
pub fn kubeconfig_names(file: Option<&Path>) -> anyhow::Result<KubeconfigNames> {
    let config = Files::choose(file, &|name| std::env::var_os(name)).read()?;
    let current = config.current_context.unwrap_or_default();
    let contexts = config.contexts.into_iter().map(|named| {
        let context = named.context.unwrap_or_default();
        let namespace = context.namespace.filter(|namespace| !namespace.is_empty());
        let namespace = namespace.map(|namespace| format!(", namespace {namespace}")).unwrap_or_default();
        let mark = if named.name == current { ", current" } else { "" };
        (named.name, format!("cluster {}{namespace}{mark}", context.cluster))
    });
    let clusters = config.clusters.into_iter().map(|named| {
        let server = named.cluster.and_then(|cluster| cluster.server);
        (named.name, server.unwrap_or_default())
    });
    Ok(KubeconfigNames {
        contexts: contexts.collect(),
        clusters: clusters.collect(),
        users: config.auth_infos.into_iter().map(|named| (named.name, String::new())).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::{NodeRow, Table, join};

    fn texts<const N: usize>(texts: [&str; N]) -> [String; N] {
        texts.map(str::to_owned)
    }

    #[test]
    fn columns_are_found_by_their_names() {
        let json = r#"{"columnDefinitions":[{"name":"Name"},{"name":"Age"},{"name":"Status"}],
            "rows":[{"cells":["a","1d","Ready"]},{"cells":["b",7]}]}"#;
        let table: Table = serde_json::from_str(json).expect("a table");
        let rows = table.columns(["Status", "Name"]).expect("both are there");
        assert_eq!(rows, [texts(["Ready", "a"]), texts(["", "b"])]);
        let table: Table = serde_json::from_str(json).expect("a table");
        assert!(table.columns(["Node"]).is_err());
    }

    #[test]
    fn without_nodes_those_that_have_a_pod_are_known() {
        let pods = vec![texts(["n2", "1/1", "Running"]), texts(["<none>", "0/1", "Pending"])];
        let on_n2 = Some(vec![("1/1".to_owned(), "Running".to_owned())]);
        let row = |name: &str, status: &str, pods| NodeRow { name: name.to_owned(), status: status.to_owned(), pods };
        assert_eq!(join(None, Some(pods.clone())), [row("n2", "", on_n2.clone())]);
        let nodes = vec![texts(["n2", "Ready"]), texts(["n1", "NotReady"])];
        let expected = [row("n1", "NotReady", Some(Vec::new())), row("n2", "Ready", on_n2)];
        assert_eq!(join(Some(nodes.clone()), Some(pods)), expected);
        assert_eq!(join(Some(nodes), None)[0], row("n1", "NotReady", None));
    }
}
