//! Values that are not known beforehand: names in a cluster, a dump or a kubeconfig.
//!
//! Each function gets what stands before the cursor and what is typed of the value; what does not begin with that is dropped
//! later. Errors mean that there is nothing to offer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;

use anyhow::Context as _;

use crate::api::{ControllerRevision, DaemonSet, Labels, controller_of};
use crate::args::{DaemonSetName, is_node_kind};
use crate::reconcile::reconcile;
use crate::snapshot::Snapshot;
use crate::source::live::{KubeconfigNames, kubeconfig_names};
use crate::view::nodes::items;
use crate::view::words::{counted, cut};

use super::describe;
use super::line::Line;
use super::selector::{self, LabelValues};

/// Values shown of a label.
const VALUES_SHOWN: usize = 3;

/// A value that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) text: String,
    pub(super) help: Option<String>,
}

impl Value {
    pub(super) fn new(text: impl Into<String>, help: impl Into<String>) -> Self {
        let help = help.into();
        Self { text: text.into(), help: Some(help).filter(|help| !help.is_empty()) }
    }
}

/// Names of DaemonSets that are not on the line yet, with the kind before the slash as it was typed.
pub(super) fn daemon_sets(line: &Line, current: &str) -> anyhow::Result<Vec<Value>> {
    let (kind, typed) = split_kind(current, DaemonSetName::is_kind).context("another kind")?;
    let is_wanted =
        |set: &&DaemonSet| set.name().starts_with(typed) && !line.names.iter().any(|name| name == set.name());
    let described: Vec<(String, String, String)> = if line.has_snapshot() {
        let snapshot = line.snapshot()?;
        let sets = snapshot.daemon_sets.iter().filter(|set| line.is_in_scope(set.namespace())).filter(is_wanted);
        let plans = reconcile(&snapshot, sets);
        plans
            .map(|plan| {
                let help = describe::plan(&plan);
                (plan.daemon_set.name, plan.daemon_set.namespace, help)
            })
            .collect()
    } else if line.is_everywhere() {
        // A NAME cannot be looked for in all namespaces.
        Vec::new()
    } else {
        let sets = line.cluster()?.daemon_sets()?;
        let own = |set: &DaemonSet| (set.name().to_owned(), set.namespace().to_owned(), describe::status(set));
        sets.iter().filter(is_wanted).map(own).collect()
    };
    Ok(by_name(described).into_iter().map(|(name, help)| Value::new(format!("{kind}{name}"), help)).collect())
}

/// Says of a name that is in several namespaces which these are.
fn by_name(described: Vec<(String, String, String)>) -> BTreeMap<String, String> {
    let mut all: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for (name, namespace, help) in described {
        all.entry(name).or_default().push((namespace, help));
    }
    let one = |places: Vec<(String, String)>| match &places[..] {
        [(_, help)] => help.clone(),
        _ => format!("in {}", places.iter().map(|(namespace, _)| namespace.as_str()).collect::<Vec<_>>().join(", ")),
    };
    all.into_iter().map(|(name, places)| (name, one(places))).collect()
}

/// Splits `kind/name` into `kind/` and the name; `None` if the kind is another one.
fn split_kind(current: &str, is_kind: fn(&str) -> bool) -> Option<(&str, &str)> {
    match current.split_once('/') {
        None => Some(("", current)),
        Some((kind, name)) if is_kind(kind) => Some((&current[..=kind.len()], name)),
        Some(_) => None,
    }
}

/// Nodes that are not on the line yet, those with problems first.
pub(super) fn nodes(line: &Line, current: &str) -> anyhow::Result<Vec<Value>> {
    let (kind, _) = split_kind(current, is_node_kind).context("another kind")?;
    let name = line.names.first().context("no set is named")?;
    let mut nodes = if line.has_snapshot() {
        let snapshot = line.snapshot()?;
        let plan = reconcile(&snapshot, [named(line, &snapshot, name)?]).next().context("no plan")?;
        items(&plan).iter().filter_map(describe::node).collect()
    } else {
        line.cluster()?.nodes_of(name)?.iter().map(describe::node_row).collect::<Vec<_>>()
    };
    nodes.retain(|node| !line.nodes.contains(&node.name));
    nodes.sort_by_key(|node| !node.is_problem);
    Ok(nodes.into_iter().map(|node| Value::new(format!("{kind}{}", node.name), node.help)).collect())
}

/// Returns the one set of a dump that a name means.
fn named<'a>(line: &Line, snapshot: &'a Snapshot, name: &str) -> anyhow::Result<&'a DaemonSet> {
    let mut sets = snapshot.daemon_sets.iter().filter(|set| set.name() == name && line.is_in_scope(set.namespace()));
    let set = sets.next().context("there is no such set")?;
    anyhow::ensure!(sets.next().is_none(), "there are several");
    Ok(set)
}

