//! What is told of nodes: down, tainted, virtual, cordoned, gone, or none that fits.

use serde_json::json;
use snapbox::str;

use super::told;
use crate::builders::{daemon_set, node, plan_with, pod};

#[test]
fn nodes_that_are_down_use_up_the_budget() {
    let set = daemon_set("agent").template("tolerations", json!([{ "operator": "Exists" }]));
    let objects = [
        node("a"),
        node("b").node_ready("Unknown", 6 * 86_400),
        node("c").node_ready("Unknown", 300),
        node("d"),
        node("e"),
        pod("pa").on("a").old(),
        pod("pb").on("b").old().not_ready_for(6 * 86_400).deleting(6 * 86_400 - 300),
        pod("pc").on("c").old().not_ready_for(300).deleting(100),
        pod("pd").on("d").old(),
        pod("pe").on("e"),
    ];
    told(
        &plan_with(set, objects),
        str![[r#"
error BudgetExhausted [b c]
    2 nodes are down, and the set has no available pod there: b, c (Ready=Unknown for 5m to 6d, pod Terminating). They take 2 places of a rollout budget of 1 (maxUnavailable 1), so 2 nodes with an available old pod wait: a, d. b was down before revision 2 began, 120m ago.
    => Bring b, c back; or set maxUnavailable to 3, the smallest value that moves: `kubectl patch daemonset agent -n ops -p '{"spec":{"updateStrategy":{"rollingUpdate":{"maxUnavailable":3}}}}'`. Removing only the pods frees nothing: the nodes stay wanted and count while they are empty.

"#]],
    );
}

#[test]
fn the_smallest_percentage_that_moves_is_told() {
    let set = daemon_set("agent").max_unavailable("20%");
    let nodes = [node("a"), node("b").node_ready("Unknown", 86_400), node("c"), node("d"), node("e")];
    let pods = ["a", "c", "d", "e"].map(|name| pod(&format!("p{name}")).on(name).old());
    let down = pod("pb").on("b").not_ready_for(86_400);
    told(
        &plan_with(set, nodes.into_iter().chain(pods).chain([down])),
        str![[r#"
error BudgetExhausted [b]
    A node is down, and the set has no available pod there: b (Ready=Unknown for 24h, pod not available). It takes 1 place of a rollout budget of 1 (maxUnavailable 20%), so 4 nodes with an available old pod wait: a, c, d, e. It was down before revision 2 began, 120m ago.
    => Bring b back; or if it is gone for good, remove its Node object: `kubectl delete node b` (the place comes free once pod garbage collection has taken pb); or set maxUnavailable to 21%, the smallest value that moves: `kubectl patch daemonset agent -n ops -p '{"spec":{"updateStrategy":{"rollingUpdate":{"maxUnavailable":"21%"}}}}'`. Removing only the pods frees nothing: the node stays wanted and counts while it is empty.

"#]],
    );
}

#[test]
fn a_larger_budget_is_no_way_out_while_the_new_revision_fails() {
    let set = daemon_set("agent").max_unavailable(2);
    let objects = [
        node("a"),
        node("b").node_ready("False", 86_400),
        node("c"),
        pod("pa").on("a").old(),
        pod("pb").on("b").not_ready_for(86_400),
        pod("pc")
            .on("c")
            .created(900)
            .waiting("CrashLoopBackOff")
            .waiting_message("back-off 5m0s restarting failed container")
            .not_ready_for(900),
    ];
    told(
        &plan_with(set, objects),
        str![[r#"
error BudgetExhausted [b]
    A node is down, and the set has no available pod there: b (Ready=False for 24h, pod not available). It takes 1 of the 2 places in use of a rollout budget of 2 (maxUnavailable 2): until 1 of them is free, 1 node with an available old pod waits. It was down before revision 2 began, 120m ago.
    => Bring b back; or if it is gone for good, remove its Node object: `kubectl delete node b` (the place comes free once pod garbage collection has taken pb). Removing only the pods frees nothing: the node stays wanted and counts while it is empty. A larger budget would only spread the new revision, which fails.
error NewRevisionFails [c]
    Revision 2 fails: 1 pod is in CrashLoopBackOff: pc on c for 15m (image agent:2). pc: back-off 5m0s restarting failed container. The node is Ready, and no pod of this revision is available anywhere, which points to the revision rather than to the node. It takes 1 of the 2 places in use of a rollout budget of 2 (maxUnavailable 2): until 1 of them is free, 1 node with an available old pod waits.
    => See why it ends: `kubectl logs pc -n ops --previous`, and fix that; or go back: `kubectl rollout undo daemonset/agent -n ops` (the failing pods are then replaced first, whatever the budget). A larger budget would only spread the failure.

"#]],
    );
}

#[test]
fn a_node_that_is_down_without_a_rollout_is_a_warning() {
    let objects = [
        node("a"),
        node("b").node_ready("Unknown", 3600),
        node("c"),
        pod("pa").on("a"),
        pod("pb").on("b").not_ready_for(3600),
        pod("pc").on("c"),
    ];
    told(
        &plan_with(daemon_set("agent"), objects),
        str![[r#"
warning NodesDown [b]
    A node is down, and the set has no available pod there: b (Ready=Unknown for 60m, pod not available). A DaemonSet pod is not moved elsewhere: it waits for its node.
    => Bring b back; or if it is gone for good, remove its Node object: `kubectl delete node b`.

"#]],
    );
}

#[test]
fn many_nodes_down_at_once_are_not_to_be_deleted() {
    let nodes = ["a", "b", "c"].map(|name| node(name).node_ready("Unknown", 3600));
    let pods = ["a", "b", "c"].map(|name| pod(&format!("p{name}")).on(name).not_ready_for(3600));
    told(
        &plan_with(daemon_set("agent"), nodes.into_iter().chain(pods)),
        str![[r#"
warning NodesDown [a b c]
    All 3 nodes are down, and the set has no available pod there: a, b, c (Ready=Unknown for 60m, pod not available). A DaemonSet pod is not moved elsewhere: it waits for its node.
    => So many at once point to the network or the control plane rather than to each node: look there first.

"#]],
    );
}

#[test]
fn long_lists_are_cut_in_the_message_only() {
    let nodes = (0..30).map(|i| node(&format!("n{i:02}")).taint("dedicated=batch:NoSchedule"));
    told(
        &plan_with(daemon_set("agent"), nodes.into_iter().chain([node("ok"), pod("p").on("ok")])),
        str![[r#"
info NotStartedOnTaintedNodes [n00 n01 n02 n03 n04 n05 n06 n07 n08 n09 n10 n11 n12 n13 n14 n15 n16 n17 n18 n19 n20 n21 n22 n23 n24 n25 n26 n27 n28 n29]
    30 nodes have no pod and want none, because of the taint dedicated=batch:NoSchedule: n00, n01, n02, n03, n04, n05, n06, n07, n08, n09 and 20 more.
    => To run there, tolerate dedicated=batch:NoSchedule in the template.

"#]],
    );
}

#[test]
fn kept_pods_stay_until_deleted() {
    let objects = [node("a"), node("b").taint("dedicated=batch:NoSchedule"), pod("pa").on("a"), pod("pb").on("b")];
    told(
        &plan_with(daemon_set("agent"), objects),
        str![[r#"
warning KeptOnTaintedNodes [b]
    2 pods = 1 on wanted nodes + 1 kept on a tainted node. The taint dedicated=batch:NoSchedule on b is not tolerated: none would be started there, but one that runs may stay. It stays until deleted and would not come back; a later rollout removes it. The alert KubeDaemonSetMisScheduled counts it.
    => Nothing need be done. To run there, add a toleration for dedicated=batch:NoSchedule to the template, which starts a rollout: `kubectl patch daemonset agent -n ops --type=json -p '[{"op":"add","path":"/spec/template/spec/tolerations","value":[{"effect":"NoSchedule","key":"dedicated","value":"batch"}]}]'`.

"#]],
    );
}

#[test]
fn a_node_that_is_not_up_keeps_its_pod_for_the_time_being() {
    let objects = [
        node("a"),
        node("b").node_ready("Unknown", 60).taint("node.kubernetes.io/unreachable:NoSchedule"),
        pod("pa").on("a"),
        pod("pb").on("b").not_ready_for(60),
    ];
    told(
        &plan_with(daemon_set("agent"), objects),
        str![[r#"
warning KeptOnNodesNotReady [b]
    b is not up (node.kubernetes.io/unreachable:NoSchedule) and, for the time being, not wanted: it keeps the pods that are there, counted as misscheduled rather than in DESIRED, and is wanted again once the taint is gone.
    => Nothing need be done for the set. If nodes need it to come up (network, storage, cloud provider), its template has to tolerate node.kubernetes.io/unreachable:NoSchedule.

"#]],
    );
}

#[test]
fn a_rollout_deletes_kept_pods_for_good() {
    let objects = [
        node("a"),
        node("b").taint("dedicated=batch:NoSchedule"),
        pod("pa").on("a").old().created(10).not_ready_for(10),
        pod("pb").on("b").old(),
    ];
    told(
        &plan_with(daemon_set("agent"), objects),
        str![[r#"
warning RolloutLosesPods [b]
    The rollout also deletes 1 old pod on a node whose taint is not tolerated (dedicated=batch:NoSchedule): pb on b. There none is made in its place.
    => To run there, add a toleration for dedicated=batch:NoSchedule to the template, which starts a rollout: `kubectl patch daemonset agent -n ops --type=json -p '[{"op":"add","path":"/spec/template/spec/tolerations","value":[{"effect":"NoSchedule","key":"dedicated","value":"batch"}]}]'`.

"#]],
    );
}

#[test]
fn control_plane_nodes_get_none_without_a_toleration() {
    let set = daemon_set("agent")
        .template("tolerations", json!([{ "key": "node-role.kubernetes.io/master", "operator": "Exists" }]));
    let objects = [node("a"), node("cp").taint("node-role.kubernetes.io/control-plane:NoSchedule"), pod("pa").on("a")];
    told(
        &plan_with(set, objects),
        str![[r#"
info NotStartedOnTaintedNodes [cp]
    1 node has no pod and wants none, because of the taint node-role.kubernetes.io/control-plane:NoSchedule: cp.
    => To run there, tolerate node-role.kubernetes.io/control-plane:NoSchedule (which since 1.24 stands in place of node-role.kubernetes.io/master) in the template.

"#]],
    );
}

#[test]
fn pods_go_at_once_where_the_selector_no_longer_matches() {
    let set = daemon_set("agent").template("nodeSelector", json!({ "pool": "edge" }));
    let nodes = [node("a").label("pool", "edge"), node("b").label("pool", "core"), node("c")];
    told(
        &plan_with(set, nodes.into_iter().chain(["a", "b", "c"].map(|name| pod(&format!("p{name}")).on(name)))),
        str![[r#"
warning PodsRemovedAtOnce [b c]
    2 pods go at once because of the nodeSelector of the template: pb on b: has pool=core, wanted edge; pc on c: lacks label pool, wanted pool=edge. Neither the update strategy nor maxUnavailable holds this back.
    => If the pods should stay, widen the field again or label the nodes; or go back: `kubectl rollout undo daemonset/agent -n ops`.

"#]],
    );
}

#[test]
fn pods_go_at_once_for_a_no_execute_taint() {
    let objects = [node("a"), node("b").taint("maintenance:NoExecute"), pod("pa").on("a"), pod("pb").on("b")];
    told(
        &plan_with(daemon_set("agent"), objects),
        str![[r#"
warning PodsRemovedAtOnce [b]
    1 pod goes at once because of a NoExecute taint that is not tolerated: pb on b: maintenance:NoExecute is not tolerated. Neither the update strategy nor maxUnavailable holds this back.
    => If the pods should stay, tolerate the taint in the template, or take it off the nodes.

"#]],
    );
}

#[test]
fn a_toleration_for_a_time_makes_a_loop() {
    let toleration =
        json!({ "key": "maintenance", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 60 });
    let set = daemon_set("agent").template("tolerations", json!([toleration]));
    told(
        &plan_with(set, [node("a").taint("maintenance:NoExecute"), pod("pa").on("a")]),
        str![[r#"
warning EvictionLoop [a]
    The taint maintenance:NoExecute on a is tolerated for 60s only: the pod is evicted after that, the controller takes the taint for tolerated and makes a new one, and so on for as long as the taint is there.
    => Take tolerationSeconds out of the template if the pods should stay; or take out the toleration if they should go.

"#]],
    );
}

#[test]
fn the_default_tolerations_are_for_ever() {
    let toleration = json!({ "key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 60 });
    let set = daemon_set("agent").template("tolerations", json!([toleration]));
    told(&plan_with(set, [node("a").taint("node.kubernetes.io/not-ready:NoExecute"), pod("pa").on("a")]), str![]);
}

#[test]
fn virtual_nodes_hold_pods_that_never_run() {
    let set = daemon_set("agent").template("tolerations", json!([{ "operator": "Exists" }]));
    let fargate = node("f")
        .label("eks.amazonaws.com/compute-type", "fargate")
        .taint("eks.amazonaws.com/compute-type=fargate:NoSchedule");
    let objects = [node("a"), fargate, pod("pa").on("a").old(), pod("pf").created(7200).pinned_to("f")];
    told(
        &plan_with(set, objects),
        str![[r#"
error VirtualNodes [f]
    A wanted node is virtual (eks.amazonaws.com/compute-type=fargate), where DaemonSet pods never run: f. The blanket toleration (operator=Exists) of the template covers its taint eks.amazonaws.com/compute-type=fargate:NoSchedule. pf is Pending, made 120m ago. UP-TO-DATE 1 counts exactly this one, which can never run. It takes 1 place of a rollout budget of 1 (maxUnavailable 1), so 1 node with an available old pod waits: a.
    => Exclude them in the template with a required node affinity: eks.amazonaws.com/compute-type NotIn [fargate]: `kubectl patch daemonset agent -n ops -p '{"spec":{"template":{"spec":{"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"eks.amazonaws.com/compute-type","operator":"NotIn","values":["fargate"]}]}]}}}}}}}'`. The pods there are then deleted at once, and since the template changes, a rollout follows.

"#]],
    );
}

#[test]
fn a_virtual_node_known_by_its_taint_asks_for_another_toleration() {
    let set = daemon_set("agent")
        .template("tolerations", json!([{ "key": "virtual-kubelet.io/provider", "operator": "Exists" }]));
    let virtual_node = node("v").taint("virtual-kubelet.io/provider=azure:NoSchedule");
    told(
        &plan_with(set, [node("a"), virtual_node, pod("pa").on("a"), pod("pv").created(7200).pinned_to("v")]),
        str![[r#"
error VirtualNodes [v]
    A wanted node is virtual (virtual-kubelet.io/provider=azure), where DaemonSet pods never run: v. The toleration virtual-kubelet.io/provider (Exists) covers its taint virtual-kubelet.io/provider=azure:NoSchedule. pv is Pending, made 120m ago.
    => Take the toleration that covers virtual-kubelet.io/provider out of the template, or exclude the nodes by a label of theirs with a required node affinity.

"#]],
    );
}

#[test]
fn no_eligible_node_names_the_nearest_first() {
    let set = daemon_set("agent").template("nodeSelector", json!({ "example.com/gpu": "true" }));
    let nodes = [
        node("a").label("example.com/gpu", "present"),
        node("b"),
        node("c").label("example.com/gpu", "present"),
        node("d").label("nvidia.com/gpu", "true"),
    ];
    told(
        &plan_with(set, nodes),
        str![[r#"
warning NoEligibleNode [a b c d]
    0 of 4 nodes are eligible: a, c have example.com/gpu=present, wanted true; d lacks label example.com/gpu, wanted example.com/gpu=true, but has nvidia.com/gpu=true; b lacks label example.com/gpu, wanted example.com/gpu=true. With nothing wanted all numbers agree, so `kubectl rollout status` says "successfully rolled out".
    => Label the nodes that are meant: `kubectl label node NAME example.com/gpu=true --overwrite`; or change nodeSelector in the template.

"#]],
    );
}

#[test]
fn all_nodes_unreachable_look_like_a_finished_rollout() {
    let nodes =
        ["a", "b"].map(|name| node(name).node_ready("Unknown", 60).taint("node.kubernetes.io/unreachable:NoSchedule"));
    told(
        &plan_with(daemon_set("agent"), nodes.into_iter().chain([pod("pa").on("a").not_ready_for(60)])),
        str![[r#"
warning NoEligibleNode [a b]
    0 of 2 nodes are eligible: a, b have node.kubernetes.io/unreachable:NoSchedule, not tolerated. With nothing wanted all numbers agree, so `kubectl rollout status` says "successfully rolled out", though 1 pod is kept on such a node.
    => Bring the nodes up if the taints say that they are not; otherwise tolerate the taints in the template.

"#]],
    );
}

#[test]
fn a_node_name_that_does_not_exist_fits_nowhere() {
    told(
        &plan_with(daemon_set("agent").set("/spec/template/spec/nodeName", "gone"), [node("a")]),
        str![[r#"
warning NoEligibleNode [a]
    0 of 1 node is eligible: a: nodeName is gone. With nothing wanted all numbers agree, so `kubectl rollout status` says "successfully rolled out".
    => Take nodeName gone out of the template, or name a node that exists.

"#]],
    );
}

#[test]
fn a_term_that_can_never_match_is_an_error_if_it_is_the_only_one() {
    let bad = json!({ "matchExpressions": [{ "key": "cores", "operator": "Gt", "values": ["-5"] }] });
    told(
        &plan_with(daemon_set("agent").affinity_terms(json!([bad])), [node("a").label("cores", "4")]),
        str![[r#"
error TermNeverMatches []
    Term 1 of the required node affinity can never match (key "cores": "-5" is not a valid label value), so no node is eligible; the controller says nothing about it.
    => Correct or remove the term in the template.
warning NoEligibleNode [a]
    0 of 1 node is eligible: a: never matches: key "cores": "-5" is not a valid label value. With nothing wanted all numbers agree, so `kubectl rollout status` says "successfully rolled out".
    => Label the nodes that are meant, or change the required node affinity in the template.

"#]],
    );
}

#[test]
fn cordoned_nodes_get_a_pod() {
    told(
        &plan_with(daemon_set("agent"), [node("a").cordoned()]),
        str![[r#"
info CordonedNodesWanted [a]
    a is cordoned and gets a pod all the same: every DaemonSet pod tolerates node.kubernetes.io/unschedulable, so neither cordon nor drain keeps one away.
    => To keep the set off a node, exclude it by a label with nodeSelector or node affinity, or taint it NoExecute.

"#]],
    );
}

#[test]
fn pods_of_missing_nodes_are_told_by_who_removes_them() {
    let objects =
        [node("a"), pod("pa").on("a"), pod("bound").on("gone-1").not_ready_for(60), pod("pinned").pinned_to("gone-2")];
    told(
        &plan_with(daemon_set("agent"), objects),
        str![[r#"
warning PodsOnMissingNodes [gone-1 gone-2]
    Pinned to a node that no longer exists, and not bound: pinned on gone-2. The controller deletes it. Bound to a node that no longer exists: bound on gone-1. The controller leaves it to pod garbage collection. They count in none of the numbers of the status, but until they are gone, gone-1, gone-2 take 2 places of a rollout budget of 1.
    => Wait for pod garbage collection (it looks every 20s, and gives a node 40s to come back). If the pods stay, kube-controller-manager or its pod-garbage-collector does not run; since the node is gone, `kubectl delete pod bound -n ops --force` is then safe.

"#]],
    );
}

#[test]
fn a_pod_of_a_missing_node_may_be_marked_and_goes_no_sooner() {
    let objects = [node("a"), pod("pa").on("a"), pod("old").on("gone").old(), pod("new").on("gone")];
    told(
        &plan_with(daemon_set("agent").max_surge(1), objects),
        str![[r#"
warning PodsOnMissingNodes [gone]
    Bound to nodes that no longer exist: new on gone, old on gone. The rolling update deletes old, but no kubelet is there to end it: pod garbage collection takes all of them away. They count in none of the numbers of the status.
    => Wait for pod garbage collection (it looks every 20s, and gives a node 40s to come back). If the pods stay, kube-controller-manager or its pod-garbage-collector does not run; since the node is gone, `kubectl delete pod new old -n ops --force` is then safe.
warning ControllerStandsStill [gone]
    The controller has had cause to delete 1 pod for 60m and has not done so (gone): it does not seem to act. It can also wait for an earlier write of its own, for up to 5m.
    => Make it look again, which changes nothing else: `kubectl annotate daemonset/agent -n ops kubectl-daemonset/poke="$(date +%s)" --overwrite`. If that does not help, see whether kube-controller-manager has a leader: `kubectl get lease kube-controller-manager -n kube-system`.

"#]],
    );
}

#[test]
fn an_old_pod_on_a_missing_node_stops_a_surge() {
    let objects = [node("a"), pod("pa").on("a").old(), pod("bound").on("gone").old()];
    told(
        &plan_with(daemon_set("agent").max_surge(1), objects),
        str![[r#"
error PodsOnMissingNodes [gone]
    Bound to a node that no longer exists: bound on gone. The controller leaves it to pod garbage collection. It counts in none of the numbers of the status. Until they are gone, the rolling update with maxSurge does nothing at all.
    => Wait for pod garbage collection (it looks every 20s, and gives a node 40s to come back). If the pods stay, kube-controller-manager or its pod-garbage-collector does not run; since the node is gone, `kubectl delete pod bound -n ops --force` is then safe.

"#]],
    );
}

#[test]
fn pods_that_name_no_node_are_invisible() {
    let stray = pod("stray").set("/status", json!({ "phase": "Pending" }));
    told(
        &plan_with(daemon_set("agent"), [node("a"), pod("pa").on("a"), stray]),
        str![[r#"
warning PodsWithoutNode []
    1 pod is not bound and names no single node in a required node affinity, so the controller neither counts nor deletes it: stray. The nodes get pods all the same.
    => Such pods were made by hand or changed at admission: delete them, or take off the labels that the selector matches.

"#]],
    );
}

#[test]
fn a_node_that_an_autoscaler_removes_needs_no_toleration() {
    let objects =
        [node("a"), node("b").taint("karpenter.sh/disrupted:NoSchedule"), pod("pa").on("a"), pod("pb").on("b")];
    told(
        &plan_with(daemon_set("agent"), objects),
        str![[r#"
info KeptOnTaintedNodes [b]
    2 pods = 1 on wanted nodes + 1 kept on a tainted node. The taint karpenter.sh/disrupted:NoSchedule on b is not tolerated: none would be started there, but one that runs may stay. It stays until deleted and would not come back; a later rollout removes it. The alert KubeDaemonSetMisScheduled counts it.
    => Nothing need be done: an autoscaler is about to remove the node.

"#]],
    );
}

#[test]
fn a_node_whose_agent_is_not_ready_is_not_up() {
    let objects = [node("a"), node("b").taint("node.cilium.io/agent-not-ready:NoSchedule"), pod("pa").on("a")];
    told(
        &plan_with(daemon_set("agent"), objects),
        str![[r#"
info NotStartedOnTaintedNodes [b]
    1 node has no pod and wants none, because of the taint node.cilium.io/agent-not-ready:NoSchedule: b.
    => Nothing need be done for the set. If nodes need it to come up (network, storage, cloud provider), its template has to tolerate node.cilium.io/agent-not-ready:NoSchedule.

"#]],
    );
}

#[test]
fn a_cluster_of_one_tainted_node_has_two_ways_out() {
    told(
        &plan_with(daemon_set("agent"), [node("a").taint("node-role.kubernetes.io/control-plane:NoSchedule")]),
        str![[r#"
warning NoEligibleNode [a]
    0 of 1 node is eligible: a has node-role.kubernetes.io/control-plane:NoSchedule, not tolerated. With nothing wanted all numbers agree, so `kubectl rollout status` says "successfully rolled out".
    => To run there, add a toleration for node-role.kubernetes.io/control-plane:NoSchedule (which since 1.24 stands in place of node-role.kubernetes.io/master) to the template, which starts a rollout: `kubectl patch daemonset agent -n ops --type=json -p '[{"op":"add","path":"/spec/template/spec/tolerations","value":[{"effect":"NoSchedule","key":"node-role.kubernetes.io/control-plane","operator":"Exists"}]}]'`. Or, if the only node is to run ordinary pods, take the taint off: `kubectl taint node a node-role.kubernetes.io/control-plane:NoSchedule-`.

"#]],
    );
}

#[test]
fn a_label_that_was_most_likely_meant_is_told_for_an_affinity_too() {
    let expression =
        |key: &str| json!([{ "matchExpressions": [{ "key": key, "operator": "In", "values": ["true"] }] }]);
    let set = daemon_set("agent").affinity_terms(expression("feature.node.kubernetes.io/pci-10de.present"));
    let node = node("a").label("feature.node.kubernetes.io/pci-0300_10de.present", "true");
    told(
        &plan_with(set, [node]),
        str![[r#"
warning NoEligibleNode [a]
    0 of 1 node is eligible: a lacks label feature.node.kubernetes.io/pci-10de.present, wanted In [true], but has feature.node.kubernetes.io/pci-0300_10de.present=true. With nothing wanted all numbers agree, so `kubectl rollout status` says "successfully rolled out".
    => Label the nodes that are meant, or change the required node affinity in the template.

"#]],
    );
}
