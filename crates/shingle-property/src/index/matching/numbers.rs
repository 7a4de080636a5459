//! How a house number fits the one that was asked for.

use shingle_address::{houses_of_block, number_span};
use shingle_domain::evidence::MatchLevel;

/// A range that was asked for and spans more is no lot, but two digits that changed places.
const MAX_ASKED_SPAN: u32 = 10;

/// The numbers to look under: those of the number itself, and those of Queens' other way to write it.
pub fn spans(number: &str) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = number_span(number).into_iter().collect();
    if let Some((block, low, high)) = houses_of_block(number) {
        match number.contains('-') {
            true if high < 100 => found.push((block * 100 + low, block * 100 + high)),
            true => {}
            false => found.push((block, block)),
        }
    }
    found
}

/// `112-10` and `11210`, but no range such as `10-12`.
fn same_but_for_hyphen(a: &str, b: &str) -> bool {
    let is = |hyphened: &str, plain: &str| {
        hyphened.split_once('-').is_some_and(|(block, house)| house.len() == 2 && format!("{block}{house}") == plain)
            && number_span(hyphened).is_some_and(|(low, high)| low == high)
    };
    is(a, b) || is(b, a)
}

/// Digits, or a range of them; no house of a block.
fn is_plain(number: &str) -> bool {
    number.bytes().all(|b| b.is_ascii_digit() || b == b'-') && !number.contains("-0")
}

/// The same number, or one inside a range.
pub fn number_level(wanted: &str, house: &str) -> Option<MatchLevel> {
    if wanted == house || same_but_for_hyphen(wanted, house) {
        return Some(MatchLevel::Exact);
    }
    if [wanted, house].iter().any(|number| number.contains(" TO ")) {
        return within_a_block(wanted, house);
    }
    let (low, high) = number_span(wanted).filter(|_| is_plain(wanted)).or_else(|| without_hyphen(wanted))?;
    let (first, last) = number_span(house).filter(|_| is_plain(house))?;
    // A range has one parity: the other side of the street is another parcel.
    let at_its_end = first == last && (low == first || high == first) && high - low <= MAX_ASKED_SPAN;
    let inside = (first <= low && high <= last) || at_its_end;
    let same = low == first && high == last;
    (inside && (low % 2) == (first % 2) && !same).then_some(MatchLevel::NumberRange)
}

/// `75-05` as the number it is where nobody writes the hyphen.
fn without_hyphen(number: &str) -> Option<(u32, u32)> {
    let (block, house, _) = houses_of_block(number).filter(|(_, _, last)| number.contains("-0") && *last < 100)?;
    Some((block * 100 + house, block * 100 + house))
}

/// A house between the first and the last of a block that a record names: `75-05`, `7505` and `75-03 TO 75-07` of
/// `75-01 TO 75-13`.
fn within_a_block(wanted: &str, house: &str) -> Option<MatchLevel> {
    if !house.contains(" TO ") {
        // `7501-7513`
        let (block, low, high) = houses_of_block(wanted).filter(|(.., high)| *high < 100)?;
        let (first, last) = number_span(house).filter(|_| is_plain(house))?;
        let (low, high) = (block * 100 + low, block * 100 + high);
        return (first <= low && high <= last && low % 2 == first % 2).then_some(MatchLevel::NumberRange);
    }
    let (block, low, high) = houses_of_block(wanted)?;
    let (other, first, last) = houses_of_block(house)?;
    let inside = block == other && first <= low && high <= last && low % 2 == first % 2;
    inside.then_some(MatchLevel::NumberRange)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_that_was_asked_for_is_a_lot_and_not_everything_between_its_ends() {
        let fits = |asked, recorded| number_level(asked, recorded) == Some(MatchLevel::NumberRange);
        assert!(fits("6", "4-8") && fits("4-6", "4-8") && fits("12-14", "12") && fits("12-14", "14"));
        // Digits that changed places: `31-33` is on record.
        for (asked, recorded) in [("13-33", "31-33"), ("121-213", "121-123"), ("48-90", "84-90"), ("19-71", "19")] {
            assert!(!fits(asked, recorded), "{asked} {recorded}");
        }
        assert!(!fits("12-16", "14"), "it is one of three");
        assert!(!fits("5", "4-8") && !fits("10", "4-8"));
    }

    #[test]
    fn a_house_of_a_block_is_found_in_the_range_that_has_it_alone() {
        let fits = |asked, recorded| number_level(asked, recorded) == Some(MatchLevel::NumberRange);
        for asked in ["75-01", "75-05", "75-13", "7501", "7507", "75-03 TO 75-07"] {
            assert!(fits(asked, "75-01 TO 75-13"), "{asked}");
            assert!(!fits(asked, "75-21 TO 75-33") && !fits(asked, "76-01 TO 76-13"), "{asked}");
        }
        assert!(!fits("75-06", "75-01 TO 75-13"), "the other side");
        assert!(!fits("75-15", "75-01 TO 75-13") && !fits("75", "75-01 TO 75-13"));
        assert!(fits("75-05", "7501-7513") && fits("7505", "7501-7513"));
        assert!(!fits("7", "5-07") && !fits("5", "5-07") && !fits("5-07", "5-9"), "a house of the fifth block");
    }
}
