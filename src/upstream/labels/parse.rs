//! The text form of label selectors, as typed after `-l`.
//!
//! Mirrors `Parse` of apimachinery `pkg/labels/selector.go`.

use std::str::FromStr;

use super::{Operator, Requirement, Selector, is_label_key};

/// Reads kubectl's grammar: `a=b`, `a==b`, `a!=b`, `a in (x,y)`, `a notin (x,y)`, `a`, `!a`, `a>1`, `a<1`, joined by commas.
///
/// Errors: text that is no selector, with the place; keys and values as in [`Requirement::new`].
///
/// Upstream: apimachinery pkg/labels `Parse` (1.37).
impl FromStr for Selector {
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
        Ok(Self::All(requirements))
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
            return Requirement::new(self.key()?, Operator::DoesNotExist, &[]);
        }
        let key = self.key()?;
        let (operator, values) = match self.peek() {
            "" | "," => (Operator::Exists, Vec::new()),
            "=" | "==" => (Operator::In, self.single()),
            "!=" => (Operator::NotIn, self.single()),
            "in" => (Operator::In, self.set()?),
            "notin" => (Operator::NotIn, self.set()?),
            ">" => (Operator::Gt, self.single()),
            "<" => (Operator::Lt, self.single()),
            found => return Err(format!("found {found:?}, expected one of =, ==, !=, in, notin, > and <")),
        };
        Requirement::new(key, operator, &values)
    }

    fn key(&mut self) -> Result<&'a str, String> {
        match self.next() {
            "" => Err("a label key is missing".to_owned()),
            key if is_label_key(key) => Ok(key),
            other => Err(format!("{other:?} is not a label key")),
        }
    }

    /// Reads the operator and the one value after it, which may be empty.
    fn single(&mut self) -> Vec<String> {
        self.next();
        let value = if matches!(self.peek(), "" | ",") { "" } else { self.next() };
        vec![value.to_owned()]
    }

    /// Reads the operator and the values in parentheses after it; an empty one counts as a value, as upstream's.
    fn set(&mut self) -> Result<Vec<String>, String> {
        self.next();
        self.expect("(")?;
        let mut values = Vec::new();
        loop {
            let value = if matches!(self.peek(), "," | ")") { "" } else { self.next() };
            values.push(value.to_owned());
            if self.peek() != "," {
                break;
            }
            self.next();
        }
        self.expect(")")?;
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use crate::api::Labels;
    use crate::upstream::labels::Selector;

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
            let selector: Selector = text.parse().expect(text);
            let mut labels = labels();
            labels.extend(in_label.clone());
            assert!(selector.matches(&labels), "{text}");
        }
        for text in ["app=x", "app!=agent", "app notin (agent)", "!app", "other", "tier in (web)", "n>7", "app<3"] {
            let selector: Selector = text.parse().expect(text);
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
            ("app=-x", "key \"app\": \"-x\" is not a valid label value"),
            ("Example.com/x", "\"Example.com/x\" is not a label key"),
            ("n>x", "key \"n\": Gt and Lt need one integer"),
        ];
        for (text, message) in wrong {
            assert_eq!(text.parse::<Selector>().map(|_| ()), Err(message.to_owned()), "{text}");
        }
    }
}
