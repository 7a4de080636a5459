//! How a house number fits the one that was asked for.

use shingle_address::number_span;
use shingle_domain::evidence::MatchLevel;

/// A range that was asked for and spans more is no lot, but two digits that changed places.
const MAX_ASKED_SPAN: u32 = 10;

/// The numbers to look under: those of the number itself, and those of Queens' other way to write it.
pub fn spans(number: &str) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = number_span(number).into_iter().collect();
    let other = match number.split_once('-') {
        Some((block, house)) => format!("{block}{house}").parse::<u32>().ok().filter(|_| house.len() == 2),
        None => number.parse::<u32>().ok().filter(|n| (1_000..100_000).contains(n)).map(|n| n / 100),
    };
    found.extend(other.map(|n| (n, n)));
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

/// The same number, or one inside a range.
pub fn number_level(wanted: &str, house: &str) -> Option<MatchLevel> {
    if wanted == house || same_but_for_hyphen(wanted, house) {
        return Some(MatchLevel::Exact);
    }
    let plain = |n: &str| n.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    let (low, high) = number_span(wanted).filter(|_| plain(wanted))?;
    let (first, last) = number_span(house).filter(|_| plain(house))?;
    // A range has one parity: the other side of the street is another parcel.
    let at_its_end = first == last && (low == first || high == first) && high - low <= MAX_ASKED_SPAN;
    let inside = (first <= low && high <= last) || at_its_end;
    let same = low == first && high == last;
    (inside && (low % 2) == (first % 2) && !same).then_some(MatchLevel::NumberRange)
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
}
