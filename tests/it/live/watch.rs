//! `--watch`: what is shown while a cluster changes, and what becomes of the watch when the server will not.

use std::io::Read as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use snapbox::file;

use super::credentials::{Plugin, as_user};
use super::failures::forbid;
use super::server::{Cluster, Gate, Reply, Server, Step};
use super::tls::stuck_with_tls;
use super::watching::{Watching, signal};
use super::{kubeconfig, no_fault, same, session_with, steady, stuck};
use crate::cli::process::{command, run_in};
use crate::cluster::eventually;
use crate::go::ChildGuard;
use crate::left_out;

trials![
    changes_are_shown_as_they_come,
    every_kind_is_watched_from_its_list,
    a_watch_that_is_cut_is_taken_up_where_it_stood,
    a_place_that_is_forgotten_is_listed_again,
    a_forgotten_place_may_be_told_in_the_watch,
    refused_credentials_are_renewed,
    temporary_failures_are_told_until_they_end,
    what_may_not_be_watched_is_listed,
    what_may_not_be_listed_is_not_watched,
    a_request_timeout_does_not_end_a_watch,
    time_alone_can_change_a_plan,
    pods_beside_are_looked_for_again,
    a_set_may_go_and_come_back,
    formats_in_a_pipe,
    sets_may_be_none_at_first,
    a_terminal_is_drawn_in_place,
    a_closed_pipe_ends_it,
    output_that_nobody_reads_does_not_keep_it_from_its_end,
    termination_ends_it_as_well,
    wrong_usage,
];

const POD: &str = "node-agent-wwtkt";
const OTHER_POD: &str = "node-agent-v4jtr";

fn watching(server: &Server, line: &str) -> Watching {
    Watching::start(command(&format!("{line} --kubeconfig {}", kubeconfig(server))).stdin(Stdio::null()))
}

/// Returns an object of the stuck rollout, at a resource version.
fn object(kind: &str, name: &str, resource_version: &str) -> Value {
    let is_it = |object: &Value| object["kind"] == kind && object["metadata"]["name"] == name;
    let mut object = Cluster::read("stuck-rollout").objects.into_iter().find(is_it).expect("it is in the dump");
    object["metadata"]["resourceVersion"] = resource_version.into();
    object
}

/// Returns a pod of the stuck rollout that has become available.
fn ready_pod(name: &str, resource_version: &str) -> Value {
    let mut pod = object("Pod", name, resource_version);
    pod["status"] = json!({ "phase": "Running", "conditions": [
        { "type": "Ready", "status": "True", "lastTransitionTime": "2026-11-29T14:43:50Z" },
    ] });
    pod
}

/// Returns the stuck rollout with objects in the place of those of the same name; without those that are `null` but a name.
fn changed(put: &[Value], deleted: &[&str]) -> Cluster {
    let mut cluster = Cluster::read("stuck-rollout");
    let name = |object: &Value| object["metadata"]["name"].clone();
    let is_new = |object: &Value| put.iter().any(|new| new["kind"] == object["kind"] && name(new) == name(object));
    cluster.objects.retain(|object| !is_new(object) && !deleted.iter().any(|gone| name(object) == *gone));
    cluster.objects.extend(put.iter().cloned());
    cluster
}

/// Returns what a single look at a cluster gives.
fn look(cluster: Cluster) -> Value {
    let server = Server::start(cluster, no_fault);
    let run = run_in(&format!("plan node-agent -o json --kubeconfig {}", kubeconfig(&server)), &[]);
    steady(serde_json::from_str(&run.stdout).expect("JSON"))
}

/// Returns the resource versions from which a plural was watched, in order.
fn watched_from(server: &Server, plural: &str) -> Vec<String> {
    let watches = server.asked().into_iter().filter(|asked| asked.is_watch(plural));
    watches.map(|asked| asked.parameter("resourceVersion").unwrap_or("none").to_owned()).collect()
}

fn num_lists(server: &Server, plural: &str) -> usize {
    server.asked().iter().filter(|asked| asked.is_list(plural)).count()
}

