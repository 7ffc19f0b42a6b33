//! `completion --install` and `--uninstall`: the program that kubectl runs comes and goes.
//!
//! It is a script that runs the plugin found on PATH, so that it holds whichever way the plugin was installed and upgraded. A
//! file of that name that is another one is never touched.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;

use crate::args::CompletionArgs;
use crate::commands::session::{self, Io};
use crate::completion::COMPLETER_NAME;
use crate::drive::Ending;
use crate::error::UserError;

use super::folders;

#[cfg(not(windows))]
const SCRIPT: &str = include_str!("../../../completions/kubectl_complete-daemonset");
#[cfg(windows)]
const SCRIPT: &str = "@rem Completes \"kubectl daemonset\": kubectl runs this when it finds it on PATH.\r\n\
                      @kubectl-daemonset __complete %*\r\n";
/// Stands in every version of the script.
const MARK: &str = "Completes \"kubectl daemonset\": kubectl runs this when it finds it on PATH.";

/// What has the name of the completer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Nothing.
    Absent,
    /// The script as this version writes it.
    Current,
    /// The script of another version.
    Outdated,
    /// Something that this tool did not make.
    Foreign,
}

pub(super) fn install(args: &CompletionArgs, io: &mut Io) -> anyhow::Result<ExitCode> {
    let path = folders::of_path();
    let first = path.iter().map(|folder| file_in(folder)).find(|file| kind(file) != Kind::Absent);
    let folder = match (&args.dir, &first) {
        (Some(dir), _) => folders::absolute(dir)?,
        (None, Some(first)) => first.parent().map(Path::to_owned).unwrap_or_default(),
        (None, None) => folders::choose(&path)?.to_owned(),
    };
    let file = file_in(&folder);
    let done = match kind(&file) {
        Kind::Foreign => return Err(foreign(&file).into()),
        Kind::Current => {
            writeln!(io.err, "{} unchanged: it is there already", file.display())?;
            return Ok(ExitCode::SUCCESS);
        }
        Kind::Absent => "created",
        Kind::Outdated => "updated",
    };
    if let Some(first) = first.filter(|first| *first != file && kind(first) == Kind::Foreign) {
        return Err(foreign(&first).into());
    }
    show(&file, &path, io)?;
    if args.dry_run {
        writeln!(io.out, "{} {done} (dry run)", file.display())?;
        return Ok(ExitCode::SUCCESS);
    }
    if !args.yes && !session::confirm(io, &[])? {
        return Ok(ExitCode::from(Ending::Refused.exit_code()));
    }
    write(&file).with_context(|| format!("write {}", file.display()))?;
    writeln!(io.out, "{} {done}", file.display())?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn uninstall(args: &CompletionArgs, io: &mut Io) -> anyhow::Result<ExitCode> {
    let folders = match &args.dir {
        Some(dir) => vec![folders::absolute(dir)?],
        None => folders::of_path(),
    };
    let files: Vec<PathBuf> = folders.iter().map(|folder| file_in(folder)).collect();
    for file in files.iter().filter(|file| kind(file) == Kind::Foreign) {
        writeln!(io.err, "Warning: {} stays: this tool did not make it", file.display())?;
    }
    let ours: Vec<&PathBuf> =
        files.iter().filter(|file| matches!(kind(file), Kind::Current | Kind::Outdated)).collect();
    if ours.is_empty() {
        let place = args.dir.as_ref().map_or_else(|| "on PATH".to_owned(), |dir| format!("in {}", dir.display()));
        writeln!(io.err, "Nothing to take away: {COMPLETER_NAME} is not {place}.")?;
        return Ok(ExitCode::SUCCESS);
    }
    for file in &ours {
        writeln!(io.err, "Deletes {}", file.display())?;
    }
    if !args.dry_run && !args.yes && !session::confirm(io, &[])? {
        return Ok(ExitCode::from(Ending::Refused.exit_code()));
    }
    for file in ours {
        if !args.dry_run {
            fs::remove_file(file).with_context(|| format!("delete {}", file.display()))?;
        }
        let suffix = if args.dry_run { " (dry run)" } else { "" };
        writeln!(io.out, "{} deleted{suffix}", file.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn file_in(folder: &Path) -> PathBuf {
    folder.join(format!("{COMPLETER_NAME}{}", if cfg!(windows) { ".cmd" } else { "" }))
}

fn kind(file: &Path) -> Kind {
    let Ok(metadata) = fs::symlink_metadata(file) else { return Kind::Absent };
    match fs::read_to_string(file) {
        Ok(text) if metadata.is_file() && text == SCRIPT => Kind::Current,
        Ok(text) if metadata.is_file() && text.lines().take(2).any(|line| line.ends_with(MARK)) => Kind::Outdated,
        _ => Kind::Foreign,
    }
}

fn foreign(file: &Path) -> UserError {
    let error = format!("{} is there already, and this tool did not make it", file.display());
    UserError::refused(error).hint("if it is not needed, delete it and try again")
}

/// Shows what is written, and what is still missing for it to work.
fn show(file: &Path, path: &[PathBuf], io: &mut Io) -> anyhow::Result<()> {
    writeln!(io.err, "Writes {}:\n", file.display())?;
    for line in SCRIPT.lines() {
        writeln!(io.err, "    {line}")?;
    }
    writeln!(io.err)?;
    if !path.iter().any(|folder| file.parent() == Some(folder)) {
        let folder = file.parent().unwrap_or(file).display();
        writeln!(io.err, "Warning: {folder} is not on PATH, where kubectl looks")?;
    }
    if !folders::have_plugin(path) {
        writeln!(io.err, "Warning: kubectl-daemonset is not on PATH, where kubectl and this script look")?;
    }
    writeln!(
        io.err,
        "hint: kubectl's own completion has to be loaded in the shell, as `source <(kubectl completion bash)` does"
    )?;
    Ok(())
}

/// Writes the script; a file that has come in between is not overwritten.
fn write(file: &Path) -> io::Result<()> {
    if kind(file) == Kind::Outdated {
        fs::remove_file(file)?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o755);
    options.open(file)?.write_all(SCRIPT.as_bytes())
}
