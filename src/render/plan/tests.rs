//! Every verdict in every situation, as it reads.

use serde_json::json;
use snapbox::{assert_data_eq, str};

use crate::builders::{
    Object, current_revision, daemon_set, node, old_revision, plan as plan_of, plan_with, pod, snapshot,
};
use crate::plan::{Finding, FindingCode, Plan, Severity};
use crate::render::Layout;

fn text(plan: &Plan) -> String {
    // What findings say has tests of its own.
    let plan = Plan { findings: Vec::new(), ..plan.clone() };
    whole_text(&plan, Layout { headers: true, ..Layout::default() })
}

fn whole_text(plan: &Plan, layout: Layout) -> String {
    super::plan(plan, layout).into_iter().map(|line| line.text + "\n").collect()
}

fn nodes(names: &[&str]) -> Vec<Object> {
    names.iter().map(|name| node(name)).collect()
}

/// Plans the set with nodes n1 … and these pods.
fn planned(set: Object, num_nodes: usize, pods: impl IntoIterator<Item = Object>) -> Plan {
    let names: Vec<String> = (1..=num_nodes).map(|i| format!("n{i}")).collect();
    plan_with(set, names.iter().map(|name| node(name)).chain(pods))
}

#[test]
fn in_sync() {
    let plan = planned(daemon_set("agent"), 2, [pod("p1").on("n1"), pod("p2").on("n2")]);
    assert_data_eq!(
        text(&plan),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxUnavailable 1   revision 2 (new)

In sync: 2 of 2 wanted nodes have an available pod of revision 2.

Next sync   creates 0, deletes 0

"#]]
    );
}

#[test]
fn in_sync_with_kept_pods() {
    let pods = [pod("p1").on("n1"), pod("p2").on("n2"), pod("p3").on("n3")];
    let tainted = ["n2", "n3"].map(|name| node(name).taint("dedicated=db:NoSchedule"));
    let plan = plan_with(daemon_set("agent"), [node("n1")].into_iter().chain(tainted).chain(pods));
    assert_data_eq!(
        text(&plan),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxUnavailable 1   revision 2 (new)

In sync: 1 of 1 wanted nodes has an available pod of revision 2; 2 more nodes keep a pod that would not be started there now.

Next sync   creates 0, deletes 0

"#]]
    );
}

#[test]
fn work_creates_and_deletes() {
    let pods = [pod("p2").on("n2").phase("Failed"), pod("p3").on("gone").old(), pod("p4").pinned_to("gone")];
    assert_data_eq!(
        text(&planned(daemon_set("agent"), 2, pods)),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxUnavailable 1   revision 2 (new)

Work: the next sync deletes 2 pods and creates 1. 1 of 2 wanted nodes has an available pod, 1 has one of the current revision.
Budget: maxUnavailable 1, 2 in use, 0 free; it matters once a rollout starts

NODE   POD   STATE     SINCE   WHY IT COUNTS
gone   p4    Pending   24h     a new and an old pod are on the node; node does not exist

Next sync   creates 1 pod on n1: the node should run a pod and has none
            deletes p4 on gone: the pod is pinned to a node that does not exist
            deletes p2 on n2: the pod has failed; its node gets a new one in a later sync

"#]]
    );
}

#[test]
fn work_on_more_pods_than_one_sync_takes() {
    assert_data_eq!(
        text(&planned(daemon_set("agent"), 300, [])),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxUnavailable 1   revision 2 (new)

Work: the next sync creates 250 pods. 0 of 300 wanted nodes have an available pod, 0 have one of the current revision.

Next sync   creates a pod on any 250 of 300 nodes (n1, n10, n100, n101, n102, n103, n104, n105, n106, n107 … and 290 more): the node should run a pod and has none

"#]]
    );
}

