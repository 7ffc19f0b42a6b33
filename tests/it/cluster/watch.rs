//! `--watch` on the real cluster, through kubectl.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::daemon_set;
use super::process::{Cluster, Options, eventually};
use crate::left_out;
use crate::live::steady;
use crate::live::watching::Watching;

trials![a_rollout_is_watched_to_its_end, a_terminal_shows_the_newest_state, a_watch_outlives_the_api_server];

/// Starts a set of revision 1 in a namespace of its own, and waits until it runs.
fn roll_out(cluster: &Cluster, namespace: &str) {
    cluster.kubectl(&format!("create namespace {namespace}"));
    cluster.apply(&daemon_set(namespace, "agent", "agent:1"));
    cluster.kubectl(&format!("-n {namespace} rollout status ds/agent --timeout=3m"));
}

/// Returns whether all nodes have an available pod of revision 2.
fn is_done(plans: &Value, num_nodes: u32) -> bool {
    let plan = &plans["items"][0];
    let [updated, available] = ["updatedNumberScheduled", "numberAvailable"].map(|field| &plan["status"][field]);
    plan["verdict"] == "InSync" && plan["revision"]["number"] == 2 && *updated == num_nodes && *available == num_nodes
}

fn a_rollout_is_watched_to_its_end() {
    let Some(cluster) = Cluster::shared() else { return };
    roll_out(cluster, "watched");
    let line = "daemonset plan agent -n watched -o json";
    let watching = Watching::start(&mut cluster.kubectl_command("reader", &format!("{line} -w")));
    let first = watching.next();
    assert_eq!((&first["kind"], &first["items"][0]["revision"]["number"]), (&json!("PlanList"), &json!(1)));
    cluster.apply(&daemon_set("watched", "agent", "agent:2"));
    let mut last = watching.next_that(|plans| is_done(plans, 3));
    // Nothing is left that only a new look would show.
    let is_same = eventually(|| {
        while let Some(document) = watching.waiting() {
            last = document;
        }
        steady(last.clone()) == steady(serde_json::from_str(&cluster.kubectl(line)).expect("JSON"))
    });
    assert!(is_same, "{last}");
    let (_, stderr, code) = watching.interrupt();
    assert_eq!((stderr.as_str(), code), ("", Some(130)));
}

fn a_terminal_shows_the_newest_state() {
    let Some(cluster) = Cluster::shared() else { return };
    if Command::new("script").arg("--version").output().is_err() {
        return left_out("output on a terminal: the command script of util-linux is not there");
    }
    roll_out(cluster, "terminal");
    let line = "stty rows 24 cols 120; kubectl daemonset nodes agent -n terminal -w";
    let mut script = cluster.equipped("admin", "script");
    script.args(["-qec", line, "/dev/null"]).env_remove("COLUMNS").env("NO_COLOR", "1").stdin(Stdio::piped());
    let watching = Watching::start(&mut script);
    let is_all = |revision: &'static str| {
        move |stdout: &str| {
            let frame = stdout.rsplit("\u{1b}[J").next().unwrap_or_default();
            let is_there = |line: &&str| line.split_whitespace().nth(3) == Some(revision) && line.contains("Running");
            frame.lines().filter(is_there).count() == 3
        }
    };
    watching.await_stdout(is_all("1"));
    cluster.apply(&daemon_set("terminal", "agent", "agent:2"));
    watching.await_stdout(is_all("2"));
    let (stdout, _, code) = watching.type_interrupt();
    // Each drawing but the first goes up over the titles and three nodes.
    assert!(stdout.contains("\u{1b}[4A\r\u{1b}[J"), "{stdout}");
    assert_eq!(code, Some(130), "{stdout}");
}

fn a_watch_outlives_the_api_server() {
    let Some(cluster) = Cluster::start(&Options { nodes: 2, ..Options::default() }) else { return };
    roll_out(&cluster, "restarted");
    let line = "daemonset plan agent -n restarted -o json -w";
    let watching = Watching::start(&mut cluster.kubectl_command("admin", line));
    watching.next();
    cluster.command(&json!({ "do": "stop", "part": "kube-apiserver" }));
    watching.await_stderr(|stderr| stderr.contains("Warning: what is shown may be out of date: "));
    cluster.command(&json!({ "do": "start", "part": "kube-apiserver" }));
    cluster.apply(&daemon_set("restarted", "agent", "agent:2"));
    watching.next_that(|plans| is_done(plans, 2));
    watching.await_stderr(|stderr| stderr.ends_with("What is shown is up to date again.\n"));
    assert_eq!(watching.interrupt().2, Some(130));
}
