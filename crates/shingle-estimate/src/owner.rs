//! # Owners: how a recorded owner line is read
//!
//! Tax rolls write owners in one or two lines of capitals, each county in its own way: `PINE, ADA M. & BO OAKLEY`,
//! `PINE ADA M TRS`, `THE PINE FAMILY TRUST DTD 4/2/2011`, `ESTATE OF ADA PINE C/O BO OAKLEY`. A line is read so:
//!
//! 1. Upper case; accents, apostrophes and points go (`Nguyễn` = `NGUYEN`, `O’Dell` = `ODELL`, `L.L.C.` = `LLC`).
//!    Text in brackets or quotes is left out, except `(NÉE …)`. After `C/O`, `%` or `ATTN` comes a mail recipient,
//!    not an owner.
//! 2. `&`, `AND`, `+`, `;`, `/` separate owners. A trustee is separated from the trust: `ADA PINE TRUSTEE OF THE OAK TRUST`.
//! 3. **Organization**: a form of company, a body (`CITY OF`, `BANK`, `AUTHORITY`), an activity (`HOLDINGS`).
//!    A word of that kind alone before a comma is a family name anyway: `CHURCH, ADA M`.
//! 4. **Trust**: `TRUST` and its short forms. Its standard words and dates are removed; the rest is a name. Realty and
//!    nominee trusts carry any name, often a street's: they can confirm a family name and cannot contradict one.
//! 5. Suffixes (`JR`), titles, roles (`TRUSTEE`, `ET UX`, `LIFE ESTATE`, `HEIRS OF`) are removed, unless nothing else is left.
//! 6. Particles join what follows (`DE LA CRUZ`, `VAN DER BERG`, `MC DONALD`, `O BRIEN`).
//! 7. With a comma the family name is before it. Without a comma nothing distinguishes `PINE ADA` from `ADA PINE`: the
//!    first and the last name both count. The parts of hyphenated and double names count each and together. A name in
//!    the middle counts where it is a family name of Spain or Portugal; other middle names neither confirm nor
//!    contradict, and nor do single given names after `&` (`PINE ADA & BO`).
//!
//! Not known: which part of `ADA PINE` is the family name; names that were cut off by their column; whether two
//! people share a name by chance; names before a marriage, unless they are written.

mod kind;
mod line;
mod name;
mod token;
#[rustfmt::skip] // one word on each line would make a thousand lines
mod vocabulary;

pub(crate) use name::{Name, read_names};
pub(crate) use token::{LOST_LETTER, Token, tokens};
pub(crate) use vocabulary::{LEGAL_FORMS, SUFFIXES, TITLES, is_one_of};

use shingle_domain::evidence::{Assessor, Fact};

use line::OwnerLine;

pub use kind::OwnerKind;

/// The owners named in both recorded lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Owners {
    kind: Option<OwnerKind>,
    /// Possible family names of the owners, in plain capitals, joined.
    pub(crate) surnames: Vec<String>,
    /// Other words of the lines: a match with one neither confirms nor contradicts.
    pub(crate) mentioned: Vec<String>,
    /// Only a trust is named, of a kind that may have any name.
    pub(crate) freely_named: bool,
}

impl Owners {
    /// The owners in the assessor's record.
    pub(crate) fn of(assessor: &Assessor) -> Self {
        let line = |fact: &'_ Option<Fact<String>>| fact.as_ref().map(|f| f.value.clone());
        Self::read(line(&assessor.primary_owner).as_deref(), line(&assessor.secondary_owner).as_deref())
    }

    /// Reads the lines as recorded.
    pub fn read(primary: Option<&str>, secondary: Option<&str>) -> Self {
        let an_owner = |t: &&str| !names_nobody(t) && !is_address_line(t);
        let first = primary.filter(an_owner).map(|t| OwnerLine::read(t, false));
        let continues = first.as_ref().is_some_and(|l| l.kind == Some(OwnerKind::Person));
        let second = secondary.filter(an_owner).map(|t| OwnerLine::read(t, continues));
        let kind = match (&first, &second) {
            // `THE CORNER OF ELM` and `OAK LLC`: one name on two lines.
            (Some(a), Some(b)) if a.opens_with_the && b.kind == Some(OwnerKind::Organisation) => b.kind,
            (Some(a), Some(b)) if a.kind == Some(OwnerKind::Organisation) && b.kind == Some(OwnerKind::Person) => {
                b.kind
            }
            (Some(a), b) => a.kind.or(b.as_ref().and_then(|b| b.kind)),
            (None, b) => b.as_ref().and_then(|b| b.kind),
        };
        let lines: Vec<OwnerLine> = first.into_iter().chain(second).collect();
        let freely_named = lines.iter().any(|l| l.freely_named) && !lines.iter().any(|l| l.names_a_person);
        let mut owners = Self { kind, freely_named, ..Self::default() };
        for line in lines {
            owners.surnames.extend(line.surnames);
            owners.mentioned.extend(line.mentioned);
        }
        for names in [&mut owners.surnames, &mut owners.mentioned] {
            names.sort_unstable();
            names.dedup();
        }
        owners
    }

