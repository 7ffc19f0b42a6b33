//! No node is wanted: why, with the nodes that come nearest, and what other tools make of it.

use std::collections::BTreeMap;

use crate::findings::context::{Context, finding, with_remedy};
use crate::findings::text;
use crate::plan::{Finding, FindingCode, NodePlan, Severity};

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
    let mut causes = BTreeMap::<&str, Vec<&str>>::new();
    for node in &ctx.plan.nodes {
        causes.entry(cause(node)).or_default().push(&node.name);
    }
    let mut causes: Vec<_> = causes.into_iter().collect();
    // A value that differs is nearer than a label that is absent.
    causes.sort_by_key(|(cause, names)| (cause.starts_with("lacks"), std::cmp::Reverse(names.len())));
    let len = causes.len();
    let told = causes.iter().take(MAX_CAUSES).map(|(cause, names)| {
        format!(
            "{} {}",
            text::list(names),
            if is_verb(cause) { plural(cause, names.len()) } else { format!("({cause})") }
        )
    });
    let mut told: Vec<_> = told.collect();
    if len > MAX_CAUSES {
        told.push(format!(
            "and {} for other causes",
            text::count(causes[MAX_CAUSES..].iter().map(|(_, names)| names.len()).sum(), "node")
        ));
    }
    let kept = ctx.plan.nodes.iter().filter(|node| node.should_continue_running && !node.pods.is_empty()).count();
    let message = format!(
        "0 of {} eligible: {}. With nothing wanted all numbers agree, so `kubectl rollout status` says \"successfully rolled \
         out\"{}.",
        text::count(ctx.plan.nodes.len(), "node"),
        told.join("; "),
        match kept {
            0 => String::new(),
            kept => format!(
                ", though {} on such nodes",
                if kept == 1 { "1 pod is kept".to_owned() } else { format!("{} pods are kept", text::number(kept)) }
            ),
        },
    );
    let names: Vec<_> = ctx.plan.nodes.iter().map(|node| node.name.as_str()).collect();
    let finding = finding(FindingCode::NoEligibleNode, Severity::Warning, message, &names);
    match remedy(ctx) {
        Some(remedy) => with_remedy(finding, remedy),
        None => finding,
    }
}

/// Returns the detail of the first check that failed.
fn cause(node: &NodePlan) -> &str {
    node.checks.iter().find(|check| !check.passed).map(|check| &*check.detail).unwrap_or_default()
}

fn is_verb(cause: &str) -> bool {
    cause.starts_with("has ") || cause.starts_with("lacks ")
}

fn plural(cause: &str, nodes: usize) -> String {
    match (cause.strip_prefix("has "), cause.strip_prefix("lacks ")) {
        (Some(rest), _) => format!("{} {rest}", text::pick(nodes, "has", "have")),
        (_, Some(rest)) => format!("{} {rest}", text::pick(nodes, "lacks", "lack")),
        _ => cause.to_owned(),
    }
}

fn remedy(ctx: &Context<'_>) -> Option<String> {
    let spec = &ctx.daemon_set.spec.template.spec;
    let first = ctx.plan.nodes.first()?;
    let failed = first.checks.iter().find(|check| !check.passed)?;
    Some(match failed.check {
        crate::plan::CheckName::NodeName => {
            format!("Take nodeName {} out of the template, or name a node that exists.", spec.node_name)
        }
        crate::plan::CheckName::NodeSelector => {
            let labels: Vec<_> = spec.node_selector.iter().map(|(key, value)| format!("{key}={value}")).collect();
            format!(
                "Label the nodes that are meant: `kubectl label node NAME {} --overwrite`; or change nodeSelector in the template.",
                labels.join(" ")
            )
        }
        crate::plan::CheckName::NodeAffinity => {
            "Label the nodes that are meant, or change the required node affinity in the template.".to_owned()
        }
        crate::plan::CheckName::Tolerations | crate::plan::CheckName::NoExecuteTolerations => {
            "Bring the nodes up if the taints say that they are not; otherwise tolerate the taints in the template."
                .to_owned()
        }
    })
}
