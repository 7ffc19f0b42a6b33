//! OnDelete rollouts that are cut up, on the real cluster: canary, zones, soaks, pauses, gates, evictions.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde_json::{Value, json};

use super::process::{Cluster, eventually};
use super::recorder::Recorder;
use super::scene::{Scene, ZONE, assert_code, node_of, num_deleted, string};

trials![
    a_canary_then_zone_by_zone_with_pauses_in_between,
    a_soak_is_counted_from_the_last_ready_pod,
    a_gate_is_told_what_is_updated_and_may_say_no,
    an_interrupt_ends_the_gate_too,
    cordoned_nodes_and_nodes_without_the_label_come_last,
    another_machine_goes_on_where_one_was_killed,
    a_disruption_budget_sets_the_pace_of_evictions,
    budgets_that_never_allow_end_the_run_before_it_begins,
    a_budget_that_says_no_for_too_long_ends_the_run,
    a_rolling_update_set_has_limits_of_its_own,
];

/// Returns the zone of each node of the scene.
fn zones(scene: &Scene<'_>) -> BTreeMap<String, String> {
    let nodes: Value =
        serde_json::from_str(&scene.cluster.kubectl(&format!("get nodes -l pool={} -o json", scene.name)))
            .expect("kubectl prints JSON");
    let items = nodes["items"].as_array().expect("a list has items");
    let zone = |node: &Value| node["metadata"]["labels"][ZONE].as_str().unwrap_or_default().to_owned();
    items.iter().map(|node| (string(&node["metadata"]["name"]), zone(node))).collect()
}

/// Returns the nodes with an image, each with its zone before it.
fn nodes_with(scene: &Scene<'_>, image: &str) -> Vec<String> {
    let zones = zones(scene);
    let images = scene.images();
    let with = images.into_iter().filter(|(_, images)| images[..] == [image]).map(|(node, _)| node);
    let mut nodes: Vec<String> = with.map(|node| format!("{} {node}", zones[&node])).collect();
    nodes.sort();
    nodes
}

/// Makes an OnDelete set of so many nodes in three zones, all outdated.
fn outdated<'a>(cluster: &'a Cluster, name: &'a str, num_nodes: usize) -> Scene<'a> {
    let scene = Scene::new(cluster, name, num_nodes);
    for (i, zone) in ["zone-a", "zone-b", "zone-c"].into_iter().enumerate() {
        let nodes: Vec<&str> = scene.nodes.iter().skip(i).step_by(3).map(String::as_str).collect();
        if !nodes.is_empty() {
            cluster.kubectl(&format!("label node {} {ZONE}={zone} --overwrite", nodes.join(" ")));
        }
    }
    scene.outdated_by("agent:2");
    scene
}

fn a_canary_then_zone_by_zone_with_pauses_in_between() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = outdated(cluster, "zone-pauses", 6);
    let recorder = Recorder::start(&scene, 2);
    let flags = format!("--by {ZONE} --order zone-c --canary 1 --max-unavailable 2 --pause-after group");
    let shown = scene.sync_as("admin", &format!("{flags} --dry-run"));
    let waves =
        "In 4 waves, one after the other: canary (1 node), zone-c (2 nodes), zone-a (2 nodes), zone-b (2 nodes).";
    assert!(shown.stderr.contains(waves), "{}", shown.stderr);
    assert_eq!(num_deleted(&shown), 1, "{}", shown.stdout);

    let canary = scene.sync(&flags);
    assert_code(&canary, 10);
    assert!(canary.stderr.contains("daemonset.apps/agent: canary done: 1 node\n"), "{}", canary.stderr);
    assert!(
        canary.stderr.contains("canary is done, and the rollout pauses after it (--pause-after)"),
        "{}",
        canary.stderr
    );
    let hint = format!("hint: `kubectl daemonset sync agent -n zone-pauses --yes {flags} --continue` goes on");
    assert!(canary.stderr.contains(&hint), "{}", canary.stderr);
    let updated = nodes_with(&scene, "agent:2");
    assert!(updated.len() == 1 && updated[0].starts_with("zone-c"), "{updated:?}");

    let again = scene.sync(&flags);
    assert_code(&again, 10);
    assert_eq!(num_deleted(&again), 0, "the same command does not go on: {}", again.stdout);

    for (zones, deleted) in [(&["zone-c"][..], 1), (&["zone-a", "zone-c"], 2)] {
        let ended = scene.sync(&format!("{flags} --continue"));
        assert_code(&ended, 10);
        assert_eq!(num_deleted(&ended), deleted, "{}", ended.stdout);
        let updated = nodes_with(&scene, "agent:2");
        assert!(updated.iter().all(|node| zones.iter().any(|zone| node.starts_with(zone))), "{updated:?}");
        assert_eq!(updated.len(), zones.len() * 2);
    }
    assert_code(&scene.sync(&format!("{flags} --continue")), 0);
    assert_eq!(recorder.end("agent:2").deleted.len(), 6);
}

