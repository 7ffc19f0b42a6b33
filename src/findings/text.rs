//! The wording that all findings share: names, numbers, and how a list is cut short.

pub use crate::plan::numbers::thousands as number;

/// How many names a message holds before it only counts the rest.
const MAX_NAMES: usize = 10;
/// How many it holds at least, however long they are.
const MIN_NAMES: usize = 3;
/// How long a list of names may be in a message, beyond the least number. Units: characters.
const MAX_LIST: usize = 240;
/// How long somebody else's words may be in a message. Units: characters.
const MAX_QUOTE: usize = 280;
/// How much of longer words is left at their end, where errors tell their cause. Units: characters.
const QUOTE_END: usize = 120;

/// Joins names with commas; beyond ten, or fewer long ones, the rest is counted.
pub fn list<T: AsRef<str>>(names: &[T]) -> String {
    joined(names.iter().map(|name| name.as_ref().to_owned()), names.len())
}

/// Joins at most ten of `len` parts, fewer if they are long, and counts the rest. Only the parts that are shown are made.
pub fn joined(parts: impl Iterator<Item = String>, len: usize) -> String {
    let mut shown = Vec::new();
    let mut room = MAX_LIST;
    for part in parts.take(MAX_NAMES) {
        if shown.len() >= MIN_NAMES && part.len() > room {
            break;
        }
        room = room.saturating_sub(part.len() + ", ".len());
        shown.push(part);
    }
    let text = shown.join(", ");
    if len > shown.len() { format!("{text} and {} more", number(len - shown.len())) } else { text }
}

/// Returns `1 node` or `3,990 nodes`.
pub fn count(count: usize, noun: &str) -> String {
    format!("{} {noun}{}", number(count), if count == 1 { "" } else { "s" })
}

/// Returns the first word for one, the second for any other number.
pub fn pick<'a>(count: usize, one: &'a str, many: &'a str) -> &'a str {
    if count == 1 { one } else { many }
}

/// Returns somebody else's words on one line, without the period at their end; long ones are cut in the middle.
pub fn quote(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.trim_end_matches('.');
    let len = line.chars().count();
    if len <= MAX_QUOTE {
        return line.to_owned();
    }
    let start: String = line.chars().take(MAX_QUOTE - QUOTE_END).collect();
    let end: String = line.chars().skip(len - QUOTE_END).collect();
    format!("{} … {}", start.trim_end(), end.trim_start())
}

/// Returns the text with a capital letter in front.
pub fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Returns the text with a small letter in front.
pub fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_cut_after_ten_names() {
        let names: Vec<_> = (0..4_000).map(|i| format!("n{i}")).collect();
        assert_eq!(list(&names[..2]), "n0, n1");
        assert_eq!(list(&names[..10]), "n0, n1, n2, n3, n4, n5, n6, n7, n8, n9");
        assert_eq!(list(&names), "n0, n1, n2, n3, n4, n5, n6, n7, n8, n9 and 3,990 more");
        let long = |i: usize| format!("{i}{}", "x".repeat(99));
        assert_eq!(
            joined((0..4_000).map(long), 4_000),
            format!("{}, {}, {} and 3,997 more", long(0), long(1), long(2))
        );
        assert_eq!(joined((0..3).map(long), 3), format!("{}, {}, {}", long(0), long(1), long(2)));
    }

    #[test]
    fn numbers_have_their_thousands_set_apart() {
        for (value, expected) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(number(value), expected);
        }
        assert_eq!(count(1, "node"), "1 node");
        assert_eq!(count(0, "node"), "0 nodes");
    }

    #[test]
    fn quotes_stand_on_one_line_and_end() {
        assert_eq!(quote("a  b\n c."), "a b c");
        assert_eq!(quote(&format!("{} connection refused.", "x".repeat(300))).chars().count(), 283);
        assert!(quote(&format!("{} connection refused.", "x".repeat(300))).ends_with("x connection refused"));
    }
}
