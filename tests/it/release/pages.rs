//! Man pages: whole, and without anything that man would warn of.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::{Arg, Command as Verb};
use kubectl_daemonset::args::command;

use super::{man, temporary};
use crate::left_out;

trials![every_verb_and_flag_is_in_a_page, man_has_nothing_to_warn_of];

/// Returns the names of all pages, sorted.
pub fn names() -> Vec<String> {
    let verbs = visible().into_iter().map(|verb| format!("kubectl-daemonset-{}.1", verb.get_name()));
    let mut names: Vec<_> = verbs.chain(["kubectl-daemonset.1".to_owned()]).collect();
    names.sort();
    names
}

fn visible() -> Vec<Verb> {
    command().get_subcommands().filter(|verb| !verb.is_hide_set()).cloned().collect()
}

fn pages(name: &str) -> PathBuf {
    let folder = temporary(name);
    man::write_pages(&folder).expect("the pages are written");
    folder
}

fn every_verb_and_flag_is_in_a_page() {
    let folder = pages("pages-whole");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("the page is there").replace("\\-", "-");
    let top = read("kubectl-daemonset.1");
    for verb in visible() {
        let page = read(&format!("kubectl-daemonset-{}.1", verb.get_name()));
        assert!(top.contains(&format!("kubectl-daemonset-{}(1)", verb.get_name())), "{top}");
        let whole = command();
        for flag in verb.get_arguments().chain(whole.get_arguments()).filter(|flag| !flag.is_hide_set()) {
            assert_in(&page, flag, verb.get_name());
        }
        let examples = verb.get_after_long_help().expect("a verb has examples").to_string();
        for line in examples.lines().filter(|line| line.contains("kubectl daemonset")) {
            assert!(page.contains(&in_roff(line.trim())), "{line} in {page}");
        }
    }
}

/// Fails if a page lacks a flag, or what is said of it.
fn assert_in(page: &str, flag: &Arg, verb: &str) {
    let name = match flag.get_long() {
        Some(long) => format!("--{long}"),
        None => flag.get_value_names().expect("what has no flag has a name")[0].to_string(),
    };
    assert!(page.contains(&name), "{name} of {verb}");
    let help = flag.get_help().expect("all is documented").to_string();
    assert!(page.contains(&in_roff(&help)), "{help} of {verb}");
}

/// Returns a text as it stands in a page.
fn in_roff(text: &str) -> String {
    text.replace('\'', "\\*(Aq")
}

fn man_has_nothing_to_warn_of() {
    let folder = pages("pages-rendered");
    for name in names() {
        let output = Command::new("man")
            .args(["--warnings", "-E", "UTF-8", "-l"])
            .arg(folder.join(&name))
            .stdin(Stdio::null())
            .output();
        let Ok(output) = output else {
            assert!(std::env::var_os("CI").is_none(), "man was not found, and CI leaves nothing out");
            return left_out("man pages as man shows them (man was not found)");
        };
        assert_eq!((output.status.code(), super::text(&output.stderr).as_str()), (Some(0), ""), "{name}");
        let shown = super::text(&output.stdout);
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES"] {
            assert!(shown.contains(section), "{section} in {name}");
        }
    }
}
