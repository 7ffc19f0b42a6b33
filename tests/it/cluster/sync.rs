//! `sync` of OnDelete sets on the real cluster: the pace, the ways a run ends, and what is written in each of them.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::process::Cluster;
use super::recorder::Recorder;
use super::scene::{Scene, assert_code, num_deleted, pause};

trials![
    on_delete_stays_within_max_unavailable,
    broken_pods_go_first_and_within_the_limit,
    a_silent_node_is_charged_and_comes_last,
    new_pods_that_fail_end_the_run,
    a_new_pod_that_finds_no_place_ends_the_run,
    min_ready_seconds_are_waited_for,
    a_template_that_changes_midway_ends_the_run,
    once_does_one_batch_and_timeout_ends_the_run,
    dry_runs_write_nothing,
    missing_rights_are_told_before_anything_is_written,
    two_runs_at_once_stay_within_one_budget,
    who_is_interrupted_or_killed_goes_on_where_it_was,
];

fn on_delete_stays_within_max_unavailable() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let run = |name: &str, num_nodes: usize, flag: &str, budget: usize| {
        let scene = Scene::new(cluster, name, num_nodes);
        scene.outdated_by("agent:2");
        let recorder = Recorder::start(&scene, budget);
        let ended = scene.sync(flag);
        assert_code(&ended, 0);
        assert!(ended.stdout.ends_with("in sync: every wanted node has an available pod of the current revision\n"));
        let record = recorder.end("agent:2");
        assert_eq!((num_deleted(&ended), record.deleted.len()), (num_nodes, num_nodes));
        assert_eq!(record.most_down, budget, "the budget is used");
        assert_eq!(scene.images(), scene.all_have("agent:2"));
    };
    thread::scope(|scope| {
        scope.spawn(|| run("pace-default", 3, "", 1));
        scope.spawn(|| run("pace-two", 6, "--max-unavailable 2", 2));
        scope.spawn(|| run("pace-percent", 10, "--max-unavailable=30%", 3));
    });
}

fn broken_pods_go_first_and_within_the_limit() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = Scene::new(cluster, "broken", 5);
    scene.outdated_by("agent:2");
    let broken = [4, 3, 1].map(|i| scene.pod_on(i));
    for pod in &broken {
        scene.kubectl(&format!("annotate pod {pod} cluster.test/behavior=never"));
        scene.kubectl(&format!("wait pod/{pod} --for=condition=Ready=false --timeout=3m"));
    }
    let recorder = Recorder::start(&scene, 2);
    let ended = scene.sync("--max-unavailable 2 --once");
    assert_code(&ended, 10);
    assert_eq!(num_deleted(&ended), 2, "{}", ended.stdout);
    assert_code(&scene.sync("--max-unavailable 2"), 0);
    let record = recorder.end("agent:2");
    let names: Vec<_> = record.deleted.iter().map(|pod| &pod.name).collect();
    assert_eq!(names.len(), 5);
    assert!(names[..2].iter().all(|name| broken.contains(name)), "{names:?}, of which {broken:?} are broken");
    // The third one goes in one batch with one that is available.
    assert!(broken.iter().all(|name| names[..4].contains(&name)), "{names:?}, of which {broken:?} are broken");
}

fn a_silent_node_is_charged_and_comes_last() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = Scene::new(cluster, "silent", 4);
    let mut set = scene.daemon_set("OnDelete");
    set["spec"]["template"]["spec"]["tolerations"] = serde_json::json!([{ "operator": "Exists" }]);
    scene.bring_up(&set);
    scene.set_image("agent:2");
    let (node, pod) = (&scene.nodes[1], scene.pod_on(1));
    cluster.command(&serde_json::json!({ "do": "silence-nodes", "names": [node] }));
    scene.kubectl(&format!("wait pod/{pod} --for=condition=Ready=false --timeout=3m"));

    // It takes the whole budget.
    let held = scene.sync("--timeout 5s");
    assert_code(&held, 12);
    assert_eq!(num_deleted(&held), 0);
    assert!(held.stderr.contains(&format!("None goes yet: 1 node unavailable ({node}).")), "{}", held.stderr);

    // In a larger one there is room for the others.
    let recorder = Recorder::start(&scene, 2);
    let stuck = scene.sync("--max-unavailable 2 --pod-timeout 20s");
    assert_code(&stuck, 11);
    assert!(
        stuck.stderr.contains(&format!("Last, because their nodes are not ready: {pod} on {node}.")),
        "{}",
        stuck.stderr
    );
    let deletions: Vec<_> = stuck.stdout.lines().collect();
    assert_eq!((deletions.len(), deletions[3]), (4, format!("pod/{pod} deleted from {node}").as_str()));

    cluster.command(&serde_json::json!({ "do": "revive-nodes", "names": [node] }));
    assert_code(&scene.sync("--max-unavailable 2"), 0);
    assert_eq!(recorder.end("agent:2").deleted.len(), 4);
    assert_eq!(scene.images(), scene.all_have("agent:2"));
}

