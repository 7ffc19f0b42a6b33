//! Says what happens next to a pod, and to a node without one.
//!
//! Input is a Plan; it already holds every decision, this only looks them up by pod and by node.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::plan::{
    Action, Choice, NextAction, NodePlan, Plan, PodPlan, PodReason, PodRevision, Reason, Resource, Verdict, When,
};

use super::nodes::failed_checks;
use super::words::counted;

/// What happens next to a pod, or on a node without one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Next {
    /// What.
    pub action: NextAction,
    /// In which sync: the next one, or a later one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub later: bool,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// It is one of several candidates, of which only some are taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<AnyOf>,
    /// All of it in words; empty if nothing happens and nothing need be said.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
}

/// So many of so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct AnyOf {
    /// How many are taken.
    pub count: usize,
    /// How many candidates there are.
    pub of: usize,
}

/// What a plan does, by pod and by node.
pub struct NextSteps<'a> {
    plan: &'a Plan,
    pods: BTreeMap<&'a str, Step>,
    creations: BTreeMap<&'a str, Step>,
    budget_holders: BTreeSet<&'a str>,
}

#[derive(Clone, Copy)]
struct Step {
    action: NextAction,
    later: bool,
    reason: Option<Reason>,
    choice: Option<AnyOf>,
}

impl<'a> NextSteps<'a> {
    /// Indexes a plan.
    pub fn new(plan: &'a Plan) -> Self {
        let mut steps = Self {
            plan,
            pods: BTreeMap::new(),
            creations: BTreeMap::new(),
            budget_holders: plan.rollout.budget.holders().collect(),
        };
        steps.add_rollout();
        // What manage does comes first and so hides what the rollout would do to the same pod.
        steps.add(&plan.manage.delete, NextAction::Delete, false);
        steps.add_choices(&plan.manage.choose, false);
        steps.add_creations(plan.manage.create.iter().map(|creation| (creation.node.as_str(), creation.reason)), false);
        steps.add(&plan.claims.release, NextAction::Release, false);
        steps
    }

    /// Returns what happens next to this pod of this node, or to a stray pod.
    pub fn of_pod(&self, pod: &PodPlan, node: Option<&NodePlan>) -> Next {
        if self.cannot_judge() {
            return simple(NextAction::Unknown, "cannot be judged without the nodes");
        }
        if pod.deleting {
            return simple(NextAction::Terminate, "terminates");
        }
        match self.pods.get(pod.pod.as_str()) {
            Some(step) => step.into_next(node),
            None => self.of_pod_left_alone(pod, node),
        }
    }

    /// Returns what happens next on this node beside what happens to its pods, if anything does.
    pub fn of_node(&self, node: &NodePlan) -> Option<Next> {
        self.creations.get(node.name.as_str()).map(|step| step.into_next(None))
    }

    fn cannot_judge(&self) -> bool {
        self.plan.missing.contains(&Resource::Nodes)
    }

    fn of_pod_left_alone(&self, pod: &PodPlan, node: Option<&NodePlan>) -> Next {
        if matches!(self.plan.verdict, Verdict::Skipped) {
            return simple(NextAction::None, "nothing: the controller leaves this DaemonSet alone");
        }
        let is_adopted = self.plan.claims.adopt.iter().any(|adopted| adopted.pod == pod.pod);
        let node = match (node, is_adopted) {
            (Some(_), true) => return simple(NextAction::Adopt, "is adopted"),
            (None, true) if pod.node.is_none() => {
                return simple(NextAction::Adopt, "is adopted; it names no node, so it counts nowhere");
            }
            (None, _) => return of_stray(pod),
            (Some(node), false) => node,
        };
        let stays = node.should_continue_running && !node.should_run;
        match (pod.revision, self.plan.rollout.when) {
            (PodRevision::Old, When::OnDelete) if self.plan.paused => {
                simple(NextAction::WaitForDelete, "waits until the rollout is resumed (paused)")
            }
            (PodRevision::Old, When::OnDelete) if stays => {
                simple(NextAction::WaitForDelete, "waits for you to delete it (OnDelete); would not come back")
            }
            (PodRevision::Old, When::OnDelete) => {
                simple(NextAction::WaitForDelete, "waits for you to delete it (OnDelete)")
            }
            (PodRevision::Old, When::Now | When::AfterManage) if has_successor(node) => {
                simple(NextAction::WaitForSuccessor, "goes once the new pod beside it is available")
            }
            (PodRevision::Old, When::Now | When::AfterManage) if self.creations.contains_key(node.name.as_str()) => {
                simple(NextAction::WaitForSuccessor, "goes once a new pod beside it is available")
            }
            (PodRevision::Old, When::Now | When::AfterManage) if self.is_held_by_budget(node) => {
                simple(NextAction::WaitForBudget, "waits for the rollout budget")
            }
            _ if stays => simple(NextAction::Stay, "stays; would not come back if deleted"),
            (_, When::Now | When::AfterManage)
                if self.budget_holders.contains(node.name.as_str()) && !pod.available =>
            {
                simple(NextAction::None, "counts against the budget")
            }
            _ => simple(NextAction::None, ""),
        }
    }

