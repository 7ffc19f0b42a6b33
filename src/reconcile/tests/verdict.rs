//! The verdict: the first rule that fits, in the order of the contract.

use serde_json::json;

use super::cluster::Cluster;
use super::{nodes_with_pods, on_one_node, plan_of};
use crate::builders::{Object, current_revision, daemon_set, node, old_revision, plan, plan_with, pod, snapshot};
use crate::plan::{Outcome, Resource, Verdict, When};

fn verdict(daemon_set: Object, objects: impl IntoIterator<Item = Object>) -> Verdict {
    plan_with(daemon_set, objects).verdict
}

fn limited(max_unavailable: i64) -> Object {
    daemon_set("agent").max_unavailable(max_unavailable)
}

/// An unobserved edit of a set.
fn edited(daemon_set: Object) -> Object {
    daemon_set.set("/metadata/generation", 5)
}

fn healthy(name: &str) -> [Object; 2] {
    [node(name), pod(&format!("p-{name}")).on(name)]
}

fn outdated(name: &str) -> [Object; 2] {
    [node(name), pod(&format!("p-{name}")).on(name).old()]
}

fn unwanted(name: &str) -> Object {
    node(name).taint("k:NoSchedule")
}

/// A pod that has been on its way for a minute.
fn starting(name: &str) -> Object {
    pod(&format!("p-{name}")).pinned_to(name).created(60)
}

/// A pod of the current revision that has been broken for long.
fn broken(name: &str) -> Object {
    pod(&format!("p-{name}")).on(name).not_ready_for(3600)
}

#[test]
fn a_set_that_the_controller_skips_is_skipped_whatever_else() {
    let broken_selector = daemon_set("agent").set("/spec/selector", json!({ "matchExpressions": [{ "key": "" }] }));
    for set in [
        daemon_set("agent").set("/spec/selector", json!({})),
        daemon_set("agent").deleting(-30),
        edited(broken_selector.deleting(-30)),
    ] {
        assert_eq!(verdict(set.clone(), [node("a")]), Verdict::Skipped);
        assert_eq!(verdict(set, []), Verdict::Skipped);
    }
}

#[test]
fn a_sync_that_fails_is_blocked_even_without_nodes() {
    let set = daemon_set("agent").set("/spec/selector/matchLabels", json!({ "": "x" }));
    let failed = |objects: Vec<Object>| {
        let plan = plan_with(edited(set.clone()), objects);
        (plan.outcome, plan.verdict)
    };
    assert_eq!(failed(vec![node("a")]), (Outcome::Failed, Verdict::Blocked));
    assert_eq!(failed(vec![]), (Outcome::Failed, Verdict::Blocked));
}

#[test]
fn without_nodes_nothing_is_known() {
    assert_eq!(verdict(edited(limited(1)), []), Verdict::Unknown);
    let set = limited(1);
    let mut forbidden = snapshot([current_revision(&set), set, node("a")]);
    forbidden.missing = vec![Resource::Nodes];
    assert_eq!(plan(&forbidden).verdict, Verdict::Unknown);
}

#[test]
fn an_unobserved_edit_is_moving_whatever_is_to_be_done() {
    for objects in [vec![node("a")], vec![unwanted("a")], outdated("a").into(), healthy("a").into()] {
        let plan = plan_with(edited(limited(1)), objects);
        assert_eq!((plan.outcome, plan.verdict), (Outcome::AwaitingObservation, Verdict::Moving));
    }
}

#[test]
fn where_no_node_is_wanted_and_no_pod_left_there_is_nothing_to_run() {
    assert_eq!(verdict(limited(1), [unwanted("a")]), Verdict::NothingToRun);
    let ended = pod("p").on("a").phase("Failed").deleting(-30);
    assert_eq!(verdict(limited(1), [unwanted("a"), ended]), Verdict::NothingToRun);
    let released = pod("p").on("a").label("app", "web");
    assert_eq!(verdict(limited(1), [unwanted("a"), released]), Verdict::NothingToRun);
}

#[test]
fn where_no_node_is_wanted_while_pods_are_kept_the_set_is_degraded() {
    let invisible = pod("p").on("a").without("/spec/nodeName");
    for kept in [pod("p").on("a"), pod("p").on("a").deleting(-30), pod("p").on("gone"), invisible] {
        assert_eq!(verdict(limited(1), [unwanted("a"), kept]), Verdict::Degraded);
    }
}

