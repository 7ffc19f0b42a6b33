//! Checks: what placement looked at on a node, each with the field that decided and its value on both sides.
//!
//! All checks are listed, also those behind the first that failed: whoever mends the first wants to know the next.

use std::borrow::Cow;

use crate::api::{Node, NodeSelectorRequirement, Taint, Toleration};
use crate::plan::{Check, CheckName};
use crate::reconcile::place::Placer;
use crate::upstream::affinity::{METADATA_NAME, Term, requirements};
use crate::upstream::taints::{self, NO_EXECUTE, taint_text, toleration_for, toleration_text};

type Text = Cow<'static, str>;

/// Returns the checks of one node, in the controller's order.
pub fn checks(placer: &Placer<'_>, node: &Node) -> Vec<Check> {
    let mut checks = vec![node_name(placer, node), node_selector(placer, node), node_affinity(placer, node)];
    let untolerated = placer.untolerated_taints(node);
    checks.push(tolerations(placer, node, &untolerated));
    if !untolerated.is_empty() {
        checks.push(no_execute_tolerations(placer, &untolerated));
    }
    checks
}

fn check(check: CheckName, passed: bool, detail: impl Into<Text>) -> Check {
    Check { check, passed, detail: detail.into() }
}

fn node_name(placer: &Placer<'_>, node: &Node) -> Check {
    let wanted = &placer.template.node_name;
    let detail =
        if wanted.is_empty() { Text::from("no nodeName is set") } else { format!("nodeName is {wanted}").into() };
    check(CheckName::NodeName, placer.matches_node_name(node), detail)
}

fn node_selector(placer: &Placer<'_>, node: &Node) -> Check {
    let selector = placer.affinity.node_selector;
    if selector.is_empty() {
        return check(CheckName::NodeSelector, true, "no nodeSelector is set");
    }
    let failed = selector.iter().filter(|(key, value)| node.labels().get(*key) != Some(value));
    let failed: Vec<_> = failed.map(|(key, value)| label_mismatch(node, key, value)).collect();
    if failed.is_empty() {
        let labels: Vec<_> = selector.iter().map(|(key, value)| format!("{key}={value}")).collect();
        return check(CheckName::NodeSelector, true, format!("has {}", labels.join(", ")));
    }
    check(CheckName::NodeSelector, false, failed.join("; "))
}

fn label_mismatch(node: &Node, key: &str, wanted: &str) -> String {
    match node.labels().get(key) {
        Some(found) => format!("has {key}={found}, wanted {wanted}"),
        None => match similar_key(node, key) {
            Some((similar, found)) => format!("lacks label {key}, wanted {key}={wanted}; has {similar}={found}"),
            None => format!("lacks label {key}, wanted {key}={wanted}"),
        },
    }
}

/// How long a key is at least, without its prefix, for a longer one with all its characters in order to be similar.
const TELLING_LENGTH: usize = 8;

/// Returns a label whose key differs only in its prefix, in case, or in `-_.`, or, under the same prefix, has something in
/// between: most likely what was meant.
fn similar_key<'n>(node: &'n Node, wanted: &str) -> Option<(&'n String, &'n String)> {
    let prefix = |key: &str| key.rsplit_once('/').map(|(prefix, _)| prefix.to_owned());
    let name = |key: &str| {
        let name = key.rsplit('/').next().unwrap_or(key);
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect::<String>()
    };
    let (wanted_prefix, wanted) = (prefix(wanted), name(wanted));
    let is_same = |key: &str| name(key) == wanted;
    let has_more = |key: &str| {
        let found = name(key);
        let mut found = found.chars();
        wanted.len() >= TELLING_LENGTH
            && prefix(key) == wanted_prefix
            && wanted.chars().all(|wanted| found.any(|found| found == wanted))
    };
    let mut labels = node.labels().iter();
    labels.find(|(key, _)| is_same(key)).or_else(|| node.labels().iter().find(|(key, _)| has_more(key)))
}

fn node_affinity(placer: &Placer<'_>, node: &Node) -> Check {
    let name = CheckName::NodeAffinity;
    let Some(terms) = &placer.affinity.terms else { return check(name, true, "no node affinity is required") };
    if let Some(matching) = placer.affinity.matching_term(node) {
        let wanted: Vec<_> = requirements(terms[matching].written).map(requirement_text).collect();
        return check(name, true, format!("matches {}", wanted.join(" and ")));
    }
    match terms.as_slice() {
        [] => check(name, false, "the required node affinity has no terms, which matches no node"),
        [term] => check(name, false, term_mismatch(term, node)),
        terms => {
            let mismatches = terms.iter().enumerate();
            let mismatches: Vec<_> =
                mismatches.map(|(i, term)| format!("term {}: {}", i + 1, term_mismatch(term, node))).collect();
            check(name, false, mismatches.join("; "))
        }
    }
}

