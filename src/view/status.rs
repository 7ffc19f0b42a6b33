//! The view of `status`: how each rollout stands, and why.

use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;

use crate::api::Node;
use crate::drive::follow::{DoneWhen, Look, Standing};
use crate::drive::{self, Cut, Wave};
use crate::plan::{
    API_VERSION, DaemonSetRef, Finding, FindingCode, Plan, RevisionRef, Severity, StatusNumbers, Verdict, When,
};

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
    /// Under RollingUpdate: how many times the budget was used up and refilled, of how often that takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waves: Option<Waves>,
    /// How far each group is, if groups were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Group>,
    /// Nodes that became up to date in a minute, so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes_per_minute: Option<f64>,
    /// Seconds that the rest takes if it goes on as it did so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds_left: Option<u64>,
    /// What is wrong, gravest first; of a rollout that is done, only why no node is wanted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<&'a Finding>,
}

/// Batches of a rolling update. Units: as many nodes as the budget allows at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "plain")]
pub struct Waves {
    pub done: usize,
    pub total: usize,
}

/// How far the nodes with one value of a label are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Group {
    /// The value, or `unlabeled`.
    pub group: String,
    /// Each wanted node has an available new pod, and no old pod is left.
    pub done: bool,
    /// Wanted nodes with an available new pod.
    pub updated: usize,
    /// Wanted nodes.
    pub nodes: usize,
}

/// Returns how far each group of nodes is, in the order in which `sync --by` takes them; none without a label.
pub fn groups(label: Option<&str>, plan: &Plan, nodes: &[Node]) -> Vec<Group> {
    let Some(label) = label else { return Vec::new() };
    let cut = Cut { by: Some(label.to_owned()), ..Cut::default() };
    let group = |wave: Wave<'_>| {
        let (nodes, updated) = wave.count();
        let group = wave.name.group().unwrap_or_default().to_owned();
        Group { group, done: wave.done_since().is_some(), updated, nodes }
    };
    drive::waves(&cut, plan, nodes).into_iter().map(group).collect()
}

/// Counts the batches of a rolling update by the nodes that are through.
fn waves(plan: &Plan) -> Option<Waves> {
    let is_rolling = matches!(plan.rollout.when, When::Now | When::AfterManage) && plan.rollout.error.is_none();
    let size = usize::try_from(plan.rollout.budget.max).ok().filter(|size| *size > 0 && is_rolling)?;
    let (wanted, through) = drive::waves(&Cut::default(), plan, &[]).first()?.count();
    let done = if through == wanted { wanted.div_ceil(size) } else { through / size };
    Some(Waves { done, total: wanted.div_ceil(size) })
}

impl<'a> StatusReport<'a> {
    /// Describes sets.
    pub fn new(done_when: DoneWhen, items: impl IntoIterator<Item = StatusItem<'a>>) -> Self {
        Self { api_version: API_VERSION, kind: "StatusReport", done_when, items: items.into_iter().collect() }
    }
}

impl<'a> StatusItem<'a> {
    /// Describes a set, with what was found out by looking.
    pub fn new(plan: &'a Plan, look: Look, groups: Vec<Group>) -> Self {
        let is_cause = |finding: &&Finding| match look.standing {
            // Who meant some node to be wanted should hear why none is.
            Standing::Done => finding.code == FindingCode::NoEligibleNode,
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
            waves: waves(plan),
            groups,
            nodes_per_minute: look.pace.map(|pace| (pace.per_minute * 10.0).round() / 10.0),
            seconds_left: look.pace.map(|pace| pace.left.as_secs()),
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
        let is_rolling = updated_number_scheduled < desired_number_scheduled;
        let waves = self.waves.filter(|waves| waves.total > 1 && is_rolling);
        let waves = waves.map(|waves| format!(", {} of {} batches done", waves.done, waves.total)).unwrap_or_default();
        let rate = self.nodes_per_minute.map(|rate| format!(", {rate} nodes a minute")).unwrap_or_default();
        match self.standing {
            _ if !self.has_numbers() => self.message.clone(),
            Standing::Done if self.verdict == Verdict::NothingToRun => format!("done. {}", self.message),
            Standing::Done => format!("done: {numbers}"),
            _ => format!("{numbers}{waves}{rate}{left}. {}", self.message),
        }
    }

    /// Says how far each group is; `None` if none were asked for.
    pub fn groups_text(&self) -> Option<String> {
        let words = |group: &Group| match group.done {
            true => format!("{} done ({})", group.group, group.nodes),
            false => format!("{} {} of {}", group.group, group.updated, group.nodes),
        };
        let groups: Vec<String> = self.groups.iter().map(words).collect();
        (!groups.is_empty()).then(|| groups.join(", "))
    }
}