#[test]
fn a_sync_that_makes_or_deletes_a_pod_is_work() {
    let excess = [pod("p").on("a"), pod("q").on("a")];
    let failed = [pod("p").on("a").phase("Failed"), pod("q").on("a").phase("Failed")];
    for objects in [
        vec![node("a")],
        [node("a")].into_iter().chain(excess).collect(),
        [node("a")].into_iter().chain(failed).collect(),
        vec![node("a").taint("k:NoExecute"), pod("p").on("a")],
    ] {
        for set in
            [limited(1), daemon_set("agent").on_delete(), daemon_set("agent").set("/spec/updateStrategy/type", "x")]
        {
            assert_eq!(verdict(set, objects.clone()), Verdict::Work);
        }
    }
    assert_eq!(verdict(limited(1), outdated("a")), Verdict::Work);
    assert_eq!(verdict(limited(1), outdated("a").into_iter().chain(outdated("b"))), Verdict::Work, "an open choice");
    assert_eq!(verdict(daemon_set("agent").max_surge(1), outdated("a")), Verdict::Work);
}

#[test]
fn a_rollout_that_ends_in_an_error_is_blocked_unless_manage_acts() {
    let set = limited(1).max_unavailable("x");
    assert_eq!(verdict(set.clone(), healthy("a")), Verdict::Blocked);
    assert_eq!(verdict(set.clone(), [node("a"), starting("a")]), Verdict::Blocked);
    assert_eq!(verdict(set, [node("a")]), Verdict::Work);
    let vanished = [pod("q").on("gone").old()];
    assert_eq!(verdict(daemon_set("agent").max_surge(1), healthy("a").into_iter().chain(vanished)), Verdict::Blocked);
}

#[test]
fn old_pods_behind_budget_holders_that_do_not_move_are_blocked() {
    let behind = |holder: Vec<Object>| verdict(limited(1), outdated("a").into_iter().chain(holder));
    for (holder, expected) in [
        (vec![node("b"), broken("b")], Verdict::Blocked),
        (vec![node("b"), starting("b")], Verdict::Moving),
        (vec![node("b"), starting("b").created(601)], Verdict::Blocked),
        (vec![node("b"), pod("q").on("b").created(60).waiting("ImagePullBackOff")], Verdict::Blocked),
        (vec![node("b"), pod("q").on("b").deleting(-1)], Verdict::Moving),
        (vec![node("b"), broken("b").deleting(-1)], Verdict::Moving),
        (vec![node("b"), pod("q").on("b").deleting(0)], Verdict::Blocked),
        (vec![node("b"), pod("q").on("b").deleting(60)], Verdict::Blocked),
        (vec![node("b"), pod("q").on("b").deleting(60), pod("r").on("b").deleting(-30)], Verdict::Blocked),
        (vec![pod("q").on("gone").deleting(-30)], Verdict::Moving),
        (vec![pod("q").on("gone").deleting(60)], Verdict::Blocked),
        (vec![unwanted("b"), pod("q").on("b").deleting(-30)], Verdict::Moving),
        (vec![unwanted("b"), pod("q").on("b").not_ready_for(3600)], Verdict::Blocked),
        (vec![pod("q").on("gone"), pod("r").on("gone")], Verdict::Blocked),
    ] {
        assert_eq!(behind(holder.clone()), expected, "{holder:?}");
    }
}

#[test]
fn one_holder_that_moves_does_not_help_where_another_does_not() {
    let stuck_and = |max: i64, moving: [Object; 2]| {
        verdict(limited(max), [node("b"), broken("b")].into_iter().chain(moving).chain(outdated("a")))
    };
    assert_eq!(stuck_and(1, [node("c"), starting("c")]), Verdict::Blocked);
    assert_eq!(stuck_and(2, [node("c"), starting("c")]), Verdict::Moving);
    assert_eq!(stuck_and(2, [node("c"), broken("c")]), Verdict::Blocked);
}

#[test]
fn a_ready_pod_inside_min_ready_seconds_is_moving_however_old() {
    let set = limited(1).set("/spec/minReadySeconds", 600);
    let young = || [node("b"), pod("q").on("b").ready_for(30)];
    assert_eq!(verdict(set.clone(), outdated("a").into_iter().chain(young())), Verdict::Moving);
    assert_eq!(verdict(set.clone(), young()), Verdict::Moving);
    let timeless = pod("q").on("b").without("/status/conditions/0/lastTransitionTime");
    assert_eq!(verdict(set, [node("b"), timeless]), Verdict::Degraded, "it never becomes available");
}

#[test]
fn with_surge_old_pods_wait_for_the_new_ones_beside_them() {
    let surging = || daemon_set("agent").max_surge(1);
    let beside = |new: Object| outdated("a").into_iter().chain([new.created(60)]).chain(outdated("b"));
    assert_eq!(verdict(surging(), beside(pod("q").pinned_to("a"))), Verdict::Moving);
    assert_eq!(verdict(surging(), beside(pod("q").on("a").waiting("CrashLoopBackOff"))), Verdict::Blocked);
    let last = outdated("a").into_iter().chain([pod("q").pinned_to("a").created(60)]);
    assert_eq!(verdict(surging(), last), Verdict::Moving, "the last one");
}

