//! Chooses the DaemonSets that a command line means.

use std::collections::BTreeSet;

use crate::api::DaemonSet;
use crate::args::DaemonSetName;
use crate::error::{ServerError, UserError};
use crate::snapshot::Snapshot;
use crate::upstream::labels::Selector;
use crate::view::suggest::closest;
use crate::view::words;

/// Where sets are looked for.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// `None` for all namespaces.
    pub namespace: Option<&'a str>,
    /// The state is that of a cluster, not of a dump.
    pub is_live: bool,
}

/// Checks that there is one set with each of these names.
///
/// Errors: a name that no set has, or that sets in several namespaces have.
pub fn check_names(snapshot: &Snapshot, names: &[DaemonSetName], scope: Scope<'_>) -> anyhow::Result<()> {
    names.iter().try_for_each(|name| by_name(snapshot, name, scope).map(drop))
}

/// Returns those of the sets with these names that are there, in the order of the names; each once.
pub fn those_there<'a>(snapshot: &'a Snapshot, names: &[DaemonSetName], scope: Scope<'_>) -> Vec<&'a DaemonSet> {
    let mut seen = BTreeSet::new();
    names.iter().filter(|name| seen.insert(&name.0)).filter_map(|name| there(snapshot, name, scope)).collect()
}

/// Returns the set with this name.
///
/// Errors: no set has it, or sets in several namespaces have it.
pub fn by_name<'a>(
    snapshot: &'a Snapshot,
    DaemonSetName(name): &DaemonSetName,
    scope: Scope<'_>,
) -> anyhow::Result<&'a DaemonSet> {
    let named: Vec<&DaemonSet> = snapshot.daemon_sets.iter().filter(|set| set.name() == name).collect();
    let meant: Vec<&DaemonSet> = named.iter().copied().filter(|set| is_in(set, scope.namespace)).collect();
    match meant[..] {
        [set] => Ok(set),
        [] => Err(not_found(snapshot, name, scope)),
        _ => {
            let namespaces: Vec<&str> = meant.iter().map(|set| set.namespace()).collect();
            let error = format!("daemonsets.apps {name:?} is in several namespaces: {}", namespaces.join(", "));
            Err(UserError::new(error).hint(format!("choose one: -n {}", namespaces[0])).into())
        }
    }
}

/// Returns the set with this name if there is just one.
pub fn there<'a>(
    snapshot: &'a Snapshot,
    DaemonSetName(name): &DaemonSetName,
    scope: Scope<'_>,
) -> Option<&'a DaemonSet> {
    let mut meant = snapshot.daemon_sets.iter().filter(|set| set.name() == name && is_in(set, scope.namespace));
    meant.next().filter(|_| meant.next().is_none())
}

/// Returns all sets of a namespace that a selector selects, sorted by namespace, then name.
pub fn all<'a>(snapshot: &'a Snapshot, namespace: Option<&str>, selector: Option<&Selector>) -> Vec<&'a DaemonSet> {
    let is_selected = |set: &&DaemonSet| {
        let labels = set.metadata.labels.clone().unwrap_or_default();
        is_in(set, namespace) && selector.is_none_or(|selector| selector.matches(&labels))
    };
    snapshot.daemon_sets.iter().filter(is_selected).collect()
}

/// Returns what kubectl says when nothing was found, and hints at what was probably meant.
pub fn nothing_found(snapshot: &Snapshot, namespace: Option<&str>) -> Vec<String> {
    let Some(namespace) = namespace else { return vec!["No resources found".to_owned()] };
    let mut lines = vec![format!("No resources found in {namespace} namespace.")];
    lines.extend(hint_about_namespace(snapshot, namespace));
    lines
}

fn hint_about_namespace(snapshot: &Snapshot, namespace: &str) -> Option<String> {
    let namespaces: BTreeSet<&str> = snapshot.daemon_sets.iter().map(DaemonSet::namespace).collect();
    if namespaces.contains(namespace) {
        return None;
    }
    let names: Vec<&str> = namespaces.iter().copied().collect();
    match closest(namespace, namespaces) {
        Some(near) => Some(format!("hint: did you mean namespace {near:?}?")),
        None if names.is_empty() => None,
        None => Some(format!("hint: there are DaemonSets in namespace {}", words::names(&names))),
    }
}

fn is_in(set: &DaemonSet, namespace: Option<&str>) -> bool {
    namespace.is_none_or(|namespace| set.namespace() == namespace)
}

fn not_found(snapshot: &Snapshot, name: &str, scope: Scope<'_>) -> anyhow::Error {
    let hint = hint_about_name(snapshot, name, scope.namespace);
    let place = match scope.namespace {
        _ if scope.is_live => {
            return ServerError::new("NotFound", format!("daemonsets.apps {name:?} not found")).hints(hint).into();
        }
        Some(namespace) => format!("in namespace {namespace:?} of the snapshot"),
        None => "in the snapshot".to_owned(),
    };
    UserError::new(format!("daemonsets.apps {name:?} not found {place}")).hints(hint).into()
}

fn hint_about_name(snapshot: &Snapshot, name: &str, namespace: Option<&str>) -> Option<String> {
    let elsewhere: Vec<&str> =
        snapshot.daemon_sets.iter().filter(|set| set.name() == name).map(DaemonSet::namespace).collect();
    if !elsewhere.is_empty() {
        return Some(format!("it is in namespace {}", elsewhere.join(", ")));
    }
    let near_here = closest(name, snapshot.daemon_sets.iter().filter(|set| is_in(set, namespace)).map(DaemonSet::name));
    if let Some(near) = near_here {
        return Some(format!("did you mean {near:?}?"));
    }
    if let Some(near) = closest(name, snapshot.daemon_sets.iter().map(DaemonSet::name)) {
        let set = snapshot.daemon_sets.iter().find(|set| set.name() == near)?;
        return Some(format!("did you mean {near:?} in namespace {:?}?", set.namespace()));
    }
    let there: Vec<&str> =
        snapshot.daemon_sets.iter().filter(|set| is_in(set, namespace)).map(DaemonSet::name).collect();
    Some(match &there[..] {
        [] => "there are no DaemonSets".to_owned(),
        [only] => format!("there is only {only:?}"),
        _ => format!("there are {}", words::names(&there)),
    })
}
