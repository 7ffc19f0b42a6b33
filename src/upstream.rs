//! The helpers that the DaemonSet controller shares with others, one file each, decided exactly as in Kubernetes 1.37.

pub mod affinity;
pub mod duration;
pub mod intstr;
pub mod labels;
pub mod pods;
pub mod requests;
pub mod revisions;
pub mod taints;
