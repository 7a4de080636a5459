//! What stands in a line beside the address itself: post boxes, numbers for the mail room, the name of a building,
//! words behind the ZIP.

use crate::number::lettered_number;
use crate::place::{begins_a_place, may_be_a_place, place_before_a_street};
use crate::street::{box_or_route, highway};
use crate::street_end::{begins_a_name, strong_suffix, town_length, town_of_the_compass};
use crate::tables::{Suffix, designator, direction, is_state, suffix, zip_fits_state};
use crate::token::{self, Token, has_digit};
use crate::unit::{find_unit, is_unit, leading_unit};

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

/// Begins a line that names no house at its box: the recipient, and the station, precede it. Gives a
/// department with its number: `Dept 81 PO Box 7, Harrow`.
pub(crate) fn begin_at_box(parts: &mut Vec<Vec<Token>>) -> Vec<Token> {
    // `RR 4, Box 164`
    if let [route, second, ..] = parts.as_slice()
        && second.first().is_some_and(|t| t.word == "BOX")
        && matches!(route.first().map(|t| &*t.word), Some("RR" | "R" | "HC" | "RURAL" | "RFD" | "ROUTE" | "RTE" | "RT"))
    {
        let second = parts.remove(1);
        parts[0].extend(second);
    }
    let found = |begins: fn(&[&str]) -> bool| {
        parts.iter().enumerate().find_map(|(at, part)| {
            let all: Vec<&str> = part.iter().map(|t| t.word.as_str()).collect();
            if box_or_route(&all).is_some() && !matches!(all[0], "BOX" | "DRAWER") {
                return Some((at, 0));
            }
            let start = (0..all.len()).find(|at| begins(&all[*at..]) && box_or_route(&all[*at..]).is_some());
            start.map(|start| (at, start))
        })
    };
    let Some((at, start)) = found(is_post_box).or_else(|| found(is_lock_box)) else {
        if let Some(Some(before)) = parts.first().map(|part| department(part)) {
            return parts[0].drain(..before).collect();
        }
        return Vec::new();
    };
    parts.drain(..at);
    let before: Vec<Token> = parts[0].drain(..start).collect();
    let named = before.first().is_some_and(|t| t.word != "CUSTOMER");
    match before.as_slice() {
        [_, id] if has_digit(&id.word) && named => before,
        [_, sign, id]
            if (matches!(&*sign.word, "#" | "NUMBER") || is_letters_of_an_id(&sign.word))
                && has_digit(&id.word)
                && named =>
        {
            before
        }
        _ => Vec::new(),
    }
}

/// How many words at the front are a department where no house follows, but a town, a box or nothing: `Dept CH 14210 Harrow`.
pub(crate) fn department_alone(words: &[&str]) -> usize {
    let id = match words {
        ["DEPT" | "DEPARTMENT", "#" | "NO" | "NUMBER", id, ..] if has_digit(id) => 3,
        ["DEPT" | "DEPARTMENT", letters, id, ..] if is_letters_of_an_id(letters) && has_digit(id) => 3,
        ["DEPT" | "DEPARTMENT", id, ..] if has_digit(id) => 2,
        _ => return 0,
    };
    let rest = &words[id..];
    if rest.is_empty() || is_town_alone(rest) || box_or_route(rest).is_some() { id } else { 0 }
}

fn is_letters_of_an_id(word: &str) -> bool {
    word.len() < 4 && word.bytes().all(|b| b.is_ascii_alphabetic())
}

fn is_post_box(words: &[&str]) -> bool {
    matches!(words, ["PO", "BOX" | "BX", ..] | ["P", "O", "BOX", ..] | ["POBOX" | "POB", ..])
}

fn is_lock_box(words: &[&str]) -> bool {
    matches!(words, ["LOCK", "BOX", ..] | ["LOCKBOX" | "LBX", ..])
}

/// How many words before a box are a department: `Department 1480 Box 4110`.
fn department(part: &[Token]) -> Option<usize> {
    let all: Vec<&str> = part.iter().map(|t| t.word.as_str()).collect();
    match all.as_slice() {
        ["DEPT" | "DEPARTMENT", number, "BOX", ..] if has_digit(number) => Some(2),
        ["DEPT" | "DEPARTMENT", "#" | "NO" | "NUMBER", number, "BOX", ..] if has_digit(number) => Some(3),
        _ => None,
    }
}

