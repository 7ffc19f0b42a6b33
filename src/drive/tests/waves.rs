//! OnDelete rollouts that are cut up: canary, groups, soaks, pauses and the gate. Two zones, and a node in none.

use std::time::Duration;

use super::{batch_of, made, new, old, secs, stop_of, words};
use crate::api::{IntOrString, Node};
use crate::builders::{Object, current_revision, daemon_set, node, old_revision, plan, settings, snapshot};
use crate::drive::{
    Canary, Check, Cut, Drive, Ending, Finished, Next, PauseAfter, Read, Settings, Wait, WaveName, Written, check,
    preview, waves,
};
use crate::plan::Plan;
use crate::snapshot::Snapshot;

const ZONE: &str = "topology.kubernetes.io/zone";

/// A state of the cluster.
struct State {
    plan: Plan,
    snapshot: Snapshot,
}

impl State {
    fn read(&self) -> Read<'_> {
        Read { plan: &self.plan, nodes: &self.snapshot.nodes }
    }

    fn nodes(&self) -> &[Node] {
        &self.snapshot.nodes
    }
}

fn zoned(name: &str) -> Object {
    match &name[..1] {
        "x" => node(name),
        zone => node(name).label(ZONE, zone),
    }
}

fn state_of(nodes: impl IntoIterator<Item = Object>, pods: impl IntoIterator<Item = Object>) -> State {
    let set = daemon_set("agent").on_delete();
    let revisions = [current_revision(&set), old_revision(&set, "old", 1)];
    let snapshot = snapshot([set].into_iter().chain(revisions).chain(nodes).chain(pods));
    State { plan: plan(&snapshot), snapshot }
}

/// Nodes a1, a2, b1, b2 and x, with these pods.
fn state(pods: impl IntoIterator<Item = Object>) -> State {
    state_of(["a1", "a2", "b1", "b2", "x"].map(zoned), pods)
}

/// The same, new pods on these nodes, Ready for so long, and old ones on the others.
fn new_on(nodes: &[&str], ready_for: i64) -> State {
    let pod = |name: &str| if nodes.contains(&name) { new(name).ready_for(ready_for) } else { old(name) };
    state(["a1", "a2", "b1", "b2", "x"].map(pod))
}

fn by_zone() -> Settings {
    Settings { cut: Cut { by: Some(ZONE.to_owned()), ..Cut::default() }, ..settings() }
}

fn with_canary(count: usize) -> Settings {
    Settings { cut: Cut { canary: Some(Canary::Nodes(count)), ..Cut::default() }, ..settings() }
}

fn at_most(count: i32, settings: Settings) -> Settings {
    Settings { max_unavailable: IntOrString::Int(count), ..settings }
}

fn first(settings: &Settings, state: &State) -> Vec<String> {
    words(&preview(settings, state.read()).batch)
}

/// Returns the waves with their nodes, each as `zone a: a1 a2`.
fn cut(settings: &Settings, state: &State) -> Vec<String> {
    let waves = waves(&settings.cut, &state.plan, state.nodes());
    let names =
        |nodes: &[&crate::plan::NodePlan]| nodes.iter().map(|node| node.name.as_str()).collect::<Vec<_>>().join(" ");
    waves.iter().map(|wave| format!("{}: {}", wave.name, names(&wave.nodes))).collect()
}

fn zone(value: &str) -> WaveName {
    WaveName::Group { label: ZONE.to_owned(), value: value.to_owned() }
}

#[test]
fn groups_go_by_name_or_in_the_order_given_and_nodes_without_the_label_last() {
    let state = new_on(&[], 0);
    assert_eq!(cut(&settings(), &state), ["the rest: a1 a2 b1 b2 x"]);
    assert_eq!(cut(&by_zone(), &state), ["zone a: a1 a2", "zone b: b1 b2", "nodes without zone: x"]);
    let mut ordered = by_zone();
    ordered.cut.order = vec!["b".to_owned()];
    assert_eq!(cut(&ordered, &state), ["zone b: b1 b2", "zone a: a1 a2", "nodes without zone: x"]);
}

#[test]
fn a_canary_by_labels_is_in_no_group() {
    let mut settings = by_zone();
    settings.cut.canary = Some(Canary::Selector("kubernetes.io/hostname in (a2,x)".parse().expect("a selector")));
    assert_eq!(cut(&settings, &new_on(&[], 0)), ["canary: a2 x", "zone a: a1", "zone b: b1 b2"]);
    let done = cut(&settings, &new_on(&["a2", "x"], 60));
    assert_eq!(done, ["canary: a2 x", "zone a: a1", "zone b: b1 b2"], "what is done stays what it is");
    assert_eq!(first(&settings, &new_on(&["a2", "x"], 60)), ["-old-a1"]);
}

