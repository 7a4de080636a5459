//! Plane geometry in meters, x to the east and y to the north. Square roots only: the results are the
//! same on every platform.

use std::collections::VecDeque;

use shingle_domain::evidence::Point;
pub(crate) use shingle_domain::geometry::{contains, edges, polygon_area, ring_area, ring_contains, signed_area};

pub(crate) const FEET_PER_METRE: f64 = 1.0 / 0.3048;
pub(crate) const SQFT_PER_SQM: f64 = FEET_PER_METRE * FEET_PER_METRE;

/// No house is farther from the origin of its frame; within this, sums of squares are exact enough.
const MAX_COORDINATE: f64 = 20_000.0;

pub(crate) fn point(x: f64, y: f64) -> Point {
    Point { x, y }
}

pub(crate) fn sub(a: Point, b: Point) -> Point {
    point(a.x - b.x, a.y - b.y)
}

pub(crate) fn along(a: Point, b: Point, share: f64) -> Point {
    point(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)
}

pub(crate) fn dot(a: Point, b: Point) -> f64 {
    a.x * b.x + a.y * b.y
}

pub(crate) fn cross(a: Point, b: Point) -> f64 {
    a.x * b.y - a.y * b.x
}

pub(crate) fn length(a: Point) -> f64 {
    dot(a, a).sqrt()
}

pub(crate) fn distance(a: Point, b: Point) -> f64 {
    length(sub(a, b))
}

/// The direction from `a` to `b`; `None` when they are one point.
pub(crate) fn direction(a: Point, b: Point) -> Option<Point> {
    let d = sub(b, a);
    let l = length(d);
    (l > 1e-9).then(|| point(d.x / l, d.y / l))
}

pub(crate) fn perimeter(ring: &[Point]) -> f64 {
    edges(ring).map(|(a, b)| distance(a, b)).sum()
}

pub(crate) fn distance_to_segment(p: Point, a: Point, b: Point) -> f64 {
    let d = sub(b, a);
    let l2 = dot(d, d);
    if l2 == 0.0 {
        return distance(p, a);
    }
    let share = (dot(sub(p, a), d) / l2).clamp(0.0, 1.0);
    distance(p, along(a, b, share))
}

/// Lowest x and y, highest x and y.
pub(crate) fn bounds<'a>(points: impl IntoIterator<Item = &'a Point>) -> Option<(Point, Point)> {
    points.into_iter().fold(None, |found, p| {
        let (low, high) = found.unwrap_or((*p, *p));
        Some((point(low.x.min(p.x), low.y.min(p.y)), point(high.x.max(p.x), high.y.max(p.y))))
    })
}

/// Validates a ring of an outline: its points are finite, near their origin, and not repeated. `None` when fewer
/// than three are left or they enclose no area.
pub(crate) fn valid_ring(ring: &[Point]) -> Option<Vec<Point>> {
    let fits = |v: f64| v.is_finite() && v.abs() <= MAX_COORDINATE;
    if !ring.iter().all(|p| fits(p.x) && fits(p.y)) {
        return None;
    }
    let mut points: Vec<Point> = Vec::with_capacity(ring.len());
    for p in ring {
        if points.last().is_none_or(|last| distance(*last, *p) > 1e-6) {
            points.push(*p);
        }
    }
    while points.len() > 1 && distance(points[0], points[points.len() - 1]) <= 1e-6 {
        points.pop();
    }
    (points.len() >= 3 && ring_area(&points) > 0.01).then_some(points)
}

/// A unit vector: the frame that most of the outline's length runs along or across, turned less than 45°.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    axis: Point,
}

impl Frame {
    /// Edge directions are added up at four times their angle, where right angles fall together.
    pub(crate) fn of(rings: &[&[Point]]) -> Self {
        let mut sum = point(0.0, 0.0);
        for (a, b) in rings.iter().flat_map(|ring| edges(ring)) {
            let Some(d) = direction(a, b) else { continue };
            let double = point(d.x * d.x - d.y * d.y, 2.0 * d.x * d.y);
            let fourfold = point(double.x * double.x - double.y * double.y, 2.0 * double.x * double.y);
            let weight = distance(a, b);
            sum = point(sum.x + weight * fourfold.x, sum.y + weight * fourfold.y);
        }
        let l = length(sum);
        if l < 1e-9 {
            return Self { axis: point(1.0, 0.0) };
        }
        Self { axis: half_angle(half_angle(point(sum.x / l, sum.y / l))) }
    }

    pub(crate) fn into(self, p: Point) -> Point {
        point(dot(p, self.axis), cross(self.axis, p))
    }

    pub(crate) fn back(self, p: Point) -> Point {
        point(p.x * self.axis.x - p.y * self.axis.y, p.x * self.axis.y + p.y * self.axis.x)
    }
}

