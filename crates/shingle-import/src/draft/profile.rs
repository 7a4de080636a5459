//! What the cells of a column look like.

use std::collections::{HashMap, HashSet};

use shingle_address::tables::suffix;
use shingle_address::token::is_house_number;
use shingle_domain::Zip;
use shingle_domain::cold_sort::ColdSort as _;

use crate::draft::sample::SampledColumn;
use crate::format::columns::of_repeated;
use crate::format::{cell, date};
use crate::row::situs::split_line;

/// Texts that tables write where there is nothing.
const BLANKS: [&str; 9] = ["NULL", "<NULL>", "N/A", "-", "--", "_", ".", "*", "NaN"];
/// What the cells of a field look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// A number and a street.
    Line,
    HouseNumber,
    /// A street without its number.
    Street,
    /// N, SW, North.
    Direction,
    /// ST, Avenue.
    StreetType,
    Unit,
    Name,
    State,
    Zip,
    /// The name of a post town.
    Town,
    /// The same for rows of one parcel, and for no others.
    Id,
    Year,
    /// Up to 200: storeys, cars, homes.
    Few,
    Area,
    Money,
    Date,
    Flag,
    /// One of few words.
    Words,
    /// One of few words or numbers.
    Codes,
    Longitude,
    Latitude,
}

/// What stands around the words that count.
const BEFORE: [&str; 18] = [
    "true_",
    "current_",
    "curr_",
    "cur_",
    "actual_",
    "primary_",
    "property_",
    "prop_",
    "situs_",
    "site_",
    "location_",
    "loc_",
    "physical_",
    "phys_",
    "phy_",
    "parcel_",
    "home_",
    "house_",
];
const BEHIND: [&str; 5] = ["_current", "_curr", "_cur", "_actual", "_primary"];

pub(super) struct Profile<'a> {
    pub column: &'a SampledColumn,
    /// In small letters, words joined by `_`: `YearBuilt` is `year_built`.
    pub heading: String,
    /// Cells that are not blank.
    pub filled: Vec<&'a str>,
    /// Their share of the rows.
    pub share: f64,
    pub distinct: usize,
    /// Texts that stand for nothing here.
    pub blanks: Vec<&'static str>,
}

impl<'a> Profile<'a> {
    pub fn of(column: &'a SampledColumn) -> Self {
        let blanks: Vec<&'static str> =
            BLANKS.into_iter().filter(|b| column.cells.iter().any(|c| c.eq_ignore_ascii_case(b))).collect();
        let is_blank = |c: &str| c.is_empty() || blanks.iter().any(|b| c.eq_ignore_ascii_case(b));
        let filled: Vec<&str> = column.cells.iter().map(String::as_str).filter(|c| !is_blank(c)).collect();
        let distinct = filled.iter().collect::<HashSet<_>>().len();
        let share = filled.len() as f64 / column.cells.len().max(1) as f64;
        // The second of several columns with one heading is called as the first.
        let heading = words(of_repeated(&column.name).map_or(column.name.as_str(), |(name, _)| name));
        Self { column, heading, filled, share, distinct, blanks }
    }

    /// The heading, and without what says that it is of the home, or of today: `true_site_city` is `city`.
    pub fn called(&self) -> impl Iterator<Item = &str> {
        let bare = |heading: &str| {
            let before =
                BEFORE.iter().find_map(|word| heading.strip_prefix(word)).map_or(0, |r| heading.len() - r.len());
            let behind = BEHIND.iter().find_map(|word| heading.strip_suffix(word)).map_or(heading.len(), str::len);
            (before < behind && (before > 0 || behind < heading.len())).then_some((before, behind))
        };
        let mut range = Some((0, self.heading.len()));
        std::iter::from_fn(move || {
            let (from, to) = range?;
            let called = self.heading.get(from..to)?;
            range = bare(called).map(|(before, behind)| (from + before, from + behind));
            Some(called)
        })
    }

    /// The share of the filled cells.
    pub fn part(&self, is: impl Fn(&str) -> bool) -> f64 {
        self.filled.iter().filter(|c| is(c)).count() as f64 / self.filled.len().max(1) as f64
    }

    fn numbers(&self, least: f64, most: f64) -> f64 {
        self.part(|c| cell::number(c).is_some_and(|n| n == 0.0 || (least..=most).contains(&n)))
    }

