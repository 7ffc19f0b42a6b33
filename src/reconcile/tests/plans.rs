//! What a Plan says beside its decisions: nodes, pods, reasons, the budget, and plans of sets that are not synced.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{NOTHING, does, nodes_with_pods, on_one_node, plan_of, step};
use crate::builders::{Object, ago, current_revision, daemon_set, node, old_revision, plan, plan_with, pod, snapshot};
use crate::plan::{DaemonSetRef, NodeVerdict, Outcome, Plan, PodPlan, PodReason, Reason, Resource, When};
use crate::reconcile::reconcile;

fn names(pods: &[PodPlan]) -> Vec<&str> {
    pods.iter().map(|pod| pod.pod.as_str()).collect()
}

fn json_of(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("it serializes")
}

/// Returns how node `a` stands with these pods, and why.
fn node_stands(daemon_set: Object, pods: &[Object]) -> (NodeVerdict, Reason) {
    let plan = on_one_node(daemon_set, pods.iter().map(|pod| pod.clone().on("a")));
    (plan.nodes[0].verdict, plan.nodes[0].reason)
}

#[test]
fn a_wanted_node_stands_by_its_pods() {
    use NodeVerdict::{Duplicate, Missing, NotAvailable, Ok, Outdated};
    let (new, old) = (|| pod("new").created(60), || pod("old").old());
    let unready = |pod: Object| pod.not_ready_for(9);
    for (pods, expected) in [
        (vec![], (Missing, Reason::NodeHasNoDaemonPod)),
        (vec![new()], (Ok, Reason::DaemonPodAvailable)),
        (vec![old()], (Outdated, Reason::OldPodAvailable)),
        (vec![unready(new())], (NotAvailable, Reason::NewPodNotAvailable)),
        (vec![unready(old())], (NotAvailable, Reason::OldPodUnavailable)),
        (vec![unready(new()).phase("Failed")], (NotAvailable, Reason::FailedPod)),
        (vec![unready(old()).phase("Failed")], (NotAvailable, Reason::FailedPod)),
        (vec![unready(new()).phase("Succeeded")], (NotAvailable, Reason::SucceededPod)),
        (vec![new().deleting(-3)], (NotAvailable, Reason::OnlyTerminatingPods)),
        (vec![new(), old().deleting(-3)], (Ok, Reason::DaemonPodAvailable)),
        (vec![new(), pod("other")], (Duplicate, Reason::AmbiguousPods)),
        (vec![old(), pod("other").old()], (Duplicate, Reason::AmbiguousPods)),
        (vec![new(), old()], (Duplicate, Reason::NewAndOldPod)),
    ] {
        assert_eq!(node_stands(daemon_set("agent"), &pods), expected, "{pods:?}");
    }
    let surging = || daemon_set("agent").max_surge(1);
    for (pods, expected) in [
        (vec![new(), old()], (Outdated, Reason::NewPodAvailable)),
        (vec![new(), unready(old())], (Outdated, Reason::NewPodAvailable)),
        (vec![unready(new()), old()], (Outdated, Reason::NewPodNotAvailable)),
        (vec![unready(new()), unready(old())], (NotAvailable, Reason::NewPodNotAvailable)),
        (vec![new(), pod("other")], (Duplicate, Reason::AmbiguousPods)),
    ] {
        assert_eq!(node_stands(surging(), &pods), expected, "with surge {pods:?}");
    }
}

