//! Roof planes over a ground plan: one pitch everywhere, so the plan's straight skeleton is the hip roof,
//! and a gable is a hip end stood upright.

use geo_straight_skeleton::Skeleton;
use shingle_domain::evidence::{Point, RoofPlane};

/// Planes that tile the ring; empty when there is no skeleton. The ring is counter-clockwise.
pub(super) fn planes(ring: &[Point], pitch_degrees: f64, gable: bool) -> Vec<RoofPlane> {
    let corners = ring.iter().map(|p| [p.x, p.y]).collect();
    let Ok(skeleton) = Skeleton::build(&[corners]) else { return Vec::new() };
    let at = |v: usize| Point { x: skeleton.vertices[v][0], y: skeleton.vertices[v][1] };
    let count = ring.len();
    let mut rings: Vec<Vec<Point>> =
        skeleton.faces.iter().map(|f| f.vertices.iter().map(|&v| at(v)).collect()).collect();
    if gable {
        let ends: Vec<usize> = (0..count).filter(|&k| is_end(&rings[k])).collect();
        for k in ends {
            let (before, after) = ((k + count - 1) % count, (k + 1) % count);
            // A square has four ends: two of them, face to face, become gables.
            if rings[before].is_empty() || rings[after].is_empty() {
                continue;
            }
            // Faces start with the end of their edge and close with its start: [b, apex, a].
            let (b, a) = (rings[k][0], rings[k][2]);
            let top = Point { x: (a.x + b.x) / 2.0, y: (a.y + b.y) / 2.0 };
            rings[k].clear();
            rings[before].insert(1, top);
            let last = rings[after].len() - 1;
            rings[after].insert(last, top);
        }
    }
    let plane = |(k, ring): (usize, Vec<Point>)| {
        let (a, b) = (at(skeleton.faces[k].edge.0), at(skeleton.faces[k].edge.1));
        // Water runs out over the eave: to the right of a counter-clockwise edge.
        let azimuth = (b.y - a.y).atan2(-(b.x - a.x)).to_degrees().rem_euclid(360.0);
        RoofPlane {
            ring,
            holes: Vec::new(),
            height: None,
            pitch_degrees,
            azimuth_degrees: (azimuth * 10.0).round() / 10.0 % 360.0,
        }
    };
    rings.into_iter().enumerate().filter(|(_, r)| r.len() >= 3).map(plane).collect()
}

/// A triangle with its tip over the middle of the eave: the end of a wing.
fn is_end(face: &[Point]) -> bool {
    let [b, tip, a] = face else { return false };
    let side = |p: &Point| (p.x - tip.x).hypot(p.y - tip.y);
    (side(a) - side(b)).abs() < 1e-6
}
