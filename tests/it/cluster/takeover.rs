//! `sync` and the controller: what it does where the controller does not act, and that it leaves the rest to it.

use std::collections::BTreeSet;
use std::thread;

use serde_json::{Value, json};

use super::process::{Cluster, Options, eventually};
use super::scene::{Scene, assert_code, node_of, num_deleted};

trials![sync_leaves_to_the_controller_what_is_its, where_the_controller_is_off_sync_does_what_it_would];

const MANAGER: &str = "kube-controller-manager";
/// Given to runs that are to take over.
const SOON: &str = "--controller-wait 1s";

fn sync_leaves_to_the_controller_what_is_its() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = Scene::new(cluster, "follow", 4);
    scene.bring_up(&scene.daemon_set("RollingUpdate"));
    let before = scene.uids();
    scene.change_image("agent:2-slow2");
    let ended = scene.sync("--controller-wait 60s");
    assert_code(&ended, 0);
    let told = "daemonset.apps/agent in sync: every wanted node has an available pod of the current revision\n";
    assert_eq!(ended.stdout, told, "nothing was written; stderr:\n{}", ended.stderr);
    assert_eq!(scene.images(), scene.all_have("agent:2-slow2"));
    assert!(scene.uids().is_disjoint(&before));
    assert_eq!(num_made_by_sync(&scene), 0);
    let set = scene.kubectl("get ds/agent -o json --show-managed-fields");
    assert!(!set.contains("kubectl-daemonset"), "{set}");
}

fn where_the_controller_is_off_sync_does_what_it_would() {
    let Some(cluster) = Cluster::start(&Options { nodes: 0, ..Options::default() }) else { return };
    let stage = Stage::new(&cluster);
    stage.rolling.change_image("agent:2-slow");
    stage.surge.change_image("agent:2-slow");
    stage.failing.change_image("agent:2-failed");
    stage.by_hand.set_image("agent:2");
    await_new_pod(&stage.failing, "agent:2-failed");
    for scene in [&stage.rolling, &stage.surge] {
        await_new_pod(scene, "agent:2-slow");
    }
    let without = ["daemonset-controller", "taint-eviction-controller"];
    cluster.command(&json!({ "do": "start", "part": MANAGER, "without": without }));

    let stage = alone(stage);
    let after = stage.all().map(Scene::uids);
    cluster.command(&json!({ "do": "start", "part": MANAGER }));
    the_controller_finds_nothing_to_do(&stage, &after);

    the_baton_is_passed(&stage.baton);
    the_server_may_restart(&stage.restart);
}

/// The sets of the big test.
struct Stage<'a> {
    rolling: Scene<'a>,
    surge: Scene<'a>,
    misc: Scene<'a>,
    fancy: Scene<'a>,
    baton: Scene<'a>,
    restart: Scene<'a>,
    by_hand: Scene<'a>,
    failing: Scene<'a>,
}

impl<'a> Stage<'a> {
    fn new(cluster: &'a Cluster) -> Self {
        let scene = |name: &'static str, num_nodes: usize| Scene::new(cluster, name, num_nodes);
        let stage = Self {
            rolling: scene("rolling", 6),
            surge: scene("surge", 5),
            misc: scene("misc", 6),
            fancy: scene("fancy", 1),
            baton: scene("baton", 7),
            restart: scene("restart", 4),
            by_hand: scene("by-hand", 3),
            failing: scene("failing", 2),
        };
        let rolling = |scene: &Scene<'_>, limits: Value| {
            let mut set = scene.daemon_set("RollingUpdate");
            set["spec"]["updateStrategy"]["rollingUpdate"] = limits;
            set
        };
        cluster.apply(&rolling(&stage.rolling, json!({ "maxUnavailable": 2 })));
        cluster.apply(&rolling(&stage.surge, json!({ "maxUnavailable": 0, "maxSurge": 2 })));
        cluster.apply(&rolling(&stage.misc, json!({})));
        cluster.apply(&rolling(&stage.baton, json!({})));
        cluster.apply(&stage.restart.daemon_set("OnDelete"));
        cluster.apply(&stage.by_hand.daemon_set("OnDelete"));
        stage.failing.bring_up(&rolling(&stage.failing, json!({})));
        cluster.apply(&fancy(&stage.fancy));
        stage.all().into_iter().for_each(Scene::await_available);
        stage
    }

    /// Returns those that get into sync.
    fn all(&self) -> [&Scene<'a>; 7] {
        [&self.rolling, &self.surge, &self.misc, &self.fancy, &self.baton, &self.restart, &self.by_hand]
    }
}

