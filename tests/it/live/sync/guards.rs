//! What must not be written, and why.

use snapbox::file;

use super::{on_delete, rolling, same, sync, told};
use crate::live::server::{Asked, Reply};
use crate::live::world::{self, Controller, Rules, Shared, World};

trials![
    what_changed_under_the_plan_is_not_carried_out,
    a_write_that_was_not_shown_is_not_made,
    a_spec_that_the_controller_has_not_seen_is_waited_for,
    a_set_that_goes_midway_ends_the_run,
    missing_rights_are_told_before_any_write,
    rights_that_cannot_be_reviewed_are_a_warning,
    a_dry_run_here_sends_only_reads,
    a_dry_run_there_changes_nothing,
    conflicts_for_ever_end_the_run,
    what_a_server_asks_to_wait_is_waited,
    writes_that_never_succeed_end_the_run,
    time_runs_out,
    time_runs_out_while_nothing_can_be_read,
    a_spec_that_changes_between_two_batches_ends_the_run,
    a_pod_that_already_terminates_is_not_deleted_again,
    creations_start_slowly_and_stop_at_the_first_failure,
    deletions_are_all_attempted,
    without_a_terminal_somebody_must_have_said_yes,
];

const NODES: [&str; 2] = ["a", "b"];

fn sleeping() -> Rules {
    Rules { controller: Controller::Sleeps, ..Rules::default() }
}

/// Changes the world when the DaemonSets are listed for the second time, which is right before the first write.
fn changed_after_the_plan(world: &Shared, change: impl Fn(&mut World) + Send + Sync + 'static) -> super::Server {
    let reads = std::sync::atomic::AtomicUsize::new(0);
    world.serve_with(move |asked, world| {
        let is_list = is_list(asked, "daemonsets");
        if is_list && reads.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 1 {
            change(world);
        }
        None
    })
}

fn is_list(asked: &Asked, plural: &str) -> bool {
    asked.method == "GET" && asked.path.ends_with(&format!("/{plural}"))
}

fn what_changed_under_the_plan_is_not_carried_out() {
    let changes: [fn(&mut World); 5] = [
        |world| world.object("DaemonSet", "agent")["metadata"]["uid"] = "another".into(),
        |world| {
            world.object("DaemonSet", "agent")["metadata"]["generation"] = 5.into();
            world.object("DaemonSet", "agent")["status"]["observedGeneration"] = 5.into();
        },
        |world| {
            world.object("DaemonSet", "agent")["metadata"]["generation"] = 5.into();
            world.object("DaemonSet", "agent")["spec"]["updateStrategy"] = rolling();
        },
        |world| {
            let new = world.object("ControllerRevision", "agent-new").clone();
            let revision = world.object("ControllerRevision", "agent-old");
            revision["data"] = new["data"].clone();
            revision["revision"] = 3.into();
        },
        |world| world.remove("DaemonSet", "agent"),
    ];
    let mut text = String::new();
    for change in changes {
        let world = World::small(&on_delete(), &NODES, sleeping());
        text += &told(&world, &changed_after_the_plan(&world, change), "sync agent --yes");
    }
    same(text, file!["../../expected/live/sync/changed.txt"]);
}

fn a_write_that_was_not_shown_is_not_made() {
    let world = World::small(&rolling(), &NODES, sleeping());
    let server = changed_after_the_plan(&world, |world| world.objects().push(world::node("c")));
    let text = told(&world, &server, "sync agent --yes --controller-wait 100ms");
    same(text, file!["../../expected/live/sync/not-shown.txt"]);
}

fn a_spec_that_the_controller_has_not_seen_is_waited_for() {
    let world = World::small(&on_delete(), &NODES, sleeping());
    world.lock().object("DaemonSet", "agent")["metadata"]["generation"] = 5.into();
    let text = told(&world, &world.serve(), "sync agent --yes --controller-wait 100ms");
    same(text, file!["../../expected/live/sync/unobserved.txt"]);
}

fn a_set_that_goes_midway_ends_the_run() {
    let world = World::small(&on_delete(), &NODES, Rules::default());
    let server = world.serve_with(|asked, world| {
        if asked.method == "DELETE" {
            let reply = world.answer(asked);
            world.remove("DaemonSet", "agent");
            return Some(reply);
        }
        None
    });
    same(told(&world, &server, "sync agent --yes"), file!["../../expected/live/sync/gone-midway.txt"]);
}

