//! Live answers are those of a dump, and what is asked of the server for them.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use snapbox::file;

use crate::cli::process::{run_in, temporary};

use super::server::{Cluster, Server};
use super::{kubeconfig, no_fault, same, session_with, stuck, with_paths};

trials![
    answers_are_those_of_the_dump_and_of_a_snapshot,
    a_snapshot_of_one_set_gives_the_answers_for_it,
    a_snapshot_of_one_set_holds_little_else,
    lists_are_read_by_page_and_once,
    names_and_namespaces,
    what_a_snapshot_looks_like,
    compressed_answers_are_read,
];

const CLUSTERS: [&str; 5] =
    ["all-nodes-unreachable", "asleep-surge", "node-gone", "stuck-rollout", "surge-and-ondelete"];

/// Returns command lines for the first set of a cluster, and for all.
fn lines(cluster: &Cluster) -> Vec<String> {
    let set = cluster.objects.iter().find(|object| object["kind"] == "DaemonSet").expect("a set");
    let text = |field: &str| set["metadata"][field].as_str().expect("text").to_owned();
    let (name, namespace) = (text("name"), text("namespace"));
    let mut lines = vec!["plan -A -o json".to_owned(), format!("plan -n {namespace}")];
    lines.extend(["plan", "nodes", "why"].map(|verb| format!("{verb} {name} -n {namespace}")));
    lines
}

fn answers_are_those_of_the_dump_and_of_a_snapshot() {
    for name in CLUSTERS {
        let cluster = Cluster::read(name);
        let lines = lines(&cluster);
        let dump = temporary(&json!({ "kind": "List", "apiVersion": "v1", "items": cluster.objects }).to_string());
        let dump = format!("--snapshot {dump} --now {} --server-version 1.37", cluster.now);
        let server = Server::start(cluster, no_fault);
        let live = format!("--kubeconfig {}", kubeconfig(&server));
        let taken = run_in(&format!("snapshot -A -o json {live}"), &[]);
        assert_eq!((taken.stderr.as_str(), taken.code), ("", 0));
        let taken = format!("--snapshot {}", temporary(&taken.stdout));
        for line in lines {
            let expected = run_in(&format!("{line} --chunk-size 7 {live}"), &[]);
            for source in [&dump, &taken] {
                assert_eq!(run_in(&format!("{line} {source}"), &[]), expected, "{line} of {name}, {source}");
            }
        }
    }
}

fn a_snapshot_of_one_set_gives_the_answers_for_it() {
    let server = Server::start(Cluster::read("surge-and-ondelete").in_one_namespace(), no_fault);
    let live = format!("--kubeconfig {}", kubeconfig(&server));
    for flags in ["", "--full", "-o json"] {
        let taken = run_in(&format!("snapshot node-agent {flags} {live}"), &[]);
        assert_eq!((taken.stderr.as_str(), taken.code), ("", 0));
        let file = temporary(&taken.stdout);
        for verb in ["plan node-agent", "why node-agent", "plan node-agent -n monitoring -o json"] {
            let from_file = run_in(&format!("{verb} --snapshot {file}"), &[]);
            assert_eq!(from_file, run_in(&format!("{verb} {live}"), &[]), "{verb} of a snapshot {flags}");
        }
    }
}

fn a_snapshot_of_one_set_holds_little_else() {
    let server = Server::start(Cluster::read("surge-and-ondelete").in_one_namespace(), no_fault);
    let counts = |names: &str| {
        let taken = run_in(&format!("snapshot {names} -o json --kubeconfig {}", kubeconfig(&server)), &[]);
        let list: Value = serde_json::from_str(&taken.stdout).expect("JSON");
        let mut counts = BTreeMap::<String, usize>::new();
        for item in list["items"].as_array().expect("items") {
            *counts.entry(item["kind"].as_str().expect("a kind").to_owned()).or_default() += 1;
        }
        let text: Vec<_> = counts.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        format!("{names}: {}\n", text.join(", "))
    };
    same(["-A", "log-agent", "log-agent cni"].map(counts).concat(), file!["../expected/live/narrow.txt"]);
}

fn lists_are_read_by_page_and_once() {
    let server = stuck(no_fault);
    let one = with_paths(session_with(&server, &["plan node-agent -o name --chunk-size 5"]), &server);
    let server = stuck(no_fault);
    let all = with_paths(session_with(&server, &["plan -A -o name --chunk-size=0"]), &server);
    same(one + &all, file!["../expected/live/pages.txt"]);
}

fn names_and_namespaces() {
    let server = Server::start(Cluster::read("surge-and-ondelete"), no_fault);
    let lines = [
        "plan",
        "plan -o name",
        "--namespace monitoring plan -o name",
        "plan -A -o name",
        "plan node-agent -A",
        "plan node-agnet",
        "plan log-agent",
        "nodes prometheus",
        "plan -n logging log-agent -o name",
        "plan -n loging",
        "why node-agent node-00003",
        "plan -l app=nothing",
        "plan --now 2026-11-29T14:44:08Z",
        "snapshot nothing",
        "snapshot -n default",
        "snapshot --snapshot x.yaml",
        "plan -o name --cache-dir /x --match-server-version --warnings-as-errors --v=0",
    ];
    same(session_with(&server, &lines), file!["../expected/live/names.txt"]);
}

fn what_a_snapshot_looks_like() {
    let server = stuck(no_fault);
    let taken = run_in(&format!("snapshot -o json --kubeconfig {}", kubeconfig(&server)), &[]);
    let list: Value = serde_json::from_str(&taken.stdout).expect("JSON");
    let items = list["items"].as_array().expect("items");
    let mut text = format!("{} {}\n{}\n", list["apiVersion"], list["kind"], items[0]);
    for item in &items[1..] {
        let metadata = &item["metadata"];
        text.push_str(&format!("{} {} {}\n", item["apiVersion"], item["kind"], metadata["name"]));
    }
    let set = items.iter().find(|item| item["kind"] == "DaemonSet").expect("a set");
    text.push_str(&serde_json::to_string_pretty(&set["spec"]["template"]).expect("JSON"));
    same(text + "\n", file!["../expected/live/snapshot.txt"]);
}

fn compressed_answers_are_read() {
    let cluster = Cluster::read("stuck-rollout");
    let server = stuck(move |asked, _| {
        let wants_gzip = asked.header("accept-encoding").iter().any(|value| value.contains("gzip"));
        wants_gzip.then(|| cluster.answer(asked).gzip())
    });
    let config = kubeconfig(&server);
    let plan = |flags: &str| run_in(&format!("plan -o json --kubeconfig {config} {flags}"), &[]);
    let compressed = plan("");
    let asked = server.asked().len();
    assert_eq!((compressed.stderr.as_str(), compressed.code, asked), ("", 0, 6));
    assert!(server.asked().iter().all(|asked| asked.header("accept-encoding") == ["gzip"]), "{:?}", server.asked());
    assert_eq!(plan("--disable-compression"), compressed);
    assert!(server.asked()[asked..].iter().all(|asked| asked.header("accept-encoding").is_empty()));
}
