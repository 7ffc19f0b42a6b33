//! Finds what can come next: the grammar of the command line is clap's, the values are ours.

use std::ffi::{OsStr, OsString};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use clap::{Arg, Command, CommandFactory, ValueHint};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, complete};

use crate::args::Cli;

use super::line::Line;
use super::values::{self, Value};

/// What can come next.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Whole words and their descriptions, in the order in which they are to be shown.
    pub values: Vec<(String, String)>,
    /// The word is a path, which is left to the shell.
    pub wants_files: bool,
}

/// Finds what can come in place of the last word; paths too if `with_paths`.
pub fn find(words: Vec<OsString>, with_paths: bool, deadline: Instant) -> Found {
    let index = words.len();
    let Some((current, before)) = words.split_last() else { return Found::default() };
    let Some(line) = Line::read(before, deadline) else { return Found::default() };
    let line = Arc::new(line);
    let mut command = with_values(Cli::command(), &line, with_paths);
    command.build();
    let is_flag = current.to_string_lossy().starts_with('-');
    let mut words: Vec<OsString> = before.iter().map(|word| whole(word, &command)).chain([current.clone()]).collect();
    words.insert(0, OsString::from("kubectl-daemonset"));
    let folder = std::env::current_dir().ok();
    let candidates = complete(&mut command, words, index, folder.as_deref()).unwrap_or_default();
    // Flags are offered only to somebody who has begun to type one.
    let is_wanted = |(value, _): &(String, String)| is_flag || !value.starts_with('-');
    let values = candidates.iter().filter_map(read).filter(is_wanted).collect();
    Found { values, wants_files: line.wants_files.load(Ordering::Relaxed) }
}

/// Makes clear that a flag whose value can only be behind a `=` has taken none: the next word is none of its values.
fn whole(word: &OsStr, command: &Command) -> OsString {
    let is_it = |arg: &Arg| {
        let long = arg.get_long().is_some_and(|long| word == OsStr::new(&format!("--{long}")));
        let short = arg.get_short().is_some_and(|short| word == OsStr::new(&format!("-{short}")));
        arg.is_require_equals_set() && (long || short)
    };
    let commands = [command].into_iter().chain(command.get_subcommands());
    let is_bare = commands.flat_map(Command::get_arguments).any(is_it);
    let mut word = word.to_owned();
    if is_bare {
        word.push("=true");
    }
    word
}

/// Returns a candidate that fits on a line.
fn read(candidate: &CompletionCandidate) -> Option<(String, String)> {
    let value = candidate.get_value().to_str().filter(|value| !value.contains(char::is_control))?;
    let help = candidate.get_help().map(ToString::to_string).unwrap_or_default();
    let help = help.lines().next().unwrap_or_default().replace('\t', " ");
    Some((value.to_owned(), help))
}

/// Attaches the values that are not known beforehand.
fn with_values(command: Command, line: &Arc<Line>, with_paths: bool) -> Command {
    command
        .mut_args(|arg| with_value(arg, line, with_paths))
        .mut_subcommands(|verb| verb.mut_args(|arg| with_value(arg, line, with_paths)))
}

fn with_value(arg: Arg, line: &Arc<Line>, with_paths: bool) -> Arg {
    let is_path = matches!(arg.get_value_hint(), ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath);
    let values: fn(&Line, &str) -> anyhow::Result<Vec<Value>> = match arg.get_id().as_str() {
        "name" | "names" => values::daemon_sets,
        "nodes" => values::nodes,
        "selector" => values::selectors,
        "group_by" | "by" => values::node_labels,
        "revision" | "to_revision" => values::revisions,
        "diff" => values::revision_ranges,
        "namespace" => values::namespaces,
        "context" => values::contexts,
        "cluster" => values::clusters,
        "user" => values::users,
        _ if is_path && !with_paths => values::paths,
        _ => return arg,
    };
    let line = Arc::clone(line);
    arg.add(ArgValueCompleter::new(move |current: &OsStr| candidates(values, &line, current)))
}

fn candidates(
    values: fn(&Line, &str) -> anyhow::Result<Vec<Value>>,
    line: &Line,
    current: &OsStr,
) -> Vec<CompletionCandidate> {
    let Some(current) = current.to_str().filter(|current| !current.starts_with('-')) else { return Vec::new() };
    // Nobody is told why there is nothing: the command itself will.
    let values = values(line, current).unwrap_or_default().into_iter();
    let values = values.filter(|value| value.text.starts_with(current));
    values.map(|Value { text, help }| CompletionCandidate::new(text).help(help.map(Into::into))).collect()
}
