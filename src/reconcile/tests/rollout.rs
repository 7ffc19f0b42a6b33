//! The rolling update without surge: edge cases 89 to 102, 155, 156, 159, 160, 167.

use serde_json::{Value, json};

use super::cluster::Cluster;
use super::{NOTHING, budget, counts, covers, does, nodes, nodes_with_pods, on_one_node, ready_old, step};
use crate::builders::{Object, daemon_set, node, plan_with, pod};
use crate::plan::{BudgetHolder, Plan, When};

fn limited(max_unavailable: impl Into<Value>) -> Object {
    daemon_set("agent").max_unavailable(max_unavailable)
}

fn unready_old(prefix: &str, count: usize) -> Vec<Object> {
    nodes_with_pods(prefix, count, |pod| pod.old().not_ready_for(60))
}

fn unready_new(prefix: &str, count: usize) -> Vec<Object> {
    nodes_with_pods(prefix, count, |pod| pod.not_ready_for(60))
}

fn all(parts: impl IntoIterator<Item = Vec<Object>>) -> Vec<Object> {
    parts.into_iter().flatten().collect()
}

/// Returns who holds the budget, as `node/pod: reason`.
fn holders(plan: &Plan) -> Vec<String> {
    let holder = |holder: &BudgetHolder| {
        format!("{}/{}: {}", holder.node, holder.pod.as_deref().unwrap_or("-"), holder.reason.as_str())
    };
    plan.rollout.budget.used_by.iter().map(holder).collect()
}

#[test]
fn ready_old_pods_are_replaced_within_max_unavailable() {
    covers([89]);
    let mut cluster = Cluster::new(limited(2), ready_old("n", 5));
    assert_eq!(does(&cluster.plan()), ["rollout: delete 2 of p-n00, p-n01, p-n02, p-n03, p-n04: OldPodAvailable"]);
    let walked = [
        cluster.sync(),
        cluster.sync(),
        cluster.sync_when_gone(),
        cluster.sync(),
        cluster.sync_when_ready(),
        cluster.sync_when_gone(),
        cluster.sync_when_ready(),
        cluster.sync_when_gone(),
        cluster.sync_when_ready(),
    ];
    assert_eq!(walked, ["0/2", "0/0", "2/0", "0/0", "0/2", "2/0", "0/1", "1/0", "0/0"]);
}

#[test]
fn new_pods_that_never_become_ready_stop_the_rollout() {
    covers([90]);
    let mut cluster = Cluster::new(limited(3), ready_old("n", 5));
    assert_eq!(
        [cluster.sync(), cluster.sync_when_gone(), cluster.sync(), cluster.sync()],
        ["0/3", "3/0", "0/0", "0/0"]
    );
    assert_eq!(budget(&cluster.plan()), [3, 3, 0]);
}

#[test]
fn unready_old_pods_are_replaced_whatever_the_budget() {
    covers([91]);
    let plan = plan_with(limited(3), unready_old("n", 5));
    assert_eq!(does(&plan), [0, 1, 2, 3, 4].map(|i| format!("rollout: delete p-n0{i}: OldPodUnavailable")));
    assert_eq!(budget(&plan), [3, 5, 0]);
}

#[test]
fn a_second_change_replaces_the_pods_that_the_first_left_unready() {
    covers([92]);
    let mut cluster = Cluster::new(limited(2), ready_old("n", 5));
    assert_eq!([cluster.sync(), cluster.sync_when_gone()], ["0/2", "2/0"]);
    cluster.set_image("agent:3");
    assert_eq!(
        does(&cluster.plan()),
        [
            "rollout: delete made-001: OldPodUnavailable",
            "rollout: delete made-002: OldPodUnavailable",
            "create revision"
        ]
    );
}

#[test]
fn unready_old_pods_use_up_the_budget_before_ready_ones_go() {
    covers([93]);
    let objects = all([ready_old("r", 10), unready_old("u", 10)]);
    for (max, expected) in [(0, 10), (1, 10), (5, 10), (9, 10), (10, 10), (11, 11), (14, 14), (30, 20)] {
        assert_eq!(counts(&plan_with(limited(max), objects.clone())), format!("0/{expected}"), "maxUnavailable {max}");
    }
    let plan = plan_with(limited(11), objects);
    assert_eq!(
        (plan.rollout.delete.len(), plan.rollout.choose[0].count, plan.rollout.choose[0].from.len()),
        (10, 1, 10)
    );
    assert_eq!(budget(&plan), [11, 10, 1]);
}

