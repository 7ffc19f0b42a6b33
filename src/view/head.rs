//! Head: what every view of one set begins with.

use jiff::Timestamp;
use serde::Serialize;

use crate::plan::{API_VERSION, DaemonSetRef, Plan, Resource};

/// The first fields of a view, as printed.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Head<'a> {
    /// Always `kubectl-daemonset/v1`.
    pub api_version: &'static str,
    /// Which view it is.
    pub kind: &'static str,
    /// Which set it is about.
    pub daemon_set: &'a DaemonSetRef,
    /// The clock that was used.
    pub evaluated_at: Timestamp,
    /// Kinds that the source lacks.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub missing: &'a [Resource],
}

impl<'a> Head<'a> {
    /// Makes the head of a view of a plan.
    pub fn new(kind: &'static str, plan: &'a Plan) -> Self {
        Self {
            api_version: API_VERSION,
            kind,
            daemon_set: &plan.daemon_set,
            evaluated_at: plan.evaluated_at,
            missing: &plan.missing,
        }
    }
}