/// Interrupts a command and checks that it ended as it should, with nothing more to say.
fn end(watching: Watching) {
    let (_, stderr, code) = watching.interrupt();
    assert_eq!((stderr.as_str(), code), ("", Some(130)));
}

fn changes_are_shown_as_they_come() {
    let gates = [(); 2].map(|()| Gate::default());
    let [first, second] = gates.clone();
    let mut fresh = object("Pod", OTHER_POD, "12");
    fresh["metadata"]["uid"] = "fresh".into();
    let node = object("Node", "node-0011", "14");
    let (ready, again) = (ready_pod(POD, "10"), fresh.clone());
    let gone = node.clone();
    let server = stuck(move |asked, _| {
        let pods = [
            Step::Wait(first.clone()),
            Step::Event("MODIFIED", ready.clone()),
            Step::Wait(second.clone()),
            Step::Event("DELETED", object("Pod", OTHER_POD, "11")),
            Step::Event("ADDED", again.clone()),
            Step::Hold,
        ];
        let nodes = [Step::Wait(second.clone()), Step::Event("DELETED", gone.clone()), Step::Hold];
        let watch = asked.is_watch("pods").then(|| Reply::watch(pods));
        watch.or_else(|| asked.is_watch("nodes").then(|| Reply::watch(nodes)))
    });
    let watching = watching(&server, "plan node-agent -w -o json");
    assert_eq!(steady(watching.next()), look(Cluster::read("stuck-rollout")));
    gates[0].open();
    assert_eq!(steady(watching.next()), look(changed(&[ready_pod(POD, "10")], &[])));
    gates[1].open();
    let last = look(changed(&[ready_pod(POD, "10"), fresh], &["node-0011"]));
    // The events of two kinds may be seen one after the other.
    watching.next_that(|document| steady(document.clone()) == last);
    assert_eq!(watching.waiting(), None);
    end(watching);
}

fn every_kind_is_watched_from_its_list() {
    let server = stuck(no_fault);
    let watching = watching(&server, "plan -w -o json");
    watching.next();
    let watches = || server.paths().into_iter().filter(|path| path.contains("watch=true")).collect::<Vec<_>>();
    assert!(eventually(|| watches().len() == 5), "{:?}", watches());
    end(watching);
    same(server.paths().join("\n") + "\n", file!["../expected/live/watch-paths.txt"]);
}

fn a_watch_that_is_cut_is_taken_up_where_it_stood() {
    let gate = Gate::default();
    let opened = gate.clone();
    let server = stuck(move |asked, before| {
        let steps = match (asked.is_watch("pods"), before) {
            (true, 0) => vec![Step::Event("MODIFIED", ready_pod(POD, "7")), Step::Half, Step::Cut],
            (true, 1) => vec![Step::Bookmark("9"), Step::Cut],
            (true, 2) => vec![Step::Wait(opened.clone()), Step::Event("MODIFIED", ready_pod(OTHER_POD, "12"))],
            _ => return None,
        };
        Some(Reply::watch(steps))
    });
    let watching = watching(&server, "plan node-agent -w -o json");
    let one_ready = look(changed(&[ready_pod(POD, "7")], &[]));
    watching.next_that(|document| steady(document.clone()) == one_ready);
    gate.open();
    let both = [ready_pod(POD, "7"), ready_pod(OTHER_POD, "12")];
    assert_eq!(steady(watching.next()), look(changed(&both, &[])));
    assert!(eventually(|| watched_from(&server, "pods").len() == 4));
    assert_eq!(watched_from(&server, "pods"), ["1", "7", "9", "12"]);
    assert_eq!(num_lists(&server, "pods"), 1);
    end(watching);
}

/// Returns a server that forgets where the watch of pods stood, and tells so like that; one pod has gone meanwhile.
fn forgetful(told: impl Fn() -> Reply + Send + Sync + 'static) -> Server {
    stuck(move |asked, before| {
        if asked.is_watch("pods") && before == 0 {
            return Some(told());
        }
        (asked.is_list("pods") && before == 1).then(|| changed(&[], &[OTHER_POD]).answer(asked))
    })
}

