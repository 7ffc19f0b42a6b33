//! A played cluster: keeps what is written, and plays controller, scheduler and kubelet as far as a rollout needs them.
//!
//! Time passes with what is asked: the clock goes on with each read, and the played parts act once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};
use kubectl_daemonset::api::DaemonSet;
use kubectl_daemonset::apply::pod_for_node;
use kubectl_daemonset::plan::{Action, Choice, Creation, Outcome, Plan, PodPlan, When};
use kubectl_daemonset::reconcile::reconcile;
use serde_json::{Value, json};

use super::server::{Asked, Cluster, Reply, Server};
use super::tls::stuck_with_tls;
use crate::support::snapshot_of_list;

/// How the controller behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Controller {
    Acts,
    Sleeps,
    /// Sleeps until a set's metadata changes.
    WakesWhenNudged,
}

/// How the world behaves.
#[derive(Clone, Debug)]
pub struct Rules {
    pub controller: Controller,
    /// Reads of the pods after which a new pod is ready.
    pub ready_after: u32,
    /// Reads of the pods after which a deleted pod is gone; 0 for at once.
    pub gone_after: u32,
    /// Nodes that cannot pull the image of a new pod.
    pub broken_nodes: BTreeSet<&'static str>,
    /// Rights that are denied, such as `delete pods`.
    pub denied: BTreeSet<&'static str>,
    pub is_review_forbidden: bool,
    /// Nodes that may be unavailable after the deletion of an available pod.
    pub budget: usize,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            controller: Controller::Acts,
            ready_after: 1,
            gone_after: 0,
            broken_nodes: BTreeSet::new(),
            denied: BTreeSet::new(),
            is_review_forbidden: false,
            budget: 1,
        }
    }
}

/// The state, and what became of it.
pub struct World {
    pub rules: Rules,
    cluster: Cluster,
    now: Timestamp,
    version: u64,
    num_made: u32,
    /// Reads of the pods since each new pod was made, by uid.
    ages: BTreeMap<String, u32>,
    /// Reads of the pods since each terminating pod was deleted, by uid.
    leaving: BTreeMap<String, u32>,
    /// Uids of the pods whose deletion was accepted.
    deleted: BTreeSet<String>,
    /// What was written by clients, one line each.
    pub writes: Vec<String>,
    /// What no client may do, but one did.
    pub wrongs: Vec<String>,
}

/// A world that a server and a test share.
#[derive(Clone)]
pub struct Shared(Arc<Mutex<World>>);

impl Shared {
    pub fn lock(&self) -> MutexGuard<'_, World> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Serves the world.
    pub fn serve(&self) -> Server {
        self.serve_with(|_, _| None)
    }

    /// Serves the world, except for what is answered instead of it.
    pub fn serve_with(&self, fault: impl Fn(&Asked, &mut World) -> Option<Reply> + Send + Sync + 'static) -> Server {
        let cluster = self.lock().without_objects();
        Server::start(cluster, self.answers(fault))
    }

    /// Serves the world over TLS, as clients want it who have something to keep secret.
    pub fn serve_with_tls(
        &self,
        fault: impl Fn(&Asked, &mut World) -> Option<Reply> + Send + Sync + 'static,
    ) -> Server {
        stuck_with_tls(self.answers(fault))
    }

    fn answers(
        &self,
        fault: impl Fn(&Asked, &mut World) -> Option<Reply> + Send + Sync + 'static,
    ) -> impl Fn(&Asked, usize) -> Option<Reply> + Send + Sync + 'static {
        let world = self.clone();
        move |asked, _| {
            let mut world = world.lock();
            world.tick(asked);
            let reply = fault(asked, &mut world).unwrap_or_else(|| world.answer(asked));
            Some(reply.with("Date", &world.now.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()))
        }
    }
}

impl World {
    /// Makes a world of a dump below `tests/clusters`.
    pub fn of_dump(name: &str, rules: Rules) -> Shared {
        Self::of(Cluster::read(name), rules)
    }

