use serde_json::{Value, json};

use super::*;
use crate::api::DaemonSet;
use crate::builders::daemon_set;

fn taint(key: &str, value: Option<&str>, effect: &str) -> Taint {
    let mut taint = json!({ "key": key, "effect": effect });
    if let Some(value) = value {
        taint["value"] = value.into();
    }
    serde_json::from_value(taint).expect("a taint")
}

fn toleration(toleration: Value) -> Toleration {
    serde_json::from_value(toleration).expect("a toleration")
}

fn template(tolerations: Value, host_network: bool) -> PodTemplateSpec {
    let set = daemon_set("agent").template("tolerations", tolerations).template("hostNetwork", host_network);
    set.decode::<DaemonSet>().spec.template.spec
}

/// Returns tolerations in their text form, `tolerationSeconds` behind.
fn texts(tolerations: &[Toleration]) -> Vec<String> {
    let seconds =
        |toleration: &Toleration| toleration.toleration_seconds.map_or(String::new(), |s| format!(" for {s} s"));
    tolerations.iter().map(|toleration| toleration_text(toleration) + &seconds(toleration)).collect()
}

const DEFAULTS: [&str; 6] = [
    "node.kubernetes.io/not-ready (Exists):NoExecute",
    "node.kubernetes.io/unreachable (Exists):NoExecute",
    "node.kubernetes.io/disk-pressure (Exists):NoSchedule",
    "node.kubernetes.io/memory-pressure (Exists):NoSchedule",
    "node.kubernetes.io/pid-pressure (Exists):NoSchedule",
    "node.kubernetes.io/unschedulable (Exists):NoSchedule",
];