fn a_soak_is_counted_from_the_last_ready_pod() {
    const SOAK: i64 = 6;
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = outdated(cluster, "zone-soak", 6);
    let ended = scene.sync(&format!("--by {ZONE} --soak {SOAK}s --max-unavailable 2 -o json"));
    assert_code(&ended, 0);
    let zones = zones(&scene);
    let times = |zone: &str, time: &dyn Fn(&Value) -> Timestamp| -> Vec<Timestamp> {
        scene.pods().iter().filter(|pod| zones[&node_of(pod)] == zone).map(time).collect()
    };
    let created = |pod: &Value| string(&pod["metadata"]["creationTimestamp"]).parse().expect("a time");
    let ready = |pod: &Value| {
        let conditions = pod["status"]["conditions"].as_array().expect("conditions");
        let ready = conditions.iter().find(|one| one["type"] == "Ready").expect("it is ready");
        string(&ready["lastTransitionTime"]).parse().expect("a time")
    };
    for (zone, next) in [("zone-a", "zone-b"), ("zone-b", "zone-c")] {
        let last = times(zone, &ready).into_iter().max().expect("a zone has pods");
        let first = times(next, &created).into_iter().min().expect("a zone has pods");
        assert!(first.duration_since(last).as_secs() >= SOAK, "{zone} {last}, {next} {first}");
    }
    let events: Vec<Value> = ended.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let done = events.iter().filter(|event| event["type"] == "GroupDone").map(|event| string(&event["group"]));
    assert_eq!(done.collect::<Vec<_>>(), ["zone-a", "zone-b", "zone-c"]);
    let soaking = |event: &&Value| {
        event["message"].as_str().is_some_and(|text| text.contains("zone-a is done and is watched until"))
    };
    assert!(events.iter().any(|event| soaking(&event)), "{}", ended.stdout);
    // The last zone was watched, too, and what is in sync is not.
    let last = times("zone-c", &ready).into_iter().max().expect("a zone has pods");
    let end: Timestamp = string(&events.last().expect("events")["time"]).parse().expect("a time");
    assert!(end.duration_since(last).as_secs() >= SOAK, "{last} {end}");
    assert_code(&scene.sync(&format!("--by {ZONE} --soak 60m")), 0);
}

/// Makes a script that notes what it is told, and fails where `test` says so; returns its path and that of the notes.
fn gate(scene: &Scene<'_>, test: &str) -> (PathBuf, PathBuf) {
    let path = |end: &str| {
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("gate-{}-{}{end}", scene.name, std::process::id()))
    };
    let (script, notes) = (path(".sh"), path(".txt"));
    let _ = fs::remove_file(&notes);
    let text = format!(
        "#!/bin/sh\necho \"$DAEMONSET_NAMESPACE/$DAEMONSET_NAME $DAEMONSET_GROUP:$DAEMONSET_NODES:$DAEMONSET_NEXT_NODES:$(sort | tr '\\n' ' ')\" >> {0}\n{test}\n",
        notes.display()
    );
    fs::write(&script, text).expect("the target folder takes files");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o700)).expect("it is ours");
    (script, notes)
}

fn a_gate_is_told_what_is_updated_and_may_say_no() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = outdated(cluster, "gated", 3);
    let [a, b, c] = [0, 1, 2].map(|i| scene.nodes[i].clone());
    let (script, notes) = gate(&scene, "test -z \"$DAEMONSET_NODES\" || { echo out; echo alerts >&2; exit 3; }");
    let run = |script: &Path| scene.sync(&format!("--by {ZONE} --gate {}", script.display()));
    let refused = run(&script);
    assert_code(&refused, 11);
    assert_eq!(num_deleted(&refused), 1, "none follows the first: {}", refused.stdout);
    for line in
        ["gate: out\n", "gate: alerts\n", "the gate did not open (--gate, exit status: 3); left: 2 outdated pods"]
    {
        assert!(refused.stderr.contains(line), "{line:?} in {}", refused.stderr);
    }
    let told = fs::read_to_string(&notes).expect("the gate was asked");
    assert_eq!(told, format!("gated/agent zone-b:{a}:{b}:{a} \n"));

    // The first batch of this run follows updated pods, too.
    let (script, notes) = gate(&scene, "exit 0");
    let ended = run(&script);
    assert_code(&ended, 0);
    let told = fs::read_to_string(&notes).expect("the gate was asked");
    assert_eq!(told, format!("gated/agent zone-b:{a}:{b}:{a} \ngated/agent zone-c:{a} {b}:{c}:{a} {b} \n"));
    for file in [script, notes] {
        fs::remove_file(file).expect("it is ours");
    }
}

