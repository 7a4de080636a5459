//! Ground plans: size, and moving them from one frame into another.

use shingle_domain::evidence::{Building, Point, Polygon, Position, RoofPlane};

pub(crate) fn sort_by_size(buildings: &mut [Building]) {
    if buildings.len() < 2 {
        return;
    }
    let size = |b: &Building| b.outline.parts.iter().map(plan_area).sum::<f64>();
    buildings.sort_by(|a, b| size(b).total_cmp(&size(a)));
}

fn plan_area(polygon: &Polygon) -> f64 {
    ring_area(&polygon.exterior) - polygon.holes.iter().map(|h| ring_area(h)).sum::<f64>()
}

fn ring_area(ring: &[Point]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    (ring.iter().zip(next).map(|(a, b)| a.x * b.y - b.x * a.y).sum::<f64>() / 2.0).abs()
}

/// Metres east and north from one origin to another, on the WGS 84 ellipsoid; good to millimetres within a parcel.
pub(super) fn offset(from: Position, to: Position) -> (f64, f64) {
    const A: f64 = 6_378_137.0;
    const E2: f64 = 0.006_694_379_990_14;
    let middle = ((from.latitude + to.latitude) / 2.0).to_radians();
    let w = (1.0 - E2 * middle.sin().powi(2)).sqrt();
    let (prime_vertical, meridian) = (A / w, A * (1.0 - E2) / w.powi(3));
    (
        (to.longitude - from.longitude).to_radians() * prime_vertical * middle.cos(),
        (to.latitude - from.latitude).to_radians() * meridian,
    )
}

pub(super) fn move_by(building: &mut Building, (dx, dy): (f64, f64)) {
    if (dx, dy) == (0.0, 0.0) {
        return;
    }
    let shift = |ring: &mut Vec<Point>| {
        for p in ring {
            p.x += dx;
            p.y += dy;
        }
    };
    for part in &mut building.outline.parts {
        shift(&mut part.exterior);
        part.holes.iter_mut().for_each(shift);
    }
    building.outline.planes.iter_mut().for_each(|RoofPlane { ring, .. }| shift(ring));
}
