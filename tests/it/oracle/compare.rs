//! Compares a Plan with the controller's decisions on the same state.

use std::collections::BTreeSet;

use kubectl_daemonset::plan::{Action, Choice, Outcome, Plan, When};
use kubectl_daemonset::reconcile::BURST_REPLICAS;
use kubectl_daemonset::snapshot::Snapshot;
use serde_json::{Value, json};

use crate::support::{plan_of, snapshot_of_list};

/// How a comparison ends.
pub enum Verdict {
    /// Every decision agrees.
    Same,
    /// Every decision agrees that does not hang on a hash that only Go can compute, or on an arbitrary pick among equals.
    SameWhereKnown,
    /// Something differs.
    Different(Vec<String>),
}

/// Plans the state and compares.
pub fn compare(state: &Value, now: &str, daemon_set: &Value, answer: &Value) -> Verdict {
    let snapshot = snapshot_of_list(state, now);
    let name = |key: &str| daemon_set[key].as_str().expect("a set has a name");
    let plan = plan_of(&snapshot, name("namespace"), name("name"));
    let mut differences = Differences(Vec::new());
    let known = compare_plan(&mut differences, &snapshot, &plan, answer);
    match (differences.0, known) {
        (wrong, _) if !wrong.is_empty() => Verdict::Different(wrong),
        (_, true) => Verdict::Same,
        (_, false) => Verdict::SameWhereKnown,
    }
}

struct Differences(Vec<String>);

impl Differences {
    fn same(&mut self, what: &str, controller: &Value, ours: &Value) {
        if controller != ours {
            self.0.push(format!("{what}: the controller says {controller}, we say {ours}"));
        }
    }

    /// The controller's step over many runs against what we call certain and what we call open.
    fn step(&mut self, what: &str, step: &Value, certain: &BTreeSet<String>, choices: &[&Choice]) {
        let open: BTreeSet<_> =
            choices.iter().flat_map(|choice| choice.from.iter().map(|candidate| name_of(choice, candidate))).collect();
        let count = certain.len() + choices.iter().map(|choice| choice.count).sum::<usize>();
        let (always, ever) = (names(&step["always"]), names(&step["ever"]));
        let possible: BTreeSet<_> = certain.union(&open).cloned().collect();
        let counts = (step["min"].as_u64(), step["max"].as_u64());
        let same_count = counts == (Some(count as u64), Some(count as u64));
        // Beyond the cap the contract lists all candidates as one choice, also where some of them come first.
        let is_capped = choices.iter().any(|choice| choice.count == BURST_REPLICAS);
        let same_names = if step["exact"] == true && !is_capped {
            always == *certain && ever == possible
        } else {
            certain.is_subset(&always) && ever.is_subset(&possible)
        };
        if !same_count || !same_names {
            self.0.push(format!("{what}: the controller does {step}, we say certain {certain:?} and {choices:?}"));
        }
    }
}

/// Returns whether everything could be compared.
fn compare_plan(differences: &mut Differences, snapshot: &Snapshot, plan: &Plan, answer: &Value) -> bool {
    compare_nodes(differences, plan, &answer["nodes"]);
    let outcome = match answer["outcome"].as_str() {
        // The sync ends in the error of its rolling-update step, after everything else was done: the Plan tells it there.
        Some("Failed") if rollout_fails(answer) => {
            let is_observed = plan.daemon_set.observed_generation >= plan.daemon_set.generation;
            if is_observed { "Reconciled" } else { "AwaitingObservation" }
        }
        Some("Panicked") => "Failed",
        Some(outcome) => outcome,
        None => panic!("no outcome in {answer}"),
    };
    // A pod without any label cannot be made, and no valid set asks for one: manage then ends in an error.
    let makes_no_pods = answer["failedIn"] == "manage";
    let crashes_late = answer["outcome"] == "Panicked" && lacks_history_limit(snapshot, plan);
    if answer["history"]["nameTaken"] == true || makes_no_pods || crashes_late {
        return false;
    }
    differences.same("outcome", &json!(outcome), &json!(plan.outcome));
    if !matches!(plan.outcome, Outcome::Reconciled | Outcome::AwaitingObservation) {
        let acts = !plan.manage.is_empty() || !plan.rollout.is_empty() || !plan.claims.adopt.is_empty();
        differences.same("acts", &json!(false), &json!(acts));
        return true;
    }
    differences.same("adopt", &answer["claims"]["adopt"], &json!(pod_names(&plan.claims.adopt)));
    differences.same("release", &answer["claims"]["release"], &json!(pod_names(&plan.claims.release)));
    if snapshot.lacks(kubectl_daemonset::plan::Resource::ControllerRevisions, plan.daemon_set.observed_generation)
        || current_is_a_pick_among_equals(plan)
    {
        return false;
    }
    differences.same("status", &answer["status"], &json!(plan.status));
    compare_manage(differences, plan, &answer["manage"]);
    compare_rollout(differences, plan, &answer["rollout"]);
    compare_history(differences, plan, &answer["history"]);
    true
}

