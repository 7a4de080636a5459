//! When two values count as the same, and how a value is shown.

use serde::Serialize;
use shingle_domain::Usd;
use shingle_domain::evidence::{Garage, Grade, HeatFuel, PropertyClass, RoofType};

/// Measures that differ by less are one measure that was rounded twice.
const TOLERANCE: f64 = 0.005;

/// A value of a record's field.
pub(super) trait Comparable: Clone {
    fn is_same(&self, other: &Self) -> bool;
    fn shown(&self) -> String;

    /// As [`Comparable::is_same`], of values already shown.
    fn is_same_shown(a: &str, b: &str) -> bool {
        a == b
    }
}

/// Case, spacing and punctuation do not count.
impl Comparable for String {
    fn is_same(&self, other: &Self) -> bool {
        self == other || words(self).eq(words(other))
    }

    fn shown(&self) -> String {
        self.clone()
    }

    fn is_same_shown(a: &str, b: &str) -> bool {
        words(a).eq(words(b))
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let split = |c: char| !c.is_alphanumeric() && c != '\'' && c != '\u{2019}' && c != '.';
    let plain = |w: &str| w.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_uppercase).collect::<String>();
    text.split(split).map(plain).filter(|w| !w.is_empty()).collect::<Vec<_>>().into_iter()
}

impl Comparable for f64 {
    fn is_same(&self, other: &Self) -> bool {
        self == other || (self - other).abs() <= TOLERANCE * self.abs().max(other.abs())
    }

    fn shown(&self) -> String {
        self.to_string()
    }

    fn is_same_shown(a: &str, b: &str) -> bool {
        a == b || a.parse::<f64>().ok().zip(b.parse::<f64>().ok()).is_some_and(|(a, b)| a.is_same(&b))
    }
}

impl Comparable for bool {
    fn is_same(&self, other: &Self) -> bool {
        self == other
    }

    fn shown(&self) -> String {
        if *self { "yes" } else { "no" }.to_owned()
    }
}

impl Comparable for Garage {
    fn is_same(&self, other: &Self) -> bool {
        let same = |a: Option<f64>, b: Option<f64>| a.zip(b).is_none_or(|(a, b)| a.is_same(&b));
        self.attached == other.attached && same(self.area_sqft, other.area_sqft) && same(self.cars, other.cars)
    }

    fn shown(&self) -> String {
        let mut shown = if self.attached { "attached" } else { "detached" }.to_owned();
        for (number, what) in [(self.area_sqft, "sq ft"), (self.cars, "cars")] {
            if let Some(number) = number {
                shown.push_str(&format!(", {number} {what}"));
            }
        }
        shown
    }
}

macro_rules! exact {
    ($($type:ty),+: $shown:expr) => {$(
        impl Comparable for $type {
            fn is_same(&self, other: &Self) -> bool {
                self == other
            }

            fn shown(&self) -> String {
                $shown(self)
            }
        }
    )+};
}

exact!(u16, Usd: ToString::to_string);
exact!(RoofType, Grade, HeatFuel, PropertyClass: word);

/// The word that the public records use.
fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        other => other.map(|v| v.to_string()).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_case_and_spacing_are_no_differences() {
        let same = |a: &str, b: &str| a.to_owned().is_same(&b.to_owned());
        assert!(same("Example Family  Trust", "EXAMPLE FAMILY TRUST") && same("O'Neil, J.", "ONEIL J"));
        assert!(!same("EXAMPLE FAMILY TRUST", "EXAMPLE TRUST") && !same("12-34", "1-234"));
        assert!(2_000.0.is_same(&2_009.0) && !2_000.0.is_same(&2_011.0) && 0.0.is_same(&-0.0));
        assert!(f64::is_same_shown("2000", "2009") && !f64::is_same_shown("2000", "2011"));
        let garage = |area, cars| Garage { attached: true, area_sqft: area, cars };
        assert!(garage(Some(400.0), None).is_same(&garage(Some(401.0), Some(2.0))));
        assert!(!garage(Some(400.0), None).is_same(&garage(Some(420.0), None)));
    }

    #[test]
    fn values_are_shown_as_people_read_them() {
        assert_eq!(
            Garage { attached: false, area_sqft: Some(412.5), cars: Some(2.0) }.shown(),
            "detached, 412.5 sq ft, 2 cars"
        );
        assert_eq!(PropertyClass::SingleFamily.shown(), "singleFamily");
        assert_eq!(
            (1950u16.shown(), 2.0.shown(), 1.5.shown(), true.shown()),
            ("1950".into(), "2".into(), "1.5".into(), "yes".into())
        );
    }
}
