//! Ground plans: size, and moving them from one frame into another.

use shingle_domain::evidence::{Building, Point, RoofPlane};
use shingle_domain::geometry::polygon_area;

pub(crate) fn sort_by_size(buildings: &mut [Building]) {
    if buildings.len() < 2 {
        return;
    }
    let size = |b: &Building| b.outline.parts.iter().map(polygon_area).sum::<f64>();
    buildings.sort_by(|a, b| size(b).total_cmp(&size(a)));
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
    shift(&mut building.lot);
    for RoofPlane { ring, holes, .. } in &mut building.outline.planes {
        shift(ring);
        holes.iter_mut().for_each(shift);
    }
}
