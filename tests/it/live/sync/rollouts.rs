//! Whole rollouts.

use snapbox::file;

use super::{on_delete, rolling, same, told, written};
use crate::cli::process::run_in;
use crate::live::credentials::{Plugin, as_user};
use crate::live::server::{Cluster, Reply};
use crate::live::world::{Controller, Rules, World};

trials![
    credentials_that_are_refused_midway_are_renewed,
    a_sleeping_controller_is_waited_for_then_nudged_then_replaced,
    a_controller_that_wakes_when_nudged_is_left_to_it,
    on_delete_pods_go_one_by_one,
    on_delete_without_a_controller_is_done_whole,
    events_are_one_document_each,
    a_pod_that_fails_ends_the_rollout,
    only_the_next_batch,
    a_batch_is_a_share_of_the_nodes,
    several_sets_are_done_one_after_the_other,
];

const NODES: [&str; 3] = ["a", "b", "c"];

fn a_sleeping_controller_is_waited_for_then_nudged_then_replaced() {
    let world = World::of_dump("asleep-surge", Rules { controller: Controller::Sleeps, budget: 0, ..Rules::default() });
    let before = world.lock().names_of("log-agent");
    let text = told(&world, &world.serve(), "sync log-agent -n logging --yes --controller-wait 100ms");
    same(text, file!["../../expected/live/sync/asleep-surge.txt"]);
    let gone: Vec<_> = before.difference(&world.lock().names_of("log-agent")).cloned().collect();
    assert_eq!(gone, ["log-agent-cx7gr", "log-agent-g8gfx", "log-agent-zjstv"]);
    assert_eq!(world.lock().names_of("log-agent").len(), before.len() - 3);
}

fn a_controller_that_wakes_when_nudged_is_left_to_it() {
    let rules = Rules { controller: Controller::WakesWhenNudged, ..Rules::default() };
    let world = World::small(&rolling(), &NODES, rules);
    let text = told(&world, &world.serve(), "sync agent --yes --controller-wait 100ms");
    same(text, file!["../../expected/live/sync/wakes.txt"]);
    assert_eq!(world.lock().pods_of("agent"), ["a new ready", "b new ready", "c new ready"]);
}

fn on_delete_pods_go_one_by_one() {
    let world = World::small(&on_delete(), &NODES, Rules { gone_after: 1, ..Rules::default() });
    let text = told(&world, &world.serve(), "sync agent --yes");
    same(text, file!["../../expected/live/sync/on-delete.txt"]);
    assert_eq!(world.lock().pods_of("agent"), ["a new ready", "b new ready", "c new ready"]);
}

fn on_delete_without_a_controller_is_done_whole() {
    let world = World::small(&on_delete(), &NODES, Rules { controller: Controller::Sleeps, ..Rules::default() });
    let text = told(&world, &world.serve(), "sync agent --yes --controller-wait 100ms");
    same(text, file!["../../expected/live/sync/on-delete-alone.txt"]);
    assert_eq!(world.lock().pods_of("agent"), ["a new ready", "b new ready", "c new ready"]);
}

fn events_are_one_document_each() {
    let mut text = String::new();
    for format in ["json", "yaml", "name"] {
        let world = World::small(&on_delete(), &NODES[..1], Rules { ready_after: 2, ..Rules::default() });
        text += &told(&world, &world.serve(), &format!("sync agent --yes -o {format}"));
    }
    same(text, file!["../../expected/live/sync/formats.txt"]);
}

fn a_pod_that_fails_ends_the_rollout() {
    let rules = || Rules { broken_nodes: ["a"].into(), ..Rules::default() };
    let world = World::small(&on_delete(), &NODES, rules());
    let mut text = told(&world, &world.serve(), "sync agent --yes");
    assert_eq!(world.lock().pods_of("agent"), ["a new not-ready", "b old ready", "c old ready"]);
    let world = World::small(&on_delete(), &NODES, Rules { ready_after: 1000, budget: 2, ..Rules::default() });
    text += &told(&world, &world.serve(), "sync agent --yes --max-unavailable 2 --pod-timeout 1500ms");
    same(text, file!["../../expected/live/sync/failing-pod.txt"]);
}

fn only_the_next_batch() {
    let world = World::small(&on_delete(), &NODES, Rules::default());
    let server = world.serve();
    let mut text = told(&world, &server, "sync agent --yes --once");
    text += &told(&world, &server, "sync agent --yes --once");
    text += &told(&world, &server, "sync agent --yes --once");
    text += &told(&world, &server, "sync agent --yes --once");
    same(text, file!["../../expected/live/sync/once.txt"]);
}

fn a_batch_is_a_share_of_the_nodes() {
    let world = World::of_dump("surge-and-ondelete", Rules { budget: 3, ready_after: 2, ..Rules::default() });
    let line = "sync cni -n kube-system --yes --max-unavailable 25% --chunk-size 7";
    same(told(&world, &world.serve(), line), file!["../../expected/live/sync/share.txt"]);
    assert_eq!(world.lock().pods_of("cni").iter().filter(|pod| pod.ends_with(" ready")).count(), 11);
}

fn several_sets_are_done_one_after_the_other() {
    let cluster = Cluster::read("asleep-surge").in_one_namespace();
    let world = World::of(cluster, Rules { controller: Controller::Sleeps, budget: 2, ..Rules::default() });
    let line = "sync log-agent node-agent cni -n monitoring --yes --controller-wait 100ms --stall-after 1s --once";
    same(told(&world, &world.serve(), line), file!["../../expected/live/sync/several.txt"]);
}

/// Between two batches the token is no longer good; no write is lost for it, and none is made twice.
fn credentials_that_are_refused_midway_are_renewed() {
    let world = World::small(&on_delete(), &["a", "b"], Rules::default());
    let server = world.serve_with_tls(|asked, world| {
        let is_old = asked.header("authorization") == ["Bearer t1"];
        (is_old && !world.writes.is_empty()).then(|| Reply::status(401, "Unauthorized", "Unauthorized"))
    });
    let plugin = Plugin::new("");
    let ended = run_in(&format!("sync agent --yes -n ops {}", as_user(&server, plugin.user())), &[]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert_eq!(plugin.runs(), 2);
    assert_eq!(written(&world), "> delete agent-a\n> delete agent-b\n\n");
}
