//! What is told of the set itself: selector, template, revisions, ownership, and a controller that does not act.

use serde_json::{Value, json};
use snapbox::str;

use super::told;
use crate::findings::tests::builders::{ago, cluster, daemon_set, event, node, pod, revision};

#[test]
fn a_healthy_set_has_no_findings() {
    let cluster =
        cluster(&daemon_set("agent")).nodes([node("a"), node("b")]).pods([pod("p").on("a"), pod("q").on("b")]);
    told(&cluster, str![]);
}

#[test]
fn an_empty_selector_stops_the_controller() {
    let set = daemon_set("agent").with("/spec/selector", json!({}));
    told(
        &cluster(&set).nodes([node("a")]),
        str![[r#"
error EmptySelector []
    The selector of agent is empty and would select every pod of the namespace, so the controller sends a SelectingAll event and does nothing: no pod is created or deleted, and the status is not written.
    => The selector cannot be changed. Delete the set, keeping its pods, with `kubectl delete daemonset/agent -n ops --cascade=orphan`, and create it again with a selector that matches the labels of its template.

"#]],
    );
}

#[test]
fn a_set_that_is_deleted_names_its_finalizers() {
    let set = daemon_set("agent").with("/metadata/deletionTimestamp", json!(ago(3600)));
    let set = set.with("/metadata/finalizers", json!(["example.com/guard", "example.com/other"]));
    told(
        &cluster(&set).nodes([node("a")]).pods([pod("p").on("a")]),
        str![[r#"
info SetIsDeleted []
    The set has been marked for deletion for 60m: the controller neither creates nor deletes its pods any more, and its status stays as it is. 1 pod is left: p on a (Running for 60m).
    => It waits for whoever owns the finalizers example.com/guard, example.com/other to finish.

"#]],
    );
}

#[test]
fn a_set_that_is_deleted_in_the_foreground_waits_for_its_pods() {
    let set = daemon_set("agent").with("/metadata/deletionTimestamp", json!(ago(60)));
    let set = set.with("/metadata/finalizers", json!(["foregroundDeletion"]));
    told(
        &cluster(&set).nodes([node("a")]),
        str![[r#"
info SetIsDeleted []
    The set has been marked for deletion for 60s: the controller neither creates nor deletes its pods any more, and its status stays as it is.
    => It goes once the garbage collector has deleted its pods (finalizer foregroundDeletion): see what keeps those that are left.

"#]],
    );
}

#[test]
fn a_selector_that_does_not_parse_fails_every_sync() {
    let set = daemon_set("agent").with("/spec/selector", json!({ "matchLabels": { "app": "-agent-" } }));
    told(
        &cluster(&set).nodes([node("a")]),
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
        &cluster(&daemon_set("agent")).pods([pod("p").on("a")]),
        str![[r#"
error NodesUnknown []
    No node is known, so nothing can be said about where the set should run, what is missing and what goes.
    => Get everything with `kubectl get nodes,daemonsets,pods,controllerrevisions,events -A -o yaml`.

"#]],
    );
}

#[test]
fn without_revisions_the_template_generation_decides() {
    let set = daemon_set("agent").with("/metadata/annotations/deprecated.daemonset.template.generation", json!("1"));
    let pods = [pod("p").on("a").label("pod-template-generation", "1")];
    told(
        &cluster(&set).nodes([node("a")]).pods(pods).revisions([]),
        str![[r#"
warning RevisionsUnknown []
    No ControllerRevision is known, so the current revision is not: a pod counts as updated if its pod-template-generation label equals the annotation of the set.
    => Get everything with `kubectl get nodes,daemonsets,pods,controllerrevisions,events -A -o yaml`.

"#]],
    );
}

#[test]
fn a_selector_has_to_match_the_template() {
    let set = daemon_set("agent").with("/spec/template/metadata/labels", json!({ "app": "agnet" }));
    told(
        &cluster(&set).nodes([node("a")]).pods([pod("p").on("a")]),
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
    let set = daemon_set("agent").affinity(json!([bad, good]));
    told(
        &cluster(&set).nodes([node("a").label("pool", "x")]).pods([pod("p").on("a")]),
        str![[r#"
warning TermNeverMatches []
    Term 1 of the required node affinity can never match ("in" is not a valid node selector operator), so only the other terms count; the controller says nothing about it.
    => Correct or remove the term in the template.

"#]],
    );
}

#[test]
fn numeric_tolerations_are_switched_off() {
    let set = daemon_set("agent").toleration(json!({ "key": "load", "operator": "Gt", "value": "5" }));
    told(
        &cluster(&set).nodes([node("a")]).pods([pod("p").on("a")]),
        str![[r#"
warning TolerationNeverMatches []
    load Gt 5 never tolerates anything: numeric operators need the feature gate TaintTolerationComparisonOperators, which is off by default.

"#]],
    );
}

#[test]
fn pods_of_other_owners_behind_the_same_labels_are_named() {
    let other = pod("b-1").on("a").owner("DaemonSet", "agent-b");
    let cluster = cluster(&daemon_set("agent")).nodes([node("a")]).pods([pod("p").on("a"), other]);
    told(
        &cluster.beside(&daemon_set("agent-b").with("/spec/selector/matchLabels/app", json!("agent"))),
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
        .with("/spec/selector", json!({ "matchExpressions": [{ "key": "app", "operator": "Exists" }] }));
    told(
        &cluster(&daemon_set("agent")).nodes([node("a")]).pods([pod("p").on("a")]).beside(&other),
        str![[r#"
info OverlappingSets []
    wide shares labels with agent: a pod that loses its owner is adopted by whichever set looks first, and `kubectl get pods -l` mixes their pods.
    => Give one of them a label of its own, in selector and template. A selector cannot be changed: delete that set with --cascade=orphan and create it again.

"#]],
    );
}

#[test]
fn orphans_are_adopted_and_strangers_released() {
    let pods = [pod("p").on("a"), pod("orphan").on("b").orphan(), pod("stranger").on("a").label("app", "other")];
    told(
        &cluster(&daemon_set("agent")).nodes([node("a"), node("b")]).pods(pods),
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
    let old = revision("r2", 2).current().with_null_creation_timestamp();
    let set = daemon_set("agent").with("/metadata/annotations/deprecated.daemonset.template.generation", json!("2"));
    let pods = [pod("p").on("a").label("pod-template-generation", "2"), pod("q").on("b")];
    let cluster = cluster(&set).nodes([node("a"), node("b")]).pods(pods).revisions([old]).server_version(1, 37);
    told(
        &cluster,
        str![[r#"
info RevisionRewritten []
    Revision 2 (agent-r2) differs from the template only in a `creationTimestamp: null`, which controllers since 1.34 no longer write: after such an upgrade a new revision is made although nothing was changed. 1 pod without the set's template generation counts as old and is replaced.

"#]],
    );
}

#[test]
fn a_template_without_revision_gets_one() {
    let cluster = cluster(&daemon_set("agent")).nodes([node("a")]).pods([pod("p").on("a").hash("r1")]);
    told(
        &cluster.revisions([revision("r1", 1)]),
        str![[r#"
info NewRevision []
    No revision equals the template: the controller makes revision 2, and 1 pod of an old one is to be replaced.

"#]],
    );
}

#[test]
fn a_revision_of_somebody_else_can_have_the_name() {
    let owner = json!([{ "apiVersion": "apps/v1", "kind": "DaemonSet", "name": "agent", "uid": "uid-before", "controller": true }]);
    let foreign = revision("r2", 2).current().with("/metadata/ownerReferences", owner);
    told(
        &cluster(&daemon_set("agent")).nodes([node("a")]).pods([pod("p").on("a")]).revisions([foreign]),
        str![[r#"
warning RevisionNameTaken []
    The revision agent-r2 equals the template but is not the set's: it belongs to another DaemonSet agent, most likely an earlier one. If its name is the one that the controller would give, the controller uses it as it is, in every sync anew; otherwise it makes another.
    => If nobody needs it, delete it, and the controller makes one of its own: `kubectl delete controllerrevision agent-r2 -n ops`.

"#]],
    );
}

#[test]
fn merged_revisions_update_pods_without_a_restart() {
    let revisions = [revision("r1", 1), revision("r2", 2).current(), revision("r3", 3).current()];
    let pods = [pod("p").on("a").hash("r1"), pod("q").on("b").hash("r2"), pod("r").on("c").hash("r3")];
    let cluster = cluster(&daemon_set("agent")).nodes([node("a"), node("b"), node("c")]).pods(pods);
    told(
        &cluster.revisions(revisions),
        str![[r#"
warning RevisionsMerged []
    agent-r2 equals the template as agent-r3 does: the controller deletes it, and gives 2 pods the hash r3 (p, q); from then on they count as up to date without a restart, whatever they run.
    => To be sure that all pods run the template, restart them: `kubectl rollout restart daemonset/agent -n ops`.

"#]],
    );
}

#[test]
fn going_back_restarts_nothing_that_still_runs_it() {
    let revisions = [revision("r2", 1).current(), revision("r3", 2)];
    told(
        &cluster(&daemon_set("agent")).nodes([node("a")]).pods([pod("p").on("a")]).revisions(revisions),
        str![[r#"
info RolledBack []
    The template is that of revision 1 again, which becomes revision 3: 1 pod that still runs it is not restarted.

"#]],
    );
}

#[test]
fn a_revision_without_hash_is_given_its_name() {
    let bare = revision("r2", 2).current().with("/metadata/labels", json!({ "app": "agent" }));
    told(
        &cluster(&daemon_set("agent")).nodes([node("a")]).pods([pod("p").on("a").hash("agent-r2")]).revisions([bare]),
        str![[r#"
warning RevisionWithoutHash []
    The current revision agent-r2 lacks the label controller-revision-hash: the controller sets it to agent-r2, and pods with another hash count as old unless their template generation says otherwise.

"#]],
    );
}

#[test]
fn a_spec_that_nobody_looks_at_is_a_warning_after_a_while() {
    let set = daemon_set("agent").generation(3, 2).with("/metadata/managedFields", json!([{ "time": ago(600) }]));
    told(
        &cluster(&set).nodes([node("a")]).pods([pod("p").on("a")]),
        str![[r#"
warning NotObserved []
    The controller has not yet looked at generation 3 of the spec (it knows 2), 10m old: status and revision are those of before; what is listed is what it will do.
    => See whether kube-controller-manager runs and has a leader: `kubectl get lease kube-controller-manager -n kube-system`.

"#]],
    );
}

#[test]
fn a_spec_just_edited_is_no_cause_for_alarm() {
    let set = daemon_set("agent").generation(3, 2).with("/metadata/managedFields", json!([{ "time": ago(2) }]));
    told(
        &cluster(&set).nodes([node("a")]).pods([pod("p").on("a")]),
        str![[r#"
info NotObserved []
    The controller has not yet looked at generation 3 of the spec (it knows 2), 2s old: status and revision are those of before; what is listed is what it will do.

"#]],
    );
}

#[test]
fn a_spec_edited_at_an_unknown_time_is_no_cause_for_alarm() {
    told(
        &cluster(&daemon_set("agent").generation(3, 2)).nodes([node("a")]).pods([pod("p").on("a")]),
        str![[r#"
info NotObserved []
    The controller has not yet looked at generation 3 of the spec (it knows 2): status and revision are those of before; what is listed is what it will do.

"#]],
    );
}

#[test]
fn old_pods_beside_available_new_ones_show_a_controller_at_rest() {
    let pods = [pod("new").on("a").created(300).ready_for(240), pod("old").on("a").hash("r1")];
    told(
        &cluster(&daemon_set("agent").max_surge(1)).nodes([node("a")]).pods(pods),
        str![[r#"
warning ControllerStandsStill [a]
    The controller has had cause to delete 1 pod for 4m and has not done so (a): it does not seem to act. It can also wait for an earlier write of its own, for up to 5m.
    => Make it look again, which changes nothing else: `kubectl annotate daemonset/agent -n ops kubectl-daemonset/poke="$(date +%s)" --overwrite`. If that does not help, see whether kube-controller-manager has a leader: `kubectl get lease kube-controller-manager -n kube-system`.

"#]],
    );
}

#[test]
fn a_controller_has_a_moment_to_act() {
    let pods = [pod("new").on("a").created(300).ready_for(20), pod("old").on("a").hash("r1")];
    told(&cluster(&daemon_set("agent").max_surge(1)).nodes([node("a")]).pods(pods), str![]);
}

#[test]
fn an_empty_node_says_nothing_about_since_when() {
    told(&cluster(&daemon_set("agent")).nodes([node("a")]), str![]);
}

#[test]
fn failed_pods_may_be_in_their_back_off() {
    told(
        &cluster(&daemon_set("agent")).nodes([node("a")]).pods([pod("p").on("a").created(600).failed("", "")]),
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
    let set = ("DaemonSet", "agent");
    let events = [event(set, "FailedCreate", quota, (12, 40)), event(set, "FailedCreate", again, (3, 20))];
    told(
        &cluster(&daemon_set("agent")).nodes([node("a")]).events(events),
        str![[r#"
error CannotCreate [a]
    The controller cannot create pods (seen 15 times, last 20s ago): Error creating: pods "agent-q1z9d" is forbidden: exceeded quota: pods, requested: pods=1, used: pods=10, limited: pods=10.
    => Raise the ResourceQuota of the namespace, or lower what else counts there: `kubectl describe quota -n ops`.

"#]],
    );
}

#[test]
fn refusals_are_past_when_nothing_is_to_be_created() {
    let events = [event(("DaemonSet", "agent"), "FailedCreate", "Error creating: no", (1, 40))];
    told(&cluster(&daemon_set("agent")).nodes([node("a")]).pods([pod("p").on("a")]).events(events), str![]);
}

#[test]
fn refused_deletions_are_told() {
    let events = [event(
        ("DaemonSet", "agent"),
        "FailedDelete",
        "Error deleting: admission webhook \"guard\" denied the request: no",
        (1, 10),
    )];
    let set = daemon_set("agent").node_selector("pool", "edge");
    told(
        &cluster(&set).nodes([node("a")]).pods([pod("p").on("a")]).events(events),
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
    let set = daemon_set("agent").with("/spec/updateStrategy", json!({ "type": "Recreate" }));
    told(
        &cluster(&set).nodes([node("a")]).pods([pod("p").on("a").hash("r1")]),
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
        &cluster(&set).nodes([node("a")]).pods([pod("p").on("a").hash("r1")]),
        str![[r#"
error RolloutFails []
    Every rolling-update step ends in an error and replaces nothing: maxUnavailable: invalid value "ten%": no number before the %.
    => Write a number, or a percentage such as 10%: `kubectl patch daemonset agent -n ops -p '{"spec":{"updateStrategy":{"rollingUpdate":{"maxSurge":0,"maxUnavailable":1}}}}'`.

"#]],
    );
}

#[test]
fn a_status_that_lags_is_told_with_its_numbers() {
    let set = daemon_set("agent").with("/status/desiredNumberScheduled", Value::from(3));
    let plan = cluster(&set).nodes([node("a")]).pods([pod("p").on("a")]).plan();
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
        let findings = cluster(&daemon_set("agent"))
            .nodes([node("a")])
            .events([event(("DaemonSet", "agent"), "FailedCreate", words, (85, 120))])
            .findings();
        let remedy = findings[0].remedy.as_deref().unwrap_or_default();
        assert!(!remedy.starts_with("Create the priority class"), "{words}: {remedy}");
        assert!(remedy.contains("another"), "{words}: {remedy}");
    }
}

#[test]
fn an_orphan_may_go_to_another_set() {
    let other = daemon_set("other").with("/spec/selector/matchLabels", serde_json::json!({ "app": "agent" }));
    let pods = [pod("pa").on("a").orphan(), pod("loose").orphan()];
    told(
        &cluster(&daemon_set("agent")).nodes([node("a")]).pods(pods).beside(&other),
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
        .with("/metadata/deletionTimestamp", serde_json::json!(ago(10_800)))
        .with("/metadata/finalizers", serde_json::json!(["foregroundDeletion"]));
    let left = pod("pa").on("a").deleting(10_000).with("/metadata/finalizers", serde_json::json!(["example.com/x"]));
    told(
        &cluster(&set).nodes([node("a")]).pods([left]),
        str![[r#"
info SetIsDeleted []
    The set has been marked for deletion for 3h: the controller neither creates nor deletes its pods any more, and its status stays as it is. 1 pod is left: pa on a (Terminating for 167m, finalizer example.com/x).
    => It goes once the garbage collector has deleted its pods (finalizer foregroundDeletion): see what keeps those that are left.

"#]],
    );
}
