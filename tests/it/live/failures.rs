//! What the server will not do, or not at once, and what is said of it.

use snapbox::file;

use super::server::{Asked, Cluster, Reply, Server};
use super::{config, no_fault, same, session, session_with, stuck, with_paths};
use crate::cli::process::temporary;

trials![
    an_expired_list_is_begun_anew,
    a_list_that_always_expires_is_given_up,
    temporary_failures_are_tried_again,
    lasting_failures_are_told,
    forbidden_lists_are_told_with_the_rule_that_allows_them,
    what_is_not_an_api_server_is_told,
    servers_that_cannot_be_reached_are_told,
    a_request_may_not_last_longer_than_its_timeout,
    old_servers_are_warned_of,
    the_version_of_this_tool_is_told_whatever_the_server_does,
    kubeconfigs_that_do_not_hold_together,
    wrong_usage,
    pods_of_other_namespaces_may_be_forbidden,
];

fn is_list(asked: &Asked, plural: &str) -> bool {
    asked.path.ends_with(plural)
}

fn expired() -> Reply {
    Reply::status(410, "Expired", "The provided continue parameter is too old")
}

fn an_expired_list_is_begun_anew() {
    let server = stuck(|asked, before| (is_list(asked, "/pods") && before == 1).then(expired));
    let transcript = session_with(&server, &["plan -o name --chunk-size 5"]);
    same(with_paths(transcript, &server), file!["../expected/live/expired.txt"]);
}

fn a_list_that_always_expires_is_given_up() {
    let server = stuck(|asked, _| (is_list(asked, "/pods") && asked.parameter("continue").is_some()).then(expired));
    same(session_with(&server, &["plan --chunk-size 5"]), file!["../expected/live/expired-always.txt"]);
}

fn temporary_failures_are_tried_again() {
    let server = stuck(|asked, before| match (before, asked.path.rsplit('/').next().unwrap_or_default()) {
        (0, "nodes") => Some(Reply::status(503, "ServiceUnavailable", "the server is starting")),
        (0, "pods") => Some(Reply::status(500, "InternalError", "etcdserver: leader changed")),
        (0, "controllerrevisions") => {
            Some(Reply::status(429, "TooManyRequests", "too many requests").with("Retry-After", "1"))
        }
        (0, "daemonsets") => Some(Reply::json(&serde_json::json!({ "items": [], "metadata": {} })).cut()),
        _ => None,
    });
    let transcript = session_with(&server, &["plan -o name"]);
    same(with_paths(transcript, &server), file!["../expected/live/tried-again.txt"]);
}

fn lasting_failures_are_told() {
    let throttled =
        stuck(|_, _| Some(Reply::status(429, "TooManyRequests", "too many requests").with("Retry-After", "600")));
    let refused = stuck(|_, _| Some(Reply::status(401, "Unauthorized", "Unauthorized")));
    let broken = stuck(|asked, _| {
        let body = serde_json::json!({ "items": [{ "metadata": { "name": "x" }, "status": { "phase": 7 } }] });
        is_list(asked, "/pods").then(|| Reply::json(&body))
    });
    let sessions = [throttled, refused, broken].map(|server| session_with(&server, &["plan"]));
    same(sessions.concat(), file!["../expected/live/lasting.txt"]);
}

/// Forbids lists of this kind, as an API server words it.
pub fn forbid(asked: &Asked, plural: &str) -> Option<Reply> {
    let place = match asked.path.split("/namespaces/").nth(1) {
        Some(rest) => format!("in the namespace {:?}", rest.split('/').next().unwrap_or_default()),
        None => "at the cluster scope".to_owned(),
    };
    let (name, group) = match plural {
        "daemonsets" | "controllerrevisions" => (format!("{plural}.apps"), "apps"),
        _ => (plural.to_owned(), ""),
    };
    let message =
        format!("{name} is forbidden: User \"jane\" cannot list resource {plural:?} in API group {group:?} {place}");
    is_list(asked, &format!("/{plural}")).then(|| Reply::status(403, "Forbidden", &message))
}

