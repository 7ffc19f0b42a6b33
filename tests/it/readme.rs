//! README is kept true: its outputs are what the binary prints, its list of codes is what the enums hold, and its verbs, flags
//! and exit codes are those that there are. So are the examples of help.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::Command;

use clap::{CommandFactory as _, Parser as _};
use kubectl_daemonset::args::Cli;
use kubectl_daemonset::error::{self, UserError};
use kubectl_daemonset::plan::{CheckName, FindingCode, NextAction, NodeVerdict, Outcome, Reason, Verdict, When};

use kubectl_daemonset::drive::Ending;
use kubectl_daemonset::drive::follow::{DoneWhen, Standing};
use kubectl_daemonset::view::exit_code::exit_code;
use kubectl_daemonset::view::sync::EventType;

use crate::support::test_path;

trials![
    outputs_are_what_the_binary_prints,
    codes_are_those_of_the_enums,
    verbs_are_those_of_help,
    flags_are_those_of_help,
    command_lines_are_good_usage,
    exit_codes_are_those_that_are_returned,
];

fn readme() -> String {
    std::fs::read_to_string(test_path("../README.md")).expect("README.md is there")
}

/// Compares a part of README with what it should be; `SNAPSHOTS=overwrite` writes that instead.
fn same(part: &str, wanted: &str, what: &str) {
    if part != wanted && std::env::var_os("SNAPSHOTS").is_some_and(|mode| mode == "overwrite") {
        std::fs::write(test_path("../README.md"), readme().replacen(part, wanted, 1)).expect("README.md is writable");
        return;
    }
    assert_eq!(part, wanted, "README, {what}");
}

fn outputs_are_what_the_binary_prints() {
    let readme = readme();
    let blocks = readme.split("```console\n").skip(1);
    let blocks: Vec<_> = blocks.map(|rest| rest.split("```").next().unwrap_or(rest)).collect();
    assert!(!blocks.is_empty(), "README shows no output");
    for block in blocks {
        let (command, shown) = block.split_once('\n').expect("a block has a command and its output");
        let words = command.strip_prefix("$ kubectl daemonset ").expect("a block starts with a command").split(' ');
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-daemonset"))
            .args(words)
            .current_dir(test_path(".."))
            .env_remove("COLUMNS")
            .env("NO_COLOR", "1")
            .output()
            .expect("the binary runs");
        let printed = String::from_utf8([output.stdout, output.stderr].concat()).expect("output is text");
        same(shown, &printed, command);
    }
}

fn codes_are_those_of_the_enums() {
    let readme = readme();
    let (_, rest) = readme.split_once("<!-- codes -->").expect("README marks its list of codes");
    let (list, _) = rest.split_once("<!-- end of codes -->").expect("README marks the end of its list of codes");
    same(list, &format!("\n{}\n", code_list()), "the list of codes");
}

fn code_list() -> String {
    let mut list = String::new();
    let mut section = |title: &str, codes: Vec<(&str, &str)>| {
        let _ = write!(list, "\n**{title}**\n\n| code | meaning |\n|---|---|\n");
        for (code, meaning) in codes {
            let _ = writeln!(list, "| `{code}` | {meaning} |");
        }
    };
    section("`outcome`", Outcome::ALL.iter().map(|code| (code.as_str(), code.message())).collect());
    section("`verdict`", Verdict::ALL.iter().map(|code| (code.as_str(), code.message())).collect());
    section("`rollout.when`", When::ALL.iter().map(|code| (code.as_str(), code.message())).collect());
    section("`nodes[].verdict`", NodeVerdict::ALL.iter().map(|code| (code.as_str(), code.message())).collect());
    section("`nodes[].checks[].check`", CheckName::ALL.iter().map(|code| (code.as_str(), code.message())).collect());
    section("`reason`", Reason::ALL.iter().map(|code| (code.as_str(), code.message())).collect());
    section(
        "`next.action` (in `nodes` and `why`)",
        NextAction::ALL.iter().map(|code| (code.as_str(), code.message())).collect(),
    );
    section("`findings[].code`", FindingCode::ALL.iter().map(|code| (code.as_str(), code.message())).collect());
    section("`standing`", Standing::ALL.iter().map(|code| (code.as_str(), code.message())).collect());
    section("`doneWhen`", DoneWhen::ALL.iter().map(|code| (code.as_str(), code.message())).collect());
    section("`type` of a `SyncEvent`", EventType::ALL.iter().map(|code| (code.as_str(), code.message())).collect());
    section("`reason` of an `Ended` event", Ending::ALL.iter().map(|code| (code.as_str(), code.message())).collect());
    list
}

/// Returns the rows of the table below a title, split into cells.
fn table(title: &str) -> Vec<Vec<String>> {
    let readme = readme();
    let (_, rest) = readme.split_once(&format!("\n## {title}\n\n")).expect("README has this section");
    let rows = rest.lines().take_while(|line| line.starts_with('|')).skip(2);
    rows.map(|row| row.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect()).collect()
}

