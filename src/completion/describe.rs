//! A few words about what can be chosen.

use crate::api::{ControllerRevision, DaemonSet};
use crate::plan::{NodeCondition, NodeVerdict, Plan, Verdict};
use crate::source::live::NodeRow;
use crate::upstream::intstr::scaled_value;
use crate::view::history::images;
use crate::view::nodes::NodeItem;

/// Describes a set by what the controller has reported: whether it is stuck cannot be told from that.
pub(super) fn status(set: &DaemonSet) -> String {
    let status = &set.status;
    let desired = status.desired_number_scheduled;
    let updated = status.updated_number_scheduled;
    if set.is_deleting() {
        return "being deleted".to_owned();
    }
    if status.observed_generation < set.generation() {
        return "the controller has not yet looked".to_owned();
    }
    if desired == 0 {
        return "no node wants a pod".to_owned();
    }
    let unavailable = match desired - status.number_available {
        ..=0 => "all available".to_owned(),
        number => format!("{number} unavailable"),
    };
    let held = match () {
        () if updated >= desired => "",
        () if set.is_paused() => ", paused",
        () if set.spec.update_strategy.type_ == "OnDelete" => ", OnDelete",
        () if has_no_budget_left(set) => ", no budget left",
        () => "",
    };
    format!("{updated}/{desired} updated, {unavailable}{held}")
}

/// Returns whether no more nodes may be unavailable; a set that surges has another budget.
fn has_no_budget_left(set: &DaemonSet) -> bool {
    let parameters = set.spec.update_strategy.rolling_update.as_ref();
    let desired = i64::from(set.status.desired_number_scheduled);
    let budget = scaled_value(parameters.and_then(|parameters| parameters.max_unavailable.as_ref()), desired);
    budget.is_ok_and(|budget| budget > 0 && desired - i64::from(set.status.number_available) >= budget)
}

/// Describes a set by its plan.
pub(super) fn plan(plan: &Plan) -> String {
    let state = match plan.verdict {
        Verdict::InSync => "in sync",
        Verdict::Work => "work pending",
        Verdict::Moving => "moving",
        Verdict::Degraded => "degraded",
        Verdict::Blocked => "blocked",
        Verdict::AwaitingDelete if plan.paused => "paused",
        Verdict::AwaitingDelete => "waits for deletions",
        Verdict::NothingToRun => return "no node wants a pod".to_owned(),
        Verdict::Skipped | Verdict::Unknown => return plan.verdict.message().to_owned(),
    };
    let status = &plan.status;
    format!("{}/{} updated, {state}", status.updated_number_scheduled, status.desired_number_scheduled)
}

/// A node in few words.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NodeWords {
    pub(super) name: String,
    pub(super) is_problem: bool,
    pub(super) help: String,
}

/// Describes a node of a plan; `None` if it does not exist.
pub(super) fn node(item: &NodeItem<'_>) -> Option<NodeWords> {
    let verdict = item.verdict?;
    let pod = match item.pods.iter().find(|item| !item.pod.available) {
        Some(item) if verdict == NodeVerdict::NotAvailable => format!("its pod: {}", item.pod.details.state),
        _ => verdict.message().to_owned(),
    };
    let mut words: Vec<String> = item.condition.map(condition_words).unwrap_or_default();
    let is_problem = item.is_problem() || !words.is_empty();
    words.push(pod);
    Some(NodeWords { name: item.name?.to_owned(), is_problem, help: words.join(", ") })
}

fn condition_words(condition: &NodeCondition) -> Vec<String> {
    let ready = Some("NotReady").filter(|_| condition.ready != "True");
    let cordoned = Some("cordoned").filter(|_| condition.is_unschedulable);
    ready.into_iter().chain(cordoned).map(str::to_owned).collect()
}

/// Describes a node as kubectl shows it and the set's pods there.
pub(super) fn node_row(row: &NodeRow) -> NodeWords {
    let states = row.status.split(',').filter(|state| !matches!(*state, "" | "Ready"));
    let mut words: Vec<String> = states.map(|state| state.replace("SchedulingDisabled", "cordoned")).collect();
    let mut is_problem = !words.is_empty();
    for (ready, status) in row.pods.iter().flatten() {
        let is_ready = ready.split_once('/').is_some_and(|(ready, all)| ready == all);
        match status.as_str() {
            "Running" if is_ready => words.push("its pod is ready".to_owned()),
            "Running" => words.push(format!("its pod: {ready} ready")),
            status => words.push(format!("its pod: {status}")),
        }
        is_problem |= !is_ready || status != "Running";
    }
    if row.pods.as_ref().is_some_and(Vec::is_empty) {
        words.push("no pod".to_owned());
    }
    NodeWords { name: row.name.clone(), is_problem, help: words.join(", ") }
}

