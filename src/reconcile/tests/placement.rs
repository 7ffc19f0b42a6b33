//! Placement of nodes: edge cases 21 to 49, 137 to 143.

use serde_json::{Value, json};

use super::cluster::Cluster;
use super::{NOTHING, counts, covers, does, nodes, on_one_node, plan_of};
use crate::api::{DaemonSet, PodTemplateSpec, Toleration};
use crate::builders::{Object, current_revision, daemon_set, node, plan_with, pod};
use crate::upstream::taints::{daemon_pod_tolerations, tolerates_taint};

/// The pod should run here.
const RUN: (bool, bool) = (true, true);
/// None should run, but one that is here may stay.
const STAY: (bool, bool) = (false, true);
/// None may be here.
const NOT: (bool, bool) = (false, false);

/// Returns whether a pod should run on the node, and whether one may stay.
fn placed(daemon_set: Object, node: Object) -> (bool, bool) {
    let plan = plan_of([daemon_set.clone(), current_revision(&daemon_set), node]);
    let node = &plan.nodes[0];
    assert_eq!(counts(&plan), if node.should_run { "1/0" } else { "0/0" }, "a pod is made where one should run");
    (node.should_run, node.should_continue_running)
}

/// Returns the answer for a set whose required node affinity has these terms.
fn affine(terms: Value, node: Object) -> bool {
    let answer = placed(daemon_set("agent").affinity_terms(terms), node);
    assert!(answer == RUN || answer == NOT, "affinity never lets a pod stay");
    answer == RUN
}

/// Returns the answer for one term with one match expression.
fn expression(key: &str, operator: &str, values: &[&str], node: Object) -> bool {
    affine(json!([{ "matchExpressions": [{ "key": key, "operator": operator, "values": values }] }]), node)
}

fn labelled(label: &str) -> Object {
    node("a").label("n", label)
}

#[test]
fn without_constraints_every_node_runs_a_pod() {
    covers([21]);
    assert_eq!(counts(&plan_with(daemon_set("agent"), nodes("n", 5))), "5/0");
    let none = plan_with(daemon_set("agent"), []);
    assert_eq!((counts(&none), none.missing.len()), ("0/0".to_owned(), 1));
}

#[test]
fn the_node_selector_picks_nodes() {
    covers([22]);
    let mut all = nodes("n", 4);
    all.extend(nodes("ssd", 3).into_iter().map(|node| node.label("disk", "ssd")));
    let wants = |value: &str| daemon_set("agent").template("nodeSelector", json!({ "disk": value }));
    assert_eq!(counts(&plan_with(wants("ssd"), all.clone())), "3/0");
    assert_eq!(counts(&plan_with(wants("tape"), all)), "0/0");
}

#[test]
fn a_node_name_in_the_template_is_the_only_node() {
    covers([23, 24]);
    let named = |name: &str| daemon_set("agent").template("nodeName", name);
    for (name, expected) in [("n01", "1/0"), ("gone", "0/0")] {
        assert_eq!(counts(&plan_with(named(name), nodes("n", 3))), expected, "{name}");
    }
    for (value, expected) in [("ssd", RUN), ("tape", NOT)] {
        let set = named("a").template("nodeSelector", json!({ "disk": value }));
        assert_eq!(placed(set, node("a").label("disk", "ssd")), expected, "{value}");
    }
}

#[test]
fn terms_are_alternatives() {
    covers([25]);
    let set = daemon_set("agent").affinity_terms(json!([
        { "matchExpressions": [{ "key": "zone", "operator": "In", "values": ["test"] }] },
        { "matchFields": [{ "key": "metadata.name", "operator": "In", "values": ["n02"] }] },
    ]));
    let mut all = nodes("n", 4);
    all.extend(nodes("t", 2).into_iter().map(|node| node.label("zone", "test")));
    assert_eq!(
        does(&plan_with(set, all)),
        ["n02", "t00", "t01"].map(|node| format!("create on {node}: NodeHasNoDaemonPod"))
    );
}