    /// Makes a world of one set, `agent` in namespace `ops`, with an old pod on each of these nodes.
    pub fn small(strategy: &Value, nodes: &[&str], rules: Rules) -> Shared {
        let old_pods = nodes.iter().map(|node| old_pod(node));
        let objects = nodes.iter().map(|name| node(name)).chain(set_and_revisions(strategy)).chain(old_pods).collect();
        let world = Self::of(Cluster { objects, now: NOW.to_owned(), version: "v1.37.2" }, rules);
        world.lock().report("agent");
        world
    }

    /// Makes a world of this state.
    pub fn of(cluster: Cluster, rules: Rules) -> Shared {
        let now = cluster.now.parse().expect("a time");
        Shared(Arc::new(Mutex::new(Self {
            rules,
            cluster,
            now,
            version: 1000,
            num_made: 0,
            ages: BTreeMap::new(),
            leaving: BTreeMap::new(),
            deleted: BTreeSet::new(),
            writes: Vec::new(),
            wrongs: Vec::new(),
        })))
    }

    fn without_objects(&self) -> Cluster {
        Cluster { objects: Vec::new(), now: self.cluster.now.clone(), version: self.cluster.version }
    }

    /// Returns the objects.
    pub fn objects(&mut self) -> &mut Vec<Value> {
        &mut self.cluster.objects
    }

    /// Returns the one object of this kind and name.
    pub fn object(&mut self, kind: &str, name: &str) -> &mut Value {
        let is_it = |object: &&mut Value| object["kind"] == kind && object["metadata"]["name"] == name;
        self.cluster.objects.iter_mut().find(is_it).unwrap_or_else(|| panic!("no {kind} {name}"))
    }

    /// Takes an object away.
    pub fn remove(&mut self, kind: &str, name: &str) {
        self.cluster.objects.retain(|object| object["kind"] != kind || object["metadata"]["name"] != name);
    }

    /// Returns the pods of a set, each as `node hash state`, sorted.
    pub fn pods_of(&self, set: &str) -> Vec<String> {
        let is_its = |object: &&Value| object["kind"] == "Pod" && owner(object) == set;
        let mut pods: Vec<_> = self.cluster.objects.iter().filter(is_its).map(words).collect();
        pods.sort();
        pods
    }

    /// Returns the names of the pods of a set, sorted.
    pub fn names_of(&self, set: &str) -> BTreeSet<String> {
        let is_its = |object: &&Value| object["kind"] == "Pod" && owner(object) == set;
        self.cluster.objects.iter().filter(is_its).map(|pod| text(&pod["metadata"]["name"])).collect()
    }

    /// Returns the plan for a set as the world stands.
    pub fn plan_of(&self, set: &str) -> Plan {
        let snapshot = snapshot_of_list(&json!({ "items": self.cluster.objects }), &self.now.to_string());
        let daemon_set = snapshot.daemon_sets.iter().find(|other| other.name() == set).expect("the set is there");
        reconcile(&snapshot, [daemon_set]).next().expect("a set has a plan")
    }

    pub fn answer(&mut self, asked: &Asked) -> Reply {
        let path = asked.path.trim_start_matches('/').to_owned();
        match (asked.method.as_str(), &path.split('/').collect::<Vec<_>>()[..]) {
            ("GET", ["api", "v1", "namespaces", _, "pods"]) if asked.parameter("continue").is_none() => {
                self.pass();
                self.cluster.answer(asked)
            }
            ("GET", _) => self.cluster.answer(asked),
            ("POST", ["api", "v1", "namespaces", _, "pods"]) => self.create(asked),
            ("DELETE", ["api", "v1", "namespaces", _, "pods", name]) => self.delete(&body(asked), name, "delete"),
            ("POST", ["api", "v1", "namespaces", _, "pods", name, "eviction"]) => self.evict(asked, name),
            ("PATCH", ["apis", "apps", "v1", "namespaces", _, "daemonsets", name]) => self.patch(asked, name),
            ("POST", ["apis", "authorization.k8s.io", "v1", "selfsubjectaccessreviews"]) => self.review(asked),
            _ => Reply::status(
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource",
            ),
        }
    }

