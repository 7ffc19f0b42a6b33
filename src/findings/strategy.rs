//! What the update strategy does that its values do not say.

use serde_json::json;

use crate::findings::context::{Context, finding, with_remedy};
use crate::findings::text;
use crate::plan::{Finding, FindingCode, PodPlan, PodReason, Reason, Severity, When};

/// Reports strategies that do not work, and those that do more than expected.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    let rolling = [fails(ctx), whole_set(ctx), zero_budget(ctx), beyond_budget(ctx)];
    match ctx.plan.rollout.when {
        When::Never => vec![unknown(ctx)],
        When::OnDelete => Vec::new(),
        When::Now | When::AfterManage => rolling.into_iter().flatten().collect(),
    }
}

fn unknown(ctx: &Context<'_>) -> Finding {
    let message = format!(
        "The update strategy {:?} is none that the controller knows: old pods are replaced only when somebody deletes them.",
        ctx.plan.update_strategy.type_
    );
    let patch = json!({ "spec": { "updateStrategy": { "type": "RollingUpdate" } } });
    let remedy = format!("Set a type that it knows, RollingUpdate or OnDelete: {}.", ctx.patch(&patch));
    with_remedy(finding::<&str>(FindingCode::UnknownStrategy, Severity::Error, message, &[]), remedy)
}

/// Reports a budget that does not parse. That an old pod is on a missing node is told with that pod.
fn fails(ctx: &Context<'_>) -> Option<Finding> {
    let error = ctx.plan.rollout.error.as_deref().filter(|error| error.starts_with("max"))?;
    let message = format!("Every rolling-update step ends in an error and replaces nothing: {}.", text::quote(error));
    let limits = json!({ "maxUnavailable": 1, "maxSurge": 0 });
    let patch = json!({ "spec": { "updateStrategy": { "rollingUpdate": limits } } });
    let remedy = format!("Write a number, or a percentage such as 10%: {}.", ctx.patch(&patch));
    Some(with_remedy(finding::<&str>(FindingCode::RolloutFails, Severity::Error, message, &[]), remedy))
}

fn whole_set(ctx: &Context<'_>) -> Option<Finding> {
    let desired = ctx.plan.status.desired_number_scheduled;
    let strategy = &ctx.plan.update_strategy;
    let is_whole =
        strategy.resolved_max_unavailable.is_some_and(|max| max >= desired) && strategy.resolved_max_surge == Some(0);
    if desired < 2 || !is_whole {
        return None;
    }
    let waiting = ctx.waiting().count();
    let now = match waiting {
        0 => String::new(),
        some => format!(" {} of them {} next.", text::number(some), text::pick(some, "goes", "go")),
    };
    let message = format!(
        "With {} a rollout may replace the pods of all {desired} wanted nodes at the same time.{now}",
        ctx.budget_field()
    );
    let severity = if waiting > 0 { Severity::Warning } else { Severity::Info };
    let patch = json!({ "spec": { "updateStrategy": { "rollingUpdate": { "maxUnavailable": 1 } } } });
    let remedy = format!("If that is not meant: {}.", ctx.patch(&patch));
    Some(with_remedy(finding::<&str>(FindingCode::WholeSetAtOnce, severity, message, &[]), remedy))
}

fn zero_budget(ctx: &Context<'_>) -> Option<Finding> {
    use crate::upstream::intstr::scaled_value;
    let strategy = &ctx.plan.update_strategy;
    let desired = ctx.plan.status.desired_number_scheduled;
    let is_zero =
        |value: Option<&crate::api::IntOrString>| value.is_none_or(|value| scaled_value(Some(value), desired) == Ok(0));
    if desired == 0
        || ctx.plan.rollout.error.is_some()
        || !is_zero(strategy.max_unavailable.as_ref())
        || !is_zero(strategy.max_surge.as_ref())
    {
        return None;
    }
    let message =
        "Neither maxUnavailable nor maxSurge allows anything; the controller then takes maxUnavailable 1.".to_owned();
    Some(finding::<&str>(FindingCode::ZeroBudget, Severity::Info, message, &[]))
}

/// Reports old pods that go because they are not available, where they are more than the budget allows.
fn beyond_budget(ctx: &Context<'_>) -> Option<Finding> {
    let is_unavailable = |pod: &&PodPlan| pod.reason == Some(PodReason::Decision(Reason::OldPodUnavailable));
    let pods: Vec<_> = ctx.plan.rollout.delete.iter().filter(is_unavailable).collect();
    let budget = &ctx.plan.rollout.budget;
    if ctx.plan.rollout.when != When::Now || i64::try_from(pods.len()).unwrap_or(i64::MAX) <= budget.max {
        return None;
    }
    let ready = pods.iter().filter(|pod| pod.ready).count();
    let serving = match ready {
        0 => String::new(),
        some => format!(
            " {} of them {} Ready and may serve, but not yet for minReadySeconds ({}s).",
            text::number(some),
            text::pick(some, "is", "are"),
            ctx.daemon_set.spec.min_ready_seconds
        ),
    };
    let message = format!(
        "{} not available go at once, though the rollout budget is {} ({}): the budget holds back only available pods.{serving}",
        text::count(pods.len(), "old pod"),
        budget.max,
        ctx.budget_field(),
    );
    let nodes: Vec<_> = pods.iter().filter_map(|pod| pod.node.as_deref()).collect();
    let severity = if ready > 0 { Severity::Warning } else { Severity::Info };
    Some(finding(FindingCode::ReplacedBeyondBudget, severity, message, &nodes))
}
