//! Secondary units: `Apt 3`, `# 3`, `3rd Floor`, `Rear`, `C-5`.

use crate::number::number_word;
use crate::ordinals::ordinal_unit;
use crate::tables::{Designator, designator, direction, suffix};
use crate::token::{has_digit, is_fraction, is_ordinal};

/// Where a unit stands among the words of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnitSpan {
    pub start: usize,
    pub end: usize,
}

/// Finds the first unit. At least one word of street must come before it.
pub fn find_unit(words: &[&str]) -> Option<UnitSpan> {
    for at in 1..words.len() {
        if let Some(len) = unit_at(words, at, false) {
            let start = if is_floor(words[at]) && names_a_floor(words[at - 1]) { at - 1 } else { at };
            if start == 0 {
                continue;
            }
            // `Bldg 2 Apt 3`
            let end = at + len + more_ids(&words[at + len..]);
            return Some(UnitSpan { start, end: end + leading_unit(&words[end..]) });
        }
    }
    None
}

/// How many words at the front of a part are units: `Suite 100 Marietta` begins with two such words.
pub fn leading_unit(words: &[&str]) -> usize {
    let mut end = 0;
    while end < words.len() {
        end += match &words[end..] {
            [first, second, ..] if names_a_floor(first) && is_floor(second) => 2,
            _ => match unit_at(words, end, true) {
                Some(len) => len,
                None => break,
            },
        };
        end += more_ids(&words[end..]);
    }
    end
}

/// How many words behind a unit are more of its kind: `A & B`, `4 and 5`.
fn more_ids(words: &[&str]) -> usize {
    let id = |w: &str| w.len() == 1 && direction(w).is_none() || starts_with_digit(w) && !is_ordinal(w) && w.len() <= 5;
    words.chunks_exact(2).take_while(|pair| pair[0] == "AND" && id(pair[1])).count() * 2
}

/// Words of a unit before a house number: `Apt 3 14 Alder Ct`.
pub fn unit_before_number(words: &[&str], is_number: impl Fn(&[&str]) -> bool) -> usize {
    let mut end = 0;
    while let [first, second, ..] = words.get(end..).unwrap_or_default()
        && (designator(first).is_some_and(|d| !d.alone) || names_a_floor(first) && is_floor(second))
    {
        end += 2 + usize::from(*second == "#");
        // `Dept PN-12 1500 South Hicks Rd`
        let digits = |w: &&str| w.bytes().all(|b| b.is_ascii_digit());
        if let [id, number, ..] = words.get(end..).unwrap_or_default()
            && digits(id)
            && digits(number)
        {
            end += 1;
        }
        if words.len() > end + 1 && is_number(&words[end..]) {
            return end;
        }
    }
    0
}

/// Whether a whole comma-separated part is a unit.
pub fn is_unit(words: &[&str]) -> bool {
    match words {
        [] => false,
        [only] if has_digit(only) && only.len() <= 4 && !is_ordinal(only) => true,
        [letter, number] if letter.len() == 1 && starts_with_digit(number) => direction(letter).is_none(),
        [number, letter] if letter.len() == 1 && number.bytes().all(|b| b.is_ascii_digit()) => true,
        // `B6-347B`
        [first, second] if is_lettered(first) && starts_with_digit(second) && !is_ordinal(second) => true,
        [.., last] => {
            // `17th Floor Conference Room`
            let used = leading_unit(words);
            // `Dept 96 0430`, `Apt C/D`
            let is_more = |w: &&str| w.len() == 1 || w.bytes().all(|b| b.is_ascii_digit());
            let more = || words[used..].iter().all(is_more);
            used == words.len() || used > 0 && (designator(last).is_some_and(|d| !d.common) || more())
        }
    }
}

/// `13`, `G 13`
fn begins_an_id(words: &[&str]) -> bool {
    match words {
        [id, ..] if has_digit(id) => true,
        [letter, id, ..] => letter.len() == 1 && starts_with_digit(id),
        _ => false,
    }
}

/// `PHA`
fn is_penthouse(word: &str) -> bool {
    word.len() == 3 && word.starts_with("PH") && word.bytes().all(|b| matches!(b, b'A'..=b'H' | b'P'))
}

