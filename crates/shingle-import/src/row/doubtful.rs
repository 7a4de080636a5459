//! Addresses that were read but should be checked, because they can be read in another way.

use serde::Serialize;
use shingle_address::tables::{direction, suffix};
use shingle_address::{Normalized, other_readings};
use shingle_domain::Address;

/// A kind of doubt, with its rows and the first different ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DoubtfulAddresses {
    pub what: String,
    pub rows: u64,
    pub examples: Vec<String>,
}

/// The address of a row as its file has it.
#[derive(Debug, Default)]
pub(crate) struct AsWritten {
    /// The line that its town, state or ZIP was read from.
    pub line: Option<String>,
    /// Number, street and a unit that nothing announces: `10 OAK ST 1`.
    pub bare_unit: Option<String>,
}

/// Different examples that are kept of each kind.
const MAX_EXAMPLES: usize = 8;

const KINDS: [&str; 4] = [
    "streets of an unusual form",
    "units without a word such as Apt or #",
    "lines whose town was guessed: no comma tells where it begins",
    "lines whose state was guessed: the word could end a street too",
];

#[derive(Debug, Default)]
pub(crate) struct DoubtCounts {
    kinds: [(u64, Vec<String>); KINDS.len()],
}

impl DoubtCounts {
    /// Looks at an address, and at how it is written.
    pub fn look(&mut self, address: &Address, unit: Option<&str>, written: &AsWritten) {
        let normalized = Normalized::from_texts(address, unit);
        if let Some(bare) = &written.bare_unit {
            self.add(1, bare);
        }
        if is_unusual(&normalized) {
            self.add(0, &address.street_address);
        }
        let Some(line) = &written.line else { return };
        if other_readings(line).iter().any(|other| other.city != normalized.city) {
            self.add(2, line);
        }
        let code = address.state.as_str();
        // Assessors write `LA` for a lane.
        let is_word = suffix(code).is_some() || direction(code).is_some() || code == "LA";
        if is_word && normalized.zip.is_none() {
            self.add(3, line);
        }
    }

    pub fn into_list(self) -> Vec<DoubtfulAddresses> {
        let all = self.kinds.into_iter().zip(KINDS).filter(|((rows, _), _)| *rows > 0);
        all.map(|((rows, examples), what)| DoubtfulAddresses { what: what.to_owned(), rows, examples }).collect()
    }

    fn add(&mut self, kind: usize, example: &str) {
        let Some((rows, examples)) = self.kinds.get_mut(kind) else { return };
        *rows += 1;
        let example: String = example.chars().take(60).collect();
        if examples.len() < MAX_EXAMPLES && !examples.contains(&example) {
            examples.push(example);
        }
    }
}

/// A name without a suffix that is not a numbered road, or with signs that no street has.
fn is_unusual(n: &Normalized) -> bool {
    let has_digit = n.name.bytes().any(|b| b.is_ascii_digit());
    let is_odd = |c: char| !(c.is_alphanumeric() || matches!(c, ' ' | '\'' | '-' | '.' | '/'));
    n.name.chars().any(is_odd) || (n.suffix.is_empty() && !has_digit)
}

#[cfg(test)]
mod tests {
    use shingle_domain::{State, Zip};

    use super::*;

    fn address(street: &str, state: &str, zip: &str) -> Address {
        Address {
            street_number: "6".to_owned(),
            street_address: street.to_owned(),
            city: "Harrow".to_owned(),
            state: State::parse(state).unwrap(),
            zip: Zip::parse(zip).unwrap(),
        }
    }

    #[test]
    fn what_may_be_read_otherwise_is_listed_with_examples() {
        let mut counts = DoubtCounts::default();
        for (street, bare, line) in [
            ("Oak Ridge Rd", Some("6 Oak Ridge Rd 2"), None),
            ("Oak Ridge Rd", None, None),
            ("The Oaks", None, None),
            ("The Oaks", None, None),
            ("Highway 4", None, None),
            ("Elm St N", None, None),
            ("Elm St", None, Some("6 Elm St Harrow OH 43099")),
            ("Elm St", None, Some("6 Elm St, Harrow, OH 43099")),
        ] {
            let written = AsWritten { line: line.map(str::to_owned), bare_unit: bare.map(str::to_owned) };
            counts.look(&address(street, "OH", "43099"), bare.map(|_| "2"), &written);
        }
        let written = AsWritten { line: Some("6 Butternut LA".to_owned()), bare_unit: None };
        counts.look(&address("Butternut", "LA", "00000"), Some("2"), &written);
        let list = counts.into_list();
        let told: Vec<(u64, &str)> = list.iter().map(|d| (d.rows, d.examples[0].as_str())).collect();
        assert_eq!(told[0], (3, "The Oaks"), "{list:?}");
        assert_eq!(told[1], (1, "6 Oak Ridge Rd 2"), "{list:?}");
        assert!(list.last().is_some_and(|d| d.what == KINDS[3] && d.rows == 1), "{list:?}");
    }
}
