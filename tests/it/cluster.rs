//! The real cluster that other tests run on: what it promises them.

mod access;
mod beside;
mod chaos;
mod groups;
pub mod live;
pub mod process;
mod recorder;
mod rights;
mod rollout;
pub mod scene;
mod story;
mod sync;
mod takeover;
mod watch;

use std::fs;
use std::net::TcpStream;
use std::path::Path;

use serde_json::{Value, json};

use process::Options;

pub use process::{Cluster, end_shared, eventually};

trials![
    a_daemon_set_rolls_out_on_all_nodes,
    images_say_what_becomes_of_a_pod,
    certificates_are_verified,
    users_may_do_what_they_are_for,
    parts_stop_and_start_one_by_one_and_leave_nothing,
    a_silent_node_becomes_not_ready_and_comes_back,
];

/// Returns the trials of all parts.
pub fn all_trials() -> Vec<libtest_mimic::Trial> {
    let parts = [
        trials(),
        beside::trials(),
        chaos::trials(),
        groups::trials(),
        takeover::trials(),
        access::all_trials(),
        live::trials(),
        rights::trials(),
        rollout::trials(),
        story::trials(),
        sync::trials(),
        watch::trials(),
    ];
    parts.into_iter().flatten().collect()
}

fn a_daemon_set_rolls_out_on_all_nodes() {
    let Some(cluster) = Cluster::shared() else { return };
    assert_eq!(cluster.kubectl("get nodes -o name"), "node/node-0001\nnode/node-0002\nnode/node-0003\n");
    let zones = r"jsonpath={.items[*].metadata.labels.topology\.kubernetes\.io/zone}";
    assert_eq!(cluster.kubectl(&format!("get nodes -o {zones}")), "zone-a zone-b zone-c");

    cluster.kubectl("create namespace rollout");
    cluster.apply(&daemon_set("rollout", "agent", "agent:1"));
    cluster.kubectl("-n rollout rollout status ds/agent --timeout=3m");
    // Deletion is as real as creation.
    cluster.kubectl("-n rollout delete ds/agent --cascade=foreground --timeout=3m");
    cluster.await_output("-n rollout get pods -o name", "");
}

fn images_say_what_becomes_of_a_pod() {
    let Some(cluster) = Cluster::shared() else { return };
    let state = concat!(
        "jsonpath={.status.phase}/",
        "{.status.containerStatuses[0].state.waiting.reason}/",
        "{.status.conditions[?(@.type==\"Ready\")].status}"
    );
    let expected = [
        ("app:1", "Running//True"),
        ("app:1-slow", "Running//True"),
        ("app:1-never", "Running//False"),
        ("app:1-bad", "Pending/ImagePullBackOff/False"),
        ("app:1-crash", "Running/CrashLoopBackOff/False"),
        ("app:1-failed", "Failed//"),
    ];
    let name = |image: &str| image.replace(':', "-");
    cluster.kubectl("create namespace images");
    for (image, _) in expected {
        cluster.kubectl(&format!("-n images run {} --image={image}", name(image)));
    }
    for (image, state_of_image) in expected {
        cluster.await_output(&format!("-n images get pod {} -o {state}", name(image)), state_of_image);
    }
    cluster.kubectl("-n images annotate pod app-1 cluster.test/behavior=never");
    cluster.kubectl("-n images wait pod/app-1 --for=condition=Ready=false --timeout=3m");
}

fn certificates_are_verified() {
    let Some(cluster) = Cluster::shared() else { return };
    let who = cluster.kubectl_as("cert", "auth whoami -o jsonpath={.status.userInfo.username}");
    assert_eq!(who.stdout, "cert", "{}", who.stderr);
    let refused = cluster.kubectl_as("distrust", "get nodes");
    let because = "certificate signed by unknown authority";
    assert!(!refused.success && refused.stderr.contains(because), "{}", refused.stderr);
}

fn users_may_do_what_they_are_for() {
    let Some(cluster) = Cluster::shared() else { return };
    let may = |user: &str| {
        let everywhere = ["nodes", "daemonsets", "pods", "controllerrevisions", "events"];
        let in_team = ["daemonsets", "pods", "controllerrevisions", "events"];
        let everywhere = everywhere.map(|resource| can_i(cluster, user, &format!("list {resource} -A")));
        let in_team = in_team.map(|resource| can_i(cluster, user, &format!("list {resource} -n team")));
        (everywhere, in_team)
    };
    assert_eq!(may("reader"), ([true; 5], [true; 4]));
    assert_eq!(may("namespaced"), ([false; 5], [true; 4]));
    assert_eq!(may("nobody"), ([false; 5], [false; 4]));
    for user in ["reader", "namespaced", "nobody"] {
        assert!(!can_i(cluster, user, "delete pods -n team"), "{user} may delete pods");
    }
    let refused = cluster.kubectl_as("nobody", "get nodes");
    assert!(refused.stderr.starts_with("Error from server (Forbidden): nodes is forbidden"), "{}", refused.stderr);
}

