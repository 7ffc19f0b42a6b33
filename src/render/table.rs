//! Tables in kubectl's look: upper-case titles, three spaces between columns, no borders, no trailing blanks.
//!
//! On a terminal a table is made to fit: long texts are shortened, then the least important columns go. Elsewhere, and
//! with `-o wide`, it is whole.

use comfy_table::{ContentArrangement, presets};

use super::line::{clean, truncate, width};
use super::{Layout, Line, Tone};

/// Blanks between columns.
const GAP: u16 = 3;
/// A text column is not shortened below this while there are unimportant columns that can go instead.
const EASY_TEXT: usize = 24;
/// A text column is not shortened below this while there are columns that can go instead.
const MIN_TEXT: usize = 16;
/// No column is shortened below this.
const MIN_COLUMN: usize = 6;

/// A column.
#[derive(Clone, Debug)]
pub(super) struct Column {
    title: String,
    importance: u8,
    is_text: bool,
}

impl Column {
    /// Makes a column that goes before more important ones when room is scarce; 9 never goes.
    pub(super) fn new(title: impl Into<String>, importance: u8) -> Self {
        Self { title: title.into(), importance, is_text: false }
    }

    /// Makes a column of text that is shortened first.
    pub(super) fn text(title: impl Into<String>, importance: u8) -> Self {
        Self { title: title.into(), importance, is_text: true }
    }
}

/// Rows under columns.
pub(super) struct Table {
    columns: Vec<Column>,
    rows: Vec<(Vec<String>, Tone)>,
}

impl Table {
    /// Makes an empty table.
    pub(super) fn new(columns: Vec<Column>) -> Self {
        Self { columns, rows: Vec::new() }
    }

    /// Adds a row with one cell for each column.
    pub(super) fn push(&mut self, cells: Vec<String>, tone: Tone) {
        debug_assert_eq!(cells.len(), self.columns.len(), "one cell for each column");
        self.rows.push((cells.iter().map(|cell| clean(cell)).collect(), tone));
    }

    /// Lays the table out, each line after so many blanks.
    pub(super) fn lines(&self, layout: Layout, indent: usize) -> Vec<Line> {
        let mut widths = self.natural_widths(layout.headers);
        if let Some(columns) = layout.width.filter(|_| !layout.wide) {
            self.fit(&mut widths, columns.saturating_sub(indent));
        }
        let titles: Vec<_> = self.columns.iter().map(|column| column.title.clone()).collect();
        let titles = layout.headers.then_some((&titles, Tone::Plain));
        let rows: Vec<_> = titles.into_iter().chain(self.rows.iter().map(|(cells, tone)| (cells, *tone))).collect();
        let texts = lay_out(rows.iter().map(|(cells, _)| shown(cells, &widths)));
        let indent = " ".repeat(indent);
        texts.iter().zip(&rows).map(|(text, (_, tone))| Line::new(format!("{indent}{text}"), *tone)).collect()
    }

    fn natural_widths(&self, headers: bool) -> Vec<Option<usize>> {
        let mut widths: Vec<usize> =
            self.columns.iter().map(|column| if headers { width(&column.title) } else { 0 }).collect();
        for (cells, _) in &self.rows {
            for (widest, cell) in widths.iter_mut().zip(cells) {
                *widest = (*widest).max(width(cell));
            }
        }
        widths.into_iter().map(Some).collect()
    }

    /// Shortens texts, drops columns (their width becomes `None`), then shortens whatever is widest.
    fn fit(&self, widths: &mut [Option<usize>], available: usize) {
        let natural = widths.to_vec();
        self.narrow(widths, available);
        // A wide column that went last may have left more room than was needed.
        grow(widths, &natural, available, EASY_TEXT);
        self.take_back(widths, &natural, available);
        grow(widths, &natural, available, usize::MAX);
    }

    fn narrow(&self, widths: &mut [Option<usize>], available: usize) {
        while total(widths) > available {
            let excess = total(widths) - available;
            let is_text = |column: &Column| column.is_text;
            let changed = self.shorten(widths, excess, EASY_TEXT, is_text)
                || self.drop_one(widths, 4)
                || self.shorten(widths, excess, MIN_TEXT, is_text)
                || self.drop_one(widths, 9)
                || self.shorten(widths, excess, MIN_COLUMN, |_| true);
            if !changed {
                return;
            }
        }
    }

    /// Takes columns back that now fit beside the others.
    fn take_back(&self, widths: &mut [Option<usize>], natural: &[Option<usize>], available: usize) {
        let mut gone: Vec<usize> = (0..widths.len()).filter(|i| widths[*i].is_none()).collect();
        gone.sort_by_key(|i| std::cmp::Reverse(self.columns[*i].importance));
        for i in gone {
            widths[i] = natural[i];
            if total(widths) > available {
                widths[i] = None;
            }
        }
    }

