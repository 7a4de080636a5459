//! Ridges, hips and valleys: where two planes of a roof meet.

use shingle_domain::evidence::Point;
use shingle_domain::roof::LineKind;

use super::geometry::{along, cross, direction, distance, dot, point, sub};
use super::plan::Plane;

/// Edges nearer than this are one edge drawn twice, meters.
const MAX_EDGE_DISTANCE: f64 = 0.25;
/// Planes that are farther apart in height do not meet: a wall is between them. Meters.
const MAX_STEP: f64 = 0.4;
/// Shorter seams are not drawn, meters.
const MIN_SEAM: f64 = 0.3;
/// Rise over run below which a seam counts as level, and a bend as none.
const MAX_LEVEL_RISE: f64 = 0.06;
const MIN_BEND: f64 = 0.04;
/// Water runs over an edge that turns less than 45 degrees from the slope's own direction.
const OVER_THE_EDGE: f64 = core::f64::consts::FRAC_1_SQRT_2;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Seam {
    pub kind: LineKind,
    pub from: Point,
    pub to: Point,
    /// Metres, along the slope.
    pub length: f64,
}

pub(crate) fn between(planes: &[Plane]) -> Vec<Seam> {
    let mut lines = Vec::new();
    for (i, one) in planes.iter().enumerate() {
        for other in &planes[i + 1..] {
            for edge in one.edges() {
                for against in other.edges() {
                    lines.extend(seam(edge, against).and_then(|seam| line(one, other, seam)));
                }
            }
        }
    }
    lines
}

/// Meters of the edges that no other plane touches: those that water runs off, and the others, along the slope.
pub(crate) fn outer(planes: &[Plane]) -> (f64, f64) {
    let (mut eaves, mut rakes) = (0.0, 0.0);
    for (i, plane) in planes.iter().enumerate() {
        for edge @ (a, b) in plane.edges() {
            let others = planes.iter().enumerate().filter(|(j, _)| *j != i).flat_map(|(_, other)| other.edges());
            let shared: f64 = others.filter_map(|other| seam(edge, other)).map(|(from, to)| distance(from, to)).sum();
            let free = distance(a, b) - shared;
            let Some(u) = direction(a, b).filter(|_| free > MIN_SEAM) else { continue };
            // A plane lies to the left of its edges.
            let outward = dot(plane.downhill, point(u.y, -u.x));
            if plane.slope.rise() < MAX_LEVEL_RISE || outward > OVER_THE_EDGE {
                eaves += free;
            } else {
                let climb = plane.slope.rise() * dot(plane.downhill, u);
                rakes += free * (1.0 + climb * climb).sqrt();
            }
        }
    }
    (eaves, rakes)
}

/// The stretch that two edges, running in opposite directions, share.
fn seam((a, b): (Point, Point), (c, d): (Point, Point)) -> Option<(Point, Point)> {
    let u = direction(a, b)?;
    if dot(u, direction(c, d)?) > -0.99 {
        return None;
    }
    let off = |p: Point| cross(u, sub(p, a)).abs();
    if off(c) > MAX_EDGE_DISTANCE || off(d) > MAX_EDGE_DISTANCE {
        return None;
    }
    let whole = distance(a, b);
    let at = |p: Point| dot(u, sub(p, a)).clamp(0.0, whole);
    let (from, to) = (at(d), at(c));
    (to - from > MIN_SEAM).then(|| (along(a, b, from / whole), along(a, b, to / whole)))
}

/// What kind of line the seam is; `None` for a wall, a mere change of pitch or no bend at all.
fn line(one: &Plane, other: &Plane, (from, to): (Point, Point)) -> Option<Seam> {
    let u = direction(from, to)?;
    if one.above(other, along(from, to, 0.5)).is_some_and(|step| step.abs() > MAX_STEP) {
        return None;
    }
    // `one` lies to the left of its own edges.
    let into_one = point(-u.y, u.x);
    let uphill = |plane: &Plane, way: Point| -dot(plane.downhill, way) * plane.slope.rise();
    let (rise_one, rise_other) = (uphill(one, into_one), -uphill(other, into_one));
    let climb = (uphill(one, u) + uphill(other, u)) / 2.0;
    let bend = rise_one + rise_other;
    let kind = match (bend < -MIN_BEND, bend > MIN_BEND, climb.abs() < MAX_LEVEL_RISE) {
        (true, _, true) if rise_one < MIN_BEND && rise_other < MIN_BEND => LineKind::Ridge,
        (true, _, false) => LineKind::Hip,
        (_, true, true) if rise_one > -MIN_BEND && rise_other > -MIN_BEND => LineKind::Valley,
        (_, true, false) => LineKind::Valley,
        _ => return None,
    };
    Some(Seam { kind, from, to, length: distance(from, to) * (1.0 + climb * climb).sqrt() })
}
