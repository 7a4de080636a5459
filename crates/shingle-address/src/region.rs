//! The end of a line: country, ZIP and state.

use shingle_domain::{State, Zip};

use crate::number::number_length;
use crate::ordinals::ordinal_unit;
use crate::street_end::strong_suffix;
use crate::tables::{direction, is_state, state_by_name, suffix, zip_fits_state};
use crate::token::{Token, is_ordinal, words};
use crate::unit::{find_unit, is_unit};

type Segments = Vec<Vec<Token>>;

/// Takes words off the end of the last part.
fn take(parts: &mut Segments, count: usize) {
    if let Some(last) = parts.last_mut() {
        last.truncate(last.len() - count);
        if last.is_empty() {
            parts.pop();
        }
    }
}

pub(crate) fn drop_country(parts: &mut Segments) {
    // `United States US`
    while drop_one_country(parts) {}
}

fn drop_one_country(parts: &mut Segments) -> bool {
    let Some(last) = parts.last() else { return false };
    let zip = |w: &str| w.len() >= 5 && w.starts_with(|c: char| c.is_ascii_digit());
    let drop = match words(last).as_slice() {
        [.., "UNITED", "STATES", "OF", "AMERICA"] => 4,
        [.., "UNITED", "STATES"] => 2,
        [.., "USA"] => 1,
        [.., before, "US"] if zip(before) => 1,
        ["US"] | [.., "STATES" | "AMERICA", "US"] => 1,
        _ => 0,
    };
    let dropped = drop > 0 && drop < parts.iter().map(Vec::len).sum();
    if dropped {
        take(parts, drop);
    }
    dropped
}

pub(crate) fn take_zip(parts: &mut Segments) -> Option<Zip> {
    let count: usize = parts.iter().map(Vec::len).sum();
    let digits = |w: &str| w.bytes().all(|b| b.is_ascii_digit());
    if let [.., "BOX", _] | [.., "BOX", "#", _] = words(parts.last()?).as_slice() {
        return None;
    }
    let (zip, used) = match words(parts.last()?).as_slice() {
        [.., zip, four] if zip.len() == 5 && digits(zip) && four.len() == 4 && digits(four) && count > 2 => {
            (Zip::parse(zip), 2)
        }
        [.., zip] if (zip.len() == 5 || zip.len() == 9) && digits(zip) => (Zip::parse(&zip[..5]), 1),
        // A zero lost in a spreadsheet, or too many digits: accepted where they fit the state.
        [.., state, zip] if count > 3 && is_state(state) && digits(zip) && zip.len() > 2 => {
            let five = if zip.len() < 5 { format!("{zip:0>5}") } else { zip[..5].to_owned() };
            (Zip::parse(&five).filter(|_| zip_fits_state(&five, state)), 1)
        }
        [before @ .., zip] => {
            let (five, four) = zip.split_once('-')?;
            (digits(five) && four.len() == 4 && digits(four)).then_some(())?;
            // `CA 9151-2100` is a ZIP, but nobody can say which.
            let unknown = five.len() == 4 && before.last().is_some_and(|w| is_state(w));
            (five.len() == 5 || unknown).then_some(())?;
            (Zip::parse(five), 1)
        }
        [] => return None,
    };
    // A number alone is a house, not a town.
    if count <= used {
        return None;
    }
    take(parts, used);
    zip
}

/// Takes the words of a state's name together that a comma parted: `Rochester, New, York`.
fn join_state(parts: &mut Segments) {
    if let [.., before, last] = parts.as_slice()
        && let [first] = words(before).as_slice()
        && state_by_name(&format!("{first} {}", words(last).join(" "))).is_some()
        && let Some(last) = parts.pop()
        && let Some(before) = parts.last_mut()
    {
        before.extend(last);
    }
}

/// The state of a line that says it before the town: `Unit 17, CA Long Beach 90807`. `town` is what is there for the
/// town.
pub(crate) fn state_before_town(town: &mut Vec<Token>, zip: Option<Zip>) -> Option<State> {
    let [state, _, ..] = town.as_slice() else { return None };
    let state = State::parse(&state.word).filter(|s| zip.is_some_and(|z| zip_fits_state(z.as_str(), s.as_str())))?;
    town.remove(0);
    Some(state)
}

