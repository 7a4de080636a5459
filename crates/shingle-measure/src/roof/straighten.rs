//! From the steps of squares to the sides of a house: straight lines through the middle of the steps, at right angles
//! where they nearly are.

use std::f64::consts::{FRAC_PI_2, TAU};

use geo::{LineString, SimplifyIdx as _};

type At = (f64, f64);

/// Sides that are so much off the directions of the house have one of their own.
const SQUARE_DEGREES: f64 = 14.0;
/// Share of the area that straight sides may add or take.
const MOST_CHANGE: f64 = 0.04;

/// A side: where it is, and how many steps it has.
#[derive(Debug, Clone, Copy)]
struct Side {
    /// Radians of its way.
    way: f64,
    through: At,
    length: f64,
    is_square: bool,
}

/// `ring` runs along the sides of squares; `spacing` is the distance of points in meters, which corners are as sure as.
pub fn straightened(ring: &[At], spacing: f64) -> Vec<At> {
    let mut closed: Vec<At> = ring.to_vec();
    closed.extend(ring.first());
    let corners = LineString::from(closed.clone()).simplify_idx((0.9 * spacing).max(0.4));
    let coarse: Vec<At> = corners.iter().take(corners.len().saturating_sub(1)).map(|at| closed[*at]).collect();
    if coarse.len() < 3 {
        return ring.to_vec();
    }
    let main = main_direction(&coarse);
    let mut sides: Vec<Side> = corners.windows(2).filter_map(|w| side(&closed[w[0]..=w[1]], main)).collect();
    while sides.len() > 4 {
        let Some(index) = (0..sides.len()).find(|at| is_cut_corner(&sides, *at, spacing)) else { break };
        sides.remove(index);
    }
    while sides.len() > 3 {
        let Some(index) = (0..sides.len()).find(|at| is_one(&sides, *at, spacing)) else { break };
        let next = (index + 1) % sides.len();
        sides[index] = joined(&sides[index], &sides[next]);
        sides.remove(next);
    }
    let straight = corners_of(&sides, spacing);
    let (before, after) = (area(ring), area(&straight));
    match straight.len() >= 3 && (after / before - 1.0).abs() < MOST_CHANGE && !crosses_itself(&straight) {
        true => straight,
        false => coarse,
    }
}

fn area(ring: &[At]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(a, b)| a.0 * b.1 - a.1 * b.0).sum::<f64>() / 2.0
}

fn crosses_itself(ring: &[At]) -> bool {
    let count = ring.len();
    let line = |at: usize| (ring[at], ring[(at + 1) % count]);
    let turn = |a: At, b: At, c: At| (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0);
    (0..count).any(|i| {
        (i + 2..count).filter(|j| (j + 1) % count != i).any(|j| {
            let ((a, b), (c, d)) = (line(i), line(j));
            turn(a, b, c) * turn(a, b, d) < 0.0 && turn(c, d, a) * turn(c, d, b) < 0.0
        })
    })
}

/// Of the sides and of those across them, weighed by their lengths, from 0 to a right angle.
fn main_direction(ring: &[At]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    let ways = ring.iter().zip(next).map(|(a, b)| ((b.1 - a.1).atan2(b.0 - a.0), (b.0 - a.0).hypot(b.1 - a.1)));
    // Squares make long sides surer than many short ones.
    let (c, s) = ways.fold((0.0, 0.0), |(c, s), (way, length)| {
        (c + length * length * (4.0 * way).cos(), s + length * length * (4.0 * way).sin())
    });
    (s.atan2(c) / 4.0).rem_euclid(FRAC_PI_2)
}

/// The line through the steps of a side, without those near its ends.
fn side(steps: &[At], main: f64) -> Option<Side> {
    let (first, last) = (steps.first()?, steps.last()?);
    let length = (last.0 - first.0).hypot(last.1 - first.1);
    let mut middles: Vec<At> =
        steps.windows(2).map(|w| (f64::midpoint(w[0].0, w[1].0), f64::midpoint(w[0].1, w[1].1))).collect();
    if middles.is_empty() || length <= 0.0 {
        return None;
    }
    let cut = middles.len() / 8;
    middles = middles[cut..middles.len() - cut].to_vec();
    #[allow(clippy::cast_precision_loss, reason = "a ring has few steps")]
    let n = middles.len() as f64;
    let through = (middles.iter().map(|p| p.0).sum::<f64>() / n, middles.iter().map(|p| p.1).sum::<f64>() / n);
    let way = (last.1 - first.1).atan2(last.0 - first.0);
    let turns = ((way - main) / FRAC_PI_2).round();
    let square = main + turns * FRAC_PI_2;
    let is_square = (way - square).abs() < SQUARE_DEGREES.to_radians();
    let own = || {
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for p in &middles {
            let (x, y) = (p.0 - through.0, p.1 - through.1);
            (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y);
        }
        let along = 0.5 * (2.0 * xy).atan2(xx - yy);
        let same = (along - way).cos() >= 0.0;
        if same { along } else { along + std::f64::consts::PI }
    };
    Some(Side { way: if is_square { square } else { own() }, through, length, is_square })
}

