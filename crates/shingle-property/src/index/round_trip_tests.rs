//! Whatever is put into an index comes out of it: homes as no source writes them.

use std::collections::{BTreeMap, HashSet};

use proptest::prelude::*;
use shingle_address::{KeyHash, Normalized};
use shingle_domain::evidence::{
    Assessor, Building, Conflict, Fact, Garage, HeatFuel, Outline, OutlineKind, Permit, PermitKind, Place, Point,
    Polygon, Position, PropertyClass, RoofType, Source,
};
use shingle_domain::lookup::AddressInput;
use shingle_domain::{Address, State, Usd, Zip};

use super::building_plan::sort_by_size;
use super::key::PlaceKey;
use super::merge::{Reach, across};
use super::record::Spot;
use crate::index::tests::{build, place, with_unit};
use crate::{Lookup, PropertyIndex, Reference};

fn key(place: &Place) -> u64 {
    KeyHash::of(&Normalized::from_place(place).key()).hash
}

/// As an index has it: positions in whole ten-millionths of a degree, the largest building first.
fn stored(mut place: Place) -> Place {
    place.origin = place.origin.and_then(Spot::of).map(Spot::position);
    sort_by_size(&mut place.buildings);
    place
}

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[1-9][0-9]{0,3}",
        1 => "[0-9]{0,12}",
        1 => Just(u32::MAX.to_string()),
        1 => "[1-9][0-9]?\\.[0-9]{1,2}",
        1 => "[1-9][0-9]? 1/2",
        1 => "[1-9][0-9]{0,2}-[1-9][0-9]{0,2}",
        1 => "[1-9][0-9]?[A-F]",
        1 => "\\PC{0,6}",
    ]
}

fn street() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "(N |SW |)(Alder|Elm|Oak) (Court|St|Avenue|)( W|)",
        1 => Just("Calle Pe\u{f1}\u{f3}n".to_owned()),
        1 => Just("\u{738b}\u{5e9c}\u{4e95} Road".to_owned()),
        1 => "US Highway [0-9]{1,3}",
        1 => "\\PC{0,12}",
    ]
}

fn address() -> impl Strategy<Value = Address> {
    let city = prop_oneof![3 => Just("Portland".to_owned()), 1 => "(Bath|A\u{f1}asco|West Lebanon|)"];
    let zip = prop_oneof![3 => Just("04103"), 1 => Just("00000"), 1 => Just("99999")];
    let state = prop_oneof![Just("ME"), Just("PR")];
    (number(), street(), city, state, zip).prop_map(|(street_number, street_address, city, state, zip)| Address {
        street_number,
        street_address,
        city,
        state: State::parse(state).unwrap(),
        zip: Zip::parse(zip).unwrap(),
    })
}

/// Numbers at their ends, and between them. Not a number is no number that equals itself.
fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![any::<f64>().prop_filter("a number", |n| !n.is_nan()), (0..5_000_u32).prop_map(|n| f64::from(n) / 4.0)]
}

fn fact<T>(value: impl Strategy<Value = T>) -> impl Strategy<Value = Option<Fact<T>>>
where
    T: std::fmt::Debug,
{
    proptest::option::of((value, 0..2_u8).prop_map(|(value, source)| Fact { value, source }))
}

fn assessor() -> impl Strategy<Value = Assessor> {
    let texts = (fact("\\PC{0,20}"), fact("[A-Z]{3,9}, [A-Z]"), fact("[0-9]{4}-[01][0-9]-[0-3][0-9]"), fact(".{0,5}"));
    let sizes = (fact(any::<u16>()), fact(any_number()), fact(any_number()), fact(any::<bool>()));
    let money = (fact(any::<i64>()), fact(-5_000_000..5_000_000_i64));
    let garage = (any::<bool>(), proptest::option::of(any_number()), proptest::option::of(any_number()))
        .prop_map(|(attached, area_sqft, cars)| Garage { attached, area_sqft, cars });
    let kinds = (
        fact(garage),
        fact(prop_oneof![Just(RoofType::Flat), Just(RoofType::Mansard)]),
        fact(Just(PropertyClass::Other)),
        fact(Just(HeatFuel::Oil)),
    );
    let cents =
        |fact: Option<Fact<i64>>| fact.map(|Fact { value, source }| Fact { value: Usd::from_cents(value), source });
    (texts, sizes, money, kinds).prop_map(move |(texts, sizes, money, kinds)| Assessor {
        primary_owner: texts.1,
        style: texts.0,
        sale_date: texts.2,
        zoning: texts.3,
        year_built: sizes.0,
        storeys: sizes.1,
        living_area_sqft: sizes.2,
        tax_delinquent: sizes.3,
        sale_price: cents(money.0),
        assessed_value: cents(money.1),
        garage: kinds.0,
        roof_type: kinds.1,
        property_class: kinds.2,
        heat_fuel: kinds.3,
        ..Assessor::default()
    })
}