    /// Shortens the widest of these columns by at most the excess; returns whether there was one to shorten.
    fn shorten(&self, widths: &mut [Option<usize>], excess: usize, min: usize, may: fn(&Column) -> bool) -> bool {
        let columns = self.columns.iter().zip(widths.iter_mut());
        let candidates = columns.filter(|(column, _)| may(column)).filter_map(|(_, width)| width.as_mut());
        let Some(widest) = candidates.filter(|width| **width > min).max_by_key(|width| **width) else { return false };
        *widest = widest.saturating_sub(excess).max(min);
        true
    }

    /// Drops the least important column below an importance; returns whether there was one.
    fn drop_one(&self, widths: &mut [Option<usize>], below: u8) -> bool {
        let columns = self.columns.iter().zip(widths.iter_mut());
        let candidates = columns.filter(|(column, width)| column.importance < below && width.is_some());
        let Some((_, width)) = candidates.min_by_key(|(column, _)| column.importance) else { return false };
        *width = None;
        true
    }
}

/// Gives what room is left back to columns that were shortened, up to so many columns each.
fn grow(widths: &mut [Option<usize>], natural: &[Option<usize>], available: usize, up_to: usize) {
    let mut spare = available.saturating_sub(total(widths));
    for (width, natural) in widths.iter_mut().zip(natural) {
        let (Some(width), Some(natural)) = (width, natural) else { continue };
        let growth = spare.min((*natural).min(up_to).saturating_sub(*width));
        *width += growth;
        spare -= growth;
    }
}

fn total(widths: &[Option<usize>]) -> usize {
    let shown: Vec<usize> = widths.iter().flatten().copied().collect();
    shown.iter().sum::<usize>() + usize::from(GAP) * shown.len().saturating_sub(1)
}

/// Returns the cells of the columns that are shown, cut to their widths.
fn shown(cells: &[String], widths: &[Option<usize>]) -> Vec<String> {
    cells.iter().zip(widths).filter_map(|(cell, columns)| Some(truncate(cell, (*columns)?))).collect()
}

/// Pads the cells of each row to the widest of their column.
fn lay_out(rows: impl Iterator<Item = Vec<String>>) -> Vec<String> {
    let mut table = comfy_table::Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled).force_no_tty();
    table.add_rows(rows);
    for column in table.column_iter_mut() {
        column.set_padding((0, GAP));
    }
    table.lines().collect()
}

#[cfg(test)]
mod tests {
    use super::{Column, Layout, Table, Tone};

    fn table() -> Table {
        let columns =
            vec![Column::new("NODE", 9), Column::new("AGE", 1), Column::new("STATE", 5), Column::text("NEXT", 8)];
        let mut table = Table::new(columns);
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        table.push(row(["node-0001", "3d", "Running", "waits for the budget of the rollout"]), Tone::Plain);
        table.push(row(["日本", "3d", "Pending", ""]), Tone::Bad);
        table
    }

    fn text(width: Option<usize>, headers: bool) -> Vec<String> {
        let layout = Layout { width, headers, wide: false };
        table().lines(layout, 0).into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn a_table_is_whole_where_nothing_limits_it() {
        assert_eq!(
            text(None, true),
            [
                "NODE        AGE   STATE     NEXT",
                "node-0001   3d    Running   waits for the budget of the rollout",
                "日本        3d    Pending",
            ]
        );
    }

    #[test]
    fn titles_can_be_left_out() {
        assert_eq!(text(None, false)[0], "node-0001   3d   Running   waits for the budget of the rollout");
    }

    #[test]
    fn text_is_shortened_first() {
        assert_eq!(text(Some(55), true)[1], "node-0001   3d    Running   waits for the budget of th…");
        assert!(text(Some(55), true).iter().all(|line| super::width(line) <= 55));
    }

    #[test]
    fn then_unimportant_columns_go() {
        assert_eq!(text(Some(51), true)[1], "node-0001   Running   waits for the budget of the …");
    }

    #[test]
    fn then_text_is_shortened_more_and_important_columns_go() {
        assert_eq!(text(Some(41), true)[1], "node-0001   Running   waits for the budg…");
        assert_eq!(text(Some(34), true)[1], "node-0001   waits for the budget …");
    }

    #[test]
    fn columns_come_back_where_a_wider_one_made_room() {
        let mut table = Table::new(vec![Column::new("NODE", 9), Column::new("AGE", 1), Column::new("POD", 2)]);
        table.push(["n1", "3d", "a-very-long-name-of-a-pod"].map(str::to_owned).to_vec(), Tone::Plain);
        let lines = table.lines(Layout { width: Some(20), headers: false, wide: false }, 0);
        assert_eq!(lines[0].text, "n1   3d");
    }

    #[test]
    fn in_the_end_every_column_is_shortened() {
        assert!(text(Some(20), true).iter().all(|line| super::width(line) <= 20), "{:?}", text(Some(20), true));
    }

    #[test]
    fn a_hopeless_terminal_gets_lines_that_are_too_long() {
        assert_eq!(text(Some(3), true).len(), 3);
    }
}