fn between(a: &Side, b: &Side) -> f64 {
    (b.way - a.way + TAU / 2.0).rem_euclid(TAU) - TAU / 2.0
}

/// Meters of a place to the left of a side.
fn left_of(side: &Side, p: At) -> f64 {
    let (sin, cos) = side.way.sin_cos();
    (p.1 - side.through.1) * cos - (p.0 - side.through.0) * sin
}

/// A short slanted side between two that are at right angles: points seldom lie in the very corner.
fn is_cut_corner(sides: &[Side], at: usize, spacing: f64) -> bool {
    let (before, side, after) =
        (&sides[(at + sides.len() - 1) % sides.len()], &sides[at], &sides[(at + 1) % sides.len()]);
    let turn = between(before, after).abs();
    !side.is_square
        && side.length < 2.0 * spacing + 0.3
        && before.is_square
        && after.is_square
        && (turn - FRAC_PI_2).abs() < 0.1
}

/// A side and the next one are one.
fn is_one(sides: &[Side], at: usize, spacing: f64) -> bool {
    let (side, next) = (&sides[at], &sides[(at + 1) % sides.len()]);
    between(side, next).abs() < 0.1 && left_of(side, next.through).abs() < 0.6 * spacing
}

fn joined(a: &Side, b: &Side) -> Side {
    let (longer, all) = (if a.length >= b.length { a } else { b }, a.length + b.length);
    let mix = |p: f64, q: f64| (p * a.length + q * b.length) / all;
    Side { through: (mix(a.through.0, b.through.0), mix(a.through.1, b.through.1)), length: all, ..*longer }
}

/// Where sides meet, if that is near their ends; between parallel ones a step at right angles.
fn corners_of(sides: &[Side], spacing: f64) -> Vec<At> {
    let along = |s: &Side, t: f64| {
        let (sin, cos) = s.way.sin_cos();
        (s.through.0 + t * cos, s.through.1 + t * sin)
    };
    let mut corners = Vec::new();
    for (index, side) in sides.iter().enumerate() {
        let next = &sides[(index + 1) % sides.len()];
        let turn = between(side, next);
        let (a, b) = (along(side, side.length / 2.0), along(next, -next.length / 2.0));
        let middle = (f64::midpoint(a.0, b.0), f64::midpoint(a.1, b.1));
        if turn.sin().abs() > 0.2 {
            // Along this side until the next one is met.
            let corner = along(side, left_of(next, side.through) / turn.sin());
            if (corner.0 - middle.0).hypot(corner.1 - middle.1) < 1.0 + 2.0 * spacing {
                corners.push(corner);
                continue;
            }
        }
        for s in [side, next] {
            let (sin, cos) = s.way.sin_cos();
            corners.push(along(s, (middle.0 - s.through.0) * cos + (middle.1 - s.through.1) * sin));
        }
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of squares around a turned rectangle.
    fn steps(turn: f64) -> Vec<At> {
        let (sin, cos) = turn.sin_cos();
        let at = |u: f64, v: f64| (cos * u - sin * v, sin * u + cos * v);
        let mut ring = Vec::new();
        for (a, b) in
            [((0.0, 0.0), (10.0, 0.0)), ((10.0, 0.0), (10.0, 6.0)), ((10.0, 6.0), (0.0, 6.0)), ((0.0, 6.0), (0.0, 0.0))]
        {
            for step in 0..40_i32 {
                let t = f64::from(step) / 40.0;
                // Half of the steps lie on either side.
                let off = if step % 2 == 0 { 0.07 } else { -0.07 };
                let (x, y) = at(a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1));
                ring.push((x + off * sin, y + off * cos));
            }
        }
        ring
    }

    #[test]
    fn a_turned_rectangle_gets_four_right_angles() {
        for turn in [0.0, 0.3, 0.7, 1.2, 2.0] {
            let ring = straightened(&steps(turn), 0.4);
            assert_eq!(ring.len(), 4, "{turn}: {ring:?}");
            assert!((area(&ring) - 60.0).abs() < 0.8, "{turn}: {}", area(&ring));
            for at in 0..4 {
                let (p, q, r) = (ring[at], ring[(at + 1) % 4], ring[(at + 2) % 4]);
                let dot = (q.0 - p.0) * (r.0 - q.0) + (q.1 - p.1) * (r.1 - q.1);
                assert!(dot.abs() < 1e-6, "{turn}: {ring:?}");
            }
        }
    }
}
