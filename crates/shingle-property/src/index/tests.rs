use std::path::Path;

use shingle_domain::evidence::{
    Assessor, Building, Fact, MatchLevel, Outline, OutlineKind, Place, Point, Polygon, Position, RoofPlane, Source,
};
use shingle_domain::lookup::AddressInput;
use shingle_domain::{Address, Evidence, State, Usd, Zip};

use super::*;
use crate::{Lookup, PropertyError, PropertyIndex, Reference};

fn source(name: &str) -> Source {
    Source {
        name: name.into(),
        title: Some("A county".into()),
        licence: Some("CC0".into()),
        as_of: Some("2024".into()),
        invented: true,
    }
}

/// `14 Alder Court` in Portland, ME 04103, without facts.
pub(crate) fn place(number: &str, street: &str) -> Place {
    place_in(number, street, "Portland", "ME", "04103")
}

pub(crate) fn place_in(number: &str, street: &str, city: &str, state: &str, zip: &str) -> Place {
    Place {
        address: Address {
            street_number: number.into(),
            street_address: street.into(),
            city: city.into(),
            state: State::parse(state).unwrap(),
            zip: Zip::parse(zip).unwrap(),
        },
        unit: None,
        parcel: None,
        origin: None,
        buildings: Vec::new(),
        assessor: Assessor::default(),
        permits: Vec::new(),
        conflicts: Vec::new(),
        sources: vec![source("test")],
    }
}

pub(crate) fn with_unit(place: Place, unit: &str) -> Place {
    Place { unit: Some(unit.into()), ..place }
}

pub(crate) fn rectangle(x: f64, y: f64, wide: f64, deep: f64) -> Building {
    let exterior =
        vec![Point { x, y }, Point { x: x + wide, y }, Point { x: x + wide, y: y + deep }, Point { x, y: y + deep }];
    let plane = RoofPlane {
        ring: exterior.clone(),
        holes: vec![exterior.clone()],
        height: Some(7.25),
        pitch_degrees: 26.5,
        azimuth_degrees: 180.0,
    };
    Building {
        outline: Outline {
            kind: OutlineKind::Wall,
            parts: vec![Polygon { exterior, holes: Vec::new() }],
            planes: vec![plane],
            survey: None,
            spans_parcels: true,
        },
        use_: Some("house".into()),
        lot: vec![Point { x: x - 4.5, y: y - 6.25 }, Point { x: x + 30.0, y: y - 6.25 }, Point { x, y: y + 40.0 }],
        source: 0,
    }
}

pub(crate) fn build(root: &Path, dataset: &str, places: impl IntoIterator<Item = Place>) -> IndexSummary {
    let mut builder = IndexBuilder::create(root, dataset).unwrap();
    for place in places {
        builder.push(place).unwrap();
    }
    builder.finish().unwrap()
}

pub(crate) fn index_of(places: impl IntoIterator<Item = Place>) -> (tempfile::TempDir, PropertyIndex) {
    let root = tempfile::tempdir().unwrap();
    build(root.path(), "test", places);
    let index = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
    (root, index)
}

pub(crate) fn line(index: &PropertyIndex, text: &str) -> Lookup {
    index.lookup(&AddressInput::Line(text.into())).unwrap()
}

#[track_caller]
fn found(lookup: Lookup) -> (PlaceKey, Evidence) {
    match lookup {
        Lookup::Found { key, evidence } => (key, evidence),
        other => panic!("not found: {other:?}"),
    }
}

#[track_caller]
fn level(index: &PropertyIndex, text: &str) -> (String, MatchLevel) {
    let (_, evidence) = found(line(index, text));
    (evidence.place.address.street_line(), evidence.matched.level)
}

#[test]
fn a_place_comes_back_as_it_was_pushed() {
    let mut place = place("14", "Alder Court");
    place.parcel = Some("0092-01".into());
    place.origin = Some(Position { longitude: -70.3, latitude: 43.7 });
    place.buildings = vec![rectangle(-3.25, 0.5, 12.0, 9.5)];
    place.assessor.year_built = Some(Fact { value: 1961, source: 0 });
    place.assessor.sale_price = Some(Fact { value: Usd::from_cents(31_250_050), source: 0 });
    let (_root, index) = index_of([place.clone()]);
    let (key, evidence) = found(line(&index, "14 alder ct, portland me 04103"));
    assert_eq!(evidence.place, place);
    assert_eq!(evidence.matched.level, MatchLevel::Exact);
    assert_eq!(index.get(&key).unwrap(), Some(evidence));
}

