//! Invalid parcel ids: rounded by a spreadsheet, or a word for a parcel that nobody knows. They would join homes that
//! have nothing to do with each other.
//!
//! # Decision
//!
//! A parcel id joins nothing if more than 8 addresses share it without distinct places, or lie over 2 km apart;
//! neither do placeholders such as `UNASSIGNED` or ids rounded by a spreadsheet (`1.02E+14`). A mobile home park with
//! points keeps its id. Turned down: a list of placeholders alone; every county has its own.

use serde::{Deserialize, Serialize};

use crate::row::finding::Finding;
use crate::row::row_problem::RowProblem;

/// Why a text is no id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoId {
    /// `1.02E+14`: the digits that told parcels apart are lost.
    Rounded,
    /// `0`, `UNASSIGNED`.
    Placeholder,
}

impl NoId {
    pub fn of(id: &str) -> Option<Self> {
        if is_rounded(id) {
            return Some(Self::Rounded);
        }
        is_placeholder(id).then_some(Self::Placeholder)
    }

    pub fn reason(self, id: &str) -> RowProblem {
        let id: String = id.chars().take(30).collect();
        match self {
            Self::Rounded => RowProblem::RoundedId { id },
            Self::Placeholder => RowProblem::PlaceholderId { id },
        }
    }
}

/// Digits with an exponent that is positive.
fn is_rounded(id: &str) -> bool {
    let Some((mantissa, exponent)) = id.split_once(['E', 'e']) else { return false };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once(['.', ',']).unwrap_or((mantissa, "0"));
    // `5E12` alone could be a lot in a block.
    let is_signed = exponent.starts_with('+') || mantissa.contains(['.', ',']);
    let exponent = exponent.trim_start_matches('+');
    // With as many decimals every digit is there.
    let is_short = exponent.parse::<usize>().is_ok_and(|exponent| fraction.len() < exponent);
    is_signed && whole.len() <= 2 && digits(whole) && digits(fraction) && digits(exponent) && is_short
}

fn is_placeholder(id: &str) -> bool {
    const WORDS: [&str; 44] = [
        "unassigned",
        "notassigned",
        "unknown",
        "unk",
        "none",
        "null",
        "na",
        "nan",
        "tbd",
        "pending",
        "nopin",
        "noid",
        "noparcel",
        "noparcelid",
        "notavailable",
        "notfound",
        "missing",
        "blank",
        "new",
        "newparcel",
        "void",
        "temp",
        "test",
        "various",
        "multiple",
        "unplatted",
        "rightofway",
        "tobedetermined",
        "noapn",
        "nopid",
        "nofolio",
        "noaccount",
        "noparcelnumber",
        "commonarea",
        "road",
        "roads",
        "row",
        "noneassigned",
        "tobeassigned",
        "invalid",
        "error",
        "dummy",
        "default",
        "notapplicable",
    ];
    let bare: String = id.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let is_one = |c: char, least: usize| bare.len() >= least && bare.chars().all(|b| b == c);
    bare.is_empty() || is_one('0', 1) || is_one('9', 3) || is_one('x', 1) || WORDS.contains(&bare.as_str())
}

/// Rows with an invalid id, and the first of each kind.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct MissingIds {
    rounded: (u64, String),
    placeholders: (u64, String),
}

impl MissingIds {
    pub fn count(&mut self, why: NoId, id: &str) {
        let (rows, first) = match why {
            NoId::Rounded => &mut self.rounded,
            NoId::Placeholder => &mut self.placeholders,
        };
        *rows += 1;
        if first.is_empty() {
            *first = id.chars().take(40).collect();
        }
    }

    pub fn told(&self) -> impl Iterator<Item = Finding> {
        let met = |(rows, id): &(u64, String)| (*rows > 0).then(|| (*rows, id.clone()));
        let rounded = met(&self.rounded).map(|(rows, id)| Finding::RoundedIds { rows, id });
        let placeholders = met(&self.placeholders).map(|(rows, id)| Finding::PlaceholderIds { rows, id });
        rounded.into_iter().chain(placeholders)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_told_from_what_stands_for_none() {
        for id in ["1.02E+14", "1.02e+14", "1E+11", "9.99E+08", "1,02E+14", "10.2E+13", "2.3E14", "5.00E+10"] {
            assert_eq!(NoId::of(id), Some(NoId::Rounded), "{id}");
        }
        for id in [
            "0",
            "00000000",
            "000-00-000",
            "Unassigned",
            "N/A",
            "NONE",
            "-",
            "--",
            "999999999",
            "999-99",
            "XXX",
            "TBD",
            "pending",
            "NO PIN",
            "Not Assigned",
            "unknown",
        ] {
            assert_eq!(NoId::of(id), Some(NoId::Placeholder), "{id}");
        }
        for id in [
            "102000000000000",
            "5E12",
            "12E",
            "E12",
            "1-2-3",
            "0-1",
            "99",
            "R-0001",
            "001",
            "X12",
            "12.5",
            "TEST-1",
            "1E-5",
            "A1E+3",
            "1.5E+01",
            "1.02000000000017e+014",
        ] {
            assert_eq!(NoId::of(id), None, "{id}");
        }
        let mut ids = MissingIds::default();
        for id in ["0", "1E+11", "NONE", "0"] {
            ids.count(NoId::of(id).unwrap(), id);
        }
        let told: Vec<Finding> = ids.told().collect();
        assert!(told[1].to_string().starts_with("3 rows have a parcel id that means no parcel (`0`)"), "{told:?}");
    }
}
