//! README is kept true: its outputs are what the binary prints, its list of codes is what the enums hold.

use std::fmt::Write as _;
use std::process::Command;

use kubectl_daemonset::plan::{CheckName, FindingCode, NextAction, NodeVerdict, Outcome, Reason, Verdict, When};

use kubectl_daemonset::drive::Ending;
use kubectl_daemonset::drive::follow::{DoneWhen, Standing};
use kubectl_daemonset::view::sync::EventType;

use crate::support::test_path;

trials![outputs_are_what_the_binary_prints, codes_are_those_of_the_enums];

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
