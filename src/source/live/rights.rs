//! Rights: the rule that would allow what was forbidden.

/// What is asked of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Right<'a> {
    /// `list` or `watch`.
    pub(super) verb: &'a str,
    /// Empty for the core group.
    pub(super) group: &'a str,
    /// The plural.
    pub(super) resource: &'a str,
    /// `None` for the whole cluster.
    pub(super) namespace: Option<&'a str>,
}

impl Right<'_> {
    /// Words what would allow what a server has forbidden with this message.
    pub(super) fn hint(&self, message: &str) -> String {
        if message.contains("cannot impersonate") {
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

#[cfg(test)]
mod tests {
    use super::Right;

    #[test]
    fn the_rule_names_group_resource_and_where_it_is_needed() {
        let pods = Right { verb: "list", group: "", resource: "pods", namespace: Some("ops") };
        assert_eq!(
            pods.hint(""),
            "a Role in namespace \"ops\" with this rule, bound to you, would allow it: {apiGroups: [\"\"], resources: [\"pods\"], verbs: [\"list\"]}"
        );
        let sets = Right { verb: "watch", group: "apps", resource: "daemonsets", namespace: None };
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
