//! A controller that should act and does not: work that has been due for a while, and a spec that it has not looked at.

use jiff::{SignedDuration, Timestamp};

use crate::api::POKE_ANNOTATION;
use crate::findings::context::{Context, finding, with_remedy};
use crate::findings::text;
use crate::plan::{Action, Finding, FindingCode, Outcome, PodPlan, PodReason, Reason, Severity, When};
use crate::upstream::taints::NO_EXECUTE;

/// How long the controller may take: it needs a second or two, and a new leader some twenty.
const ACTS_WITHIN: SignedDuration = SignedDuration::from_secs(30);
/// The longest that the controller backs off from a failed pod.
const MAX_BACK_OFF: SignedDuration = SignedDuration::from_mins(15);

/// Reports work that nobody does.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    match ctx.plan.outcome {
        Outcome::AwaitingObservation => vec![not_observed(ctx)],
        Outcome::Reconciled => stands_still(ctx).into_iter().collect(),
        Outcome::SkippedEmptySelector | Outcome::SkippedDeleting | Outcome::Failed => Vec::new(),
    }
}

fn not_observed(ctx: &Context<'_>) -> Finding {
    let set = &ctx.plan.daemon_set;
    // Without managed fields the newest time of an edited set is that of its creation, which says nothing about the edit.
    let created = ctx.daemon_set.metadata.creation_timestamp.as_ref().map(|time| time.0);
    let edited = ctx.daemon_set.newest_timestamp.filter(|newest| set.generation == 1 || Some(*newest) != created);
    let is_late = edited.is_some_and(|edited| ctx.elapsed(edited) >= ACTS_WITHIN);
    let message = format!(
        "The controller has not yet looked at generation {} of the spec (it knows {}){}: status and revision are those of \
         before; what is listed is what it will do.",
        set.generation,
        if set.observed_generation == 0 { "none".to_owned() } else { set.observed_generation.to_string() },
        edited.map(|edited| format!(", {} old", ctx.age(edited))).unwrap_or_default(),
    );
    let severity = if is_late { Severity::Warning } else { Severity::Info };
    let finding = finding::<&str>(FindingCode::NotObserved, severity, message, &[]);
    if !is_late {
        return finding;
    }
    with_remedy(finding, format!("See whether kube-controller-manager runs and has a leader: {LEASE}."))
}

/// Where the controller's leader signs in.
const LEASE: &str = "`kubectl get lease kube-controller-manager -n kube-system`";

/// Work that is due, and since when at the earliest it was not.
struct Due<'a> {
    node: &'a str,
    action: Action,
    since: Timestamp,
}

fn stands_still(ctx: &Context<'_>) -> Option<Finding> {
    let history = &ctx.plan.history;
    if history.create || !history.relabel.is_empty() {
        // What the pods are is about to be told anew.
        return None;
    }
    let last_change = last_change(ctx)?;
    let mut due: Vec<_> = due(ctx).into_iter().map(|due| Due { since: due.since.max(last_change), ..due }).collect();
    due.retain(|due| ctx.elapsed(due.since) >= ACTS_WITHIN);
    let oldest = due.iter().map(|due| due.since).min()?;
    let of = |action: Action, verb: &str| {
        let len = due.iter().filter(|due| due.action == action).count();
        (len > 0).then(|| format!("{verb} {}", text::count(len, "pod")))
    };
    let work = [of(Action::Create, "create"), of(Action::Delete, "delete")].into_iter().flatten().collect::<Vec<_>>();
    let nodes: Vec<_> = due.iter().map(|due| due.node).collect();
    let message = format!(
        "The controller has had cause to {} for {} and has not done so ({}): it does not seem to act. It can also wait for an \
         earlier write of its own, for up to 5m.",
        work.join(" and "),
        ctx.age(oldest),
        text::list(&nodes),
    );
    let remedy = format!(
        "Make it look again, which changes nothing else: `kubectl annotate {} {POKE_ANNOTATION}=\"$(date +%s)\" --overwrite`. \
         If that does not help, see whether kube-controller-manager has a leader: {LEASE}.",
        ctx.object()
    );
    Some(with_remedy(finding(FindingCode::ControllerStandsStill, Severity::Warning, message, &nodes), remedy))
}

/// Returns when the set, its revision, or what the controller says of it last changed.
fn last_change(ctx: &Context<'_>) -> Option<Timestamp> {
    let event = ctx.events("DaemonSet", ctx.daemon_set.name()).filter_map(|event| event.last_seen).max();
    [ctx.daemon_set.newest_timestamp, ctx.revision_created(), event].into_iter().flatten().max()
}

/// Returns the work whose cause has a time. Nodes that vanish and pods that are deleted leave none, so that a node without a
/// pod says nothing about how long it has been so.
fn due<'a>(ctx: &Context<'a>) -> Vec<Due<'a>> {
    let plan = ctx.plan;
    let of_manage = plan.manage.delete.iter().filter_map(|pod| {
        Some(Due { node: pod.node.as_deref()?, action: Action::Delete, since: deletion_due_since(ctx, pod)? })
    });
    let mut due: Vec<_> = of_manage.collect();
    if plan.rollout.when != When::Now {
        return due;
    }
    let Some(since) = newest_of_pods(ctx, plan.pods()) else {
        return due;
    };
    let rollout = &plan.rollout;
    due.extend(rollout.create.iter().map(|creation| Due { node: &creation.node, action: Action::Create, since }));
    let deletions = rollout.delete.iter().filter_map(|pod| pod.node.as_deref());
    due.extend(deletions.map(|node| Due { node, action: Action::Delete, since }));
    for choice in &rollout.choose {
        let taken = choice.from.iter().take(choice.count);
        due.extend(taken.map(|candidate| Due { node: &candidate.node, action: choice.action, since }));
    }
    due
}

/// Returns since when a pod should be deleted, if anything tells.
fn deletion_due_since(ctx: &Context<'_>, pod: &PodPlan) -> Option<Timestamp> {
    let node = ctx.node_plan(pod.node.as_deref()?)?;
    match pod.reason.as_ref()? {
        PodReason::Decision(
            Reason::ExcessPod | Reason::NewPodAvailable | Reason::OldPodNotReady | Reason::SucceededPod,
        ) => newest_of_pods(ctx, node.pods.iter()),
        PodReason::Decision(Reason::FailedPod) => newest_of_pods(ctx, node.pods.iter())?.checked_add(MAX_BACK_OFF).ok(),
        PodReason::Decision(Reason::NodeShouldNotContinueRunning) => {
            let taints = ctx.untolerated_taints(ctx.snapshot.node(&node.name)?);
            let taints = taints.into_iter().filter(|taint| taint.effect == NO_EXECUTE);
            taints.map(|taint| taint.time_added.as_ref().map(|time| time.0)).max()?
        }
        PodReason::Decision(_) | PodReason::State(_) => None,
    }
}

/// Returns when one of these pods last changed, as far as the decisions see it.
fn newest_of_pods<'p>(ctx: &Context<'_>, pods: impl Iterator<Item = &'p PodPlan>) -> Option<Timestamp> {
    let min_ready = SignedDuration::from_secs(i64::from(ctx.daemon_set.spec.min_ready_seconds));
    let times = pods.flat_map(|plan| {
        let available = plan.since.filter(|_| plan.ready).and_then(|since| since.checked_add(min_ready).ok());
        // A deletion that is under way counts from when it is due.
        let changed = ctx.pod(&plan.pod).and_then(|pod| pod.newest_timestamp);
        [changed, plan.details.deletion_due.or(available)]
    });
    times.flatten().max()
}