fn new_pods_that_fail_end_the_run() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let run = |image: &str, flag: &str, because: &str| {
        let name = image.replace(':', "-");
        let scene = Scene::new(cluster, &name, 2);
        scene.outdated_by(image);
        let started = Instant::now();
        let ended = scene.sync(flag);
        assert_code(&ended, 11);
        assert!(ended.stderr.contains(because), "{}", ended.stderr);
        assert!(started.elapsed() < Duration::from_secs(120), "that is not at once");
        assert_eq!(num_deleted(&ended), 1, "{}", ended.stdout);
    };
    thread::scope(|scope| {
        scope.spawn(|| run("agent:2-bad", "", "fails: ImagePullBackOff (Back-off pulling image \"agent:2-bad\")"));
        scope.spawn(|| run("agent:2-crash", "", "fails: CrashLoopBackOff"));
        // The controller replaces such a pod again and again.
        scope.spawn(|| run("agent:2-failed", "--pod-timeout 10s", "after 10s (--pod-timeout)"));
        scope.spawn(|| run("agent:2-never", "--pod-timeout 5s", "is not available after 5s (--pod-timeout)"));
    });
}

fn a_new_pod_that_finds_no_place_ends_the_run() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = Scene::new(cluster, "no-place", 2);
    let mut daemon_set = scene.daemon_set("OnDelete");
    scene.bring_up(&daemon_set);
    let requests = json!({ "requests": { "cpu": "1000" } });
    daemon_set["spec"]["template"]["spec"]["containers"][0]["resources"] = requests;
    cluster.apply(&daemon_set);
    let ended = scene.sync("--pod-timeout 6s");
    assert_code(&ended, 11);
    let why = "of this batch is not available after 6s (--pod-timeout): Unschedulable (0/";
    assert!(ended.stderr.contains(why), "{}", ended.stderr);
    assert_eq!(num_deleted(&ended), 1, "{}", ended.stdout);
}

fn min_ready_seconds_are_waited_for() {
    const SECONDS: u64 = 4;
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = Scene::new(cluster, "min-ready", 3);
    let mut daemon_set = scene.daemon_set("OnDelete");
    daemon_set["spec"]["minReadySeconds"] = SECONDS.into();
    scene.bring_up(&daemon_set);
    scene.set_image("agent:2");
    let started = Instant::now();
    assert_code(&scene.sync(""), 0);
    assert!(started.elapsed() >= Duration::from_secs(3 * SECONDS), "{:?}", started.elapsed());
}

fn a_template_that_changes_midway_ends_the_run() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = Scene::new(cluster, "midway", 3);
    scene.outdated_by("agent:2-slow");
    let mut sync = scene.start_sync("");
    sync.await_stdout(" deleted from ");
    scene.change_image("agent:3");
    let ended = sync.end();
    assert_code(&ended, 13);
    assert!(
        ended.stderr.contains("the spec was changed since the plan was shown (generation 2, now 3)"),
        "{}",
        ended.stderr
    );
    assert_eq!(num_deleted(&ended), 1);
}

fn once_does_one_batch_and_timeout_ends_the_run() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = Scene::new(cluster, "once", 2);
    scene.outdated_by("agent:2");
    for code in [10, 0] {
        let ended = scene.sync("--once");
        assert_code(&ended, code);
        assert_eq!(num_deleted(&ended), 1, "{}", ended.stdout);
    }
    assert_eq!(scene.images(), scene.all_have("agent:2"));

    scene.set_image("agent:3-slow60");
    let ended = scene.sync("--timeout 3s");
    assert_code(&ended, 12);
    assert!(ended.stderr.contains("the time is over (--timeout); left: 1 outdated pod"));
    assert_eq!(num_deleted(&ended), 1, "{}", ended.stdout);
}