/// The API server always sets the limit; where it is absent the controller crashes in its last step, and we take the default.
fn lacks_history_limit(snapshot: &Snapshot, plan: &Plan) -> bool {
    let is_it = |set: &&kubectl_daemonset::api::DaemonSet| set.uid() == plan.daemon_set.uid;
    snapshot.daemon_sets.iter().find(is_it).is_some_and(|set| set.spec.revision_history_limit.is_none())
}

fn rollout_fails(answer: &Value) -> bool {
    is_error(&answer["rollout"]["error"])
}

fn is_error(error: &Value) -> bool {
    error.as_str().is_some_and(|error| !error.is_empty())
}

/// Several revisions equal the template and share the highest number: upstream keeps any of them.
fn current_is_a_pick_among_equals(plan: &Plan) -> bool {
    let Some(current) = &plan.revision else { return false };
    let rivals =
        plan.history.revisions.iter().filter(|revision| revision.number == current.number && revision.is_equal);
    rivals.count() > 1
}

fn compare_nodes(differences: &mut Differences, plan: &Plan, nodes: &Value) {
    let ours: serde_json::Map<_, _> = plan
        .nodes
        .iter()
        .map(|node| {
            let placement =
                json!({ "shouldRun": node.should_run, "shouldContinueRunning": node.should_continue_running });
            (node.name.clone(), placement)
        })
        .collect();
    differences.same("nodes", nodes, &Value::Object(ours));
}

fn compare_manage(differences: &mut Differences, plan: &Plan, manage: &Value) {
    let creations = plan.manage.create.iter().map(|creation| creation.node.clone()).collect();
    let deletions = pod_names(&plan.manage.delete);
    differences.step("manage.create", &manage["create"], &creations, &choices(&plan.manage.choose, Action::Create));
    differences.step("manage.delete", &manage["delete"], &deletions, &choices(&plan.manage.choose, Action::Delete));
}

fn compare_rollout(differences: &mut Differences, plan: &Plan, answer: &Value) {
    let rollout = &plan.rollout;
    if answer.is_null() {
        differences.same("rollout.when", &json!(When::Never), &json!(rollout.when));
        differences.same("rollout acts", &json!(false), &json!(!rollout.is_empty()));
        return;
    }
    let fails = is_error(&answer["error"]);
    differences.same("rollout fails", &json!(fails), &json!(rollout.error.is_some()));
    let creations = rollout.create.iter().map(|creation| creation.node.clone()).collect();
    let deletions = pod_names(&rollout.delete);
    differences.step("rollout.create", &answer["create"], &creations, &choices(&rollout.choose, Action::Create));
    differences.step("rollout.delete", &answer["delete"], &deletions, &choices(&rollout.choose, Action::Delete));
    let strategy = &plan.update_strategy;
    if !fails && rollout.when != When::OnDelete {
        differences.same("maxUnavailable", &answer["maxUnavailable"], &json!(strategy.resolved_max_unavailable));
        differences.same("maxSurge", &answer["maxSurge"], &json!(strategy.resolved_max_surge));
    }
}