fn missing_rights_are_told_before_any_write() {
    let mut text = String::new();
    let denied = ["delete pods", "create pods", "patch daemonsets"];
    for (strategy, denied) in [(on_delete(), &denied[..]), (rolling(), &denied[1..]), (on_delete(), &denied[2..])] {
        let rules = Rules { denied: denied.iter().copied().collect(), ..sleeping() };
        let world = World::small(&strategy, &NODES, rules);
        text += &told(&world, &world.serve(), "sync agent --yes --controller-wait 100ms");
    }
    same(text, file!["../../expected/live/sync/rights.txt"]);
}

fn rights_that_cannot_be_reviewed_are_a_warning() {
    let world = World::small(&on_delete(), &NODES[..1], Rules { is_review_forbidden: true, ..Rules::default() });
    same(told(&world, &world.serve(), "sync agent --yes"), file!["../../expected/live/sync/not-reviewed.txt"]);
}

fn a_dry_run_here_sends_only_reads() {
    let world = World::small(&on_delete(), &NODES, sleeping());
    let server = world.serve();
    let text = told(&world, &server, "sync agent --dry-run") + &told(&world, &server, "sync --dry-run=client -o json");
    assert!(server.asked().iter().all(|asked| asked.method == "GET"));
    same(text, file!["../../expected/live/sync/dry-run.txt"]);
}

fn a_dry_run_there_changes_nothing() {
    let world = World::small(&on_delete(), &NODES, sleeping());
    world.lock().objects().push(world::node("c"));
    let before = world.lock().objects().clone();
    let server = world.serve();
    let text = told(&world, &server, "sync agent --dry-run=server --field-manager me");
    assert!(*world.lock().objects() == before);
    let writes: Vec<_> = server.asked().into_iter().filter(|asked| asked.method != "GET").collect();
    assert!(writes.iter().all(|asked| asked.parameter("fieldManager") == Some("me") || asked.method == "DELETE"));
    world.lock().remove("Node", "c");
    let text = text + &told(&world, &server, "sync agent --dry-run=server -o json");
    assert!(server.asked().iter().all(|asked| asked.method != "DELETE" || asked.body.contains("\"dryRun\":[\"All\"]")));
    same(text, file!["../../expected/live/sync/server-dry-run.txt"]);
}

fn conflicts_for_ever_end_the_run() {
    let world = World::small(&on_delete(), &NODES[..1], Rules::default());
    let server = world.serve_with(|asked, world| {
        if asked.method == "DELETE" {
            world.object("Pod", "agent-a")["metadata"]["resourceVersion"] = "newer".into();
            let reply = world.answer(asked);
            world.object("Pod", "agent-a")["metadata"]["resourceVersion"] = "1".into();
            return Some(reply);
        }
        None
    });
    let text = told(&world, &server, "sync agent --yes");
    assert_eq!(server.asked().iter().filter(|asked| asked.method == "DELETE").count(), 5);
    same(text, file!["../../expected/live/sync/conflicts.txt"]);
}

fn what_a_server_asks_to_wait_is_waited() {
    let world = World::small(&on_delete(), &NODES[..1], Rules::default());
    let tries = std::sync::Mutex::new(Vec::new());
    let tries = std::sync::Arc::new(tries);
    let seen = std::sync::Arc::clone(&tries);
    let server = world.serve_with(move |asked, _| {
        if asked.method != "DELETE" {
            return None;
        }
        let mut tries = seen.lock().expect("no server panics");
        tries.push(std::time::Instant::now());
        let too_many = Reply::status(429, "TooManyRequests", "too many requests, please try again later");
        (tries.len() == 1).then(|| too_many.with("Retry-After", "3"))
    });
    let text = told(&world, &server, "sync agent --yes");
    same(text, file!["../../expected/live/sync/throttled.txt"]);
    let tries = tries.lock().expect("no server panics").clone();
    assert_eq!(tries.len(), 2);
    assert!(tries[1] - tries[0] >= std::time::Duration::from_secs(3), "{:?}", tries[1] - tries[0]);
}

fn time_runs_out() {
    let world = World::small(&on_delete(), &NODES, Rules { ready_after: 1000, ..Rules::default() });
    let text = told(&world, &world.serve(), "sync agent --yes --timeout 3s");
    same(text, file!["../../expected/live/sync/timeout.txt"]);
}

fn writes_that_never_succeed_end_the_run() {
    let busy = || Reply::status(503, "ServiceUnavailable", "the server is currently unable to handle the request");
    let world = World::small(&rolling(), &NODES, sleeping());
    world.lock().remove("Pod", "agent-a");
    let server = world.serve_with(move |asked, _| (asked.method == "POST" && is_of_pods(asked)).then(busy));
    same(told(&world, &server, "sync agent --yes --controller-wait 0s"), file!["../../expected/live/sync/never.txt"]);
    assert_eq!(server.asked().iter().filter(|asked| asked.method == "POST" && is_of_pods(asked)).count(), 5);
}