fn forbidden_lists_are_told_with_the_rule_that_allows_them() {
    let mut text = String::new();
    for plural in ["nodes", "controllerrevisions", "events", "pods", "daemonsets"] {
        let server = stuck(move |asked, _| forbid(asked, plural));
        let lines: &[&str] = match plural {
            "nodes" => &[
                "plan node-agent",
                "plan --exit-code -o name",
                "nodes node-agent",
                "why node-agent",
                "why node-agent node-0000",
            ],
            "controllerrevisions" => &["plan node-agent", "snapshot -o name | head"],
            "daemonsets" => &["plan node-agent", "plan -A"],
            _ => &["plan -o name"],
        };
        let lines: Vec<_> = lines.iter().copied().filter(|line| !line.contains('|')).collect();
        text += &session_with(&server, &lines);
    }
    let server = stuck(|_, _| Some(Reply::status(403, "Forbidden", "no access to anything")));
    same(text + &session_with(&server, &["plan"]), file!["../expected/live/forbidden.txt"]);
}

fn what_is_not_an_api_server_is_told() {
    let page = |code| {
        stuck(move |_, _| Some(Reply { code, body: "<html>hello</html>".to_owned(), ..Reply::status(code, "", "") }))
    };
    let sessions = [200, 404, 302, 400].map(|code| session_with(&page(code), &["plan"]));
    same(sessions.concat(), file!["../expected/live/no-api-server.txt"]);
}

fn servers_that_cannot_be_reached_are_told() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port();
    let nobody = format!("plan -s http://127.0.0.1:{port}");
    let home = [("HOME", "/nonexistent")];
    let lines = [&nobody, "plan -s http://no-such-host.invalid", "plan -s 'http://a b'", "plan -s ftp://x", "plan"];
    same(
        session(&lines, &home, &[(&format!("127.0.0.1:{port}"), "SERVER")]),
        file!["../expected/live/unreachable.txt"],
    );
}

fn a_request_may_not_last_longer_than_its_timeout() {
    let server = stuck(|asked, _| is_list(asked, "/daemonsets").then(Reply::silent));
    same(session_with(&server, &["plan --request-timeout 300ms"]), file!["../expected/live/timeout.txt"]);
}

fn old_servers_are_warned_of() {
    let server = Server::start(Cluster { version: "v1.29.4-gke.1", ..Cluster::read("stuck-rollout") }, no_fault);
    let silent = stuck(|asked, _| (asked.path == "/version").then(|| Reply::status(403, "Forbidden", "no")));
    let text = [server, silent].map(|server| session_with(&server, &["plan -o name"]));
    same(text.concat(), file!["../expected/live/versions.txt"]);
}

fn the_version_of_this_tool_is_told_whatever_the_server_does() {
    let lines = ["version", "version -o json", "version -o yaml -n monitoring", "version --client=true -o json"];
    let server = stuck(no_fault);
    let mut text = with_paths(session_with(&server, &lines), &server);
    let refused = stuck(|_, _| Some(Reply::status(403, "Forbidden", "no access to anything")));
    let page =
        stuck(|_, _| Some(Reply { body: "<html>hello</html>".to_owned(), ..Reply::json(&serde_json::json!({})) }));
    // One try, so that it does not last: a server that is starting is not waited for.
    let starting = stuck(|_, _| Some(Reply::status(503, "ServiceUnavailable", "the server is starting")));
    for server in [refused, page, starting] {
        text += &with_paths(session_with(&server, &["version"]), &server);
    }
    let silent = stuck(|_, _| Some(Reply::silent()));
    text += &session_with(&silent, &["version", "version --request-timeout 300ms -o json"]);
    text += &session(&["version -o json"], &[("HOME", "/nonexistent")], &[]);
    let platform = format!("{}/", std::env::consts::OS);
    assert!(text.contains(&platform.replace("macos", "darwin")), "{text}");
    same(without_platform(&text), file!["../expected/live/version.txt"]);
}

/// Replaces the platform, which is that of the machine.
fn without_platform(text: &str) -> String {
    let lines = text.lines().map(|line| match line.split_once("platform") {
        Some((before, _)) => format!("{}platform: PLATFORM", before.trim_end_matches('"')),
        None => line.to_owned(),
    });
    lines.map(|line| line + "\n").collect()
}

