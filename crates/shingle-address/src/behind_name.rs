//! The house number of a part that begins with something else: the resident, a building, a department.

use crate::number::{number_length, spelled};
use crate::street::{box_or_route, highway};
use crate::street_end::strong_suffix;
use crate::tables::{designator, direction, suffix};
use crate::token::is_house_number;
use crate::unit::{is_floor, is_floor_of};

/// Where the house number is in a part that begins with a name: `Hayes Center 4859 S Wabash`.
pub(crate) fn number_within(words: &[&str]) -> Option<usize> {
    if highway(words).is_some() || box_or_route(words).is_some() {
        return None;
    }
    (1..words.len().saturating_sub(2)).find(|at| {
        let before = words[at - 1];
        let belongs_before = before == "#"
            || before == "BOX"
            || matches!(before, "NO" | "LOCKBOX" | "ACCT" | "ACCOUNT" | "CLIENT" | "FILE")
            || designator(before).is_some_and(|d| d.short != "TOWER")
                && !(at > &1 && (is_floor_of(words[at - 2], before) || is_numbered_floor(&words[..*at])))
            || suffix(before).is_some_and(|s| matches!(s.short, "HWY" | "RTE" | "RD" | "LOOP"));
        let street = &words[at + 1..];
        // `Attn Claims 3 Fl 14-20 Alder Ct`
        let counts_floors = street.len() > 2 && is_floor(street[0]) && number_length(&street[1..]) > 0;
        // `Anheuser Busch One Busch Place`
        let one = words[*at] == "ONE" && spelled(&words[*at..]).is_some();
        (one || words[*at].starts_with(|c: char| c.is_ascii_digit()) && is_house_number(words[*at]))
            && !belongs_before
            && !counts_floors
            // `Fenwick Bank 1400 1400 Alder Dr`
            && street.first() != words.get(*at)
            && !has_a_number(street)
            && strong_suffix(&words[..*at], 1).is_none()
            && (strong_suffix(street, 1).is_some()
                || direction(street[0]).is_some()
                || highway(street).is_some()
                || is_numbered_floor(&words[..*at]))
    })
}

/// `2600 N Alder Dr`: whatever number precedes it is a unit's.
fn has_a_number(street: &[&str]) -> bool {
    matches!(street, [number, turn, ..] if number.bytes().all(|b| b.is_ascii_digit()) && direction(turn).is_some())
        && strong_suffix(&street[1..], 2).is_some()
}

/// `One Velvet Drive`, and nothing behind.
pub(crate) fn is_spelled_street(words: &[&str]) -> bool {
    spelled(words).is_some() && strong_suffix(words, 2).is_some_and(|at| at + 1 == words.len())
}

/// `Attn Claims 3 Fl`
pub(crate) fn is_numbered_floor(words: &[&str]) -> bool {
    matches!(words, [.., number, floor] if number.bytes().all(|b| b.is_ascii_digit()) && is_floor(floor))
}
