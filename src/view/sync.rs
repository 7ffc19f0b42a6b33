//! The view of `sync`: what it is about to do, what it waits for, and what it did, in words and as events.

use jiff::Timestamp;
use serde::Serialize;

use crate::drive::{self, Batch, Deletion, Finished, Outdated, Preview, Read, Settings, Wait};
use crate::plan::{
    API_VERSION, Creation, DaemonSetRef, Outcome, Plan, PodRevision, Reason, When, codes, serialize_as_code,
};

use super::waves;
use super::words::{counted, duration, names, plural};

/// Says what `sync` is about to do for a set, one sentence a line; nothing if nothing is left to do.
pub fn intent(read: Read<'_>, settings: &Settings) -> Vec<String> {
    let plan = read.plan;
    if drive::is_in_sync(plan) {
        return Vec::new();
    }
    let next = drive::preview(settings, read);
    let mut lines = Vec::new();
    if plan.rollout.when == When::OnDelete {
        lines.extend(of_on_delete(read, settings, &next));
    }
    if is_of_controller(plan, &next.batch) {
        lines.push(of_controller(&next.batch, settings));
    } else if plan.rollout.when != When::OnDelete {
        lines.push("Nothing is due now: sync watches until every wanted node has an available pod.".to_owned());
    }
    lines.extend(left_to_controller(plan));
    lines
}

/// Returns whether a batch is what the controller should do by itself.
fn is_of_controller(plan: &Plan, batch: &Batch) -> bool {
    !batch.is_empty() && (plan.rollout.when != When::OnDelete || !plan.manage.is_empty())
}

fn of_controller(batch: &Batch, settings: &Settings) -> String {
    let mut work = Vec::new();
    if !batch.create.is_empty() {
        work.push(format!("create {}", counted(batch.create.len(), "pod")));
    }
    if !batch.delete.is_empty() {
        work.push(format!("delete {}", counted(batch.delete.len(), "pod")));
    }
    let work = work.join(" and ");
    if settings.controller_wait.is_zero() {
        return format!("The controller is to {work}. sync nudges it, and then does it in its place.");
    }
    let wait = duration(settings.controller_wait);
    format!(
        "The controller is to {work}. sync gives it {wait}, nudges it, gives it {wait} more, and only then does it in its place."
    )
}

fn of_on_delete(read: Read<'_>, settings: &Settings, next: &Preview) -> Vec<String> {
    let outdated = drive::outdated(read.plan);
    if outdated.is_empty() {
        return Vec::new();
    }
    let max = usize::try_from(drive::max_unavailable(settings, read.plan)).unwrap_or(usize::MAX);
    let verb = if settings.evicts { "Evicts" } else { "Deletes" };
    let within =
        if settings.is_per_group { " (--max-unavailable, also of each group)" } else { " (--max-unavailable)" };
    let mut lines = vec![format!(
        "{verb} {}, at most {max} at a time{within}, and waits until each new pod is available.",
        counted(outdated.len(), "outdated pod"),
    )];
    lines.extend(waves::intent(read, settings));
    let mut list = |title: &str, is_meant: &dyn Fn(&&Outdated) -> bool| {
        let pods: Vec<String> = outdated.iter().filter(is_meant).map(|outdated| place(&outdated.deletion)).collect();
        if !pods.is_empty() {
            lines.push(format!("{title}: {}.", names(&pods)));
        }
    };
    list("Not available now, so these go first", &|outdated| !outdated.is_available && outdated.is_node_ready);
    list("Not coming back, because their nodes want no pod", &|outdated| !outdated.comes_back);
    list("Last, because their nodes are not ready", &|outdated| !outdated.is_node_ready);
    lines.extend(first_batch(read, settings, next, max));
    lines
}