#[test]
fn nodes_that_are_not_ready_or_cordoned_can_be_left_for_last() {
    let nodes = || {
        let down = zoned("b1").node_ready("False", 60);
        [zoned("a1").cordoned(), zoned("a2"), down, zoned("b2"), zoned("x")]
    };
    let pods = || ["a1", "a2", "b1", "b2", "x"].map(old);
    let mut settings = by_zone();
    settings.cut.skip_unready = true;
    settings.cut.canary = Some(Canary::Nodes(1));
    let waves =
        ["canary: a2 b2 x", "zone a: a2", "zone b: b2", "nodes without zone: x", "nodes not ready or cordoned: a1 b1"];
    assert_eq!(cut(&settings, &state_of(nodes(), pods())), waves);
    assert_eq!(first(&settings, &state_of(nodes(), pods())), ["-old-a2"]);
}

#[test]
fn nodes_that_the_set_does_not_concern_are_in_no_wave() {
    let tainted = || zoned("b1").taint("dedicated=batch:NoExecute");
    let state = state_of([zoned("a1"), tainted()], [old("a1")]);
    assert_eq!(cut(&by_zone(), &state), ["zone a: a1"]);
}

#[test]
fn a_group_is_done_before_the_next_one_starts() {
    let settings = at_most(3, by_zone());
    assert_eq!(first(&settings, &new_on(&[], 0)), ["-old-a1", "-old-a2"]);
    let half = state([new("a1").not_ready_for(5).created(5), new("a2"), old("b1"), old("b2"), old("x")]);
    let mut drive = Drive::new(settings.clone(), &half.plan);
    let waiting = |nodes: &[&str]| {
        let nodes = nodes.iter().map(|node| (*node).to_owned()).collect();
        Next::Wait(Wait::Wave { wave: zone("a"), nodes })
    };
    assert_eq!(drive.next(half.read(), secs(0)), waiting(&["a1"]));
    let batch = batch_of(drive.next(new_on(&["a1", "a2"], 5).read(), secs(1)));
    assert_eq!(words(&batch), ["-old-b1", "-old-b2"]);
    assert_eq!(drive.wave(), Some(&zone("b")));
    assert_eq!(drive.finished(), [Finished { wave: zone("a"), num_nodes: 2 }]);
    assert_eq!(drive.finished(), [], "told once");
    assert_eq!(first(&settings, &new_on(&["a1", "a2", "b1", "b2"], 5)), ["-old-x"]);
}

#[test]
fn a_new_run_goes_on_where_the_pods_say_the_last_one_was() {
    let settings = at_most(3, by_zone());
    assert_eq!(first(&settings, &new_on(&["a1"], 5)), ["-old-a2"]);
    assert_eq!(first(&settings, &new_on(&["a1", "a2", "b2"], 5)), ["-old-b1"]);
    assert_eq!(first(&settings, &new_on(&["b1", "b2"], 5)), ["-old-a1", "-old-a2"], "zone a is not done");
}

#[test]
fn a_pod_that_somebody_else_deletes_in_a_done_group_is_charged_and_no_more() {
    let settings = at_most(2, by_zone());
    let start = new_on(&["a1"], 60);
    let mut drive = Drive::new(settings, &start.plan);
    let batch = batch_of(drive.next(start.read(), secs(0)));
    drive.wrote(&start.plan, &batch, &made(&batch, &[]), secs(0));
    let next = new_on(&["a1", "a2"], 5);
    let batch = batch_of(drive.next(next.read(), secs(1)));
    assert_eq!(words(&batch), ["-old-b1", "-old-b2"]);
    drive.wrote(&next.plan, &batch, &made(&batch, &[]), secs(1));
    let again = state([new("a1").not_ready_for(5).created(5), new("a2"), new("b1"), new("b2"), old("x")]);
    assert_eq!(words(&batch_of(drive.next(again.read(), secs(2)))), ["-old-x"]);
}

#[test]
fn a_canary_is_done_when_as_many_nodes_have_a_new_pod() {
    let settings = at_most(5, with_canary(2));
    assert_eq!(first(&settings, &new_on(&[], 0)), ["-old-a1", "-old-a2"]);
    assert_eq!(first(&settings, &new_on(&["b2"], 5)), ["-old-a1"], "one is there already");
    assert_eq!(first(&settings, &new_on(&["b1", "b2"], 5)), ["-old-a1", "-old-a2", "-old-x"]);
    let starting = state([new("a1").not_ready_for(5).created(5), old("a2"), old("b1"), old("b2"), new("x")]);
    assert_eq!(first(&settings, &starting), [] as [&str; 0], "the second one is on its way");
}

