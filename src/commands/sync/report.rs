//! What `sync` prints: results on stdout; plans, prompts and progress on stderr.

use std::collections::BTreeSet;

use crate::apply::Report;
use crate::args::{Cli, OutputFormat};
use crate::drive::{Check, Ending, Finished, Stop, Wait, WaveName};
use crate::error::is_closed_pipe;
use crate::plan::{DaemonSetRef, Plan, Severity};
use crate::render::{self, Line, Tone};
use crate::source::live::Note;
use crate::view::sync::{DryRunMode, EventType, SyncEvent, left, progress};
use crate::view::verdict;

use super::again;
use crate::commands::session::{self, Io};

/// Prints for one command.
pub struct Reporter<'c, 'i> {
    cli: &'c Cli,
    io: &'c mut Io<'i>,
    dry_run: Option<DryRunMode>,
    /// The group to which what is written belongs.
    group: Option<String>,
    /// Warnings that are not repeated.
    warned: BTreeSet<String>,
    /// What was last said of what is waited for.
    last: String,
    /// A line of progress stands on the terminal.
    is_line_open: bool,
}

impl<'c, 'i> Reporter<'c, 'i> {
    pub fn new(cli: &'c Cli, io: &'c mut Io<'i>, dry_run: Option<DryRunMode>) -> Self {
        Self { cli, io, dry_run, group: None, warned: BTreeSet::new(), last: String::new(), is_line_open: false }
    }

    /// From now on, what is written belongs to this wave.
    pub fn set_wave(&mut self, wave: Option<&WaveName>) {
        self.group = wave.and_then(WaveName::group).map(str::to_owned);
    }

    /// Says where writes go.
    pub fn place(&mut self, place: &str) -> anyhow::Result<()> {
        self.tell(&[Line::plain(place), Line::empty()])
    }

    /// Leaves a line between two sets.
    pub fn blank(&mut self) -> anyhow::Result<()> {
        self.tell(&[Line::empty()])
    }

    /// Shows a plan as `plan` does, without the notes: they say what to do by hand.
    pub fn plan(&mut self, mut plan: Plan) -> anyhow::Result<()> {
        plan.findings.retain(|finding| finding.severity != Severity::Info);
        let layout = render::Layout { width: self.io.err_width, ..session::layout(self.cli, self.io) };
        let lines = render::plan(&plan, layout);
        self.tell(&lines)?;
        self.tell(&[Line::empty()])
    }

    /// Shows only what a set is and how it stands.
    pub fn headline(&mut self, plan: &Plan, with_namespace: bool) -> anyhow::Result<()> {
        let set = &plan.daemon_set;
        let place = if with_namespace { format!(" in namespace {}", set.namespace) } else { String::new() };
        let line = format!("daemonset.apps/{}{place}: {}", set.name, verdict::sentence(plan));
        self.tell(&[Line::new(line, Tone::Strong)])
    }

    /// Prints sentences, one a line.
    pub fn sentences(&mut self, sentences: &[String]) -> anyhow::Result<()> {
        let lines = sentences.iter().flat_map(|sentence| render::sentence(sentence, self.io.err_width));
        let lines: Vec<Line> = lines.collect();
        self.tell(&lines)
    }

    /// Asks whether to go on; where the cluster itself lives, the names of the sets have to be typed.
    ///
    /// Errors: there is nobody to ask.
    pub fn confirm(&mut self, plans: &[&Plan]) -> anyhow::Result<bool> {
        let sets: Vec<&DaemonSetRef> = plans.iter().map(|plan| &plan.daemon_set).collect();
        session::confirm(self.io, &sets)
    }

    /// Tells what became of a write.
    pub fn report(&mut self, plan: &Plan, report: &Report<'_>) -> anyhow::Result<()> {
        match report {
            Report::Created(creation, pod) => {
                let event = SyncEvent::of_creation(plan, EventType::Created, creation);
                self.event(SyncEvent { pod: Some(&pod.name), uid: Some(&pod.uid), ..event })
            }
            Report::Deleted(deletion) => self.event(SyncEvent::of_deletion(plan, EventType::Deleted, deletion)),
            Report::Gone(deletion) => self.event(SyncEvent::of_deletion(plan, EventType::Gone, deletion)),
            Report::Changed(deletion) => self.event(SyncEvent::of_deletion(plan, EventType::Changed, deletion)),
            Report::Held(deletion, error) => {
                let event = SyncEvent::of_deletion(plan, EventType::Held, deletion);
                self.event(SyncEvent { message: Some(error.message.clone()), ..event })
            }
            Report::NotCreated(creation, error) => {
                let event = SyncEvent::of_creation(plan, EventType::NotCreated, creation);
                self.event(SyncEvent { message: Some(error.message.clone()), ..event })
            }
            Report::NotDeleted(deletion, error) => {
                let event = SyncEvent::of_deletion(plan, EventType::NotDeleted, deletion);
                self.event(SyncEvent { message: Some(error.message.clone()), ..event })
            }
        }
    }

