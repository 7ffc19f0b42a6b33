//! What the controller says it cannot do: creations and deletions that the API refuses.

use std::collections::BTreeMap;

use crate::api::Event;
use crate::findings::context::{Context, finding, with_remedy};
use crate::findings::text;
use crate::plan::{Action, Choice, Finding, FindingCode, Severity};

/// What a refusal says, and what helps. The first that fits counts.
const REMEDIES: [(&str, &str); 13] = [
    (
        "exceeded quota",
        "Raise the ResourceQuota of the namespace, or lower what else counts there: `kubectl describe quota`",
    ),
    (
        "insufficient quota to match these scopes",
        "The cluster allows this priority class only where a ResourceQuota does: make one in the namespace whose scopeSelector has the PriorityClass, or take another priorityClassName: `kubectl describe quota`",
    ),
    (
        "priorityClass is not permitted",
        "The priority class is not permitted in this namespace: take another, or run the set in kube-system",
    ),
    (
        "violates PodSecurity",
        "Set the label pod-security.kubernetes.io/enforce of the namespace to a level that allows the template, or make the template stricter",
    ),
    (
        "security context constraint",
        "Give the service account of the template an SCC that allows it: `oc adm policy add-scc-to-user`",
    ),
    (
        "failed calling webhook",
        "The webhook does not answer, so nothing can be created: mend its service, or exempt the namespace in its configuration: `kubectl get mutatingwebhookconfigurations,validatingwebhookconfigurations`",
    ),
    (
        "denied the request",
        "An admission webhook refuses the pod: change the template as the message says, or the policy",
    ),
    ("serviceaccount", "Create the service account that the template names: `kubectl get serviceaccounts`"),
    (
        "PriorityClass",
        "Create the priority class that the template names, or change priorityClassName: `kubectl get priorityclasses`",
    ),
    (
        "priorityclass",
        "The priority class is not permitted in this namespace: take another, or allow it with a ResourceQuota",
    ),
    ("RuntimeClass", "Create the runtime class that the template names: `kubectl get runtimeclasses`"),
    (
        "LimitRange",
        "Change the requests or limits of the template, or the LimitRange of the namespace: `kubectl describe limitrange`",
    ),
    ("being terminated", "The namespace is being deleted: nothing can be created in it any more"),
];

/// Reports refused creations while some are due, and refused deletions while some are due.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    let is_due = |action: Action| {
        let (manage, rollout) = (&ctx.plan.manage, &ctx.plan.rollout);
        let certain = match action {
            Action::Create => !manage.create.is_empty() || !rollout.create.is_empty(),
            Action::Delete => !manage.delete.is_empty() || !rollout.delete.is_empty(),
        };
        let of_action = |choice: &Choice| choice.action == action;
        certain || manage.choose.iter().any(of_action) || rollout.choose.iter().any(of_action)
    };
    let mut findings = Vec::new();
    if is_due(Action::Create) {
        findings.extend(report(ctx, "FailedCreate", FindingCode::CannotCreate));
    }
    if is_due(Action::Delete) {
        findings.extend(report(ctx, "FailedDelete", FindingCode::CannotDelete));
    }
    findings
}

fn report(ctx: &Context<'_>, reason: &str, code: FindingCode) -> Vec<Finding> {
    let mut causes = BTreeMap::<String, Vec<&Event>>::new();
    for event in ctx.events("DaemonSet", ctx.daemon_set.name()).filter(|event| event.reason == reason) {
        causes.entry(cause(&event.message)).or_default().push(event);
    }
    causes.into_values().map(|events| refused(ctx, code, &events)).collect()
}

/// Returns what refusals with the same cause have in common: the helpful part, or the words without the names of pods.
fn cause(message: &str) -> String {
    match REMEDIES.iter().find(|(words, _)| message.contains(words)) {
        Some((words, _)) => (*words).to_owned(),
        None => message.split_whitespace().filter(|word| !word.starts_with('"')).collect::<Vec<_>>().join(" "),
    }
}

fn refused(ctx: &Context<'_>, code: FindingCode, events: &[&Event]) -> Finding {
    let latest = events[0];
    let count = events.iter().map(|event| usize::try_from(event.count).unwrap_or(1)).sum::<usize>();
    let ago = latest.last_seen.map(|seen| format!(", last {} ago", ctx.age(seen))).unwrap_or_default();
    let message = format!(
        "The controller cannot {} pods ({}{ago}): {}.",
        if code == FindingCode::CannotCreate { "create" } else { "delete" },
        if count == 1 { "seen once".to_owned() } else { format!("seen {} times", text::number(count)) },
        text::quote(&latest.message),
    );
    let nodes: Vec<_> = match code {
        FindingCode::CannotCreate => ctx.plan.manage.create.iter().map(|creation| creation.node.as_str()).collect(),
        _ => ctx.plan.manage.delete.iter().filter_map(|pod| pod.node.as_deref()).collect(),
    };
    let finding = finding(code, Severity::Error, message, &nodes);
    match REMEDIES.iter().find(|(words, _)| latest.message.contains(words)) {
        _ if code == FindingCode::CannotDelete => with_remedy(
            finding,
            "Do what the message asks for: something guards the pods, or the controller lacks the right.".to_owned(),
        ),
        Some((_, remedy)) => with_remedy(finding, in_namespace(remedy, &ctx.in_namespace())),
        None => finding,
    }
}

/// Returns the remedy as a sentence; a kubectl command at its end is told the namespace where it needs one.
fn in_namespace(remedy: &str, namespace: &str) -> String {
    let is_namespaced = ["quota`", "serviceaccounts`", "limitrange`"].iter().any(|end| remedy.ends_with(end));
    match remedy.strip_suffix('`') {
        Some(command) if is_namespaced => format!("{command}{namespace}`."),
        _ => format!("{remedy}."),
    }
}
