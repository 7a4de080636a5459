//! What fields have over all rows, in bounded memory: numbers, and the words of those that know only a few.
//!
//! # Decision
//!
//! A comma in a number separates thousands or is an error; decimal commas must be declared (`decimal = ','`). Turned
//! down: guessing, which is off by a factor of ten when it is wrong.

use shingle_domain::cold_sort::ColdSort as _;
use std::collections::BTreeMap;

use crate::mapping::field::Field;
use crate::mapping::formula::{Cells, Formula, Value};

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct FieldValues {
    /// Zero means "not recorded" and is left out.
    numbers: BTreeMap<Field, Values>,
    words: BTreeMap<Field, Words>,
    /// Cells that seem to say that there is nothing, by what they say.
    nothing: BTreeMap<&'static str, u64>,
}

/// What many programs write where there is nothing.
const NOTHING: [&str; 4] = ["NULL", "<NULL>", "N/A", "NaN"];

impl FieldValues {
    pub fn add(&mut self, field: Field, value: &Value<'_>, from: &Formula, cells: Cells<'_>) {
        if let Value::Text(text) = value
            && let Some(word) = NOTHING.into_iter().find(|nothing| nothing.eq_ignore_ascii_case(text))
        {
            *self.nothing.entry(word).or_default() += 1;
        } else if field.is_number() {
            self.add_number(field, value.number().unwrap_or_default());
        } else if field.is_of_few_words() {
            let words = self.words.entry(field).or_default();
            count(&mut words.all, value.as_text().into_owned());
            if from.is_otherwise(value) {
                words.swallowed += 1;
                count(&mut words.otherwise, from.shown_cells(cells));
            }
        }
    }

    fn add_number(&mut self, field: Field, number: f64) {
        if number != 0.0 && number.is_finite() {
            self.numbers.entry(field).or_default().add(number);
        }
    }

    pub fn of(&self, field: Field) -> Option<&Values> {
        self.numbers.get(&field)
    }

    pub fn words_of(&self, field: Field) -> Option<&Words> {
        self.words.get(&field)
    }

    pub fn nothing(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.nothing.iter().map(|(word, cells)| (*word, *cells))
    }
}

/// Different words that are kept of a field: a wrong column has as many as rows.
const MAX_WORDS: usize = 300;

/// The words of a field.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Words {
    /// As the field has them.
    all: BTreeMap<String, u64>,
    /// As the file has those that only `otherwise` gave a meaning.
    otherwise: BTreeMap<String, u64>,
    swallowed: u64,
}

impl Words {
    /// The most frequent first.
    pub fn all(&self) -> Vec<(String, u64)> {
        by_frequency(&self.all)
    }

    pub fn otherwise(&self) -> Vec<(String, u64)> {
        by_frequency(&self.otherwise)
    }

    /// Cells that only `otherwise` gave a meaning.
    pub fn swallowed(&self) -> u64 {
        self.swallowed
    }
}

fn count(words: &mut BTreeMap<String, u64>, word: String) {
    let word: String = word.chars().take(40).collect();
    if words.len() < MAX_WORDS || words.contains_key(&word) {
        *words.entry(word).or_default() += 1;
    }
}

fn by_frequency(words: &BTreeMap<String, u64>) -> Vec<(String, u64)> {
    let mut list: Vec<_> = words.iter().map(|(word, cells)| (word.clone(), *cells)).collect();
    list.cold_sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    list
}

#[cfg(test)]
impl FieldValues {
    pub fn of_numbers(field: Field, numbers: &[f64]) -> Self {
        let mut values = Self::default();
        numbers.iter().for_each(|number| values.add_number(field, *number));
        values
    }
}

/// Counted by their first four digits: years and most areas exactly, and never more than some ten thousand different ones.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Values {
    counts: BTreeMap<Ordered, u64>,
    all: u64,
    /// As the file has them.
    least: f64,
    most: f64,
}

impl Values {
    fn add(&mut self, number: f64) {
        *self.counts.entry(Ordered(to_four_digits(number))).or_default() += 1;
        let is_first = self.all == 0;
        self.least = if is_first { number } else { self.least.min(number) };
        self.most = if is_first { number } else { self.most.max(number) };
        self.all += 1;
    }

    pub fn count(&self) -> u64 {
        self.all
    }

    pub fn least(&self) -> f64 {
        self.least
    }

    pub fn most(&self) -> f64 {
        self.most
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
        let values = FieldValues::of_numbers(Field::Units, &(0..=100).map(f64::from).collect::<Vec<_>>());
        let values = values.of(Field::Units).unwrap();
        assert_eq!((values.count(), values.least(), values.most()), (100, 1.0, 100.0), "zero is not recorded");
        assert_eq!((values.quantile(0.5), values.quantile(0.05), values.quantile(0.95)), (50.0, 5.0, 95.0));
        assert_eq!(values.outside(3.0, 90.0), 12);
        let zips = FieldValues::of_numbers(Field::Units, &[23_321.0, 23_328.0]);
        let zips = zips.of(Field::Units).unwrap();
        assert_eq!((zips.least(), zips.quantile(0.5), zips.most()), (23_321.0, 23_320.0, 23_328.0));
    }
}
