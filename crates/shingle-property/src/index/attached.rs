//! Outlines of one home that share a whole side are one house: some maps draw each wing as a building of its own.
//!
//! Only outlines of one address are looked at, so row houses with addresses of their own stay apart. Apart stay also what a
//! known lot line parts, what the source calls by different names, units of a building with several, and what would be
//! larger than a house.
//!
//! # Decision
//!
//! Outlines of one address that share a whole side are one house, unless a lot line, their names or several units
//! separate them. Turned down: joining outlines that are close, which merged row houses.

use shingle_domain::evidence::{Building, Point, Polygon, Survey};
use shingle_domain::geometry::{edges, plain_ring, polygon_area, ring_contains, signed_area};

/// Corners nearer than this are one: sources draw to centimetres.
const SAME_METRES: f64 = 0.06;
/// A shorter side is a corner that touches.
const LEAST_SIDE_METRES: f64 = 2.0;
/// A larger building is no house.
const MOST_SQM: f64 = 800.0;
/// Outlines with more corners are left as they are drawn.
const MOST_CORNERS: usize = 300;

/// Joins what belongs together, until nothing does any more.
pub(super) fn join_attached(buildings: &mut Vec<Building>) {
    while let Some((first, second, polygon)) = attached(buildings) {
        let other = buildings.remove(second);
        let house = &mut buildings[first];
        house.outline.parts = vec![polygon];
        house.outline.planes.extend(other.outline.planes);
        house.outline.survey = sparser(house.outline.survey, other.outline.survey);
        house.use_ = house.use_.take().or(other.use_);
        if house.lot.is_empty() {
            house.lot = other.lot;
        }
    }
}

/// What is said of a roof that was measured in two pieces.
fn sparser(a: Option<Survey>, b: Option<Survey>) -> Option<Survey> {
    let by_density = |a: &Survey, b: &Survey| a.points_per_sqm.total_cmp(&b.points_per_sqm);
    a.into_iter().chain(b).min_by(by_density)
}

fn attached(buildings: &[Building]) -> Option<(usize, usize, Polygon)> {
    buildings.iter().enumerate().find_map(|(first, a)| {
        let others = buildings.iter().enumerate().skip(first + 1);
        others.filter(|(_, b)| may_be_one(a, b)).find_map(|(second, b)| {
            let joined = joined(&a.outline.parts[0], &b.outline.parts[0])?;
            (polygon_area(&joined) <= MOST_SQM).then_some((first, second, joined))
        })
    })
}

fn may_be_one(a: &Building, b: &Building) -> bool {
    let plain = |x: &Building| {
        let outline = &x.outline;
        !outline.spans_parcels && matches!(outline.parts.as_slice(), [only] if only.exterior.len() <= MOST_CORNERS)
    };
    let names = a.use_.as_ref().zip(b.use_.as_ref());
    a.source == b.source
        && a.outline.kind == b.outline.kind
        // A roof is measured as a whole, or not at all.
        && a.outline.planes.is_empty() == b.outline.planes.is_empty()
        && a.outline.survey.map(|s| s.source) == b.outline.survey.map(|s| s.source)
        && names.is_none_or(|(a, b)| a.eq_ignore_ascii_case(b))
        && plain(a)
        && plain(b)
        && on_one_lot(a, b)
}

fn on_one_lot(a: &Building, b: &Building) -> bool {
    let inside = |lot: &[Point], building: &Building| {
        building.outline.parts.iter().flat_map(|p| middle(&p.exterior)).all(|p| ring_contains(lot, p))
    };
    match (a.lot.as_slice(), b.lot.as_slice()) {
        ([], []) => true,
        (lot, []) => inside(lot, b),
        ([], lot) => inside(lot, a),
        (one, other) => one.len() == other.len() && one.iter().zip(other).all(|(p, q)| is_same(*p, *q)),
    }
}

fn middle(ring: &[Point]) -> Option<Point> {
    let count = ring.len().max(1) as f64;
    let sum = ring.iter().fold((0.0, 0.0), |(x, y), p| (x + p.x, y + p.y));
    (!ring.is_empty()).then_some(Point { x: sum.0 / count, y: sum.1 / count })
}

