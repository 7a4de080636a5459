//! One lot of the sample town: what is on it, and what its assessor would have written down.

use shingle_domain::Usd;
use shingle_domain::evidence::{
    Assessor, Building, Fact, Garage, HeatFuel, Outline, OutlineKind, Place, Point, Polygon, PropertyClass, RoofType,
    Source,
};

use shingle_domain::geometry::ring_area;

use super::corner::MANOR;
use super::house_plan::{self, PlanShape};
use super::lot::Lot;
use super::roof;
use super::seeded_random::SeededRandom;
use super::words::Words;

/// The data set's name in the index, and the name of its source.
pub const DATASET: &str = "sample-town";

const SQFT: f64 = 10.763_910_4;
/// Streets where a few lots hold flats instead of a house, by their parcels.
const CONDOMINIUMS: [&str; 4] = ["012-011", "029-006", "047-018", "070-003"];
const FLATS: u64 = 6;

/// The home of every demonstration.
pub(super) const SHOWPIECE: (&str, &str) = ("14", "Alder Court");

/// What is known of a lot.
#[derive(Clone, Copy, PartialEq)]
enum Known {
    All,
    OutlineOnly,
    AssessorOnly,
    Nothing,
}

pub(super) fn places(lot: &Lot, words: &Words) -> Vec<Place> {
    let mut random = SeededRandom::new(&lot.parcel, 1);
    let bare = Place {
        address: lot.address.clone(),
        unit: None,
        parcel: Some(lot.parcel.clone()),
        origin: Some(lot.at),
        buildings: Vec::new(),
        assessor: Assessor::default(),
        permits: Vec::new(),
        conflicts: Vec::new(),
        sources: vec![source()],
    };
    let home = (lot.address.street_number.as_str(), lot.address.street_address.as_str());
    if home == SHOWPIECE {
        return vec![showpiece(bare, lot)];
    }
    if home == MANOR {
        return vec![manor(bare, lot, words)];
    }
    if CONDOMINIUMS.contains(&lot.parcel.as_str()) {
        return (1..=FLATS).map(|n| flat(bare.clone(), lot, words, n)).collect();
    }
    let known = match random.below(100) {
        0..=1 => Known::Nothing,
        2..=10 => Known::OutlineOnly,
        11..=24 => Known::AssessorOnly,
        _ => Known::All,
    };
    vec![house(bare, lot, words, known, &mut random)]
}

struct Body {
    shape: PlanShape,
    ring: Vec<Point>,
    roof_type: RoofType,
    pitch: f64,
    storeys: f64,
    year: u16,
}

fn house(mut place: Place, lot: &Lot, words: &Words, known: Known, random: &mut SeededRandom) -> Place {
    if known == Known::Nothing {
        place.assessor = vacant(lot, words, random);
        return place;
    }
    let shape = match random.below(20) {
        0..=9 => PlanShape::Rectangle,
        10..=14 => PlanShape::L,
        15..=18 => PlanShape::T,
        _ => PlanShape::U,
    };
    let ring = house_plan::ring(shape, random);
    let year = (lot.laid_out + random.below(18) as u16).min(2023);
    let roof_type = if random.chance(0.32) { RoofType::Hip } else { RoofType::Gable };
    let storeys = match random.below(10) {
        0..=3 => 1.0,
        4..=5 => 1.5,
        _ => 2.0,
    };
    let twelfths = if year < 1940 { 8 + random.below(4) } else { 4 + random.below(6) };
    let body = Body { shape, ring, roof_type, pitch: pitch(twelfths as f64), storeys, year };
    let garage = match random.below(10) {
        0..=1 => Some((6.4, 6.4)),
        2..=3 => Some((3.8, 6.2)),
        _ => None,
    };
    if known != Known::AssessorOnly {
        let planes_known = body.shape != PlanShape::U && random.chance(0.82);
        place.buildings.push(building(lot, &body.ring, "house", planes_known.then_some((body.pitch, roof_type))));
        if let Some((w, d)) = garage {
            let ring = house_plan::outbuilding(w, d, 4.0, 10.0);
            place.buildings.push(building(lot, &ring, "garage", Some((body.pitch, RoofType::Gable))));
        }
        if random.chance(0.12) {
            let ring = house_plan::outbuilding(2.4, 3.0, -8.0, 11.0);
            place.buildings.push(building(lot, &ring, "shed", None));
        }
    }
    if known != Known::OutlineOnly {
        let detached = garage.map(|(w, d)| Garage {
            attached: false,
            area_sqft: Some((w * d * SQFT).round()),
            cars: Some(if w > 5.0 { 2.0 } else { 1.0 }),
        });
        place.assessor = record(lot, words, &body, random);
        place.assessor.garage = detached.and_then(fact);
    }
    place
}

