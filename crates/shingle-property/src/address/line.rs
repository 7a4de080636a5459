//! One-line addresses: which words are the street, the unit, the town, the state and the ZIP.

use shingle_domain::{Address, State, Zip};

use super::street::highway;
use super::tables::{direction, is_state, state_by_name, suffix, zip_fits_state};
use super::token::{Token, has_digit, is_fraction, is_house_number, is_ordinal, segments};
use super::unit::{UnitSpan, find_unit, is_unit};
use super::{Normalized, city_of, number_of, street_words};

/// A line taken apart: in its normal form, and as it was typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ParsedLine {
    pub normalized: Normalized,
    pub street_number: String,
    /// The street with its unit.
    pub street_address: String,
    pub city: String,
    pub state: Option<State>,
    pub zip: Option<Zip>,
}

impl ParsedLine {
    /// The five parts, when the line has them all.
    pub fn address(&self) -> Option<Address> {
        (!self.street_address.is_empty() && !self.city.is_empty()).then_some(())?;
        Some(Address {
            street_number: self.street_number.clone(),
            street_address: self.street_address.clone(),
            city: self.city.clone(),
            state: self.state?,
            zip: self.zip?,
        })
    }
}

/// Reads a one-line address. City, state and ZIP may be missing; anything else gives what could be read.
pub fn parse_line(line: &str) -> ParsedLine {
    parse_cut(line, None).0
}

/// Other ways to read a line in which no comma tells where the town begins.
pub(crate) fn other_readings(line: &str) -> Vec<Normalized> {
    let Some(guess) = parse_cut(line, None).1 else { return Vec::new() };
    let cuts = (1..guess.words.min(10)).filter(|cut| *cut != guess.street);
    cuts.map(|cut| parse_cut(line, Some(cut)).0.normalized).collect()
}

/// Of so many words, so many were taken for the street, the rest for the town.
struct Guess {
    street: usize,
    words: usize,
}

/// With `cut`, that many words are the street of a line without commas.
fn parse_cut(line: &str, cut: Option<usize>) -> (ParsedLine, Option<Guess>) {
    let mut parts = segments(line);
    drop_country(&mut parts);
    let zip = take_zip(&mut parts);
    let state = take_state(&mut parts, zip);
    let known_region = zip.is_some() || state.is_some();
    let number_alone = parts.len() > 1 && parts[0].len() == 1 && is_house_number(&parts[0][0].word);
    if number_alone {
        let second = parts.remove(1);
        parts[0].extend(second);
    } else if parts.len() > 1 && !has_number(&parts[0]) && has_number(&parts[1]) && !is_unit(&words(&parts[1])) {
        // A name before the address: `Jane Roe, 14 Alder Ct, Portland`.
        parts.remove(0);
    }
    let mut unit: Vec<Token> = Vec::new();
    let mut city: Vec<Token> = Vec::new();
    for part in parts.iter().skip(1) {
        if is_unit(&words(part)) {
            unit.extend(part.iter().cloned());
        } else {
            city.clone_from(part);
        }
    }
    let mut first = parts.into_iter().next().unwrap_or_default();
    let number_len = number_length(&words(&first));
    let mut street = first.split_off(number_len);
    let mut guess = None;
    let number = first;
    if let Some(UnitSpan { start, end }) = find_unit(&words(&street)) {
        let after = street.split_off(end);
        let inline = street.split_off(start);
        unit.splice(0..0, inline);
        if !after.is_empty() {
            if city.is_empty() { city = after } else { unit.extend(after) }
        }
    } else if city.is_empty() {
        let all = street.len();
        let end = cut.unwrap_or_else(|| street_length(&words(&street), known_region)).min(street.len());
        city = street.split_off(end);
        guess = Some(Guess { street: end, words: all });
        if let [id, rest @ ..] = city.as_slice()
            && has_digit(&id.word)
            && unit.is_empty()
        {
            // `14 Alder Ct 3`
            unit.push(id.clone());
            city = rest.to_vec();
        }
    }
    let street_parts = super::street::parse_street(&street_words(&street));
    let normalized = Normalized {
        number: number_of(&words(&number)),
        predir: street_parts.predir,
        name: street_parts.name,
        suffix: street_parts.suffix,
        postdir: street_parts.postdir,
        unit: super::unit::unit_of(&words(&unit)),
        city: city_of(&words(&city)),
        state,
        zip,
    };
    street.extend(unit);
    let (street_number, street_address, city) = (raw(&number), raw(&street), raw(&city));
    (ParsedLine { normalized, street_number, street_address, city, state, zip }, guess)
}

