//! What kubectl is told, whole: of a dump, of a kubeconfig, and of a server, with what that was asked.

use serde_json::{Value, json};
use snapbox::file;

use super::{run_in_time, same, session};
use crate::cli::process::{temporary, transcript};
use crate::cli::{STUCK, SURGE};
use crate::live::server::{Asked, Reply, Server};
use crate::live::stuck;

trials![
    verbs_and_flags,
    names_of_a_dump,
    nodes_and_revisions_of_a_dump,
    labels_of_a_dump,
    names_of_a_kubeconfig,
    names_of_a_server,
    flags_before_the_cursor_hold,
    nodes_of_a_server,
    who_may_not_see_nodes_gets_those_of_the_pods,
    metadata_is_enough_for_namespaces_and_labels,
];

const METADATA: &str = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
const ROWS: &str = "application/json;as=Table;g=meta.k8s.io;v=v1";

fn verbs_and_flags() {
    let lines = [
        "__complete",
        "__complete pl",
        "__complete -n x p",
        "__complete plan --k",
        "__complete plan --kubeconfig ''",
        "__complete plan --snapshot=",
        "__complete plan --snapshot x --no",
        "__complete status -o ''",
        "__complete status --color=a",
        "__complete status --watch=",
        "__complete status --done-when u",
        "__complete restart x --dry-run=",
        "__complete completion ''",
        "__complete completion --install --dir ''",
        "__complete nonsense ''",
        "__complete plan --nonsense ''",
        "__complete status --timeout 5m -o j",
    ];
    same(session(&lines), file!["../expected/completion/verbs.txt"]);
}

fn names_of_a_dump() {
    let lines = [
        format!("__complete plan {SURGE} ''"),
        format!("__complete {SURGE} plan node-agent l"),
        format!("__complete plan {SURGE} -n logging ''"),
        format!("__complete plan {SURGE} -n logging -A n"),
        format!("__complete plan {SURGE} node-agent cni ''"),
        format!("__complete plan {SURGE} ds/"),
        format!("__complete plan {SURGE} DaemonSets.apps/c"),
        format!("__complete plan {SURGE} pod/"),
        format!("__complete sync --dry-run {SURGE} c"),
        format!("__complete restart --dry-run {SURGE} c"),
        format!("__complete nodes {SURGE} cni ''"),
        format!("__complete plan {SURGE} -n ''"),
        format!("__complete plan {SURGE} --namespace=l"),
    ];
    let twice = temporary(&crate::support::read("cases/C08.json").replace("\"ops\"", "\"qa\""));
    let both = format!("--snapshot cases/C08.json --snapshot {twice}");
    let in_two = [format!("__complete plan {both} ''"), format!("__complete plan {both} -n qa ''")];
    let transcript = session(&lines) + &session(&in_two).replace(&twice, "C08-in-qa.json");
    same(transcript, file!["../expected/completion/names.txt"]);
}

fn nodes_and_revisions_of_a_dump() {
    let lines = [
        format!("__complete why {STUCK} node-agent ''"),
        format!("__complete why {STUCK} ds/node-agent node-0000 node/node-000"),
        format!("__complete why {STUCK} node-agent pod/"),
        format!("__complete why {STUCK} nothing ''"),
        format!("__complete history node-agent {STUCK} --revision ''"),
        format!("__complete history node-agent {STUCK} --diff ''"),
        format!("__complete history node-agent {STUCK} --diff 1.."),
        format!("__complete undo node-agent {STUCK} --to-revision=1"),
        format!("__complete history {STUCK} --revision ''"),
    ];
    same(session(&lines), file!["../expected/completion/nodes.txt"]);
}

fn labels_of_a_dump() {
    let lines = [
        format!("__complete plan {SURGE} -l ''"),
        format!("__complete plan {SURGE} -l app="),
        format!("__complete plan {SURGE} -l app!=c"),
        format!("__complete plan {SURGE} -n logging --selector=a"),
        format!("__complete plan {SURGE} --selector=app="),
        format!("__complete nodes cni {SURGE} --group-by ''"),
        format!("__complete nodes cni {SURGE} --group-by=topology"),
    ];
    same(session(&lines), file!["../expected/completion/labels.txt"]);
}

fn names_of_a_kubeconfig() {
    let config = json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "arn:aws:eks:dev",
        "contexts": [
            { "name": "prod", "context": { "cluster": "eu", "user": "me", "namespace": "ops" } },
            { "name": "arn:aws:eks:dev", "context": { "cluster": "us", "user": "me" } },
        ],
        "clusters": [{ "name": "eu", "cluster": { "server": "https://eu.example" } }, { "name": "us" }],
        "users": [{ "name": "me", "user": { "token": "s3cret" } }],
    });
    let path = temporary(&config.to_string());
    let mut text = String::new();
    for line in ["--context ''", "--context arn:aws:", "plan --cluster=", "--user ''"] {
        let line = format!("__complete {line}");
        text += &transcript(&line, &run_in_time(&line, &[("KUBECONFIG", &path)]));
    }
    let line = format!("__complete --kubeconfig {path} plan --context p");
    text += &transcript(&line, &run_in_time(&line, &[])).replace(&path, "CONFIG");
    same(text, file!["../expected/completion/kubeconfig.txt"]);
}

