//! Runs are walked read by read: each state is built, and what comes next is compared whole.

mod waves;

use std::collections::BTreeSet;
use std::time::Duration;

use super::{Batch, Drive, Ending, Key, Next, Read, Settings, Stop, Wait, Written, max_unavailable, outdated, preview};
use crate::api::IntOrString;
use crate::builders::{Object, daemon_set, node, plan_with, pod, settings};
use crate::plan::{Outcome, Plan, Reason, Resource};

fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Returns what comes first.
fn next(plan: &Plan) -> Batch {
    preview(&settings(), read(plan)).batch
}

/// A read that tells no labels of nodes.
fn read(plan: &Plan) -> Read<'_> {
    Read { plan, nodes: &[] }
}

fn impatient() -> Settings {
    Settings { controller_wait: Duration::ZERO, ..settings() }
}

/// Plans an OnDelete set with these pods, on nodes `a`, `b` and `c`.
fn on_delete(pods: impl IntoIterator<Item = Object>) -> Plan {
    plan_with(daemon_set("agent").on_delete(), ["a", "b", "c"].map(node).into_iter().chain(pods))
}

/// Plans a RollingUpdate set with these pods, on nodes `a`, `b` and `c`.
fn rolling(pods: impl IntoIterator<Item = Object>) -> Plan {
    plan_with(daemon_set("agent"), ["a", "b", "c"].map(node).into_iter().chain(pods))
}

fn old(on: &str) -> Object {
    pod(&format!("old-{on}")).on(on).old()
}

fn new(on: &str) -> Object {
    pod(&format!("new-{on}")).on(on)
}

/// A new pod that has just been made.
fn fresh(on: &str) -> Object {
    new(on).created(1).phase("Pending").without("/status/conditions")
}

fn failed(name: &str, on: &str) -> Object {
    pod(name).on(on).failed("Evicted", "The node was low on resource: memory.")
}

/// Words a batch: `+node` for a pod to make, `-pod` for one to delete.
fn words(batch: &Batch) -> Vec<String> {
    let create = batch.create.iter().map(|creation| format!("+{}", creation.node));
    create.chain(batch.delete.iter().map(|deletion| format!("-{}", deletion.pod))).collect()
}

fn batch_of(next: Next) -> Batch {
    match next {
        Next::Write(batch) => batch,
        other => panic!("{other:?} is no batch"),
    }
}

fn stop_of(next: Next) -> (Ending, String) {
    match next {
        Next::Stop(Stop { ending, why }) => (ending, why),
        other => panic!("{other:?} is no end"),
    }
}

/// All of a batch was made; the new pods have these uids.
fn made(batch: &Batch, created: &[&str]) -> Written {
    let created = created.iter().map(|uid| (*uid).to_owned()).collect();
    Written { made: batch.keys().collect(), created, ..Written::default() }
}

fn failing(kind: impl FnOnce(&mut Written)) -> Written {
    let mut written = Written { any_failed: true, ..Written::default() };
    kind(&mut written);
    written
}

fn pods(nodes: &[&str]) -> Next {
    Next::Wait(Wait::Pods(nodes.iter().map(|node| (*node).to_owned()).collect()))
}

#[test]
fn an_on_delete_rollout_goes_batch_by_batch_to_its_end() {
    let start = on_delete(["a", "b", "c"].map(old));
    let mut drive = Drive::new(settings(), &start);
    let first = batch_of(drive.next(read(&start), secs(0)));
    assert_eq!(words(&first), ["-old-a"]);
    assert_eq!(drive.wrote(&start, &first, &made(&first, &[]), secs(1)), None);
    let terminating = on_delete([old("a").deleting(-30), old("b"), old("c")]);
    assert_eq!(drive.next(read(&terminating), secs(2)), pods(&["a"]));
    let arriving = on_delete([fresh("a"), old("b"), old("c")]);
    assert_eq!(drive.next(read(&arriving), secs(3)), pods(&["a"]));
    let second = batch_of(drive.next(read(&on_delete([new("a"), old("b"), old("c")])), secs(4)));
    assert_eq!(words(&second), ["-old-b"]);
    let done = stop_of(drive.next(read(&on_delete(["a", "b", "c"].map(new))), secs(5)));
    assert_eq!(done.0, Ending::Done);
}

