//! Label selectors: what parses, and what matches.
//!
//! Mirrors apimachinery `pkg/labels/selector.go` and `pkg/apis/meta/v1/helpers.go`.

mod parse;

use crate::api::{LabelSelector, Labels};

/// A parsed label selector.
#[derive(Clone, Debug, PartialEq)]
pub enum Selector {
    /// A selector that is absent matches nothing.
    Nothing,
    /// All requirements hold; none of them: everything matches.
    All(Vec<Requirement>),
}

/// A requirement on one label key.
#[derive(Clone, Debug, PartialEq)]
pub struct Requirement {
    /// The key it looks at.
    pub key: String,
    operator: Operator,
    values: Vec<String>,
}

/// What a requirement asks of the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// Present, with one of the values.
    In,
    /// Absent, or with another value.
    NotIn,
    /// Present.
    Exists,
    /// Absent.
    DoesNotExist,
    /// Present, an integer above the value.
    Gt,
    /// Present, an integer below the value.
    Lt,
}

impl Operator {
    /// Reads an operator; the case matters.
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "In" => Self::In,
            "NotIn" => Self::NotIn,
            "Exists" => Self::Exists,
            "DoesNotExist" => Self::DoesNotExist,
            "Gt" => Self::Gt,
            "Lt" => Self::Lt,
            _ => return None,
        })
    }
}

impl Requirement {
    /// Checks and builds a requirement.
    ///
    /// Errors: an invalid key or value, a wrong number of values, a Gt/Lt value that is no 64-bit integer.
    ///
    /// Upstream: apimachinery pkg/labels `NewRequirement` (1.37).
    pub fn new(key: &str, operator: Operator, values: &[String]) -> Result<Self, String> {
        if !is_label_key(key) {
            return Err(format!("key {key:?} is not a valid label key"));
        }
        match operator {
            Operator::In | Operator::NotIn if values.is_empty() => {
                return Err(format!("key {key:?}: In and NotIn need a value"));
            }
            Operator::Exists | Operator::DoesNotExist if !values.is_empty() => {
                return Err(format!("key {key:?}: Exists and DoesNotExist take no values"));
            }
            Operator::Gt | Operator::Lt if values.len() != 1 || values[0].parse::<i64>().is_err() => {
                return Err(format!("key {key:?}: Gt and Lt need one integer"));
            }
            _ => {}
        }
        if let Some(value) = values.iter().find(|value| !is_label_value(value)) {
            return Err(format!("key {key:?}: {value:?} is not a valid label value"));
        }
        Ok(Self { key: key.to_owned(), operator, values: values.to_vec() })
    }

    /// Returns whether the labels meet the requirement.
    ///
    /// Upstream: apimachinery pkg/labels `Requirement.Matches` (1.37).
    pub fn matches(&self, labels: &Labels) -> bool {
        let value = labels.get(&self.key);
        match self.operator {
            Operator::In => value.is_some_and(|value| self.values.contains(value)),
            Operator::NotIn => value.is_none_or(|value| !self.values.contains(value)),
            Operator::Exists => value.is_some(),
            Operator::DoesNotExist => value.is_none(),
            Operator::Gt => self.compare(value).is_some_and(|(label, wanted)| label > wanted),
            Operator::Lt => self.compare(value).is_some_and(|(label, wanted)| label < wanted),
        }
    }

    fn compare(&self, value: Option<&String>) -> Option<(i64, i64)> {
        Some((value?.parse().ok()?, self.values.first()?.parse().ok()?))
    }
}

impl Selector {
    /// Parses a LabelSelector; an absent one matches nothing, an empty one everything.
    ///
    /// Errors: see [`Requirement::new`]; also an operator other than In, NotIn, Exists, DoesNotExist.
    ///
    /// Upstream: apimachinery pkg/apis/meta/v1 `LabelSelectorAsSelector` (1.37).
    pub fn from_label_selector(selector: Option<&LabelSelector>) -> Result<Self, String> {
        let Some(selector) = selector else { return Ok(Self::Nothing) };
        let mut requirements = Vec::new();
        for (key, value) in selector.match_labels.iter().flatten() {
            requirements.push(Requirement::new(key, Operator::In, std::slice::from_ref(value))?);
        }
        for expression in selector.match_expressions.iter().flatten() {
            let operator = Operator::parse(&expression.operator)
                .filter(|operator| !matches!(operator, Operator::Gt | Operator::Lt))
                .ok_or_else(|| format!("{:?} is not a valid label selector operator", expression.operator))?;
            let values = expression.values.as_deref().unwrap_or_default();
            requirements.push(Requirement::new(&expression.key, operator, values)?);
        }
        Ok(Self::All(requirements))
    }

    /// Returns whether the labels match.
    pub fn matches(&self, labels: &Labels) -> bool {
        match self {
            Self::Nothing => false,
            Self::All(requirements) => requirements.iter().all(|requirement| requirement.matches(labels)),
        }
    }
}

/// Returns whether the selector is there but asks for nothing.
pub fn is_empty(selector: Option<&LabelSelector>) -> bool {
    selector.is_some_and(|selector| {
        selector.match_labels.as_ref().is_none_or(Labels::is_empty)
            && selector.match_expressions.as_ref().is_none_or(Vec::is_empty)
    })
}

/// Returns whether the text is a valid label key: an optional DNS subdomain and `/`, then a name of 1 to 63 characters.
///
/// Upstream: apimachinery pkg/api/validate/content `IsLabelKey` (1.37).
pub fn is_label_key(key: &str) -> bool {
    let (prefix, name) = match key.split_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    !name.is_empty() && is_label_value(name) && prefix.is_none_or(is_dns_subdomain)
}

/// Returns whether the text is a valid label value: at most 63 characters, alphanumeric at both ends, `-_.` inside, or empty.
///
/// Upstream: apimachinery pkg/api/validate/content `IsLabelValue` (1.37).
pub fn is_label_value(value: &str) -> bool {
    let is_end = |byte: Option<u8>| byte.is_none_or(|byte| byte.is_ascii_alphanumeric());
    let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    value.len() <= 63 && is_end(value.bytes().next()) && is_end(value.bytes().last()) && value.bytes().all(is_inside)
}

fn is_dns_subdomain(text: &str) -> bool {
    let is_alphanumeric = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_label = |label: &str| {
        label.bytes().next().is_some_and(is_alphanumeric)
            && label.bytes().last().is_some_and(is_alphanumeric)
            && label.bytes().all(|byte| is_alphanumeric(byte) || byte == b'-')
    };
    text.len() <= 253 && text.split('.').all(is_label)
}

#[cfg(test)]
mod tests;
