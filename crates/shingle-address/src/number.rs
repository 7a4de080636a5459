//! House numbers: how many words of a line they take, and their one form.

use crate::ordinals::{ordinal_unit, tens};
use crate::street::highway;
use crate::tables::{designator, direction, suffix};
use crate::token::{is_fraction, is_house_number};

const ONES: [&str; 12] =
    ["ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "ELEVEN", "TWELVE"];

pub(crate) fn number_word(word: &str) -> Option<u32> {
    ONES.iter().position(|w| *w == word).map(|at| at as u32 + 1).or_else(|| tens(word))
}

/// The number of `One Liberty Plaza`. Only where no digits are: `12 Nine Mile Rd`.
pub(crate) fn spelled(words: &[&str]) -> Option<u32> {
    let [first, second, third, ..] = words else { return None };
    let number = number_word(first)?;
    // `Twenty First St`, `Seven Mile Rd`
    let street = ordinal_unit(second).is_none() && *second != "MILE";
    let named = direction(second).is_some() || suffix(second).is_none() && (suffix(third).is_some() || words.len() > 3);
    (street && named).then_some(number)
}

fn digits(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_digit())
}

/// How many words at the front are the house number.
pub(crate) fn number_length(words: &[&str]) -> usize {
    let [first, rest @ ..] = words else { return 0 };
    if !is_house_number(first) {
        return 0;
    }
    match rest {
        [second, ..] if is_fraction(second) => 2,
        // `100 & 102 Main St`
        ["AND", second, third, ..] if digits(first) && digits(second) && begins_a_street(third) => 3,
        // `W206N W16282`
        [second, ..] if is_grid(first) && first.ends_with(['N', 'S', 'E', 'W']) && is_grid(second) => 2,
        // Wisconsin's grid in two words: `N165 W2123`.
        [second, third, ..]
            if (first.starts_with(['N', 'S']) && second.starts_with(['E', 'W'])
                || first.starts_with(['E', 'W']) && second.starts_with(['N', 'S']))
                && second.len() > 1
                && digits(&second[1..])
                && !digits(third) =>
        {
            2
        }
        [letter, third, ..] if is_letter_of(first, letter) && begins_a_street(third) => 2,
        // `14 B Highway 9`
        [letter, road @ ..] if is_letter_of(first, letter) && highway(road).is_some() => 2,
        // Illinois' grid in three words: `14 N 837 Route 25`.
        [turn, second, road @ ..]
            if turn.len() == 1
                && direction(turn).is_some()
                && digits(first)
                && first.len() < 3
                && digits(second)
                && second.len() == 3
                && highway(road).is_some() =>
        {
            3
        }
        // `1521 J S Indiana Ave`: before a direction and a name a letter can be no street.
        [letter, turn, name, ..]
            if letter.len() == 1
                && digits(first)
                && letter.bytes().all(|b| b.is_ascii_uppercase())
                && direction(letter).is_none()
                && direction(turn).is_some_and(|(_, short)| short)
                && begins_a_street(name) =>
        {
            2
        }
        _ => 1,
    }
}

/// `N165`, `W206N`
fn is_grid(word: &str) -> bool {
    let turn = ['N', 'S', 'E', 'W'];
    let inner = word.strip_prefix(turn).map(|rest| rest.strip_suffix(turn).unwrap_or(rest));
    inner.is_some_and(|number| !number.is_empty() && digits(number))
}

/// `214 B South Blvd`, but not `613 K St` and not `12 E Main St`.
fn is_letter_of(number: &str, letter: &str) -> bool {
    digits(number) && number.len() <= 5 && matches!(letter, "A" | "B" | "C" | "D" | "F" | "G" | "H" | "R")
}

fn begins_a_street(word: &str) -> bool {
    let direction = direction(word);
    word.len() > 1
        && word != "AND"
        && suffix(word).is_none_or(|s| !s.strong && s.short != "EXT" && s.short != "HWY")
        && direction.is_none_or(|(_, short)| !short && word.len() <= 5)
        && !word.starts_with(|c: char| c.is_ascii_digit() || c == '#')
        && designator(word).is_none()
}

/// `0014` is `14`, `24-R` and `24 R` are `24R`, `123-1/2` is `123 1/2`, `4-06` is `4-6`.
pub(crate) fn number_of(words: &[&str]) -> String {
    let plain = |w: &str| {
        let short = w.trim_start_matches('0');
        if short.starts_with(|c: char| c.is_ascii_digit()) { short.to_owned() } else { w.to_owned() }
    };
    let letter = |w: &str| w.len() == 1 && w.bytes().all(|b| b.is_ascii_alphabetic());
    match words {
        [] => String::new(),
        ["#", rest @ ..] => number_of(rest),
        [only] if number_word(only).is_some() => number_word(only).unwrap_or_default().to_string(),
        [grid, rest] if grid.starts_with(|c: char| c.is_ascii_alphabetic()) => format!("{grid}{rest}"),
        [number, part] if letter(part) && digits(number) => format!("{}{part}", plain(number)),
        [first, turn, last] if letter(turn) && digits(first) && digits(last) => format!("{first}{turn}{last}"),
        [first, "AND", last] => format!("{}-{}", plain(first), plain(last)),
        [first, rest @ ..] => {
            let first = plain(first);
            let first = match first.split_once('-') {
                Some((number, part)) if is_fraction(part) => format!("{number} {part}"),
                Some((number, part)) if letter(part) => format!("{number}{part}"),
                Some((low, high)) => format!("{low}-{}", plain(high)),
                None => first,
            };
            rest.iter().fold(first, |acc, w| format!("{acc} {w}"))
        }
    }
}

/// The whole numbers a house number stands for: `14` is 14 to 14, `4-6` is 4 to 6. Queens' `112-10` and
/// ranges that mix odd and even are one number: their first.
pub fn number_span(number: &str) -> Option<(u32, u32)> {
    let run = |text: &str| {
        let start = text.find(|c: char| c.is_ascii_digit())?;
        let digits: String = text[start..].chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u32>().ok().filter(|n| *n < 1 << 30)
    };
    let low = run(number)?;
    let high = number.split_once('-').filter(|(a, _)| a.bytes().all(|b| b.is_ascii_digit())).and_then(|(_, b)| run(b));
    match high {
        Some(high) if high > low && high - low <= 98 && (high - low) % 2 == 0 => Some((low, high)),
        _ => Some((low, low)),
    }
}

/// Digits that are a number and stay as they are: `14`, not `014`.
pub fn plain_number(text: &str) -> Option<u32> {
    let plain = (1..=9).contains(&text.len()) && !text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}
