//! A live cluster: the same [`Snapshot`] that a file gives, read from the API server as kubectl would.
//!
//! `access` (flags, kubeconfig, pod) → `session` (credentials, connections, retries) → `list` (pages) → `collect` (which
//! lists) → here, and from there on `watch` keeps it up to date. Nothing is written, and no object is read by itself.

mod access;
mod clock;
mod collect;
mod connect;
mod credentials;
mod escape;
mod exec;
mod failure;
mod forward;
mod in_cluster;
mod kubeconfig;
mod list;
mod names;
mod narrow;
mod proxy;
mod rights;
mod roles;
mod session;
mod usable;
mod watch;
mod write;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use jiff::Timestamp;
use kube::Resource;
use serde_json::{Value, json};

use crate::api::{DaemonSet, ObjectMeta, PodDisruptionBudget};
use crate::args::ConnectionFlags;
use crate::error::UserError;
use crate::plan::API_VERSION;
use crate::snapshot::Snapshot;
use crate::source::redact::redact;

use access::Access;
use collect::{Form, Object, Slim, State, WithJson, collect, daemon_sets, names_everywhere};
use failure::is_it_an_api_server;
use narrow::narrow;
use session::{Call, Session};

pub use collect::Note;
pub use names::{KubeconfigNames, Names, NodeRow, kubeconfig_names};
pub use roles::RoleManifest;
pub use session::Log;
pub use watch::{Pace, Watch};
pub use write::{EVICT, Reviewed, WRITE_RIGHTS, WriteOptions, WriteRight, Writes, rules};

/// Which part of a cluster is read.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// How the cluster is reached.
    pub connection: &'a ConnectionFlags,
    /// The namespace that was asked for; by default the context's.
    pub namespace: Option<&'a str>,
    /// All namespaces.
    pub all_namespaces: bool,
    /// Names of DaemonSets that must be there.
    pub names: &'a [&'a str],
    /// Where lines about requests go.
    pub log: Log,
}

/// What was read.
#[derive(Debug, Default)]
pub struct Live {
    /// The state. If no set of the names is there, or none at all, only the sets that are, those of other namespaces
    /// included, by their names.
    pub snapshot: Snapshot,
    /// The namespace that was read; `None` for all.
    pub namespace: Option<String>,
    /// What could not be seen.
    pub notes: Vec<Note>,
    /// The objects as the server gave them, sorted, after an item that tells clock and version; empty unless asked for.
    pub objects: Vec<Value>,
}

/// A way to one cluster, for as long as a command lasts: its credentials and connections are kept.
pub struct Cluster {
    runtime: tokio::runtime::Runtime,
    session: Arc<Session>,
    /// `None` for all.
    namespace: Option<String>,
    names: Vec<String>,
}

impl Cluster {
    /// Finds the way and gets credentials; contacts no cluster yet.
    ///
    /// # Errors
    ///
    /// No way to the cluster, or no credentials.
    pub fn connect(request: &Request<'_>) -> anyhow::Result<Self> {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().context("start the runtime")?;
        let access = Access::new(request.connection, &|name| std::env::var_os(name))?;
        let namespace = request.namespace.filter(|namespace| !namespace.is_empty()).unwrap_or(&access.namespace);
        let namespace = Some(namespace.to_owned()).filter(|_| !request.all_namespaces);
        // Connections belong to the runtime in which they are made.
        let session = Arc::new(runtime.block_on(async { Session::new(access, request.log) })?);
        let names = request.names.iter().map(|name| (*name).to_owned()).collect();
        Ok(Self { runtime, session, namespace, names })
    }

    /// Runs to its end what talks to the cluster.
    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Reads the state.
    ///
    /// # Errors
    ///
    /// DaemonSets or pods that cannot be listed.
    pub async fn read(&self) -> anyhow::Result<Live> {
        self.read_of(&self.names()).await
    }