/// `B6`
fn is_lettered(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    word.len() == digits.len() + 1 && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

fn starts_with_digit(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// How many words of a unit start here. `placed` says that something else told already that units stand here.
fn unit_at(words: &[&str], at: usize, placed: bool) -> Option<usize> {
    let next = words.get(at + 1).copied();
    let before = at.checked_sub(1).map(|b| words[b]);
    let after_street = placed || before.is_some_and(|b| suffix(b).is_some() || direction(b).is_some() || is_ordinal(b));
    let of_a_road = before.and_then(suffix).is_some_and(|s| matches!(s.short, "HWY" | "RTE" | "RD"));
    if words[at] == "NO" && after_street && !of_a_road && at > 0 {
        match words.get(at + 1..).unwrap_or_default() {
            [id, ..] if has_digit(id) => return Some(2),
            // `No G-13`
            [letter, id, ..] if letter.len() == 1 && direction(letter).is_none() && starts_with_digit(id) => {
                return Some(3);
            }
            _ => {}
        }
    }
    if is_penthouse(words[at]) && after_street {
        return Some(1);
    }
    // `Bonhomme Ave St 1400`: a suite.
    let after_suffix = placed || before.and_then(suffix).is_some_and(|s| s.strong);
    if words[at] == "ST" && after_suffix && next.is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit())) {
        return Some(2);
    }
    // `Mail Stop 45`
    if words[at] == "MAIL" && after_street && matches!(next, Some("STOP" | "CODE" | "DROP")) {
        return words.get(at + 2).filter(|id| has_digit(id)).map(|_| 3);
    }
    // `Main St North Tower Ste 7`
    if after_street
        && is_wing(&words[at..(at + 2).min(words.len())])
        && words.get(at + 2).is_some_and(|w| designator(w).is_some())
    {
        return Some(2);
    }
    // `Main St 2 Floor`
    if after_suffix && counts_a_floor(&words[at..]) {
        return Some(2);
    }
    let found = designator(words[at])?;
    if is_floor(words[at]) && before.is_some_and(names_a_floor) {
        return Some(1);
    }
    if found.alone
        && (next.is_none() || next.is_some_and(|n| designator(n).is_some()))
        && (after_street || !found.common)
    {
        return Some(1);
    }
    // `Main St Rear Dallas`: no town begins so, as some do with `Upper`.
    if matches!(words[at], "REAR" | "BSMT" | "BASEMENT" | "LWR" | "LOWR" | "UPR" | "UPPR" | "FRNT" | "PH")
        && (after_suffix || before.is_some_and(is_floor))
        && !next.is_some_and(|n| has_digit(n) || n == "#" || n == "LEVEL" || suffix(n).is_some_and(|s| s.strong))
    {
        return Some(1);
    }
    if next == Some("LEVEL") && matches!(found.short, "LOWR" | "UPPR") && after_street {
        return Some(2);
    }
    let next = next?;
    let sign = usize::from(next == "#" && found.short != "#");
    let id = words.get(at + 1 + sign)?;
    // `Harbor Concourse Floor 5`, `Calle Luna Lot 12`: in full, no street is called so.
    let written_out =
        matches!(words[at], "FLOOR" | "LOT") && at > 1 && sign == 0 && id.bytes().all(|b| b.is_ascii_digit());
    let placed = !found.common || after_street || written_out || before.is_some_and(has_digit);
    if is_ordinal(id) && words.get(at + 2 + sign).is_some_and(|w| is_floor(w)) && !found.common {
        // `Apt 3rd Floor`
        return Some(3 + sign);
    }
    let says_only_unit = matches!(found.short, "APT" | "UNIT" | "STE" | "RM");
    let says_it_again = |d: Designator| d.alone || matches!(d.short, "APT" | "UNIT" | "STE" | "RM" | "FL");
    if found.short == "#" && designator(id).is_some() || says_only_unit && designator(id).is_some_and(says_it_again) {
        // `# Lot 9`, `Unit Rear`, `Unit Upper Dallas`, `Apt Apt 4`
        let alone = designator(id).is_some_and(|d| d.alone).then_some(1);
        return unit_at(words, at + 1, true).or(alone).map(|len| len + 1);
    }
    if is_floor(words[at]) && is_ordinal(id) && after_street {
        // `Fl 3rd`
        return Some(2 + sign);
    }
    if !placed || is_ordinal(id) {
        return None;
    }
    let longest = if found.common { usize::from(after_street && direction(id).is_none()) } else { 2 };
    let length = match has_digit(id) || number_word(id).is_some() && (!found.common || is_floor(words[at])) {
        true => 1 + usize::from(words.get(at + 2 + sign).is_some_and(|w| is_fraction(w))),
        // `Unit C-4` comes as two words.
        false if id.len() <= longest => match words.get(at + 2 + sign) {
            Some(more) if starts_with_digit(more) && more.len() <= 4 && !is_ordinal(more) => 2,
            _ => 1,
        },
        false => return None,
    };
    Some(1 + sign + length)
}

