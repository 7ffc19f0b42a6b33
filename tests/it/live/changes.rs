//! `restart`, `undo`, `pause` and `resume` where the set changes between the read and the write.

use serde_json::{Value, json};

use super::server::{Asked, Cluster, Reply, Server};
use super::{kubeconfig, stuck};
use crate::cli::process::{Ended, run_in};

trials![
    a_status_that_changes_is_no_conflict,
    what_was_wanted_and_is_no_longer_is_not_written_over,
    conflicts_for_ever_end_it,
];

fn conflict() -> Reply {
    Reply::status(409, "Conflict", "Operation cannot be fulfilled: the object has been modified")
}

fn restart(server: &Server) -> Ended {
    run_in(&format!("restart node-agent --yes --kubeconfig {}", kubeconfig(server)), &[])
}

/// Returns the versions that the patches were made for.
fn versions(server: &Server) -> Vec<String> {
    let patches = server.asked().into_iter().filter(|asked| asked.method == "PATCH");
    let body = |asked: Asked| -> Value { serde_json::from_str(&asked.body).expect("JSON") };
    patches.map(|asked| body(asked)["metadata"]["resourceVersion"].as_str().expect("a version").to_owned()).collect()
}

/// Returns the DaemonSets as they are listed, the first with a field changed and with version 7.
fn sets_with(field: &str, value: Value) -> Reply {
    let mut sets = Cluster::read("stuck-rollout").objects;
    sets.retain(|object| object["kind"] == "DaemonSet");
    sets[0]["metadata"]["resourceVersion"] = "7".into();
    *sets[0].pointer_mut(field).expect("the field is there") = value;
    for set in &mut sets {
        let fields = set.as_object_mut().expect("an object");
        fields.remove("apiVersion");
        fields.remove("kind");
    }
    Reply::json(&json!({ "apiVersion": "apps/v1", "kind": "DaemonSetList", "metadata": {}, "items": sets }))
}

/// Starts a server that refuses the first patch, and lists the sets with a field changed from then on.
fn changing(field: &'static str, value: Value) -> Server {
    stuck(move |asked, before| match asked.method.as_str() {
        "PATCH" if before == 0 => Some(conflict()),
        "PATCH" => Some(Reply::json(&json!({}))),
        _ => (asked.is_list("daemonsets") && before > 0).then(|| sets_with(field, value.clone())),
    })
}

fn a_status_that_changes_is_no_conflict() {
    let server = changing("/status/numberReady", 1.into());
    let ended = restart(&server);
    assert_eq!((ended.stdout.as_str(), ended.code), ("daemonset.apps/node-agent restarted\n", 0), "{}", ended.stderr);
    let versions = versions(&server);
    assert_eq!((versions.len(), versions[1].as_str()), (2, "7"));
    assert_ne!(versions[0], "7");
}

fn what_was_wanted_and_is_no_longer_is_not_written_over() {
    let server = changing("/spec/updateStrategy/type", "OnDelete".into());
    let ended = restart(&server);
    let told = "error: daemonset.apps/node-agent has changed since it was read, so nothing was written\n\
                hint: run the same command again to see what it means now\n";
    assert!(ended.stderr.ends_with(told), "{}", ended.stderr);
    assert_eq!((ended.stdout.as_str(), ended.code, versions(&server).len()), ("", 13, 1));
}

fn conflicts_for_ever_end_it() {
    let server = stuck(|asked, _| (asked.method == "PATCH").then(conflict));
    let ended = restart(&server);
    assert_eq!((ended.code, versions(&server).len()), (13, 5), "{}", ended.stderr);
}
