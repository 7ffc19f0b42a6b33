//! Taints and tolerations.
//!
//! Mirrors `pkg/controller/daemon/util/daemonset_util.go` (default tolerations) and k8s.io/api `core/v1/toleration.go`.

use crate::api::{PodTemplateSpec, Taint, Toleration};

/// Effect that keeps new pods away.
pub const NO_SCHEDULE: &str = "NoSchedule";
/// Effect that also drives running pods out.
pub const NO_EXECUTE: &str = "NoExecute";

/// Key and effect of the tolerations that every daemon pod gets.
const DEFAULT_TOLERATIONS: [(&str, &str); 6] = [
    ("node.kubernetes.io/not-ready", NO_EXECUTE),
    ("node.kubernetes.io/unreachable", NO_EXECUTE),
    ("node.kubernetes.io/disk-pressure", NO_SCHEDULE),
    ("node.kubernetes.io/memory-pressure", NO_SCHEDULE),
    ("node.kubernetes.io/pid-pressure", NO_SCHEDULE),
    ("node.kubernetes.io/unschedulable", NO_SCHEDULE),
];

/// Key and effect of the toleration that daemon pods on the host network get besides.
const HOST_NETWORK_TOLERATION: (&str, &str) = ("node.kubernetes.io/network-unavailable", NO_SCHEDULE);

/// Returns the template's tolerations with the defaults added, in upstream's order.
///
/// A toleration equal to a default in key, operator, value and effect is replaced in place (its `tolerationSeconds` goes).
///
/// Upstream: pkg/controller/daemon/util `AddOrUpdateDaemonPodTolerations` (1.37).
pub fn daemon_pod_tolerations(template: &PodTemplateSpec) -> Vec<Toleration> {
    let mut tolerations = template.tolerations.clone();
    for default in default_tolerations(template) {
        add_or_update(&mut tolerations, default, |toleration, default| identity(toleration) == identity(default));
    }
    tolerations
}

/// Returns the tolerations that the controller adds for this template.
pub fn default_tolerations(template: &PodTemplateSpec) -> impl Iterator<Item = Toleration> {
    let host_network = template.host_network.then_some(HOST_NETWORK_TOLERATION);
    DEFAULT_TOLERATIONS.into_iter().chain(host_network).map(|(key, effect)| Toleration {
        key: Some(key.to_owned()),
        operator: Some("Exists".to_owned()),
        effect: Some(effect.to_owned()),
        ..Toleration::default()
    })
}

/// Replaces those that are the same, as far as it counts, in place; adds it if there is none.
///
/// Upstream: pkg/apis/core/v1/helper `AddOrUpdateTolerationInPodSpec` (1.37).
pub fn add_or_update<T: Clone>(tolerations: &mut Vec<T>, default: T, is_same: impl Fn(&T, &T) -> bool) {
    let mut is_there = false;
    for toleration in tolerations.iter_mut().filter(|toleration| is_same(toleration, &default)) {
        *toleration = default.clone();
        is_there = true;
    }
    if !is_there {
        tolerations.push(default);
    }
}

fn identity(toleration: &Toleration) -> [&str; 4] {
    [&toleration.key, &toleration.operator, &toleration.value, &toleration.effect]
        .map(|part| part.as_deref().unwrap_or_default())
}

/// Returns whether a toleration covers a taint.
///
/// The numeric operators Gt and Lt count as unknown: their gate `TaintTolerationComparisonOperators` is off by default.
///
/// Upstream: k8s.io/api core/v1 `Toleration.ToleratesTaint` (1.37).
pub fn tolerates_taint(toleration: &Toleration, taint: &Taint) -> bool {
    let [key, operator, value, effect] = identity(toleration);
    (effect.is_empty() || effect == taint.effect)
        && (key.is_empty() || key == taint.key)
        && match operator {
            "" | "Equal" => value == taint.value.as_deref().unwrap_or_default(),
            "Exists" => true,
            _ => false,
        }
}

/// Returns whether the controller looks at this taint when it decides whether a pod should run.
pub fn is_hard(taint: &Taint) -> bool {
    taint.effect == NO_SCHEDULE || taint.effect == NO_EXECUTE
}

/// Returns the toleration that covers a taint: the first one, if there are several.
pub fn toleration_for<'a>(tolerations: &'a [Toleration], taint: &Taint) -> Option<&'a Toleration> {
    tolerations.iter().find(|toleration| tolerates_taint(toleration, taint))
}

/// Returns the hard taints that nothing tolerates, in the order of the node.
///
/// Upstream: component-helpers scheduling/corev1 `FindMatchingUntoleratedTaint` (1.37), which returns the first one.
pub fn untolerated_taints<'a>(taints: &'a [Taint], tolerations: &[Toleration]) -> Vec<&'a Taint> {
    taints.iter().filter(|taint| is_hard(taint) && toleration_for(tolerations, taint).is_none()).collect()
}

/// Returns a taint as kubectl writes it: `key=value:effect`, or `key:effect` without a value.
pub fn taint_text(taint: &Taint) -> String {
    match taint.value.as_deref().filter(|value| !value.is_empty()) {
        Some(value) => format!("{}={value}:{}", taint.key, taint.effect),
        None => format!("{}:{}", taint.key, taint.effect),
    }
}

/// Returns a toleration in the same form, with `Exists` spelled out where it stands for any value or any key.
pub fn toleration_text(toleration: &Toleration) -> String {
    let [key, operator, value, effect] = identity(toleration);
    let what = match (key, operator) {
        ("", "Exists") => "operator=Exists".to_owned(),
        (_, "Exists") => format!("{key} (Exists)"),
        (_, "" | "Equal") => format!("{key}={value}"),
        (_, operator) => format!("{key} {operator} {value}"),
    };
    if effect.is_empty() { what } else { format!("{what}:{effect}") }
}

#[cfg(test)]
mod tests;