/// Both in one polygon, where a whole side of one lies on a side of the other.
fn joined(a: &Polygon, b: &Polygon) -> Option<Polygon> {
    let (a_ring, b_ring) = (counter_clockwise(&a.exterior), counter_clockwise(&b.exterior));
    let sides = |ring: &[Point]| edges(ring).collect::<Vec<_>>();
    for (i, (p, q)) in sides(&a_ring).into_iter().enumerate() {
        for (j, (r, s)) in sides(&b_ring).into_iter().enumerate() {
            let whole = on_side(p, (r, s)) && on_side(q, (r, s)) || on_side(r, (p, q)) && on_side(s, (p, q));
            let shared = length(p, q).min(length(r, s));
            let opposite = (q.x - p.x) * (s.x - r.x) + (q.y - p.y) * (s.y - r.y) < 0.0;
            if !(whole && opposite) || shared < LEAST_SIDE_METRES {
                continue;
            }
            // From the end of the shared side around the first, then around the second.
            let mut ring: Vec<Point> = a_ring[i + 1..].iter().chain(&a_ring[..=i]).copied().collect();
            ring.extend(b_ring[j + 1..].iter().chain(&b_ring[..=j]));
            let exterior = plain_ring(&without_spikes(ring), 0.02);
            let holes = a.holes.iter().chain(&b.holes).cloned().collect();
            let joined = Polygon { exterior, holes };
            let drawn = polygon_area(a) + polygon_area(b);
            if (polygon_area(&joined) - drawn).abs() < drawn * 0.01 && is_simple(&joined.exterior) {
                return Some(joined);
            }
        }
    }
    None
}

fn counter_clockwise(ring: &[Point]) -> Vec<Point> {
    let mut ring = ring.to_vec();
    if ring.len() > 1 && is_same(ring[0], ring[ring.len() - 1]) {
        ring.pop();
    }
    if signed_area(&ring) < 0.0 {
        ring.reverse();
    }
    ring
}

/// Without equal corners in a row, and without lines that go out and come back.
fn without_spikes(mut ring: Vec<Point>) -> Vec<Point> {
    let mut at = 0;
    let mut clean = 0;
    while clean <= ring.len() && ring.len() > 3 {
        at %= ring.len();
        let (before, after) = (ring[(at + ring.len() - 1) % ring.len()], ring[(at + 1) % ring.len()]);
        let corner = ring[at];
        let out_and_back = on_side(before, (corner, after)) || on_side(after, (corner, before));
        if is_same(corner, after) || is_same(before, after) || out_and_back {
            ring.remove(at);
            at = (at + ring.len() - 1) % ring.len();
            clean = 0;
        } else {
            at += 1;
            clean += 1;
        }
    }
    ring
}

fn is_simple(ring: &[Point]) -> bool {
    let sides: Vec<(Point, Point)> = edges(ring).collect();
    let turn = |a: Point, b: Point, c: Point| (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    let cross = |(a, b): (Point, Point), (c, d): (Point, Point)| {
        turn(a, b, c) * turn(a, b, d) < 0.0 && turn(c, d, a) * turn(c, d, b) < 0.0
    };
    sides.iter().enumerate().all(|(at, side)| sides[at + 1..].iter().all(|other| !cross(*side, *other)))
}

fn length(a: Point, b: Point) -> f64 {
    (a.x - b.x).hypot(a.y - b.y)
}

fn is_same(a: Point, b: Point) -> bool {
    length(a, b) < SAME_METRES
}

/// Whether a point lies on a side, its ends included.
fn on_side(p: Point, (a, b): (Point, Point)) -> bool {
    let all = length(a, b);
    if all < SAME_METRES {
        return is_same(p, a);
    }
    let along = ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / all;
    let beside = ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)) / all;
    beside.abs() < SAME_METRES && (-SAME_METRES..=all + SAME_METRES).contains(&along)
}

#[cfg(test)]
mod tests {
    use shingle_domain::evidence::{Outline, OutlineKind, RoofPlane};

    use super::*;

    fn ring(corners: &[(f64, f64)]) -> Vec<Point> {
        corners.iter().map(|(x, y)| Point { x: *x, y: *y }).collect()
    }

    fn drawn(corners: &[(f64, f64)]) -> Building {
        let outline = Outline {
            kind: OutlineKind::Eave,
            parts: vec![Polygon { exterior: ring(corners), holes: Vec::new() }],
            planes: Vec::new(),
            survey: None,
            spans_parcels: false,
        };
        Building { outline, use_: None, lot: Vec::new(), source: 0 }
    }

    fn block(west: f64, south: f64, east: f64, north: f64) -> Building {
        drawn(&[(west, south), (east, south), (east, north), (west, north)])
    }

    fn areas(mut buildings: Vec<Building>) -> Vec<f64> {
        join_attached(&mut buildings);
        buildings.iter().map(|b| polygon_area(&b.outline.parts[0]).round()).collect()
    }

