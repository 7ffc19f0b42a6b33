//! Snapshot: the state of a cluster at one moment, from whatever source.
//!
//! It is the only door to the reconciler: files and live listers both end here, and everything after it is a pure function.

use std::fmt;

use jiff::Timestamp;

use crate::api::{ControllerRevision, DaemonSet, Event, Node, Pod};
use crate::plan::Resource;

/// What is known of a cluster, and when it was so.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The clock that decides availability and ages.
    pub now: Timestamp,
    /// Version of the API server, where it is known.
    pub server_version: Option<ServerVersion>,
    /// Sorted by name.
    pub nodes: Vec<Node>,
    /// Sorted by namespace, then name.
    pub daemon_sets: Vec<DaemonSet>,
    /// Sorted by namespace, then name.
    pub pods: Vec<Pod>,
    /// Sorted by namespace, then name.
    pub controller_revisions: Vec<ControllerRevision>,
    /// In the order found.
    pub events: Vec<Event>,
    /// Kinds that the source could not give at all, such as lists that were forbidden; sorted.
    pub missing: Vec<Resource>,
}

/// Version of an API server, such as 1.37.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServerVersion {
    /// 1, so far.
    pub major: u32,
    /// Decides which rules hold.
    pub minor: u32,
}

impl fmt::Display for ServerVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl ServerVersion {
    /// Reads `1.37`, `v1.37` or `v1.37.2-gke.100`: what follows the minor version does not matter.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix('v').unwrap_or(text).split('.');
        let major = parts.next()?.parse().ok()?;
        let minor = parts.next()?;
        let digits = minor.trim_end_matches(|c: char| !c.is_ascii_digit());
        Some(Self { major, minor: digits.parse().ok()? })
    }
}

impl Snapshot {
    /// Sorts all lists into the order that every later step relies on.
    pub fn sort(&mut self) {
        self.nodes.sort_by(|a, b| a.name().cmp(b.name()));
        self.daemon_sets.sort_by(|a, b| (a.namespace(), a.name()).cmp(&(b.namespace(), b.name())));
        self.pods.sort_by(|a, b| (a.namespace(), a.name()).cmp(&(b.namespace(), b.name())));
        self.controller_revisions.sort_by(|a, b| (a.namespace(), a.name()).cmp(&(b.namespace(), b.name())));
    }

    /// Returns the node of this name.
    pub fn node(&self, name: &str) -> Option<&Node> {
        self.nodes.binary_search_by(|node| node.name().cmp(name)).ok().map(|i| &self.nodes[i])
    }

    /// Returns the pods of this namespace, sorted by name.
    pub fn pods_in(&self, namespace: &str) -> &[Pod] {
        let start = self.pods.partition_point(|pod| pod.namespace() < namespace);
        let end = self.pods.partition_point(|pod| pod.namespace() <= namespace);
        &self.pods[start..end]
    }

    /// Returns the ControllerRevisions of this namespace, sorted by name.
    pub fn controller_revisions_in(&self, namespace: &str) -> &[ControllerRevision] {
        let all = &self.controller_revisions;
        let start = all.partition_point(|revision| revision.namespace() < namespace);
        let end = all.partition_point(|revision| revision.namespace() <= namespace);
        &all[start..end]
    }

    /// Returns whether the source lacks this kind, for a set that is at this observed generation.
    ///
    /// Nodes are missing when there is none at all; ControllerRevisions when there is none though the set was observed.
    pub fn lacks(&self, resource: Resource, observed_generation: i64) -> bool {
        self.missing.contains(&resource)
            || match resource {
                Resource::Nodes => self.nodes.is_empty(),
                Resource::ControllerRevisions => self.controller_revisions.is_empty() && observed_generation > 0,
            }
    }
}