#[test]
fn the_controller_is_waited_for_then_nudged_then_replaced_until_it_acts() {
    let start = on_delete([new("a"), new("c")]);
    let mut drive = Drive::new(settings(), &start);
    let controller = |remaining| Next::Wait(Wait::Controller { due: 1, remaining: secs(remaining) });
    assert_eq!(drive.next(read(&start), secs(5)), controller(10));
    assert_eq!(drive.next(read(&start), secs(14)), controller(1));
    assert_eq!(drive.next(read(&start), secs(15)), Next::Nudge);
    assert_eq!(drive.next(read(&start), secs(16)), controller(10));
    let batch = batch_of(drive.next(read(&start), secs(26)));
    assert_eq!(words(&batch), ["+b"]);
    drive.wrote(&start, &batch, &made(&batch, &["uid-new-b"]), secs(27));
    assert_eq!(drive.next(read(&on_delete([new("a"), fresh("b"), new("c")])), secs(28)), pods(&["b"]));
    // Having taken over, it acts without waiting.
    let again = on_delete([new("b"), new("c")]);
    let batch = batch_of(drive.next(read(&again), secs(29)));
    assert_eq!(words(&batch), ["+a"]);
    // The controller makes that pod: from now on it is waited for again.
    let theirs = on_delete([pod("theirs").on("a"), new("b")]);
    assert_eq!(drive.next(read(&theirs), secs(30)), controller(10));
}

#[test]
fn a_nudge_counts_for_what_was_due_then_only() {
    let start = on_delete([new("a"), new("c")]);
    let mut drive = Drive::new(impatient(), &start);
    assert_eq!(drive.next(read(&start), secs(0)), Next::Nudge);
    let without_b =
        plan_with(daemon_set("agent").on_delete(), [node("a"), node("c"), new("a"), new("c").not_ready_for(5)]);
    assert!(matches!(drive.next(read(&without_b), secs(1)), Next::Wait(_)));
    assert_eq!(drive.next(read(&start), secs(2)), Next::Nudge);
}

#[test]
fn a_status_that_somebody_reports_gives_the_turn_back() {
    let start = on_delete([new("a"), new("c")]);
    let mut drive = Drive::new(impatient(), &start);
    assert_eq!(drive.next(read(&start), secs(0)), Next::Nudge);
    batch_of(drive.next(read(&start), secs(1)));
    let mut reported = start.clone();
    reported.reported.number_ready = 2;
    assert_eq!(drive.next(read(&reported), secs(2)), Next::Nudge);
}

#[test]
fn a_pod_whose_deletion_was_due_and_that_goes_was_deleted_by_the_controller() {
    let tainted = ["d", "e"].map(|name| node(name).taint("dedicated=gpu:NoExecute"));
    let all = |pods: &[&str]| on_delete(tainted.clone().into_iter().chain(pods.iter().map(|on| new(on))));
    let start = all(&["a", "b", "c", "d", "e"]);
    let mut drive = Drive::new(impatient(), &start);
    assert_eq!(drive.next(read(&start), secs(0)), Next::Nudge);
    assert_eq!(words(&batch_of(drive.next(read(&start), secs(1)))), ["-new-d", "-new-e"]);
    assert_eq!(drive.next(read(&all(&["a", "b", "c", "e"])), secs(2)), Next::Nudge);
}

#[test]
fn what_we_deleted_ourselves_is_not_taken_for_the_controllers_doing() {
    let all =
        |pods: Vec<Object>| on_delete([new("a"), new("b"), node("d").taint("x:NoExecute")].into_iter().chain(pods));
    let start = all(vec![new("c"), new("d")]);
    let mut drive = Drive::new(impatient(), &start);
    drive.next(read(&start), secs(0));
    let batch = batch_of(drive.next(read(&start), secs(1)));
    drive.wrote(&start, &batch, &made(&batch, &[]), secs(1));
    assert_eq!(words(&batch_of(drive.next(read(&all(Vec::new())), secs(2)))), ["+c"]);
}

