//! The streets of a drawing: their ground, and the edges of it that lie on no other street.

use shingle_domain::surroundings::StreetLine;

use super::geometry::{Spot, spot};
use crate::path::Path;
use crate::plan::Label;

/// The ground of all streets. Every corner ring turns the same way: where two lie on one another no hole is cut.
pub(super) fn grounds(streets: &[&StreetLine]) -> Path {
    let mut path = Path::default();
    for street in streets {
        path.outline(&corners(street).map(rounded));
    }
    path
}

/// Both sides of every street. Where it crosses another they are left out: on paper nothing covers them.
pub(super) fn edges(streets: &[&StreetLine]) -> Path {
    let mut path = Path::default();
    for (at, street) in streets.iter().enumerate() {
        let [a, b, c, d] = corners(street);
        let others = streets.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| *other);
        for [from, to] in [[a, b], [c, d]] {
            for [start, end] in uncovered(from, to, others.clone()) {
                path.line(&[rounded(start), rounded(end)]);
            }
        }
    }
    path
}

/// Whether a text that goes `half` to either side of its middle is on a street.
pub(super) fn touches(street: &StreetLine, text: &Label, half: f64) -> bool {
    let (sin, cos) = f64::from(text.turn).to_radians().sin_cos();
    [-1.0, 0.0, 1.0].into_iter().any(|side| {
        let at = [f64::from(text.x) + cos * half * side, f64::from(text.y) + sin * half * side];
        let [x, y] = nearest(street, at);
        (at[0] - x).hypot(at[1] - y) < f64::from(street.half_width)
    })
}

/// The point of the street that is nearest.
pub(super) fn nearest(street: &StreetLine, [x, y]: Spot) -> Spot {
    let (from, to) = (spot(street.from), spot(street.to));
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let share = (((x - from[0]) * dx + (y - from[1]) * dy) / (dx * dx + dy * dy).max(1.0)).clamp(0.0, 1.0);
    [from[0] + dx * share, from[1] + dy * share]
}

/// Beginning and end of one side, then end and beginning of the other.
fn corners(street: &StreetLine) -> [Spot; 4] {
    let (from, to) = (spot(street.from), spot(street.to));
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let run = dx.hypot(dy).max(1.0);
    let half = f64::from(street.half_width);
    let aside = [-dy / run * half, dx / run * half];
    let corner = |at: Spot, side: f64| [at[0] + aside[0] * side, at[1] + aside[1] * side];
    [corner(from, 1.0), corner(to, 1.0), corner(to, -1.0), corner(from, -1.0)]
}

fn rounded(at: Spot) -> [i32; 2] {
    at.map(|n| n.round() as i32)
}

/// The pieces of a line that lie on none of the streets.
fn uncovered<'a>(from: Spot, to: Spot, streets: impl Iterator<Item = &'a StreetLine>) -> Vec<[Spot; 2]> {
    let mut pieces = vec![[0.0, 1.0]];
    for street in streets {
        let Some([enters, leaves]) = covered(from, to, street) else { continue };
        let cut = pieces.into_iter().flat_map(|[a, b]: [f64; 2]| [[a, b.min(enters)], [a.max(leaves), b]]);
        pieces = cut.filter(|[a, b]| b > a).collect();
    }
    let at = |share: f64| [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
    pieces.into_iter().map(|piece| piece.map(at)).collect()
}

/// The shares of a line at which it enters and leaves the ground of a street.
fn covered(from: Spot, to: Spot, street: &StreetLine) -> Option<[f64; 2]> {
    let (start, end) = (spot(street.from), spot(street.to));
    let (dx, dy) = (end[0] - start[0], end[1] - start[1]);
    let run = dx.hypot(dy);
    if run < 1.0 {
        return None;
    }
    // Along the street, and across it.
    let local = |[x, y]: Spot| {
        let (x, y) = (x - start[0], y - start[1]);
        [(x * dx + y * dy) / run, (y * dx - x * dy) / run]
    };
    let (from, to) = (local(from), local(to));
    let half = f64::from(street.half_width);
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    for (axis, [low, high]) in [[0.0, run], [-half, half]].into_iter().enumerate() {
        let step = to[axis] - from[axis];
        if step.abs() < 1e-9 {
            if !(low..=high).contains(&from[axis]) {
                return None;
            }
            continue;
        }
        let [a, b] = [low, high].map(|bound| (bound - from[axis]) / step);
        enters = enters.max(a.min(b));
        leaves = leaves.min(a.max(b));
    }
    (leaves > enters).then_some([enters, leaves])
}
