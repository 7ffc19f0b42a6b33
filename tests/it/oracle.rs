//! The reconciler against the real controller: recorded decisions everywhere, fresh random states where Go is found.
//!
//! `ORACLE_STATES` sets how many fresh states are compared (default 3000), `ORACLE_SEED` the first seed (default: the clock).

mod compare;
mod pods;
mod process;
mod shrink;

use std::env;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value;

use crate::support::read;
use compare::{Verdict, compare};
use process::Oracle;

trials![
    recorded_decisions_are_ours,
    fresh_decisions_are_ours,
    dumps_are_planned_as_the_controller_would,
    deliberate_mistakes_are_caught,
    pods_are_made_as_the_controller_makes_them,
];

const DEFAULT_STATES: u64 = 3000;

/// A state with the controller's answer.
struct Sample {
    seed: String,
    state: Value,
    now: String,
    daemon_set: Value,
    answer: Value,
}

impl Sample {
    fn from_line(line: &str) -> Self {
        let mut value: Value = serde_json::from_str(line).expect("the oracle prints JSON lines");
        let now = value["now"].as_str().expect("a sample has a clock").to_owned();
        let seed = value["seed"].to_string();
        Self {
            seed,
            state: value["state"].take(),
            now,
            daemon_set: value["daemonSet"].take(),
            answer: value["answer"].take(),
        }
    }

    fn compare(&self) -> Verdict {
        compare(&self.state, &self.now, &self.daemon_set, &self.answer)
    }
}

/// What became of many comparisons.
#[derive(Default)]
struct Tally {
    compared: u64,
    partly: u64,
    wrong: Vec<(Sample, Vec<String>)>,
}

impl Tally {
    fn add(&mut self, sample: Sample) {
        match sample.compare() {
            Verdict::Same => self.compared += 1,
            Verdict::SameWhereKnown => self.partly += 1,
            Verdict::Different(differences) => {
                println!("oracle: seed {}: {}", sample.seed, differences.join("; "));
                self.wrong.push((sample, differences));
            }
        }
    }
}

fn recorded_decisions_are_ours() {
    let mut tally = Tally::default();
    read("upstream/recorded.jsonl").lines().for_each(|line| tally.add(Sample::from_line(line)));
    let report: Vec<_> =
        tally.wrong.iter().map(|(sample, wrong)| format!("seed {}: {}", sample.seed, wrong.join("; "))).collect();
    assert!(report.is_empty(), "{} of the recorded states differ:\n{}", report.len(), report.join("\n"));
    assert!(tally.compared > 100, "only {} recorded states were compared whole", tally.compared);
}

fn fresh_decisions_are_ours() {
    let Some(mut oracle) = Oracle::find() else { return };
    let count = number("ORACLE_STATES").unwrap_or(DEFAULT_STATES);
    let seed = number("ORACLE_SEED").unwrap_or_else(clock_seed);
    let mut tally = Tally::default();
    for line in oracle.generate(seed, count) {
        tally.add(Sample::from_line(&line));
        if tally.wrong.len() >= 10 {
            break;
        }
    }
    let total = tally.compared + tally.partly;
    println!("oracle: seed {seed}: {total} states agree, {} of them as far as can be known outside Go", tally.partly);
    if let Some((sample, differences)) = tally.wrong.first() {
        let shrunk = shrink::shrink(&mut oracle, sample);
        panic!(
            "{} disagreements from seed {seed} on; first: seed {}\n{}\nshrunk state (now {}):\n{shrunk}",
            tally.wrong.len(),
            sample.seed,
            differences.join("\n"),
            sample.now,
        );
    }
    assert!(
        total == count && (tally.compared > count / 2 || count < 100),
        "{total} of {count} states were compared, {} whole",
        tally.compared
    );
}

fn number(variable: &str) -> Option<u64> {
    Some(env::var(variable).ok()?.parse().unwrap_or_else(|_| panic!("{variable} is no number")))
}

fn clock_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |elapsed| elapsed.as_secs())
}

fn dumps_are_planned_as_the_controller_would() {
    let Some(mut oracle) = Oracle::find() else { return };
    for dump in ["all-nodes-unreachable", "asleep-surge", "node-gone", "stuck-rollout", "surge-and-ondelete"] {
        let list: Value = serde_saphyr::from_str(&read(&format!("clusters/{dump}.yaml"))).expect("a dump is YAML");
        let now = read(&format!("clusters/{dump}.now")).trim().to_owned();
        let sets = list["items"].as_array().into_iter().flatten().filter(|item| item["kind"] == "DaemonSet");
        for set in sets {
            let daemon_set = serde_json::json!({
                "namespace": set["metadata"]["namespace"], "name": set["metadata"]["name"],
            });
            let answer = oracle.answer(&list, &now, &daemon_set);
            let sample = Sample { seed: dump.to_owned(), state: list.clone(), now: now.clone(), daemon_set, answer };
            if let Verdict::Different(differences) = sample.compare() {
                panic!("{dump} {}: {}", sample.daemon_set, differences.join("\n"));
            }
        }
    }
}

/// Field by field, unknown to the reconciler or not.
fn pods_are_made_as_the_controller_makes_them() {
    let Some(mut oracle) = Oracle::find() else { return };
    let mut num_compared = 0;
    for line in read("upstream/recorded.jsonl").lines() {
        let sample = Sample::from_line(line);
        let answer = oracle.answer_with_pods(&sample.state, &sample.now, &sample.daemon_set);
        num_compared += pods::compare(&sample, &answer);
    }
    assert!(num_compared > 200, "only {num_compared} pods were compared");
}

/// The comparison itself is held to account: a wrong answer of any kind must show.
fn deliberate_mistakes_are_caught() {
    let mut caught = std::collections::BTreeMap::<&str, u32>::new();
    for line in read("upstream/recorded.jsonl").lines() {
        let sample = Sample::from_line(line);
        for (name, distorted) in compare::distortions(&sample.answer) {
            let verdict = compare(&sample.state, &sample.now, &sample.daemon_set, &distorted);
            *caught.entry(name).or_default() += u32::from(matches!(verdict, Verdict::Different(_)));
        }
    }
    for name in compare::DISTORTIONS {
        assert!(caught.get(name).is_some_and(|count| *count > 0), "a wrong answer was never caught: {name}");
    }
}
