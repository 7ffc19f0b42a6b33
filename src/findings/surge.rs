//! Host ports with surge: the new pod never fits beside the old one.

use std::collections::BTreeSet;

use serde_json::json;

use crate::api::Pod;
use crate::findings::context::{Context, finding, with_remedy};
use crate::findings::{room, text};
use crate::plan::{Finding, FindingCode, NodePlan, PodRevision, Severity};

/// Reports host ports in a set that surges.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    let ports = ports(ctx);
    let surges = ctx.plan.update_strategy.resolved_max_surge.is_some_and(|surge| surge > 0);
    if surges && !ports.is_empty() { vec![report(ctx, &ports)] } else { Vec::new() }
}

/// Returns the host ports of the template, and those that the API gave to the pods (with hostNetwork every port is one).
fn ports(ctx: &Context<'_>) -> Vec<String> {
    let template = &ctx.daemon_set.spec.template.spec;
    let of_template = template.containers.iter().flat_map(|container| &container.host_ports).cloned();
    let first = ctx.plan.nodes.iter().flat_map(|node| &node.pods).find_map(|pod| ctx.pod(&pod.pod));
    let of_pod = first.into_iter().flat_map(|pod: &Pod| room::host_ports(pod)).cloned();
    of_template.chain(of_pod).collect::<BTreeSet<_>>().into_iter().collect()
}

fn report(ctx: &Context<'_>, ports: &[String]) -> Finding {
    let is_stuck = |node: &&NodePlan| {
        let has_old = node.pods.iter().any(|pod| pod.revision == PodRevision::Old);
        let waits = |revision| revision == PodRevision::Current;
        has_old && node.pods.iter().any(|pod| waits(pod.revision) && !pod.details.is_bound && pod.details.is_held_up)
    };
    let names: Vec<_> = ctx.plan.nodes.iter().filter(is_stuck).map(|node| node.name.as_str()).collect();
    let mut message = format!(
        "The pods take {} {} on their node, and maxSurge starts the new pod while the old one is there: the scheduler finds no \
         free port for it, the old one stays, and the rollout stops after the first {}.",
        text::pick(ports.len(), "host port", "host ports"),
        text::list(ports),
        match ctx.plan.rollout.budget.max {
            1 => "node".to_owned(),
            more => format!("{more} nodes"),
        },
    );
    if !names.is_empty() {
        message += &format!(" So it is on {}.", text::list(&names));
    }
    message.extend(ctx.budget_sentence(&names).into_iter().flat_map(|sentence| [" ".to_owned(), sentence]));
    let limits = json!({ "maxSurge": 0, "maxUnavailable": 1 });
    let patch = json!({ "spec": { "updateStrategy": { "rollingUpdate": limits } } });
    let remedy = format!(
        "Replace with maxUnavailable instead: {}. That changes no pod template, and the new pods that wait are taken back.",
        ctx.patch(&patch)
    );
    let severity = if names.is_empty() { Severity::Warning } else { Severity::Error };
    with_remedy(finding(FindingCode::HostPortWithSurge, severity, message, &names), remedy)
}
