//! What is told of pods: failing, failed, stuck, doubled, or without a place.

use serde_json::json;
use snapbox::str;

use super::told;
use crate::builders::{Object, ago, daemon_set, event, node, plan_with, pod};

const TOO_LITTLE_CPU: &str = "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity]. \
                              preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod.";

/// A node of which it is known what it has to give.
fn known_node(name: &str) -> Object {
    node(name).allocatable("cpu", "2").allocatable("memory", "4Gi").allocatable("pods", "110")
}

/// A pod on node b that is not of the set.
fn other_pod(name: &str) -> Object {
    pod(name).on("b").owned_by("ReplicaSet", "web", "uid-web").label("app", "web")
}

#[test]
fn a_revision_that_fails_everywhere_is_at_fault() {
    let waiting = pod("pa")
        .on("a")
        .created(1080)
        .phase("Pending")
        .waiting("ImagePullBackOff")
        .waiting_message("Back-off pulling image \"agent:2\"")
        .not_ready_for(1079);
    let objects = [node("a"), node("b"), waiting, pod("pb").on("b").old()];
    told(
        &plan_with(daemon_set("agent"), objects),
        str![[r#"
error NewRevisionFails [a]
    Revision 2 fails: 1 pod is in ImagePullBackOff: pa on a for 18m (image agent:2). pa: Back-off pulling image "agent:2". The node is Ready, and no pod of this revision is available anywhere, which points to the revision rather than to the node. It takes 1 place of a rollout budget of 1 (maxUnavailable 1), so 1 node with an available old pod waits: b.
    => Fix the image name, or the pull secret, in the template; or go back: `kubectl rollout undo daemonset/agent -n ops` (the failing pods are then replaced first, whatever the budget). A larger budget would only spread the failure.

"#]],
    );
}

#[test]
fn a_revision_that_fails_on_one_node_may_not_be() {
    let crashing = json!([{
        "name": "agent", "image": "agent:2", "ready": false, "restartCount": 12,
        "state": { "waiting": { "reason": "CrashLoopBackOff", "message": "back-off 5m0s restarting failed container" } },
        "lastState": { "terminated": { "reason": "OOMKilled", "exitCode": 137 } },
    }]);
    let failing = pod("pa").on("a").not_ready_for(1000).set("/status/containerStatuses", crashing);
    let objects = [node("a"), node("b"), node("c"), failing, pod("pb").on("b"), pod("pc").on("c")];
    told(
        &plan_with(daemon_set("agent"), objects),
        str![[r#"
error PodsFail [a]
    1 pod is in CrashLoopBackOff: pa on a for 16m (image agent:2). pa: 12 restarts; container agent ended with OOMKilled (exit code 137); back-off 5m0s restarting failed container. The same revision is available on 2 other nodes, so look for what differs on that node.
    => Raise the memory limit of container agent in the template, or find out what it needs the memory for.

"#]],
    );
}

#[test]
fn events_tell_what_the_status_does_not() {
    let creating = pod("pa").on("a").phase("Pending").waiting("ContainerCreating").not_ready_for(3500);
    let message = r#"MountVolume.SetUp failed for volume "config" : configmap "agent" not found"#;
    let mount = event(("Pod", "pa"), "FailedMount", message).seen(9, 30);
    told(
        &plan_with(daemon_set("agent"), [node("a"), creating, mount]),
        str![[r#"
error PodsFail [a]
    1 pod is in ContainerCreating: pa on a for 58m (image agent:2). pa: FailedMount: MountVolume.SetUp failed for volume "config" : configmap "agent" not found. The node is Ready, and no pod of this revision is available anywhere, which points to the revision rather than to the node.
    => Create what the message names, and the kubelet starts the pods by itself; or fix the reference in the template.

"#]],
    );
}

#[test]
fn running_but_not_ready_points_to_the_probe() {
    let failing = pod("pa").on("a").not_ready_for(840);
    told(
        &plan_with(daemon_set("agent"), [node("a"), node("b"), failing, pod("pb").on("b").old()]),
        str![[r#"
error NewRevisionFails [a]
    Revision 2 fails: 1 pod runs but is not Ready: pa on a for 14m (image agent:2). The node is Ready, and no pod of this revision is available anywhere, which points to the revision rather than to the node. It takes 1 place of a rollout budget of 1 (maxUnavailable 1), so 1 node with an available old pod waits: b.
    => See which probe fails: `kubectl describe pod pa -n ops`, and `kubectl logs pa -n ops`; or go back: `kubectl rollout undo daemonset/agent -n ops` (the failing pods are then replaced first, whatever the budget). A larger budget would only spread the failure.

"#]],
    );
}

#[test]
fn a_pod_on_its_way_is_no_finding() {
    let starting = pod("pa").on("a").created(20).phase("Pending").waiting("ContainerCreating").not_ready_for(20);
    told(&plan_with(daemon_set("agent"), [node("a"), node("b"), starting, pod("pb").on("b").old()]), str![]);
}

#[test]
fn under_on_delete_going_back_needs_a_hand() {
    let failing = pod("pa")
        .on("a")
        .created(1080)
        .phase("Pending")
        .waiting("ErrImagePull")
        .waiting_message("not found")
        .not_ready_for(1080);
    told(
        &plan_with(daemon_set("agent").on_delete(), [node("a"), node("b"), failing, pod("pb").on("b").old()]),
        str![[r#"
error NewRevisionFails [a]
    Revision 2 fails: 1 pod is in ErrImagePull: pa on a for 18m (image agent:2). pa: not found. The node is Ready, and no pod of this revision is available anywhere, which points to the revision rather than to the node.
    => Fix the image name, or the pull secret, in the template; or go back, and then delete the failing pods: `kubectl rollout undo daemonset/agent -n ops`.
info OnDeleteWaits [b]
    OnDelete: 1 pod of an old revision stays until somebody deletes it: pb on b. `kubectl rollout status` refuses a set with this strategy.
    => Delete none yet: the new revision does not become available on a.

"#]],
    );
}

#[test]
fn an_evicted_pod_is_evicted_again_while_the_pressure_lasts() {
    let evicted = pod("pa").on("a").failed("Evicted", "The node was low on resource: ephemeral-storage.");
    told(
        &plan_with(daemon_set("agent"), [node("a").condition("DiskPressure"), evicted]),
        str![[r#"
warning PodsFailed [a]
    1 pod is Failed (Evicted): pa on a. pa: The node was low on resource: ephemeral-storage. The controller deletes it, and a later sync makes a new one; where a pod fails again it backs off, per node, from 1s up to 15m. a still has DiskPressure: expect a new pod to be evicted again. CURRENT 1 counts it all the same.
    => Relieve a first (images and logs on its disk, pods without limits); requests close to real use and a higher priority make an eviction less likely.
warning ControllerStandsStill [a]
    The controller has had cause to delete 1 pod for 120m and has not done so (a): it does not seem to act. It can also wait for an earlier write of its own, for up to 5m.
    => Make it look again, which changes nothing else: `kubectl annotate daemonset/agent -n ops kubectl-daemonset/poke="$(date +%s)" --overwrite`. If that does not help, see whether kube-controller-manager has a leader: `kubectl get lease kube-controller-manager -n kube-system`.

"#]],
    );
}

#[test]
fn a_pod_that_the_kubelet_refused_needs_room() {
    let refused =
        pod("pa").on("a").created(60).failed("OutOfcpu", "Pod was rejected: Node didn't have enough resource: cpu");
    told(
        &plan_with(daemon_set("agent"), [node("a"), refused]),
        str![[r#"
warning PodsFailed [a]
    1 pod is Failed (OutOfcpu): pa on a. pa: Pod was rejected: Node didn't have enough resource: cpu. The controller deletes it, and a later sync makes a new one; where a pod fails again it backs off, per node, from 1s up to 15m. CURRENT 1 counts it all the same.
    => The kubelet had no room when the pod arrived: free room on a, or lower the requests.

"#]],
    );
}

#[test]
fn an_ended_pod_is_replaced_without_back_off() {
    let ended = pod("pa").on("a").created(10).phase("Succeeded").without("/status/conditions");
    told(
        &plan_with(daemon_set("agent"), [node("a"), ended]),
        str![[r#"
info PodsFailed [a]
    1 pod is Succeeded: pa on a. The controller deletes it without back-off, and a later sync makes a new one. CURRENT 1 counts it all the same.

"#]],
    );
}

#[test]
fn a_pod_that_should_be_gone_on_a_ready_node_is_stuck() {
    let stuck = pod("pa").on("a").old().not_ready_for(900).deleting(840);
    told(
        &plan_with(daemon_set("agent"), [node("a"), node("b"), stuck, pod("pb").on("b").old()]),
        str![[r#"
error PodsStuckTerminating [a]
    1 pod is still there although its deletion was due, on a node that is ready: pa on a, due 14m ago. Until it is gone, no new pod is started there. It takes 1 place of a rollout budget of 1 (maxUnavailable 1), so 1 node with an available old pod waits: b.
    => See what keeps it: `kubectl describe pod pa -n ops` (a container that ignores its stop signal, a volume that does not unmount), and the kubelet's log on a. With --force it would go from the API only: what it runs may stay, and a new pod starts beside it.

"#]],
    );
}

#[test]
fn a_pod_that_terminates_in_time_is_no_finding() {
    told(&plan_with(daemon_set("agent"), [node("a"), pod("pa").on("a").deleting(-20)]), str![]);
}

#[test]
fn of_two_pods_the_older_one_stays() {
    let objects = [node("a"), pod("pa").on("a").created(50), pod("pz").on("a").created(900)];
    told(
        &plan_with(daemon_set("agent"), objects),
        str![[r#"
warning DuplicatePods [a]
    1 node has more pods of the set than it should. a: pz stays, as the oldest; pa is deleted. Age decides, not readiness or revision; pods that are bound come before those that are not.
warning ControllerStandsStill [a]
    The controller has had cause to delete 1 pod for 50s and has not done so (a): it does not seem to act. It can also wait for an earlier write of its own, for up to 5m.
    => Make it look again, which changes nothing else: `kubectl annotate daemonset/agent -n ops kubectl-daemonset/poke="$(date +%s)" --overwrite`. If that does not help, see whether kube-controller-manager has a leader: `kubectl get lease kube-controller-manager -n kube-system`.

"#]],
    );
}

#[test]
fn what_does_not_fit_is_told_by_how_much() {
    let waiting =
        pod("pb").created(11 * 86_400).request("cpu", "250m").pinned_to("b").unschedulable(TOO_LITTLE_CPU, 11 * 86_400);
    let other = other_pod("other").request("cpu", "1900m");
    told(
        &plan_with(daemon_set("agent"), [known_node("a"), known_node("b"), pod("pa").on("a"), waiting, other]),
        str![[r#"
error DoesNotFit [b]
    A pod does not fit on the only node that may host it: pb on b, Pending for 11d: needs 250m cpu, free 100m cpu of 2 cpu (short by 150m cpu). No pod there has a lower priority than its 0, so preemption does not help. CURRENT 2 counts it, though it does not run.
    => Free 150m cpu on b by removing or moving another pod; or set a priorityClassName of higher priority in the template, so that other pods make room; or lower the requests. A larger cluster does not help: only b can host this pod.

"#]],
    );
}

#[test]
fn pods_of_lower_priority_make_room() {
    let waiting =
        pod("pb").request("cpu", "250m").pinned_to("b").unschedulable(TOO_LITTLE_CPU, 600).set("/spec/priority", 1000);
    let other = other_pod("other").request("cpu", "1900m");
    told(
        &plan_with(daemon_set("agent"), [known_node("b"), waiting, other]),
        str![[r#"
error DoesNotFit [b]
    A pod does not fit on the only node that may host it: pb on b, Pending for 10m: needs 250m cpu, free 100m cpu of 2 cpu (short by 150m cpu). Without the 1 pod there of lower priority than its 1000 it would fit, so the scheduler should preempt. CURRENT 1 counts it, though it does not run.
    => If it stays so, see whether the template's priority class has preemptionPolicy Never; or free 150m cpu on b by removing or moving another pod. A larger cluster does not help: only b can host this pod.

"#]],
    );
}

#[test]
fn a_node_too_small_can_never_hold_the_pod() {
    let waiting = pod("pb")
        .request("memory", "6Gi")
        .pinned_to("b")
        .unschedulable("0/1 nodes are available: 1 Insufficient memory.", 600);
    told(
        &plan_with(daemon_set("agent"), [known_node("b"), waiting]),
        str![[r#"
error DoesNotFit [b]
    A pod does not fit on the only node that may host it: pb on b, Pending for 10m: needs 6Gi memory, free 4Gi memory of 4Gi memory (short by 2Gi memory). The node is too small even if it were empty. CURRENT 1 counts it, though it does not run.
    => Lower the requests in the template, or keep the set off such nodes with a node affinity. A larger cluster does not help: only b can host this pod.

"#]],
    );
}

#[test]
fn the_number_of_pods_is_a_resource_too() {
    let waiting = pod("pb").pinned_to("b").unschedulable("0/1 nodes are available: 1 Too many pods.", 600);
    let other = other_pod("other");
    told(
        &plan_with(daemon_set("agent"), [known_node("b").allocatable("pods", "1"), waiting, other]),
        str![[r#"
error DoesNotFit [b]
    A pod does not fit on the only node that may host it: pb on b, Pending for 10m: the node has 1 pods, of 1 that it may have. No pod there has a lower priority than its 0, so preemption does not help. CURRENT 1 counts it, though it does not run.
    => Free a place for a pod on b by removing or moving another pod; or set a priorityClassName of higher priority in the template, so that other pods make room; or lower the requests. A larger cluster does not help: only b can host this pod.

"#]],
    );
}

#[test]
fn many_pods_with_one_cause_are_one_finding() {
    let names = ["a", "b", "c", "d"];
    let message = "0/4 nodes are available: 1 Insufficient cpu, 3 node(s) didn't match Pod's node affinity/selector.";
    let pods =
        names.map(|name| pod(&format!("p{name}")).request("cpu", "3").pinned_to(name).unschedulable(message, 600));
    told(
        &plan_with(daemon_set("agent"), names.map(known_node).into_iter().chain(pods)),
        str![[r#"
error DoesNotFit [a b c d]
    Pods do not fit on the only node that may host each of them: pa on a, Pending for 10m: needs 3 cpu, free 2 cpu of 2 cpu (short by 1 cpu); pb on b, Pending for 10m: needs 3 cpu, free 2 cpu of 2 cpu (short by 1 cpu); pc on c, Pending for 10m: needs 3 cpu, free 2 cpu of 2 cpu (short by 1 cpu); and 1 more. The node is too small even if it were empty. CURRENT 4 counts them, though they do not run.
    => Lower the requests in the template, or keep the set off such nodes with a node affinity. A larger cluster does not help: each of them can run on its own node only.

"#]],
    );
}

#[test]
fn what_fits_by_now_is_said_to() {
    let waiting = pod("pb")
        .request("cpu", "250m")
        .pinned_to("b")
        .unschedulable("0/1 nodes are available: 1 Insufficient cpu.", 600);
    told(
        &plan_with(daemon_set("agent"), [known_node("b"), waiting]),
        str![[r#"
error DoesNotFit [b]
    A pod does not fit on the only node that may host it: pb on b, Pending for 10m: the scheduler said: Insufficient cpu; by the pods known here it would fit by now. CURRENT 1 counts it, though it does not run.
    => The scheduler tries again by itself, at the latest after 5m. If it fails again, pods of other namespaces take room that is not known here.

"#]],
    );
}

#[test]
fn a_host_port_is_taken_by_somebody() {
    let message = "0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.";
    let waiting = pod("pb").host_port(9100).pinned_to("b").unschedulable(message, 600);
    let other = other_pod("exporter").host_port(9100);
    told(
        &plan_with(daemon_set("agent"), [known_node("b"), waiting, other]),
        str![[r#"
error DoesNotFit [b]
    A pod does not fit on the only node that may host it: pb on b, Pending for 10m: host port 9100/TCP is taken by ops/exporter. CURRENT 1 counts it, though it does not run.
    => Stop the pod that has the port, or take another host port in the template. A larger cluster does not help: only b can host this pod.

"#]],
    );
}

#[test]
fn the_schedulers_words_are_told_where_there_are_no_numbers() {
    let message = "0/2 nodes are available: 1 node(s) had volume node affinity conflict, 1 node is filtered out by the prefilter result.";
    let waiting = pod("pb").pinned_to("b").unschedulable(message, 600);
    told(
        &plan_with(daemon_set("agent"), [known_node("b"), waiting]),
        str![[r#"
error DoesNotFit [b]
    A pod does not fit on the only node that may host it: pb on b, Pending for 10m: the scheduler says: node(s) had volume node affinity conflict. CURRENT 1 counts it, though it does not run.
    => Mend on b what the scheduler names. A larger cluster does not help: only b can host this pod.

"#]],
    );
}

#[test]
fn a_selector_added_at_admission_fits_no_node() {
    let message = "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.";
    told(
        &plan_with(daemon_set("agent"), [known_node("b"), pod("pb").pinned_to("b").unschedulable(message, 600)]),
        str![[r#"
error NodeSelectorAdded [b]
    The scheduler refuses every node for pb, also the one that it is pinned to (b): it has a stricter node selector than the set knows, most likely added at admission from a default node selector of the namespace.
    => Compare with `kubectl get pod pb -n ops -o jsonpath='{.spec.nodeSelector}'`; then empty the default for this namespace (annotation openshift.io/node-selector or scheduler.alpha.kubernetes.io/node-selector), or write the same selector into the template, so that no pod is made for nodes that it excludes.

"#]],
    );
}

#[test]
fn a_pod_that_no_scheduler_looked_at_says_so() {
    told(
        &plan_with(daemon_set("agent"), [known_node("b"), pod("pb").created(300).pinned_to("b")]),
        str![[r#"
error NotScheduled [b]
    The scheduler has not looked at 1 pod: pb on b, made 5m ago. There is no PodScheduled condition.
    => See whether the scheduler runs, and whether the template's schedulerName names one that does.

"#]],
    );
}

#[test]
fn the_scheduler_has_a_minute() {
    told(&plan_with(daemon_set("agent"), [known_node("b"), pod("pb").created(30).pinned_to("b")]), str![]);
}

#[test]
fn the_architecture_tells_failing_nodes_apart() {
    let nodes = [("a", "amd64"), ("b", "arm64"), ("c", "amd64")]
        .map(|(name, arch)| node(name).label("kubernetes.io/arch", arch));
    let pods = [pod("pa").on("a"), pod("pb").on("b").waiting("CrashLoopBackOff").not_ready_for(900), pod("pc").on("c")];
    told(
        &plan_with(daemon_set("agent"), nodes.into_iter().chain(pods)),
        str![[r#"
error PodsFail [b]
    1 pod is in CrashLoopBackOff: pb on b for 15m (image agent:2). The same revision is available on 2 other nodes; this one has kubernetes.io/arch=arm64, which none of those has.
    => If the image is not built for arm64: keep the set off such nodes, which starts a rollout (`kubectl patch daemonset agent -n ops -p '{"spec":{"template":{"spec":{"nodeSelector":{"kubernetes.io/arch":"amd64"}}}}}'`), or take an image that is built for both; otherwise see why it ends: `kubectl logs pb -n ops --previous`, and fix that.

"#]],
    );
}

#[test]
fn any_label_tells_several_failing_nodes_apart() {
    let nodes = [("a", "x"), ("b", "y"), ("c", "y")].map(|(name, pool)| node(name).label("pool", pool));
    let failing = |name: &str, node: &str| pod(name).on(node).waiting("CrashLoopBackOff").not_ready_for(900);
    let pods = [pod("pa").on("a"), failing("pb", "b"), failing("pc", "c")];
    told(
        &plan_with(daemon_set("agent"), nodes.into_iter().chain(pods)),
        str![[r#"
error PodsFail [b c]
    2 pods are in CrashLoopBackOff: pb on b for 15m, pc on c for 15m (image agent:2). The same revision is available on 1 other node; all of these have pool=y, which that one lacks.
    => See why it ends: `kubectl logs pb -n ops --previous`, and fix that.

"#]],
    );
}

#[test]
fn beyond_twenty_nodes_the_schedulers_words_name_the_same_cause() {
    let names: Vec<_> = (0..25).map(|i| format!("n{i:02}")).collect();
    let message = "0/25 nodes are available: 1 Insufficient cpu, 24 node is filtered out by the prefilter result.";
    let pods = names
        .iter()
        .map(|name| pod(&format!("p-{name}")).request("cpu", "3").pinned_to(name).unschedulable(message, 600));
    told(
        &plan_with(daemon_set("agent"), names.iter().map(|name| known_node(name)).chain(pods)),
        str![[r#"
error DoesNotFit [n00 n01 n02 n03 n04 n05 n06 n07 n08 n09 n10 n11 n12 n13 n14 n15 n16 n17 n18 n19 n20 n21 n22 n23 n24]
    Pods do not fit on the only node that may host each of them: p-n00 on n00, Pending for 10m: needs 3 cpu, free 2 cpu of 2 cpu (short by 1 cpu); p-n01 on n01, Pending for 10m: needs 3 cpu, free 2 cpu of 2 cpu (short by 1 cpu); p-n02 on n02, Pending for 10m: needs 3 cpu, free 2 cpu of 2 cpu (short by 1 cpu); and 22 more. The node is too small even if it were empty. CURRENT 25 counts them, though they do not run.
    => Lower the requests in the template, or keep the set off such nodes with a node affinity. A larger cluster does not help: each of them can run on its own node only.

"#]],
    );
}

/// Makes the status of one container, whose last run ended like this.
fn ended(name: &str, is_ready: bool, restarts: i32, reason: &str, seconds: i64) -> serde_json::Value {
    let state = match is_ready {
        true => json!({ "running": {} }),
        false => json!({ "waiting": { "reason": "CrashLoopBackOff", "message": "back-off 5m0s" } }),
    };
    let end = json!({ "reason": reason, "exitCode": 1, "finishedAt": ago(seconds) });
    json!({
        "name": name, "image": "agent:2", "ready": is_ready, "restartCount": restarts,
        "state": state, "lastState": { "terminated": end },
    })
}

#[test]
fn the_log_of_an_init_container_has_to_be_asked_for() {
    let failing = pod("pa").on("a").created(3600).not_ready_for(3600);
    let failing = failing.set("/status/initContainerStatuses", json!([ended("install", false, 9, "Error", 60)]));
    told(
        &plan_with(daemon_set("agent"), [node("a"), failing]),
        str![[r#"
error PodsFail [a]
    1 pod is in CrashLoopBackOff: pa on a for 60m (image agent:2). pa: 9 restarts; init container install ended with exit code 1; back-off 5m0s. The node is Ready, and no pod of this revision is available anywhere, which points to the revision rather than to the node.
    => See why it ends: `kubectl logs pa -n ops -c install --previous`, and fix that.

"#]],
    );
}

#[test]
fn a_node_without_a_network_is_not_the_revisions_fault() {
    let creating = pod("pa").on("a").phase("Pending").waiting("ContainerCreating").not_ready_for(3500);
    let words = "Failed to create pod sandbox: plugin type=\"calico\" failed (add): stat /var/lib/calico/nodename";
    let event = event(("Pod", "pa"), "FailedCreatePodSandBox", words).seen(230, 30);
    let objects = [node("a"), node("b"), creating, pod("pb").on("b"), event];
    told(
        &plan_with(daemon_set("agent"), objects),
        str![[r#"
error PodsFail [a]
    1 pod is in ContainerCreating: pa on a for 58m (image agent:2). pa: FailedCreatePodSandBox: Failed to create pod sandbox: plugin type="calico" failed (add): stat /var/lib/calico/nodename. The same revision is available on 1 other node, so look for what differs on that node.
    => The network plugin or the container runtime fails on a: look at the plugin's own pod there, and at the kubelet's log.

"#]],
    );
}

/// Makes a pod whose image cannot be pulled.
fn pulling(name: &str, node: &str, words: &str) -> Object {
    pod(name).on(node).phase("Pending").waiting("ImagePullBackOff").waiting_message(words).not_ready_for(900)
}

#[test]
fn an_image_for_another_platform_asks_for_a_node_selector() {
    let nodes = [("a", "linux"), ("b", "windows")].map(|(name, os)| node(name).label("kubernetes.io/os", os));
    let words = "ErrImagePull: no matching manifest for windows/amd64 in the manifest list entries";
    let pods = [pod("pa").on("a"), pulling("pb", "b", words)];
    told(
        &plan_with(daemon_set("agent"), nodes.into_iter().chain(pods)),
        str![[r#"
error PodsFail [b]
    1 pod is in ImagePullBackOff: pb on b for 15m (image agent:2). pb: ErrImagePull: no matching manifest for windows/amd64 in the manifest list entries. The same revision is available on 1 other node; this one has kubernetes.io/os=windows, which that one lacks.
    => Keep the set off such nodes, which starts a rollout (`kubectl patch daemonset agent -n ops -p '{"spec":{"template":{"spec":{"nodeSelector":{"kubernetes.io/os":"linux"}}}}}'`), or take an image that is built for windows, too.

"#]],
    );
}

#[test]
fn a_registry_that_limits_pulls_is_no_matter_of_the_name() {
    let limited = pulling("pa", "a", "429 Too Many Requests - toomanyrequests: You have reached your pull rate limit");
    told(
        &plan_with(daemon_set("agent"), [node("a"), limited]),
        str![[r#"
error PodsFail [a]
    1 pod is in ImagePullBackOff: pa on a for 15m (image agent:2). pa: 429 Too Many Requests - toomanyrequests: You have reached your pull rate limit. The node is Ready, and no pod of this revision is available anywhere, which points to the revision rather than to the node.
    => The registry limits pulls: wait, or pull with an account, or through a mirror.

"#]],
    );
    let unreachable = pulling("pa", "a", "dial tcp 192.0.2.1:443: i/o timeout");
    told(
        &plan_with(daemon_set("agent"), [node("a"), unreachable]),
        str![[r#"
error PodsFail [a]
    1 pod is in ImagePullBackOff: pa on a for 15m (image agent:2). pa: dial tcp 192.0.2.1:443: i/o timeout. The node is Ready, and no pod of this revision is available anywhere, which points to the revision rather than to the node.
    => The node does not get through to the registry: look at its network, DNS, proxy and certificates.

"#]],
    );
}

#[test]
fn a_revision_that_fails_on_some_nodes_is_not_said_to_fail() {
    let nodes = ["a", "b", "c"].map(node);
    let pods = [pod("pa").on("a").not_ready_for(840), pod("pb").on("b"), pod("pc").on("c").old()];
    told(
        &plan_with(daemon_set("agent"), nodes.into_iter().chain(pods)),
        str![[r#"
error NewRevisionFails [a]
    Revision 2 fails on some nodes: 1 pod runs but is not Ready: pa on a for 14m (image agent:2). The same revision is available on 1 other node, so look for what differs on that node. It takes 1 place of a rollout budget of 1 (maxUnavailable 1), so 1 node with an available old pod waits: c.
    => See which probe fails: `kubectl describe pod pa -n ops`, and `kubectl logs pa -n ops`; or go back: `kubectl rollout undo daemonset/agent -n ops` (the failing pods are then replaced first, whatever the budget).

"#]],
    );
}

#[test]
fn a_pod_that_is_ready_now_and_restarts_is_told() {
    let restarting = |seconds: i64, restarts: i32| {
        let statuses = json!([ended("agent", true, restarts, "Error", seconds)]);
        pod("pa").on("a").ready_for(150).set("/status/containerStatuses", statuses)
    };
    let of = |pa, pb| plan_with(daemon_set("agent"), [node("a"), node("b"), pa, pb]);
    told(
        &of(restarting(190, 312), pod("pb").on("b")),
        str![[r#"
info PodsRestart [a]
    1 pod is Ready now and restarts again and again: pa on a, 312 restarts, the last 3m10s ago (exit code 1).
    => See why it ends: `kubectl logs pa -n ops -c agent --previous`; a liveness probe that fails is told by `kubectl describe pod pa -n ops`.

"#]],
    );
    // The rollout goes on over it.
    told(
        &of(restarting(190, 5), pod("pb").on("b").old().created(60)),
        str![[r#"
warning PodsRestart [a]
    1 pod is Ready now and restarts again and again: pa on a, 5 restarts, the last 3m10s ago (exit code 1). The rollout goes on all the same: without minReadySeconds a pod counts as soon as it is Ready.
    => See why it ends: `kubectl logs pa -n ops -c agent --previous`; a liveness probe that fails is told by `kubectl describe pod pa -n ops`.
warning ControllerStandsStill [b]
    The controller has had cause to delete 1 pod for 60s and has not done so (b): it does not seem to act. It can also wait for an earlier write of its own, for up to 5m.
    => Make it look again, which changes nothing else: `kubectl annotate daemonset/agent -n ops kubectl-daemonset/poke="$(date +%s)" --overwrite`. If that does not help, see whether kube-controller-manager has a leader: `kubectl get lease kube-controller-manager -n kube-system`.

"#]],
    );
    // A mishap, and one long ago.
    told(&of(restarting(190, 2), pod("pb").on("b")), str![]);
    told(&of(restarting(7200, 50), pod("pb").on("b")), str![]);
}

#[test]
fn min_ready_seconds_are_waited_for() {
    let objects = [node("a"), node("b"), pod("pa").on("a").created(180).ready_for(120), pod("pb").on("b").old()];
    told(
        &plan_with(daemon_set("agent").set("/spec/minReadySeconds", 300), objects),
        str![[r#"
info MinReadySecondsWait [a]
    1 pod is Ready and counts as available only after minReadySeconds (300s): pa on a in 3m. The rollout goes on then.

"#]],
    );
}

#[test]
fn a_finalizer_that_keeps_a_pod_is_named() {
    let stuck = pod("pa").on("a").deleting(600).set("/metadata/finalizers", json!(["example.com/cleanup"]));
    told(
        &plan_with(daemon_set("agent"), [node("a"), stuck]),
        str![[r#"
warning PodsStuckTerminating [a]
    1 pod is still there although its deletion was due, on a node that is ready: pa on a, due 10m ago. Until it is gone, no new pod is started there.
    => The finalizer example.com/cleanup keeps pa: see to whoever owns it. Only if that is gone for good, take it off: `kubectl patch pod pa -n ops --type=merge -p '{"metadata":{"finalizers":null}}'`.

"#]],
    );
}

#[test]
fn under_on_delete_a_failing_revision_goes_no_further() {
    let broken = |name: &str, node: &str| pod(name).on(node).waiting("CrashLoopBackOff").not_ready_for(900);
    let nodes = ["a", "b", "c"].map(node);
    let pods = [broken("pa", "a"), broken("pb", "b").old(), pod("pc").on("c").old()];
    told(
        &plan_with(daemon_set("agent").on_delete(), nodes.into_iter().chain(pods)),
        str![[r#"
error NewRevisionFails [a]
    Revision 2 fails: 1 pod is in CrashLoopBackOff: pa on a for 15m (image agent:2). The node is Ready, and no pod of this revision is available anywhere, which points to the revision rather than to the node.
    => See why it ends: `kubectl logs pa -n ops --previous`, and fix that; or go back, and then delete the failing pods: `kubectl rollout undo daemonset/agent -n ops`.
info OnDeleteWaits [b c]
    OnDelete: 2 pods of an old revision stay until somebody deletes them: pb on b, pc on c. `kubectl rollout status` refuses a set with this strategy.
    => Next pb on b, which is not available anyway, so that replacing it costs nothing: `kubectl delete pod pb -n ops`. Delete none that is available yet: the new revision does not become available on a.

"#]],
    );
}