/// `NORTH TOWER`, `WEST HALL`: its suites are others than the south tower's.
pub(crate) fn is_wing(words: &[&str]) -> bool {
    matches!(words, [turn, "TOWER" | "TWR" | "WING" | "HALL"] if direction(turn).is_some())
}

/// `2 FLOOR` at the end of a part or before another unit. `2 FL` may be in Florida.
fn counts_a_floor(words: &[&str]) -> bool {
    let [number, "FLOOR" | "FLR", rest @ ..] = words else { return false };
    number.len() < 3
        && number.bytes().all(|b| b.is_ascii_digit())
        && rest.first().is_none_or(|next| designator(next).is_some())
}

/// `4TH FLOOR`
pub(crate) fn is_floor_of(which: &str, word: &str) -> bool {
    names_a_floor(which) && is_floor(word)
}

pub(crate) fn is_floor(word: &str) -> bool {
    matches!(word, "FL" | "FLOOR" | "FLR")
}

pub(crate) fn names_a_floor(word: &str) -> bool {
    is_ordinal(word) || ordinal_unit(word).is_some() || matches!(word, "GROUND" | "GRND" | "TOP")
}

/// The form that units are compared in: designators that only say "a part of the building" are left out,
/// so `Apt 3`, `Unit 3` and `# 3` are all `3`; others stay (`FL 3`, `BSMT`). `C-4`, `C 4` and `C4` are one.
pub fn unit_of(words: &[&str]) -> String {
    let mut out: Vec<String> = Vec::new();
    // Whether the last word put out is an id that more of it may be joined to.
    let mut open = false;
    let mut i = 0;
    while let Some(&word) = words.get(i) {
        let next = words.get(i + 1).copied();
        i += 1;
        let announced = i > 1 && designator(words[i - 2]).is_some();
        if next.is_some_and(is_floor) && (names_a_floor(word) || !announced && counts_a_floor(&words[i - 1..])) {
            let floor = ordinal_unit(word).map_or_else(|| plain_id(word), |n| n.to_string());
            out.push(format!("FL {floor}"));
            (i, open) = (i + 1, false);
            continue;
        }
        match designator(word).map(|d| d.short) {
            Some("APT" | "UNIT" | "STE" | "#" | "RM") => open = false,
            // `Lower Level`
            None if word == "LEVEL" && matches!(out.last().map(String::as_str), Some("LOWR" | "UPPR")) => open = false,
            None if matches!(word, "NO" | "NUMBER" | "ST") && begins_an_id(&words[i..]) => open = false,
            Some(short) => {
                out.push(short.to_owned());
                open = false;
            }
            None if is_penthouse(word) => {
                out.push(format!("PH {}", &word[2..]));
                open = false;
            }
            None => {
                let id = plain_id(word);
                let letters = |w: &str| w.len() <= 2 && w.bytes().all(|b| b.is_ascii_alphabetic());
                let digits = |w: &str| w.bytes().all(|b| b.is_ascii_digit());
                // `# 3 Apt 3`
                if !open && out.as_slice() == [id.as_str()] {
                    continue;
                }
                match out.last_mut().filter(|_| open) {
                    Some(last) if (letters(last) && digits(&id)) || (digits(last) && letters(&id)) => {
                        last.push_str(&id);
                        open = false;
                    }
                    _ => {
                        out.push(id);
                        open = true;
                    }
                }
            }
        }
    }
    out.join(" ")
}

/// `3RD` is 3, `007` is 7, `103-B` is `103B`; `12-6` stays.
fn plain_id(word: &str) -> String {
    if let Some(number) = number_word(word) {
        return number.to_string();
    }
    let word = if is_ordinal(word) { word.trim_end_matches(|c: char| c.is_ascii_alphabetic()) } else { word };
    let short = word.trim_start_matches('0');
    let short = if short.is_empty() { word } else { short };
    match short.split_once('-') {
        Some((a, b)) if !(b.contains('-') || ends_in_digit(a) && starts_with_digit(b)) => format!("{a}{b}"),
        _ => short.to_owned(),
    }
}

fn ends_in_digit(word: &str) -> bool {
    word.ends_with(|c: char| c.is_ascii_digit())
}
