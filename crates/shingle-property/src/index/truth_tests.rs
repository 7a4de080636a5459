//! What a file says, compared with the places that were put into it: every list, every home, every field.

use std::collections::{BTreeMap, BTreeSet};

use shingle_address::{KeyHash, Normalized, number_span};
use shingle_domain::evidence::{
    Assessor, Conflict, Fact, Garage, Grade, HeatFuel, Permit, PermitKind, Place, Polygon, Position, PropertyClass,
    RoofType, Survey,
};
use shingle_domain::lookup::AddressInput;
use shingle_domain::{Address, State, Usd};

use super::home::House;
use super::homes::{Kind, Nation};
use super::key_list::mark_of;
use super::shard::ShardReader;
use super::street_row::StreetRow;
use crate::geometry::offset;
use crate::index::tests::{build, index_of, place_in, rectangle, with_unit};
use crate::{Lookup, PropertyIndex, Reference};

/// Streets of two towns with units, ranges, letters, gaps, and homes without a number or a ZIP. More than a small file has
/// where `many`.
fn places(many: bool) -> Vec<Place> {
    let mut found = Vec::new();
    for n in 0..if many { 5_000 } else { 40_u32 } {
        let letter = |shift: u32| char::from(b'a' + (n >> shift) as u8 % 16);
        let street = format!("{}{}{}o{} Street", letter(0).to_ascii_uppercase(), letter(4), letter(8), letter(12));
        let (city, zip) = if n % 3 == 0 { ("Bath", "04999") } else { ("Portland", "04103") };
        let zip = if n % 11 == 5 { "00000" } else { zip };
        let mut add = |number: &str, unit: &str| {
            let home = place_in(number, &street, city, "ME", zip);
            // Ten-thousandths of a degree.
            let at = f64::from(n % 50 * 9 + number.len() as u32 * 3);
            let origin =
                Position { longitude: (at - 702_500.0) / 1e4, latitude: (f64::from(n / 50) + 436_000.0) / 1e4 };
            let origin = Some(origin);
            let home = Place { origin, parcel: Some(format!("{n:04}-{number}")), ..home };
            found.push(if unit.is_empty() { home } else { with_unit(home, unit) });
        };
        for number in ["2", "4", "6-8", "11", "12", "14A", "112-10", "3000000"] {
            add(number, "");
        }
        for unit in 1..=n % 5 {
            add("20", &unit.to_string());
        }
        if n % 7 == 0 {
            add("", "");
        }
    }
    found
}

fn key(place: &Place) -> u64 {
    KeyHash::of(&Normalized::from_place(place).key()).hash
}

/// First number, key and how far the last number is above the first, by street.
type Truth = BTreeMap<String, Vec<(u32, i64, u32)>>;

fn street_text(n: &Normalized) -> String {
    let zip = n.zip.map(|zip| zip.to_string()).unwrap_or_default();
    [&n.predir, &n.name, &n.suffix, &n.postdir, &zip, &n.city, &n.place].map(String::as_str).join("|")
}

fn text_of(row: &StreetRow) -> String {
    [&row.predir, &row.name, &row.suffix, &row.postdir, &row.zip, &row.city, &row.place].map(String::as_str).join("|")
}

fn truth(places: &[Place]) -> Truth {
    let mut found = Truth::new();
    for place in places {
        let n = Normalized::from_place(place);
        let houses = found.entry(street_text(&n)).or_default();
        if let Some((low, high)) = number_span(&n.number) {
            houses.push((low, key(place).cast_signed(), high - low));
        }
    }
    found.values_mut().for_each(|houses| houses.sort_unstable());
    found.retain(|_, houses| !houses.is_empty());
    found
}

fn told(shard: &ShardReader, houses: Vec<House>) -> Vec<(u32, i64, u32)> {
    houses.into_iter().map(|h| (h.low, shard.key_of(h.home).unwrap().cast_signed(), h.above)).collect()
}

