//! The rolling update with surge: edge cases 103 to 112, 157, 158, 166.

use serde_json::json;

use super::cluster::Cluster;
use super::{NOTHING, acts_of, budget, covers, does, nodes_with_pods, ready_old, step};
use crate::builders::{Object, daemon_set, node, plan_with, pod};
use crate::plan::{BudgetHolder, Outcome, Reason, When};

fn surging(max_surge: impl Into<serde_json::Value>) -> Object {
    daemon_set("agent").max_surge(max_surge)
}

/// A node that may keep its pod but should not run one, with an old pod.
fn unwanted(name: &str) -> [Object; 2] {
    [node(name).taint("k:NoSchedule"), pod(&format!("p-{name}")).on(name).old()]
}

#[test]
fn new_pods_are_made_beside_ready_old_ones_within_max_surge() {
    covers([103]);
    let mut cluster = Cluster::new(surging(2), ready_old("n", 5));
    assert_eq!(does(&cluster.plan()), ["rollout: create on 2 of n00, n01, n02, n03, n04: OldPodAvailable"]);
    assert_eq!([cluster.sync(), cluster.sync()], ["2/0", "0/0"]);
    assert_eq!(budget(&cluster.plan()), [2, 2, 0]);
    cluster.make_ready();
    let plan = cluster.plan();
    // The controller runs the step in the same sync once it has seen manage's deletions: together 2/2.
    assert_eq!(does(&plan), ["delete p-n00: NewPodAvailable", "delete p-n01: NewPodAvailable"]);
    assert_eq!(
        step(&plan),
        [
            "delete p-n00: NewPodAvailable",
            "delete p-n01: NewPodAvailable",
            "create on 2 of n02, n03, n04: OldPodAvailable"
        ]
    );
    let walked = [cluster.sync(), cluster.sync_when_gone(), cluster.sync_when_ready(), cluster.sync_when_gone()];
    assert_eq!(walked, ["0/2", "2/0", "0/2", "1/0"]);
    let walked = [cluster.sync(), cluster.sync_when_ready(), cluster.sync_when_gone()];
    assert_eq!(walked, ["0/0", "0/1", "0/0"]);
}

#[test]
fn unready_old_pods_get_their_successors_beyond_max_surge() {
    covers([104]);
    let unready = nodes_with_pods("n", 5, |pod| pod.old().not_ready_for(60));
    let mut cluster = Cluster::new(surging(3), unready);
    assert_eq!(does(&cluster.plan()), [0, 1, 2, 3, 4].map(|i| format!("rollout: create on n0{i}: OldPodUnavailable")));
    assert_eq!(cluster.sync(), "5/0");
    assert_eq!(does(&cluster.plan()), [0, 1, 2, 3, 4].map(|i| format!("delete p-n0{i}: OldPodNotReady")));
    assert_eq!([cluster.sync(), cluster.sync_when_gone()], ["0/5", "0/0"]);
}

#[test]
fn an_old_pod_that_goes_unready_gets_its_successor_beyond_max_surge() {
    covers([105]);
    let mut cluster = Cluster::new(surging(3).set("/spec/minReadySeconds", 15), ready_old("n", 5));
    assert_eq!(cluster.sync(), "3/0");
    cluster.make_ready();
    assert_eq!(does(&cluster.plan()), NOTHING, "ready, but not for long enough");
    cluster.change("p-n04", |pod| pod.not_ready_for(0));
    assert_eq!(does(&cluster.plan()), ["rollout: create on n04: OldPodUnavailable"]);
    assert_eq!(budget(&cluster.plan()), [3, 3, 0]);
}

#[test]
fn a_node_whose_old_pod_terminates_gets_a_pod_whatever_the_budget() {
    covers([106]);
    let surged = [node("a"), pod("old").on("a").old(), pod("new").on("a").created(9).not_ready_for(5)];
    let terminating = [node("b"), pod("q").on("b").old().deleting(-30)];
    let plan = plan_with(surging(1), surged.into_iter().chain(terminating));
    assert_eq!(does(&plan), ["create on b: NodeHasNoLivePod"]);
    assert_eq!(budget(&plan), [1, 1, 0]);
}

#[test]
fn an_unwanted_nodes_pod_goes_while_more_are_available_than_wanted() {
    covers([107]);
    let mut cluster = Cluster::new(surging(1), ready_old("n", 4).into_iter().chain(unwanted("x")));
    assert_eq!(
        does(&cluster.plan()),
        ["rollout: delete p-x: OldPodOnUnwantedNode", "rollout: create on 1 of n00, n01, n02, n03: OldPodAvailable"]
    );
    let walked = [cluster.sync(), cluster.sync_when_gone(), cluster.sync_when_ready(), cluster.sync_when_gone()];
    assert_eq!(walked, ["1/1", "0/0", "0/1", "1/0"]);
}