pub(crate) fn words(tokens: &[Token]) -> Vec<&str> {
    tokens.iter().map(|t| t.word.as_str()).collect()
}

fn raw(tokens: &[Token]) -> String {
    tokens.iter().map(|t| t.raw.as_str()).collect::<Vec<_>>().join(" ")
}

fn has_number(part: &[Token]) -> bool {
    number_length(&words(part)) > 0
}

/// How many words at the front are the house number.
pub(crate) fn number_length(words: &[&str]) -> usize {
    match words {
        [first, rest @ ..] if is_house_number(first) => match rest {
            [] => 1,
            [second, ..] if is_fraction(second) => 2,
            // Wisconsin's grid in two words: `N165 W2123`.
            [second, third, ..]
                if first.starts_with(['N', 'S'])
                    && second.starts_with(['E', 'W'])
                    && second[1..].bytes().all(|b| b.is_ascii_digit())
                    && second.len() > 1
                    && !is_house_number_only(third) =>
            {
                2
            }
            _ => 1,
        },
        _ => 0,
    }
}

fn is_house_number_only(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_digit())
}

fn drop_country(parts: &mut Vec<Vec<Token>>) {
    let Some(last) = parts.last_mut() else { return };
    let drop = match words(last).as_slice() {
        [.., "UNITED", "STATES"] => 2,
        [.., "USA"] => 1,
        ["US"] => 1,
        _ => 0,
    };
    last.truncate(last.len() - drop);
    if last.is_empty() {
        parts.pop();
    }
}

fn take_zip(parts: &mut Vec<Vec<Token>>) -> Option<Zip> {
    let count: usize = parts.iter().map(Vec::len).sum();
    let last = parts.last_mut()?;
    let digits = |w: &str, n: usize| w.len() == n && w.bytes().all(|b| b.is_ascii_digit());
    let (zip, used) = match words(last).as_slice() {
        [.., zip, four] if digits(zip, 5) && digits(four, 4) && count > 2 => (Zip::parse(zip)?, 2),
        [.., zip] if digits(zip, 5) || digits(zip, 9) => (Zip::parse(&zip[..5])?, 1),
        [.., zip] => {
            let (five, four) = zip.split_once('-')?;
            (digits(five, 5) && digits(four, 4)).then_some(())?;
            (Zip::parse(five)?, 1)
        }
        [] => return None,
    };
    if count <= used && count > 0 {
        // A number alone is a house, not a town.
        return None;
    }
    last.truncate(last.len() - used);
    if last.is_empty() {
        parts.pop();
    }
    Some(zip)
}

fn take_state(parts: &mut Vec<Vec<Token>>, zip: Option<Zip>) -> Option<State> {
    let several = parts.len() > 1;
    let last = parts.last_mut()?;
    let all = words(last);
    let whole = all.join(" ");
    let (code, used) = if several && (is_state(&whole) || state_by_name(&whole).is_some()) {
        (state_by_name(&whole).unwrap_or(&whole).to_owned(), all.len())
    } else {
        trailing_state(&all, several, zip)?
    };
    let state = State::parse(&code)?;
    last.truncate(last.len() - used);
    if last.is_empty() {
        parts.pop();
    }
    Some(state)
}

