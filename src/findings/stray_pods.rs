//! Pods that stand on no existing node: who takes them away, and what they hold up until then.

use crate::findings::context::{Context, finding, is_old, with_remedy};
use crate::findings::text;
use crate::plan::{Finding, FindingCode, PodPlan, Severity, Verdict};

/// Reports pods of nodes that do not exist, and pods that name no node.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    let (of_missing_nodes, without_node): (Vec<_>, Vec<_>) =
        ctx.plan.stray_pods.iter().partition(|pod| pod.node.is_some());
    let missing = (!of_missing_nodes.is_empty()).then(|| on_missing_nodes(ctx, &of_missing_nodes));
    let without = (!without_node.is_empty()).then(|| without_target(&without_node));
    missing.into_iter().chain(without).collect()
}

fn on_missing_nodes(ctx: &Context<'_>, pods: &[&PodPlan]) -> Finding {
    let (bound, pinned): (Vec<_>, Vec<_>) = pods.iter().copied().partition(|pod| pod.details.is_bound);
    let node = |pod: &PodPlan| pod.node.clone().unwrap_or_default();
    let names: Vec<_> = pods.iter().map(|pod| node(pod)).collect();
    let describe =
        |pods: &[&PodPlan]| text::joined(pods.iter().map(|pod| format!("{} on {}", pod.pod, node(pod))), pods.len());
    let mut sentences = Vec::new();
    if !pinned.is_empty() {
        sentences.push(format!(
            "Pinned to {} that no longer exist{}, and not bound: {}. The controller deletes {}.",
            text::pick(pinned.len(), "a node", "nodes"),
            text::pick(pinned.len(), "s", ""),
            describe(&pinned),
            text::pick(pinned.len(), "it", "them"),
        ));
    }
    if !bound.is_empty() {
        sentences.push(format!(
            "Bound to {} that no longer exist{}: {}. {}",
            text::pick(bound.len(), "a node", "nodes"),
            text::pick(bound.len(), "s", ""),
            describe(&bound),
            left_text(ctx, &bound),
        ));
    }
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    sentences.push(places_text(ctx, &names));
    let breaks_surge = ctx.plan.rollout.error.is_some() && bound.iter().any(|pod| is_old(pod));
    if breaks_surge {
        sentences.push("Until they are gone, the rolling update with maxSurge does nothing at all.".to_owned());
    }
    let severity =
        if breaks_surge || ctx.plan.verdict == Verdict::Blocked { Severity::Error } else { Severity::Warning };
    let finding = finding(FindingCode::PodsOnMissingNodes, severity, sentences.join(" "), &names);
    match bound.as_slice() {
        [] => finding,
        [_, ..] => with_remedy(finding, remedy(ctx, &bound)),
    }
}

/// Returns who takes bound pods away: the rolling-update step may mark some of them, which does not make them go.
fn left_text(ctx: &Context<'_>, bound: &[&PodPlan]) -> String {
    let (manage, rollout) = (&ctx.plan.manage.delete, &ctx.plan.rollout.delete);
    let is_marked = |pod: &&&PodPlan| manage.iter().chain(rollout).any(|deleted| deleted.pod == pod.pod);
    let marked: Vec<_> = bound.iter().filter(is_marked).map(|pod| pod.pod.as_str()).collect();
    let it = text::pick(bound.len(), "it", "them");
    if marked.is_empty() {
        return format!("The controller leaves {it} to pod garbage collection.");
    }
    format!(
        "The rolling update deletes {}, but no kubelet is there to end {}: pod garbage collection takes {} away.",
        text::list(&marked),
        text::pick(marked.len(), "it", "them"),
        if marked.len() == bound.len() { it } else { "all of them" },
    )
}

/// Returns what the pods mean for the rollout while they are there.
fn places_text(ctx: &Context<'_>, nodes: &[&str]) -> String {
    if let Some(sentence) = ctx.budget_sentence(nodes) {
        return sentence;
    }
    let mut held: Vec<_> = nodes.iter().copied().filter(|node| ctx.holds_budget(node)).collect();
    held.dedup();
    let rest = text::pick(
        nodes.len(),
        "It counts in none of the numbers of the status",
        "They count in none of the numbers of the status",
    );
    if held.is_empty() {
        return format!("{rest}.");
    }
    let takes = text::pick(held.len(), "takes", "take");
    let gone = text::pick(nodes.len(), "is", "are");
    format!(
        "{rest}, but until {} {gone} gone, {} {takes} {} of a rollout budget of {}.",
        text::pick(nodes.len(), "it", "they"),
        text::list(&held),
        text::count(held.len(), "place"),
        ctx.plan.rollout.budget.max
    )
}

fn remedy(ctx: &Context<'_>, bound: &[&PodPlan]) -> String {
    let names: Vec<_> = bound.iter().take(10).map(|pod| pod.pod.as_str()).collect();
    format!(
        "Wait for pod garbage collection (it looks every 20s, and gives a node 40s to come back). If the pods stay, \
         kube-controller-manager or its pod-garbage-collector does not run; since the node is gone, `kubectl delete pod {}{} \
         --force` is then safe.",
        names.join(" "),
        ctx.in_namespace()
    )
}

fn without_target(pods: &[&PodPlan]) -> Finding {
    let names: Vec<_> = pods.iter().map(|pod| pod.pod.as_str()).collect();
    let message = format!(
        "{} not bound and {} no single node in a required node affinity, so the controller neither counts nor deletes {}: {}. \
         The nodes get pods all the same.",
        format_args!("{} {}", text::count(pods.len(), "pod"), text::pick(pods.len(), "is", "are")),
        text::pick(pods.len(), "names", "name"),
        text::pick(pods.len(), "it", "them"),
        text::list(&names),
    );
    let remedy = "Such pods were made by hand or changed at admission: delete them, or take off the labels that the selector matches.";
    with_remedy(finding::<&str>(FindingCode::PodsWithoutNode, Severity::Warning, message, &[]), remedy.to_owned())
}
