//! What a table's column of house numbers holds beside the number: `12 REAR`, `26 BLDG 2`, `92 N`.

use crate::number::is_joint;
use crate::street_end::strong_suffix;
use crate::tables::{designator, direction};
use crate::token::{Token, is_fraction, words};

#[derive(Debug, Default)]
pub(crate) struct NumberCell {
    pub number: Vec<Token>,
    /// The direction of the street, where it follows the number.
    pub turn: Option<Token>,
    pub unit: Vec<Token>,
}

pub(crate) fn read(mut cell: Vec<Token>) -> NumberCell {
    let starts_with_digit = |t: &Token| t.word.starts_with(|c: char| c.is_ascii_digit());
    if let [number, turn] = cell.as_slice()
        && number.word.bytes().all(|b| b.is_ascii_digit())
        && direction(&turn.word).is_some_and(|(_, short)| short)
    {
        let turn = cell.pop();
        return NumberCell { number: cell, turn, unit: Vec::new() };
    }
    if !cell.first().is_some_and(starts_with_digit) {
        // `LOT 60`, `#84`
        return NumberCell { number: cell, ..NumberCell::default() };
    }
    let begins_a_unit =
        |t: &Token| designator(&t.word).is_some() || names_a_part(&t.word) && !is_joint(&t.word) && t.word.len() > 1;
    let Some(at) = cell.iter().position(begins_a_unit) else {
        return NumberCell { number: cell, ..NumberCell::default() };
    };
    let mut unit = cell.split_off(at);
    // `18 REAR 1/2`
    if let Some(last) = unit.pop_if(|last| is_fraction(&last.word)) {
        cell.push(last);
    }
    NumberCell { number: cell, turn: None, unit }
}

fn names_a_part(word: &str) -> bool {
    word.len() > 2 && word.bytes().all(|b| b.is_ascii_alphabetic())
}

/// How many words behind a house number, before its street, are a unit of it: `12 REAR`, `26 BLDG 2`. With `doubtful`, also
/// a word that may begin a street's name (`22 Front Elm St`).
pub(crate) fn unit_behind_number(tokens: &[Token], doubtful: bool) -> usize {
    let all = words(tokens);
    let Some((first, rest)) = all.split_first() else { return 0 };
    if !doubtful && !matches!(*first, "REAR" | "BLDG" | "BUILDING" | "APT" | "UNIT") {
        return 0;
    }
    let known = designator(first);
    let used = match rest.first() {
        Some(id) if known.is_some_and(|d| !d.alone) && id.bytes().any(|b| b.is_ascii_digit()) => 2,
        _ if known.is_some_and(|d| d.alone) || matches!(*first, "GARAGE" | "OFF" | "COTTAGE" | "BARN" | "STUDIO") => 1,
        _ => return 0,
    };
    // A whole street follows.
    if strong_suffix(&all[used..], 1).is_some() { used } else { 0 }
}