#[test]
fn an_unwanted_node_stands_by_the_check_that_failed() {
    let of = |set: Object, node: Object| {
        let with_pod = plan_with(set.clone(), [node.clone(), pod("p").on("a")]);
        let without = plan_with(set, [node]);
        assert_eq!(
            [with_pod.nodes[0].verdict, without.nodes[0].verdict],
            [NodeVerdict::Misscheduled, NodeVerdict::NotWanted]
        );
        assert_eq!(with_pod.nodes[0].reason, without.nodes[0].reason);
        with_pod.nodes[0].reason
    };
    let selector = json!({ "disk": "ssd" });
    let tainted = || node("a").taint("k:NoSchedule");
    let selecting = daemon_set("agent").template("nodeSelector", selector);
    let affine = || daemon_set("agent").affinity_terms(json!([]));
    assert_eq!(of(daemon_set("agent").template("nodeName", "b"), tainted()), Reason::NodeNameMismatch);
    assert_eq!(of(selecting.clone(), tainted()), Reason::NodeSelectorMismatch);
    assert_eq!(of(selecting.affinity_terms(json!([])), tainted()), Reason::NodeSelectorMismatch);
    assert_eq!(of(affine(), tainted()), Reason::NodeAffinityMismatch);
    assert_eq!(of(daemon_set("agent"), tainted()), Reason::UntoleratedNoScheduleTaint);
    assert_eq!(of(daemon_set("agent"), tainted().taint("l:NoExecute")), Reason::UntoleratedNoExecuteTaint);
}

#[test]
fn each_reason_is_produced() {
    let surging = || daemon_set("agent").max_surge(1);
    let unready = |name: &str| pod(name).on("a").not_ready_for(9);
    let one = |set: Object, pods: Vec<Object>| on_one_node(set, pods);
    let plans = [
        one(daemon_set("agent"), vec![]),
        one(daemon_set("agent"), vec![pod("p").on("a")]),
        one(daemon_set("agent"), vec![pod("p").on("a").old()]),
        one(daemon_set("agent"), vec![unready("p").old()]),
        one(daemon_set("agent"), vec![unready("p")]),
        one(daemon_set("agent"), vec![pod("p").on("a").deleting(-3)]),
        one(daemon_set("agent"), vec![pod("p").on("a"), pod("q").on("a")]),
        one(daemon_set("agent"), vec![pod("p").on("a"), pod("q").on("a").old()]),
        one(daemon_set("agent"), vec![pod("p").on("a").phase("Failed")]),
        one(daemon_set("agent"), vec![pod("p").on("a").phase("Succeeded")]),
        one(daemon_set("agent"), vec![pod("p").pinned_to("gone")]),
        one(surging(), vec![pod("p").on("a").deleting(-3)]),
        one(surging(), vec![unready("p"), pod("q").on("a").old().not_ready_for(9)]),
        one(surging(), vec![pod("p").on("a"), pod("q").on("a").old()]),
        plan_with(surging(), [node("a").taint("k:NoSchedule"), pod("p").on("a").old()]),
        plan_with(daemon_set("agent"), [node("a").taint("k:NoExecute"), pod("p").on("a")]),
        one(daemon_set("agent").template("nodeName", "b"), vec![]),
        one(daemon_set("agent").template("nodeSelector", json!({ "disk": "ssd" })), vec![]),
        one(daemon_set("agent").affinity_terms(json!([])), vec![]),
    ];
    let produced: BTreeSet<Reason> = plans.iter().flat_map(reasons).collect();
    let missing: Vec<_> = Reason::ALL.iter().filter(|reason| !produced.contains(reason)).collect();
    assert_eq!(missing, Vec::<&Reason>::new());
}

fn reasons(plan: &Plan) -> Vec<Reason> {
    let Plan { manage, rollout, nodes, .. } = plan;
    let creations = manage.create.iter().chain(&rollout.create).map(|creation| creation.reason);
    let deletions = manage.delete.iter().chain(&rollout.delete).filter_map(|pod| match pod.reason {
        Some(PodReason::Decision(reason)) => Some(reason),
        _ => None,
    });
    let candidates =
        manage.choose.iter().chain(&rollout.choose).flat_map(|choice| &choice.from).map(|from| from.reason);
    let holders = rollout.budget.used_by.iter().map(|holder| holder.reason);
    creations.chain(deletions).chain(candidates).chain(holders).chain(nodes.iter().map(|node| node.reason)).collect()
}

