//! Lays out `nodes`: a row per node and pod, or a row per group.

#[cfg(test)]
mod tests;

use jiff::Timestamp;

use crate::plan::{NodeCondition, NodeVerdict, PodRevision, Resource};
use crate::view::nodes::{NodeGroupReport, NodeItem, NodeReport, PodItem};

use super::age::age;
use super::table::{Column, Table};
use super::{Layout, Line, Tone};

/// Lays out all nodes of a report.
///
/// A node with several pods has a row for each, all with its name, so that every row stands for itself.
pub fn nodes(report: &NodeReport, layout: Layout) -> Vec<Line> {
    let mut table = Table::new(columns(layout.wide));
    let is_judged = !report.head.missing.contains(&Resource::Nodes);
    for item in &report.items {
        let wanted = if is_judged { wanted(item) } else { "<unknown>" };
        for pod in pods_or_none(item) {
            table.push(cells(item, pod, wanted, report.head.evaluated_at, layout.wide), tone(item));
        }
    }
    table.lines(layout, 0)
}

fn columns(is_wide: bool) -> Vec<Column> {
    let mut columns = vec![Column::new("NODE", 9)];
    if is_wide {
        columns.push(Column::new("STATUS", 2));
    }
    columns.extend([Column::new("WANTED", 5), Column::new("POD", 6), Column::new("REVISION", 4)]);
    if is_wide {
        columns.push(Column::new("READY", 3));
    }
    columns.extend([Column::new("STATE", 7), Column::new("SINCE", 3), Column::text("NEXT", 8)]);
    if is_wide {
        columns.extend([Column::new("REASON", 2), Column::text("CHECKS", 2), Column::new("AGE", 1)]);
    }
    columns
}

fn pods_or_none<'a>(item: &'a NodeItem<'a>) -> Vec<Option<&'a PodItem<'a>>> {
    // What is made beside old pods has a row of its own.
    let is_made_beside = !item.pods.is_empty() && item.next.is_some();
    let pods = item.pods.iter().map(Some);
    pods.chain((item.pods.is_empty() || is_made_beside).then_some(None)).collect()
}

fn cells(item: &NodeItem, pod: Option<&PodItem>, wanted: &str, now: Timestamp, is_wide: bool) -> Vec<String> {
    let mut cells = vec![item.name.unwrap_or("<none>").to_owned()];
    if is_wide {
        cells.push(item.condition.map_or_else(none, status));
    }
    cells.push(wanted.to_owned());
    cells.push(pod.map_or_else(none, |pod| pod.pod.pod.clone()));
    cells.push(pod.map_or_else(none, revision));
    if is_wide {
        cells.push(pod.map_or_else(none, |pod| if pod.pod.ready { "yes" } else { "no" }.to_owned()));
    }
    cells.push(pod.map_or_else(none, |pod| pod.pod.details.state.to_string()));
    cells.push(pod.map_or_else(none, |pod| age(pod.pod.since, now)));
    cells.push(next(item, pod));
    if is_wide {
        cells.push(item.reason.map_or_else(none, |reason| reason.as_str().to_owned()));
        let failed = item.failed_checks.join("; ");
        cells.push(if failed.is_empty() { none() } else { failed });
        cells.push(pod.map_or_else(none, |pod| age(pod.pod.details.created, now)));
    }
    cells
}

fn none() -> String {
    "<none>".to_owned()
}

/// Returns `yes`, `no`, `keeps` (none would be started, one that is there stays), or `no-node`.
fn wanted(item: &NodeItem) -> &'static str {
    match item {
        NodeItem { exists: false, name: None, .. } => "<none>",
        NodeItem { exists: false, .. } => "no-node",
        NodeItem { should_run: true, .. } => "yes",
        NodeItem { should_continue_running: true, pods, .. } if !pods.is_empty() => "keeps",
        _ => "no",
    }
}

/// Returns the number of the revision, or the hash of one that is no longer stored, and whether it is old.
pub(super) fn revision(item: &PodItem) -> String {
    let hash = &item.pod.details.hash;
    let name = match item.revision_number {
        Some(number) => number.to_string(),
        None if hash.is_empty() => "<none>".to_owned(),
        None => hash.clone(),
    };
    match item.pod.revision {
        PodRevision::Current => name,
        PodRevision::Old => format!("{name} (old)"),
    }
}

/// Returns how a node is, as `kubectl get nodes` words it.
pub(super) fn status(condition: &NodeCondition) -> String {
    let ready = match condition.ready.as_ref() {
        "True" => "Ready",
        "" => "Unknown",
        _ => "NotReady",
    };
    if condition.is_unschedulable { format!("{ready},SchedulingDisabled") } else { ready.to_owned() }
}

fn next(item: &NodeItem, pod: Option<&PodItem>) -> String {
    let next = match pod {
        Some(pod) => Some(&pod.next),
        None => item.next.as_ref(),
    };
    next.map(|next| next.message.clone()).filter(|message| !message.is_empty()).unwrap_or_else(none)
}

fn tone(item: &NodeItem) -> Tone {
    match item.verdict {
        Some(NodeVerdict::Ok) => Tone::Plain,
        Some(NodeVerdict::NotWanted) => Tone::Faint,
        Some(NodeVerdict::Outdated | NodeVerdict::Misscheduled) => Tone::Caution,
        Some(NodeVerdict::Missing | NodeVerdict::NotAvailable | NodeVerdict::Duplicate) | None => Tone::Bad,
    }
}

/// Lays out the groups of a report.
pub fn node_groups(report: &NodeGroupReport, layout: Layout) -> Vec<Line> {
    let label = report.label.rsplit('/').next().unwrap_or(report.label);
    let columns = vec![
        Column::new(label.to_uppercase(), 9),
        Column::new("NODES", 5),
        Column::new("DESIRED", 6),
        Column::new("DONE", 8),
        Column::new("READY", 4),
        Column::new("AVAILABLE", 4),
        Column::new("UP-TO-DATE", 7),
        Column::new("MISSING", 3),
        Column::new("MISSCHEDULED", 2),
        Column::new("PROBLEMS", 5),
    ];
    let mut table = Table::new(columns);
    for group in &report.items {
        let counts = [group.ready, group.available, group.updated, group.missing, group.misscheduled, group.problems];
        let mut cells = vec![group.value.unwrap_or("<none>").to_owned()];
        cells.extend([group.nodes.to_string(), group.desired.to_string()]);
        cells.push(format!("{}/{}", group.done, group.desired));
        cells.extend(counts.map(|count| count.to_string()));
        let tone = match (group.problems, group.done == group.desired) {
            (0, true) => Tone::Plain,
            (0, false) => Tone::Caution,
            _ => Tone::Bad,
        };
        table.push(cells, tone);
    }
    table.lines(layout, 0)
}
