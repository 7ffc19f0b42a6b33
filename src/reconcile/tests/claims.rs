//! Claiming, the early exits, and mapping pods to nodes: edge cases 1 to 20, 122 to 130, 170 and 171.

use serde_json::json;

use super::{NOTHING, counts, covers, does, nodes, on_one_node, plan_of};
use crate::api::Labels;
use crate::builders::{Object, current_revision, daemon_set, node, old_revision, plan, plan_with, pod, snapshot};
use crate::plan::{Outcome, Plan, RevisionRef};

fn strays(plan: &Plan) -> Vec<&str> {
    plan.stray_pods.iter().map(|pod| pod.pod.as_str()).collect()
}

fn orphan(name: &str) -> Object {
    pod(name).orphan()
}

#[test]
fn an_empty_selector_does_nothing_even_on_a_deleting_set() {
    covers([1, 127, 171]);
    for selector in [
        json!({}),
        json!({ "matchLabels": {} }),
        json!({ "matchExpressions": [] }),
        json!({ "matchLabels": {}, "matchExpressions": [] }),
    ] {
        let set = daemon_set("agent").set("/spec/selector", selector.clone());
        for set in [set.clone(), set.deleting(-30)] {
            let plan = on_one_node(set, [orphan("unrelated").label("app", "web").on("a"), pod("own").on("a").old()]);
            assert_eq!((plan.outcome, does(&plan)), (Outcome::SkippedEmptySelector, vec![]), "{selector}");
        }
    }
}

#[test]
fn a_deleting_set_does_nothing() {
    covers([2]);
    let set = daemon_set("agent").deleting(-30).set("/status/numberReady", 7);
    let empty = node("b");
    let plan =
        plan_with(set, [node("a"), empty, pod("p").on("a").old(), orphan("o").on("b"), pod("moved").label("app", "x")]);
    assert_eq!((plan.outcome, does(&plan)), (Outcome::SkippedDeleting, vec![]));
    assert_eq!(plan.reported.number_ready, 7);
}

#[test]
fn without_orphans_nobody_asks_whether_the_set_is_deleting() {
    covers([4]);
    let plan = on_one_node(daemon_set("agent"), []);
    assert_eq!((plan.outcome, does(&plan)), (Outcome::Reconciled, vec!["create on a: NodeHasNoDaemonPod".to_owned()]));
}

#[test]
fn owned_pods_that_no_longer_match_are_released_and_leave_their_node_empty() {
    covers([5]);
    let mut objects = nodes("n", 5);
    for (node, count) in [(1, 1), (2, 2), (3, 5)] {
        objects.extend((0..count).map(|i| pod(&format!("p{node}-{i}")).on(&format!("n0{node}"))));
    }
    objects.extend((0..2).map(|i| pod(&format!("moved-{i}")).label("app", "web").on("n04")));
    let plan = plan_with(daemon_set("agent"), objects);
    assert_eq!(counts(&plan), "2/5");
    assert_eq!(
        does(&plan),
        [
            "release moved-0",
            "release moved-1",
            "create on n00: NodeHasNoDaemonPod",
            "create on n04: NodeHasNoDaemonPod",
            "delete p2-1: ExcessPod",
            "delete p3-1: ExcessPod",
            "delete p3-2: ExcessPod",
            "delete p3-3: ExcessPod",
            "delete p3-4: ExcessPod",
        ]
    );
}

#[test]
fn a_deleting_pod_that_no_longer_matches_is_released_too() {
    covers([126]);
    let plan = on_one_node(daemon_set("agent"), [pod("moved").label("app", "web").on("a").deleting(-30)]);
    assert_eq!(does(&plan), ["release moved", "create on a: NodeHasNoDaemonPod"]);
}

#[test]
fn a_matching_orphan_is_adopted_and_counts() {
    covers([6]);
    assert_eq!(does(&on_one_node(daemon_set("agent"), [orphan("o").on("a")])), ["adopt o"]);
}

#[test]
fn an_orphan_that_does_not_match_or_is_elsewhere_is_ignored() {
    let of_other_namespace = orphan("o").set("/metadata/namespace", "web").on("a");
    for stranger in [orphan("o").label("app", "web").on("a"), of_other_namespace] {
        let plan = on_one_node(daemon_set("agent"), [stranger]);
        assert_eq!(does(&plan), ["create on a: NodeHasNoDaemonPod"]);
    }
}

#[test]
fn a_deleting_orphan_is_ignored() {
    covers([7]);
    let plan = on_one_node(daemon_set("agent"), [orphan("o").on("a").deleting(-30)]);
    assert_eq!(does(&plan), ["create on a: NodeHasNoDaemonPod"]);
}

