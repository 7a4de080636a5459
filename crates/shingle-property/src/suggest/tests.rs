use shingle_domain::lookup::AddressInput;

use crate::index::readers::Reader;
use crate::index::tests::{index_of, place, place_in};
use crate::index::{Lookup, PropertyIndex};

fn streets(index: &PropertyIndex, text: &str) -> Vec<String> {
    index.suggest(text, 5).unwrap().into_iter().map(|s| s.street).collect()
}

/// What SQLite did for a search, in steps of its machine.
fn steps(readers: &[Reader]) -> u64 {
    readers.iter().map(|r| r.shard.steps()).sum()
}

#[test]
fn the_number_and_the_beginning_of_a_street_find_the_address() {
    let (_root, index) = index_of([
        place("14", "Alder Court"),
        place("140", "Alder Court"),
        place("16", "Alder Court"),
        place("14", "Birch Court"),
    ]);
    assert_eq!(streets(&index, "14 alder co"), ["14 Alder Court"]);
    assert_eq!(streets(&index, "14 alder ct"), ["14 Alder Court"]);
    assert_eq!(streets(&index, "14 adler co"), ["14 Alder Court"], "a typing error is forgiven");
    assert_eq!(streets(&index, "14 a"), ["14 Alder Court"]);
    assert_eq!(streets(&index, "15 alder"), ["14 Alder Court", "16 Alder Court"], "the neighbours of a gap");
    assert_eq!(index.suggest("14 alder co", 5).unwrap()[0].matched, 11);
}

#[test]
fn a_search_among_a_thousand_streets_takes_few_steps() {
    let mut places = Vec::new();
    for street in 0..1_000 {
        let name = format!("{} Street", name(street));
        for house in 1..=20 {
            places.push(place_in(&house.to_string(), &name, "Portland", "ME", "04103"));
        }
    }
    let (_root, index) = index_of(places);
    let readers = index.readers().unwrap();
    for text in ["14 ba", "14 babe", "14 bbae street", "14 q", "14 babe street, port", "99999 zzzz", "babe"] {
        let before = steps(&readers);
        super::suggest(&readers, text, 5).unwrap();
        let used = steps(&readers) - before;
        assert!(used < 20_000, "{text} took {used} steps");
    }
}

#[test]
fn a_name_that_every_town_has_costs_no_more_than_the_bound() {
    // As many streets of one name as a large state has, and as many titles that one typing error may mean.
    let common = (0..7_000).map(|n| {
        let (city, zip) = (format!("{}ville", name(n)), format!("{:05}", 10_000 + n));
        place_in("14", "Main Street", &city, "ME", &zip)
    });
    let alike = (0..2_000).map(|n| place(&(20 + n % 3).to_string(), &format!("Maple{} Street", name(n))));
    let (_root, index) = index_of(common.chain(alike));
    let readers = index.readers().unwrap();
    let last = format!("14 main st, {}ville", name(6_999));
    for text in [
        "14 main st, nowhere in particular",
        "14 m",
        "14 main",
        "15 main st",
        "m",
        "main",
        "14 mapel",
        "14 mapleb, q",
        "77 mapxe",
        "14 mian street, nowhere",
        &last,
    ] {
        let before = steps(&readers);
        super::suggest(&readers, text, 5).unwrap();
        let used = steps(&readers) - before;
        // A row is a dozen steps, and its street another dozen.
        assert!(used < 24 * super::MAX_ROWS as u64, "{text} took {used} steps");
    }
    assert_eq!(streets(&index, &format!("14 main st, {}ville", name(12))), ["14 Main Street"]);
}

/// A different pronounceable name for every number.
fn name(n: usize) -> String {
    const SYLLABLES: [&str; 10] = ["ba", "be", "di", "do", "fu", "ga", "le", "mi", "no", "ru"];
    format!("{n:04}").bytes().map(|b| SYLLABLES[usize::from(b - b'0')]).collect()
}

