//! Amounts of money, in whole cents.

use core::fmt;
use core::ops::{Add, Mul};

use serde::{Deserialize, Serialize};

/// United States dollars. JSON carries a number of dollars with at most two decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Usd {
    cents: i64,
}

impl Usd {
    pub const fn from_cents(cents: i64) -> Self {
        Self { cents }
    }

    pub const fn from_dollars(dollars: i64) -> Self {
        Self { cents: dollars * 100 }
    }

    /// Rounds half away from zero to the cent.
    pub fn from_f64(dollars: f64) -> Self {
        Self { cents: (dollars * 100.0).round() as i64 }
    }

    pub const fn cents(self) -> i64 {
        self.cents
    }

    pub fn dollars(self) -> f64 {
        self.cents as f64 / 100.0
    }

    /// A price as the contract accepts it: digits, at most two decimals, greater than zero.
    pub fn parse_price(text: &str) -> Option<Self> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "00"));
        let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty()
            || whole.len() > 9
            || !digits(whole)
            || !matches!(decimals.len(), 1 | 2)
            || !digits(decimals)
        {
            return None;
        }
        let scale = if decimals.len() == 1 { 10 } else { 1 };
        let cents = whole.parse::<i64>().ok()? * 100 + decimals.parse::<i64>().ok()? * scale;
        (cents > 0).then_some(Self { cents })
    }
}

impl Add for Usd {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { cents: self.cents + other.cents }
    }
}

impl Mul<f64> for Usd {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self { cents: (self.cents as f64 * factor).round() as i64 }
    }
}

impl fmt::Display for Usd {
    /// `1234.50`, without a currency sign or separators.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.cents < 0 { "-" } else { "" };
        let cents = self.cents.unsigned_abs();
        write!(f, "{sign}{}.{:02}", cents / 100, cents % 100)
    }
}

impl Serialize for Usd {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        // Formats without field types (the property index) need one type for every amount.
        if !to.is_human_readable() {
            to.serialize_i64(self.cents)
        } else if self.cents % 100 == 0 {
            to.serialize_i64(self.cents / 100)
        } else {
            to.serialize_f64(self.dollars())
        }
    }
}

impl<'de> Deserialize<'de> for Usd {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        if !from.is_human_readable() {
            return Ok(Self::from_cents(i64::deserialize(from)?));
        }
        let dollars = f64::deserialize(from)?;
        if dollars.is_finite() && dollars.abs() < 1e12 {
            Ok(Self::from_f64(dollars))
        } else {
            Err(serde::de::Error::custom("not an amount of money"))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_price_has_at_most_two_decimals_and_is_above_zero() {
        assert_eq!(Usd::parse_price("450"), Some(Usd::from_dollars(450)));
        assert_eq!(Usd::parse_price("0.5"), Some(Usd::from_cents(50)));
        for text in
            ["", "0", "0.00", "-1", "1.234", "1e3", "0x10", "NaN", " 5", "5.", ".5", "1,000", "\u{661}", "9999999999"]
        {
            assert_eq!(Usd::parse_price(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_price_read_back_is_the_same(cents in 1_i64..100_000_000_000) {
            let price = Usd::from_cents(cents);
            prop_assert_eq!(Usd::parse_price(&price.to_string()), Some(price));
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in any::<String>()) {
            let _ = Usd::parse_price(&text);
        }
    }
}