#[test]
fn a_set_that_changed_is_refused() {
    let start = on_delete([old("a"), new("b"), new("c")]);
    let changed = |change: &dyn Fn(&mut Plan)| {
        let mut plan = start.clone();
        change(&mut plan);
        stop_of(Drive::new(settings(), &start).next(read(&plan), secs(0)))
    };
    let since = "since the plan was shown";
    let refused = |why: String| (Ending::Refused, why);
    assert_eq!(
        changed(&|plan| plan.daemon_set.uid = "other".into()),
        refused(format!("the DaemonSet was deleted and made anew {since}"))
    );
    assert_eq!(
        changed(&|plan| plan.daemon_set.generation = 5),
        refused(format!("the spec was changed {since} (generation 4, now 5)"))
    );
    assert_eq!(
        changed(&|plan| plan.update_strategy.type_ = "RollingUpdate".into()),
        refused(format!("the update strategy was changed from OnDelete to RollingUpdate {since}"))
    );
    assert_eq!(
        changed(&|plan| plan.revision.as_mut().expect("known").name = "agent-x".into()),
        refused(format!("the current revision changed from agent-new to agent-x {since}"))
    );
    assert_eq!(changed(&|plan| plan.paused = true), refused("the rollout is paused; resume it first".into()));
    assert_eq!(changed(&|plan| plan.outcome = Outcome::SkippedDeleting).0, Ending::Refused);
    assert_eq!(changed(&|plan| plan.outcome = Outcome::SkippedEmptySelector).0, Ending::Refused);
    assert_eq!(changed(&|plan| plan.outcome = Outcome::Failed).0, Ending::Blocked);
    assert_eq!(
        changed(&|plan| plan.missing = vec![Resource::Nodes]),
        (Ending::Failed, "the nodes are not known, so nothing may be written".into())
    );
}

#[test]
fn a_revision_that_becomes_known_is_remembered() {
    let known = on_delete([old("a"), new("b"), new("c")]);
    let mut unknown = known.clone();
    unknown.revision = None;
    let mut drive = Drive::new(settings(), &unknown);
    assert_eq!(drive.next(read(&unknown), secs(0)), Next::Wait(Wait::Observation { remaining: secs(10) }));
    assert_eq!(words(&batch_of(drive.next(read(&known), secs(1)))), ["-old-a"]);
    let mut other = known.clone();
    other.revision.as_mut().expect("known").name = "agent-x".into();
    assert_eq!(stop_of(drive.next(read(&other), secs(2))).0, Ending::Refused);
}

#[test]
fn a_spec_that_was_not_looked_at_is_waited_for_nudged_and_refused() {
    let mut plan = on_delete([old("a"), new("b"), new("c")]);
    plan.outcome = Outcome::AwaitingObservation;
    let mut drive = Drive::new(settings(), &plan);
    let waits = Next::Wait(Wait::Observation { remaining: secs(10) });
    assert_eq!(drive.next(read(&plan), secs(0)), waits);
    assert_eq!(drive.next(read(&plan), secs(10)), Next::Nudge);
    assert_eq!(drive.next(read(&plan), secs(11)), waits);
    assert_eq!(stop_of(drive.next(read(&plan), secs(21))).0, Ending::Refused);
}

#[test]
fn writes_that_were_not_shown_are_refused_before_the_first_write_only() {
    let shown = on_delete([old("a"), new("b"), new("c")]);
    let more = on_delete([old("b"), new("a"), new("c")]);
    let mut drive = Drive::new(settings(), &shown);
    let why = "what is due changed since the plan was shown: pod old-b is to be deleted";
    assert_eq!(stop_of(drive.next(read(&more), secs(0))), (Ending::Refused, why.into()));

    let fewer = on_delete([new("a"), new("b")]);
    let mut drive = Drive::new(impatient(), &shown);
    let why = "what is due changed since the plan was shown: a pod on node c is to be made";
    assert_eq!(stop_of(drive.next(read(&fewer), secs(0))), (Ending::Refused, why.into()), "not even a nudge");

    let mut drive = Drive::new(settings(), &shown);
    let first = batch_of(drive.next(read(&shown), secs(0)));
    drive.wrote(&shown, &first, &made(&first, &[]), secs(0));
    assert_eq!(words(&batch_of(drive.next(read(&more), secs(1)))), ["-old-b"]);
}

