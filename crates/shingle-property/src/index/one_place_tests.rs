use shingle_domain::evidence::{Fact, Place, Source};
use shingle_domain::lookup::AddressInput;

use crate::index::manifest::{FORMAT, Manifest};
use crate::index::tests::{build, place, place_in};
use crate::{IndexBuilder, Lookup, PlaceKey, PropertyIndex, Reference};

fn dated(place: Place, name: &str, as_of: Option<&str>, year_built: u16) -> Place {
    let mut place = place;
    place.sources = vec![Source {
        name: name.into(),
        title: None,
        licence: None,
        as_of: as_of.map(str::to_owned),
        invented: false,
    }];
    place.assessor.year_built = Some(Fact { value: year_built, source: 0 });
    place
}

fn found(index: &PropertyIndex, line: &str) -> (PlaceKey, Place) {
    match index.lookup(&AddressInput::Line(line.into())).unwrap() {
        Lookup::Found { key, evidence } => (key, evidence.place),
        other => panic!("{line}: {other:?}"),
    }
}

fn believed(place: &Place) -> (u16, &str) {
    let fact = place.assessor.year_built.as_ref().unwrap();
    (fact.value, &place.sources[usize::from(fact.source)].name)
}

#[test]
fn a_look_up_believes_the_newest_data_set_whatever_it_is_called() {
    let root = tempfile::tempdir().unwrap();
    let alder = |name: &str, as_of, year| build(root.path(), name, [dated(place("14", "Alder Ct"), name, as_of, year)]);
    let index = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
    let now = || found(&index, "14 Alder Ct, Portland, ME 04103");
    alder("b-roll", Some("2022"), 1950);
    alder("a-roll", Some("2023"), 1960);
    assert_eq!(believed(&now().1), (1960, "a-roll"));
    alder("b-roll", Some("2024"), 1970);
    let (key, place) = now();
    assert_eq!(believed(&place), (1970, "b-roll"));
    let doubts: Vec<_> = place.conflicts.iter().map(|c| (c.field.as_str(), c.value.as_str())).collect();
    assert_eq!(doubts, [("year_built", "1960")]);
    assert_eq!(index.get(&key).unwrap().unwrap().place, place);

    // Equally old: the one imported later, which a second import makes the other one.
    alder("a-roll", Some("2024-01-01"), 1980);
    assert_eq!(believed(&now().1), (1980, "a-roll"));
    alder("b-roll", Some("2024"), 1970);
    assert_eq!(believed(&now().1), (1970, "b-roll"));
}

#[test]
fn a_place_is_shown_with_its_zip_and_found_by_its_key_with_all_that_is_known() {
    let root = tempfile::tempdir().unwrap();
    let by_town = place_in("14", "ALDER CT", "PORTLAND", "ME", "00000");
    build(root.path(), "roll", [dated(by_town, "roll", Some("2024"), 1950)]);
    build(root.path(), "outlines", [dated(place("14", "Alder Court"), "outlines", None, 1940)]);
    let index = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
    for line in ["14 Alder Ct, Portland, ME 04103", "14 Alder Ct, 04103", "14 Alder Ct, Portland, ME"] {
        let (key, place) = found(&index, line);
        assert_eq!((believed(&place), place.address.zip.as_str()), ((1950, "roll"), "04103"), "{line}");
        assert_eq!(index.get(&key).unwrap().unwrap().place, place, "{line}");
    }
}

#[test]
fn a_parcel_brings_together_what_is_spelled_in_two_ways_but_not_two_doors() {
    let on = |parcel: &str, mut place: Place| {
        place.parcel = Some(parcel.to_owned());
        place
    };
    let owned =
        |number: &str, street: &str, parcel: &str| on(parcel, dated(place(number, street), "roll", Some("2024"), 1950));
    let drawn = |number: &str, street: &str, parcel: &str| {
        let mut place = on(parcel, place(number, street));
        place.sources[0].name = "outlines".into();
        place
    };
    let root = tempfile::tempdir().unwrap();
    build(
        root.path(),
        "roll",
        [
            owned("12", "ML King Boulevard", "00-412-7"),
            owned("20", "Corner Street", "00-412-8"),
            owned("7", "Twin Street", "00-412-9"),
            owned("3", "Vague Street", "0"),
        ],
    );
    build(
        root.path(),
        "outlines",
        [
            drawn("12", "Martin L King Blvd", "004127"),
            drawn("4", "Other Avenue", "004128"),
            drawn("7", "Twine Street", "004129"),
            drawn("7", "Twain Street", "004129"),
            drawn("3", "Plain Street", "0"),
        ],
    );
    let index = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
    let sources = |line: &str| {
        let (key, place) = found(&index, line);
        assert_eq!(index.get(&key).unwrap().unwrap().place, place, "{line}");
        place.sources.len()
    };
    assert_eq!(sources("12 ML King Blvd, Portland, ME 04103"), 2);
    assert_eq!(sources("12 Martin L King Blvd, Portland, ME 04103"), 2);
    assert_eq!(sources("20 Corner St, Portland, ME 04103"), 1, "another number is another door");
    assert_eq!(sources("7 Twin St, Portland, ME 04103"), 1, "two fit");
    assert_eq!(sources("3 Vague St, Portland, ME 04103"), 1, "no parcel number");
}

#[test]
fn conflicts_of_an_import_are_counted_by_field() {
    let root = tempfile::tempdir().unwrap();
    let mut rows = Vec::new();
    for (number, years) in [("1", [1950, 1950]), ("2", [1950, 1951]), ("3", [1960, 1961])] {
        rows.extend(years.map(|year| dated(place(number, "Alder Ct"), "roll", None, year)));
    }
    // Of two houses without a parcel number the years are kept; what only one of two rows of a house says is a
    // conflict.
    rows[0].assessor.storeys = Some(Fact { value: 1.0, source: 0 });
    rows[1].assessor.storeys = Some(Fact { value: 2.0, source: 0 });
    let summary = build(root.path(), "roll", rows);
    assert_eq!(summary.conflicts_by_field, [("year_built".to_owned(), 2), ("storeys".to_owned(), 1)]);
    assert_eq!((summary.places, summary.conflicts), (3, 3));
}

#[test]
fn an_import_replaces_an_index_of_an_older_format_but_not_of_a_newer_one() {
    let root = tempfile::tempdir().unwrap();
    build(root.path(), "roll", [place("14", "Alder Ct")]);
    let other = |format: u32| {
        let path = Manifest::path(root.path());
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace(&format!("\"format\": {FORMAT}"), &format!("\"format\": {format}")))
            .unwrap();
    };
    other(FORMAT - 1);
    assert!(PropertyIndex::open(root.path(), Reference::built_in()).is_err());
    build(root.path(), "roll", [place("16", "Alder Ct")]);
    found(&PropertyIndex::open(root.path(), Reference::built_in()).unwrap(), "16 Alder Ct, Portland, ME 04103");
    other(FORMAT + 1);
    let mut builder = IndexBuilder::create(root.path(), "roll").unwrap();
    builder.push(place("18", "Alder Ct")).unwrap();
    assert!(builder.finish().unwrap_err().to_string().contains("format"));
}
