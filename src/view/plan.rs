//! The view of `plan NAME`: what is said about one set, in order and in words, before it is laid out.
//!
//! Every list is cut so that it reads at 5,000 nodes; `-o json` has all of it.

mod later;
pub(super) mod steps;
mod troubles;

use crate::api::IntOrString;
use crate::plan::{Outcome, Plan, UpdateStrategy, When};

use super::verdict;
use super::words::counted;

pub use troubles::{Trouble, Troubles};

/// What is said about one set.
#[derive(Debug, PartialEq)]
pub struct PlanView<'a> {
    /// Name, strategy and revision: parts of the first line.
    pub header: Vec<String>,
    /// The verdict in words.
    pub verdict: String,
    /// How the budget stands, where the verdict does not say it.
    pub budget: Option<String>,
    /// Who counts against the budget.
    pub holders: Troubles<'a>,
    /// Who else has no available pod.
    pub others: Troubles<'a>,
    /// Titles, each with its lines.
    pub sections: Vec<Section>,
}

/// Lines under one title.
#[derive(Debug, PartialEq, Eq)]
pub struct Section {
    /// The title.
    pub title: &'static str,
    /// What is said.
    pub lines: Vec<String>,
}

impl<'a> PlanView<'a> {
    /// Words one plan.
    pub fn new(plan: &'a Plan) -> Self {
        let sections = [
            ("Next sync", steps::next_sync(plan)),
            (if plan.rollout.when == When::OnDelete { "For you" } else { "Then" }, later::then(plan)),
        ];
        let sections = sections.into_iter().map(|(title, lines)| Section { title, lines });
        let troubled = troubles::TroubledNodes::new(plan);
        Self {
            header: header(plan),
            verdict: verdict::sentence(plan),
            budget: troubles::budget(plan),
            holders: troubled.holders(),
            others: troubled.others(),
            sections: sections.filter(|section| !section.lines.is_empty()).collect(),
        }
    }
}

fn header(plan: &Plan) -> Vec<String> {
    let set = &plan.daemon_set;
    let revision = plan.revision.as_ref().map(|revision| format!("revision {} ({})", revision.number, revision.hash));
    let mut header = vec![format!("daemonset.apps/{}", set.name), format!("namespace {}", set.namespace)];
    header.push(strategy(&plan.update_strategy));
    header.push(revision.unwrap_or_else(|| "revision <unknown>".to_owned()));
    if plan.paused {
        header.push("paused".to_owned());
    }
    header
}

fn strategy(strategy: &UpdateStrategy) -> String {
    let surges = strategy.resolved_max_surge.is_some_and(|surge| surge > 0);
    let (name, written, resolved) = if surges {
        ("maxSurge", &strategy.max_surge, strategy.resolved_max_surge)
    } else {
        ("maxUnavailable", &strategy.max_unavailable, strategy.resolved_max_unavailable)
    };
    match (written, resolved) {
        _ if strategy.type_ == "OnDelete" => strategy.type_.clone(),
        (Some(IntOrString::String(percent)), Some(nodes)) => {
            format!(
                "{}, {name} {percent} ({})",
                strategy.type_,
                counted(usize::try_from(nodes).unwrap_or_default(), "node")
            )
        }
        (_, Some(nodes)) => format!("{}, {name} {nodes}", strategy.type_),
        (Some(IntOrString::String(text)), None) => format!("{}, {name} {text}", strategy.type_),
        _ => strategy.type_.clone(),
    }
}

/// Returns whether the controller would do anything for this set at all.
fn acts(plan: &Plan) -> bool {
    matches!(plan.outcome, Outcome::Reconciled | Outcome::AwaitingObservation)
}
