//! `status` beside `kubectl rollout status` on the same states. kubectl compares counters of the status; where its answer
//! differs, a comment says why ours is right.

use serde_json::{Value, json};

use super::process::{Cluster, Ended, Options, eventually};
use super::scene::{Scene, assert_code};

trials![
    answers_are_the_same_where_counters_tell_the_truth,
    an_old_pod_that_stays_is_not_taken_for_done,
    a_spec_that_nobody_looked_at_is_not_done,
    a_set_that_wants_no_node_because_all_are_silent_is_not_done,
];

/// Returns what kubectl says of the set, and what we say, each with its exit code.
fn both(scene: &Scene<'_>) -> (Ended, Ended, Value) {
    let ours = |format: &str| {
        scene
            .cluster
            .kubectl_as("admin", &format!("daemonset status agent -n {} --watch=false -o {format}", scene.name))
    };
    let kubectl =
        scene.cluster.kubectl_as("admin", &format!("-n {} rollout status ds/agent --watch=false", scene.name));
    let report: Value = serde_json::from_str(&ours("json").stdout).expect("JSON");
    (kubectl, ours("table"), report["items"][0].clone())
}

const KUBECTL_DONE: &str = "daemon set \"agent\" successfully rolled out\n";

fn answers_are_the_same_where_counters_tell_the_truth() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = Scene::new(cluster, "beside", 3);
    scene.bring_up(&scene.daemon_set("RollingUpdate"));
    let (kubectl, ours, item) = both(&scene);
    assert_eq!(kubectl.stdout, KUBECTL_DONE);
    assert_eq!(item["standing"], "Done");
    assert_code(&ours, 0);

    // Under way: kubectl's words tell one number, ours all, and the exit code tells it, too.
    scene.set_image("agent:2-never");
    let moving = "Waiting for daemon set \"agent\" rollout to finish: 1 out of 3 new pods have been updated...\n";
    assert!(eventually(|| both(&scene).0.stdout == moving), "{}", both(&scene).0.stdout);
    let (kubectl, ours, item) = both(&scene);
    assert_code(&kubectl, 0);
    assert_eq!((&item["standing"], &item["status"]["updatedNumberScheduled"]), (&json!("Moving"), &json!(1)));
    assert_code(&ours, 10);
    assert_eq!(item["waves"], json!({ "done": 0, "total": 3 }));

    // It fails: kubectl goes on saying the same until its timeout.
    scene.set_image("agent:3-bad");
    let fails = || both(&scene).2["standing"] == "Failing";
    assert!(eventually(fails), "{}", both(&scene).2);
    let (kubectl, ours, _) = both(&scene);
    assert!(kubectl.stdout.starts_with("Waiting for daemon set \"agent\" rollout to finish: "), "{}", kubectl.stdout);
    assert_code(&kubectl, 0);
    assert_code(&ours, 11);
    assert!(ours.stdout.contains("error: Revision 3 fails: 1 pod is in"), "{}", ours.stdout);

    scene.set_image("agent:4");
    scene.kubectl("rollout status ds/agent --timeout=3m");
    assert!(eventually(|| both(&scene).2["standing"] == "Done"), "{}", both(&scene).2);

    // Wants no node: that is done for both, but ours says why.
    scene.kubectl(
        r#"patch ds/agent --type=merge -p {"spec":{"template":{"spec":{"nodeSelector":{"pool":"nowhere"}}}}}"#,
    );
    assert!(eventually(|| both(&scene).0.stdout == KUBECTL_DONE && both(&scene).2["standing"] == "Done"));
    let (_, ours, _) = both(&scene);
    assert!(ours.stdout.contains("done. Nothing to run: 0 of "), "{}", ours.stdout);
}

/// kubectl refuses OnDelete sets; and an old pod on a tainted node is in none of its counters, since the node is not wanted.
fn an_old_pod_that_stays_is_not_taken_for_done() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = Scene::new(cluster, "beside-tainted", 2);
    scene.bring_up(&scene.daemon_set("OnDelete"));
    cluster.kubectl(&format!("taint node {} dedicated=batch:NoSchedule", scene.nodes[0]));
    scene.set_image("agent:2");
    scene.kubectl(&format!("delete pod {}", scene.pod_on(1)));
    let counted = "{.status.desiredNumberScheduled}{.status.updatedNumberScheduled}{.status.numberAvailable}";
    let is_counted = || scene.kubectl(&format!("get ds/agent -o jsonpath={counted}")) == "111";
    assert!(eventually(is_counted), "the counters say that all is done");
    let (kubectl, ours, item) = both(&scene);
    assert_code(&kubectl, 1);
    assert!(
        kubectl.stderr.contains("rollout status is only available for RollingUpdate strategy type"),
        "{}",
        kubectl.stderr
    );
    assert_eq!(item["standing"], "Waiting", "{item}");
    assert_code(&ours, 10);
    assert!(ours.stdout.contains("1 pod is outdated"), "{}", ours.stdout);
}

/// kubectl asked right after the change says that it waits; one that asks by `kubectl wait` on the counters is fooled.
fn a_spec_that_nobody_looked_at_is_not_done() {
    let Some(cluster) = Cluster::start(&Options { nodes: 0, ..Options::default() }) else { return };
    let scene = Scene::new(&cluster, "beside-asleep", 2);
    scene.bring_up(&scene.daemon_set("RollingUpdate"));
    cluster.command(&json!({ "do": "stop", "part": "kube-controller-manager" }));
    scene.change_image("agent:2");
    let (kubectl, ours, item) = both(&scene);
    assert_eq!(kubectl.stdout, "Waiting for daemon set spec update to be observed...\n");
    assert_eq!((&item["standing"], &item["verdict"]), (&json!("Moving"), &json!("Moving")));
    assert_code(&ours, 10);
    cluster.command(&json!({ "do": "start", "part": "kube-controller-manager" }));
    scene.kubectl("rollout status ds/agent --timeout=3m");
    assert!(eventually(|| both(&scene).2["standing"] == "Done"), "{}", both(&scene).2);
}

/// The controller does not want pods on nodes that are not ready, unless their taint is tolerated; so the counters say 0 of 0
/// while nothing runs anywhere.
fn a_set_that_wants_no_node_because_all_are_silent_is_not_done() {
    let options = Options { nodes: 0, node_monitor_grace_period_seconds: 10 };
    let Some(cluster) = Cluster::start(&options) else { return };
    let scene = Scene::new(&cluster, "beside-silent", 2);
    scene.bring_up(&scene.daemon_set("RollingUpdate"));
    cluster.command(&json!({ "do": "silence-nodes", "names": scene.nodes }));
    let wants_none = || scene.kubectl("get ds/agent -o jsonpath={.status.desiredNumberScheduled}") == "0";
    assert!(eventually(wants_none), "the nodes are still wanted");
    let (kubectl, ours, item) = both(&scene);
    assert_eq!(kubectl.stdout, KUBECTL_DONE);
    assert_eq!((&item["standing"], &item["verdict"]), (&json!("Failing"), &json!("Degraded")), "{item}");
    assert_code(&ours, 11);
}
