//! Every address of the towns at hand, written in the ways people write it, leads back to the same place.
//! The real towns lie beside the repository, or where `SHINGLE_SHARED` says; without them only the sample town is
//! tried.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use shingle_domain::evidence::MatchLevel;
use shingle_domain::lookup::AddressInput;
use shingle_domain::{Address, State, Zip};
use shingle_import::{ImportJob, Mapping, run};
use shingle_property::reference::Reference;
use shingle_property::{Lookup, PlaceKey, PropertyIndex, sample_town};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn shared(file: &str) -> Option<PathBuf> {
    shingle_testing::shared(&format!("data/{file}"))
}

fn import(root: &Path, files: Vec<PathBuf>, map: &str) -> PropertyIndex {
    let text = std::fs::read_to_string(repository().join("assets/maps").join(map)).unwrap();
    let mapping = Mapping::from_toml(&text, map).unwrap();
    run(ImportJob { files, mapping: &mapping, into: root.to_owned() }, &mut ()).unwrap();
    PropertyIndex::open(root, Reference::built_in()).unwrap()
}

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

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Home {
    number: String,
    street: String,
    unit: String,
    city: String,
    state: String,
    /// Empty where the source does not know it.
    zip: String,
}

impl Home {
    fn parts(&self) -> AddressInput {
        AddressInput::Parts(Address {
            street_number: self.number.clone(),
            street_address: format!("{}{}", self.street, self.unit_text("Unit")),
            city: self.city.clone(),
            state: State::parse(&self.state).unwrap(),
            zip: Zip::parse(if self.zip.is_empty() { "00000" } else { &self.zip }).unwrap(),
        })
    }

    fn unit_text(&self, word: &str) -> String {
        if self.unit.is_empty() { String::new() } else { format!(" {word} {}", self.unit) }
    }

    fn lines(&self) -> Vec<String> {
        let Self { number, city, state, zip, .. } = self;
        let (short, long) = (written(&self.street, false), written(&self.street, true));
        let with = |street: &str, unit: &str| format!("{number} {street}{}", self.unit_text(unit));
        let mut lines = vec![
            format!("{}, {city}, {state} {zip}", with(&self.street, "Unit")),
            format!("{}, {city}, {state} {zip}", with(&short, "Apt")),
            format!("{}, {city}, {state}", with(&self.street, "#")),
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
        if at != Some(written(&format!("{} {}", home.number, home.street), true)) {
            missed.push(format!("{home:?} leads to {at:?}"));
        }
        for line in home.lines() {
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
fn all_come_back(town: &str, index: &PropertyIndex, homes: &BTreeSet<Home>) {
    let missed = misses(town, index, homes);
    for miss in &missed {
        println!("{miss}");
    }
    assert!(missed.is_empty(), "{town}: {} misses", missed.len());
}

#[test]
fn every_address_of_chesapeake_comes_back_however_it_is_written() {
    let names = ["1", "2", "4"].map(|n| format!("footprints/chesapeake_va_{n}.shp"));
    let Some(files) = names.iter().map(|n| shared(n)).collect::<Option<Vec<_>>>() else { return };
    let root = tempfile::tempdir().unwrap();
    let index = import(root.path(), files.clone(), "chesapeake-va.toml");
    let mut homes = BTreeSet::new();
    let mut outlines = 0;
    for file in &files {
        let mut reader = shapefile::Reader::from_path(file).unwrap();
        for row in reader.iter_shapes_and_records() {
            let (_, record) = row.unwrap();
            let text = |column: &str| match record.get(column) {
                Some(shapefile::dbase::FieldValue::Character(Some(t))) => t.trim().to_owned(),
                _ => String::new(),
            };
            if text("housenum").is_empty() {
                continue;
            }
            outlines += 1;
            homes.insert(Home {
                number: text("housenum"),
                street: text("street_nm"),
                unit: text("unit"),
                city: text("city"),
                state: text("state"),
                zip: text("postcode"),
            });
        }
    }
    println!("{outlines} addressed outlines");
    assert_eq!(outlines, 4_317);
    all_come_back("Chesapeake", &index, &homes);
}

#[test]
fn every_address_of_cambridge_comes_back_however_it_is_written() {
    let Some(file) = shared("assessor/cambridge_ma_fy2025_property.csv") else { return };
    let root = tempfile::tempdir().unwrap();
    let index = import(root.path(), vec![file.clone()], "cambridge-ma.toml");
    let mut homes = BTreeSet::new();
    let mut table = csv::Reader::from_path(&file).unwrap();
    let columns = table.headers().unwrap().clone();
    let at = |name: &str| columns.iter().position(|c| c.trim_start_matches('\u{feff}') == name).unwrap();
    let (address, unit) = (at("Address"), at("Unit"));
    for row in table.records() {
        let row = row.unwrap();
        let Some((number, street)) = row[address].trim().split_once(' ') else { continue };
        if !number.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let (number, street) = match street.split_once(' ') {
            Some((part, rest)) if part.contains('/') => (format!("{number} {part}"), rest),
            _ => (number.to_owned(), street),
        };
        let unit = Some(row[unit].trim()).filter(|u| !matches!(*u, "NULL" | "-" | "_")).unwrap_or_default();
        homes.insert(Home {
            number,
            street: street.trim().to_owned(),
            unit: unit.to_owned(),
            city: "Cambridge".into(),
            state: "MA".into(),
            zip: String::new(),
        });
    }
    assert!(homes.len() > 900, "{}", homes.len());
    all_come_back("Cambridge", &index, &homes);
}

#[test]
fn every_address_of_the_sample_town_comes_back_however_it_is_written() {
    let root = tempfile::tempdir().unwrap();
    sample_town::build(root.path()).unwrap();
    let index = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
    let homes: BTreeSet<Home> = sample_town::places()
        .map(|place| Home {
            number: place.address.street_number,
            street: place.address.street_address,
            unit: place.unit.unwrap_or_default(),
            city: place.address.city,
            state: place.address.state.to_string(),
            zip: place.address.zip.to_string(),
        })
        .collect();
    assert!(homes.len() > 2_000, "{}", homes.len());
    all_come_back("the sample town", &index, &homes);
}
