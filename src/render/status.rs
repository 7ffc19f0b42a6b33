//! Lays out `status`: a line for each set, and below it what is wrong.

use crate::drive::follow::Standing;
use crate::view::status::{StatusItem, StatusReport};

use super::line::hang;
use super::plan::finding;
use super::progress::bar;
use super::{Layout, Line, Tone};

/// Lays out how rollouts stand, with the namespace if it is asked for; with a bar on a terminal.
pub fn status(report: &StatusReport<'_>, with_namespace: bool, layout: Layout) -> Vec<Line> {
    let mut lines = Vec::new();
    for item in &report.items {
        lines.extend(
            hang("", 0, &text(item, with_namespace, layout), layout.width)
                .into_iter()
                .map(|line| Line::new(line, tone(item))),
        );
        lines.extend(item.groups_text().iter().flat_map(|text| hang("  ", 2, text, layout.width)).map(Line::plain));
        lines.extend(item.causes.iter().flat_map(|cause| finding(cause, layout)));
    }
    lines
}

fn text(item: &StatusItem<'_>, with_namespace: bool, layout: Layout) -> String {
    let set = item.daemon_set;
    let place = if with_namespace { format!(" in namespace {}", set.namespace) } else { String::new() };
    let then =
        if layout.width.is_some() && item.has_numbers() { format!(" {}", bar(&item.status)) } else { ":".to_owned() };
    format!("daemonset.apps/{}{place}{then} {}", set.name, item.text())
}

fn tone(item: &StatusItem<'_>) -> Tone {
    match item.standing {
        Standing::Done => Tone::Good,
        Standing::Moving | Standing::Waiting | Standing::Unknown => Tone::Plain,
        Standing::Failing => Tone::Bad,
    }
}
