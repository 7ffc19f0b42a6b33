//! Roles: what people need to be allowed for the commands, as manifests of RBAC, made of the very tables that reading and
//! writing go by.
//!
//! What every user may do anyway is in no rule: ask for the version of the server, and for one's own rights.

use serde::{Serialize, Serializer};
use serde_saphyr::FlowSeq;

use crate::args::Role;

use super::rights::{READS, Read};
use super::write::{WRITE_RIGHTS, WriteRight};

/// Asks for a pod to go, which a PodDisruptionBudget may forbid, instead of deleting it.
const EVICT: WriteRight = WriteRight { group: "", resource: "pods/eviction", verb: "create" };

/// A Role or a ClusterRole.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RoleManifest {
    api_version: &'static str,
    kind: &'static str,
    metadata: Metadata,
    rules: Vec<Rule>,
}

#[derive(Debug, Serialize)]
struct Metadata {
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<String>,
    annotations: Annotations,
}

#[derive(Debug, Serialize)]
struct Annotations {
    #[serde(rename = "kubernetes.io/description")]
    description: &'static str,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    #[serde(serialize_with = "on_one_line")]
    api_groups: [&'static str; 1],
    #[serde(serialize_with = "on_one_line")]
    resources: Vec<&'static str>,
    #[serde(serialize_with = "on_one_line")]
    verbs: Vec<&'static str>,
}

impl RoleManifest {
    /// Makes the manifest of a role: a ClusterRole, or, for a namespace, a Role, which cannot hold what is in no namespace.
    pub fn new(role: Role, namespace: Option<&str>) -> Self {
        let (name, description) = named(role);
        Self {
            api_version: "rbac.authorization.k8s.io/v1",
            kind: if namespace.is_some() { "Role" } else { "ClusterRole" },
            metadata: Metadata {
                name,
                namespace: namespace.map(str::to_owned),
                annotations: Annotations { description },
            },
            rules: rules(role, namespace.is_some()),
        }
    }

    /// Returns the name as kubectl prints it.
    pub fn name(&self) -> String {
        format!("{}.rbac.authorization.k8s.io/{}", self.kind.to_lowercase(), self.metadata.name)
    }
}

fn named(role: Role) -> (&'static str, &'static str) {
    match role {
        Role::View => ("kubectl-daemonset-view", "All that kubectl daemonset needs to look."),
        Role::Drive => ("kubectl-daemonset-drive", "All that kubectl daemonset needs to look, and to write."),
        Role::Nodes => (
            "kubectl-daemonset-nodes",
            "What kubectl daemonset needs beside rights in a namespace, because nodes are in none.",
        ),
    }
}

/// Returns the rules of a role; those that only writing needs come after those of looking.
fn rules(role: Role, is_in_namespace: bool) -> Vec<Rule> {
    let within = move |read: &&Read| read.is_namespaced || !is_in_namespace;
    let reads = |is_meant: fn(&Read) -> bool| READS.iter().filter(within).filter(move |read| is_meant(read));
    let looking = merged(reads(|read| !read.is_for_writing).flat_map(to_read));
    match role {
        Role::View => looking,
        Role::Drive => {
            let writes = WRITE_RIGHTS.iter().chain([&EVICT]).map(to_write);
            let driving = merged(reads(|read| read.is_for_writing).flat_map(to_read).chain(writes));
            looking.into_iter().chain(driving).collect()
        }
        Role::Nodes => merged(reads(|read| !read.is_namespaced).flat_map(to_read)),
    }
}

/// Group, resource and verb.
type Allowed = (&'static str, &'static str, &'static str);

fn to_read(read: &Read) -> impl Iterator<Item = Allowed> + use<> {
    let Read { group, resource, verbs, .. } = *read;
    verbs.iter().map(move |verb| (group, resource, *verb))
}

fn to_write(right: &WriteRight) -> Allowed {
    (right.group, right.resource, right.verb)
}

/// Puts what is allowed into as few rules as say it resource by resource: those of a group with the same verbs share one.
fn merged(allowed: impl Iterator<Item = Allowed>) -> Vec<Rule> {
    let mut single: Vec<Rule> = Vec::new();
    for (group, resource, verb) in allowed {
        match single.iter_mut().find(|rule| rule.api_groups == [group] && rule.resources == [resource]) {
            Some(rule) if rule.verbs.contains(&verb) => {}
            Some(rule) => rule.verbs.push(verb),
            None => single.push(Rule { api_groups: [group], resources: vec![resource], verbs: vec![verb] }),
        }
    }
    let mut rules: Vec<Rule> = Vec::new();
    for rule in single {
        match rules.iter_mut().find(|other| other.api_groups == rule.api_groups && other.verbs == rule.verbs) {
            Some(other) => other.resources.extend(rule.resources),
            None => rules.push(rule),
        }
    }
    rules
}

/// Writes a list as people do in rules, where the format can.
fn on_one_line<S: Serializer>(list: &impl Serialize, serializer: S) -> Result<S::Ok, S::Error> {
    FlowSeq(list).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::{Rule, merged};

    #[test]
    fn a_rule_holds_what_has_the_same_verbs() {
        let allowed =
            [("", "a", "list"), ("", "a", "watch"), ("x", "b", "list"), ("", "c", "list"), ("", "c", "watch")];
        let rule = |group, resources: &[&'static str], verbs: &[&'static str]| Rule {
            api_groups: [group],
            resources: resources.to_vec(),
            verbs: verbs.to_vec(),
        };
        let expected = [rule("", &["a", "c"], &["list", "watch"]), rule("x", &["b"], &["list"])];
        assert_eq!(merged(allowed.into_iter().chain(allowed)), expected, "also where something is said twice");
    }
}
