//! Completion disturbs nobody: whatever fails or hangs, there is nothing to complete, soon and without a word.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::run_in_time;
use super::terminal::Terminal;
use crate::cli::process::{Ended, command, temporary};
use crate::cluster::eventually;
use crate::live::credentials::as_user;
use crate::live::server::Reply;
use crate::live::stuck;
use crate::live::tls::stuck_with_tls;

trials![
    errors_give_nothing,
    a_server_that_does_not_answer_is_not_waited_for,
    a_plugin_that_hangs_is_ended_with_all_that_it_started,
    a_plugin_has_neither_terminal_nor_words,
    a_plugin_that_must_ask_does_not_run,
    a_plugin_that_asks_nothing_gives_its_token,
    a_file_that_does_not_end_is_not_waited_for,
];

fn nothing() -> Ended {
    Ended { stdout: ":36\n".to_owned(), stderr: String::new(), code: 0 }
}

/// Runs a completion, which ends in time.
fn in_time(line: &str) -> Ended {
    run_in_time(line, &[])
}

fn errors_give_nothing() {
    let refusals = [
        Reply::status(401, "Unauthorized", "Unauthorized"),
        Reply::status(403, "Forbidden", "no"),
        Reply::status(500, "InternalError", "etcd is gone"),
        Reply::status(429, "TooManyRequests", "later").with("Retry-After", "60"),
        Reply { body: "<html>".to_owned(), ..Reply::json(&Value::Null) },
        Reply::json(&json!({ "items": [7] })),
        Reply::json(&json!({ "kind": "List", "items": [] })).cut(),
    ];
    for refusal in refusals {
        let reply = refusal.clone();
        let server = stuck(move |_, _| Some(reply.clone()));
        let flags = format!("--kubeconfig {}", crate::live::kubeconfig(&server));
        let words = ["plan", "why x", "plan -n", "plan -l", "nodes x --group-by", "undo x --to-revision"];
        for words in words {
            // Flags come last here, because a word behind -n is its value.
            let line = format!("__complete {flags} {words} ''");
            assert_eq!(in_time(&line), nothing(), "{line} {refusal:?}");
        }
    }
    let broken = temporary("{ no");
    for line in [
        "plan ''".to_owned(),
        "plan --kubeconfig /nonexistent ''".to_owned(),
        format!("--kubeconfig {broken} plan ''"),
        format!("--kubeconfig {broken} --context ''"),
        "--server http://127.0.0.1:1 plan ''".to_owned(),
        "plan --snapshot /nonexistent ''".to_owned(),
        format!("plan --snapshot {broken} ''"),
        "plan --snapshot - ''".to_owned(),
    ] {
        assert_eq!(in_time(&format!("__complete {line}")), nothing(), "{line}");
    }
}

fn a_server_that_does_not_answer_is_not_waited_for() {
    let server = stuck(|_, _| Some(Reply::silent()));
    let flags = format!("--kubeconfig {}", crate::live::kubeconfig(&server));
    assert_eq!(in_time(&format!("__complete {flags} plan ''")), nothing());
    assert_eq!(in_time(&format!("__complete {flags} why node-agent ''")), nothing());
}

/// Returns a user who has a plugin that is this script for sh.
fn plugin(script: &str, mode: &str) -> Value {
    json!({ "exec": {
        "apiVersion": "client.authentication.k8s.io/v1", "command": "/bin/sh", "args": ["-c", script],
        "interactiveMode": mode,
    } })
}

/// A file that a plugin may write to, and that is not there yet.
fn trace() -> PathBuf {
    PathBuf::from(temporary("")).with_extension("trace")
}

fn a_plugin_that_hangs_is_ended_with_all_that_it_started() {
    let server = stuck_with_tls(|_, _| None);
    let trace = trace();
    // The child of the plugin keeps its stdout open.
    let script = format!("sleep 600 & echo $! >> {0}; echo $$ >> {0}; wait", trace.display());
    let flags = as_user(&server, plugin(&script, "Never"));
    assert_eq!(in_time(&format!("__complete plan {flags} ''")), nothing());
    let pids = fs::read_to_string(&trace).expect("the plugin has run");
    assert!(pids.lines().count() >= 2, "{pids}");
    for pid in pids.lines() {
        let is_gone = || !is_running(pid);
        assert!(eventually(is_gone), "process {pid} is left");
    }
    assert_eq!(server.asked().len(), 0);
}

/// Returns whether a process is there and has not ended, where the system has a folder for each.
fn is_running(pid: &str) -> bool {
    let status = fs::read_to_string(Path::new("/proc").join(pid).join("stat"));
    status.is_ok_and(|status| !status.contains(") Z "))
}

fn a_plugin_has_neither_terminal_nor_words() {
    let server = stuck_with_tls(|_, _| None);
    let trace = trace();
    let script = format!(
        "echo 'please log in' >&2; echo 'please log in' > /dev/tty; read -r word; echo \"$word\" > {}; exit 1",
        trace.display()
    );
    let flags = as_user(&server, plugin(&script, "IfAvailable"));
    let mut terminal = Terminal::start(command(&format!("__complete plan {flags} ''")));
    terminal.await_end();
    assert_eq!(terminal.screen().trim(), ":36");
    assert_eq!(fs::read_to_string(trace).expect("the plugin has run"), "\n");
}

fn a_plugin_that_must_ask_does_not_run() {
    let server = stuck_with_tls(|_, _| None);
    let trace = trace();
    let flags = as_user(&server, plugin(&format!("echo run > {}", trace.display()), "Always"));
    let mut terminal = Terminal::start(command(&format!("__complete plan {flags} ''")));
    terminal.await_end();
    assert_eq!(terminal.screen().trim(), ":36");
    assert!(!trace.exists(), "the plugin has run");
}

fn a_plugin_that_asks_nothing_gives_its_token() {
    let server = stuck_with_tls(|asked, _| {
        let is_good = asked.header("authorization") == ["Bearer t0ken"];
        (!is_good).then(|| Reply::status(401, "Unauthorized", "Unauthorized"))
    });
    let print = r#"printf '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"t0ken"}}'"#;
    let flags = as_user(&server, plugin(print, "IfAvailable"));
    let ended = in_time(&format!("__complete plan {flags} -v 9 ''"));
    assert_eq!(ended.stderr, "");
    assert_eq!(ended.stdout, "node-agent\t2/10 updated, 2 unavailable, no budget left\n:36\n");
}

fn a_file_that_does_not_end_is_not_waited_for() {
    let pipe = trace();
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo");
    for flag in ["--snapshot", "--kubeconfig"] {
        assert_eq!(in_time(&format!("__complete plan {flag} {} ''", pipe.display())), nothing(), "{flag}");
    }
}
