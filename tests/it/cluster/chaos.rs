//! An OnDelete rollout in a cluster where things go wrong at random: whatever happens, `sync` deletes no available pod while
//! that leaves more nodes without one than it may, and in the end all nodes have the new pod.
//!
//! `CHAOS_SEED` repeats a run as far as the machine allows, `CHAOS_NODES` says how many nodes there are.

use std::collections::BTreeMap;
use std::env;
use std::time::{Duration, Instant, SystemTime};

use serde_json::json;

use super::process::{Cluster, Options, eventually};
use super::recorder::Recorder;
use super::scene::{Running, Scene, ZONE, pause};

trials![whatever_happens_the_budget_is_kept, whatever_happens_one_zone_follows_the_other];

/// In an ordinary run: with 200, two busy cores take minutes.
const NUM_NODES: usize = 60;
/// Percent of the nodes.
const MAX_UNAVAILABLE: usize = 8;
/// The image of the rollout, and the one that takes its place midway.
const IMAGES: [&str; 2] = ["agent:2-slow2", "agent:3-slow2"];
/// After so many faults the template changes.
const CHANGES_AFTER: usize = 12;
/// How long things go wrong at most.
const STORM: Duration = Duration::from_secs(120);
/// The zones of the nodes, in the order in which they are rolled out.
const ZONES: [&str; 3] = ["zone-b", "zone-c", "zone-a"];
/// Nodes that have fallen silent, or have a taint, at the same time.
const MAX_OUT: usize = 3;

fn whatever_happens_the_budget_is_kept() {
    rage("chaos", "");
}

/// In each zone, too, the limit holds; an old pod goes only when no earlier zone has one.
fn whatever_happens_one_zone_follows_the_other() {
    let order = ZONES.join(",");
    rage("zones", &format!("--by {ZONE} --order {order} --canary 2 --soak 3s --per-group"));
}

/// Rolls out with these flags while things go wrong.
fn rage(name: &str, flags: &str) {
    let number = |name: &str| env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    let num_nodes = number("CHAOS_NODES").map_or(NUM_NODES, |number| usize::try_from(number).expect("some nodes"));
    let seed = number("CHAOS_SEED").unwrap_or_else(seed_of_now);
    let options = Options { nodes: 0, node_monitor_grace_period_seconds: 16 };
    let Some(cluster) = Cluster::start(&options) else { return };
    println!("{name}: CHAOS_SEED={seed} CHAOS_NODES={num_nodes}");

    let scene = Scene::new(&cluster, name, num_nodes);
    let mut set = scene.daemon_set("OnDelete");
    // What the controller manager does to a silent node is tolerated: it stays wanted, and is charged.
    let tolerations = ["not-ready", "unreachable"];
    set["spec"]["template"]["spec"]["tolerations"] = tolerations
        .map(|key| json!({ "key": format!("node.kubernetes.io/{key}"), "operator": "Exists", "effect": "NoSchedule" }))
        .into();
    scene.bring_up(&set);
    scene.set_image(IMAGES[0]);
    let recorder = Recorder::start(&scene, (num_nodes * MAX_UNAVAILABLE).div_ceil(100));
    let mut storm = Storm {
        scene: &scene,
        recorder: &recorder,
        flags,
        nodes: scene.nodes.clone(),
        random: Random(seed),
        out: BTreeMap::new(),
        num_left: 0,
        counts: BTreeMap::new(),
    };
    if !flags.is_empty() {
        storm.nodes.iter().for_each(|node| storm.rank(node));
        recorder.record().roll_out(IMAGES[0]);
    }
    let sync = storm.rage();
    // On a slow machine the storm may be over before it comes to that.
    storm.change_template();
    storm.calm();
    let counts = storm.counts;
    last_runs(&scene, flags, sync);

    let record = recorder.end(IMAGES[1]);
    let images = scene.images();
    let has_new = |node: &&String| images.get(*node).is_some_and(|images| *images == [IMAGES[1]]);
    let others: Vec<_> = record.wanted().iter().filter(|node| !has_new(node)).collect();
    assert!(others.is_empty(), "{others:?}: {images:?}");
    let replaced = record.deleted.iter().filter(|pod| pod.image != IMAGES[1]).count();
    assert!(replaced > num_nodes / 2, "sync replaced only {replaced} pods");
    println!(
        "{name}: {counts:?}; sync deleted {} pods, {} nodes were down at most then",
        record.deleted.len(),
        record.most_down
    );
}