pub(crate) fn take_state(parts: &mut Segments, zip: Option<Zip>) -> Option<State> {
    join_state(parts);
    let several = parts.len() > 1;
    let all = words(parts.last()?);
    let whole = all.join(" ");
    // `1180 Peachtree Street, NE` is in no town yet, and not in Nebraska; nor is `Suite 5, 1180 Peachtree Street, NE`.
    let behind_street = |before: &[&str]| {
        number_length(before) > 0 && strong_suffix(before, 1).is_some_and(|at| at + 1 == before.len())
    };
    if let [.., before, _] = parts.as_slice()
        && (parts.len() == 2 || behind_street(&words(before)))
        && direction(&whole).is_some()
        && !zip.is_some_and(|z| zip_fits_state(z.as_str(), &whole))
    {
        return None;
    }
    // `100 5th Ave, New York`: behind a street stands its town.
    if parts.len() == 2
        && zip.is_none()
        && matches!(whole.as_str(), "NEW YORK" | "WASHINGTON")
        && (behind_street(&words(&parts[0])) || words(&parts[0]).contains(&"BROADWAY"))
    {
        return None;
    }
    let (code, used) = if several && (is_state(&whole) || state_by_name(&whole).is_some()) {
        (state_by_name(&whole).unwrap_or(&whole).to_owned(), all.len())
    } else {
        trailing_state(&all, several, zip)?
    };
    let state = State::parse(&code)?;
    take(parts, used);
    // `Roswell, Georgia, GA`; but `Apt 4, New York, NY` is a town.
    if let [.., before, last] = parts.as_slice() {
        let last = words(last);
        let whole = last.join(" ");
        let town_before = parts.len() > 2 && !is_unit(&words(before)) && number_length(&words(before)) == 0;
        if (whole == code && (town_before || code != "NY"))
            || (town_before && state_by_name(&whole) == Some(code.as_str()))
        {
            parts.pop();
        } else if last.len() > 1 && last.last().is_some_and(|w| *w == code && direction(w).is_none()) {
            take(parts, 1);
        }
    }
    Some(state)
}

fn trailing_state(all: &[&str], several: bool, zip: Option<Zip>) -> Option<(String, usize)> {
    let (last, before) = all.split_last()?;
    // In a line without commas a word that could be something else is a state only behind a street and a town.
    let street_and_town = |words: &[&str]| {
        let street = strong_suffix(words, 1);
        // `55 West 10th Denver Colorado`
        let numbered = words[1.min(words.len())..].windows(2).any(|w| is_ordinal(w[0]) && suffix(w[1]).is_none());
        street.is_some_and(|at| at + 1 < words.len())
            || numbered
            || find_unit(words).is_some_and(|u| u.end < words.len())
    };
    let fits = |code: &str| zip.is_some_and(|z| zip_fits_state(z.as_str(), code));
    let floor = *last == "FL" && before.last().is_some_and(|w| is_ordinal(w) || ordinal_unit(w).is_some());
    if is_state(last) && (!floor || fits(last)) {
        // `Butternut La` is a lane.
        let doubtful = suffix(last).is_some() || direction(last).is_some() || *last == "LA";
        let enough = if doubtful {
            let is_spanish = |w: &&str| matches!(*w, "CALLE" | "AVENIDA" | "CAMINO" | "PASEO" | "CARR" | "URB");
            let in_puerto_rico = *last == "PR" && before.len() > 2 && before.iter().any(is_spanish);
            several || street_and_town(before) || fits(last) && before.len() > 2 || in_puerto_rico
        } else {
            before.len() > 1 || several
        };
        if enough {
            return Some(((*last).to_owned(), 1));
        }
    }
    for used in [3, 2, 1] {
        let Some(start) = all.len().checked_sub(used) else { continue };
        if let Some(code) = state_by_name(&all[start..].join(" "))
            && (several && start > 0 || street_and_town(&all[..start]) || start > 3 && fits(code))
        {
            return Some((code.to_owned(), used));
        }
    }
    None
}
