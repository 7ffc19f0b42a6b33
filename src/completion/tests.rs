//! Who asks, and what kubectl is told.

use std::ffi::OsString;
use std::time::Instant;

use clap_complete::Shell;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::{Found, Request, find, for_kubectl, shells};

fn request(line: &str, variables: &[(&str, &str)]) -> Option<(Vec<String>, Option<Shell>)> {
    let arguments = line.split(' ').map(|word| if word == "''" { OsString::new() } else { word.into() });
    let variable = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into());
    let request = Request::read(arguments, variable)?;
    let words = request.words.into_iter().map(|word| word.into_string().expect("text")).collect();
    Some((words, request.shell))
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn kubectl_asks_by_name_or_by_the_first_argument() {
    let expected = Some((words(&["plan", ""]), None));
    assert_eq!(request("kubectl-daemonset __complete plan ''", &[]), expected);
    assert_eq!(request("/usr/bin/kubectl_complete-daemonset plan ''", &[]), expected);
    assert_eq!(request("kubectl_complete-daemonset.exe plan ''", &[]), expected);
    assert_eq!(request("kubectl-daemonset plan __complete", &[]), None);
    assert_eq!(request("kubectl-daemonset plan -- x", &[]), None);
}

#[test]
fn shells_ask_with_a_variable_and_some_with_an_index() {
    let fish = ("KUBECTL_DAEMONSET_COMPLETE", "fish");
    let zsh = [("KUBECTL_DAEMONSET_COMPLETE", "zsh"), ("_CLAP_COMPLETE_INDEX", "2")];
    let line = "kubectl-daemonset -- kubectl-daemonset plan";
    assert_eq!(request(line, &[fish]), Some((words(&["plan"]), Some(Shell::Fish))));
    assert_eq!(request(line, &zsh), Some((words(&["plan", ""]), Some(Shell::Zsh))));
    let more = format!("{line} a b c");
    assert_eq!(request(&more, &zsh), Some((words(&["plan", "a"]), Some(Shell::Zsh))));
    assert_eq!(request(line, &[("KUBECTL_DAEMONSET_COMPLETE", "csh")]), None);
    assert_eq!(request("kubectl-daemonset plan -- x", &[fish]), None);
}

fn found(values: &[(&str, &str)]) -> Found {
    let own = |(value, help): &(&str, &str)| ((*value).to_owned(), (*help).to_owned());
    Found { values: values.iter().map(own).collect(), wants_files: false }
}

#[test]
fn what_stands_before_the_sign_of_a_flag_is_left_to_the_shell() {
    let values = found(&[("--dry-run=client", "Judge here"), ("--dry-run=server", "")]);
    assert_eq!(for_kubectl(&values, "--dry-run="), "client\tJudge here\nserver\n:36\n");
    assert_eq!(for_kubectl(&found(&[("app=", "a, b")]), "ap"), "app=\ta, b\n:38\n");
    assert_eq!(for_kubectl(&found(&[("app=a", "")]), "app="), "app=a\n:36\n");
}

#[test]
fn nothing_is_offered_where_shells_disagree() {
    assert_eq!(for_kubectl(&found(&[("--selector=app=a", "")]), "--selector=app="), ":36\n");
    assert_eq!(for_kubectl(&found(&[("k8s-app=a", "")]), "k8s-app="), ":36\n");
}

#[test]
fn files_are_left_to_the_shell() {
    assert_eq!(for_kubectl(&Found { wants_files: true, ..Found::default() }, "du"), ":0\n");
}

#[test]
fn each_shell_gets_what_its_script_reads() {
    let found = found(&[("arn:aws", "a \\ b"), ("plain", "")]);
    assert_eq!(shells::format(Shell::Zsh, &found), "arn\\:aws:a \\\\ b\nplain\n");
    assert_eq!(shells::format(Shell::Fish, &found), "arn:aws\ta \\ b\nplain\n");
    assert_eq!(shells::format(Shell::Elvish, &found), "arn:aws\nplain\n");
}

/// Words of command lines, right and wrong ones.
const WORDS: [&str; 32] = [
    "",
    "-",
    "--",
    "=",
    "plan",
    "why",
    "status",
    "sync",
    "history",
    "completion",
    "help",
    "x",
    "ds/",
    "ds/x",
    "node/",
    "-n",
    "-nx",
    "-w",
    "-wx",
    "-A",
    "-l",
    "a=",
    "-o",
    "-ojson",
    "--dry-run",
    "--dry-run=",
    "--watch",
    "--revision",
    "--group-by",
    "--no",
    "-é",
    "--é=é",
];

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300, rng_seed: RngSeed::Fixed(137), failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn no_line_is_too_odd_to_be_completed(words in prop::collection::vec(prop::sample::select(&WORDS[..]), 1..6)) {
        // No cluster is contacted, whatever the line says.
        let words: Vec<OsString> = ["--snapshot=/nonexistent"].iter().chain(&words).map(OsString::from).collect();
        let current = words.last().expect("there are words").to_str().expect("text").to_owned();
        for with_paths in [false, true] {
            let found = find(words.clone(), with_paths, Instant::now());
            for (value, _) in found.values {
                prop_assert!(value.starts_with(&current), "{value:?} for {current:?}");
            }
        }
    }
}