fn an_interrupt_ends_the_gate_too() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = outdated(cluster, "gate-interrupt", 2);
    // What the gate has started ends with it.
    let (script, notes) = gate(&scene, "sleep 1000 & echo $! > $0.pid; wait");
    let flags = format!("--gate {}", script.display());
    let mut running = scene.start_sync(&flags);
    assert!(eventually(|| notes.exists() || running.has_ended()), "the gate is not asked");
    running.await_stderr("waiting for the command of --gate");
    running.signal("INT");
    let ended = running.end();
    assert_code(&ended, 130);
    assert_eq!(num_deleted(&ended), 1);
    let pid = script.with_extension("sh.pid");
    let has_ended = || {
        let pid = fs::read_to_string(&pid).expect("the gate has written it");
        !Path::new("/proc").join(pid.trim()).exists()
    };
    assert!(eventually(has_ended), "what the gate has started still runs");
    assert_code(&scene.sync(&format!("{flags} --timeout 3s")), 12);
    assert!(eventually(has_ended), "what the gate has started still runs");
    for file in [script, notes, pid] {
        fs::remove_file(file).expect("it is ours");
    }
}

fn cordoned_nodes_and_nodes_without_the_label_come_last() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = outdated(cluster, "zone-last", 6);
    let [cordoned, unlabeled] = [scene.nodes[0].clone(), scene.nodes[1].clone()];
    cluster.kubectl(&format!("cordon {cordoned}"));
    cluster.kubectl(&format!("label node {unlabeled} {ZONE}-"));
    let ended = scene.sync(&format!("--by {ZONE} --skip-unready"));
    assert_code(&ended, 0);
    let order: Vec<&str> = ended.stdout.lines().filter_map(|line| line.split(" deleted from ").nth(1)).collect();
    let node = |i: usize| scene.nodes[i].as_str();
    assert_eq!(order, [node(3), node(4), node(2), node(5), &unlabeled, &cordoned]);
    let waves = format!(
        "In 5 waves, one after the other: zone-a (1 node), zone-b (1 node), zone-c (2 nodes), nodes without zone ({unlabeled}), nodes not ready or cordoned ({cordoned})."
    );
    assert!(ended.stderr.contains(&waves), "{}", ended.stderr);
    let nowhere = scene.sync("--by rack");
    assert_code(&nowhere, 1);
    assert!(
        nowhere.stderr.contains("no node that daemonset.apps/agent wants has the label \"rack\" (--by)"),
        "{}",
        nowhere.stderr
    );
}

fn another_machine_goes_on_where_one_was_killed() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = outdated(cluster, "zone-takeover", 6);
    let recorder = Recorder::start(&scene, 1);
    let flags = format!("--by {ZONE} --canary 1");
    for deleted in [1, 3, 4] {
        let mut running = scene.start_sync(&flags);
        let enough = || recorder.record().deleted.len() >= deleted;
        assert!(eventually(|| enough() || running.has_ended()), "it does not go on");
        running.signal("KILL");
        running.end();
    }
    assert_code(&scene.sync(&flags), 0);
    let record = recorder.end("agent:2");
    let zones = zones(&scene);
    let order: Vec<&str> = record.deleted.iter().map(|pod| zones[&pod.node].as_str()).collect();
    assert_eq!(order, ["zone-a", "zone-a", "zone-b", "zone-b", "zone-c", "zone-c"]);
}

fn budget(scene: &Scene<'_>, name: &str, spec: &Value) {
    let mut spec = spec.clone();
    spec["selector"] = json!({ "matchLabels": { "app": "agent" } });
    scene.cluster.apply(&json!({
        "apiVersion": "policy/v1", "kind": "PodDisruptionBudget",
        "metadata": { "namespace": scene.name, "name": name }, "spec": spec,
    }));
}

fn await_allowed(scene: &Scene<'_>, name: &str, allowed: u32) {
    let path = format!("{{.status.disruptionsAllowed}}={allowed}");
    scene.kubectl(&format!("wait pdb/{name} --for=jsonpath={path} --timeout=3m"));
}

