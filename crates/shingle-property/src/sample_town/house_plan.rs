//! Ground plans of houses, in meters, the front to the south, before they are turned to their street.

use shingle_domain::evidence::Point;

use super::seeded_random::SeededRandom;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlanShape {
    Rectangle,
    /// A wing to the front on one side.
    L,
    /// A wing to the front in the middle.
    T,
    /// Two wings around a court.
    U,
}

/// A counter-clockwise ring about the middle of the main block.
pub(super) fn ring(shape: PlanShape, random: &mut SeededRandom) -> Vec<Point> {
    let mut tenths = |low: f64, high: f64| (random.between(low, high) * 10.0).round() / 10.0;
    let (w, d) = (tenths(11.0, 16.5), tenths(7.6, 9.6));
    let wing = (tenths(4.8, 6.4), tenths(3.2, 5.2));
    points(shape, w, d, wing)
}

/// Width and depth of the block, width and depth of a wing.
pub(super) fn points(shape: PlanShape, w: f64, d: f64, (a, b): (f64, f64)) -> Vec<Point> {
    let corners: Vec<(f64, f64)> = match shape {
        PlanShape::Rectangle => vec![(0., 0.), (w, 0.), (w, d), (0., d)],
        PlanShape::L => vec![(w - a, -b), (w, -b), (w, d), (0., d), (0., 0.), (w - a, 0.)],
        PlanShape::T => {
            let left = (w - a) * 0.5;
            vec![(left, -b), (left + a, -b), (left + a, 0.), (w, 0.), (w, d), (0., d), (0., 0.), (left, 0.)]
        }
        PlanShape::U => {
            let wide = w + 4.0;
            vec![(0., -b), (a, -b), (a, 0.), (wide - a, 0.), (wide - a, -b), (wide, -b), (wide, d), (0., d)]
        }
    };
    corners.into_iter().map(|(x, y)| Point { x: x - w / 2.0, y: y - d / 2.0 }).collect()
}

/// Three wings to the front, no two alike, and one to the back.
pub(super) fn manor() -> Vec<Point> {
    let front = [(0.0, -4.1), (4.2, -4.1), (4.2, 0.0), (7.1, 0.0), (7.1, -4.7), (11.7, -4.7), (11.7, 0.0), (14.6, 0.0)];
    let sides = [(14.6, -3.4), (18.2, -3.4), (18.2, 9.2)];
    let back = [(11.9, 9.2), (11.9, 13.6), (6.6, 13.6), (6.6, 9.2), (0.0, 9.2)];
    let corners = front.into_iter().chain(sides).chain(back);
    corners.map(|(x, y)| Point { x: x - 9.1, y: y - 4.6 }).collect()
}

/// A shed or a garage behind the house.
pub(super) fn outbuilding(w: f64, d: f64, east: f64, north: f64) -> Vec<Point> {
    [(0., 0.), (w, 0.), (w, d), (0., d)].map(|(x, y)| Point { x: east + x, y: north + y }).to_vec()
}

/// Turned counter-clockwise about the origin, to the tenth of a millimetre.
pub(super) fn turned(ring: &[Point], by: f64) -> Vec<Point> {
    let (sin, cos) = by.sin_cos();
    let round = |v: f64| (v * 1e4).round() / 1e4 + 0.0;
    ring.iter().map(|p| Point { x: round(p.x * cos - p.y * sin), y: round(p.x * sin + p.y * cos) }).collect()
}
