//! A cluster small enough to reckon with: it carries out our own decisions, so that a test can walk from sync to sync.

use serde_json::Value;

use crate::builders::{Object, ago, current_revision, old_revision, plan, pod, snapshot};
use crate::plan::{Action, Choice, Creation, Plan, PodPlan, When};
use crate::snapshot::Snapshot;

use super::counts;

const PIN: &str = "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchFields/0/values/0";

/// One set with its cluster.
pub struct Cluster {
    pub daemon_set: Object,
    pub revisions: Vec<Object>,
    /// Nodes and pods.
    pub objects: Vec<Object>,
    /// Seconds since the clock of the builders.
    pub elapsed: i64,
    /// Turns the candidates of each choice before the first ones are taken.
    pub turn: usize,
    made: usize,
}

impl Cluster {
    /// Starts with a current revision `new` and an old one `old`.
    pub fn new(daemon_set: Object, objects: impl IntoIterator<Item = Object>) -> Self {
        let revisions = vec![current_revision(&daemon_set), old_revision(&daemon_set, "old", 1)];
        Self { daemon_set, revisions, objects: objects.into_iter().collect(), elapsed: 0, turn: 0, made: 0 }
    }

    /// Returns the state as it is now.
    pub fn snapshot(&self) -> Snapshot {
        let objects = self.objects.iter().chain(&self.revisions).chain([&self.daemon_set]).cloned();
        Snapshot { now: ago(-self.elapsed).parse().expect("a time"), ..snapshot(objects) }
    }

    /// Returns what the next sync does.
    pub fn plan(&self) -> Plan {
        plan(&self.snapshot())
    }

    /// Carries out one sync, and returns its counts. Deleted pods terminate until [`Self::finish_deletions`].
    pub fn sync(&mut self) -> String {
        let mut plan = self.plan();
        if plan.history.create {
            self.revisions.push(self.new_revision());
            plan = self.plan();
        }
        self.write_history(&plan);
        let hash = plan.revision.as_ref().map(|revision| revision.hash.clone()).unwrap_or_default();
        self.act(&plan.manage.create, &plan.manage.delete, &plan.manage.choose, &hash);
        if plan.rollout.when == When::Now {
            self.act(&plan.rollout.create, &plan.rollout.delete, &plan.rollout.choose, &hash);
        }
        self.daemon_set.0["status"]["observedGeneration"] = self.daemon_set.0["metadata"]["generation"].clone();
        counts(&plan)
    }

    /// Ends all terminating pods, then returns the counts of the next sync, carried out.
    pub fn sync_when_gone(&mut self) -> String {
        self.finish_deletions();
        self.sync()
    }

    /// Makes all pods ready, then returns the counts of the next sync, carried out.
    pub fn sync_when_ready(&mut self) -> String {
        self.make_ready();
        self.sync()
    }

    /// Lets all terminating pods be gone.
    pub fn finish_deletions(&mut self) {
        self.objects.retain(|object| object.0["metadata"]["deletionTimestamp"].is_null());
    }

    /// Lets bound pods of nodes that do not exist be gone, as pod garbage collection does.
    pub fn collect_garbage(&mut self) {
        let is_node = |object: &&Object| object.0["kind"] == "Node";
        let nodes: Vec<_> = self.objects.iter().filter(is_node).map(|node| node.name().to_owned()).collect();
        self.objects.retain(|object| {
            let bound = object.0["spec"]["nodeName"].as_str();
            bound.is_none_or(|bound| nodes.iter().any(|node| node == bound))
        });
    }

    /// Binds all pods and makes them ready, those that are not yet so from now on.
    pub fn make_ready(&mut self) {
        let elapsed = self.elapsed;
        self.change_pods(|pod| {
            let is_ready = pod.0["status"]["conditions"][0]["status"] == "True";
            let node = target(&pod);
            if is_ready { pod } else { pod.on(&node).phase("Running").ready_for(-elapsed) }
        });
    }