fn a_disruption_budget_sets_the_pace_of_evictions() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = outdated(cluster, "evicted", 4);
    budget(&scene, "calm", &json!({ "minAvailable": 3 }));
    await_allowed(&scene, "calm", 1);
    let recorder = Recorder::start(&scene, 1);
    // We would take two at a time; the budget lets one go.
    let ended = scene.sync("--evict --max-unavailable 2");
    assert_code(&ended, 0);
    assert_eq!(num_deleted(&ended), 4, "{}", ended.stdout);
    let held = "is not evicted now: The disruption budget calm needs 3 healthy pods and has 3 currently";
    assert!(ended.stderr.contains(held), "{}", ended.stderr);
    assert!(ended.stderr.contains("Evicts 4 outdated pods, at most 2 at a time"), "{}", ended.stderr);
    assert_eq!(recorder.end("agent:2").most_down, 1);
}

fn budgets_that_never_allow_end_the_run_before_it_begins() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = outdated(cluster, "never-evicted", 2);
    let refused = |why: &str| {
        let ended = scene.sync("--evict");
        assert_code(&ended, 11);
        assert_eq!(num_deleted(&ended), 0, "{}", ended.stdout);
        assert!(ended.stderr.contains(why), "{why:?} in {}", ended.stderr);
    };
    budget(&scene, "scale", &json!({ "maxUnavailable": 1 }));
    scene.kubectl("wait pdb/scale --for=condition=DisruptionAllowed=false --timeout=3m");
    let reason = "get pdb/scale -o jsonpath={.status.conditions[0].reason}";
    assert_eq!(scene.kubectl(reason), "SyncFailed", "upstream cannot compute it either");
    refused("PodDisruptionBudget scale never lets pod agent-");
    refused(
        "it has maxUnavailable, which needs a scale that DaemonSets do not have; with minAvailable as a number it works",
    );
    let pod = scene.pod_on(0);
    let kubectl = scene.cluster.kubectl_as("admin", &format!("drain {} --ignore-daemonsets=false", scene.nodes[0]));
    assert!(!kubectl.success, "{} is not drained either", pod);
    cluster.kubectl(&format!("uncordon {}", scene.nodes[0]));

    budget(&scene, "calm", &json!({ "minAvailable": 1 }));
    refused("has the PodDisruptionBudgets calm and scale, and the server evicts no pod that has several");
    scene.kubectl("delete pdb scale calm");
    budget(&scene, "all", &json!({ "minAvailable": 2 }));
    scene.kubectl("wait pdb/all --for=jsonpath={.status.expectedPods}=2 --timeout=3m");
    refused("PodDisruptionBudget all never lets pod agent-");
    refused("it wants 2 pods to be available, and there are 2");
    scene.kubectl("delete pdb all");
    assert_code(&scene.sync("--evict"), 0);
}

fn a_budget_that_says_no_for_too_long_ends_the_run() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = outdated(cluster, "held", 3);
    // One pod is not ready, so that the budget has no room, but might have.
    let pod = scene.pod_on(2);
    scene.kubectl(&format!("annotate pod {pod} cluster.test/behavior=never"));
    scene.kubectl(&format!("wait pod/{pod} --for=condition=Ready=false --timeout=3m"));
    budget(&scene, "tight", &json!({ "minAvailable": 2 }));
    scene.kubectl("wait pdb/tight --for=jsonpath={.status.currentHealthy}=2 --timeout=3m");
    let ended = scene.sync("--evict --max-unavailable 3 --by kubernetes.io/hostname --stall-after 4s");
    assert_code(&ended, 11);
    assert_eq!(num_deleted(&ended), 0, "{}", ended.stdout);
    let why = "no eviction was allowed for 4s: The disruption budget tight needs 2 healthy pods and has 2 currently";
    assert!(ended.stderr.contains(why), "{}", ended.stderr);
}

fn a_rolling_update_set_has_limits_of_its_own() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = Scene::new(cluster, "rolling-flags", 1);
    scene.bring_up(&scene.daemon_set("RollingUpdate"));
    for flags in ["--by zone", "--canary 1", "--skip-unready", "--evict", "--gate true"] {
        let refused = scene.sync(flags);
        assert_code(&refused, 2);
        let flag = flags.split(' ').next().expect("a flag");
        let why = format!("whose limits are its own: {flag} is for OnDelete");
        assert!(refused.stderr.contains(&why), "{}", refused.stderr);
    }
}
