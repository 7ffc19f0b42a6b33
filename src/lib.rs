//! kubectl-daemonset says what the DaemonSet controller will do next, and why.
//!
//! Data flows one way: a source fills a [`snapshot::Snapshot`]; the reconciler turns it into a [`plan::Plan`], purely; the
//! plan is rendered.

#![warn(missing_docs)]
#![forbid(unsafe_code)]

pub mod api;
#[cfg(test)]
mod builders;
pub mod findings;
pub mod plan;
pub mod reconcile;
pub mod snapshot;
pub mod upstream;