#[test]
fn a_plan_that_shrank_goes_on() {
    let shown = on_delete([old("a"), old("b"), new("c")]);
    let shrunk = on_delete([new("a"), old("b"), new("c")]);
    assert_eq!(words(&batch_of(Drive::new(settings(), &shown).next(read(&shrunk), secs(0)))), ["-old-b"]);
}

#[test]
fn a_new_pod_that_fails_or_does_not_arrive_ends_the_rollout() {
    let after_a_batch = || {
        let start = on_delete(["a", "b", "c"].map(old));
        let mut drive = Drive::new(settings(), &start);
        let batch = batch_of(drive.next(read(&start), secs(0)));
        drive.wrote(&start, &batch, &made(&batch, &[]), secs(10));
        drive
    };
    let with = |pods: Vec<Object>| on_delete([old("b"), old("c")].into_iter().chain(pods));
    let broken = fresh("a").waiting("ImagePullBackOff").waiting_message("Back-off pulling image.");
    let why = "pod new-a on node a of this batch fails: ImagePullBackOff (Back-off pulling image)";
    assert_eq!(stop_of(after_a_batch().next(read(&with(vec![broken])), secs(11))), (Ending::Blocked, why.into()));

    let pending = with(vec![fresh("a")]);
    assert_eq!(after_a_batch().next(read(&pending), secs(309)), pods(&["a"]));
    let why = "pod new-a on node a of this batch is not available after 5m (--pod-timeout): Pending";
    assert_eq!(stop_of(after_a_batch().next(read(&pending), secs(310))), (Ending::Blocked, why.into()));

    let why = "pod old-a on node a still terminates after 5m (--pod-timeout)";
    let terminating = with(vec![old("a").deleting(-30)]);
    assert_eq!(stop_of(after_a_batch().next(read(&terminating), secs(310))), (Ending::Blocked, why.into()));

    let why = "node a has no new pod after 5m (--pod-timeout)";
    assert_eq!(stop_of(after_a_batch().next(read(&with(Vec::new())), secs(310))), (Ending::Blocked, why.into()));
}

#[test]
fn a_node_that_goes_or_no_longer_wants_a_pod_is_not_waited_for() {
    let start = on_delete(["a", "b", "c"].map(old));
    let mut drive = Drive::new(settings(), &start);
    let batch = batch_of(drive.next(read(&start), secs(0)));
    drive.wrote(&start, &batch, &made(&batch, &[]), secs(0));
    let without_a = plan_with(daemon_set("agent").on_delete(), [node("b"), node("c"), old("b"), old("c")]);
    assert_eq!(words(&batch_of(drive.next(read(&without_a), secs(1)))), ["-old-b"]);
}

#[test]
fn calls_without_an_answer_are_looked_up_in_the_next_read() {
    let start = on_delete(["a", "b", "c"].map(old));
    let run = |next: &Plan| {
        let mut drive = Drive::new(settings(), &start);
        let batch = batch_of(drive.next(read(&start), secs(0)));
        let written = failing(|written| written.unknown = batch.keys().collect());
        assert_eq!(drive.wrote(&start, &batch, &written, secs(0)), None);
        assert_eq!(drive.next(read(next), secs(0)), Next::Wait(Wait::Pause(secs(1))));
        drive.next(read(next), secs(2))
    };
    // Not done: it is due again.
    assert_eq!(words(&batch_of(run(&start))), ["-old-a"]);
    // Done: it is not sent again, and the new pod is waited for.
    assert_eq!(run(&on_delete([old("a").deleting(-30), old("b"), old("c")])), pods(&["a"]));
    assert_eq!(run(&on_delete([fresh("a"), old("b"), old("c")])), pods(&["a"]));
}

