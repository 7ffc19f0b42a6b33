//! What every verb needs: streams, the state of the cluster, and how to print.

use std::io::{Read, Write};

use serde::Serialize;

use crate::api::DaemonSet;
use crate::args::{Cli, OutputFormat};
use crate::error::UserError;
use crate::plan::Plan;
use crate::reconcile::reconcile;
use crate::render::{self, Layout, Line};
use crate::snapshot::Snapshot;
use crate::source::{SnapshotOptions, load};

/// The streams of the process.
pub struct Io<'a> {
    /// Read for `--snapshot -`.
    pub stdin: &'a mut dyn Read,
    /// Results.
    pub out: &'a mut dyn Write,
    /// Warnings and hints.
    pub err: &'a mut dyn Write,
    /// Columns of the terminal that results go to, if they go to one.
    pub width: Option<usize>,
    /// Results may be in color.
    pub in_color: bool,
}

/// Reads the state of the cluster from wherever the flags say.
pub fn read(cli: &Cli, io: &mut Io) -> anyhow::Result<Snapshot> {
    let flags = &cli.source;
    if flags.snapshot.is_empty() {
        return Err(UserError::usage("reading from a cluster is not built yet; pass --snapshot")
            .hint("write a dump with `kubectl get nodes,ds,pods,controllerrevisions,events -A -o json > dump.json`")
            .into());
    }
    let options =
        SnapshotOptions { paths: flags.snapshot.clone(), now: flags.now, server_version: flags.server_version };
    let err = &mut *io.err;
    let mut warn = |warning: String| {
        // A warning that cannot be printed must not keep the answer back.
        let _ = writeln!(err, "Warning: {warning}");
    };
    load(&options, &mut *io.stdin, &mut warn)
}

/// Returns the plan of one set.
pub fn plan_of(snapshot: &Snapshot, daemon_set: &DaemonSet) -> anyhow::Result<Plan> {
    reconcile(snapshot, [daemon_set]).next().ok_or_else(|| UserError::new("no plan was made").into())
}

/// Returns how text is laid out.
pub fn layout(cli: &Cli, io: &Io) -> Layout {
    Layout { width: io.width, headers: !cli.output.no_headers, wide: cli.output.output == OutputFormat::Wide }
}

/// Prints a view: its data as JSON or YAML, its names, or its text.
pub fn print(
    cli: &Cli,
    io: &mut Io,
    data: &impl Serialize,
    names: impl FnOnce() -> Vec<String>,
    text: impl FnOnce(Layout) -> Vec<Line>,
) -> anyhow::Result<()> {
    match cli.output.output {
        OutputFormat::Json => render::print_json(io.out, data)?,
        OutputFormat::Yaml => render::print_yaml(io.out, data)?,
        OutputFormat::Name => {
            let lines: Vec<Line> = names().iter().map(Line::plain).collect();
            render::print(io.out, &lines, false)?;
        }
        OutputFormat::Table | OutputFormat::Wide => print_text(io, &text(layout(cli, io)))?,
    }
    Ok(())
}

/// Prints finished lines.
pub fn print_text(io: &mut Io, lines: &[Line]) -> anyhow::Result<()> {
    Ok(render::print(io.out, lines, io.in_color)?)
}

/// Returns whether results are text for people.
pub fn is_text(cli: &Cli) -> bool {
    matches!(cli.output.output, OutputFormat::Table | OutputFormat::Wide)
}

/// Returns whether results are data, which is printed even if there is none.
pub fn is_data(cli: &Cli) -> bool {
    matches!(cli.output.output, OutputFormat::Json | OutputFormat::Yaml)
}