/// Returns a set whose template has much that a pod takes over or that is changed on the way.
fn fancy(scene: &Scene<'_>) -> Value {
    let mut set = scene.daemon_set("RollingUpdate");
    let template = &mut set["spec"]["template"];
    template["metadata"]["labels"]["extra"] = "label".into();
    template["metadata"]["annotations"] = json!({ "example.com/note": "kept", "example.com/empty": "" });
    template["metadata"]["finalizers"] = json!(["example.com/finalizer"]);
    let spec = &mut template["spec"];
    spec["hostNetwork"] = true.into();
    spec["priority"] = 0.into();
    spec["tolerations"] = json!([
        { "key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 30 },
        { "key": "dedicated", "value": "agents", "effect": "NoSchedule" },
        { "key": "dedicated", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 60 },
    ]);
    spec["affinity"] = json!({
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution":
                { "nodeSelectorTerms": [{ "matchExpressions": [{ "key": "pool", "operator": "Exists" }] }] },
            "preferredDuringSchedulingIgnoredDuringExecution": [
                { "weight": 5, "preference": { "matchExpressions": [{ "key": "zone", "operator": "In", "values": ["a"] }] } },
            ],
        },
        "podAntiAffinity": { "preferredDuringSchedulingIgnoredDuringExecution": [
            { "weight": 1, "podAffinityTerm": { "topologyKey": "kubernetes.io/hostname",
                "labelSelector": { "matchLabels": { "app": "other" } } } },
        ] },
    });
    spec["volumes"] = json!([{ "name": "logs", "hostPath": { "path": "/var/log" } }]);
    let container = &mut spec["containers"][0];
    container["volumeMounts"] = json!([{ "name": "logs", "mountPath": "/var/log", "readOnly": true }]);
    container["env"] = json!([{ "name": "NODE", "valueFrom": { "fieldRef": { "fieldPath": "spec.nodeName" } } }]);
    container["ports"] = json!([{ "containerPort": 9100, "name": "metrics" }]);
    container["resources"] = json!({ "requests": { "cpu": "100m" }, "limits": { "memory": "64Mi" } });
    set
}

/// Waits until a rollout is under way.
fn await_new_pod(scene: &Scene<'_>, image: &str) {
    let is_new = |images: &Vec<String>| images.iter().any(|one| one == image);
    assert!(eventually(|| scene.images().values().any(is_new)), "no pod has {image}");
}

