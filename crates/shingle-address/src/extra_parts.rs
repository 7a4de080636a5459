//! What stands in a line beside the address itself: post boxes, numbers for the mail room, the name of a building,
//! words behind the ZIP.

use crate::street::{box_or_route, highway};
use crate::street_end::strong_suffix;
use crate::tables::{direction, is_state, suffix, zip_fits_state};
use crate::token::{Token, has_digit};
use crate::unit::find_unit;

/// Takes post boxes and rural routes out of the words behind a house number; `from` words are left alone.
/// Mail goes there, but the house is the one of the street: `901 Janesville Ave PO Box 901`.
pub(crate) fn drop_boxes(part: &mut Vec<Token>, from: usize) {
    let mut at = from;
    while at < part.len() {
        let words: Vec<&str> = part[at..].iter().map(|t| t.word.as_str()).collect();
        match post_box(&words) {
            Some(used) => drop(part.drain(at..at + used)),
            None => at += 1,
        }
    }
}

/// How many words at the front are a post box: `PO BOX 7`, `LOCKBOX NO 848104`, `POB 7`, `RR 1 BOX 297`.
pub(crate) fn post_box(words: &[&str]) -> Option<usize> {
    let (named, loose) = match words {
        ["PO", "BOX" | "BX" | "DRAWER", ..] | ["LOCK", "BOX", ..] => (2, true),
        ["P", "O", "BOX", ..] | ["POST", "OFFICE", "BOX", ..] => (3, true),
        ["POBOX" | "POB" | "LOCKBOX", ..] => (1, true),
        ["RR" | "RFD" | "HC", number, "BOX", ..] if has_digit(number) => (3, true),
        ["PO" | "BOX" | "LB" | "LBX", ..] => (1, false),
        _ => return None,
    };
    let sign = words[named..].iter().take_while(|w| matches!(**w, "#" | "NO" | "NUMBER")).count();
    let id = words.get(named + sign);
    match id.is_some_and(|w| has_digit(w) || w.len() == 1 && loose) {
        true => Some(named + sign + 1),
        false => None,
    }
}

/// Begins a line that names no house at its box: whoever gets the mail there, and the station, stand before it. Gives a
/// department with its number: `Dept 81 PO Box 7, Harrow`.
pub(crate) fn begin_at_box(parts: &mut Vec<Vec<Token>>) -> Vec<Token> {
    let named = |part: &[Token]| {
        let all: Vec<&str> = part.iter().map(|t| t.word.as_str()).collect();
        (0..all.len()).find(|at| {
            let box_here =
                matches!(&all[*at..], ["PO", "BOX" | "BX", ..] | ["P", "O", "BOX", ..] | ["POBOX" | "POB", ..]);
            box_here && box_or_route(&all[*at..]).is_some()
        })
    };
    let Some((at, start)) = parts.iter().enumerate().find_map(|(at, part)| Some((at, named(part)?))) else {
        // `RR 4, Box 164`
        if let [route, second, ..] = parts.as_slice()
            && second.first().is_some_and(|t| t.word == "BOX")
            && matches!(route.first().map(|t| &*t.word), Some("RR" | "HC" | "RURAL" | "RFD"))
        {
            let second = parts.remove(1);
            parts[0].extend(second);
        }
        return Vec::new();
    };
    parts.drain(..at);
    let before: Vec<Token> = parts[0].drain(..start).collect();
    match before.as_slice() {
        [_, id] if has_digit(&id.word) => before,
        _ => Vec::new(),
    }
}

/// Whoever is to get the mail is no part of the address: `271 Spring St NW Attn: Claims`, `…, c/o Jane Roe, Atlanta`.
pub(crate) fn drop_recipients(parts: &mut Vec<Vec<Token>>) {
    // `Attention` in full may be a street's name, but begins no town's.
    let begins = |token: &Token| matches!(token.word.as_str(), "ATTN" | "C/O");
    if let Some(first) = parts.first_mut()
        && let Some(at) = first.iter().position(begins).filter(|at| *at > 1)
    {
        first.truncate(at);
    }
    let mut is_street = true;
    parts.retain(|part| {
        std::mem::take(&mut is_street) || !part.first().is_some_and(|t| begins(t) || t.word == "ATTENTION")
    });
}

/// Whether the words before a state are a town and no street: `New Iberia, LA 70560`.
pub(crate) fn is_town_alone(words: &[&str]) -> bool {
    !words.is_empty()
        && words.iter().all(|word| !has_digit(word) && *word != "#")
        && strong_suffix(words, 1).is_none()
        && highway(words).is_none()
        && box_or_route(words).is_none()
        && find_unit(words).is_none()
}

/// A town has no digits in its name: how many words before it are a number for the mail room (`Acct # 4398032`,
/// `Lockbox 848104`).
pub(crate) fn numbers_before_a_town(words: &[&str]) -> usize {
    if let ["29", "PALMS"] = words {
        return 0;
    }
    words.iter().rposition(|w| has_digit(w)).map_or(0, |at| at + 1)
}

/// How many words of a street that a comma ends are the street, when the name of a building follows it:
/// `Lambert St Steeple Townhomes`.
pub(crate) fn street_before_a_building(words: &[&str]) -> usize {
    let all = words.len();
    let from = usize::from(words.first().is_some_and(|w| direction(w).is_some()));
    let Some(at) = strong_suffix(words, from + 1) else { return all };
    let road = |w: &str| suffix(w).is_some_and(|s| matches!(s.short, "ST" | "AVE" | "RD" | "DR" | "BLVD"));
    let postdir = usize::from(words.get(at + 1).is_some_and(|w| direction(w).is_some()));
    let end = at + 1 + postdir;
    let behind = words.get(end..).unwrap_or_default();
    let named = behind.len() > 1
        && road(words[at])
        && behind.iter().all(|w| w.bytes().all(|b| b.is_ascii_alphabetic()))
        && !matches!(behind[0], "OF" | "DE" | "DEL" | "LA" | "AND" | "AT" | "TO")
        && behind.last().is_some_and(|w| {
            direction(w).is_none() && suffix(w).is_none_or(|s| !s.strong || matches!(s.short, "CMNS" | "CV"))
        });
    if named { end } else { all }
}

/// Words behind state and ZIP are no part of the address: `Columbia MO 65202 Ballenger Propane Inc`.
pub(crate) fn drop_behind_zip(part: &mut Vec<Token>) {
    let digits = |w: &str| w.bytes().all(|b| b.is_ascii_digit());
    let zip = (2..part.len().saturating_sub(1)).find(|at| {
        let (state, zip) = (&part[at - 1].word, &part[*at].word);
        zip.len() == 5 && digits(zip) && is_state(state) && zip_fits_state(zip, state)
    });
    if let Some(at) = zip.filter(|at| part[at + 1..].iter().all(|t| !has_digit(&t.word))) {
        part.truncate(at + 1);
    }
}
