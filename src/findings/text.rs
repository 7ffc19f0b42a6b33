//! The wording that all findings share: names, numbers, and how a list is cut short.

/// How many names a message holds before it only counts the rest.
const MAX_NAMES: usize = 10;
/// How long somebody else's words may be in a message. Units: characters.
const MAX_QUOTE: usize = 280;
/// How much of longer words is left at their end, where errors tell their cause. Units: characters.
const QUOTE_END: usize = 120;

/// Joins names with commas; beyond ten, the rest is counted.
pub fn list<T: AsRef<str>>(names: &[T]) -> String {
    joined(names.iter().map(|name| name.as_ref().to_owned()), names.len())
}

/// Joins at most ten of `len` parts, and counts the rest. Only the parts that are shown are made.
pub fn joined(parts: impl Iterator<Item = String>, len: usize) -> String {
    let shown: Vec<_> = parts.take(MAX_NAMES).collect();
    let shown = shown.join(", ");
    if len > MAX_NAMES { format!("{shown} and {} more", number(len - MAX_NAMES)) } else { shown }
}

/// Returns a count with thousands set apart: `3,990`.
pub fn number(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
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
