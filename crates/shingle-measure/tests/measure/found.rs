//! Roofs without outlines: found in the points, traced and measured.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use geo::{Area as _, BooleanOps as _, Contains as _, LineString, Point, Polygon};
use shingle_measure::{PointFile, Report, Roof, measure_files, measure_found, point_files};

use crate::support::las::{Kind, TestPoint};
use crate::support::made::{Dice, Flight, KINDS, MadeRoof, fly, house};
use crate::{outline, outlines, write};

fn found(points: &[TestPoint]) -> Report {
    let folder = tempfile::tempdir().unwrap();
    measure_found(&[write(folder.path(), "points.las", &Kind::plain(), points)]).unwrap()
}

fn plan(ring: &[(f64, f64)]) -> Polygon<f64> {
    Polygon::new(LineString::from(ring.to_vec()), Vec::new())
}

fn ring_of(roof: &Roof) -> Polygon<f64> {
    plan(&roof.traced.as_ref().unwrap().ring)
}

/// Name, outline and area.
type Known = (String, Polygon<f64>, f64);

/// What was found of roofs that are known.
#[derive(Debug, Default)]
struct Tally {
    known: usize,
    missed: usize,
    /// Found where no roof is known.
    other: usize,
    /// Mean of the errors of the area, in percent: with their sign and without.
    bias: f64,
    area: f64,
    /// Common area by joint area.
    overlap: f64,
}

impl Tally {
    fn of(roofs: &[Roof], known: &[Known]) -> Self {
        let mut tally = Self { known: known.len(), ..Self::default() };
        let mut hits = 0.0;
        let mut is_known = vec![false; roofs.len()];
        for (name, outline, area) in known {
            let same = |roof: &Roof| {
                let ring = ring_of(roof);
                ring.intersection(outline).unsigned_area() / ring.union(outline).unsigned_area()
            };
            let best = roofs.iter().enumerate().map(|(i, roof)| (i, same(roof))).max_by(|a, b| a.1.total_cmp(&b.1));
            let Some((index, overlap)) = best.filter(|(_, overlap)| *overlap > 0.5) else {
                println!("  {name} of {area:.0} m² is missed, best {best:?}");
                tally.missed += 1;
                continue;
            };
            is_known[index] = true;
            let off = 100.0 * (roofs[index].result.as_ref().unwrap().area / area - 1.0);
            if off.abs() > 4.0 {
                println!("  {name} of {area:.0} m²: {off:+.1} %, overlap {overlap:.3}");
            }
            hits += 1.0;
            tally.bias += off;
            tally.area += off.abs();
            tally.overlap += overlap;
        }
        tally.other = is_known.iter().filter(|known| !**known).count();
        for sum in [&mut tally.bias, &mut tally.area, &mut tally.overlap] {
            *sum /= hits;
        }
        tally
    }
}

/// Every kind of house a few times, in rows.
fn made(density: f64, noise: f64) -> Tally {
    let (mut points, mut known) = (Vec::new(), Vec::new());
    for (row, kind) in (0_u32..).zip(KINDS) {
        for column in 0..3_u32 {
            let seed = u64::from(column);
            let roof = house(kind, seed * 31 + 7);
            let flight = Flight { density, noise, outliers: true, trees: seed % 2 == 1, chimney: true };
            let to = |x: f64, y: f64| (x + 40.0 * f64::from(column), y + 40.0 * f64::from(row));
            for (p, class) in fly(&roof, flight, seed * 77 + 5) {
                let (x, y) = to(p[0], p[1]);
                points.push(([x, y, p[2]], class));
            }
            let ring: Vec<_> = roof.outline().iter().map(|p| to(p.0, p.1)).collect();
            known.push((format!("{density}/m² {kind} {seed}"), plan(&ring), roof.truth().area));
        }
    }
    let tally = Tally::of(&found(&points).roofs, &known);
    println!("{density}/m², noise {noise}: {tally:.3?}");
    tally
}

#[test]
fn houses_made_by_rule_are_found() {
    for (density, noise) in [(20.0, 0.03), (8.0, 0.05), (2.0, 0.03)] {
        let tally = made(density, noise);
        assert_eq!((tally.known, tally.missed, tally.other), (36, 0, 0), "{tally:?}");
        assert!(tally.area < 3.0, "{tally:?}");
    }
}

fn street() -> (Vec<TestPoint>, Vec<Known>) {
    let flight = Flight { density: 8.0, noise: 0.04, outliers: false, trees: true, chimney: true };
    let (mut points, mut known) = (Vec::new(), Vec::new());
    for (index, kind) in (0_u32..).zip(["gable", "hip", "l", "t", "dormers", "flat"]) {
        let roof: MadeRoof = house(kind, u64::from(index) + 3);
        let aside = f64::from(index) * 34.0;
        // Up a hill of one in ten.
        let up = |x: f64| 0.1 * x;
        for (p, class) in fly(&roof, flight, u64::from(index) + 50) {
            points.push(([p[0] + aside, p[1], p[2] + up(aside)], class));
        }
        let ring: Vec<_> = roof.outline().iter().map(|p| (p.0 + aside, p.1)).collect();
        known.push((kind.to_owned(), plan(&ring), roof.truth().area));
    }
    // Cars, a truck and a wall.
    let mut dice = Dice::new(9);
    for at in 0..6_u32 {
        let x = f64::from(at) * 34.0;
        for _ in 0..80 {
            points.push(([x + dice.between(-2.2, 2.2), 19.0 + dice.between(-0.9, 0.9), 1.6 + 0.1 * x], 1));
            points.push(([x + dice.between(-3.0, 3.0), 23.0 + dice.between(-1.2, 1.2), 3.2 + 0.1 * x], 1));
            points.push(([x + dice.between(-9.0, 9.0), 26.0 + dice.between(-0.2, 0.2), 2.6 + 0.1 * x], 1));
        }
    }
    (points, known)
}

