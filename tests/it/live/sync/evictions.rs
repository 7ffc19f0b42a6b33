//! Evictions.

use serde_json::json;
use snapbox::file;

use super::{on_delete, same, told, written};
use crate::live::server::{Asked, Reply};
use crate::live::world::{Rules, World};

trials![
    a_budget_that_says_no_is_waited_for_and_named,
    a_server_that_is_busy_is_no_budget,
    what_a_server_never_evicts_ends_the_run,
    who_may_not_see_budgets_is_told_and_goes_on,
    a_dry_run_there_asks_for_evictions,
];

const NODES: [&str; 2] = ["a", "b"];

fn is_eviction(asked: &Asked) -> bool {
    asked.method == "POST" && asked.path.ends_with("/eviction")
}

/// Answers as the server does when a budget has no room.
fn no_room() -> Reply {
    let message = "Cannot evict pod as it would violate the pod's disruption budget.";
    let cause = "The disruption budget calm needs 2 healthy pods and has 2 currently";
    let status = json!({
        "kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 429, "reason": "TooManyRequests",
        "message": message, "details": { "causes": [{ "reason": "DisruptionBudget", "message": cause }] },
    });
    Reply { code: 429, ..Reply::json(&status) }
}

/// Serves a world whose first evictions are refused.
fn refusing(world: &super::Shared, count: usize, reply: fn() -> Reply) -> super::Server {
    let asked_before = std::sync::atomic::AtomicUsize::new(0);
    world.serve_with(move |asked, _| {
        let is_refused = is_eviction(asked) && asked_before.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < count;
        is_refused.then(reply)
    })
}

fn a_budget_that_says_no_is_waited_for_and_named() {
    let world = World::small(&on_delete(), &NODES, Rules::default());
    let server = refusing(&world, 2, no_room);
    same(told(&world, &server, "sync agent --yes --evict"), file!["../../expected/live/sync/held.txt"]);
    assert_eq!(world.lock().pods_of("agent"), ["a new ready", "b new ready"]);
    let world = World::small(&on_delete(), &NODES, Rules::default());
    let server = refusing(&world, usize::MAX, no_room);
    let line = "sync agent --yes --evict --stall-after 1s -o json";
    same(told(&world, &server, line), file!["../../expected/live/sync/held-for-ever.txt"]);
}

fn a_server_that_is_busy_is_no_budget() {
    let world = World::small(&on_delete(), &NODES, Rules::default());
    let busy = || Reply::status(429, "TooManyRequests", "too many requests, please try again later");
    same(
        told(&world, &refusing(&world, 1, busy), "sync agent --yes --evict"),
        file!["../../expected/live/sync/busy.txt"],
    );
}

fn what_a_server_never_evicts_ends_the_run() {
    let world = World::small(&on_delete(), &NODES, Rules::default());
    let several = || {
        let message =
            "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
        Reply::status(500, "InternalError", message)
    };
    let text = told(&world, &refusing(&world, 1, several), "sync agent --yes --evict");
    same(text, file!["../../expected/live/sync/never-evicted.txt"]);
}

fn who_may_not_see_budgets_is_told_and_goes_on() {
    let world = World::small(&on_delete(), &NODES, Rules::default());
    let server = world.serve_with(|asked, _| {
        let message = "poddisruptionbudgets.policy is forbidden: User \"jane\" cannot list resource \
                       \"poddisruptionbudgets\" in API group \"policy\" in the namespace \"ops\"";
        asked.path.ends_with("/poddisruptionbudgets").then(|| Reply::status(403, "Forbidden", message))
    });
    same(told(&world, &server, "sync agent --yes --evict"), file!["../../expected/live/sync/blind.txt"]);
    assert_eq!(written(&world), "\n");
}

fn a_dry_run_there_asks_for_evictions() {
    let world = World::small(&on_delete(), &NODES, Rules::default());
    let server = world.serve();
    let text = told(&world, &server, "sync agent --evict --dry-run=server");
    same(text, file!["../../expected/live/sync/evict-dry-run.txt"]);
    assert_eq!(world.lock().pods_of("agent"), ["a old ready", "b old ready"]);
}
