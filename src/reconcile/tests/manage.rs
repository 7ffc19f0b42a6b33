//! Manage: edge cases 50 to 70, 129, 133 to 136, 165.

use super::cluster::Cluster;
use super::{NOTHING, counts, covers, does, nodes, nodes_with_pods, on_one_node, plan_of, step};
use crate::builders::{Object, current_revision, daemon_set, node, plan_with, pod};
use crate::plan::When;

/// A set of each strategy that allows no surge.
fn without_surge() -> [Object; 2] {
    [daemon_set("agent"), daemon_set("agent").on_delete()]
}

fn with_surge() -> Object {
    daemon_set("agent").max_surge(1)
}

/// A pod on node `a`, created so many seconds ago.
fn on_a(name: &str, seconds_ago: i64) -> Object {
    pod(name).on("a").created(seconds_ago)
}

#[test]
fn a_terminating_pod_blocks_its_node_without_surge() {
    covers([50]);
    for set in without_surge() {
        assert_eq!(does(&on_one_node(set.clone(), [on_a("p", 60)])), NOTHING);
        let mut cluster = Cluster::new(set, [node("a"), on_a("p", 60).deleting(-30)]);
        assert_eq!([cluster.sync(), cluster.sync_when_gone(), cluster.sync()], ["0/0", "1/0", "0/0"]);
    }
}

#[test]
fn a_terminating_pod_does_not_block_its_node_with_surge() {
    covers([51]);
    let plan = on_one_node(with_surge(), [on_a("p", 60).deleting(-30)]);
    assert_eq!(does(&plan), ["create on a: NodeHasNoLivePod"]);
}

#[test]
fn without_surge_a_failed_pod_goes_first_and_is_replaced_later() {
    covers([52]);
    for set in without_surge() {
        let mut cluster = Cluster::new(set, [node("a"), on_a("p", 60).phase("Failed")]);
        assert_eq!(does(&cluster.plan()), ["delete p: FailedPod"]);
        // Failed and terminating it no longer counts.
        assert_eq!([cluster.sync(), cluster.sync(), cluster.sync_when_gone()], ["0/1", "1/0", "0/0"]);
    }
}

#[test]
fn a_failed_pod_and_surplus_pods_go_together() {
    covers([53]);
    for set in without_surge() {
        let pods = [on_a("f", 99).phase("Failed"), on_a("p", 60), on_a("q", 50), on_a("r", 40)];
        assert_eq!(
            does(&on_one_node(set, pods)),
            ["delete f: FailedPod", "delete q: ExcessPod", "delete r: ExcessPod"]
        );
    }
}

#[test]
fn of_several_failed_pods_one_goes_at_a_time_and_owned_ones_first() {
    covers([54, 165]);
    let failed = |name: &str| on_a(name, 60).phase("Failed");
    for set in without_surge() {
        assert_eq!(does(&on_one_node(set.clone(), [failed("p"), failed("q")])), ["delete 1 of p, q: FailedPod"]);
        let plan = on_one_node(set.clone(), [failed("p").orphan(), failed("q")]);
        assert_eq!(does(&plan), ["adopt p", "delete q: FailedPod"]);
        let plan = on_one_node(set, [failed("p").orphan(), failed("q").orphan()]);
        assert_eq!(does(&plan), ["adopt p", "adopt q", "delete 1 of p, q: FailedPod"]);
    }
}

#[test]
fn with_surge_a_failed_pod_is_replaced_in_the_same_sync() {
    covers([56]);
    let plan = on_one_node(with_surge(), [on_a("p", 60).phase("Failed")]);
    assert_eq!(does(&plan), ["create on a: NodeHasNoLivePod", "delete p: FailedPod"]);
}

#[test]
fn a_succeeded_pod_goes_each_of_several() {
    covers([57]);
    for set in without_surge() {
        let ended = |name: &str| on_a(name, 60).phase("Succeeded");
        assert_eq!(
            does(&on_one_node(set, [ended("p"), ended("q"), on_a("r", 50)])),
            ["delete p: SucceededPod", "delete q: SucceededPod"]
        );
    }
}

#[test]
fn the_bound_then_oldest_then_first_named_pod_is_kept() {
    covers([58, 59]);
    let pinned = |name: &str, seconds_ago: i64| pod(name).pinned_to("a").created(seconds_ago);
    for set in without_surge() {
        let pods = [pinned("a-pinned", 99), on_a("z", 60), on_a("y", 60), on_a("x", 50), on_a("w", 40)];
        let gone = does(&on_one_node(set.clone(), pods));
        assert_eq!(gone, ["a-pinned", "w", "x", "z"].map(|name| format!("delete {name}: ExcessPod")));
        let gone = does(&on_one_node(set, [pinned("p", 99), on_a("q", 10)]));
        assert_eq!(gone, ["delete p: ExcessPod"]);
    }
}

#[test]
fn readiness_and_revision_do_not_decide_which_pod_stays() {
    covers([60]);
    for set in without_surge() {
        let pods = [on_a("p", 99).old().not_ready_for(90), on_a("q", 60)];
        assert_eq!(does(&on_one_node(set, pods)), ["delete q: ExcessPod"]);
    }
}

