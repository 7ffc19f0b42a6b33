//! Follow: whether a rollout is done, moving or failing, and when to stop following it. Pure.

use std::time::Duration;

use crate::plan::{NodePlan, Outcome, Plan, PodRevision, Verdict, codes, serialize_as_code};

codes! {
    /// What counts as done.
    pub enum DoneWhen {
        Available => "every wanted node has an available pod of the current revision, and nothing else is left",
        Updated => "every wanted node has a pod of the current revision, available or not, and no old pod is left",
        Placed => "every wanted node has a pod, of whatever revision, and nothing is to be made or deleted",
    }
}

codes! {
    /// How a rollout stands.
    pub enum Standing {
        Done => "as the rule wants it",
        Moving => "under way",
        Waiting => "OnDelete or paused: outdated pods wait until somebody deletes them or resumes",
        Failing => "it cannot go on by itself",
        Unknown => "it cannot be judged",
    }
}

serialize_as_code!(DoneWhen, Standing);

impl Standing {
    /// Returns the exit code of one look at it.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Unknown => 1,
            Self::Moving | Self::Waiting => 10,
            Self::Failing => 11,
        }
    }
}

/// Judges a set by its plan.
pub fn standing(plan: &Plan, done_when: DoneWhen) -> Standing {
    match plan.verdict {
        Verdict::Unknown => Standing::Unknown,
        Verdict::InSync | Verdict::NothingToRun => Standing::Done,
        _ if plan.outcome == Outcome::Reconciled && is_done(plan, done_when) => Standing::Done,
        Verdict::Work | Verdict::Moving => Standing::Moving,
        Verdict::AwaitingDelete => Standing::Waiting,
        Verdict::Blocked | Verdict::Degraded | Verdict::Skipped => Standing::Failing,
    }
}

/// Judges by the rules that want less than availability. A set that has yet to get its revision is not done by any.
fn is_done(plan: &Plan, done_when: DoneWhen) -> bool {
    let wanted = || plan.nodes.iter().filter(|node| node.should_run);
    let is_quiet = plan.manage.is_empty() && wanted().next().is_some();
    match done_when {
        DoneWhen::Available => false,
        DoneWhen::Updated => {
            let old = |node: &NodePlan| live(node).any(|revision| revision == PodRevision::Old);
            let new = |node: &NodePlan| live(node).any(|revision| revision == PodRevision::Current);
            is_quiet && plan.revision.is_some() && wanted().all(new) && !plan.nodes.iter().any(old)
        }
        DoneWhen::Placed => is_quiet && wanted().all(|node| live(node).next().is_some()),
    }
}

/// Returns the revisions of the pods of a node that are there to stay.
fn live(node: &NodePlan) -> impl Iterator<Item = PodRevision> {
    node.pods.iter().filter(|pod| pod.is_live()).map(|pod| pod.revision)
}

/// What the flags say.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// What counts as done.
    pub done_when: DoneWhen,
    /// How long a set may fail before it is no longer followed.
    pub stall_after: Duration,
    /// How long all of it may take.
    pub timeout: Option<Duration>,
}

/// A set that is followed.
#[derive(Debug)]
pub struct Follow {
    rules: Rules,
    failing_since: Option<Duration>,
    /// When it was first seen, and how many nodes were up to date then.
    first: Option<(Duration, i64)>,
}

/// What is known after a look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// How it stands.
    pub standing: Standing,
    /// The exit code, if it is not followed any longer.
    pub ended: Option<u8>,
    /// How fast it goes; absent while that cannot be told.
    pub pace: Option<Pace>,
}

/// How fast a rollout goes, from what was seen of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Nodes that became up to date in a minute.
    pub per_minute: f64,
    /// How long the rest takes if it goes on like that.
    pub left: Duration,
}

impl Follow {
    /// Begins to follow a set.
    pub fn new(rules: Rules) -> Self {
        Self { rules, failing_since: None, first: None }
    }

    /// Looks at a fresh plan. Times are durations since the beginning, by a clock that never goes back.
    pub fn look(&mut self, plan: &Plan, elapsed: Duration) -> Look {
        let standing = standing(plan, self.rules.done_when);
        if standing != Standing::Failing {
            self.failing_since = None;
        }
        let is_over = self.rules.timeout.is_some_and(|timeout| elapsed >= timeout);
        let ended = match standing {
            Standing::Done => Some(0),
            Standing::Unknown => Some(1),
            Standing::Failing => {
                let since = *self.failing_since.get_or_insert(elapsed);
                (is_over || elapsed - since >= self.rules.stall_after).then_some(11)
            }
            Standing::Moving | Standing::Waiting => is_over.then_some(12),
        };
        Look { standing, ended, pace: self.pace(plan, elapsed) }
    }

