//! Watch: a snapshot of a cluster that is kept up to date.
//!
//! It begins with the very lists that a single look reads; from there on `feed` follows each kind, and `store` puts into effect
//! what is told. Nothing is kept but the snapshot itself.

mod event;
mod feed;
mod store;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout, timeout_at};

use super::clock::Clock;
use super::collect::{Note, PodsBeside, ResourceVersions, Slim, find_nodes_without_room, pods_beside};
use super::{Cluster, Found, into_snapshot};
use crate::api::{ControllerRevision, DaemonSet, Event, Node, Pod};
use crate::snapshot::Snapshot;

use feed::{Feed, Message};
use store::{Batches, Stored};

/// Changes that come within this time are seen together.
const BURST: Duration = Duration::from_millis(150);
/// So many messages wait; then the feeds do.
const MAX_WAITING: usize = 1024;
/// The pods of other namespaces are not looked for more often than this, though the nodes in question change.
const BESIDE_CHANGED: Duration = Duration::from_secs(10);
/// How old what is known of the pods of other namespaces may become.
const BESIDE_OLD: Duration = Duration::from_secs(60);

/// A snapshot that is kept up to date.
pub struct Watch<'c> {
    cluster: &'c Cluster,
    snapshot: Snapshot,
    /// `None` if the server does not tell its time.
    clock: Option<Clock>,
    batches: Batches,
    messages: mpsc::Receiver<Message>,
    /// By kind.
    troubles: BTreeMap<String, String>,
    notes: Vec<Note>,
    /// How many of the notes have been taken.
    num_told: usize,
    nodes_without_room: BTreeSet<String>,
    looked_beside_at: Instant,
    /// Feeds end with the watch.
    _feeds: JoinSet<()>,
}

/// How often changes are looked for.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// At least so long changes are gathered.
    pub shortest: Duration,
    /// So long it is waited for a change.
    pub longest: Duration,
}

impl Cluster {
    /// Reads the state and begins to watch it; only the sets that there are if one of the names is not among them.
    ///
    /// # Errors
    ///
    /// As for [`Self::read`].
    pub async fn watch(&self) -> anyhow::Result<Watch<'_>> {
        let (sender, messages) = mpsc::channel(MAX_WAITING);
        let mut watch = Watch {
            cluster: self,
            snapshot: Snapshot::default(),
            clock: None,
            batches: Batches::default(),
            messages,
            troubles: BTreeMap::new(),
            notes: Vec::new(),
            num_told: 0,
            nodes_without_room: BTreeSet::new(),
            looked_beside_at: Instant::now(),
            _feeds: JoinSet::new(),
        };
        match self.find::<Slim>(&self.names(), self.names.is_empty()).await? {
            Found::OnlySets(snapshot) => watch.snapshot = snapshot,
            Found::All(mut state) => {
                watch.clock = state.clock;
                watch.notes = std::mem::take(&mut state.notes);
                watch.nodes_without_room = std::mem::take(&mut state.nodes_without_room);
                watch._feeds = self.feeds(std::mem::take(&mut state.resource_versions), sender);
                watch.snapshot = into_snapshot(state);
            }
        }
        Ok(watch)
    }

    fn feeds(&self, from: ResourceVersions, messages: mpsc::Sender<Message>) -> JoinSet<()> {
        let feed = Feed { session: self.session.clone(), namespace: self.namespace.clone(), messages };
        let mut feeds = JoinSet::new();
        follow::<Node>(&mut feeds, &feed, from.nodes);
        follow::<DaemonSet>(&mut feeds, &feed, from.daemon_sets);
        follow::<Pod>(&mut feeds, &feed, from.pods);
        follow::<ControllerRevision>(&mut feeds, &feed, from.controller_revisions);
        follow::<Event>(&mut feeds, &feed, from.events);
        feeds
    }
}

/// Begins a feed, unless already the list was forbidden.
fn follow<T: Stored>(feeds: &mut JoinSet<()>, feed: &Feed, from: Option<String>) {
    if let Some(from) = from {
        feeds.spawn(feed.clone().run::<T>(from));
    }
}

impl Watch<'_> {
    /// Returns the state, as of the last [`Self::next`].
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Returns the namespace that is watched; `None` for all.
    pub fn namespace(&self) -> Option<&str> {
        self.cluster.namespace.as_deref()
    }

    /// Returns what could not be seen, each only once.
    pub fn take_notes(&mut self) -> Vec<Note> {
        let notes = self.notes[self.num_told..].to_vec();
        self.num_told = self.notes.len();
        notes
    }

    /// Returns why the state may be out of date; empty if it is not.
    pub fn troubles(&self) -> BTreeSet<&str> {
        self.troubles.values().map(String::as_str).collect()
    }

    /// Waits for changes and puts them into effect; moves the clock on.
    pub async fn next(&mut self, pace: Pace) {
        let settled = Instant::now() + pace.shortest;
        let first = timeout(pace.longest, self.messages.recv()).await;
        if let Ok(Some(message)) = first {
            self.take(message);
            let settled = settled.max(Instant::now() + BURST);
            while let Ok(Some(message)) = timeout_at(settled, self.messages.recv()).await {
                self.take(message);
            }
        }
        self.batches.apply(&mut self.snapshot, self.cluster.namespace.as_deref());
        self.look_beside().await;
        self.snapshot.now = self.clock.map_or_else(Timestamp::now, |clock| clock.at(std::time::Instant::now()));
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Change(change) => self.batches.add(*change),
            Message::Clock(clock) => self.clock = Some(self.clock.map_or(clock, |known| known.ahead(clock))),
            Message::Trouble(kind, Some(words)) => drop(self.troubles.insert(kind, words)),
            Message::Trouble(kind, None) => drop(self.troubles.remove(&kind)),
            Message::Note(note) => self.note(note),
        }
    }

    fn note(&mut self, note: Note) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Looks now and then for the pods of other namespaces that take room where a pod finds none.
    async fn look_beside(&mut self) {
        let Some(namespace) = self.namespace().map(str::to_owned) else { return };
        let names = self.cluster.names();
        let nodes = find_nodes_without_room(self.snapshot.pods.iter(), &names);
        let patience = if nodes == self.nodes_without_room { BESIDE_OLD } else { BESIDE_CHANGED };
        if nodes.is_empty() && self.nodes_without_room.is_empty() || self.looked_beside_at.elapsed() < patience {
            return;
        }
        self.looked_beside_at = Instant::now();
        // What fails is tried again; why it fails the feeds will tell.
        let Ok(beside) = pods_beside::<Slim>(&self.cluster.session, &namespace, &nodes).await else { return };
        let PodsBeside { pods, note } = beside;
        self.nodes_without_room = nodes;
        self.snapshot.pods.retain(|pod| pod.namespace() == namespace);
        self.snapshot.pods.extend(pods);
        self.snapshot.sort();
        if let Some(note) = note {
            self.note(note);
        }
    }
}
