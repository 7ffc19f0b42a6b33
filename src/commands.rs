//! One file per verb: source, reconcile, view, render. No decisions.

mod change;
mod completion;
mod history;
mod interrupt;
mod nodes;
mod plan;
mod rights;
mod select;
mod session;
mod snapshot;
mod status;
mod sync;
mod version;
mod watch;
mod why;

use std::process::ExitCode;

use crate::args::{Cli, Command};

pub use session::Io;

/// Carries out a command line; returns the exit code.
pub fn run(cli: &Cli, io: &mut Io) -> anyhow::Result<ExitCode> {
    match &cli.command {
        Command::Plan(args) => plan::run(cli, args, io),
        Command::Nodes(args) => nodes::run(cli, args, io),
        Command::Why(args) => why::run(cli, args, io),
        Command::Status(args) => status::run(cli, args, io),
        Command::Sync(args) => sync::run(cli, args, io),
        Command::History(args) => history::run(cli, args, io),
        Command::Restart(args) => change::restart(cli, args, io),
        Command::Undo(args) => change::undo(cli, args, io),
        Command::Pause(args) => change::pause(cli, args, io),
        Command::Resume(args) => change::resume(cli, args, io),
        Command::Snapshot(args) => snapshot::run(cli, args, io),
        Command::Rights(args) => rights::run(cli, args, io),
        Command::Completion(args) => completion::run(args, io),
        Command::Version(args) => version::run(cli, args, io),
    }
}
