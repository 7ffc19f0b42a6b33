//! `completion`: scripts for shells, and the program through which kubectl completes.

mod folders;
mod install;

use std::process::ExitCode;

use crate::args::CompletionArgs;
use crate::completion;

use super::Io;

pub(super) fn run(args: &CompletionArgs, io: &mut Io) -> anyhow::Result<ExitCode> {
    match args.shell {
        Some(shell) => io.out.write_all(completion::script(shell).as_bytes())?,
        None if args.install => return install::install(args, io),
        None => return install::uninstall(args, io),
    }
    Ok(ExitCode::SUCCESS)
}
