//! The findings on the worked cases and on the dumps of real clusters, as a person reads them.

use std::fmt::Write as _;

use kubectl_daemonset::plan::Plan;
use snapbox::{Data, assert_data_eq};

use crate::support::{plan_of, read, read_json, snapshot_of_list, snapshot_of_yaml};

trials![findings_of_the_worked_cases, findings_of_real_clusters];

fn findings_of_the_worked_cases() {
    let expected = read_json("cases/expected.json");
    let cases = expected["cases"].as_object().expect("cases");
    let mut text = String::new();
    for (id, want) in cases.values().flat_map(|case| case["variants"].as_object().expect("variants")) {
        let list = read_json(&format!("cases/{}", want["snapshot"].as_str().expect("a file")));
        let snapshot = snapshot_of_list(&list, &read(&format!("cases/{id}.now")));
        let name = |key: &str| want[key].as_str().expect("a name");
        let plan = plan_of(&snapshot, name("namespace"), name("daemonSet"));
        describe(&mut text, id, &plan);
    }
    assert_data_eq!(text, Data::read_from(&crate::support::test_path("findings/cases.txt"), None));
}

fn findings_of_real_clusters() {
    let mut text = String::new();
    for name in ["all-nodes-unreachable", "asleep-surge", "node-gone", "stuck-rollout", "surge-and-ondelete"] {
        let snapshot =
            snapshot_of_yaml(&read(&format!("clusters/{name}.yaml")), &read(&format!("clusters/{name}.now")));
        for set in &snapshot.daemon_sets {
            describe(&mut text, name, &plan_of(&snapshot, set.namespace(), set.name()));
        }
    }
    assert_data_eq!(text, Data::read_from(&crate::support::test_path("findings/clusters.txt"), None));
}

fn describe(text: &mut String, title: &str, plan: &Plan) {
    let set = &plan.daemon_set;
    let _ = writeln!(text, "== {title}: {}/{} {}", set.namespace, set.name, plan.verdict.as_str());
    for finding in &plan.findings {
        let severity = format!("{:?}", finding.severity).to_lowercase();
        let _ = writeln!(text, "{severity} {}: {}", finding.code.as_str(), finding.message);
        if let Some(remedy) = &finding.remedy {
            let _ = writeln!(text, "    remedy: {remedy}");
        }
        let _ = writeln!(text, "    nodes: {}", finding.nodes.join(" "));
    }
    text.push('\n');
}
