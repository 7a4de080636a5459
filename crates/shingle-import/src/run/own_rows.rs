//! After a data set is read some of its own rows are asked for, written as people write them: what is not found so is not
//! found by a visitor either.
//!
//! # Decision
//!
//! Every data set is asked for 200 of its own rows in the ways people write them. `--check` refuses below 95 %
//! (`--least-found 0` never does). An import only reports it, since it is live by then; the portal asks for a
//! confirmation. A question counts as found if the row is among its choices.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use shingle_address::Normalized;
use shingle_address::tables::{designator, direction, suffix};
use shingle_domain::Address;
use shingle_domain::evidence::{Assessor, MatchLevel, Place, Source};
use shingle_domain::lookup::AddressInput;
use shingle_property::{IndexBuilder, Lookup, PropertyError, PropertyIndex, Reference, post_town, town_named};

use crate::format::cell;
use crate::row::finding::Finding;
use crate::row::imported::ImportedRow;
use crate::row::street_end::{PlaceCells, is_zip};

/// Rows that are asked for.
const ASKED: usize = 200;
/// Rows of an index that a check makes to ask: all of a small table.
const CHECKED: usize = 20_000;
/// Rows that were not found and are named, and homes to try.
const NAMED: usize = 3;
/// The way of writing with commas and the street as it is in the row.
const PLAIN: usize = 0;
/// A check refuses a data set of which less is found.
pub const LEAST_FOUND_PERCENT: f64 = 95.0;

/// How many of a data set's own rows are found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnRows {
    pub asked: u64,
    pub found: u64,
    /// Some that were not, as they were asked for.
    pub missed: Vec<String>,
    /// Some that were, and have an outline: homes to try.
    pub homes: Vec<String>,
}

impl OwnRows {
    pub fn percent(&self) -> f64 {
        if self.asked == 0 { 100.0 } else { self.found as f64 * 100.0 / self.asked as f64 }
    }

    pub fn is_enough(&self, least_percent: f64) -> bool {
        self.percent() >= least_percent
    }

    /// Where some are not found.
    pub(crate) fn told(&self) -> Option<Finding> {
        (!self.missed.is_empty()).then(|| Finding::RowsNotFound {
            found: self.found,
            asked: self.asked,
            missed: self.missed.join("; "),
        })
    }
}

/// Rows drawn from all rows, the same in each run.
#[derive(Debug, Default)]
pub(crate) struct SampledRows {
    /// By a number that says nothing of the row.
    drawn: BTreeMap<u64, (Address, Option<String>)>,
    read: u64,
}

impl SampledRows {
    pub fn look(&mut self, row: &ImportedRow) {
        let Some(address) = &row.address else { return };
        self.read += 1;
        let order = self.read.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let is_full = self.drawn.len() >= ASKED;
        if is_full && self.drawn.last_key_value().is_some_and(|(last, _)| order > *last) {
            return;
        }
        self.drawn.insert(order, (address.clone(), row.unit.clone()));
        if is_full {
            self.drawn.pop_last();
        }
    }

    /// Asks an index for them.
    pub fn ask(&self, index: &PropertyIndex) -> Result<OwnRows, PropertyError> {
        let mut rows = OwnRows::default();
        for (n, (address, unit)) in self.drawn.values().enumerate() {
            let asked = Question::of(address, unit.as_deref(), n);
            rows.asked += 1;
            let answer = index.lookup(&AddressInput::Line(asked.line.clone()))?;
            if asked.is_answered(&answer) {
                rows.found += 1;
                if let Lookup::Found { evidence, .. } = answer
                    && rows.homes.len() < NAMED
                    && !evidence.place.buildings.is_empty()
                    && unit.is_none()
                {
                    rows.homes.push(Question::of(address, None, PLAIN).line);
                }
            } else if rows.missed.len() < NAMED {
                rows.missed.push(asked.line);
            }
        }
        Ok(rows)
    }
}

/// Rows for an index that is made to ask it, and thrown away.
#[derive(Debug, Default)]
pub(crate) struct TrialRows {
    pub sampled: SampledRows,
    places: Vec<(Address, Option<String>)>,
}

impl TrialRows {
    pub fn look(&mut self, row: &ImportedRow) {
        self.sampled.look(row);
        if let Some(address) = row.address.as_ref().filter(|_| self.places.len() < CHECKED) {
            self.places.push((address.clone(), row.unit.clone()));
        }
    }

