//! Lays out `plan` without a NAME: one line per set.

use crate::plan::Plan;
use crate::view::plans::PlanRow;

use super::age::age;
use super::plan::tone;
use super::table::{Column, Table};
use super::{Layout, Line, Tone};

/// Lays out a table of plans, with the namespace if it is asked for. Holds one plan at a time.
pub fn plans(plans: impl Iterator<Item = Plan>, with_namespace: bool, layout: Layout) -> Vec<Line> {
    let mut columns = vec![
        Column::new("NAMESPACE", 9),
        Column::new("NAME", 9),
        Column::new("VERDICT", 9),
        Column::new("DESIRED", 5),
        Column::new("READY", 6),
        Column::new("UP-TO-DATE", 4),
        Column::new("CREATE", 3),
        Column::new("DELETE", 3),
        Column::text("NEXT", 8),
        Column::new("STRATEGY", 2),
        Column::new("REVISION", 2),
        Column::new("AGE", 1),
    ];
    let is_shown = |i: usize| (i != 0 || with_namespace) && (!matches!(i, 9 | 10) || layout.wide);
    columns = keep(columns, is_shown);
    let mut table = Table::new(columns);
    for plan in plans {
        table.push(keep(cells(&plan), is_shown), row_tone(&plan));
    }
    table.lines(layout, 0)
}

fn keep<T>(cells: Vec<T>, is_shown: impl Fn(usize) -> bool) -> Vec<T> {
    cells.into_iter().enumerate().filter(|(i, _)| is_shown(*i)).map(|(_, cell)| cell).collect()
}

fn cells(plan: &Plan) -> Vec<String> {
    let row = PlanRow::new(plan);
    let revision =
        plan.revision.as_ref().map_or_else(|| "<unknown>".to_owned(), |revision| revision.number.to_string());
    vec![
        row.namespace.to_owned(),
        row.name.to_owned(),
        row.verdict.as_str().to_owned(),
        known(row.desired),
        known(row.ready),
        known(row.updated),
        known(row.creates),
        known(row.deletes),
        if row.next.is_empty() { "<none>".to_owned() } else { row.next },
        plan.update_strategy.type_.clone(),
        revision,
        age(row.created, plan.evaluated_at),
    ]
}

fn known(number: Option<impl ToString>) -> String {
    number.map_or_else(|| "<unknown>".to_owned(), |number| number.to_string())
}

/// Sets in sync stay plain, so that the others stand out.
fn row_tone(plan: &Plan) -> Tone {
    match tone(plan.verdict) {
        Tone::Good => Tone::Plain,
        tone => tone,
    }
}