fn can_i(cluster: &Cluster, user: &str, what: &str) -> bool {
    let answer = cluster.kubectl_as(user, &format!("auth can-i {what}"));
    match answer.stdout.trim() {
        "yes" => true,
        "no" => false,
        _ => panic!("{}", answer.stderr),
    }
}

fn parts_stop_and_start_one_by_one_and_leave_nothing() {
    let Some(cluster) = Cluster::start(&Options { nodes: 2, ..Options::default() }) else { return };
    let manager = "kube-controller-manager";
    cluster.command(&json!({ "do": "start", "part": manager, "without": ["daemonset-controller"] }));
    cluster.apply(&daemon_set("default", "agent", "agent:1"));
    // The controllers that are left do their work.
    cluster.kubectl("create namespace fresh");
    cluster.kubectl("-n fresh wait serviceaccount/default --for=create --timeout=3m");
    assert_eq!(cluster.kubectl("get pods -A -o name"), "");

    cluster.command(&json!({ "do": "start", "part": manager }));
    cluster.kubectl("rollout status ds/agent --timeout=3m");

    cluster.command(&json!({ "do": "stop", "part": "kube-apiserver" }));
    assert!(!cluster.kubectl_as("admin", "get nodes").success, "a server that is stopped answers");
    cluster.command(&json!({ "do": "start", "part": "kube-apiserver" }));
    cluster.kubectl("get nodes");

    cluster.end();
    assert_gone(&cluster);
    assert!(!cluster.dir.exists(), "the folder is still there");
}

fn a_silent_node_becomes_not_ready_and_comes_back() {
    let Some(cluster) = Cluster::start(&Options { nodes: 1, node_monitor_grace_period_seconds: 10 }) else { return };
    let added = cluster.command(&json!({ "do": "add-nodes", "names": ["lonely"], "labels": { "pool": "far" } }));
    assert_eq!(added, json!({ "nodes": ["lonely"] }));
    cluster.kubectl("wait node -l pool=far --for=condition=Ready --timeout=3m");

    cluster.command(&json!({ "do": "silence-nodes", "names": ["lonely"] }));
    cluster.kubectl("wait node/lonely --for=condition=Ready=Unknown --timeout=3m");
    let taints = "get node lonely -o jsonpath={.spec.taints[*].key}/{.spec.taints[*].effect}";
    let unreachable = "node.kubernetes.io/unreachable";
    cluster.await_output(taints, &format!("{unreachable} {unreachable}/NoSchedule NoExecute"));

    // A kubelet that speaks puts its own node right.
    let unknown = r#"{"status":{"conditions":[{"type":"Ready","status":"Unknown"}]}}"#;
    cluster.kubectl(&format!("patch node node-0001 --subresource=status -p {unknown}"));
    cluster.kubectl("wait node/node-0001 --for=condition=Ready --timeout=3m");

    cluster.command(&json!({ "do": "revive-nodes", "names": ["lonely"] }));
    cluster.kubectl("wait node/lonely --for=condition=Ready --timeout=3m");
    cluster.await_output(taints, "/");
    cluster.command(&json!({ "do": "remove-nodes", "names": ["lonely"] }));
    assert_eq!(cluster.kubectl("get nodes -o name"), "node/node-0001\n");

    // Who is killed leaves the folder, but no process.
    cluster.kill();
    assert_gone(&cluster);
    fs::remove_dir_all(&cluster.dir).expect("the folder is ours");
}

/// Fails if a part of a cluster is left after it.
fn assert_gone(cluster: &Cluster) {
    assert!(eventually(|| TcpStream::connect(&cluster.address).is_err()), "the API server still answers");
    assert!(
        eventually(|| processes_with(&cluster.dir).is_empty()),
        "still running: {:?}",
        processes_with(&cluster.dir)
    );
}

/// Returns the command lines that mention a folder, where the system has a file for each.
fn processes_with(dir: &Path) -> Vec<String> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    let texts = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    texts.filter(|text| text.contains(&format!("{}/", dir.display()))).collect()
}

fn daemon_set(namespace: &str, name: &str, image: &str) -> Value {
    json!({
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": { "namespace": namespace, "name": name },
        "spec": {
            "selector": { "matchLabels": { "app": name } },
            "template": {
                "metadata": { "labels": { "app": name } },
                "spec": { "containers": [{ "name": "agent", "image": image }] },
            },
        },
    })
}