    /// Reads the state for sets of these names.
    ///
    /// # Errors
    ///
    /// As for [`Self::read`].
    pub async fn read_of(&self, names: &[&str]) -> anyhow::Result<Live> {
        self.read_as::<Slim>(names, |state| (into_snapshot(state), Vec::new())).await
    }

    /// Reads the DaemonSets, and nothing else.
    ///
    /// # Errors
    ///
    /// They cannot be listed.
    pub async fn read_daemon_sets(&self) -> anyhow::Result<Vec<DaemonSet>> {
        let sets = daemon_sets::<Slim>(&self.session, self.namespace.as_deref()).await;
        sets.map(|list| list.items).map_err(list::NoList::into_error)
    }

    /// Reads what the server tells of its version, as it tells it; asks once. `patience` is for want of a request timeout.
    ///
    /// # Errors
    ///
    /// A server that cannot be reached, refuses, or answers no JSON object.
    pub async fn version(&self, patience: Option<Duration>) -> anyhow::Result<Value> {
        const WHAT: &str = "read the version of the server";
        let access = &self.session.access;
        let answer = self.session.send_within(access.timeout.or(patience), &Call::get("/version")).await;
        let answer = answer.map_err(|(failure, _)| failure.into_error(WHAT, access))?;
        let version = serde_json::from_slice(&answer.body).ok().filter(Value::is_object);
        let no_version =
            || UserError::new(format!("{WHAT}: its answer is no version")).hint(is_it_an_api_server(access));
        Ok(version.ok_or_else(no_version)?)
    }

    /// Says which cluster and namespace this is.
    pub fn place(&self) -> String {
        let access = &self.session.access;
        let context = access.context.as_ref().map(|context| format!("context {context}, ")).unwrap_or_default();
        let namespace = self.namespace.as_ref().map(|namespace| format!("namespace {namespace}, "));
        format!("{context}{}server {}", namespace.unwrap_or_default(), access.server)
    }

    /// Reads the state as objects in JSON, without those that have nothing to do with the sets of the names; the snapshot
    /// holds the DaemonSets only. Unless `is_full`, what may be secret is taken out.
    ///
    /// # Errors
    ///
    /// As for [`Self::read`].
    pub async fn read_objects(&self, is_full: bool) -> anyhow::Result<Live> {
        if is_full {
            return self.read_as::<WithJson<true>>(&self.names(), |state| into_objects(state, &self.names())).await;
        }
        let mut live =
            self.read_as::<WithJson<false>>(&self.names(), |state| into_objects(state, &self.names())).await?;
        redact(&mut live.objects);
        Ok(live)
    }

    /// Reads the disruption budgets of a namespace.
    ///
    /// # Errors
    ///
    /// They cannot be listed; the note says why.
    pub async fn disruption_budgets(&self, namespace: &str) -> Result<Vec<PodDisruptionBudget>, Note> {
        type Budget = PodDisruptionBudget;
        match list::list::<Budget, Budget>(&self.session, Some(namespace), None).await {
            Ok(list) => Ok(list.items),
            Err(list::NoList::Forbidden { message, hint }) => Err(Note { warning: message, hint: Some(hint) }),
            Err(error) => Err(Note { warning: format!("{:#}", error.into_error()), hint: None }),
        }
    }

    fn names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    async fn read_as<F: Form>(
        &self,
        names: &[&str],
        convert: impl FnOnce(State<F>) -> (Snapshot, Vec<Value>),
    ) -> anyhow::Result<Live> {
        let mut live = Live { namespace: self.namespace.clone(), ..Live::default() };
        match self.find::<F>(names, false).await? {
            Found::OnlySets(snapshot) => live.snapshot = snapshot,
            Found::All(state) => {
                live.notes = state.notes.clone();
                (live.snapshot, live.objects) = convert(state);
            }
        }
        Ok(live)
    }