fn term_mismatch(term: &Term<'_>, node: &Node) -> String {
    if let Some(error) = term.error() {
        return format!("never matches: {error}");
    }
    let failed = term.failed_requirements(node).into_iter();
    failed
        .map(|failed| {
            format!("{}, wanted {}{}", found_text(failed, node), values_text(failed), similar_text(failed, node))
        })
        .collect::<Vec<_>>()
        .join("; ")
}

fn found_text(requirement: &NodeSelectorRequirement, node: &Node) -> String {
    if requirement.key == METADATA_NAME {
        return format!("name is {}", node.name());
    }
    match node.labels().get(&requirement.key) {
        Some(value) => format!("has {}={value}", requirement.key),
        None => format!("lacks label {}", requirement.key),
    }
}

/// Returns the label that was most likely meant, where the one that is wanted is absent.
fn similar_text(requirement: &NodeSelectorRequirement, node: &Node) -> String {
    let is_absent = requirement.key != METADATA_NAME && !node.labels().contains_key(&requirement.key);
    let similar = if is_absent { similar_key(node, &requirement.key) } else { None };
    similar.map(|(key, value)| format!("; has {key}={value}")).unwrap_or_default()
}

/// Returns a requirement as `key In [a, b]`, or `key Exists`.
fn requirement_text(requirement: &NodeSelectorRequirement) -> String {
    format!("{} {}", requirement.key, values_text(requirement))
}

/// Returns what a requirement wants of its key: `In [a, b]`, or `Exists`.
fn values_text(requirement: &NodeSelectorRequirement) -> String {
    let values = requirement.values.as_deref().unwrap_or_default();
    match (requirement.operator.as_str(), values) {
        (operator, []) => operator.to_owned(),
        ("Gt", [value]) => format!("> {value}"),
        ("Lt", [value]) => format!("< {value}"),
        (operator, values) => format!("{operator} [{}]", values.join(", ")),
    }
}

fn tolerations(placer: &Placer<'_>, node: &Node, untolerated: &[&Taint]) -> Check {
    let taints = &node.spec.taints;
    if taints.is_empty() {
        return check(CheckName::Tolerations, true, "the node has no taints");
    }
    if !untolerated.is_empty() {
        let missing: Vec<_> = untolerated.iter().map(|taint| untolerated_text(placer, taint)).collect();
        return check(CheckName::Tolerations, false, missing.join("; "));
    }
    let answered: Vec<_> = taints.iter().map(|taint| answered_text(placer, taint)).collect();
    check(CheckName::Tolerations, true, answered.join("; "))
}

fn no_execute_tolerations(placer: &Placer<'_>, untolerated: &[&Taint]) -> Check {
    let missing: Vec<_> = untolerated.iter().filter(|taint| taint.effect == NO_EXECUTE).collect();
    if missing.is_empty() {
        return check(
            CheckName::NoExecuteTolerations,
            true,
            "no NoExecute taint is untolerated: a pod that is here may stay",
        );
    }
    let missing: Vec<_> = missing.into_iter().map(|taint| untolerated_text(placer, taint)).collect();
    check(CheckName::NoExecuteTolerations, false, missing.join("; "))
}

fn answered_text(placer: &Placer<'_>, taint: &Taint) -> String {
    let text = taint_text(taint);
    if !taints::is_hard(taint) {
        return format!("{text} does not count");
    }
    let Some(toleration) = toleration_for(&placer.tolerations, taint) else { return text };
    if is_default(placer, toleration) {
        return format!("{text} is tolerated by every daemon pod");
    }
    format!("{text} is tolerated by {}", toleration_text(toleration))
}

fn is_default(placer: &Placer<'_>, toleration: &Toleration) -> bool {
    taints::default_tolerations(placer.template).any(|default| default == *toleration)
}

/// Returns what an untolerated taint would need, with the toleration that comes nearest.
fn untolerated_text(placer: &Placer<'_>, taint: &Taint) -> String {
    let text = format!("{} is not tolerated", taint_text(taint));
    let of_same_key = |toleration: &&Toleration| toleration.key.as_deref() == Some(taint.key.as_str());
    let near = placer.tolerations.iter().find(of_same_key).map(|toleration| {
        let differs = if toleration.effect.as_deref().is_some_and(|effect| !effect.is_empty() && effect != taint.effect)
        {
            "covers another effect"
        } else {
            "wants another value"
        };
        format!(" (toleration {} {differs})", toleration_text(toleration))
    });
    let host_network = taint.key == "node.kubernetes.io/network-unavailable" && !placer.template.host_network;
    let hint = if host_network { " (only pods with hostNetwork tolerate it by default)" } else { "" };
    text + near.as_deref().unwrap_or(hint)
}

#[cfg(test)]
mod tests;
