//! The API server's clock, as its answers tell it, carried on between them.

use std::time::Instant;

use http::header::{DATE, HeaderMap};
use jiff::fmt::rfc2822::DateTimeParser;
use jiff::{SignedDuration, Timestamp};

/// A time that the server told, and when it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Clock {
    /// What the server told.
    pub(super) date: Timestamp,
    told_at: Instant,
}

impl Clock {
    /// Reads the `Date` of an answer that has just come.
    pub(super) fn read(headers: &HeaderMap) -> Option<Self> {
        let date = DateTimeParser::new().parse_timestamp(headers.get(DATE)?.as_bytes()).ok()?;
        Some(Self { date, told_at: Instant::now() })
    }

    /// Returns what the server's clock shows at a moment.
    pub(super) fn at(&self, moment: Instant) -> Timestamp {
        let passed = SignedDuration::try_from(moment.saturating_duration_since(self.told_at)).unwrap_or_default();
        self.date.saturating_add(passed).unwrap_or(self.date)
    }

    /// Returns the one that is ahead: dates are cut to seconds, so a later answer may tell less than is known.
    pub(super) fn ahead(self, other: Self) -> Self {
        if other.date > self.at(other.told_at) { other } else { self }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use http::header::{DATE, HeaderMap, HeaderValue};
    use jiff::Timestamp;

    use super::Clock;

    fn time(text: &str) -> Timestamp {
        text.parse().expect("a time")
    }

    #[test]
    fn the_date_of_an_answer_is_read() {
        let headers = HeaderMap::from_iter([(DATE, HeaderValue::from_static("Sun, 29 Nov 2026 14:43:52 GMT"))]);
        assert_eq!(Clock::read(&headers).map(|clock| clock.date), Some(time("2026-11-29T14:43:52Z")));
        assert_eq!(Clock::read(&HeaderMap::new()), None);
    }

    #[test]
    fn a_clock_goes_on_and_never_back() {
        let start = Instant::now();
        let clock = Clock { date: time("2026-11-29T14:43:52Z"), told_at: start };
        let later = start + Duration::from_millis(2500);
        assert_eq!(clock.at(later), time("2026-11-29T14:43:54.5Z"));
        let told = |date: &str| Clock { date: time(date), told_at: later };
        assert_eq!(clock.ahead(told("2026-11-29T14:43:54Z")), clock);
        assert_eq!(clock.ahead(told("2026-11-29T14:43:55Z")), told("2026-11-29T14:43:55Z"));
    }
}