    /// Reads all there is if the sets of the names are there, or, without names, any set at all.
    async fn find<F: Form>(&self, names: &[&str], even_without_sets: bool) -> anyhow::Result<Found<F>> {
        let namespace = self.namespace.as_deref();
        let sets = daemon_sets::<F>(&self.session, namespace).await.map_err(list::NoList::into_error)?;
        let is_there = |name: &&str| sets.items.iter().any(|set| F::slim(set).name() == *name);
        if sets.items.is_empty() && !even_without_sets || !names.iter().all(is_there) {
            let mut snapshot = only_sets::<F>(&sets.items);
            if let Some(namespace) = namespace {
                let everywhere = names_everywhere(&self.session).await.into_iter();
                snapshot.daemon_sets.extend(everywhere.filter(|(other, _)| other != namespace).map(name_only));
            }
            snapshot.sort();
            return Ok(Found::OnlySets(snapshot));
        }
        Ok(Found::All(collect::<F>(&self.session, namespace, names, sets).await?))
    }
}

/// What there is to be read.
enum Found<F: Form> {
    /// All that decides.
    All(State<F>),
    /// Some of the sets that were asked for, or all, are not there: these are.
    OnlySets(Snapshot),
}

fn only_sets<F: Form>(sets: &[F::Of<DaemonSet>]) -> Snapshot {
    Snapshot { daemon_sets: sets.iter().map(|set| F::slim(set).clone()).collect(), ..Snapshot::default() }
}

fn name_only((namespace, name): (String, String)) -> DaemonSet {
    let metadata = ObjectMeta { namespace: Some(namespace), name: Some(name), ..ObjectMeta::default() };
    DaemonSet { metadata, ..DaemonSet::default() }
}

fn into_snapshot(state: State<Slim>) -> Snapshot {
    let mut snapshot = Snapshot {
        now: now(&state),
        server_version: state.version.parsed(),
        nodes: state.nodes,
        daemon_sets: state.daemon_sets,
        pods: state.pods,
        controller_revisions: state.controller_revisions,
        events: state.events,
        missing: state.missing,
    };
    snapshot.sort();
    snapshot
}

/// Returns the server's clock; a server that does not tell it has ours.
fn now<F: Form>(state: &State<F>) -> Timestamp {
    state.clock.map_or_else(Timestamp::now, |clock| clock.date)
}

fn into_objects<const FULL: bool>(mut state: State<WithJson<FULL>>, names: &[&str]) -> (Snapshot, Vec<Value>) {
    narrow(&mut state, names);
    let mut info = json!({ "apiVersion": API_VERSION, "kind": "SnapshotInfo", "now": now(&state).to_string() });
    if state.version.parsed().is_some() {
        info["serverVersion"] = state.version.git_version.into();
    }
    let mut snapshot = only_sets::<WithJson<FULL>>(&state.daemon_sets);
    snapshot.sort();
    let mut objects = vec![info];
    objects.extend(sorted(state.nodes));
    objects.extend(sorted(state.daemon_sets));
    objects.extend(sorted(state.controller_revisions));
    objects.extend(sorted(state.pods));
    objects.extend(typed(state.events, "v1", "Event"));
    (snapshot, objects)
}

fn sorted<K, const FULL: bool>(mut objects: Vec<Object<K, FULL>>) -> impl Iterator<Item = Value>
where
    K: Resource<DynamicType = ()>,
{
    objects.sort_by_cached_key(|object| {
        let field = |name: &str| object.json["metadata"][name].as_str().unwrap_or_default().to_owned();
        (field("namespace"), field("name"))
    });
    typed(objects, &K::api_version(&()), &K::kind(&()))
}

/// Adds version and kind, which the items of a list lack.
fn typed<T, const FULL: bool>(
    objects: Vec<Object<T, FULL>>,
    api_version: &str,
    kind: &str,
) -> impl Iterator<Item = Value> + use<T, FULL> {
    let type_meta = json!({ "apiVersion": api_version, "kind": kind });
    objects.into_iter().map(move |object| {
        let mut json = type_meta.clone();
        if let (Value::Object(all), Value::Object(fields)) = (&mut json, object.json) {
            all.extend(fields);
        }
        json
    })
}