/// With the controller off, `sync` brings all sets to where they are to be.
fn alone(mut stage: Stage<'_>) -> Stage<'_> {
    let old = |scene: &Scene<'_>| scene.images().values().flatten().filter(|image| *image == "agent:1").count();
    assert!(old(&stage.rolling) > 0 && old(&stage.surge) > 0, "the rollouts were over too early");
    let by_controller = stage.fancy.pods().remove(0);
    stage.fancy.add_nodes(1);
    let expected = disturb(&mut stage.misc);
    let refused = stage.misc.sync_as("reader", &format!("--yes {SOON}"));
    assert_code(&refused, 1);
    let told =
        "error: you may not delete pods, create pods, patch daemonsets in namespace \"misc\", which sync needs\n";
    assert!(refused.stderr.contains(told), "{}", refused.stderr);

    thread::scope(|scope| {
        scope.spawn(|| assert_code(&stage.rolling.sync(SOON), 0));
        scope.spawn(|| assert_code(&stage.surge.sync(SOON), 0));
        scope.spawn(|| assert_code(&stage.misc.sync(SOON), 0));
        scope.spawn(|| assert_code(&stage.fancy.sync(SOON), 0));
        scope.spawn(|| assert_code(&stage.by_hand.sync(SOON), 0));
        scope.spawn(|| a_failed_pod_is_replaced_once(&stage.failing));
    });
    assert_eq!((stage.by_hand.images(), num_made_by_sync(&stage.by_hand)), (stage.by_hand.all_have("agent:2"), 3));
    for scene in [&stage.rolling, &stage.surge] {
        assert_eq!(scene.images(), scene.all_have("agent:2-slow"));
        assert!(num_made_by_sync(scene) > 0);
    }
    // What was bound to a node that is gone is for the pod garbage collector alone.
    let on_gone_node = format!("--field-selector spec.nodeName={}", stage.misc.nodes[5]);
    stage.misc.kubectl(&format!("delete pod {on_gone_node} --force --grace-period=0"));
    let have: Vec<String> = stage.misc.pods().iter().map(node_of).collect();
    assert_eq!((have.len(), BTreeSet::from_iter(have)), (expected.len(), expected));

    let pods = stage.fancy.pods();
    let by_sync = pods.iter().find(|pod| node_of(pod) == stage.fancy.nodes[1]).expect("sync made it");
    assert_eq!(shape_of(by_sync), shape_of(&by_controller));
    assert_eq!(num_made_by_sync(&stage.fancy), 1);

    // A template that the controller has not recorded is not for sync.
    stage.restart.change_image("agent:2");
    let refused = stage.restart.sync(SOON);
    assert_code(&refused, 13);
    assert_eq!(num_deleted(&refused), 0);
    assert!(refused.stderr.contains("the controller has not recorded the newest template"), "{}", refused.stderr);
    assert_eq!(stage.restart.images(), stage.restart.all_have("agent:1"));
    stage
}

/// What fails again is not replaced a second time.
fn a_failed_pod_is_replaced_once(scene: &Scene<'_>) {
    let ended = scene.sync(SOON);
    assert_code(&ended, 11);
    assert!(ended.stderr.contains(" has failed, like the one before it"), "{}", ended.stderr);
    assert_eq!(num_deleted(&ended), 1, "{}", ended.stdout);
}

/// Changes nodes and pods in all ways that the controller answers; returns the nodes that are to have one pod each then.
fn disturb(misc: &mut Scene<'_>) -> BTreeSet<String> {
    let nodes = misc.nodes.clone();
    misc.cluster.kubectl(&format!("taint node {} dedicated=other:NoExecute", nodes[0]));
    misc.cluster.kubectl(&format!("taint node {} dedicated=other:NoSchedule", nodes[1]));
    misc.cluster.kubectl(&format!("label node {} pool=elsewhere --overwrite", nodes[2]));
    let pod = misc.pod_on(3);
    misc.kubectl(&format!(r#"patch pod {pod} --subresource=status -p {{"status":{{"phase":"Failed"}}}}"#));
    let pods = misc.pods();
    let on = |i: usize| pods.iter().find(|pod| node_of(pod) == nodes[i]).expect("the node has a pod");
    misc.cluster.apply(&named("twin", on(4)));
    misc.kubectl("wait pod/twin --for=condition=Ready --timeout=3m");
    misc.cluster.command(&json!({ "do": "remove-nodes", "names": [nodes[5]] }));
    let mut lost = named("lost", on(5));
    lost["spec"]["nodeName"] = Value::Null;
    misc.cluster.apply(&lost);
    misc.add_nodes(2);
    [1, 3, 4, 6, 7].map(|i| misc.nodes[i].clone()).into()
}

/// Returns a pod like another one of its set.
fn named(name: &str, pod: &Value) -> Value {
    let metadata = &pod["metadata"];
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "namespace": metadata["namespace"], "name": name,
            "labels": metadata["labels"], "ownerReferences": metadata["ownerReferences"],
        },
        "spec": pod["spec"],
    })
}