#[test]
fn a_pod_of_another_set_is_ignored() {
    covers([8]);
    let foreign = pod("p").owned_by("DaemonSet", "other", "uid-other").on("a");
    assert_eq!(does(&on_one_node(daemon_set("agent"), [foreign])), ["create on a: NodeHasNoDaemonPod"]);
}

#[test]
fn an_owned_deleting_pod_is_claimed_and_blocks_its_node() {
    covers([9]);
    let plan = on_one_node(daemon_set("agent"), [pod("p").on("a").deleting(-30)]);
    assert_eq!(does(&plan), NOTHING);
    assert_eq!(plan.nodes[0].pods.len(), 1);
}

#[test]
fn a_reference_that_is_not_the_controllers_leaves_an_orphan() {
    covers([10]);
    let owned = pod("p").on("a");
    for reference in [
        owned.clone().set("/metadata/ownerReferences/0/controller", false),
        owned.without("/metadata/ownerReferences/0/controller"),
    ] {
        assert_eq!(does(&on_one_node(daemon_set("agent"), [reference])), ["adopt p"]);
    }
}

#[test]
fn of_several_owners_the_first_controller_counts() {
    let mut owned = pod("p").on("a");
    let own = owned.0["metadata"]["ownerReferences"][0].clone();
    let other = pod("q").owned_by("ReplicaSet", "web", "uid-web").0["metadata"]["ownerReferences"][0].clone();
    owned.0["metadata"]["ownerReferences"] = json!([own.clone(), other.clone()]);
    assert_eq!(does(&on_one_node(daemon_set("agent"), [owned.clone()])), NOTHING);
    owned.0["metadata"]["ownerReferences"] = json!([other, own]);
    assert_eq!(does(&on_one_node(daemon_set("agent"), [owned])), ["create on a: NodeHasNoDaemonPod"]);
}

#[test]
fn a_revision_of_another_namespace_is_not_adopted() {
    covers([11]);
    let set = daemon_set("agent");
    let elsewhere = current_revision(&set).orphan().set("/metadata/namespace", "web");
    let plan = plan(&snapshot([set, elsewhere, node("a"), pod("p").on("a")]));
    assert_eq!((plan.revision.clone(), plan.history.create), (None, true));
}

#[test]
fn an_orphan_revision_is_adopted_unless_it_is_deleting() {
    covers([12]);
    let set = daemon_set("agent");
    let orphan = current_revision(&set).orphan();
    let with = |revision: Object| plan(&snapshot([set.clone(), revision, node("a"), pod("p").on("a")]));
    let current = RevisionRef { name: "agent-new".into(), number: 2, hash: "new".into() };
    assert_eq!(with(orphan.clone()).revision, Some(current));
    assert_eq!(does(&with(orphan.clone())), NOTHING);
    assert_eq!(with(orphan.deleting(-30)).revision, None);
}

#[test]
fn a_failed_pod_that_is_deleting_is_absent_but_protects_its_revision() {
    covers([13]);
    let set = daemon_set("agent").set("/spec/revisionHistoryLimit", 0);
    let plan = on_one_node(set.clone(), [pod("p").old().on("a").phase("Failed").deleting(-30)]);
    assert_eq!(does(&plan), ["create on a: NodeHasNoDaemonPod"]);
    assert_eq!(does(&on_one_node(set, [])), ["create on a: NodeHasNoDaemonPod", "delete revision agent-old"]);
}

#[test]
fn a_succeeded_pod_is_on_its_node_until_it_is_deleted() {
    covers([14]);
    let plan = on_one_node(daemon_set("agent"), [pod("p").on("a").phase("Succeeded")]);
    assert_eq!(does(&plan), ["delete p: SucceededPod"]);
    assert_eq!(plan.status.current_number_scheduled, 1);
}

#[test]
fn a_pod_maps_to_the_node_it_is_bound_or_pinned_to() {
    covers([15, 16, 18]);
    let bound_elsewhere = pod("p").pinned_to("b").on("a");
    let second_term = json!([
        { "matchExpressions": [{ "key": "zone", "operator": "In", "values": ["b"] }] },
        { "matchFields": [{ "key": "metadata.name", "operator": "In", "values": ["a"] }] },
    ]);
    for pod in [pod("p").pinned_to("a"), bound_elsewhere, with_terms(second_term)] {
        let plan = plan_with(daemon_set("agent"), [node("a"), pod]);
        assert_eq!((does(&plan), plan.status.current_number_scheduled), (vec![], 1));
    }
}