#[test]
fn an_unwanted_nodes_pod_stays_while_it_is_needed() {
    covers([108]);
    let unready = [node("u"), pod("p-u").on("u").old().not_ready_for(9)];
    let plan = plan_with(surging(1), ready_old("n", 3).into_iter().chain(unready).chain(unwanted("x")));
    assert_eq!(
        does(&plan),
        ["rollout: create on u: OldPodUnavailable", "rollout: create on 1 of n00, n01, n02: OldPodAvailable"]
    );
}

#[test]
fn an_unready_old_pod_on_an_unwanted_node_goes_and_is_not_replaced() {
    covers([109]);
    let [tainted, old] = unwanted("x");
    let plan = plan_with(surging(1), [node("a"), pod("p").on("a"), tainted, old.not_ready_for(9)]);
    assert_eq!(does(&plan), ["rollout: delete p-x: OldPodOnUnwantedNode"]);
}

#[test]
fn an_old_pod_on_a_vanished_node_ends_the_rollout_in_an_error() {
    covers([110]);
    let surged = [node("a"), pod("old").on("a").old(), pod("new").on("a").created(9).not_ready_for(5)];
    for old in [pod("p").on("gone").old(), pod("p").on("gone").old().not_ready_for(9)] {
        let plan = plan_with(surging(1), surged.clone().into_iter().chain(ready_old("n", 1)).chain([old]));
        assert_eq!(does(&plan), ["rollout: error: node \"gone\" of the old pod \"p\" does not exist"]);
        let holder = BudgetHolder { node: "a".into(), pod: Some("new".into()), reason: Reason::NewPodNotAvailable };
        assert_eq!((budget(&plan), &plan.rollout.budget.used_by), ([1, 1, 0], &vec![holder]));
        assert_eq!((plan.outcome, plan.status.number_ready), (Outcome::Reconciled, 2));
    }
}

#[test]
fn a_new_pod_beside_it_keeps_a_vanished_nodes_old_pod_from_being_an_error() {
    let pods = [pod("new").on("gone").created(9), pod("old").on("gone").old()];
    let plan = plan_with(surging(1), [node("a"), pod("p").on("a")].into_iter().chain(pods));
    assert_eq!(does(&plan), ["rollout: delete old: NewPodAvailable"]);
}

#[test]
fn percentages_of_max_surge_round_up_and_leave_max_unavailable_alone() {
    covers([111]);
    for (max, expected) in [(json!("50%"), 1), (json!("1%"), 1), (json!("100%"), 2), (json!(7), 7)] {
        let strategy = plan_with(surging(max.clone()), ready_old("n", 2)).update_strategy;
        let resolved = (strategy.resolved_max_surge, strategy.resolved_max_unavailable);
        assert_eq!(resolved, (Some(expected), Some(0)), "{max}");
    }
}

#[test]
fn new_pods_that_find_no_room_stall_the_rollout_at_max_surge_nodes() {
    covers([112]);
    let set = surging(2).set("/spec/template/spec/containers/0/ports", json!([{ "hostPort": 9100 }]));
    let mut cluster = Cluster::new(set, ready_old("n", 5));
    assert_eq!([cluster.sync(), cluster.sync(), cluster.sync()], ["2/0", "0/0", "0/0"]);
    cluster.elapsed = 3600;
    assert_eq!((cluster.sync().as_str(), budget(&cluster.plan())), ("0/0", [2, 2, 0]));
}

#[test]
fn an_available_new_pod_of_a_vanished_node_counts_as_available() {
    covers([157]);
    let fine = [node("a"), pod("p").on("a"), pod("q").on("gone")];
    let plan = plan_with(surging(1), fine.into_iter().chain(unwanted("x")));
    assert_eq!(does(&plan), ["rollout: delete p-x: OldPodOnUnwantedNode"]);
    let plan = plan_with(surging(1), [node("a"), pod("p").on("a").not_ready_for(9)].into_iter().chain(unwanted("x")));
    assert_eq!(does(&plan), NOTHING, "as many are available as are wanted");
}