/// Returns what a pod was made with, with its node named `NODE`.
fn shape_of(pod: &Value) -> Value {
    let mut spec = pod["spec"].clone();
    spec.as_object_mut().expect("a spec has fields").remove("nodeName");
    let term = "/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchFields/0/values/0";
    let pinned = spec.pointer_mut(term).expect("the pod is pinned");
    assert_eq!(*pinned, pod["spec"]["nodeName"]);
    *pinned = "NODE".into();
    let mut metadata = pod["metadata"].clone();
    // The server copies it from the node when the pod is bound.
    metadata["labels"].as_object_mut().expect("a pod has labels").remove("topology.kubernetes.io/zone");
    let fields = ["generateName", "namespace", "labels", "annotations", "finalizers", "ownerReferences"];
    json!({ "metadata": fields.map(|field| (field, metadata[field].clone())), "spec": spec })
}

/// Returns how many pods `sync` has made or changed.
fn num_made_by_sync(scene: &Scene<'_>) -> usize {
    let text = scene.kubectl("get pods -o json --show-managed-fields");
    text.matches("\"manager\": \"kubectl-daemonset\"").count()
}

/// The controller, on again, reports that all is done, and leaves all pods alone.
fn the_controller_finds_nothing_to_do(stage: &Stage<'_>, uids: &[BTreeSet<String>; 7]) {
    let await_status = |scene: &Scene<'_>, field: &str, value: usize| {
        scene.kubectl(&format!("wait ds/agent --for=jsonpath={{.status.{field}}}={value} --timeout=3m"));
    };
    await_status(&stage.rolling, "updatedNumberScheduled", 6);
    await_status(&stage.surge, "updatedNumberScheduled", 5);
    await_status(&stage.fancy, "desiredNumberScheduled", 2);
    await_status(&stage.misc, "desiredNumberScheduled", 4);
    await_status(&stage.restart, "observedGeneration", 2);
    await_status(&stage.by_hand, "updatedNumberScheduled", 3);
    assert_eq!(&stage.all().map(Scene::uids), uids);
}

/// Stopped in the middle of a rollout, the controller is stood in for; started again, it is left to it.
fn the_baton_is_passed(scene: &Scene<'_>) {
    scene.change_image("agent:2-slow");
    await_new_pod(scene, "agent:2-slow");
    scene.cluster.command(&json!({ "do": "stop", "part": MANAGER }));
    let mut sync = scene.start_sync("--controller-wait 2s");
    sync.await_stdout("daemonset.apps/agent annotated, so that the controller looks at it\n");
    sync.await_stdout(" created on ");
    scene.cluster.command(&json!({ "do": "start", "part": MANAGER }));
    let ended = sync.end();
    assert_code(&ended, 0);
    assert_eq!(scene.images(), scene.all_have("agent:2-slow"));
    let num_created = ended.stdout.lines().filter(|line| line.contains(" created on ")).count();
    assert!((1..5).contains(&num_created), "{}", ended.stdout);
    assert_eq!(num_made_by_sync(scene), num_created, "it tells what it made:\n{}", ended.stdout);
}

/// A run outlasts a restart of the API server.
fn the_server_may_restart(scene: &Scene<'_>) {
    let mut sync = scene.start_sync("");
    sync.await_stdout(" deleted from ");
    scene.cluster.command(&json!({ "do": "stop", "part": "kube-apiserver" }));
    sync.await_stderr("Warning: cannot read the cluster, trying again: ");
    scene.cluster.command(&json!({ "do": "start", "part": "kube-apiserver" }));
    let ended = sync.end();
    assert_code(&ended, 0);
    assert_eq!(num_deleted(&ended), 4, "{}", ended.stdout);
    assert_eq!(scene.images(), scene.all_have("agent:2"));
}
