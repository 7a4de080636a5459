//! # Owners: what a recorded line says of who owns a property
//!
//! Tax rolls write owners in one or two lines of capitals, each county in its own way: `PINE, ADA M. & BO OAKLEY`,
//! `PINE ADA M TRS`, `THE PINE FAMILY TRUST DTD 4/2/2011`, `ESTATE OF ADA PINE C/O BO OAKLEY`. A line is read so:
//!
//! 1. Upper case; accents, apostrophes and points go (`Nguyễn` = `NGUYEN`, `O’Dell` = `ODELL`, `L.L.C.` = `LLC`).
//!    Asides in brackets or quotes are left out, `(NÉE …)` excepted. What follows `C/O`, `%` or `ATTN` is where mail
//!    goes, not an owner.
//! 2. `&`, `AND`, `+`, `;`, `/` part owners. So does a trustee from the trust: `ADA PINE TRUSTEE OF THE OAK TRUST`.
//! 3. **Organisation**: a form of company, a body (`CITY OF`, `BANK`, `AUTHORITY`), an activity (`HOLDINGS`).
//!    A word of that kind alone before a comma is a family name all the same: `CHURCH, ADA M`.
//! 4. **Trust**: `TRUST` and its short forms. Its boilerplate and dates go; what is left is a name. Realty and
//!    nominee trusts carry any name, often a street's: they can confirm a family name and cannot contradict one.
//! 5. Suffixes (`JR`), titles, roles (`TRUSTEE`, `ET UX`, `LIFE ESTATE`, `HEIRS OF`) go, unless they are all there is.
//! 6. Particles join what follows (`DE LA CRUZ`, `VAN DER BERG`, `MC DONALD`, `O BRIEN`).
//! 7. With a comma the family name is before it. Without, nobody can tell `PINE ADA` from `ADA PINE`: the first and
//!    the last name both count. The parts of hyphenated and double names count each and together. A name in the
//!    middle counts where it is a family name of Spain or Portugal; other middle names neither confirm nor
//!    contradict, and nor do single given names after `&` (`PINE ADA & BO`).
//!
//! What this does not know: which of `ADA PINE` is the family name; names longer than the column that held them;
//! that two people share a name by chance; names before a marriage, unless they are written.

mod fold;
mod line;
mod units;
#[rustfmt::skip] // one word a line would be a thousand lines
mod words;

pub(crate) use fold::{LOST, Piece, pieces};
pub(crate) use units::{Unit, units};
pub(crate) use words::{LEGAL_FORMS, SUFFIXES, TITLES, is_any};

use shingle_domain::evidence::{Assessor, Fact};

use line::Line;

/// What kind of owner it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    Person,
    Trust,
    Organisation,
}

/// Both recorded owner lines, read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Owners {
    standing: Option<Standing>,
    /// Names that can be family names of an owner, in plain capitals, joined.
    pub(crate) surnames: Vec<String>,
    /// Other words of the lines: finding one there neither confirms nor contradicts.
    pub(crate) mentioned: Vec<String>,
    /// Only a trust is named, and of a kind that may carry any name.
    pub(crate) named_at_will: bool,
}

impl Owners {
    /// Those the assessor records.
    pub(crate) fn of(assessor: &Assessor) -> Self {
        let line = |fact: &'_ Option<Fact<String>>| fact.as_ref().map(|f| f.value.clone());
        Self::read(line(&assessor.primary_owner).as_deref(), line(&assessor.secondary_owner).as_deref())
    }

    /// Reads the lines as the source has them.
    pub fn read(primary: Option<&str>, secondary: Option<&str>) -> Self {
        let an_owner = |t: &&str| !names_nobody(t) && !is_address_line(t);
        let first = primary.filter(an_owner).map(|t| Line::read(t, false));
        let continues = first.as_ref().is_some_and(|l| l.standing == Some(Standing::Person));
        let second = secondary.filter(an_owner).map(|t| Line::read(t, continues));
        let standing = match (&first, &second) {
            // `THE CORNER OF ELM` and `OAK LLC`: one name on two lines.
            (Some(a), Some(b)) if a.opens_with_the && b.standing == Some(Standing::Organisation) => b.standing,
            (Some(a), Some(b))
                if a.standing == Some(Standing::Organisation) && b.standing == Some(Standing::Person) =>
            {
                b.standing
            }
            (Some(a), b) => a.standing.or(b.as_ref().and_then(|b| b.standing)),
            (None, b) => b.as_ref().and_then(|b| b.standing),
        };
        let lines: Vec<Line> = first.into_iter().chain(second).collect();
        let named_at_will = lines.iter().any(|l| l.named_at_will) && !lines.iter().any(|l| l.names_a_person);
        let mut owners = Self { standing, named_at_will, ..Self::default() };
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
    pub fn standing(&self) -> Option<Standing> {
        self.standing
    }
}

/// Whether a line is a way of saying that no owner is recorded: `UNKNOWN`, `N/A`, `CURRENT OWNER`, `--`.
pub fn names_nobody(line: &str) -> bool {
    let mut named = false;
    for piece in pieces(line) {
        if let Piece::Word(word) = piece {
            let letters = word.chars().any(char::is_alphabetic);
            named |= letters && !is_any(words::NOBODY, &word.replace('-', ""));
        }
    }
    !named
}

/// Whether a line tells where mail goes instead of who owns: `C/O …`, `% …`, `ATTN …`.
pub(crate) fn is_care_of(line: &str) -> bool {
    matches!(pieces(line).first(), Some(Piece::CareOf))
}

/// Whether a line is a street line that slipped into the owner's column: `12 ELM ST`.
pub(crate) fn is_address_line(line: &str) -> bool {
    let found = pieces(line);
    let words: Vec<&str> =
        found.iter().filter_map(|p| if let Piece::Word(w) = p { Some(w.as_str()) } else { None }).collect();
    let numbered = words.first().is_some_and(|w| w.starts_with(|c: char| c.is_ascii_digit()));
    let (legal, trust) =
        (words.iter().any(|w| is_any(LEGAL_FORMS, w)), words.iter().any(|w| is_any(words::TRUST_WORDS, w)));
    let po_box = matches!(words.as_slice(), ["PO" | "POBOX", ..] | ["P", "O", "BOX", ..]) && words.len() < 5;
    let named = words.iter().skip(1).any(|w| is_any(words::ORGANISATIONS, w));
    po_box || (numbered && !legal && !trust && !named && words.iter().skip(1).any(|w| is_any(words::STREET_WORDS, w)))
}