#[test]
fn work_of_the_rollout() {
    let pods = [
        pod("p1").on("n1").old(),
        pod("p2").on("n2").old().not_ready_for(600),
        pod("p3").on("n3").old(),
        pod("p4").on("n4").old(),
    ];
    assert_data_eq!(
        text(&planned(daemon_set("agent").max_unavailable(2), 4, pods)),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxUnavailable 2   revision 2 (new)

Work: the next sync deletes 2 pods (maxUnavailable 2, 1 in use). 3 of 4 wanted nodes have an available pod, 0 have one of the current revision.

NODE   POD   STATE      SINCE   WHY IT COUNTS
n2     p2    NotReady   10m     the old pod is not available, so it is replaced whatever the budget

Next sync   deletes p2 on n2: the old pod is not available, so it is replaced whatever the budget
            deletes any 1 of 3 pods (p1 on n1, p3 on n3, p4 on n4): the old pod is available, so replacing it takes a place in the budget
Then        the 2 old pods left follow whenever the budget is free again

"#]]
    );
}

#[test]
fn work_of_the_rollout_after_manage() {
    let pods = [pod("p1").on("n1").old(), pod("p2").on("n2").old(), pod("p3").on("n3").phase("Failed")];
    assert_data_eq!(
        text(&planned(daemon_set("agent").max_unavailable("60%"), 3, pods)),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxUnavailable 60% (2 nodes)   revision 2 (new)

Work: the next sync deletes 1 pod. 3 of 3 wanted nodes have an available pod, 1 has one of the current revision.
Budget: maxUnavailable 2, 0 in use, 2 free

Next sync   deletes p3 on n3: the pod has failed; its node gets a new one in a later sync
Then        once that has been seen, the rolling-update step, as things stand now:
            deletes 2 pods (p1 on n1, p2 on n2): the old pod is available, so replacing it takes a place in the budget

"#]]
    );
}

#[test]
fn work_of_a_surge() {
    let pods = [
        pod("p1").on("n1").old(),
        pod("p2").on("n2").old(),
        pod("p3").on("n3").old().not_ready_for(60),
        pod("p4").on("n4").old(),
        pod("q4").on("n4").not_ready_for(60).created(60),
    ];
    assert_data_eq!(
        text(&planned(daemon_set("agent").max_surge(2), 4, pods)),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxSurge 2   revision 2 (new)

Work: the next sync creates 2 pods (maxSurge 2, 1 in use). 3 of 4 wanted nodes have an available pod, 0 have one of the current revision.

NODE   POD   STATE      SINCE   WHY IT COUNTS
n4     q4    NotReady   60s     the new pod is not available

NODE   POD   STATE      SINCE   WHY NOT AVAILABLE
n3     p3    NotReady   60s     the old pod is not available

Next sync   creates 1 pod on n3: the old pod is not available, so it is replaced whatever the budget
            creates a pod on any 1 of 2 nodes (n1, n2): the old pod is available, so replacing it takes a place in the budget
Then        the old pod on n4 goes once the new one beside it is available
            the 1 old pod left follows once the budget is free again

"#]]
    );
}

#[test]
fn moving_because_the_controller_has_yet_to_look() {
    let set = daemon_set("agent").set("/metadata/generation", 5);
    assert_data_eq!(
        text(&planned(set, 1, [pod("p1").on("n1").old()])),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxUnavailable 1   revision 2 (new)

Moving: the controller has not looked at generation 5 yet (it has seen 4); below is what it will do once it does.
Budget: maxUnavailable 1, 0 in use, 1 free

Next sync   deletes p1 on n1: the old pod is available, so replacing it takes a place in the budget

"#]]
    );
    let set = daemon_set("agent").without("/status/observedGeneration");
    assert_data_eq!(
        text(&plan_of(&snapshot([set, node("n1")]))),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxUnavailable 1   revision <unknown>

Moving: the controller has not looked at generation 4 yet (it has seen none yet); below is what it will do once it does.

Next sync   makes a new revision: none matches the template
            creates 1 pod on n1: the node should run a pod and has none

"#]]
    );
}

