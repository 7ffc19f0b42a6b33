//! The oracle as a child process, built from `tests/upstream` with Go.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::go::{ChildGuard, program};

const WITHOUT: &str = "the comparison with the real controller on fresh states (Go was not found)";

/// The built oracle; the process that answers questions is started with the first one.
pub struct Oracle {
    path: PathBuf,
    answers: Option<(ChildGuard, ChildStdin, Lines<BufReader<ChildStdout>>)>,
}

impl Oracle {
    /// Returns the oracle, built if need be; `None`, with a note, where there is no Go. Continuous integration needs it.
    pub fn find() -> Option<Self> {
        static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
        let path = BUILT.get_or_init(|| program("oracle", build, WITHOUT)).clone()?;
        Some(Self { path, answers: None })
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
        self.ask(&json!({ "state": state, "now": now, "daemonSet": daemon_set }))
    }

    /// Asks for the decisions together with the pods that the controller makes.
    pub fn answer_with_pods(&mut self, state: &Value, now: &str, daemon_set: &Value) -> Value {
        self.ask(&json!({ "state": state, "now": now, "daemonSet": daemon_set, "pods": true, "runs": 1 }))
    }

    fn ask(&mut self, question: &Value) -> Value {
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
        writeln!(stdin, "{question}").expect("the oracle reads");
        let line = lines.next().expect("the oracle answers").expect("the oracle prints text");
        serde_json::from_str(&line).expect("the answer is JSON")
    }
}

fn build(path: &Path) -> Command {
    let mut command = Command::new("go");
    command.args(["build", "-o"]).arg(path).arg("./oracle");
    command
}
