//! Areas of rings, and points in them.

use crate::evidence::Point;

/// The edges of a closed ring, in order.
pub fn edges(ring: &[Point]) -> impl Iterator<Item = (Point, Point)> + '_ {
    ring.iter().zip(ring.iter().cycle().skip(1)).map(|(a, b)| (*a, *b))
}

/// Positive when counter-clockwise.
pub fn signed_area(ring: &[Point]) -> f64 {
    let Some(&origin) = ring.first() else { return 0.0 };
    // Relative to the first point, so that a distant origin costs no precision.
    let cross = |a: Point, b: Point| (a.x - origin.x) * (b.y - origin.y) - (a.y - origin.y) * (b.x - origin.x);
    edges(ring).map(|(a, b)| cross(a, b)).sum::<f64>() / 2.0
}

pub fn ring_area(ring: &[Point]) -> f64 {
    signed_area(ring).abs()
}

/// Whether a point is inside a ring, by the even-odd rule.
pub fn ring_contains(ring: &[Point], p: Point) -> bool {
    edges(ring).fold(false, |inside, (a, b)| {
        inside ^ ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(points: &[(f64, f64)]) -> Vec<Point> {
        points.iter().map(|&(x, y)| Point { x, y }).collect()
    }

    #[test]
    fn a_ring_has_its_area_whatever_its_direction_and_position() {
        let mut house = ring(&[(1e6, 1e6), (1e6 + 4.0, 1e6), (1e6 + 4.0, 1e6 + 3.0), (1e6, 1e6 + 3.0)]);
        assert_eq!(signed_area(&house), 12.0);
        house.reverse();
        assert_eq!((signed_area(&house), ring_area(&house)), (-12.0, 12.0));
        assert_eq!(ring_area(&[]), 0.0);
    }

    #[test]
    fn a_point_is_inside_or_outside_a_ring() {
        let l = ring(&[(0.0, 0.0), (12.0, 0.0), (12.0, 14.0), (7.0, 14.0), (7.0, 8.0), (0.0, 8.0)]);
        for (x, y, inside) in [(1.0, 1.0, true), (8.0, 13.0, true), (1.0, 9.0, false), (13.0, 1.0, false)] {
            assert_eq!(ring_contains(&l, Point { x, y }), inside, "{x} {y}");
        }
    }
}
