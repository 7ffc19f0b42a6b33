//! What `nodes` and `why` say next to pods in less common situations.

use serde_json::json;
use snapbox::{assert_data_eq, str};

use crate::builders::{Object, current_revision, daemon_set, node, plan, plan_with, pod, snapshot};
use crate::plan::Plan;
use crate::render::{Layout, why_groups};
use crate::view::nodes::NodeReport;
use crate::view::why::WhyGroupReport;

fn text(plan: &Plan) -> String {
    let lines = super::nodes(&NodeReport::new(plan, false), Layout { headers: true, ..Layout::default() });
    lines.into_iter().map(|line| line.text + "\n").collect()
}

fn planned(set: Object, num_nodes: usize, pods: impl IntoIterator<Item = Object>) -> Plan {
    let nodes = (1..=num_nodes).map(|i| node(&format!("n{i}")));
    plan_with(set, nodes.chain(pods))
}

#[test]
fn owners_change() {
    let pods = [pod("orphan").orphan().on("n1"), pod("lost").label("app", "other").on("n2")];
    assert_data_eq!(
        text(&planned(daemon_set("agent"), 2, pods)),
        str![[r#"
NODE   WANTED   POD      REVISION   STATE     SINCE    NEXT
n1     yes      orphan   2          Running   60m      is adopted
n2     yes      <none>   <none>     <none>    <none>   create: the node should run a pod and has none

"#]]
    );
}

#[test]
fn surge() {
    let pods = [
        pod("p1").on("n1").old(),
        pod("p2").on("n2").old().not_ready_for(60),
        pod("p3").on("n3").old(),
        pod("q3").on("n3").not_ready_for(60).created(60),
        pod("p4").on("n4").old(),
        pod("q4").on("n4").ready_for(60),
        pod("p5").on("n5").old(),
    ];
    assert_data_eq!(
        text(&planned(daemon_set("agent").max_surge(2), 5, pods)),
        str![[r#"
NODE   WANTED   POD      REVISION   STATE      SINCE    NEXT
n1     yes      p1       1 (old)    Running    60m      goes once a new pod beside it is available
n1     yes      <none>   <none>     <none>     <none>   candidate: any 1 of 2 gets a pod in a later sync
n2     yes      p2       1 (old)    NotReady   60s      goes once a new pod beside it is available
n2     yes      <none>   <none>     <none>     <none>   create later: the old pod is not available, so it is replaced whatever the budget
n3     yes      p3       1 (old)    Running    60m      goes once the new pod beside it is available
n3     yes      q3       2          NotReady   60s      counts against the budget
n4     yes      p4       1 (old)    Running    60m      delete: surge: the new pod is available, so the old one goes
n4     yes      q4       2          Running    60s      <none>
n5     yes      p5       1 (old)    Running    60m      goes once a new pod beside it is available
n5     yes      <none>   <none>     <none>     <none>   candidate: any 1 of 2 gets a pod in a later sync

"#]]
    );
}

#[test]
fn the_rollout_chooses() {
    let pods = [pod("p1").on("n1").old(), pod("p2").on("n2").old(), pod("p3").on("n3").old().not_ready_for(60)];
    assert_data_eq!(
        text(&planned(daemon_set("agent").max_unavailable(2), 3, pods)),
        str![[r#"
NODE   WANTED   POD   REVISION   STATE      SINCE   NEXT
n1     yes      p1    1 (old)    Running    60m     candidate: any 1 of 2 is deleted
n2     yes      p2    1 (old)    Running    60m     candidate: any 1 of 2 is deleted
n3     yes      p3    1 (old)    NotReady   60s     delete: the old pod is not available, so it is replaced whatever the budget

"#]]
    );
}

#[test]
fn the_rollout_waits_for_manage() {
    let pods = [pod("p1").on("n1").old(), pod("p2").on("n2").old(), pod("p3").on("n3").phase("Failed")];
    assert_data_eq!(
        text(&planned(daemon_set("agent"), 3, pods)),
        str![[r#"
NODE   WANTED   POD   REVISION   STATE     SINCE   NEXT
n1     yes      p1    1 (old)    Running   60m     candidate: any 1 of 2 is deleted in a later sync
n2     yes      p2    1 (old)    Running   60m     candidate: any 1 of 2 is deleted in a later sync
n3     yes      p3    2          Failed    60m     delete: the pod has failed

"#]]
    );
}

#[test]
fn more_than_one_sync_creates() {
    let text = text(&planned(daemon_set("agent"), 300, []));
    let rows: Vec<&str> = text.lines().take(2).collect();
    assert_eq!(
        rows,
        [
            "NODE   WANTED   POD      REVISION   STATE    SINCE    NEXT",
            "n1     yes      <none>   <none>     <none>   <none>   candidate: any 250 of 300 gets a pod",
        ]
    );
}

#[test]
fn on_delete() {
    let tainted = node("n2").taint("dedicated=db:NoSchedule");
    let objects = [node("n1"), tainted, pod("p1").on("n1").old(), pod("p2").on("n2").old()];
    assert_data_eq!(
        text(&plan_with(daemon_set("agent").on_delete(), objects)),
        str![[r#"
NODE   WANTED   POD   REVISION   STATE     SINCE   NEXT
n1     yes      p1    1 (old)    Running   60m     waits for you to delete it (OnDelete)
n2     keeps    p2    1 (old)    Running   60m     waits for you to delete it (OnDelete); would not come back

"#]]
    );
}

#[test]
fn pods_of_no_node() {
    let lost = pod("lost").phase("Pending").without("/status/conditions");
    let pods =
        [pod("p1").on("n1"), lost, pod("p3").on("gone").hash(""), pod("p4").on("gone").hash("7f9c").deleting(-20)];
    let plan = planned(daemon_set("agent"), 1, pods);
    assert_data_eq!(
        text(&plan),
        str![[r#"
NODE     WANTED    POD    REVISION       STATE         SINCE   NEXT
gone     no-node   p3     <none> (old)   Running       60m     delete: the old pod is available, so replacing it takes a place in the budget
gone     no-node   p4     7f9c (old)     Terminating   10s     terminates
n1       yes       p1     2              Running       60m     <none>
<none>   <none>    lost   2              Pending       24h     nothing: it names no node, so the controller does not see it

"#]]
    );
    let why = why_groups(&WhyGroupReport::new(&plan), Layout::default());
    assert_data_eq!(
        why.into_iter().map(|line| line.text + "\n").collect::<String>(),
        str![[r#"
1 node    no target node: pods are bound to no node and pinned to none
          pod Pending: nothing: it names no node, so the controller does not see it
          <none>
1 node    no such node, but pods of the set are bound or pinned to it
          delete: the old pod is available, so replacing it takes a place in the budget
          terminates
          gone
1 node    Ok: one available pod of the current revision
          n1

"#]]
    );
}

#[test]
fn a_set_that_is_left_alone() {
    let plan = planned(daemon_set("agent").deleting(10), 2, [pod("p1").on("n1")]);
    assert_data_eq!(
        text(&plan),
        str![[r#"
NODE   WANTED   POD      REVISION    STATE     SINCE    NEXT
n1     yes      p1       new (old)   Running   60m      nothing: the controller leaves this DaemonSet alone
n2     yes      <none>   <none>      <none>    <none>   <none>

"#]]
    );
}

#[test]
fn nodes_that_differ_only_in_their_name_are_one_group() {
    let set = daemon_set("agent").template("nodeSelector", json!({ "kubernetes.io/hostname": "other" }));
    let nodes = (1..=30).map(|i| node(&format!("n{i}")));
    let revision = current_revision(&set);
    let plan = plan(&snapshot(nodes.chain([set, revision])));
    let why = why_groups(&WhyGroupReport::new(&plan), Layout { width: Some(60), ..Layout::default() });
    assert_data_eq!(
        why.into_iter().map(|line| line.text + "\n").collect::<String>(),
        str![[r#"
30 nodes   NotWanted: the node lacks a label of the node
           selector
           has kubernetes.io/hostname=<node>, wanted other
           n1, n10, n11, n12, n13, n14, n15 … and 23 more

"#]]
    );
}