/// Selectors of the labels that DaemonSets have.
pub(super) fn selectors(line: &Line, current: &str) -> anyhow::Result<Vec<Value>> {
    let sets = if line.has_snapshot() {
        let mut sets = line.snapshot()?.daemon_sets;
        sets.retain(|set| line.is_in_scope(set.namespace()));
        sets
    } else {
        line.cluster()?.daemon_sets()?
    };
    let labels = label_values(sets.into_iter().filter_map(|set| set.metadata.labels));
    Ok(selector::suggest(&labels, current))
}

/// Labels of nodes, each with some of its values.
pub(super) fn node_labels(line: &Line, _: &str) -> anyhow::Result<Vec<Value>> {
    let labels = if line.has_snapshot() {
        label_values(line.snapshot()?.nodes.iter().map(|node| node.labels().clone()))
    } else {
        label_values(line.cluster()?.node_labels()?)
    };
    let help = |values: &BTreeMap<String, usize>| {
        let values: Vec<&String> = values.keys().filter(|value| !value.is_empty()).collect();
        cut(&values, VALUES_SHOWN)
    };
    Ok(labels.iter().map(|(key, values)| Value::new(key, help(values))).collect())
}

/// Counts the values of each label.
fn label_values(all: impl IntoIterator<Item = Labels>) -> LabelValues {
    let mut values = LabelValues::new();
    for (key, value) in all.into_iter().flatten() {
        *values.entry(key).or_default().entry(value).or_default() += 1;
    }
    values
}

/// Numbers of the revisions of the set that is named, the newest first.
pub(super) fn revisions(line: &Line, _: &str) -> anyhow::Result<Vec<Value>> {
    let name = line.names.first().context("no set is named")?;
    let mut revisions = if line.has_snapshot() {
        let snapshot = line.snapshot()?;
        let namespace = named(line, &snapshot, name)?.namespace();
        snapshot.controller_revisions_in(namespace).to_vec()
    } else {
        line.cluster()?.controller_revisions()?
    };
    let is_its = |revision: &ControllerRevision| {
        controller_of(&revision.metadata).is_some_and(|owner| owner.kind == "DaemonSet" && owner.name == *name)
    };
    revisions.retain(is_its);
    revisions.sort_by_key(|revision| std::cmp::Reverse(revision.revision));
    Ok(revisions
        .iter()
        .map(|revision| Value::new(revision.revision.to_string(), describe::revision(revision)))
        .collect())
}

/// Numbers of revisions, or two of them as `1..3`.
pub(super) fn revision_ranges(line: &Line, current: &str) -> anyhow::Result<Vec<Value>> {
    let from = current.split_once("..").map(|(from, _)| format!("{from}..")).unwrap_or_default();
    let revisions = revisions(line, current)?.into_iter();
    Ok(revisions.map(|value| Value { text: format!("{from}{}", value.text), ..value }).collect())
}

/// Namespaces of the cluster; of a dump those that have a DaemonSet.
pub(super) fn namespaces(line: &Line, _: &str) -> anyhow::Result<Vec<Value>> {
    if !line.has_snapshot() {
        let namespaces = line.cluster()?.namespaces()?.into_iter();
        return Ok(namespaces.map(|namespace| Value::new(namespace, "")).collect());
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for set in line.snapshot()?.daemon_sets {
        *counts.entry(set.namespace().to_owned()).or_default() += 1;
    }
    Ok(counts.into_iter().map(|(namespace, count)| Value::new(namespace, counted(count, "DaemonSet"))).collect())
}

/// Contexts of the kubeconfig.
pub(super) fn contexts(line: &Line, _: &str) -> anyhow::Result<Vec<Value>> {
    Ok(sorted(kubeconfig(line)?.contexts))
}

/// Clusters of the kubeconfig.
pub(super) fn clusters(line: &Line, _: &str) -> anyhow::Result<Vec<Value>> {
    Ok(sorted(kubeconfig(line)?.clusters))
}

/// Users of the kubeconfig.
pub(super) fn users(line: &Line, _: &str) -> anyhow::Result<Vec<Value>> {
    Ok(sorted(kubeconfig(line)?.users))
}

fn kubeconfig(line: &Line) -> anyhow::Result<KubeconfigNames> {
    kubeconfig_names(line.connection.kubeconfig.as_deref())
}

fn sorted(names: Vec<(String, String)>) -> Vec<Value> {
    let names: BTreeSet<_> = names.into_iter().collect();
    names.into_iter().map(|(name, help)| Value::new(name, help)).collect()
}

/// Leaves the word to the shell.
pub(super) fn paths(line: &Line, _: &str) -> anyhow::Result<Vec<Value>> {
    line.wants_files.store(true, Ordering::Relaxed);
    Ok(Vec::new())
}