    pub fn ask(mut self, folder: &Path, source: &Source) -> Result<OwnRows, PropertyError> {
        let mut builder = IndexBuilder::create(folder, "trial")?;
        self.places.extend(self.sampled.drawn.values().cloned());
        for (address, unit) in self.places {
            let sources = vec![source.clone()];
            builder.push(Place {
                address,
                unit,
                parcel: None,
                origin: None,
                buildings: Vec::new(),
                assessor: Assessor::default(),
                permits: Vec::new(),
                conflicts: Vec::new(),
                sources,
            })?;
        }
        builder.finish()?;
        self.sampled.ask(&PropertyIndex::open(folder, Reference::built_in())?)
    }
}

/// An address as somebody asks for it, and what answers it.
struct Question {
    line: String,
    wanted: Normalized,
}

impl Question {
    /// `n` chooses the way of writing.
    fn of(address: &Address, unit: Option<&str>, n: usize) -> Self {
        let number = plain_number(&address.street_number);
        let zip = if address.zip.is_known() { address.zip.as_str() } else { "" };
        let state = address.state.as_str();
        // Nobody writes town and ZIP twice.
        let street = format!("{number} {}", address.street_address);
        let end = PlaceCells { city: &address.city, state, zip }.end_of_line(&street).unwrap_or(street.len());
        let street = street[..end].strip_prefix(&number).unwrap_or_default().trim_start();
        let street = without_other_place(street).to_owned();
        let meant = Address { street_number: number.clone(), street_address: street.clone(), ..address.clone() };
        let wanted = Normalized::from_texts(&meant, unit);
        // A name that is not a town's is left to the post office.
        let post = post_town(&address.zip).filter(|_| town_named(&address.city).is_none() && !zip.is_empty());
        let town = post.unwrap_or(&address.city);
        // A ZIP behind the street, taken for one.
        let unit = unit.filter(|unit| !is_zip(unit));
        let unit = unit.map(written_unit).unwrap_or_default();
        let line = match n % 4 {
            0 => format!("{number} {street}{unit}, {town}, {state} {zip}"),
            1 => format!("{number} {street}{unit} {town} {state} {zip}").to_lowercase(),
            2 => format!("{number} {street}{unit}, {town} {state} {zip}", street = other_suffix(&street)),
            _ => {
                format!("{number} {street}{unit}, {town}, {state} {zip}", street = other_suffix(&street)).to_uppercase()
            }
        };
        Self { line: line.split_whitespace().collect::<Vec<_>>().join(" "), wanted }
    }

    fn is_answered(&self, answer: &Lookup) -> bool {
        let w = &self.wanted;
        match answer {
            Lookup::Found { evidence, .. } => {
                let place = Normalized::from_texts(&evidence.place.address, evidence.place.unit.as_deref());
                evidence.matched.level == MatchLevel::Exact && place.number == w.number && place.name == w.name
            }
            // Somebody is asked which of several is meant.
            Lookup::Ambiguous(list) => list.iter().any(|one| one.street.to_uppercase().starts_with(&w.number)),
            Lookup::NotFound { .. } => false,
        }
    }
}

/// A street without another town, state or ZIP than those of its row behind it: nobody asks for them.
fn without_other_place(street: &str) -> &str {
    let last = street.rsplit([' ', ',']).next().unwrap_or_default().to_uppercase();
    let is_type = |word: &str| suffix(word).is_some();
    let is_state = !is_type(&last) && direction(&last).is_none() && cell::state(&last).is_some();
    if !is_state && !is_zip(&last) {
        return street;
    }
    // Up to the last type of a street, unless what follows may be the number of a road.
    let mut start = 0;
    let mut kept = None;
    for part in street.split_inclusive([' ', ',']) {
        let word = part.trim_end_matches([' ', ',']).to_uppercase();
        if start > 0 && is_type(&word) {
            kept = Some((start + word.len(), word));
        }
        start += part.len();
    }
    let Some((end, word)) = kept else { return street };
    let is_of_road = matches!(word.as_str(), "ROAD" | "RD" | "HIGHWAY" | "HWY" | "ROUTE" | "RTE");
    let is_number = !is_state && street[end..].trim_start_matches([' ', ',']).len() == last.len();
    if is_of_road && is_number { street } else { &street[..end] }
}

/// `12.00` is 12 to everybody.
fn plain_number(number: &str) -> String {
    match number.split_once('.') {
        Some((whole, zeros)) if zeros.bytes().all(|b| b == b'0') => whole.to_owned(),
        _ => number.to_owned(),
    }
}