#[test]
fn an_empty_list_of_terms_and_an_empty_term_match_nothing() {
    covers([26]);
    let zone = json!({ "matchExpressions": [{ "key": "zone", "operator": "Exists" }] });
    assert!(!affine(json!([]), node("a")));
    assert!(!affine(json!([{}]), node("a")));
    assert!(!affine(json!([{}, zone]), node("a")));
    assert!(affine(json!([{}, zone]), node("a").label("zone", "x")));
}

#[test]
fn a_term_that_does_not_parse_leaves_the_others_to_decide() {
    covers([27, 140]);
    let broken = json!({ "key": "n", "operator": "in", "values": ["1"] });
    let valid = json!({ "matchExpressions": [{ "key": "n", "operator": "In", "values": ["1"] }] });
    let terms = json!([{ "matchExpressions": [broken] }, valid]);
    assert!(affine(terms.clone(), labelled("1")));
    assert!(!affine(terms, labelled("2")));
    let name = json!({ "key": "metadata.name", "operator": "In", "values": ["a"] });
    assert!(affine(json!([{ "matchFields": [name] }]), node("a")));
    assert!(!affine(json!([{ "matchFields": [name], "matchExpressions": [broken] }]), node("a")));
}

#[test]
fn gt_and_lt_compare_numbers_strictly() {
    covers([28, 137]);
    for (label, above_5, below_5) in [
        ("5", false, false),
        ("6", true, false),
        ("4", false, true),
        ("abc", false, false),
        ("007", true, false),
        ("9_0", false, false),
        ("0x10", false, false),
    ] {
        assert_eq!(expression("n", "Gt", &["5"], labelled(label)), above_5, "{label} > 5");
        assert_eq!(expression("n", "Gt", &["005"], labelled(label)), above_5, "{label} > 005");
        assert_eq!(expression("n", "Lt", &["5"], labelled(label)), below_5, "{label} < 5");
    }
    assert!(expression("n", "Gt", &["5"], labelled("+9")), "a label may have a sign");
    assert!(!expression("n", "Gt", &["5"], node("a")), "no label");
    assert!(!expression("n", "Lt", &["5"], node("a")), "no label");
}

#[test]
fn what_does_not_parse_never_matches() {
    covers([29, 138]);
    let too_large = "9223372036854775808";
    for (key, operator, values) in [
        ("n", "Gt", vec!["-5"]),
        ("n", "Gt", vec!["+5"]),
        ("n", "Gt", vec!["1", "2"]),
        ("n", "Gt", vec![]),
        ("n", "Gt", vec!["abc"]),
        ("n", "Lt", vec![too_large]),
        ("n", "NotIn", vec!["-x"]),
        ("n", "NotIn", vec![]),
        ("n", "In", vec![]),
        ("n", "Exists", vec!["7"]),
        ("m", "DoesNotExist", vec!["7"]),
        ("Example.com/m", "DoesNotExist", vec![]),
        ("n", "in", vec!["7"]),
        ("n", "", vec!["7"]),
    ] {
        assert!(!expression(key, operator, &values, labelled("7")), "{key} {operator} {values:?}");
    }
    assert!(expression("n", "Lt", &["9223372036854775807"], labelled("7")));
    assert!(expression("example.com/m", "DoesNotExist", &[], labelled("7")));
}

#[test]
fn each_operator_matches_what_it_says() {
    covers([30]);
    for (operator, values, when_1, when_absent) in [
        ("In", vec!["1", "2"], true, false),
        ("In", vec!["2"], false, false),
        ("NotIn", vec!["1", "2"], false, true),
        ("NotIn", vec!["2"], true, true),
        ("Exists", vec![], true, false),
        ("DoesNotExist", vec![], false, true),
    ] {
        assert_eq!(expression("n", operator, &values, labelled("1")), when_1, "{operator} {values:?} of 1");
        assert_eq!(expression("n", operator, &values, node("a")), when_absent, "{operator} {values:?} of none");
    }
}