fn compare_history(differences: &mut Differences, plan: &Plan, answer: &Value) {
    let history = &plan.history;
    differences.same("history.create", &answer["create"], &json!(history.create));
    differences.same("history.renumber", &answer["renumber"], &json!(history.renumber));
    if !history.create {
        differences.same(
            "history.current",
            &answer["current"],
            &json!(plan.revision.as_ref().map(|revision| &revision.name)),
        );
        differences.same(
            "history.hash",
            &answer["hash"],
            &json!(plan.revision.as_ref().map(|revision| &revision.hash)),
        );
    }
    differences.same("history.relabel", &answer["relabelledPods"], &json!(history.relabel));
    let deleted: BTreeSet<_> = history.delete.iter().cloned().collect();
    let (always, ever) = (names(&answer["delete"]["always"]), names(&answer["delete"]["ever"]));
    // Old revisions with equal numbers go in any order, so only the bounds are fixed.
    let same_count = answer["delete"]["max"].as_u64() == Some(deleted.len() as u64);
    if !(always.is_subset(&deleted) && (deleted.is_subset(&ever) || has_equal_numbers(plan)) && same_count) {
        differences.0.push(format!("history.delete: the controller deletes {}, we say {deleted:?}", answer["delete"]));
    }
}

fn has_equal_numbers(plan: &Plan) -> bool {
    plan.history.revisions.windows(2).any(|pair| pair[0].number == pair[1].number)
}

fn choices(choices: &[Choice], action: Action) -> Vec<&Choice> {
    choices.iter().filter(|choice| choice.action == action).collect()
}

fn name_of(choice: &Choice, candidate: &kubectl_daemonset::plan::Candidate) -> String {
    match choice.action {
        Action::Create => candidate.node.clone(),
        Action::Delete => candidate.pod.clone().expect("a deletion names its pod"),
    }
}

fn pod_names(pods: &[kubectl_daemonset::plan::PodPlan]) -> BTreeSet<String> {
    pods.iter().map(|pod| pod.pod.clone()).collect()
}

fn names(list: &Value) -> BTreeSet<String> {
    list.as_array().into_iter().flatten().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

/// The kinds of wrong answers that [`distortions`] makes.
pub const DISTORTIONS: [&str; 9] = [
    "one creation more",
    "one deletion less",
    "a certain deletion called open",
    "one more taken by the rollout",
    "a status number off by one",
    "placement turned around",
    "another current revision",
    "one adoption more",
    "one revision kept",
];

/// Returns wrong answers made from a right one.
pub fn distortions(answer: &Value) -> Vec<(&'static str, Value)> {
    let mut distorted = Vec::new();
    let mut distort = |name, change: &dyn Fn(&mut Value) -> Option<()>| {
        let mut wrong = answer.clone();
        if change(&mut wrong).is_some() {
            distorted.push((name, wrong));
        }
    };
    let add = |step: &mut Value, name: &str| {
        for list in ["always", "ever"] {
            step[list].as_array_mut()?.push(json!(name));
        }
        for bound in ["min", "max"] {
            step[bound] = json!(step[bound].as_u64()? + 1);
        }
        Some(())
    };
    distort("one creation more", &|wrong| add(wrong.pointer_mut("/manage/create")?, "no-such-node"));
    distort("one more taken by the rollout", &|wrong| add(wrong.pointer_mut("/rollout/delete")?, "no-such-pod"));
    distort("one deletion less", &|wrong| {
        let step = wrong.pointer_mut("/manage/delete")?;
        let name = step["always"].as_array_mut()?.pop()?;
        step["ever"].as_array_mut()?.retain(|other| *other != name);
        for bound in ["min", "max"] {
            step[bound] = json!(step[bound].as_u64()? - 1);
        }
        Some(())
    });
    distort("a certain deletion called open", &|wrong| {
        wrong.pointer_mut("/rollout/delete/always")?.as_array_mut()?.pop().map(|_| ())
    });
    distort("a status number off by one", &|wrong| {
        let number = wrong.pointer_mut("/status/numberMisscheduled")?;
        *number = json!(number.as_u64()? + 1);
        Some(())
    });
    distort("placement turned around", &|wrong| {
        let node = wrong["nodes"].as_object_mut()?.values_mut().next()?;
        node["shouldRun"] = json!(!node["shouldRun"].as_bool()?);
        Some(())
    });
    distort("another current revision", &|wrong| {
        wrong["history"]["current"] = json!(format!("{}-other", wrong["history"]["current"].as_str()?));
        Some(())
    });
    distort("one adoption more", &|wrong| {
        wrong.pointer_mut("/claims/adopt")?.as_array_mut()?.push(json!("no-such-pod"));
        Some(())
    });
    distort("one revision kept", &|wrong| {
        let step = wrong.pointer_mut("/history/delete")?;
        step["max"] = json!(step["max"].as_u64()?.checked_sub(1)?);
        Some(())
    });
    distorted
}
