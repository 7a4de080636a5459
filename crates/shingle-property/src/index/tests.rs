use std::path::Path;

use shingle_domain::evidence::{
    Assessor, Building, Fact, MatchLevel, Outline, OutlineKind, Place, Point, Polygon, Position, RoofPlane, Source,
};
use shingle_domain::lookup::AddressInput;
use shingle_domain::{Address, State, Usd, Zip};

use super::*;

fn source(name: &str) -> Source {
    Source { name: name.into(), licence: Some("CC0".into()), as_of: Some("2024".into()), invented: true }
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
        sources: vec![source("test")],
    }
}

fn with_unit(place: Place, unit: &str) -> Place {
    Place { unit: Some(unit.into()), ..place }
}

fn rectangle(x: f64, y: f64, wide: f64, deep: f64) -> Building {
    let exterior =
        vec![Point { x, y }, Point { x: x + wide, y }, Point { x: x + wide, y: y + deep }, Point { x, y: y + deep }];
    let plane = RoofPlane { ring: exterior.clone(), pitch_degrees: 26.5, azimuth_degrees: 180.0 };
    Building {
        outline: Outline {
            kind: OutlineKind::Wall,
            parts: vec![Polygon { exterior, holes: Vec::new() }],
            planes: vec![plane],
            spans_parcels: true,
        },
        use_: Some("house".into()),
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
    let index = PropertyIndex::open(root.path()).unwrap();
    (root, index)
}

fn line(index: &PropertyIndex, text: &str) -> Lookup {
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
    assert_eq!(level(&index, "14 Alder, Portland, ME 04103").1, MatchLevel::WithoutSuffix);
    assert_eq!(level(&index, "6 Kirkland Pl, Portland, ME 04103").1, MatchLevel::NumberRange);
    assert_eq!(level(&index, "20 Cedarbrooke Dr, Portland, ME 04103").1, MatchLevel::SimilarName);
    assert_eq!(level(&index, "14 Alder Ct, Augusta, ME").0, "14 Alder Court");
    assert_eq!(level(&index, "9 Birch Ln Unit 2, Portland, ME 04103").1, MatchLevel::Exact);
}
