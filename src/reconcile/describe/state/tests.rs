use serde_json::{Value, json};

use super::*;
use crate::builders::{NOW, Object, ago, pod};
use crate::upstream::pods::{Availability, is_pod_available, is_pod_ready};

fn now() -> Timestamp {
    NOW.parse().expect("a time")
}

/// Calls `look` with the pod as a daemon pod of the current revision, of a set with this minReadySeconds.
fn with<T>(min_ready_seconds: i32, pod: Object, look: impl FnOnce(&DaemonPod<'_>) -> T) -> T {
    let pod: Pod = pod.decode();
    look(&DaemonPod {
        pod: &pod,
        is_adopted: false,
        is_ready: is_pod_ready(&pod),
        is_available: is_pod_available(&pod, Availability { now: now(), min_ready_seconds, is_strict: false }),
        is_updated: true,
        has_current_hash: true,
    })
}

fn in_flight(pod: Object) -> bool {
    with(60, pod, |daemon_pod| is_in_flight(daemon_pod, now()))
}

/// Returns the word, and the trouble if there is any.
fn word_of(pod: Object) -> (String, Option<String>) {
    with(60, pod, |daemon_pod| {
        let state = state(daemon_pod);
        (state.word.into_owned(), state.trouble.map(Cow::into_owned))
    })
}

/// A bound pod of this phase, not ready, with these container statuses.
fn unready(phase: &str, containers: Value) -> Object {
    pod("p").on("a").phase(phase).not_ready_for(120).set("/status/containerStatuses", containers)
}

fn waits(reason: &str) -> Value {
    json!({ "name": "agent", "image": "agent:2", "restartCount": 4, "state": { "waiting": { "reason": reason, "message": "why" } } })
}

fn ended(reason: &str, exit_code: i32) -> Value {
    json!({ "name": "agent", "image": "agent:3", "state": { "terminated": { "reason": reason, "exitCode": exit_code } } })
}

fn unscheduled(reason: &str, seconds_ago: i64) -> Object {
    let condition = json!({
        "type": "PodScheduled", "status": "False", "reason": reason, "message": "0/3 nodes", "lastTransitionTime": ago(seconds_ago),
    });
    pod("p").pinned_to("a").created(300).set("/status/conditions", json!([condition]))
}

#[test]
fn a_state_is_a_word_and_a_trouble_if_it_is_one() {
    for (pod, word, is_trouble) in [
        (pod("p").on("a"), "Running", false),
        (pod("p").on("a").ready_for(59), "Ready", false),
        (pod("p").on("a").deleting(-30), "Terminating", true),
        (pod("p").on("a").phase("Failed").deleting(-30), "Terminating", true),
        (unready("Failed", json!([])).set("/status/reason", "Evicted"), "Evicted", true),
        (pod("p").on("a").phase("Failed"), "Failed", true),
        (unready("Failed", json!([ended("OOMKilled", 137)])), "OOMKilled", true),
        (pod("p").on("a").phase("Succeeded"), "Completed", true),
        (unready("Succeeded", json!([])).set("/status/reason", "Done"), "Done", true),
        (pod("p").on("a").phase("Unknown"), "Unknown", true),
        (unready("Running", json!([])), "NotReady", true),
        (unready("Running", json!([])).set("/status/reason", "NodeLost"), "NotReady", true),
        (unready("Running", json!([waits("CrashLoopBackOff")])), "CrashLoopBackOff", true),
        (unready("Running", json!([waits("")])), "NotReady", true),
        (unready("Running", json!([ended("", 3)])), "ExitCode:3", true),
        (unready("Running", json!([ended("Error", 3)])), "Error", true),
        (unready("Pending", json!([])), "Pending", false),
        (unready("Pending", json!([waits("ContainerCreating")])), "ContainerCreating", true),
        (unready("", json!([])), "Pending", false),
        (unscheduled("Unschedulable", 5), "Unschedulable", true),
        (unscheduled("SchedulingGated", 5), "Pending", false),
    ] {
        let trouble = is_trouble.then(|| word.to_owned());
        assert_eq!(word_of(pod.clone()), (word.to_owned(), trouble), "{pod:?}");
    }
}

#[test]
fn the_container_that_says_why_is_the_one_shown() {
    let look = |containers: Value| {
        with(0, unready("Running", containers), |daemon_pod| {
            let state = state(daemon_pod);
            (state.word.into_owned(), state.image, state.message, state.restarts)
        })
    };
    let some = |text: &str| Some(text.to_owned());
    let starting = json!({ "name": "first", "image": "first:1", "restartCount": 7, "state": { "waiting": { "reason": "PodInitializing" } } });
    let initialising =
        json!({ "name": "first", "image": "first:1", "state": { "waiting": { "reason": "ContainerCreating" } } });
    let running = json!({ "name": "first", "image": "first:1", "restartCount": 2, "state": { "running": {} } });
    let image_pull = || ("ImagePullBackOff".to_owned(), some("agent:2"), some("why"), 4);
    for first in [&starting, &initialising, &running] {
        assert_eq!(look(json!([first, waits("ImagePullBackOff")])), image_pull());
    }
    assert_eq!(look(json!([running, ended("Error", 1)])), ("Error".into(), some("agent:3"), None, 0));
    assert_eq!(look(json!([running])), ("NotReady".into(), some("first:1"), None, 2));
    assert_eq!(look(json!([starting])), ("PodInitializing".into(), some("first:1"), None, 7));
    assert_eq!(
        look(json!([waits("ErrImagePull"), ended("Error", 1)])),
        ("ErrImagePull".into(), some("agent:2"), some("why"), 4)
    );
    let nameless = json!({ "name": "agent", "image": "", "state": { "waiting": { "reason": "X" } } });
    assert_eq!(look(json!([nameless])), ("X".into(), some("agent:2"), None, 0));
}

#[test]
fn the_pods_own_message_comes_before_the_containers_and_the_schedulers() {
    let message = |pod: Object| with(0, pod, |daemon_pod| state(daemon_pod).message);
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(message(pod("p").on("a")), None);
    assert_eq!(message(unscheduled("Unschedulable", 5)), some("0/3 nodes"));
    let scheduled = unscheduled("x", 5).set("/status/conditions/0/status", "True");
    assert_eq!(message(scheduled), None);
    let waiting = unscheduled("Unschedulable", 5).set("/status/containerStatuses", json!([waits("X")]));
    assert_eq!(message(waiting.clone()), some("why"));
    assert_eq!(message(waiting.set("/status/message", "evicted")), some("evicted"));
}

#[test]
fn a_state_lasts_since_the_change_that_made_it() {
    let since = |pod: Object| with(60, pod, |daemon_pod| state(daemon_pod).since.map(|since| since.to_string()));
    assert_eq!(since(pod("p").on("a").ready_for(77)), Some(ago(77)));
    assert_eq!(since(pod("p").on("a").not_ready_for(78)), Some(ago(78)));
    assert_eq!(since(pod("p").on("a").created(79).without("/status/conditions")), Some(ago(79)));
    assert_eq!(since(pod("p").pinned_to("a").created(80)), Some(ago(80)));
    assert_eq!(since(pod("p").on("a").phase("Pending").created(81).not_ready_for(9)), Some(ago(81)));
    assert_eq!(since(unscheduled("Unschedulable", 82)), Some(ago(82)));
    let untimed = unscheduled("Unschedulable", 1).without("/status/conditions/0/lastTransitionTime");
    assert_eq!(since(untimed), Some(ago(300)));
    assert_eq!(since(pod("p").on("a").deleting(-20)), Some(ago(10)), "30 seconds of grace before it is due");
    let without_grace = pod("p").on("a").deleting(-20).without("/metadata/deletionGracePeriodSeconds");
    assert_eq!(since(without_grace), Some(ago(-20)));
    assert_eq!(since(pod("p").on("a").without("/status/conditions").without("/metadata/creationTimestamp")), None);
}

#[test]
fn what_needs_help_is_held_up() {
    let held_up = |pod: Object| is_held_up(&pod.decode(), now());
    for reason in [
        "ErrImagePull",
        "ImagePullBackOff",
        "InvalidImageName",
        "CreateContainerConfigError",
        "CreateContainerError",
        "RunContainerError",
        "CrashLoopBackOff",
    ] {
        assert!(held_up(unready("Pending", json!([waits(reason)]))), "{reason}");
        assert!(
            held_up(unready("Running", json!([waits("PodInitializing"), waits(reason)]))),
            "{reason} of the second"
        );
    }
    for reason in ["ContainerCreating", "PodInitializing", ""] {
        assert!(!held_up(unready("Pending", json!([waits(reason)]))), "{reason}");
    }
    assert!(!held_up(unready("Running", json!([ended("Error", 1)]))));
    assert!(!held_up(pod("p").on("a")));
}

#[test]
fn no_place_for_exactly_60_seconds_is_held_up() {
    let held_up = |pod: Object| is_held_up(&pod.decode(), now());
    assert_eq!([59, 60, 61].map(|seconds| held_up(unscheduled("Unschedulable", seconds))), [false, true, true]);
    assert!(!held_up(unscheduled("SchedulingGated", 600)));
    assert!(!held_up(unscheduled("Unschedulable", 600).set("/status/conditions/0/status", "True")));
    assert!(held_up(unscheduled("Unschedulable", 1).without("/status/conditions/0/lastTransitionTime")));
}

#[test]
fn a_new_pod_is_in_flight_for_less_than_ten_minutes() {
    let created = |seconds: i64| pod("p").pinned_to("a").created(seconds);
    assert_eq!([0, 599, 600, 601].map(|seconds| in_flight(created(seconds))), [true, true, false, false]);
    assert!(in_flight(unready("Running", json!([])).created(599)));
    assert!(!in_flight(unready("Running", json!([waits("CrashLoopBackOff")])).created(5)));
    assert!(in_flight(unscheduled("Unschedulable", 59)));
    assert!(!in_flight(unscheduled("Unschedulable", 60)));
    assert!(!in_flight(created(5).without("/metadata/creationTimestamp")));
}

#[test]
fn an_available_pod_has_arrived_and_a_ready_one_is_in_flight_until_it_is() {
    assert!(!in_flight(pod("p").on("a").created(5)));
    assert_eq!([59, 60].map(|seconds| in_flight(pod("p").on("a").ready_for(seconds))), [true, false]);
    assert!(in_flight(
        pod("p").on("a").ready_for(5).set("/status/containerStatuses", json!([waits("CrashLoopBackOff")]))
    ));
    let untimed = pod("p").on("a").without("/status/conditions/0/lastTransitionTime");
    assert!(!in_flight(untimed.clone()), "it never becomes available");
    assert!(in_flight(untimed.created(60)), "but it is new");
}

#[test]
fn a_terminating_pod_is_in_flight_until_it_is_due() {
    let due = |seconds: i64| pod("p").on("a").created(5).deleting(seconds);
    assert_eq!([-1, 0, 1].map(|seconds| in_flight(due(seconds))), [true, false, false]);
    assert!(in_flight(unready("Running", json!([waits("CrashLoopBackOff")])).deleting(-1)));
}

#[test]
fn a_state_from_the_start_lasts_since_the_creation() {
    let since = |pod: Object| with(60, pod, |daemon_pod| state(daemon_pod).since.map(|since| since.to_string()));
    let never_ready = |created, changed| pod("p").on("a").created(created).not_ready_for(changed);
    assert_eq!(since(never_ready(90, 90)), Some(ago(90)));
    assert_eq!(since(never_ready(90, 86)), Some(ago(90)));
    assert_eq!(since(never_ready(90, 85)), Some(ago(85)));
    assert_eq!(since(never_ready(90, 91)), Some(ago(91)), "clocks differ: the condition is believed");
}
