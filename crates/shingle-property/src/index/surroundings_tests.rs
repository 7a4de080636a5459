use shingle_domain::lookup::AddressInput;
use shingle_domain::surroundings::Surroundings;

use crate::{Lookup, PropertyIndex, Reference, sample_town};

fn town() -> (tempfile::TempDir, PropertyIndex) {
    let folder = tempfile::tempdir().expect("a folder");
    sample_town::build(folder.path()).expect("the sample town");
    let index = PropertyIndex::open(folder.path(), Reference::built_in()).expect("its index");
    (folder, index)
}

fn around(index: &PropertyIndex, line: &str) -> Surroundings {
    let Lookup::Found { evidence, .. } = index.lookup(&AddressInput::Line(line.into())).expect("a readable index")
    else {
        panic!("{line} is in the town")
    };
    index.surroundings(&evidence.place).expect("a readable index")
}

#[test]
fn the_showpiece_stands_between_12_and_16_on_alder_court() {
    let (_folder, index) = town();
    let found = around(&index, "14 Alder Court, Harrow Falls, ME 04995");
    assert_eq!(found.between, [Some("12".to_owned()), Some("16".to_owned())]);
    let street = found.street.expect("houses on both sides");
    assert_eq!(street.name, "Alder Court");
    // The even side looks north: the street passes there.
    assert!(street.from[1] < 0 && street.to[1] < 0, "{street:?}");
    assert!((80..=135).contains(&street.half_width), "{}", street.half_width);
    let numbers: Vec<&str> = found.neighbors.iter().filter_map(|n| n.number.as_deref()).collect();
    assert!(["12", "16", "13"].iter().all(|n| numbers.contains(n)), "{numbers:?}");
    assert!(!numbers.contains(&"14"));
}

#[test]
fn every_home_of_the_town_has_little_around_it_and_no_street_runs_through_a_house() {
    let (_folder, index) = town();
    let (mut homes, mut streets, mut most) = (0, 0, 0);
    for place in sample_town::places().step_by(7) {
        let found = index.surroundings(&place).expect("a readable index");
        homes += 1;
        most = most.max(serde_json::to_string(&found).expect("JSON").len());
        let Some(street) = &found.street else { continue };
        streets += 1;
        let (dx, dy) = (street.to[0] - street.from[0], street.to[1] - street.from[1]);
        let length = f64::from(dx).hypot(f64::from(dy));
        for [x, y] in found.neighbors.iter().flat_map(|n| &n.ring) {
            let cross = f64::from(x - street.from[0]) * f64::from(dy) - f64::from(y - street.from[1]) * f64::from(dx);
            assert!((cross / length).abs() > f64::from(street.half_width), "{}", place.address);
        }
    }
    println!("{homes} homes, {streets} with a street, {most} bytes at most");
    assert!(streets * 10 > homes * 7);
    assert!(most <= 6_000);
}