fn assert_lists_again(server: &Server) {
    let watching = watching(server, "plan node-agent -w -o json --chunk-size 0");
    let last = look(changed(&[], &[OTHER_POD]));
    watching.next_that(|document| steady(document.clone()) == last);
    assert!(eventually(|| watched_from(server, "pods").len() == 2));
    assert_eq!((num_lists(server, "pods"), num_lists(server, "nodes")), (2, 1));
    end(watching);
}

fn a_place_that_is_forgotten_is_listed_again() {
    assert_lists_again(&forgetful(|| Reply::status(410, "Expired", "too old resource version: 1 (9)")));
}

fn a_forgotten_place_may_be_told_in_the_watch() {
    let status = json!({ "kind": "Status", "code": 410, "reason": "Expired", "message": "too old resource version" });
    assert_lists_again(&forgetful(move || Reply::watch([Step::Event("ERROR", status.clone()), Step::Hold])));
}

fn refused_credentials_are_renewed() {
    let plugin = Plugin::new("");
    let server = stuck_with_tls(|asked, before| {
        let is_old = asked.header("authorization") == ["Bearer t1"];
        match (asked.is_watch("pods"), before) {
            (true, _) if is_old => Some(Reply::status(401, "Unauthorized", "Unauthorized")),
            (true, 1) => Some(Reply::watch([Step::Event("MODIFIED", ready_pod(POD, "7")), Step::Hold])),
            _ => None,
        }
    });
    let line = format!("plan node-agent -w -o json {}", as_user(&server, plugin.user()));
    let watching = Watching::start(command(&line).stdin(Stdio::null()));
    let last = look(changed(&[ready_pod(POD, "7")], &[]));
    watching.next_that(|document| steady(document.clone()) == last);
    assert_eq!(plugin.runs(), 2);
    end(watching);
}

fn temporary_failures_are_told_until_they_end() {
    let server = stuck(|asked, before| match (asked.is_watch("pods"), before) {
        (true, 0) => Some(Reply::status(429, "TooManyRequests", "the server is busy").with("Retry-After", "1")),
        (true, 1) => Some(Reply::status(503, "ServiceUnavailable", "the server is starting")),
        (true, 2) => Some(Reply::watch([Step::Event("MODIFIED", ready_pod(POD, "7")), Step::Hold])),
        _ => None,
    });
    let watching = watching(&server, "plan node-agent -w -o json");
    let last = look(changed(&[ready_pod(POD, "7")], &[]));
    watching.next_that(|document| steady(document.clone()) == last);
    watching.await_stderr(|stderr| stderr.ends_with("What is shown is up to date again.\n"));
    let (_, stderr, code) = watching.interrupt();
    let told = "Warning: what is shown may be out of date: the server is busy\n";
    assert!(stderr.starts_with(told) && stderr.matches(told).count() == 1, "{stderr}");
    assert_eq!(code, Some(130));
    assert_eq!((watched_from(&server, "pods"), num_lists(&server, "pods")), (vec!["1".to_owned(); 3], 1));
}

fn what_may_not_be_watched_is_listed() {
    let server = stuck(|asked, before| {
        let is_later = asked.is_list("pods") && before > 0;
        is_later.then(|| changed(&[ready_pod(POD, "7")], &[]).answer(asked)).or_else(|| {
            asked
                .is_watch("pods")
                .then(|| Reply::status(403, "Forbidden", "pods is forbidden: User \"jane\" cannot watch"))
        })
    });
    let watching = watching(&server, "plan node-agent -w -o json");
    let last = look(changed(&[ready_pod(POD, "7")], &[]));
    watching.next_that(|document| steady(document.clone()) == last);
    assert!(eventually(|| num_lists(&server, "pods") > 2));
    let (_, stderr, code) = watching.interrupt();
    let told = "Warning: pods is forbidden: User \"jane\" cannot watch; pods are listed every 5 seconds instead\n\
        hint: a Role in namespace \"monitoring\" with this rule, bound to you, would allow it: \
        {apiGroups: [\"\"], resources: [\"pods\"], verbs: [\"watch\"]}\n";
    assert_eq!((stderr.as_str(), code), (told, Some(130)));
    assert_eq!(watched_from(&server, "pods").len(), 1);
}

