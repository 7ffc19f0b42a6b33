//! Revisions: made anew, merged, renumbered, or not the set's own.

use crate::api::{ControllerRevision, controller_of};
use crate::findings::context::{Context, finding, with_remedy};
use crate::findings::text;
use crate::plan::{Finding, FindingCode, PodRevision, Severity};
use crate::upstream::revisions::{NullRule, matching_template};

/// Reports what happens to the revisions where it is not just the next edit.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    let created = ctx.plan.history.create.then(|| new_revision(ctx));
    [created, merged(ctx), rolled_back(ctx), without_hash(ctx)].into_iter().flatten().collect()
}

/// Tells why a revision is made: one equals the template but for a null, one is there that is not the set's, or none is.
fn new_revision(ctx: &Context<'_>) -> Finding {
    let all: Vec<_> = ctx.snapshot.controller_revisions_in(ctx.daemon_set.namespace()).iter().collect();
    let matching = matching_template(ctx.daemon_set, &all, NullRule::Either);
    let equal = || all.iter().zip(&matching).filter(|(_, is_equal)| **is_equal).map(|(revision, _)| *revision);
    let is_own =
        |revision: &&ControllerRevision| ctx.plan.history.revisions.iter().any(|own| own.name == revision.name());
    let prefix = format!("{}-", ctx.daemon_set.name());
    if let Some(revision) = equal().find(is_own) {
        return rewritten(ctx, revision);
    }
    match equal().find(|revision| revision.name().starts_with(&prefix)) {
        Some(revision) => name_taken(ctx, revision),
        None => plainly_new(ctx),
    }
}

fn old_pods(ctx: &Context<'_>) -> usize {
    let pods = ctx.plan.nodes.iter().filter(|node| node.should_continue_running).flat_map(|node| &node.pods);
    pods.filter(|pod| pod.revision == PodRevision::Old && !pod.deleting).count()
}

fn rewritten(ctx: &Context<'_>, revision: &ControllerRevision) -> Finding {
    let then = match old_pods(ctx) {
        0 => "All pods carry the set's template generation and count as up to date, so no rollout follows.".to_owned(),
        old => format!(
            "{} without the set's template generation {} as old and {} replaced.",
            text::count(old, "pod"),
            text::pick(old, "counts", "count"),
            text::pick(old, "is", "are")
        ),
    };
    let message = format!(
        "Revision {} ({}) differs from the template only in a `creationTimestamp: null`, which controllers since 1.34 no longer \
         write: after such an upgrade a new revision is made although nothing was changed. {then}",
        revision.revision,
        revision.name(),
    );
    finding::<&str>(FindingCode::RevisionRewritten, Severity::Info, message, &[])
}

fn name_taken(ctx: &Context<'_>, revision: &ControllerRevision) -> Finding {
    let why = match controller_of(&revision.metadata) {
        Some(owner) if owner.uid == ctx.daemon_set.uid() => "its labels do not match the selector".to_owned(),
        Some(owner) if owner.name == ctx.daemon_set.name() => {
            format!("it belongs to another {} {}, most likely an earlier one", owner.kind, owner.name)
        }
        Some(owner) => format!("it belongs to {} {}", owner.kind, owner.name),
        None => "its labels do not match the selector".to_owned(),
    };
    let message = format!(
        "The revision {} equals the template but is not the set's: {why}. If its name is the one that the controller would give, \
         the controller uses it as it is, in every sync anew; otherwise it makes another.",
        revision.name()
    );
    let remedy = format!(
        "If nobody needs it, delete it, and the controller makes one of its own: `kubectl delete controllerrevision {}{}`.",
        revision.name(),
        ctx.in_namespace()
    );
    with_remedy(finding::<&str>(FindingCode::RevisionNameTaken, Severity::Warning, message, &[]), remedy)
}

