//! What holds on any state: seeded random states, small ones, and what becomes of them over many syncs.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::test_runner::RngSeed;

use super::cluster::Cluster;
use super::{nodes_with_pods, plan_of};
use crate::builders::{Object, current_revision, daemon_set, node, old_revision, pod};
use crate::plan::{Action, Plan, PodReason, PodRevision, Reason, Verdict};
use crate::reconcile::rollout::allows_surge;

const NODES: [&str; 5] = ["a", "b", "c", "d", "e"];

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(1_37), failure_persistence: None, ..ProptestConfig::default() }
}

fn any_daemon_set() -> impl Strategy<Value = Object> {
    let set = || daemon_set("agent");
    let strategies = vec![
        set(),
        set().max_unavailable(2),
        set().max_unavailable("34%"),
        set().max_unavailable(0),
        set().max_surge(1),
        set().max_surge("40%"),
        set().on_delete(),
    ];
    (select(strategies), select(vec![0, 30])).prop_map(|(set, seconds)| set.set("/spec/minReadySeconds", seconds))
}

fn any_nodes() -> impl Strategy<Value = Vec<Object>> {
    let taints = prop::collection::vec(select(vec!["", "", "", "k:NoSchedule", "k:NoExecute"]), NODES.len());
    (taints, subsequence(NODES.to_vec(), 1..=NODES.len())).prop_map(|(taints, names)| {
        let tainted = |(name, taint): (&str, &str)| if taint.is_empty() { node(name) } else { node(name).taint(taint) };
        names.into_iter().zip(taints).map(tainted).collect()
    })
}

fn any_pod() -> impl Strategy<Value = Object> {
    let place = (select(NODES.to_vec()), prop::bool::weighted(0.8));
    let state = (
        select(vec!["Running", "Running", "Running", "Pending", "Failed", "Succeeded"]),
        select(vec![None, Some(5), Some(60)]),
    );
    let kind = (select(vec!["new", "old"]), prop::bool::weighted(0.15), prop::bool::weighted(0.1), 1..5_i64);
    (place, state, kind).prop_map(|((node, is_bound), (phase, ready), (hash, is_deleting, is_orphan, age))| {
        let pod = pod("p").hash(hash).created(age * 100);
        let pod = if is_bound { pod.on(node).phase(phase) } else { pod.pinned_to(node) };
        let pod =
            if is_bound { ready.map_or(pod.clone().not_ready_for(90), |seconds| pod.ready_for(seconds)) } else { pod };
        let pod = if is_deleting { pod.deleting(-30) } else { pod };
        if is_orphan { pod.orphan() } else { pod }
    })
}

/// A set, nodes, and pods with names of their own.
fn any_state() -> impl Strategy<Value = (Object, Vec<Object>)> {
    let pods = prop::collection::vec(any_pod(), 0..12);
    (any_daemon_set(), any_nodes(), pods).prop_map(|(set, mut objects, pods)| {
        let named = |(i, pod): (usize, Object)| {
            pod.set("/metadata/name", format!("p{i:02}")).set("/metadata/uid", format!("uid-{i}"))
        };
        objects.extend(pods.into_iter().enumerate().map(named));
        (set, objects)
    })
}

fn all_objects(set: &Object, objects: Vec<Object>) -> Vec<Object> {
    let revisions = [set.clone(), current_revision(set), old_revision(set, "old", 1)];
    objects.into_iter().chain(revisions).collect()
}

fn with_surge(set: &Object) -> bool {
    allows_surge(&set.clone().decode::<crate::api::DaemonSet>().spec.update_strategy)
}

/// Returns how many pods the step takes for this reason, certain and open ones together.
fn taken(plan: &Plan, action: Action, reason: Reason) -> i64 {
    let rollout = &plan.rollout;
    let certain = match action {
        Action::Create => rollout.create.iter().filter(|creation| creation.reason == reason).count(),
        Action::Delete => rollout.delete.iter().filter(|pod| pod.reason == Some(PodReason::Decision(reason))).count(),
    };
    let of_reason = |choice: &&crate::plan::Choice| choice.action == action && choice.from[0].reason == reason;
    let open: usize = rollout.choose.iter().filter(of_reason).map(|choice| choice.count).sum();
    i64::try_from(certain + open).expect("few")
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn the_order_of_objects_does_not_matter(
        (sorted, shuffled) in any_state().prop_flat_map(|(set, objects)| {
            let all = all_objects(&set, objects);
            (Just(all.clone()), Just(all).prop_shuffle())
        })
    ) {
        prop_assert_eq!(plan_of(sorted), plan_of(shuffled));
    }
}