fn what_may_not_be_listed_is_not_watched() {
    let gate = Gate::default();
    let opened = gate.clone();
    let server = stuck(move |asked, _| {
        let steps = [Step::Wait(opened.clone()), Step::Event("MODIFIED", ready_pod(POD, "7")), Step::Hold];
        asked.is_watch("pods").then(|| Reply::watch(steps)).or_else(|| forbid(asked, "nodes"))
    });
    let watching = watching(&server, "nodes node-agent -w -o json");
    watching.next();
    gate.open();
    watching.next();
    let (_, stderr, code) = watching.interrupt();
    let once = session_with(&stuck(|asked, _| forbid(asked, "nodes")), &["nodes node-agent -o json"]);
    let once: String =
        once.lines().filter_map(|line| line.strip_prefix("! ")).map(|line| format!("{line}\n")).collect();
    assert_eq!((stderr, code), (once, Some(130)));
    assert_eq!(watched_from(&server, "nodes"), [""; 0]);
}

fn a_request_timeout_does_not_end_a_watch() {
    let gate = Gate::default();
    let opened = gate.clone();
    let server = stuck(move |asked, _| {
        let steps = [Step::Wait(opened.clone()), Step::Event("MODIFIED", ready_pod(POD, "7")), Step::Hold];
        asked.is_watch("pods").then(|| Reply::watch(steps))
    });
    let watching = watching(&server, "plan node-agent -w -o json --request-timeout 500ms");
    let begun = Instant::now();
    watching.next();
    // What is to be seen is that nothing happens.
    assert!(eventually(|| begun.elapsed() > Duration::from_millis(1500)));
    gate.open();
    assert_eq!(steady(watching.next()), look(changed(&[ready_pod(POD, "7")], &[])));
    assert_eq!(watched_from(&server, "pods"), ["1"]);
    end(watching);
}

fn time_alone_can_change_a_plan() {
    let mut cluster = changed(&[ready_pod(POD, "7"), ready_pod(OTHER_POD, "8")], &[]);
    let set = cluster.objects.iter_mut().find(|object| object["kind"] == "DaemonSet").expect("a set");
    // The pods have been ready for two seconds.
    set["spec"]["minReadySeconds"] = 5.into();
    let server = Server::start(cluster, no_fault);
    let watching = watching(&server, "plan node-agent -w -o json");
    let available = |plans: &Value| plans["items"][0]["status"]["numberAvailable"].clone();
    assert_eq!(available(&watching.next()), 8);
    assert_eq!(available(&watching.next()), 10);
    assert_eq!(watching.waiting(), None);
    end(watching);
}

fn pods_beside_are_looked_for_again() {
    let waiting = || {
        let cluster = super::failures::without_room();
        let is_it = |object: &Value| object["kind"] == "Pod" && object["spec"]["nodeName"].is_null();
        cluster.objects.into_iter().find(is_it).expect("a pod without room")
    };
    let mut server_side = super::failures::without_room();
    let name = waiting()["metadata"]["name"].as_str().expect("a name").to_owned();
    // At first the pod is where it was.
    server_side.objects.retain(|object| object["metadata"]["name"] != *name);
    server_side.objects.push(object("Pod", &name, "1"));
    let server = Server::start(server_side, move |asked, _| {
        let mut pod = waiting();
        pod["metadata"]["resourceVersion"] = "7".into();
        asked.is_watch("pods").then(|| Reply::watch([Step::Event("MODIFIED", pod), Step::Hold]))
    });
    let watching = watching(&server, "plan node-agent -w -o json");
    let is_told = |plans: &Value| {
        let findings = plans["items"][0]["findings"].as_array().expect("findings");
        findings.iter().any(|finding| finding["message"].as_str().is_some_and(|text| text.contains("short by 93 cpu")))
    };
    watching.next_that(is_told);
    end(watching);
}