#[test]
fn unready_new_pods_hold_the_budget_and_only_unready_old_ones_go() {
    covers([94]);
    let objects = all([unready_new("n", 88), unready_old("u", 2), ready_old("r", 10)]);
    let plan = plan_with(limited(10), objects);
    assert_eq!(does(&plan), ["u00", "u01"].map(|node| format!("rollout: delete p-{node}: OldPodUnavailable")));
    assert_eq!(budget(&plan), [10, 90, 0]);
}

#[test]
fn percentages_are_of_wanted_nodes_rounded_up() {
    covers([95, 96]);
    for (max, count, expected) in [
        (json!("10%"), 5, 1),
        (json!("25%"), 10, 3),
        (json!("33%"), 10, 4),
        (json!("100%"), 7, 7),
        (json!(0), 2, 1),
        (json!("0%"), 2, 1),
        (json!(0), 0, 0),
        (json!("50%"), 0, 0),
        (json!(3), 0, 3),
    ] {
        let tainted = node("x").taint("k:NoSchedule");
        let plan = plan_with(limited(max.clone()), nodes("n", count).into_iter().chain([tainted]));
        let strategy = &plan.update_strategy;
        assert_eq!(
            (strategy.resolved_max_unavailable, strategy.resolved_max_surge, plan.rollout.budget.max),
            (Some(expected), Some(0), expected),
            "{max} of {count}"
        );
    }
}

#[test]
fn nodes_without_a_live_pod_count_as_unavailable() {
    covers([97]);
    let objects = [node("a"), node("b"), node("c"), pod("p").on("a"), pod("q").on("b").deleting(-30)];
    let plan = plan_with(limited("50%"), objects);
    assert_eq!(budget(&plan), [2, 2, 0]);
    assert_eq!(holders(&plan), ["b/q: OnlyTerminatingPods", "c/-: NoPod"]);
}

#[test]
fn a_terminating_pod_on_a_dead_node_stalls_the_rollout_unless_the_budget_leaves_room() {
    covers([98]);
    let stuck =
        [node("dead").taint("node.kubernetes.io/unreachable:NoSchedule"), pod("stuck").on("dead").deleting(600)];
    let objects: Vec<_> = ready_old("n", 4).into_iter().chain(stuck).collect();
    let mut cluster = Cluster::new(limited(1), objects.clone());
    assert_eq!([cluster.sync(), cluster.sync()], ["0/0", "0/0"]);
    assert_eq!(holders(&cluster.plan()), ["dead/stuck: OnlyTerminatingPods"]);
    let plan = plan_with(limited("40%"), objects);
    assert_eq!((plan.status.desired_number_scheduled, budget(&plan), counts(&plan)), (4, [2, 1, 1], "0/1".to_owned()));
}

#[test]
fn another_strategy_alone_replaces_nothing() {
    covers([99]);
    for set in [limited(5), limited("100%"), daemon_set("agent").max_surge(2), daemon_set("agent").on_delete()] {
        assert_eq!(does(&plan_with(set, nodes_with_pods("n", 3, |pod| pod))), NOTHING);
    }
}

#[test]
fn a_node_with_several_live_pods_counts_as_unavailable() {
    covers([100]);
    let objects = [pod("p").on("a"), pod("q").on("a")];
    let plan = plan_with(limited(2), ready_old("n", 2).into_iter().chain([node("a")]).chain(objects));
    assert_eq!((plan.rollout.when, does(&plan)), (When::AfterManage, vec!["delete q: ExcessPod".to_owned()]));
    assert_eq!((holders(&plan), budget(&plan)), (vec!["a/p: AmbiguousPods".to_owned()], [2, 1, 1]));
    assert_eq!(step(&plan), ["delete 1 of p-n00, p-n01: OldPodAvailable"]);
}

