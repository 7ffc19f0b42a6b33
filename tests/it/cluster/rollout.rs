//! `status`, `history`, `restart`, `undo`, `pause` and `resume` on the real cluster, beside kubectl's own.

use serde_json::Value;

use super::process::{Cluster, Ended};
use super::scene::{Scene, assert_code, pause};

trials![
    a_restart_and_an_undo_write_what_kubectl_writes,
    history_names_the_revisions_that_kubectl_does,
    a_paused_rollout_stands_still_until_it_is_resumed,
    a_pause_with_surge_wants_force_where_pods_would_go,
    status_follows_a_rollout_to_its_end,
    status_tells_failing_from_waiting,
    what_somebody_else_manages_is_changed_by_force_only,
];

/// Runs one of our verbs on the set of a scene.
fn ours(scene: &Scene<'_>, line: &str) -> Ended {
    scene.cluster.kubectl_as("admin", &format!("daemonset -n {} {line}", scene.name))
}

fn done(scene: &Scene<'_>, line: &str) -> String {
    let ended = ours(scene, line);
    assert_code(&ended, 0);
    ended.stdout
}

fn set(scene: &Scene<'_>) -> Value {
    serde_json::from_str(&scene.kubectl("get ds/agent -o json")).expect("kubectl prints JSON")
}

/// Returns the set of a scene, field by field, but for what differs between any two: names, times, and what is reported. Who
/// wrote which field differs on purpose: each tool writes under its own name.
fn written(scene: &Scene<'_>) -> Value {
    let text = set(scene).to_string().replace(scene.name, "SCENE");
    let mut set: Value = serde_json::from_str(&text).expect("JSON");
    for field in ["creationTimestamp", "managedFields", "resourceVersion", "uid"] {
        set["metadata"][field] = Value::Null;
    }
    set["status"] = Value::Null;
    set
}

fn rolling<'a>(cluster: &'a Cluster, name: &'a str, num_nodes: usize) -> Scene<'a> {
    let scene = Scene::new(cluster, name, num_nodes);
    scene.bring_up(&scene.daemon_set("RollingUpdate"));
    scene
}

/// Two sets that are the same; one is driven by kubectl and one by us.
fn a_restart_and_an_undo_write_what_kubectl_writes() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let [theirs, ours] = ["restart-theirs", "restart-ours"].map(|name| rolling(cluster, name, 1));

    theirs.kubectl("rollout restart ds/agent");
    assert_eq!(done(&ours, "restart agent --yes"), "daemonset.apps/agent restarted\n");
    let restarted = |scene: &Scene<'_>| {
        let mut set = written(scene);
        let at = set["spec"]["template"]["metadata"]["annotations"]["kubectl.kubernetes.io/restartedAt"].take();
        assert!(at.is_string(), "{set}");
        set
    };
    assert_eq!(restarted(&ours), restarted(&theirs));

    for scene in [&theirs, &ours] {
        scene.set_image("agent:2");
    }
    theirs.kubectl("rollout undo ds/agent");
    assert_eq!(done(&ours, "undo agent -y"), "daemonset.apps/agent rolled back\n");
    assert_eq!(restarted(&ours), restarted(&theirs), "back to the revision before");
    for scene in [&theirs, &ours] {
        scene.kubectl("rollout status ds/agent --timeout=3m");
    }
    theirs.kubectl("rollout undo ds/agent --to-revision=1");
    let shown = self::ours(&ours, "undo agent --to-revision 1 --dry-run");
    assert_code(&shown, 0);
    assert_eq!(shown.stdout, "daemonset.apps/agent rolled back (dry run)\n");
    assert!(
        shown.stderr.contains("Replaces 1 pod, at most 1 at a time (maxUnavailable): 1 batch."),
        "{}",
        shown.stderr
    );
    done(&ours, "undo agent --to-revision 1 -y");
    assert_eq!(written(&ours), written(&theirs), "back to the first revision");

    ours.kubectl("rollout status ds/agent --timeout=3m");
    let again = self::ours(&ours, "undo agent --to-revision 5 -y");
    let kubectl = theirs.cluster.kubectl_as("admin", "-n restart-theirs rollout undo ds/agent --to-revision=5");
    assert!(kubectl.stdout.contains("current template already matches revision 5"), "{}", kubectl.stdout);
    assert!(again.stderr.contains("unchanged: current template already matches revision 5"), "{}", again.stderr);
    assert_code(&again, 0);
    assert_code(&self::ours(&ours, "undo agent --to-revision 99 -y"), 1);
    assert_code(&self::ours(&ours, "restart agent"), 13);
}

