use super::*;
use crate::builders::{Object, current_revision, daemon_set, old_revision};

const RULES: [NullRule; 3] = [NullRule::LeftOut, NullRule::Written, NullRule::Either];
const METADATA: &str = "/data/spec/template/metadata/creationTimestamp";
const CLAIM: &str = "/data/spec/template/spec/volumes/0/ephemeral/volumeClaimTemplate/metadata/creationTimestamp";

/// A set with a volume claim template.
fn with_volume() -> Object {
    let claim = json!({ "metadata": { "labels": { "a": "b" } }, "spec": {} });
    let volumes =
        json!([{ "name": "v", "ephemeral": { "volumeClaimTemplate": claim } }, { "name": "w", "emptyDir": {} }]);
    daemon_set("agent").template("volumes", volumes)
}

/// Returns which of the revisions match, under a rule.
fn matching(set: &Object, revisions: &[Object], rule: NullRule) -> Vec<bool> {
    let revisions: Vec<ControllerRevision> = revisions.iter().map(|revision| revision.clone().decode()).collect();
    matching_template(&set.clone().decode(), &revisions.iter().collect::<Vec<_>>(), rule)
}

#[test]
fn a_null_is_left_out_since_1_34_and_written_before() {
    let set = with_volume();
    let plain = current_revision(&set);
    let half = plain.clone().set(METADATA, Value::Null);
    let full = half.clone().set(CLAIM, Value::Null);
    let all = [plain.clone(), half.clone(), full.clone()];
    assert_eq!(matching(&set, &all, NullRule::LeftOut), [true, false, false]);
    assert_eq!(matching(&set, &all, NullRule::Written), [false, false, true]);
    assert_eq!(matching(&set, &all, NullRule::Either), [true, false, false], "the exact one first");
    assert_eq!(matching(&set, &all[1..], NullRule::Either), [true, true], "else up to the nulls");
    let other = old_revision(&set, "old", 1);
    assert_eq!(matching(&set, &[half, other.clone()], NullRule::Either), [true, false]);
    assert_eq!(matching(&set, &[other], NullRule::Either), [false]);
}

#[test]
fn nulls_in_the_set_itself_do_not_count() {
    let plain = current_revision(&with_volume());
    let metadata = METADATA.strip_prefix("/data").expect("a prefix");
    let claim = CLAIM.strip_prefix("/data").expect("a prefix");
    let set = with_volume().set(metadata, Value::Null).set(claim, Value::Null);
    assert_eq!(matching(&set, std::slice::from_ref(&plain), NullRule::LeftOut), [true]);
    let full = plain.set(METADATA, Value::Null).set(CLAIM, Value::Null);
    assert_eq!(matching(&set, &[full], NullRule::Written), [true]);
}

#[test]
fn only_a_null_creation_timestamp_may_be_missing() {
    let set = with_volume();
    let timed = current_revision(&set).set(METADATA, "2026-01-01T00:00:00Z");
    let elsewhere = current_revision(&set).set("/data/spec/template/spec/creationTimestamp", Value::Null);
    for rule in RULES {
        assert_eq!(matching(&set, &[timed.clone(), elsewhere.clone()], rule), [false, false], "{rule:?}");
    }
}

#[test]
fn data_of_another_form_does_not_match() {
    let set = daemon_set("agent");
    let plain = current_revision(&set);
    for other in [
        plain.clone().set("/data/kind", "DaemonSet"),
        plain.clone().set("/data/spec/paused", true),
        plain.clone().set("/data/spec/template/$patch", "merge"),
        plain.clone().without("/data/spec/template/$patch"),
        plain.clone().set("/data/spec/template", "text"),
        plain.clone().set("/data", Value::Null),
        plain.clone().without("/data"),
        plain.clone().set("/data/spec/template/spec/extra", 1),
    ] {
        assert_eq!(matching(&set, std::slice::from_ref(&other), NullRule::LeftOut), [false], "{other:?}");
    }
    assert_eq!(matching(&set, &[plain.clone(), plain], NullRule::LeftOut), [true, true]);
    assert_eq!(matching(&set, &[], NullRule::Either), [false; 0]);
}

#[test]
fn unknown_fields_count_and_the_order_of_keys_does_not() {
    let set = daemon_set("agent").template("fieldOfTomorrow", json!({ "b": 1, "a": 2 }));
    let same = current_revision(&set).set("/data/spec/template/spec/fieldOfTomorrow", json!({ "a": 2, "b": 1 }));
    let other = current_revision(&set).set("/data/spec/template/spec/fieldOfTomorrow", json!({ "a": 2 }));
    assert_eq!(matching(&set, &[same, other], NullRule::LeftOut), [true, false]);
}

#[test]
fn a_set_without_template_matches_nothing() {
    let set = daemon_set("agent");
    let revision = current_revision(&set);
    for rule in RULES {
        assert_eq!(matching(&set.clone().without("/spec/template"), std::slice::from_ref(&revision), rule), [false]);
    }
}

#[test]
fn the_stored_template_comes_without_the_patch_directive() {
    let set = daemon_set("agent");
    let stored = stored_template(&current_revision(&set).decode());
    assert_eq!(stored.as_ref(), Some(&set.0["spec"]["template"]));
}
