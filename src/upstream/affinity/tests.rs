use serde_json::{Value, json};

use super::*;
use crate::api::DaemonSet;
use crate::builders::{Object, daemon_set, node};

/// Calls `look` with the parsed placement fields of this set.
fn with<T>(daemon_set: Object, look: impl FnOnce(&RequiredNodeAffinity<'_>) -> T) -> T {
    let set: DaemonSet = daemon_set.decode();
    look(&RequiredNodeAffinity::new(&set.spec.template.spec))
}

fn matching(terms: Value, node: Object) -> Option<usize> {
    with(daemon_set("agent").affinity_terms(terms), |affinity| affinity.matching_term(&node.decode()))
}

/// Returns why the one term never matches.
fn error(term: Value) -> Option<String> {
    let set = daemon_set("agent").affinity_terms(json!([term]));
    with(set, |affinity| affinity.terms.as_ref().and_then(|terms| terms[0].error().map(str::to_owned)))
}

fn expression(key: &str, operator: &str, values: &[&str]) -> Value {
    json!({ "key": key, "operator": operator, "values": values })
}

#[test]
fn an_absent_required_section_is_told_from_an_empty_one() {
    let terms = |set: Object| with(set, |affinity| affinity.terms.as_ref().map(Vec::len));
    assert_eq!(terms(daemon_set("agent")), None);
    assert_eq!(terms(daemon_set("agent").template("affinity", json!({ "podAffinity": {} }))), None);
    assert_eq!(terms(daemon_set("agent").template("affinity", json!({ "nodeAffinity": {} }))), None);
    assert_eq!(terms(daemon_set("agent").affinity_terms(json!([]))), Some(0));
    assert_eq!(terms(daemon_set("agent").affinity_terms(json!([{}]))), Some(1));
}

#[test]
fn the_first_matching_term_is_named() {
    let terms = json!([
        {},
        { "matchExpressions": [expression("n", "in", &["1"])] },
        { "matchExpressions": [expression("n", "In", &["1"])] },
        { "matchFields": [expression("metadata.name", "In", &["a"])] },
    ]);
    assert_eq!(matching(terms.clone(), node("a").label("n", "1")), Some(2));
    assert_eq!(matching(terms.clone(), node("a")), Some(3));
    assert_eq!(matching(terms, node("b")), None);
    assert_eq!(with(daemon_set("agent"), |affinity| affinity.matching_term(&node("a").decode())), None);
}

#[test]
fn the_node_selector_wants_every_label() {
    let matches = |selector: Value, node: Object| {
        with(daemon_set("agent").template("nodeSelector", selector), |affinity| {
            affinity.matches_node_selector(&node.decode())
        })
    };
    assert!(matches(json!({}), node("a")));
    assert!(matches(json!({ "not a key": "not a value" }), node("a").label("not a key", "not a value")));
    assert!(!matches(json!({ "m": "1", "n": "2" }), node("a").label("m", "1")));
    assert!(matches(json!({ "m": "1", "n": "2" }), node("a").label("m", "1").label("n", "2")));
}

#[test]
fn why_a_term_never_matches_is_told() {
    let fields =
        |key: &str, operator: &str, values: &[&str]| json!({ "matchFields": [expression(key, operator, values)] });
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(error(json!({})), some("the term is empty and matches no node"));
    assert_eq!(
        error(json!({ "matchExpressions": [], "matchFields": [] })),
        some("the term is empty and matches no node")
    );
    assert_eq!(
        error(json!({ "matchExpressions": [expression("n", "in", &["1"])] })),
        some("\"in\" is not a valid node selector operator")
    );
    assert_eq!(
        error(json!({ "matchExpressions": [expression("n", "In", &[])] })),
        some("key \"n\": In and NotIn need a value")
    );
    let name = "metadata.name";
    assert_eq!(error(fields(name, "In", &["a", "b"])), some("field \"metadata.name\" needs exactly one value"));
    assert_eq!(error(fields(name, "NotIn", &[])), some("field \"metadata.name\" needs exactly one value"));
    assert_eq!(error(fields(name, "Exists", &[])), some("\"Exists\" is not a valid node field selector operator"));
    assert_eq!(error(fields(name, "In", &["a"])), None);
    assert_eq!(error(fields("spec.unknown", "NotIn", &["a"])), None);
}

#[test]
fn the_requirements_that_a_node_fails_are_told_in_their_order() {
    let term = json!({
        "matchExpressions": [expression("n", "Exists", &[]), expression("m", "Gt", &["5"])],
        "matchFields": [expression("metadata.name", "NotIn", &["a"])],
    });
    let failed = |node: Object| {
        with(daemon_set("agent").affinity_terms(json!([term])), |affinity| {
            let terms = affinity.terms.as_ref().expect("terms");
            assert_eq!(requirements(terms[0].written).count(), 3);
            let failed = terms[0].failed_requirements(&node.decode());
            failed.into_iter().map(|requirement| requirement.key.clone()).collect::<Vec<_>>()
        })
    };
    assert_eq!(failed(node("a")), ["n", "m", "metadata.name"]);
    assert_eq!(failed(node("b").label("m", "5")), ["n", "m"]);
    assert_eq!(failed(node("a").label("m", "6").label("n", "")), ["metadata.name"]);
    assert_eq!(failed(node("b").label("m", "6").label("n", "")), [""; 0]);
}