    /// From 0 to 1: how well the cells fit.
    pub fn fits(&self, content: Content) -> f64 {
        if self.filled.is_empty() {
            return 0.0;
        }
        match content {
            Content::Line => self.part(is_line),
            Content::HouseNumber => self.part(|c| is_house_number(c) || cell::number(c).is_some_and(|n| n >= 0.0)),
            Content::Street => self.part(|c| !is_line(c) && c.chars().any(char::is_alphabetic)),
            Content::Direction => self.part(|c| shingle_address::tables::direction(&c.to_uppercase()).is_some()),
            Content::StreetType => self.part(|c| suffix(&c.to_uppercase()).is_some()),
            Content::Unit => self.part(|c| c.len() <= 20),
            Content::Name => self.part(|c| c.chars().filter(|c| c.is_alphabetic()).count() * 2 > c.chars().count()),
            Content::State => self.part(|c| cell::state(c).is_some()),
            Content::Zip => self.part(|c| Zip::parse(c.get(..5).unwrap_or_default()).is_some() && c.len() <= 10),
            Content::Town => self.part(|c| shingle_property::town_named(c).is_some()),
            Content::Id => self.part(|c| c.len() <= 40 && c.bytes().any(|b| b.is_ascii_digit())),
            Content::Year => self.numbers(1_600.0, 2_100.0),
            Content::Few => self.numbers(0.0, 200.0),
            Content::Area => self.numbers(0.0, 1e6),
            Content::Money => self.numbers(0.0, 1e10),
            Content::Date => self.dates().1,
            Content::Flag => self.part(|c| cell::flag(c).is_some()),
            Content::Words => {
                let letters = self.part(|c| c.chars().any(char::is_alphabetic));
                if self.distinct <= 400 || self.distinct * 5 < self.filled.len() { letters } else { 0.0 }
            }
            Content::Codes => match self.distinct <= 400 || self.distinct * 5 < self.filled.len() {
                true => self.part(|c| c.len() <= 60),
                false => 0.0,
            },
            Content::Longitude => {
                self.part(|c| cell::coordinate(c).is_some_and(|n| n.abs() > 60.0 && n.abs() <= 180.0))
            }
            Content::Latitude => self.part(|c| cell::coordinate(c).is_some_and(|n| (13.0..72.0).contains(&n))),
        }
    }

    /// The format of the dates, `None` for ISO dates, and the share that it reads.
    pub fn dates(&self) -> (Option<&'static str>, f64) {
        let read = |format: Option<&'static str>| {
            let formats: Vec<String> = format.into_iter().map(str::to_owned).collect();
            (format, self.part(|c| date::date(c, &formats).is_some()))
        };
        let numbers =
            |least: f64, most: f64| self.part(|c| cell::number(c).is_some_and(|n| (least..most).contains(&n)));
        let mut ways = vec![read(None)];
        ways.extend(date::USUAL.into_iter().map(|format| read(Some(format))));
        ways.push((Some("epoch-ms"), numbers(1e11, 1e13)));
        ways.push((Some("excel"), numbers(20_000.0, 80_000.0)));
        // Of equals the first: ISO, then the usual.
        ways.into_iter().rev().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((None, 0.0))
    }

    /// What most cells say.
    pub fn most_frequent(&self) -> Option<(&'a str, f64)> {
        let (text, cells) = self.by_frequency().into_iter().next()?;
        Some((text, cells as f64 / self.filled.len() as f64))
    }

    /// What cells say, and how many say it, the most frequent first.
    pub fn by_frequency(&self) -> Vec<(&'a str, usize)> {
        let mut counts: HashMap<&'a str, usize> = HashMap::new();
        for &c in &self.filled {
            *counts.entry(c).or_default() += 1;
        }
        let mut list: Vec<_> = counts.into_iter().collect();
        list.cold_sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        list
    }

    /// The number in the middle, of those that are not zero.
    pub fn middle(&self) -> Option<f64> {
        let mut numbers: Vec<f64> = self.filled.iter().filter_map(|c| cell::number(c)).filter(|n| *n != 0.0).collect();
        numbers.cold_sort_by(f64::total_cmp);
        numbers.get(numbers.len() / 2).copied()
    }
}

/// A house number and a name behind it.
pub(super) fn is_line(text: &str) -> bool {
    let (number, street) = split_line(text);
    !number.is_empty() && street.chars().any(char::is_alphabetic)
}

/// A heading in small letters, its words joined by `_`.
fn words(heading: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for c in heading.chars() {
        let begins = before.is_lowercase() && c.is_uppercase();
        if (begins || !c.is_alphanumeric()) && !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
        if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        }
        before = c;
    }
    out.trim_end_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_read_as_words() {
        let said = ["YearBuilt", "YR_BLT", "Sale Date", "addr:street", "Exterior_NumStories"].map(words);
        assert_eq!(said, ["year_built", "yr_blt", "sale_date", "addr_street", "exterior_num_stories"]);
    }

    #[test]
    fn a_date_is_read_in_the_form_that_reads_most_of_them() {
        let of = |cells: &[&str]| {
            let cells = cells.iter().map(|c| (*c).to_owned()).collect();
            let column = SampledColumn { name: "SOLD".to_owned(), cells };
            Profile::of(&column).dates()
        };
        assert_eq!(of(&["6/5/2016", "12/31/1999", "NULL"]), (Some("%m/%d/%Y"), 1.0));
        assert_eq!(of(&["2016-06-05", "2016-06-05 00:00:00.000"]), (None, 1.0));
        assert_eq!(of(&["20160605"]), (Some("%Y%m%d"), 1.0));
        assert_eq!(of(&["1465084800000"]).0, Some("epoch-ms"));
        assert_eq!(of(&["yes", "no"]).1, 0.0);
    }
}