    fn review(&self, asked: &Asked) -> Reply {
        if self.rules.is_review_forbidden {
            let message = "selfsubjectaccessreviews.authorization.k8s.io is forbidden: User \"jane\" cannot create \
                           resource \"selfsubjectaccessreviews\" in API group \"authorization.k8s.io\" at the cluster scope";
            return Reply::status(403, "Forbidden", message);
        }
        let attributes = body(asked)["spec"]["resourceAttributes"].clone();
        let right = format!("{} {}", text(&attributes["verb"]), text(&attributes["resource"]));
        let is_allowed = !self.rules.denied.contains(right.as_str());
        created(&json!({ "kind": "SelfSubjectAccessReview", "status": { "allowed": is_allowed } }))
    }

    fn create(&mut self, asked: &Asked) -> Reply {
        let mut pod = body(asked);
        if is_dry_run(asked) {
            self.writes.push(format!("dry run: create on {}", target(&pod)));
            pod["metadata"]["name"] = (text(&pod["metadata"]["generateName"]) + "dry").into();
            return created(&pod);
        }
        let node = target(&pod);
        let is_double = self
            .pods_of(&owner(&pod))
            .iter()
            .any(|other| other.starts_with(&format!("{node} {} ", hash(&pod))) && !other.ends_with("leaving"));
        if is_double {
            self.wrongs.push(format!("second pod of one revision on {node}"));
        }
        self.writes.push(format!("create on {node}"));
        created(&self.make(pod))
    }

    /// Makes a pod, which is bound at once.
    fn make(&mut self, mut pod: Value) -> Value {
        self.num_made += 1;
        let (name, uid) = (format!("{}{:05}", text(&pod["metadata"]["generateName"]), self.num_made), self.num_made);
        pod["metadata"]["name"] = name.into();
        pod["metadata"]["uid"] = format!("made-{uid}").into();
        pod["metadata"]["creationTimestamp"] = self.now.to_string().into();
        pod["metadata"]["resourceVersion"] = self.next_version();
        pod["spec"]["nodeName"] = target(&pod).into();
        pod["status"] = json!({ "phase": "Pending" });
        self.ages.insert(format!("made-{uid}"), 0);
        self.cluster.objects.push(pod.clone());
        pod
    }

    fn next_version(&mut self) -> Value {
        self.version += 1;
        self.version.to_string().into()
    }

    fn delete(&mut self, options: &Value, name: &str, verb: &str) -> Reply {
        let is_it = |object: &&mut Value| object["kind"] == "Pod" && object["metadata"]["name"] == name;
        let uid = text(&options["preconditions"]["uid"]);
        if self.deleted.contains(&uid) {
            self.wrongs.push(format!("second deletion of {name}"));
        }
        let Some(pod) = self.cluster.objects.iter_mut().find(is_it) else {
            return Reply::status(404, "NotFound", &format!("pods {name:?} not found"));
        };
        if let Some(conflict) = conflict(name, &options["preconditions"], &pod["metadata"]) {
            return conflict;
        }
        let pod = pod.clone();
        if options["dryRun"] == json!(["All"]) {
            self.writes.push(format!("dry run: {verb} {name}"));
            return Reply::json(&pod);
        }
        self.writes.push(format!("{verb} {name}"));
        self.deleted.insert(uid);
        self.check_budget(&pod);
        self.terminate(&pod);
        Reply::json(&pod)
    }

    /// Answers as the eviction subresource does where no budget has a say.
    fn evict(&mut self, asked: &Asked, name: &str) -> Reply {
        let eviction = body(asked);
        if eviction["kind"] != "Eviction" || eviction["metadata"]["name"] != name {
            return Reply::status(400, "BadRequest", "name in URL does not match name in Eviction object");
        }
        match self.delete(&eviction["deleteOptions"], name, "evict") {
            done if done.code == 200 => created(&json!({ "kind": "Status", "apiVersion": "v1", "status": "Success" })),
            refused => refused,
        }
    }