#[test]
fn moving_because_a_pod_is_on_its_way() {
    let pods = [pod("p1").on("n1").not_ready_for(5).created(8), pod("p2").on("n2").old()];
    assert_data_eq!(
        text(&planned(daemon_set("agent"), 2, pods)),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxUnavailable 1   revision 2 (new)

Moving: on 1 node a pod is starting or ending. 1 of 2 wanted nodes has an available pod, 1 has one of the current revision.
Budget: maxUnavailable 1, 1 in use, 0 free

NODE   POD   STATE      SINCE   WHY IT COUNTS
n1     p1    NotReady   8s      the new pod is not available

Next sync   creates 0, deletes 0
Then        1 old pod waits: n2

"#]]
    );
}

#[test]
fn degraded() {
    let pods = [pod("p1").on("n1").waiting("CrashLoopBackOff"), pod("p2").on("n2")];
    assert_data_eq!(
        text(&planned(daemon_set("agent"), 2, pods)),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxUnavailable 1   revision 2 (new)

Degraded: 1 of 2 wanted nodes has no available pod, and nothing is under way that would change it.
Budget: maxUnavailable 1, 1 in use, 0 free; it matters once a rollout starts

NODE   POD   STATE              SINCE   WHY IT COUNTS
n1     p1    CrashLoopBackOff   60m     the new pod is not available

Next sync   creates 0, deletes 0

"#]]
    );
}

#[test]
fn degraded_with_surge_names_who_has_no_available_pod() {
    let pods = [pod("p1").on("n1").waiting("CrashLoopBackOff"), pod("p2").on("n2")];
    assert_data_eq!(
        text(&planned(daemon_set("agent").max_surge(1), 2, pods)),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxSurge 1   revision 2 (new)

Degraded: 1 of 2 wanted nodes has no available pod, and nothing is under way that would change it.

NODE   POD   STATE              SINCE   WHY NOT AVAILABLE
n1     p1    CrashLoopBackOff   60m     the new pod is not available

Next sync   creates 0, deletes 0

"#]]
    );
}

#[test]
fn degraded_because_pods_are_kept_and_no_node_is_wanted() {
    let tainted = node("n1").taint("node.kubernetes.io/not-ready:NoSchedule").node_ready("False", 300);
    assert_data_eq!(
        text(&plan_with(daemon_set("agent"), [tainted, pod("p1").on("n1")])),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxUnavailable 1   revision 2 (new)

Degraded: no node is wanted, but 1 pod is left.

Next sync   creates 0, deletes 0

"#]]
    );
}

#[test]
fn blocked_by_one_node() {
    let pods = [pod("p1").on("n1").waiting("ImagePullBackOff"), pod("p2").on("n2").old(), pod("p3").on("n3").old()];
    assert_data_eq!(
        text(&planned(daemon_set("agent"), 3, pods)),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxUnavailable 1   revision 2 (new)

Blocked: 1 node is unavailable, and no more than 1 may be (maxUnavailable 1); its new pod is not available. None of the 2 old pods is replaced until it no longer counts.

NODE   POD   STATE              SINCE   WHY IT COUNTS
n1     p1    ImagePullBackOff   60m     the new pod is not available

Next sync   creates 0, deletes 0
Then        2 old pods wait: n2, n3

"#]]
    );
}