fn building() -> impl Strategy<Value = Building> {
    let corner = prop_oneof![4 => -3_000..3_000_i32, 1 => Just(500_000_000), 1 => Just(-500_000_000)];
    let ring = proptest::collection::vec((corner.clone(), corner), 0..9).prop_map(|corners| {
        let meters = |centimeters: i32| f64::from(centimeters) / 100.0;
        corners.into_iter().map(|(x, y)| Point { x: meters(x), y: meters(y) }).collect::<Vec<_>>()
    });
    let parts = proptest::collection::vec((ring.clone(), ring.clone()), 0..3);
    (parts, ring, any::<bool>(), proptest::option::of("\\PC{0,8}"), 0..2_u8).prop_map(
        |(parts, lot, wall, use_, source)| {
            let part = |(exterior, hole): (Vec<Point>, Vec<Point>)| Polygon {
                exterior,
                holes: Some(hole).filter(|hole| !hole.is_empty()).into_iter().collect(),
            };
            Building {
                outline: Outline {
                    kind: if wall { OutlineKind::Wall } else { OutlineKind::Eave },
                    parts: parts.into_iter().map(part).collect(),
                    planes: Vec::new(),
                    survey: None,
                    spans_parcels: !wall,
                },
                use_,
                lot,
                source,
            }
        },
    )
}

fn sources() -> [Source; 2] {
    ["one", "other \u{e9}"].map(|name| Source {
        name: name.into(),
        title: None,
        licence: Some("CC0".into()),
        as_of: None,
        invented: true,
    })
}

fn origin() -> impl Strategy<Value = Option<Position>> {
    let degrees = |most: f64| prop_oneof![3 => -most..most, 1 => Just(most), 1 => Just(-most), 1 => any::<f64>()];
    proptest::option::of(
        (degrees(180.0), degrees(90.0)).prop_map(|(longitude, latitude)| Position { longitude, latitude }),
    )
}

fn home() -> impl Strategy<Value = Place> {
    let unit = proptest::option::weighted(0.3, "(Apt |Unit |# |)[1-9A-C\u{e9}]{0,3}");
    let parcel = proptest::option::weighted(0.4, "[0-9]{1,2}-[0-9]{1,2}|\\PC{0,5}");
    let rest = (proptest::collection::vec("[0-9]{4}-02-3[0-9]", 0..2), proptest::collection::vec("\\PC{0,6}", 0..2));
    let buildings = proptest::collection::vec(building(), 0..3);
    (address(), unit, parcel, origin(), buildings, assessor(), rest).prop_map(
        |(address, unit, parcel, origin, buildings, assessor, (permits, conflicts))| Place {
            address,
            unit,
            parcel,
            origin,
            buildings,
            assessor,
            permits: permits
                .into_iter()
                .map(|issued| Permit { kind: PermitKind::Roof, issued, contractor: None, source: 1 })
                .collect(),
            conflicts: conflicts
                .into_iter()
                .map(|value| Conflict { field: "style".into(), value, source: 0 })
                .collect(),
            sources: sources().into(),
        },
    )
}

