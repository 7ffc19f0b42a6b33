//! `history`: the revisions of a set, their templates, and what differs between them.

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::args::{Cli, DiffRange, HistoryArgs, OutputFormat};
use crate::error::UserError;
use crate::plan::{API_VERSION, Plan};
use crate::render;
use crate::snapshot::Snapshot;
use crate::view::changes::changes;
use crate::view::history::{HistoryReport, template_of};

use super::select;
use super::session::{self, Io};

pub(super) fn run(cli: &Cli, args: &HistoryArgs, io: &mut Io) -> anyhow::Result<ExitCode> {
    let source = session::read(cli, std::slice::from_ref(&args.name), io)?;
    let snapshot = &source.snapshot;
    let plan = session::plan_of(snapshot, select::by_name(snapshot, &args.name, source.scope())?)?;
    match (args.revision, args.diff) {
        (Some(number), _) => template(cli, io, &template_of(snapshot, &plan, number).map_err(UserError::new)?)?,
        (None, Some(range)) => differences(cli, io, snapshot, &plan, range)?,
        (None, None) => revisions(cli, io, snapshot, &plan)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn revisions(cli: &Cli, io: &mut Io, snapshot: &Snapshot, plan: &Plan) -> anyhow::Result<()> {
    let report = HistoryReport::new(snapshot, plan);
    if report.items.is_empty() && !session::is_data(cli) {
        writeln!(io.err, "No revisions found for daemonset.apps/{}.", plan.daemon_set.name)?;
        return Ok(());
    }
    let names = || report.items.iter().map(|item| format!("controllerrevision.apps/{}", item.name)).collect();
    session::print(cli, io, &report, names, |layout| render::history(&report, layout))
}

fn template(cli: &Cli, io: &mut Io, template: &Value) -> anyhow::Result<()> {
    match cli.output.output {
        OutputFormat::Json => render::print_json(io.out, template),
        _ => render::print_yaml(io.out, template),
    }
}

fn differences(cli: &Cli, io: &mut Io, snapshot: &Snapshot, plan: &Plan, range: DiffRange) -> anyhow::Result<()> {
    let to = match (range.to, &plan.revision) {
        (Some(number), _) => number,
        (None, Some(current)) => current.number,
        (None, None) => {
            let error =
                UserError::new("no revision is current, because the controller has not recorded the newest template");
            return Err(error.hint("name two revisions: --diff 1..2").into());
        }
    };
    let [from_template, to_template] =
        [range.from, to].map(|number| template_of(snapshot, plan, number).map_err(UserError::new));
    let (from_template, to_template) = (from_template?, to_template?);
    let changes = changes(&from_template, &to_template);
    let data = json!({
        "apiVersion": API_VERSION, "kind": "RevisionDiff", "daemonSet": plan.daemon_set,
        "from": range.from, "to": to, "changes": changes,
    });
    let texts = [render::yaml(&from_template)?, render::yaml(&to_template)?];
    let titles = [range.from, to].map(|number| format!("daemonset.apps/{} revision {number}", plan.daemon_set.name));
    if changes.is_empty() && !session::is_data(cli) {
        writeln!(io.err, "Revisions {} and {to} do not differ.", range.from)?;
        return Ok(());
    }
    let lines = render::diff((&titles[0], &texts[0]), (&titles[1], &texts[1]));
    session::print(cli, io, &data, || changes.iter().map(|change| change.path.clone()).collect(), |_| lines)
}
