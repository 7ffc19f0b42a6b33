//! Completion: what kubectl and shells are told, in real shells too, and how the completer comes on PATH.

mod install;
mod protocol;
mod quiet;
mod rights;
mod shells;
mod terminal;

use std::time::{Duration, Instant};

use snapbox::{assert_data_eq, data::Data, file};

use crate::cli::process::{Ended, run, run_in, transcript};

/// How long an answer may take.
const LIMIT: Duration = Duration::from_millis(1500);

trials![scripts_are_those_of_the_generator, the_completer_is_a_program];

/// Returns the trials of all parts.
pub fn all_trials() -> Vec<libtest_mimic::Trial> {
    let parts = [trials(), install::trials(), protocol::trials(), quiet::trials(), rights::trials(), shells::trials()];
    parts.into_iter().flatten().collect()
}

/// Compares a transcript with a file, byte by byte.
fn same(transcript: String, expected: Data) {
    assert_data_eq!(Data::text(transcript).raw(), expected.raw());
}

/// Runs one command line; once more if it took so long that a busy machine may have kept it from what it looked for.
fn run_in_time(line: &str, variables: &[(&str, &str)]) -> Ended {
    for _ in 0..5 {
        let started = Instant::now();
        let ended = run_in(line, variables);
        if started.elapsed() < LIMIT {
            return ended;
        }
    }
    panic!("{line} takes longer than {LIMIT:?}");
}

/// Returns a transcript of several runs.
fn session(lines: &[impl AsRef<str>]) -> String {
    lines.iter().map(|line| transcript(line.as_ref(), &run_in_time(line.as_ref(), &[]))).collect()
}

fn scripts_are_those_of_the_generator() {
    let script = |shell: &str| run(&format!("completion {shell}")).stdout;
    same(script("bash"), file!["../../completions/kubectl-daemonset.bash"]);
    same(script("zsh"), file!["../../completions/_kubectl-daemonset"]);
    same(script("fish"), file!["../../completions/kubectl-daemonset.fish"]);
    same(script("powershell"), file!["../../completions/_kubectl-daemonset.ps1"]);
    same(script("elvish"), file!["../../completions/kubectl-daemonset.elv"]);
}

fn the_completer_is_a_program() {
    use std::os::unix::fs::PermissionsExt as _;
    let path = crate::support::test_path("../completions/kubectl_complete-daemonset");
    let mode = path.metadata().expect("it is there").permissions().mode();
    assert_eq!(mode & 0o111, 0o111);
}
