//! What is told of the set itself: selector, template, revisions, ownership, and a controller that does not act.

use serde_json::{Value, json};
use snapbox::str;

use super::told;
use crate::builders::{ago, current_revision, daemon_set, event, node, old_revision, plan, plan_with, pod, snapshot};
use crate::snapshot::ServerVersion;

#[test]
fn a_healthy_set_has_no_findings() {
    let objects = [node("a"), node("b"), pod("p").on("a"), pod("q").on("b")];
    told(&plan_with(daemon_set("agent"), objects), str![]);
}

#[test]
fn an_empty_selector_stops_the_controller() {
    let set = daemon_set("agent").set("/spec/selector", json!({}));
    told(
        &plan_with(set, [node("a")]),
        str![[r#"
error EmptySelector []
    The selector of agent is empty and would select every pod of the namespace, so the controller sends a SelectingAll event and does nothing: no pod is created or deleted, and the status is not written.
    => The selector cannot be changed. Delete the set, keeping its pods, with `kubectl delete daemonset/agent -n ops --cascade=orphan`, and create it again with a selector that matches the labels of its template.

"#]],
    );
}

#[test]
fn a_set_that_is_deleted_names_its_finalizers() {
    let set = daemon_set("agent").deleting(3600);
    let set = set.set("/metadata/finalizers", json!(["example.com/guard", "example.com/other"]));
    told(
        &plan_with(set, [node("a"), pod("p").on("a")]),
        str![[r#"
info SetIsDeleted []
    The set has been marked for deletion for 60m: the controller neither creates nor deletes its pods any more, and its status stays as it is. 1 pod is left: p on a (Running for 60m).
    => It waits for whoever owns the finalizers example.com/guard, example.com/other to finish.

"#]],
    );
}

#[test]
fn a_set_that_is_deleted_in_the_foreground_waits_for_its_pods() {
    let set = daemon_set("agent").deleting(60);
    let set = set.set("/metadata/finalizers", json!(["foregroundDeletion"]));
    told(
        &plan_with(set, [node("a")]),
        str![[r#"
info SetIsDeleted []
    The set has been marked for deletion for 60s: the controller neither creates nor deletes its pods any more, and its status stays as it is.
    => It goes once the garbage collector has deleted its pods (finalizer foregroundDeletion): see what keeps those that are left.

"#]],
    );
}

#[test]
fn a_selector_that_does_not_parse_fails_every_sync() {
    let set = daemon_set("agent").set("/spec/selector", json!({ "matchLabels": { "app": "-agent-" } }));
    told(
        &plan_with(set, [node("a")]),
        str![[r#"
error SyncFails []
    Every sync ends in an error before it creates, deletes or reports anything: selector does not parse: key "app": "-agent-" is not a valid label value.
    => The selector cannot be changed. Delete the set, keeping its pods, with `kubectl delete daemonset/agent -n ops --cascade=orphan`, and create it again with a selector that parses.

"#]],
    );
}

#[test]
fn without_nodes_nothing_can_be_judged() {
    told(
        &plan_with(daemon_set("agent"), [pod("p").on("a")]),
        str![[r#"
error NodesUnknown []
    No node is known, so nothing can be said about where the set should run, what is missing and what goes.
    => Get everything with `kubectl get nodes,daemonsets,pods,controllerrevisions,events -A -o yaml`; on a cluster, get the rights that `kubectl daemonset rights view` prints.

"#]],
    );
}

#[test]
fn without_revisions_the_template_generation_decides() {
    let set = daemon_set("agent").set("/metadata/annotations/deprecated.daemonset.template.generation", "1");
    told(
        &plan(&snapshot([set, node("a"), pod("p").on("a").label("pod-template-generation", "1")])),
        str![[r#"
warning RevisionsUnknown []
    No ControllerRevision is known, so the current revision is not: a pod counts as updated if its pod-template-generation label equals the annotation of the set.
    => Get everything with `kubectl get nodes,daemonsets,pods,controllerrevisions,events -A -o yaml`; on a cluster, get the rights that `kubectl daemonset rights view` prints.

"#]],
    );
}

#[test]
fn a_selector_has_to_match_the_template() {
    let set = daemon_set("agent").set("/spec/template/metadata/labels/app", "agnet");
    let revision = current_revision(&set).label("app", "agent");
    told(
        &plan(&snapshot([set, revision, node("a"), pod("p").on("a")])),
        str![[r#"
error SelectorMissesTemplate []
    The selector does not match the labels of the template: the API refuses such a set, and pods made from it would never be the set's own.
    => Give the template the labels that the selector asks for.

"#]],
    );
}

#[test]
fn a_term_that_cannot_match_leaves_the_others() {
    let bad = json!({ "matchExpressions": [{ "key": "pool", "operator": "in", "values": ["x"] }] });
    let good = json!({ "matchExpressions": [{ "key": "pool", "operator": "In", "values": ["x"] }] });
    let set = daemon_set("agent").affinity_terms(json!([bad, good]));
    told(
        &plan_with(set, [node("a").label("pool", "x"), pod("p").on("a")]),
        str![[r#"
warning TermNeverMatches []
    Term 1 of the required node affinity can never match ("in" is not a valid node selector operator), so only the other terms count; the controller says nothing about it.
    => Correct or remove the term in the template.

"#]],
    );
}

#[test]
fn numeric_tolerations_are_switched_off() {
    let set = daemon_set("agent").template("tolerations", json!([{ "key": "load", "operator": "Gt", "value": "5" }]));
    told(
        &plan_with(set, [node("a"), pod("p").on("a")]),
        str![[r#"
warning TolerationNeverMatches []
    load Gt 5 never tolerates anything: numeric operators need the feature gate TaintTolerationComparisonOperators, which is off by default.

"#]],
    );
}

#[test]
fn pods_of_other_owners_behind_the_same_labels_are_named() {
    let other = pod("b-1").on("a").owned_by("DaemonSet", "agent-b", "uid-agent-b");
    let owner = daemon_set("agent-b").set("/spec/selector/matchLabels/app", "agent");
    told(
        &plan_with(daemon_set("agent"), [owner, node("a"), pod("p").on("a"), other]),
        str![[r#"
warning SharedSelector []
    The selector of agent also matches pods of other owners: b-1 of DaemonSet agent-b. They belong to their owner and are not counted here, but `kubectl get pods -l` mixes them with those of agent.
    => Give one of them a label of its own, in selector and template. A selector cannot be changed: delete that set with --cascade=orphan and create it again.

"#]],
    );
}

#[test]
fn a_set_with_a_wider_selector_overlaps() {
    let other = daemon_set("wide")
        .set("/spec/selector", json!({ "matchExpressions": [{ "key": "app", "operator": "Exists" }] }));
    told(
        &plan_with(daemon_set("agent"), [other, node("a"), pod("p").on("a")]),
        str![[r#"
info OverlappingSets []
    wide shares labels with agent: a pod that loses its owner is adopted by whichever set looks first, and `kubectl get pods -l` mixes their pods.
    => Give one of them a label of its own, in selector and template. A selector cannot be changed: delete that set with --cascade=orphan and create it again.

"#]],
    );
}

#[test]
fn orphans_are_adopted_and_strangers_released() {
    let objects = [
        node("a"),
        node("b"),
        pod("p").on("a"),
        pod("orphan").on("b").orphan(),
        pod("stranger").on("a").label("app", "other"),
    ];
    told(
        &plan_with(daemon_set("agent"), objects),
        str![[r#"
warning PodsReleased [a]
    1 pod of the set no longer matches the selector: the controller lets go of stranger on a; it goes on running without an owner, and nodes that want a pod get a new one beside it.
    => Delete it when no longer needed (often labels are changed to look at a pod in peace): `kubectl delete pod stranger -n ops`.
info PodsAdopted [b]
    1 pod without an owner matches the selector: the controller adopts orphan on b, and it counts from then on as one of the set's own, old unless its labels say otherwise.
    => To keep it out, change the labels first: `kubectl label pod NAME -n ops KEY-`.

"#]],
    );
}

#[test]
fn a_null_in_the_revision_alone_makes_a_new_one() {
    let set = daemon_set("agent").set("/metadata/annotations/deprecated.daemonset.template.generation", "2");
    let revision = current_revision(&set).set("/data/spec/template/metadata/creationTimestamp", Value::Null);
    let pods = [pod("p").on("a").label("pod-template-generation", "2"), pod("q").on("b")];
    let mut snapshot = snapshot([set, revision, node("a"), node("b")].into_iter().chain(pods));
    snapshot.server_version = Some(ServerVersion { major: 1, minor: 37 });
    told(
        &plan(&snapshot),
        str![[r#"
info RevisionRewritten []
    Revision 2 (agent-new) differs from the template only in a `creationTimestamp: null`, which controllers since 1.34 no longer write: after such an upgrade a new revision is made although nothing was changed. 1 pod without the set's template generation counts as old and is replaced.

"#]],
    );
}

#[test]
fn a_template_without_revision_gets_one() {
    let set = daemon_set("agent");
    told(
        &plan(&snapshot([old_revision(&set, "old", 1), set, node("a"), pod("p").on("a").old()])),
        str![[r#"
info NewRevision []
    No revision equals the template: the controller makes revision 2, and 1 pod of an old one is to be replaced.

"#]],
    );
}

#[test]
fn a_revision_of_somebody_else_can_have_the_name() {
    let set = daemon_set("agent");
    let foreign = current_revision(&set).owned_by("DaemonSet", "agent", "uid-before");
    told(
        &plan(&snapshot([foreign, set, node("a"), pod("p").on("a")])),
        str![[r#"
warning RevisionNameTaken []
    The revision agent-new equals the template but is not the set's: it belongs to another DaemonSet agent, most likely an earlier one. If its name is the one that the controller would give, the controller uses it as it is, in every sync anew; otherwise it makes another.
    => If nobody needs it, delete it, and the controller makes one of its own: `kubectl delete controllerrevision agent-new -n ops`.

"#]],
    );
}

#[test]
fn merged_revisions_update_pods_without_a_restart() {
    let set = daemon_set("agent");
    let twin = current_revision(&set).hash("twin").set("/metadata/name", "agent-twin").set("/revision", 3);
    let revisions = [old_revision(&set, "old", 1), current_revision(&set), twin];
    let nodes = [node("a"), node("b"), node("c")];
    let pods = [pod("p").on("a").old(), pod("q").on("b"), pod("r").on("c").hash("twin")];
    told(
        &plan(&snapshot([set].into_iter().chain(revisions).chain(nodes).chain(pods))),
        str![[r#"
warning RevisionsMerged []
    agent-new equals the template as agent-twin does: the controller deletes it, and gives 2 pods the hash twin (p, q); from then on they count as up to date without a restart, whatever they run.
    => To be sure that all pods run the template, restart them: `kubectl rollout restart daemonset/agent -n ops`.

"#]],
    );
}

#[test]
fn going_back_restarts_nothing_that_still_runs_it() {
    let set = daemon_set("agent");
    let first = current_revision(&set).set("/revision", 1);
    told(
        &plan(&snapshot([first, old_revision(&set, "old", 2), set, node("a"), pod("p").on("a")])),
        str![[r#"
info RolledBack []
    The template is that of revision 1 again, which becomes revision 3: 1 pod that still runs it is not restarted.

"#]],
    );
}

#[test]
fn a_revision_without_hash_is_given_its_name() {
    let set = daemon_set("agent");
    let bare = current_revision(&set).without("/metadata/labels/controller-revision-hash");
    told(
        &plan(&snapshot([bare, set, node("a"), pod("p").on("a").hash("agent-new")])),
        str![[r#"
warning RevisionWithoutHash []
    The current revision agent-new lacks the label controller-revision-hash: the controller sets it to agent-new, and pods with another hash count as old unless their template generation says otherwise.

"#]],
    );
}

#[test]
fn a_spec_that_nobody_looks_at_is_a_warning_after_a_while() {
    let set = daemon_set("agent")
        .set("/metadata/generation", 5)
        .set("/metadata/managedFields", json!([{ "time": ago(600) }]));
    told(
        &plan_with(set, [node("a"), pod("p").on("a")]),
        str![[r#"
warning NotObserved []
    The controller has not yet looked at generation 5 of the spec (it knows 4), 10m old: status and revision are those of before; what is listed is what it will do.
    => See whether kube-controller-manager runs and has a leader: `kubectl get lease kube-controller-manager -n kube-system`.

"#]],
    );
}

#[test]
fn a_spec_just_edited_is_no_cause_for_alarm() {
    let set =
        daemon_set("agent").set("/metadata/generation", 5).set("/metadata/managedFields", json!([{ "time": ago(2) }]));
    told(
        &plan_with(set, [node("a"), pod("p").on("a")]),
        str![[r#"
info NotObserved []
    The controller has not yet looked at generation 5 of the spec (it knows 4), 2s old: status and revision are those of before; what is listed is what it will do.

"#]],
    );
}

#[test]
fn a_spec_edited_at_an_unknown_time_is_no_cause_for_alarm() {
    told(
        &plan_with(daemon_set("agent").set("/metadata/generation", 5), [node("a"), pod("p").on("a")]),
        str![[r#"
info NotObserved []
    The controller has not yet looked at generation 5 of the spec (it knows 4): status and revision are those of before; what is listed is what it will do.

"#]],
    );
}

#[test]
fn old_pods_beside_available_new_ones_show_a_controller_at_rest() {
    let objects = [node("a"), pod("new").on("a").created(300).ready_for(240), pod("old").on("a").old()];
    told(
        &plan_with(daemon_set("agent").max_surge(1), objects),
        str![[r#"
warning ControllerStandsStill [a]
    The controller has had cause to delete 1 pod for 4m and has not done so (a): it does not seem to act. It can also wait for an earlier write of its own, for up to 5m.
    => Make it look again, which changes nothing else: `kubectl annotate daemonset/agent -n ops kubectl-daemonset/poke="$(date +%s)" --overwrite`. If that does not help, see whether kube-controller-manager has a leader: `kubectl get lease kube-controller-manager -n kube-system`.

"#]],
    );
}

#[test]
fn a_controller_has_a_moment_to_act() {
    let objects = [node("a"), pod("new").on("a").created(300).ready_for(20), pod("old").on("a").old()];
    told(&plan_with(daemon_set("agent").max_surge(1), objects), str![]);
}

#[test]
fn an_empty_node_says_nothing_about_since_when() {
    told(&plan_with(daemon_set("agent"), [node("a")]), str![]);
}

#[test]
fn failed_pods_may_be_in_their_back_off() {
    told(
        &plan_with(daemon_set("agent"), [node("a"), pod("p").on("a").created(600).failed("", "")]),
        str![[r#"
warning PodsFailed [a]
    1 pod is Failed: p on a. The controller deletes it, and a later sync makes a new one; where a pod fails again it backs off, per node, from 1s up to 15m. CURRENT 1 counts it all the same.

"#]],
    );
}

#[test]
fn refused_creations_are_told_with_what_helps() {
    let quota = r#"Error creating: pods "agent-x7k2p" is forbidden: exceeded quota: pods, requested: pods=1, used: pods=10, limited: pods=10"#;
    let again = r#"Error creating: pods "agent-q1z9d" is forbidden: exceeded quota: pods, requested: pods=1, used: pods=10, limited: pods=10"#;
    let refused = |message: &str| event(("DaemonSet", "agent"), "FailedCreate", message);
    told(
        &plan_with(daemon_set("agent"), [node("a"), refused(quota).seen(12, 40), refused(again).seen(3, 20)]),
        str![[r#"
error CannotCreate [a]
    The controller cannot create pods (seen 15 times, last 20s ago): Error creating: pods "agent-q1z9d" is forbidden: exceeded quota: pods, requested: pods=1, used: pods=10, limited: pods=10.
    => Raise the ResourceQuota of the namespace, or lower what else counts there: `kubectl describe quota -n ops`.

"#]],
    );
}

#[test]
fn refusals_are_past_when_nothing_is_to_be_created() {
    let refused = event(("DaemonSet", "agent"), "FailedCreate", "Error creating: no").seen(1, 40);
    told(&plan_with(daemon_set("agent"), [node("a"), pod("p").on("a"), refused]), str![]);
}

#[test]
fn refused_deletions_are_told() {
    let message = r#"Error deleting: admission webhook "guard" denied the request: no"#;
    let refused = event(("DaemonSet", "agent"), "FailedDelete", message).seen(1, 10);
    let set = daemon_set("agent").template("nodeSelector", json!({ "pool": "edge" }));
    told(
        &plan_with(set, [node("a"), pod("p").on("a"), refused]),
        str![[r#"
error CannotDelete [a]
    The controller cannot delete pods (seen once, last 10s ago): Error deleting: admission webhook "guard" denied the request: no.
    => Do what the message asks for: something guards the pods, or the controller lacks the right.
warning NoEligibleNode [a]
    0 of 1 node is eligible: a lacks label pool, wanted pool=edge. With nothing wanted all numbers agree, so `kubectl rollout status` says "successfully rolled out".
    => Label the nodes that are meant: `kubectl label node NAME pool=edge --overwrite`; or change nodeSelector in the template.
warning PodsRemovedAtOnce [a]
    1 pod goes at once because of the nodeSelector of the template: p on a: lacks label pool, wanted pool=edge. Neither the update strategy nor maxUnavailable holds this back.
    => If the pods should stay, widen the field again or label the nodes; or go back: `kubectl rollout undo daemonset/agent -n ops`.

"#]],
    );
}

#[test]
fn an_unknown_strategy_is_an_error() {
    let set = daemon_set("agent").set("/spec/updateStrategy", json!({ "type": "Recreate" }));
    told(
        &plan_with(set, [node("a"), pod("p").on("a").old()]),
        str![[r#"
error UnknownStrategy []
    The update strategy "Recreate" is none that the controller knows: old pods are replaced only when somebody deletes them.
    => Set a type that it knows, RollingUpdate or OnDelete: `kubectl patch daemonset agent -n ops -p '{"spec":{"updateStrategy":{"type":"RollingUpdate"}}}'`.

"#]],
    );
}

#[test]
fn a_budget_that_does_not_parse_fails_the_rollout() {
    let set = daemon_set("agent").max_unavailable("ten%");
    told(
        &plan_with(set, [node("a"), pod("p").on("a").old()]),
        str![[r#"
error RolloutFails []
    Every rolling-update step ends in an error and replaces nothing: maxUnavailable: invalid value "ten%": no number before the %.
    => Write a number, or a percentage such as 10%: `kubectl patch daemonset agent -n ops -p '{"spec":{"updateStrategy":{"rollingUpdate":{"maxSurge":0,"maxUnavailable":1}}}}'`.

"#]],
    );
}

#[test]
fn a_status_that_lags_is_told_with_its_numbers() {
    let set = daemon_set("agent").set("/status/desiredNumberScheduled", 3);
    let plan = plan_with(set, [node("a"), pod("p").on("a")]);
    let finding = plan.findings.last().map(|finding| format!("info {} [] {}", finding.code.as_str(), finding.message));
    snapbox::assert_data_eq!(
        finding.unwrap_or_default(),
        str![
            "info StatusStale [] The status that `kubectl get` and `kubectl rollout status` show is not up to date: desiredNumberScheduled 1, reported 3; currentNumberScheduled 1, reported 0; numberReady 1, reported 0; updatedNumberScheduled 1, reported 0; numberAvailable 1, reported 0. The controller writes it at the end of its next sync."
        ]
    );
}

#[test]
fn a_priority_class_may_need_a_quota_of_its_own() {
    for words in [
        "Error creating: insufficient quota to match these scopes: [{PriorityClass In [system-node-critical]}]",
        "Error creating: pods \"agent-x\" is forbidden: pods with system-node-critical priorityClass is not permitted in ops namespace",
    ] {
        let refused = event(("DaemonSet", "agent"), "FailedCreate", words).seen(85, 120);
        let findings = plan_with(daemon_set("agent"), [node("a"), refused]).findings;
        let remedy = findings[0].remedy.as_deref().unwrap_or_default();
        assert!(!remedy.starts_with("Create the priority class"), "{words}: {remedy}");
        assert!(remedy.contains("another"), "{words}: {remedy}");
    }
}

#[test]
fn an_orphan_may_go_to_another_set() {
    let other = daemon_set("other").set("/spec/selector/matchLabels", json!({ "app": "agent" }));
    let objects = [node("a"), pod("pa").on("a").orphan(), pod("loose").orphan(), other];
    told(
        &plan_with(daemon_set("agent"), objects),
        str![[r#"
warning PodsWithoutNode []
    1 pod is not bound and names no single node in a required node affinity, so the controller neither counts nor deletes it: loose. The nodes get pods all the same.
    => Such pods were made by hand or changed at admission: delete them, or take off the labels that the selector matches.
info OverlappingSets []
    other shares labels with agent: a pod that loses its owner is adopted by whichever set looks first, and `kubectl get pods -l` mixes their pods.
    => Give one of them a label of its own, in selector and template. A selector cannot be changed: delete that set with --cascade=orphan and create it again.
info PodsAdopted [a]
    2 pods without an owner match the selector: the controller adopts loose, pa on a, and those on a node count from then on as the set's own, old unless their labels say otherwise. other may adopt them first.
    => To keep them out, change the labels first: `kubectl label pod NAME -n ops KEY-`.

"#]],
    );
}

#[test]
fn pods_that_a_deleted_set_leaves_are_named() {
    let set = daemon_set("agent")
        .set("/metadata/deletionTimestamp", ago(10_800))
        .set("/metadata/finalizers", json!(["foregroundDeletion"]));
    let left = pod("pa").on("a").deleting(10_000).set("/metadata/finalizers", json!(["example.com/x"]));
    told(
        &plan_with(set, [node("a"), left]),
        str![[r#"
info SetIsDeleted []
    The set has been marked for deletion for 3h: the controller neither creates nor deletes its pods any more, and its status stays as it is. 1 pod is left: pa on a (Terminating for 167m, finalizer example.com/x).
    => It goes once the garbage collector has deleted its pods (finalizer foregroundDeletion): see what keeps those that are left.

"#]],
    );
}
