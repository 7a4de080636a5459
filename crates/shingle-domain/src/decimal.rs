//! Numbers with a fixed number of decimals.

use core::fmt;

use serde::{Deserialize, Serialize};

/// Kept as a whole number of `1 / UNITS`, so that what was sent is what is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimal<const UNITS: u32>(u32);

impl<const UNITS: u32> Decimal<UNITS> {
    /// From 0 to a million, with no more decimals than there are places for.
    pub fn from_f64(number: f64) -> Option<Self> {
        if !(0.0..=1e6).contains(&number) {
            return None;
        }
        let units = (number * f64::from(UNITS)).round();
        // The nearest number that a text with these decimals is read as.
        (units / f64::from(UNITS) == number).then_some(Self(units as u32))
    }

    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / f64::from(UNITS)
    }
}

impl<const UNITS: u32> fmt::Display for Decimal<UNITS> {
    /// `8.99`, `9`: without noughts at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_f64())
    }
}

impl<const UNITS: u32> Serialize for Decimal<UNITS> {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(UNITS) { to.serialize_u32(self.0 / UNITS) } else { to.serialize_f64(self.to_f64()) }
    }
}

impl<'de, const UNITS: u32> Deserialize<'de> for Decimal<UNITS> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::from_f64(f64::deserialize(from)?).ok_or_else(|| serde::de::Error::custom("not a number of this form"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_number_with_too_many_decimals_is_none() {
        for (number, text) in [(8.99, Some("8.99")), (0.0, Some("0")), (36.0, Some("36")), (7.125, Some("7.125"))] {
            assert_eq!(Decimal::<1000>::from_f64(number).map(|d| d.to_string()).as_deref(), text, "{number}");
        }
        for number in [f64::NAN, f64::INFINITY, -0.5, 1.0 / 3.0, 0.0001, 1e9] {
            assert_eq!(Decimal::<1000>::from_f64(number), None, "{number}");
        }
    }

    proptest! {
        #[test]
        fn a_number_read_back_is_the_same(units in 0_u32..1_000_000) {
            let text = format!("{}.{:03}", units / 1_000, units % 1_000);
            let number = Decimal::<1000>::from_f64(text.parse().unwrap()).unwrap();
            prop_assert_eq!(number.to_f64(), text.parse::<f64>().unwrap());
            let json = serde_json::to_string(&number).unwrap();
            prop_assert_eq!(serde_json::from_str::<Decimal<1000>>(&json).unwrap(), number);
        }
    }
}