/// Says which pods go first, or why none goes yet.
fn first_batch(read: Read<'_>, settings: &Settings, next: &Preview, max: usize) -> Option<String> {
    let plan = read.plan;
    if plan.outcome == Outcome::AwaitingObservation || plan.revision.is_none() {
        return Some("None goes before the controller has looked at the newest spec.".to_owned());
    }
    let held: Vec<&str> = plan.rollout.budget.holders().collect();
    if next.batch.is_empty() {
        return Some(match &next.wait {
            Some(wait @ (Wait::Soak { .. } | Wait::Wave { .. })) => format!("None goes yet: {}.", waiting(plan, wait)),
            _ => format!("None goes yet: {} unavailable ({}).", counted(held.len(), "node"), names(&held)),
        });
    }
    let wave = next.wave.as_ref().filter(|_| plan.manage.is_empty())?;
    let first: Vec<String> = next.batch.delete.iter().map(place).collect();
    let of_wave = drive::waves(&settings.cut, plan, read.nodes).into_iter().find(|other| other.name == *wave);
    let possible = of_wave.map_or(0, |wave| wave.outdated().len()).min(max);
    let is_charged = |node: &&str| !next.batch.delete.iter().any(|other| other.node == **node);
    let charged: Vec<&str> = held.into_iter().filter(is_charged).collect();
    let why = match charged.len() {
        _ if first.len() >= possible || settings.is_per_group => String::new(),
        0 => String::new(),
        1 => format!(" (1 node counts as unavailable already: {})", names(&charged)),
        count => format!(" ({count} nodes count as unavailable already: {})", names(&charged)),
    };
    let of = wave.group().map(|_| format!(", {wave}")).unwrap_or_default();
    Some(format!("First batch{of}: {}{why}.", names(&first)))
}

/// Names what `sync` never does.
fn left_to_controller(plan: &Plan) -> Option<String> {
    let mut left = Vec::new();
    for (verb, pods) in [("adopt", &plan.claims.adopt), ("release", &plan.claims.release)] {
        if !pods.is_empty() {
            left.push(format!("{verb} {}", counted(pods.len(), "pod")));
        }
    }
    let history = &plan.history;
    if history.create {
        left.push("record the new revision".to_owned());
    }
    if history.renumber.is_some() {
        left.push("renumber the current revision".to_owned());
    }
    if !history.delete.is_empty() {
        left.push(format!("delete {}", counted(history.delete.len(), "old ControllerRevision")));
    }
    (!left.is_empty()).then(|| format!("Left to the controller in any case: {}.", left.join(", ")))
}

fn place(deletion: &Deletion) -> String {
    format!("{} on {}", deletion.pod, deletion.node)
}

/// Says what is left to do for a set, as far as it can be counted; `None` if nothing is.
pub fn left(plan: &Plan) -> Option<String> {
    let outdated = plan.pods().filter(|pod| pod.revision == PodRevision::Old && !pod.deleting).count();
    let unavailable = usize::try_from(plan.status.number_unavailable).unwrap_or_default();
    let mut left = Vec::new();
    if outdated > 0 {
        left.push(counted(outdated, "outdated pod"));
    }
    if unavailable > 0 {
        left.push(format!("{} without an available pod", counted(unavailable, "node")));
    }
    (!left.is_empty()).then(|| left.join(", "))
}

/// Says how far a set is and what is waited for.
pub fn progress(plan: &Plan, wait: &Wait) -> String {
    let status = &plan.status;
    format!(
        "{} of {} updated, {} available; {}",
        status.updated_number_scheduled,
        status.desired_number_scheduled,
        status.number_available,
        waiting(plan, wait)
    )
}

