//! # The surname: whether the name that a visitor gave is on the deed
//!
//! Both sides are read by the rules of [`owner`](crate::owner), then compared without regard to case, accents,
//! apostrophes, spaces and hyphens; suffixes, titles and initials do not count.
//!
//! | the closest pair of names | finding |
//! |---|---|
//! | equal; for double names one part is enough | confirmed |
//! | both of 5 letters and more, Jaro-Winkler ≥ 0.92, the same first letter | confirmed |
//! | both of 6 letters and more, one letter wrong, missing, extra or swapped (Damerau-Levenshtein 1) | confirmed |
//! | Jaro-Winkler 0.85 to 0.92 | unknown |
//! | the name is elsewhere on the line: in an organization's name, after `C/O`, as a middle name | unknown |
//! | a realty or nominee trust that names no person | unknown |
//! | anything else; names of 4 letters and fewer must be equal | contradicted |
//!
//! Two kinds of similar pairs are more often different families than typing errors, and stay unknown: one name
//! continues the other (`MARTIN`, `MARTINEZ`; `ROBERT`, `ROBERTSON`), or only the first letter differs (`MILLER`,
//! `HILLER`). Names are not compared by sound. A name in letters that are not Latin cannot be compared with a deed
//! in Latin ones: unknown. The thresholds are the research page's; on invented names of real shapes the tests print
//! how often they are right.

use crate::confirmation::Confirmation;
use crate::owner::{LEGAL_FORMS, LOST_LETTER, Name, Owners, SUFFIXES, TITLES, Token, is_one_of, read_names, tokens};

/// Words that people add to a family name.
const OF_THE_FAMILY: &[&str] = &["THE", "FAMILY", "TRUST", "ESTATE"];

/// Longer names are not compared letter by letter.
const MAX_LETTERS: usize = 48;

/// `None` when nothing that could be a name was given.
pub fn find(owners: &Owners, last_name: &str) -> Option<Confirmation> {
    let given = given(last_name);
    if given.is_empty() {
        return None;
    }
    if owners.kind().is_none() || !given.iter().any(|n| n.contains(|c: char| c.is_ascii_alphabetic())) {
        return Some(Confirmation::Unknown);
    }
    let pairs = given.iter().flat_map(|g| owners.surnames.iter().map(move |o| alike(g, o)));
    let best = pairs.max().unwrap_or(Confirmation::Contradicted);
    let elsewhere = || given.iter().any(|g| owners.mentioned.iter().any(|m| equal(g, m)));
    Some(if best == Confirmation::Contradicted && (owners.freely_named || elsewhere()) {
        Confirmation::Unknown
    } else {
        best
    })
}

/// Every form in which the given name may be on a deed.
fn given(last_name: &str) -> Vec<String> {
    let found = tokens(last_name);
    // `Pine, Ada`: the family name is before the comma; `Pine, Jr.` has none.
    let before = found.split(|p| *p == Token::Comma).find(|part| !part.is_empty()).unwrap_or_default();
    let mut words: Vec<&str> =
        before.iter().filter_map(|p| if let Token::Word(w) = p { Some(w.as_str()) } else { None }).collect();
    for noise in [SUFFIXES, TITLES, LEGAL_FORMS, OF_THE_FAMILY] {
        if words.iter().any(|w| !is_one_of(noise, w)) {
            words.retain(|w| !is_one_of(noise, w));
        }
    }
    let parsed = read_names(&words);
    let mut names: Vec<String> = Vec::new();
    if parsed.len() > 1 {
        names.push(parsed.iter().map(|u| u.joined.as_str()).collect());
    }
    for Name { joined, alternatives, .. } in parsed {
        names.push(joined);
        names.extend(alternatives);
    }
    names.retain(|n| !n.is_empty());
    names
}

/// A letter lost on import equals any letter, if enough others are left.
fn equal(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let lost = |n: &str| n.chars().filter(|c| *c == LOST_LETTER).count();
    lost(a) + lost(b) > 0
        && a.chars().count() == b.chars().count()
        && a.chars().count() >= 3 + lost(a) + lost(b)
        && a.chars().zip(b.chars()).all(|(x, y)| x == y || x == LOST_LETTER || y == LOST_LETTER)
}

pub(crate) fn alike(a: &str, b: &str) -> Confirmation {
    if equal(a, b) {
        return Confirmation::Confirmed;
    }
    let (long, short) = (a.chars().count().max(b.chars().count()), a.chars().count().min(b.chars().count()));
    if short <= 4 || long > MAX_LETTERS {
        return Confirmation::Contradicted;
    }
    let first = a.chars().next() == b.chars().next();
    let close = strsim::jaro_winkler(a, b);
    let edits = strsim::damerau_levenshtein(a, b);
    // `MARTIN`, `MARTINEZ`
    let continues = long - short > 1 && (a.starts_with(b) || b.starts_with(a));
    // `MILLER`, `HILLER`: equally long, and only the first letter differs.
    let other_first_letter = !first && long == short && a.chars().skip(1).eq(b.chars().skip(1));
    if !continues && !other_first_letter && ((close >= 0.92 && first) || (edits <= 1 && short >= 6)) {
        Confirmation::Confirmed
    } else if close >= 0.85 {
        Confirmation::Unknown
    } else {
        Confirmation::Contradicted
    }
}