fn a_set_may_go_and_come_back() {
    let gate = Gate::default();
    let opened = gate.clone();
    let server = stuck(move |asked, _| {
        let set = |version: &str| object("DaemonSet", "node-agent", version);
        let steps =
            [Step::Event("DELETED", set("7")), Step::Wait(opened.clone()), Step::Event("ADDED", set("8")), Step::Hold];
        asked.is_watch("daemonsets").then(|| Reply::watch(steps))
    });
    let plans = watching(&server, "plan node-agent -w -o json");
    let nodes = watching(&server, "nodes node-agent -w");
    plans.next_that(|plans| plans["items"] == json!([]));
    for watching in [&plans, &nodes] {
        watching.await_stderr(|stderr| stderr == "Warning: daemonset.apps/node-agent is gone\n");
    }
    gate.open();
    plans.next_that(|plans| plans["items"][0]["daemonSet"]["name"] == "node-agent");
    nodes.await_stdout(|stdout| stdout.matches("node-0011").count() == 2);
    assert_eq!(plans.interrupt().2, Some(130));
    assert_eq!(nodes.interrupt().2, Some(130));
}

/// Returns a stuck rollout of which a pod becomes available when the gate opens.
fn stuck_until(gate: &Gate) -> Server {
    let opened = gate.clone();
    stuck(move |asked, _| {
        let steps = [Step::Wait(opened.clone()), Step::Event("MODIFIED", ready_pod(POD, "7")), Step::Hold];
        asked.is_watch("pods").then(|| Reply::watch(steps))
    })
}

fn formats_in_a_pipe() {
    let lines = [
        ("plan -w", "node-agent "),
        ("plan -w -o wide --no-headers", "node-agent "),
        ("plan -w -o name", ""),
        ("nodes node-agent --problems -w", "node-0009"),
        ("nodes node-agent --problems -w -o name", "node-0009"),
        ("nodes node-agent --problems -w -o yaml", "NodeReport"),
    ];
    let mut text = String::new();
    for (line, once) in lines {
        text += &format!("$ kubectl daemonset {line}\n{}\n", in_a_pipe(line, once));
    }
    same(text, file!["../expected/live/watch-formats.txt"]);
}

/// Returns what a command prints while a pod becomes available; each time a word is there once, or nothing changes.
fn in_a_pipe(line: &str, once: &str) -> String {
    let gate = Gate::default();
    let server = stuck_until(&gate);
    let watching = watching(&server, line);
    watching.await_stdout(|stdout| stdout.contains(once) && stdout.ends_with('\n'));
    gate.open();
    if !once.is_empty() {
        watching.await_stdout(|stdout| stdout.matches(once).count() == 2);
    }
    let (stdout, stderr, code) = watching.interrupt();
    assert_eq!((stderr.as_str(), code), ("", Some(130)), "{line}");
    without_times(&stdout)
}

/// Replaces ages in seconds, and the clock.
fn without_times(text: &str) -> String {
    let line = |line: &str| match line.split_once("evaluatedAt: ") {
        Some((before, _)) => format!("{before}evaluatedAt: NOW\n"),
        None => {
            line.split(' ').map(|word| if is_seconds(word) { "NNs" } else { word }).collect::<Vec<_>>().join(" ") + "\n"
        }
    };
    text.lines().map(line).collect()
}

fn is_seconds(word: &str) -> bool {
    word.strip_suffix('s').is_some_and(|number| number.len() == 2 && number.parse::<u32>().is_ok())
}

fn sets_may_be_none_at_first() {
    let server = stuck(|asked, before| {
        if asked.is_list("daemonsets") && before == 0 {
            return Some(Reply::json(&json!({ "metadata": { "resourceVersion": "1" }, "items": [] })));
        }
        let steps = [Step::Event("ADDED", object("DaemonSet", "node-agent", "7")), Step::Hold];
        asked.is_watch("daemonsets").then(|| Reply::watch(steps))
    });
    let watching = watching(&server, "plan -w -o name");
    watching.await_stdout(|stdout| stdout == "daemonset.apps/node-agent\n");
    let (_, stderr, code) = watching.interrupt();
    assert_eq!((stderr.as_str(), code), ("No resources found in monitoring namespace.\n", Some(130)));
}

