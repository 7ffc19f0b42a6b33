//! What a step takes: what is certain, and what is open.

use crate::plan::{Action, Candidate, Choice, Creation, Reason, Rollout, When};
use crate::plan::{BudgetHolder, PodReason};
use crate::reconcile::BURST_REPLICAS;
use crate::reconcile::describe;
use crate::reconcile::observe::{DaemonPod, Observed};
use crate::reconcile::rollout::{Limits, budget};

/// A step before the cap on creations and deletions. Units of the counts: nodes.
#[derive(Default)]
pub struct Step<'a> {
    /// Nodes that count against the budget before the step acts.
    pub used_by: Vec<BudgetHolder>,
    /// Pods that go whatever the budget.
    pub certain_deletions: Vec<(&'a str, DaemonPod<'a>, Reason)>,
    /// Pods of which any `num_open_deletions` go.
    pub open_deletions: Vec<(&'a str, DaemonPod<'a>, Reason)>,
    /// How many of the open ones go.
    pub num_open_deletions: usize,
    /// Nodes that get a pod whatever the budget.
    pub certain_creations: Vec<(&'a str, Reason)>,
    /// Nodes of which any `num_open_creations` get a pod.
    pub open_creations: Vec<(&'a str, Reason)>,
    /// How many of the open ones get one.
    pub num_open_creations: usize,
}

impl Step<'_> {
    /// Returns whether the step does nothing.
    pub fn is_empty(&self) -> bool {
        let num_open = self.num_open_deletions.min(self.open_deletions.len())
            + self.num_open_creations.min(self.open_creations.len());
        num_open == 0 && self.certain_deletions.is_empty() && self.certain_creations.is_empty()
    }

    /// Applies the cap, and tells the certain from the open.
    pub fn into_rollout(self, observed: &Observed<'_>, when: When, limits: Limits) -> Rollout {
        let deletions = split(self.certain_deletions, self.open_deletions, self.num_open_deletions);
        let creations = split(self.certain_creations, self.open_creations, self.num_open_creations);
        let mut delete: Vec<_> = deletions
            .certain
            .iter()
            .map(|(_, pod, reason)| describe::pod_plan(observed, pod, Some(PodReason::Decision(*reason))))
            .collect();
        describe::sort_pods(&mut delete);
        let mut create: Vec<_> =
            creations.certain.into_iter().map(|(node, reason)| Creation { node: node.to_owned(), reason }).collect();
        create.sort_by(|a, b| a.node.cmp(&b.node));
        let open_deletions = deletions.open.iter().map(|(node, pod, reason)| Candidate {
            node: (*node).to_owned(),
            pod: Some(pod.pod.name().to_owned()),
            reason: *reason,
        });
        let open_creations = creations.open.iter().map(|(node, reason)| Candidate {
            node: (*node).to_owned(),
            pod: None,
            reason: *reason,
        });
        let choose = [
            choice(Action::Delete, deletions.num_open, open_deletions.collect()),
            choice(Action::Create, creations.num_open, open_creations.collect()),
        ];
        let budget = budget(limits, self.used_by);
        Rollout { when, budget, delete, create, choose: choose.into_iter().flatten().collect(), error: None }
    }
}

struct Split<T> {
    certain: Vec<T>,
    open: Vec<T>,
    num_open: usize,
}

/// Caps at [`BURST_REPLICAS`], the certain ones first; an open list that is taken whole is certain.
fn split<T>(mut certain: Vec<T>, mut open: Vec<T>, num_open: usize) -> Split<T> {
    if certain.len() > BURST_REPLICAS {
        return Split { certain: Vec::new(), open: certain, num_open: BURST_REPLICAS };
    }
    let num_open = num_open.min(open.len()).min(BURST_REPLICAS - certain.len());
    if num_open == open.len() {
        certain.append(&mut open);
    }
    Split { certain, num_open, open }
}

fn choice(action: Action, count: usize, mut from: Vec<Candidate>) -> Option<Choice> {
    from.sort();
    (count > 0 && !from.is_empty()).then_some(Choice { action, count, from })
}
