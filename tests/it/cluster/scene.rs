//! A DaemonSet on nodes of its own, and runs of `sync` for it. Scenes share a cluster and do not disturb each other.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::{Value, json};

use super::process::{Cluster, Ended, eventually};
use crate::go::ChildGuard;

/// The label that says in which zone a node is.
pub const ZONE: &str = "topology.kubernetes.io/zone";

/// A namespace, nodes with the label `pool` of the same name, and a DaemonSet `agent` for them.
pub struct Scene<'a> {
    pub cluster: &'a Cluster,
    pub name: &'a str,
    pub nodes: Vec<String>,
}

impl<'a> Scene<'a> {
    /// Makes the namespace and the nodes `NAME-1`, `NAME-2` and so on.
    pub fn new(cluster: &'a Cluster, name: &'a str, num_nodes: usize) -> Self {
        let mut scene = Self { cluster, name, nodes: Vec::new() };
        cluster.kubectl(&format!("create namespace {name}"));
        scene.add_nodes(num_nodes);
        scene
    }

    /// Adds nodes to the pool.
    pub fn add_nodes(&mut self, count: usize) {
        let first = self.nodes.len() + 1;
        let names: Vec<_> = (first..first + count).map(|number| format!("{}-{number:03}", self.name)).collect();
        self.cluster.command(&json!({ "do": "add-nodes", "names": names, "labels": { "pool": self.name } }));
        self.nodes.extend(names);
    }

    /// Returns a set for the pool, whose image is `agent:1`; `type_` is that of its update strategy.
    pub fn daemon_set(&self, type_: &str) -> Value {
        json!({
            "apiVersion": "apps/v1",
            "kind": "DaemonSet",
            "metadata": { "namespace": self.name, "name": "agent" },
            "spec": {
                "selector": { "matchLabels": { "app": "agent" } },
                "updateStrategy": { "type": type_ },
                "template": {
                    "metadata": { "labels": { "app": "agent" } },
                    "spec": {
                        "nodeSelector": { "pool": self.name },
                        "terminationGracePeriodSeconds": 1,
                        "containers": [{ "name": "agent", "image": "agent:1" }],
                    },
                },
            },
        })
    }

    /// Applies a set and waits until its pods are available everywhere.
    pub fn bring_up(&self, daemon_set: &Value) {
        self.cluster.apply(daemon_set);
        self.await_available();
    }

    /// Makes an OnDelete set whose pods are all available, and all outdated by an image.
    pub fn outdated_by(&self, image: &str) {
        self.bring_up(&self.daemon_set("OnDelete"));
        self.set_image(image);
    }

    /// Waits until as many pods are available as there are nodes.
    pub fn await_available(&self) {
        let available = format!("{{.status.numberAvailable}}={}", self.nodes.len());
        self.kubectl(&format!("wait ds/agent --for=jsonpath={available} --timeout=3m"));
    }

    /// Changes the image, and waits until the controller has recorded that.
    pub fn set_image(&self, image: &str) {
        self.change_image(image);
        let generation = self.kubectl("get ds/agent -o jsonpath={.metadata.generation}");
        let observed = format!("{{.status.observedGeneration}}={generation}");
        self.kubectl(&format!("wait ds/agent --for=jsonpath={observed} --timeout=3m"));
    }

    /// Changes the image.
    pub fn change_image(&self, image: &str) {
        self.kubectl(&format!("set image ds/agent agent={image}"));
    }

    /// Runs kubectl in the namespace as the administrator; it must succeed.
    pub fn kubectl(&self, line: &str) -> String {
        self.cluster.kubectl(&format!("-n {} {line}", self.name))
    }

    /// Runs `sync` to its end without asking.
    pub fn sync(&self, flags: &str) -> Ended {
        self.sync_as("admin", &format!("--yes {flags}"))
    }

    /// Runs `sync` as somebody.
    pub fn sync_as(&self, user: &str, flags: &str) -> Ended {
        self.cluster.kubectl_as(user, &self.sync_line(flags))
    }

    /// Starts `sync` without asking.
    pub fn start_sync(&self, flags: &str) -> Running {
        Running::new(self.cluster.spawn("admin", &self.sync_line(&format!("--yes {flags}"))))
    }

    fn sync_line(&self, flags: &str) -> String {
        format!("daemonset sync agent -n {} {flags}", self.name)
    }

    /// Returns the pods that do not terminate.
    pub fn pods(&self) -> Vec<Value> {
        let mut list: Value = serde_json::from_str(&self.kubectl("get pods -o json")).expect("kubectl prints JSON");
        let pods: Vec<Value> = serde_json::from_value(list["items"].take()).expect("a list has items");
        pods.into_iter().filter(|pod| pod["metadata"]["deletionTimestamp"].is_null()).collect()
    }