/// Homes of which each has a key of its own.
fn homes() -> impl Strategy<Value = Vec<Place>> {
    proptest::collection::vec(home(), 1..60).prop_map(|mut homes| {
        let mut known = HashSet::new();
        homes.retain(|home| known.insert((home.address.state, key(home))));
        homes
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_home_of_every_set_comes_back(sets in proptest::collection::vec(homes(), 1..4)) {
        let root = tempfile::tempdir().unwrap();
        let mut pushed = Vec::new();
        for (at, homes) in sets.iter().enumerate() {
            let summary = build(root.path(), &format!("set-{at}"), homes.clone());
            let named = homes.iter().filter(|home| !Normalized::from_place(home).name.is_empty());
            let named: Vec<Place> = named.cloned().map(stored).collect();
            prop_assert_eq!((summary.places, summary.joined, summary.collisions), (named.len() as u64, 0, 0));
            pushed.push(named);
        }
        let index = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
        let readers = index.readers().unwrap();
        let mut said: BTreeMap<PlaceKey, Vec<Place>> = BTreeMap::new();
        for (at, homes) in pushed.iter().enumerate() {
            for home in homes {
                let of_set = readers.iter().filter(|r| r.state == home.address.state && r.imported == at as u64 + 1);
                let found: Vec<Place> = of_set.filter_map(|r| r.shard.place(key(home)).unwrap()).collect();
                prop_assert_eq!(&found, &vec![home.clone()]);
                // The one imported last is asked first.
                said.entry(PlaceKey { state: home.address.state, hash: key(home) }).or_default().insert(0, home.clone());
            }
        }
        let mut all = Vec::new();
        index.each_place(|home| all.push(home)).unwrap();
        prop_assert_eq!(all.len(), pushed.iter().map(Vec::len).sum::<usize>());
        prop_assert!(all.iter().all(|home| pushed.iter().any(|homes| homes.contains(home))));
        // What sets say of a home is joined as it was put. Parcels and towns without a ZIP may bring other homes to it.
        let is_alone = |home: &Place| home.parcel.is_none() && home.address.zip.is_known();
        if sets.iter().flatten().all(is_alone) {
            for (key, homes) in said {
                let joined = across(homes.into_iter().map(|home| (home, Reach::Local)));
                prop_assert_eq!(index.get(&key).unwrap().map(|found| found.place), joined);
            }
        }
    }

    #[test]
    fn sets_that_say_different_things_are_joined_as_they_were_put(
        sets in proptest::collection::vec(proptest::collection::vec((0..6_u32, home()), 1..12), 2..5),
    ) {
        let root = tempfile::tempdir().unwrap();
        let mut said: BTreeMap<u64, Vec<Place>> = BTreeMap::new();
        for (at, homes) in sets.iter().enumerate() {
            let mut of_set: BTreeMap<u32, Place> = BTreeMap::new();
            for (number, home) in homes {
                let Place { address, .. } = place(&(2 * number + 10).to_string(), "Alder Court");
                let home = Place { address, unit: None, parcel: None, ..home.clone() };
                of_set.insert(*number, home);
            }
            build(root.path(), &format!("set-{at}"), of_set.values().cloned());
            for home in of_set.into_values().map(stored) {
                said.entry(key(&home)).or_default().insert(0, home);
            }
        }
        let index = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
        for (hash, homes) in said {
            let asked = AddressInput::Parts(homes[0].address.clone());
            let joined = across(homes.into_iter().map(|home| (home, Reach::Local))).unwrap();
            let Lookup::Found { key, evidence } = index.lookup(&asked).unwrap() else { panic!("{asked:?}") };
            prop_assert_eq!((key.hash, &evidence.place), (hash, &joined));
            prop_assert_eq!(index.get(&key).unwrap().map(|found| found.place), Some(joined));
        }
    }
}

/// Thousands of homes on one street, one on another, a tower of more units than a list of a number has, and numbers that
/// hardly fit.
/// Of the numbers that are in a list of house numbers (`shingle_address::number_span`).
const LARGEST: u32 = (1 << 30) - 1;

#[test]
fn a_street_of_thousands_and_a_street_of_one() {
    let mut homes: Vec<Place> = (1..=6_000).map(|n| place(&n.to_string(), "Alder Court")).collect();
    homes.extend((1..=700).map(|unit| with_unit(place("6001", "Alder Court"), &unit.to_string())));
    homes.extend([u32::MAX, u32::MAX - 1, LARGEST].map(|n| place(&n.to_string(), "Alder Court")));
    homes.extend(["99999999999", "0", "07000", "6002.5"].map(|n| place(n, "Alder Court")));
    homes.push(place("7", "Lone Way"));
    // More streets and homes than a small file has.
    homes.extend((0..5_000).map(|n| place(&(n % 9 + 1).to_string(), &format!("Road {}", n + 100))));
    let root = tempfile::tempdir().unwrap();
    build(root.path(), "test", homes.clone());
    let index = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
    let readers = index.readers().unwrap();
    let shard = &readers[0].shard;
    assert!(shard.has_lists);
    for home in &homes {
        assert_eq!(shard.place(key(home)).unwrap().as_ref(), Some(home));
    }
    for home in homes.iter().step_by(173) {
        let asked = AddressInput::Parts(home.address.clone());
        let found = index.lookup(&asked).unwrap();
        match home.unit {
            None => assert!(matches!(&found, Lookup::Found { evidence, .. } if evidence.place == *home), "{found:?}"),
            Some(_) => assert!(matches!(&found, Lookup::Ambiguous(asked) if asked.len() == 5), "{found:?}"),
        }
    }
    let suggested = index.suggest("6001 alder court # 444", 5).unwrap();
    assert!(suggested[0].street.ends_with("444"), "{suggested:?}");
    let span = shard.span("ALDER COURT").unwrap().unwrap();
    assert_eq!(shard.houses_numbered(6_001, span, usize::MAX).unwrap().len(), 700);
    assert_eq!(shard.houses_numbered(LARGEST, span, usize::MAX).unwrap().len(), 1);
    // Such a home is found by its address alone.
    assert_eq!(shard.houses_numbered(u32::MAX - 1, span, usize::MAX).unwrap().len(), 0);
    let span = shard.span("LONE WAY").unwrap().unwrap();
    assert_eq!(shard.first_houses(span.0, 9).unwrap().len(), 1);
}

#[test]
fn the_key_of_a_home_follows_from_what_it_is_called_however_its_rows_write_it() {
    let inline = |street: &str| place("14", street);
    let rows = [
        with_unit(place("14", "Alder Court"), "2"),
        inline("Alder Court Apt 2"),
        inline("ALDER CT UNIT 2"),
        with_unit(inline("Alder Ct # 2"), "2"),
    ];
    for first in 0..rows.len() {
        let mut rows = rows.clone();
        rows.rotate_left(first);
        let root = tempfile::tempdir().unwrap();
        let summary = build(root.path(), "test", rows.clone());
        assert_eq!((summary.places, summary.joined), (1, 3));
        let index = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
        let shard = &index.readers().unwrap()[0].shard;
        let home = shard.home(key(&rows[0])).unwrap().unwrap();
        assert_eq!(shard.key_of(home).unwrap(), key(&rows[0]));
        assert_eq!(index.suggest("14 alder ct 2", 5).unwrap().len(), 1);
    }
}