fn pitch(twelfths: f64) -> f64 {
    ((twelfths / 12.0).atan().to_degrees() * 100.0).round() / 100.0
}

/// An L under a hip roof, everything known.
fn showpiece(mut place: Place, lot: &Lot) -> Place {
    let body = Body {
        shape: PlanShape::L,
        ring: house_plan::points(PlanShape::L, 14.6, 8.8, (6.2, 4.4)),
        roof_type: RoofType::Hip,
        pitch: pitch(6.0),
        storeys: 2.0,
        year: 1987,
    };
    place.buildings.push(building(lot, &body.ring, "house", Some((body.pitch, RoofType::Hip))));
    let words = Words { given: vec!["Juniper".into()], family: vec!["Rafterman".into()], streets: Vec::new() };
    let mut assessor = record(lot, &words, &body, &mut SeededRandom::new("showpiece", 1));
    assessor.secondary_owner = None;
    assessor.residential_exemption = fact(true);
    assessor.mailing_address = fact(place.address.to_string());
    assessor.mailed_here = fact(true);
    assessor.heat_fuel = fact(HeatFuel::Oil);
    place.assessor = assessor;
    place
}

/// Wings to the front and to the back under a steep hip roof: more planes than a drawing has labels for.
fn manor(mut place: Place, lot: &Lot, words: &Words) -> Place {
    let body = Body {
        shape: PlanShape::U,
        ring: house_plan::manor(),
        roof_type: RoofType::Hip,
        pitch: pitch(12.2),
        storeys: 2.0,
        year: 1986,
    };
    place.buildings.push(building(lot, &body.ring, "house", Some((body.pitch, body.roof_type))));
    place.assessor = record(lot, words, &body, &mut SeededRandom::new("manor", 1));
    place
}

fn flat(mut place: Place, lot: &Lot, words: &Words, number: u64) -> Place {
    let mut random = SeededRandom::new(&lot.parcel, 100 + number);
    let body = Body {
        shape: PlanShape::Rectangle,
        ring: house_plan::points(PlanShape::Rectangle, 12.0, 8.0, (0.0, 0.0)),
        roof_type: RoofType::Flat,
        pitch: 2.0,
        storeys: 1.0,
        year: lot.laid_out + 4,
    };
    let mut assessor = record(lot, words, &body, &mut random);
    let situs = format!("{} Unit {number}, {}", place.address.street_line(), place.address.city_line());
    assessor.mailing_address =
        assessor.residential_exemption.as_ref().and_then(|e| e.value.then_some(situs)).and_then(fact);
    assessor.mailed_here = assessor.mailing_address.as_ref().and_then(|_| fact(true));
    assessor.property_class = fact(PropertyClass::Condominium);
    assessor.property_type = fact("Condominium".to_owned());
    assessor.style = fact("Flat".to_owned());
    assessor.roof_type = None;
    assessor.ground_floor_sqft = None;
    place.assessor = assessor;
    place.unit = Some(number.to_string());
    place
}

fn building(lot: &Lot, ring: &[Point], use_: &str, roof: Option<(f64, RoofType)>) -> Building {
    // Plans are drawn with the front to the south; houses on the even side, south of the street, face north.
    let turn = lot.turn + if lot.even { std::f64::consts::PI } else { 0.0 };
    let exterior = house_plan::turned(ring, turn);
    let planes = roof.map(|(pitch, kind)| roof::planes(&exterior, pitch, kind == RoofType::Gable)).unwrap_or_default();
    Building {
        outline: Outline {
            kind: OutlineKind::Eave,
            parts: vec![Polygon { exterior, holes: Vec::new() }],
            planes,
            survey: None,
            spans_parcels: false,
        },
        use_: Some(use_.to_owned()),
        lot: Vec::new(),
        source: 0,
    }
}

fn vacant(lot: &Lot, words: &Words, random: &mut SeededRandom) -> Assessor {
    Assessor {
        primary_owner: fact(person(words, random)),
        property_class: fact(PropertyClass::VacantLand),
        property_type: fact("Vacant residential land".to_owned()),
        residential_exemption: fact(false),
        zoning: fact(zone(lot)),
        county: fact("Harrow".to_owned()),
        assessed_value: fact(Usd::from_dollars(18_000 + 500 * random.below(60) as i64)),
        building_value: fact(Usd::from_dollars(0)),
        ..Assessor::default()
    }
}