    /// Notes a deletion that leaves more nodes without an available pod than may be.
    fn check_budget(&mut self, pod: &Value) {
        let is_without = |plan: &Plan| -> BTreeSet<String> {
            let wanted = plan.nodes.iter().filter(|node| node.should_run);
            let without = wanted.filter(|node| !node.pods.iter().any(|pod| pod.available && !pod.deleting));
            without.map(|node| node.name.clone()).collect()
        };
        let set = owner(pod);
        let before = is_without(&self.plan_of(&set));
        let mut after = before.clone();
        let left: Vec<_> = self.pods_of(&set).into_iter().filter(|other| *other != words(pod)).collect();
        let node = target(pod);
        if !left.iter().any(|other| other.starts_with(&format!("{node} ")) && other.ends_with(" ready")) {
            after.insert(node);
        }
        if after.len() > before.len() && after.len() > self.rules.budget {
            self.wrongs.push(format!("{} nodes are without an available pod: {after:?}", after.len()));
        }
    }

    fn terminate(&mut self, pod: &Value) {
        let uid = text(&pod["metadata"]["uid"]);
        let name = text(&pod["metadata"]["name"]);
        if self.rules.gone_after == 0 {
            return self.remove("Pod", &name);
        }
        let (version, due) = (self.next_version(), self.now + SignedDuration::from_secs(30));
        let pod = self.object("Pod", &name);
        pod["metadata"]["deletionTimestamp"] = due.to_string().into();
        pod["metadata"]["deletionGracePeriodSeconds"] = 30.into();
        pod["metadata"]["resourceVersion"] = version;
        self.leaving.insert(uid, 0);
    }

    fn patch(&mut self, asked: &Asked, name: &str) -> Reply {
        if is_dry_run(asked) {
            self.writes.push(format!("dry run: patch {name}"));
            return Reply::json(&json!({}));
        }
        self.writes.push(format!("patch {name}"));
        let (patch, version) = (body(asked), self.next_version());
        let keys: Vec<_> = patch.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["metadata"], "a nudge changes metadata only");
        let set = self.object("DaemonSet", name);
        for (key, value) in patch["metadata"]["annotations"].as_object().expect("annotations") {
            set["metadata"]["annotations"][key] = value.clone();
        }
        set["metadata"]["resourceVersion"] = version;
        if self.rules.controller == Controller::WakesWhenNudged {
            self.rules.controller = Controller::Acts;
        }
        Reply::json(self.object("DaemonSet", name))
    }

    /// Each read begins with the sets: then the clock goes on, so that all lists of a read are of one time.
    fn tick(&mut self, asked: &Asked) {
        if asked.method == "GET" && asked.path.ends_with("/daemonsets") {
            self.now += STEP;
        }
    }

    /// Lets the played parts act once.
    fn pass(&mut self) {
        self.run_kubelets();
        if self.rules.controller == Controller::Acts {
            let sets = self.cluster.objects.iter().filter(|object| object["kind"] == "DaemonSet");
            let sets: Vec<Value> = sets.cloned().collect();
            sets.iter().for_each(|set| self.control(set));
        }
    }

    fn run_kubelets(&mut self) {
        let leaving: Vec<String> = self.leaving.keys().cloned().collect();
        self.leaving.values_mut().for_each(|reads| *reads += 1);
        for uid in leaving.iter().filter(|uid| self.leaving[*uid] >= self.rules.gone_after) {
            self.cluster.objects.retain(|object| object["metadata"]["uid"] != **uid);
        }
        self.ages.values_mut().for_each(|reads| *reads += 1);
        for i in 0..self.cluster.objects.len() {
            let pod = &self.cluster.objects[i];
            let age = self.ages.get(pod["metadata"]["uid"].as_str().unwrap_or_default()).copied();
            let is_broken = self.rules.broken_nodes.contains(target(pod).as_str());
            let status = match age {
                Some(1) if is_broken => no_image(),
                Some(age) if age == self.rules.ready_after && !is_broken => ready(self.now),
                _ => continue,
            };
            let version = self.next_version();
            let pod = &mut self.cluster.objects[i];
            pod["status"] = status;
            pod["metadata"]["resourceVersion"] = version;
        }
    }

    /// Does what the controller does in one sync of a set.
    fn control(&mut self, set: &Value) {
        let name = text(&set["metadata"]["name"]);
        let plan = self.plan_of(&name);
        if plan.outcome == Outcome::Reconciled {
            let (manage, rollout) = (&plan.manage, &plan.rollout);
            self.write(set, &plan, chosen(&manage.create, &manage.delete, &manage.choose));
            if rollout.when == When::Now && manage.is_empty() {
                self.write(set, &plan, chosen(&rollout.create, &rollout.delete, &rollout.choose));
            }
        }
        self.report(&name);
    }

    /// Writes the status of a set.
    fn report(&mut self, name: &str) {
        let status = json!(self.plan_of(name).status);
        let set = self.object("DaemonSet", name);
        for (key, value) in status.as_object().expect("numbers") {
            set["status"][key] = value.clone();
        }
        set["status"]["observedGeneration"] = set["metadata"]["generation"].clone();
    }

    /// Makes pods for nodes, and deletes pods.
    fn write(&mut self, set: &Value, plan: &Plan, (nodes, pods): (Vec<String>, Vec<String>)) {
        let daemon_set: DaemonSet = serde_json::from_value(set.clone()).expect("a set decodes");
        let hash = plan.revision.as_ref().map_or("", |revision| &revision.hash);
        for node in nodes {
            self.make(pod_for_node(&daemon_set, hash, &node));
        }
        for pod in pods {
            let pod = self.object("Pod", &pod).clone();
            self.terminate(&pod);
        }
    }
}

