//! Records what becomes of the pods of a set, event by event in the order of the server, and judges each deletion by `sync`:
//! with it, no more wanted nodes than the budget may be without an available pod.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::{Deserializer, Value};

use super::process::eventually;
use super::scene::{Scene, node_of};
use crate::go::ChildGuard;

/// How long `sync` may take from its read to its last deletion. An outage that the test causes meanwhile is not seen by it.
const FROM_READ_TO_DELETE: Duration = Duration::from_secs(5);

/// Watches the pods of a scene.
pub struct Recorder {
    watch: ChildGuard,
    thread: Option<JoinHandle<()>>,
    record: Arc<Mutex<Record>>,
}

/// What was seen.
pub struct Record {
    budget: usize,
    wanted: BTreeSet<String>,
    /// By uid.
    pods: BTreeMap<String, Seen>,
    /// Nodes whose outages the test causes.
    by_test: BTreeSet<String>,
    /// Wanted nodes without an available pod.
    down: BTreeMap<String, Outage>,
    /// Names of the pods that the test itself deletes.
    excused: BTreeSet<String>,
    /// Pods that `sync` has deleted, in that order.
    pub deleted: Vec<Seen>,
    pub violations: Vec<String>,
    /// In a rollout by groups: the image it rolls out, and since when.
    target: Option<(String, Instant)>,
    /// The place of each node's group in the order.
    ranks: BTreeMap<String, usize>,
    /// The most wanted nodes that were without an available pod when `sync` deleted one.
    pub most_down: usize,
}

/// Since when a node has no available pod.
struct Outage {
    since: Instant,
    is_by_test: bool,
}

/// A pod as it was last seen.
#[derive(Clone, Debug)]
pub struct Seen {
    pub name: String,
    pub node: String,
    pub image: String,
    pub is_available: bool,
    is_deleting: bool,
}

impl Recorder {
    /// Begins to watch; returns when all pods that are there have been seen.
    pub fn start(scene: &Scene<'_>, budget: usize) -> Self {
        let record = Arc::new(Mutex::new(Record {
            budget,
            wanted: scene.nodes.iter().cloned().collect(),
            pods: BTreeMap::new(),
            by_test: BTreeSet::new(),
            down: BTreeMap::new(),
            excused: BTreeSet::new(),
            deleted: Vec::new(),
            violations: Vec::new(),
            target: None,
            ranks: BTreeMap::new(),
            most_down: 0,
        }));
        let line = format!("-n {} get pods --watch -o json --output-watch-events", scene.name);
        let mut child = scene.cluster.spawn("admin", &line);
        let stdout = child.stdout.take().expect("stdout is piped");
        let recorded = Arc::clone(&record);
        let thread = thread::spawn(move || {
            for event in Deserializer::from_reader(stdout).into_iter::<Value>().map_while(Result::ok) {
                recorded.lock().expect("nothing fails while it is locked").take(&event);
            }
        });
        let recorder = Self { watch: ChildGuard(child), thread: Some(thread), record };
        assert!(eventually(|| recorder.record().pods.len() >= scene.pods().len()), "the pods are not seen");
        recorder
    }

    /// Returns what was seen so far.
    pub fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().expect("nothing fails while it is locked")
    }

    /// Waits until all wanted nodes were seen with an available pod of this image, and fails if a budget was not kept.
    /// Returns what was seen.
    pub fn end(mut self, image: &str) -> Record {
        let is_there = eventually(|| self.record().all_have(image));
        let _ = self.watch.0.kill();
        self.thread.take().expect("it is joined once").join().expect("nothing fails there");
        let record = Arc::into_inner(self.record).expect("the other one has ended");
        let record = record.into_inner().expect("nothing fails while it is locked");
        assert!(is_there, "not all have {image}: {:?}", record.pods);
        let violations = &record.violations;
        assert!(violations.is_empty(), "{} violations, the first ones: {:?}", violations.len(), &violations[..1]);
        record
    }
}

impl Record {
    /// From now on the test lets a node fail, or lets it be.
    pub fn by_test(&mut self, node: &str, is_by_test: bool) {
        if is_by_test {
            self.by_test.insert(node.to_owned());
        } else {
            self.by_test.remove(node);
        }
    }

    /// The test is about to delete a pod.
    pub fn excuse(&mut self, pod: &str, node: &str) {
        self.excused.insert(pod.to_owned());
        self.by_test(node, true);
    }

    /// A node wants a pod, or no longer.
    pub fn want(&mut self, node: &str, is_wanted: bool) {
        if is_wanted {
            self.wanted.insert(node.to_owned());
        } else {
            self.wanted.remove(node);
        }
        self.count();
    }