#[test]
fn a_pod_made_by_a_call_without_an_answer_is_ours() {
    let start = on_delete([new("a")]);
    let mut drive = Drive::new(impatient(), &start);
    drive.next(read(&start), secs(0));
    let batch = batch_of(drive.next(read(&start), secs(1)));
    assert_eq!(words(&batch), ["+b", "+c"]);
    let written = failing(|written| written.unknown = batch.keys().collect());
    drive.wrote(&start, &batch, &written, secs(1));
    let half = on_delete([new("a"), fresh("b")]);
    assert_eq!(drive.next(read(&half), secs(1)), Next::Wait(Wait::Pause(secs(1))));
    // No nudge: it is still our turn.
    assert_eq!(words(&batch_of(drive.next(read(&half), secs(2)))), ["+c"]);
}

#[test]
fn failed_batches_are_followed_by_longer_and_longer_pauses_and_five_end_the_run() {
    let start = on_delete([old("a"), new("b"), new("c")]);
    let mut drive = Drive::new(settings(), &start);
    let mut at = 0;
    for pause in [1, 2, 4, 8] {
        let batch = batch_of(drive.next(read(&start), secs(at)));
        assert_eq!(drive.wrote(&start, &batch, &failing(|_| ()), secs(at)), None);
        assert_eq!(drive.next(read(&start), secs(at)), Next::Wait(Wait::Pause(secs(pause))));
        at += pause;
    }
    let batch = batch_of(drive.next(read(&start), secs(at)));
    drive.wrote(&start, &batch, &failing(|_| ()), secs(at));
    assert_eq!(
        stop_of(drive.next(read(&start), secs(at))),
        (Ending::Partial, "calls failed in 5 batches in a row".into())
    );
}

#[test]
fn a_batch_that_succeeds_lets_failures_be_forgotten() {
    let start = on_delete(["a", "b", "c"].map(old));
    let mut drive = Drive::new(settings(), &start);
    let mut at = 0;
    for _ in 0..4 {
        let batch = batch_of(drive.next(read(&start), secs(at)));
        drive.wrote(&start, &batch, &failing(|_| ()), secs(at));
        at += 60;
    }
    let batch = batch_of(drive.next(read(&start), secs(at)));
    drive.wrote(&start, &batch, &made(&batch, &[]), secs(at));
    let next = on_delete([new("a"), old("b"), old("c")]);
    let batch = batch_of(drive.next(read(&next), secs(at)));
    drive.wrote(&next, &batch, &failing(|_| ()), secs(at));
    assert_eq!(drive.next(read(&next), secs(at)), Next::Wait(Wait::Pause(secs(1))));
}

#[test]
fn what_the_server_asks_to_wait_is_waited() {
    let start = on_delete([old("a"), new("b"), new("c")]);
    let mut drive = Drive::new(settings(), &start);
    let batch = batch_of(drive.next(read(&start), secs(0)));
    drive.wrote(&start, &batch, &failing(|written| written.retry_after = Some(secs(30))), secs(0));
    assert_eq!(drive.next(read(&start), secs(29)), Next::Wait(Wait::Pause(secs(1))));
    assert_eq!(words(&batch_of(drive.next(read(&start), secs(30)))), ["-old-a"]);
}

#[test]
fn a_refusal_ends_the_run_and_its_code_tells_whether_anything_was_written() {
    let start = on_delete(["a", "b", "c"].map(old));
    let refuse = |written: &mut Written| written.refusal = Some("no".to_owned());
    let ending = |written: Written| {
        let mut drive = Drive::new(settings(), &start);
        let batch = batch_of(drive.next(read(&start), secs(0)));
        drive.wrote(&start, &batch, &written, secs(0)).map(|stop| stop.ending)
    };
    assert_eq!(ending(failing(refuse)), Some(Ending::Failed));
    let other = || BTreeSet::from([Key::Delete("uid-old-b".into())]);
    assert_eq!(
        ending(failing(|written| (refuse(written), written.made = other()).1)),
        Some(Ending::Partial),
        "something was written"
    );
    assert_eq!(
        ending(failing(|written| (refuse(written), written.unknown = other()).1)),
        Some(Ending::Partial),
        "something may have been written"
    );
}

