//! The part of an address that holds street, unit and named place: read in one way, whether it is in a table or in a
//! question.

use shingle_domain::State;

use crate::extra_parts::street_before_a_building;
use crate::number::number_length;
use crate::number_cell::unit_behind_number;
use crate::place::{is_puerto_rico, place_before_a_street, place_behind_a_street};
use crate::street::box_or_route;
use crate::street_end::bare_unit;
use crate::tables::direction;
use crate::token::{Token, segments, tokens, words};
use crate::unit::{find_unit, is_unit};

/// What is next to a street in one text.
#[derive(Debug, Default)]
pub(crate) struct Beside {
    pub unit: Vec<Token>,
    pub place: Vec<Token>,
}

/// Takes the unit off the words of a street, and the name of a building or a place behind it.
pub(crate) fn take_unit(street: &mut Vec<Token>) -> Beside {
    let mut beside = Beside::default();
    if box_or_route(&words(street)).is_some() {
        return beside;
    }
    if let Some(span) = find_unit(&words(street)) {
        beside.unit = street.split_off(span.start);
        // `Alder Ct Apt 5 NE`: a quarter of the compass is the street's.
        let is_quarter = |t: &mut Token| t.word.len() == 2 && direction(&t.word).is_some_and(|(_, short)| short);
        let turn = if beside.unit.len() > 2 { beside.unit.pop_if(is_quarter) } else { None };
        street.extend(turn);
        beside.place = street.split_off(street_before_a_building(&words(street)));
        return beside;
    }
    beside.place = street.split_off(street_before_a_building(&words(street)));
    let bare = bare_unit(&words(street));
    beside.unit = street.split_off(street.len() - bare);
    beside
}

/// What a table's text holds.
pub(crate) struct Table {
    pub number: Vec<Token>,
    pub street: Vec<Token>,
    pub unit: Vec<Token>,
    pub place: Vec<Token>,
}

/// Street, unit and place of a table's text: behind a comma stands a unit or a place. With `numbered`, it begins with the
/// house number.
pub(crate) fn street_of_table(text: &str, state: State, numbered: bool) -> Table {
    let mut parts = if text.contains(',') { segments(text) } else { vec![tokens(text)] }.into_iter();
    let mut street = parts.next().unwrap_or_default();
    let in_puerto_rico = is_puerto_rico(Some(state), None);
    let before = place_before_a_street(&words(&street), in_puerto_rico);
    let mut place: Vec<Token> = street.drain(..before).collect();
    let number = if numbered { number_length(&words(&street)) } else { 0 };
    let number = street.drain(..number).collect();
    if let Some(at) = place_behind_a_street(&words(&street), in_puerto_rico) {
        place.extend(street.split_off(at));
    }
    let behind_number = unit_behind_number(&street, false);
    let mut unit: Vec<Token> = street.drain(..behind_number).collect();
    let beside = take_unit(&mut street);
    unit.extend(beside.unit);
    place.extend(beside.place);
    for part in parts {
        match is_unit(&words(&part)) {
            true => unit.extend(part),
            false => place.extend(part),
        }
    }
    Table { number, street, unit, place }
}

/// Street and unit of a text that nothing announces a unit in: `Oak Ridge Rd` and `2` of `Oak Ridge Rd 2`. `None` where
/// there is none.
pub fn split_bare_unit(street: &str) -> Option<(String, String)> {
    // What follows a comma stays there.
    let (text, behind) = street.split_once(',').unwrap_or((street, ""));
    let (_, last) = text.trim_end().rsplit_once(' ')?;
    if last.len() > 1 && !last.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    let mut street = tokens(text);
    let Beside { unit, place } = take_unit(&mut street);
    let raw = |tokens: &[Token]| tokens.iter().map(|t| t.raw.as_str()).collect::<Vec<_>>().join(" ");
    let unit = match unit.as_slice() {
        [sign, id @ ..] if sign.word == "#" => raw(id),
        all => raw(all),
    };
    let places = [raw(&place), behind.trim().to_owned()];
    let parts: Vec<String> = std::iter::once(raw(&street)).chain(places).filter(|part| !part.is_empty()).collect();
    (!unit.is_empty()).then(|| (parts.join(", "), unit))
}
