//! No node is wanted: why, with the nodes that come nearest, and what other tools make of it.

use std::collections::BTreeMap;

use crate::findings::context::{Context, finding, with_remedy};
use crate::findings::text;
use crate::findings::tolerate::{is_not_up, toleration_remedy};
use crate::plan::{CheckName, Finding, FindingCode, NodePlan, Severity};
use crate::upstream::taints::taint_text;

/// How many causes are told.
const MAX_CAUSES: usize = 6;

/// Reports a set that wants no node at all.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    if ctx.plan.nodes.is_empty() || ctx.plan.status.desired_number_scheduled > 0 {
        Vec::new()
    } else {
        vec![report(ctx)]
    }
}

fn report(ctx: &Context<'_>) -> Finding {
    let mut causes = BTreeMap::<String, Vec<&str>>::new();
    for node in &ctx.plan.nodes {
        causes.entry(cause(ctx, node)).or_default().push(&node.name);
    }
    let mut causes: Vec<_> = causes.into_iter().collect();
    // A value that differs is nearer than a label that is absent.
    causes.sort_by_key(|(cause, names)| {
        (cause.starts_with("lacks") && !cause.contains(", but has "), std::cmp::Reverse(names.len()))
    });
    let len = causes.len();
    let told = causes.iter().take(MAX_CAUSES).map(|(cause, names)| told(cause, names));
    let mut told: Vec<_> = told.collect();
    if len > MAX_CAUSES {
        told.push(format!(
            "and {} for other causes",
            text::count(causes[MAX_CAUSES..].iter().map(|(_, names)| names.len()).sum(), "node")
        ));
    }
    let message = format!(
        "0 of {} {} eligible: {}. With nothing wanted all numbers agree, so `kubectl rollout status` says \"successfully rolled \
         out\"{}.",
        text::count(ctx.plan.nodes.len(), "node"),
        text::pick(ctx.plan.nodes.len(), "is", "are"),
        told.join("; "),
        kept_text(ctx),
    );
    let names: Vec<_> = ctx.plan.nodes.iter().map(|node| node.name.as_str()).collect();
    let finding = finding(FindingCode::NoEligibleNode, Severity::Warning, message, &names);
    match remedy(ctx) {
        Some(remedy) => with_remedy(finding, remedy),
        None => finding,
    }
}

fn kept_text(ctx: &Context<'_>) -> String {
    match ctx.plan.nodes.iter().filter(|node| node.should_continue_running && !node.pods.is_empty()).count() {
        0 => String::new(),
        1 => ", though 1 pod is kept on such a node".to_owned(),
        kept => format!(", though {} pods are kept on such nodes", text::number(kept)),
    }
}

/// Returns the detail of the first check that failed; of the taints just which ones.
fn cause(ctx: &Context<'_>, node: &NodePlan) -> String {
    let Some(check) = node.checks.iter().find(|check| !check.passed) else { return String::new() };
    match (check.check, ctx.snapshot.node(&node.name)) {
        (CheckName::Tolerations, Some(node)) => {
            let taints = ctx.untolerated_taints(node);
            let text: Vec<_> = taints.iter().map(|taint| taint_text(taint)).collect();
            format!("has {}, not tolerated", text.join(" and "))
        }
        _ => check.detail.replace("; has ", ", but has "),
    }
}

/// Returns nodes with their cause: `n1, n2 have gpu=present, wanted true`.
fn told(cause: &str, names: &[&str]) -> String {
    let (nodes, len) = (text::list(names), names.len());
    match (cause.strip_prefix("has "), cause.strip_prefix("lacks ")) {
        (Some(rest), _) => format!("{nodes} {} {rest}", text::pick(len, "has", "have")),
        (_, Some(rest)) => format!("{nodes} {} {rest}", text::pick(len, "lacks", "lack")),
        _ => format!("{nodes}: {cause}"),
    }
}

fn remedy(ctx: &Context<'_>) -> Option<String> {
    let spec = &ctx.daemon_set.spec.template.spec;
    let first = ctx.plan.nodes.first()?;
    let failed = first.checks.iter().find(|check| !check.passed)?;
    Some(match failed.check {
        CheckName::NodeName => {
            format!("Take nodeName {} out of the template, or name a node that exists.", spec.node_name)
        }
        CheckName::NodeSelector => {
            let labels: Vec<_> = spec.node_selector.iter().map(|(key, value)| format!("{key}={value}")).collect();
            format!(
                "Label the nodes that are meant: `kubectl label node NAME {} --overwrite`; or change nodeSelector in the template.",
                labels.join(" ")
            )
        }
        CheckName::NodeAffinity => {
            "Label the nodes that are meant, or change the required node affinity in the template.".to_owned()
        }
        CheckName::Tolerations | CheckName::NoExecuteTolerations => taint_remedy(ctx, first),
    })
}

/// Returns what to do about the taints that keep the set off all nodes.
fn taint_remedy(ctx: &Context<'_>, first: &NodePlan) -> String {
    let Some(node) = ctx.snapshot.node(&first.name) else { return String::new() };
    let taints = ctx.untolerated_taints(node);
    if taints.iter().any(|taint| is_not_up(&taint.key)) {
        return "Bring the nodes up if the taints say that they are not; otherwise tolerate the taints in the template."
            .to_owned();
    }
    let tolerate = toleration_remedy(ctx, first);
    if ctx.plan.nodes.len() > 1 {
        return tolerate;
    }
    let off: Vec<_> = taints.iter().map(|taint| format!("{}:{}-", taint.key, taint.effect)).collect();
    format!(
        "{tolerate} Or, if the only node is to run ordinary pods, take the taint off: `kubectl taint node {} {}`.",
        first.name,
        off.join(" ")
    )
}