#[test]
fn a_failed_pod_is_deleted_once_on_each_node() {
    let start = on_delete([failed("f1", "a"), new("b"), new("c")]);
    let mut drive = Drive::new(impatient(), &start);
    drive.next(read(&start), secs(0));
    let batch = batch_of(drive.next(read(&start), secs(1)));
    assert_eq!(words(&batch), ["-f1"]);
    drive.wrote(&start, &batch, &made(&batch, &[]), secs(1));
    let missing = on_delete([new("b"), new("c")]);
    let batch = batch_of(drive.next(read(&missing), secs(2)));
    assert_eq!(words(&batch), ["+a"]);
    drive.wrote(&missing, &batch, &made(&batch, &["uid-f2"]), secs(2));
    let again = on_delete([failed("f2", "a"), new("b"), new("c")]);
    let why = "pod f2 on node a has failed, like the one before it";
    assert_eq!(stop_of(drive.next(read(&again), secs(3))), (Ending::Blocked, why.into()));
}

#[test]
fn a_set_that_cannot_go_on_is_given_up_after_a_while() {
    let broken = || new("a").waiting("CrashLoopBackOff").created(7200);
    let plan = rolling([broken(), old("b"), old("c")]);
    let mut drive = Drive::new(settings(), &plan);
    assert_eq!(drive.next(read(&plan), secs(0)), Next::Wait(Wait::Stalled(secs(600))));
    assert_eq!(drive.next(read(&plan), secs(599)), Next::Wait(Wait::Stalled(secs(1))));
    let why = "nothing has moved for 10m (--stall-after)";
    assert_eq!(stop_of(drive.next(read(&plan), secs(600))), (Ending::Blocked, why.into()));
}

#[test]
fn a_set_that_moves_in_between_is_given_the_whole_time_again() {
    let stuck = rolling([new("a").waiting("CrashLoopBackOff").created(7200), old("b"), old("c")]);
    let moving = rolling([fresh("a"), old("b"), old("c")]);
    let mut drive = Drive::new(settings(), &stuck);
    drive.next(read(&stuck), secs(0));
    assert_eq!(drive.next(read(&moving), secs(300)), Next::Wait(Wait::Moving));
    assert_eq!(drive.next(read(&stuck), secs(600)), Next::Wait(Wait::Stalled(secs(600))));
}

#[test]
fn the_time_that_all_may_take_ends_a_run_but_not_its_end() {
    let limited = || Settings { timeout: Some(secs(60)), ..settings() };
    let plan = on_delete([old("a"), new("b"), new("c")]);
    let mut drive = Drive::new(limited(), &plan);
    batch_of(drive.next(read(&plan), secs(59)));
    assert_eq!(stop_of(drive.next(read(&plan), secs(60))), (Ending::TimedOut, "the time is over (--timeout)".into()));
    let done = on_delete(["a", "b", "c"].map(new));
    assert_eq!(stop_of(Drive::new(limited(), &done).next(read(&done), secs(60))).0, Ending::Done);
}

#[test]
fn once_is_over_when_the_new_pods_of_one_batch_are_available() {
    let once = Settings { once: true, ..settings() };
    let start = on_delete(["a", "b", "c"].map(old));
    let mut drive = Drive::new(once, &start);
    let batch = batch_of(drive.next(read(&start), secs(0)));
    drive.wrote(&start, &batch, &made(&batch, &[]), secs(0));
    assert_eq!(drive.next(read(&on_delete([fresh("a"), old("b"), old("c")])), secs(1)), pods(&["a"]));
    let end = stop_of(drive.next(read(&on_delete([new("a"), old("b"), old("c")])), secs(2)));
    assert_eq!(end, (Ending::WorkLeft, "the next batch is done".into()));
}

