//! Lays out `history`: one row per revision, and differences between templates.

use similar::{ChangeTag, TextDiff};

use crate::view::history::{HistoryReport, RevisionItem};
use crate::view::words::{counted, cut, names};

use super::age::age;
use super::table::{Column, Table};
use super::{Layout, Line, Tone};

/// Nodes that are named in a row.
const NODES_SHOWN: usize = 2;
/// Changes that are named in a row.
const CHANGES_SHOWN: usize = 3;
/// Lines that are shown around a difference.
const CONTEXT: usize = 3;

/// Lays out the revisions, oldest first.
pub fn history(report: &HistoryReport<'_>, layout: Layout) -> Vec<Line> {
    let columns = vec![
        Column::new("REVISION", 9),
        Column::new("HASH", 4),
        Column::new("STATE", 7),
        Column::new("PODS", 8),
        Column::text("NODES", 2),
        Column::text("IMAGES", 5),
        Column::text("CHANGES", 6),
        Column::text("CHANGE-CAUSE", 3),
        Column::new("AGE", 1),
    ];
    let mut table = Table::new(columns);
    for item in &report.items {
        let tone = if item.current { Tone::Strong } else { Tone::Plain };
        table.push(cells(item, report, layout), tone);
    }
    let mut lines = table.lines(layout, 0);
    let gone: Vec<String> =
        report.without_revision.iter().map(|pod| format!("{} on {}", pod.pod, pod.node.unwrap_or("no node"))).collect();
    if !gone.is_empty() {
        lines.push(Line::empty());
        let text = format!("{} of a revision that is gone: {}", counted(gone.len(), "pod"), names(&gone));
        lines.push(Line::new(text, Tone::Caution));
    }
    lines
}

fn cells(item: &RevisionItem<'_>, report: &HistoryReport<'_>, layout: Layout) -> Vec<String> {
    let shown = |text: String| if text.is_empty() { "<none>".to_owned() } else { text };
    let state = match (item.current, item.deleted_next) {
        (true, _) => "current",
        (_, true) => "deleted next",
        _ => "",
    };
    let limit = if layout.wide { usize::MAX - 1 } else { CHANGES_SHOWN };
    vec![
        item.revision.to_string(),
        shown(item.hash.to_owned()),
        shown(state.to_owned()),
        item.pods.to_string(),
        shown(if layout.wide { item.nodes.join(",") } else { cut(&item.nodes, NODES_SHOWN) }),
        shown(item.images.join(",")),
        shown(cut(&item.changes, limit)),
        shown(item.change_cause.unwrap_or_default().to_owned()),
        age(item.created, report.head.evaluated_at),
    ]
}

/// Lays out the differences between two texts, each with its title, as `diff -u` does; nothing if they are equal.
pub fn diff((from_title, from): (&str, &str), (to_title, to): (&str, &str)) -> Vec<Line> {
    let diff = TextDiff::from_lines(from, to);
    let mut lines = Vec::new();
    for hunk in diff.unified_diff().context_radius(CONTEXT).iter_hunks() {
        if lines.is_empty() {
            lines.push(Line::new(format!("--- {from_title}"), Tone::Strong));
            lines.push(Line::new(format!("+++ {to_title}"), Tone::Strong));
        }
        lines.push(Line::new(hunk.header().to_string(), Tone::Faint));
        lines.extend(hunk.iter_changes().map(|change| {
            let (sign, tone) = match change.tag() {
                ChangeTag::Delete => ('-', Tone::Bad),
                ChangeTag::Insert => ('+', Tone::Good),
                ChangeTag::Equal => (' ', Tone::Plain),
            };
            Line::new(format!("{sign}{}", change.value().trim_end_matches('\n')), tone)
        }));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::diff;

    #[test]
    fn differences_look_like_those_of_diff() {
        let lines = diff(("revision 1", "a\nb\nc\n"), ("revision 2", "a\nB\nc\n"));
        let texts: Vec<_> = lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts, ["--- revision 1", "+++ revision 2", "@@ -1,3 +1,3 @@", " a", "-b", "+B", " c"]);
        assert!(diff(("a", "x\n"), ("b", "x\n")).is_empty());
    }
}