fn record(lot: &Lot, words: &Words, body: &Body, random: &mut SeededRandom) -> Assessor {
    let eaves = ring_area(&body.ring) * SQFT;
    // A foot of overhang all around, and walls have a thickness.
    let ground = (eaves * 0.88).round();
    let floors = match body.storeys {
        s if s < 1.2 => 1.0,
        s if s < 1.7 => 1.55,
        _ => 1.88,
    };
    let living = (ground * floors * random.between(0.97, 1.03)).round();
    let at_home = random.chance(0.72);
    let families = random.chance(0.06);
    let value = (living * random.between(150.0, 240.0) / 1_000.0).round() as i64 * 1_000;
    let land = 40_000 + 1_000 * random.below(50) as i64;
    let sold = (body.year.max(1975) as u64 + random.below(u64::from(2026 - body.year.max(1975)).max(1))).min(2025);
    let date = format!("{sold}-{:02}-{:02}", 1 + random.below(12), 1 + random.below(28));
    let nominal = random.chance(0.15);
    let price =
        ((value + land) as f64 * (1.0 - 0.018 * (2026 - sold) as f64).max(0.2) / 1_000.0).round() as i64 * 1_000;
    let elsewhere = format!("{} Quay Street, Harrow Falls, ME 04995", 100 + random.below(80));
    let mailing = if at_home { lot.address.to_string() } else { elsewhere };
    let fuel = match random.below(10) {
        0..=4 => HeatFuel::Oil,
        5..=6 => HeatFuel::Propane,
        7 => HeatFuel::Gas,
        8 => HeatFuel::Electric,
        _ => HeatFuel::Other,
    };
    let material = match random.below(12) {
        0 => "metal",
        1 if body.year < 1930 => "slate",
        _ => "asphalt shingle",
    };
    let style = match (body.storeys, body.year) {
        (s, y) if s < 1.2 && y >= 1945 => "Ranch",
        (s, _) if s < 1.2 => "Bungalow",
        (s, _) if s < 1.7 => "Cape",
        (_, y) if y < 1930 => "Farmhouse",
        _ => "Colonial",
    };
    let (class, kind, units) = if families {
        (PropertyClass::TwoToFourUnits, "Two family", 2)
    } else {
        (PropertyClass::SingleFamily, "Single family", 1)
    };
    Assessor {
        primary_owner: fact(person(words, random)),
        secondary_owner: if random.chance(0.45) { fact(person(words, random)) } else { None },
        mailing_address: fact(mailing),
        mailed_here: fact(at_home),
        residential_exemption: fact(at_home),
        year_built: fact(body.year),
        storeys: fact(body.storeys),
        living_area_sqft: fact(living),
        ground_floor_sqft: fact(ground),
        roof_type: fact(body.roof_type),
        roof_material: fact(material.to_owned()),
        style: fact(style.to_owned()),
        units: fact(units),
        property_class: fact(class),
        property_type: fact(kind.to_owned()),
        zoning: fact(zone(lot)),
        county: fact("Harrow".to_owned()),
        heat_fuel: fact(fuel),
        sale_date: fact(date),
        sale_price: fact(Usd::from_dollars(if nominal { 1 } else { price })),
        assessed_value: fact(Usd::from_dollars(value + land)),
        building_value: fact(Usd::from_dollars(value)),
        ..Assessor::default()
    }
}

fn zone(lot: &Lot) -> String {
    if lot.laid_out < 1920 { "R-2".to_owned() } else { "R-1".to_owned() }
}

/// As assessors write: the family name first.
fn person(words: &Words, random: &mut SeededRandom) -> String {
    let family = random.pick(&words.family).map_or("Nobody", String::as_str).to_uppercase();
    let given = random.pick(&words.given).map_or("Nobody", String::as_str).to_uppercase();
    format!("{family}, {given}")
}

fn fact<T>(value: T) -> Option<Fact<T>> {
    Some(Fact { value, source: 0 })
}

fn source() -> Source {
    Source {
        name: DATASET.to_owned(),
        title: Some("a town invented for the demonstration".to_owned()),
        licence: Some("invented".to_owned()),
        as_of: Some("2026".to_owned()),
        invented: true,
    }
}