#[test]
fn a_pod_is_told_with_what_is_wrong_with_it() {
    let plan = on_one_node(daemon_set("agent"), [pod("p").on("a").created(60).waiting("ImagePullBackOff")]);
    let expected = json!({
        "pod": "p", "uid": "uid-p", "node": "a", "phase": "Running", "ready": false, "available": false,
        "revision": "current", "reason": "ImagePullBackOff", "since": ago(3600),
    });
    assert_eq!(json_of(&plan.nodes[0].pods), json!([expected]));
    let details = &plan.nodes[0].pods[0].details;
    assert_eq!((details.state.as_ref(), details.hash.as_str()), ("ImagePullBackOff", "new"));
    assert_eq!((details.created.map(|t| t.to_string()), details.deletion_due), (Some(ago(60)), None));
    assert_eq!([details.is_bound, details.is_in_flight, details.is_held_up], [true, false, true]);
    assert_eq!((details.image.as_deref(), details.restarts), (Some("agent:2"), 0));
}

#[test]
fn a_terminating_old_pod_is_told_as_such() {
    let plan = on_one_node(daemon_set("agent"), [pod("p").pinned_to("a").old().created(60).deleting(-10)]);
    let expected = json!({
        "pod": "p", "uid": "uid-p", "node": "a", "phase": "Pending", "ready": false, "available": false,
        "revision": "old", "deleting": true, "reason": "Terminating", "since": ago(20),
    });
    assert_eq!(json_of(&plan.nodes[0].pods), json!([expected]));
    let details = &plan.nodes[0].pods[0].details;
    assert_eq!(details.deletion_due.map(|t| t.to_string()), Some(ago(-10)));
    assert_eq!([details.is_bound, details.is_in_flight, details.is_held_up], [false, true, false]);
}

#[test]
fn a_healthy_pod_has_no_reason_and_one_to_be_deleted_that_of_its_deletion() {
    let plan = on_one_node(daemon_set("agent"), [pod("p").on("a"), pod("q").on("a").not_ready_for(7)]);
    let reasons = |pods: &[PodPlan]| pods.iter().map(|pod| pod.reason.clone()).collect::<Vec<_>>();
    assert_eq!(reasons(&plan.nodes[0].pods), [None, Some(PodReason::State("NotReady".into()))]);
    assert_eq!(reasons(&plan.manage.delete), [Some(PodReason::Decision(Reason::ExcessPod))]);
}

#[test]
fn a_node_lists_its_pods_in_the_controllers_order_and_what_has_ended_last() {
    let ended = pod("a-ended").on("a").created(999).phase("Failed").deleting(-3);
    let pods = [pod("pinned").pinned_to("a").created(500), pod("z").on("a").created(60), pod("y").on("a").created(50)];
    let plan = on_one_node(daemon_set("agent"), [ended].into_iter().chain(pods));
    assert_eq!(names(&plan.nodes[0].pods), ["z", "y", "pinned", "a-ended"]);
    let printed = json_of(&plan.nodes[0]);
    let printed: Vec<_> = printed["pods"].as_array().into_iter().flatten().map(|pod| pod["pod"].clone()).collect();
    assert_eq!(printed, ["a-ended", "pinned", "y", "z"], "as JSON they are sorted by name");
    let ended_only = on_one_node(daemon_set("agent"), [pod("e").on("a").phase("Failed").deleting(-3)]);
    assert_eq!((names(&ended_only.nodes[0].pods), ended_only.nodes[0].verdict), (vec!["e"], NodeVerdict::Missing));
}