#[test]
fn once_without_a_controller_also_makes_what_completes_the_batch_and_no_more() {
    let once = Settings { once: true, ..impatient() };
    let start = on_delete(["a", "b", "c"].map(old));
    let mut drive = Drive::new(once, &start);
    let batch = batch_of(drive.next(read(&start), secs(0)));
    drive.wrote(&start, &batch, &made(&batch, &[]), secs(0));
    let missing = on_delete([old("c")]);
    assert_eq!(drive.next(read(&missing), secs(1)), Next::Nudge);
    assert_eq!(words(&batch_of(drive.next(read(&missing), secs(2)))), ["+a"]);
}

#[test]
fn once_deletes_nothing_more_while_it_waits() {
    let once = Settings { once: true, ..impatient() };
    let start = on_delete(["a", "b", "c"].map(old));
    let mut drive = Drive::new(once, &start);
    let batch = batch_of(drive.next(read(&start), secs(0)));
    drive.wrote(&start, &batch, &made(&batch, &[]), secs(0));
    let misplaced = [node("d").taint("x:NoExecute"), new("d")];
    let next = on_delete([fresh("a"), old("b"), old("c")].into_iter().chain(misplaced));
    assert_eq!(drive.next(read(&next), secs(1)), pods(&["a"]));
}

#[test]
fn once_counts_the_batch_that_the_controller_does() {
    let once = Settings { once: true, ..settings() };
    let start = rolling(["a", "b", "c"].map(old));
    let mut drive = Drive::new(once, &start);
    assert!(matches!(drive.next(read(&start), secs(0)), Next::Wait(Wait::Controller { due: 1, .. })));
    assert_eq!(drive.next(read(&rolling([fresh("a"), old("b"), old("c")])), secs(1)), pods(&["a"]));
    let end = stop_of(drive.next(read(&rolling([new("a"), old("b"), old("c")])), secs(2)));
    assert_eq!(end.0, Ending::WorkLeft);
}

/// Returns the next batch of an OnDelete rollout.
fn next_on_delete(limit: IntOrString, plan: &Plan) -> Vec<String> {
    words(&preview(&Settings { max_unavailable: limit, ..settings() }, read(plan)).batch)
}

fn many(count: usize, to_pod: impl Fn(usize, &str) -> Object) -> Plan {
    let names: Vec<String> = (0..count).map(|i| format!("n{i}")).collect();
    let pods: Vec<_> = names.iter().enumerate().map(|(i, name)| to_pod(i, name)).collect();
    plan_with(daemon_set("agent").on_delete(), names.iter().map(|name| node(name)).chain(pods))
}

#[test]
fn a_percentage_is_of_the_wanted_nodes_rounded_up_and_at_least_one() {
    let plan = many(7, |_, name| old(name));
    let resolved = |limit: &str| {
        max_unavailable(&Settings { max_unavailable: IntOrString::String(limit.to_owned()), ..settings() }, &plan)
    };
    assert_eq!(["1%", "25%", "50%", "100%", "0%"].map(resolved), [1, 2, 4, 7, 1]);
    assert_eq!(next_on_delete(IntOrString::String("25%".into()), &plan), ["-old-n0", "-old-n1"]);
}

#[test]
fn broken_old_pods_go_first_and_cost_nothing_but_never_more_than_the_limit() {
    let plan = many(5, |i, name| if i >= 2 { old(name).not_ready_for(600) } else { old(name) });
    assert_eq!(next_on_delete(IntOrString::Int(1), &plan), ["-old-n2"]);
    assert_eq!(next_on_delete(IntOrString::Int(2), &plan), ["-old-n2", "-old-n3"]);
    // Three are unavailable already: of four that may be, one available pod goes with them.
    assert_eq!(next_on_delete(IntOrString::Int(4), &plan), ["-old-n2", "-old-n3", "-old-n4", "-old-n0"]);
}

