//! Pods that are Ready and wait for minReadySeconds, which the rollout waits for, too.

use jiff::{SignedDuration, Timestamp};

use crate::findings::context::{Context, finding};
use crate::findings::text;
use crate::plan::{Finding, FindingCode, PodPlan, PodRevision, Severity};
use crate::upstream::duration::human_duration;

/// Reports when they become available.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    let seconds = ctx.daemon_set.spec.min_ready_seconds;
    let min_ready = SignedDuration::from_secs(i64::from(seconds));
    let waits = |pod: &&PodPlan| pod.ready && !pod.available && !pod.deleting && pod.revision == PodRevision::Current;
    let nodes = ctx.plan.nodes.iter().filter(|node| node.should_run);
    let pods = nodes.flat_map(|node| node.pods.iter().filter(waits).map(move |pod| (node, pod)));
    let due = |pod: &PodPlan| -> Option<Timestamp> { pod.since?.checked_add(min_ready).ok() };
    let waiting: Vec<_> = pods.filter_map(|(node, pod)| Some((node, pod, due(pod)?))).collect();
    let Some(last) = waiting.iter().map(|(_, _, due)| *due).max() else { return Vec::new() };
    let names: Vec<_> = waiting.iter().map(|(node, _, _)| node.name.as_str()).collect();
    let left = |due: Timestamp| human_duration(due.duration_since(ctx.snapshot.now));
    let described = waiting.iter().map(|(node, pod, due)| format!("{} on {} in {}", pod.pod, node.name, left(*due)));
    let next = if ctx.is_stalled() { " The rollout goes on then." } else { "" };
    let message = format!(
        "{} Ready and {} as available only after minReadySeconds ({seconds}s): {}{}.{next}",
        format_args!("{} {}", text::count(waiting.len(), "pod"), text::pick(waiting.len(), "is", "are")),
        text::pick(waiting.len(), "counts", "count"),
        text::joined(described, waiting.len()),
        if waiting.len() > 10 { format!(", the last in {}", left(last)) } else { String::new() },
    );
    vec![finding(FindingCode::MinReadySecondsWait, Severity::Info, message, &names)]
}
