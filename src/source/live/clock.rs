//! The API server's clock, as its answers tell it.

use http::header::{DATE, HeaderMap};
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;

/// Returns the `Date` of an answer.
pub(super) fn date(headers: &HeaderMap) -> Option<Timestamp> {
    DateTimeParser::new().parse_timestamp(headers.get(DATE)?.as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use http::header::{DATE, HeaderMap, HeaderValue};

    use super::date;

    #[test]
    fn the_date_of_an_answer_is_read() {
        let headers = HeaderMap::from_iter([(DATE, HeaderValue::from_static("Sun, 29 Nov 2026 14:43:52 GMT"))]);
        assert_eq!(date(&headers), "2026-11-29T14:43:52Z".parse().ok());
        assert_eq!(date(&HeaderMap::new()), None);
    }
}