#[test]
fn suggestions_read_what_people_type() {
    let mut places = vec![
        place("14", "Alder Court"),
        place_in("14", "Alder Court", "Augusta", "ME", "04330"),
        place("2", "Fifth Avenue"),
        place("700", "South Military Highway"),
        place("9", "St. Clair Avenue"),
        place("9", "Peña Street"),
        place("1", "Drum Point Crescent"),
        place("3", "Drum Point Lane"),
    ];
    for unit in ["10", "2", "1"] {
        places.push(crate::index::tests::with_unit(place("8", "Birch Lane"), unit));
    }
    let (_root, index) = index_of(places);
    let first = |text: &str| index.suggest(text, 5).unwrap().into_iter().next().map(|s| (s.street, s.city));
    let portland = |street: &str| Some((street.to_owned(), "Portland, ME 04103".to_owned()));
    assert_eq!(first("14 alder ct, aug"), Some(("14 Alder Court".into(), "Augusta, ME 04330".into())));
    assert_eq!(first("14 alder court portl"), portland("14 Alder Court"));
    assert_eq!(first("14 Alder Ct, Portland, ME 04103"), portland("14 Alder Court"));
    assert_eq!(first("14, alder"), portland("14 Alder Court"));
    assert_eq!(first("2 5th"), portland("2 Fifth Avenue"));
    assert_eq!(first("2 fift"), portland("2 Fifth Avenue"));
    assert_eq!(first("700 military hwy"), portland("700 South Military Highway"));
    assert_eq!(first("700 s mil"), portland("700 South Military Highway"));
    assert_eq!(first("9 saint cl"), portland("9 St. Clair Avenue"));
    assert_eq!(first("9 pena"), portland("9 Peña Street"));
    assert_eq!(streets(&index, "drum"), ["1 Drum Point Crescent", "3 Drum Point Lane"]);
    assert_eq!(streets(&index, "8 birch"), ["8 Birch Lane Unit 1", "8 Birch Lane Unit 2", "8 Birch Lane Unit 10"]);
    assert_eq!(streets(&index, "8 birch ln apt 2")[0], "8 Birch Lane Unit 2");
    assert_eq!(streets(&index, "8 birch ln apt").len(), 3);
    for nothing in ["", " ", ",", "14", "zzzz", "14 zzzz", "\0", "%", "'; DROP TABLE place; --"] {
        assert_eq!(streets(&index, nothing), Vec::<String>::new(), "{nothing:?}");
    }
    assert_eq!(index.suggest("14 alder", 0).unwrap(), []);
}

#[test]
fn one_typing_error_in_the_street_is_forgiven() {
    let (_root, index) = index_of([place("14", "Drum Point Crescent"), place("14", "Dogwood Lane")]);
    for typed in ["14 drm poi", "14 durm po", "14 drumm p", "14 drim poi", "14 rdum point cres", "14 drum piont cre"] {
        assert_eq!(streets(&index, typed), ["14 Drum Point Crescent"], "{typed}");
    }
    assert_eq!(streets(&index, "14 dgo"), Vec::<String>::new(), "three letters are too few to guess from");
}

#[test]
fn the_matched_part_ends_where_the_typed_text_does() {
    use super::matched::matched;
    assert_eq!(matched("14 Alder Court", "14 al"), 5);
    assert_eq!(matched("14 Alder Court", "14 alder ct"), 14);
    assert_eq!(matched("14 Alder Court", "14 adler co"), 11);
    assert_eq!(matched("700 South Military Highway", "700 mil"), 13);
    assert_eq!(matched("140 Alder Court", "14 alder"), 0, "another number is not what was typed");
    assert_eq!(matched("9 Peña Street", "9 pena"), 6);
    assert_eq!(matched("", "x"), 0);
}

#[test]
fn a_misspelled_town_is_asked_back_with_the_home_of_the_town_it_may_be() {
    // Of many towns with that street and number, those spelled almost alike come first.
    let others = ["Auburn", "Bath", "Calais", "Dexter", "Eastport", "Gardiner", "Hallowell"];
    let mut places: Vec<_> = others.iter().map(|town| place_in("14", "Alder Court", town, "ME", "00000")).collect();
    places.push(place_in("14", "Alder Court", "Portland", "ME", "04103"));
    places.push(place_in("14", "Alder Street", "Portland", "ME", "04103"));
    let (_root, index) = index_of(places);
    let close = |text: &str| {
        let answer = index.lookup(&AddressInput::Line(text.into())).unwrap();
        let Lookup::NotFound { close } = answer else { panic!("{text}: {answer:?}") };
        close.into_iter().map(|s| format!("{}, {}", s.street, s.city)).collect::<Vec<_>>()
    };
    for town in ["Portlnad", "Protland", "Portlan", "Portlandd", "Potrland"] {
        assert_eq!(close(&format!("14 Alder Ct, {town}, ME")), ["14 Alder Court, Portland, ME 04103"], "{town}");
    }
    assert_eq!(close("14 Alder Ct Portlnad ME"), ["14 Alder Court, Portland, ME 04103"]);
    assert_eq!(close("14 Alder, Portlnad, ME").len(), 2, "the suffix was left out");
    assert_eq!(close("14 Alder Ct, Springfield, ME").len(), 5, "no town is spelled like that");
}
