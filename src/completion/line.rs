//! The line up to the word at the cursor: what its flags say, which names it holds already.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::bail;
use clap::{ArgMatches, CommandFactory, FromArgMatches};

use crate::args::{Cli, ConnectionFlags, DaemonSetName, ScopeFlags, SourceFlags};
use crate::snapshot::Snapshot;
use crate::source::live::Names;
use crate::source::{SnapshotOptions, load};

/// What stands before the cursor.
pub(super) struct Line {
    pub(super) connection: ConnectionFlags,
    source: SourceFlags,
    scope: ScopeFlags,
    /// DaemonSets that are named.
    pub(super) names: Vec<String>,
    /// Nodes that are named.
    pub(super) nodes: BTreeSet<String>,
    /// When a source has to have answered.
    deadline: Instant,
    /// The word at the cursor is a path, which shells complete better.
    pub(super) wants_files: AtomicBool,
}

impl Line {
    /// Reads the words before the cursor, as far as they can be understood.
    pub(super) fn read(words: &[OsString], deadline: Instant) -> Option<Self> {
        let program = OsString::from("kubectl-daemonset");
        let command = Cli::command().ignore_errors(true).arg_required_else_help(false);
        let matches = command.try_get_matches_from([&program].into_iter().chain(words)).ok()?;
        let verb = matches.subcommand().map(|(_, verb)| verb);
        Some(Self {
            connection: ConnectionFlags::from_arg_matches(&matches).ok()?,
            source: SourceFlags::from_arg_matches(&matches).ok()?,
            scope: ScopeFlags::from_arg_matches(&matches).ok()?,
            names: verb.map(daemon_sets).unwrap_or_default(),
            nodes: verb.map(nodes).unwrap_or_default(),
            deadline,
            wants_files: AtomicBool::new(false),
        })
    }

    /// Returns whether a dump is read and no cluster is contacted.
    pub(super) fn has_snapshot(&self) -> bool {
        !self.source.snapshot.is_empty()
    }

    /// Reads the dump.
    pub(super) fn snapshot(&self) -> anyhow::Result<Snapshot> {
        let paths: Vec<PathBuf> = self.source.snapshot.clone();
        if paths.iter().any(|path| path == Path::new("-")) {
            bail!("what is piped is for the command");
        }
        let options = SnapshotOptions { paths, now: self.source.now, server_version: self.source.server_version };
        load(&options, &mut io::empty(), &mut |_| {})
    }

    /// Returns whether sets of this namespace of a dump are meant.
    pub(super) fn is_in_scope(&self, namespace: &str) -> bool {
        self.is_everywhere()
            || self.scope.namespace.as_deref().is_none_or(|wanted| wanted.is_empty() || wanted == namespace)
    }

    /// Returns whether all namespaces are meant.
    pub(super) fn is_everywhere(&self) -> bool {
        self.scope.all_namespaces
    }

    /// Finds the way to the cluster.
    pub(super) fn cluster(&self) -> anyhow::Result<Names> {
        Names::connect(&self.connection, self.scope.namespace.as_deref(), self.deadline)
    }
}

fn daemon_sets(verb: &ArgMatches) -> Vec<String> {
    let values = ["name", "names"].into_iter().filter_map(|id| verb.try_get_many::<DaemonSetName>(id).ok()?);
    values.flatten().map(|DaemonSetName(name)| name.clone()).collect()
}

fn nodes(verb: &ArgMatches) -> BTreeSet<String> {
    verb.try_get_many::<String>("nodes").ok().flatten().into_iter().flatten().cloned().collect()
}