    fn pace(&mut self, plan: &Plan, elapsed: Duration) -> Option<Pace> {
        let updated = plan.status.updated_number_scheduled;
        let (since, before) = *self.first.get_or_insert((elapsed, updated));
        let [done, rest] = [updated - before, plan.status.desired_number_scheduled - updated];
        let (done, rest) = (u32::try_from(done).ok()?, u32::try_from(rest).ok()?);
        if done == 0 || rest == 0 {
            return None;
        }
        let left = (elapsed - since) * rest / done;
        let per_minute = f64::from(done) * 60.0 / (elapsed - since).as_secs_f64();
        // What was up to date at once tells nothing about the rest.
        (left >= Duration::from_secs(1)).then_some(Pace { per_minute, left })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{DoneWhen, Follow, Pace, Rules, Standing, standing};
    use crate::builders::{Object, daemon_set, node, plan_with, pod};
    use crate::plan::Plan;

    fn rules() -> Rules {
        let stall_after = Duration::from_secs(60);
        Rules { done_when: DoneWhen::Available, stall_after, timeout: Some(Duration::from_secs(300)) }
    }

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn stands(plan: &Plan) -> [Standing; 3] {
        [DoneWhen::Available, DoneWhen::Updated, DoneWhen::Placed].map(|rule| standing(plan, rule))
    }

    fn with(pods: [Object; 2]) -> Plan {
        let [a, b] = pods;
        plan_with(daemon_set("agent").on_delete(), [node("a"), node("b"), a.on("a"), b.on("b")])
    }

    #[test]
    fn each_rule_wants_less_than_the_one_before() {
        let (done, moving, waiting, failing) = (Standing::Done, Standing::Moving, Standing::Waiting, Standing::Failing);
        assert_eq!(stands(&with([pod("pa"), pod("pb")])), [done; 3]);
        let starting = with([pod("pa"), pod("pb").created(5).not_ready_for(5)]);
        assert_eq!(stands(&starting), [moving, done, done]);
        assert_eq!(stands(&with([pod("pa"), pod("pb").old()])), [waiting, waiting, done]);
        assert_eq!(stands(&with([pod("pa"), pod("pb").not_ready_for(900)])), [failing, done, done]);
        let missing = plan_with(daemon_set("agent"), [node("a"), node("b"), pod("pa").on("a")]);
        assert_eq!(stands(&missing), [moving; 3]);
    }

    #[test]
    fn a_spec_that_was_not_looked_at_is_not_done() {
        let set = daemon_set("agent").set("/metadata/generation", 5);
        let plan = plan_with(set, [node("a"), pod("pa").on("a")]);
        assert_eq!(stands(&plan), [Standing::Moving; 3]);
    }

    #[test]
    fn what_fails_is_followed_for_a_while_and_what_recovers_begins_anew() {
        let failing = with([pod("pa"), pod("pb").not_ready_for(900)]);
        let moving = with([pod("pa"), pod("pb").created(5).not_ready_for(5)]);
        let mut follow = Follow::new(rules());
        let ended = |follow: &mut Follow, plan: &Plan, at: u64| follow.look(plan, seconds(at)).ended;
        assert_eq!(ended(&mut follow, &failing, 0), None);
        assert_eq!(ended(&mut follow, &failing, 59), None);
        assert_eq!(ended(&mut follow, &moving, 60), None);
        assert_eq!(ended(&mut follow, &failing, 61), None);
        assert_eq!(ended(&mut follow, &failing, 121), Some(11));
        assert_eq!(ended(&mut Follow::new(rules()), &moving, 300), Some(12), "time is over");
        assert_eq!(ended(&mut Follow::new(rules()), &failing, 300), Some(11), "it fails, and time is over");
    }

    #[test]
    fn waiting_for_somebody_goes_on_until_the_time_is_over() {
        let waiting = with([pod("pa"), pod("pb").old()]);
        let mut follow = Follow::new(rules());
        assert_eq!(follow.look(&waiting, seconds(0)).ended, None);
        assert_eq!(follow.look(&waiting, seconds(299)).ended, None);
        assert_eq!(follow.look(&waiting, seconds(300)).ended, Some(12));
    }

    #[test]
    fn the_time_that_is_left_goes_by_what_was_seen() {
        let three = |pods: [Object; 3]| {
            let [a, b, c] = pods;
            let nodes = [node("a"), node("b"), node("c")];
            plan_with(daemon_set("agent"), nodes.into_iter().chain([a.on("a"), b.on("b"), c.on("c")]))
        };
        let mut follow = Follow::new(rules());
        let none = three([pod("pa").old(), pod("pb").old(), pod("pc").old()]);
        assert_eq!(follow.look(&none, seconds(0)).pace, None);
        let one = three([pod("pa"), pod("pb").old(), pod("pc").old()]);
        assert_eq!(follow.look(&one, seconds(30)).pace, Some(Pace { per_minute: 2.0, left: seconds(60) }));
        let all = three([pod("pa"), pod("pb"), pod("pc")]);
        assert_eq!(follow.look(&all, seconds(90)).pace, None);
    }
}
