//! The numbered edge cases of the controller's reference: each is walked by a test, or listed here with the reason why it
//! cannot occur in a pure function of one state.

use std::collections::BTreeMap;

/// How many edge cases the reference counts.
const EDGE_CASES: u32 = 171;

const EXECUTION: &str = "about calls to the API that fail: the Plan says what is tried, nothing is carried out here";
const LIVE_READ: &str = "about reads and patches of one sync against a live server: a Snapshot is one consistent state";
const BACK_OFF: &str = "the back-off of failed pods lives in the controller's memory: the Plan assumes none";
const POD_SHAPE: &str = "the shape of the created pod: the Plan names the node, whoever creates builds the pod";
const STATUS_WRITE: &str = "about writing the status: the Plan computes the numbers and writes nothing";
const HASH: &str =
    "needs the hash of the template, which cannot be computed outside Go: the name of the revision is not known";

/// The edge cases that cannot occur here, and why.
const NOT_HERE: &[(u32, &str)] = &[
    (3, LIVE_READ),
    (55, BACK_OFF),
    (71, EXECUTION),
    (72, EXECUTION),
    (73, EXECUTION),
    (74, EXECUTION),
    (75, EXECUTION),
    (76, POD_SHAPE),
    (77, POD_SHAPE),
    (78, POD_SHAPE),
    (79, POD_SHAPE),
    (82, HASH),
    (117, STATUS_WRITE),
    (118, STATUS_WRITE),
    (121, "says when a sync happens, not what it decides"),
    (123, LIVE_READ),
    (124, EXECUTION),
    (125, LIVE_READ),
    (131, BACK_OFF),
    (132, EXECUTION),
    (142, "the gate TaintTolerationComparisonOperators is off by default, and cannot be seen from outside"),
    (144, POD_SHAPE),
    (145, POD_SHAPE),
    (146, POD_SHAPE),
    (150, HASH),
    (153, "the API server always sets revisionHistoryLimit: where a file lacks it, its default is taken"),
    (161, STATUS_WRITE),
    (162, STATUS_WRITE),
    (163, STATUS_WRITE),
];

const SOURCES: [&str; 7] = [
    include_str!("claims.rs"),
    include_str!("manage.rs"),
    include_str!("placement.rs"),
    include_str!("revisions.rs"),
    include_str!("rollout.rs"),
    include_str!("status.rs"),
    include_str!("surge.rs"),
];

/// Says which edge cases a test walks. Stands in the test as `covers([89, 90])`, where
/// [`every_edge_case_is_walked_or_cannot_occur`] finds it.
pub fn covers<const N: usize>(numbers: [u32; N]) {
    assert!(numbers.iter().all(|number| (1..=EDGE_CASES).contains(number)), "{numbers:?}");
}

#[test]
fn every_edge_case_is_walked_or_cannot_occur() {
    let mut places: BTreeMap<u32, usize> = (1..=EDGE_CASES).map(|number| (number, 0)).collect();
    let listed = NOT_HERE.iter().map(|(number, _)| *number);
    for number in SOURCES.into_iter().flat_map(covered_in).chain(listed) {
        *places.entry(number).or_default() += 1;
    }
    let wrong: Vec<_> = places.into_iter().filter(|(_, count)| *count != 1).collect();
    assert_eq!(wrong, [], "(edge case, number of places that name it)");
}

/// Returns the numbers in all `covers([…])` of a source text.
fn covered_in(text: &str) -> Vec<u32> {
    let calls = text.split("covers([").skip(1).filter_map(|rest| rest.split_once("])")).map(|(numbers, _)| numbers);
    calls.flat_map(|numbers| numbers.split(',')).map(|number| number.trim().parse().expect("a number")).collect()
}