    /// `None` when no owner is recorded.
    pub fn kind(&self) -> Option<OwnerKind> {
        self.kind
    }
}

/// Whether a line says that no owner is recorded: `UNKNOWN`, `N/A`, `CURRENT OWNER`, `--`.
pub fn names_nobody(line: &str) -> bool {
    let mut named = false;
    for token in tokens(line) {
        if let Token::Word(word) = token {
            let letters = word.chars().any(char::is_alphabetic);
            named |= letters && !is_one_of(vocabulary::NO_OWNER_WORDS, &word.replace('-', ""));
        }
    }
    !named
}

/// Whether a line names a mail recipient instead of an owner: `C/O …`, `% …`, `ATTN …`.
pub(crate) fn is_care_of(line: &str) -> bool {
    matches!(tokens(line).first(), Some(Token::CareOf))
}

/// Whether a line is a street line in the owner's column: `12 ELM ST`.
pub(crate) fn is_address_line(line: &str) -> bool {
    let found = tokens(line);
    let words: Vec<&str> =
        found.iter().filter_map(|p| if let Token::Word(w) = p { Some(w.as_str()) } else { None }).collect();
    let numbered = words.first().is_some_and(|w| w.starts_with(|c: char| c.is_ascii_digit()));
    let (legal, trust) =
        (words.iter().any(|w| is_one_of(LEGAL_FORMS, w)), words.iter().any(|w| is_one_of(vocabulary::TRUST_WORDS, w)));
    let po_box = matches!(words.as_slice(), ["PO" | "POBOX", ..] | ["P", "O", "BOX", ..]) && words.len() < 5;
    let named = words.iter().skip(1).any(|w| is_one_of(vocabulary::ORGANISATIONS, w));
    let street = words.iter().skip(1).position(|w| is_one_of(vocabulary::STREET_WORDS, w)).map(|at| at + 2);
    po_box || (numbered && !legal && !trust && !named && street.is_some_and(|end| !goes_on_as_a_name(&words[end..])))
}

/// Whether what follows a street is neither another part of an address nor a place with its ZIP: `12 ALDER STREET PROP` is an
/// owner.
fn goes_on_as_a_name(behind: &[&str]) -> bool {
    const OF_AN_ADDRESS: [&str; 29] = [
        "N",
        "S",
        "E",
        "W",
        "NE",
        "NW",
        "SE",
        "SW",
        "NORTH",
        "SOUTH",
        "EAST",
        "WEST",
        "APT",
        "APARTMENT",
        "UNIT",
        "STE",
        "SUITE",
        "NO",
        "FL",
        "FLOOR",
        "RM",
        "ROOM",
        "BLDG",
        "LOT",
        "REAR",
        "FRONT",
        "PO",
        "BOX",
        "EXT",
    ];
    let has_digits = |word: &&str| word.bytes().any(|b| b.is_ascii_digit());
    // `HARROW OH 43099`
    if behind.last().is_some_and(has_digits) {
        return false;
    }
    let is_of_an_address = |word: &&str| {
        has_digits(word) || word.len() == 1 || OF_AN_ADDRESS.contains(word) || is_one_of(vocabulary::STREET_WORDS, word)
    };
    behind.iter().any(|word| !is_of_an_address(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_whose_name_begins_with_a_number_is_told_from_a_street() {
        for owner in [
            "12 ALDER STREET PROP",
            "12 ALDER STREET PROPERTIES",
            "100 MAIN ST HLDGS",
            "45 OAK AVE VENTURES LP",
            "1200 PARK AVENUE OWNERS",
            "21 CEDAR CT PTNRS",
            "77 BROAD ST EQUITIES",
            "8 ELM ST GROUP",
            "3 PINE RD REAL ESTATE",
            "500 LAKE DR CAPITAL",
            "9 HILL ST N PROP",
        ] {
            assert!(!is_address_line(owner), "{owner}");
        }
        for street in [
            "12 ELM ST",
            "12 ELM ST APT 4",
            "12 ELM ST N",
            "12 N ELM STREET UNIT B",
            "12 ELM ST FL 2",
            "12 ELM ST, HARROW OH 43099",
            "12 COUNTY ROAD 5",
            "12 ELM ST REAR",
            "12 ELM CT LOT 60",
            "PO BOX 12",
        ] {
            assert!(is_address_line(street), "{street}");
        }
    }
}
