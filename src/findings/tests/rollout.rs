//! What is told of the rollout: its strategy, and what waits.

use serde_json::json;
use snapbox::str;

use super::told;
use crate::builders::{current_revision, daemon_set, node, plan, plan_with, pod, snapshot};

const NO_FREE_PORTS: &str = "0/2 nodes are available: 1 node(s) didn't have free ports for the requested pod ports, 1 node(s) didn't match Pod's node affinity/selector.";

#[test]
fn on_delete_starts_with_what_costs_nothing() {
    let objects = [
        node("a"),
        node("b"),
        node("c"),
        pod("pa").on("a"),
        pod("pb").on("b").old(),
        pod("pc").on("c").old().not_ready_for(900),
    ];
    told(
        &plan_with(daemon_set("agent").on_delete(), objects),
        str![[r#"
info OnDeleteWaits [b c]
    OnDelete: 2 pods of an old revision stay until somebody deletes them: pb on b, pc on c. `kubectl rollout status` refuses a set with this strategy.
    => Next pc on c, which is not available anyway, so that replacing it costs nothing: `kubectl delete pod pc -n ops`; then pb on b, once the new pod is available.

"#]],
    );
}

#[test]
fn a_paused_rollout_says_so() {
    let set = daemon_set("agent")
        .on_delete()
        .set("/metadata/annotations", json!({ "kubectl-daemonset/paused-strategy": "{\"type\":\"RollingUpdate\"}" }));
    let objects = [node("a"), node("b"), pod("pa").on("a"), pod("pb").on("b").old()];
    let plan = plan_with(set, objects);
    assert!(plan.paused);
    told(
        &plan,
        str![[r#"
info Paused [b]
    The rollout is paused: 1 node with a pod of an old revision keeps it until it is resumed (b). Pods are still created on nodes without one, and removed where they are not wanted.
    => Go on: `kubectl daemonset resume agent -n ops`.

"#]],
    );
}

#[test]
fn on_delete_goes_on_when_all_is_well() {
    let objects = [node("a"), node("b"), pod("pa").on("a"), pod("pb").on("b").old()];
    told(
        &plan_with(daemon_set("agent").on_delete(), objects),
        str![[r#"
info OnDeleteWaits [b]
    OnDelete: 1 pod of an old revision stays until somebody deletes it: pb on b. `kubectl rollout status` refuses a set with this strategy.
    => One at a time, the next when the new pod is available: `kubectl daemonset sync agent -n ops` does that; by hand, for a start, on b: `kubectl delete pod pb -n ops`.

"#]],
    );
}

#[test]
fn on_delete_waits_for_the_last_replacement() {
    let objects = [node("a"), node("b"), pod("pa").on("a").created(5).not_ready_for(5), pod("pb").on("b").old()];
    told(
        &plan_with(daemon_set("agent").on_delete(), objects),
        str![[r#"
info OnDeleteWaits [b]
    OnDelete: 1 pod of an old revision stays until somebody deletes it: pb on b. `kubectl rollout status` refuses a set with this strategy.
    => Wait until the set is available again on a before deleting the next.

"#]],
    );
}

#[test]
fn on_delete_leaves_nodes_that_are_down_for_last() {
    let set = daemon_set("agent").on_delete();
    let objects = [
        node("a"),
        node("b").node_ready("Unknown", 3600),
        node("c").taint("x:NoSchedule"),
        pod("pa").on("a"),
        pod("pb").on("b").old().not_ready_for(3600),
    ];
    told(
        &plan_with(set, objects),
        str![[r#"
warning NodesDown [b]
    A node is down, and the set has no available pod there: b (Ready=Unknown for 60m, pod not available). A DaemonSet pod is not moved elsewhere: it waits for its node.
    => Bring b back; or if it is gone for good, remove its Node object: `kubectl delete node b`.
info NotStartedOnTaintedNodes [c]
    1 node has no pod and wants none, because of the taint x:NoSchedule: c.
    => To run there, tolerate x:NoSchedule in the template.
info OnDeleteWaits [b]
    OnDelete: 1 pod of an old revision stays until somebody deletes it: pb on b. `kubectl rollout status` refuses a set with this strategy.
    => Delete none for now: their nodes are down, and nothing would replace them.

"#]],
    );
}

#[test]
fn a_host_port_and_surge_exclude_each_other() {
    told(
        &plan_with(daemon_set("agent").max_surge(1).host_port(9100), [node("a"), pod("pa").on("a")]),
        str![[r#"
warning HostPortWithSurge []
    The pods take host port 9100/TCP on their node, and maxSurge starts the new pod while the old one is there: the scheduler finds no free port for it, the old one stays, and the rollout stops after the first node.
    => Replace with maxUnavailable instead: `kubectl patch daemonset agent -n ops -p '{"spec":{"updateStrategy":{"rollingUpdate":{"maxSurge":0,"maxUnavailable":1}}}}'`. That changes no pod template, and the new pods that wait are taken back.

"#]],
    );
}

#[test]
fn a_surge_stuck_on_its_own_host_port_is_one_finding() {
    let waiting = pod("pa-new").created(600).host_port(9100).pinned_to("a").unschedulable(NO_FREE_PORTS, 600);
    let objects = [
        node("a"),
        node("b"),
        pod("pa").on("a").old().host_port(9100),
        waiting,
        pod("pb").on("b").old().host_port(9100),
    ];
    told(
        &plan_with(daemon_set("agent").max_surge(1).host_port(9100), objects),
        str![[r#"
error HostPortWithSurge [a]
    The pods take host port 9100/TCP on their node, and maxSurge starts the new pod while the old one is there: the scheduler finds no free port for it, the old one stays, and the rollout stops after the first node. So it is on a. It takes 1 place of a rollout budget of 1 (maxSurge 1), so 1 node with an available old pod waits: b.
    => Replace with maxUnavailable instead: `kubectl patch daemonset agent -n ops -p '{"spec":{"updateStrategy":{"rollingUpdate":{"maxSurge":0,"maxUnavailable":1}}}}'`. That changes no pod template, and the new pods that wait are taken back.

"#]],
    );
}

#[test]
fn a_budget_of_the_whole_set_is_told() {
    let set = daemon_set("agent").max_unavailable("100%");
    let revision = current_revision(&set).created(1);
    let objects = [set, revision, node("a"), node("b"), pod("pa").on("a").old(), pod("pb").on("b").old()];
    told(
        &plan(&snapshot(objects)),
        str![[r#"
warning WholeSetAtOnce []
    With maxUnavailable 100% a rollout may replace the pods of all 2 wanted nodes at the same time. 2 of them go next.
    => If that is not meant: `kubectl patch daemonset agent -n ops -p '{"spec":{"updateStrategy":{"rollingUpdate":{"maxUnavailable":1}}}}'`.

"#]],
    );
}

#[test]
fn two_zeros_count_as_one() {
    let objects = [node("a"), node("b"), pod("pa").on("a"), pod("pb").on("b")];
    told(
        &plan_with(daemon_set("agent").max_unavailable(0), objects),
        str![[r#"
info ZeroBudget []
    Neither maxUnavailable nor maxSurge allows anything; the controller then takes maxUnavailable 1.

"#]],
    );
}

#[test]
fn pods_ready_too_recently_are_all_replaced() {
    let set = daemon_set("agent").set("/spec/minReadySeconds", 600).set("/spec/revisionHistoryLimit", 5);
    let pods = ["a", "b", "c"].map(|name| pod(&format!("p{name}")).on(name).old().created(700).ready_for(20));
    told(
        &plan_with(set, ["a", "b", "c"].map(node).into_iter().chain(pods)),
        str![[r#"
warning ReplacedBeyondBudget [a b c]
    3 old pods not available go at once, though the rollout budget is 1 (maxUnavailable 1): the budget holds back only available pods. 3 of them are Ready and may serve, but not yet for minReadySeconds (600s).

"#]],
    );
}
