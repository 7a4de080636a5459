//! Roofs of whole towns: the sample town, and a real one where its file is at hand.

use std::path::{Path, PathBuf};

use shapefile::{PolygonRing, Shape};
use shingle_domain::area::Area;
use shingle_domain::evidence::{Assessor, Evidence, MatchLevel, Matched, Outline, Point, Polygon};
use shingle_domain::public::Method;
use shingle_domain::roof::{Complexity, DrawingBasis};
use shingle_estimate::roof::{drawing, measure};
use shingle_property::sample_town;

use crate::fixture::{building, evidence, outline};

/// How far the planes drawn for modelled roofs are from covering the plan, and how often they fall into the class
/// of the rectangle rule.
#[derive(Debug, Default)]
struct Tally {
    houses: u32,
    modelled: u32,
    same_class: u32,
    /// Square feet a foot of outline: the drawing's own grain is 0.05.
    worst: f64,
}

impl Tally {
    fn add(&mut self, evidence: &Evidence) {
        let Some(found) = measure(evidence, Some(0)).filter(|m| m.method == Method::Outline) else { return };
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
    let mut tally = Tally::default();
    for place in sample_town::places().filter(|p| p.buildings.len() == 1) {
        tally.add(&Evidence { matched: Matched { level: MatchLevel::Exact }, place, area: Area::default() });
    }
    println!("sample town: {tally:?}");
    assert!(tally.modelled > 50);
    assert!(tally.worst < 0.05);
}

#[allow(clippy::disallowed_methods, reason = "tests look for the town files where the environment says")]
fn shared(file: &str) -> Option<PathBuf> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = std::env::var("SHINGLE_SHARED").map_or_else(|_| repository.join("../shared"), PathBuf::from);
    let path = folder.join("data").join(file);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: no {file} in ../shared/data; set SHINGLE_SHARED to the folder that holds it");
    None
}

/// Degrees to metres around the ring's first point: exact enough over a lot.
fn in_metres(ring: &[shapefile::Point]) -> Vec<Point> {
    let Some(origin) = ring.first() else { return Vec::new() };
    let east = 111_320.0 * origin.y.to_radians().cos();
    ring.iter().skip(1).map(|p| Point { x: (p.x - origin.x) * east, y: (p.y - origin.y) * 110_990.0 }).collect()
}

#[test]
fn the_planes_modelled_in_a_real_town_cover_their_plans() {
    let mut tally = Tally::default();
    for n in ["1", "2", "4"] {
        let Some(file) = shared(&format!("footprints/chesapeake_va_{n}.shp")) else { return };
        let mut reader = shapefile::ShapeReader::from_path(file).expect("a shapefile");
        for shape in reader.iter_shapes() {
            let Ok(Shape::Polygon(shape)) = shape else { continue };
            let [PolygonRing::Outer(ring)] = shape.rings() else { continue };
            let part = Polygon { exterior: in_metres(ring), holes: vec![] };
            tally.add(&evidence(vec![building(outline(vec![part]), "house")], Assessor::default()));
        }
    }
    let same = f64::from(tally.same_class) / f64::from(tally.modelled) * 100.0;
    println!("real town: {tally:?}, {same:.1} % in the class of the rectangle rule");
    assert!(tally.modelled > 6_000 && tally.worst < 0.05);
    assert!(same > 80.0);
}