fn plainly_new(ctx: &Context<'_>) -> Finding {
    let last = ctx.plan.history.revisions.last().map_or(0, |revision| revision.number);
    let old = old_pods(ctx);
    let then = match old {
        0 => String::new(),
        _ => format!(", and {} of an old one {} to be replaced", text::count(old, "pod"), text::pick(old, "is", "are")),
    };
    let message =
        format!("No revision equals the template: the controller makes revision {}{then}.", last.saturating_add(1));
    finding::<&str>(FindingCode::NewRevision, Severity::Info, message, &[])
}

/// Returns the revisions that go because they equal the template, as the current one does.
fn equal_and_deleted<'a>(ctx: &Context<'a>) -> Vec<&'a str> {
    let all = ctx.snapshot.controller_revisions_in(ctx.daemon_set.namespace()).iter();
    let deleted = &ctx.plan.history.delete;
    let gone: Vec<_> = all.filter(|revision| deleted.iter().any(|name| name == revision.name())).collect();
    let equal = matching_template(ctx.daemon_set, &gone, NullRule::Either);
    gone.iter().zip(equal).filter(|(_, is_equal)| *is_equal).map(|(revision, _)| revision.name()).collect()
}

fn merged(ctx: &Context<'_>) -> Option<Finding> {
    let current = ctx.plan.revision.as_ref()?;
    let history = &ctx.plan.history;
    let equal = equal_and_deleted(ctx);
    if equal.is_empty() {
        return None;
    }
    let relabelled = history.relabel.len();
    let then = match relabelled {
        0 => "no pod changes its label".to_owned(),
        some => format!(
            "gives {} the hash {} ({}); from then on they count as up to date without a restart, whatever they run",
            text::count(some, "pod"),
            current.hash,
            text::list(&history.relabel)
        ),
    };
    let message = format!(
        "{} {} the template as {} does: the controller deletes {}, and {then}.",
        text::list(&equal),
        text::pick(equal.len(), "equals", "equal"),
        current.name,
        text::pick(equal.len(), "it", "them"),
    );
    let finding = finding::<&str>(
        FindingCode::RevisionsMerged,
        if relabelled > 0 { Severity::Warning } else { Severity::Info },
        message,
        &[],
    );
    if relabelled == 0 {
        return Some(finding);
    }
    let remedy =
        format!("To be sure that all pods run the template, restart them: `kubectl rollout restart {}`.", ctx.object());
    Some(with_remedy(finding, remedy))
}

fn rolled_back(ctx: &Context<'_>) -> Option<Finding> {
    let renumber = ctx.plan.history.renumber.as_ref()?;
    let is_current = |pod: &&crate::plan::PodPlan| pod.revision == PodRevision::Current && !pod.deleting;
    let current = ctx.plan.nodes.iter().flat_map(|node| &node.pods).filter(is_current).count();
    let message = format!(
        "The template is that of revision {} again, which becomes revision {}: {} that still {} it {} not restarted.",
        renumber.from,
        renumber.to,
        text::count(current, "pod"),
        text::pick(current, "runs", "run"),
        text::pick(current, "is", "are"),
    );
    Some(finding::<&str>(FindingCode::RolledBack, Severity::Info, message, &[]))
}

fn without_hash(ctx: &Context<'_>) -> Option<Finding> {
    let current = ctx.plan.revision.as_ref()?;
    let revisions = ctx.snapshot.controller_revisions_in(ctx.daemon_set.namespace());
    let revision = revisions.iter().find(|revision| revision.name() == current.name)?;
    if revision.hash_label().is_some_and(|hash| !hash.is_empty()) {
        return None;
    }
    let message = match revision.hash_label() {
        None => format!(
            "The current revision {0} lacks the label controller-revision-hash: the controller sets it to {0}, and pods with \
             another hash count as old unless their template generation says otherwise.",
            current.name
        ),
        Some(_) => format!(
            "The label controller-revision-hash of the current revision {} is empty: new pods get no hash, and pods are told apart \
             by their template generation only.",
            current.name
        ),
    };
    Some(finding::<&str>(FindingCode::RevisionWithoutHash, Severity::Warning, message, &[]))
}