#[test]
fn the_defaults_come_after_the_templates_own_in_upstreams_order() {
    let own = json!([{ "key": "k", "operator": "Exists" }]);
    let with_defaults = |more: &[&'static str]| [&["k (Exists)"][..], &DEFAULTS[..], more].concat();
    assert_eq!(texts(&daemon_pod_tolerations(&template(own.clone(), false))), with_defaults(&[]));
    let network = "node.kubernetes.io/network-unavailable (Exists):NoSchedule";
    assert_eq!(texts(&daemon_pod_tolerations(&template(own, true))), with_defaults(&[network]));
    assert_eq!(texts(&default_tolerations(&template(json!([]), false)).collect::<Vec<_>>()), DEFAULTS);
}

#[test]
fn a_default_takes_the_place_of_the_same_toleration_and_of_no_other() {
    let unreachable = |more: Value| {
        let mut toleration = json!({ "key": "node.kubernetes.io/unreachable" });
        toleration.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        toleration
    };
    let own = json!([
        unreachable(json!({ "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 9 })),
        unreachable(json!({ "operator": "Exists", "tolerationSeconds": 9 })),
        unreachable(json!({ "operator": "Equal", "effect": "NoExecute", "tolerationSeconds": 9 })),
        unreachable(json!({ "operator": "Exists", "value": "x", "effect": "NoExecute", "tolerationSeconds": 9 })),
        unreachable(json!({ "operator": "Exists", "value": "", "effect": "NoExecute", "tolerationSeconds": 9 })),
    ]);
    let tolerations = texts(&daemon_pod_tolerations(&template(own, false)));
    let [not_ready, unreachable, rest @ ..] = DEFAULTS;
    let kept = [
        unreachable,
        "node.kubernetes.io/unreachable (Exists) for 9 s",
        "node.kubernetes.io/unreachable=:NoExecute for 9 s",
        "node.kubernetes.io/unreachable (Exists):NoExecute for 9 s",
        unreachable,
    ];
    assert_eq!(tolerations, [&kept[..], &[not_ready], &rest[..]].concat());
}

#[test]
fn a_toleration_covers_a_taint_by_effect_key_and_operator() {
    for (tolerating, key, value, effect, expected) in [
        (json!({ "key": "k", "operator": "Exists" }), "k", Some("v"), "NoSchedule", true),
        (json!({ "key": "k", "operator": "Exists" }), "l", None, "NoSchedule", false),
        (json!({ "operator": "Exists" }), "k", Some("v"), "NoExecute", true),
        (json!({ "operator": "Exists", "effect": "NoSchedule" }), "k", None, "NoExecute", false),
        (json!({ "key": "k", "operator": "Exists", "effect": "NoExecute" }), "k", None, "NoExecute", true),
        (json!({ "key": "k", "value": "v" }), "k", Some("v"), "NoSchedule", true),
        (json!({ "key": "k", "value": "v" }), "k", Some("w"), "NoSchedule", false),
        (json!({ "key": "k", "value": "v" }), "k", None, "NoSchedule", false),
        (json!({ "key": "k" }), "k", None, "NoSchedule", true),
        (json!({ "key": "k", "operator": "" }), "k", Some(""), "NoSchedule", true),
        (json!({ "key": "k", "operator": "Equal", "value": "v" }), "k", Some("v"), "NoSchedule", true),
        (json!({ "operator": "Equal", "value": "v" }), "k", Some("v"), "NoSchedule", true),
        (json!({ "key": "k", "operator": "exists" }), "k", None, "NoSchedule", false),
        (json!({ "key": "k", "operator": "Gt", "value": "5" }), "k", Some("9"), "NoSchedule", false),
        (json!({ "key": "k", "operator": "Lt", "value": "5" }), "k", Some("1"), "NoSchedule", false),
    ] {
        let covers = tolerates_taint(&toleration(tolerating.clone()), &taint(key, value, effect));
        assert_eq!(covers, expected, "{tolerating} and {key}={value:?}:{effect}");
    }
}

#[test]
fn only_hard_taints_need_a_toleration() {
    let taints = [
        taint("a", None, "PreferNoSchedule"),
        taint("b", None, "NoSchedule"),
        taint("c", None, "Other"),
        taint("d", None, "NoExecute"),
        taint("e", None, "NoExecute"),
    ];
    assert_eq!([0, 1, 2, 3].map(|i| is_hard(&taints[i])), [false, true, false, true]);
    let left = |tolerations: &[Toleration]| {
        untolerated_taints(&taints, tolerations).iter().map(|taint| taint.key.clone()).collect::<Vec<_>>()
    };
    assert_eq!(left(&[]), ["b", "d", "e"]);
    assert_eq!(left(&[toleration(json!({ "key": "d", "operator": "Exists" }))]), ["b", "e"]);
}

#[test]
fn the_first_toleration_that_covers_a_taint_is_named() {
    let tolerations = [
        toleration(json!({ "key": "x" })),
        toleration(json!({ "key": "k", "operator": "Exists", "effect": "NoSchedule" })),
        toleration(json!({ "operator": "Exists" })),
    ];
    assert_eq!(toleration_for(&tolerations, &taint("k", None, "NoSchedule")), Some(&tolerations[1]));
    assert_eq!(toleration_for(&tolerations, &taint("k", None, "NoExecute")), Some(&tolerations[2]));
    assert_eq!(toleration_for(&tolerations[..2], &taint("k", None, "NoExecute")), None);
}

#[test]
fn taints_and_tolerations_read_as_kubectl_writes_them() {
    assert_eq!(taint_text(&taint("k", Some("v"), "NoSchedule")), "k=v:NoSchedule");
    assert_eq!(taint_text(&taint("k", Some(""), "NoSchedule")), "k:NoSchedule");
    assert_eq!(taint_text(&taint("k", None, "NoExecute")), "k:NoExecute");
    for (tolerating, text) in [
        (json!({ "operator": "Exists" }), "operator=Exists"),
        (json!({ "operator": "Exists", "effect": "NoExecute" }), "operator=Exists:NoExecute"),
        (json!({ "key": "k", "operator": "Exists" }), "k (Exists)"),
        (json!({ "key": "k", "value": "v", "effect": "NoSchedule" }), "k=v:NoSchedule"),
        (json!({ "key": "k", "operator": "Equal", "value": "v" }), "k=v"),
        (json!({ "key": "k", "operator": "Gt", "value": "5" }), "k Gt 5"),
    ] {
        assert_eq!(toleration_text(&toleration(tolerating)), text);
    }
}