#[test]
fn every_way_to_be_unavailable_is_told_apart() {
    let objects = [
        vec![node("1"), pod("p1").on("1").old().created(60), pod("q1").on("1").created(30)],
        vec![node("2"), pod("p2").on("2").old(), pod("q2").on("2").old()],
        vec![node("3"), pod("p3").on("3").not_ready_for(5)],
        vec![node("4"), pod("p4").on("4").old().not_ready_for(5)],
        vec![node("5"), pod("p5").on("5").deleting(-3), pod("q5").on("5").deleting(-3)],
        vec![node("6")],
        vec![node("7"), pod("p7").on("7"), pod("q7").on("7").deleting(-3)],
    ];
    let plan = plan_with(limited(9), all(objects));
    assert_eq!(
        holders(&plan),
        [
            "1/q1: NewAndOldPod",
            "2/p2: AmbiguousPods",
            "3/p3: NewPodNotAvailable",
            "4/p4: OldPodUnavailable",
            "5/p5: OnlyTerminatingPods",
            "6/-: NoPod",
        ]
    );
    assert_eq!(budget(&plan), [9, 6, 3]);
}

#[test]
fn an_unwanted_node_without_pods_does_not_count() {
    let unwanted = [node("x").taint("k:NoSchedule"), node("y").taint("k:NoExecute")];
    let plan = plan_with(limited(1), ready_old("n", 1).into_iter().chain(unwanted));
    assert_eq!((does(&plan), budget(&plan)), (vec!["rollout: delete p-n00: OldPodAvailable".to_owned()], [1, 0, 1]));
}

#[test]
fn an_old_pod_that_may_only_stay_can_be_chosen_and_does_not_come_back() {
    covers([101]);
    let mut cluster = Cluster::new(limited(1), [node("a").taint("k:NoSchedule"), pod("p").on("a").old()]);
    assert_eq!(does(&cluster.plan()), ["rollout: delete p: OldPodAvailable"]);
    assert_eq!([cluster.sync(), cluster.sync_when_gone(), cluster.sync()], ["0/1", "0/0", "0/0"]);
}

#[test]
fn on_delete_replaces_nothing_and_shows_the_step_of_one() {
    covers([102]);
    let plan = plan_with(daemon_set("agent").on_delete(), ready_old("n", 3));
    assert_eq!((plan.rollout.when, does(&plan), counts(&plan)), (When::OnDelete, vec![], "0/0".to_owned()));
    assert_eq!(
        (step(&plan), budget(&plan)),
        (vec!["delete 1 of p-n00, p-n01, p-n02: OldPodAvailable".to_owned()], [1, 0, 1])
    );
    let unwanted = [node("a").taint("k:NoSchedule"), pod("p").on("a").old()];
    let plan = plan_with(daemon_set("agent").on_delete(), unwanted);
    assert_eq!((budget(&plan), step(&plan)), ([0, 0, 0], vec![]), "no node is wanted");
}

#[test]
fn leftover_parameters_of_an_on_delete_set_do_not_count() {
    let set = daemon_set("agent").set("/spec/updateStrategy/type", "OnDelete").max_surge(3);
    let plan = plan_with(set, ready_old("n", 3));
    let strategy = &plan.update_strategy;
    assert_eq!(
        (strategy.resolved_max_unavailable, strategy.resolved_max_surge, budget(&plan)),
        (None, None, [1, 0, 1])
    );
    let written = serde_json::to_value(strategy).expect("it serializes");
    assert_eq!(written, json!({ "type": "OnDelete", "maxUnavailable": 0, "maxSurge": 3 }));
}

#[test]
fn an_unknown_strategy_replaces_nothing() {
    for type_ in ["", "rollingUpdate", "Recreate"] {
        let plan = plan_with(daemon_set("agent").set("/spec/updateStrategy/type", type_), unready_old("n", 2));
        let acts = (plan.rollout.when, does(&plan), step(&plan), budget(&plan));
        assert_eq!(acts, (When::Never, vec![], vec![], [0, 0, 0]), "{type_:?}");
        assert_eq!(plan.update_strategy.resolved_max_unavailable, None);
    }
}

#[test]
fn a_bound_old_pod_of_a_vanished_node_takes_part() {
    covers([155]);
    let fine = || [node("a"), pod("p").on("a")];
    let plan = plan_with(limited(1), fine().into_iter().chain([pod("q").on("gone").old()]));
    assert_eq!(does(&plan), ["rollout: delete q: OldPodAvailable"]);
    let unready = [node("b"), pod("u").on("b").not_ready_for(9), pod("q").on("gone").old().not_ready_for(9)];
    let plan = plan_with(limited(1), fine().into_iter().chain(unready));
    assert_eq!(does(&plan), ["rollout: delete q: OldPodUnavailable"]);
    assert_eq!(budget(&plan), [1, 2, 0]);
}