#[test]
fn every_list_says_what_the_places_say() {
    for many in [false, true] {
        let places = places(many);
        let (_root, index) = index_of(places.clone());
        let readers = index.readers().unwrap();
        let shard = &readers[0].shard;
        assert_eq!(shard.has_lists, many);
        let truth = truth(&places);
        let mut ids = Vec::new();
        shard.each_street(|id, _, _, _| ids.push(id)).unwrap();
        let rows: Vec<StreetRow> = ids.iter().map(|id| shard.street(*id).unwrap().unwrap()).collect();
        assert_eq!(rows.len(), truth.len());
        for row in rows.iter().step_by(if many { 37 } else { 1 }) {
            let all = &truth[&text_of(row)];
            assert_eq!(told(shard, shard.first_houses(row.id, usize::MAX).unwrap()), *all);
            for house in shard.first_houses(row.id, 400).unwrap() {
                let derived = row.key_of_plain(house.low) == shard.key_of(house.home).unwrap();
                assert_eq!(house.is_plain, derived);
            }
            for (low, high) in [(1, 1), (7, 7), (4, 12), (112, 112), (0, u32::MAX), (20, 20)] {
                let touching = all.iter().filter(|(of, _, above)| *of <= high && of + above >= low && of + 98 >= low);
                assert_eq!(
                    told(shard, shard.houses_on(row.id, low, high).unwrap()),
                    touching.copied().collect::<Vec<_>>()
                );
            }
            for number in [0, 3, 20, 21, 4_000_000] {
                let above = all.iter().find(|(of, ..)| *of >= number);
                let below =
                    all.iter().filter(|(of, ..)| *of < number).max_by_key(|(of, key, _)| (*of, -i128::from(*key)));
                let near: Vec<_> = [above, below].into_iter().flatten().copied().collect();
                assert_eq!(told(shard, shard.nearest_houses(row.id, number).unwrap()), near, "{number}");
            }
        }
        let last = rows.len() as i64;
        for span in [(1, last), (1, 1), (last / 3, last / 2), (last, last + 5), (last / 2, last / 2 + 3)] {
            for low in [2, 6, 20, 11, 7, 3_000_000] {
                let in_span = rows.iter().filter(|row| (span.0..=span.1).contains(&row.id));
                let mut wanted: Vec<(i64, i64)> = Vec::new();
                for row in in_span {
                    let here = truth[&text_of(row)].iter().filter(|(of, ..)| *of == low);
                    wanted.extend(here.map(|(_, key, _)| (row.id, *key)));
                }
                for most in [usize::MAX, 7] {
                    let found = shard.houses_numbered(low, span, most).unwrap();
                    let keys = found.iter().map(|f| (f.street, shard.key_of(f.house.home).unwrap().cast_signed()));
                    assert_eq!(keys.collect::<Vec<_>>(), wanted[..wanted.len().min(most)], "{low} in {span:?}");
                }
            }
        }
        let mut houses = Vec::new();
        shard.each_house(|street, low| houses.push((street, low))).unwrap();
        let counted: u64 = shard.homes_by_city().unwrap().iter().map(|(_, homes)| homes).sum();
        assert_eq!((houses.len() as u64, counted), (truth.values().map(|all| all.len() as u64).sum(), counted));
        let mut keys = shard.place_keys().unwrap();
        let mut wanted: Vec<u64> = places.iter().map(|place| mark_of(key(place))).collect();
        keys.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(keys, wanted);
    }
}

#[test]
fn every_home_is_found_by_key_parcel_and_map_as_it_is() {
    let places = places(true);
    let (_root, index) = index_of(places.clone());
    let readers = index.readers().unwrap();
    let shard = &readers[0].shard;
    let bits = |p: &Place| p.origin.map(|at| (at.longitude.to_bits(), at.latitude.to_bits()));
    let mut at_spot: BTreeMap<_, usize> = BTreeMap::new();
    places.iter().for_each(|p| *at_spot.entry(bits(p)).or_default() += 1);
    for place in places.iter().step_by(997) {
        assert_eq!(shard.place(key(place)).unwrap().as_ref(), Some(place));
        assert_eq!(shard.place(key(place) ^ 1 << 40).unwrap(), None, "a key that nobody has");
        assert_eq!(shard.place(key(place) ^ 1).unwrap(), None);
        let parcel = super::parcel::parcel_hash(place.parcel.as_deref().unwrap());
        if let Some(parcel) = parcel {
            let on_it: Vec<Place> =
                shard.on_parcel(parcel, 50).unwrap().into_iter().map(|h| shard.place_of(h).unwrap()).collect();
            let wanted =
                places.iter().filter(|p| p.parcel.as_deref().and_then(super::parcel::parcel_hash) == Some(parcel));
            assert!(wanted.clone().all(|p| on_it.contains(p)) && wanted.count() == on_it.len());
        }
        let origin = place.origin.unwrap();
        let near = shard.within(origin, 60.0).unwrap();
        let keys: BTreeSet<u64> = near.iter().map(|(_, home)| shard.key_of(*home).unwrap()).collect();
        let away = |p: &Place| {
            let (x, y) = offset(origin, p.origin.unwrap());
            x.hypot(y)
        };
        // Of homes at one spot eight are kept; a spot is good to a quarter of a meter.
        for p in places.iter().filter(|p| away(p) < 59.7) {
            assert!(at_spot[&bits(p)] > 8 || keys.contains(&key(p)), "{p:?}");
        }
        for (told, home) in near {
            assert!((away(&shard.place_of(home).unwrap()) - told).abs() < 0.3);
        }
    }
}