    /// From now on this image is rolled out, group by group.
    pub fn roll_out(&mut self, image: &str) {
        self.target = Some((image.to_owned(), Instant::now()));
    }

    /// A node is in the group with this place in the order.
    pub fn rank(&mut self, node: &str, rank: usize) {
        self.ranks.insert(node.to_owned(), rank);
    }

    /// Returns the wanted nodes.
    pub fn wanted(&self) -> &BTreeSet<String> {
        &self.wanted
    }

    /// Returns name and node of the pods that do not terminate.
    pub fn live_pods(&self) -> Vec<(String, String)> {
        let live = self.pods.values().filter(|pod| !pod.is_deleting && !pod.node.is_empty());
        live.map(|pod| (pod.name.clone(), pod.node.clone())).collect()
    }

    fn take(&mut self, event: &Value) {
        let object = &event["object"];
        let uid = object["metadata"]["uid"].as_str().unwrap_or_default();
        let seen = seen(object);
        let before = self.pods.get(uid).cloned();
        if event["type"] == "DELETED" {
            self.pods.remove(uid);
        } else {
            self.pods.insert(uid.to_owned(), seen.clone());
        }
        self.count();
        match before {
            Some(before) if !before.is_deleting && (seen.is_deleting || event["type"] == "DELETED") => {
                self.judge(before);
            }
            _ => {}
        }
    }

    /// Judges the deletion of a pod, given as it was before.
    fn judge(&mut self, pod: Seen) {
        if self.excused.contains(&pod.name) {
            self.by_test.remove(&pod.node);
            return;
        }
        let Some(outage) = self.down.get_mut(&pod.node) else { return };
        outage.is_by_test = false;
        let is_just_by_test = |outage: &&Outage| outage.is_by_test && outage.since.elapsed() < FROM_READ_TO_DELETE;
        let excused = self.down.values().filter(is_just_by_test).count();
        let num_down = self.down.len() - excused;
        if pod.is_available {
            self.most_down = self.most_down.max(num_down);
        }
        if pod.is_available && num_down > self.budget {
            let nodes: Vec<_> = self.down.keys().collect();
            self.violations
                .push(format!("{} deleted while {nodes:?} are down, {excused} just now by the test", pod.name));
        }
        self.judge_order(&pod);
        self.deleted.push(pod);
    }

    /// An old pod goes only when no wanted node of an earlier group has one. Just after a change of the template `sync` may
    /// not have seen it.
    fn judge_order(&mut self, pod: &Seen) {
        let is_settled = |target: &&(String, Instant)| target.1.elapsed() > FROM_READ_TO_DELETE;
        let Some((image, _)) = self.target.as_ref().filter(is_settled) else { return };
        let rank = self.ranks.get(&pod.node);
        let is_before = |other: &&Seen| {
            other.image != *image
                && !other.is_deleting
                && self.wanted.contains(&other.node)
                && self.ranks.get(&other.node) < rank
        };
        if pod.image != *image
            && let Some(other) = self.pods.values().find(is_before)
        {
            self.violations.push(format!("{} deleted on {}, though {} has {other:?}", pod.name, pod.node, other.node));
        }
    }

    /// Notes which wanted nodes have no available pod, and since when.
    fn count(&mut self) {
        let pods = self.pods.values().filter(|pod| pod.is_available && !pod.is_deleting);
        let up: BTreeSet<&String> = pods.map(|pod| &pod.node).collect();
        self.down.retain(|node, _| self.wanted.contains(node) && !up.contains(node));
        for node in self.wanted.iter().filter(|node| !up.contains(node)) {
            let is_by_test = self.by_test.contains(node);
            self.down.entry(node.clone()).or_insert_with(|| Outage { since: Instant::now(), is_by_test });
        }
    }

    fn all_have(&self, image: &str) -> bool {
        let pods = self.pods.values().filter(|pod| pod.is_available && !pod.is_deleting && pod.image == image);
        let up: BTreeSet<&String> = pods.map(|pod| &pod.node).collect();
        self.wanted.iter().all(|node| up.contains(node))
    }
}

fn seen(pod: &Value) -> Seen {
    let conditions = pod["status"]["conditions"].as_array().into_iter().flatten();
    Seen {
        name: pod["metadata"]["name"].as_str().unwrap_or_default().to_owned(),
        node: node_of(pod),
        image: pod["spec"]["containers"][0]["image"].as_str().unwrap_or_default().to_owned(),
        is_available: conditions.into_iter().any(|one| one["type"] == "Ready" && one["status"] == "True"),
        is_deleting: !pod["metadata"]["deletionTimestamp"].is_null(),
    }
}
