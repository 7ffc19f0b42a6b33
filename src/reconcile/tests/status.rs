//! Status: edge cases 113 to 116, 119 and 120.

use super::cluster::Cluster;
use super::{covers, does, on_one_node, plan_of};
use crate::builders::{Object, ago, current_revision, daemon_set, node, plan, plan_with, pod, snapshot};
use crate::plan::StatusNumbers;
use crate::snapshot::ServerVersion;

/// Returns the numbers in the order of the contract.
fn numbers(status: &StatusNumbers) -> [i64; 7] {
    [
        status.desired_number_scheduled,
        status.current_number_scheduled,
        status.number_ready,
        status.updated_number_scheduled,
        status.number_available,
        status.number_misscheduled,
        status.number_unavailable,
    ]
}

#[test]
fn ready_pods_are_counted() {
    covers([113]);
    let objects = ["a", "b"].map(|name| [node(name), pod(&format!("p-{name}")).on(name).not_ready_for(9)]);
    let mut cluster = Cluster::new(daemon_set("agent"), objects.into_iter().flatten());
    assert_eq!(numbers(&cluster.plan().status), [2, 2, 0, 2, 0, 0, 2]);
    cluster.make_ready();
    assert_eq!(numbers(&cluster.plan().status), [2, 2, 2, 2, 2, 0, 0]);
}

#[test]
fn of_an_old_and_a_new_pod_the_older_one_counts() {
    covers([114]);
    let set = daemon_set("agent").max_surge(1).set("/spec/minReadySeconds", 60);
    let plan = on_one_node(set, [pod("old").on("a").old(), pod("new").on("a").created(9).ready_for(5)]);
    assert_eq!(numbers(&plan.status), [1, 1, 1, 0, 1, 0, 0]);
}

#[test]
fn a_pending_pod_is_scheduled_and_not_ready() {
    covers([115]);
    let plan = on_one_node(daemon_set("agent"), [pod("p").pinned_to("a")]);
    assert_eq!(numbers(&plan.status), [1, 1, 0, 1, 0, 0, 1]);
}

#[test]
fn a_terminating_pod_that_is_ready_counts_as_ready() {
    covers([116]);
    let plan = on_one_node(daemon_set("agent"), [pod("p").on("a").deleting(-30)]);
    assert_eq!(numbers(&plan.status), [1, 1, 1, 1, 1, 0, 0]);
}

#[test]
fn ready_for_exactly_min_ready_seconds_is_available_since_1_34() {
    covers([119]);
    let set = daemon_set("agent").set("/spec/minReadySeconds", 15);
    let available = |minor: Option<u32>, seconds: i64| {
        let mut snapshot =
            snapshot([set.clone(), current_revision(&set), node("a"), pod("p").on("a").ready_for(seconds)]);
        snapshot.server_version = minor.map(|minor| ServerVersion { major: 1, minor });
        plan(&snapshot).status.number_available
    };
    for (minor, at_14, at_15, at_16) in
        [(None, 0, 1, 1), (Some(37), 0, 1, 1), (Some(34), 0, 1, 1), (Some(33), 0, 0, 1), (Some(28), 0, 0, 1)]
    {
        let got = [14, 15, 16].map(|seconds| available(minor, seconds));
        assert_eq!(got, [at_14, at_15, at_16], "server 1.{minor:?}");
    }
}

#[test]
fn ready_without_a_time_is_never_available_if_it_must_last() {
    covers([120]);
    let timeless = || pod("p").on("a").without("/status/conditions/0/lastTransitionTime").created(60);
    let plan = on_one_node(daemon_set("agent").set("/spec/minReadySeconds", 1), [timeless()]);
    assert_eq!(numbers(&plan.status), [1, 1, 1, 1, 0, 0, 1]);
    let plan = on_one_node(daemon_set("agent"), [timeless()]);
    assert_eq!(numbers(&plan.status), [1, 1, 1, 1, 1, 0, 0]);
}

#[test]
fn each_number_counts_what_it_says() {
    let objects: [Vec<Object>; 9] = [
        vec![node("1"), pod("p1").on("1")],
        vec![node("2"), pod("p2").on("2").old()],
        vec![node("3"), pod("p3").on("3").ready_for(5)],
        vec![node("4"), pod("p4").on("4").not_ready_for(5)],
        vec![node("5")],
        vec![node("6").taint("k:NoSchedule"), pod("p6").on("6")],
        vec![node("7").taint("k:NoExecute"), pod("p7").on("7"), pod("q7").on("7")],
        vec![node("8").taint("k:NoExecute")],
        vec![pod("p9").on("gone"), pod("stray").pinned_to("1").without("/spec/affinity")],
    ];
    let set = daemon_set("agent").on_delete().set("/spec/minReadySeconds", 15);
    let plan = plan_with(set, objects.into_iter().flatten());
    assert_eq!(numbers(&plan.status), [5, 4, 3, 3, 2, 2, 3]);
}

#[test]
fn only_the_first_ready_condition_counts() {
    let twice = |first: &str, second: &str| {
        let condition =
            |status: &str| serde_json::json!({ "type": "Ready", "status": status, "lastTransitionTime": ago(60) });
        pod("p").on("a").set("/status/conditions", vec![condition(first), condition(second)])
    };
    for (pod, expected) in [(twice("True", "False"), 1), (twice("False", "True"), 0), (twice("Unknown", "True"), 0)] {
        assert_eq!(on_one_node(daemon_set("agent"), [pod]).status.number_ready, expected);
    }
}

#[test]
fn the_reported_numbers_are_those_of_the_object() {
    let fields = [
        "desiredNumberScheduled",
        "currentNumberScheduled",
        "numberReady",
        "updatedNumberScheduled",
        "numberAvailable",
        "numberMisscheduled",
        "numberUnavailable",
    ];
    let set =
        fields.iter().zip(1..).fold(daemon_set("agent"), |set, (field, n)| set.set(&format!("/status/{field}"), n));
    let plan = plan_of([current_revision(&set), set, node("a"), pod("p").on("a")]);
    assert_eq!((numbers(&plan.reported), does(&plan)), ([1, 2, 3, 4, 5, 6, 7], vec![]));
    assert_eq!(numbers(&on_one_node(daemon_set("agent"), []).reported), [0; 7]);
}
