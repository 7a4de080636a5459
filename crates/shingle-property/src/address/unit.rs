//! Secondary units: `Apt 3`, `# 3`, `3rd Floor`, `Rear`.

use super::tables::{designator, direction, suffix};
use super::token::{has_digit, is_ordinal};

/// Where a unit stands among the words of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnitSpan {
    pub start: usize,
    pub end: usize,
}

/// Finds the first unit. At least one word of street must come before it.
pub(crate) fn find_unit(words: &[&str]) -> Option<UnitSpan> {
    for at in 1..words.len() {
        if let Some(len) = unit_at(words, at) {
            let start = if is_floor(words[at]) && is_ordinal(words[at - 1]) { at - 1 } else { at };
            if start == 0 {
                continue;
            }
            let mut end = at + len;
            // `Bldg 2 Apt 3`
            while end < words.len()
                && let Some(more) = unit_at(words, end)
            {
                end += more;
            }
            return Some(UnitSpan { start, end });
        }
    }
    None
}

/// Whether a whole comma-separated part is a unit.
pub(crate) fn is_unit(words: &[&str]) -> bool {
    match words {
        [] => false,
        [first, second, ..] if is_ordinal(first) && is_floor(second) => true,
        [only] => designator(only).is_some_and(|d| d.alone) || (has_digit(only) && only.len() <= 4),
        [first, second, ..] => designator(first).is_some_and(|d| has_digit(second) || (!d.common && second.len() <= 2)),
    }
}

/// How many words of a unit start here.
fn unit_at(words: &[&str], at: usize) -> Option<usize> {
    let found = designator(words[at])?;
    let next = words.get(at + 1).copied();
    let after_street = at >= 1 && (suffix(words[at - 1]).is_some() || direction(words[at - 1]).is_some());
    let after_number = at >= 1 && has_digit(words[at - 1]);
    if is_floor(words[at]) && at >= 1 && is_ordinal(words[at - 1]) {
        return Some(1);
    }
    if found.alone
        && (next.is_none() || next.is_some_and(|n| designator(n).is_some()))
        && (after_street || !found.common)
    {
        return Some(1);
    }
    let next = next?;
    let named = if found.common { has_digit(next) } else { has_digit(next) || next.len() <= 2 };
    let placed = !found.common || after_street || after_number;
    (named && placed && !is_ordinal(next)).then_some(2)
}

fn is_floor(word: &str) -> bool {
    matches!(word, "FL" | "FLOOR" | "FLR")
}

/// The form that units are compared in: designators that only say "a part of the building" are left out,
/// so `Apt 3`, `Unit 3` and `# 3` are all `3`; others stay (`FL 3`, `BSMT`).
pub(crate) fn unit_of(words: &[&str]) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut i = 0;
    while let Some(&word) = words.get(i) {
        let next = words.get(i + 1).copied();
        i += 1;
        if is_ordinal(word) && next.is_some_and(is_floor) {
            out.push(format!("FL {}", plain_id(word)));
            i += 1;
            continue;
        }
        match designator(word).map(|d| d.short) {
            Some("APT" | "UNIT" | "STE" | "#" | "RM") => {}
            Some(short) => out.push(short.to_owned()),
            None => out.push(plain_id(word)),
        }
    }
    out.join(" ")
}

fn plain_id(word: &str) -> String {
    let word = if is_ordinal(word) { word.trim_end_matches(|c: char| c.is_ascii_alphabetic()) } else { word };
    let short = word.trim_start_matches('0');
    if short.is_empty() { word.to_owned() } else { short.to_owned() }
}
