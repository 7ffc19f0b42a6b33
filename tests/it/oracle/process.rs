//! The oracle as a child process, built from `tests/upstream` with Go.

use std::env;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::left_out;
use crate::support::test_path;

/// The built oracle; the process that answers questions is started with the first one.
pub struct Oracle {
    path: PathBuf,
    answers: Option<(ChildGuard, ChildStdin, Lines<BufReader<ChildStdout>>)>,
}

/// Ends its process when dropped.
struct ChildGuard(Child);

impl Drop for ChildGuard {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Oracle {
    /// Returns the oracle, built if need be; `None`, with a note, where there is no Go. Continuous integration needs it.
    pub fn find() -> Option<Self> {
        static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
        let path = BUILT.get_or_init(build).clone();
        if path.is_none() {
            assert!(env::var_os("CI").is_none(), "Go was not found, and CI leaves nothing out");
            left_out("the comparison with the real controller on fresh states (Go was not found)");
        }
        Some(Self { path: path?, answers: None })
    }

    /// Prints states with their answers, one a line.
    pub fn generate(&self, seed: u64, count: u64) -> impl Iterator<Item = String> + use<> {
        let mut child = Command::new(&self.path)
            .args(["generate", "-seed", &seed.to_string(), "-count", &count.to_string()])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the oracle starts");
        let lines = BufReader::new(child.stdout.take().expect("stdout is piped")).lines();
        let guard = ChildGuard(child);
        lines.map(move |line| {
            let _ = &guard;
            line.expect("the oracle prints text")
        })
    }

    /// Asks for the controller's decisions on one state.
    pub fn answer(&mut self, state: &Value, now: &str, daemon_set: &Value) -> Value {
        let (_, stdin, lines) = self.answers.get_or_insert_with(|| {
            let mut child = Command::new(&self.path)
                .arg("answer")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("the oracle starts");
            let stdin = child.stdin.take().expect("stdin is piped");
            let lines = BufReader::new(child.stdout.take().expect("stdout is piped")).lines();
            (ChildGuard(child), stdin, lines)
        });
        let question = json!({ "state": state, "now": now, "daemonSet": daemon_set });
        writeln!(stdin, "{question}").expect("the oracle reads");
        let line = lines.next().expect("the oracle answers").expect("the oracle prints text");
        serde_json::from_str(&line).expect("the answer is JSON")
    }
}

fn build() -> Option<PathBuf> {
    Command::new("go").arg("version").output().ok().filter(|output| output.status.success())?;
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("oracle");
    let status = Command::new("go")
        .args(["build", "-o"])
        .arg(&path)
        .arg("./oracle")
        .current_dir(test_path("upstream"))
        .status()
        .expect("go runs");
    assert!(status.success(), "the oracle does not build");
    Some(path)
}