#[test]
fn a_terminating_pod_of_a_vanished_node_uses_the_budget() {
    covers([156]);
    let plan = plan_with(limited(1), [node("a"), pod("p").on("a").old(), pod("q").on("gone").deleting(60)]);
    assert_eq!((does(&plan), holders(&plan)), (vec![], vec!["gone/q: OnlyTerminatingPods".to_owned()]));
}

#[test]
fn parameters_that_do_not_parse_end_the_rollout_and_nothing_else() {
    covers([159]);
    let surging = daemon_set("agent").max_surge(1);
    let unset = daemon_set("agent").without("/spec/updateStrategy/rollingUpdate/maxUnavailable");
    for (set, error) in [
        (surging.clone().max_unavailable("one"), "maxUnavailable: invalid value \"one\": string is not a percentage"),
        (daemon_set("agent").max_surge("x%"), "maxSurge: invalid value \"x%\": no number before the %"),
        (unset, "maxUnavailable: nil value for IntOrString"),
    ] {
        let plan = on_one_node(set, [pod("p").on("a").old()]);
        assert_eq!(does(&plan), [format!("rollout: error: {error}")]);
        assert_eq!((plan.status.number_ready, budget(&plan)), (1, [0, 0, 0]));
        assert_eq!(plan.update_strategy.resolved_max_unavailable, None);
    }
}

#[test]
fn without_parameters_one_node_at_a_time_is_replaced() {
    let set = daemon_set("agent").without("/spec/updateStrategy/rollingUpdate");
    let plan = plan_with(set, ready_old("n", 2));
    assert_eq!(
        (does(&plan), budget(&plan)),
        (vec!["rollout: delete 1 of p-n00, p-n01: OldPodAvailable".to_owned()], [1, 0, 1])
    );
    let set = daemon_set("agent").without("/spec/updateStrategy/rollingUpdate/maxSurge");
    assert_eq!(counts(&plan_with(set, ready_old("n", 2))), "0/1");
}

#[test]
fn the_rollout_judges_a_failed_pod_by_its_ready_condition_alone() {
    covers([160]);
    let used_up = [node("b"), pod("u").on("b").not_ready_for(9)];
    let failed = || pod("f").on("a").old().phase("Failed");
    let plan = on_one_node(limited(1), used_up.clone().into_iter().chain([failed()]));
    assert_eq!((step(&plan), budget(&plan)), (vec![], [1, 1, 0]), "still ready: a candidate");
    let plan = on_one_node(limited(1), used_up.into_iter().chain([failed().without("/status/conditions")]));
    assert_eq!(step(&plan), ["delete f: OldPodUnavailable"]);
}

#[test]
fn the_certain_deletions_come_first_under_the_cap() {
    covers([167]);
    let plan = plan_with(limited("100%"), all([unready_old("u", 240), ready_old("r", 300)]));
    assert_eq!((plan.rollout.delete.len(), plan.rollout.choose.len()), (240, 1));
    assert_eq!((plan.rollout.choose[0].count, plan.rollout.choose[0].from.len()), (10, 300));
    let plan = plan_with(limited("100%"), all([unready_old("u", 251), ready_old("r", 30)]));
    assert_eq!((plan.rollout.delete.len(), plan.rollout.choose.len()), (0, 1));
    assert_eq!((plan.rollout.choose[0].count, plan.rollout.choose[0].from.len()), (250, 251));
}

#[test]
fn exactly_250_deletions_of_the_rollout_are_certain() {
    let taken = |unready: usize, ready: usize| {
        let rollout = plan_with(limited("100%"), all([unready_old("u", unready), ready_old("r", ready)])).rollout;
        (
            rollout.delete.len(),
            rollout.choose.iter().map(|choice| (choice.count, choice.from.len())).collect::<Vec<_>>(),
        )
    };
    assert_eq!(taken(0, 250), (250, vec![]));
    assert_eq!(taken(0, 251), (0, vec![(250, 251)]));
    assert_eq!(taken(250, 0), (250, vec![]));
    assert_eq!(taken(250, 1), (250, vec![]));
    assert_eq!(taken(249, 1), (250, vec![]));
    assert_eq!(taken(249, 2), (249, vec![(1, 2)]));
}
