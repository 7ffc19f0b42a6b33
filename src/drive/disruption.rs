//! Disruption budgets that can never let a pod go, so that waiting for them is vain.
//!
//! Mirrors the eviction subresource, `pkg/registry/core/pod/storage/eviction.go`, and the budgets' own controller,
//! `pkg/controller/disruption/disruption.go` (1.37).

use crate::api::{IntOrString, Pod, PodDisruptionBudget};
use crate::upstream::labels::Selector;

/// Says why a pod among these will never be evicted, if so. `budgets` are those of its namespace.
pub fn never_allowed<'a>(budgets: &[PodDisruptionBudget], pods: impl IntoIterator<Item = &'a Pod>) -> Option<String> {
    pods.into_iter().find_map(|pod| of_pod(budgets, pod))
}

fn of_pod(budgets: &[PodDisruptionBudget], pod: &Pod) -> Option<String> {
    // Pods that do not run yet, or no longer, are deleted whatever the budgets say.
    if pod.status.phase != "Running" || pod.is_deleting() {
        return None;
    }
    let covering: Vec<&PodDisruptionBudget> = budgets.iter().filter(|budget| covers(budget, pod)).collect();
    let [budget] = covering[..] else {
        let names: Vec<&str> = covering.iter().map(|budget| name(budget)).collect();
        let why = "and the server evicts no pod that has several";
        return (covering.len() > 1)
            .then(|| format!("pod {} has the PodDisruptionBudgets {}, {why}", pod.name(), names.join(" and ")));
    };
    let is_ready = pod.condition("Ready").is_some_and(|condition| condition.status == "True");
    let policy = budget.spec.as_ref().and_then(|spec| spec.unhealthy_pod_eviction_policy.as_deref());
    if !is_ready && policy == Some("AlwaysAllow") {
        return None;
    }
    let why = cannot_be_computed(budget).or_else(|| is_ready.then(|| wants_all(budget)).flatten())?;
    Some(format!("PodDisruptionBudget {} never lets pod {} go: {why}", name(budget), pod.name()))
}

/// Upstream: pkg/registry/core/pod/storage `getPodDisruptionBudgets` (1.37). A selector that is absent covers nothing.
fn covers(budget: &PodDisruptionBudget, pod: &Pod) -> bool {
    let selector = budget.spec.as_ref().and_then(|spec| spec.selector.as_ref());
    Selector::from_label_selector(selector).is_ok_and(|selector| selector.matches(pod.labels()))
}

/// Says why the controller of the budgets cannot tell how many pods there should be: for that it asks the scale of their
/// owner, and a DaemonSet has none. Only a number of pods that must be available needs no scale.
///
/// Upstream: pkg/controller/disruption `getExpectedPodCount` (1.37).
fn cannot_be_computed(budget: &PodDisruptionBudget) -> Option<String> {
    let spec = budget.spec.as_ref()?;
    let field = match (&spec.max_unavailable, &spec.min_available) {
        (Some(_), _) => Some("maxUnavailable"),
        (None, Some(IntOrString::String(_))) => Some("a percentage"),
        _ => None,
    };
    if let Some(field) = field {
        return Some(format!(
            "it has {field}, which needs a scale that DaemonSets do not have; with minAvailable as a number it works"
        ));
    }
    let conditions = budget.status.as_ref().and_then(|status| status.conditions.as_ref());
    let failed = conditions.into_iter().flatten().find(|condition| {
        condition.type_ == "DisruptionAllowed" && condition.status == "False" && condition.reason == "SyncFailed"
    })?;
    Some(format!("it cannot be computed: {}", failed.message))
}

/// Says that all pods that there are must be available.
fn wants_all(budget: &PodDisruptionBudget) -> Option<String> {
    let status = budget.status.as_ref()?;
    let is_current = status.observed_generation.unwrap_or(0) >= budget.metadata.generation.unwrap_or(0);
    let (wanted, there) = (status.desired_healthy?, status.expected_pods?);
    (is_current && there > 0 && wanted >= there)
        .then(|| format!("it wants {wanted} pods to be available, and there are {there}"))
}

