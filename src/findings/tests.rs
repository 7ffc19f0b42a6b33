//! Each kind of trouble on a small cluster: the whole list of findings, so that what is *not* said is tested too.

mod nodes;
mod pods;
mod rollout;
mod set;

use std::fmt::Write as _;

use snapbox::{IntoData, assert_data_eq};

use crate::plan::{FindingCode, Plan};

/// Compares all findings of a plan, as a person reads them, but for that the reported status is stale, which it always is here.
#[track_caller]
fn told(plan: &Plan, expected: impl IntoData) {
    let mut text = String::new();
    for finding in plan.findings.iter().filter(|finding| finding.code != FindingCode::StatusStale) {
        let severity = format!("{:?}", finding.severity).to_lowercase();
        let _ = writeln!(text, "{severity} {} [{}]", finding.code.as_str(), finding.nodes.join(" "));
        let _ = writeln!(text, "    {}", finding.message);
        if let Some(remedy) = &finding.remedy {
            let _ = writeln!(text, "    => {remedy}");
        }
    }
    assert_data_eq!(text, expected.into_data());
}

#[test]
fn every_code_is_produced_by_a_test() {
    let tests = [
        include_str!("tests/nodes.rs"),
        include_str!("tests/pods.rs"),
        include_str!("tests/rollout.rs"),
        include_str!("tests/set.rs"),
    ];
    let is_produced = |code: &FindingCode| {
        let line = format!(" {} [", code.as_str());
        tests.iter().any(|text| text.contains(&line))
    };
    let missing: Vec<_> = FindingCode::ALL.iter().filter(|code| !is_produced(code)).map(|code| code.as_str()).collect();
    assert!(missing.is_empty(), "no test produces {missing:?}");
}