fn waiting(plan: &Plan, wait: &Wait) -> String {
    match wait {
        Wait::Controller { due, .. } => {
            format!("waiting for the controller, which has {} to do", counted(*due, "write"))
        }
        Wait::Observation { .. } => "waiting for the controller to look at the newest spec".to_owned(),
        Wait::Pods(nodes) => format!("waiting for the new {} on {}", plural(nodes.len(), "pod"), names(nodes)),
        Wait::Moving => {
            let moving = plan.nodes.iter().filter(|node| node.pods.iter().any(|pod| pod.details.is_in_flight));
            let moving: Vec<&str> = moving.map(|node| node.name.as_str()).collect();
            match &moving[..] {
                [] => "waiting".to_owned(),
                nodes => format!("waiting for pods on their way on {}", names(nodes)),
            }
        }
        Wait::Stalled(_) => format!("nothing moves: {}", stalled(plan)),
        Wait::Pause(_) => "pausing after calls that failed".to_owned(),
        Wait::Wave { wave, nodes } => format!("waiting for {wave}: no available new pod on {}", names(nodes)),
        Wait::Soak { wave, until, .. } => format!("{wave} is done and is watched until {} (--soak)", clock(*until)),
        Wait::Gate => "waiting for the command of --gate".to_owned(),
        Wait::Disruption(why) => format!("waiting for a disruption budget: {why}"),
    }
}

/// Says why nothing moves: who holds the budget, if the rollout is ours.
fn stalled(plan: &Plan) -> String {
    let held: Vec<&str> = plan.rollout.budget.holders().collect();
    if held.is_empty() || plan.rollout.when != When::OnDelete {
        return plan.verdict.message().to_owned();
    }
    format!("{} unavailable ({}), and no more may be", counted(held.len(), "node"), names(&held))
}

/// Returns a time of the day, in UTC, as it is told for the near future.
fn clock(time: Timestamp) -> String {
    time.strftime("%H:%M:%SZ").to_string()
}

/// Where a write was judged, if it was not carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum DryRunMode {
    /// By us.
    Client,
    /// By the server.
    Server,
}

impl DryRunMode {
    /// Returns what kubectl prints behind what was not done.
    pub fn words(self) -> &'static str {
        match self {
            Self::Client => "(dry run)",
            Self::Server => "(server dry run)",
        }
    }
}

codes! {
    /// What happened in a run.
    pub enum EventType {
        Created => "a pod was made",
        Deleted => "a pod was deleted",
        Gone => "a pod to be deleted was gone already",
        Changed => "a pod to be deleted has changed since it was read, so it is looked at again",
        NotCreated => "a pod could not be made",
        NotDeleted => "a pod could not be deleted",
        Held => "a disruption budget does not let a pod go now",
        Passed => "the command of --gate let the next batch pass",
        GroupDone => "all of a canary or group has an available new pod, and has soaked",
        Nudged => "the controller was made to look at the set",
        Waiting => "something is waited for",
        Ended => "the run for this set is over: reason and exitCode say how",
    }
}

serialize_as_code!(EventType);

/// An event of a run, as it is printed with `-o json`: one document each.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SyncEvent<'a> {
    /// Always `kubectl-daemonset/v1`.
    pub api_version: &'static str,
    /// Always `SyncEvent`.
    pub kind: &'static str,
    /// The server's clock at the read before the event.
    pub time: Timestamp,
    /// Namespace, name and so on of the set.
    pub daemon_set: &'a DaemonSetRef,
    /// What happened.
    #[serde(rename = "type")]
    pub type_: EventType,
    /// Not carried out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dry_run: Option<DryRunMode>,
    /// The group it belongs to: the value of the label, or `canary`, `unlabeled`, `unready`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<&'a str>,
    /// The node that a pod is or was for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<&'a str>,
    /// The pod.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pod: Option<&'a str>,
    /// Its uid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uid: Option<&'a str>,
    /// Why the write was due; of an end the stable code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// In words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Of an end: the exit code for this set alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<u8>,
}

impl<'a> SyncEvent<'a> {
    /// Makes an event without details.
    pub fn new(plan: &'a Plan, type_: EventType) -> Self {
        Self {
            api_version: API_VERSION,
            kind: "SyncEvent",
            time: plan.evaluated_at,
            daemon_set: &plan.daemon_set,
            type_,
            dry_run: None,
            group: None,
            node: None,
            pod: None,
            uid: None,
            reason: None,
            message: None,
            exit_code: None,
        }
    }

