//! The label selector of `-l`, in kubectl's grammar.
//!
//! Upstream: apimachinery pkg/labels `Parse` (1.37).

use std::str::FromStr;

use crate::api::Labels;

/// A parsed selector; matches if every requirement does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelSelector {
    /// As typed: a server is sent this.
    pub text: String,
    requirements: Vec<Requirement>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Requirement {
    key: String,
    operator: Operator,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Operator {
    In(Vec<String>),
    NotIn(Vec<String>),
    Exists,
    DoesNotExist,
    GreaterThan(i64),
    LessThan(i64),
}

impl LabelSelector {
    /// Returns whether an object with these labels is selected.
    pub fn matches(&self, labels: &Labels) -> bool {
        self.requirements.iter().all(|requirement| requirement.matches(labels))
    }
}

impl Requirement {
    fn matches(&self, labels: &Labels) -> bool {
        let value = labels.get(&self.key);
        let number = || value.and_then(|value| value.parse::<i64>().ok());
        match &self.operator {
            Operator::In(values) => value.is_some_and(|value| values.contains(value)),
            Operator::NotIn(values) => value.is_none_or(|value| !values.contains(value)),
            Operator::Exists => value.is_some(),
            Operator::DoesNotExist => value.is_none(),
            Operator::GreaterThan(bound) => number().is_some_and(|number| number > *bound),
            Operator::LessThan(bound) => number().is_some_and(|number| number < *bound),
        }
    }
}

impl FromStr for LabelSelector {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parser = Parser { tokens: tokens(text), at: 0 };
        let mut requirements = Vec::new();
        while !parser.is_at_end() {
            requirements.push(parser.requirement()?);
            if !parser.is_at_end() {
                parser.expect(",")?;
                if parser.is_at_end() {
                    return Err("a requirement is missing after the last comma".to_owned());
                }
            }
        }
        Ok(Self { text: text.to_owned(), requirements })
    }
}

/// Splits into words and the operators `,`, `(`, `)`, `!`, `=`, `==`, `!=`, `>` and `<`; white space separates.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '!' | '=' if rest[1..].starts_with('=') => 2,
            ',' | '(' | ')' | '!' | '=' | '>' | '<' => 1,
            _ => rest.find(|c: char| c.is_whitespace() || ",()!=<>".contains(c)).unwrap_or(rest.len()),
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

struct Parser<'a> {
    tokens: Vec<&'a str>,
    at: usize,
}

impl<'a> Parser<'a> {
    fn is_at_end(&self) -> bool {
        self.at == self.tokens.len()
    }

    fn peek(&self) -> &'a str {
        self.tokens.get(self.at).copied().unwrap_or_default()
    }

    fn next(&mut self) -> &'a str {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn expect(&mut self, wanted: &str) -> Result<(), String> {
        match self.next() {
            found if found == wanted => Ok(()),
            "" => Err(format!("{wanted:?} is missing at the end")),
            found => Err(format!("found {found:?}, expected {wanted:?}")),
        }
    }

    fn requirement(&mut self) -> Result<Requirement, String> {
        if self.peek() == "!" {
            self.next();
            return Ok(Requirement { key: key(self.next())?, operator: Operator::DoesNotExist });
        }
        let key = key(self.next())?;
        let operator = match self.peek() {
            "" | "," => Operator::Exists,
            "=" | "==" => Operator::In(vec![self.single()?]),
            "!=" => Operator::NotIn(vec![self.single()?]),
            "in" => Operator::In(self.set()?),
            "notin" => Operator::NotIn(self.set()?),
            ">" => Operator::GreaterThan(self.number()?),
            "<" => Operator::LessThan(self.number()?),
            found => return Err(format!("found {found:?}, expected one of =, ==, !=, in, notin, > and <")),
        };
        Ok(Requirement { key, operator })
    }

    /// Reads the operator and the one value after it, which may be empty.
    fn single(&mut self) -> Result<String, String> {
        self.next();
        if matches!(self.peek(), "" | ",") { Ok(String::new()) } else { value(self.next()) }
    }

    fn number(&mut self) -> Result<i64, String> {
        self.next();
        let text = self.next();
        text.parse().map_err(|_| format!("{text:?} is not a whole number"))
    }

    /// Reads the operator and the values in parentheses after it; an empty one counts as a value, as upstream's.
    fn set(&mut self) -> Result<Vec<String>, String> {
        self.next();
        self.expect("(")?;
        let mut values = Vec::new();
        loop {
            let is_empty = matches!(self.peek(), "," | ")");
            values.push(if is_empty { String::new() } else { value(self.next())? });
            if self.peek() != "," {
                break;
            }
            self.next();
        }
        self.expect(")")?;
        Ok(values)
    }
}