#[test]
fn the_homes_of_a_nation_come_back_as_they_were_put() {
    let nation = Nation::of(6_000, 2);
    let root = tempfile::tempdir().unwrap();
    let made: Vec<Place> = nation.order().map(|n| nation.place(n, Kind::All)).collect();
    let summary = build(root.path(), "all", made.clone());
    assert_eq!(summary.places, 6_000);
    let index = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
    let mut all: BTreeMap<(State, u64), Place> = BTreeMap::new();
    index.each_place(|p| assert_eq!(all.insert((p.address.state, key(&p)), p), None)).unwrap();
    for place in made {
        let found = &all[&(place.address.state, key(&place))];
        let (x, y) = offset(place.origin.unwrap(), found.origin.unwrap());
        assert!(x.hypot(y) < 0.01, "whole ten-millionths of a degree");
        assert_eq!(*found, Place { origin: found.origin, ..place.clone() });
        let Lookup::Found { key, evidence } = index.lookup(&AddressInput::Parts(place.address.clone())).unwrap() else {
            panic!("{place:?}")
        };
        assert_eq!(evidence.place, *found);
        assert_eq!(index.get(&key).unwrap().unwrap().place, *found);
        let Address { street_number, street_address, city, .. } = &place.address;
        if street_number.ends_with('7') {
            let offered = index.suggest(&format!("{street_number} {street_address}, {city}"), 5).unwrap();
            assert!(offered.iter().any(|one| one.key == key.to_string()), "{offered:?}");
        }
    }
}

fn fact<T>(value: T, source: u8) -> Option<Fact<T>> {
    Some(Fact { value, source })
}

#[test]
fn every_field_of_a_place_comes_back() {
    let mut place = with_unit(place_in("4 1/2", "Calle Peñón", "Añasco", "PR", "00610"), "Apt 7");
    let other = shingle_domain::evidence::Source {
        name: "other".into(),
        title: None,
        licence: None,
        as_of: None,
        invented: false,
    };
    place.sources.push(other);
    place.parcel = Some("x-1".into());
    place.origin = Some(Position { longitude: -67.123_456_7, latitude: 18.000_000_1 });
    let mut house = rectangle(-3.25, 0.5, 12.0, 9.5);
    let hole = rectangle(0.0, 1.0, 2.0, 2.0).outline.parts.remove(0).exterior;
    house.outline.parts.push(Polygon { exterior: house.outline.parts[0].exterior.clone(), holes: vec![hole] });
    house.outline.survey = Some(Survey { source: 1, points_per_sqm: 8.5 });
    let mut shed = rectangle(20.0, 0.5, 2.0, 1.0);
    (shed.use_, shed.source) = (None, 1);
    shed.outline.planes.clear();
    place.buildings = vec![shed, house];
    place.permits = vec![
        Permit { kind: PermitKind::Roof, issued: "2020-02-30".into(), contractor: Some("A".into()), source: 0 },
        Permit { kind: PermitKind::Solar, issued: String::new(), contractor: None, source: 1 },
    ];
    place.conflicts = vec![Conflict { field: "year_built".into(), value: "1960".into(), source: 1 }];
    place.assessor = Assessor {
        primary_owner: fact("SMITH, J".into(), 0),
        secondary_owner: fact(String::new(), 1),
        mailing_address: fact("PO BOX 1".into(), 0),
        mailed_here: fact(false, 0),
        residential_exemption: fact(true, 1),
        year_built: fact(65_535, 0),
        storeys: fact(1.75, 0),
        living_area_sqft: fact(1_234.0, 0),
        building_area_sqft: fact(1_234.5, 0),
        ground_floor_sqft: fact(0.1, 0),
        garage: fact(Garage { attached: true, area_sqft: None, cars: Some(2.0) }, 0),
        roof_type: fact(RoofType::Mansard, 0),
        roof_material: fact("slate".into(), 0),
        style: fact("Cape".into(), 0),
        wall_type: fact("2019-06-14".into(), 0),
        grade: fact(Grade::AboveAverage, 0),
        units: fact(3, 0),
        property_class: fact(PropertyClass::Other, 0),
        property_type: fact("101".into(), 0),
        zoning: fact("R".into(), 0),
        county: fact("C".into(), 0),
        subdivision: fact("S".into(), 0),
        school_district: fact("D".into(), 0),
        heat_fuel: fact(HeatFuel::Other, 0),
        sale_date: fact("2019-06-31".into(), 0),
        sale_price: fact(Usd::from_cents(-101), 0),
        assessed_value: fact(Usd::from_cents(123_456_700), 0),
        building_value: fact(Usd::from_cents(0), 0),
        tax_delinquent: fact(false, 0),
    };
    let beside = place_in("6", "Calle Peñón", "Añasco", "PR", "00610");
    let (_root, index) = index_of([place.clone(), beside.clone()]);
    let readers = index.readers().unwrap();
    let mut found = readers[0].shard.place(key(&place)).unwrap().unwrap();
    // The largest first, as an index has them.
    found.buildings.reverse();
    assert_eq!(found, place);
    assert_eq!(readers[0].shard.place(key(&beside)).unwrap(), Some(beside));
}