/// Returns the text between backticks of prose.
fn code_spans(text: &str) -> Vec<String> {
    let prose = text.split("```").step_by(2).collect::<String>();
    let parts = prose.split('`').skip(1).step_by(2);
    parts.map(|span| span.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// Returns the command line with all that clap adds to it.
fn help() -> clap::Command {
    let mut command = Cli::command();
    command.build();
    command
}

fn verbs(help: &clap::Command) -> Vec<&str> {
    let verbs = help.get_subcommands().filter(|verb| !verb.is_hide_set()).map(clap::Command::get_name);
    verbs.filter(|verb| *verb != "help").collect()
}

/// Returns the flags of a verb, its own and those of all verbs.
fn flags_of(verb: &clap::Command) -> BTreeSet<String> {
    let long = verb.get_arguments().filter_map(|flag| Some(format!("--{}", flag.get_long()?)));
    long.chain(verb.get_arguments().filter_map(|flag| Some(format!("-{}", flag.get_short()?)))).collect()
}

fn verbs_are_those_of_help() {
    let rows = table("The verbs");
    let spans = rows.iter().flat_map(|cells| code_spans(&cells[0]));
    let told: Vec<_> = spans.map(|span| span.split(' ').next().unwrap_or_default().to_owned()).collect();
    assert_eq!(told, verbs(&help()));
}

fn flags_are_those_of_help() {
    let help = help();
    let all: BTreeSet<String> = help.get_subcommands().flat_map(flags_of).collect();
    let mut told = BTreeSet::new();
    for span in code_spans(&readme()) {
        let line = span.trim_start_matches("kubectl daemonset ").trim_start_matches("kubectl-daemonset ");
        let first = line.split(' ').next().unwrap_or_default();
        // Other programs have flags of their own.
        let known = match help.get_subcommands().find(|verb| verb.get_name() == first) {
            Some(verb) => &flags_of(verb),
            None if first.starts_with('-') => &all,
            None => continue,
        };
        let flags = line.split(' ').filter(|word| word.starts_with('-') && word.contains(char::is_alphabetic));
        for flag in flags.map(|word| word.split('=').next().unwrap_or_default()) {
            assert!(known.contains(flag), "README names {flag} in `{span}`");
            told.insert(flag.to_owned());
        }
    }
    let is_ours = |flag: &&clap::Arg| !flag.is_hide_set() && flag.get_help_heading() != Some("Connection");
    for verb in help.get_subcommands() {
        for flag in verb.get_arguments().filter(is_ours).filter(|flag| flag.get_id() != "help") {
            let names =
                [flag.get_long().map(|name| format!("--{name}")), flag.get_short().map(|name| format!("-{name}"))];
            let is_told = names.iter().all(Option::is_none) || names.iter().flatten().any(|name| told.contains(name));
            assert!(is_told, "README does not name {names:?} of {}", verb.get_name());
        }
    }
}

/// Returns our command lines of a text: what stands there after `kubectl daemonset`, or how cargo runs it.
fn command_lines(text: &str) -> impl Iterator<Item = &str> {
    let parts =
        text.lines().map(|line| line.split(" #").next().unwrap_or(line)).flat_map(|line| line.split(['|', '>']));
    parts.filter_map(|part| {
        let part = part.trim().trim_start_matches("$ ");
        part.strip_prefix("kubectl daemonset ").or_else(|| part.strip_prefix("cargo run --locked -- "))
    })
}

fn command_lines_are_good_usage() {
    let (help, readme) = (help(), readme());
    let blocks = readme.split("```").skip(1).step_by(2).map(str::to_owned);
    let examples = help.get_subcommands().chain([&help]).filter_map(|verb| verb.get_after_help());
    let texts: Vec<String> = blocks.chain(examples.map(ToString::to_string)).collect();
    let lines: Vec<&str> = texts.iter().flat_map(|text| command_lines(text)).collect();
    assert!(lines.len() > 40, "{lines:?}");
    for line in lines {
        let words = ["kubectl-daemonset"].into_iter().chain(line.split_whitespace());
        if let Err(error) = Cli::try_parse_from(words) {
            panic!("kubectl daemonset {line}: {error}");
        }
    }
}

fn exit_codes_are_those_that_are_returned() {
    let of_errors =
        [UserError::new(""), UserError::usage(""), UserError::refused("")].map(|error| error::code(&error.into()));
    let of_endings = Ending::ALL.iter().map(|ending| ending.exit_code());
    let of_verdicts = Verdict::ALL.iter().map(|verdict| exit_code(&[*verdict]));
    let returned: BTreeSet<u8> = of_errors.into_iter().chain(of_endings).chain(of_verdicts).collect();
    let told = table("Exit codes").into_iter().map(|cells| cells[0].parse().expect("a code"));
    assert_eq!(told.collect::<Vec<u8>>(), returned.into_iter().collect::<Vec<_>>());
}