    /// Returns whether an old pod that the step does not take waits for the budget, and not for its own successor.
    fn is_held_by_budget(&self, node: &NodePlan) -> bool {
        self.plan.rollout.error.is_none() && node.pods.iter().filter(|pod| !pod.deleting).count() == 1
    }

    fn add_rollout(&mut self) {
        let rollout = &self.plan.rollout;
        let later = rollout.when != When::Now;
        if matches!(rollout.when, When::OnDelete | When::Never) {
            return;
        }
        self.add(&rollout.delete, NextAction::Delete, later);
        self.add_choices(&rollout.choose, later);
        self.add_creations(rollout.create.iter().map(|creation| (creation.node.as_str(), creation.reason)), later);
    }

    fn add(&mut self, pods: &'a [PodPlan], action: NextAction, later: bool) {
        for pod in pods {
            let reason = match &pod.reason {
                Some(PodReason::Decision(reason)) => Some(*reason),
                _ => None,
            };
            self.pods.insert(&pod.pod, Step { action, later, reason, choice: None });
        }
    }

    fn add_creations(&mut self, creations: impl Iterator<Item = (&'a str, Reason)>, later: bool) {
        for (node, reason) in creations {
            let step = Step { action: NextAction::Create, later, reason: Some(reason), choice: None };
            self.creations.insert(node, step);
        }
    }

    fn add_choices(&mut self, choices: &'a [Choice], later: bool) {
        for choice in choices {
            let any_of = AnyOf { count: choice.count, of: choice.from.len() };
            for candidate in &choice.from {
                let reason = Some(candidate.reason);
                match (choice.action, &candidate.pod) {
                    (Action::Delete, Some(pod)) => {
                        let step = Step { action: NextAction::Delete, later, reason, choice: Some(any_of) };
                        self.pods.insert(pod, step);
                    }
                    _ => {
                        let step = Step { action: NextAction::Create, later, reason, choice: Some(any_of) };
                        self.creations.insert(&candidate.node, step);
                    }
                }
            }
        }
    }
}

impl Step {
    fn into_next(self, node: Option<&NodePlan>) -> Next {
        Next {
            action: self.action,
            later: self.later,
            reason: self.reason,
            choice: self.choice,
            message: self.message(node),
        }
    }

    fn message(&self, node: Option<&NodePlan>) -> String {
        if let Some(any) = self.choice {
            let later = if self.later { " in a later sync" } else { "" };
            let done = if self.action == NextAction::Create { "gets a pod" } else { "is deleted" };
            return format!("candidate: any {} of {} {done}{later}", any.count, any.of);
        }
        let verb = match self.action {
            NextAction::Create => "create",
            NextAction::Release => return "is released: its labels no longer match the selector".to_owned(),
            _ => "delete",
        };
        let when = if self.later { " later" } else { "" };
        let reason = match (self.reason, node) {
            (Some(Reason::NodeShouldNotContinueRunning), Some(node)) => format!(": {}", failed_checks(node).join("; ")),
            (Some(reason), _) => format!(": {}", reason.message()),
            (None, _) => String::new(),
        };
        format!("{verb}{when}{reason}")
    }
}

/// Returns whether a pod of the current revision is on the node, or on its way there.
pub(super) fn has_successor(node: &NodePlan) -> bool {
    node.pods.iter().any(|pod| pod.revision == PodRevision::Current && !pod.deleting)
}

/// Says what becomes of a pod whose node does not exist, or that has no target node, when the controller leaves it alone.
fn of_stray(pod: &PodPlan) -> Next {
    match &pod.node {
        None => simple(NextAction::None, "nothing: it names no node, so the controller does not see it"),
        Some(_) if pod.details.is_bound => {
            simple(NextAction::LeaveToGarbageCollection, "left to pod garbage collection")
        }
        Some(_) => simple(NextAction::None, "nothing: its node does not exist"),
    }
}

fn simple(action: NextAction, message: &str) -> Next {
    Next { action, later: false, reason: None, choice: None, message: message.to_owned() }
}

/// Says how many pods of a choice are taken: `any 2 of 7 pods`.
pub fn any_of(choice: &Choice, noun: &str) -> String {
    format!("any {} of {}", choice.count, counted(choice.from.len(), noun))
}
