//! Resource quantities, as exact numbers.

use std::fmt;

use serde::{Deserialize, Deserializer, de};

/// An amount of a resource such as cpu or memory, exact to a billionth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Quantity {
    nano: i128,
}

const NANO: i128 = 1_000_000_000;

/// Suffixes and the factor each stands for, in billionths. Longer ones first, so that `Mi` is not read as `M`.
const SUFFIXES: [(&str, i128); 16] = [
    ("Ki", NANO << 10),
    ("Mi", NANO << 20),
    ("Gi", NANO << 30),
    ("Ti", NANO << 40),
    ("Pi", NANO << 50),
    ("Ei", NANO << 60),
    ("n", 1),
    ("u", 1_000),
    ("m", 1_000_000),
    ("k", NANO * 1_000),
    ("M", NANO * 1_000_000),
    ("G", NANO * 1_000_000_000),
    ("T", NANO * 1_000_000_000_000),
    ("P", NANO * 1_000_000_000_000_000),
    ("E", NANO * 1_000_000_000_000_000_000),
    ("", NANO),
];

impl Quantity {
    /// Reads a quantity such as `250m`, `1.5Gi` or `1e3`; finer than a billionth is rounded up, as upstream does.
    ///
    /// Returns `None` for text that is no quantity. Upstream: apimachinery pkg/api/resource `ParseQuantity` (1.37).
    pub fn parse(text: &str) -> Option<Self> {
        let (number, factor) = split_suffix(text)?;
        let (negative, digits) = match number.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, number.strip_prefix('+').unwrap_or(number)),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if (whole.is_empty() && fraction.is_empty()) || !is_number(whole) || !is_number(fraction) || fraction.len() > 18
        {
            return None;
        }
        let scale = 10_i128.pow(u32::try_from(fraction.len()).ok()?);
        let mantissa: i128 = format!("{whole}{fraction}").parse().ok()?;
        let product = mantissa.checked_mul(factor)?;
        let nano = product / scale + i128::from(product % scale != 0);
        Some(Self { nano: if negative { -nano } else { nano } })
    }

    /// Returns `self - other`, which may be negative.
    pub fn minus(self, other: Self) -> Self {
        Self { nano: self.nano - other.nano }
    }

    /// Returns `self + other`.
    pub fn plus(self, other: Self) -> Self {
        Self { nano: self.nano + other.nano }
    }

    /// Returns this many whole ones.
    pub fn from_count(count: usize) -> Self {
        Self { nano: i128::try_from(count).unwrap_or(i128::MAX / NANO) * NANO }
    }

    /// Returns the quantity rounded up to a whole `Mi`, for amounts of bytes that are at least that large.
    pub fn round_up_to_mebibytes(self) -> Self {
        let mebibyte = NANO << 20;
        if self.nano < mebibyte {
            return self;
        }
        Self { nano: (self.nano + mebibyte - 1) / mebibyte * mebibyte }
    }
}

fn split_suffix(text: &str) -> Option<(&str, i128)> {
    if let Some((number, exponent)) = text.split_once(['e', 'E']).filter(|(_, exponent)| !exponent.is_empty()) {
        let exponent: i32 = exponent.parse().ok().filter(|e| (-9..=18).contains(e))?;
        let factor = if exponent < 0 {
            NANO / 10_i128.pow(exponent.unsigned_abs())
        } else {
            NANO * 10_i128.pow(exponent.unsigned_abs())
        };
        return Some((number, factor));
    }
    SUFFIXES.iter().find_map(|(suffix, factor)| text.strip_suffix(suffix).map(|number| (number, *factor)))
}

/// Prints as kubectl users write it: the largest binary unit that divides it from `Mi` up, else whole or thousandths.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let binary = SUFFIXES[1..6].iter().rev().find(|(_, factor)| self.nano != 0 && self.nano % factor == 0);
        let (suffix, factor) = match binary {
            Some((suffix, factor)) => (*suffix, *factor),
            None if self.nano % NANO == 0 => ("", NANO),
            None if self.nano % 1_000_000 == 0 => ("m", 1_000_000),
            None => ("n", 1),
        };
        write!(f, "{}{suffix}", self.nano / factor)
    }
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = k8s_openapi::apimachinery::pkg::api::resource::Quantity::deserialize(deserializer)?.0;
        Self::parse(&text)
            .ok_or_else(|| de::Error::invalid_value(de::Unexpected::Str(&text), &"a quantity such as 250m or 1Gi"))
    }
}

/// Amounts by resource name, sorted by name.
pub type ResourceList = std::collections::BTreeMap<String, Quantity>;

#[cfg(test)]
mod tests {
    use super::Quantity;

    #[test]
    fn quantities_print_as_they_are_written() {
        for text in ["250m", "2", "0", "1536Mi", "3Gi", "-150m", "100n", "110"] {
            assert_eq!(Quantity::parse(text).map(|q| q.to_string()).as_deref(), Some(text), "{text}");
        }
    }

    #[test]
    fn equal_amounts_are_equal_however_written() {
        for (a, b) in [("1.5Gi", "1536Mi"), ("2000m", "2"), ("1e3", "1k"), ("0.1", "100m"), ("5E", "5e18"), ("+1", "1")]
        {
            assert_eq!(Quantity::parse(a), Quantity::parse(b), "{a} = {b}");
            assert!(Quantity::parse(a).is_some());
        }
    }

    #[test]
    fn text_that_is_no_quantity_is_refused() {
        for text in ["", "m", "1.2.3", "abc", "1 Gi", "--1", "1ei", "."] {
            assert_eq!(Quantity::parse(text), None, "{text}");
        }
    }
}
