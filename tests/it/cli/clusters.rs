//! What is said about the dumps of real clusters, in full.

use snapbox::file;

use super::process::session;
use super::same;

trials![all_nodes_unreachable, asleep_surge, node_gone, stuck_rollout, surge_and_ondelete];

/// Returns everything that is said about the sets of a dump.
fn everything(cluster: &str, names: &[&str]) -> String {
    let now = crate::support::read(&format!("clusters/{cluster}.now"));
    let flags = format!("--snapshot clusters/{cluster}.yaml --now {}", now.trim());
    let mut lines = vec![format!("plan {flags}")];
    for name in names {
        lines.extend(["plan", "nodes", "why"].map(|verb| format!("{verb} {name} {flags}")));
    }
    session(&lines)
}

const ALL: [&str; 3] = ["cni", "log-agent", "node-agent"];

fn all_nodes_unreachable() {
    same(everything("all-nodes-unreachable", &ALL), file!["../expected/all-nodes-unreachable.txt"]);
}

fn asleep_surge() {
    same(everything("asleep-surge", &ALL), file!["../expected/asleep-surge.txt"]);
}

fn node_gone() {
    same(everything("node-gone", &ALL), file!["../expected/node-gone.txt"]);
}

fn stuck_rollout() {
    same(everything("stuck-rollout", &["node-agent"]), file!["../expected/stuck-rollout.txt"]);
}

fn surge_and_ondelete() {
    same(everything("surge-and-ondelete", &ALL), file!["../expected/surge-and-ondelete.txt"]);
}
