//! A reported status that is not what is there.

use crate::findings::context::{Context, finding};
use crate::plan::{Finding, FindingCode, Outcome, Severity, StatusNumbers};

/// Reports numbers that differ, while the controller has nothing newer to look at.
pub fn findings(ctx: &Context<'_>) -> Vec<Finding> {
    let (reported, there) = (fields(&ctx.plan.reported), fields(&ctx.plan.status));
    let differing = reported.iter().zip(there).filter(|((_, reported), (_, there))| reported != there);
    let differing: Vec<_> =
        differing.map(|((name, reported), (_, there))| format!("{name} {there}, reported {reported}")).collect();
    if differing.is_empty() || ctx.plan.outcome != Outcome::Reconciled {
        return Vec::new();
    }
    let message = format!(
        "The status that `kubectl get` and `kubectl rollout status` show is not up to date: {}. The controller writes it at the \
         end of its next sync.",
        differing.join("; ")
    );
    vec![finding::<&str>(FindingCode::StatusStale, Severity::Info, message, &[])]
}

fn fields(numbers: &StatusNumbers) -> [(&'static str, i64); 7] {
    [
        ("desiredNumberScheduled", numbers.desired_number_scheduled),
        ("currentNumberScheduled", numbers.current_number_scheduled),
        ("numberReady", numbers.number_ready),
        ("updatedNumberScheduled", numbers.updated_number_scheduled),
        ("numberAvailable", numbers.number_available),
        ("numberMisscheduled", numbers.number_misscheduled),
        ("numberUnavailable", numbers.number_unavailable),
    ]
}
