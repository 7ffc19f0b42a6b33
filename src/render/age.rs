//! Ages as kubectl prints them.

use jiff::Timestamp;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const YEAR: i64 = 365 * DAY;

/// Returns the age of something that began at a time, `<unknown>` if that is not known.
pub fn age(since: Option<Timestamp>, now: Timestamp) -> String {
    since.map_or_else(|| "<unknown>".to_owned(), |since| human_duration(now.as_second() - since.as_second()))
}

/// Returns a length of time, more coarsely the longer it is; `<invalid>` if it is negative by more than a second.
///
/// Units: seconds. Upstream: apimachinery pkg/util/duration `HumanDuration` (1.37).
fn human_duration(seconds: i64) -> String {
    match seconds {
        ..-1 => "<invalid>".to_owned(),
        -1 => "0s".to_owned(),
        _ if seconds < 2 * MINUTE => format!("{seconds}s"),
        _ if seconds < 10 * MINUTE => two(seconds, (MINUTE, "m"), (1, "s")),
        _ if seconds < 3 * HOUR => format!("{}m", seconds / MINUTE),
        _ if seconds < 8 * HOUR => two(seconds, (HOUR, "h"), (MINUTE, "m")),
        _ if seconds < 2 * DAY => format!("{}h", seconds / HOUR),
        _ if seconds < 8 * DAY => two(seconds, (DAY, "d"), (HOUR, "h")),
        _ if seconds < 2 * YEAR => format!("{}d", seconds / DAY),
        _ if seconds < 8 * YEAR => two(seconds, (YEAR, "y"), (DAY, "d")),
        _ => format!("{}y", seconds / YEAR),
    }
}

/// Returns `1h5m`, or `1h` if the rest is less than one of the smaller unit.
fn two(seconds: i64, (large, large_unit): (i64, &str), (small, small_unit): (i64, &str)) -> String {
    match seconds % large / small {
        0 => format!("{}{large_unit}", seconds / large),
        rest => format!("{}{large_unit}{rest}{small_unit}", seconds / large),
    }
}

#[cfg(test)]
mod tests {
    use super::{DAY, HOUR, MINUTE, YEAR, age, human_duration};

    #[test]
    fn every_threshold_is_kubectls() {
        let table = [
            (-2, "<invalid>"),
            (-1, "0s"),
            (0, "0s"),
            (119, "119s"),
            (120, "2m"),
            (121, "2m1s"),
            (10 * MINUTE - 1, "9m59s"),
            (10 * MINUTE, "10m"),
            (3 * HOUR - 1, "179m"),
            (3 * HOUR, "3h"),
            (3 * HOUR + 59, "3h"),
            (3 * HOUR + MINUTE, "3h1m"),
            (8 * HOUR - 1, "7h59m"),
            (8 * HOUR, "8h"),
            (2 * DAY - 1, "47h"),
            (2 * DAY, "2d"),
            (2 * DAY + HOUR, "2d1h"),
            (8 * DAY - 1, "7d23h"),
            (8 * DAY, "8d"),
            (2 * YEAR - 1, "729d"),
            (2 * YEAR, "2y"),
            (2 * YEAR + DAY, "2y1d"),
            (8 * YEAR - 1, "7y364d"),
            (8 * YEAR, "8y"),
            (20 * YEAR, "20y"),
        ];
        for (seconds, text) in table {
            assert_eq!(human_duration(seconds), text, "{seconds}");
        }
    }

    #[test]
    fn what_is_not_known_is_said_to_be_so() {
        let now = jiff::Timestamp::UNIX_EPOCH;
        assert_eq!(age(None, now), "<unknown>");
        assert_eq!(age(Some(now), now), "0s");
    }
}