/// The recipient is not part of the address: `271 Spring St NW Attn: Claims`, `…, c/o Jane Roe, Atlanta`.
/// Where a region follows, a town precedes it: `6000 Feldwood Rd Attn Lockbox 402605 College Park`.
pub(crate) fn drop_recipients(parts: &mut Vec<Vec<Token>>, known_region: bool) {
    // `Attention` in full may be a street's name, but begins no town's.
    let begins = |token: &Token| matches!(token.word.as_str(), "ATTN" | "C/O");
    let alone = parts.len() == 1;
    if let Some(first) = parts.first_mut()
        && let Some(at) = first.iter().position(begins).filter(|at| *at > 1)
    {
        let words: Vec<&str> = first.iter().map(|t| t.word.as_str()).collect();
        let named = at + 1 + numbers_before_a_town(&words[at + 1..]);
        let town = match words.len() - named {
            0 => 0,
            // Only who gets the mail, or only a town.
            1 => usize::from(named > at + 1),
            all if named > at + 1 => all,
            _ => town_length(&words[named..], 0),
        };
        let town = if alone && known_region { first.split_off(first.len() - town) } else { Vec::new() };
        first.truncate(at);
        if !town.is_empty() {
            parts.push(town);
        }
    }
    let mut is_street = true;
    parts.retain(|part| {
        std::mem::take(&mut is_street) || !part.first().is_some_and(|t| begins(t) || t.word == "ATTENTION")
    });
    // `14 Alder Ct, Apt 3 c/o Jane Roe, Portland`
    let last = parts.len().saturating_sub(1);
    for part in parts.iter_mut().take(last).skip(1) {
        part.truncate(part.iter().position(begins).unwrap_or(part.len()));
    }
}

/// Where the house number is in a part that begins with a building and its own number: `1 Lincoln Ctr 5400 LBJ Fwy`.
pub(crate) fn number_behind_a_building(words: &[&str]) -> Option<usize> {
    (3..words.len().saturating_sub(1)).find(|at| {
        let street = &words[at + 1..];
        (names_a_building(words[at - 1]) || words[at - 1] == "STATION")
            && words[*at].bytes().all(|b| b.is_ascii_digit())
            && strong_suffix(&words[..*at], 1).is_none()
            && strong_suffix(street, 1).is_some()
    })
}

/// Whether a part may be a name that begins with a number, if a street follows: `30 Allen Plaza`, `3 Guys Pizza`.
pub(crate) fn is_numbered_name(words: &[&str]) -> bool {
    words.len() > 2
        && has_digit(words[0])
        && strong_suffix(words, 1).is_none()
        && words[1..].iter().all(|w| !has_digit(w) && direction(w).is_none())
}

pub(crate) fn names_a_building(word: &str) -> bool {
    matches!(word, "CENTER" | "CENTRE" | "CTR" | "PLAZA" | "PLZ" | "TOWER" | "TWR" | "BUILDING" | "BLDG")
}

/// Whether words behind a street are a building with a number of its own: `400 Fenwick Square`.
pub(crate) fn is_numbered_building(words: &[&str]) -> bool {
    let [number, .., last] = words else { return false };
    words.len() > 2
        && number.bytes().all(|b| b.is_ascii_digit())
        && (names_a_building(last) || matches!(*last, "SQUARE" | "SQ" | "PLACE" | "PL"))
}

/// How many words before a town are the name of a building or of an office in it: `Dorrance Bldg Camden`.
pub(crate) fn building_before_a_town(words: &[&str]) -> usize {
    let ends = |at: usize| match words[at] {
        "BLDG" | "BLG" | "BUILDING" | "TWR" | "DIVISION" | "SECTION" | "DEPARTMENT" | "DEPT" | "COMPLEX"
        | "APARTMENTS" | "CONDOMINIUMS" | "TOWNHOMES" | "HALL" | "ESTATES" | "SUBDIVISION" => true,
        "PARK" => matches!(words[at - 1], "INDUSTRIAL" | "OFFICE" | "BUSINESS"),
        _ => false,
    };
    (1..words.len().saturating_sub(1)).rev().find(|at| ends(*at)).map_or(0, |at| at + 1)
}