#[test]
fn canaries_are_where_a_failure_tells_something() {
    let broken = state([old("a1").not_ready_for(900), old("a2"), old("b1"), old("b2"), old("x")]);
    assert_eq!(first(&at_most(2, with_canary(1)), &broken), ["-old-a2"]);
    assert_eq!(first(&with_canary(1), &broken), [] as [&str; 0], "no available pod may go");
    assert_eq!(first(&settings(), &broken), ["-old-a1"], "a plain rollout takes what costs nothing");
}

#[test]
fn the_limit_can_hold_within_each_group() {
    let nodes = || (1..=9).map(|i| node(&format!("a{i}")).label(ZONE, if i < 8 { "big" } else { "small" }));
    let state = state_of(nodes(), (1..=9).map(|i| old(&format!("a{i}"))));
    let half = Settings { max_unavailable: IntOrString::String("50%".to_owned()), ..by_zone() };
    assert_eq!(first(&half, &state).len(), 5, "half of all");
    let half = Settings { is_per_group: true, ..half };
    assert_eq!(first(&half, &state).len(), 4, "half of the group");
    let down = |i: i32| if i == 1 { new("a1").not_ready_for(900) } else { old(&format!("a{i}")) };
    assert_eq!(first(&half, &state_of(nodes(), (1..=9).map(down))).len(), 3, "one of it is unavailable");
}

#[test]
fn a_soak_is_counted_from_when_the_last_pod_became_ready() {
    let settings = Settings { soak: secs(60), ..by_zone() };
    let soak = |state: &State| preview(&settings, state.read()).wait;
    let Some(Wait::Soak { wave, until, remaining }) = soak(&new_on(&["a1", "a2"], 20)) else { panic!("no soak") };
    assert_eq!((wave, until.to_string(), remaining), (zone("a"), "2026-11-29T12:00:40Z".to_owned(), secs(40)));
    assert_eq!(first(&settings, &new_on(&["a1", "a2"], 60)), ["-old-b1"]);
    let one_late = state([new("a1").ready_for(300), new("a2").ready_for(1), old("b1"), old("b2"), old("x")]);
    assert!(matches!(soak(&one_late), Some(Wait::Soak { remaining, .. }) if remaining == secs(59)));
}

#[test]
fn a_canary_of_two_soaks_from_the_second_pod_on() {
    let settings = Settings { soak: secs(60), ..with_canary(2) };
    let state = state([new("a1").ready_for(300), new("a2").ready_for(90), new("b1").ready_for(1), old("b2"), old("x")]);
    assert_eq!(first(&settings, &state), ["-old-b2"], "the third one is no canary");
}

#[test]
fn a_pod_that_fails_while_its_group_soaks_ends_the_run() {
    let settings = Settings { soak: secs(60), ..by_zone() };
    let start = new_on(&["a1", "a2"], 20);
    let mut drive = Drive::new(settings, &start.plan);
    assert!(matches!(drive.next(start.read(), secs(0)), Next::Wait(Wait::Soak { .. })));
    let failing = new("a2").not_ready_for(5).waiting("CrashLoopBackOff");
    let failed = state([new("a1").ready_for(25), failing, old("b1"), old("b2"), old("x")]);
    let why = "pod new-a2 on node a2 fails while zone a soaks: CrashLoopBackOff";
    assert_eq!(stop_of(drive.next(failed.read(), secs(5))), (Ending::Blocked, why.to_owned()));
}

#[test]
fn the_last_group_soaks_in_the_run_that_replaced_its_pods() {
    let settings = Settings { soak: secs(60), ..by_zone() };
    let start = new_on(&["a1", "a2", "b1", "b2"], 90);
    let done = new_on(&["a1", "a2", "b1", "b2", "x"], 90);
    let fresh = || new("x").ready_for(10);
    let soaking = state(["a1", "a2", "b1", "b2"].map(|node| new(node).ready_for(90)).into_iter().chain([fresh()]));
    let mut drive = Drive::new(settings.clone(), &start.plan);
    let batch = batch_of(drive.next(start.read(), secs(0)));
    drive.wrote(&start.plan, &batch, &made(&batch, &[]), secs(0));
    assert!(matches!(drive.next(soaking.read(), secs(1)), Next::Wait(Wait::Soak { .. })));
    assert_eq!(stop_of(drive.next(done.read(), secs(60))).0, Ending::Done);
    let last = WaveName::Unlabeled { label: ZONE.to_owned() };
    assert_eq!(drive.finished().last(), Some(&Finished { wave: last, num_nodes: 1 }));
    // A set that was in sync all along has nothing to be watched for.
    assert_eq!(stop_of(Drive::new(settings, &soaking.plan).next(soaking.read(), secs(0))).0, Ending::Done);
}

