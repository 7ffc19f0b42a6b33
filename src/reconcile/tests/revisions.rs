//! Revisions: edge cases 80 to 88, 147 to 154, 164, 168 and 169.

use serde_json::{Value, json};

use super::cluster::Cluster;
use super::{NOTHING, covers, does, nodes_with_pods, on_one_node, plan_of, step};
use crate::builders::{Object, current_revision, daemon_set, node, old_revision, plan, pod, snapshot};
use crate::plan::{Outcome, Plan, PodRevision, RevisionRef};
use crate::snapshot::ServerVersion;

/// A revision like the current one, under another hash and number.
fn twin(daemon_set: &Object, hash: &str, number: i64) -> Object {
    current_revision(daemon_set).hash(hash).set("/metadata/name", format!("agent-{hash}")).set("/revision", number)
}

fn bare(pod: Object) -> Object {
    pod.without("/metadata/labels/controller-revision-hash")
}

fn revision(plan: &Plan) -> (&str, i64, &str) {
    let RevisionRef { name, number, hash } = plan.revision.as_ref().expect("a current revision");
    (name, *number, hash)
}

fn pairs<T: Clone>(pairs: &[(&str, T)]) -> Vec<(String, T)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

#[test]
fn each_template_gets_a_revision_and_on_delete_pods_keep_theirs() {
    covers([80]);
    let set = daemon_set("agent").on_delete().set("/status/observedGeneration", 0);
    let mut cluster = Cluster::new(set, [node("a")]);
    cluster.revisions.clear();
    assert_eq!(does(&cluster.plan()), ["create on a: NodeHasNoDaemonPod", "create revision"]);
    assert_eq!(cluster.plan().revision, None);
    assert_eq!([cluster.sync(), cluster.sync_when_ready()], ["1/0", "0/0"]);
    assert_eq!(cluster.revision_numbers(), pairs(&[("agent-agent-2", 1)]));
    cluster.set_image("agent:3");
    assert_eq!(does(&cluster.plan()), ["create revision"]);
    assert_eq!([cluster.sync(), cluster.sync()], ["0/0", "0/0"]);
    assert_eq!(cluster.revision_numbers(), pairs(&[("agent-agent-2", 1), ("agent-agent-3", 2)]));
    assert_eq!(cluster.hashes(), pairs(&[("made-001", "agent-2".to_owned())]));
}

#[test]
fn going_back_renumbers_the_first_revision_and_restarts_none_of_its_pods() {
    covers([81]);
    let set = daemon_set("agent").set("/status/observedGeneration", 0);
    let mut cluster = Cluster::new(set, [node("a"), node("b")]);
    cluster.revisions.clear();
    assert_eq!([cluster.sync(), cluster.sync_when_ready()], ["2/0", "0/0"]);
    cluster.set_image("agent:3");
    assert_eq!([cluster.sync(), cluster.sync_when_gone()], ["0/1", "1/0"]);
    cluster.set_image("agent:2");
    assert_eq!(
        does(&cluster.plan()),
        ["rollout: delete made-003: OldPodUnavailable", "renumber agent-agent-2 from 1 to 3"]
    );
    assert_eq!([cluster.sync(), cluster.sync_when_gone(), cluster.sync_when_ready()], ["0/1", "1/0", "0/0"]);
    assert_eq!(cluster.revision_numbers(), pairs(&[("agent-agent-2", 3), ("agent-agent-3", 2)]));
    let agent_2 = |name| (name, "agent-2".to_owned());
    assert_eq!(cluster.hashes(), pairs(&[agent_2("made-002"), agent_2("made-004")]));
}

#[test]
fn of_equal_revisions_the_highest_stays_and_all_pods_get_its_hash() {
    covers([83]);
    let set = daemon_set("agent").on_delete();
    let pods = [pod("p").on("a"), pod("q").on("b").hash("twin"), pod("r").on("c").old(), bare(pod("s").on("d"))];
    let plan = plan_of(
        [current_revision(&set), twin(&set, "twin", 1), set]
            .into_iter()
            .chain(["a", "b", "c", "d"].map(node))
            .chain(pods),
    );
    assert_eq!(does(&plan), ["relabel q", "relabel r", "relabel s", "delete revision agent-twin"]);
    assert_eq!(revision(&plan), ("agent-new", 2, "new"));
}