/// What goes wrong.
struct Storm<'a> {
    scene: &'a Scene<'a>,
    recorder: &'a Recorder,
    flags: &'a str,
    /// Nodes that are there.
    nodes: Vec<String>,
    random: Random,
    /// Nodes that are silent or tainted, and until when.
    out: BTreeMap<String, (Fault, Instant)>,
    /// How many nodes have left the cluster, and no other has joined it.
    num_left: usize,
    /// How often what went wrong.
    counts: BTreeMap<String, usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    Silence,
    Taint(&'static str),
}

impl Storm<'_> {
    /// Lets things go wrong while `sync` runs, until it is through; returns the last run.
    fn rage(&mut self) -> Running {
        let started = Instant::now();
        let mut sync = self.start_sync();
        for num_faults in 0.. {
            if started.elapsed() >= STORM {
                break;
            }
            pause(300 + self.random.below(700));
            if num_faults == CHANGES_AFTER {
                self.change_template();
            }
            match self.random.below(12) {
                0 => sync = self.again(sync, "KILL"),
                1 => sync = self.again(sync, "INT"),
                2 | 3 => self.delete_a_pod(),
                4 | 5 => self.go_out(Fault::Silence),
                6 => self.go_out(Fault::Taint("NoSchedule")),
                7 => self.go_out(Fault::Taint("NoExecute")),
                8 if self.num_left > 0 => self.join(),
                8 => self.leave(),
                _ => self.come_back(),
            }
            if sync.has_ended() {
                let ended = sync.end();
                match ended.code {
                    0 if self.counts.contains_key("template") => return self.start_sync(),
                    0 => sync = self.start_sync(),
                    // A pod on a silent node does not become available; a plan may be overtaken.
                    code @ (11 | 13) => {
                        self.count(&format!("exit code {code}"));
                        sync = self.start_sync();
                    }
                    _ => panic!("{ended:?}"),
                }
            }
        }
        sync
    }

    /// Changes the template, unless that was done before. Runs under way refuse to go on: 13.
    fn change_template(&mut self) {
        if !self.counts.contains_key("template") {
            self.count("template");
            if !self.flags.is_empty() {
                self.recorder.record().roll_out(IMAGES[1]);
            }
            self.scene.set_image(IMAGES[1]);
        }
    }

    fn count(&mut self, what: &str) {
        *self.counts.entry(what.to_owned()).or_default() += 1;
    }

    /// Ends a run with a signal, and starts the next one.
    fn again(&mut self, sync: Running, signal: &str) -> Running {
        self.count(signal);
        sync.signal(signal);
        let ended = sync.end();
        assert!(matches!(ended.code, -1 | 0 | 11 | 13 | 130), "{ended:?}");
        self.start_sync()
    }

    fn delete_a_pod(&mut self) {
        let pods = self.recorder.record().live_pods();
        let pods: Vec<_> = pods.into_iter().filter(|(_, node)| !self.out.contains_key(node)).collect();
        if let Some((pod, node)) = self.random.one_of(&pods) {
            self.count("deleted");
            self.recorder.record().excuse(pod, node);
            self.scene.kubectl(&format!("delete pod {pod} --wait=false --ignore-not-found"));
        }
    }

    fn go_out(&mut self, fault: Fault) {
        let nodes: Vec<_> = self.nodes.iter().filter(|node| !self.out.contains_key(*node)).cloned().collect();
        if self.out.len() >= MAX_OUT {
            return self.come_back();
        }
        let Some(node) = self.random.one_of(&nodes).cloned() else { return };
        let seconds = match fault {
            // Some are back before the controller manager notices.
            Fault::Silence => {
                self.count("silent");
                self.recorder.record().by_test(&node, true);
                self.scene.cluster.command(&json!({ "do": "silence-nodes", "names": [node] }));
                [5, 40][usize::from(self.random.below(2) == 1)]
            }
            Fault::Taint(effect) => {
                self.count(effect);
                self.recorder.record().want(&node, false);
                self.scene.kubectl(&format!("taint node {node} chaos=here:{effect}"));
                3 + self.random.below(10)
            }
        };
        self.out.insert(node, (fault, Instant::now() + Duration::from_secs(seconds)));
    }

    /// A node leaves the cluster with its pods.
    fn leave(&mut self) {
        let nodes: Vec<_> = self.nodes.iter().filter(|node| !self.out.contains_key(*node)).cloned().collect();
        let Some(node) = self.random.one_of(&nodes).cloned() else { return };
        self.count("left");
        self.num_left += 1;
        self.nodes.retain(|other| *other != node);
        self.recorder.record().want(&node, false);
        self.scene.cluster.command(&json!({ "do": "remove-nodes", "names": [node] }));
    }

    /// In place of one that has left, another node joins.
    fn join(&mut self) {
        self.count("joined");
        self.num_left -= 1;
        let node = format!("{}-new-{:03}", self.scene.name, self.counts["joined"]);
        {
            let mut record = self.recorder.record();
            record.by_test(&node, true);
            record.want(&node, true);
        }
        self.scene
            .cluster
            .command(&json!({ "do": "add-nodes", "names": [node], "labels": { "pool": self.scene.name } }));
        if !self.flags.is_empty() {
            self.rank(&node);
        }
        self.recorder.record().by_test(&node, false);
        self.nodes.push(node);
    }

    /// Tells the recorder in which zone a node is.
    fn rank(&self, node: &str) {
        let path = ZONE.replace('.', "\\.");
        let zone = self.scene.kubectl(&format!("get node {node} -o jsonpath={{.metadata.labels.{path}}}"));
        let rank = ZONES.iter().position(|other| *other == zone).expect("a node is in a zone");
        self.recorder.record().rank(node, rank);
    }

    fn start_sync(&self) -> Running {
        start_sync(self.scene, self.flags)
    }

    /// Puts a node right whose time has come.
    fn come_back(&mut self) {
        let now = Instant::now();
        let due = self.out.iter().find(|(_, (_, until))| *until <= now).map(|(node, _)| node.clone());
        if let Some(node) = due {
            self.put_right(&node);
        }
    }

    fn put_right(&mut self, node: &str) {
        match self.out.remove(node) {
            Some((Fault::Silence, _)) => {
                self.scene.cluster.command(&json!({ "do": "revive-nodes", "names": [node] }));
                self.recorder.record().by_test(node, false);
            }
            Some((Fault::Taint(effect), _)) => {
                self.recorder.record().by_test(node, true);
                self.scene.kubectl(&format!("taint node {node} chaos=here:{effect}-"));
                let mut record = self.recorder.record();
                record.want(node, true);
                record.by_test(node, false);
            }
            None => {}
        }
    }

    fn calm(&mut self) {
        for node in self.out.keys().cloned().collect::<Vec<_>>() {
            self.put_right(&node);
        }
    }
}

/// Lets `sync` finish, now that nothing goes wrong any more. What went wrong before may still end one run or two.
fn last_runs(scene: &Scene<'_>, flags: &str, mut sync: Running) {
    for _ in 0..3 {
        // On a slow machine all of the rollout may be left.
        let _ = eventually(|| sync.has_ended());
        let ended = sync.end();
        match ended.code {
            0 => return,
            11 | 13 => sync = start_sync(scene, flags),
            _ => panic!("{ended:?}"),
        }
    }
    panic!("sync does not come to an end: {:?}", sync.end());
}

fn start_sync(scene: &Scene<'_>, flags: &str) -> Running {
    scene.start_sync(&format!("--max-unavailable {MAX_UNAVAILABLE}% --pod-timeout 40s {flags}"))
}

fn seed_of_now() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("it is past 1970");
    u64::from(now.subsec_nanos())
}

/// A generator of numbers, SplitMix64, that is the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn one_of<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        let bound = u64::try_from(items.len()).expect("a length is small");
        let i = self.below(bound.max(1));
        items.get(usize::try_from(i).expect("it is below a length"))
    }
}