/// Whether a letter before these words is a unit, and no part of a town's name as in `O Fallon`.
pub(crate) fn is_letter_before_a_town(words: &[&str]) -> bool {
    let [letter, next, ..] = words else { return false };
    let of_a_name = match *letter {
        "O" => matches!(*next, "FALLON" | "BRIEN" | "NEILL" | "NEALS" | "KEAN" | "DONNELL"),
        "D" => matches!(*next, "HANIS" | "LO" | "IBERVILLE"),
        "L" => *next == "ANSE",
        _ => false,
    };
    letter.len() == 1 && letter.bytes().all(|b| b.is_ascii_uppercase()) && direction(letter).is_none() && !of_a_name
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

/// Whether words that end with digits are a town with the code of another country: `HAWTHORN NSW 2043`, `BATH BA1 1AA`.
pub(crate) fn names_a_town(words: &[&str]) -> bool {
    let plain = |w: &&&str| w.len() > 1 && w.bytes().all(|b| b.is_ascii_alphabetic());
    let mixed = |w: &str| has_digit(w) && w.len() < 5 && w.bytes().any(|b| b.is_ascii_alphabetic());
    let coded = match words {
        [.., area, place] if mixed(area) && mixed(place) => true,
        [.., code] => code.len() == 4 && code.bytes().all(|b| b.is_ascii_digit()),
        [] => false,
    };
    let named = words.iter().filter(plain).count();
    (named > 1 || named == 1 && coded) && words.iter().all(|w| designator(w).is_none())
}

/// How many words of a street that a comma ends are the street, when the name of a building follows it:
/// `Lambert St Steeple Townhomes`.
pub(crate) fn street_before_a_building(words: &[&str]) -> usize {
    let all = words.len();
    let from = usize::from(words.first().is_some_and(|w| direction(w).is_some()));
    let Some(at) = strong_suffix(words, from + 1) else { return all };
    let road = |w: &str| suffix(w).is_some_and(|s| matches!(s.short, "ST" | "AVE" | "RD" | "DR" | "BLVD"));
    let postdir = usize::from(words.get(at + 1).is_some_and(|w| direction(w).is_some()));
    let quarter = postdir == 1 && words[at + 1].len() == 2;
    if postdir == 1
        && !quarter
        && words.get(at + 2).is_some_and(|w| matches!(*w, "TOWER" | "TWR" | "WING" | "BLDG" | "BUILDING"))
    {
        // `Main St North Tower`
        return at + 1;
    }
    let end = at + 1 + postdir;
    let behind = words.get(end..).unwrap_or_default();
    // `Peachtree Rd NE Tower Place`
    let named = behind.len() > 1
        && road(words[at])
        && behind.iter().all(|w| w.bytes().all(|b| b.is_ascii_alphabetic()))
        && !matches!(behind[0], "OF" | "DE" | "DEL" | "LA" | "AND" | "AT" | "TO")
        && behind.last().is_some_and(|w| {
            let other = |s: Suffix| !s.strong || matches!(s.short, "CMNS" | "CV") || quarter && s.short == "PL";
            direction(w).is_none() && suffix(w).is_none_or(other)
        });
    if named { end } else { all }
}

/// `617-555-0100` is nobody's house.
pub(crate) fn drop_telephone(parts: &mut Vec<Vec<Token>>) {
    let is_telephone = |word: &str| {
        word.len() == 12
            && word.bytes().enumerate().all(|(at, b)| if at == 3 || at == 7 { b == b'-' } else { b.is_ascii_digit() })
    };
    if parts.iter().flatten().any(|t| is_telephone(&t.word)) {
        parts.iter_mut().for_each(|part| part.retain(|t| !is_telephone(&t.word)));
        parts.retain(|part| !part.is_empty());
    }
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

/// A suite that follows the ZIP goes before the town: `14 Alder Ct, Harrow, OH 43099 Suite 5`.
pub(crate) fn unit_behind_zip(parts: &mut Vec<Vec<Token>>) {
    let digits = |w: &str| w.bytes().all(|b| b.is_ascii_digit());
    let is_zip = |t: &Token| t.word.len() == 5 && digits(&t.word) || t.word.len() == 10 && t.word.as_bytes()[5] == b'-';
    let announced = |part: &[Token]| {
        let all: Vec<&str> = part.iter().map(|t| t.word.as_str()).collect();
        !all.is_empty() && designator(all[0]).is_some() && leading_unit(&all) == all.len()
    };
    let Some(last) = parts.last_mut() else { return };
    let behind = last.iter().rposition(is_zip).filter(|at| *at > 0 && announced(&last[at + 1..]));
    let unit = match behind {
        Some(at) => last.split_off(at + 1),
        None if parts.len() > 2 && announced(&parts[parts.len() - 1]) => {
            let before = &parts[parts.len() - 2];
            if !before.last().is_some_and(is_zip) {
                return;
            }
            parts.pop().unwrap_or_default()
        }
        None => return,
    };
    if let [only] = parts.as_mut_slice() {
        // Without commas the town is found behind the street: the unit goes to the front.
        only.splice(0..0, unit);
    } else {
        parts.insert(1, unit);
    }
}

/// Takes a named place that precedes the house number: `Urb Las Lomas, 123 Calle 5`, `Urb Las Lomas 123 Calle 5`.
pub(crate) fn leading_place(parts: &mut Vec<Vec<Token>>, in_puerto_rico: bool) -> Vec<Token> {
    let all = |part: &[Token]| part.iter().map(|t| t.word.clone()).collect::<Vec<_>>();
    let Some(first) = parts.first() else { return Vec::new() };
    let first = all(first);
    let first: Vec<&str> = first.iter().map(String::as_str).collect();
    let before = place_before_a_street(&first, in_puerto_rico);
    if before > 0 {
        return parts[0].drain(..before).collect();
    }
    let marked = first.first().is_some_and(|word| begins_a_place(word, in_puerto_rico));
    let named = in_puerto_rico && may_be_a_place(&parts[0]) && designator(first[0]).is_none();
    // Other names may be of people and companies.
    let named = named || matches!(first.last(), Some(&("ESTATES" | "ESTS" | "SUBDIVISION" | "SUBD" | "MHP")));
    let followed = parts.get(1).is_some_and(|second| {
        second.len() > 1 && (has_digit(&second[0].word) || lettered_number(&token::words(second)))
    });
    if (marked || named) && followed { parts.remove(0) } else { Vec::new() }
}

/// A letter of the compass behind a unit's number and before a town that begins with no direction: `Unit 8 E San Francisco`.
pub(crate) fn letter_of_unit(town: &mut Vec<Token>) -> Option<Token> {
    let all: Vec<&str> = town.iter().map(|t| t.word.as_str()).collect();
    let (first, rest) = all.split_first()?;
    let is_letter = first.len() == 1 && direction(first).is_some();
    (is_letter && begins_a_name(rest) && !town_of_the_compass(first, rest)).then(|| town.remove(0))
}

/// A unit of letters and digits before the part with the house number: `A3-418, 20 Alder Ct`.
pub(crate) fn lettered_unit_first(parts: &mut Vec<Vec<Token>>) -> Vec<Token> {
    let words = |part: &[Token]| part.iter().map(|t| t.word.clone()).collect::<Vec<_>>();
    let [first, second, ..] = parts.as_slice() else { return Vec::new() };
    let (unit, street) = (words(first), words(second));
    let unit: Vec<&str> = unit.iter().map(String::as_str).collect();
    let has_house = street.len() > 2 && street[0].starts_with(|c: char| c.is_ascii_digit());
    let is_lettered =
        unit[0].starts_with(|c: char| c.is_ascii_alphabetic() || c == '#') && unit.iter().any(|w| has_digit(w));
    if has_house && is_lettered && is_unit(&unit) { parts.remove(0) } else { Vec::new() }
}