    /// Returns the images of the pods by their nodes.
    pub fn images(&self) -> BTreeMap<String, Vec<String>> {
        let mut images = BTreeMap::<String, Vec<String>>::new();
        for pod in self.pods() {
            let image = string(&pod["spec"]["containers"][0]["image"]);
            images.entry(node_of(&pod)).or_default().push(image);
        }
        images
    }

    /// Returns what `images` returns if each node of the pool has one pod, of this image.
    pub fn all_have(&self, image: &str) -> BTreeMap<String, Vec<String>> {
        self.nodes.iter().map(|node| (node.clone(), vec![image.to_owned()])).collect()
    }

    /// Returns the uids of the pods.
    pub fn uids(&self) -> BTreeSet<String> {
        self.pods().iter().map(|pod| string(&pod["metadata"]["uid"])).collect()
    }

    /// Returns the name of the pod on a node of the pool, counted from 0.
    pub fn pod_on(&self, i: usize) -> String {
        let pods = self.pods();
        let pod = pods.iter().find(|pod| node_of(pod) == self.nodes[i]).expect("the node has a pod");
        string(&pod["metadata"]["name"])
    }
}

/// Returns the node that a pod is bound to; empty if there is none yet.
pub fn node_of(pod: &Value) -> String {
    pod["spec"]["nodeName"].as_str().unwrap_or_default().to_owned()
}

/// Returns a text of an object.
pub fn string(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// Fails unless a run ended with this code.
pub fn assert_code(ended: &Ended, code: i32) {
    assert_eq!(ended.code, code, "stdout:\n{}\nstderr:\n{}", ended.stdout, ended.stderr);
}

/// Returns how many lines say that a pod was deleted.
pub fn num_deleted(ended: &Ended) -> usize {
    ended.stdout.lines().filter(|line| line.contains(" deleted from ")).count()
}

/// A run of `sync` that goes on. It is killed when dropped.
pub struct Running {
    child: ChildGuard,
    stdout: Stream,
    stderr: Stream,
}

/// What was printed so far, and who reads on.
type Stream = (Arc<Mutex<String>>, JoinHandle<()>);

impl Running {
    fn new(mut child: std::process::Child) -> Self {
        let stdout = gather(child.stdout.take().expect("stdout is piped"));
        let stderr = gather(child.stderr.take().expect("stderr is piped"));
        Self { child: ChildGuard(child), stdout, stderr }
    }

    /// Waits until a text stands on stdout.
    pub fn await_stdout(&mut self, text: &str) {
        let is_there = eventually(|| read(&self.stdout).contains(text) || self.has_ended());
        let stdout = read(&self.stdout);
        assert!(is_there && stdout.contains(text), "no {text:?} in\n{stdout}\nstderr:\n{}", read(&self.stderr));
    }

    /// Waits until a text stands on stderr.
    pub fn await_stderr(&mut self, text: &str) {
        let is_there = eventually(|| read(&self.stderr).contains(text) || self.has_ended());
        let stderr = read(&self.stderr);
        assert!(is_there && stderr.contains(text), "no {text:?} in\n{stderr}\nstdout:\n{}", read(&self.stdout));
    }

    /// Returns whether it has ended by itself or by a signal.
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.child.0.try_wait(), Ok(None))
    }

    /// Sends a signal to the plugin, which kubectl has become.
    pub fn signal(&self, signal: &str) {
        let pid = self.child.0.id().to_string();
        let sent = Command::new("kill").args([&format!("-{signal}"), &pid]).status();
        assert!(sent.is_ok_and(|status| status.success()), "kill -{signal} {pid}");
    }

    /// Waits for the end.
    pub fn end(mut self) -> Ended {
        let in_time = eventually(|| self.has_ended());
        assert!(in_time, "still runs; stdout:\n{}\nstderr:\n{}", read(&self.stdout), read(&self.stderr));
        let status = self.child.0.wait().expect("it has ended");
        let [stdout, stderr] = [self.stdout, self.stderr].map(|(text, thread)| {
            thread.join().expect("nothing fails there");
            text.lock().expect("nothing fails there").clone()
        });
        Ended { stdout, stderr, success: status.success(), code: status.code().unwrap_or(-1) }
    }
}

fn gather(pipe: impl Read + Send + 'static) -> Stream {
    let text = Arc::new(Mutex::new(String::new()));
    let gathered = Arc::clone(&text);
    let thread = thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            let mut text = gathered.lock().expect("nothing fails while it is locked");
            text.push_str(&line);
            text.push('\n');
        }
    });
    (text, thread)
}

fn read(stream: &Stream) -> String {
    stream.0.lock().expect("nothing fails while it is locked").clone()
}

/// Waits a moment that is itself part of a test, as one at which something is killed.
pub fn pause(milliseconds: u64) {
    thread::sleep(Duration::from_millis(milliseconds));
}
