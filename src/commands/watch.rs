//! `--watch`: shows a view again whenever it changes, until Ctrl-C.
//!
//! On a terminal text is drawn in place. Everywhere else, and in all other formats, what changed is printed whole, one after
//! the other; that time passes is no change.

use std::io;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::args::{Cli, DaemonSetName, OutputFormat};
use crate::error::UserError;
use crate::render::{self, Screen, Size};
use crate::snapshot::Snapshot;
use crate::source::live::{Pace, Watch};

use super::interrupt::{INTERRUPTED, Interrupt};
use super::select::{self, Scope};
use super::session::{self, Io};

/// Shown at most four times a second, and looked at once a second though nothing changed: plans depend on time, too.
const PACE: Pace = Pace { shortest: Duration::from_millis(250), longest: Duration::from_secs(1) };

/// Prints the view of a state; breaks with an exit code when there is nothing more to see.
pub type Show<'a> = dyn FnMut(&Snapshot, Scope<'_>, &mut Io) -> anyhow::Result<ControlFlow<u8>> + 'a;

/// How watching ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// There is nothing more to see; with the exit code.
    Over(u8),
    /// Ctrl-C.
    Interrupted,
}

/// Shows a view of the cluster until the end is asked for, or there is nothing more to see. `between` stands between two texts
/// that are printed one after the other.
///
/// Errors: as without `--watch`, at the beginning; later on, only output that fails.
pub fn watch(
    cli: &Cli,
    names: &[DaemonSetName],
    io: &mut Io,
    between: &'static str,
    show: &mut Show<'_>,
) -> anyhow::Result<Ending> {
    if !cli.source.snapshot.is_empty() {
        return Err(UserError::usage("a snapshot does not change: leave out --watch, or --snapshot").into());
    }
    let mut display = Display::new(cli, io, between);
    let log = if display.is_in_place() { remember } else { session::log };
    let cluster = session::connect_with(cli, names, log)?;
    let mut watch = cluster.block_on(cluster.watch())?;
    select::check_names(watch.snapshot(), names, scope(&watch))?;
    let mut interrupt = Interrupt::listen()?;
    session::warn_about_server(watch.snapshot(), io)?;
    loop {
        let begun = Instant::now();
        let frame = frame(names, &mut watch, io, show)?;
        display.show(&frame, io)?;
        if let ControlFlow::Break(code) = frame.flow {
            return Ok(Ending::Over(code));
        }
        let pace = pace(begun.elapsed());
        let is_interrupted = cluster.block_on(async {
            tokio::select! {
                biased;
                () = interrupt.wait() => true,
                () = watch.next(pace) => false,
            }
        });
        if is_interrupted {
            return Ok(Ending::Interrupted);
        }
    }
}

