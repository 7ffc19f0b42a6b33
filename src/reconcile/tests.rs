//! Tests of whole syncs: the numbered edge cases of the controller's reference, what a Plan says, and what holds on any state.
//!
//! A test names the edge cases that it walks with [`covers`]; [`edge_cases`] holds them against the full list.

mod claims;
mod cluster;
mod edge_cases;
mod manage;
mod placement;
mod plans;
mod properties;
mod revisions;
mod rollout;
mod status;
mod surge;
mod verdict;

use crate::builders::{Object, node, plan, plan_with, pod, snapshot};
use crate::plan::{Action, Choice, Creation, Plan, PodPlan, When};

use edge_cases::covers;

/// What a sync does that does nothing.
const NOTHING: [&str; 0] = [];

/// Returns what this sync does, an act a line, in the order of its phases. Nothing else is done.
fn does(plan: &Plan) -> Vec<String> {
    let names = |what: &str, pods: &[PodPlan]| -> Vec<_> { pods.iter().map(|p| format!("{what} {}", p.pod)).collect() };
    let mut acts = names("adopt", &plan.claims.adopt);
    acts.extend(names("release", &plan.claims.release));
    acts.extend(acts_of(&plan.manage.create, &plan.manage.delete, &plan.manage.choose));
    if plan.rollout.when == When::Now {
        acts.extend(step(plan).iter().map(|act| format!("rollout: {act}")));
    }
    let history = &plan.history;
    acts.extend(history.create.then(|| "create revision".to_owned()));
    acts.extend(history.renumber.iter().map(|new| format!("renumber {} from {} to {}", new.name, new.from, new.to)));
    acts.extend(history.relabel.iter().map(|pod| format!("relabel {pod}")));
    acts.extend(history.delete.iter().map(|revision| format!("delete revision {revision}")));
    acts
}

/// Returns what the rolling-update step decides on this state, whether this sync takes it or not.
fn step(plan: &Plan) -> Vec<String> {
    let mut acts = acts_of(&plan.rollout.create, &plan.rollout.delete, &plan.rollout.choose);
    acts.extend(plan.rollout.error.iter().map(|error| format!("error: {error}")));
    acts
}

fn acts_of(create: &[Creation], delete: &[PodPlan], choose: &[Choice]) -> Vec<String> {
    let creations = create.iter().map(|creation| format!("create on {}: {}", creation.node, creation.reason.as_str()));
    let deletions = delete.iter().map(|p| format!("delete {}: {}", p.pod, p.reason.as_ref().expect("why").as_str()));
    creations.chain(deletions).chain(choose.iter().map(choice)).collect()
}

fn choice(choice: &Choice) -> String {
    let what = match choice.action {
        Action::Create => "create on",
        Action::Delete => "delete",
    };
    let from: Vec<_> = choice.from.iter().map(|from| from.pod.as_ref().unwrap_or(&from.node).as_str()).collect();
    let mut reasons: Vec<_> = choice.from.iter().map(|from| from.reason.as_str()).collect();
    reasons.sort_unstable();
    reasons.dedup();
    format!("{what} {} of {}: {}", choice.count, from.join(", "), reasons.join(", "))
}

/// Returns the numbers of pods that this sync makes and deletes, as the reference writes them: "creates/deletes".
fn counts(plan: &Plan) -> String {
    let mut counts = [plan.manage.create.len(), plan.manage.delete.len()];
    let mut choices: Vec<_> = plan.manage.choose.iter().collect();
    if plan.rollout.when == When::Now {
        counts[0] += plan.rollout.create.len();
        counts[1] += plan.rollout.delete.len();
        choices.extend(&plan.rollout.choose);
    }
    for choice in choices {
        counts[usize::from(choice.action == Action::Delete)] += choice.count;
    }
    let [creates, deletes] = counts;
    format!("{creates}/{deletes}")
}

/// Returns the budget of the rolling-update step: its size, how much is used, how much is free.
fn budget(plan: &Plan) -> [i64; 3] {
    let budget = &plan.rollout.budget;
    assert_eq!(budget.used, i64::try_from(budget.used_by.len()).expect("few"), "as many as are named");
    [budget.max, budget.used, budget.free]
}

/// Plans the set on one node `a` with these pods.
fn on_one_node(daemon_set: Object, pods: impl IntoIterator<Item = Object>) -> Plan {
    plan_with(daemon_set, [node("a")].into_iter().chain(pods))
}

/// Returns nodes `<prefix>00`, `<prefix>01`, …
fn nodes(prefix: &str, count: usize) -> Vec<Object> {
    (0..count).map(|i| node(&format!("{prefix}{i:02}"))).collect()
}

/// Returns nodes as [`nodes`] with a pod `p-<node>` on each.
fn nodes_with_pods(prefix: &str, count: usize, change: impl Fn(Object) -> Object) -> Vec<Object> {
    let name = |i: usize| format!("{prefix}{i:02}");
    let pods = (0..count).map(|i| change(pod(&format!("p-{}", name(i))).on(&name(i))));
    nodes(prefix, count).into_iter().chain(pods).collect()
}

/// Plans the set `agent` among these objects.
fn plan_of(objects: impl IntoIterator<Item = Object>) -> Plan {
    plan(&snapshot(objects))
}

/// Returns nodes with a ready old pod on each.
fn ready_old(prefix: &str, count: usize) -> Vec<Object> {
    nodes_with_pods(prefix, count, Object::old)
}