#[test]
fn where_no_pod_may_stay_all_but_the_terminating_ones_go() {
    covers([61, 136]);
    let tainted = node("a").taint("k:NoExecute");
    let pods = [
        on_a("failed", 60).phase("Failed"),
        on_a("running", 60),
        on_a("succeeded", 60).phase("Succeeded"),
        on_a("terminating", 60).deleting(-30),
    ];
    let plan = plan_with(daemon_set("agent"), [tainted].into_iter().chain(pods));
    let gone = ["failed", "running", "succeeded"].map(|name| format!("delete {name}: NodeShouldNotContinueRunning"));
    assert_eq!(does(&plan), gone);
}

#[test]
fn with_surge_nothing_is_made_where_a_pod_may_only_stay() {
    covers([62]);
    let plan = plan_with(with_surge(), [node("a").taint("k:NoSchedule"), on_a("p", 60).deleting(-30)]);
    assert_eq!(does(&plan), NOTHING);
}

#[test]
fn with_surge_a_node_keeps_the_first_new_and_the_first_old_pod() {
    covers([63, 66]);
    let new = || on_a("new", 10).not_ready_for(5);
    let plan = on_one_node(with_surge(), [new(), on_a("old-1", 99).old(), on_a("old-2", 60).old()]);
    assert_eq!(does(&plan), ["delete old-2: ExcessPod"]);
    assert_eq!(does(&on_one_node(with_surge(), [on_a("new-1", 60), on_a("new-2", 50)])), ["delete new-2: ExcessPod"]);
    assert_eq!(does(&on_one_node(with_surge(), [new(), on_a("old-1", 99).old()])), NOTHING);
}

#[test]
fn with_surge_an_old_pod_that_is_not_ready_goes_though_a_younger_one_is() {
    covers([64]);
    let pods = [on_a("new", 10).not_ready_for(5), on_a("old-1", 99).old().not_ready_for(9), on_a("old-2", 60).old()];
    assert_eq!(does(&on_one_node(with_surge(), pods)), ["delete old-1: OldPodNotReady", "delete old-2: ExcessPod"]);
}

#[test]
fn with_surge_the_old_pod_stays_until_the_new_one_is_available() {
    covers([65]);
    let set = with_surge().set("/spec/minReadySeconds", 15);
    let mut cluster = Cluster::new(set, [node("a"), on_a("new", 30).ready_for(10), on_a("old", 99).old()]);
    assert_eq!(does(&cluster.plan()), NOTHING);
    cluster.elapsed = 4;
    assert_eq!(does(&cluster.plan()), NOTHING);
    for elapsed in [5, 10] {
        cluster.elapsed = elapsed;
        assert_eq!(does(&cluster.plan()), ["delete old: NewPodAvailable"], "ready for {} s", 10 + elapsed);
    }
}

#[test]
fn pruning_with_surge_goes_by_hash_and_the_rest_by_template_generation_too() {
    covers([67]);
    let set = with_surge().set("/metadata/annotations", generation_annotation("3"));
    let by_generation = on_a("p", 99).hash("other").label("pod-template-generation", "3");
    let plan = on_one_node(set, [by_generation, on_a("q", 50)]);
    assert_eq!(does(&plan), ["delete p: NewPodAvailable"]);
    assert_eq!(plan.status.updated_number_scheduled, 1);
    assert_eq!(step(&plan), NOTHING, "two updated pods are ambiguous to the rollout");
}

fn generation_annotation(value: &str) -> serde_json::Value {
    serde_json::json!({ "deprecated.daemonset.template.generation": value })
}

#[test]
fn of_a_vanished_node_pinned_pods_go_and_bound_ones_are_left() {
    covers([68, 69]);
    for set in [daemon_set("agent"), with_surge(), daemon_set("agent").on_delete()] {
        let gone = [pod("pinned").pinned_to("gone"), pod("bound").on("gone")];
        assert_eq!(
            does(&on_one_node(set.clone(), gone.into_iter().chain([on_a("p", 60)]))),
            ["delete pinned: NodeDoesNotExist"]
        );
        let terminating = pod("pinned").pinned_to("gone").deleting(-30);
        let plan = on_one_node(set.clone(), [on_a("p", 60), terminating]);
        assert_eq!(does(&plan), ["delete pinned: NodeDoesNotExist"], "deleted again");
        let failed = pod("bound").on("gone").phase("Failed");
        assert_eq!(does(&on_one_node(set, [on_a("p", 60), failed])), NOTHING);
    }
}

#[test]
fn at_most_250_pods_are_made_in_a_sync() {
    covers([70]);
    let mut cluster = Cluster::new(daemon_set("agent"), nodes("n", 300));
    let plan = cluster.plan();
    assert_eq!((plan.manage.create.len(), plan.manage.choose.len(), plan.manage.choose[0].from.len()), (0, 1, 300));
    assert_eq!([cluster.sync(), cluster.sync(), cluster.sync()], ["250/0", "50/0", "0/0"]);
}

