//! The command line that goes on where this one pauses.

use std::borrow::Cow;

/// Flags whose values nobody else should see.
const SECRETS: [&str; 2] = ["--token", "--password"];
const CONTINUE: &str = "--continue";

/// Returns this command line as it is typed, with `--continue`.
pub fn with_continue() -> String {
    // What is not text cannot be typed either.
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    again(&words)
}

fn again(words: &[String]) -> String {
    let mut line = "kubectl daemonset".to_owned();
    let mut is_secret = false;
    for word in words.iter().filter(|word| *word != CONTINUE) {
        let shown = match word.split_once('=') {
            _ if is_secret => Cow::Borrowed("…"),
            Some((flag, _)) if SECRETS.contains(&flag) => Cow::Owned(format!("{flag}=…")),
            _ => quoted(word),
        };
        is_secret = SECRETS.contains(&word.as_str());
        line.push(' ');
        line.push_str(&shown);
    }
    format!("{line} {CONTINUE}")
}

/// Quotes a word for a shell, if it needs that.
fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=,@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}

#[cfg(test)]
mod tests {
    use super::again;

    fn line(words: &[&str]) -> String {
        again(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn it_can_be_pasted_into_a_shell() {
        let words = ["sync", "agent", "--gate", "echo 'a'", "--by=zone"];
        assert_eq!(line(&words), r"kubectl daemonset sync agent --gate 'echo '\''a'\''' --by=zone --continue");
        assert_eq!(line(&["sync", "--continue", "a", ""]), "kubectl daemonset sync a '' --continue");
    }

    #[test]
    fn secrets_are_left_out() {
        let words = ["--token", "t1", "sync", "a", "--password=p", "--token=t2"];
        assert_eq!(line(&words), "kubectl daemonset --token … sync a --password=… --token=… --continue");
    }
}
