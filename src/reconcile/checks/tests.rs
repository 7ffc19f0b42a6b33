use serde_json::{Value, json};

use super::*;
use crate::api::DaemonSet;
use crate::builders::{Object, daemon_set, node};

/// Returns the checks as `name: passed or failed: detail`.
fn told(set: Object, node: Object) -> Vec<String> {
    let set: DaemonSet = set.decode();
    let checks = checks(&Placer::new(&set.spec.template.spec), &node.decode());
    let word = |passed: bool| if passed { "passed" } else { "failed" };
    checks.iter().map(|check| format!("{}: {}: {}", check.check.as_str(), word(check.passed), check.detail)).collect()
}

/// Returns the one check of this name, without it.
fn one(check: &str, set: Object, node: Object) -> String {
    let told = told(set, node);
    let found: Vec<_> = told.iter().filter_map(|line| line.strip_prefix(&format!("{check}: "))).collect();
    assert_eq!(found.len(), 1, "{told:?}");
    found[0].to_owned()
}

fn selecting(selector: Value) -> Object {
    daemon_set("agent").template("nodeSelector", selector)
}

fn tolerating(toleration: Value) -> Object {
    daemon_set("agent").template("tolerations", json!([toleration]))
}

fn affinity(terms: Value, node: Object) -> String {
    one("NodeAffinity", daemon_set("agent").affinity_terms(terms), node)
}

fn expression(key: &str, operator: &str, values: &[&str]) -> Value {
    json!({ "key": key, "operator": operator, "values": values })
}

#[test]
fn a_node_without_constraints_passes_four_checks() {
    assert_eq!(
        told(daemon_set("agent"), node("a")),
        [
            "NodeName: passed: no nodeName is set",
            "NodeSelector: passed: no nodeSelector is set",
            "NodeAffinity: passed: no node affinity is required",
            "Tolerations: passed: the node has no taints",
        ]
    );
}

#[test]
fn checks_go_on_behind_the_first_that_failed() {
    let set = selecting(json!({ "disk": "ssd" })).template("nodeName", "b").affinity_terms(json!([]));
    assert_eq!(
        told(set, node("a").taint("k=v:NoExecute").taint("l:NoSchedule")),
        [
            "NodeName: failed: nodeName is b",
            "NodeSelector: failed: lacks label disk, wanted disk=ssd",
            "NodeAffinity: failed: the required node affinity has no terms, which matches no node",
            "Tolerations: failed: k=v:NoExecute is not tolerated; l:NoSchedule is not tolerated",
            "NoExecuteTolerations: failed: k=v:NoExecute is not tolerated",
        ]
    );
}

#[test]
fn the_node_name_is_told() {
    assert_eq!(one("NodeName", daemon_set("agent").template("nodeName", "a"), node("a")), "passed: nodeName is a");
}

#[test]
fn labels_that_are_there_are_listed() {
    let set = selecting(json!({ "disk": "ssd", "zone": "z" }));
    let node = node("a").label("disk", "ssd").label("zone", "z").label("more", "x");
    assert_eq!(one("NodeSelector", set, node), "passed: has disk=ssd, zone=z");
}

#[test]
fn labels_that_differ_or_lack_are_listed_with_what_comes_near() {
    let near = |label: &str| {
        one("NodeSelector", selecting(json!({ "example.com/Disk-Type": "ssd" })), node("a").label(label, "ssd"))
    };
    let lacks = "failed: lacks label example.com/Disk-Type, wanted example.com/Disk-Type=ssd";
    for label in ["disktype", "disk_type", "DISK.TYPE", "example.org/disk-type", "example.com/disk-type"] {
        assert_eq!(near(label), format!("{lacks}; has {label}=ssd"));
    }
    for label in ["disk", "disk-type/x", "disk-types"] {
        assert_eq!(near(label), lacks);
    }
    let set = selecting(json!({ "disk": "ssd", "rack": "1", "zone": "z" }));
    let node = node("a").label("disk", "hdd").label("zone", "z");
    assert_eq!(one("NodeSelector", set, node), "failed: has disk=hdd, wanted ssd; lacks label rack, wanted rack=1");
}

#[test]
fn the_term_that_matches_is_told() {
    let terms = json!([
        { "matchExpressions": [expression("zone", "In", &["x"])] },
        {
            "matchExpressions": [expression("n", "Gt", &["5"]), expression("n", "Lt", &["9"]), expression("m", "DoesNotExist", &[])],
            "matchFields": [expression("metadata.name", "NotIn", &["b"])],
        },
    ]);
    assert_eq!(
        affinity(terms, node("a").label("n", "7")),
        "passed: matches n > 5 and n < 9 and m DoesNotExist and metadata.name NotIn [b]"
    );
}

