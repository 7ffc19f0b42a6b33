//! Findings: what a person must know beyond the bare decisions, with the cheapest safe way out.
//!
//! Input: the snapshot and the finished plan. Output: one finding per cause, not per node, gravest first. Each kind of trouble is
//! a pure function in a file of its own; they do not call each other. Work grows with the nodes plus the pods of the snapshot.

mod budget;
mod context;
mod does_not_fit;
mod duplicates;
mod events;
mod evictions;
mod failed_pods;
mod failing_pods;
mod min_ready;
mod misscheduled;
mod no_eligible_node;
mod on_delete;
mod ownership;
mod removed;
mod restarts;
mod revisions;
mod room;
mod skipped;
mod standstill;
mod status;
mod strategy;
mod stray_pods;
mod surge;
mod template;
mod text;
mod tolerate;
mod virtual_nodes;

#[cfg(test)]
mod tests;

use crate::api::DaemonSet;
use crate::plan::{Finding, Outcome, Plan, Resource};
use crate::snapshot::Snapshot;

use context::Context;

type Kind = fn(&Context<'_>) -> Vec<Finding>;

/// Kinds that look at the set itself.
const OF_THE_SET: [Kind; 5] =
    [ownership::findings, template::findings, revisions::findings, events::findings, standstill::findings];

/// Kinds that look at what is on the nodes.
const OF_THE_NODES: [Kind; 17] = [
    budget::findings,
    failing_pods::findings,
    virtual_nodes::findings,
    does_not_fit::findings,
    failed_pods::findings,
    no_eligible_node::findings,
    removed::findings,
    stray_pods::findings,
    duplicates::findings,
    misscheduled::findings,
    on_delete::findings,
    surge::findings,
    evictions::findings,
    restarts::findings,
    min_ready::findings,
    strategy::findings,
    status::findings,
];

/// Returns what a person should know about a set.
///
/// The snapshot must be sorted, and the plan made from it. Ordering: gravest first, then in the order of the codes, then by
/// message.
pub fn findings(snapshot: &Snapshot, daemon_set: &DaemonSet, plan: &Plan) -> Vec<Finding> {
    let ctx = Context::new(snapshot, daemon_set, plan);
    let mut findings = skipped::findings(&ctx);
    if !matches!(plan.outcome, Outcome::SkippedEmptySelector | Outcome::SkippedDeleting) {
        findings.extend(OF_THE_SET.iter().flat_map(|kind| kind(&ctx)));
        if !plan.missing.contains(&Resource::Nodes) {
            findings.extend(OF_THE_NODES.iter().flat_map(|kind| kind(&ctx)));
        }
    }
    findings.sort_by(|a, b| (a.severity, a.code, &a.message).cmp(&(b.severity, b.code, &b.message)));
    findings
}
