//! Parts of the spec that can never do what they say, and cordons, which do not keep the set away.

use crate::findings::context::{Context, finding, with_remedy};
use crate::findings::text;
use crate::plan::{Finding, FindingCode, Severity};
use crate::upstream::affinity::RequiredNodeAffinity;
use crate::upstream::labels::Selector;
use crate::upstream::taints::toleration_text;

/// Reports them.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    let single = [selector(ctx), tolerations(ctx), cordoned(ctx)];
    terms(ctx).into_iter().chain(single.into_iter().flatten()).collect()
}

/// Reports terms of the required node affinity that match no node, whatever its labels.
fn terms(ctx: &Context<'_>) -> Vec<Finding> {
    let affinity = RequiredNodeAffinity::new(&ctx.daemon_set.spec.template.spec);
    let terms = affinity.terms.iter().flatten().enumerate();
    let errors: Vec<_> = terms.filter_map(|(i, term)| term.error().map(|error| (i + 1, error.to_owned()))).collect();
    let total = affinity.terms.as_ref().map_or(0, Vec::len);
    let report = |(number, error): &(usize, String)| {
        let effect = match total - errors.len() {
            0 => "so no node is eligible",
            _ => "so only the other terms count",
        };
        let message = format!(
            "Term {number} of the required node affinity can never match ({error}), {effect}; the controller says nothing about it."
        );
        let severity = if total == errors.len() { Severity::Error } else { Severity::Warning };
        with_remedy(
            finding::<&str>(FindingCode::TermNeverMatches, severity, message, &[]),
            "Correct or remove the term in the template.".to_owned(),
        )
    };
    errors.iter().map(report).collect()
}

/// Reports tolerations whose operator the controller does not know, or has switched off.
fn tolerations(ctx: &Context<'_>) -> Option<Finding> {
    let written = &ctx.daemon_set.spec.template.spec.tolerations;
    let operator = |toleration: &crate::api::Toleration| toleration.operator.clone().unwrap_or_default();
    let unknown: Vec<_> =
        written.iter().filter(|toleration| !matches!(operator(toleration).as_str(), "" | "Equal" | "Exists")).collect();
    let texts: Vec<_> = unknown.iter().map(|toleration| toleration_text(toleration)).collect();
    let first = unknown.first()?;
    let why = match operator(first).as_str() {
        "Gt" | "Lt" => {
            "numeric operators need the feature gate TaintTolerationComparisonOperators, which is off by default"
        }
        _ => "the operator must be Equal or Exists, in this spelling",
    };
    let message = format!("{} never tolerates anything: {why}.", text::list(&texts));
    Some(finding::<&str>(FindingCode::TolerationNeverMatches, Severity::Warning, message, &[]))
}

/// Reports a selector that does not match the pods that would be made.
fn selector(ctx: &Context<'_>) -> Option<Finding> {
    let selector = Selector::from_label_selector(ctx.daemon_set.spec.selector.as_ref()).ok()?;
    if selector.matches(&ctx.daemon_set.spec.template.metadata.labels) {
        return None;
    }
    let message =
        "The selector does not match the labels of the template: the API refuses such a set, and pods made from it \
                   would never be the set's own."
            .to_owned();
    let remedy = "Give the template the labels that the selector asks for.".to_owned();
    Some(with_remedy(finding::<&str>(FindingCode::SelectorMissesTemplate, Severity::Error, message, &[]), remedy))
}

/// Reports cordoned nodes that get a pod.
fn cordoned(ctx: &Context<'_>) -> Option<Finding> {
    let created = ctx.plan.manage.create.iter().map(|creation| creation.node.as_str());
    let cordoned = created.filter(|name| ctx.node_plan(name).is_some_and(|node| node.condition.is_unschedulable));
    let names: Vec<_> = cordoned.collect();
    if names.is_empty() {
        return None;
    }
    let message = format!(
        "{} cordoned and {} a pod all the same: every DaemonSet pod tolerates node.kubernetes.io/unschedulable, so neither \
         cordon nor drain keeps one away.",
        format_args!("{} {}", text::list(&names), text::pick(names.len(), "is", "are")),
        text::pick(names.len(), "gets", "get"),
    );
    let remedy =
        "To keep the set off a node, exclude it by a label with nodeSelector or node affinity, or taint it NoExecute.";
    Some(with_remedy(finding(FindingCode::CordonedNodesWanted, Severity::Info, message, &names), remedy.to_owned()))
}