#[test]
fn blocked_by_more_nodes_than_the_budget_has() {
    let dead = ["n1", "n2", "n3"].map(|name| node(name).node_ready("Unknown", 600_000));
    let pods = [
        pod("p1").on("n1").old().deleting(500_000),
        pod("p2").on("n2").old().deleting(500_000),
        pod("p3").on("n3").not_ready_for(600_000),
        pod("p4").on("n4").old(),
    ];
    let plan = plan_with(daemon_set("agent"), dead.into_iter().chain([node("n4")]).chain(pods));
    assert_data_eq!(
        text(&plan),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxUnavailable 1   revision 2 (new)

Blocked: 3 nodes are unavailable, and only 1 may be (maxUnavailable 1). The 1 old pod is not replaced until none of them counts any more.

NODE   POD   STATE         SINCE   WHY IT COUNTS
n1     p1    Terminating   5d18h   every pod of the node terminates; node Ready=Unknown for 6d22h
n2     p2    Terminating   5d18h   every pod of the node terminates; node Ready=Unknown for 6d22h
n3     p3    NotReady      6d22h   the new pod is not available; node Ready=Unknown for 6d22h

Next sync   creates 0, deletes 0
Then        1 old pod waits: n4

"#]]
    );
}

#[test]
fn blocked_by_surging_pods() {
    let pods = [pod("p1").on("n1").old(), pod("q1").on("n1").waiting("ImagePullBackOff"), pod("p2").on("n2").old()];
    assert_data_eq!(
        text(&planned(daemon_set("agent").max_surge(1), 2, pods)),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxSurge 1   revision 2 (new)

Blocked: 1 node runs a new pod beside the old one, and no more than 1 may (maxSurge 1); its new pod is not available. None of the 2 old pods is replaced until it no longer counts.

NODE   POD   STATE              SINCE   WHY IT COUNTS
n1     q1    ImagePullBackOff   60m     the new pod is not available

Next sync   creates 0, deletes 0
Then        the old pod on n1 goes once the new one beside it is available
            1 old pod waits: n2

"#]]
    );
}

#[test]
fn blocked_by_an_error_of_the_step() {
    let pods = [pod("p1").on("n1").old(), pod("p2").on("gone").old()];
    assert_data_eq!(
        text(&planned(daemon_set("agent").max_surge(1), 1, pods)),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxSurge 1   revision 2 (new)

Blocked: the rolling-update step fails, so it replaces nothing: node "gone" of the old pod "p2" does not exist.

Next sync   creates 0, deletes 0
Then        1 old pod waits: n1

"#]]
    );
}

#[test]
fn blocked_by_an_error_of_the_sync() {
    let set = daemon_set("agent").set(
        "/spec/selector",
        json!({ "matchExpressions": [{ "key": "app", "operator": "Near", "values": ["agent"] }] }),
    );
    assert_data_eq!(
        text(&planned(set, 1, [])),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxUnavailable 1   revision <unknown>

Blocked: every sync fails: selector does not parse: "Near" is not a valid label selector operator.

Next sync   does nothing

"#]]
    );
}