/// Checks a label key: a name of at most 63 characters, after an optional DNS prefix and a slash.
fn key(text: &str) -> Result<String, String> {
    let (prefix, name) = text.split_once('/').map_or((None, text), |(prefix, name)| (Some(prefix), name));
    let is_prefix = |prefix: &str| {
        !prefix.is_empty()
            && prefix.len() <= 253
            && prefix.split('.').all(|part| is_name(part) && part.bytes().all(is_dns_byte))
    };
    if is_name(name) && prefix.is_none_or(is_prefix) {
        return Ok(text.to_owned());
    }
    Err(if text.is_empty() { "a label key is missing".to_owned() } else { format!("{text:?} is not a label key") })
}

/// Checks a label value that is not empty.
fn value(text: &str) -> Result<String, String> {
    if is_name(text) { Ok(text.to_owned()) } else { Err(format!("{text:?} is not a label value")) }
}

/// Returns whether the text is 1 to 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends.
fn is_name(text: &str) -> bool {
    let is_alphanumeric = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = text.as_bytes();
    bytes.len() <= 63
        && is_alphanumeric(bytes.first())
        && is_alphanumeric(bytes.last())
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
}

fn is_dns_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'
}

#[cfg(test)]
mod tests {
    use super::LabelSelector;
    use crate::api::Labels;

    fn labels() -> Labels {
        [("app", "agent"), ("tier", "node"), ("empty", ""), ("n", "7"), ("example.com/team", "a_b")]
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect()
    }

    #[test]
    fn selectors_match_as_kubectl_reads_them() {
        let matching = [
            "",
            "app=agent",
            "app==agent",
            "app = agent , tier!=web",
            "tier in (web, node)",
            "tier notin (web)",
            "other notin (web)",
            "other!=x",
            "app,tier",
            "!other",
            "! other",
            "empty=",
            "empty in ()",
            "empty in (,x)",
            "example.com/team=a_b",
            "n>6,n<8",
            "in in (x),!y,app=agent",
        ];
        let in_label: Labels = [("in".to_owned(), "x".to_owned())].into();
        for text in matching {
            let selector: LabelSelector = text.parse().expect(text);
            let mut labels = labels();
            labels.extend(in_label.clone());
            assert!(selector.matches(&labels), "{text}");
        }
        for text in ["app=x", "app!=agent", "app notin (agent)", "!app", "other", "tier in (web)", "n>7", "app<3"] {
            let selector: LabelSelector = text.parse().expect(text);
            assert!(!selector.matches(&labels()), "{text}");
        }
    }

    #[test]
    fn text_that_is_no_selector_is_refused_with_the_place() {
        let wrong = [
            ("app in", "\"(\" is missing at the end"),
            ("app in (a", "\")\" is missing at the end"),
            ("app=a b=c", "found \"b\", expected \",\""),
            ("app=a,", "a requirement is missing after the last comma"),
            ("=a", "\"=\" is not a label key"),
            ("!", "a label key is missing"),
            ("app is x", "found \"is\", expected one of =, ==, !=, in, notin, > and <"),
            ("app=-x", "\"-x\" is not a label value"),
            ("Example.com/x", "\"Example.com/x\" is not a label key"),
            ("n>x", "\"x\" is not a whole number"),
        ];
        for (text, message) in wrong {
            assert_eq!(text.parse::<LabelSelector>().map(|_| ()), Err(message.to_owned()), "{text}");
        }
    }
}