proptest! {
    #![proptest_config(config(120))]

    #[test]
    fn the_step_takes_available_pods_within_the_free_budget_alone((set, objects) in any_state()) {
        let plan = plan_of(all_objects(&set, objects));
        let budget = &plan.rollout.budget;
        prop_assert_eq!(budget.free, (budget.max - budget.used).max(0));
        prop_assert_eq!(budget.used, i64::try_from(budget.used_by.len()).expect("few"));
        prop_assert!(taken(&plan, Action::Delete, Reason::OldPodAvailable) <= budget.free);
        prop_assert!(taken(&plan, Action::Create, Reason::OldPodAvailable) <= budget.free);
        let taken = plan.rollout.delete.iter();
        prop_assert!(taken.clone().all(|pod| !pod.deleting && pod.revision == PodRevision::Old));
        prop_assert!(plan.rollout.choose.iter().all(|choice| 0 < choice.count && choice.count < choice.from.len()));
    }

    #[test]
    fn after_manage_a_node_has_at_most_one_live_pod_or_one_of_a_kind((set, objects) in any_state()) {
        let plan = plan_of(all_objects(&set, objects));
        for node in &plan.nodes {
            let is_deleted = |name: &str| plan.manage.delete.iter().any(|pod| pod.pod == name);
            let is_live = |phase: &str| !matches!(phase, "Failed" | "Succeeded");
            let live: Vec<_> = node.pods.iter().filter(|p| !p.deleting && is_live(&p.phase) && !is_deleted(&p.pod)).collect();
            let created = plan.manage.create.iter().filter(|creation| creation.node == node.name).count();
            let new = live.iter().filter(|pod| pod.details.hash == "new").count();
            prop_assert!(created == 0 || (live.is_empty() && node.should_run), "{}: {live:?}", node.name);
            prop_assert!(live.is_empty() || node.should_continue_running, "{}: {live:?}", node.name);
            if with_surge(&set) {
                prop_assert!(new <= 1 && live.len() - new <= 1, "{}: {live:?}", node.name);
            } else {
                prop_assert!(live.len() <= 1, "{}: {live:?}", node.name);
            }
        }
    }
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn syncs_come_to_rest_with_every_wanted_node_served((set, objects) in any_state(), turn in 0..7_usize) {
        let mut cluster = Cluster::new(set.clone(), objects);
        cluster.turn = turn;
        let mut quiet = 0;
        for _ in 0..60 {
            quiet = if cluster.sync() == "0/0" { quiet + 1 } else { 0 };
            if quiet > 3 {
                break;
            }
            cluster.finish_deletions();
            cluster.collect_garbage();
            cluster.make_ready();
            cluster.elapsed += 60;
        }
        let plan = cluster.plan();
        prop_assert!(quiet > 3, "still busy: {plan:?}");
        let is_on_delete = set.0["spec"]["updateStrategy"]["type"] == "OnDelete";
        let allowed: &[Verdict] = match (plan.status.desired_number_scheduled, is_on_delete) {
            (0, _) => &[Verdict::NothingToRun, Verdict::Degraded, Verdict::Blocked, Verdict::AwaitingDelete],
            (_, true) => &[Verdict::InSync, Verdict::AwaitingDelete],
            (_, false) => &[Verdict::InSync],
        };
        prop_assert!(allowed.contains(&plan.verdict), "{plan:?}");
        let is_served = |node: &crate::plan::NodePlan| node.pods.len() == 1 && node.pods[0].available;
        prop_assert!(plan.nodes.iter().all(|node| !node.should_run || is_served(node)), "{plan:?}");
    }

    #[test]
    fn a_rollout_keeps_enough_pods_available(count in 1..9_usize, max in 1..4_i64, surges in any::<bool>(), turn in 0..9_usize) {
        let set = if surges { daemon_set("agent").max_surge(max) } else { daemon_set("agent").max_unavailable(max) };
        let mut cluster = Cluster::new(set, nodes_with_pods("n", count, Object::old));
        cluster.turn = turn;
        let wanted = i64::try_from(count).expect("few");
        for _ in 0..6 * count {
            cluster.sync();
            cluster.finish_deletions();
            let plan = cluster.plan();
            let serving = plan.nodes.iter().filter(|node| node.pods.iter().any(|pod| pod.available)).count();
            let serving = i64::try_from(serving).expect("few");
            prop_assert!(serving >= if surges { wanted } else { wanted - max }, "{serving} of {wanted} nodes serve");
            let pods: usize = plan.nodes.iter().map(|node| node.pods.len()).sum();
            let most = if surges { wanted + max } else { wanted };
            prop_assert!(i64::try_from(pods).expect("few") <= most, "{pods} pods");
            cluster.make_ready();
        }
        prop_assert_eq!(cluster.plan().verdict, Verdict::InSync);
    }
}