/// Runs completions with the kubeconfig of a server; returns what was printed, with what the server was asked, and in what form.
fn completed(server: &Server, lines: &[&str]) -> String {
    let config = crate::live::kubeconfig(server);
    let lines = lines.iter().map(|line| format!("__complete {line}"));
    let mut text: String =
        lines.map(|line| transcript(&line, &run_in_time(&line, &[("KUBECONFIG", &config)]))).collect();
    let mut asked: Vec<String> = server.asked().iter().map(wording).collect();
    asked.sort();
    for line in asked {
        text.push_str(&format!("> {line}\n"));
    }
    text
}

fn wording(asked: &Asked) -> String {
    let form = match asked.header("accept")[..] {
        ["application/json"] => "whole",
        [METADATA] => "metadata",
        [ROWS] => "rows",
        ref other => panic!("{other:?}"),
    };
    format!("{form} {}?{}", asked.path, asked.query)
}

fn names_of_a_server() {
    let server = stuck(|_, _| None);
    let lines =
        ["plan ''", "plan -n monitoring ds/n", "plan -n empty ''", "plan -A ''", "history node-agent --revision ''"];
    same(completed(&server, &lines), file!["../expected/completion/server-names.txt"]);
}

fn flags_before_the_cursor_hold() {
    let [first, second] = [0, 1].map(|_| stuck(|_, _| None));
    let context = |name: &str, namespace: &str| json!({ "name": name, "context": { "cluster": name, "user": "me", "namespace": namespace } });
    let config = json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "first",
        "contexts": [context("first", "empty"), context("second", "monitoring")],
        "clusters": [
            { "name": "first", "cluster": { "server": first.url() } },
            { "name": "second", "cluster": { "server": second.url() } },
        ],
        "users": [{ "name": "me", "user": {} }],
    });
    let path = temporary(&config.to_string());
    let found = "node-agent\t2/10 updated, 2 unavailable, no budget left\n:36\n";
    for (line, expected, asked) in [
        ("__complete plan ''", ":36\n", [true, false]),
        ("__complete --context second plan ''", found, [false, true]),
        ("__complete plan --context=second ''", found, [false, true]),
        ("__complete plan --cluster second -n monitoring ''", found, [false, true]),
        ("__complete plan -nmonitoring ''", found, [true, false]),
        (&format!("__complete plan --as jane -n monitoring -s {} ''", second.url()), found, [false, true]),
    ] {
        let before = [&first, &second].map(|server| server.asked().len());
        assert_eq!(run_in_time(line, &[("KUBECONFIG", &path)]).stdout, expected, "{line}");
        let after = [&first, &second].map(|server| server.asked().len());
        assert_eq!([after[0] > before[0], after[1] > before[1]], asked, "{line}");
    }
    assert_eq!(second.asked().last().expect("it was asked").header("impersonate-user"), ["jane"]);
}

/// Answers with rows as a real server prints them.
fn rows(asked: &Asked) -> Option<Reply> {
    let (columns, rows) = match asked.path.rsplit('/').next() {
        Some("nodes") => (
            &["Name", "Status", "Roles"],
            [
                ["n1", "Ready", "<none>"],
                ["n2", "NotReady", "<none>"],
                ["n3", "Ready,SchedulingDisabled", "<none>"],
                ["n4", "Ready", "<none>"],
            ],
        ),
        Some("pods") => (
            &["Ready", "Status", "Node"],
            [
                ["1/1", "Running", "n1"],
                ["0/1", "Running", "n2"],
                ["0/1", "Pending", "<none>"],
                ["0/1", "ImagePullBackOff", "n4"],
            ],
        ),
        _ => return None,
    };
    let columns: Vec<Value> = columns.iter().map(|name| json!({ "name": name })).collect();
    let rows: Vec<Value> = rows.iter().map(|cells| json!({ "cells": cells })).collect();
    Some(Reply::json(&json!({ "kind": "Table", "columnDefinitions": columns, "rows": rows })))
}

fn nodes_of_a_server() {
    let server = stuck(|asked, _| rows(asked));
    let lines = ["why node-agent ''", "why node-agent n2 node/n4 node/", "why nothing n1"];
    same(completed(&server, &lines), file!["../expected/completion/server-nodes.txt"]);
}

fn who_may_not_see_nodes_gets_those_of_the_pods() {
    let forbidden = |asked: &Asked, plural: &str| {
        let message = format!("{plural} is forbidden");
        asked.is_list(plural).then(|| Reply::status(403, "Forbidden", &message))
    };
    let without_nodes = stuck(move |asked, _| forbidden(asked, "nodes").or_else(|| rows(asked)));
    let without_pods = stuck(move |asked, _| forbidden(asked, "pods").or_else(|| rows(asked)));
    let text = completed(&without_nodes, &["why node-agent ''"]) + &completed(&without_pods, &["why node-agent ''"]);
    same(text, file!["../expected/completion/server-forbidden.txt"]);
}

fn metadata_is_enough_for_namespaces_and_labels() {
    let metadata = |asked: &Asked| {
        let item = |name: &str, labels: Value| json!({ "metadata": { "name": name, "labels": labels } });
        let items = match asked.path.rsplit('/').next() {
            Some("namespaces") => vec![item("ops", Value::Null), item("team", json!({}))],
            Some("nodes") => vec![item("n1", json!({ "zone": "a", "gpu": "" })), item("n2", json!({ "zone": "b" }))],
            _ => return None,
        };
        Some(Reply::json(&json!({ "kind": "PartialObjectMetadataList", "items": items })))
    };
    let server = stuck(move |asked, _| metadata(asked));
    let lines = ["plan -n ''", "nodes node-agent --group-by z", "plan -n monitoring -l app"];
    same(completed(&server, &lines), file!["../expected/completion/server-metadata.txt"]);
}
