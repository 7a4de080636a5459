//! Address lines, look-ups and suggestions.

use std::sync::LazyLock;

use proptest::prelude::*;
use shingle_address::{Normalized, parse_line};
use shingle_domain::evidence::{Assessor, Place};
use shingle_domain::lookup::AddressInput;
use shingle_domain::{Address, State, Zip};
use shingle_property::{IndexBuilder, Lookup, PlaceKey, PropertyIndex, Reference};
use tempfile::TempDir;

use super::{corpus, text};

/// A street of ten homes.
static STREET: LazyLock<(TempDir, PropertyIndex)> = LazyLock::new(|| {
    let folder = TempDir::new().expect("a temporary folder");
    let mut builder = IndexBuilder::create(folder.path(), "street").expect("an index in it");
    for number in (2..=20).step_by(2) {
        let address = Address {
            street_number: number.to_string(),
            street_address: "Alder Court".to_owned(),
            city: "Portland".to_owned(),
            state: State::parse("ME").expect("a state"),
            zip: Zip::parse("04103").expect("a ZIP code"),
        };
        let place = Place {
            address,
            unit: None,
            parcel: None,
            origin: None,
            buildings: Vec::new(),
            assessor: Assessor::default(),
            permits: Vec::new(),
            conflicts: Vec::new(),
            sources: Vec::new(),
        };
        builder.push(place).expect("a place that is accepted");
    }
    builder.finish().expect("a finished index");
    let index = PropertyIndex::open(folder.path(), Reference::built_in()).expect("an index that opens");
    (folder, index)
});

/// A line of address-like words, with hostile ones among them.
fn line() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "14",
        "1/2",
        "4-6",
        "N",
        "NW",
        "Alder",
        "Ct",
        "Court",
        "St",
        "Saint",
        "Apt",
        "#",
        "3B",
        "PO",
        "Box",
        "Hwy",
        "12",
        "Portland",
        ",",
        "ME",
        "Maine",
        "04103",
        "04103-1234",
        "USA",
        "and",
        "&",
        "RR",
        "5th",
    ]);
    let word = prop_oneof![6 => words.prop_map(str::to_owned), 1 => text()];
    prop_oneof![text(), prop::collection::vec(word, 0..12).prop_map(|words| words.join(" "))]
}

fn spaces_and_case_change_nothing(line: &str) -> Result<(), TestCaseError> {
    let read = parse_line(line);
    // A line longer than any address is cut, and spaces move the cut.
    let whole = line.len() < 200;
    if whole {
        prop_assert_eq!(&parse_line(&format!("  {line}  ")).normalized, &read.normalized);
    }
    if whole && line.is_ascii() {
        let (lower, upper) = (line.to_ascii_lowercase(), line.to_ascii_uppercase());
        prop_assert_eq!(parse_line(&lower).normalized, parse_line(&upper).normalized);
    }
    if let Some(address) = read.address() {
        prop_assert!(!address.street_address.is_empty() && !address.city.is_empty());
        prop_assert!(!Normalized::from_parts(&address).key().contains('\0'));
    }
    Ok(())
}

fn a_place_of_the_index_is_found_or_none(line: &str) -> Result<(), TestCaseError> {
    let index = &STREET.1;
    match index.lookup(&AddressInput::Line(line.to_owned())).expect("a look-up never fails on what was typed") {
        Lookup::Found { key, evidence } => {
            prop_assert_eq!(evidence.place.address.street_address.as_str(), "Alder Court");
            prop_assert_eq!(index.get(&key).expect("a key that was given").expect("its place").place, evidence.place);
        }
        // One, where it is recorded otherwise than it was typed.
        Lookup::Ambiguous(close) => prop_assert!(!close.is_empty()),
        Lookup::NotFound { close } => prop_assert!(close.len() <= 5),
    }
    Ok(())
}

fn suggestions_are_limited(typed: &str, limit: usize) -> Result<(), TestCaseError> {
    let index = &STREET.1;
    let found = index.suggest(typed, limit).expect("typing never fails");
    prop_assert!(found.len() <= limit);
    for suggestion in found {
        prop_assert!(suggestion.matched as usize <= suggestion.street.chars().count());
        let key: PlaceKey = suggestion.key.parse().expect("a key");
        prop_assert!(index.get(&key).expect("a look-up").is_some());
    }
    Ok(())
}

fn a_key_finds_nothing(text: &str) -> Result<(), TestCaseError> {
    if let Ok(key) = text.parse::<PlaceKey>() {
        prop_assert_eq!(key.to_string().parse::<PlaceKey>().ok(), Some(key));
        prop_assert!(STREET.1.get(&key).expect("a look-up").is_none());
    }
    Ok(())
}

#[test]
fn the_kept_lines_have_every_property() {
    corpus::replay(corpus::lines(), |line| {
        spaces_and_case_change_nothing(line)?;
        a_place_of_the_index_is_found_or_none(line)?;
        suggestions_are_limited(line, 5)?;
        a_key_finds_nothing(line)
    });
}

proptest! {
    #[test]
    fn spaces_and_case_do_not_change_how_a_line_is_parsed(line in line()) {
        spaces_and_case_change_nothing(&line)?;
    }

    #[test]
    fn any_lookup_finds_a_place_of_the_index_or_none(line in line()) {
        a_place_of_the_index_is_found_or_none(&line)?;
    }

    #[test]
    fn suggestions_are_limited_and_their_keys_find_places(typed in line(), limit in 0_usize..8) {
        suggestions_are_limited(&typed, limit)?;
    }

    #[test]
    fn any_key_finds_a_place_or_nothing(text in prop_oneof![text(), "[a-z]{2}[0-9a-z]{13}"]) {
        a_key_finds_nothing(&text)?;
    }
}
