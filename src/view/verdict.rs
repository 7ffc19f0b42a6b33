//! The verdict of a plan in one sentence, with its arithmetic.

use crate::plan::{BudgetHolder, NodePlan, NodeVerdict, Outcome, Plan, Reason, Resource, Verdict};

use super::counts::{creates, deletes, old_pods, rollout_now};
use super::words::{counted, thousands};

/// Returns one sentence, or two, that begin with the verdict.
pub fn sentence(plan: &Plan) -> String {
    match plan.verdict {
        Verdict::InSync => in_sync(plan),
        Verdict::Work => work(plan),
        Verdict::Moving => moving(plan),
        Verdict::Degraded => degraded(plan),
        Verdict::Blocked => blocked(plan),
        Verdict::AwaitingDelete => awaiting_delete(plan),
        Verdict::NothingToRun => nothing_to_run(plan),
        Verdict::Skipped => format!("Skipped: {}.", plan.outcome.message()),
        Verdict::Unknown => unknown(plan),
    }
}

fn in_sync(plan: &Plan) -> String {
    let status = &plan.status;
    let desired = status.desired_number_scheduled;
    let has = if desired == 1 { "has" } else { "have" };
    let revision = match &plan.revision {
        _ if status.updated_number_scheduled < desired => {
            format!(", {} of them of an old revision", desired - status.updated_number_scheduled)
        }
        Some(revision) => format!(" of revision {}", revision.number),
        None => String::new(),
    };
    let desired = thousands(number(desired));
    format!("In sync: {desired} of {desired} wanted nodes {has} an available pod{revision}{}.", kept(plan))
}

/// Returns a clause about pods that stay where none would be started.
fn kept(plan: &Plan) -> String {
    let is_kept = |node: &&NodePlan| node.verdict == NodeVerdict::Misscheduled && node.should_continue_running;
    match plan.nodes.iter().filter(is_kept).count() {
        0 => String::new(),
        1 => "; 1 more node keeps a pod that would not be started there now".to_owned(),
        many => format!("; {many} more nodes keep a pod that would not be started there now"),
    }
}

fn work(plan: &Plan) -> String {
    let actions = match (creates(plan), deletes(plan)) {
        (0, deletes) => format!("deletes {}", counted(deletes, "pod")),
        (creates, 0) => format!("creates {}", counted(creates, "pod")),
        (creates, deletes) => format!("deletes {} and creates {creates}", counted(deletes, "pod")),
    };
    let budget = &plan.rollout.budget;
    let budget = if is_work_of_rollout(plan) {
        format!(" ({} {}, {} in use)", budget_name(plan), budget.max, budget.used)
    } else {
        String::new()
    };
    format!("Work: the next sync {actions}{budget}. {}{}.", progress(plan), kept(plan))
}

/// Returns `1 of 4 wanted nodes has an available pod, 3 are up to date`.
fn progress(plan: &Plan) -> String {
    let status = &plan.status;
    let desired = status.desired_number_scheduled;
    let has = if status.number_available == 1 { "has" } else { "have" };
    let have = if status.updated_number_scheduled == 1 { "has" } else { "have" };
    format!(
        "{} of {} wanted nodes {has} an available pod, {} {have} one of the current revision",
        thousands(number(status.number_available)),
        thousands(number(desired)),
        thousands(number(status.updated_number_scheduled))
    )
}

/// Returns whether the next sync goes on with the rollout, which then is what the work is about.
pub fn is_work_of_rollout(plan: &Plan) -> bool {
    plan.verdict == Verdict::Work && rollout_now(plan).is_some_and(|rollout| !rollout.is_empty())
}

/// Returns the field that gives the budget.
pub fn budget_name(plan: &Plan) -> &'static str {
    match plan.update_strategy.resolved_max_surge {
        Some(surge) if surge > 0 => "maxSurge",
        _ => "maxUnavailable",
    }
}

fn moving(plan: &Plan) -> String {
    if plan.outcome == Outcome::AwaitingObservation {
        let set = &plan.daemon_set;
        let seen = match set.observed_generation {
            0 => "it has seen none yet".to_owned(),
            seen => format!("it has seen {seen}"),
        };
        return format!(
            "Moving: the controller has not looked at generation {} yet ({seen}); below is what it will do once it does.",
            set.generation
        );
    }
    let on_the_way = plan.nodes.iter().filter(|node| node.should_run && is_in_flight(node)).count();
    format!("Moving: on {} a pod is starting or ending. {}{}.", counted(on_the_way, "node"), progress(plan), kept(plan))
}

fn is_in_flight(node: &NodePlan) -> bool {
    node.pods.iter().any(|pod| pod.details.is_in_flight)
}

