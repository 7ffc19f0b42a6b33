//! The story that README tells: a stuck rollout is found and mended. Its commands are run one after the other.

use super::process::{Cluster, Options, eventually};
use crate::support::{read, test_path};

use serde_json::{Value, json};

trials![the_story_of_readme_is_true];

const BEGIN: &str = "<!-- story -->\n\n```text\n";
const END: &str = "```\n";

fn the_story_of_readme_is_true() {
    let Some(cluster) = Cluster::start(&Options { nodes: 0, ..Options::default() }) else { return };
    set_the_stage(&cluster);
    let readme = read("../README.md");
    let told = readme.split_once(BEGIN).and_then(|(_, rest)| rest.split_once(END)).expect("README tells a story").0;
    let mut played = String::new();
    for line in told.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let (command, is_cut) = line.strip_suffix(" | tail -n 1").map_or((line, false), |command| (command, true));
        let words = command.strip_prefix("kubectl ").expect("the commands are kubectl's");
        let ended = cluster.kubectl_as("admin", words);
        let stdout =
            if is_cut { ended.stdout.lines().last().unwrap_or_default().to_owned() + "\n" } else { ended.stdout };
        played += &format!("$ {line}\n{}{stdout}\n", ended.stderr);
        if words.contains("set image") {
            await_verdict(&cluster, "Blocked");
        }
    }
    if words(told) != words(&played) && std::env::var_os("SNAPSHOTS").is_some_and(|mode| mode == "overwrite") {
        std::fs::write(test_path("../README.md"), readme.replacen(told, &format!("{}\n", played.trim_end()), 1))
            .expect("README is writable");
        return;
    }
    assert!(words(told) == words(&played), "README tells\n{told}\nbut this is played\n{played}");
}

/// Three nodes with the agent.
fn set_the_stage(cluster: &Cluster) {
    let names: Vec<String> = (1..=3).map(|i| format!("node-{i}")).collect();
    cluster.command(&json!({ "do": "add-nodes", "names": names, "labels": { "pool": "story" } }));
    cluster.kubectl("create namespace monitoring");
    cluster.apply(&json!({
        "apiVersion": "apps/v1", "kind": "DaemonSet",
        "metadata": { "namespace": "monitoring", "name": "node-agent" },
        "spec": {
            "selector": { "matchLabels": { "app": "node-agent" } },
            "template": {
                "metadata": { "labels": { "app": "node-agent" } },
                "spec": {
                    "nodeSelector": { "pool": "story" },
                    "terminationGracePeriodSeconds": 1,
                    "containers": [{ "name": "agent", "image": "registry.example/agent:1.4" }],
                },
            },
        },
    }));
    cluster.kubectl("-n monitoring wait ds/node-agent --for=jsonpath={.status.numberAvailable}=3 --timeout=3m");
}

fn await_verdict(cluster: &Cluster, verdict: &str) {
    let now = || -> Value {
        let ended = cluster.kubectl_as("admin", "daemonset plan node-agent -n monitoring -o json");
        serde_json::from_str::<Value>(&ended.stdout).expect("JSON")["items"][0]["verdict"].take()
    };
    assert!(eventually(|| now() == verdict), "{}", now());
}

/// Returns the words but for what differs from time to time: which node comes first, the ends of names, hashes, ages, ports.
fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(word).collect()
}

fn word(word: &str) -> String {
    let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let shown = match bare.rsplit_once('-') {
        _ if bare.starts_with("https://") => "SERVER".to_owned(),
        Some((name @ ("node-agent" | "pod/node-agent"), end)) if end.len() == 5 => format!("{name}-END"),
        Some(("node", _)) if bare != "node-agent" => "node-N".to_owned(),
        _ if is_age(bare) => "AGE".to_owned(),
        _ if is_hash(bare) => "HASH".to_owned(),
        _ => bare.to_owned(),
    };
    word.replacen(bare, &shown, 1)
}

fn is_age(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && word.ends_with(['s', 'm', 'h'])
}

fn is_hash(word: &str) -> bool {
    let is_safe = |c: char| c.is_ascii_digit() || c.is_ascii_lowercase();
    (8..=10).contains(&word.len()) && word.contains(|c: char| c.is_ascii_digit()) && word.chars().all(is_safe)
}
