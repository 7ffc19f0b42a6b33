//! Lays out `why`: nodes grouped by reason, or some nodes in full.

use jiff::Timestamp;

use crate::plan::{NodeVerdict, Resource};
use crate::view::nodes::{NodeItem, PodItem};
use crate::view::why::{WhyGroup, WhyGroupReport, WhyReport};
use crate::view::words::{counted, cut, plural, thousands};

use super::age::age;
use super::line::{hang, width};
use super::nodes::{revision, status};
use super::table::{Column, Table};
use super::{Layout, Line, Tone};

/// Names of a group that are printed where no terminal limits them.
const NAMES_IN_PIPE: usize = 20;

/// Lays out all groups of a report, largest first.
pub fn why_groups(report: &WhyGroupReport, layout: Layout) -> Vec<Line> {
    let counts: Vec<String> = report.items.iter().map(|group| thousands(group.count)).collect();
    let column = counts.iter().map(String::len).max().unwrap_or(0);
    let indent = column + " nodes".len() + 3;
    let groups = report.items.iter().zip(&counts);
    let is_judged = !report.head.missing.contains(&Resource::Nodes);
    let lines = |(group, count): (&WhyGroup, &String)| {
        let title = format!("{count:>column$} {}", plural(group.count, "node"));
        self::group(group, &title, &heading(group, is_judged), indent, layout)
    };
    groups.flat_map(lines).collect()
}

fn group(group: &WhyGroup, title: &str, heading: &str, indent: usize, layout: Layout) -> Vec<Line> {
    let mut texts = vec![heading.to_owned()];
    texts.extend(group.details.iter().cloned());
    texts.push(names(group, indent, layout));
    let mut lines = Vec::new();
    for (i, text) in texts.iter().enumerate() {
        let (title, tone) = if i == 0 { (title, tone(group.verdict)) } else { ("", Tone::Plain) };
        lines.extend(hang(title, indent, text, layout.width).into_iter().map(|line| Line::new(line, tone)));
    }
    lines
}

fn heading(group: &WhyGroup, is_judged: bool) -> String {
    let Some(verdict) = group.verdict else {
        let text = match is_judged {
            false => "pods of the set are bound or pinned here",
            true if group.nodes == [""] => "no target node: pods are bound to no node and pinned to none",
            true => "no such node, but pods of the set are bound or pinned to it",
        };
        return text.to_owned();
    };
    let reason = group.reason.map_or("", |reason| reason.standing());
    format!("{}: {reason}", standing(verdict, group.should_continue_running))
}

/// Returns how a node stands; of a misplaced pod also whether it may stay.
fn standing(verdict: NodeVerdict, should_continue_running: bool) -> String {
    match (verdict, should_continue_running) {
        (NodeVerdict::Misscheduled, true) => format!("{}, may stay", verdict.as_str()),
        (NodeVerdict::Misscheduled, false) => format!("{}, must go", verdict.as_str()),
        _ => verdict.as_str().to_owned(),
    }
}

/// Returns the names: as many as fit into one line of the terminal, or all with `-o wide`.
fn names(group: &WhyGroup, indent: usize, layout: Layout) -> String {
    let names: Vec<&str> = group.nodes.iter().map(|name| if name.is_empty() { "<none>" } else { *name }).collect();
    if layout.wide {
        return names.join(", ");
    }
    let Some(columns) = layout.width else { return cut(&names, NAMES_IN_PIPE) };
    let room = columns.saturating_sub(indent);
    let fits = |shown: &usize| width(&cut(&names, *shown)) <= room;
    let shown = (1..=names.len().min(room)).rev().find(fits).unwrap_or(1);
    cut(&names, shown)
}

fn tone(verdict: Option<NodeVerdict>) -> Tone {
    match verdict {
        Some(NodeVerdict::Ok) => Tone::Good,
        Some(NodeVerdict::NotWanted) => Tone::Plain,
        Some(NodeVerdict::Outdated | NodeVerdict::Misscheduled) => Tone::Caution,
        Some(NodeVerdict::Missing | NodeVerdict::NotAvailable | NodeVerdict::Duplicate) | None => Tone::Bad,
    }
}

/// Lays out the nodes of a report, one block each.
pub fn why_nodes(report: &WhyReport, layout: Layout) -> Vec<Line> {
    let mut lines = Vec::new();
    for item in &report.items {
        if !lines.is_empty() {
            lines.push(Line::empty());
        }
        lines.extend(block(item, report, layout));
    }
    for finding in &report.findings {
        lines.push(Line::empty());
        lines.extend(super::plan::finding(finding, layout));
    }
    lines
}