#[test]
fn a_node_tells_its_condition_and_placement() {
    let cordoned = node("a").node_ready("Unknown", 60).set("/spec/unschedulable", true);
    let plan =
        plan_with(daemon_set("agent"), [cordoned, node("b").taint("k:NoSchedule").without("/status/conditions")]);
    let told: Vec<_> = plan
        .nodes
        .iter()
        .map(|node| {
            let condition = &node.condition;
            let since = condition.since.map(|since| since.to_string());
            (
                node.name.as_str(),
                node.should_run,
                node.should_continue_running,
                condition.ready.as_ref(),
                since,
                condition.is_unschedulable,
            )
        })
        .collect();
    assert_eq!(told, [("a", true, true, "Unknown", Some(ago(60)), true), ("b", false, true, "", None, false)]);
    for status in ["True", "False", "Odd"] {
        let plan = plan_with(daemon_set("agent"), [node("a").node_ready(status, 60)]);
        assert_eq!(plan.nodes[0].condition.ready, status);
    }
}

#[test]
fn pods_on_no_existing_node_are_strays_and_only_they() {
    let objects = [
        pod("bound").on("gone"),
        pod("pinned").pinned_to("gone"),
        pod("ended").on("gone").phase("Failed").deleting(-3),
        pod("ended-here").on("a").phase("Failed").deleting(-3),
        pod("aimless").without("/spec/nodeName").phase("Pending"),
        pod("here").on("a"),
        pod("earlier").on("before"),
        pod("released").on("gone").label("app", "web"),
    ];
    let plan = on_one_node(daemon_set("agent").on_delete(), objects);
    let strays: Vec<_> = plan.stray_pods.iter().map(|pod| (pod.node.as_deref(), pod.pod.as_str())).collect();
    let gone = Some("gone");
    assert_eq!(
        strays,
        [(None, "aimless"), (Some("before"), "earlier"), (gone, "bound"), (gone, "ended"), (gone, "pinned")]
    );
}

#[test]
fn adopted_and_released_pods_are_sorted_by_node_then_name() {
    let orphan = |name: &str, node: &str| pod(name).orphan().on(node);
    let moved = |name: &str, node: &str| pod(name).label("app", "web").on(node);
    let objects = [orphan("o1", "b"), orphan("o2", "a"), moved("m1", "b"), moved("m2", "a"), moved("m0", "b")];
    let plan = plan_with(daemon_set("agent"), [node("a"), node("b")].into_iter().chain(objects));
    assert_eq!((names(&plan.claims.adopt), names(&plan.claims.release)), (vec!["o2", "o1"], vec!["m2", "m0", "m1"]));
    assert_eq!(step(&plan), NOTHING, "released pods do not count");
}

#[test]
fn deletions_are_sorted_by_node_then_name() {
    let pods = [pod("z1").on("a"), pod("z2").on("a"), pod("y1").on("b"), pod("y2").on("b"), pod("y0").pinned_to("b")];
    let plan = plan_with(daemon_set("agent"), [node("a"), node("b")].into_iter().chain(pods));
    assert_eq!(names(&plan.manage.delete), ["z2", "y0", "y2"]);
    let old = [pod("z").on("a"), pod("y").on("b"), pod("x").on("gone")].map(|pod| pod.old().not_ready_for(9));
    let plan = plan_with(daemon_set("agent"), [node("a"), node("b")].into_iter().chain(old));
    assert_eq!(names(&plan.rollout.delete), ["z", "y", "x"]);
}

#[test]
fn the_rollout_is_due_by_strategy_and_by_what_manage_does() {
    for (type_, idle, acting) in [
        ("RollingUpdate", When::Now, When::AfterManage),
        ("OnDelete", When::OnDelete, When::OnDelete),
        ("Other", When::Never, When::Never),
    ] {
        let set = || daemon_set("agent").set("/spec/updateStrategy/type", type_);
        let when = |pods: Vec<Object>| on_one_node(set(), pods).rollout.when;
        let failed = |name: &str| pod(name).on("a").phase("Failed");
        assert_eq!(when(vec![pod("p").on("a").old()]), idle, "{type_}");
        assert_eq!(when(vec![pod("p").on("a")]), idle, "{type_}, nothing to do");
        assert_eq!(when(vec![]), acting, "{type_}, a creation");
        assert_eq!(when(vec![pod("p").on("a"), pod("q").on("a")]), acting, "{type_}, a deletion");
        assert_eq!(when(vec![failed("p"), failed("q")]), acting, "{type_}, a choice");
    }
}

