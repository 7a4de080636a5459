//! Every address of the towns at hand, written in the ways people write it, leads back to the same place.

use std::collections::BTreeSet;

use shingle_address::token::with_fractions;
use shingle_domain::evidence::MatchLevel;
use shingle_domain::lookup::AddressInput;
use shingle_property::{Lookup, PlaceKey, PropertyIndex};

use crate::homes::{Home, Town, cambridge, chesapeake, sample};

/// Words of streets, short and long: the ones that envelopes shorten.
const WORDS: &[(&str, &str)] = &[
    ("ALY", "ALLEY"),
    ("AVE", "AVENUE"),
    ("BLVD", "BOULEVARD"),
    ("CIR", "CIRCLE"),
    ("CT", "COURT"),
    ("CRES", "CRESCENT"),
    ("CV", "COVE"),
    ("DR", "DRIVE"),
    ("HWY", "HIGHWAY"),
    ("LN", "LANE"),
    ("LNDG", "LANDING"),
    ("PKWY", "PARKWAY"),
    ("PL", "PLACE"),
    ("PT", "POINT"),
    ("RD", "ROAD"),
    ("SQ", "SQUARE"),
    ("ST", "STREET"),
    ("TER", "TERRACE"),
    ("TPKE", "TURNPIKE"),
    ("TRCE", "TRACE"),
    ("TRL", "TRAIL"),
    ("XING", "CROSSING"),
];
const DIRECTIONS: &[(&str, &str)] = &[("N", "NORTH"), ("S", "SOUTH"), ("E", "EAST"), ("W", "WEST")];

fn change(table: &[(&str, &str)], word: &mut String, long: bool) -> bool {
    let found = table.iter().find(|(short, full)| *word == *short || *word == *full);
    if let Some((short, full)) = found {
        *word = if long { *full } else { *short }.to_owned();
    }
    found.is_some()
}

/// The street with its suffix and outer directions written short, or long.
fn written(street: &str, long: bool) -> String {
    let mut words: Vec<String> = street.split_whitespace().map(str::to_uppercase).collect();
    let count = words.len();
    if count > 2 {
        change(DIRECTIONS, &mut words[0], long);
    }
    let last = count - 1;
    let directed = count > 2 && change(DIRECTIONS, &mut words[last], long);
    let at = if directed { last - 1 } else { last };
    if at > 0 {
        change(WORDS, &mut words[at], long);
    }
    words.join(" ")
}

fn lines(home: &Home) -> Vec<String> {
    let Home { number, city, state, zip, .. } = home;
    let (short, long) = (written(&home.street, false), written(&home.street, true));
    let with = |street: &str, unit: &str| format!("{number} {street}{}", home.unit_text(unit));
    let mut lines = vec![
        format!("{}, {city}, {state} {zip}", with(&home.street, "Unit")),
        format!("{}, {city}, {state} {zip}", with(&short, "Apt")),
        format!("{}, {city}, {state}", with(&home.street, "#")),
        format!("  {} ,  {city} ,{state}   {zip} ", with(&short, "Apt.")),
        format!("{} {city} {state} {zip}", with(&short, "Unit")),
        format!("{} {city} {state} {zip}", with(&long, "Unit")),
    ];
    if !zip.is_empty() {
        lines.push(format!("{}, {city}, {state} {zip}-1234, USA", with(&long, "#")));
    }
    let other_case = |(at, l): (usize, &String)| if at % 2 == 0 { l.to_lowercase() } else { l.to_uppercase() };
    let other_case: Vec<String> = lines.iter().enumerate().map(other_case).collect();
    lines.extend(other_case);
    lines
}

fn key_of(index: &PropertyIndex, input: &AddressInput) -> Result<(PlaceKey, MatchLevel), String> {
    match index.lookup(input).unwrap() {
        Lookup::Found { key, evidence } => Ok((key, evidence.matched.level)),
        Lookup::Ambiguous(found) => Err(format!("{} fit", found.len())),
        Lookup::NotFound { .. } => Err("not found".to_owned()),
    }
}

/// Looks every home up in every way, prints what was tried, and gives what does not come back to its place.
fn misses(town: &str, index: &PropertyIndex, homes: &BTreeSet<Home>) -> Vec<String> {
    let mut missed = Vec::new();
    let (mut tried, mut right) = (0, 0);
    for home in homes {
        let own = match key_of(index, &home.parts()) {
            Ok((key, MatchLevel::Exact)) => key,
            other => {
                missed.push(format!("{home:?} by its parts: {other:?}"));
                continue;
            }
        };
        let at = index.get(&own).unwrap().map(|e| written(&e.place.address.street_line(), true));
        let number = with_fractions(home.number.as_str().into());
        if at != Some(written(&format!("{number} {}", home.street), true)) {
            missed.push(format!("{home:?} leads to {at:?}"));
        }
        for line in lines(home) {
            tried += 1;
            match key_of(index, &AddressInput::Line(line.clone())) {
                Ok((key, MatchLevel::Exact)) if key == own => right += 1,
                other => missed.push(format!("{line:?}: {:?}", other.map(|(_, level)| level))),
            }
        }
    }
    println!("{town}: {} addresses by their parts, {right} of {tried} lines", homes.len());
    missed
}

#[track_caller]
fn all_come_back(town: &str, Town { index, homes, .. }: &Town) {
    let missed = misses(town, index, homes);
    for miss in &missed {
        println!("{miss}");
    }
    assert!(missed.is_empty(), "{town}: {} misses", missed.len());
}

#[test]
fn every_address_of_chesapeake_comes_back_however_it_is_written() {
    if let Some(town) = chesapeake() {
        all_come_back("Chesapeake", &town);
    }
}

#[test]
fn every_address_of_cambridge_comes_back_however_it_is_written() {
    if let Some(town) = cambridge() {
        all_come_back("Cambridge", &town);
    }
}

#[test]
fn every_address_of_the_sample_town_comes_back_however_it_is_written() {
    all_come_back("the sample town", &sample());
}