    /// Changes every pod that is not being deleted.
    pub fn change_pods(&mut self, change: impl Fn(Object) -> Object) {
        for object in &mut self.objects {
            if object.0["kind"] == "Pod" && object.0["metadata"]["deletionTimestamp"].is_null() {
                *object = change(object.clone());
            }
        }
    }

    /// Changes the one object of this name.
    pub fn change(&mut self, name: &str, change: impl FnOnce(Object) -> Object) {
        let object = self.objects.iter_mut().find(|object| object.name() == name).expect("the object is there");
        *object = change(object.clone());
    }

    /// Edits the template: a new generation, not yet observed.
    pub fn set_image(&mut self, image: &str) {
        let generation = self.daemon_set.0["metadata"]["generation"].as_i64().expect("a generation") + 1;
        let changed = self.daemon_set.clone().set("/spec/template/spec/containers/0/image", image);
        self.daemon_set = changed.set("/metadata/generation", generation);
    }

    /// Returns the names of the pods that are not being deleted, with their hash.
    pub fn hashes(&self) -> Vec<(String, String)> {
        let is_pod =
            |object: &&Object| object.0["kind"] == "Pod" && object.0["metadata"]["deletionTimestamp"].is_null();
        let hash =
            |object: &Object| object.0["metadata"]["labels"]["controller-revision-hash"].as_str().map(str::to_owned);
        let pods = self.objects.iter().filter(is_pod);
        pods.map(|object| (object.name().to_owned(), hash(object).unwrap_or_default())).collect()
    }

    /// Returns the numbers of the revisions by name.
    pub fn revision_numbers(&self) -> Vec<(String, i64)> {
        let mut numbers: Vec<_> = self
            .revisions
            .iter()
            .map(|revision| (revision.name().to_owned(), revision.0["revision"].as_i64().expect("a number")))
            .collect();
        numbers.sort();
        numbers
    }

    /// A revision of the template as it is, with a hash of its own: the image.
    fn new_revision(&self) -> Object {
        let hash = self.daemon_set.0["spec"]["template"]["spec"]["containers"][0]["image"].as_str().expect("an image");
        let hash = hash.replace(':', "-");
        let newest = self.revisions.iter().filter_map(|revision| revision.0["revision"].as_i64()).max().unwrap_or(0);
        let revision = current_revision(&self.daemon_set).set("/metadata/name", format!("agent-{hash}"));
        revision.hash(&hash).set("/revision", newest + 1)
    }

    fn write_history(&mut self, plan: &Plan) {
        self.revisions.retain(|revision| !plan.history.delete.iter().any(|name| name == revision.name()));
        for revision in &mut self.revisions {
            if let Some(new) = plan.history.renumber.as_ref().filter(|new| new.name == revision.name()) {
                revision.0["revision"] = new.to.into();
            }
        }
    }

    fn act(&mut self, create: &[Creation], delete: &[PodPlan], choose: &[Choice], hash: &str) {
        create.iter().for_each(|creation| self.create_pod(&creation.node, hash));
        delete.iter().for_each(|pod| self.delete_pod(&pod.pod));
        for choice in choose {
            let turned = choice.from.iter().cycle().skip(self.turn).take(choice.count);
            for candidate in turned.cloned().collect::<Vec<_>>() {
                match choice.action {
                    Action::Create => self.create_pod(&candidate.node, hash),
                    Action::Delete => self.delete_pod(candidate.pod.as_deref().expect("a deletion names its pod")),
                }
            }
        }
    }

    fn create_pod(&mut self, node: &str, hash: &str) {
        self.made += 1;
        let made = pod(&format!("made-{:03}", self.made)).created(-self.elapsed).hash(hash).pinned_to(node);
        self.objects.push(made);
    }

    fn delete_pod(&mut self, name: &str) {
        let due = -self.elapsed - 30;
        self.change(name, |pod| pod.deleting(due));
    }
}

fn target(pod: &Object) -> String {
    let [bound, pinned] = ["/spec/nodeName", PIN].map(|pointer| pod.0.pointer(pointer).and_then(Value::as_str));
    bound.or(pinned).unwrap_or_default().to_owned()
}