fn written_unit(unit: &str) -> String {
    let first = unit.split(' ').next().unwrap_or_default().trim_end_matches('.').to_uppercase();
    match unit.is_empty() || first.starts_with('#') || designator(&first).is_some() {
        true if unit.is_empty() => String::new(),
        true => format!(" {unit}"),
        false => format!(" Apt {unit}"),
    }
}

/// The kind of street in full, or short.
fn other_suffix(street: &str) -> String {
    const PAIRS: [(&str, &str); 13] = [
        ("St", "Street"),
        ("Ave", "Avenue"),
        ("Rd", "Road"),
        ("Dr", "Drive"),
        ("Ln", "Lane"),
        ("Ct", "Court"),
        ("Blvd", "Boulevard"),
        ("Pl", "Place"),
        ("Cir", "Circle"),
        ("Ter", "Terrace"),
        ("Pkwy", "Parkway"),
        ("Trl", "Trail"),
        ("Hwy", "Highway"),
    ];
    let Some((before, last)) = street.rsplit_once(' ') else { return street.to_owned() };
    let other = PAIRS.iter().find_map(|(short, full)| {
        let is = |form: &str| last.eq_ignore_ascii_case(form);
        if is(short) { Some(*full) } else { is(full).then_some(*short) }
    });
    other.map_or_else(|| street.to_owned(), |other| format!("{before} {other}"))
}

#[cfg(test)]
mod tests {
    use shingle_domain::{State, Zip};

    use super::*;

    fn address(number: &str, street: &str, city: &str, zip: &str) -> Address {
        Address {
            street_number: number.to_owned(),
            street_address: street.to_owned(),
            city: city.to_owned(),
            state: State::parse("OH").unwrap(),
            zip: Zip::parse(zip).unwrap(),
        }
    }

    #[test]
    fn rows_are_asked_for_as_people_write_them() {
        for (row, unit, n, line) in [
            (address("12", "Alder Ct", "Harrow", "43099"), None, 0, "12 Alder Ct, Harrow, OH 43099"),
            (address("12", "Alder Ct", "Harrow", "43099"), None, 1, "12 alder ct harrow oh 43099"),
            (address("12", "Alder Ct", "Harrow", "43099"), None, 2, "12 Alder Court, Harrow OH 43099"),
            (address("12", "Alder Court", "Harrow", "43099"), None, 3, "12 ALDER CT, HARROW, OH 43099"),
            (address("12", "Alder Ct", "Harrow", "43099"), Some("4"), 0, "12 Alder Ct Apt 4, Harrow, OH 43099"),
            (address("12", "Alder Ct", "Harrow", "43099"), Some("Unit 4"), 0, "12 Alder Ct Unit 4, Harrow, OH 43099"),
            (address("12", "Alder Ct", "Harrow", "43099"), Some("#4"), 1, "12 alder ct #4 harrow oh 43099"),
            (address("12.00", "Alder Ct", "Harrow", "43099"), None, 0, "12 Alder Ct, Harrow, OH 43099"),
            (address("12", "W Alder Ave Harrow 43099", "Harrow", "43099"), None, 0, "12 W Alder Ave, Harrow, OH 43099"),
            (address("12", "Alder Ct", "Unincorporated Area", "43085"), None, 0, "12 Alder Ct, Columbus, OH 43085"),
            (address("12", "Alder Ct", "Harrow", "00000"), None, 0, "12 Alder Ct, Harrow, OH"),
        ] {
            let asked = Question::of(&row, unit, n).line;
            // The post office's own name of that ZIP.
            let town = post_town(&Zip::parse("43085").unwrap()).unwrap();
            assert_eq!(asked, line.replace("Columbus", town), "{row:?} {n}");
        }
    }

    #[test]
    fn the_same_rows_are_drawn_in_each_run_and_from_all_of_a_table() {
        let draw = || {
            let mut rows = SampledRows::default();
            for n in 0..10_000 {
                let address = Some(address(&n.to_string(), "Alder Ct", "Harrow", "43099"));
                rows.look(&ImportedRow { address, row: n, ..ImportedRow::default() });
            }
            rows.drawn.values().map(|(a, _)| a.street_number.parse::<u64>().unwrap()).collect::<Vec<_>>()
        };
        let drawn = draw();
        assert_eq!((drawn.len(), &drawn), (ASKED, &draw()));
        for part in 0..5 {
            let of_part = drawn.iter().filter(|n| **n / 2_000 == part).count();
            assert!((20..=60).contains(&of_part), "{of_part} of {ASKED} are of part {part}");
        }
    }
}