#[test]
fn with_no_node_wanted_a_number_still_surges_and_a_percentage_does_not() {
    covers([158]);
    assert_eq!(does(&plan_with(surging(1), unwanted("x"))), ["rollout: delete p-x: OldPodOnUnwantedNode"]);
    assert_eq!(does(&plan_with(surging("50%"), unwanted("x"))), NOTHING);
    let [tainted, old] = unwanted("x");
    let plan = plan_with(surging("50%"), [tainted, old.not_ready_for(9)]);
    assert_eq!(does(&plan), ["rollout: delete p-x: OldPodUnavailable"]);
    let plan = plan_with(surging("50%"), [node("x").taint("k:NoSchedule"), pod("p").on("x").deleting(-30)]);
    assert_eq!(does(&plan), NOTHING, "manage allows surge, but the node is not wanted");
}

#[test]
fn creations_and_deletions_can_be_open_in_one_step() {
    covers([166]);
    let unready_new = nodes_with_pods("w", 2, |pod| pod.not_ready_for(60));
    let unwanted = ["x", "y", "z"].map(unwanted).into_iter().flatten();
    let plan = plan_with(surging(1), ready_old("n", 2).into_iter().chain(unready_new).chain(unwanted));
    assert_eq!(
        does(&plan),
        [
            "rollout: delete 1 of p-x, p-y, p-z: OldPodOnUnwantedNode",
            "rollout: create on 1 of n00, n01: OldPodAvailable"
        ]
    );
}

#[test]
fn ambiguous_nodes_hold_the_surge_and_new_pods_alone_do_not() {
    let objects = [
        vec![node("a"), pod("p").on("a").old().created(60), pod("q").on("a").old().created(30)],
        vec![node("b"), pod("r").on("b").not_ready_for(9)],
        vec![node("c"), pod("s").on("c").deleting(-9), pod("t").on("c")],
    ];
    let plan = plan_with(surging(3), objects.into_iter().flatten().chain(ready_old("n", 3)));
    let holder = BudgetHolder { node: "a".into(), pod: Some("p".into()), reason: Reason::AmbiguousPods };
    assert_eq!((budget(&plan), &plan.rollout.budget.used_by), ([3, 1, 2], &vec![holder]));
    assert_eq!(
        (plan.rollout.when, step(&plan)),
        (When::AfterManage, vec!["create on 2 of n00, n01, n02: OldPodAvailable".to_owned()])
    );
}

#[test]
fn more_surging_nodes_than_allowed_leave_nothing_free() {
    let surged = |name: &str| {
        [
            node(name),
            pod(&format!("old-{name}")).on(name).old(),
            pod(&format!("z-{name}")).on(name).created(9).not_ready_for(5),
        ]
    };
    let objects = ["a", "b", "c"].map(surged).into_iter().flatten().chain(ready_old("n", 3));
    let plan = plan_with(surging(2), objects);
    assert_eq!((does(&plan), budget(&plan)), (vec![], [2, 3, 0]));
}

#[test]
fn an_old_pod_beside_a_new_one_counts_by_itself_for_availability() {
    // Available: a (by its old pod), x. Wanted: a, b. The new pod of a does not count besides, so x stays.
    let surged = [node("a"), pod("old").on("a").old(), pod("new").on("a").created(9).ready_for(9)];
    let set = surging(1).set("/spec/minReadySeconds", 60);
    let unready = [node("b"), pod("r").on("b").not_ready_for(9)];
    let plan = plan_with(set.clone(), surged.into_iter().chain(unready.clone()).chain(unwanted("x")));
    assert_eq!(does(&plan), NOTHING);
    // With an old pod that is not available, the node does not count although its new pod is.
    let surged = [node("a"), pod("old").on("a").old().ready_for(5), pod("new").on("a").ready_for(600)];
    let plan = plan_with(set, surged.into_iter().chain(unready).chain(unwanted("x")).chain(unwanted("y")));
    assert_eq!(step(&plan), ["delete old: NewPodAvailable"]);
}

#[test]
fn at_most_250_surge_pods_are_made_in_a_sync() {
    let plan = plan_with(surging("100%"), ready_old("n", 251));
    assert_eq!(
        (plan.rollout.create.len(), plan.rollout.choose[0].count, plan.rollout.choose[0].from.len()),
        (0, 250, 251)
    );
    let plan = plan_with(surging("100%"), ready_old("n", 250));
    assert_eq!((plan.rollout.create.len(), plan.rollout.choose.len()), (250, 0));
    assert_eq!(acts_of(&[], &plan.rollout.delete, &plan.rollout.choose), NOTHING);
    let unready = nodes_with_pods("n", 251, |pod| pod.old().not_ready_for(60));
    let plan = plan_with(surging(1), unready);
    assert_eq!(
        (plan.rollout.create.len(), plan.rollout.choose[0].count, plan.rollout.choose[0].from.len()),
        (0, 250, 251)
    );
}
