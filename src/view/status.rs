//! The view of `status`: how each rollout stands, and why.

use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;

use crate::drive::follow::{DoneWhen, Look, Standing};
use crate::plan::{API_VERSION, DaemonSetRef, Finding, Plan, RevisionRef, Severity, StatusNumbers, Verdict};

use super::verdict;
use super::words::duration;

/// How several rollouts stand, as printed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StatusReport<'a> {
    /// Always `kubectl-daemonset/v1`.
    pub api_version: &'static str,
    /// Always `StatusReport`.
    pub kind: &'static str,
    /// What counts as done.
    pub done_when: DoneWhen,
    /// Sorted by namespace, then name; or in the order of the names asked for.
    pub items: Vec<StatusItem<'a>>,
}

/// How a rollout stands, as printed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StatusItem<'a> {
    /// Whose rollout it is.
    pub daemon_set: &'a DaemonSetRef,
    /// The clock that was used.
    pub evaluated_at: Timestamp,
    /// How it stands by the rule.
    pub standing: Standing,
    /// How the set stands.
    pub verdict: Verdict,
    /// That in words, with its numbers.
    pub message: String,
    /// The current revision, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<&'a RevisionRef>,
    /// The seven numbers, computed now.
    pub status: StatusNumbers,
    /// Seconds that the rest takes if it goes on as it did so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds_left: Option<u64>,
    /// What is wrong, gravest first; of a rollout that is done, nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<&'a Finding>,
}

impl<'a> StatusReport<'a> {
    /// Describes sets, each with what was found out by looking.
    pub fn new(done_when: DoneWhen, looks: impl IntoIterator<Item = (&'a Plan, Look)>) -> Self {
        let items = looks.into_iter().map(|(plan, look)| StatusItem::new(plan, look)).collect();
        Self { api_version: API_VERSION, kind: "StatusReport", done_when, items }
    }
}

impl<'a> StatusItem<'a> {
    fn new(plan: &'a Plan, look: Look) -> Self {
        let is_cause = |finding: &&Finding| match look.standing {
            Standing::Done => false,
            Standing::Failing => finding.severity != Severity::Info,
            Standing::Moving | Standing::Waiting | Standing::Unknown => finding.severity == Severity::Error,
        };
        Self {
            daemon_set: &plan.daemon_set,
            evaluated_at: plan.evaluated_at,
            standing: look.standing,
            verdict: plan.verdict,
            message: verdict::sentence(plan),
            revision: plan.revision.as_ref(),
            status: plan.status,
            seconds_left: look.left.map(|left| left.as_secs()),
            causes: plan.findings.iter().filter(is_cause).collect(),
        }
    }

    /// Returns whether the numbers mean anything: without nodes nothing is known to be wanted.
    pub fn has_numbers(&self) -> bool {
        self.verdict != Verdict::Unknown
    }

    /// Says it in a line, without the name.
    pub fn text(&self) -> String {
        let StatusNumbers { desired_number_scheduled, updated_number_scheduled, number_available, .. } = self.status;
        let numbers =
            format!("{updated_number_scheduled} of {desired_number_scheduled} updated, {number_available} available");
        // Rounded, since it is no more than a guess.
        let left = self.seconds_left.map(|seconds| duration(Duration::from_secs(seconds.div_ceil(10) * 10)));
        let left = left.map(|left| format!(", about {left} left")).unwrap_or_default();
        match self.standing {
            _ if !self.has_numbers() => self.message.clone(),
            Standing::Done if self.verdict == Verdict::NothingToRun => format!("done. {}", self.message),
            Standing::Done => format!("done: {numbers}"),
            _ => format!("{numbers}{left}. {}", self.message),
        }
    }
}