    /// Prints an event: as data all of it; as text on stdout what was done, on stderr the rest. What nobody reads on stdout
    /// goes to stderr.
    pub fn event(&mut self, event: SyncEvent<'_>) -> anyhow::Result<()> {
        let group = self.group.clone();
        let group = event.group.or(group.as_deref().filter(|_| event.node.is_some()));
        let event = SyncEvent { dry_run: self.dry_run, group, ..event };
        self.close_line()?;
        let printed = self.print(&event);
        if printed.as_ref().is_err_and(is_closed_pipe) && event.dry_run.is_none() {
            self.complain(&event)?;
        }
        printed
    }

    fn print(&mut self, event: &SyncEvent<'_>) -> anyhow::Result<()> {
        match self.cli.output.output {
            OutputFormat::Json => {
                serde_json::to_writer(&mut *self.io.out, event).map_err(std::io::Error::from)?;
                writeln!(self.io.out)?;
            }
            OutputFormat::Yaml => {
                writeln!(self.io.out, "---")?;
                render::print_yaml(self.io.out, event)?;
            }
            OutputFormat::Name => {
                let name = event.pod.filter(|_| is_done(event.type_));
                if let Some(name) = name {
                    writeln!(self.io.out, "pod/{name}")?;
                }
                if !is_result(event.type_) {
                    self.complain(event)?;
                }
            }
            OutputFormat::Table | OutputFormat::Wide if is_result(event.type_) => {
                let suffix = event.dry_run.map_or_else(String::new, |mode| format!(" {}", mode.words()));
                session::print_text(self.io, &[Line::plain(format!("{}{suffix}", event.line()))])?;
            }
            OutputFormat::Table | OutputFormat::Wide => self.complain(event)?,
        }
        self.io.out.flush()?;
        Ok(())
    }

    fn complain(&mut self, event: &SyncEvent<'_>) -> anyhow::Result<()> {
        let is_error = matches!(event.type_, EventType::NotCreated | EventType::NotDeleted);
        let title = if is_error { "error: " } else { "" };
        writeln!(self.io.err, "{title}{}", event.line())?;
        Ok(())
    }

    /// Tells what is waited for: on a terminal in a line that is written over, elsewhere whenever it changes.
    pub fn waiting(&mut self, plan: &Plan, wait: &Wait) -> anyhow::Result<()> {
        let text = progress(plan, wait);
        let is_new = text != self.last;
        if let Some(width) = self.io.err_width {
            let line = render::progress_line(&plan.daemon_set.name, &plan.status, &text, width);
            write!(self.io.err, "\r\u{1b}[2K{line}")?;
            self.io.err.flush()?;
            self.is_line_open = true;
        } else if is_new && !session::is_data(self.cli) {
            writeln!(self.io.err, "{}: {text}", plan.daemon_set.name)?;
        }
        if is_new && session::is_data(self.cli) {
            let event = SyncEvent::new(plan, EventType::Waiting);
            self.event(SyncEvent { message: Some(text.clone()), ..event })?;
        }
        self.last = text;
        Ok(())
    }

    /// Tells which waves are done.
    pub fn finished(&mut self, plan: &Plan, finished: &[Finished]) -> anyhow::Result<()> {
        finished.iter().try_for_each(|finished| self.event(SyncEvent::of_finished(plan, finished)))
    }

    /// Tells that the gate let the next batch pass.
    pub fn passed(&mut self, plan: &Plan, check: &Check) -> anyhow::Result<()> {
        let message = Some("the gate is open (--gate)".to_owned());
        let group = check.wave.group();
        self.event(SyncEvent { group, message, ..SyncEvent::new(plan, EventType::Passed) })
    }

    /// Prints the output of a gate that did not open.
    pub fn gate_output(&mut self, output: &str) -> anyhow::Result<()> {
        self.close_line()?;
        for line in output.lines() {
            writeln!(self.io.err, "gate: {}", Line::plain(line).text)?;
        }
        Ok(())
    }

