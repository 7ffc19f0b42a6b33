//! A controller that should act and does not: work that has been due for a while, and a spec that it has not looked at.

use jiff::{SignedDuration, Timestamp};

use crate::findings::context::{Context, finding, with_remedy};
use crate::findings::text;
use crate::plan::{Action, Choice, Finding, FindingCode, Outcome, Severity, When};
use crate::upstream::pods::is_pod_ready;

/// How long the controller may take: it needs a second or two, and a new leader some twenty.
const ACTS_WITHIN: SignedDuration = SignedDuration::from_secs(30);

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

fn stands_still(ctx: &Context<'_>) -> Option<Finding> {
    let due = due(ctx);
    let newest = newest_fact(ctx)?;
    if due.is_empty() || ctx.elapsed(newest) < ACTS_WITHIN || may_back_off(ctx) || is_refused(ctx) {
        return None;
    }
    let nodes: Vec<_> = nodes_due(ctx);
    let message = format!(
        "The controller should {}, and nothing about the set or its pods has changed for {}: it does not seem to act. It may \
         still wait for an earlier write of its own (up to 5m), or a node or pod may have changed just now.",
        due.join(" and "),
        ctx.age(newest)
    );
    let remedy = format!(
        "Make it look again, which changes nothing else: `kubectl annotate {} kubectl-daemonset/poke=\"$(date +%s)\" --overwrite`. If that \
         does not help, see whether kube-controller-manager has a leader: {LEASE}.",
        ctx.object()
    );
    Some(with_remedy(finding(FindingCode::ControllerStandsStill, Severity::Warning, message, &nodes), remedy))
}

/// Returns what this sync would do to pods, in words.
fn due(ctx: &Context<'_>) -> Vec<String> {
    let (manage, rollout) = (&ctx.plan.manage, &ctx.plan.rollout);
    let is_rolling = rollout.when == When::Now;
    let open = |choices: &[Choice], action: Action| {
        choices.iter().filter(|choice| choice.action == action).map(|choice| choice.count).sum::<usize>()
    };
    let mut creations = manage.create.len() + open(&manage.choose, Action::Create);
    let mut deletions = manage.delete.len() + open(&manage.choose, Action::Delete);
    if is_rolling {
        creations += rollout.create.len() + open(&rollout.choose, Action::Create);
        deletions += rollout.delete.len() + open(&rollout.choose, Action::Delete);
    }
    let of = |verb: &str, len: usize| (len > 0).then(|| format!("{verb} {}", text::count(len, "pod")));
    [of("create", creations), of("delete", deletions)].into_iter().flatten().collect()
}

fn nodes_due<'a>(ctx: &Context<'a>) -> Vec<&'a str> {
    let (manage, rollout) = (&ctx.plan.manage, &ctx.plan.rollout);
    let creations = manage.create.iter().chain(&rollout.create).map(|creation| creation.node.as_str());
    let deletions = manage.delete.iter().chain(&rollout.delete).filter_map(|pod| pod.node.as_deref());
    creations.chain(deletions).collect()
}

/// Returns when something that the decisions rest on was last known to change.
fn newest_fact(ctx: &Context<'_>) -> Option<Timestamp> {
    let min_ready = SignedDuration::from_secs(i64::from(ctx.daemon_set.spec.min_ready_seconds));
    let pods = ctx.plan.nodes.iter().flat_map(|node| &node.pods).chain(&ctx.plan.stray_pods);
    let of_pods = pods.flat_map(|plan| {
        let pod = ctx.pod(&plan.pod);
        let ready =
            pod.filter(|pod| is_pod_ready(pod)).and(plan.since).and_then(|since| since.checked_add(min_ready).ok());
        // A deletion that is under way counts from when it was due.
        [pod.and_then(|pod| pod.newest_timestamp), plan.details.deletion_due.or(ready)]
    });
    let of_revisions = ctx.plan.history.revisions.iter().map(|revision| revision.created);
    let of_events = ctx.events("DaemonSet", ctx.daemon_set.name()).map(|event| event.last_seen);
    let of_nodes = nodes_due(ctx)
        .into_iter()
        .filter_map(|name| ctx.snapshot.node(name))
        .map(|node| node.metadata.creation_timestamp.as_ref().map(|time| time.0));
    let own = [ctx.daemon_set.newest_timestamp];
    own.into_iter().chain(of_pods).chain(of_revisions).chain(of_events).chain(of_nodes).flatten().max()
}

/// Returns whether failed pods are all that is due: the controller backs off from those, for up to 15 minutes.
fn may_back_off(ctx: &Context<'_>) -> bool {
    let (manage, rollout) = (&ctx.plan.manage, &ctx.plan.rollout);
    let is_idle_rollout = rollout.when != When::Now || rollout.is_empty();
    let is_failed = |pod: &crate::plan::PodPlan| pod.phase == "Failed";
    is_idle_rollout && manage.create.is_empty() && manage.delete.iter().all(is_failed)
}

/// Returns whether an event says why nothing is created.
fn is_refused(ctx: &Context<'_>) -> bool {
    let mut events = ctx.events("DaemonSet", ctx.daemon_set.name());
    !ctx.plan.manage.create.is_empty() && events.any(|event| event.reason == "FailedCreate")
}