/// Returns the nodes to make pods for, and the pods to delete; of what is open the first.
fn chosen(create: &[Creation], delete: &[PodPlan], choose: &[Choice]) -> (Vec<String>, Vec<String>) {
    let mut nodes: Vec<String> = create.iter().map(|creation| creation.node.clone()).collect();
    let mut pods: Vec<String> = delete.iter().map(|pod| pod.pod.clone()).collect();
    for choice in choose {
        for candidate in choice.from.iter().take(choice.count) {
            match choice.action {
                Action::Create => nodes.push(candidate.node.clone()),
                Action::Delete => pods.extend(candidate.pod.clone()),
            }
        }
    }
    (nodes, pods)
}

/// How much time passes between two reads.
const STEP: SignedDuration = SignedDuration::from_secs(5);
const NOW: &str = "2026-11-29T12:00:00Z";

fn ready(now: Timestamp) -> Value {
    json!({ "phase": "Running", "conditions": [
        { "type": "Ready", "status": "True", "lastTransitionTime": now.to_string() }
    ] })
}

fn no_image() -> Value {
    let waiting =
        json!({ "waiting": { "reason": "ImagePullBackOff", "message": "Back-off pulling image \"agent:2\"" } });
    json!({ "phase": "Pending",
        "conditions": [{ "type": "Ready", "status": "False", "lastTransitionTime": NOW }],
        "containerStatuses": [{ "name": "agent", "image": "agent:2", "ready": false, "state": waiting }] })
}

/// Returns a ready node.
pub fn node(name: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Node",
        "metadata": { "name": name, "labels": { "kubernetes.io/hostname": name }, "creationTimestamp": "2026-11-19T12:00:00Z" },
        "spec": {},
        "status": { "conditions": [{ "type": "Ready", "status": "True", "lastTransitionTime": "2026-11-19T12:00:00Z" }] },
    })
}

/// Returns an available old pod of the set `agent`.
pub fn old_pod(node: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {
            "name": format!("agent-{node}"), "namespace": "ops", "uid": format!("uid-{node}"), "resourceVersion": "1",
            "creationTimestamp": "2026-11-28T12:00:00Z",
            "labels": { "app": "agent", "controller-revision-hash": "old" },
            "ownerReferences": [{ "apiVersion": "apps/v1", "kind": "DaemonSet", "name": "agent", "uid": "uid-agent",
                "controller": true, "blockOwnerDeletion": true }],
        },
        "spec": { "nodeName": node, "containers": [{ "name": "agent", "image": "agent:1" }] },
        "status": { "phase": "Running", "conditions": [
            { "type": "Ready", "status": "True", "lastTransitionTime": "2026-11-28T12:00:00Z" }
        ] },
    })
}