#[test]
fn rungs_below_the_exact_key_are_taken_in_order() {
    let mut places = vec![
        place("14", "Alder Court"),
        place("16", "Alder Court"),
        place("16", "Alder Street"),
        place("4-6", "Kirkland Place"),
        with_unit(place("9", "Birch Lane"), "1"),
        with_unit(place("9", "Birch Lane"), "2"),
        place("20", "North Cedarbrook Drive"),
    ];
    places.push(place_in("14", "Alder Court", "Augusta", "ME", "04330"));
    let (_root, index) = index_of(places);
    assert_eq!(level(&index, "14 Alder Ct, Portland, ME 04103"), ("14 Alder Court".into(), MatchLevel::Exact));
    assert_eq!(level(&index, "14 Alder Ct Apt 2, Portland, ME 04103").1, MatchLevel::WithoutUnit);
    assert_eq!(level(&index, "4-6 Kirkland, Portland, ME 04103").1, MatchLevel::WithoutSuffix);
    assert_eq!(level(&index, "6 Kirkland Pl, Portland, ME 04103").1, MatchLevel::NumberRange);
    assert_eq!(level(&index, "20 N Cedarbrooke Dr, Portland, ME 04103").1, MatchLevel::SimilarName);
    assert_eq!(level(&index, "14 Alder Ct, Augusta, ME").0, "14 Alder Court");
    assert_eq!(level(&index, "9 Birch Ln Unit 2, Portland, ME 04103").1, MatchLevel::Exact);
}

