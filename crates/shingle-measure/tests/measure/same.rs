//! The same points give the same result: again, shuffled, cut into other tiles, without classes.

use shingle_measure::{Report, measure_files};

use crate::support::las::{Kind, TestPoint};
use crate::support::made::{Dice, Flight, fly, house};
use crate::{outline, outlines, write};

const FLIGHT: Flight = Flight { density: 10.0, noise: 0.05, outliers: true, trees: true, chimney: true };

fn shuffled(points: &[TestPoint], seed: u64) -> Vec<TestPoint> {
    let (mut points, mut dice) = (points.to_vec(), Dice::new(seed));
    for index in (1..points.len()).rev() {
        #[allow(clippy::cast_possible_truncation, reason = "the remainder is small")]
        let other = (dice.next() % (index as u64 + 1)) as usize;
        points.swap(index, other);
    }
    points
}

fn of_files(files: &[Vec<TestPoint>], kind: &Kind, ring: &[(f64, f64)]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<_> =
        files.iter().enumerate().map(|(i, points)| write(folder.path(), &format!("{i}.laz"), kind, points)).collect();
    let report: Report = measure_files(&paths, &outlines(vec![outline("house", ring.to_vec())])).unwrap();
    format!("{:?}", report.roofs)
}

#[test]
fn order_tiles_duplicates_and_classes_do_not_matter() {
    let compressed = Kind { chunk: Some(1_000), ..Kind::plain() };
    for kind in ["t", "dormers", "mansard"] {
        let roof = house(kind, 11);
        let (points, ring) = (fly(&roof, FLIGHT, 2), roof.outline());
        let first = of_files(std::slice::from_ref(&points), &Kind::plain(), &ring);
        assert!(first.contains("facets"), "{first}");
        assert_eq!(of_files(std::slice::from_ref(&points), &Kind::plain(), &ring), first);
        assert_eq!(of_files(&[shuffled(&points, 4)], &compressed, &ring), first);
        let (west, east): (Vec<_>, Vec<_>) = points.iter().partition(|(p, _)| p[0] < 0.7);
        assert_eq!(of_files(&[west, east], &Kind::plain(), &ring), first);
        let (even, odd): (Vec<_>, Vec<_>) = points.iter().partition(|(p, _)| p[1].to_bits() % 2 == 0);
        // Twice the same strip, and cut another way.
        assert_eq!(of_files(&[odd, even.clone(), even], &compressed, &ring), first);
    }
}

#[test]
fn figures_hold_when_classes_are_wiped() {
    for kind in ["gable", "hip", "l", "steps"] {
        let roof = house(kind, 5);
        let (points, ring) = (fly(&roof, FLIGHT, 2), roof.outline());
        let wiped: Vec<TestPoint> = points.iter().map(|(p, _)| (*p, 1)).collect();
        let (with, without) = (
            crate::measured(&Kind::plain(), &points, ring.clone()).unwrap(),
            crate::measured(&Kind::plain(), &wiped, ring).unwrap(),
        );
        assert!((with.area / without.area - 1.0).abs() < 0.003, "{kind}: {} {}", with.area, without.area);
        assert_eq!(with.facets.len(), without.facets.len(), "{kind}");
    }
}
