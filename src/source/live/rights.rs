//! Rights: what is read of the API, and the rule that would allow what was forbidden.
//!
//! All kinds that can be read stand in one table, [`READS`]: nothing else can be listed. The roles that are printed for people
//! (`roles`) are made of it, so that they hold what is asked for.

use k8s_openapi::api::core::v1::Event;
use kube::Resource;

use crate::api::{ControllerRevision, DaemonSet, Node, Pod, PodDisruptionBudget};

/// Reads all objects of a kind.
pub(super) const LIST: &str = "list";
/// Follows the changes of a kind.
pub(super) const WATCH: &str = "watch";

/// How to come by all rights together.
pub(super) const ALL: &str = "`kubectl daemonset rights view` prints a role with all rules that looking takes";

/// A kind of objects that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Read {
    /// Empty for the core group.
    pub(super) group: &'static str,
    /// The plural.
    pub(super) resource: &'static str,
    /// Those that are used.
    pub(super) verbs: &'static [&'static str],
    /// Nodes are not.
    pub(super) is_namespaced: bool,
    /// Only who writes reads it.
    pub(super) is_for_writing: bool,
}

impl Read {
    const fn of_namespace(group: &'static str, resource: &'static str) -> Self {
        Self { group, resource, verbs: &[LIST, WATCH], is_namespaced: true, is_for_writing: false }
    }
}

/// Objects that may be read.
pub(super) trait Readable: Resource<DynamicType = ()> {
    /// How the API names them.
    const READ: Read;
}

macro_rules! readable {
    ($($kind:ty => $read:expr;)*) => {
        /// All kinds that are read.
        pub(super) const READS: &[Read] = &[$(<$kind as Readable>::READ),*];

        $(impl Readable for $kind {
            const READ: Read = $read;
        })*
    };
}

readable! {
    Node => Read { is_namespaced: false, ..Read::of_namespace("", "nodes") };
    Pod => Read::of_namespace("", "pods");
    Event => Read::of_namespace("", "events");
    DaemonSet => Read::of_namespace("apps", "daemonsets");
    ControllerRevision => Read::of_namespace("apps", "controllerrevisions");
    PodDisruptionBudget => Read {
        verbs: &[LIST], is_for_writing: true, ..Read::of_namespace("policy", "poddisruptionbudgets")
    };
}

/// What is asked of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Right<'a> {
    /// [`LIST`] or [`WATCH`].
    verb: &'static str,
    /// Empty for the core group.
    group: &'static str,
    /// The plural.
    resource: &'static str,
    /// `None` for the whole cluster.
    namespace: Option<&'a str>,
}

impl<'a> Right<'a> {
    /// Returns the right to do something with objects of a kind.
    pub(super) fn of<K: Readable>(verb: &'static str, namespace: Option<&'a str>) -> Self {
        Self { verb, group: K::READ.group, resource: K::READ.resource, namespace }
    }

    /// Words what would allow what a server has forbidden with this message.
    pub(super) fn hint(&self, message: &str) -> String {
        if !may_be_granted(message) {
            return "to act as somebody else (--as, or as of the kubeconfig) takes the right to impersonate".to_owned();
        }
        let Self { verb, group, resource, .. } = self;
        let rule = format!("{{apiGroups: [{group:?}], resources: [{resource:?}], verbs: [{verb:?}]}}");
        match self.namespace {
            Some(namespace) => {
                format!("a Role in namespace {namespace:?} with this rule, bound to you, would allow it: {rule}")
            }
            None => format!("a ClusterRole with this rule, bound to you, would allow it: {rule}"),
        }
    }

    /// Words what is being done: `list pods in namespace "ops"`.
    pub(super) fn words(&self) -> String {
        match self.namespace {
            Some(namespace) => format!("{} {} in namespace {namespace:?}", self.verb, self.resource),
            None => format!("{} {}", self.verb, self.resource),
        }
    }
}

/// Returns whether what a server has forbidden with this message is among the rights that the commands need.
pub(super) fn may_be_granted(message: &str) -> bool {
    !message.contains("cannot impersonate")
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::Event;

    use super::{LIST, Read, Readable, Right, WATCH};
    use crate::api::{ControllerRevision, DaemonSet, Node, Pod, PodDisruptionBudget};

    /// Returns whether the table and the path that is asked for agree.
    fn is_true<K: Readable>() -> bool {
        let Read { group, resource, is_namespaced, .. } = K::READ;
        let scope = if is_namespaced { "/namespaces/ops" } else { "" };
        let path = K::url_path(&(), Some("ops").filter(|_| is_namespaced));
        K::group(&()) == group && path.ends_with(&format!("{scope}/{resource}"))
    }

    #[test]
    fn kinds_are_named_as_they_are_asked_for() {
        assert!(is_true::<Node>());
        assert!(is_true::<Pod>());
        assert!(is_true::<Event>());
        assert!(is_true::<DaemonSet>());
        assert!(is_true::<ControllerRevision>());
        assert!(is_true::<PodDisruptionBudget>());
    }

    #[test]
    fn the_rule_names_group_resource_and_where_it_is_needed() {
        let pods = Right::of::<Pod>(LIST, Some("ops"));
        assert_eq!(
            pods.hint(""),
            "a Role in namespace \"ops\" with this rule, bound to you, would allow it: {apiGroups: [\"\"], resources: [\"pods\"], verbs: [\"list\"]}"
        );
        let sets = Right::of::<DaemonSet>(WATCH, None);
        assert_eq!(
            sets.hint(""),
            "a ClusterRole with this rule, bound to you, would allow it: {apiGroups: [\"apps\"], resources: [\"daemonsets\"], verbs: [\"watch\"]}"
        );
        let refused = "User \"nobody\" cannot impersonate resource \"users\"";
        assert_eq!(
            pods.hint(refused),
            "to act as somebody else (--as, or as of the kubeconfig) takes the right to impersonate"
        );
        assert_eq!(pods.words(), "list pods in namespace \"ops\"");
        assert_eq!(sets.words(), "watch daemonsets");
    }
}
