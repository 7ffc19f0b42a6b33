//! Small pieces of English: counts, lists of names, plurals.

pub use crate::plan::numbers::{duration, thousands};

/// Names printed of a list before it is cut.
pub const NAMES_SHOWN: usize = 10;
/// Names printed at least, however long they are.
const LEAST_SHOWN: usize = 3;
/// How long a list of names may be, beyond the least number. Units: characters.
const MAX_LIST: usize = 240;

/// Returns `1 pod` or `3 pods`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{} {}", thousands(count), plural(count, noun))
}

/// Returns `pod` or `pods`, `batch` or `batches`.
pub fn plural(count: usize, noun: &str) -> String {
    match noun {
        _ if count == 1 => noun.to_owned(),
        _ if noun.ends_with("ch") => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// Returns the names joined by commas; of many, or of long ones, the first ones, and how many more there are.
pub fn names<T: AsRef<str>>(names: &[T]) -> String {
    let ends = names.iter().scan(0, |end, name| {
        *end += name.as_ref().len() + ", ".len();
        Some(*end)
    });
    let fitting = ends.take_while(|end| *end <= MAX_LIST).count();
    cut(names, fitting.clamp(LEAST_SHOWN, NAMES_SHOWN))
}

/// Like [`names`], with another limit.
pub fn cut<T: AsRef<str>>(names: &[T], shown: usize) -> String {
    // Cutting off one name would take as much room as printing it.
    let shown = if names.len() <= shown + 1 { names.len() } else { shown };
    let mut text = names[..shown].iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    if shown < names.len() {
        text.push_str(&format!(" … and {} more", thousands(names.len() - shown)));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{counted, cut, duration, names, thousands};

    #[test]
    fn lists_are_cut_only_where_it_saves_room() {
        assert_eq!(cut(&["a", "b", "c"], 2), "a, b, c");
        assert_eq!(cut(&["a", "b", "c", "d"], 2), "a, b … and 2 more");
        assert_eq!(cut::<&str>(&[], 2), "");
        let long: Vec<_> = (0..20).map(|i| format!("{i}{}", "x".repeat(99))).collect();
        assert_eq!(names(&long), format!("{}, {}, {} … and 17 more", long[0], long[1], long[2]));
    }

    #[test]
    fn durations_are_told_as_they_are_typed() {
        for (millis, text) in [
            (10_000, "10s"),
            (300_000, "5m"),
            (90_000, "1m30s"),
            (7_200_000, "120m"),
            (250, "250ms"),
            (0, "0s"),
            (1500, "1.5s"),
        ] {
            assert_eq!(duration(Duration::from_millis(millis)), text);
        }
    }

    #[test]
    fn numbers_and_nouns_agree() {
        assert_eq!(counted(1, "pod"), "1 pod");
        assert_eq!(counted(0, "pod"), "0 pods");
        assert_eq!(thousands(3988), "3,988");
        assert_eq!(thousands(123), "123");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
