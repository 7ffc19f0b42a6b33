//! Completion: what can come next on a command line, with a description, for kubectl and for shells.
//!
//! kubectl runs `kubectl_complete-daemonset` with the words behind `kubectl daemonset`, the last one up to the cursor, and
//! understands what cobra prints: a line `value<TAB>description` for each, and at the end a number that says what the shell does
//! with them. Shells ask the binary itself in their own ways.
//!
//! Whatever goes wrong, there is nothing to complete: it is never told, nobody is asked, and it ends in time.
//!
//! Upstream: k8s.io/kubectl pkg/cmd/plugin `pluginCompletion`, github.com/spf13/cobra `ShellCompDirective` (1.37).

mod describe;
mod line;
mod selector;
mod shells;
mod suggest;
mod values;

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use clap_complete::Shell;

pub use shells::script;
pub use suggest::{Found, find};

/// How long an answer may take, together with the start of the process.
const BUDGET: Duration = Duration::from_millis(1400);
/// How long a cluster, a credential plugin or a file may take of it.
const SOURCE_BUDGET: Duration = Duration::from_millis(1200);

/// First argument with which the binary completes for kubectl.
const COMPLETE: &str = "__complete";
/// Name of the program that kubectl runs; the binary completes for kubectl under this name too.
pub const COMPLETER_NAME: &str = "kubectl_complete-daemonset";

/// cobra's directives.
const NO_SPACE: u32 = 2;
const NO_FILES: u32 = 4;
const KEEP_ORDER: u32 = 32;

/// What was asked, by whom.
#[derive(Debug, PartialEq, Eq)]
pub struct Request {
    /// Words behind the name of the program, the last one up to the cursor.
    words: Vec<OsString>,
    /// The shell that asks; `None` for kubectl.
    shell: Option<Shell>,
}

impl Request {
    /// Returns what is asked by the arguments of the process, the first being its name; `None` if it is no completion.
    pub fn read(
        arguments: impl Iterator<Item = OsString>,
        environment: impl Fn(&str) -> Option<OsString>,
    ) -> Option<Self> {
        let mut arguments = arguments.peekable();
        let name = arguments.next()?;
        let is_completer = Path::new(&name).file_stem() == Some(OsStr::new(COMPLETER_NAME));
        if is_completer || arguments.peek().is_some_and(|first| first == COMPLETE) {
            let words = arguments.skip(usize::from(!is_completer)).collect();
            return Some(Self { words, shell: None });
        }
        let (shell, words) = shells::asking(arguments, &environment)?;
        Some(Self { words, shell: Some(shell) })
    }
}

/// Returns what is printed for a request.
pub fn answer(request: Request) -> String {
    let started = Instant::now();
    let Request { mut words, shell } = request;
    if words.is_empty() {
        words.push(OsString::new());
    }
    let current = words.last().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        // Nobody waits any longer if this fails.
        let _ = sender.send(find(words, shell.is_some(), started + SOURCE_BUDGET));
    });
    let found = receiver.recv_timeout(BUDGET).unwrap_or_default();
    match shell {
        Some(shell) => shells::format(shell, &found),
        None => for_kubectl(&found, &current),
    }
}

fn for_kubectl(found: &Found, current: &str) -> String {
    if found.wants_files {
        return ":0\n".to_owned();
    }
    // Shells put what stands before the sign there by themselves. They do not agree on where that ends if there are two, or if a
    // word looks like a flag in its middle.
    let (flag, value) = match current.split_once('=') {
        Some((flag, value)) if flag.starts_with('-') => (format!("{flag}="), value),
        _ => (String::new(), current),
    };
    let is_misread = value.rsplit_once('=').is_some_and(|(before, _)| !flag.is_empty() || before.contains('-'));
    let mut lines = String::new();
    let mut directive = NO_FILES | KEEP_ORDER;
    for (value, help) in found.values.iter().filter(|_| !is_misread) {
        let value = value.strip_prefix(&flag).unwrap_or(value);
        if value.ends_with('=') {
            directive |= NO_SPACE;
        }
        lines.push_str(value);
        if !help.is_empty() {
            lines.push_str(&format!("\t{help}"));
        }
        lines.push('\n');
    }
    format!("{lines}:{directive}\n")
}

#[cfg(test)]
mod tests;
