use crate::index::PropertyIndex;
use crate::index::readers::Reader;
use crate::index::tests::{index_of, place, place_in};

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

/// A different pronounceable name for every number.
fn name(n: usize) -> String {
    const SYLLABLES: [&str; 10] = ["ba", "be", "di", "do", "fu", "ga", "le", "mi", "no", "ru"];
    format!("{n:04}").bytes().map(|b| SYLLABLES[usize::from(b - b'0')]).collect()
}