#[test]
fn of_a_term_that_does_not_match_every_failed_requirement_is_told() {
    let term = json!([{
        "matchExpressions": [expression("zone", "In", &["x", "y"]), expression("n", "Exists", &[]), expression("m", "Gt", &["5"])],
        "matchFields": [expression("metadata.name", "In", &["b"])],
    }]);
    assert_eq!(
        affinity(term, node("a").label("zone", "z").label("m", "6")),
        "failed: has zone=z, wanted In [x, y]; lacks label n, wanted Exists; name is a, wanted In [b]"
    );
}

#[test]
fn of_several_terms_each_is_told_by_its_number() {
    let terms = json!([
        { "matchExpressions": [expression("zone", "in", &["x"])] },
        {},
        { "matchExpressions": [expression("zone", "In", &["x"])] },
    ]);
    assert_eq!(
        affinity(terms, node("a")),
        "failed: term 1: never matches: \"in\" is not a valid node selector operator; \
         term 2: never matches: the term is empty and matches no node; \
         term 3: lacks label zone, wanted In [x]"
    );
    assert_eq!(affinity(json!([{}]), node("a")), "failed: never matches: the term is empty and matches no node");
}

#[test]
fn each_taint_that_does_not_keep_the_pod_away_is_told_with_why() {
    let set = tolerating(json!({ "key": "k", "operator": "Exists" }));
    let node = node("a")
        .taint("k=v:NoSchedule")
        .taint("node.kubernetes.io/unreachable:NoExecute")
        .taint("soft:PreferNoSchedule")
        .taint("k:PreferNoSchedule");
    assert_eq!(
        told(set, node)[3..],
        ["Tolerations: passed: k=v:NoSchedule is tolerated by k (Exists); \
          node.kubernetes.io/unreachable:NoExecute is tolerated by every daemon pod; \
          soft:PreferNoSchedule does not count; k:PreferNoSchedule does not count"]
    );
}

#[test]
fn a_pod_may_stay_where_only_no_schedule_taints_are_untolerated() {
    assert_eq!(
        told(daemon_set("agent"), node("a").taint("k:NoSchedule"))[3..],
        [
            "Tolerations: failed: k:NoSchedule is not tolerated",
            "NoExecuteTolerations: passed: no NoExecute taint is untolerated: a pod that is here may stay",
        ]
    );
}

#[test]
fn the_toleration_that_comes_nearest_is_told_with_what_it_lacks() {
    let near = |toleration: Value| one("Tolerations", tolerating(toleration), node("a").taint("k=v:NoExecute"));
    let untolerated = "failed: k=v:NoExecute is not tolerated";
    for (toleration, hint) in [
        (json!({ "key": "k", "value": "w" }), " (toleration k=w wants another value)"),
        (json!({ "key": "k", "value": "w", "effect": "NoExecute" }), " (toleration k=w:NoExecute wants another value)"),
        (json!({ "key": "k", "value": "w", "effect": "" }), " (toleration k=w wants another value)"),
        (
            json!({ "key": "k", "operator": "Exists", "effect": "NoSchedule" }),
            " (toleration k (Exists):NoSchedule covers another effect)",
        ),
        (json!({ "key": "l", "operator": "Exists" }), ""),
        (json!({ "value": "w" }), ""),
    ] {
        assert_eq!(near(toleration), format!("{untolerated}{hint}"));
    }
}

#[test]
fn the_host_network_is_a_hint_where_it_would_help() {
    let taint = "node.kubernetes.io/network-unavailable:NoSchedule";
    let network = |set: Object, taint: &str| one("Tolerations", set, node("a").taint(taint));
    assert_eq!(
        network(daemon_set("agent"), taint),
        format!("failed: {taint} is not tolerated (only pods with hostNetwork tolerate it by default)")
    );
    let on_host = || daemon_set("agent").template("hostNetwork", true);
    assert_eq!(network(on_host(), taint), format!("passed: {taint} is tolerated by every daemon pod"));
    let other = "node.kubernetes.io/network-unavailable:NoExecute";
    assert_eq!(
        network(on_host(), other),
        format!(
            "failed: {other} is not tolerated (toleration node.kubernetes.io/network-unavailable (Exists):NoSchedule covers another effect)"
        )
    );
    assert_eq!(network(daemon_set("agent"), "k:NoSchedule"), "failed: k:NoSchedule is not tolerated");
}
