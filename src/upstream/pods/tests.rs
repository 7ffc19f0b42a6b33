use serde_json::json;

use super::*;
use crate::builders::{NOW, Object, daemon_set, pod};

fn target(pod: Object) -> Option<String> {
    target_node_name(&pod.decode()).map(str::to_owned)
}

/// An unbound pod with these terms of required node affinity.
fn with_terms(terms: serde_json::Value) -> Object {
    let required = json!({ "requiredDuringSchedulingIgnoredDuringExecution": { "nodeSelectorTerms": terms } });
    pod("p").set("/spec/affinity", json!({ "nodeAffinity": required }))
}

fn field(key: &str, operator: &str, values: &[&str]) -> serde_json::Value {
    json!({ "key": key, "operator": operator, "values": values })
}

#[test]
fn the_node_that_a_pod_is_bound_to_comes_before_the_one_it_is_pinned_to() {
    assert_eq!(target(pod("p").pinned_to("b").on("a")), Some("a".into()));
    assert_eq!(target(pod("p").pinned_to("b")), Some("b".into()));
    assert_eq!(target(pod("p").pinned_to("")), Some(String::new()));
    assert_eq!(target(pod("p")), None);
}

#[test]
fn the_first_in_requirement_on_the_name_decides() {
    let name = "metadata.name";
    for (terms, expected) in [
        (json!([]), None),
        (json!([{}]), None),
        (json!([{ "matchExpressions": [field(name, "In", &["a"])] }]), None),
        (json!([{ "matchFields": [field("metadata.uid", "In", &["x"]), field(name, "In", &["a"])] }]), Some("a")),
        (json!([{ "matchFields": [field(name, "NotIn", &["x"]), field(name, "In", &["a"])] }]), Some("a")),
        (json!([{}, { "matchFields": [field(name, "In", &["a"])] }]), Some("a")),
        (json!([{ "matchFields": [field(name, "In", &["a"]), field(name, "In", &["b"])] }]), Some("a")),
        (
            json!([{ "matchFields": [field(name, "In", &["a", "b"])] }, { "matchFields": [field(name, "In", &["a"])] }]),
            None,
        ),
        (json!([{ "matchFields": [field(name, "In", &[]), field(name, "In", &["a"])] }]), None),
        (json!([{ "matchFields": [field(name, "in", &["a"])] }]), None),
    ] {
        assert_eq!(target(with_terms(terms.clone())).as_deref(), expected, "{terms}");
    }
}

#[test]
fn a_pod_is_ready_if_its_first_ready_condition_is_true() {
    let ready = |pod: Object| is_pod_ready(&pod.decode());
    assert!(ready(pod("p")));
    assert!(ready(pod("p").phase("Failed").deleting(5)), "phase and deletion are not looked at");
    assert!(!ready(pod("p").not_ready_for(5)));
    assert!(!ready(pod("p").set("/status/conditions/0/status", "Unknown")));
    assert!(!ready(pod("p").set("/status/conditions/0/type", "PodScheduled")));
    assert!(!ready(pod("p").without("/status/conditions")));
}

fn available(pod: Object, min_ready_seconds: i32, is_strict: bool) -> bool {
    is_pod_available(&pod.decode(), Availability { now: NOW.parse().expect("a time"), min_ready_seconds, is_strict })
}

#[test]
fn a_pod_is_available_once_it_has_been_ready_for_min_ready_seconds() {
    for (is_strict, expected) in [(false, [false, true, true]), (true, [false, false, true])] {
        assert_eq!([9, 10, 11].map(|seconds| available(pod("p").ready_for(seconds), 10, is_strict)), expected);
    }
    assert!(!available(pod("p").not_ready_for(60), 10, false));
    assert!(!available(pod("p").not_ready_for(60), 0, false));
}

#[test]
fn without_min_ready_seconds_a_ready_pod_is_available_at_once() {
    let untimed = || pod("p").without("/status/conditions/0/lastTransitionTime");
    for is_strict in [false, true] {
        assert!(available(pod("p").ready_for(0), 0, is_strict));
        assert!(available(pod("p").ready_for(-60), 0, is_strict), "ready in the future: clocks differ");
        assert!(available(untimed(), 0, is_strict));
        assert!(!available(untimed(), 1, is_strict));
        assert!(!available(pod("p").ready_for(-60), 1, is_strict));
    }
    let at_the_end_of_time = pod("p").set("/status/conditions/0/lastTransitionTime", "9999-12-30T22:00:00Z");
    assert!(!available(at_the_end_of_time, i32::MAX, false));
}

#[test]
fn the_template_generation_is_a_64_bit_integer() {
    let of = |annotation: &str| {
        let annotations = json!({ "deprecated.daemonset.template.generation": annotation });
        template_generation(&daemon_set("agent").set("/metadata/annotations", annotations).decode())
    };
    assert_eq!(["3", "007", "-1", "9223372036854775807"].map(of), [Some(3), Some(7), Some(-1), Some(i64::MAX)]);
    assert_eq!(["", "abc", "3 ", "9223372036854775808"].map(of), [None; 4]);
    assert_eq!(template_generation(&daemon_set("agent").decode()), None);
    assert_eq!(
        template_generation(&daemon_set("agent").set("/metadata/annotations", json!({ "x": "3" })).decode()),
        None
    );
}

#[test]
fn the_generation_label_is_compared_as_text() {
    let has = |label: &str, generation: Option<i64>| {
        has_template_generation(&pod("p").label("pod-template-generation", label).decode(), generation)
    };
    assert!(has("3", Some(3)));
    assert!(has("-3", Some(-3)));
    assert!(!has("03", Some(3)));
    assert!(!has("4", Some(3)));
    assert!(!has("3", None));
    assert!(!has("", None));
    assert!(!has_template_generation(&pod("p").decode(), Some(3)));
}

#[test]
fn pods_are_ordered_by_binding_then_age_then_name() {
    let order = |a: Object, b: Object| {
        let (a, b): (Pod, Pod) = (a.decode(), b.decode());
        assert_eq!(compare_by_creation_timestamp(&b, &a), compare_by_creation_timestamp(&a, &b).reverse());
        compare_by_creation_timestamp(&a, &b)
    };
    assert_eq!(order(pod("z").on("a").created(1), pod("a").created(9)), Ordering::Less);
    assert_eq!(order(pod("z").on("a").created(9), pod("a").on("b").created(1)), Ordering::Less);
    assert_eq!(order(pod("z").created(9), pod("a").created(1)), Ordering::Less);
    assert_eq!(order(pod("a").on("b"), pod("z").on("a")), Ordering::Less);
    assert_eq!(order(pod("a").on("a"), pod("a").on("b")), Ordering::Equal);
    assert_eq!(order(pod("z").on("a").without("/metadata/creationTimestamp"), pod("a").on("a")), Ordering::Less);
    assert_eq!(order(pod("a").on("a").phase("Failed").created(1), pod("z").on("a").created(2)), Ordering::Greater);
}

#[test]
fn failed_and_succeeded_pods_have_ended() {
    for (phase, expected) in [
        ("Failed", true),
        ("Succeeded", true),
        ("Running", false),
        ("Pending", false),
        ("Unknown", false),
        ("", false),
        ("failed", false),
    ] {
        assert_eq!(is_pod_terminal(&pod("p").phase(phase).decode()), expected, "{phase}");
    }
}