fn block(item: &NodeItem, report: &WhyReport, layout: Layout) -> Vec<Line> {
    let now = report.head.evaluated_at;
    let mut lines: Vec<Line> = hang("", 0, &headline(item, report.head.missing), layout.width)
        .into_iter()
        .map(|line| Line::new(line, tone(item.verdict)))
        .collect();
    if let Some(condition) = item.condition {
        let yes_or_no = |yes| if yes { "yes" } else { "no" };
        let since = condition.since.map_or_else(String::new, |since| format!(" for {}", age(Some(since), now)));
        lines.push(Line::plain(format!(
            "  should run: {}   should continue running: {}   node: {}{since}",
            yes_or_no(item.should_run),
            yes_or_no(item.should_continue_running),
            status(condition)
        )));
    }
    if !item.checks.is_empty() {
        lines.push(Line::empty());
        lines.extend(checks(item, layout));
    }
    lines.push(Line::empty());
    lines.extend(pods(item, now, layout));
    lines
}

fn headline(item: &NodeItem, missing: &[Resource]) -> String {
    let name = item.name.unwrap_or("<none>");
    match (item.verdict, item.reason) {
        (Some(verdict), Some(reason)) => {
            format!("{name}   {}: {}", standing(verdict, item.should_continue_running), reason.standing())
        }
        _ if missing.contains(&Resource::Nodes) => {
            format!(
                "{name}   cannot be judged without the nodes; it has {} of the set",
                counted(item.pods.len(), "pod")
            )
        }
        _ => format!("{name}   there is no such node, but {} of the set", counted(item.pods.len(), "pod")),
    }
}

fn checks(item: &NodeItem, layout: Layout) -> Vec<Line> {
    let columns = vec![Column::new("CHECK", 8), Column::new("RESULT", 9), Column::text("DETAIL", 9)];
    let mut table = Table::new(columns);
    for check in item.checks {
        let (result, tone) = if check.passed { ("ok", Tone::Plain) } else { ("FAIL", Tone::Bad) };
        table.push(vec![check.check.as_str().to_owned(), result.to_owned(), check.detail.to_string()], tone);
    }
    // A detail is the answer: it is never cut, but broken by the terminal.
    table.lines(Layout { width: None, ..layout }, 2)
}

fn pods(item: &NodeItem, now: Timestamp, layout: Layout) -> Vec<Line> {
    if item.pods.is_empty() {
        let next = item.next.as_ref().map_or("nothing happens here", |next| next.message.as_str());
        return vec![Line::plain(format!("  no pod; {next}"))];
    }
    let columns = vec![
        Column::new("POD", 9),
        Column::new("REVISION", 4),
        Column::new("STATE", 9),
        Column::new("SINCE", 3),
        Column::text("NEXT", 9),
        Column::new("AGE", 2),
    ];
    let mut table = Table::new(columns);
    for pod in &item.pods {
        let next = if pod.next.message.is_empty() { "<none>" } else { &pod.next.message };
        let cells = vec![
            pod.pod.pod.clone(),
            revision(pod),
            pod.pod.details.state.to_string(),
            age(pod.pod.since, now),
            next.to_owned(),
            age(pod.pod.details.created, now),
        ];
        table.push(cells, Tone::Plain);
    }
    let mut lines = table.lines(Layout { width: None, ..layout }, 2);
    for pod in &item.pods {
        lines.extend(message(pod).into_iter().flat_map(|text| hang("", 2, &text, layout.width)).map(Line::plain));
    }
    if let Some(next) = &item.next {
        lines.push(Line::plain(format!("  then: {}", next.message)));
    }
    lines
}

/// Returns what the kubelet or the scheduler says about a pod that is not available.
fn message(item: &PodItem) -> Option<String> {
    let details = &item.pod.details;
    if item.pod.available {
        return None;
    }
    let says_something = details.is_held_up || details.message.is_some();
    let image = details.image.as_ref().filter(|_| says_something).map(|image| format!("image {image}"));
    let parts: Vec<String> = image.into_iter().chain(details.message.clone()).collect();
    let restarts = if details.restarts > 0 { format!(", {} restarts", details.restarts) } else { String::new() };
    (!parts.is_empty()).then(|| format!("{}{restarts}: {}", item.pod.pod, parts.join(": ")))
}