fn a_terminal_is_drawn_in_place() {
    if Command::new("script").arg("--version").output().is_err() {
        return left_out("output on a terminal: the command script of util-linux is not there");
    }
    let text = [12, 4].map(|rows| format!("{rows} lines\n{}\n", on_terminal(rows)));
    same(text.concat(), file!["../expected/live/watch-terminal.txt"]);
}

/// Returns what a terminal of so many lines receives while a pod becomes available, until Ctrl-C is typed.
fn on_terminal(rows: u32) -> String {
    let gate = Gate::default();
    let server = stuck_until(&gate);
    let flags = format!("--group-by topology.kubernetes.io/zone -w --kubeconfig {}", kubeconfig(&server));
    let line =
        format!("stty rows {rows} cols 100; {} nodes node-agent {flags}", env!("CARGO_BIN_EXE_kubectl-daemonset"));
    let mut script = Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).env_remove("COLUMNS").env("NO_COLOR", "1").stdin(Stdio::piped());
    let watching = Watching::start(&mut script);
    let num_titles =
        |num: usize| move |stdout: &str| stdout.matches("MISSCHEDULED").count() == num && stdout.ends_with('\n');
    watching.await_stdout(num_titles(1));
    gate.open();
    watching.await_stdout(num_titles(2));
    let (stdout, _, code) = watching.type_interrupt();
    assert_eq!(code, Some(130), "{stdout}");
    stdout.replace('\r', "").replace('\u{1b}', "ESC")
}

fn a_closed_pipe_ends_it() {
    let gate = Gate::default();
    let server = stuck_until(&gate);
    let line = format!("nodes node-agent -w --kubeconfig {}", kubeconfig(&server));
    let mut command = command(&line);
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    let mut first = [0; 10];
    child.stdout.take().expect("stdout is piped").read_exact(&mut first).expect("there is output");
    gate.open();
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

fn output_that_nobody_reads_does_not_keep_it_from_its_end() {
    let mut cluster = Cluster::read("stuck-rollout");
    let node = object("Node", "node-0011", "1");
    cluster.objects.extend((0..500).map(|i| {
        let mut node = node.clone();
        node["metadata"]["name"] = format!("more-{i}").into();
        node
    }));
    let server = Server::start(cluster, no_fault);
    let line = format!("plan -A -w -o json --kubeconfig {}", kubeconfig(&server));
    // A plan of so many nodes is more than a pipe holds.
    let child = command(&line).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("the binary starts");
    let mut child = ChildGuard(child);
    let mut stdout = child.0.stdout.take().expect("stdout is piped");
    stdout.read_exact(&mut [0; 10]).expect("there is output");
    // The first signal cannot be obeyed: the plans are still being printed.
    let mut code = None;
    let has_ended = eventually(|| {
        code = child.0.try_wait().expect("it is our child");
        if code.is_none() {
            signal(&child.0, "INT");
        }
        code.is_some()
    });
    assert!(has_ended, "it goes on");
    assert_eq!(code.and_then(|status| status.code()), Some(130));
    drop(stdout);
}

fn termination_ends_it_as_well() {
    let server = stuck(no_fault);
    let watching = watching(&server, "plan -w -o json");
    watching.next();
    let (_, stderr, code) = watching.signal("TERM");
    assert_eq!((stderr.as_str(), code), ("", Some(130)));
}

fn wrong_usage() {
    let server = stuck(no_fault);
    let lines = [
        "plan -w --exit-code",
        "plan -w --snapshot clusters/stuck-rollout.yaml",
        "nodes node-agent --watch --snapshot clusters/stuck-rollout.yaml",
        "plan node-agent -A -w",
        "plan node-agnet -w",
        "nodes agent -w -o json",
        "why node-agent -w",
    ];
    same(session_with(&server, &lines), file!["../expected/live/watch-usage.txt"]);
}