#[test]
fn a_revision_without_hash_label_takes_its_name_for_one() {
    covers([84]);
    let set = daemon_set("agent");
    let unlabelled = bare(current_revision(&set));
    let plan = plan_of([set.clone(), unlabelled.clone(), node("a"), pod("p").hash("agent-new").on("a")]);
    assert_eq!((does(&plan), revision(&plan)), (vec![], ("agent-new", 2, "agent-new")));
    let named = |length: usize| unlabelled.clone().set("/metadata/name", "n".repeat(length));
    let outcome = |revision: Object| plan_of([set.clone(), revision, node("a")]).outcome;
    assert_eq!([outcome(named(63)), outcome(named(64))], [Outcome::Reconciled, Outcome::Failed]);
    assert_eq!(outcome(named(64).hash("x")), Outcome::Reconciled);
    let plan = plan_of([set.clone(), named(64), node("a")]);
    let error = format!(
        "controllerrevision {:?} lacks the label controller-revision-hash, and its name is too long for one",
        "n".repeat(64)
    );
    assert_eq!((plan.error, plan.rollout.is_empty() && plan.manage.is_empty()), (Some(error), true));
}

/// Plans a set with this limit, old revisions numbered 1, 2, … and pods of these hashes.
fn with_limit(limit: impl Into<Value>, old: usize, pods: impl IntoIterator<Item = Object>) -> Vec<String> {
    let set = daemon_set("agent").on_delete().set("/spec/revisionHistoryLimit", limit);
    let old =
        (1..=old).map(|number| old_revision(&set, &format!("h{number:02}"), i64::try_from(number).expect("small")));
    let current = current_revision(&set).set("/revision", 99);
    plan_of([current, node("a"), node("b"), set.clone()].into_iter().chain(old).chain(pods)).history.delete
}

#[test]
fn the_oldest_revisions_over_the_limit_that_no_pod_carries_go() {
    covers([85, 86]);
    let on_h01 = || pod("p").on("a").hash("h01");
    assert_eq!(with_limit(1, 3, [on_h01()]), ["agent-h02", "agent-h03"]);
    assert_eq!(with_limit(2, 3, [on_h01()]), ["agent-h02"]);
    assert_eq!(with_limit(3, 3, [on_h01()]), NOTHING);
    assert_eq!(with_limit(0, 3, [on_h01()]), ["agent-h02", "agent-h03"]);
    assert_eq!(with_limit(0, 3, []), ["agent-h01", "agent-h02", "agent-h03"]);
    assert_eq!(with_limit(Value::Null, 12, []), ["agent-h01", "agent-h02"], "the API server's default is 10");
}

#[test]
fn only_mapped_pods_protect_a_revision() {
    let without_target = pod("p").hash("h01").pinned_to("a").without("/spec/affinity");
    assert_eq!(with_limit(0, 1, [without_target]), ["agent-h01"]);
    assert_eq!(with_limit(0, 1, [pod("p").on("gone").hash("h01")]), NOTHING);
    assert_eq!(with_limit(0, 1, [pod("p").on("a").hash("h01").label("app", "released")]), ["agent-h01"]);
}

#[test]
fn a_revision_with_an_empty_hash_is_never_protected() {
    let set = daemon_set("agent").on_delete().set("/spec/revisionHistoryLimit", 0);
    let unhashed = old_revision(&set, "", 1).set("/metadata/name", "agent-unhashed");
    let plan = plan_of([current_revision(&set), unhashed, set, node("a"), pod("p").on("a").hash("")]);
    assert_eq!(does(&plan), ["delete revision agent-unhashed"]);
}

