//! The state of a pod in a word, since when, and whether time alone will mend it.

use std::borrow::Cow;

use jiff::{SignedDuration, Timestamp};

use crate::api::{ContainerStatus, Pod, Time};
use crate::reconcile::observe::DaemonPod;

/// How long a new pod may take before it no longer counts as in flight.
const IN_FLIGHT_FOR: SignedDuration = SignedDuration::from_mins(10);
/// How long the scheduler may find no place before the pod counts as held up.
const UNSCHEDULABLE_FOR: SignedDuration = SignedDuration::from_secs(60);

/// How soon after its creation a pod has its first state, which then counts from the creation.
const STARTS_WITHIN: SignedDuration = SignedDuration::from_secs(5);

/// What a kubelet says of a container that will not start without help.
const HELD_UP: [&str; 7] = [
    "ErrImagePull",
    "ImagePullBackOff",
    "InvalidImageName",
    "CreateContainerConfigError",
    "CreateContainerError",
    "RunContainerError",
    "CrashLoopBackOff",
];

/// A pod's state.
pub struct State {
    /// In a word, as kubectl would put it.
    pub word: Cow<'static, str>,
    /// The word, if it means trouble.
    pub trouble: Option<Cow<'static, str>>,
    /// Since when.
    pub since: Option<Timestamp>,
    /// Image of the container that keeps the pod from being ready.
    pub image: Option<String>,
    /// The kubelet's or scheduler's own words.
    pub message: Option<String>,
    /// Restarts of that container.
    pub restarts: i32,
}

/// Reads the state of a pod.
pub fn state(daemon_pod: &DaemonPod<'_>) -> State {
    let pod = daemon_pod.pod;
    let culprit = culprit(pod);
    let (word, is_trouble) = word(daemon_pod, culprit);
    let container = culprit.map(|container| container.image.clone());
    State {
        trouble: is_trouble.then(|| word.clone()),
        since: since(pod, &word),
        image: container
            .filter(|image| !image.is_empty())
            .or_else(|| pod.spec.containers.first().map(|c| c.image.clone())),
        message: message(pod, culprit),
        restarts: culprit.map_or(0, |container| container.restart_count),
        word,
    }
}

/// Returns the container that keeps a pod from being ready: the first that says why, else the first.
fn culprit(pod: &Pod) -> Option<&ContainerStatus> {
    let statuses = &pod.status.container_statuses;
    let tells = |container: &&ContainerStatus| {
        let waits =
            container.state.waiting.as_ref().is_some_and(|waiting| {
                !matches!(waiting.reason.as_str(), "" | "PodInitializing" | "ContainerCreating")
            });
        waits || container.state.terminated.is_some()
    };
    statuses.iter().find(tells).or(statuses.first())
}

fn word(daemon_pod: &DaemonPod<'_>, culprit: Option<&ContainerStatus>) -> (Cow<'static, str>, bool) {
    let pod = daemon_pod.pod;
    if pod.is_deleting() {
        return (Cow::Borrowed("Terminating"), true);
    }
    match pod.status.phase.as_str() {
        "Failed" | "Succeeded" if !pod.status.reason.is_empty() => {
            return (Cow::Owned(pod.status.reason.clone()), true);
        }
        "Succeeded" => return (Cow::Borrowed("Completed"), true),
        "Unknown" => return (Cow::Borrowed("Unknown"), true),
        _ => {}
    }
    if daemon_pod.is_ready && pod.status.phase != "Failed" {
        return (Cow::Borrowed(if daemon_pod.is_available { "Running" } else { "Ready" }), false);
    }
    if let Some(word) = culprit.and_then(container_word) {
        return (word, true);
    }
    match pod.status.phase.as_str() {
        "Failed" => (Cow::Borrowed("Failed"), true),
        "Running" => (Cow::Borrowed("NotReady"), true),
        _ if is_unschedulable(pod) => (Cow::Borrowed("Unschedulable"), true),
        _ => (Cow::Borrowed("Pending"), false),
    }
}

