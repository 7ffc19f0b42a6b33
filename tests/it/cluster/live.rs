//! The plugin as people run it: through kubectl, on a real cluster, as users with more and less rights.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

use serde_json::Value;
use snapbox::{assert_data_eq, data::Data, file};

use super::daemon_set;
use super::process::{Cluster, Ended, eventually};
use crate::cli::process::temporary;
use crate::live::proxies::Proxy;

trials![
    each_user_is_answered_as_far_as_rights_go,
    a_plan_of_a_snapshot_is_the_plan_of_the_cluster,
    nothing_is_asked_for_but_lists,
    exit_codes_pass_through_kubectl,
    connections_are_used_again,
];

/// The namespace that the user `namespaced` may read; no other test puts anything there.
const TEAM: &str = "team";

/// Returns the cluster, with a set that has rolled out, `agent`, and one whose image cannot be pulled, `broken`.
pub fn team() -> Option<&'static Cluster> {
    static READY: OnceLock<()> = OnceLock::new();
    let cluster = Cluster::shared()?;
    READY.get_or_init(|| {
        cluster.apply(&daemon_set(TEAM, "agent", "agent:1"));
        cluster.apply(&daemon_set(TEAM, "broken", "agent:1-bad"));
        cluster.kubectl("-n team rollout status ds/agent --timeout=3m");
        let reasons = "{.items[*].status.containerStatuses[0].state.waiting.reason}";
        let all = ["ImagePullBackOff"; 3].join(" ");
        cluster.await_output(&format!("-n team get pods -l app=broken -o jsonpath={reasons}"), &all);
        let status = "{.status.observedGeneration}/{.status.updatedNumberScheduled}/{.status.numberUnavailable}";
        for (name, expected) in [("agent", "1/3/"), ("broken", "1/3/3")] {
            cluster.await_output(&format!("-n team get ds {name} -o jsonpath={status}"), expected);
        }
    });
    Some(cluster)
}

fn each_user_is_answered_as_far_as_rights_go() {
    let Some(cluster) = team() else { return };
    let mut text = String::new();
    let all: &[&str] = &["plan", "plan agent", "plan broken", "nodes broken", "why broken", "why agent node-0002"];
    for (user, lines) in [
        ("reader", all),
        ("namespaced", all),
        ("cert", &["plan"]),
        ("nobody", &["plan", "snapshot"]),
        ("distrust", &["plan"]),
    ] {
        for line in lines {
            text += &transcript(cluster, user, &format!("{line} -n team"));
        }
    }
    for line in ["plan agnet -n team", "nodes agent", "why broken node-0009 -n team", "snapshot agnet -n team"] {
        text += &transcript(cluster, "reader", line);
    }
    same(text, file!["../expected/cluster/users.txt"]);
}

fn a_plan_of_a_snapshot_is_the_plan_of_the_cluster() {
    let Some(cluster) = team() else { return };
    for user in ["reader", "namespaced"] {
        for name in ["agent", "broken"] {
            let compared = eventually(|| snapshot_equals_cluster(cluster, user, name));
            assert!(compared, "snapshot and plan of {name} never fell into the same second");
        }
    }
}

/// Compares the plan of a fresh snapshot with that of the cluster; `false` if the clock moved in between.
fn snapshot_equals_cluster(cluster: &Cluster, user: &str, name: &str) -> bool {
    let taken = plugin(cluster, user, &format!("snapshot {name} -n team"));
    let live = plugin(cluster, user, &format!("plan {name} -n team -o json"));
    let file = temporary(&taken.stdout);
    let read = plugin(cluster, user, &format!("plan {name} --snapshot {file} -o json"));
    assert_eq!((taken.code, live.code, read.code), (0, 0, 0), "{}{}{}", taken.stderr, live.stderr, read.stderr);
    let clock = |ended: &Ended| {
        let list: Value = serde_json::from_str(&ended.stdout).expect("JSON");
        list["items"][0]["evaluatedAt"].clone()
    };
    let is_same_second = clock(&live) == clock(&read);
    if is_same_second {
        assert_eq!(live.stdout, read.stdout, "{name} as {user}");
    }
    is_same_second
}