fn name(budget: &PodDisruptionBudget) -> &str {
    budget.metadata.name.as_deref().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::never_allowed;
    use crate::api::{Pod, PodDisruptionBudget};
    use crate::builders::{Object, pod};

    fn budget(name: &str, spec: &Value, status: &Value) -> PodDisruptionBudget {
        let mut spec = spec.clone();
        if spec["selector"].is_null() {
            spec["selector"] = json!({ "matchLabels": { "app": "agent" } });
        }
        let budget = json!({ "metadata": { "name": name, "generation": 1 }, "spec": spec, "status": status });
        serde_json::from_value(budget).expect("a budget decodes")
    }

    /// What the API server stores before the controller of the budgets has looked.
    fn unseen() -> Value {
        json!({ "disruptionsAllowed": 0, "currentHealthy": 0, "desiredHealthy": 0, "expectedPods": 0 })
    }

    fn counted(desired: i64, expected: i64) -> Value {
        json!({ "disruptionsAllowed": 0, "currentHealthy": expected, "desiredHealthy": desired,
            "expectedPods": expected, "observedGeneration": 1 })
    }

    fn why(budgets: &[PodDisruptionBudget], pod: Object) -> Option<String> {
        never_allowed(budgets, [&pod.on("a").decode::<Pod>()])
    }

    #[test]
    fn budgets_that_need_a_scale_never_allow() {
        let field = |spec: Value| why(&[budget("pdb", &spec, &unseen())], pod("p"));
        let said = |field: &str| {
            Some(format!(
                "PodDisruptionBudget pdb never lets pod p go: it has {field}, which needs a scale that DaemonSets do not \
                 have; with minAvailable as a number it works"
            ))
        };
        assert_eq!(field(json!({ "maxUnavailable": 1 })), said("maxUnavailable"));
        assert_eq!(field(json!({ "maxUnavailable": "10%" })), said("maxUnavailable"));
        assert_eq!(field(json!({ "minAvailable": "50%" })), said("a percentage"));
        assert_eq!(field(json!({ "minAvailable": 1 })), None, "it is computed in a moment");
    }

    #[test]
    fn a_budget_whose_sync_fails_says_why() {
        let condition = json!([{ "type": "DisruptionAllowed", "status": "False", "reason": "SyncFailed",
            "message": "found no controller ref for pod \"p\"", "lastTransitionTime": "2026-11-29T12:00:00Z" }]);
        let mut status = unseen();
        status["conditions"] = condition;
        let budgets = [budget("pdb", &json!({ "minAvailable": 1 }), &status)];
        let said =
            "PodDisruptionBudget pdb never lets pod p go: it cannot be computed: found no controller ref for pod \"p\"";
        assert_eq!(why(&budgets, pod("p")).as_deref(), Some(said));
    }

    #[test]
    fn a_budget_that_wants_all_pods_never_allows_one_that_is_ready() {
        let wants = |desired| [budget("pdb", &json!({ "minAvailable": desired }), &counted(desired, 3))];
        assert_eq!(why(&wants(2), pod("p")), None);
        let said = "PodDisruptionBudget pdb never lets pod p go: it wants 3 pods to be available, and there are 3";
        assert_eq!(why(&wants(3), pod("p")).as_deref(), Some(said));
        assert_eq!(why(&wants(3), pod("p").not_ready_for(60)), None, "it may go while all others are healthy");
    }

    #[test]
    fn several_budgets_on_one_pod_never_allow() {
        let one = |name| budget(name, &json!({ "minAvailable": 1 }), &counted(1, 3));
        let said = "pod p has the PodDisruptionBudgets x and y, and the server evicts no pod that has several";
        assert_eq!(why(&[one("x"), one("y")], pod("p")).as_deref(), Some(said));
        let other = json!({ "minAvailable": 1, "selector": { "matchLabels": { "app": "other" } } });
        assert_eq!(why(&[one("x"), budget("y", &other, &unseen())], pod("p")), None);
    }

    #[test]
    fn pods_that_no_budget_holds_are_let_go() {
        let budgets = [budget("pdb", &json!({ "maxUnavailable": 1 }), &unseen())];
        assert_eq!(why(&budgets, pod("p").phase("Pending").without("/status/conditions")), None);
        assert_eq!(why(&budgets, pod("p").deleting(5)), None);
        let lenient = json!({ "maxUnavailable": 1, "unhealthyPodEvictionPolicy": "AlwaysAllow" });
        let lenient = [budget("pdb", &lenient, &unseen())];
        assert_eq!(why(&lenient, pod("p").not_ready_for(60)), None);
        assert!(why(&lenient, pod("p")).is_some());
        let everything = [budget("pdb", &json!({ "maxUnavailable": 1, "selector": {} }), &unseen())];
        assert!(why(&everything, pod("p")).is_some(), "an empty selector covers all pods");
    }
}