#[test]
fn at_most_250_pods_are_deleted_in_a_sync() {
    covers([129]);
    let failed = nodes_with_pods("n", 300, |pod| pod.phase("Failed"));
    let plan = plan_with(daemon_set("agent"), failed.clone());
    assert_eq!(counts(&plan), "0/250");
    assert_eq!((plan.manage.delete.len(), plan.manage.choose.len(), plan.manage.choose[0].from.len()), (0, 1, 300));
    let mut cluster = Cluster::new(daemon_set("agent"), failed);
    assert_eq!([cluster.sync(), cluster.sync(), cluster.sync()], ["0/250", "250/50", "50/0"]);
}

#[test]
fn exactly_250_of_a_kind_are_certain() {
    let plan = plan_with(daemon_set("agent"), nodes("n", 250));
    assert_eq!((plan.manage.create.len(), plan.manage.choose.len()), (250, 0));
    let plan = plan_with(daemon_set("agent"), nodes("n", 251));
    assert_eq!((plan.manage.create.len(), plan.manage.choose[0].count), (0, 250));
    let ended = |count: usize| plan_with(daemon_set("agent"), nodes_with_pods("n", count, |pod| pod.phase("Failed")));
    assert_eq!((ended(250).manage.delete.len(), ended(250).manage.choose.len()), (250, 0));
    assert_eq!((ended(251).manage.delete.len(), ended(251).manage.choose[0].count), (0, 250));
}

#[test]
fn choices_among_failed_pods_count_one_each_towards_the_cap() {
    let with_failed = |certain: usize| {
        let mut objects = nodes_with_pods("n", certain, |pod| pod.phase("Failed"));
        objects.extend([node("x"), pod("f1").on("x").phase("Failed"), pod("f2").on("x").phase("Failed")]);
        plan_with(daemon_set("agent"), objects).manage
    };
    let below = with_failed(249);
    assert_eq!((below.delete.len(), below.choose[0].count, below.choose[0].from.len()), (249, 1, 2));
    let above = with_failed(250);
    assert_eq!((above.delete.len(), above.choose[0].count, above.choose[0].from.len()), (0, 250, 252));
    assert_eq!([below.choose.len(), above.choose.len()], [1, 1]);
}

#[test]
fn the_rollout_waits_for_manage() {
    covers([133]);
    let mut objects = vec![node("a"), on_a("p", 60).old(), pod("pinned").pinned_to("gone")];
    let plan = plan_with(daemon_set("agent").max_unavailable(2), objects.clone());
    assert_eq!(
        (plan.rollout.when, does(&plan)),
        (When::AfterManage, vec!["delete pinned: NodeDoesNotExist".to_owned()])
    );
    objects.pop();
    let plan = plan_with(daemon_set("agent").max_unavailable(2), objects);
    assert_eq!((plan.rollout.when, does(&plan)), (When::Now, vec!["rollout: delete p: OldPodAvailable".to_owned()]));
}

#[test]
fn pruning_with_surge_does_not_look_at_whether_the_node_is_wanted() {
    covers([134]);
    let pods = [on_a("new", 10).not_ready_for(5), on_a("old", 99).old().not_ready_for(9)];
    let plan = plan_with(with_surge(), [node("a").taint("k:NoSchedule")].into_iter().chain(pods));
    assert_eq!(does(&plan), ["delete old: OldPodNotReady"]);
}

#[test]
fn with_an_empty_hash_pruning_takes_pods_without_label_for_new_and_the_rest_for_old() {
    covers([135]);
    let set = with_surge();
    let revision = current_revision(&set).hash("");
    let bare = on_a("bare", 10).without("/metadata/labels/controller-revision-hash");
    let objects = |pods: Vec<Object>| [set.clone(), revision.clone(), node("a")].into_iter().chain(pods);
    let plan = plan_of(objects(vec![bare.clone(), on_a("other", 99)]));
    assert_eq!(
        (does(&plan), plan.status.updated_number_scheduled),
        (vec!["delete other: NewPodAvailable".to_owned()], 0)
    );
    let plan = plan_of(objects(vec![bare]));
    assert_eq!(does(&plan), ["rollout: create on a: OldPodAvailable"]);
}

#[test]
fn the_cap_reaches_pods_of_missing_nodes_last() {
    let candidates = |num_nodes: usize| {
        let names: Vec<_> = (0..num_nodes).map(|i| format!("n{i:03}")).collect();
        let nodes = names.iter().map(|name| node(name).taint("k:NoExecute"));
        let pods = names.iter().map(|name| pod(&format!("p-{name}")).on(name));
        let pinned = ["gone-1", "gone-2"].map(|name| pod(&format!("p-{name}")).pinned_to(name));
        let plan = plan_with(daemon_set("agent"), nodes.chain(pods).chain(pinned));
        let choices = plan.manage.choose.iter().map(|choice| (choice.count, choice.from.len()));
        (plan.manage.delete.len(), choices.collect::<Vec<_>>())
    };
    assert_eq!(candidates(250), (0, vec![(250, 250)]));
    assert_eq!(candidates(249), (0, vec![(250, 251)]));
    assert_eq!(candidates(248), (250, vec![]));
}