fn nothing_is_asked_for_but_lists() {
    let Some(cluster) = team() else { return };
    let lists = |paths: [&str; 5]| {
        let lists = paths.map(|path| format!("GET https://{}{path}?limit=500 200 OK", cluster.address));
        let version = format!("GET https://{}/version 200 OK", cluster.address);
        lists.into_iter().chain([version]).collect::<BTreeSet<_>>()
    };
    let in_team = lists([
        "/api/v1/namespaces/team/events",
        "/api/v1/namespaces/team/pods",
        "/api/v1/nodes",
        "/apis/apps/v1/namespaces/team/controllerrevisions",
        "/apis/apps/v1/namespaces/team/daemonsets",
    ]);
    let everywhere = lists([
        "/api/v1/events",
        "/api/v1/nodes",
        "/api/v1/pods",
        "/apis/apps/v1/controllerrevisions",
        "/apis/apps/v1/daemonsets",
    ]);
    for (line, expected) in [
        ("plan -n team", &in_team),
        ("plan broken -n team", &in_team),
        ("nodes broken -n team", &in_team),
        ("why broken node-0001 -n team", &in_team),
        ("snapshot broken -n team", &in_team),
        ("plan -A", &everywhere),
        ("snapshot -A", &everywhere),
    ] {
        let ended = plugin(cluster, "reader", &format!("{line} -v 6"));
        let asked: Vec<_> = ended.stderr.lines().map(|line| line.split(" in ").next().unwrap_or_default()).collect();
        assert_eq!(asked.len(), expected.len(), "{line}: {}", ended.stderr);
        assert_eq!(&asked.into_iter().map(str::to_owned).collect::<BTreeSet<_>>(), expected, "{line}");
    }
}

fn exit_codes_pass_through_kubectl() {
    let Some(cluster) = team() else { return };
    for (user, line, expected) in [
        ("reader", "plan agent -n team --exit-code", 0),
        ("reader", "plan broken -n team --exit-code", 11),
        ("reader", "plan -n team --exit-code", 11),
        ("namespaced", "plan agent -n team --exit-code", 1),
        // The namespace is that of the context.
        ("namespaced", "plan agent", 0),
        ("reader", "plan agnet -n team", 1),
        ("nobody", "plan -n team", 1),
        ("distrust", "plan -n team", 1),
        ("reader", "plan agent -A", 2),
        ("reader", "plan --no-such-flag", 2),
    ] {
        let ended = plugin(cluster, user, line);
        assert_eq!(ended.code, expected, "{line} as {user}: {}", ended.stderr);
    }
}

fn connections_are_used_again() {
    let Some(cluster) = team() else { return };
    let (_, port) = cluster.address.rsplit_once(':').expect("an address with a port");
    let relay = Proxy::start(port.parse().expect("a port"), |_| {});
    let server = format!("https://127.0.0.1:{}", relay.port);
    let ended = plugin(cluster, "reader", &format!("plan -A -o name --chunk-size 1 -v 6 --server {server}"));
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let (num_requests, num_connections) = (ended.stderr.lines().count(), relay.used.load(Ordering::Relaxed));
    // Three nodes and six pods of this namespace alone come one by one; five requests are under way at once.
    assert!(num_requests >= 15, "{}", ended.stderr);
    assert!(num_connections <= 6, "{num_requests} requests took {num_connections} connections");
}

fn plugin(cluster: &Cluster, user: &str, line: &str) -> Ended {
    cluster.kubectl_as(user, &format!("daemonset {line}"))
}

/// Runs the plugin as a user; what changes from run to run is replaced.
fn transcript(cluster: &Cluster, user: &str, line: &str) -> String {
    let ended = plugin(cluster, user, line);
    let mut text = format!("{user}$ kubectl daemonset {line}\n{}", ended.stdout);
    for line in ended.stderr.lines() {
        let _ = writeln!(text, "! {line}");
    }
    if ended.code != 0 {
        let _ = writeln!(text, "[exit code {}]", ended.code);
    }
    for (pod, node) in pods(cluster) {
        let (set, _) = pod.rsplit_once('-').expect("names of pods are made of two parts");
        text = text.replace(pod, &format!("{set}-n{}", node.trim_start_matches("node-")));
    }
    without_ages(&text) + "\n"
}

/// Returns each pod of the namespace with its node. They do not change.
fn pods(cluster: &Cluster) -> impl Iterator<Item = (&'static str, &'static str)> {
    static PODS: OnceLock<String> = OnceLock::new();
    let columns = "custom-columns=POD:.metadata.name,NODE:.spec.nodeName";
    let read = || cluster.kubectl(&format!("-n team get pods --no-headers -o {columns}"));
    PODS.get_or_init(read).lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((words.next()?, words.next()?))
    })
}

/// Replaces ages by a word, and with them the width of their columns.
fn without_ages(text: &str) -> String {
    let line = |line: &str| {
        let mut words: Vec<_> = line.split(' ').map(without_age).collect();
        // Three spaces are the gap between two columns.
        while let Some(at) = words.windows(3).position(|three| three.iter().all(String::is_empty)) {
            words.remove(at);
        }
        words.join(" ").trim_end().to_owned() + "\n"
    };
    text.lines().map(line).collect()
}

fn without_age(word: &str) -> String {
    let age = word.trim_end_matches([',', ';', '.', ')']);
    let is_age = age.starts_with(|c: char| c.is_ascii_digit())
        && age.ends_with(['s', 'm', 'h'])
        && age.chars().all(|c| c.is_ascii_digit() || matches!(c, 's' | 'm' | 'h'));
    if is_age { word.replace(age, "AGE") } else { word.to_owned() }
}

fn same(text: String, expected: Data) {
    assert_data_eq!(Data::text(text).raw(), expected.raw());
}