#[test]
fn a_pod_without_a_target_node_is_invisible() {
    covers([17, 19, 20]);
    let field =
        |operator: &str, values: &[&str]| json!({ "key": "metadata.name", "operator": operator, "values": values });
    for pod in [
        with_terms(json!([{ "matchFields": [field("In", &["a", "b"])] }, { "matchFields": [field("In", &["a"])] }])),
        with_terms(json!([{ "matchFields": [field("NotIn", &["a"])] }])),
        with_terms(json!([{ "matchFields": [{ "key": "metadata.uid", "operator": "In", "values": ["a"] }] }])),
        with_terms(json!([])),
        with_terms(json!([])).without("/spec/affinity"),
    ] {
        let plan = plan_with(daemon_set("agent"), [node("a"), pod.clone()]);
        assert_eq!((does(&plan), strays(&plan)), (vec!["create on a: NodeHasNoDaemonPod".to_owned()], vec!["p"]));
        let adopted = plan_with(daemon_set("agent"), [node("a"), pod.orphan()]);
        assert_eq!(does(&adopted), ["adopt p", "create on a: NodeHasNoDaemonPod"]);
    }
}

fn with_terms(terms: serde_json::Value) -> Object {
    let required = json!({ "requiredDuringSchedulingIgnoredDuringExecution": { "nodeSelectorTerms": terms } });
    pod("p").pinned_to("a").set("/spec/affinity", json!({ "nodeAffinity": required }))
}

#[test]
fn a_reference_with_our_uid_but_another_name_or_kind_hides_a_pod_yet_not_a_revision() {
    covers([122]);
    let set = daemon_set("agent");
    for (kind, name) in [("DaemonSet", "renamed"), ("ReplicaSet", "agent")] {
        let plan = on_one_node(set.clone(), [pod("p").owned_by(kind, name, "uid-agent").on("a")]);
        assert_eq!((does(&plan), strays(&plan)), (vec!["create on a: NodeHasNoDaemonPod".to_owned()], vec![]));
        let revision = current_revision(&set).owned_by(kind, name, "uid-agent");
        let plan = plan_of([set.clone(), revision, node("a"), pod("p").on("a")]);
        assert_eq!((does(&plan), plan.revision.map(|revision| revision.name)), (vec![], Some("agent-new".into())));
    }
}

#[test]
fn a_revision_of_another_owner_is_ignored() {
    let set = daemon_set("agent");
    let foreign = current_revision(&set).owned_by("DaemonSet", "agent", "uid-before");
    let plan = plan_of([set, foreign, node("a"), pod("p").on("a")]);
    assert_eq!((plan.revision, plan.history.create), (None, true));
}

#[test]
fn without_a_selector_everything_owned_is_released() {
    covers([128]);
    let plan = on_one_node(daemon_set("agent").without("/spec/selector"), [pod("p").on("a"), orphan("o").on("a")]);
    assert_eq!(does(&plan), ["release p", "create on a: NodeHasNoDaemonPod", "create revision"]);
    assert_eq!((plan.outcome, plan.revision), (Outcome::Reconciled, None));
}

#[test]
fn a_pod_pinned_to_the_empty_name_goes_and_its_node_gets_another() {
    covers([130]);
    let plan = on_one_node(daemon_set("agent"), [pod("p").pinned_to("")]);
    assert_eq!(does(&plan), ["create on a: NodeHasNoDaemonPod", "delete p: NodeDoesNotExist"]);
    assert_eq!(counts(&plan), "1/1");
}

#[test]
fn a_revision_without_any_label_ends_the_sync() {
    covers([170]);
    let selector = json!({ "matchExpressions": [{ "key": "canary", "operator": "DoesNotExist" }] });
    let set = daemon_set("agent").set("/spec/selector", selector);
    let bare = old_revision(&set, "old", 1).set("/metadata/labels", json!(Labels::new()));
    for revision in [bare.clone(), bare.orphan()] {
        let plan = plan_of([set.clone(), current_revision(&set), revision, node("a")]);
        let error = "controllerrevision \"agent-old\" has no labels: the controller panics on it";
        assert_eq!((plan.outcome, plan.error.as_deref(), does(&plan)), (Outcome::Failed, Some(error), vec![]));
    }
}

#[test]
fn a_selector_that_does_not_parse_ends_the_sync() {
    let selector = json!({ "matchExpressions": [{ "key": "app", "operator": "in", "values": ["agent"] }] });
    let plan = on_one_node(daemon_set("agent").set("/spec/selector", selector), [pod("p").on("a"), pod("q").on("a")]);
    let error = "selector does not parse: \"in\" is not a valid label selector operator";
    assert_eq!((plan.outcome, plan.error.as_deref(), does(&plan)), (Outcome::Failed, Some(error), vec![]));
    assert!(plan.nodes[0].should_run, "placement is still told");
}