fn dry_runs_write_nothing() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = Scene::new(cluster, "dry-run", 3);
    scene.outdated_by("agent:2");
    let recorder = Recorder::start(&scene, 0);
    let before = scene.kubectl("get pods,daemonsets -o jsonpath={.items[*].metadata.resourceVersion}");
    let line = |words: &str| format!("pod/{} deleted from {} ({words})\n", scene.pod_on(0), scene.nodes[0]);
    for (user, flag, words) in [
        ("admin", "--dry-run", "dry run"),
        ("reader", "--dry-run=client", "dry run"),
        ("admin", "--dry-run=server", "server dry run"),
    ] {
        let ended = scene.sync_as(user, flag);
        assert_code(&ended, 0);
        assert_eq!(ended.stdout, line(words), "{user} {flag}");
    }
    // The server says what would fail.
    let ended = scene.sync_as("reader", "--dry-run=server");
    assert_code(&ended, 1);
    assert_eq!(ended.stdout, "");
    assert!(ended.stderr.contains("cannot delete resource \"pods\""), "{}", ended.stderr);

    assert_eq!(scene.kubectl("get pods,daemonsets -o jsonpath={.items[*].metadata.resourceVersion}"), before);
    assert!(recorder.end("agent:1").deleted.is_empty());
}

fn missing_rights_are_told_before_anything_is_written() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = Scene::new(cluster, "rights", 1);
    scene.outdated_by("agent:2");
    let before = scene.uids();
    let ended = scene.sync_as("reader", "--yes");
    assert_code(&ended, 1);
    assert_eq!(ended.stdout, "");
    let told = concat!(
        "error: you may not delete pods, create pods, patch daemonsets in namespace \"rights\", which sync needs\n",
        "hint: a Role in namespace \"rights\" with these rules, bound to you, would allow it: ",
        "{apiGroups: [\"\"], resources: [\"pods\"], verbs: [\"delete\"]}, ",
        "{apiGroups: [\"\"], resources: [\"pods\"], verbs: [\"create\"]}, ",
        "{apiGroups: [\"apps\"], resources: [\"daemonsets\"], verbs: [\"patch\"]}\n",
    );
    assert!(ended.stderr.ends_with(told), "{}", ended.stderr);

    // Who cannot be asked has to say --yes.
    let ended = scene.sync_as("admin", "");
    assert_code(&ended, 13);
    assert_eq!(ended.stdout, "");
    assert_eq!(scene.uids(), before);
}

fn two_runs_at_once_stay_within_one_budget() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = Scene::new(cluster, "twice", 6);
    scene.outdated_by("agent:2");
    let recorder = Recorder::start(&scene, 2);
    let runs = [(); 2].map(|()| scene.start_sync("--max-unavailable 2"));
    let codes = runs.map(|run| {
        let ended = run.end();
        assert!(matches!(ended.code, 0 | 13), "{ended:?}");
        ended.code
    });
    assert!(codes.contains(&0), "{codes:?}");
    assert_eq!(recorder.end("agent:2").deleted.len(), 6, "each pod is deleted once");
    assert_eq!(scene.images(), scene.all_have("agent:2"));
}

fn who_is_interrupted_or_killed_goes_on_where_it_was() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = Scene::new(cluster, "killed", 6);
    scene.outdated_by("agent:2-slow2");
    let recorder = Recorder::start(&scene, 1);
    let mut sync = scene.start_sync("");
    sync.await_stdout(" deleted from ");
    sync.signal("INT");
    let ended = sync.end();
    assert_code(&ended, 130);
    let told = "daemonset.apps/agent: interrupted; run the same command again to go on; left: 5 outdated pods";
    assert!(ended.stderr.contains(told), "{}", ended.stderr);

    for milliseconds in [300, 1100, 1900, 2700] {
        let sync = scene.start_sync("");
        pause(milliseconds);
        sync.signal("KILL");
        assert_eq!(sync.end().code, -1);
    }
    assert_code(&scene.sync(""), 0);
    assert_eq!(recorder.end("agent:2-slow2").deleted.len(), 6, "each pod is deleted once");
    assert_eq!(scene.images(), scene.all_have("agent:2-slow2"));
}
