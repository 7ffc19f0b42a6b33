//! Shrinks a state on which we disagree with the controller, by leaving out whatever the disagreement does not need.

use serde_json::Value;

use super::Sample;
use super::compare::{Verdict, compare};
use super::process::Oracle;

/// Returns the smallest state found on which the disagreement remains, as text.
pub fn shrink(oracle: &mut Oracle, sample: &Sample) -> String {
    let mut state = sample.state.clone();
    loop {
        let smaller = candidates(&state).into_iter().find(|candidate| {
            let answer = oracle.answer(candidate, &sample.now, &sample.daemon_set);
            answer["outcome"].is_string()
                && matches!(compare(candidate, &sample.now, &sample.daemon_set, &answer), Verdict::Different(_))
        });
        match smaller {
            Some(smaller) => state = smaller,
            None => break,
        }
    }
    let answer = oracle.answer(&state, &sample.now, &sample.daemon_set);
    let differences = match compare(&state, &sample.now, &sample.daemon_set, &answer) {
        Verdict::Different(differences) => differences.join("\n"),
        _ => "the disagreement is gone: the answer is not stable".to_owned(),
    };
    format!("{state:#}\n{differences}")
}

/// Returns the state without one object, or without one field of one object.
fn candidates(state: &Value) -> Vec<Value> {
    let items = state["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut candidates = Vec::new();
    for (i, item) in items.iter().enumerate() {
        if item["kind"] != "DaemonSet" {
            let mut smaller = state.clone();
            smaller["items"].as_array_mut().expect("items is a list").remove(i);
            candidates.push(smaller);
        }
    }
    for (i, item) in items.iter().enumerate().filter(|(_, item)| item["kind"] != "ControllerRevision") {
        for section in ["/spec", "/status", "/metadata"] {
            for key in item.pointer(section).and_then(Value::as_object).into_iter().flat_map(|object| object.keys()) {
                if matches!(key.as_str(), "name" | "namespace" | "uid" | "template" | "selector") {
                    continue;
                }
                let mut smaller = state.clone();
                let object = smaller["items"][i].pointer_mut(section).and_then(Value::as_object_mut);
                object.expect("the section is there").remove(key);
                candidates.push(smaller);
            }
        }
    }
    candidates
}