fn half_angle(d: Point) -> Point {
    let x = ((1.0 + d.x) / 2.0).max(0.0).sqrt();
    let y = ((1.0 - d.x) / 2.0).max(0.0).sqrt();
    point(x, if d.y < 0.0 { -y } else { y })
}

fn centroid(ring: &[Point]) -> Option<Point> {
    let first = *ring.first()?;
    let sum = edges(ring).fold((0.0, 0.0, 0.0), |(area, x, y), (a, b)| {
        let (a, b) = (sub(a, first), sub(b, first));
        let c = cross(a, b);
        (area + c, x + (a.x + b.x) * c, y + (a.y + b.y) * c)
    });
    (sum.0.abs() > 1e-9).then(|| point(first.x + sum.1 / (3.0 * sum.0), first.y + sum.2 / (3.0 * sum.0)))
}

/// The point of a ring's inside that is farthest from its edges, to about `precision` meters: where a
/// label fits best. Cells are halved while they can still hold something better, large ones first.
pub(crate) fn label_point(ring: &[Point], precision: f64) -> Point {
    let Some((low, high)) = bounds(ring) else { return point(0.0, 0.0) };
    let depth = |p: Point| {
        let d = edges(ring).map(|(a, b)| distance_to_segment(p, a, b)).fold(f64::INFINITY, f64::min);
        if ring_contains(ring, p) { d } else { -d }
    };
    let size = (high.x - low.x).min(high.y - low.y).max(precision);
    let mut best = centroid(ring).unwrap_or(along(low, high, 0.5));
    let mut best_depth = depth(best);
    let columns = ((high.x - low.x) / size).ceil().clamp(1.0, 32.0) as u32;
    let rows = ((high.y - low.y) / size).ceil().clamp(1.0, 32.0) as u32;
    let mut cells = VecDeque::new();
    for row in 0..rows {
        for column in 0..columns {
            let centre = point(low.x + (f64::from(column) + 0.5) * size, low.y + (f64::from(row) + 0.5) * size);
            cells.push_back((centre, size / 2.0));
        }
    }
    // Limits the time spent on a label.
    for _ in 0..4_000 {
        let Some((centre, half)) = cells.pop_front() else { break };
        let here = depth(centre);
        if here > best_depth {
            (best, best_depth) = (centre, here);
        }
        if here + half * core::f64::consts::SQRT_2 > best_depth + precision {
            let quarter = half / 2.0;
            for (sx, sy) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
                cells.push_back((point(centre.x + sx * quarter, centre.y + sy * quarter), quarter));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(points: &[(f64, f64)]) -> Vec<Point> {
        points.iter().map(|(x, y)| point(*x, *y)).collect()
    }

    #[test]
    fn a_frame_follows_the_walls() {
        // A 10 x 6 rectangle turned by a 3-4-5 angle (36.87 degrees).
        let turned: Vec<Point> = [(0.0, 0.0), (10.0, 0.0), (10.0, 6.0), (0.0, 6.0)]
            .iter()
            .map(|(x, y)| point(x * 0.8 - y * 0.6, x * 0.6 + y * 0.8))
            .collect();
        let frame = Frame::of(&[&turned]);
        let straight = frame.into(sub(turned[1], turned[0]));
        assert!((straight.x.abs() - 10.0).abs() < 1e-9 && straight.y.abs() < 1e-9, "{straight:?}");
        let there_and_back = frame.back(frame.into(turned[2]));
        assert!(distance(there_and_back, turned[2]) < 1e-9);
    }

    #[test]
    fn a_label_lies_inside_even_when_the_centroid_does_not() {
        let u = ring(&[
            (0.0, 0.0),
            (20.0, 0.0),
            (20.0, 20.0),
            (15.0, 20.0),
            (15.0, 5.0),
            (5.0, 5.0),
            (5.0, 20.0),
            (0.0, 20.0),
        ]);
        let label = label_point(&u, 0.1);
        assert!(ring_contains(&u, label));
        assert!(edges(&u).all(|(a, b)| distance_to_segment(label, a, b) > 2.3));
    }

    #[test]
    fn invalid_rings_are_refused() {
        assert!(valid_ring(&ring(&[(0.0, 0.0), (1.0, 0.0)])).is_none());
        assert!(valid_ring(&ring(&[(0.0, 0.0), (5.0, 0.0), (9.0, 0.0)])).is_none());
        assert!(valid_ring(&ring(&[(0.0, 0.0), (f64::NAN, 0.0), (9.0, 5.0)])).is_none());
        assert!(valid_ring(&ring(&[(0.0, 0.0), (1e300, 0.0), (9.0, 5.0)])).is_none());
        let closed = valid_ring(&ring(&[(0.0, 0.0), (4.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 0.0)]));
        assert_eq!(closed.map(|r| r.len()), Some(3));
    }
}
