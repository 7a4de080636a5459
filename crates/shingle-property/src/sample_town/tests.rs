//! The town is complete, and the same every time.

use std::collections::HashSet;

use shingle_domain::evidence::{Building, Outline, Place, PropertyClass, RoofType};
use shingle_domain::lookup::AddressInput;

use super::*;
use crate::{Lookup, PropertyIndex, Reference};
use shingle_domain::geometry::signed_area;

fn digest() -> String {
    let mut hasher = blake3::Hasher::new();
    for place in places() {
        hasher.update(&postcard::to_stdvec(&place).unwrap());
    }
    hasher.finalize().to_hex().to_string()
}

#[test]
fn the_town_is_the_same_twice() {
    let first = digest();
    println!("sample town: {first}");
    assert_eq!(first, digest());
}

#[test]
fn planes_tile_their_outline_exactly() {
    let mut roofs = 0;
    for place in places() {
        for building in &place.buildings {
            let Outline { parts, planes, .. } = &building.outline;
            let plan: f64 = parts.iter().map(|p| signed_area(&p.exterior)).sum();
            assert!(plan > 0.0, "counter-clockwise");
            if planes.is_empty() {
                continue;
            }
            let tiled: f64 = planes.iter().map(|p| signed_area(&p.ring)).sum();
            assert!(planes.iter().all(|p| signed_area(&p.ring) > 0.0), "{}: a plane folds over", place.address);
            assert!((tiled - plan).abs() < 0.01, "{}: {tiled} m² of planes over {plan} m²", place.address);
            assert!(planes.iter().all(|p| (2.0..46.0).contains(&p.pitch_degrees)));
            roofs += 1;
        }
    }
    assert!(roofs > 1_000, "{roofs}");
}

#[test]
fn a_gable_has_two_planes_on_a_block_and_a_hip_has_four() {
    let ring = house_plan::points(house_plan::PlanShape::Rectangle, 12.0, 8.0, (0.0, 0.0));
    assert_eq!(roof::planes(&ring, 26.57, false).len(), 4);
    let gable = roof::planes(&ring, 26.57, true);
    assert_eq!(gable.len(), 2);
    assert!(gable.iter().all(|p| (signed_area(&p.ring) - 48.0).abs() < 1e-9));
    let mut azimuths: Vec<f64> = gable.iter().map(|p| p.azimuth_degrees).collect();
    azimuths.sort_by(f64::total_cmp);
    assert_eq!(azimuths, [0.0, 180.0]);
}

#[test]
fn the_town_holds_what_a_county_holds() {
    let all: Vec<Place> = places().collect();
    let count = |of: &dyn Fn(&Place) -> bool| all.iter().filter(|p| of(p)).count();
    let outlined = count(&|p| !p.buildings.is_empty());
    let planed = count(&|p| p.buildings.first().is_some_and(|b| !b.outline.planes.is_empty()));
    let class = |c| move |p: &Place| p.assessor.property_class.as_ref().is_some_and(|f| f.value == c);
    let vacant = count(&class(PropertyClass::VacantLand));
    let condominiums = count(&class(PropertyClass::Condominium));
    let outline_only = count(&|p| !p.buildings.is_empty() && p.assessor.primary_owner.is_none());
    let assessor_only = count(&|p| p.buildings.is_empty() && p.assessor.year_built.is_some());
    println!(
        "{} places, {outlined} outlined, {planed} with planes, {vacant} vacant, {condominiums} flats, \
              {outline_only} outline only, {assessor_only} assessor only",
        all.len()
    );
    assert!((1_900..2_300).contains(&all.len()));
    assert!(planed * 2 > outlined && planed < outlined);
    assert!(vacant > 10 && condominiums == 24 && outline_only > 100 && assessor_only > 150);
    assert!(all.iter().all(|p| p.sources.len() == 1 && p.sources[0].invented));
    for p in &all {
        let a = &p.assessor;
        if let (Some(living), Some(b)) = (&a.living_area_sqft, p.buildings.first()) {
            let plan = signed_area(&b.outline.parts[0].exterior) * 10.763_910_4;
            let ratio = living.value / plan / a.storeys.as_ref().unwrap().value;
            assert!((0.75..1.0).contains(&ratio), "{}: {ratio}", p.address);
        }
        assert!(a.year_built.as_ref().is_none_or(|y| (1885..=2023).contains(&y.value)));
        assert!(a.sale_date.as_ref().is_none_or(|d| d.value.len() == 10));
    }
}

