//! `completion`: scripts for shells.

use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::{Cli, CompletionArgs};

use super::Io;

pub(super) fn run(args: &CompletionArgs, io: &mut Io) -> anyhow::Result<ExitCode> {
    io.out.write_all(&script(args.shell))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the completion script for a shell, which completes the binary by its own name.
fn script(shell: Shell) -> Vec<u8> {
    const BINARY: &str = "kubectl-daemonset";
    let mut command = Cli::command().bin_name(BINARY);
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, BINARY, &mut script);
    script
}