#[test]
fn a_run_pauses_after_what_is_done_until_it_is_told_to_go_on() {
    let pausing = |pause_after, goes_on| Settings { pause_after: Some(pause_after), goes_on, ..at_most(2, by_zone()) };
    let canary_done = new_on(&["a1", "a2"], 5);
    let run = |settings: Settings, state: &State| Drive::new(settings, &state.plan).next(state.read(), secs(0));
    let why = "zone a is done, and the rollout pauses after it (--pause-after)";
    let paused = stop_of(run(pausing(PauseAfter::Group, false), &canary_done));
    assert_eq!(paused, (Ending::Paused, why.to_owned()));
    assert_eq!(Ending::Paused.exit_code(), 10);
    assert_eq!(words(&batch_of(run(pausing(PauseAfter::Group, true), &canary_done))), ["-old-b1", "-old-b2"]);
    assert_eq!(words(&batch_of(run(pausing(PauseAfter::Canary, false), &canary_done))), ["-old-b1", "-old-b2"]);
    let done = new_on(&["a1", "a2", "b1", "b2", "x"], 5);
    assert_eq!(
        stop_of(run(pausing(PauseAfter::Group, false), &done)).0,
        Ending::Done,
        "nothing is left to pause before"
    );
}

#[test]
fn what_a_run_that_goes_on_finishes_itself_pauses_again() {
    let settings = Settings { pause_after: Some(PauseAfter::Group), goes_on: true, ..at_most(2, by_zone()) };
    let start = new_on(&["a1", "a2"], 5);
    let mut drive = Drive::new(settings, &start.plan);
    let batch = batch_of(drive.next(start.read(), secs(0)));
    drive.wrote(&start.plan, &batch, &made(&batch, &[]), secs(0));
    let (ending, why) = stop_of(drive.next(new_on(&["a1", "a2", "b1", "b2"], 5).read(), secs(1)));
    assert_eq!((ending, &why[..14]), (Ending::Paused, "zone b is done"));
}

#[test]
fn a_canary_pauses_before_the_groups_and_soaks_before_that() {
    let mut settings = by_zone();
    settings.cut.canary = Some(Canary::Nodes(1));
    settings.pause_after = Some(PauseAfter::Canary);
    settings.soak = secs(30);
    let run = |state: &State| Drive::new(settings.clone(), &state.plan).next(state.read(), secs(0));
    assert!(matches!(run(&new_on(&["a1"], 5)), Next::Wait(Wait::Soak { .. })));
    assert_eq!(stop_of(run(&new_on(&["a1"], 30))).0, Ending::Paused);
}

#[test]
fn the_gate_is_asked_before_each_batch_that_follows_updated_pods() {
    let settings = Settings { has_gate: true, ..by_zone() };
    let start = new_on(&[], 0);
    let mut drive = Drive::new(settings, &start.plan);
    let batch = batch_of(drive.next(start.read(), secs(0)));
    drive.wrote(&start.plan, &batch, &made(&batch, &[]), secs(0));
    let next = new_on(&["a1"], 5);
    let asked = |next: &str, updated: &[&str]| {
        let updated = updated.iter().map(|node| (*node).to_owned()).collect();
        Next::Check(Check { wave: zone("a"), updated, next: vec![next.to_owned()] })
    };
    assert_eq!(drive.next(next.read(), secs(1)), asked("a2", &["a1"]));
    drive.let_pass();
    let batch = batch_of(drive.next(next.read(), secs(2)));
    assert_eq!(words(&batch), ["-old-a2"]);
    // It was well for that batch only.
    assert_eq!(drive.next(next.read(), secs(3)), asked("a2", &["a1"]));
}

#[test]
fn the_gate_is_asked_again_if_something_came_between() {
    let settings = Settings { has_gate: true, ..by_zone() };
    let start = new_on(&["a1"], 5);
    let mut drive = Drive::new(settings, &start.plan);
    assert!(matches!(drive.next(start.read(), secs(0)), Next::Check(_)), "also before the first batch of a run");
    drive.let_pass();
    let down = state([new("a1").not_ready_for(5).created(5), old("a2"), old("b1"), old("b2"), old("x")]);
    assert_eq!(drive.next(down.read(), secs(1)), Next::Wait(Wait::Moving));
    assert!(matches!(drive.next(start.read(), secs(2)), Next::Check(_)));
}