#[test]
fn a_part_left_out_is_forgiven_only_when_one_place_fits() {
    let (_root, index) = index_of([
        place("14", "Alder Court"),
        place("14", "Alder Street"),
        place("16", "Alder Court"),
        place("5", "North Elm Street"),
        place("5", "South Elm Street"),
        with_unit(place("9", "Birch Lane"), "10"),
        with_unit(place("9", "Birch Lane"), "2"),
        with_unit(place("11", "Birch Lane"), "2"),
    ]);
    let streets = |text: &str| match line(&index, text) {
        Lookup::Ambiguous(found) => found.into_iter().map(|s| s.street).collect::<Vec<_>>(),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(streets("14 Alder, Portland, ME 04103").len(), 2);
    assert_eq!(streets("5 Elm St, Portland, ME 04103").len(), 2);
    assert_eq!(streets("9 Birch Ln, Portland, ME 04103"), ["9 Birch Lane Unit 2", "9 Birch Lane Unit 10"]);
    assert_eq!(streets("16 Alder, Portland, ME 04103"), ["16 Alder Court"], "the street has another 16, perhaps");
    assert_eq!(streets("11 Birch Ln, Portland, ME 04103"), ["11 Birch Lane Unit 2"]);
    assert_eq!(streets("16 Alder Road, Portland, ME 04103"), ["16 Alder Court"], "another suffix is another street");
    assert_eq!(streets("11 Birch Ln Unit 7, Portland, ME 04103"), ["11 Birch Lane Unit 2"]);
}

#[test]
fn a_number_is_found_inside_a_range_on_its_side_of_the_street() {
    let (_root, index) = index_of([place("4-8", "Kirkland Place"), place("112-10", "Queens Boulevard")]);
    for number in [4, 6, 8] {
        let text = format!("{number} Kirkland Pl, Portland, ME 04103");
        assert_eq!(level(&index, &text).1, MatchLevel::NumberRange, "{text}");
    }
    assert_eq!(level(&index, "4-8 Kirkland Pl, Portland, ME 04103").1, MatchLevel::Exact);
    for text in ["5 Kirkland Pl, Portland, ME 04103", "10 Kirkland Pl, Portland, ME 04103", "112 Queens Blvd, 04103"] {
        assert!(matches!(line(&index, text), Lookup::NotFound { .. }), "{text}");
    }
    assert_eq!(level(&index, "112-10 Queens Blvd, Portland, ME 04103").1, MatchLevel::Exact);
}

#[test]
fn what_is_not_there_gives_what_comes_close() {
    let (_root, index) = index_of([place("14", "Alder Court"), place("18", "Alder Court"), place("14", "Oak Lane")]);
    match line(&index, "15 Alder Ct, Portland, ME 04103") {
        Lookup::NotFound { close } => {
            let streets: Vec<_> = close.iter().map(|s| s.street.as_str()).collect();
            assert_eq!(streets, ["14 Alder Court", "18 Alder Court"]);
            let key: PlaceKey = close[0].key.parse().unwrap();
            assert!(index.get(&key).unwrap().is_some());
        }
        other => panic!("{other:?}"),
    }
    for text in ["", "Portland", "14", "nowhere at all", "PO Box 7, Portland, ME 04103", "\u{0}\u{202e}"] {
        assert!(matches!(line(&index, text), Lookup::NotFound { .. }), "{text:?}");
    }
}

#[test]
fn town_and_state_do_when_the_zip_is_missing_on_either_side() {
    let (_root, index) = index_of([
        place_in("14", "Alder Court", "St. Cloud", "MN", "56301"),
        place_in("14", "Alder Court", "Duluth", "MN", "55802"),
        place_in("3", "Main Street", "Cambridge", "MN", "00000"),
    ]);
    let (_, evidence) = found(line(&index, "14 Alder Ct, Saint Cloud, MN"));
    assert_eq!(evidence.place.address.zip.as_str(), "56301");
    assert!(matches!(line(&index, "14 Alder Ct"), Lookup::Ambiguous(found) if found.len() == 2));
    assert_eq!(level(&index, "3 Main St, Cambridge, MN 55008"), ("3 Main Street".into(), MatchLevel::Exact));
    assert_eq!(level(&index, "3 Main, Cambridge, MN 55008").1, MatchLevel::WithoutSuffix);
    assert!(matches!(line(&index, "3 Main St, Duluth, MN 55802"), Lookup::NotFound { .. }));
    assert!(matches!(line(&index, "14 Alder Ct, St Cloud, ME"), Lookup::NotFound { .. }), "another state");
}

#[test]
fn a_zip_and_another_towns_name_are_a_question() {
    let (_root, index) = index_of([
        place_in("14", "Alder Court", "Portland", "ME", "04103"),
        place_in("16", "Alder Court", "Portland", "ME", "04103"),
        place_in("14", "Alder Court", "Augusta", "ME", "04330"),
        place_in("9", "Oak Lane", "Falmouth", "ME", "04103"),
    ]);
    let towns = |text: &str| match line(&index, text) {
        Lookup::Ambiguous(found) => found.into_iter().map(|s| s.city).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    let both = towns("14 Alder Ct, Augusta, ME 04103");
    assert_eq!(both, ["Portland, ME 04103", "Augusta, ME 04330"], "the ZIP's place first");
    for text in ["Augusta, ME 04103", "Deering, ME 04103", "Portland, ME 04330"] {
        assert_eq!(towns(&format!("16 Alder Ct, {text}")), ["Portland, ME 04103"], "{text}");
    }
    for town in ["Falmouth", "South Portland", "Portlnad", "Portland Maine"] {
        let text = format!("16 Alder Ct, {town}, ME 04103");
        assert_eq!(level(&index, &text).1, MatchLevel::Exact, "{town} may be the town");
    }
}

#[test]
fn a_misspelled_town_without_a_zip_gives_candidates() {
    let (_root, index) = index_of([place("14", "Alder Court"), place("20", "Birch Lane")]);
    for text in ["14 Alder Ct, Portlnd, ME", "14 Alder Ct Portlnd ME", "14 Alder Court, Prtland, Maine"] {
        match line(&index, text) {
            Lookup::NotFound { close } => assert_eq!(close[0].street, "14 Alder Court", "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn letters_of_every_script_are_found_again() {
    let (_root, index) = index_of([place("7", "Calle Peñón"), place("8", "улица Ленина"), place("9", "日本 Street")]);
    assert_eq!(level(&index, "7 CALLE PENON, Portland, ME 04103").1, MatchLevel::Exact);
    assert_eq!(level(&index, "8 УЛИЦА ЛЕНИНА, Portland, ME 04103").1, MatchLevel::Exact);
    assert_eq!(index.suggest("9 日", 5).unwrap()[0].street, "9 日本 Street");
}

#[test]
fn rows_of_one_place_are_joined() {
    let mut first = place("14", "Alder Court");
    first.origin = Some(Position { longitude: -70.0, latitude: 43.0 });
    first.buildings = vec![rectangle(0.0, 0.0, 5.0, 4.0)];
    first.assessor.year_built = Some(Fact { value: 1950, source: 0 });
    let mut second = place("14", "ALDER CT");
    // One ten-thousandth of a degree north: 11.11 m.
    second.origin = Some(Position { longitude: -70.0, latitude: 43.0001 });
    second.sources = vec![source("other")];
    second.buildings = vec![rectangle(0.0, 0.0, 12.0, 10.0)];
    second.assessor.year_built = Some(Fact { value: 1951, source: 0 });
    second.assessor.storeys = Some(Fact { value: 2.0, source: 0 });
    let root = tempfile::tempdir().unwrap();
    // The first row once more: nothing new in it.
    let summary = build(root.path(), "test", [first.clone(), second, first]);
    assert_eq!((summary.rows, summary.places, summary.joined, summary.conflicts), (3, 1, 2, 1));
    let (_, evidence) =
        found(line(&PropertyIndex::open(root.path(), Reference::built_in()).unwrap(), "14 Alder Ct, 04103"));
    let place = evidence.place;
    assert_eq!(place.buildings.len(), 2);
    let corner = place.buildings[0].outline.parts[0].exterior[0];
    assert_eq!((corner.x, corner.y), (0.0, 11.11), "the larger one first, moved into the first one's frame");
    assert_eq!(place.buildings[0].source, 1);
    assert_eq!(place.assessor.year_built, Some(Fact { value: 1950, source: 0 }));
    assert_eq!(place.assessor.storeys, Some(Fact { value: 2.0, source: 1 }));
    assert_eq!(place.sources, [source("test"), source("other")]);
}

#[test]
fn ten_thousand_rows_of_one_place_are_one_place() {
    let root = tempfile::tempdir().unwrap();
    let rows = (0..10_000).map(|n| {
        let mut row = place("14", "Alder Court");
        row.buildings = vec![rectangle(f64::from(n % 50), 0.0, 8.0, 6.0)];
        row
    });
    let summary = build(root.path(), "test", rows);
    assert_eq!((summary.rows, summary.places, summary.joined), (10_000, 1, 9_999));
    let (_, evidence) =
        found(line(&PropertyIndex::open(root.path(), Reference::built_in()).unwrap(), "14 Alder Ct, 04103"));
    assert_eq!(evidence.place.buildings.len(), 50);
}

#[test]
fn two_data_sets_are_one_place() {
    let mut outline = place("14", "Alder Court");
    outline.origin = Some(Position { longitude: -70.0, latitude: 43.0 });
    outline.buildings = vec![rectangle(0.0, 0.0, 12.0, 10.0)];
    outline.sources = vec![source("outlines")];
    let mut record = place_in("14", "ALDER CT", "PORTLAND", "ME", "00000");
    record.assessor.year_built = Some(Fact { value: 1950, source: 0 });
    record.sources = vec![source("assessor")];
    let root = tempfile::tempdir().unwrap();
    build(root.path(), "b-outlines", [outline.clone()]);
    build(root.path(), "a-assessor", [record]);
    let index = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
    let (_, evidence) = found(line(&index, "14 Alder Ct, Portland, ME 04103"));
    assert_eq!(evidence.place.buildings.len(), 1);
    assert_eq!(evidence.place.assessor.year_built, Some(Fact { value: 1950, source: 0 }));
    assert_eq!(evidence.place.sources, [source("assessor"), source("outlines")]);
    assert_eq!(evidence.place.buildings[0].source, 1);
    assert_eq!(evidence.place.origin, outline.origin);
    let suggested = index.suggest("14 alder", 5).unwrap();
    assert_eq!(suggested.iter().map(|s| s.city.as_str()).collect::<Vec<_>>(), ["Portland, ME 04103"]);
    let picked = index.get(&suggested[0].key.parse().unwrap()).unwrap().unwrap();
    assert!(picked.place.buildings.len() == 1 && picked.place.assessor.year_built.is_some());
}

#[test]
fn a_line_without_commas_is_read_again_when_its_first_reading_is_nowhere() {
    let (_root, index) = index_of([
        place_in("2421", "Goose Creek Flyway", "Chesapeake", "VA", "23321"),
        place_in("7", "The Keep", "New Haven", "VA", "23321"),
    ]);
    assert_eq!(level(&index, "2421 goose creek flyway chesapeake va 23321").1, MatchLevel::Exact);
    assert_eq!(level(&index, "7 the keep new haven va 23321").1, MatchLevel::Exact);
    assert_eq!(level(&index, "7 the keep new haven va").1, MatchLevel::Exact);
}

#[test]
fn an_index_that_is_not_there_finds_nothing_until_it_is() {
    let root = tempfile::tempdir().unwrap();
    let missing = root.path().join("not yet");
    let index = PropertyIndex::open(&missing, Reference::built_in()).unwrap();
    assert_eq!(line(&index, "14 Alder Ct, 04103"), Lookup::NotFound { close: Vec::new() });
    assert_eq!(index.suggest("14 al", 5).unwrap(), []);
    assert_eq!(index.status().generation, 0);
    build(&missing, "empty", []);
    assert_eq!(line(&index, "14 Alder Ct, 04103"), Lookup::NotFound { close: Vec::new() });
    build(&missing, "test", [place("14", "Alder Court")]);
    let (key, _) = found(line(&index, "14 Alder Ct, 04103"));
    let status = index.status();
    assert_eq!((status.generation, status.datasets.len(), status.datasets[1].places()), (2, 2, 1));
    assert!(status.datasets[1].bytes() > 0 && status.problem.is_none());
    let elsewhere = PlaceKey { state: State::parse("VT").unwrap(), ..key };
    assert_eq!(index.get(&elsewhere).unwrap(), None);
}

#[test]
fn a_switch_is_seen_by_open_readers_in_every_thread() {
    let root = tempfile::tempdir().unwrap();
    build(root.path(), "test", [place("14", "Alder Court")]);
    let index = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
    let (ask, asked) = std::sync::mpsc::channel::<&str>();
    let (answer, answered) = std::sync::mpsc::channel();
    let other = index.clone();
    let thread = std::thread::spawn(move || {
        for text in asked {
            answer.send(matches!(line(&other, text), Lookup::Found { .. })).unwrap();
        }
    });
    let both = |text| {
        ask.send(text).unwrap();
        let here = matches!(line(&index, text), Lookup::Found { .. });
        (here, answered.recv().unwrap())
    };
    assert_eq!(both("14 Alder Ct, 04103"), (true, true));
    for (version, number) in (2u64..6).zip(["20", "22", "24", "26"]) {
        // While it is being built, the version before is served.
        let mut builder = IndexBuilder::create(root.path(), "test").unwrap();
        builder.push(place(number, "Alder Court")).unwrap();
        assert_eq!(index.status().datasets[0].version, version - 1);
        builder.finish().unwrap();
        assert_eq!(index.status().datasets[0].version, version);
    }
    assert_eq!(both("14 Alder Ct, 04103"), (false, false));
    assert_eq!(both("26 Alder Ct, 04103"), (true, true));
    drop(ask);
    thread.join().unwrap();
    let kept: Vec<bool> = (1..=5).map(|v| manifest::version_folder(root.path(), "test", v).exists()).collect();
    assert_eq!(kept, [false, false, false, true, true], "the newest and the one before");
}

#[test]
fn an_import_that_is_given_up_changes_nothing() {
    let root = tempfile::tempdir().unwrap();
    build(root.path(), "test", [place("14", "Alder Court")]);
    let mut builder = IndexBuilder::create(root.path(), "test").unwrap();
    builder.push(place("20", "Alder Court")).unwrap();
    let busy = IndexBuilder::create(root.path(), "test").err().map(|e| e.to_string()).unwrap();
    assert!(busy.contains("another import"), "{busy}");
    IndexBuilder::create(root.path(), "other").unwrap();
    drop(builder);
    let index = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
    assert!(matches!(line(&index, "14 Alder Ct, 04103"), Lookup::Found { .. }));
    assert!(!root.path().join("test/building").exists());
    for name in ["", "../x", "A", "a b", ".hidden", "-x"] {
        assert!(matches!(IndexBuilder::create(root.path(), name), Err(PropertyError::DatasetName { .. })), "{name}");
    }
}

#[test]
fn a_place_without_a_street_is_counted_and_left_out() {
    let root = tempfile::tempdir().unwrap();
    let summary = build(root.path(), "test", [place("14", ""), place("14", "Alder Court")]);
    assert_eq!((summary.rows, summary.places, summary.without_street), (2, 1, 1));
}
