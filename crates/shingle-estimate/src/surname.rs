//! # The surname: whether the name a visitor gave is on the deed
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
//! | the name stands elsewhere on the line: in an organisation's name, after `C/O`, as a middle name | unknown |
//! | a realty or nominee trust that names no person | unknown |
//! | anything else; names of 4 letters and fewer must be equal | contradicted |
//!
//! Two pairs that the measures call alike are names of different families more often than slips, and stay unknown:
//! one that only goes on (`MARTIN`, `MARTINEZ`; `ROBERT`, `ROBERTSON`), and one that only begins with another letter
//! (`MILLER`, `HILLER`). Nothing goes by sound. A name in letters that are not Latin cannot be compared with a deed
//! in Latin ones: unknown. The thresholds are the research page's; on invented names of real shapes the tests print
//! how often they are right.

use crate::integrity::Finding;
use crate::owner::{LEGAL_FORMS, LOST, Owners, Piece, SUFFIXES, TITLES, Unit, is_any, pieces, units};

/// What people add to a family name.
const OF_THE_FAMILY: &[&str] = &["THE", "FAMILY", "TRUST", "ESTATE"];

/// Longest names compared letter by letter.
const MOST_LETTERS: usize = 48;

/// `None` when nothing that could be a name was given.
pub fn find(owners: &Owners, last_name: &str) -> Option<Finding> {
    let given = given(last_name);
    if given.is_empty() {
        return None;
    }
    if owners.standing().is_none() || !given.iter().any(|n| n.contains(|c: char| c.is_ascii_alphabetic())) {
        return Some(Finding::Unknown);
    }
    let pairs = given.iter().flat_map(|g| owners.surnames.iter().map(move |o| alike(g, o)));
    let best = pairs.max().unwrap_or(Finding::Contradicted);
    let elsewhere = || given.iter().any(|g| owners.mentioned.iter().any(|m| equal(g, m)));
    Some(if best == Finding::Contradicted && (owners.named_at_will || elsewhere()) { Finding::Unknown } else { best })
}

/// Every way the given name may stand on a deed.
fn given(last_name: &str) -> Vec<String> {
    let found = pieces(last_name);
    // `Pine, Ada`: the family name is before the comma; `Pine, Jr.` has none.
    let before = found.split(|p| *p == Piece::Comma).find(|part| !part.is_empty()).unwrap_or_default();
    let mut words: Vec<&str> =
        before.iter().filter_map(|p| if let Piece::Word(w) = p { Some(w.as_str()) } else { None }).collect();
    for noise in [SUFFIXES, TITLES, LEGAL_FORMS, OF_THE_FAMILY] {
        if words.iter().any(|w| !is_any(noise, w)) {
            words.retain(|w| !is_any(noise, w));
        }
    }
    let units = units(&words);
    let mut names: Vec<String> = Vec::new();
    if units.len() > 1 {
        names.push(units.iter().map(|u| u.joined.as_str()).collect());
    }
    for Unit { joined, parts, .. } in units {
        names.push(joined);
        names.extend(parts);
    }
    names.retain(|n| !n.is_empty());
    names
}

/// A letter lost on import equals any one letter, if enough others are left.
fn equal(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let lost = |n: &str| n.chars().filter(|c| *c == LOST).count();
    lost(a) + lost(b) > 0
        && a.chars().count() == b.chars().count()
        && a.chars().count() >= 3 + lost(a) + lost(b)
        && a.chars().zip(b.chars()).all(|(x, y)| x == y || x == LOST || y == LOST)
}

pub(crate) fn alike(a: &str, b: &str) -> Finding {
    if equal(a, b) {
        return Finding::Confirmed;
    }
    let (long, short) = (a.chars().count().max(b.chars().count()), a.chars().count().min(b.chars().count()));
    if short <= 4 || long > MOST_LETTERS {
        return Finding::Contradicted;
    }
    let first = a.chars().next() == b.chars().next();
    let close = strsim::jaro_winkler(a, b);
    let slips = strsim::damerau_levenshtein(a, b);
    // `MARTIN`, `MARTINEZ`
    let goes_on = long - short > 1 && (a.starts_with(b) || b.starts_with(a));
    // `MILLER`, `HILLER`: as long, and only the first letter is another.
    let other_head = !first && long == short && a.chars().skip(1).eq(b.chars().skip(1));
    if !goes_on && !other_head && ((close >= 0.92 && first) || (slips <= 1 && short >= 6)) {
        Finding::Confirmed
    } else if close >= 0.85 {
        Finding::Unknown
    } else {
        Finding::Contradicted
    }
}