    /// Makes an event about a pod that is or was to be made.
    pub fn of_creation(plan: &'a Plan, type_: EventType, creation: &'a Creation) -> Self {
        let reason = Some(creation.reason.as_str());
        Self { node: Some(&creation.node), reason, ..Self::new(plan, type_) }
    }

    /// Makes an event about a pod that is or was to be deleted.
    pub fn of_deletion(plan: &'a Plan, type_: EventType, deletion: &'a Deletion) -> Self {
        let reason: Reason = deletion.reason;
        let node = Some(deletion.node.as_str()).filter(|node| !node.is_empty());
        let (pod, uid) = (Some(deletion.pod.as_str()), Some(deletion.uid.as_str()));
        Self { node, pod, uid, reason: Some(reason.as_str()), ..Self::new(plan, type_) }
    }

    /// Makes an event about a wave that is done.
    pub fn of_finished(plan: &'a Plan, finished: &'a Finished) -> Self {
        let message = format!("{} done: {}", finished.wave, counted(finished.num_nodes, "node"));
        let group = finished.wave.group();
        Self { group, message: Some(message), ..Self::new(plan, EventType::GroupDone) }
    }

    /// Returns the line that says it, without what it is a dry run of; `None` if only the event tells.
    pub fn line(&self) -> String {
        let (pod, node) = (self.pod.unwrap_or("<unknown>"), self.node.unwrap_or("<none>"));
        let set = &self.daemon_set.name;
        let message = self.message.as_deref().unwrap_or_default();
        match self.type_ {
            EventType::Created => format!("pod/{pod} created on {node}"),
            EventType::Deleted => format!("pod/{pod} deleted from {node}"),
            EventType::Gone => format!("pod/{pod} was gone already from {node}"),
            EventType::Changed => format!("pod/{pod} on {node} has changed since it was read: it is looked at again"),
            EventType::NotCreated => format!("create a pod on {node}: {message}"),
            EventType::NotDeleted => format!("delete pod/{pod} on {node}: {message}"),
            EventType::Held => format!("pod/{pod} on {node} is not evicted now: {message}"),
            EventType::Nudged => format!("daemonset.apps/{set} annotated, so that the controller looks at it"),
            EventType::Passed | EventType::GroupDone | EventType::Waiting | EventType::Ended => {
                format!("daemonset.apps/{set}: {message}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{intent, progress};
    use crate::api::IntOrString;
    use crate::builders::{daemon_set, node, plan_with, pod, settings};
    use crate::drive::{Read, Settings, Wait};

    #[test]
    fn what_does_not_move_names_who_holds_the_budget() {
        let nodes = [node("a"), node("b"), pod("pa").on("a").old(), pod("pb").on("b").not_ready_for(900)];
        let plan = plan_with(daemon_set("agent").on_delete(), nodes);
        let wait = Wait::Stalled(Duration::from_secs(60));
        assert_eq!(
            progress(&plan, &wait),
            "1 of 2 updated, 1 available; nothing moves: 1 node unavailable (b), and no more may be"
        );
    }

    #[test]
    fn a_first_batch_that_is_smaller_than_it_may_be_says_why() {
        let settings = Settings { max_unavailable: IntOrString::Int(2), ..settings() };
        let objects = [
            node("a"),
            node("b"),
            node("c"),
            pod("pa").on("a").old(),
            pod("pb").on("b").old(),
            pod("pc").on("c").not_ready_for(900),
        ];
        let plan = plan_with(daemon_set("agent").on_delete(), objects);
        assert_eq!(
            intent(Read { plan: &plan, nodes: &[] }, &settings),
            [
                "Deletes 2 outdated pods, at most 2 at a time (--max-unavailable), and waits until each new pod is available.",
                "First batch: pa on a (1 node counts as unavailable already: c).",
            ]
        );
    }
}
