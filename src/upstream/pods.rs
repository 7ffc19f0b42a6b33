//! What the controller reads off a pod: its node, readiness, availability, revision and place in the order.
//!
//! Mirrors `pkg/controller/daemon/util/daemonset_util.go`, `pkg/api/v1/pod/util.go` and the sort order of
//! `pkg/controller/daemon/daemon_controller.go`.

use std::cmp::Ordering;

use jiff::{SignedDuration, Timestamp};

use crate::api::{DaemonSet, Pod, TEMPLATE_GENERATION_ANNOTATION, TEMPLATE_GENERATION_LABEL};
use crate::upstream::affinity::METADATA_NAME;

/// Returns the node that a pod runs on or is pinned to; `None` if it names none, which makes it invisible to the controller.
///
/// Upstream: pkg/controller/daemon/util `GetTargetNodeName` (1.37).
pub fn target_node_name(pod: &Pod) -> Option<&str> {
    if !pod.spec.node_name.is_empty() {
        return Some(&pod.spec.node_name);
    }
    let terms = pod.spec.required_node_affinity.as_ref()?;
    let fields = terms.iter().flat_map(|term| term.match_fields.iter().flatten());
    let pin = fields.into_iter().find(|field| field.key == METADATA_NAME && field.operator == "In")?;
    match pin.values.as_deref().unwrap_or_default() {
        [name] => Some(name),
        _ => None,
    }
}

/// Returns whether the first Ready condition is True.
///
/// Upstream: pkg/api/v1/pod `IsPodReady` (1.37).
pub fn is_pod_ready(pod: &Pod) -> bool {
    pod.condition("Ready").is_some_and(|condition| condition.status == "True")
}

/// When a ready pod counts as available.
#[derive(Clone, Copy, Debug)]
pub struct Availability {
    /// The clock.
    pub now: Timestamp,
    /// Seconds a pod must have been ready.
    pub min_ready_seconds: i32,
    /// Servers up to 1.33 want the time to be over, not just reached.
    pub is_strict: bool,
}

/// Returns whether a pod is ready and has been so for `min_ready_seconds`.
///
/// Upstream: pkg/api/v1/pod `IsPodAvailable` (1.37).
pub fn is_pod_available(pod: &Pod, availability: Availability) -> bool {
    if !is_pod_ready(pod) {
        return false;
    }
    if availability.min_ready_seconds == 0 {
        return true;
    }
    let since = pod.condition("Ready").and_then(|condition| condition.last_transition_time.as_ref());
    since.is_some_and(|since| {
        let due = since.0.saturating_add(SignedDuration::from_secs(i64::from(availability.min_ready_seconds)));
        due.is_ok_and(|due| if availability.is_strict { due < availability.now } else { due <= availability.now })
    })
}

/// Returns the template generation of a set; `None` if its annotation is absent or no 64-bit integer.
///
/// Upstream: pkg/controller/daemon/util `GetTemplateGeneration` (1.37).
pub fn template_generation(daemon_set: &DaemonSet) -> Option<i64> {
    daemon_set.metadata.annotations.as_ref()?.get(TEMPLATE_GENERATION_ANNOTATION)?.parse().ok()
}

/// Returns whether the pod's template-generation label says exactly this number.
pub fn has_template_generation(pod: &Pod, template_generation: Option<i64>) -> bool {
    template_generation.is_some_and(|generation| {
        pod.labels().get(TEMPLATE_GENERATION_LABEL).is_some_and(|label| *label == generation.to_string())
    })
}

/// Orders pods of one node: bound before unbound, then older first, then by name.
///
/// Upstream: pkg/controller/daemon `podByCreationTimestampAndPhase` (1.37), which despite its name ignores the phase.
pub fn compare_by_creation_timestamp(a: &Pod, b: &Pod) -> Ordering {
    let key = |pod: &Pod| (pod.spec.node_name.is_empty(), pod.metadata.creation_timestamp.as_ref().map(|time| time.0));
    key(a).cmp(&key(b)).then_with(|| a.name().cmp(b.name()))
}

/// Returns whether the pod has ended.
///
/// Upstream: pkg/api/v1/pod `IsPodTerminal` (1.37).
pub fn is_pod_terminal(pod: &Pod) -> bool {
    matches!(pod.status.phase.as_str(), "Failed" | "Succeeded")
}

#[cfg(test)]
mod tests;