/// Returns whether a pod with this hash and generation label is current for a set with this annotation and current hash.
fn is_current(annotation: Option<&str>, current: &str, hash: Option<&str>, generation: Option<&str>) -> bool {
    let mut set = daemon_set("agent");
    if let Some(annotation) = annotation {
        set = set.set("/metadata/annotations", json!({ "deprecated.daemonset.template.generation": annotation }));
    }
    let mut pod = bare(pod("p").on("a"));
    if let Some(hash) = hash {
        pod = pod.hash(hash);
    }
    if let Some(generation) = generation {
        pod = pod.label("pod-template-generation", generation);
    }
    let plan = plan_of([current_revision(&set).hash(current), set, node("a"), pod]);
    let is_current = plan.nodes[0].pods[0].revision == PodRevision::Current;
    assert_eq!(plan.status.updated_number_scheduled, i64::from(is_current), "status agrees");
    assert_eq!(step(&plan).is_empty(), is_current, "the rollout agrees");
    is_current
}

#[test]
fn a_pod_is_current_by_its_hash_or_its_template_generation() {
    covers([87, 88, 154]);
    for (number, annotation, current, hash, generation, expected) in [
        (87, Some("3"), "new", Some("old"), Some("3"), true),
        (87, Some("3"), "new", Some("new"), Some("2"), true),
        (87, Some("3"), "new", Some("old"), Some("2"), false),
        (87, Some("3"), "new", None, None, false),
        (87, Some("3"), "", None, Some("2"), false),
        (87, Some("3"), "", Some(""), Some("2"), false),
        (87, Some("3"), "", None, Some("3"), true),
        (88, Some("abc"), "new", Some("old"), Some("abc"), false),
        (88, Some("abc"), "new", Some("new"), Some("abc"), true),
        (88, None, "new", Some("old"), Some("3"), false),
        (88, None, "new", Some("old"), Some(""), false),
        (154, Some("3"), "new", Some("old"), Some("03"), false),
        (154, Some("007"), "new", Some("old"), Some("7"), true),
        (154, Some("007"), "new", Some("old"), Some("007"), false),
        (154, Some("-1"), "new", Some("old"), Some("-1"), true),
        (154, Some("9223372036854775808"), "new", Some("old"), Some("9223372036854775808"), false),
    ] {
        let got = is_current(annotation, current, hash, generation);
        assert_eq!(
            got, expected,
            "{number}: annotation {annotation:?}, hash {hash:?} of {current:?}, label {generation:?}"
        );
    }
}

/// Revisions of a set that equal its template, numbered 3 and 5, and an old one numbered 4.
fn three_four_five(set: &Object) -> [Object; 3] {
    [twin(set, "three", 3), old_revision(set, "four", 4), twin(set, "five", 5)]
}

#[test]
fn the_highest_of_equal_revisions_is_kept_as_it_is_and_status_counts_the_labels_seen() {
    covers([147]);
    let set = daemon_set("agent").on_delete();
    let pods =
        [pod("p").on("a").hash("three"), pod("q").on("b").hash("four").deleting(-30), pod("r").on("c").hash("five")];
    let objects = three_four_five(&set).into_iter().chain([set]).chain(["a", "b", "c"].map(node)).chain(pods);
    let plan = plan_of(objects);
    assert_eq!(does(&plan), ["relabel p", "relabel q", "delete revision agent-three"]);
    assert_eq!(revision(&plan), ("agent-five", 5, "five"));
    assert_eq!(plan.status.updated_number_scheduled, 1);
}

#[test]
fn a_pod_just_relabelled_can_be_deleted_as_old() {
    covers([148]);
    let set = daemon_set("agent");
    let objects = three_four_five(&set).into_iter().chain([set, node("a"), pod("p").on("a").hash("three")]);
    assert_eq!(
        does(&plan_of(objects)),
        ["rollout: delete p: OldPodAvailable", "relabel p", "delete revision agent-three"]
    );
}

#[test]
fn a_current_revision_without_label_is_named_and_renumbered() {
    covers([149]);
    let set = daemon_set("agent").on_delete();
    let unlabelled = bare(current_revision(&set)).set("/revision", 1);
    let pods = [pod("p").on("a").hash("new"), pod("q").on("b").hash("agent-new")];
    let objects = [unlabelled, old_revision(&set, "four", 4), set, node("a"), node("b")];
    let plan = plan_of(objects.into_iter().chain(pods));
    assert_eq!(
        (does(&plan), revision(&plan)),
        (vec!["renumber agent-new from 1 to 5".to_owned()], ("agent-new", 1, "agent-new"))
    );
    assert_eq!(plan.status.updated_number_scheduled, 1);
}

