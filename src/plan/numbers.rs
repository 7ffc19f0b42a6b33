//! Numbers and durations as texts print them.

use std::time::Duration;

/// Returns a number with a comma before every three digits: `3,990`.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a duration as it is typed in a flag: `10s`, `1.5s`, `5m`, `1m30s`.
pub fn duration(duration: Duration) -> String {
    let minutes = duration.as_secs() / 60;
    let rest = duration - Duration::from_secs(minutes * 60);
    match (minutes, rest.is_zero()) {
        (0, true) => "0s".to_owned(),
        (0, _) => format!("{rest:?}"),
        (minutes, true) => format!("{minutes}m"),
        (minutes, false) => format!("{minutes}m{rest:?}"),
    }
}
