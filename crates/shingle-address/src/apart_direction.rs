//! A direction that a comma parts from its street.

use crate::number::number_length;
use crate::street::highway;
use crate::street_end::{strong_suffix, town_of_the_compass};
use crate::tables::direction;
use crate::token::{Token, words};
use crate::unit::leading_unit;

/// `1800 M St, NW, Washington`: a direction behind a comma belongs to the street if no town follows it.
pub(crate) fn join_directions(parts: &mut Vec<Vec<Token>>) {
    let [street, second, ..] = parts.as_slice() else { return };
    let all = words(second);
    let mut count = all.iter().take(2).take_while(|w| direction(w).is_some()).count();
    if count == 2 && all[0].len() == 2 && all.len() > 2 {
        // `M Street, NW North Tower`
        count = 1;
    }
    let done = count == all.len() || leading_unit(&all[count..]) > 0;
    let open = street.last().is_some_and(|t| direction(&t.word).is_none());
    // `1105 Bolton Road, NW Atlanta`: a quarter of the compass begins no town.
    let quarter =
        count == 1 && all[0].len() == 2 && strong_suffix(&words(street), 2).is_some_and(|at| at + 1 == street.len());
    // `Highway 281, N Harrow`: a road that has a number is parted by directions more often than a town.
    let of_a_road = || {
        let street = words(street);
        let number = number_length(&street);
        let road = number > 0 && highway(&street[number..]).is_some_and(|(_, used)| number + used == street.len());
        count == 1 && all[0].len() == 1 && road && !town_of_the_compass(all[0], &all[1..])
    };
    if count == 0 || !(done || quarter || of_a_road()) || !open {
        return;
    }
    let moved: Vec<Token> = parts[1].drain(..count).collect();
    parts[0].extend(moved);
    if parts[1].is_empty() {
        parts.remove(1);
    }
}
