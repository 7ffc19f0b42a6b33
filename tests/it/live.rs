//! The binary against a small API server: the same answers as from a file, and what happens when the server will not.

mod answers;
mod changes;
pub mod credentials;
mod failures;
pub mod proxies;
mod secrecy;
pub mod server;
mod sync;
pub mod tls;
mod watch;
pub mod watching;
mod world;

use std::fmt::Write as _;

use serde_json::{Value, json};
use snapbox::{assert_data_eq, data::Data};

use crate::cli::process::{run_in, temporary, transcript};
use server::{Asked, Cluster, Reply, Server};

/// Returns the trials of all parts.
pub fn all_trials() -> Vec<libtest_mimic::Trial> {
    let parts = [
        answers::trials(),
        changes::trials(),
        credentials::trials(),
        failures::trials(),
        proxies::trials(),
        secrecy::trials(),
        sync::all_trials(),
        tls::trials(),
        watch::trials(),
    ];
    parts.into_iter().flatten().collect()
}

/// Leaves out of plans what depends on the clock alone.
pub fn steady(mut plans: Value) -> Value {
    for plan in plans["items"].as_array_mut().expect("items") {
        plan["evaluatedAt"] = Value::Null;
        for finding in plan["findings"].as_array_mut().expect("findings") {
            finding["message"] = Value::Null;
        }
    }
    plans
}

fn no_fault(_: &Asked, _: usize) -> Option<Reply> {
    None
}

/// Starts a server with one set, `node-agent` in namespace `monitoring`, whose rollout is stuck.
pub fn stuck(fault: impl Fn(&Asked, usize) -> Option<Reply> + Send + Sync + 'static) -> Server {
    Server::start(Cluster::read("stuck-rollout"), fault)
}

/// Returns a kubeconfig with one context, `dev`.
fn config(server: &str, namespace: &str, user: Value) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "dev",
        "contexts": [{ "name": "dev", "context": { "cluster": "dev", "user": "me", "namespace": namespace } }],
        "clusters": [{ "name": "dev", "cluster": { "server": server } }],
        "users": [{ "name": "me", "user": user }],
    })
}

/// Writes a kubeconfig for a server, whose context names the namespace `monitoring`; returns its path.
pub fn kubeconfig(server: &Server) -> String {
    temporary(&config(&server.url(), "monitoring", json!({ "token": "t0ken" })).to_string())
}

/// Returns a transcript of runs, in which words that change from run to run are replaced.
fn session(lines: &[&str], variables: &[(&str, &str)], replace: &[(&str, &str)]) -> String {
    let mut text: String = lines.iter().map(|line| transcript(line, &run_in(line, variables))).collect();
    for (from, to) in replace {
        text = text.replace(from, to);
    }
    text
}

/// Returns a transcript of runs with the kubeconfig of a server.
fn session_with(server: &Server, lines: &[&str]) -> String {
    let config = kubeconfig(server);
    let address = format!("127.0.0.1:{}", server.port);
    session(lines, &[("KUBECONFIG", &config)], &[(&config, "CONFIG"), (&address, "SERVER")])
}

/// Adds to a transcript what a server was asked.
fn with_paths(mut transcript: String, server: &Server) -> String {
    for path in server.paths() {
        let _ = writeln!(transcript, "> {path}");
    }
    transcript + "\n"
}

/// Compares a transcript with a file, byte by byte.
fn same(transcript: String, expected: Data) {
    assert_data_eq!(Data::text(transcript).raw(), expected.raw());
}