#[test]
fn surplus_revisions_go_in_a_sync_in_which_manage_acts() {
    covers([151]);
    let set = daemon_set("agent").set("/spec/revisionHistoryLimit", 0);
    let plan = on_one_node(set.clone(), []);
    assert_eq!(does(&plan), ["create on a: NodeHasNoDaemonPod", "delete revision agent-old"]);
    let plan = on_one_node(set, [pod("p").on("a"), pod("f").old().on("a").phase("Failed").deleting(-30)]);
    assert_eq!(does(&plan), NOTHING);
}

#[test]
fn a_revision_that_is_being_deleted_is_still_the_current_one() {
    covers([152]);
    let set = daemon_set("agent");
    let plan = plan_of([current_revision(&set).deleting(-30), set, node("a"), pod("p").on("a")]);
    assert_eq!((does(&plan), revision(&plan)), (vec![], ("agent-new", 2, "new")));
}

#[test]
fn a_null_creation_timestamp_makes_a_revision_old_on_a_new_server_and_current_on_an_old_one() {
    covers([164]);
    let set = daemon_set("agent");
    let plain = current_revision(&set);
    let with_null = plain.clone().set("/data/spec/template/metadata/creationTimestamp", Value::Null);
    let is_found = |revision: &Object, minor: Option<u32>, kubelet: &str| {
        let node = node("a").set("/status/nodeInfo/kubeletVersion", kubelet);
        let mut snapshot = snapshot([set.clone(), revision.clone(), node, pod("p").on("a")]);
        snapshot.server_version = minor.map(|minor| ServerVersion { major: 1, minor });
        let plan = plan(&snapshot);
        assert_eq!(plan.history.create, plan.revision.is_none());
        plan.revision.is_some()
    };
    for (minor, kubelet, plain_is_found, null_is_found) in [
        (Some(37), "v1.37.2", true, false),
        (Some(37), "v1.33.0", true, false),
        (Some(34), "v1.31.0", true, false),
        (Some(33), "v1.33.0", false, true),
        (None, "v1.37.2", true, false),
        (None, "v1.34.0", true, false),
        (None, "v1.33.9", true, true),
        (None, "", true, false),
    ] {
        assert_eq!(
            is_found(&plain, minor, kubelet),
            plain_is_found,
            "without null, server {minor:?}, kubelet {kubelet}"
        );
        assert_eq!(
            is_found(&with_null, minor, kubelet),
            null_is_found,
            "with null, server {minor:?}, kubelet {kubelet}"
        );
    }
}

#[test]
fn of_kubelets_the_oldest_tells_how_old_the_server_may_be() {
    let set = daemon_set("agent");
    let with_null = current_revision(&set).set("/data/spec/template/metadata/creationTimestamp", Value::Null);
    let kubelet = |name: &str, version: &str| node(name).set("/status/nodeInfo/kubeletVersion", version);
    let plan = plan_of([set, with_null, kubelet("a", "v1.35.0"), kubelet("b", "v1.32.1"), kubelet("c", "v1.34.0")]);
    assert_eq!(revision(&plan), ("agent-new", 2, "new"));
}

#[test]
fn among_equals_we_name_the_first_where_the_controller_takes_any() {
    covers([168]);
    let set = daemon_set("agent").on_delete().set("/spec/revisionHistoryLimit", 1);
    let objects = [twin(&set, "x", 7), twin(&set, "y", 7), old_revision(&set, "o1", 3), old_revision(&set, "o2", 3)];
    let plan = plan_of(objects.into_iter().chain([set, node("a"), pod("p").on("a").hash("x")]));
    assert_eq!(
        (does(&plan), revision(&plan)),
        (vec!["delete revision agent-o1".to_owned(), "delete revision agent-y".to_owned()], ("agent-x", 7, "x"))
    );
}

#[test]
fn a_revision_whose_labels_no_longer_match_is_not_found_again_without_its_hash() {
    covers([169]);
    let set = daemon_set("agent");
    let plan = plan_of([current_revision(&set).label("app", "web"), set, node("a"), pod("p").on("a")]);
    assert_eq!((plan.revision.clone(), plan.history.create), (None, true));
}

