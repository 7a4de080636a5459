//! The numbers of a field over all rows, in bounded memory.

use std::collections::BTreeMap;

use crate::mapping::field::Field;

/// Of each field of numbers; zero means "not recorded" and is left out.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct FieldValues(BTreeMap<Field, Values>);

impl FieldValues {
    pub fn add(&mut self, field: Field, number: f64) {
        if number != 0.0 && number.is_finite() {
            self.0.entry(field).or_default().add(number);
        }
    }

    pub fn of(&self, field: Field) -> Option<&Values> {
        self.0.get(&field)
    }
}

/// Counted by their first four digits: years and most areas exactly, and never more than some ten thousand different ones.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Values {
    counts: BTreeMap<Ordered, u64>,
    all: u64,
}

impl Values {
    fn add(&mut self, number: f64) {
        *self.counts.entry(Ordered(to_four_digits(number))).or_default() += 1;
        self.all += 1;
    }

    pub fn count(&self) -> u64 {
        self.all
    }

    pub fn least(&self) -> f64 {
        self.counts.first_key_value().map_or(0.0, |(n, _)| n.0)
    }

    pub fn most(&self) -> f64 {
        self.counts.last_key_value().map_or(0.0, |(n, _)| n.0)
    }

    /// The number that this share of all do not exceed.
    pub fn quantile(&self, share: f64) -> f64 {
        let rank = (self.all as f64 * share).ceil().max(1.0) as u64;
        let mut below = 0;
        let found = self.counts.iter().find(|(_, n)| {
            below += **n;
            below >= rank
        });
        found.map_or(0.0, |(n, _)| n.0)
    }

    pub fn outside(&self, low: f64, high: f64) -> u64 {
        self.counts.iter().filter(|(n, _)| n.0 < low || n.0 > high).map(|(_, count)| count).sum()
    }
}

/// A finite number, by size.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ordered(f64);

impl Eq for Ordered {}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

fn to_four_digits(number: f64) -> f64 {
    let step = 10_f64.powf(number.abs().log10().floor() - 3.0);
    if step >= 1.0 { (number / step).round() * step } else { (number * step.recip()).round() / step.recip() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_counted_by_their_first_four_digits() {
        for (number, kept) in
            [(1987.0, 1987.0), (1.5, 1.5), (184_321.0, 184_300.0), (0.123_456, 0.1235), (-12.0, -12.0)]
        {
            assert!((to_four_digits(number) - kept).abs() < 1e-9, "{number}: {}", to_four_digits(number));
        }
        let mut values = FieldValues::default();
        (0..=100).for_each(|n| values.add(Field::Units, f64::from(n)));
        let values = values.of(Field::Units).unwrap();
        assert_eq!((values.count(), values.least(), values.most()), (100, 1.0, 100.0), "zero is not recorded");
        assert_eq!((values.quantile(0.5), values.quantile(0.05), values.quantile(0.95)), (50.0, 5.0, 95.0));
        assert_eq!(values.outside(3.0, 90.0), 12);
    }
}
