//! Ages, for columns.

use jiff::Timestamp;

use crate::upstream::duration::human_duration;

/// Returns the age of something that began at a time, as kubectl prints it; `<unknown>` if that is not known.
pub fn age(since: Option<Timestamp>, now: Timestamp) -> String {
    since.map_or_else(|| "<unknown>".to_owned(), |since| human_duration(now.duration_since(since)))
}

#[cfg(test)]
mod tests {
    use super::age;

    #[test]
    fn what_is_not_known_is_said_to_be_so() {
        let now = jiff::Timestamp::UNIX_EPOCH;
        assert_eq!(age(None, now), "<unknown>");
        assert_eq!(age(Some(now), now), "0s");
    }
}