#[test]
fn all_requirements_of_a_term_must_hold() {
    let term = json!([{
        "matchExpressions": [{ "key": "n", "operator": "Exists" }, { "key": "m", "operator": "DoesNotExist" }],
        "matchFields": [{ "key": "metadata.name", "operator": "NotIn", "values": ["b"] }],
    }]);
    assert!(affine(term.clone(), labelled("1")));
    assert!(!affine(term.clone(), node("a")));
    assert!(!affine(term.clone(), labelled("1").label("m", "1")));
    assert!(!affine(term, node("b").label("n", "1")));
}

#[test]
fn an_empty_value_in_the_node_selector_needs_an_empty_label() {
    covers([31]);
    let set = daemon_set("agent").template("nodeSelector", json!({ "n": "" }));
    assert_eq!(placed(set.clone(), labelled("")), RUN);
    assert_eq!(placed(set.clone(), labelled("1")), NOT);
    assert_eq!(placed(set, node("a")), NOT);
}

#[test]
fn selector_and_affinity_must_both_match() {
    covers([32]);
    let terms = json!([{ "matchExpressions": [{ "key": "type", "operator": "In", "values": ["test"] }] }]);
    let set = daemon_set("agent").affinity_terms(terms).template("nodeSelector", json!({ "disk": "ssd" }));
    let node = node("a").label("disk", "ssd").label("type", "production");
    let plan = plan_with(set.clone(), [node.clone(), pod("p").on("a")]);
    assert_eq!(does(&plan), ["delete p: NodeShouldNotContinueRunning"]);
    assert_eq!(placed(set.clone(), node.label("type", "test")), RUN);
    assert_eq!(placed(set, labelled("1").label("type", "test")), NOT);
}

#[test]
fn match_fields_know_only_the_name() {
    covers([139]);
    let fields = |key: &str, operator: &str, values: &[&str]| {
        affine(json!([{ "matchFields": [{ "key": key, "operator": operator, "values": values }] }]), node("a"))
    };
    for (key, operator, values, expected) in [
        ("metadata.uid", "In", vec![""], true),
        ("metadata.uid", "In", vec!["v"], false),
        ("metadata.uid", "NotIn", vec!["v"], true),
        ("metadata.uid", "NotIn", vec![""], false),
        ("metadata.name", "In", vec!["a"], true),
        ("metadata.name", "In", vec!["b"], false),
        ("metadata.name", "NotIn", vec!["b"], true),
        ("metadata.name", "NotIn", vec!["a"], false),
        ("metadata.name", "In", vec!["a", "b"], false),
        ("metadata.name", "NotIn", vec!["b", "c"], false),
        ("metadata.name", "NotIn", vec![], false),
        ("metadata.name", "Exists", vec![], false),
        ("metadata.name", "in", vec!["a"], false),
    ] {
        assert_eq!(fields(key, operator, &values), expected, "{key} {operator} {values:?}");
    }
}

#[test]
fn room_ports_cordon_and_conditions_do_not_count() {
    covers([33, 34, 35]);
    let full = node("a").set("/status/allocatable", json!({ "cpu": "0", "pods": "0" }));
    let cordoned = node("a").set("/spec/unschedulable", true);
    let set = daemon_set("agent")
        .set("/spec/template/spec/containers/0/ports", json!([{ "hostPort": 80 }]))
        .set("/spec/template/spec/containers/0/resources", json!({ "requests": { "cpu": "64" } }));
    for node in [
        full,
        cordoned.clone(),
        cordoned.taint("node.kubernetes.io/unschedulable:NoSchedule"),
        node("a").node_ready("False", 60),
        node("a").node_ready("Unknown", 60),
        node("a").deleting(-30),
    ] {
        assert_eq!(placed(set.clone(), node.clone()), RUN, "{node:?}");
    }
}