fn trailing_state(all: &[&str], several: bool, zip: Option<Zip>) -> Option<(String, usize)> {
    let (last, before) = all.split_last()?;
    // In a line without commas a word that could be something else is a state only behind a street and a town.
    let street_and_town = |words: &[&str]| {
        let street = strong_suffix(words, 1);
        street.is_some_and(|at| at + 1 < words.len()) || find_unit(words).is_some_and(|u| u.end < words.len())
    };
    if is_state(last) {
        let doubtful = suffix(last).is_some() || direction(last).is_some();
        let settled_by_zip = zip.is_some_and(|z| zip_fits_state(z.as_str(), last));
        let enough = if doubtful {
            several || street_and_town(before) || settled_by_zip && before.len() > 2
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
            && (several && start > 0 || street_and_town(&all[..start]))
        {
            return Some((code.to_owned(), used));
        }
    }
    None
}

/// The first suffix that hardly ever is part of a name, at or after `from`, with the run that follows it
/// (`187th Street Crt`).
fn strong_suffix(words: &[&str], from: usize) -> Option<usize> {
    let strong = |at: usize| words.get(at).and_then(|w| suffix(w)).is_some_and(|s| s.strong);
    let mut at = (from..words.len()).find(|at| strong(*at) && !saint(words, *at))?;
    while strong(at + 1) && words[at + 1] != "ST" {
        at += 1;
    }
    Some(at)
}

/// `St Clair Ave`: a saint, not a street.
fn saint(words: &[&str], at: usize) -> bool {
    words[at] == "ST"
        && at <= 1
        && words.get(at + 1).is_some_and(|w| suffix(w).is_none() && direction(w).is_none())
        && {
            let start = usize::from(direction(words[0]).is_some());
            at == start
        }
}

/// How many words of a line without commas are the street; the rest is the town.
fn street_length(words: &[&str], known_region: bool) -> usize {
    let predir = words.len() > 1 && direction(words[0]).is_some();
    let from = usize::from(predir);
    if let Some((_, used)) = highway(&words[from.min(words.len())..]) {
        let mut end = from + used;
        if matches!(words.get(end), Some(&("BUSINESS" | "BUS" | "BYPASS" | "ALT"))) {
            end += 1;
        }
        return with_postdir(words, end, predir, true);
    }
    if words.get(from) == Some(&"BROADWAY") {
        let mut end = from + 1;
        if words.get(end).and_then(|w| suffix(w)).is_some_and(|s| s.strong) {
            end += 1;
        }
        return with_postdir(words, end, predir, false);
    }
    let strong = strong_suffix(words, from + 1).or_else(|| strong_suffix(words, from.max(1)));
    let weak = || (from + 1..words.len()).find(|at| suffix(words[*at]).is_some());
    let found = if known_region { strong.or_else(weak) } else { strong };
    match found {
        Some(at) => {
            let numbered = words.get(from).is_some_and(|w| is_ordinal(w));
            with_postdir(words, at + 1, predir, numbered)
        }
        None if known_region && words.len() > from + 1 => {
            // `123 Maple Rochester, New York`: no suffix, no comma; the last word (or two) is the town.
            let two = words.len() > from + 2 && starts_a_town(words[words.len() - 2]);
            words.len() - if two { 2 } else { 1 }
        }
        None => words.len(),
    }
}

/// A direction behind the street belongs to it when nothing follows, when it is written short and the street
/// has none before its name, or when the street is a numbered one; else it begins the town (`North Palm Beach`).
fn with_postdir(words: &[&str], end: usize, predir: bool, numbered: bool) -> usize {
    let Some((found, short)) = words.get(end).and_then(|w| direction(w)) else { return end };
    let last = end + 1 == words.len();
    let belongs = last || (short && found.len() == 2) || (!predir && (short || numbered));
    if belongs { end + 1 } else { end }
}

fn starts_a_town(word: &str) -> bool {
    matches!(
        word,
        "SAN"
            | "SANTA"
            | "NEW"
            | "FORT"
            | "FT"
            | "SAINT"
            | "ST"
            | "LOS"
            | "LAS"
            | "EL"
            | "LA"
            | "PORT"
            | "LAKE"
            | "MOUNT"
            | "MT"
            | "NORTH"
            | "SOUTH"
            | "EAST"
            | "WEST"
            | "GRAND"
            | "LITTLE"
            | "BATON"
            | "DES"
            | "DEL"
            | "OLD"
    )
}