fn container_word(container: &ContainerStatus) -> Option<Cow<'static, str>> {
    let waiting = container.state.waiting.as_ref().map(|waiting| waiting.reason.as_str());
    let terminated = container.state.terminated.as_ref();
    match (waiting.filter(|reason| !reason.is_empty()), terminated) {
        (Some(reason), _) => Some(Cow::Owned(reason.to_owned())),
        (None, Some(terminated)) if terminated.reason.is_empty() => {
            Some(Cow::Owned(format!("ExitCode:{}", terminated.exit_code)))
        }
        (None, Some(terminated)) => Some(Cow::Owned(terminated.reason.clone())),
        (None, None) => None,
    }
}

fn since(pod: &Pod, word: &str) -> Option<Timestamp> {
    let at = |time: Option<&Time>| time.map(|time| time.0);
    let changed = |type_: &str| at(pod.condition(type_).and_then(|condition| condition.last_transition_time.as_ref()));
    let created = at(pod.metadata.creation_timestamp.as_ref());
    if let Some(due) = pod.metadata.deletion_timestamp.as_ref() {
        let grace = SignedDuration::from_secs(pod.metadata.deletion_grace_period_seconds.unwrap_or(0));
        return due.0.saturating_sub(grace).ok();
    }
    match word {
        "Unschedulable" => changed("PodScheduled").or(created),
        "Pending" => created,
        _ => match (created, changed("Ready")) {
            (Some(created), Some(changed))
                if (SignedDuration::ZERO..STARTS_WITHIN).contains(&changed.duration_since(created)) =>
            {
                Some(created)
            }
            (created, changed) => changed.or(created),
        },
    }
}

fn message(pod: &Pod, culprit: Option<&ContainerStatus>) -> Option<String> {
    let waiting = culprit.and_then(|container| container.state.waiting.as_ref()).map(|waiting| &waiting.message);
    let scheduled = pod.condition("PodScheduled").filter(|condition| condition.status == "False").map(|c| &c.message);
    let own = Some(&pod.status.message);
    [own, waiting, scheduled].into_iter().flatten().find(|message| !message.is_empty()).cloned()
}

fn is_unschedulable(pod: &Pod) -> bool {
    pod.condition("PodScheduled")
        .is_some_and(|condition| condition.status == "False" && condition.reason == "Unschedulable")
}

/// Returns whether time alone does not mend the pod: a container that cannot start, or no place for 60 seconds.
pub fn is_held_up(pod: &Pod, now: Timestamp) -> bool {
    let waiting = pod.status.container_statuses.iter().filter_map(|container| container.state.waiting.as_ref());
    let has_no_place = || {
        let since = pod.condition("PodScheduled").and_then(|condition| condition.last_transition_time.as_ref());
        is_unschedulable(pod) && since.is_none_or(|since| now.duration_since(since.0) >= UNSCHEDULABLE_FOR)
    };
    waiting.into_iter().any(|waiting| HELD_UP.contains(&waiting.reason.as_str())) || has_no_place()
}

/// Returns whether the pod is on its way: terminating and not yet due; or new, not available and not held up; or ready and
/// only waiting for minReadySeconds.
pub fn is_in_flight(daemon_pod: &DaemonPod<'_>, now: Timestamp) -> bool {
    let pod = daemon_pod.pod;
    if let Some(due) = &pod.metadata.deletion_timestamp {
        return due.0 > now;
    }
    if daemon_pod.is_available {
        return false;
    }
    let created = pod.metadata.creation_timestamp.as_ref();
    let is_new = created.is_some_and(|created| now.duration_since(created.0) < IN_FLIGHT_FOR);
    // Without the time since when it is ready, the pod never becomes available.
    let ready_since = pod.condition("Ready").and_then(|condition| condition.last_transition_time.as_ref());
    (daemon_pod.is_ready && ready_since.is_some()) || (is_new && !is_held_up(pod, now))
}

#[cfg(test)]
mod tests;
