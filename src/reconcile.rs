//! The reconciler: from a Snapshot to Plans, as one sync of the DaemonSet controller would decide, and why.
//!
//! Mirrors `pkg/controller/daemon/daemon_controller.go` (`syncDaemonSet`, `updateDaemonSet`): no back-off and no open
//! expectations, which live in the controller's memory. Each stage is a pure function in a file of its own; they do not call
//! each other, this file calls them in upstream's order.

mod checks;
mod claim;
mod describe;
mod history;
mod manage;
mod observe;
mod place;
mod rollout;
mod status;
#[cfg(test)]
mod tests;
mod verdict;

use crate::api::DaemonSet;
use crate::findings::findings;
use crate::plan::{Claims, DaemonSetRef, Manage, Outcome, Plan, Resource};
use crate::snapshot::Snapshot;

use claim::OwnerIndex;
use observe::Observed;

/// Upstream's cap on creations and on deletions of one sync. Units: pods.
///
/// Upstream: pkg/controller/daemon `BurstReplicas` (1.37).
pub const BURST_REPLICAS: usize = 250;

/// Makes the Plan of each of these sets of the snapshot, in the order given, when it is asked for.
///
/// The snapshot must be sorted (see [`Snapshot::sort`]). Work grows with the nodes plus the pods of each set, and so does a
/// Plan: whoever needs only a line of each holds one at a time.
pub fn reconcile<'a>(
    snapshot: &'a Snapshot,
    daemon_sets: impl IntoIterator<Item = &'a DaemonSet>,
) -> impl Iterator<Item = Plan> {
    let owners = OwnerIndex::new(snapshot);
    daemon_sets.into_iter().map(move |daemon_set| sync_daemon_set(snapshot, &owners, daemon_set))
}

/// Upstream: pkg/controller/daemon `syncDaemonSet` (1.37).
fn sync_daemon_set(snapshot: &Snapshot, owners: &OwnerIndex<'_>, daemon_set: &DaemonSet) -> Plan {
    let observed = observe::observe(snapshot, owners, daemon_set);
    let nodes = place::place(&observed);
    let status = status::status_numbers(&nodes);
    let strategy = rollout::update_strategy(&observed, status.desired_number_scheduled);
    let acts = matches!(observed.outcome, Outcome::Reconciled | Outcome::AwaitingObservation);
    let (manage, rollout, history) = if acts {
        let manage = manage::manage(&observed, &nodes);
        let rollout = rollout::rolling_update(&observed, &nodes, &manage);
        let history = history::cleanup_history(&observed, &nodes, &rollout);
        (manage, rollout, history)
    } else {
        let rollout = rollout::no_step(&observed, status.desired_number_scheduled);
        (Manage::default(), rollout, history::untouched(&observed))
    };
    let mut plan = Plan {
        daemon_set: reference(daemon_set),
        evaluated_at: snapshot.now,
        outcome: observed.outcome,
        error: observed.error.clone(),
        verdict: crate::plan::Verdict::Unknown,
        paused: daemon_set.is_paused(),
        missing: missing(&observed),
        revision: observed.revisions.current_ref(),
        update_strategy: strategy,
        status,
        reported: status::reported_numbers(daemon_set),
        claims: if acts { claims(&observed) } else { Claims::default() },
        manage,
        rollout,
        history,
        nodes: describe::nodes(&observed, &nodes),
        stray_pods: describe::stray_pods(&observed, &nodes),
        findings: Vec::new(),
        created: daemon_set.metadata.creation_timestamp.as_ref().map(|time| time.0),
    };
    plan.verdict = verdict::verdict(&observed, &nodes, &plan);
    plan.findings = findings(snapshot, daemon_set, &plan);
    plan
}

fn reference(daemon_set: &DaemonSet) -> DaemonSetRef {
    DaemonSetRef {
        namespace: daemon_set.namespace().to_owned(),
        name: daemon_set.name().to_owned(),
        uid: daemon_set.uid().to_owned(),
        generation: daemon_set.generation(),
        observed_generation: daemon_set.status.observed_generation,
    }
}

fn claims(observed: &Observed<'_>) -> Claims {
    Claims { adopt: describe::adopted(observed), release: describe::released(observed) }
}

fn missing(observed: &Observed<'_>) -> Vec<Resource> {
    let observed_generation = observed.daemon_set.status.observed_generation;
    let all = [Resource::Nodes, Resource::ControllerRevisions];
    all.into_iter().filter(|resource| observed.snapshot.lacks(*resource, observed_generation)).collect()
}
