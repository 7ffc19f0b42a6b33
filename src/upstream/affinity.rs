//! Node selector and required node affinity: does a node match, and if not, which field says so.
//!
//! Mirrors component-helpers `scheduling/corev1/nodeaffinity/nodeaffinity.go`.

use crate::api::{Labels, Node, NodeSelectorRequirement, NodeSelectorTerm, PodTemplateSpec};
use crate::upstream::labels::{Operator, Requirement};

/// The field that a `matchFields` requirement can look at.
pub const METADATA_NAME: &str = "metadata.name";

/// A template's node selector and required node affinity, parsed once for all nodes.
#[derive(Debug)]
pub struct RequiredNodeAffinity<'a> {
    /// Labels that must all be present with exactly these values.
    pub node_selector: &'a Labels,
    /// Terms of which one must match; `None` if nothing is required.
    pub terms: Option<Vec<Term<'a>>>,
}

/// A term of the required node affinity.
#[derive(Debug)]
pub struct Term<'a> {
    /// As written.
    pub written: &'a NodeSelectorTerm,
    parsed: Result<Vec<Matcher<'a>>, String>,
}

#[derive(Debug)]
enum Matcher<'a> {
    Label(Requirement),
    FieldEquals { key: &'a str, value: &'a str },
    FieldDiffers { key: &'a str, value: &'a str },
}

impl<'a> RequiredNodeAffinity<'a> {
    /// Parses the placement fields of a template. Terms that do not parse are kept: they match nothing.
    ///
    /// Upstream: component-helpers nodeaffinity `GetRequiredNodeAffinity` (1.37).
    pub fn new(template: &'a PodTemplateSpec) -> Self {
        let terms = template.required_node_affinity.as_ref();
        Self { node_selector: &template.node_selector, terms: terms.map(|terms| terms.iter().map(Term::new).collect()) }
    }

    /// Returns whether the node has every label of the node selector. Nothing is validated.
    pub fn matches_node_selector(&self, node: &Node) -> bool {
        self.node_selector.iter().all(|(key, value)| node.labels().get(key) == Some(value))
    }

    /// Returns the first term that the node matches. No terms at all match no node.
    pub fn matching_term(&self, node: &Node) -> Option<usize> {
        self.terms.as_ref()?.iter().position(|term| term.matches(node))
    }
}

impl<'a> Term<'a> {
    fn new(written: &'a NodeSelectorTerm) -> Self {
        Self { written, parsed: parse_term(written) }
    }

    /// Returns whether a node matches: never if the term is empty or any part of it does not parse.
    pub fn matches(&self, node: &Node) -> bool {
        self.parsed
            .as_ref()
            .is_ok_and(|matchers| !matchers.is_empty() && matchers.iter().all(|matcher| matcher.matches(node)))
    }

    /// Returns why the term can never match, if it is so.
    pub fn error(&self) -> Option<&str> {
        match &self.parsed {
            Err(error) => Some(error),
            Ok(matchers) if matchers.is_empty() => Some("the term is empty and matches no node"),
            Ok(_) => None,
        }
    }

    /// Returns the requirements that a node fails, as written; those on fields last.
    pub fn failed_requirements(&self, node: &Node) -> Vec<&'a NodeSelectorRequirement> {
        let written = requirements(self.written);
        let matchers = self.parsed.iter().flatten();
        written.zip(matchers).filter(|(_, matcher)| !matcher.matches(node)).map(|(written, _)| written).collect()
    }
}

/// Returns all requirements of a term, label expressions first.
pub fn requirements(term: &NodeSelectorTerm) -> impl Iterator<Item = &NodeSelectorRequirement> {
    term.match_expressions.iter().flatten().chain(term.match_fields.iter().flatten())
}

fn parse_term(term: &NodeSelectorTerm) -> Result<Vec<Matcher<'_>>, String> {
    let expressions = term.match_expressions.iter().flatten().map(|written| {
        let operator = Operator::parse(&written.operator)
            .ok_or_else(|| format!("{:?} is not a valid node selector operator", written.operator))?;
        Requirement::new(&written.key, operator, written.values.as_deref().unwrap_or_default()).map(Matcher::Label)
    });
    let fields = term.match_fields.iter().flatten().map(|written| {
        match (written.operator.as_str(), written.values.as_deref().unwrap_or_default()) {
            ("In", [value]) => Ok(Matcher::FieldEquals { key: &written.key, value }),
            ("NotIn", [value]) => Ok(Matcher::FieldDiffers { key: &written.key, value }),
            ("In" | "NotIn", _) => Err(format!("field {:?} needs exactly one value", written.key)),
            (operator, _) => Err(format!("{operator:?} is not a valid node field selector operator")),
        }
    });
    expressions.chain(fields).collect()
}

impl Matcher<'_> {
    fn matches(&self, node: &Node) -> bool {
        // The only field a node has is its name; any other reads as empty.
        let field = |key: &str| if key == METADATA_NAME { node.name() } else { "" };
        match self {
            Self::Label(requirement) => requirement.matches(node.labels()),
            Self::FieldEquals { key, value } => field(key) == *value,
            Self::FieldDiffers { key, value } => field(key) != *value,
        }
    }
}

#[cfg(test)]
mod tests;
