//! Roofs of whole towns: the sample town, and a real one where its file is at hand.

use std::collections::BTreeMap;

use shapefile::{PolygonRing, Shape};
use shingle_domain::area::Area;
use shingle_domain::evidence::{AddressMatch, Assessor, Evidence, MatchLevel, Outline, Point, Polygon};
use shingle_domain::public::MeasureMethod;
use shingle_domain::roof::{Complexity, DrawingBasis};
use shingle_estimate::roof::{drawing, measure};
use shingle_estimate::utility::utility_bill;
use shingle_property::reference::Reference;
use shingle_property::sample_town;

use crate::cambridge::cambridge;
use crate::fixture::{building, evidence, outline};
use crate::shared::shared;
use crate::utility::now;

/// How far the planes drawn for modelled roofs are from covering the plan, and how often they fall into the class
/// of the rectangle rule.
#[derive(Debug, Default)]
struct ClassCounts {
    houses: u32,
    modelled: u32,
    same_class: u32,
    /// Square feet a foot of outline: the drawing's own grain is 0.05.
    worst: f64,
}

impl ClassCounts {
    fn add(&mut self, evidence: &Evidence) {
        let Some(found) = measure(evidence, Some(0)).filter(|m| m.method == MeasureMethod::Outline) else { return };
        let records = evidence.place.assessor.roof_type.as_ref().map(|t| t.value);
        let outline = largest(evidence);
        let Some(drawn) = drawing(outline, found.pitch_degrees, records, found.area_sqft) else { return };
        self.houses += 1;
        let [_, ..] = &drawn.facets[..] else { return };
        assert_eq!(drawn.basis, DrawingBasis::Modelled);
        self.modelled += 1;
        let level = match drawn.facets.len() {
            ..=4 => Complexity::Simple,
            5..=12 => Complexity::Average,
            _ => Complexity::Complex,
        };
        self.same_class += u32::from(found.complexity == Some(level));
        let covered: f64 = drawn.facets.iter().map(|f| twice_area(&f.ring) as f64 / 200.0).sum();
        let bare: f64 = outline.parts.iter().map(plan_sqft).sum();
        let around: f64 = drawn.rings.iter().map(|ring| around(ring)).sum();
        self.worst = self.worst.max((covered - bare).abs() / around);
    }
}

/// Homes come first, then the larger; these towns have one home a place.
fn largest(evidence: &Evidence) -> &Outline {
    &evidence.place.buildings[0].outline
}

fn twice_area(ring: &[[i32; 2]]) -> i64 {
    let pairs = ring.iter().zip(ring.iter().cycle().skip(1));
    pairs.map(|(a, b)| i64::from(a[0]) * i64::from(b[1]) - i64::from(b[0]) * i64::from(a[1])).sum::<i64>().abs()
}

/// Feet.
fn around(ring: &[[i32; 2]]) -> f64 {
    let pairs = ring.iter().zip(ring.iter().cycle().skip(1));
    pairs.map(|(a, b)| f64::from(b[0] - a[0]).hypot(f64::from(b[1] - a[1])) / 10.0).sum()
}

fn plan_sqft(part: &Polygon) -> f64 {
    let area = |ring: &[Point]| {
        let first = ring[0];
        let at = |p: &Point| (p.x - first.x, p.y - first.y);
        let pairs = ring.iter().zip(ring.iter().cycle().skip(1));
        let twice: f64 = pairs.map(|(a, b)| at(a).0 * at(b).1 - at(b).0 * at(a).1).sum();
        twice.abs() / 2.0 / (0.3048 * 0.3048)
    };
    area(&part.exterior) - part.holes.iter().map(|h| area(h)).sum::<f64>()
}