fn history_names_the_revisions_that_kubectl_does() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = rolling(cluster, "history", 1);
    scene.set_image("agent:2");
    scene.kubectl("annotate ds/agent kubernetes.io/change-cause=CVE");
    scene.set_image("agent:3");
    let kubectl = scene.kubectl("rollout history ds/agent");
    let revisions: Vec<&str> = kubectl.lines().skip(2).filter_map(|line| line.split(' ').next()).collect();
    let report: Value = serde_json::from_str(&done(&scene, "history agent -o json")).expect("JSON");
    let items = report["items"].as_array().expect("items");
    let numbers: Vec<String> = items.iter().map(|item| item["revision"].to_string()).collect();
    assert_eq!(numbers, revisions.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>());
    assert_eq!(items[2]["current"], true);
    assert_eq!(items[2]["changeCause"], "CVE");
    assert_eq!(items[2]["changes"], serde_json::json!(["containers[agent].image: agent:2 → agent:3"]));
    let diff = done(&scene, "history agent --diff 1..3");
    assert!(diff.contains("-  - image: agent:1\n+  - image: agent:3\n"), "{diff}");
}

fn a_paused_rollout_stands_still_until_it_is_resumed() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = rolling(cluster, "paused", 3);
    let before = set(&scene)["spec"]["updateStrategy"].take();
    assert_eq!(done(&scene, "pause agent --yes"), "daemonset.apps/agent paused\n");
    scene.set_image("agent:2");

    let plan: Value = serde_json::from_str(&done(&scene, "plan agent -o json")).expect("JSON");
    let plan = &plan["items"][0];
    assert_eq!((&plan["paused"], &plan["verdict"]), (&Value::Bool(true), &Value::from("AwaitingDelete")));
    assert!(plan["findings"].to_string().contains("\"Paused\""), "{}", plan["findings"]);
    let text = done(&scene, "plan agent");
    assert!(text.contains("Paused: 3 pods are outdated and are replaced once the rollout is resumed."), "{text}");
    let refused = ours(&scene, "sync agent --yes");
    assert_code(&refused, 13);
    assert!(refused.stderr.contains("paused"), "{}", refused.stderr);
    let preview = ours(&scene, "sync agent --dry-run");
    assert_code(&preview, 0);
    assert_eq!(preview.stdout, "", "nothing would be deleted");
    assert!(preview.stderr.contains("sync would end at once: the rollout is paused"), "{}", preview.stderr);
    let twice = ours(&scene, "pause agent --yes");
    assert_code(&twice, 0);
    assert!(twice.stderr.contains("paused already"), "{}", twice.stderr);
    assert_eq!(scene.images(), scene.all_have("agent:1"));

    scene.kubectl(
        r#"patch ds/agent --type=merge -p {"spec":{"updateStrategy":{"rollingUpdate":{"maxUnavailable":2}}}}"#,
    );
    let changed = ours(&scene, "resume agent --yes");
    assert_code(&changed, 13);
    assert!(changed.stderr.contains("\"maxUnavailable\":2"), "{}", changed.stderr);
    scene.kubectl(
        r#"patch ds/agent --type=merge -p {"spec":{"updateStrategy":{"rollingUpdate":{"maxUnavailable":1}}}}"#,
    );

    assert_eq!(done(&scene, "resume agent --yes"), "daemonset.apps/agent resumed\n");
    assert_eq!(set(&scene)["spec"]["updateStrategy"], before);
    assert_eq!(set(&scene)["metadata"]["annotations"].get("kubectl-daemonset/paused-strategy"), None);
    done(&scene, "status agent --timeout 3m");
    assert_eq!(scene.images(), scene.all_have("agent:2"));
}

