//! kubectl-daemonset says what the DaemonSet controller will do next, and why.
//!
//! Data flows one way: a source fills a [`snapshot::Snapshot`]; the reconciler turns it into a [`plan::Plan`], purely; the
//! plan is rendered.

#![warn(missing_docs)]
#![forbid(unsafe_code)]

pub mod api;
pub mod apply;
pub mod args;
#[cfg(test)]
pub(crate) mod builders;
pub mod commands;
pub mod completion;
pub mod drive;
pub mod error;
pub mod findings;
pub mod plan;
pub mod reconcile;
pub mod render;
pub mod snapshot;
pub mod source;
pub mod upstream;
pub mod view;
