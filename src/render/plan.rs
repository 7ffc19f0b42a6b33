//! Lays out `plan NAME`: the verdict first, then who is to blame, then what happens, then what to do.

#[cfg(test)]
mod tests;

use jiff::Timestamp;

use crate::plan::{Finding, Plan, Severity, Verdict};
use crate::view::plan::{PlanView, Trouble, Troubles};
use crate::view::words::thousands;

use super::age::age;
use super::line::{hang, width};
use super::table::{Column, Table};
use super::{Layout, Line, Tone};

/// Columns that titles of sections take.
const TITLE: usize = 12;

/// Lays out one plan.
pub fn plan(plan: &Plan, layout: Layout) -> Vec<Line> {
    let view = PlanView::new(plan);
    let mut lines = header(&view.header, layout);
    lines.push(Line::empty());
    lines.extend(paragraph(&view.verdict, layout, tone(plan.verdict)));
    if let Some(budget) = &view.budget {
        lines.extend(paragraph(budget, layout, Tone::Plain));
    }
    for (title, nodes) in [("WHY IT COUNTS", &view.holders), ("WHY NOT AVAILABLE", &view.others)] {
        if !nodes.shown.is_empty() {
            lines.push(Line::empty());
            lines.extend(troubles(title, nodes, plan.evaluated_at, layout));
        }
    }
    lines.push(Line::empty());
    for section in &view.sections {
        for (i, line) in section.lines.iter().enumerate() {
            let title = if i == 0 { section.title } else { "" };
            lines.extend(hang(title, TITLE, line, layout.width).into_iter().map(Line::plain));
        }
    }
    for finding in &plan.findings {
        lines.push(Line::empty());
        lines.extend(self::finding(finding, layout));
    }
    lines
}

/// Returns how a verdict is colored.
pub(super) fn tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::InSync => Tone::Good,
        Verdict::Work | Verdict::Moving | Verdict::AwaitingDelete | Verdict::Unknown | Verdict::NothingToRun => {
            Tone::Caution
        }
        Verdict::Degraded | Verdict::Blocked => Tone::Bad,
        Verdict::Skipped => Tone::Faint,
    }
}

/// Puts the parts of the first line side by side, as many as fit.
fn header(parts: &[String], layout: Layout) -> Vec<Line> {
    const GAP: &str = "   ";
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if layout.width.is_none_or(|columns| width(line) + GAP.len() + width(part) <= columns) => {
                line.push_str(GAP);
                line.push_str(part);
            }
            Some(_) => lines.push(format!("{GAP}{part}")),
            None => lines.push(part.clone()),
        }
    }
    lines.into_iter().map(|line| Line::new(line, Tone::Strong)).collect()
}

fn paragraph(text: &str, layout: Layout, tone: Tone) -> Vec<Line> {
    hang("", 0, text, layout.width).into_iter().map(|line| Line::new(line, tone)).collect()
}

/// Lays out a sentence that stands by itself.
pub fn sentence(text: &str, width: Option<usize>) -> Vec<Line> {
    hang("", 0, text, width).into_iter().map(Line::plain).collect()
}

fn titled(title: &str, text: &str, layout: Layout, tone: Tone) -> Vec<Line> {
    let lines = hang(&format!("{title} "), title.len() + 1, text, layout.width);
    lines.into_iter().map(|line| Line::new(line, tone)).collect()
}

fn troubles(title: &str, troubles: &Troubles, now: Timestamp, layout: Layout) -> Vec<Line> {
    let columns = vec![
        Column::new("NODE", 9),
        Column::new("POD", 5),
        Column::new("STATE", 8),
        Column::new("SINCE", 6),
        Column::text(title, 9),
    ];
    let mut table = Table::new(columns);
    for trouble in &troubles.shown {
        table.push(trouble_cells(trouble, now), Tone::Plain);
    }
    let mut lines = table.lines(layout, 0);
    if troubles.more > 0 {
        lines.push(Line::plain(format!("… and {} more", thousands(troubles.more))));
    }
    lines
}

fn trouble_cells(trouble: &Trouble, now: Timestamp) -> Vec<String> {
    let none = || "<none>".to_owned();
    let mut why = trouble.why.to_owned();
    if let Some((node_trouble, since)) = &trouble.node_trouble {
        why.push_str(&format!("; {node_trouble}"));
        if let Some(since) = since {
            why.push_str(&format!(" for {}", age(Some(*since), now)));
        }
    }
    vec![
        trouble.node.to_owned(),
        trouble.pod.map_or_else(none, |pod| pod.pod.clone()),
        trouble.pod.map_or_else(none, |pod| pod.details.state.to_string()),
        trouble.pod.map_or_else(none, |pod| age(pod.since, now)),
        why,
    ]
}

/// Lays out one finding, with its remedy below it.
pub(super) fn finding(finding: &Finding, layout: Layout) -> Vec<Line> {
    let (title, tone) = match finding.severity {
        Severity::Error => ("error:", Tone::Bad),
        Severity::Warning => ("warning:", Tone::Caution),
        Severity::Info => ("note:", Tone::Plain),
    };
    let mut lines = titled(title, &finding.message, layout, tone);
    if let Some(remedy) = &finding.remedy {
        lines.extend(titled("hint:", remedy, layout, Tone::Plain));
    }
    lines
}