fn a_pause_with_surge_wants_force_where_pods_would_go() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = Scene::new(cluster, "surging", 2);
    let mut daemon_set = scene.daemon_set("RollingUpdate");
    daemon_set["spec"]["updateStrategy"]["rollingUpdate"] = serde_json::json!({ "maxSurge": 1, "maxUnavailable": 0 });
    scene.bring_up(&daemon_set);
    // Of pods that were made in the same second, the name decides which counts as older.
    pause(1100);
    scene.set_image("agent:2-never");
    let beside = || scene.pods().len() == 3;
    assert!(super::process::eventually(beside), "no new pod beside an old one");
    let refused = ours(&scene, "pause agent --yes");
    assert_code(&refused, 13);
    assert!(refused.stderr.contains("pausing would remove agent-"), "{}", refused.stderr);
    assert_eq!(set(&scene)["spec"]["updateStrategy"]["type"], "RollingUpdate");
    done(&scene, "pause agent --yes --force");
    assert!(super::process::eventually(|| scene.images() == scene.all_have("agent:1")), "{:?}", scene.images());
}

fn status_follows_a_rollout_to_its_end() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = rolling(cluster, "followed", 3);
    scene.change_image("agent:2");
    // Asked before the controller may have looked at the new spec.
    let ended = ours(&scene, "status agent --timeout 3m -o json");
    assert_code(&ended, 0);
    assert_eq!(scene.images(), scene.all_have("agent:2"));
    let documents: Vec<Value> =
        ended.stdout.lines().map(|line| serde_json::from_str(line).expect("a document a line")).collect();
    let last = &documents.last().expect("documents")["items"][0];
    assert_eq!((&last["standing"], &last["status"]["updatedNumberScheduled"]), (&"Done".into(), &3.into()));
    assert!(documents.len() > 3, "it was followed: {}", documents.len());
    assert_eq!(done(&scene, "status agent"), "daemonset.apps/agent: done: 3 of 3 updated, 3 available\n");
}

fn status_tells_failing_from_waiting() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let failing = rolling(cluster, "failing", 2);
    failing.set_image("agent:2-bad");
    let ended = ours(&failing, "status agent --stall-after 2s");
    assert_code(&ended, 11);
    assert!(ended.stdout.contains("error: Revision 2 fails: 1 pod is in"), "{}", ended.stdout);
    assert_code(&ours(&failing, "status agent --watch=false"), 11);

    let waiting = Scene::new(cluster, "waiting", 2);
    waiting.outdated_by("agent:2");
    assert_code(&ours(&waiting, "status agent --watch=false"), 10);
    let ended = ours(&waiting, "status agent --timeout 3s --stall-after 1s");
    assert_code(&ended, 12);
    assert!(ended.stdout.contains("Waiting for you: 2 pods are outdated"), "{}", ended.stdout);
    assert_code(&ours(&waiting, "status agent --done-when placed"), 0);
}

fn what_somebody_else_manages_is_changed_by_force_only() {
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let scene = Scene::new(cluster, "managed", 1);
    let mut daemon_set = scene.daemon_set("RollingUpdate");
    daemon_set["metadata"]["annotations"] = serde_json::json!({ "meta.helm.sh/release-name": "logs" });
    scene.bring_up(&daemon_set);
    let generation = set(&scene)["metadata"]["generation"].take();
    let refused = ours(&scene, "restart agent --yes");
    assert_code(&refused, 13);
    let why = "daemonset.apps/agent is managed by Helm release logs, which may undo it with the next upgrade";
    assert!(refused.stderr.contains(why), "{}", refused.stderr);
    assert_eq!(set(&scene)["metadata"]["generation"], generation);
    assert_code(&ours(&scene, "restart agent --dry-run=server"), 0);
    assert_eq!(set(&scene)["metadata"]["generation"], generation, "a dry run");
    assert_eq!(done(&scene, "restart agent --yes --force"), "daemonset.apps/agent restarted\n");

    // So are its pods.
    scene.kubectl("rollout status ds/agent --timeout=3m");
    scene.kubectl(
        r#"patch ds/agent --type=merge -p {"spec":{"updateStrategy":{"type":"OnDelete","rollingUpdate":null}}}"#,
    );
    scene.set_image("agent:2");
    let refused = ours(&scene, "sync agent --yes");
    assert_code(&refused, 13);
    assert!(refused.stderr.contains("is managed by Helm release logs"), "{}", refused.stderr);
    assert!(ours(&scene, "sync agent --dry-run").stderr.contains("Warning: daemonset.apps/agent is managed by"));
    assert_eq!(scene.images(), scene.all_have("agent:1"));
    done(&scene, "sync agent --yes --force");
    assert_eq!(scene.images(), scene.all_have("agent:2"));
    assert_code(&ours(&scene, "sync agent --yes"), 0);
}
