//! House numbers: how many words of a line they take, and their one form.

use crate::ordinals::{ordinal_unit, tens};
use crate::street::highway;
use crate::street_end::strong_suffix;
use crate::tables::{designator, direction, suffix};
use crate::token::{is_fraction, is_house_number, is_ordinal};

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

fn starts_with_digit(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// `1/2A`
fn is_lettered_fraction(word: &str) -> bool {
    let fraction = word.trim_end_matches(|c: char| c.is_ascii_uppercase());
    word.len() == fraction.len() + 1 && is_fraction(fraction)
}

/// How many words at the front are the house number.
pub(crate) fn number_length(words: &[&str]) -> usize {
    let [first, rest @ ..] = words else { return 0 };
    // `Lot 60 Elm St` has no other number.
    if let ("LOT" | "LT", [id, street @ ..]) = (*first, rest)
        && digits(id)
        && street.first().is_some_and(|word| begins_a_street(word))
        && strong_suffix(street, 1).is_some()
    {
        return 2;
    }
    if lettered_number(words) {
        return 2;
    }
    // `AA4 Calle 5`
    let of_two_letters =
        |at: usize| at == 2 && first.is_char_boundary(at) && first[at..].len() < 5 && digits(&first[at..]);
    if first.find(|c: char| c.is_ascii_digit()).is_some_and(of_two_letters)
        && rest.first().is_some_and(|w| is_spanish_way(w))
    {
        return 1;
    }
    if !is_house_number(first) {
        return 0;
    }
    match rest {
        [second, ..] if is_fraction(second) || is_lettered_fraction(second) => 2,
        // `100 & 102 Main St`, `75-41 to 75-53 32nd Ave`
        [joint, second, third, ..]
            if is_joint(joint)
                && starts_with_digit(first)
                && starts_with_digit(second)
                && !is_ordinal(second)
                && (begins_a_street(third) || is_ordinal(third)) =>
        {
            3
        }
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

/// `A-12 Calle 5`, as Puerto Rico numbers the houses of an urbanización.
pub(crate) fn lettered_number(words: &[&str]) -> bool {
    let [letters, number, way, _, ..] = words else { return false };
    let is_letters = matches!(letters.len(), 1 | 2) && letters.bytes().all(|b| b.is_ascii_uppercase());
    is_letters && number.len() < 5 && digits(number) && is_spanish_way(way)
}

/// Whether a word is the type of street that Spanish names begin with.
pub fn is_spanish_way(word: &str) -> bool {
    matches!(
        word,
        "CALLE"
            | "CLL"
            | "AVENIDA"
            | "AVDA"
            | "AVE"
            | "PASEO"
            | "CAMINO"
            | "CAMINITO"
            | "CARRETERA"
            | "CARR"
            | "VEREDA"
    )
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

/// `0014` is `14`, `24-R` and `24 R` are `24R`, `123-1/2` is `123 1/2`, `4 to 6` and `4/6` are `4-6`, `75-01-75-13` is
/// `75-01 TO 75-13`. A zero behind a hyphen stays: `4-06` is a house of the 4th block.
pub(crate) fn number_of(words: &[&str]) -> String {
    let letter = |w: &str| w.len() == 1 && w.bytes().all(|b| b.is_ascii_alphabetic());
    if let Some(range) = range_of(words) {
        return range;
    }
    match words {
        [] => String::new(),
        ["#", rest @ ..] => number_of(rest),
        [only] if number_word(only).is_some() => number_word(only).unwrap_or_default().to_string(),
        [grid, rest] if grid.starts_with(|c: char| c.is_ascii_alphabetic()) => format!("{grid}{rest}"),
        [number, part] if letter(part) && digits(number) => format!("{}{part}", plain(number)),
        [first, turn, last] if letter(turn) && digits(first) && digits(last) => format!("{first}{turn}{last}"),
        [first, rest @ ..] => {
            let first = plain(first);
            let first = match first.split_once('-') {
                Some((number, part)) if is_fraction(part) => format!("{number} {part}"),
                Some((number, part)) if letter(part) => format!("{number}{part}"),
                _ => first,
            };
            rest.iter().fold(first, |acc, w| format!("{acc} {w}"))
        }
    }
}

fn plain(word: &str) -> String {
    let short = word.trim_start_matches('0');
    if short.starts_with(|c: char| c.is_ascii_digit()) { short.to_owned() } else { word.to_owned() }
}

/// The words that stand for the hyphen of a range.
pub(crate) fn is_joint(word: &str) -> bool {
    matches!(word, "AND" | "TO" | "THRU" | "THROUGH")
}

/// Whether a word of any case joins the numbers of a range.
pub fn joins_numbers(word: &str) -> bool {
    word == "&" || is_joint(&word.to_ascii_uppercase())
}

/// Whether a word of any case says that the number behind it is a lot's.
pub fn names_a_lot(word: &str) -> bool {
    word.eq_ignore_ascii_case("LOT")
}

/// A range, however it is written. `None` for what is one number.
fn range_of(words: &[&str]) -> Option<String> {
    let is_end = |w: &str| w.starts_with(|c: char| c.is_ascii_digit()) && !is_fraction(w);
    let written;
    let (low, high) = match words {
        [low, joint, high] if is_joint(joint) => (*low, *high),
        // `68;70`, `75 07`
        [low, high] if digits(low) && digits(high) => (*low, *high),
        [only] if only.contains('/') && !only.rsplit('-').next().is_some_and(is_fraction) => only.split_once('/')?,
        [only] => {
            written = only.split('-').collect::<Vec<_>>();
            if written.len() < 3 || !written.iter().all(|part| digits(part) && !part.is_empty()) {
                return None;
            }
            return Some(range_of_parts(&written));
        }
        _ => return None,
    };
    if !is_end(low) || !is_end(high) || low.contains('/') || high.contains('/') {
        return None;
    }
    Some(match (low.split_once('-'), high.split_once('-')) {
        (None, None) => format!("{}-{high}", plain(low)),
        (Some((block, _)), None) => format!("{} TO {}-{high}", plain(low), plain(block)),
        (_, Some(_)) => format!("{} TO {}", plain(low), plain(high)),
    })
}

/// `12-14-16` is all from 12 to 16; `75-01-75-13` and `75-01-13` are houses of one block.
fn range_of_parts(parts: &[&str]) -> String {
    let numbers: Vec<u64> = parts.iter().filter_map(|part| part.parse().ok()).collect();
    let rises = numbers.len() == parts.len() && numbers.windows(2).all(|pair| pair[0] < pair[1]);
    let (first, last) = (parts[0], parts[parts.len() - 1]);
    match parts {
        _ if rises && numbers[numbers.len() - 1] - numbers[0] <= 98 => format!("{}-{last}", plain(first)),
        [block, low, again, high] => format!("{}-{low} TO {}-{high}", plain(block), plain(again)),
        [block, low, high] => format!("{0}-{low} TO {0}-{high}", plain(block)),
        _ => parts.join("-"),
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
    let is_span = |(low, high): &(&str, &str)| low.bytes().all(|b| b.is_ascii_digit()) && !high.starts_with('0');
    let high = number.split_once('-').filter(is_span).filter(|_| !number.contains(" TO ")).and_then(|(_, b)| run(b));
    match high {
        Some(high) if high > low && high - low <= 98 && (high - low) % 2 == 0 => Some((low, high)),
        _ => Some((low, low)),
    }
}

/// A house of a block, `75-05`, or several from one to another, `75-01 TO 75-13`: the block, first and last. Also of what
/// may be such a house, written without the hyphen (`7505`).
pub fn houses_of_block(number: &str) -> Option<(u32, u32, u32)> {
    let house = |text: &str| {
        let (block, house) = text.split_once('-')?;
        let house = house.trim_end_matches(|c: char| c.is_ascii_uppercase());
        let is_house = digits(block) && digits(house) && (2..=4).contains(&house.len());
        is_house.then(|| Some((block.parse::<u32>().ok()?, house.parse::<u32>().ok()?))).flatten()
    };
    if let Some((low, high)) = number.split_once(" TO ") {
        let ((block, low), (other, high)) = (house(low)?, house(high)?);
        return (block == other && low <= high).then_some((block, low, high));
    }
    if let Some(plain) = plain_number(number) {
        return (1_000..100_000).contains(&plain).then_some((plain / 100, plain % 100, plain % 100));
    }
    house(number).map(|(block, house)| (block, house, house))
}

/// Digits that are a number and stay as they are: `14`, not `014`.
pub fn plain_number(text: &str) -> Option<u32> {
    let plain = (1..=9).contains(&text.len()) && !text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Normalized, parse_line};
    use shingle_domain::{Address, State, Zip};

    /// The number of a table's cell.
    fn cell(number: &str) -> String {
        let address = Address {
            street_number: number.to_owned(),
            street_address: "Elm St".to_owned(),
            city: "Harrow".to_owned(),
            state: State::parse("OH").unwrap(),
            zip: Zip::parse("43099").unwrap(),
        };
        Normalized::from_parts(&address).number
    }

    #[test]
    fn decimals_are_halves_and_quarters_and_no_point_is_dropped() {
        for (written, read) in [
            ("57.5", "57 1/2"),
            ("57.50", "57 1/2"),
            ("57.25", "57 1/4"),
            ("57.75", "57 3/4"),
            ("57½", "57 1/2"),
            ("57-1/2", "57 1/2"),
            ("1234.5", "1234 1/2"),
            ("12.0", "12"),
            ("12.00000", "12"),
            ("57.3", "57.3"),
            ("57.125", "57.125"),
            ("5.7.5", "5.7.5"),
        ] {
            assert_eq!(cell(written), read, "{written}");
            assert_eq!(parse_line(&format!("{written} Elm St, Harrow, OH 43099")).normalized.number, read, "{written}");
        }
    }

    #[test]
    fn ranges_are_one_however_they_are_written() {
        for (written, read) in [
            (
                "36/38; 36-38; 36 - 38; 36 –38; 36— 38; 36−38; 36--38; 36 to 38; 36 thru 38; 36 through 38; 36 & 38; 36&38; 36 and 38; 36+38",
                "36-38",
            ),
            ("12-14-16; 12-14-16", "12-16"),
            (
                "75-01-75-13; 75-01/75-13; 75-01 to 75-13; 75-01 & 75-13; 75-01–75-13; 75-01 - 75-13; 75-01 - 13; 75-01−75-13",
                "75-01 TO 75-13",
            ),
            ("4-06", "4-06"),
            ("075-07", "75-07"),
            ("54-56A", "54-56A"),
        ] {
            for number in written.split("; ") {
                assert_eq!(cell(number), read, "{number}");
                assert_eq!(
                    parse_line(&format!("{number} 32nd Ave, Harrow, NY 11370")).normalized.number,
                    read,
                    "{number}"
                );
            }
        }
        assert_eq!(cell("68;70"), "68-70");
        assert_eq!(number_span("5-07"), Some((5, 5)), "the seventh house of the fifth block");
        assert_eq!(number_span("5-11 TO 5-19"), Some((5, 5)));
        assert_eq!(houses_of_block("75-01 TO 75-13"), Some((75, 1, 13)));
        assert_eq!(houses_of_block("7505"), Some((75, 5, 5)));
        assert_eq!(houses_of_block("91-1001"), Some((91, 1001, 1001)));
        assert_eq!(houses_of_block("505"), None);
    }

    proptest! {
        #[test]
        fn numbers_that_differ_in_value_never_become_one(a in 1u32..99_999, b in 1u32..999, zeros in 0usize..4) {
            let decimal = format!("{a}.{b}{}", "0".repeat(zeros));
            prop_assert_ne!(cell(&decimal), a.to_string());
            prop_assert_ne!(cell(&decimal), format!("{a}{b}"));
            prop_assert_ne!(cell(&decimal), cell(&format!("{a}{b}")));
            prop_assert_eq!(cell(&format!("{a}.{}", "0".repeat(zeros + 1))), a.to_string());
        }
    }
}