#[test]
fn without_a_current_revision_every_pod_is_old_and_the_new_number_follows_the_highest() {
    let set = daemon_set("agent").max_unavailable(3);
    let objects = nodes_with_pods("n", 2, |pod| pod);
    let plan = plan_of([old_revision(&set, "old", 1), set].into_iter().chain(objects));
    assert_eq!(
        does(&plan),
        ["rollout: delete p-n00: OldPodAvailable", "rollout: delete p-n01: OldPodAvailable", "create revision"]
    );
}

#[test]
fn without_a_current_revision_the_template_generation_makes_no_pod_new_for_pruning() {
    let annotation = json!({ "deprecated.daemonset.template.generation": "3" });
    let set = daemon_set("agent").max_surge(1).set("/metadata/annotations", annotation);
    let generation = |name: &str, age: i64, generation: &str| {
        pod(name).on("a").old().created(age).label("pod-template-generation", generation)
    };
    let pods = [generation("p", 99, "2"), generation("q", 60, "3")];
    let plan = plan_of([old_revision(&set, "old", 1), set, node("a")].into_iter().chain(pods));
    assert_eq!(does(&plan), ["delete q: ExcessPod", "create revision"]);
}

#[test]
fn a_revision_is_renumbered_only_if_an_old_one_is_as_high() {
    let set = daemon_set("agent").on_delete();
    let renumber = |old: i64| {
        does(&plan_of([
            current_revision(&set),
            old_revision(&set, "old", old),
            set.clone(),
            node("a"),
            pod("p").on("a"),
        ]))
    };
    assert_eq!(renumber(1), NOTHING);
    assert_eq!(renumber(2), ["renumber agent-new from 2 to 3"]);
    assert_eq!(renumber(5), ["renumber agent-new from 2 to 6"]);
    let first = current_revision(&set).set("/revision", 0);
    assert_eq!(does(&plan_of([first, set, node("a"), pod("p").on("a")])), ["renumber agent-new from 0 to 1"]);
}

#[test]
fn a_rollout_that_fails_keeps_the_old_revisions_but_merges_equal_ones() {
    let set = daemon_set("agent").max_surge(1).set("/spec/revisionHistoryLimit", 0);
    let revisions =
        [current_revision(&set), twin(&set, "twin", 1), old_revision(&set, "o1", 1), old_revision(&set, "o2", 1)];
    let objects = [set, node("a"), pod("p").on("a"), pod("q").on("gone").hash("o2")];
    let plan = plan_of(revisions.into_iter().chain(objects));
    let error = "rollout: error: node \"gone\" of the old pod \"q\" does not exist";
    assert_eq!(does(&plan), [error, "relabel q", "delete revision agent-twin"]);
}

#[test]
fn a_rollout_that_is_due_or_would_fail_later_does_not_keep_old_revisions() {
    let set = || daemon_set("agent").set("/spec/revisionHistoryLimit", 0);
    assert_eq!(does(&on_one_node(set(), [pod("p").on("a")])), ["delete revision agent-old"]);
    let plan = on_one_node(set().max_unavailable("x"), []);
    assert_eq!(does(&plan), ["create on a: NodeHasNoDaemonPod", "delete revision agent-old"], "manage acts first");
}

#[test]
fn the_history_lists_all_revisions_by_number() {
    let set = daemon_set("agent").on_delete();
    let [three, four, five] = three_four_five(&set);
    let plan = plan_of([five, four, three, set, node("a"), pod("p").on("a").hash("five")]);
    let listed: Vec<_> = plan
        .history
        .revisions
        .iter()
        .map(|r| (r.name.as_str(), r.number, r.hash.as_str(), r.is_equal, r.is_current))
        .collect();
    assert_eq!(
        listed,
        [
            ("agent-three", 3, "three", true, false),
            ("agent-four", 4, "four", false, false),
            ("agent-five", 5, "five", true, true),
        ]
    );
    assert!(plan.history.revisions.iter().all(|revision| revision.created.is_some()));
}
