//! Areas of rings and what lies in them, for every crate that draws or measures buildings. Square roots and sums only,
//! so the results are the same on every platform.

use crate::evidence::{Point, Polygon};

impl From<(f64, f64)> for Point {
    fn from((x, y): (f64, f64)) -> Self {
        Self { x, y }
    }
}

/// The closed ring's edges, in order. The last point is joined to the first.
pub fn edges<P: Copy + Into<Point>>(ring: &[P]) -> impl Iterator<Item = (Point, Point)> + '_ {
    ring.iter().zip(ring.iter().cycle().skip(1)).map(|(a, b)| ((*a).into(), (*b).into()))
}

/// Without the corners that lie within `detail` of the line between those beside them.
pub fn plain_ring(ring: &[Point], detail: f64) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::with_capacity(ring.len());
    for (before, (at, after)) in ring.iter().cycle().skip(ring.len().saturating_sub(1)).zip(edges(ring)) {
        let before = kept.last().unwrap_or(before);
        let (dx, dy) = (after.x - before.x, after.y - before.y);
        let length = dx.hypot(dy);
        let away = if length > 0.0 { ((at.x - before.x) * dy - (at.y - before.y) * dx).abs() / length } else { 0.0 };
        if away > detail {
            kept.push(at);
        }
    }
    kept
}

/// Positive when counter-clockwise.
pub fn signed_area<P: Copy + Into<Point>>(ring: &[P]) -> f64 {
    let Some(&first) = ring.first() else { return 0.0 };
    let o: Point = first.into();
    // Taken from the first point, so that a far origin costs no digits.
    edges(ring).map(|(a, b)| (a.x - o.x) * (b.y - o.y) - (b.x - o.x) * (a.y - o.y)).sum::<f64>() / 2.0
}

pub fn ring_area<P: Copy + Into<Point>>(ring: &[P]) -> f64 {
    signed_area(ring).abs()
}

/// Without the holes; never negative.
pub fn polygon_area(polygon: &Polygon) -> f64 {
    let holes: f64 = polygon.holes.iter().map(|hole| ring_area(hole)).sum();
    (ring_area(&polygon.exterior) - holes).max(0.0)
}

/// Whether a point lies in a ring, by the even-odd rule.
pub fn ring_contains<P: Copy + Into<Point>>(ring: &[P], p: Point) -> bool {
    edges(ring).fold(false, |inside, (a, b)| {
        inside ^ ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y))
    })
}

/// Whether a point lies in a polygon and in none of its holes.
pub fn contains(polygon: &Polygon, p: Point) -> bool {
    let rings = std::iter::once(&polygon.exterior).chain(&polygon.holes);
    rings.filter(|ring| ring_contains(ring, p)).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(from: f64, to: f64) -> Vec<Point> {
        [(from, from), (to, from), (to, to), (from, to)].map(Point::from).to_vec()
    }

    #[test]
    fn a_hole_counts_neither_as_area_nor_as_inside() {
        let mut hole = square(4.0, 6.0);
        hole.reverse();
        let polygon = Polygon { exterior: square(0.0, 10.0), holes: vec![hole] };
        assert_eq!(polygon_area(&polygon), 96.0);
        assert_eq!((signed_area(&polygon.exterior), signed_area(&polygon.holes[0])), (100.0, -4.0));
        assert!(contains(&polygon, Point { x: 1.0, y: 1.0 }));
        assert!(!contains(&polygon, Point { x: 5.0, y: 5.0 }) && !contains(&polygon, Point { x: 11.0, y: 5.0 }));
    }

    #[test]
    fn a_far_origin_costs_no_digits() {
        let near = signed_area(&square(0.0, 0.1));
        let far = signed_area(&square(1e6, 1e6 + 0.1));
        assert!((near - far).abs() < 1e-9, "{near} {far}");
        assert_eq!(signed_area::<Point>(&[]), 0.0);
    }

    fn ring(points: &[(f64, f64)]) -> Vec<Point> {
        points.iter().map(|&(x, y)| Point { x, y }).collect()
    }

    #[test]
    fn a_ring_has_its_area_whatever_its_direction_and_position() {
        let mut house = ring(&[(1e6, 1e6), (1e6 + 4.0, 1e6), (1e6 + 4.0, 1e6 + 3.0), (1e6, 1e6 + 3.0)]);
        assert_eq!(signed_area(&house), 12.0);
        house.reverse();
        assert_eq!((signed_area(&house), ring_area(&house)), (-12.0, 12.0));
        assert_eq!(ring_area::<Point>(&[]), 0.0);
    }

    #[test]
    fn a_point_is_inside_or_outside_a_ring() {
        let l = ring(&[(0.0, 0.0), (12.0, 0.0), (12.0, 14.0), (7.0, 14.0), (7.0, 8.0), (0.0, 8.0)]);
        for (x, y, inside) in [(1.0, 1.0, true), (8.0, 13.0, true), (1.0, 9.0, false), (13.0, 1.0, false)] {
            assert_eq!(ring_contains(&l, Point { x, y }), inside, "{x} {y}");
        }
    }
}