    /// Tells how the run ended for a set, and what is left.
    pub fn ended(&mut self, plan: &Plan, stop: &Stop, now: Option<&Plan>) -> anyhow::Result<()> {
        self.close_line()?;
        let mut message = stop.why.trim_end_matches('.').to_owned();
        if let Some(left) = now.filter(|_| stop.ending != Ending::Done).and_then(left) {
            message.push_str(&format!("; left: {left}"));
        }
        if stop.ending == Ending::Paused {
            self.hints(&[format!("`{}` goes on", again::with_continue())])?;
        }
        if session::is_data(self.cli) {
            let event = SyncEvent::new(now.unwrap_or(plan), EventType::Ended);
            let (reason, exit_code) = (Some(stop.ending.as_str()), Some(stop.ending.exit_code()));
            return self.event(SyncEvent { reason, exit_code, message: Some(message), ..event });
        }
        let name = &plan.daemon_set.name;
        match stop.ending {
            Ending::Done if self.cli.output.output == OutputFormat::Name => {}
            Ending::Done => {
                session::print_text(
                    self.io,
                    &[Line::new(format!("daemonset.apps/{name} in sync: {message}"), Tone::Good)],
                )?;
                self.io.out.flush()?;
            }
            Ending::WorkLeft | Ending::Paused | Ending::Interrupted => {
                writeln!(self.io.err, "daemonset.apps/{name}: {message}")?
            }
            _ => writeln!(self.io.err, "error: daemonset.apps/{name}: {message}")?,
        }
        if stop.ending == Ending::Blocked { self.errors_of(now.unwrap_or(plan)) } else { Ok(()) }
    }

    /// Shows what is broken, and the way out.
    fn errors_of(&mut self, plan: &Plan) -> anyhow::Result<()> {
        let layout = render::Layout { width: self.io.err_width, ..render::Layout::default() };
        let errors = plan.findings.iter().filter(|finding| finding.severity == Severity::Error);
        let lines: Vec<Line> = errors.flat_map(|finding| render::finding(finding, layout)).collect();
        self.tell(&lines)
    }

    /// Ends a run whose output nobody reads any longer.
    pub fn unheard(&mut self, plan: &Plan, now: Option<&Plan>) -> Stop {
        let why = "interrupted: its output is no longer read".to_owned();
        let left = now.and_then(left).map(|left| format!("; left: {left}")).unwrap_or_default();
        // If stderr is gone too there is nobody to tell.
        let _ = writeln!(self.io.err, "error: daemonset.apps/{}: {why}{left}", plan.daemon_set.name);
        Stop { ending: Ending::Interrupted, why }
    }

    /// Prints hints.
    pub fn hints(&mut self, hints: &[String]) -> anyhow::Result<()> {
        hints.iter().try_for_each(|hint| writeln!(self.io.err, "hint: {hint}"))?;
        Ok(())
    }

    /// Says that a read failed and is tried again.
    pub fn cannot_read(&mut self, error: &anyhow::Error) -> anyhow::Result<()> {
        let text = format!("{error:#}");
        if text != self.last {
            self.warning(&format!("cannot read the cluster, trying again: {text}"))?;
            self.last = text;
        }
        Ok(())
    }

    /// Prints, once, what could not be seen.
    pub fn not_seen(&mut self, note: &Note) -> anyhow::Result<()> {
        if !self.warned.insert(note.warning.clone()) {
            return Ok(());
        }
        self.warning(&note.warning)?;
        self.hints(note.hint.as_slice())
    }

    /// Prints a warning.
    pub fn warning(&mut self, text: &str) -> anyhow::Result<()> {
        self.close_line()?;
        writeln!(self.io.err, "Warning: {}", Line::plain(text).text)?;
        Ok(())
    }

    fn tell(&mut self, lines: &[Line]) -> anyhow::Result<()> {
        Ok(render::print(self.io.err, lines, self.io.err_in_color)?)
    }

    /// Takes the line of progress off the terminal.
    fn close_line(&mut self) -> anyhow::Result<()> {
        if self.is_line_open {
            write!(self.io.err, "\r\u{1b}[2K")?;
            self.io.err.flush()?;
            self.is_line_open = false;
        }
        Ok(())
    }
}

/// Returns whether a write was done, or would be.
fn is_done(type_: EventType) -> bool {
    matches!(type_, EventType::Created | EventType::Deleted)
}

/// Returns whether an event is a result rather than a complaint.
fn is_result(type_: EventType) -> bool {
    is_done(type_) || matches!(type_, EventType::Gone | EventType::Nudged)
}
