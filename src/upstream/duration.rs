//! Ages as kubectl prints them.
//!
//! Mirrors apimachinery `pkg/util/duration/duration.go`.

use jiff::SignedDuration;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const YEAR: i64 = 365 * DAY;

/// Returns a duration in at most two units, coarser the longer it is: `26s`, `3m15s`, `18m`, `5h30m`, `6d2h`, `11d`, `2y3d`.
///
/// Two seconds below zero and more are `<invalid>`; a little below zero is `0s`, since clocks differ.
///
/// Upstream: apimachinery pkg/util/duration `HumanDuration` (1.37).
pub fn human_duration(duration: SignedDuration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        ..=-2 => "<invalid>".to_owned(),
        -1 => "0s".to_owned(),
        _ if seconds < 2 * MINUTE => format!("{seconds}s"),
        _ if seconds < 10 * MINUTE => two_units(seconds, (MINUTE, "m"), (1, "s")),
        _ if seconds < 3 * HOUR => format!("{}m", seconds / MINUTE),
        _ if seconds < 8 * HOUR => two_units(seconds, (HOUR, "h"), (MINUTE, "m")),
        _ if seconds < 2 * DAY => format!("{}h", seconds / HOUR),
        _ if seconds < 8 * DAY => two_units(seconds, (DAY, "d"), (HOUR, "h")),
        _ if seconds < 2 * YEAR => format!("{}d", seconds / DAY),
        _ if seconds < 8 * YEAR => two_units(seconds, (YEAR, "y"), (DAY, "d")),
        _ => format!("{}y", seconds / YEAR),
    }
}

fn two_units(seconds: i64, (large, large_unit): (i64, &str), (small, small_unit): (i64, &str)) -> String {
    let (whole, rest) = (seconds / large, seconds % large / small);
    if rest == 0 { format!("{whole}{large_unit}") } else { format!("{whole}{large_unit}{rest}{small_unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_change_at_upstreams_thresholds() {
        let table = [
            (-2, "<invalid>"),
            (-1, "0s"),
            (0, "0s"),
            (119, "119s"),
            (2 * MINUTE, "2m"),
            (2 * MINUTE + 1, "2m1s"),
            (10 * MINUTE - 1, "9m59s"),
            (10 * MINUTE + 59, "10m"),
            (3 * HOUR - 1, "179m"),
            (3 * HOUR, "3h"),
            (8 * HOUR - 1, "7h59m"),
            (8 * HOUR + 59 * MINUTE, "8h"),
            (2 * DAY - 1, "47h"),
            (2 * DAY, "2d"),
            (8 * DAY - 1, "7d23h"),
            (8 * DAY + 23 * HOUR, "8d"),
            (2 * YEAR - 1, "729d"),
            (2 * YEAR, "2y"),
            (8 * YEAR - 1, "7y364d"),
            (8 * YEAR + 364 * DAY, "8y"),
        ];
        for (seconds, expected) in table {
            assert_eq!(human_duration(SignedDuration::from_secs(seconds)), expected, "{seconds} seconds");
        }
    }
}
