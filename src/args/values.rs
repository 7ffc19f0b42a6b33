//! Values of flags.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::ValueEnum;
use clap::builder::{OsStringValueParser, TypedValueParser};
use jiff::Timestamp;

use crate::api::IntOrString;
use crate::drive::Canary;
use crate::snapshot::ServerVersion;
use crate::upstream::labels::is_label_key;

/// Formats of `-o`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// Columns for people
    #[default]
    Table,
    /// More columns
    Wide,
    /// Names only
    Name,
    /// Everything, as JSON
    Json,
    /// Everything, as YAML
    Yaml,
}

/// Values of `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal only
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Values of `--dry-run`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DryRun {
    /// Write
    #[default]
    None,
    /// Judge here, with reads only
    Client,
    /// Let the server judge, which persists nothing
    Server,
}

/// Values of `--done-when`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DoneWhen {
    /// Every wanted node has an available pod of the current revision, and nothing else is left
    #[default]
    Available,
    /// Every wanted node has a pod of the current revision, available or not, and no old pod is left
    Updated,
    /// Every wanted node has a pod, of whatever revision, and nothing is to be made or deleted
    Placed,
}

/// Roles of `rights`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Role {
    /// All that looking takes
    View,
    /// All that looking and writing take
    Drive,
    /// Only nodes, which no right in a namespace covers
    Nodes,
}

/// Values of `--pause-after`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PauseAfter {
    /// After the canary
    Canary,
    /// After the canary and each group
    Group,
}

/// Reads the value of `--canary`: a number above 0, or a selector.
pub(super) fn canary(text: &str) -> Result<Canary, String> {
    if text.trim().bytes().all(|byte| byte.is_ascii_digit()) {
        return match text.trim().parse() {
            Ok(count @ 1..) => Ok(Canary::Nodes(count)),
            _ => Err("write a number of nodes above 0, or the labels of nodes".to_owned()),
        };
    }
    text.parse().map(Canary::Selector)
}

/// Reads the key of a label.
pub(super) fn label_key(text: &str) -> Result<String, String> {
    let error = || "write the key of a label, such as topology.kubernetes.io/zone".to_owned();
    is_label_key(text).then(|| text.to_owned()).ok_or_else(error)
}

/// Value of `--diff`: numbers of two revisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiffRange {
    /// The one before.
    pub from: i64,
    /// The one after; `None` for the current.
    pub to: Option<i64>,
}

impl FromStr for DiffRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse().map_err(|_| "write two revisions as 1..3, or one as 1".to_owned());
        match text.split_once("..") {
            Some((from, to)) => Ok(Self { from: number(from)?, to: Some(number(to)?) }),
            None => Ok(Self { from: number(text)?, to: None }),
        }
    }
}

/// Reads the value of `--max-unavailable`: a number or a percentage, above 0.
pub(super) fn max_unavailable(text: &str) -> Result<IntOrString, String> {
    let digits = text.strip_suffix('%').unwrap_or(text);
    let number = digits.parse::<i32>().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()));
    match number {
        Some(1..=100) if digits != text => Ok(IntOrString::String(text.to_owned())),
        Some(number @ 1..) if digits == text => Ok(IntOrString::Int(number)),
        _ => Err("write a number of nodes above 0, or a percentage from 1% to 100%".to_owned()),
    }
}

/// Reads the value of `--now`.
pub(super) fn time(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| "write a time with its zone, such as 2026-11-29T14:43:52Z".to_owned())
}

/// Reads the value of `--server-version`.
pub(super) fn server_version(text: &str) -> Result<ServerVersion, String> {
    ServerVersion::parse(text).ok_or_else(|| "write a version such as 1.37".to_owned())
}

/// Reads a path, which unlike clap's may be empty.
pub(super) fn path() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

/// Reads `KEY=VALUE`.
pub(super) fn key_value(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(key, _)| !key.is_empty());
    pair.map(|(key, value)| (key.to_owned(), value.to_owned())).ok_or_else(|| "write KEY=VALUE".to_owned())
}

/// Reads a duration as kubectl does: a number of seconds, or numbers with the units of Go.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    const ERROR: &str = "write a number of seconds, or a duration such as 30s, 1m30s or 2h";
    if let Ok(seconds) = text.parse::<u64>() {
        return Ok(Duration::from_secs(seconds));
    }
    let mut total = 0.0;
    let mut rest = text;
    while !rest.is_empty() {
        let (number, after) = split(rest, |c| c.is_ascii_digit() || c == '.');
        let (unit, after) = split(after, |c| !c.is_ascii_digit() && c != '.');
        let number: f64 = number.parse().map_err(|_| ERROR)?;
        total += number * seconds_of(unit).ok_or(ERROR)?;
        rest = after;
    }
    if text.is_empty() {
        Err(ERROR.to_owned())
    } else {
        Duration::try_from_secs_f64(total).map_err(|_| ERROR.to_owned())
    }
}

/// Splits behind the longest beginning of which every character is like that.
fn split(text: &str, is_like_that: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !is_like_that(c)).unwrap_or(text.len()))
}

/// Returns the length of a unit of Go's durations.
fn seconds_of(unit: &str) -> Option<f64> {
    Some(match unit {
        "ns" => 1e-9,
        "us" | "µs" | "μs" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{duration, key_value};

    #[test]
    fn durations_are_those_of_go_or_seconds() {
        for (text, millis) in
            [("0", 0), ("5", 5_000), ("1.5s", 1_500), ("300ms", 300), ("1m30s", 90_000), ("2h", 7_200_000)]
        {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "s", "-5s", "-1", "5 s", "5d", "1m5"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_value_may_hold_the_sign_between_key_and_value() {
        assert_eq!(key_value("scopes=a=b"), Ok(("scopes".to_owned(), "a=b".to_owned())));
        assert!(key_value("scopes").is_err());
        assert!(key_value("=a").is_err());
    }
}