    #[test]
    fn wings_that_share_a_whole_side_are_one_house() {
        let (house, wing) = (block(0.0, 0.0, 10.0, 8.0), block(10.0, 0.0, 15.0, 8.0));
        assert_eq!(areas(vec![house.clone(), wing.clone()]), [120.0]);
        // The wing's side is a part of the house's, and the other way round; drawn clockwise, too.
        let small = block(10.0, 2.0, 14.0, 6.0);
        assert_eq!(areas(vec![house.clone(), small.clone()]), [96.0]);
        assert_eq!(areas(vec![small.clone(), house.clone()]), [96.0]);
        let clockwise = drawn(&[(10.0, 2.0), (10.0, 6.0), (14.0, 6.0), (14.0, 2.0)]);
        assert_eq!(areas(vec![house.clone(), clockwise]), [96.0]);
        // Three in a row, and around a corner.
        assert_eq!(areas(vec![block(15.0, 0.0, 20.0, 8.0), house.clone(), wing]), [160.0]);
        let angle = drawn(&[(10.0, 0.0), (14.0, 0.0), (14.0, 12.0), (0.0, 12.0), (0.0, 8.0), (10.0, 8.0)]);
        let mut both = vec![house, angle];
        join_attached(&mut both);
        assert_eq!(both.len(), 1);
        assert_eq!(both[0].outline.parts[0].exterior.len(), 4, "the seam is gone");
    }

    #[test]
    fn wings_that_were_measured_bring_their_planes() {
        let measured = |mut building: Building, points_per_sqm: f32| {
            let ring = building.outline.parts[0].exterior.clone();
            building.outline.planes =
                vec![RoofPlane { ring, holes: Vec::new(), height: None, pitch_degrees: 20.0, azimuth_degrees: 90.0 }];
            building.outline.survey = Some(Survey { source: 1, points_per_sqm });
            building
        };
        let (house, wing) = (block(0.0, 0.0, 10.0, 8.0), block(10.0, 0.0, 15.0, 8.0));
        let mut both = vec![measured(house.clone(), 9.0), measured(wing.clone(), 4.0)];
        join_attached(&mut both);
        assert_eq!(both.len(), 1);
        assert_eq!(both[0].outline.planes.len(), 2);
        assert_eq!(both[0].outline.survey, Some(Survey { source: 1, points_per_sqm: 4.0 }));
        // A wing that could not be measured would be taken for as steep as the house.
        let mut one = vec![measured(house, 9.0), wing];
        join_attached(&mut one);
        assert_eq!(one.len(), 2);
    }

    #[test]
    fn what_only_touches_stays_apart() {
        let house = block(0.0, 0.0, 10.0, 8.0);
        // Apart, at a corner, along a part of both sides, within, too short a side.
        for other in [
            block(10.5, 0.0, 15.0, 8.0),
            block(10.0, 8.0, 15.0, 12.0),
            block(10.0, 4.0, 15.0, 12.0),
            block(2.0, 0.0, 6.0, 4.0),
            block(10.0, 0.0, 15.0, 1.5),
        ] {
            assert_eq!(areas(vec![house.clone(), other]).len(), 2);
        }
        assert_eq!(
            areas(vec![block(0.0, 0.0, 30.0, 20.0), block(30.0, 0.0, 50.0, 20.0)]).len(),
            2,
            "no house is so large"
        );
    }

    #[test]
    fn a_lot_line_or_another_name_keeps_outlines_apart() {
        let (house, wing) = (block(0.0, 0.0, 10.0, 8.0), block(10.0, 0.0, 15.0, 8.0));
        let lot = |west: f64, east: f64| ring(&[(west, -5.0), (east, -5.0), (east, 15.0), (west, 15.0)]);
        let with = |first: Vec<Point>, second: Vec<Point>| {
            let (mut house, mut wing) = (house.clone(), wing.clone());
            (house.lot, wing.lot) = (first, second);
            areas(vec![house, wing]).len()
        };
        assert_eq!(with(lot(-5.0, 10.0), lot(10.0, 20.0)), 2, "a line runs between them");
        assert_eq!(with(lot(-5.0, 10.0), Vec::new()), 2, "the other lies beyond the line");
        assert_eq!(with(lot(-5.0, 20.0), Vec::new()), 1);
        assert_eq!(with(lot(-5.0, 20.0), lot(-5.0, 20.0)), 1);
        let mut across = wing.clone();
        across.outline.spans_parcels = true;
        assert_eq!(areas(vec![house.clone(), across]).len(), 2);
        let named = |name: &str, building: &Building| Building { use_: Some(name.to_owned()), ..building.clone() };
        assert_eq!(areas(vec![named("house", &house), named("garage", &wing)]).len(), 2);
        assert_eq!(areas(vec![named("house", &house), named("House", &wing)]).len(), 1);
        assert_eq!(areas(vec![house, named("house", &wing)]).len(), 1);
    }
}
