//! Numbers that may be percentages.
//!
//! Mirrors apimachinery `pkg/util/intstr/intstr.go`.

use crate::api::IntOrString;

/// Returns the number, or the percentage of `total` rounded up.
///
/// Errors: the value is absent, a string without `%`, or not a number before it.
///
/// Upstream: apimachinery pkg/util/intstr `GetScaledValueFromIntOrPercent` with `roundUp` (1.37).
pub fn scaled_value(value: Option<&IntOrString>, total: i64) -> Result<i64, String> {
    match value {
        None => Err("nil value for IntOrString".to_owned()),
        Some(IntOrString::Int(number)) => Ok(i64::from(*number)),
        Some(IntOrString::String(text)) => {
            let digits =
                text.strip_suffix('%').ok_or_else(|| format!("invalid value {text:?}: string is not a percentage"))?;
            let percent: i64 = digits.parse().map_err(|_| format!("invalid value {text:?}: no number before the %"))?;
            Ok(div_ceil(percent.saturating_mul(total), 100))
        }
    }
}

fn div_ceil(dividend: i64, divisor: i64) -> i64 {
    dividend.div_euclid(divisor) + i64::from(dividend.rem_euclid(divisor) != 0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig {
            rng_seed: RngSeed::Fixed(137), failure_persistence: None, ..ProptestConfig::default()
        })]

        #[test]
        fn a_percentage_is_the_least_number_that_covers_it(percent in 0..=100_i64, total in 0..=100_000_i64) {
            let number = scaled_value(Some(&IntOrString::String(format!("{percent}%"))), total).expect("a percentage");
            prop_assert!(number * 100 >= percent * total && (number - 1) * 100 < percent * total, "{number}");
        }
    }

    #[test]
    fn percentages_round_up() {
        for (text, total, expected) in
            [("10%", 5, 1), ("25%", 10, 3), ("33%", 10, 4), ("100%", 7, 7), ("0%", 9, 0), ("-10%", 5, 0)]
        {
            assert_eq!(scaled_value(Some(&IntOrString::String(text.into())), total), Ok(expected), "{text} of {total}");
        }
        assert_eq!(scaled_value(Some(&IntOrString::Int(300)), 5), Ok(300));
    }

    #[test]
    fn what_is_no_percentage_is_refused() {
        for text in ["5", "", "%", "a%", "5 %", "1.5%"] {
            assert!(scaled_value(Some(&IntOrString::String(text.into())), 5).is_err(), "{text}");
        }
        assert!(scaled_value(None, 5).is_err());
    }
}