#[test]
fn evictions_that_are_not_allowed_are_tried_again_and_at_last_given_up() {
    let settings = Settings { stall_after: secs(60), ..settings() };
    let start = new_on(&[], 0);
    let held = || Written { held: Some("the disruption budget pdb needs 5".to_owned()), ..Written::default() };
    let mut drive = Drive::new(settings, &start.plan);
    let mut at = 0;
    while at < 60 {
        let batch = batch_of(drive.next(start.read(), secs(at)));
        assert_eq!(drive.wrote(&start.plan, &batch, &held(), secs(at)), None);
        let waiting = Next::Wait(Wait::Disruption("the disruption budget pdb needs 5".to_owned()));
        assert_eq!(drive.next(start.read(), secs(at + 4)), waiting);
        at += 5;
    }
    let batch = batch_of(drive.next(start.read(), secs(at)));
    let stop = drive.wrote(&start.plan, &batch, &held(), secs(at)).expect("it is given up");
    let why = "no eviction was allowed for 1m: the disruption budget pdb needs 5";
    assert_eq!((stop.ending, stop.why.as_str()), (Ending::Blocked, why));
}

#[test]
fn what_the_server_will_never_evict_ends_the_run() {
    let start = new_on(&[], 0);
    let mut drive = Drive::new(settings(), &start.plan);
    let batch = batch_of(drive.next(start.read(), secs(0)));
    let written = Written { any_failed: true, never_allowed: Some("two budgets".to_owned()), ..Written::default() };
    let stop = drive.wrote(&start.plan, &batch, &written, secs(0)).expect("it ends");
    assert_eq!((stop.ending, stop.why.as_str()), (Ending::Blocked, "two budgets"));
}

#[test]
fn an_eviction_that_is_allowed_begins_the_time_anew() {
    let settings = Settings { stall_after: secs(8), ..at_most(2, settings()) };
    let start = new_on(&[], 0);
    let mut drive = Drive::new(settings, &start.plan);
    let held = || Written { held: Some("no".to_owned()), ..Written::default() };
    let batch = batch_of(drive.next(start.read(), secs(0)));
    drive.wrote(&start.plan, &batch, &held(), secs(0));
    let batch = batch_of(drive.next(start.read(), secs(5)));
    let one = batch.keys().take(1).collect();
    assert_eq!(drive.wrote(&start.plan, &batch, &Written { made: one, ..held() }, secs(5)), None);
    let next = new_on(&["a1"], 1);
    let batch = batch_of(drive.next(next.read(), secs(10)));
    assert_eq!(drive.wrote(&next.plan, &batch, &held(), secs(10)), None);
}

#[test]
fn what_does_not_fit_the_nodes_is_told() {
    let state = new_on(&[], 0);
    let checked = |cut: Cut| check(&cut, &state.plan, state.nodes());
    let by = |label: &str, order: &[&str]| Cut {
        by: Some(label.to_owned()),
        order: order.iter().map(|value| (*value).to_owned()).collect(),
        ..Cut::default()
    };
    assert_eq!(checked(by(ZONE, &["b", "a"])), Ok(Vec::new()));
    let absent = r#"no node of daemonset.apps/agent is in group "c" (--order)"#;
    assert_eq!(checked(by(ZONE, &["c", "a"])), Ok(vec![absent.to_owned()]));
    let no_label = r#"no node that daemonset.apps/agent wants has the label "zone" (--by)"#;
    assert_eq!(checked(by("zone", &[])), Err(no_label.to_owned()));
    let canary = Some(Canary::Selector("disk=ssd".parse().expect("a selector")));
    let no_canary = "no node that daemonset.apps/agent wants has the labels of --canary";
    assert_eq!(checked(Cut { canary, ..Cut::default() }), Err(no_canary.to_owned()));
}

#[test]
fn only_what_is_cut_up_soaks() {
    let settings = Settings { soak: Duration::from_secs(60), ..with_canary(1) };
    let start = new_on(&["a1", "a2", "b1", "b2"], 90);
    let mut drive = Drive::new(settings, &start.plan);
    let batch = batch_of(drive.next(start.read(), secs(0)));
    drive.wrote(&start.plan, &batch, &made(&batch, &[]), secs(0));
    let done = new_on(&["a1", "a2", "b1", "b2", "x"], 5);
    let canary_again = drive.next(done.read(), secs(1));
    assert_eq!(stop_of(canary_again).0, Ending::Done, "the rest is no group");
}