#[test]
fn awaiting_delete() {
    let pods = [
        pod("p1").on("n1").old(),
        pod("p2").on("n2").old().waiting("CrashLoopBackOff"),
        pod("p3").on("n3").old().not_ready_for(6000),
        pod("p4").on("n4"),
    ];
    let dead = node("n3").node_ready("Unknown", 6000);
    let plan =
        plan_with(daemon_set("agent").on_delete(), nodes(&["n1", "n2", "n4"]).into_iter().chain([dead]).chain(pods));
    assert_data_eq!(
        text(&plan),
        str![[r#"
daemonset.apps/agent   namespace ops   OnDelete   revision 2 (new)

Waiting for you: 3 pods are outdated, and under OnDelete the controller replaces them only once you delete them. 2 of 4 wanted nodes have an available pod, 1 has one of the current revision.

NODE   POD   STATE              SINCE   WHY NOT AVAILABLE
n2     p2    CrashLoopBackOff   60m     the old pod is not available
n3     p3    NotReady           100m    the old pod is not available; node Ready=Unknown for 100m

Next sync   creates 0, deletes 0
For you     delete p2 on n2: not available, so replacing costs nothing
            then, once its successor is available, 1 pod that is outdated but available: p1 on n1
            leave for last, since the node is not ready: p3 on n3
            OnDelete: the controller makes the new pod as soon as the old one is gone; no budget holds you

"#]]
    );
}

#[test]
fn work_under_on_delete_does_not_wait() {
    let set = daemon_set("agent").on_delete().template("nodeSelector", json!({ "pool": "edge" }));
    let plan =
        plan_with(set, [node("n1").label("pool", "edge"), node("n2"), pod("p1").on("n1").old(), pod("p2").on("n2")]);
    assert_data_eq!(
        text(&plan),
        str![[r#"
daemonset.apps/agent   namespace ops   OnDelete   revision 2 (new)

Work: the next sync deletes 1 pod. 1 of 1 wanted nodes has an available pod, 0 have one of the current revision.

Next sync   deletes p2 on n2: the node may not keep a pod of this set: lacks label pool, wanted pool=edge
For you     delete 1 pod that is outdated but available: p1 on n1
            OnDelete: the controller makes the new pod as soon as the old one is gone; no budget holds you

"#]]
    );
}

#[test]
fn nothing_to_run() {
    let set = daemon_set("agent").template("nodeSelector", json!({ "gpu": "true" }));
    assert_data_eq!(
        text(&planned(set, 4, [])),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxUnavailable 1   revision 2 (new)

Nothing to run: 0 of 4 nodes want a pod, and no pod is left.

Next sync   creates 0, deletes 0

"#]]
    );
}

#[test]
fn skipped() {
    assert_data_eq!(
        text(&planned(daemon_set("agent").deleting(5), 1, [pod("p1").on("n1")])),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxUnavailable 1   revision <unknown>

Skipped: the set is being deleted: the controller leaves it alone.

Next sync   does nothing

"#]]
    );
    let set = daemon_set("agent").set("/spec/selector", json!({}));
    assert_data_eq!(
        text(&planned(set, 1, [])),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxUnavailable 1   revision <unknown>

Skipped: the selector is empty: the controller only sends a warning event.

Next sync   does nothing

"#]]
    );
}

#[test]
fn unknown_without_nodes() {
    assert_data_eq!(
        text(&planned(daemon_set("agent"), 0, [pod("p1").on("n1"), pod("p2").on("n2").old()])),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxUnavailable 1   revision 2 (new)

Unknown: no nodes are known, so it cannot be judged which nodes want a pod; 2 pods belong to the set.

Next sync   cannot be judged without the nodes

"#]]
    );
}

#[test]
fn without_revisions() {
    let plan = plan_of(&snapshot([daemon_set("agent"), node("n1"), pod("p1").on("n1")]));
    assert_data_eq!(
        text(&plan),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxUnavailable 1   revision <unknown>

Work: the next sync deletes 1 pod (maxUnavailable 1, 0 in use). 1 of 1 wanted nodes has an available pod, 0 have one of the current revision.

Next sync   deletes p1 on n1: the old pod is available, so replacing it takes a place in the budget

"#]]
    );
}

#[test]
fn an_unknown_strategy_replaces_nothing() {
    let set = daemon_set("agent").set("/spec/updateStrategy", json!({ "type": "Recreate" }));
    assert_data_eq!(
        text(&planned(set, 1, [pod("p1").on("n1").old()])),
        str![[r#"
daemonset.apps/agent   namespace ops   Recreate   revision 2 (new)

In sync: 1 of 1 wanted nodes has an available pod, 1 of them of an old revision.

Next sync   creates 0, deletes 0
Then        no old pod is ever replaced: the strategy type "Recreate" is unknown

"#]]
    );
}

#[test]
fn changes_of_the_history_and_of_owners_are_told() {
    let set = daemon_set("agent");
    let older_current = current_revision(&set).set("/revision", 1);
    let newer = old_revision(&set, "newer", 2);
    let claims = [pod("orphan").orphan().on("n1"), pod("lost").label("app", "other").on("n2")];
    let objects = [set.clone(), older_current, newer].into_iter().chain(nodes(&["n1", "n2"])).chain(claims);
    assert_data_eq!(
        text(&plan_of(&snapshot(objects))),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxUnavailable 1   revision 1 (new)

Work: the next sync creates 1 pod. 1 of 2 wanted nodes has an available pod, 1 has one of the current revision.

Next sync   renumbers revision agent-new from 1 to 3: it matches the template again
            adopts 1 pod (orphan), which matches the selector and has no owner
            releases 1 pod (lost), which no longer matches the selector
            creates 1 pod on n2: the node should run a pod and has none

"#]]
    );
    let no_match = [set.clone(), old_revision(&set, "old", 1), node("n1"), pod("p1").old().on("n1")];
    assert_data_eq!(
        text(&plan_of(&snapshot(no_match))),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxUnavailable 1   revision <unknown>

Work: the next sync deletes 1 pod (maxUnavailable 1, 0 in use). 1 of 1 wanted nodes has an available pod, 0 have one of the current revision.

Next sync   makes a new revision: none matches the template
            deletes p1 on n1: the old pod is available, so replacing it takes a place in the budget

"#]]
    );
}

#[test]
fn strays_are_told() {
    let lost = pod("p2").phase("Pending").without("/status/conditions");
    let pods = [pod("p1").on("n1"), lost, pod("p3").on("gone"), pod("p4").on("gone").created(10)];
    assert_data_eq!(
        text(&planned(daemon_set("agent"), 1, pods)),
        str![[r#"
daemonset.apps/agent   namespace ops   RollingUpdate, maxUnavailable 1   revision 2 (new)

In sync: 1 of 1 wanted nodes has an available pod of revision 2.
Budget: maxUnavailable 1, 1 in use, 0 free; it matters once a rollout starts

NODE   POD   STATE     SINCE   WHY IT COUNTS
gone   p3    Running   60m     several new or several old pods are on the node; node does not exist

Next sync   creates 0, deletes 0

"#]]
    );
}

#[test]
fn findings_come_last_with_their_remedies() {
    let mut plan = planned(daemon_set("agent"), 1, [pod("p1").on("n1")]);
    let finding = |severity, remedy: Option<&str>| Finding {
        code: FindingCode::BudgetExhausted,
        severity,
        message: "something is the matter with it, and it takes a long sentence to say what".to_owned(),
        nodes: Vec::new(),
        remedy: remedy.map(str::to_owned),
    };
    plan.findings = vec![
        finding(Severity::Error, Some("run `kubectl rollout undo daemonset/agent -n ops`")),
        finding(Severity::Warning, None),
        finding(Severity::Info, None),
    ];
    assert_data_eq!(
        whole_text(&plan, Layout { width: Some(60), headers: true, wide: false }),
        str![[r#"
daemonset.apps/agent   namespace ops
   RollingUpdate, maxUnavailable 1   revision 2 (new)

In sync: 1 of 1 wanted nodes has an available pod of
revision 2.

Next sync   creates 0, deletes 0

error: something is the matter with it, and it takes a long
       sentence to say what
hint: run `kubectl rollout undo daemonset/agent -n ops`

warning: something is the matter with it, and it takes a
         long sentence to say what

note: something is the matter with it, and it takes a long
      sentence to say what

"#]]
    );
}

#[test]
fn five_thousand_nodes_fit_on_a_screen() {
    let names: Vec<String> = (0..5000).map(|i| format!("node-{i:04}")).collect();
    let pods = names.iter().enumerate().map(|(i, name)| {
        let pod = pod(&format!("p{i:04}")).on(name);
        if i % 10 == 0 { pod.waiting("ImagePullBackOff") } else { pod.old() }
    });
    let plan = plan_with(daemon_set("agent").max_unavailable("10%"), names.iter().map(|name| node(name)).chain(pods));
    let text = text(&plan);
    assert!(text.lines().count() < 40, "{text}");
    assert!(text.lines().all(|line| line.len() < 250), "{text}");
}