#[test]
fn with_surge_an_unwanted_nodes_pod_waits_for_the_wanted_nodes() {
    let surging = || daemon_set("agent").max_surge(1);
    let kept = || [unwanted("x"), pod("p-x").on("x").old()];
    let with = |objects: Vec<Object>| verdict(surging(), objects.into_iter().chain(kept()));
    assert_eq!(with(vec![node("a"), starting("a")]), Verdict::Moving);
    assert_eq!(with(vec![node("a"), broken("a")]), Verdict::Blocked);
    let leaves = [unwanted("y"), pod("p-y").on("y").old().deleting(-30)];
    let objects = [node("a"), broken("a")].into_iter().chain(leaves).collect();
    assert_eq!(with(objects), Verdict::Blocked, "a pod that leaves for good makes none available");
}

#[test]
fn on_delete_outdated_pods_wait_for_somebody_unless_a_pod_is_on_its_way() {
    let set = || daemon_set("agent").on_delete();
    assert_eq!(verdict(set(), outdated("a")), Verdict::AwaitingDelete);
    let with = |objects: Vec<Object>| verdict(set(), outdated("a").into_iter().chain(objects));
    assert_eq!(with(vec![node("b"), broken("b")]), Verdict::AwaitingDelete);
    assert_eq!(with(vec![node("b"), starting("b")]), Verdict::Moving);
    assert_eq!(with(vec![node("b"), pod("q").on("b").deleting(-30)]), Verdict::Moving);
    assert_eq!(
        with(vec![unwanted("b"), pod("q").on("b").deleting(-30)]),
        Verdict::AwaitingDelete,
        "not a wanted node's"
    );
    assert_eq!(
        verdict(set(), [node("a"), pod("p").on("a").old().deleting(60)]),
        Verdict::Degraded,
        "none left to delete"
    );
    assert_eq!(verdict(set(), healthy("a").into_iter().chain([pod("q").on("gone").old()])), Verdict::AwaitingDelete);
}

#[test]
fn an_unknown_strategy_waits_for_nobody() {
    let plan = plan_with(daemon_set("agent").set("/spec/updateStrategy/type", "x"), outdated("a"));
    assert_eq!((plan.rollout.when, plan.verdict), (When::Never, Verdict::InSync));
}

#[test]
fn without_old_pods_a_pod_on_its_way_is_moving_and_a_stuck_one_degraded() {
    for set in [limited(1), daemon_set("agent").on_delete(), daemon_set("agent").max_surge(1)] {
        let with = |pod: Object| verdict(set.clone(), healthy("a").into_iter().chain([node("b"), pod]));
        assert_eq!(with(starting("b")), Verdict::Moving);
        assert_eq!(with(broken("b")), Verdict::Degraded);
        assert_eq!(with(pod("q").on("b")), Verdict::InSync);
    }
    let with = |pod: Object| verdict(limited(1), healthy("a").into_iter().chain([node("b"), pod]));
    assert_eq!(with(pod("q").on("b").deleting(-30)), Verdict::Moving);
    assert_eq!(with(pod("q").on("b").deleting(60)), Verdict::Degraded, "ready, but terminating for too long");
}

#[test]
fn an_unwanted_nodes_pod_neither_moves_nor_degrades_the_set() {
    for stays in [pod("q").on("x"), pod("q").on("x").not_ready_for(3600), pod("q").on("x").deleting(-30), starting("x")]
    {
        assert_eq!(verdict(limited(1), healthy("a").into_iter().chain([unwanted("x"), stays])), Verdict::InSync);
    }
}

#[test]
fn a_set_without_its_revision_is_judged_by_what_the_next_sync_does() {
    let set = daemon_set("agent").on_delete();
    let [node, pod] = healthy("a");
    let plan = plan_of([old_revision(&set, "old", 1), set, node, pod]);
    assert_eq!((plan.history.create, plan.verdict), (true, Verdict::AwaitingDelete));
}

#[test]
fn a_rollout_goes_from_work_through_moving_to_in_sync() {
    let mut cluster = Cluster::new(limited(1), nodes_with_pods("n", 2, Object::old));
    let mut verdicts = vec![cluster.plan().verdict];
    let mut next = |cluster: &mut Cluster, step: fn(&mut Cluster) -> String| {
        step(cluster);
        verdicts.push(cluster.plan().verdict);
    };
    next(&mut cluster, Cluster::sync);
    next(&mut cluster, Cluster::sync_when_gone);
    next(&mut cluster, Cluster::sync_when_ready);
    next(&mut cluster, Cluster::sync_when_gone);
    cluster.make_ready();
    next(&mut cluster, Cluster::sync);
    use Verdict::{InSync, Moving, Work};
    assert_eq!(verdicts, [Work, Moving, Moving, Moving, Moving, InSync]);
    assert_eq!(on_one_node(limited(1), [pod("p").on("a")]).verdict, InSync);
}
