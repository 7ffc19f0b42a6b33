//! Finished lines: text without escapes, and what it is worth.

use unicode_width::UnicodeWidthChar;

/// What a line is worth to the reader; decides its color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// As it is.
    #[default]
    Plain,
    /// A headline.
    Strong,
    /// All is well.
    Good,
    /// Under way, or to be watched.
    Caution,
    /// Broken or blocked.
    Bad,
    /// Less important.
    Faint,
}

/// A line without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The text; holds no control characters and no trailing blanks.
    pub text: String,
    /// Its worth.
    pub tone: Tone,
}

impl Line {
    /// Makes a line; control characters that came with the data are made visible, so that a dump cannot steer the terminal.
    pub fn new(text: impl AsRef<str>, tone: Tone) -> Self {
        Self { text: clean(text.as_ref().trim_end()), tone }
    }

    /// Makes a plain line.
    pub fn plain(text: impl AsRef<str>) -> Self {
        Self::new(text, Tone::Plain)
    }

    /// Makes an empty line.
    pub fn empty() -> Self {
        Self::plain("")
    }
}

/// Makes control characters visible, and line ends and tabs a blank.
pub(super) fn clean(text: &str) -> String {
    let visible = |c: char| match c {
        '\n' | '\r' | '\t' => ' ',
        '\u{1b}' => '^',
        c if c.is_control() || is_bidirectional_control(c) => '\u{fffd}',
        c => c,
    };
    text.chars().map(visible).collect()
}

fn is_bidirectional_control(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns the columns that a text takes on a terminal.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

/// Cuts a text to so many columns, the last of which is then `…`.
pub(super) fn truncate(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut cut = String::new();
    let mut taken = 0;
    for c in text.chars() {
        taken += c.width().unwrap_or(0);
        if taken >= columns {
            break;
        }
        cut.push(c);
    }
    cut.push('…');
    cut
}

/// Breaks a text into lines of at most so many columns, at blanks; a word that is longer stays whole.
///
/// What is between backquotes is a command and stays whole, so that it can be copied.
pub(super) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in words(text) {
        if !line.is_empty() && width(&line) + 1 + width(word) > columns {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

/// Splits at blanks outside backquotes.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut is_command = false;
    text.split(move |c| {
        is_command ^= c == '`';
        c == ' ' && !is_command
    })
}

/// Puts a text behind a title of so many columns, and continues below the text where the terminal is too narrow.
pub(super) fn hang(title: &str, indent: usize, text: &str, terminal: Option<usize>) -> Vec<String> {
    /// Below this the text is not broken: it would read worse than what the terminal does.
    const MIN_COLUMNS: usize = 20;
    let room = terminal.map(|columns| columns.saturating_sub(indent)).filter(|room| *room >= MIN_COLUMNS);
    let parts = room.map_or_else(|| vec![text.to_owned()], |room| wrap(text, room));
    let titled = |(i, part): (usize, &String)| format!("{:indent$}{part}", if i == 0 { title } else { "" });
    parts.iter().enumerate().map(titled).collect()
}

#[cfg(test)]
mod tests {
    use super::{Line, hang, truncate, width, wrap};

    #[test]
    fn escapes_in_the_data_do_not_reach_the_terminal() {
        assert_eq!(Line::plain("a\u{1b}[31mb\nc\u{7}\u{202e} ").text, "a^[31mb c\u{fffd}\u{fffd}");
    }

    #[test]
    fn wide_characters_count_as_two_columns() {
        assert_eq!(width("日本x"), 5);
        assert_eq!(truncate("日本語", 5), "日本…");
        assert_eq!(truncate("日本語", 4), "日…");
        assert_eq!(truncate("abc", 3), "abc");
        assert_eq!(truncate("abcd", 3), "ab…");
    }

    #[test]
    fn text_breaks_at_blanks() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("one-two-three four", 5), ["one-two-three", "four"]);
        assert_eq!(wrap("run `kubectl get ds` or not", 10), ["run", "`kubectl get ds`", "or not"]);
        assert_eq!(hang("T", 4, "aaa bbb", None), ["T   aaa bbb"]);
        assert_eq!(hang("T", 4, "aaaaaaaaaaaa bbbbbbbbbbb", Some(24)), ["T   aaaaaaaaaaaa", "    bbbbbbbbbbb"]);
    }
}