#[test]
fn houses_stand_apart() {
    let plane = LocalPlane::at(CORNER);
    let homes: Vec<_> =
        places().filter(|p| p.unit.is_none()).filter_map(|p| Some((plane.metres(p.origin?), p.address))).collect();
    for (i, (a, address)) in homes.iter().enumerate() {
        let near = homes[i + 1..].iter().find(|(b, _)| (a.x - b.x).hypot(a.y - b.y) < 22.0);
        assert!(near.is_none(), "{address} and {} stand on one another", near.unwrap().1);
    }
}

#[test]
fn the_showpiece_is_an_l_under_a_hip_roof() {
    let home = places().find(|p| p.address.street_line() == "14 Alder Court").unwrap();
    assert_eq!(home.buildings[0].outline.parts[0].exterior.len(), 6);
    assert_eq!(home.buildings[0].outline.planes.len(), 6);
    assert_eq!(home.assessor.roof_type.unwrap().value, RoofType::Hip);
    assert!(home.assessor.primary_owner.is_some() && home.assessor.year_built.is_some());
}

#[test]
fn the_manor_has_more_planes_than_a_drawing_has_labels() {
    let home = places().find(|p| p.address.street_line() == "25 Quince Lane").unwrap();
    assert_eq!(home.buildings[0].outline.planes.len(), 16);
    assert_eq!(places().filter(|p| p.address.street_address == "Weathervane Walk").count(), 4);
}

#[test]
fn every_address_of_the_town_is_found_and_none_is_there_twice() {
    let folder = tempfile::tempdir().unwrap();
    let summary = build(folder.path()).unwrap();
    let all: Vec<Place> = places().collect();
    assert_eq!((summary.places, summary.conflicts), (all.len() as u64, 0));
    let index = PropertyIndex::open(folder.path(), Reference::built_in()).unwrap();
    let mut seen = HashSet::new();
    for place in &all {
        let unit = place.unit.as_ref().map(|u| format!(" Unit {u}")).unwrap_or_default();
        let line = format!("{}{unit}, {}", place.address.street_line(), place.address.city_line());
        match index.lookup(&AddressInput::Line(line.clone())).unwrap() {
            Lookup::Found { evidence, key } => {
                // The index keeps whole centimetres.
                let found = evidence.place;
                assert_eq!(
                    (&found.address, &found.unit, &found.assessor),
                    (&place.address, &place.unit, &place.assessor)
                );
                assert_eq!(found.buildings.len(), place.buildings.len(), "{line}");
                for (kept, made) in found.buildings.iter().zip(&place.buildings) {
                    assert_eq!(kept.outline.planes.len(), made.outline.planes.len(), "{line}");
                    let area = |b: &Building| signed_area(&b.outline.parts[0].exterior);
                    assert!((area(kept) - area(made)).abs() < 0.3, "{line}");
                }
                assert!(seen.insert(key), "{line}");
            }
            other => panic!("{line}: {other:?}"),
        }
    }
}

#[test]
fn the_town_is_built_once() {
    let folder = tempfile::tempdir().unwrap();
    let generation = || PropertyIndex::open(folder.path(), Reference::built_in()).unwrap().status().generation;
    ensure(folder.path()).unwrap();
    let first = generation();
    ensure(folder.path()).unwrap();
    assert_eq!(generation(), first);
    std::fs::write(folder.path().join(MARKER), "an older town").unwrap();
    ensure(folder.path()).unwrap();
    assert_eq!(generation(), first + 1);
}
