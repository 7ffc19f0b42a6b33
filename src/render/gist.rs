//! Gist: what a printed text says, apart from the time that passes.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};

/// Returns a number that is the same for texts that differ only in their clock, in ages and in blanks.
pub fn gist(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    for line in text.lines().filter(|line| !tells_the_clock(line)) {
        for word in line.split_whitespace() {
            let age = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
            if is_age(age) { "AGE".hash(&mut hasher) } else { word.hash(&mut hasher) }
        }
        "\n".hash(&mut hasher);
    }
    hasher.finish()
}

/// Returns whether this is the line of JSON or YAML with the clock of a plan.
fn tells_the_clock(line: &str) -> bool {
    let key = line.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    key.starts_with("evaluatedAt")
}

/// Returns whether a word is an age as columns and sentences have it: `26s`, `5m30s`, `2d`.
fn is_age(word: &str) -> bool {
    let mut rest = word;
    while !rest.is_empty() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        match rest[digits..].strip_prefix(['s', 'm', 'h', 'd', 'y']) {
            Some(after) if digits > 0 => rest = after,
            _ => return false,
        }
    }
    !word.is_empty()
}

#[cfg(test)]
mod tests {
    use super::gist;

    #[test]
    fn time_alone_changes_nothing() {
        for (a, b) in [
            ("NODE   SINCE\nnode-1   9s", "NODE   SINCE\nnode-1   10s"),
            ("fails for 59s, on a (26s)", "fails for 1m, on a (2d3h)"),
            ("  \"evaluatedAt\": \"2026-11-29T14:43:52Z\",\n{}", "  \"evaluatedAt\": \"2026-11-29T14:43:53Z\",\n{}"),
            ("- evaluatedAt: 2026-11-29T14:43:52Z", "- evaluatedAt: 2026-11-29T14:43:53Z"),
        ] {
            assert_eq!(gist(a), gist(b), "{a:?} and {b:?}");
        }
    }

    #[test]
    fn all_else_does() {
        for (a, b) in [
            ("agent-5s", "agent-6s"),
            ("3 pods", "4 pods"),
            ("revision 5", "revision 6"),
            ("one two", "one\ntwo"),
            ("\"since\": \"2026-11-29T14:43:52Z\"", "\"since\": \"2026-11-29T14:43:53Z\""),
            ("", "x"),
        ] {
            assert_ne!(gist(a), gist(b), "{a:?} and {b:?}");
        }
    }
}