/// Describes a revision by its images.
pub(super) fn revision(revision: &ControllerRevision) -> String {
    revision.data.pointer("/spec/template").map(images).unwrap_or_default().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{NodeWords, node_row, status};
    use crate::api::DaemonSet;
    use crate::source::live::NodeRow;

    fn described(spec: &Value, numbers: [i32; 3]) -> String {
        let [desired, updated, available] = numbers;
        let set = json!({
            "metadata": { "name": "agent", "generation": 2, "annotations": spec["annotations"] },
            "spec": { "updateStrategy": spec["strategy"] },
            "status": {
                "observedGeneration": spec["observed"].as_i64().unwrap_or(2), "desiredNumberScheduled": desired,
                "updatedNumberScheduled": updated, "numberAvailable": available,
            },
        });
        status(&serde_json::from_value::<DaemonSet>(set).expect("a set"))
    }

    #[test]
    fn a_set_is_described_by_its_status() {
        let on_delete = json!({ "strategy": { "type": "OnDelete" } });
        let paused = json!({
            "strategy": { "type": "OnDelete" },
            "annotations": { "kubectl-daemonset/paused-strategy": "{\"type\":\"RollingUpdate\"}" },
        });
        let rolling = |budget: &str| json!({ "strategy": { "type": "RollingUpdate", "rollingUpdate": { "maxUnavailable": budget } } });
        assert_eq!(described(&json!({}), [10, 3, 8]), "3/10 updated, 2 unavailable");
        assert_eq!(described(&rolling("30%"), [10, 3, 8]), "3/10 updated, 2 unavailable");
        assert_eq!(described(&rolling("20%"), [10, 3, 8]), "3/10 updated, 2 unavailable, no budget left");
        assert_eq!(described(&rolling("20%"), [10, 10, 8]), "10/10 updated, 2 unavailable");
        assert_eq!(described(&rolling("0%"), [10, 3, 8]), "3/10 updated, 2 unavailable");
        assert_eq!(described(&json!({}), [10, 10, 10]), "10/10 updated, all available");
        assert_eq!(described(&on_delete, [10, 3, 10]), "3/10 updated, all available, OnDelete");
        assert_eq!(described(&on_delete, [10, 10, 10]), "10/10 updated, all available");
        assert_eq!(described(&paused, [10, 3, 10]), "3/10 updated, all available, paused");
        assert_eq!(described(&json!({ "observed": 1 }), [10, 3, 8]), "the controller has not yet looked");
        assert_eq!(described(&json!({}), [0, 0, 0]), "no node wants a pod");
    }

    #[test]
    fn a_node_is_described_by_what_kubectl_shows() {
        let pods = |pods: &[(&str, &str)]| {
            Some(pods.iter().map(|(ready, status)| ((*ready).to_owned(), (*status).to_owned())).collect())
        };
        for (status, pods, is_problem, help) in [
            ("Ready", pods(&[("1/1", "Running")]), false, "its pod is ready"),
            ("Ready", pods(&[("1/2", "Running")]), true, "its pod: 1/2 ready"),
            ("Ready", pods(&[("0/1", "ErrImagePull")]), true, "its pod: ErrImagePull"),
            ("Ready", pods(&[]), false, "no pod"),
            ("Ready", None, false, ""),
            ("", pods(&[("1/1", "Running")]), false, "its pod is ready"),
            ("Ready,SchedulingDisabled", None, true, "cordoned"),
            ("NotReady,SchedulingDisabled", pods(&[]), true, "NotReady, cordoned, no pod"),
        ] {
            let row = NodeRow { name: "n1".to_owned(), status: status.to_owned(), pods };
            let expected = NodeWords { name: "n1".to_owned(), is_problem, help: help.to_owned() };
            assert_eq!(node_row(&row), expected);
        }
    }
}