/// Shows a view that has no end of its own.
pub fn until_interrupted(
    cli: &Cli,
    names: &[DaemonSetName],
    io: &mut Io,
    show: &dyn Fn(&Snapshot, Scope<'_>, &mut Io) -> anyhow::Result<()>,
) -> anyhow::Result<ExitCode> {
    watch(cli, names, io, "\n", &mut |snapshot, scope, io| show(snapshot, scope, io).map(ControlFlow::Continue))?;
    Ok(ExitCode::from(INTERRUPTED))
}

fn scope<'w>(watch: &'w Watch<'_>) -> Scope<'w> {
    Scope { namespace: watch.namespace(), is_live: true }
}

/// Returns the pace at which most of the time is still spent waiting.
fn pace(cost: Duration) -> Pace {
    Pace { shortest: PACE.shortest.max(cost * 3), longest: PACE.longest.max(cost * 10) }
}

/// One look at the state.
struct Frame {
    out: String,
    /// Warnings and hints, one in each line.
    err: String,
    flow: ControlFlow<u8>,
}

fn frame(names: &[DaemonSetName], watch: &mut Watch<'_>, io: &Io, show: &mut Show<'_>) -> anyhow::Result<Frame> {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let notes = watch.take_notes();
    let size = (io.size)();
    let mut buffered = Io {
        stdin: &mut io::empty(),
        out: &mut out,
        err: &mut err,
        width: size.map(|size| size.columns),
        size: io.size,
        in_color: io.in_color,
        err_width: None,
        err_in_color: false,
        is_interactive: false,
    };
    session::warn_about_notes(&notes, &mut buffered)?;
    for trouble in watch.troubles() {
        writeln!(buffered.err, "Warning: what is shown may be out of date: {trouble}")?;
    }
    let snapshot = watch.snapshot();
    for name in names.iter().filter(|name| select::there(snapshot, name, scope(watch)).is_none()) {
        writeln!(buffered.err, "Warning: daemonset.apps/{} is gone", name.0)?;
    }
    let flow = show(snapshot, scope(watch), &mut buffered)?;
    let text = |bytes| String::from_utf8(bytes).unwrap_or_default();
    Ok(Frame { out: text(out), err: text(err), flow })
}

/// Where frames go.
struct Display {
    place: Place,
    /// Lines of warnings that hold since they were printed.
    told: Vec<String>,
}

enum Place {
    /// Each is drawn over the one before it.
    InPlace { screen: Screen, last: Option<(String, Size)> },
    /// Each is printed after the one before it, with something in between.
    Append { between: &'static str, last: Option<u64> },
}

impl Display {
    fn new(cli: &Cli, io: &Io, between: &'static str) -> Self {
        let place = match cli.output.output {
            OutputFormat::Table | OutputFormat::Wide if (io.size)().is_some() => {
                Place::InPlace { screen: Screen::default(), last: None }
            }
            OutputFormat::Table | OutputFormat::Wide => Place::Append { between, last: None },
            OutputFormat::Yaml => Place::Append { between: "---\n", last: None },
            OutputFormat::Json | OutputFormat::Name => Place::Append { between: "", last: None },
        };
        Self { place, told: Vec::new() }
    }

    fn is_in_place(&self) -> bool {
        matches!(self.place, Place::InPlace { .. })
    }

    /// Shows what is new of a frame.
    fn show(&mut self, frame: &Frame, io: &mut Io) -> anyhow::Result<()> {
        let lines = self.new_lines(&frame.err);
        match &mut self.place {
            Place::InPlace { screen, last } => {
                let Some(size) = (io.size)() else { return Ok(()) };
                let next = Some((frame.out.clone(), size));
                if !lines.is_empty() {
                    write!(io.out, "{}", screen.clear(size))?;
                } else if next == *last {
                    return Ok(());
                }
                io.out.flush()?;
                io.err.write_all(lines.as_bytes())?;
                io.out.write_all(screen.draw(&frame.out, size).as_bytes())?;
                *last = next;
            }
            Place::Append { between, last } => {
                io.err.write_all(lines.as_bytes())?;
                let gist = Some(render::gist(&frame.out));
                if gist == *last {
                    return Ok(());
                }
                if last.is_some() && !frame.out.is_empty() {
                    write!(io.out, "{between}")?;
                }
                io.out.write_all(frame.out.as_bytes())?;
                *last = gist;
            }
        }
        Ok(io.out.flush()?)
    }

    /// Returns the lines that were not there the last time, and those that were logged since.
    fn new_lines(&mut self, err: &str) -> String {
        let was_doubtful = self.told.iter().any(|line| is_doubt(line));
        let mut lines = std::mem::take(&mut *LOGGED.lock().unwrap_or_else(PoisonError::into_inner));
        lines.extend(err.lines().filter(|line| !self.told.iter().any(|told| told == line)).map(str::to_owned));
        self.told = err.lines().map(str::to_owned).collect();
        if was_doubtful && !self.told.iter().any(|line| is_doubt(line)) {
            lines.push("What is shown is up to date again.".to_owned());
        }
        lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

fn is_doubt(line: &str) -> bool {
    line.starts_with("Warning: what is shown may be out of date")
}

/// Lines about requests that wait until they can be printed without disturbing what is drawn.
static LOGGED: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn remember(line: &str) {
    LOGGED.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_owned());
}