#[test]
fn trees_cars_and_walls_are_no_roofs() {
    let (points, known) = street();
    let report = found(&points);
    let tally = Tally::of(&report.roofs, &known);
    println!("street: {tally:.3?}");
    assert_eq!((tally.known, tally.missed, tally.other), (6, 0, 0), "{tally:?}");
    assert!(tally.area < 3.0, "{tally:?}");
}

#[test]
fn the_same_roofs_are_found_in_any_order_tiles_and_classes() {
    let (points, _) = street();
    let text = |report: &Report| format!("{:?}", report.roofs);
    let first = text(&found(&points));
    let wiped: Vec<_> = points.iter().rev().map(|(p, _)| (*p, 1)).collect();
    assert_eq!(found(&wiped).roofs.len(), 6);
    let mut turned = points.clone();
    turned.reverse();
    assert_eq!(text(&found(&turned)), first);
    let folder = tempfile::tempdir().unwrap();
    let (west, east): (Vec<_>, Vec<_>) = points.iter().partition(|(p, _)| p[0] < 33.0);
    let paths: Vec<PathBuf> = [("east.laz", east), ("west.laz", west)]
        .iter()
        .map(|(name, points)| write(folder.path(), name, &Kind { chunk: Some(900), ..Kind::plain() }, points))
        .collect();
    assert_eq!(text(&measure_found(&paths).unwrap()), first);
}

#[test]
fn what_is_traced_is_measured_as_an_outline_is() {
    let (points, _) = street();
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "street.las", &Kind::plain(), &points);
    let traced = measure_found(std::slice::from_ref(&path)).unwrap();
    let rings = traced.roofs.iter().map(|r| outline(&r.id, r.traced.as_ref().unwrap().ring.clone())).collect();
    let given = measure_files(&[path], &outlines(rings)).unwrap();
    for (a, b) in traced.roofs.iter().zip(&given.roofs) {
        assert_eq!(a.result, b.result);
    }
}

#[test]
fn ground_alone_has_no_roofs() {
    let mut dice = Dice::new(4);
    let point = |_| {
        let (x, y) = (dice.between(0.0, 120.0), dice.between(0.0, 120.0));
        // A hill, and a forest on its half.
        let ground = 9.0 * (-((x - 60.0).powi(2) + (y - 60.0).powi(2)) / 900.0).exp() + 0.05 * dice.normal();
        let tree = if x > 70.0 && dice.unit() < 0.6 { dice.between(2.0, 14.0) } else { 0.0 };
        ([x, y, ground + tree], 1)
    };
    let points: Vec<TestPoint> = (0..90_000).map(point).collect();
    assert_eq!(found(&points).roofs.len(), 0);
    assert_eq!(found(&[]).roofs.len(), 0);
}

#[test]
fn real_roofs_cut_out_of_a_survey() {
    let Some(folder) = shingle_testing::shared("data/lidar/roofs") else { return };
    let text = std::fs::read_to_string(folder.join("outlines.geojson")).unwrap();
    let given = shingle_measure::Outlines::from_geojson(&text).unwrap();
    let files = point_files(&[folder]).unwrap();
    let measured = measure_files(&files, &given).unwrap();
    let known: Vec<_> = given
        .outlines
        .iter()
        .zip(&measured.roofs)
        .map(|(o, roof)| (o.id.clone(), plan(&o.parts[0][0]), roof.result.as_ref().unwrap().area))
        .collect();
    let tally = Tally::of(&measure_found(&files).unwrap().roofs, &known);
    println!("real roofs: {tally:.3?}");
    assert_eq!((tally.known, tally.missed, tally.other), (25, 0, 0), "{tally:?}");
    assert!(tally.area < 3.0, "{tally:?}");
}

/// Share of the points that the survey itself says are of buildings that are in a roof, and share of the points in roofs
/// that are said to be of something else.
fn against_classes(file: &Path) -> (usize, f64, f64) {
    let roofs = measure_found(&[file.to_owned()]).unwrap().roofs;
    let rings: Vec<_> = roofs.iter().map(ring_of).collect();
    let (mut built, mut hit, mut within) = (0.0, 0.0, 0.0);
    let opened = PointFile::open(BufReader::new(File::open(file).unwrap())).unwrap();
    let each = |p: shingle_measure::Point| {
        let is_within = rings.iter().any(|ring| ring.contains(&Point::new(p.x, p.y)));
        built += f64::from(u8::from(p.class == 6));
        hit += f64::from(u8::from(p.class == 6 && is_within));
        within += f64::from(u8::from(is_within));
    };
    opened.for_each(each).unwrap();
    (roofs.len(), hit / built, 1.0 - hit / within)
}

#[test]
fn surveys_with_classes_agree() {
    // Tiles of 50 m cut through most of their houses; trees stand over the last two.
    for (name, least, most) in [
        ("ign_test_data_77050_627755_LA93_IGN69.laz", 0.85, 0.05),
        ("ign_test_data_77055_627755_LA93_IGN69.laz", 0.82, 0.05),
        ("ign_test_data_77055_627760_LA93_IGN69.laz", 0.86, 0.2),
        ("lastools_dallas1_nocrs.laz", 0.94, 0.12),
    ] {
        let Some(file) = shingle_testing::shared("data/lidar").map(|folder| folder.join(name)) else { return };
        let (roofs, hit, other) = against_classes(&file);
        println!("{name}: {roofs} roofs have {hit:.3} of the points of buildings, {other:.3} of theirs are others");
        assert!(roofs > 0 && hit > least && other < most, "{name}");
    }
}
