//! Whose pods are whose: other owners behind the same labels, orphans that are adopted, pods that are let go.

use std::collections::BTreeMap;

use crate::api::{DaemonSet, controller_of};
use crate::findings::context::{Context, finding, with_remedy};
use crate::findings::text;
use crate::plan::{Finding, FindingCode, PodPlan, Severity};
use crate::upstream::labels::{self, Selector};

/// Pods by kind and name of their owner.
type ByOwner<'a> = BTreeMap<(&'a str, &'a str), Vec<&'a str>>;

/// What to do where two owners select the same labels.
const SEPARATE: &str = "Give one of them a label of its own, in selector and template. A selector cannot be changed: delete that \
                        set with --cascade=orphan and create it again.";

/// Reports overlapping selectors and changes of ownership.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    let Ok(selector) = Selector::from_label_selector(ctx.daemon_set.spec.selector.as_ref()) else { return Vec::new() };
    let foreign = foreign_pods(ctx, &selector);
    let shared = (!foreign.is_empty()).then(|| shared_selector(ctx, &foreign));
    let others = other_sets(ctx, &selector);
    let overlapping = overlapping_sets(ctx, &others, &foreign);
    [shared, overlapping, adopted(ctx, &others), released(ctx)].into_iter().flatten().collect()
}

/// Returns the pods of other owners that the selector matches.
fn foreign_pods<'a>(ctx: &Context<'a>, selector: &Selector) -> ByOwner<'a> {
    let mut by_owner = ByOwner::new();
    for pod in ctx.snapshot.pods_in(ctx.daemon_set.namespace()) {
        let Some(owner) = controller_of(&pod.metadata) else { continue };
        if owner.uid != ctx.daemon_set.uid() && selector.matches(pod.labels()) {
            by_owner.entry((&owner.kind, &owner.name)).or_default().push(pod.name());
        }
    }
    by_owner
}

fn shared_selector(ctx: &Context<'_>, foreign: &ByOwner<'_>) -> Finding {
    let owners = foreign.iter().map(|((kind, name), pods)| format!("{} of {kind} {name}", text::list(pods)));
    let message = format!(
        "The selector of {set} also matches pods of other owners: {}. They belong to their owner and are not counted here, but \
         `kubectl get pods -l` mixes them with those of {set}.",
        text::joined(owners, foreign.len()),
        set = ctx.daemon_set.name(),
    );
    with_remedy(finding::<&str>(FindingCode::SharedSelector, Severity::Warning, message, &[]), SEPARATE.to_owned())
}

/// Returns the sets that would also claim the pods of this one, or whose pods this one would claim, were they without an owner.
fn other_sets<'a>(ctx: &Context<'a>, selector: &Selector) -> Vec<&'a str> {
    let template_labels = |set: &DaemonSet| set.spec.template.metadata.labels.clone();
    let own_labels = template_labels(ctx.daemon_set);
    let overlaps = |set: &&DaemonSet| {
        let is_other = set.namespace() == ctx.daemon_set.namespace() && set.uid() != ctx.daemon_set.uid();
        is_other
            && !labels::is_empty(set.spec.selector.as_ref())
            && (selector.matches(&template_labels(set))
                || Selector::from_label_selector(set.spec.selector.as_ref())
                    .is_ok_and(|other| other.matches(&own_labels)))
    };
    ctx.snapshot.daemon_sets.iter().filter(overlaps).map(DaemonSet::name).collect()
}

/// Reports such sets, but for those whose pods are told already.
fn overlapping_sets(ctx: &Context<'_>, others: &[&str], foreign: &ByOwner<'_>) -> Option<Finding> {
    let is_told = |set: &&str| foreign.contains_key(&("DaemonSet", *set));
    let sets: Vec<_> = others.iter().copied().filter(|set| !is_told(set)).collect();
    if sets.is_empty() {
        return None;
    }
    let message = format!(
        "{} {} labels with {}: a pod that loses its owner is adopted by whichever set looks first, and `kubectl get pods -l` \
         mixes their pods.",
        text::list(&sets),
        text::pick(sets.len(), "shares", "share"),
        ctx.daemon_set.name(),
    );
    Some(with_remedy(finding::<&str>(FindingCode::OverlappingSets, Severity::Info, message, &[]), SEPARATE.to_owned()))
}

fn adopted(ctx: &Context<'_>, others: &[&str]) -> Option<Finding> {
    let pods = &ctx.plan.claims.adopt;
    if pods.is_empty() {
        return None;
    }
    let on_nodes = pods.iter().filter(|pod| pod.node.is_some()).count();
    let then = match on_nodes {
        0 => String::new(),
        some if some < pods.len() => {
            ", and those on a node count from then on as the set's own, old unless their labels say otherwise"
                .to_owned()
        }
        some => format!(
            ", and {} from then on as {}",
            text::pick(some, "it counts", "they count"),
            text::pick(
                some,
                "one of the set's own, old unless its labels say otherwise",
                "the set's own, old unless their labels say otherwise"
            ),
        ),
    };
    let message = format!(
        "{} without an owner {} the selector: the controller adopts {}{then}.{}",
        text::count(pods.len(), "pod"),
        text::pick(pods.len(), "matches", "match"),
        names_and_nodes(pods),
        rivals_text(others, pods.len()),
    );
    let remedy = format!(
        "To keep {} out, change the labels first: `kubectl label pod NAME{} KEY-`.",
        text::pick(pods.len(), "it", "them"),
        ctx.in_namespace()
    );
    Some(with_remedy(finding(FindingCode::PodsAdopted, Severity::Info, message, &nodes(pods)), remedy))
}

/// Returns which other sets may be quicker.
fn rivals_text(others: &[&str], len: usize) -> String {
    if others.is_empty() {
        return String::new();
    }
    format!(" {} may adopt {} first.", text::list(others), text::pick(len, "it", "them"))
}

fn released(ctx: &Context<'_>) -> Option<Finding> {
    let pods = &ctx.plan.claims.release;
    if pods.is_empty() {
        return None;
    }
    let message = format!(
        "{} of the set no longer {} the selector: the controller lets go of {}; {} running without an owner, and nodes that \
         want a pod get a new one beside {}.",
        text::count(pods.len(), "pod"),
        text::pick(pods.len(), "matches", "match"),
        names_and_nodes(pods),
        text::pick(pods.len(), "it goes on", "they go on"),
        text::pick(pods.len(), "it", "them"),
    );
    let remedy = format!(
        "Delete {} when no longer needed (often labels are changed to look at a pod in peace): `kubectl delete pod {}{}`.",
        text::pick(pods.len(), "it", "them"),
        pods.iter().take(10).map(|pod| pod.pod.as_str()).collect::<Vec<_>>().join(" "),
        ctx.in_namespace(),
    );
    Some(with_remedy(finding(FindingCode::PodsReleased, Severity::Warning, message, &nodes(pods)), remedy))
}

fn names_and_nodes(pods: &[PodPlan]) -> String {
    let described = pods.iter().map(|pod| match &pod.node {
        Some(node) => format!("{} on {node}", pod.pod),
        None => pod.pod.clone(),
    });
    text::joined(described, pods.len())
}

fn nodes(pods: &[PodPlan]) -> Vec<&str> {
    pods.iter().filter_map(|pod| pod.node.as_deref()).collect()
}
