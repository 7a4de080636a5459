//! Evidence made to measure.

use shingle_domain::address::{Address, State, Zip};
use shingle_domain::area::Area;
use shingle_domain::evidence::{
    AddressMatch, Assessor, Building, Evidence, Fact, MatchLevel, Outline, OutlineKind, Place, Point, Polygon,
    RoofPlane, RoofType, Source,
};
use shingle_domain::money::Usd;
use shingle_domain::roof::{ListedPrice, PriceTable, RoofMaterial};

pub const FOOT: f64 = 0.3048;

pub fn fact<T>(value: T) -> Option<Fact<T>> {
    Some(Fact { value, source: 0 })
}

/// Points in feet, y to the north.
pub fn ring(points: &[(f64, f64)]) -> Vec<Point> {
    points.iter().map(|(x, y)| Point { x: x * FOOT, y: y * FOOT }).collect()
}

pub fn polygon(points: &[(f64, f64)]) -> Polygon {
    Polygon { exterior: ring(points), holes: vec![] }
}

pub fn rectangle(width: f64, height: f64) -> Polygon {
    polygon(&[(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)])
}

/// A rectangle of 60 x 20 ft with two wings of 20 x 30.
pub fn u_shape() -> Polygon {
    let corners =
        [(0.0, 0.0), (60.0, 0.0), (60.0, 50.0), (40.0, 50.0), (40.0, 20.0), (20.0, 20.0), (20.0, 50.0), (0.0, 50.0)];
    polygon(&corners)
}

/// A rectangle of 60 x 24 ft with a wing of 20 x 26.
pub fn t_shape() -> Polygon {
    let corners =
        [(0.0, 0.0), (60.0, 0.0), (60.0, 24.0), (40.0, 24.0), (40.0, 50.0), (20.0, 50.0), (20.0, 24.0), (0.0, 24.0)];
    polygon(&corners)
}

/// 80 x 70 ft around a courtyard of 30 x 20.
pub fn courtyard() -> Polygon {
    let mut house = rectangle(80.0, 70.0);
    house.holes.push(ring(&[(25.0, 25.0), (25.0, 45.0), (55.0, 45.0), (55.0, 25.0)]));
    house
}

/// A ring between circles of 40 and 15 ft.
pub fn donut() -> Polygon {
    let circle = |radius: f64| -> Vec<(f64, f64)> {
        (0..256)
            .map(|i| f64::from(i) / 256.0 * core::f64::consts::TAU)
            .map(|a| (radius * a.cos(), radius * a.sin()))
            .collect()
    };
    let mut donut = polygon(&circle(40.0));
    donut.holes.push(ring(&circle(15.0)));
    donut
}

pub fn outline(parts: Vec<Polygon>) -> Outline {
    Outline { kind: OutlineKind::Eave, parts, planes: vec![], survey: None, spans_parcels: false }
}

pub fn building(outline: Outline, use_: &str) -> Building {
    Building { outline, use_: (!use_.is_empty()).then(|| use_.to_owned()), lot: vec![], source: 0 }
}

/// A house in Virginia, matched exactly, with nothing but these outlines and records.
pub fn evidence(buildings: Vec<Building>, assessor: Assessor) -> Evidence {
    Evidence {
        matched: AddressMatch { level: MatchLevel::Exact },
        place: Place {
            address: Address {
                street_number: "14".into(),
                street_address: "Alder Court".into(),
                city: "Chesapeake".into(),
                state: State::parse("VA").expect("two letters"),
                zip: Zip::parse("23320").expect("five digits"),
            },
            unit: None,
            parcel: None,
            origin: None,
            buildings,
            assessor,
            permits: Vec::new(),
            conflicts: Vec::new(),
            sources: vec![Source {
                name: "county-outlines".into(),
                title: Some("Harrow County".into()),
                licence: None,
                as_of: Some("2021-06-30".into()),
                invented: false,
            }],
        },
        area: Area::default(),
        asked_unit: None,
    }
}

pub fn house(parts: Vec<Polygon>) -> Evidence {
    evidence(vec![building(outline(parts), "house")], Assessor::default())
}

pub fn in_state(mut evidence: Evidence, state: &str, zip: &str) -> Evidence {
    evidence.place.address.state = State::parse(state).expect("two letters");
    evidence.place.address.zip = Zip::parse(zip).expect("five digits");
    evidence
}

/// 56 x 30 ft with a wing of 23 x 23.4 ft at its south-eastern corner.
pub const DESIGN: [(f64, f64); 6] =
    [(0.0, 0.0), (0.0, -30.0), (33.0, -30.0), (33.0, -53.4), (56.0, -53.4), (56.0, 0.0)];

/// The worked example of the design: the outline with its six surveyed planes, all 6/12.
pub fn design_outline() -> Outline {
    let plane = |points: &[(f64, f64)], azimuth_degrees: f64| RoofPlane {
        ring: ring(points),
        holes: vec![],
        height: None,
        pitch_degrees: (0.5_f64).atan().to_degrees(),
        azimuth_degrees,
    };
    Outline {
        planes: vec![
            plane(&[(0.0, 0.0), (56.0, 0.0), (41.0, -15.0), (15.0, -15.0)], 0.0),
            plane(&[(0.0, 0.0), (15.0, -15.0), (0.0, -30.0)], 270.0),
            plane(&[(0.0, -30.0), (15.0, -15.0), (41.0, -15.0), (44.5, -18.5), (33.0, -30.0)], 180.0),
            plane(&[(33.0, -30.0), (44.5, -18.5), (44.5, -41.9), (33.0, -53.4)], 270.0),
            plane(&[(33.0, -53.4), (44.5, -41.9), (56.0, -53.4)], 180.0),
            plane(&[(56.0, 0.0), (56.0, -53.4), (44.5, -41.9), (44.5, -18.5), (41.0, -15.0)], 90.0),
        ],
        ..outline(vec![polygon(&DESIGN)])
    }
}

pub fn with_roof(roof_type: RoofType) -> Assessor {
    Assessor { roof_type: fact(roof_type), ..Assessor::default() }
}

pub fn prices() -> PriceTable {
    let row = |dollars| ListedPrice {
        per_square: Usd::from_dollars(dollars),
        low: Usd::from_dollars(dollars / 2),
        high: Usd::from_dollars(dollars * 2),
        source: "a test".into(),
        year: 2025,
    };
    let materials = [
        (RoofMaterial::AsphaltShingle, 650),
        (RoofMaterial::Slate, 2200),
        (RoofMaterial::Tile, 1400),
        (RoofMaterial::Metal, 1300),
        (RoofMaterial::Other, 800),
    ];
    let materials = materials.map(|(material, dollars)| (material, row(dollars)));
    PriceTable::new(materials.to_vec(), row(800)).expect("complete")
}
