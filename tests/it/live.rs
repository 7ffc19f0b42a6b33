//! The binary against a small API server: the same answers as from a file, and what happens when the server will not.

mod server;

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::cli::process::{Ended, run_in, temporary, transcript};
use server::{Asked, Cluster, Reply, Server};

trials![answers_are_those_of_the_dump];

fn no_fault(_: &Asked, _: usize) -> Option<Reply> {
    None
}

/// Writes a kubeconfig with one context, `dev`; returns its path.
fn kubeconfig(server: &str, namespace: &str, user: &Value) -> String {
    temporary(&json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "dev",
        "contexts": [{ "name": "dev", "context": { "cluster": "dev", "user": "me", "namespace": namespace } }],
        "clusters": [{ "name": "dev", "cluster": { "server": server } }],
        "users": [{ "name": "me", "user": user }],
    }).to_string())
}

/// Returns the namespaces and names of the sets of a dump.
fn sets(cluster: &Cluster) -> Vec<(String, String)> {
    let sets = cluster.objects.iter().filter(|object| object["kind"] == "DaemonSet");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    sets.map(|set| (text(&set["metadata"]["namespace"]), text(&set["metadata"]["name"]))).collect()
}

const CLUSTERS: [&str; 5] =
    ["all-nodes-unreachable", "asleep-surge", "node-gone", "stuck-rollout", "surge-and-ondelete"];

fn answers_are_those_of_the_dump() {
    for name in CLUSTERS {
        let cluster = Cluster::read(name);
        let (sets, now) = (sets(&cluster), cluster.now.clone());
        let server = Server::start(cluster, no_fault);
        let config = kubeconfig(&server.url(), "default", &json!({ "token": "t" }));
        let live = format!("--kubeconfig {config} --chunk-size 7");
        let dump = format!("--snapshot clusters/{name}.yaml --now {now} --server-version 1.37");
        let mut lines = vec!["plan -A".to_owned(), "plan -A -o json".to_owned()];
        for (namespace, set) in sets {
            lines.push(format!("plan -n {namespace}"));
            lines.extend(["plan", "nodes", "why"].map(|verb| format!("{verb} {set} -n {namespace}")));
        }
        for line in lines {
            let from_dump = run_in(&format!("{line} {dump}"), &[]);
            let from_live = run_in(&format!("{line} {live}"), &[]);
            assert_eq!(from_live, from_dump, "{line} of {name}");
        }
    }
}