fn degraded(plan: &Plan) -> String {
    let status = &plan.status;
    let desired = number(status.desired_number_scheduled);
    if desired == 0 {
        let kept: usize = plan.nodes.iter().map(|node| node.pods.len()).sum::<usize>() + plan.stray_pods.len();
        return format!("Degraded: no node is wanted, but {} left.", is_or_are(kept, "pod"));
    }
    let without =
        plan.nodes.iter().filter(|node| node.should_run && !node.pods.iter().any(|pod| pod.available)).count();
    let has = if without == 1 { "has" } else { "have" };
    format!(
        "Degraded: {} of {} wanted nodes {has} no available pod, and nothing is under way that would change it{}.",
        thousands(without),
        thousands(desired),
        kept(plan)
    )
}

fn is_or_are(count: usize, noun: &str) -> String {
    format!("{} {}", counted(count, noun), if count == 1 { "is" } else { "are" })
}

fn blocked(plan: &Plan) -> String {
    if let Some(error) = &plan.error {
        return format!("Blocked: every sync fails: {error}.");
    }
    if let Some(error) = &plan.rollout.error {
        return format!("Blocked: the rolling-update step fails, so it replaces nothing: {error}.");
    }
    let budget = &plan.rollout.budget;
    let none = match old_pods(plan).len() {
        1 => "The 1 old pod is not replaced".to_owned(),
        many => format!("None of the {} old pods is replaced", thousands(many)),
    };
    let until = match budget.used - budget.max + 1 {
        1 if budget.used == 1 => "it no longer counts".to_owned(),
        1 => "one of them no longer counts".to_owned(),
        many if many == budget.used => "none of them counts any more".to_owned(),
        many => format!("{many} of them no longer count"),
    };
    let culprits = culprits(&budget.used_by).unwrap_or_default();
    format!("Blocked: {}{culprits}. {none} until {until}.", used_up(plan))
}

/// Returns `2 nodes are unavailable, and no more than 2 may be (maxUnavailable 2)`.
fn used_up(plan: &Plan) -> String {
    let budget = &plan.rollout.budget;
    let nodes = counted(number(budget.used), "node");
    let (are, may) = match (budget_name(plan), budget.used) {
        ("maxSurge", 1) => ("runs a new pod beside the old one", "may"),
        ("maxSurge", _) => ("run a new pod beside the old one", "may"),
        (_, 1) => ("is unavailable", "may be"),
        _ => ("are unavailable", "may be"),
    };
    let limit = if budget.used > budget.max { "only" } else { "no more than" };
    format!("{nodes} {are}, and {limit} {} {may} ({} {})", budget.max, budget_name(plan), budget.max)
}

/// Says what all budget holders have in common, if anything.
fn culprits(holders: &[BudgetHolder]) -> Option<String> {
    let first = holders.first()?.reason;
    let what = match first {
        _ if holders.iter().any(|holder| holder.reason != first) => return None,
        Reason::NewPodNotAvailable => "new pod is not available",
        Reason::OldPodUnavailable => "old pod is not available",
        Reason::OnlyTerminatingPods => "pod terminates",
        _ => return None,
    };
    Some(match holders.len() {
        1 => format!("; its {what}"),
        2 => format!("; on both the {what}"),
        _ => format!("; on all of them the {what}"),
    })
}

fn awaiting_delete(plan: &Plan) -> String {
    let old = old_pods(plan).len();
    let (is, them) = if old == 1 { ("is", "it") } else { ("are", "them") };
    if plan.paused {
        return format!(
            "Paused: {} {is} outdated and {is} replaced once the rollout is resumed. {}.",
            counted(old, "pod"),
            progress(plan)
        );
    }
    format!(
        "Waiting for you: {} {is} outdated, and under {} the controller replaces {them} only once you delete {them}. {}.",
        counted(old, "pod"),
        plan.update_strategy.type_,
        progress(plan)
    )
}

fn nothing_to_run(plan: &Plan) -> String {
    let want = if plan.nodes.len() == 1 { "wants" } else { "want" };
    format!("Nothing to run: 0 of {} {want} a pod, and no pod is left.", counted(plan.nodes.len(), "node"))
}

fn unknown(plan: &Plan) -> String {
    let pods = plan.stray_pods.len() + plan.nodes.iter().map(|node| node.pods.len()).sum::<usize>();
    let belong = if pods == 1 { "belongs" } else { "belong" };
    format!("Unknown: {}; {} {belong} to the set.", missing_sentence(Resource::Nodes), counted(pods, "pod"))
}

fn missing_sentence(resource: Resource) -> &'static str {
    match resource {
        Resource::Nodes => "no nodes are known, so it cannot be judged which nodes want a pod",
        Resource::ControllerRevisions => {
            "no controllerrevisions are known, so the current revision is not known, and a pod counts as up to date \
             by its template generation"
        }
    }
}

/// Says which kinds are missing and what that means, one sentence each.
pub fn missing(plan: &Plan) -> Vec<&'static str> {
    plan.missing.iter().map(|resource| missing_sentence(*resource)).collect()
}

fn number(value: i64) -> usize {
    usize::try_from(value).unwrap_or_default()
}
