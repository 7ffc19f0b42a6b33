//! Who is to blame: the nodes that count against the budget, and those that have no available pod.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::plan::{Action, BudgetHolder, NodePlan, Plan, PodPlan, PodRevision, Reason, Resource, Verdict, When};
use crate::view::counts::old_pods;
use crate::view::verdict;

use super::acts;

/// Nodes in trouble that are printed before the list is cut.
const TROUBLES_SHOWN: usize = 10;

/// Nodes in trouble, the first ones of them.
#[derive(Debug, Default, PartialEq)]
pub struct Troubles<'a> {
    /// Sorted by node.
    pub shown: Vec<Trouble<'a>>,
    /// How many more there are.
    pub more: usize,
}

/// A node in trouble.
#[derive(Debug, PartialEq)]
pub struct Trouble<'a> {
    /// Name of the node.
    pub node: &'a str,
    /// The pod to blame.
    pub pod: Option<&'a PodPlan>,
    /// Why it counts.
    pub why: &'static str,
    /// How the node is, if it is not ready; with the time since when.
    pub node_trouble: Option<(String, Option<Timestamp>)>,
}

/// Says how the budget stands, where somebody counts or old pods wait, and the verdict does not say it.
pub(super) fn budget(plan: &Plan) -> Option<String> {
    let budget = &plan.rollout.budget;
    let has_old_pods = !old_pods(plan).is_empty();
    let is_said = plan.verdict == Verdict::Blocked || verdict::is_work_of_rollout(plan);
    // Nodes that just get their first pod say nothing about a rollout to come.
    let is_idle = !has_old_pods && budget.used_by.iter().all(|holder| holder.pod.is_none());
    if !has_budget(plan) || is_said || is_idle {
        return None;
    }
    let when = if has_old_pods { "" } else { "; it matters once a rollout starts" };
    let name = verdict::budget_name(plan);
    Some(format!("Budget: {name} {}, {} in use, {} free{when}", budget.max, budget.used, budget.free))
}

fn has_budget(plan: &Plan) -> bool {
    let is_rolling = !matches!(plan.rollout.when, When::OnDelete | When::Never);
    is_rolling && acts(plan) && !plan.missing.contains(&Resource::Nodes)
}

/// Finds the nodes to blame.
pub(super) struct TroubledNodes<'a> {
    plan: &'a Plan,
    creates: BTreeSet<&'a str>,
}

impl<'a> TroubledNodes<'a> {
    pub(super) fn new(plan: &'a Plan) -> Self {
        let certain = plan.manage.create.iter().map(|creation| creation.node.as_str());
        let open = plan.manage.choose.iter().filter(|choice| choice.action == Action::Create);
        let open = open.flat_map(|choice| &choice.from).map(|candidate| candidate.node.as_str());
        Self { plan, creates: certain.chain(open).collect() }
    }

    /// Returns who counts against the budget, without nodes whose only trouble is that they get their pod just now.
    pub(super) fn holders(&self) -> Troubles<'a> {
        if !has_budget(self.plan) {
            return Troubles::default();
        }
        let used_by = self.plan.rollout.budget.used_by.iter();
        let holders = used_by.filter(|holder| holder.pod.is_some() || !self.creates.contains(holder.node.as_str()));
        cut(&holders.collect::<Vec<_>>(), |holder| self.holder(holder))
    }

    fn holder(&self, holder: &'a BudgetHolder) -> Trouble<'a> {
        let node = self.plan.node(&holder.node);
        let pods = node.map_or(&self.plan.stray_pods[..], |node| &node.pods[..]);
        let pod = holder.pod.as_ref().and_then(|name| pods.iter().find(|pod| pod.pod == *name));
        let node_trouble = match node {
            None => Some(("node does not exist".to_owned(), None)),
            Some(node) => node_trouble(node),
        };
        Trouble { node: &holder.node, pod, why: holder.reason.message(), node_trouble }
    }

    /// Returns the wanted nodes that have pods, none of them available, and do not count against the budget.
    pub(super) fn others(&self) -> Troubles<'a> {
        let holders: BTreeSet<&str> = match has_budget(self.plan) {
            true => self.plan.rollout.budget.holders().collect(),
            false => BTreeSet::new(),
        };
        let is_other = |node: &&NodePlan| {
            node.should_run
                && !node.pods.is_empty()
                && !node.pods.iter().any(|pod| pod.available)
                && !holders.contains(node.name.as_str())
        };
        let trouble = |node: &'a NodePlan| Trouble {
            node: &node.name,
            pod: pod_to_blame(node),
            why: match node.reason {
                Reason::OldPodUnavailable => "the old pod is not available",
                reason => reason.message(),
            },
            node_trouble: node_trouble(node),
        };
        cut(&self.plan.nodes.iter().filter(is_other).collect::<Vec<_>>(), trouble)
    }
}

pub(super) fn node_trouble(node: &NodePlan) -> Option<(String, Option<Timestamp>)> {
    let condition = &node.condition;
    let is_ready = matches!(condition.ready.as_ref(), "True" | "");
    (!is_ready).then(|| (format!("node Ready={}", condition.ready), condition.since))
}

/// Words the first of them.
fn cut<'a, T>(all: &[&'a T], word: impl Fn(&'a T) -> Trouble<'a>) -> Troubles<'a> {
    let shown = if all.len() <= TROUBLES_SHOWN + 1 { all.len() } else { TROUBLES_SHOWN };
    Troubles { shown: all[..shown].iter().map(|one| word(one)).collect(), more: all.len() - shown }
}

/// Returns the pod that ought to be available: a new one that does not terminate, if there is one.
fn pod_to_blame(node: &NodePlan) -> Option<&PodPlan> {
    let rank = |pod: &&PodPlan| (pod.deleting, pod.revision == PodRevision::Old);
    node.pods.iter().min_by_key(rank)
}