#[test]
fn default_tolerations_cover_what_the_node_lifecycle_controller_adds_except_no_schedule_for_readiness() {
    covers([36, 38, 39]);
    let host_network = daemon_set("agent").template("hostNetwork", true);
    for (taint, expected, on_host_network) in [
        ("not-ready:NoExecute", RUN, RUN),
        ("unreachable:NoExecute", RUN, RUN),
        ("disk-pressure:NoSchedule", RUN, RUN),
        ("memory-pressure:NoSchedule", RUN, RUN),
        ("pid-pressure:NoSchedule", RUN, RUN),
        ("unschedulable:NoSchedule", RUN, RUN),
        ("network-unavailable:NoSchedule", STAY, RUN),
        ("not-ready:NoSchedule", STAY, STAY),
        ("unreachable:NoSchedule", STAY, STAY),
        ("out-of-service:NoSchedule", STAY, STAY),
        ("network-unavailable:NoExecute", NOT, NOT),
        ("out-of-service:NoExecute", NOT, NOT),
    ] {
        let node = node("a").taint(&format!("node.kubernetes.io/{taint}"));
        assert_eq!(placed(daemon_set("agent"), node.clone()), expected, "{taint}");
        assert_eq!(placed(host_network.clone(), node), on_host_network, "{taint} on the host network");
    }
}

#[test]
fn a_node_that_is_not_ready_keeps_its_pod_and_is_no_longer_wanted() {
    covers([37]);
    let not_ready = |name: &str| {
        node(name).taint("node.kubernetes.io/not-ready:NoExecute").taint("node.kubernetes.io/not-ready:NoSchedule")
    };
    assert_eq!(placed(daemon_set("agent"), not_ready("a")), STAY);
    let plan = plan_with(daemon_set("agent"), [not_ready("a"), node("b"), pod("p").on("a"), pod("q").on("b")]);
    assert_eq!(does(&plan), NOTHING);
    assert_eq!((plan.status.number_misscheduled, plan.status.desired_number_scheduled), (1, 1));
}

#[test]
fn an_untolerated_no_schedule_taint_starts_nothing_and_keeps_what_runs() {
    covers([40]);
    let tainted = || node("a").taint("dedicated=db:NoSchedule");
    assert_eq!(placed(daemon_set("agent"), tainted()), STAY);
    let plan = plan_with(daemon_set("agent"), [tainted(), pod("p").on("a")]);
    assert_eq!((counts(&plan).as_str(), plan.status.number_misscheduled), ("0/0", 1));
}

#[test]
fn an_untolerated_no_execute_taint_drives_the_pod_out() {
    covers([41]);
    let plan = plan_with(daemon_set("agent"), [node("a").taint("k:NoExecute"), pod("p").on("a")]);
    assert_eq!(does(&plan), ["delete p: NodeShouldNotContinueRunning"]);
}

#[test]
fn prefer_no_schedule_and_unknown_effects_do_not_count() {
    covers([42]);
    assert_eq!(placed(daemon_set("agent"), node("a").taint("k:PreferNoSchedule").taint("k:Whatever")), RUN);
}

#[test]
fn tolerations_are_matched_by_key_operator_value_and_effect() {
    covers([43, 44, 45, 46, 48, 141]);
    for (number, toleration, taint, expected) in [
        (43, json!({ "operator": "Exists" }), "k=w:NoExecute", RUN),
        (44, json!({ "key": "k", "operator": "Equal", "value": "v" }), "k=w:NoSchedule", STAY),
        (44, json!({ "key": "k", "operator": "Equal", "value": "v" }), "k=v:NoSchedule", RUN),
        (45, json!({ "key": "k", "operator": "Exists", "effect": "NoSchedule" }), "k:NoExecute", NOT),
        (
            46,
            json!({ "key": "k", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 30 }),
            "k:NoExecute",
            RUN,
        ),
        (48, json!({ "key": "k", "operator": "Gt", "value": "900" }), "k=950:NoSchedule", STAY),
        (48, json!({ "key": "k", "operator": "Gt", "value": "900" }), "k=900:NoSchedule", STAY),
        (48, json!({ "key": "k", "operator": "Gt", "value": "900" }), "k=high:NoSchedule", STAY),
        (141, json!({ "operator": "Equal", "value": "v" }), "any=v:NoSchedule", RUN),
        (141, json!({ "value": "v" }), "any=v:NoSchedule", RUN),
        (141, json!({ "value": "v" }), "any=w:NoSchedule", STAY),
        (141, json!({ "key": "k", "operator": "exists" }), "k:NoSchedule", STAY),
    ] {
        let set = daemon_set("agent").template("tolerations", json!([toleration]));
        assert_eq!(placed(set, node("a").taint(taint)), expected, "{number}: {toleration} and {taint}");
    }
}