fn is_of_pods(asked: &Asked) -> bool {
    asked.path.ends_with("/pods")
}

fn time_runs_out_while_nothing_can_be_read() {
    let world = World::small(&on_delete(), &NODES, Rules::default());
    let server = world.serve_with(|asked, world| {
        let is_late = is_list(asked, "nodes") && !world.writes.is_empty();
        is_late.then(|| {
            Reply::status(403, "Forbidden", "nodes is forbidden: User \"jane\" cannot list resource \"nodes\"")
        })
    });
    let forbidden = told(&world, &server, "sync agent --yes --timeout 3s");
    let world = World::small(&on_delete(), &NODES, Rules::default());
    let server = world.serve_with(|asked, world| {
        let is_late = is_list(asked, "nodes") && !world.writes.is_empty();
        is_late.then(Reply::silent)
    });
    let silent = told(&world, &server, "sync agent --yes --timeout 3s");
    same(forbidden + &silent, file!["../../expected/live/sync/unreadable.txt"]);
}

fn a_spec_that_changes_between_two_batches_ends_the_run() {
    let world = World::small(&on_delete(), &NODES, Rules::default());
    let server = world.serve_with(|asked, world| {
        if asked.method == "DELETE" {
            let reply = world.answer(asked);
            world.object("DaemonSet", "agent")["metadata"]["generation"] = 5.into();
            return Some(reply);
        }
        None
    });
    same(told(&world, &server, "sync agent --yes"), file!["../../expected/live/sync/changed-midway.txt"]);
}

fn a_pod_that_already_terminates_is_not_deleted_again() {
    let world = World::small(&on_delete(), &NODES[..1], Rules { gone_after: 3, ..Rules::default() });
    {
        let mut world = world.lock();
        let pod = world.object("Pod", "agent-a");
        pod["metadata"]["deletionTimestamp"] = "2026-11-29T13:00:00Z".into();
        pod["metadata"]["deletionGracePeriodSeconds"] = 30.into();
    }
    let ended = sync(&world.serve(), "agent --yes --timeout 1s");
    assert_eq!((ended.code, &world.lock().writes), (12, &Vec::new()));
}

/// Returns names of nodes.
fn many() -> [&'static str; 7] {
    ["a", "b", "c", "d", "e", "f", "g"]
}

fn creations_start_slowly_and_stop_at_the_first_failure() {
    let world = World::small(&rolling(), &many(), sleeping());
    world.lock().objects().retain(|object| object["kind"] != "Pod");
    let server = world.serve_with(|asked, _| {
        let is_first_try_on_c = asked.method == "POST" && asked.body.contains("\"values\":[\"c\"]");
        is_first_try_on_c.then(|| Reply::status(403, "Forbidden", "pods \"agent-\" is forbidden: exceeded quota: q"))
    });
    let ended = sync(&server, "agent --yes");
    let mut writes = world.lock().writes.clone();
    writes.sort();
    assert_eq!((ended.code, writes), (14, ["create on a", "create on b", "patch agent"].map(str::to_owned).to_vec()));
    let error = "error: create a pod on c: pods \"agent-\" is forbidden: exceeded quota: q\n";
    assert_eq!(ended.stderr.matches(error).count(), 1, "{}", ended.stderr);
}

fn deletions_are_all_attempted() {
    let world = World::small(&on_delete(), &many(), Rules { budget: 4, ..Rules::default() });
    let server = world.serve_with(|asked, _| {
        let is_first = asked.path.ends_with("/agent-a");
        is_first.then(|| Reply::status(403, "Forbidden", "pods \"agent-a\" is forbidden: no"))
    });
    let ended = sync(&server, "agent --yes --max-unavailable 50%");
    let mut writes = world.lock().writes.clone();
    writes.sort();
    let made = ["delete agent-b", "delete agent-c", "delete agent-d"].map(str::to_owned).to_vec();
    assert_eq!((ended.code, writes), (14, made), "{}", ended.stderr);
}

fn without_a_terminal_somebody_must_have_said_yes() {
    let world = World::small(&on_delete(), &NODES, Rules::default());
    same(told(&world, &world.serve(), "sync agent"), file!["../../expected/live/sync/nobody-to-ask.txt"]);
}
