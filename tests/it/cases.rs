//! The decisions on the worked cases (`tests/cases`), whose answers the real controller confirmed.

use std::collections::BTreeMap;

use kubectl_daemonset::drive::follow::{DoneWhen, Standing, standing};
use kubectl_daemonset::plan::{Action, Choice, Creation, Plan, PodPlan};
use serde_json::{Value, json};

use crate::support::{plan_of, read, read_json, snapshot_of_list};

trials![decisions_are_those_of_the_real_controller, status_is_not_fooled];

fn decisions_are_those_of_the_real_controller() {
    let expected = read_json("cases/expected.json");
    let cases = expected["cases"].as_object().expect("cases");
    let mut wrong = Vec::new();
    for (id, want) in cases.values().flat_map(|case| case["variants"].as_object().expect("variants")) {
        let list = read_json(&format!("cases/{}", want["snapshot"].as_str().expect("a file")));
        let snapshot = snapshot_of_list(&list, &read(&format!("cases/{id}.now")));
        let name = |key: &str| want[key].as_str().expect("a name").to_owned();
        let plan = plan_of(&snapshot, &name("namespace"), &name("daemonSet"));
        wrong
            .extend(differences(&want["decisions"], &plan).into_iter().map(|difference| format!("{id}: {difference}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How each case stands, by the strict rule, and what kubectl makes of its counters.
fn status_is_not_fooled() {
    let (done, moving, failing, waiting) = (Standing::Done, Standing::Moving, Standing::Failing, Standing::Waiting);
    let standings = [
        ("C01", failing, "waits"),  // two dead nodes use up the budget
        ("C02", failing, "waits"),  // the image cannot be pulled
        ("C03", done, "done"),      // the pods that stay on tainted nodes are new ones
        ("C04", moving, "done"),    // pods on nodes that may not keep them are still there
        ("C05", moving, "refuses"), // pods on nodes that are not selected any more are still there
        ("C06", failing, "waits"),  // pods on virtual nodes never run, and use up the budget
        ("C06-b", moving, "waits"),
        ("C07", done, "done"),       // no node is wanted, and that is said
        ("C08", moving, "done"),     // a duplicate goes
        ("C09", moving, "done"),     // a pod of a node that is gone goes
        ("C10", waiting, "refuses"), // OnDelete
        ("C11", moving, "waits"),    // failed pods are replaced
        ("C12", failing, "waits"),   // a pod finds no place
    ];
    let expected = read_json("cases/expected.json");
    let variants = |case: &Value| case["variants"].as_object().expect("variants").clone();
    let cases: BTreeMap<String, Value> =
        expected["cases"].as_object().expect("cases").values().flat_map(variants).collect();
    let stands = |(id, want): (&String, &Value)| {
        let list = read_json(&format!("cases/{}", want["snapshot"].as_str().expect("a file")));
        let snapshot = snapshot_of_list(&list, &read(&format!("cases/{id}.now")));
        let name = |key: &str| want[key].as_str().expect("a name").to_owned();
        let plan = plan_of(&snapshot, &name("namespace"), &name("daemonSet"));
        (id.clone(), (standing(&plan, DoneWhen::Available), by_counters(&plan)))
    };
    let got: BTreeMap<String, _> = cases.iter().map(stands).collect();
    assert_eq!(got, standings.map(|(id, standing, kubectl)| (id.to_owned(), (standing, kubectl))).into());
}

/// Upstream: k8s.io/kubectl/pkg/polymorphichelpers `DaemonSetStatusViewer.Status` (1.37).
fn by_counters(plan: &Plan) -> &'static str {
    let (set, status) = (&plan.daemon_set, &plan.reported);
    if plan.update_strategy.type_ != "RollingUpdate" {
        return "refuses";
    }
    let is_done = set.generation <= set.observed_generation
        && status.updated_number_scheduled >= status.desired_number_scheduled
        && status.number_available >= status.desired_number_scheduled;
    if is_done { "done" } else { "waits" }
}

fn differences(want: &Value, plan: &Plan) -> Vec<String> {
    let got = serde_json::to_value(plan).expect("a plan serializes");
    let mut wrong = Vec::new();
    let mut same = |what: &str, want: &Value, got: &Value| {
        if want != got {
            wrong.push(format!("{what}: want {want}, got {got}"));
        }
    };
    for key in ["outcome", "reported", "status", "updateStrategy"] {
        same(key, &want[key], &got[key]);
    }
    for key in ["name", "hash"] {
        same(key, &want["revision"][key], &got["revision"][key]);
    }
    same("adopt", &want["claims"]["adopt"], &pod_names(&plan.claims.adopt));
    same("release", &want["claims"]["release"], &pod_names(&plan.claims.release));
    same("manage.create", &want["manage"]["create"], &node_names(&plan.manage.create));
    same("manage.delete", &want["manage"]["delete"], &pod_names(&plan.manage.delete));
    same("history.delete", &want["history"]["delete"], &got["history"]["delete"]);
    same_rollout(&want["rollout"], plan, &mut same);
    for (name, placement) in want["nodes"].as_object().into_iter().flatten() {
        let node = plan.nodes.iter().find(|node| node.name == *name).expect("every node is in the plan");
        let got = json!({ "shouldRun": node.should_run, "shouldContinueRunning": node.should_continue_running });
        same(name, placement, &got);
    }
    if let Some(strays) = want.get("strayPods") {
        same("strayPods", strays, &pod_names(&plan.stray_pods));
    }
    let among = |key: &str, got: &Value| match want[key].as_array() {
        Some(allowed) if !allowed.contains(got) => Some(format!("{key}: want one of {allowed:?}, got {got}")),
        _ => None,
    };
    wrong.extend(among("verdict", &got["verdict"]));
    wrong
}

fn same_rollout(want: &Value, plan: &Plan, same: &mut impl FnMut(&str, &Value, &Value)) {
    let rollout = &plan.rollout;
    let when = json!(rollout.when);
    same("rollout.when", &json!(want["when"].as_array().is_some_and(|allowed| allowed.contains(&when))), &json!(true));
    same("rollout.error", &json!(null), &json!(rollout.error));
    if let Some(loose) = want.get("loose") {
        let taken = rollout.delete.len() + rollout.choose.iter().map(|choice| choice.count).sum::<usize>();
        let allowed = loose["count"].as_array().is_some_and(|counts| counts.contains(&json!(taken)));
        same("rollout takes", &json!(true), &json!(allowed));
        return;
    }
    same("rollout.delete", &want["delete"], &pod_names(&rollout.delete));
    same("rollout.create", &want["create"], &node_names(&rollout.create));
    same("rollout.choose", &want["choose"], &rollout.choose.iter().map(choice).collect());
    if let Some(budget) = want.get("budget") {
        let used_by: Vec<_> = rollout.budget.used_by.iter().map(|holder| &holder.node).collect();
        let Some(max) = budget.get("max") else { return };
        same("budget.max", max, &json!(rollout.budget.max));
        same("budget.used", &budget["used"], &json!(rollout.budget.used));
        same("budget.free", &budget["free"], &json!(rollout.budget.free));
        same("budget.usedBy", &budget["usedBy"], &json!(used_by));
    }
}

fn choice(choice: &Choice) -> Value {
    let is_creation = choice.action == Action::Create;
    let name = |candidate: &kubectl_daemonset::plan::Candidate| match &candidate.pod {
        Some(pod) if !is_creation => pod.clone(),
        _ => candidate.node.clone(),
    };
    let mut from: Vec<_> = choice.from.iter().map(name).collect();
    from.sort();
    json!({ "count": choice.count, "action": choice.action, "from": from })
}

fn pod_names(pods: &[PodPlan]) -> Value {
    let mut names: Vec<_> = pods.iter().map(|pod| pod.pod.as_str()).collect();
    names.sort_unstable();
    json!(names)
}

fn node_names(creations: &[Creation]) -> Value {
    json!(creations.iter().map(|creation| creation.node.as_str()).collect::<Vec<_>>())
}
