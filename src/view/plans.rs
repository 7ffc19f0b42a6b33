//! The view of `plan` without a NAME: one row per set.

use jiff::Timestamp;

use crate::plan::{NodePlan, Outcome, Plan, Resource, Verdict};

use super::counts::{creates, deletes, old_pods};
use super::verdict::budget_name;
use super::words::{counted, cut};

/// One set in a row.
#[derive(Debug, PartialEq, Eq)]
pub struct PlanRow<'a> {
    /// Its namespace.
    pub namespace: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Its state in a word.
    pub verdict: Verdict,
    /// Nodes that want a pod; absent when that cannot be judged.
    pub desired: Option<i64>,
    /// Nodes with a ready pod; absent when that cannot be judged.
    pub ready: Option<i64>,
    /// Nodes with a pod of the current revision; absent when that cannot be judged.
    pub updated: Option<i64>,
    /// Pods that the next sync creates; absent when that cannot be judged.
    pub creates: Option<usize>,
    /// Pods that the next sync deletes; absent when that cannot be judged.
    pub deletes: Option<usize>,
    /// What is next, in a few words; empty if nothing is.
    pub next: String,
    /// When the set was made.
    pub created: Option<Timestamp>,
}

impl<'a> PlanRow<'a> {
    /// Sums up one plan.
    pub fn new(plan: &'a Plan) -> Self {
        let is_known = !plan.missing.contains(&Resource::Nodes);
        Self {
            namespace: &plan.daemon_set.namespace,
            name: &plan.daemon_set.name,
            verdict: plan.verdict,
            desired: is_known.then_some(plan.status.desired_number_scheduled),
            ready: is_known.then_some(plan.status.number_ready),
            updated: is_known.then_some(plan.status.updated_number_scheduled),
            creates: is_known.then(|| creates(plan)),
            deletes: is_known.then(|| deletes(plan)),
            next: next(plan),
            created: plan.created,
        }
    }
}

/// Names printed in a cell.
const NAMES_IN_CELL: usize = 2;

fn next(plan: &Plan) -> String {
    match plan.verdict {
        Verdict::InSync => String::new(),
        Verdict::Work => work(plan),
        Verdict::Moving if plan.outcome == Outcome::AwaitingObservation => {
            format!("controller looks at generation {}", plan.daemon_set.generation)
        }
        Verdict::Moving => format!("waits for {}", nodes_where(plan, is_in_flight)),
        Verdict::Degraded if plan.status.desired_number_scheduled == 0 => "pods are kept, no node is wanted".to_owned(),
        Verdict::Degraded => format!("no available pod on {}", nodes_where(plan, has_no_available_pod)),
        Verdict::Blocked => blocked(plan),
        Verdict::AwaitingDelete if plan.paused => format!("paused: {} wait", counted(old_pods(plan).len(), "old pod")),
        Verdict::AwaitingDelete => format!("you delete {}", counted(old_pods(plan).len(), "old pod")),
        Verdict::NothingToRun => "no node wants a pod".to_owned(),
        Verdict::Skipped | Verdict::Unknown => plan.verdict.message().to_owned(),
    }
}

fn work(plan: &Plan) -> String {
    let old = old_pods(plan).len();
    match (creates(plan), deletes(plan)) {
        (0, 0) => String::new(),
        (0, deletes) if plan.manage.is_empty() => format!("rollout replaces {deletes} of {}", counted(old, "old pod")),
        (creates, 0) if plan.manage.is_empty() => format!("rollout surges on {}", counted(creates, "node")),
        (0, deletes) => format!("deletes {}", counted(deletes, "pod")),
        (creates, 0) => format!("creates {}", counted(creates, "pod")),
        (creates, deletes) => format!("creates {creates}, deletes {}", counted(deletes, "pod")),
    }
}

fn blocked(plan: &Plan) -> String {
    let error = plan.error.as_ref().or(plan.rollout.error.as_ref());
    if let Some(error) = error {
        return error.clone();
    }
    let budget = &plan.rollout.budget;
    let holders: Vec<&str> = budget.holders().collect();
    format!("{} {}, {} in use: {}", budget_name(plan), budget.max, budget.used, cut(&holders, NAMES_IN_CELL))
}

fn is_in_flight(node: &NodePlan) -> bool {
    node.pods.iter().any(|pod| pod.details.is_in_flight)
}

fn has_no_available_pod(node: &NodePlan) -> bool {
    node.should_run && !node.pods.iter().any(|pod| pod.available)
}

fn nodes_where(plan: &Plan, is: fn(&NodePlan) -> bool) -> String {
    let names: Vec<&str> = plan.nodes.iter().filter(|node| is(node)).map(|node| node.name.as_str()).collect();
    cut(&names, NAMES_IN_CELL)
}