#[test]
fn created_pods_tolerate_not_ready_nodes_for_ever() {
    covers([47, 143]);
    let not_ready = |seconds: Option<i64>| {
        let mut toleration =
            json!({ "key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute" });
        if let Some(seconds) = seconds {
            toleration["tolerationSeconds"] = seconds.into();
        }
        toleration
    };
    for written in [json!([not_ready(Some(300))]), json!([not_ready(None), not_ready(Some(300))])] {
        let count = written.as_array().map_or(0, Vec::len);
        let tolerations = daemon_pod_tolerations(&template(json!({ "tolerations": written })));
        let of_not_ready: Vec<_> =
            tolerations.iter().filter(|t| t.key.as_deref() == Some("node.kubernetes.io/not-ready")).collect();
        let plain: Toleration = serde_json::from_value(not_ready(None)).expect("a toleration");
        assert_eq!(of_not_ready, vec![&plain; count]);
        assert_eq!(tolerations.len(), count + 5, "the other defaults are there once each");
    }
}

fn template(spec: Value) -> PodTemplateSpec {
    let set: DaemonSet = serde_json::from_value(json!({ "spec": { "template": { "spec": spec } } })).expect("a set");
    set.spec.template.spec
}

#[test]
fn all_taints_count_and_any_toleration_helps() {
    let both = node("a").taint("k:NoSchedule").taint("l:NoExecute");
    let tolerating = |keys: &[&str]| {
        let tolerations: Vec<_> = keys.iter().map(|key| json!({ "key": key, "operator": "Exists" })).collect();
        daemon_set("agent").template("tolerations", tolerations)
    };
    for (keys, expected) in [(vec![], NOT), (vec!["k"], NOT), (vec!["l"], STAY), (vec!["x", "l", "k"], RUN)] {
        assert_eq!(placed(tolerating(&keys), both.clone()), expected, "{keys:?}");
    }
    let first = daemon_pod_tolerations(&template(json!({})));
    let taint = serde_json::from_value(json!({ "key": "k", "effect": "NoSchedule" })).expect("a taint");
    assert!(!first.iter().any(|toleration| tolerates_taint(toleration, &taint)));
}

#[test]
fn a_node_that_loses_its_taint_gets_a_pod() {
    covers([49]);
    let objects = [node("a"), node("b").taint("k:NoSchedule"), pod("p").on("a")];
    let mut cluster = Cluster::new(daemon_set("agent"), objects);
    assert_eq!(cluster.sync(), "0/0");
    cluster.change("b", |node| node.without("/spec/taints"));
    assert_eq!(does(&cluster.plan()), ["create on b: NodeHasNoDaemonPod"]);
    assert_eq!([cluster.sync(), cluster.sync()], ["1/0", "0/0"]);
}

#[test]
fn the_first_check_that_fails_is_the_reason() {
    let plan = on_one_node(daemon_set("agent").template("nodeName", "b"), [pod("p").on("a")]);
    assert_eq!(does(&plan), ["delete p: NodeShouldNotContinueRunning"]);
    assert_eq!(plan.nodes[0].reason.as_str(), "NodeNameMismatch");
}
