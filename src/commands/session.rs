//! What every verb needs: streams, the state of the cluster, and how to print.

use std::io::{Read, Write};

use serde::Serialize;

use crate::api::DaemonSet;
use crate::args::{Cli, DaemonSetName, OutputFormat};
use crate::error::UserError;
use crate::plan::{DaemonSetRef, Plan};
use crate::reconcile::reconcile;
use crate::render::{self, Layout, Line, Size};
use crate::snapshot::Snapshot;
use crate::source::live::{Cluster, Live, Log, Note, Request};
use crate::source::{SnapshotOptions, load, warning_about_version};

use super::select::Scope;

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
    /// Measures the terminal that results go to, if they go to one: people change its size.
    pub size: fn() -> Option<Size>,
    /// Results may be in color.
    pub in_color: bool,
    /// Columns of the terminal that warnings and progress go to, if they go to one.
    pub err_width: Option<usize>,
    /// Warnings and progress may be in color.
    pub err_in_color: bool,
    /// There is somebody who can answer on `stdin`.
    pub is_interactive: bool,
}

impl Io<'_> {
    /// Reads a line from stdin, up to its end or that of the input.
    pub fn read_line(&mut self) -> anyhow::Result<String> {
        let mut line = Vec::new();
        let mut byte = [0];
        while self.stdin.read(&mut byte)? == 1 && byte != *b"\n" {
            line.push(byte[0]);
        }
        Ok(String::from_utf8_lossy(&line).into_owned())
    }
}

/// The namespace in which the cluster itself lives.
const PROTECTED_NAMESPACE: &str = "kube-system";

/// Asks whether to go on with what changes these sets, if any; where the cluster itself lives, their names have to be typed.
///
/// Errors: there is nobody to ask.
pub fn confirm(io: &mut Io, sets: &[&DaemonSetRef]) -> anyhow::Result<bool> {
    if !io.is_interactive {
        let error = UserError::refused("it is asked before anything is written, and there is no terminal to ask on");
        return Err(error.hint("--yes goes on without asking, --dry-run writes nothing").into());
    }
    let is_protected = sets.iter().any(|set| set.namespace == PROTECTED_NAMESPACE);
    let names = sets.iter().map(|set| set.name.as_str()).collect::<Vec<_>>().join(" ");
    if is_protected {
        write!(io.err, "\nThis is {PROTECTED_NAMESPACE}. To go on, type {names}: ")?;
    } else {
        write!(io.err, "\nGo on? [y/N] ")?;
    }
    io.err.flush()?;
    let answer = io.read_line()?;
    let answer = answer.trim();
    let is_yes =
        if is_protected { answer == names } else { matches!(answer.to_ascii_lowercase().as_str(), "y" | "yes") };
    if !is_yes {
        writeln!(io.err, "Nothing was changed.")?;
    }
    Ok(is_yes)
}

/// The state of a cluster, and where in it sets are looked for.
pub struct Source {
    /// The state.
    pub snapshot: Snapshot,
    /// `None` for all namespaces.
    namespace: Option<String>,
    is_live: bool,
}

impl Source {
    /// Makes a source of what was read from a cluster.
    pub fn of_live(live: Live) -> Self {
        Self { snapshot: live.snapshot, namespace: live.namespace, is_live: true }
    }

    /// Returns where sets are looked for.
    pub fn scope(&self) -> Scope<'_> {
        Scope { namespace: self.namespace.as_deref(), is_live: self.is_live }
    }
}

/// Reads the state of the cluster from wherever the flags say.
pub fn read(cli: &Cli, names: &[DaemonSetName], io: &mut Io) -> anyhow::Result<Source> {
    if cli.source.snapshot.is_empty() {
        let cluster = connect(cli, names)?;
        let live = cluster.block_on(cluster.read())?;
        warn_about(&live, io)?;
        return Ok(Source::of_live(live));
    }
    let flags = &cli.source;
    let options =
        SnapshotOptions { paths: flags.snapshot.clone(), now: flags.now, server_version: flags.server_version };
    let err = &mut *io.err;
    let mut warn = |warning: String| {
        // A warning that cannot be printed must not keep the answer back.
        let _ = writeln!(err, "Warning: {warning}");
    };
    let snapshot = load(&options, &mut *io.stdin, &mut warn)?;
    Ok(Source { snapshot, namespace: cli.scope.one_namespace().map(str::to_owned), is_live: false })
}

/// Finds the way to the cluster that the flags mean; nothing is contacted yet.
pub fn connect(cli: &Cli, names: &[DaemonSetName]) -> anyhow::Result<Cluster> {
    connect_with(cli, names, log)
}

/// Finds the way to the cluster as [`connect`] does; lines about requests go elsewhere.
pub fn connect_with(cli: &Cli, names: &[DaemonSetName], log: Log) -> anyhow::Result<Cluster> {
    if cli.source.now.is_some() || cli.source.server_version.is_some() {
        return Err(UserError::usage("--now and --server-version need --snapshot: a cluster tells its own").into());
    }
    if cli.scope.all_namespaces && !names.is_empty() {
        return Err(UserError::usage("a NAME cannot be looked for in all namespaces: leave out -A, or the NAME").into());
    }
    let names: Vec<_> = names.iter().map(|name| name.0.as_str()).collect();
    Cluster::connect(&Request {
        connection: &cli.connection,
        namespace: cli.scope.namespace.as_deref(),
        all_namespaces: cli.scope.all_namespaces,
        names: &names,
        log,
    })
}

/// Tells what could not be seen.
pub fn warn_about(live: &Live, io: &mut Io) -> anyhow::Result<()> {
    warn_about_server(&live.snapshot, io)?;
    warn_about_notes(&live.notes, io)
}

/// Tells where a server is too old for the rules that are followed.
pub fn warn_about_server(snapshot: &Snapshot, io: &mut Io) -> anyhow::Result<()> {
    if let Some(warning) = warning_about_version(snapshot.server_version) {
        writeln!(io.err, "Warning: {warning}")?;
    }
    Ok(())
}

/// Prints notes as warnings with their hints.
pub fn warn_about_notes(notes: &[Note], io: &mut Io) -> anyhow::Result<()> {
    for note in notes {
        writeln!(io.err, "Warning: {}", note.warning)?;
        if let Some(hint) = &note.hint {
            writeln!(io.err, "hint: {hint}")?;
        }
    }
    Ok(())
}

/// Tells about a request while it lasts.
pub fn log(line: &str) {
    // A line that cannot be printed must not keep the answer back.
    let _ = writeln!(std::io::stderr(), "{line}");
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
