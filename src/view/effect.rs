//! What a change of a set means, from its plans before and after.

use crate::plan::{NodePlan, Plan, PodPlan, PodRevision, When};

use super::plan::steps::next_sync;
use super::words::{counted, names};

/// Says what a new template does to the pods, one sentence a line. `after` is the plan of the set as it will be.
pub fn of_template(after: &Plan) -> Vec<String> {
    let is_old = |pod: &&PodPlan| pod.revision == PodRevision::Old && !pod.deleting;
    let old: Vec<&PodPlan> = after.pods().filter(is_old).collect();
    let stay = after.pods().filter(|pod| pod.revision == PodRevision::Current && !pod.deleting).count();
    let mut lines = Vec::new();
    if after.rollout.when == When::OnDelete {
        let how = if after.paused { "the rollout is paused" } else { "the strategy is OnDelete" };
        lines
            .push(format!("Replaces nothing by itself, because {how}: {} become outdated.", counted(old.len(), "pod")));
    } else {
        lines.push(replaced(after, &old));
    }
    if stay > 0 {
        lines.push(format!("{} of that revision already, and {}.", are(stay), stay_put(stay)));
    }
    let lost: Vec<String> = after.nodes.iter().filter(|node| !node.should_run).flat_map(lost_on).collect();
    if !lost.is_empty() {
        lines.push(format!("Not coming back, because their nodes want no pod: {}.", names(&lost)));
    }
    lines
}

fn replaced(after: &Plan, old: &[&PodPlan]) -> String {
    let max = usize::try_from(after.rollout.budget.max).unwrap_or(usize::MAX).max(1);
    let available = old.iter().filter(|pod| pod.available).count();
    let broken = old.len() - available;
    let limit = if after.update_strategy.resolved_max_surge.is_some_and(|surge| surge > 0) {
        "maxSurge"
    } else {
        "maxUnavailable"
    };
    let all = counted(old.len(), "pod");
    let batches = counted(available.div_ceil(max), "batch");
    let at_once = match broken {
        0 => String::new(),
        1 => "; the one that is not available now goes at once".to_owned(),
        _ => format!("; the {broken} that are not available now go at once"),
    };
    if available == 0 && broken > 0 {
        let why = if broken == 1 { "it is not" } else { "none of them is" };
        return format!("Replaces {all} at once: {why} available now.");
    }
    format!("Replaces {all}, at most {max} at a time ({limit}): {batches}{at_once}.")
}

fn are(count: usize) -> String {
    format!("{} {}", counted(count, "pod"), if count == 1 { "is" } else { "are" })
}

fn stay_put(count: usize) -> &'static str {
    if count == 1 { "stays" } else { "stay" }
}

fn lost_on(node: &NodePlan) -> impl Iterator<Item = String> {
    let live = node.pods.iter().filter(|pod| !pod.deleting && pod.revision == PodRevision::Old);
    live.map(|pod| format!("{} on {}", pod.pod, node.name))
}

/// Says what holding the rollout does: outdated pods stay, and what the switch of strategy removes.
pub fn of_pause(before: &Plan, after: &Plan) -> Vec<String> {
    let old = before.pods().filter(|pod| pod.revision == PodRevision::Old && !pod.deleting).count();
    let mut lines = vec![
        format!("Holds the rollout: {} outdated, and {} until it is resumed.", are(old), stay_put(old)),
        "Pods are still created on nodes without one, and removed where they are not wanted.".to_owned(),
    ];
    let pruned = pruned(before, after);
    if !pruned.is_empty() {
        lines.push(format!(
            "Without surge a node keeps its oldest pod only: {} at once, also where the newer one is the better one: {}.",
            goes(pruned.len()),
            names(&pruned)
        ));
    }
    lines
}

fn goes(count: usize) -> String {
    format!("{} {}", counted(count, "pod"), if count == 1 { "goes" } else { "go" })
}

/// Returns the pods that the controller deletes only because of a change.
pub fn pruned(before: &Plan, after: &Plan) -> Vec<String> {
    let is_doomed_before = |pod: &PodPlan| before.manage.delete.iter().any(|other| other.uid == pod.uid);
    let pruned = after.manage.delete.iter().filter(|pod| !is_doomed_before(pod));
    pruned.map(|pod| format!("{} on {}", pod.pod, pod.node.as_deref().unwrap_or("no node"))).collect()
}

/// Says what goes on first once a rollout is resumed.
pub fn of_resume(after: &Plan) -> Vec<String> {
    let old = after.pods().filter(|pod| pod.revision == PodRevision::Old && !pod.deleting).count();
    let mut lines = vec![format!("The rollout goes on: {} outdated.", are(old))];
    lines.extend(next_sync(after).into_iter().map(|line| format!("The controller's next sync {line}.")));
    lines
}

#[cfg(test)]
mod tests {
    use super::{of_pause, of_resume, of_template, pruned};
    use crate::builders::{daemon_set, node, plan_with, pod};

    #[test]
    fn a_new_template_is_told_by_what_goes_stays_and_does_not_come_back() {
        let objects = || {
            [
                node("a"),
                node("b"),
                node("c"),
                node("d").taint("x=y:NoSchedule"),
                pod("pa").on("a"),
                pod("pb").on("b").old(),
                pod("pc").on("c").old().not_ready_for(900),
                pod("pd").on("d").old(),
            ]
        };
        assert_eq!(
            of_template(&plan_with(daemon_set("agent").max_unavailable(2), objects())),
            [
                "Replaces 3 pods, at most 2 at a time (maxUnavailable): 1 batch; the one that is not available now goes at once.",
                "1 pod is of that revision already, and stays.",
                "Not coming back, because their nodes want no pod: pd on d.",
            ]
        );
        assert_eq!(
            of_template(&plan_with(daemon_set("agent").on_delete(), objects()))[0],
            "Replaces nothing by itself, because the strategy is OnDelete: 3 pods become outdated."
        );
    }

    #[test]
    fn pods_that_serve_nobody_take_no_batch() {
        let objects = [node("a"), node("b"), pod("pa").on("a"), pod("pb").on("b").old().not_ready_for(900)];
        assert_eq!(
            of_template(&plan_with(daemon_set("agent"), objects))[0],
            "Replaces 1 pod at once: it is not available now."
        );
    }

    #[test]
    fn a_pause_with_surge_names_the_pods_that_go() {
        let objects = || {
            [
                node("a"),
                pod("old").on("a").old().created(900).not_ready_for(5),
                pod("new").on("a").created(60).not_ready_for(5),
            ]
        };
        let before = plan_with(daemon_set("agent").max_surge(1), objects());
        let after = plan_with(daemon_set("agent").on_delete(), objects());
        assert_eq!(pruned(&before, &after), ["new on a"]);
        assert_eq!(
            of_pause(&before, &after),
            [
                "Holds the rollout: 1 pod is outdated, and stays until it is resumed.",
                "Pods are still created on nodes without one, and removed where they are not wanted.",
                "Without surge a node keeps its oldest pod only: 1 pod goes at once, also where the newer one is the better one: new on a.",
            ]
        );
    }

    #[test]
    fn a_resume_tells_what_goes_on_first() {
        let after = plan_with(daemon_set("agent"), [node("a"), node("b"), pod("pa").on("a"), pod("pb").on("b").old()]);
        let lines = of_resume(&after);
        assert_eq!(lines[0], "The rollout goes on: 1 pod is outdated.");
        assert!(lines[1].starts_with("The controller's next sync deletes pb on b"), "{lines:?}");
    }
}
