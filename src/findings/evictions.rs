//! Taints that are tolerated for a time only: the pod is evicted, the controller makes another, and so on.

use std::collections::BTreeMap;

use crate::findings::context::{Context, finding, with_remedy};
use crate::findings::text;
use crate::plan::{Finding, FindingCode, Severity};
use crate::upstream::taints::{NO_EXECUTE, taint_text, toleration_for};

/// Reports wanted nodes with such a taint, per taint.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    if ctx.tolerations.iter().all(|toleration| toleration.toleration_seconds.is_none()) {
        return Vec::new();
    }
    let mut loops = BTreeMap::<(String, i64), Vec<&str>>::new();
    for plan in ctx.plan.nodes.iter().filter(|node| node.should_run) {
        let Some(node) = ctx.snapshot.node(&plan.name) else { continue };
        let taints = node.spec.taints.iter().filter(|taint| taint.effect == NO_EXECUTE);
        let limited = taints.filter_map(|taint| {
            let seconds = toleration_for(&ctx.tolerations, taint)?.toleration_seconds?;
            Some((taint_text(taint), seconds.max(0)))
        });
        // The shortest time decides.
        if let Some(shortest) = limited.min_by_key(|(_, seconds)| *seconds) {
            loops.entry(shortest).or_default().push(&plan.name);
        }
    }
    loops.iter().map(|((taint, seconds), nodes)| report(taint, *seconds, nodes)).collect()
}

fn report(taint: &str, seconds: i64, nodes: &[&str]) -> Finding {
    let message = format!(
        "The taint {taint} on {} is tolerated for {seconds}s only: the pod is evicted after that, the controller takes the taint for \
         tolerated and makes a new one, and so on for as long as the taint is there.",
        text::list(nodes),
    );
    let remedy = "Take tolerationSeconds out of the template if the pods should stay; or take out the toleration if they should go.";
    with_remedy(finding(FindingCode::EvictionLoop, Severity::Warning, message, nodes), remedy.to_owned())
}
