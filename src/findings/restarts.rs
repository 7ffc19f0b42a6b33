//! Pods that are available now and restart again and again: the numbers of the status do not show them.

use jiff::SignedDuration;

use crate::api::{ContainerStatus, Pod};
use crate::findings::context::{Context, finding, with_remedy};
use crate::findings::text;
use crate::plan::{Finding, FindingCode, NodePlan, PodPlan, PodRevision, Severity};

/// How many restarts are more than a mishap.
const MANY: i32 = 3;
/// How recent the last one is, for the pod not to be over it.
const WITHIN: SignedDuration = SignedDuration::from_mins(60);

/// A pod that is available, with the container that restarts.
struct Restarting<'a> {
    node: &'a NodePlan,
    pod: &'a Pod,
    container: &'a ContainerStatus,
    is_current: bool,
}

/// Reports them, together.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    let nodes = ctx.plan.nodes.iter().flat_map(|node| node.pods.iter().map(move |pod| (node, pod)));
    let restarting: Vec<_> = nodes.filter_map(|(node, pod)| restarting(ctx, node, pod)).collect();
    if restarting.is_empty() { Vec::new() } else { vec![report(ctx, &restarting)] }
}

fn restarting<'a>(ctx: &Context<'a>, node: &'a NodePlan, plan: &PodPlan) -> Option<Restarting<'a>> {
    if !plan.ready || plan.deleting {
        return None;
    }
    let pod = ctx.pod(&plan.pod)?;
    let container = pod.status.restarted.as_deref().filter(|container| container.restart_count >= MANY)?;
    let ended = container.last_end()?.finished_at.as_ref()?.0;
    let is_current = plan.revision == PodRevision::Current;
    (ctx.elapsed(ended) < WITHIN).then_some(Restarting { node, pod, container, is_current })
}

fn report(ctx: &Context<'_>, restarting: &[Restarting<'_>]) -> Finding {
    let names: Vec<_> = restarting.iter().map(|one| one.node.name.as_str()).collect();
    let first = &restarting[0];
    let has_old_pods =
        ctx.plan.nodes.iter().flat_map(|node| &node.pods).any(|pod| pod.revision == PodRevision::Old && !pod.deleting);
    let is_rolling_on = has_old_pods && restarting.iter().any(|one| one.is_current);
    let rollout = match (is_rolling_on, ctx.daemon_set.spec.min_ready_seconds) {
        (false, _) => String::new(),
        (true, 0) => {
            " The rollout goes on all the same: without minReadySeconds a pod counts as soon as it is Ready.".to_owned()
        }
        (true, seconds) => format!(" The rollout goes on all the same, each time that they are Ready for {seconds}s."),
    };
    let message = format!(
        "{} Ready now and {} again and again: {}.{rollout}",
        format_args!("{} {}", text::count(restarting.len(), "pod"), text::pick(restarting.len(), "is", "are")),
        text::pick(restarting.len(), "restarts", "restart"),
        text::joined(restarting.iter().map(|one| told(ctx, one)), restarting.len()),
    );
    let severity = if is_rolling_on { Severity::Warning } else { Severity::Info };
    let remedy = format!(
        "See why it ends: `kubectl logs {}{} -c {} --previous`; a liveness probe that fails is told by `kubectl describe pod {}{}`.",
        first.pod.name(),
        ctx.in_namespace(),
        first.container.name,
        first.pod.name(),
        ctx.in_namespace(),
    );
    with_remedy(finding(FindingCode::PodsRestart, severity, message, &names), remedy)
}

/// Returns `pa on a, 312 restarts, the last 3m ago (exit code 137)`.
fn told(ctx: &Context<'_>, one: &Restarting<'_>) -> String {
    let restarts = text::count(usize::try_from(one.container.restart_count).unwrap_or_default(), "restart");
    let end = one.container.last_end();
    let ago = end.and_then(|end| end.finished_at.as_ref()).map(|time| ctx.age(time.0)).unwrap_or_default();
    let how = end.map_or_else(String::new, |end| match end.reason.as_str() {
        "" | "Error" => format!("exit code {}", end.exit_code),
        reason => format!("{reason}, exit code {}", end.exit_code),
    });
    format!("{} on {}, {restarts}, the last {ago} ago ({how})", one.pod.name(), one.node.name)
}
