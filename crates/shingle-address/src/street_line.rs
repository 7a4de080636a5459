//! The part of an address that holds street and unit: read in one way, whether it stands in a table or in a question.

use crate::extra_parts::street_before_a_building;
use crate::street::box_or_route;
use crate::street_end::bare_unit;
use crate::token::{Token, tokens, words};
use crate::unit::find_unit;

/// Takes the unit off the words of a street, and drops the name of a building behind it.
pub(crate) fn take_unit(street: &mut Vec<Token>) -> Vec<Token> {
    if box_or_route(&words(street)).is_some() {
        return Vec::new();
    }
    if let Some(span) = find_unit(&words(street)) {
        let unit = street.split_off(span.start);
        street.truncate(street_before_a_building(&words(street)));
        return unit;
    }
    street.truncate(street_before_a_building(&words(street)));
    let bare = bare_unit(&words(street));
    street.split_off(street.len() - bare)
}

/// Street and unit of a text that nothing announces a unit in: `Oak Ridge Rd` and `2` of `Oak Ridge Rd 2`. `None` where
/// there is none.
pub fn split_bare_unit(street: &str) -> Option<(String, String)> {
    let (_, last) = street.trim_end().rsplit_once(' ')?;
    if last.len() > 1 && !last.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    let mut street = tokens(street);
    let unit = take_unit(&mut street);
    let raw = |tokens: &[Token]| tokens.iter().map(|t| t.raw.as_str()).collect::<Vec<_>>().join(" ");
    let unit = match unit.as_slice() {
        [sign, id @ ..] if sign.word == "#" => raw(id),
        all => raw(all),
    };
    (!unit.is_empty()).then(|| (raw(&street), unit))
}
