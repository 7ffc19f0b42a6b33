//! Runs the binary with an environment of its own.

use std::fs::{self, File};
use std::io::Read;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::left_out;
use crate::support::test_path;

use super::{STUCK, SURGE};

trials![a_closed_pipe_ends_quietly, tables_fit_the_terminal];

/// What a run left behind.
#[derive(Debug, PartialEq, Eq)]
pub struct Ended {
    pub stdout: String,
    pub stderr: String,
    pub code: i32,
}

/// Returns a transcript of several runs.
pub fn session(lines: &[impl AsRef<str>]) -> String {
    lines.iter().map(|line| transcript(line.as_ref(), &run(line.as_ref()))).collect()
}

/// Runs one command line, whose words may be in single quotes.
pub fn run(line: &str) -> Ended {
    run_in(line, &[])
}

/// Runs one command line with these environment variables, and no others.
pub fn run_in(line: &str, variables: &[(&str, &str)]) -> Ended {
    ended(command(line).envs(variables.iter().copied()).stdin(Stdio::null()).output().expect("the binary starts"))
}

/// Returns a transcript of one run that reads a file below `tests` from stdin.
pub fn run_with_stdin(line: &str, path: &str) -> String {
    let file = File::open(test_path(path)).expect("the file is there");
    transcript(line, &ended(command(line).stdin(file).output().expect("the binary starts")))
}

/// Writes a file that lives as long as the target folder; returns its path.
pub fn temporary(text: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("cli-{}-{}.json", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("the target folder takes files");
    path.to_str().expect("the path is text").to_owned()
}

/// Returns the command of one command line, with an empty environment.
pub fn command(line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-daemonset"));
    command.args(words(line)).current_dir(test_path("")).env_clear().env("RUST_BACKTRACE", "0");
    command
}

/// Splits at blanks outside single quotes.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    let split = |(i, part): (usize, &str)| match i % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    };
    parts.flat_map(split).collect()
}

fn ended(output: Output) -> Ended {
    let text = |bytes| String::from_utf8(bytes).expect("output is text");
    Ended { stdout: text(output.stdout), stderr: text(output.stderr), code: output.status.code().unwrap_or(-1) }
}

/// Words a run as it looks on a terminal.
pub fn transcript(line: &str, ended: &Ended) -> String {
    let mut text = format!("$ kubectl daemonset {line}\n{}", ended.stdout);
    for line in ended.stderr.lines() {
        text.push_str(format!("! {line}").trim_end());
        text.push('\n');
    }
    if ended.code != 0 {
        text.push_str(&format!("[exit code {}]\n", ended.code));
    }
    text + "\n"
}

fn a_closed_pipe_ends_quietly() {
    // All plans as JSON are more than a pipe holds.
    let line = format!("plan -o json {SURGE}");
    let mut child = command(&line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    let mut first = [0; 10];
    child.stdout.take().expect("stdout is piped").read_exact(&mut first).expect("there is output");
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

fn tables_fit_the_terminal() {
    let Some(transcript) = on_terminal(&format!("nodes node-agent {STUCK}"), 50) else {
        return left_out("output on a terminal: the command script of util-linux is not there");
    };
    super::same(transcript, snapbox::file!["../expected/terminal.txt"]);
}

/// Runs command lines on a terminal of so many columns; `None` if no terminal can be had.
fn on_terminal(line: &str, columns: usize) -> Option<String> {
    let binary = env!("CARGO_BIN_EXE_kubectl-daemonset");
    let lines = [line.to_owned(), line.replace("nodes", "why"), line.replace("nodes", "plan"), format!("plan {STUCK}")];
    let mut text = String::new();
    for line in lines {
        let output = Command::new("script")
            .args(["-qec", &format!("stty rows 24 cols {columns}; {binary} {line}"), "/dev/null"])
            .current_dir(test_path(""))
            .env_remove("COLUMNS")
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .output()
            .ok()
            .filter(|output| output.status.success())?;
        text.push_str(&format!("$ kubectl daemonset {line}\n"));
        text.push_str(&String::from_utf8_lossy(&output.stdout).replace('\r', ""));
        text.push('\n');
    }
    Some(text)
}