#[test]
fn plans_that_skip_or_fail_hold_no_decisions_and_tell_placement_all_the_same() {
    let selector = |selector: Value| daemon_set("agent").max_unavailable(2).set("/spec/selector", selector);
    let broken = json!({ "matchExpressions": [{ "key": "app", "operator": "In" }] });
    for (set, outcome, claimed) in [
        (selector(json!({})), Outcome::SkippedEmptySelector, 1),
        (selector(broken), Outcome::Failed, 1),
        (daemon_set("agent").max_unavailable(2).deleting(-3), Outcome::SkippedDeleting, 1),
    ] {
        let revisions = [current_revision(&set), old_revision(&set, "old", 5)];
        let pods = [pod("p").on("a").old(), pod("o").orphan().on("b"), pod("r").on("b").label("app", "web")];
        let objects = revisions.into_iter().chain(pods).chain([node("a"), node("b").taint("k:NoSchedule"), set]);
        let plan = plan_of(objects);
        assert_eq!((plan.outcome, does(&plan), step(&plan)), (outcome, vec![], vec![]));
        assert_eq!((plan.revision.clone(), plan.error.is_some()), (None, outcome == Outcome::Failed));
        let placed: Vec<_> = plan.nodes.iter().map(|node| (node.should_run, node.pods.len())).collect();
        assert_eq!(placed, [(true, claimed), (false, 1)], "the pods that it owns are shown");
        let budget = &plan.rollout.budget;
        assert_eq!((budget.max, budget.used, budget.free, plan.rollout.when), (2, 0, 2, When::Now));
        assert_eq!(plan.update_strategy.resolved_max_unavailable, Some(2));
        assert_eq!(plan.status.desired_number_scheduled, 1);
    }
}

#[test]
fn the_budget_of_a_skipped_set_is_that_of_its_strategy() {
    let max = |set: Object| on_one_node(set.deleting(-3), []).rollout.budget.max;
    assert_eq!(max(daemon_set("agent").max_surge(3)), 3);
    assert_eq!(max(daemon_set("agent").on_delete()), 1);
    assert_eq!(max(daemon_set("agent").set("/spec/updateStrategy/type", "Other")), 0);
    assert_eq!(max(daemon_set("agent").max_unavailable("x")), 0);
}

#[test]
fn an_unobserved_edit_changes_the_outcome_and_no_decision() {
    let objects = || [node("a"), pod("p").on("a").old()];
    let observed = plan_with(daemon_set("agent"), objects());
    let set = daemon_set("agent").set("/metadata/generation", 5);
    let edited = plan_with(set.clone(), objects());
    assert_eq!((edited.outcome, does(&edited)), (Outcome::AwaitingObservation, does(&observed)));
    let never = plan_with(set.without("/status/observedGeneration"), objects());
    assert_eq!((never.outcome, never.daemon_set.observed_generation), (Outcome::AwaitingObservation, 0));
    let ahead = plan_with(daemon_set("agent").set("/status/observedGeneration", 9), objects());
    assert_eq!(ahead.outcome, Outcome::Reconciled);
}