#[test]
fn nodes_that_are_unavailable_for_whatever_cause_hold_available_pods() {
    let plan = many(3, |i, name| if i == 0 { new(name).not_ready_for(600) } else { old(name) });
    assert_eq!(next_on_delete(IntOrString::Int(1), &plan), Vec::<String>::new());
    assert_eq!(next_on_delete(IntOrString::Int(2), &plan), ["-old-n1"]);
    let terminating = many(3, |i, name| if i == 0 { old(name).deleting(-30) } else { old(name) });
    assert_eq!(next_on_delete(IntOrString::Int(1), &terminating), Vec::<String>::new());
    assert_eq!(next_on_delete(IntOrString::Int(2), &terminating), ["-old-n1"]);
}

#[test]
fn pods_on_nodes_that_are_not_ready_go_last() {
    let plan = |pods: [Object; 2]| {
        let set = daemon_set("agent").on_delete();
        plan_with(set, [node("a").node_ready("Unknown", 600), node("b")].into_iter().chain(pods))
    };
    let both = plan([old("a").not_ready_for(600), old("b")]);
    let order: Vec<_> = outdated(&both).into_iter().map(|outdated| outdated.deletion.pod).collect();
    assert_eq!(order, ["old-b", "old-a"]);
    assert_eq!(next_on_delete(IntOrString::Int(1), &both), Vec::<String>::new(), "the node that is down is charged");
    assert_eq!(next_on_delete(IntOrString::Int(2), &both), ["-old-b"]);
    assert_eq!(next_on_delete(IntOrString::Int(1), &plan([old("a").not_ready_for(600), new("b")])), ["-old-a"]);
}

#[test]
fn a_pod_that_does_not_come_back_goes_after_those_that_do() {
    let unwanted = node("a").taint("dedicated=gpu:NoSchedule");
    let set = daemon_set("agent").on_delete();
    let plan = plan_with(set, [unwanted, node("b"), old("a"), old("b")]);
    let order: Vec<_> =
        outdated(&plan).into_iter().map(|outdated| (outdated.deletion.pod, outdated.comes_back)).collect();
    assert_eq!(order, [("old-b".to_owned(), true), ("old-a".to_owned(), false)]);
}

#[test]
fn nodes_with_two_live_pods_are_left_to_manage() {
    let plan = on_delete([old("a"), new("a"), new("b"), new("c")]);
    assert!(outdated(&plan).is_empty());
}

#[test]
fn reasons_of_an_on_delete_batch_tell_what_it_costs() {
    let plan = many(2, |i, name| if i == 0 { old(name).not_ready_for(600) } else { old(name) });
    let reasons: Vec<_> = outdated(&plan).into_iter().map(|outdated| outdated.deletion.reason).collect();
    assert_eq!(reasons, [Reason::OldPodUnavailable, Reason::OldPodAvailable]);
}

#[test]
fn of_what_is_open_the_first_are_taken_and_terminating_pods_never() {
    let plan = rolling(["a", "b", "c"].map(old));
    assert_eq!(words(&next(&plan)), ["-old-a"]);
    let unwanted = |pod: Object| plan_with(daemon_set("agent"), [node("a").taint("x:NoExecute"), pod]);
    assert_eq!(words(&next(&unwanted(new("a")))), ["-new-a"]);
    assert!(next(&unwanted(new("a").deleting(-30))).is_empty());
    // Upstream deletes this one again and again.
    let stray = || pod("stray").pinned_to("gone");
    assert_eq!(words(&next(&unwanted(stray()))), ["-stray"]);
    assert!(next(&unwanted(stray().deleting(-30))).is_empty());
}

#[test]
fn nothing_is_due_before_the_template_is_recorded() {
    let mut plan = on_delete([new("a")]);
    assert_eq!(words(&next(&plan)), ["+b", "+c"]);
    plan.revision = None;
    assert!(next(&plan).is_empty());
}

#[test]
fn the_gravest_of_several_endings_counts() {
    let codes: Vec<u8> = Ending::ALL.iter().map(|ending| ending.exit_code()).collect();
    assert_eq!(codes, [130, 1, 14, 13, 12, 11, 10, 10, 0]);
}