#[test]
fn the_planes_modelled_in_the_sample_town_cover_their_plans() {
    let mut counts = ClassCounts::default();
    for place in sample_town::places().filter(|p| p.buildings.len() == 1) {
        counts.add(&Evidence {
            matched: AddressMatch { level: MatchLevel::Exact },
            place,
            area: Area::default(),
            asked_unit: None,
        });
    }
    println!("sample town: {counts:?}");
    assert!(counts.modelled > 50);
    assert!(counts.worst < 0.05);
}

/// Degrees to meters around the ring's first point: exact enough over a lot.
fn in_metres(ring: &[shapefile::Point]) -> Vec<Point> {
    let Some(origin) = ring.first() else { return Vec::new() };
    let east = 111_320.0 * origin.y.to_radians().cos();
    ring.iter().skip(1).map(|p| Point { x: (p.x - origin.x) * east, y: (p.y - origin.y) * 110_990.0 }).collect()
}

#[test]
fn the_planes_modelled_in_a_real_town_cover_their_plans() {
    let mut counts = ClassCounts::default();
    for n in ["1", "2", "4"] {
        let Some(file) = shared(&format!("footprints/chesapeake_va_{n}.shp")) else { return };
        let mut reader = shapefile::ShapeReader::from_path(file).expect("a shapefile");
        for shape in reader.iter_shapes() {
            let Ok(Shape::Polygon(shape)) = shape else { continue };
            let [PolygonRing::Outer(ring)] = shape.rings() else { continue };
            let part = Polygon { exterior: in_metres(ring), holes: vec![] };
            counts.add(&evidence(vec![building(outline(vec![part]), "house")], Assessor::default()));
        }
    }
    let same = f64::from(counts.same_class) / f64::from(counts.modelled) * 100.0;
    println!("real town: {counts:?}, {same:.1} % in the class of the rectangle rule");
    assert!(counts.modelled > 6_000 && counts.worst < 0.05);
    assert!(same > 80.0);
}

/// A real town's records through the bill: the mapping's classes, areas and fuels as they come.
#[test]
fn the_homes_of_a_real_town_have_bills_and_the_rest_says_why_not() {
    let Some(town) = cambridge() else { return };
    let reference = Reference::built_in();
    let (mut bills, mut kwh) = (0_u32, 0.0);
    let mut why = BTreeMap::<String, u32>::new();
    let mut kinds = BTreeMap::<String, (u32, f64, f64)>::new();
    for mut home in town {
        let address = &home.place.address;
        home.area = reference.area(address.state, &address.zip);
        let answer = utility_bill(Some(&home), now());
        let Some(found) = &answer.data.electricity else {
            *why.entry(answer.message.split([':', '.']).next().unwrap_or_default().to_owned()).or_default() += 1;
            continue;
        };
        let of = |part: &str| answer.reasons.iter().find(|r| r.part == part).expect("a reason").because.clone();
        let sqft = of("size").split(' ').next().and_then(|s| s.replace(',', "").parse::<f64>().ok()).expect("a size");
        assert!((300.0..=8_000.0).contains(&sqft));
        assert!((1_500.0..30_000.0).contains(&found.annual_consumption), "{}", answer.message);
        bills += 1;
        kwh += found.monthly_average_consumption;
        let kind = kinds.entry(of("kind")).or_default();
        *kind = (kind.0 + 1, kind.1 + sqft, kind.2 + found.annual_consumption);
        let fuel = kinds.entry(format!("fuel: {}", of("probability"))).or_default();
        *fuel = (fuel.0 + 1, fuel.1 + sqft, fuel.2 + found.annual_consumption);
    }
    for (kind, (n, sqft, kwh)) in &kinds {
        println!("{n:4} {kind}: mean {:.0} sq ft, {:.0} kWh a year", sqft / f64::from(*n), kwh / f64::from(*n));
    }
    println!("{bills} bills, mean {:.0} kWh a month (the state: 577); without: {why:?}", kwh / f64::from(bills));
    assert!(bills > 700);
    assert!((250.0..700.0).contains(&(kwh / f64::from(bills))));
}