#[test]
fn kinds_that_the_source_lacks_are_named() {
    let missing = |objects: Vec<Object>| plan_of(objects).missing;
    let set = || daemon_set("agent");
    let unobserved = || set().set("/status/observedGeneration", 0);
    assert_eq!(missing(vec![set(), current_revision(&set()), node("a")]), []);
    assert_eq!(missing(vec![set(), node("a")]), [Resource::ControllerRevisions]);
    assert_eq!(missing(vec![unobserved(), node("a")]), []);
    assert_eq!(missing(vec![unobserved()]), [Resource::Nodes]);
    assert_eq!(missing(vec![set()]), [Resource::Nodes, Resource::ControllerRevisions]);
    let mut forbidden = snapshot([unobserved(), current_revision(&set()), node("a")]);
    forbidden.missing = vec![Resource::ControllerRevisions];
    assert_eq!(plan(&forbidden).missing, [Resource::ControllerRevisions]);
}

#[test]
fn without_revisions_pods_are_judged_by_their_template_generation() {
    let set = daemon_set("agent")
        .max_surge(1)
        .set("/spec/revisionHistoryLimit", 0)
        .set("/metadata/annotations", json!({ "deprecated.daemonset.template.generation": "3" }));
    let generation = |name: &str, generation: &str| pod(name).on("a").label("pod-template-generation", generation);
    let plan = plan_of([set.clone(), node("a"), generation("p", "3")]);
    assert_eq!((plan.revision.clone(), does(&plan), plan.status.updated_number_scheduled), (None, vec![], 1));
    let plan = plan_of([set.clone(), node("a"), generation("p", "2").created(99), generation("q", "3").created(60)]);
    assert_eq!(does(&plan), ["delete p: NewPodAvailable"]);
    // With the revisions at hand the hash decides there.
    let plan = plan_with(set, [node("a"), generation("p", "2").created(99), generation("q", "3").created(60)]);
    assert_eq!(does(&plan)[0], "delete q: ExcessPod");
}

#[test]
fn a_plan_names_its_set_the_clock_and_the_strategy_as_written() {
    let plan = on_one_node(daemon_set("agent").max_unavailable("40%"), []);
    let named = DaemonSetRef {
        namespace: "ops".into(),
        name: "agent".into(),
        uid: "uid-agent".into(),
        generation: 4,
        observed_generation: 4,
    };
    assert_eq!((&plan.daemon_set, plan.evaluated_at.to_string()), (&named, ago(0)));
    assert_eq!(plan.created.map(|created| created.to_string()), Some(ago(864_000)));
    let strategy = json!({
        "type": "RollingUpdate", "maxUnavailable": "40%", "maxSurge": 0, "resolvedMaxUnavailable": 1, "resolvedMaxSurge": 0,
    });
    assert_eq!(json_of(&plan.update_strategy), strategy);
    assert!(!plan.paused);
}

#[test]
fn sets_are_planned_in_the_order_given_and_each_with_its_own_pods() {
    let other = daemon_set("other");
    let of_other = pod("o").owned_by("DaemonSet", "other", "uid-other").label("app", "other").on("a");
    let set = daemon_set("agent");
    let objects = [current_revision(&set), current_revision(&other), node("a"), pod("p").on("a"), of_other, set, other];
    let snapshot = snapshot(objects);
    let [agent, other] = &snapshot.daemon_sets[..] else { panic!("two sets") };
    let plans: Vec<_> = reconcile(&snapshot, [other, agent]).collect();
    let told: Vec<_> = plans.iter().map(|plan| (plan.daemon_set.name.as_str(), names(&plan.nodes[0].pods))).collect();
    assert_eq!(told, [("other", vec!["o"]), ("agent", vec!["p"])]);
    assert_eq!(plans.iter().flat_map(does).count(), 0);
}

#[test]
fn counts_of_many_nodes_stay_exact() {
    let plan = plan_with(daemon_set("agent").max_unavailable("10%"), nodes_with_pods("n", 95, Object::old));
    let budget = &plan.rollout.budget;
    assert_eq!((budget.max, budget.used, budget.free), (10, 0, 10));
    assert_eq!((plan.rollout.choose[0].count, plan.rollout.choose[0].from.len()), (10, 95));
}
