//! Sets that the controller does nothing for, syncs that end in an error, and kinds that the source lacks.

use crate::findings::context::{Context, finding, with_remedy};
use crate::findings::text;
use crate::plan::{Finding, FindingCode, Outcome, Resource, Severity};

/// How to get everything that a plan is made from.
const EVERYTHING: &str = "`kubectl get nodes,daemonsets,pods,controllerrevisions,events -A -o yaml`";

/// Reports why nothing, or not everything, can be decided.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    let outcome = match ctx.plan.outcome {
        Outcome::SkippedEmptySelector => Some(empty_selector(ctx)),
        Outcome::SkippedDeleting => Some(deleting(ctx)),
        Outcome::Failed => Some(failed(ctx)),
        Outcome::Reconciled | Outcome::AwaitingObservation => None,
    };
    outcome.into_iter().chain(ctx.plan.missing.iter().map(missing)).collect()
}

fn empty_selector(ctx: &Context<'_>) -> Finding {
    let message = format!(
        "The selector of {} is empty and would select every pod of the namespace, so the controller sends a SelectingAll \
         event and does nothing: no pod is created or deleted, and the status is not written.",
        ctx.daemon_set.name()
    );
    let remedy = format!(
        "The selector cannot be changed. Delete the set, keeping its pods, with `kubectl delete {} --cascade=orphan`, and \
         create it again with a selector that matches the labels of its template.",
        ctx.object()
    );
    with_remedy(finding::<&str>(FindingCode::EmptySelector, Severity::Error, message, &[]), remedy)
}

fn deleting(ctx: &Context<'_>) -> Finding {
    let since = ctx.daemon_set.metadata.deletion_timestamp.as_ref().map(|time| time.0);
    let finalizers = ctx.daemon_set.raw.pointer("/metadata/finalizers").and_then(serde_json::Value::as_array);
    let finalizers: Vec<_> = finalizers.into_iter().flatten().filter_map(serde_json::Value::as_str).collect();
    let message = format!(
        "The set has been marked for deletion{}: the controller neither creates nor deletes its pods any more, and its status \
         stays as it is.{}",
        ctx.for_age(since),
        left_text(ctx),
    );
    let finding = finding::<&str>(FindingCode::SetIsDeleted, Severity::Info, message, &[]);
    match finalizers.as_slice() {
        [] => finding,
        ["foregroundDeletion"] => with_remedy(
            finding,
            "It goes once the garbage collector has deleted its pods (finalizer foregroundDeletion): see what keeps those that \
             are left."
                .to_owned(),
        ),
        [.., _] => with_remedy(
            finding,
            format!(
                "It waits for whoever owns {} {} to finish.",
                text::pick(finalizers.len(), "the finalizer", "the finalizers"),
                text::list(&finalizers)
            ),
        ),
    }
}

/// Returns which pods of the set are left, and how they are.
fn left_text(ctx: &Context<'_>) -> String {
    let on_nodes = ctx.plan.nodes.iter().flat_map(|node| &node.pods);
    let pods: Vec<_> = on_nodes.chain(&ctx.plan.stray_pods).collect();
    if pods.is_empty() {
        return String::new();
    }
    let told = pods.iter().map(|pod| {
        let on = pod.node.as_ref().map(|node| format!(" on {node}")).unwrap_or_default();
        let finalizers = ctx.pod(&pod.pod).and_then(|pod| pod.metadata.finalizers.as_deref());
        let finalizers = finalizers.map(|names| format!(", finalizer {}", text::list(names))).unwrap_or_default();
        format!("{}{on} ({}{}{finalizers})", pod.pod, pod.details.state, ctx.for_age(pod.since))
    });
    let count = text::count(pods.len(), "pod");
    format!(" {count} {} left: {}.", text::pick(pods.len(), "is", "are"), text::joined(told, pods.len()))
}

fn failed(ctx: &Context<'_>) -> Finding {
    let error = ctx.plan.error.as_deref().unwrap_or("unknown error");
    let message =
        format!("Every sync ends in an error before it creates, deletes or reports anything: {}.", text::quote(error));
    let finding = finding::<&str>(FindingCode::SyncFails, Severity::Error, message, &[]);
    if !error.starts_with("selector") {
        return finding;
    }
    let remedy = format!(
        "The selector cannot be changed. Delete the set, keeping its pods, with `kubectl delete {} --cascade=orphan`, and \
         create it again with a selector that parses.",
        ctx.object()
    );
    with_remedy(finding, remedy)
}

fn missing(resource: &Resource) -> Finding {
    let (code, severity, message) = match resource {
        Resource::Nodes => (
            FindingCode::NodesUnknown,
            Severity::Error,
            "No node is known, so nothing can be said about where the set should run, what is missing and what goes.",
        ),
        Resource::ControllerRevisions => (
            FindingCode::RevisionsUnknown,
            Severity::Warning,
            "No ControllerRevision is known, so the current revision is not: a pod counts as updated if its \
             pod-template-generation label equals the annotation of the set.",
        ),
    };
    let remedy = format!(
        "Get everything with {EVERYTHING}; on a cluster, get the rights that `kubectl daemonset rights view` prints."
    );
    with_remedy(finding::<&str>(code, severity, message.to_owned(), &[]), remedy)
}
