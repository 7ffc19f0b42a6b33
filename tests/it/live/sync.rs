//! `sync` against a played cluster.

mod evictions;
mod faults;
mod guards;
mod rollouts;
mod streams;

use serde_json::{Value, json};

use super::server::Server;
use super::world::Shared;
use super::{config, same};
use crate::cli::process::{Ended, run_in, temporary, transcript};

/// Returns the trials of all parts.
pub fn all_trials() -> Vec<libtest_mimic::Trial> {
    [evictions::trials(), faults::trials(), guards::trials(), rollouts::trials(), streams::trials()]
        .into_iter()
        .flatten()
        .collect()
}

fn on_delete() -> Value {
    json!({ "type": "OnDelete" })
}

fn rolling() -> Value {
    json!({ "type": "RollingUpdate", "rollingUpdate": { "maxUnavailable": 1, "maxSurge": 0 } })
}

/// Writes a kubeconfig for a server, whose context names this namespace; returns its path.
fn kubeconfig(server: &Server, namespace: &str) -> String {
    temporary(&config(&server.url(), namespace, json!({ "token": "t0ken" })).to_string())
}

/// Runs `sync` on a server; a controller that does not act is waited for 100 ms.
fn sync(server: &Server, flags: &str) -> Ended {
    let line = format!("sync --controller-wait 100ms {flags} --kubeconfig {}", kubeconfig(server, "ops"));
    run_in(&line, &[])
}

/// Runs `sync` and returns its transcript, with what the world says was written.
fn told(world: &Shared, server: &Server, line: &str) -> String {
    let config = kubeconfig(server, "ops");
    let ended = run_in(&format!("{line} --kubeconfig {config}"), &[]);
    let text = transcript(line, &ended).replace(&config, "CONFIG");
    text.replace(&format!("127.0.0.1:{}", server.port), "SERVER") + &written(world)
}

/// Words what was written, and that nothing was which may not be. Calls of one kind may overtake each other.
fn written(world: &Shared) -> String {
    let mut world = world.lock();
    assert_eq!(world.wrongs, Vec::<String>::new());
    let mut writes = std::mem::take(&mut world.writes);
    let verb = |line: &String| line.split(' ').next().unwrap_or_default().to_owned();
    writes.chunk_by_mut(|a, b| verb(a) == verb(b)).for_each(<[String]>::sort);
    writes.iter().map(|line| format!("> {line}\n")).collect::<String>() + "\n"
}