fn kubeconfigs_that_do_not_hold_together() {
    let server = stuck(no_fault);
    let good = config(&server.url(), "monitoring", serde_json::json!({}));
    let path = temporary(&good.to_string());
    let with = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut changed = good.clone();
        change(&mut changed);
        temporary(&changed.to_string())
    };
    let no_context = with(&|config| config["current-context"] = "".into());
    let no_server = with(&|config| config["clusters"][0]["cluster"] = serde_json::json!({}));
    let broken = temporary("{ contexts: 7 }");
    let authority = with(&|config| {
        config["clusters"][0]["cluster"] =
            serde_json::json!({ "server": "https://127.0.0.1:1", "certificate-authority": "/nonexistent/ca.crt" });
    });
    let provider = with(&|config| {
        config["clusters"][0]["cluster"]["server"] = "https://127.0.0.1:1".into();
        config["users"][0]["user"] = serde_json::json!({ "auth-provider": { "name": "gcp" } });
    });
    let key = with(&|config| config["users"][0]["user"] = serde_json::json!({ "client-certificate-data": "eA==" }));
    let lists = format!("/nonexistent/a:{path}:/nonexistent/b");
    let files = [&path, &no_context, &no_server, &broken, &authority, &provider, &key];
    let names = ["GOOD", "NO-CONTEXT", "NO-SERVER", "BROKEN", "AUTHORITY", "PROVIDER", "KEY"];
    let replace: Vec<_> = files.iter().map(|file| file.as_str()).zip(names).collect();
    let mut text = String::new();
    for file in files {
        text += &session(&[&format!("plan -o name --kubeconfig {file}")], &[], &replace);
    }
    let lines = [
        "plan -o name",
        "plan --context prod",
        "plan --context devv",
        "plan --cluster prod",
        "plan --user you",
        "plan --kubeconfig /nonexistent/config",
    ];
    text += &session(&lines, &[("KUBECONFIG", &lists)], &replace);
    text += &session(&["plan"], &[("KUBECONFIG", "/nonexistent/a:/nonexistent/b")], &replace);
    same(text, file!["../expected/live/kubeconfigs.txt"]);
}

fn wrong_usage() {
    let server = stuck(no_fault);
    let lines = [
        "plan --as-group admins",
        "plan --token t --username u",
        "plan --request-timeout soon",
        "plan --request-timeout=-1s",
        "plan --as-user-extra scopes",
        "plan --chunk-size many",
        "plan --insecure-skip-tls-verify=maybe",
    ];
    same(session_with(&server, &lines), file!["../expected/live/usage.txt"]);
}

/// Makes a pod of the set wait for room on its node.
pub fn without_room() -> Cluster {
    let mut cluster = Cluster::read("stuck-rollout");
    let pods = cluster.objects.iter_mut().filter(|object| object["kind"] == "Pod");
    let pod = pods.into_iter().next().expect("a pod");
    let node = pod["spec"]["nodeName"].take();
    let mut other = pod.clone();
    pod["spec"]["affinity"] = serde_json::json!({ "nodeAffinity": { "requiredDuringSchedulingIgnoredDuringExecution": {
        "nodeSelectorTerms": [{ "matchFields": [{ "key": "metadata.name", "operator": "In", "values": [node] }] }],
    } } });
    pod["spec"]["containers"][0]["resources"] = serde_json::json!({ "requests": { "cpu": "1" } });
    pod["metadata"]["creationTimestamp"] = "2026-11-29T14:30:00Z".into();
    pod["status"] = serde_json::json!({ "phase": "Pending", "conditions": [{
        "type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/12 nodes are available",
        "lastTransitionTime": "2026-11-29T14:30:00Z",
    }] });
    other["metadata"] = serde_json::json!({ "name": "greedy", "namespace": "batch", "uid": "greedy" });
    other["spec"]["nodeName"] = node;
    other["spec"]["containers"][0]["resources"] = serde_json::json!({ "requests": { "cpu": "100" } });
    other["status"] = serde_json::json!({ "phase": "Running" });
    cluster.objects.push(other);
    cluster
}

fn pods_of_other_namespaces_may_be_forbidden() {
    let seen = Server::start(without_room(), no_fault);
    let seen = with_paths(session_with(&seen, &["plan node-agent"]), &seen);
    let hidden = Server::start(
        without_room(),
        |asked, _| if asked.path == "/api/v1/pods" { forbid(asked, "pods") } else { None },
    );
    let hidden = session_with(&hidden, &["plan node-agent"]);
    same(seen + &hidden, file!["../expected/live/room.txt"]);
}