fn set_and_revisions(strategy: &Value) -> [Value; 3] {
    let template = |image: &str| {
        json!({ "metadata": { "labels": { "app": "agent" } },
            "spec": { "containers": [{ "name": "agent", "image": image }] } })
    };
    let revision = |hash: &str, number: i64, image: &str| {
        let mut template = template(image);
        template["$patch"] = "replace".into();
        json!({
            "apiVersion": "apps/v1", "kind": "ControllerRevision",
            "metadata": {
                "name": format!("agent-{hash}"), "namespace": "ops", "creationTimestamp": "2026-11-28T12:00:00Z",
                "labels": { "app": "agent", "controller-revision-hash": hash },
                "ownerReferences": [{ "apiVersion": "apps/v1", "kind": "DaemonSet", "name": "agent",
                    "uid": "uid-agent", "controller": true }],
            },
            "data": { "spec": { "template": template } }, "revision": number,
        })
    };
    let set = json!({
        "apiVersion": "apps/v1", "kind": "DaemonSet",
        "metadata": { "name": "agent", "namespace": "ops", "uid": "uid-agent", "generation": 4, "resourceVersion": "1",
            "creationTimestamp": "2026-11-19T12:00:00Z", "annotations": {} },
        "spec": { "selector": { "matchLabels": { "app": "agent" } }, "template": template("agent:2"),
            "updateStrategy": strategy, "revisionHistoryLimit": 10 },
        "status": { "observedGeneration": 4 },
    });
    [set, revision("old", 1, "agent:1"), revision("new", 2, "agent:2")]
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn body(asked: &Asked) -> Value {
    serde_json::from_str(&asked.body).unwrap_or_else(|error| panic!("{} {}: {error}", asked.method, asked.path))
}

fn created(object: &Value) -> Reply {
    Reply { code: 201, ..Reply::json(object) }
}

fn is_dry_run(asked: &Asked) -> bool {
    asked.parameter("dryRun") == Some("All")
}

fn owner(object: &Value) -> String {
    text(&object["metadata"]["ownerReferences"][0]["name"])
}

fn hash(pod: &Value) -> String {
    text(&pod["metadata"]["labels"]["controller-revision-hash"])
}

/// Returns the node that a pod is bound or pinned to.
fn target(pod: &Value) -> String {
    let pin = "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchFields/0/values/0";
    let bound = pod["spec"]["nodeName"].as_str();
    bound.or_else(|| pod.pointer(pin).and_then(Value::as_str)).unwrap_or_default().to_owned()
}

fn words(pod: &Value) -> String {
    let is_ready = pod["status"]["conditions"]
        .as_array()
        .into_iter()
        .flatten()
        .any(|condition| condition["type"] == "Ready" && condition["status"] == "True");
    let state = match (pod["metadata"]["deletionTimestamp"].is_null(), is_ready) {
        (false, _) => "leaving",
        (true, true) => "ready",
        (true, false) => "not-ready",
    };
    format!("{} {} {state}", target(pod), hash(pod))
}

/// Words it as an API server does if the object is no longer the one that is meant.
fn conflict(name: &str, preconditions: &Value, metadata: &Value) -> Option<Reply> {
    let differs = |field: &str| !preconditions[field].is_null() && preconditions[field] != metadata[field];
    let (title, field, end) = match (differs("uid"), differs("resourceVersion")) {
        (true, _) => ("UID", "uid", "deleted and then recreated"),
        (false, true) => ("ResourceVersion", "resourceVersion", "modified"),
        (false, false) => return None,
    };
    let (wanted, found) = (text(&preconditions[field]), text(&metadata[field]));
    let message = format!(
        "Operation cannot be fulfilled on pods {name:?}: the {title} in the precondition ({wanted}) does not match the \
         {title} in record ({found}). The object might have been {end}"
    );
    Some(Reply::status(409, "Conflict", &message))
}
