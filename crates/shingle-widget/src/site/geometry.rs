//! Points, boxes and rings of a drawing.

use shingle_domain::roof::RoofDrawing;

use crate::plan::{Label, label};

pub(super) type Spot = [f64; 2];

/// Small rooms along the eaves.
pub(super) fn edge_rooms(drawing: &RoofDrawing, at: [i32; 2], size: f64) -> Vec<[f64; 4]> {
    let mut rooms = Vec::new();
    for ring in &drawing.rings {
        for (from, to) in ring.iter().zip(ring.iter().cycle().skip(1)) {
            let ([x, y], [u, v]) = (spot(*from), spot(*to));
            let steps = ((u - x).hypot(v - y) / size).ceil().max(1.0) as i32;
            rooms.extend((0..steps).map(|n| {
                let share = f64::from(n) / f64::from(steps);
                let middle = [x + (u - x) * share + f64::from(at[0]), y + (v - y) * share + f64::from(at[1])];
                [middle[0] - size / 2.0, middle[1] - size / 2.0, size, size]
            }));
        }
    }
    rooms
}

/// The middle of the longest level line inside a ring, of seven.
pub(super) fn inner_point(ring: &[[i32; 2]]) -> Option<[i32; 2]> {
    let spots = level_spots(ring);
    let longest = spots.iter().map(|(run, _)| *run).fold(0.0, f64::max);
    // Of those that are nearly as long, the one nearest to the middle.
    spots.into_iter().find(|(run, _)| *run > longest * 0.95).map(|(_, at)| at)
}

/// Length and middle of the level lines inside a ring at each eighth of its height, from the middle outwards.
pub(super) fn level_spots(ring: &[[i32; 2]]) -> Vec<(f64, [i32; 2])> {
    let (Some(low), Some(high)) = (ring.iter().map(|p| p[1]).min(), ring.iter().map(|p| p[1]).max()) else {
        return Vec::new();
    };
    let mut spots = Vec::new();
    for n in [4, 5, 3, 6, 2, 7, 1] {
        let y = f64::from(low) + f64::from(high - low) * f64::from(n) / 8.0 + 0.01;
        let mut cuts: Vec<f64> = Vec::new();
        for (a, b) in ring.iter().zip(ring.iter().cycle().skip(1)) {
            let (a, b) = (spot(*a), spot(*b));
            if (a[1] > y) != (b[1] > y) {
                cuts.push(a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]));
            }
        }
        cuts.sort_by(f64::total_cmp);
        let lines = cuts.chunks_exact(2).map(|pair| (pair[1] - pair[0], (pair[0] + pair[1]) / 2.0));
        let longest = lines.max_by(|a, b| a.0.total_cmp(&b.0));
        spots.extend(longest.map(|(run, x)| (run, [x.round() as i32, y.round() as i32])));
    }
    spots
}

pub(super) fn spot([x, y]: [i32; 2]) -> Spot {
    [f64::from(x), f64::from(y)]
}

/// A point on the roof: on its largest plane, or where most of the largest ring is about it.
pub(super) fn middle(drawing: &RoofDrawing, at: [i32; 2]) -> Label {
    let largest = drawing.facets.iter().max_by_key(|facet| facet.area).map(|facet| facet.label);
    let [x, y] = largest.unwrap_or_else(|| {
        let ring = drawing.rings.first().map_or(&[][..], Vec::as_slice);
        inner_point(ring).unwrap_or([drawing.width / 2, drawing.height / 2])
    });
    label(x + at[0], y + at[1], String::new())
}

/// Where a pin may point to, the best place first; never empty.
pub(super) fn tips(drawing: &RoofDrawing, at: [i32; 2]) -> Vec<Label> {
    let best = middle(drawing, at);
    let ring = drawing.rings.first().map_or(&[][..], Vec::as_slice);
    let lower = level_spots(ring).into_iter().map(|(_, [x, y])| label(x + at[0], y + at[1], String::new()));
    core::iter::once(best).chain(lower).collect()
}

/// Whether a box touches none of others.
pub(super) fn apart([x, y, wide, high]: [f64; 4], taken: &[[f64; 4]]) -> bool {
    taken.iter().all(|[left, top, w, h]| x + wide < *left || left + w < x || y + high < *top || top + h < y)
}
