//! From the rings of a shape to a clean outline in meters.

use geo::algorithm::bool_ops::FillRule;
use geo::{Area as _, BooleanOps};
use shingle_domain::evidence::{Point, Polygon, Position};
use shingle_domain::geometry::{edges, polygon_area, ring_area, ring_contains, signed_area};
use shingle_domain::messages;
use shingle_property::geometry::LocalPlane;

/// Square meters. Anything smaller is a drawing mistake, anything larger is no building: a shopping mall of 83,000 m²
/// (Chesapeake) has an address and must be found.
const MIN_AREA: f64 = 4.0;
const MAX_AREA: f64 = 500_000.0;
/// Points closer than this are one point.
const SAME_POINT_METRES: f64 = 1e-3;
const MAX_POINTS: usize = 20_000;

messages! {
    /// Why rings are not the outline of a building.
    #[derive(Debug, Clone, PartialEq)]
    pub(crate) enum OutlineProblem {
        TooManyPoints { count: usize, max: usize } => "the outline has {count} {count|point|points}; a building has at most {max}",
        NoPoints => "the outline has no points",
        TooFewPoints => "the outline has fewer than three points that differ",
        CrossesItself => "the outline crosses itself",
        NoArea => "the outline covers no area",
        CoversTwice { area: String, covered: String } =>
            "the outline covers the same area twice: {area} m² drawn, {covered} m² covered",
        TooSmall { area: String, min: f64 } => "the outline covers {area} m²: less than a building ({min} m²)",
        TooLarge { area: String, max: f64 } => "the outline covers {area} m²: more than a building ({max} m²)",
    }
}

/// A clean plan: parts with their holes about `origin`, largest part first.
#[derive(Debug)]
pub(crate) struct CleanOutline {
    pub origin: Position,
    pub parts: Vec<Polygon>,
    /// A ring crossed itself slightly and was repaired.
    pub is_repaired: bool,
}

/// Makes an outline of rings in degrees, in any order and orientation. The error is the reason why that is not possible.
pub(crate) fn clean_outline(rings: &[Vec<(f64, f64)>]) -> Result<CleanOutline, OutlineProblem> {
    let count: usize = rings.iter().map(Vec::len).sum();
    if count > MAX_POINTS {
        return Err(OutlineProblem::TooManyPoints { count, max: MAX_POINTS });
    }
    let unwrapped;
    let rings = match wide(rings) {
        false => rings,
        true => {
            unwrapped = unwrap(rings);
            &unwrapped
        }
    };
    let origin = middle(rings).ok_or(OutlineProblem::NoPoints)?;
    let plane = LocalPlane::at(origin);
    let mut clean = Vec::with_capacity(rings.len());
    for ring in rings {
        let ring: Vec<Point> =
            ring.iter().map(|&(longitude, latitude)| plane.metres(Position { longitude, latitude })).collect();
        if let Some(ring) = tidy(ring) {
            clean.push(ring);
        }
    }
    if clean.is_empty() {
        return Err(OutlineProblem::TooFewPoints);
    }
    let mut is_repaired = false;
    if crosses_itself(&clean) {
        clean = clean.into_iter().map(repaired).collect::<Option<_>>().ok_or(OutlineProblem::CrossesItself)?;
        if crosses_itself(&clean) {
            return Err(OutlineProblem::CrossesItself);
        }
        is_repaired = true;
    }
    clean.retain(|ring| ring_area(ring) > SAME_POINT_METRES);
    if clean.is_empty() {
        return Err(OutlineProblem::NoArea);
    }
    drop_copies(&mut clean);
    let mut parts = nest(clean);
    parts.sort_by(|a, b| polygon_area(b).total_cmp(&polygon_area(a)));
    let area: f64 = parts.iter().map(polygon_area).sum();
    let covered = covered_area(&parts);
    if (area - covered).abs() > OVERLAP_TOLERANCE * area {
        return Err(OutlineProblem::CoversTwice { area: format!("{area:.0}"), covered: format!("{covered:.0}") });
    }
    if area < MIN_AREA {
        return Err(OutlineProblem::TooSmall { area: format!("{area:.1}"), min: MIN_AREA });
    }
    if area > MAX_AREA {
        return Err(OutlineProblem::TooLarge { area: format!("{area:.0}"), max: MAX_AREA });
    }
    let origin = Position { longitude: turned(origin.longitude), ..origin };
    Ok(CleanOutline { origin, parts, is_repaired })
}

/// The ways to read a crossed ring may differ by this share of its area. Beyond it nobody knows what was meant.
const MAX_REPAIR_SHARE: f64 = 0.01;

/// A ring that crosses itself without the crossing, when every way to read it (what is inside an odd number of
/// times, what is inside at all, what the surveyor's formula says) gives the same area.
fn repaired(ring: Vec<Point>) -> Option<Vec<Point>> {
    if !crosses_itself(std::slice::from_ref(&ring)) {
        return Some(ring);
    }
    let line: geo::LineString<f64> = ring.iter().map(|p| (p.x, p.y)).collect();
    let drawn = geo::MultiPolygon::from(geo::Polygon::new(line, Vec::new()));
    let nothing = geo::MultiPolygon::new(Vec::new());
    let odd = drawn.union_with_fill_rule(&nothing, FillRule::EvenOdd);
    let any = drawn.union_with_fill_rule(&nothing, FillRule::NonZero).unsigned_area();
    let largest = odd.0.iter().max_by(|a, b| a.unsigned_area().total_cmp(&b.unsigned_area()))?;
    let repaired: Vec<Point> = largest.exterior().coords().map(|c| Point { x: c.x, y: c.y }).collect();
    let repaired = tidy(repaired)?;
    let kept = ring_area(&repaired);
    let agree = |other: f64| (other - kept).abs() <= MAX_REPAIR_SHARE * kept;
    (agree(odd.unsigned_area()) && agree(any) && agree(ring_area(&ring))).then_some(repaired)
}

/// A ring that was drawn twice counts once.
fn drop_copies(rings: &mut Vec<Vec<Point>>) {
    let mut kept: Vec<Vec<Point>> = Vec::with_capacity(rings.len());
    for ring in rings.drain(..) {
        let has = |other: &Vec<Point>, p: &Point| other.iter().any(|q| distance(*p, *q) <= SAME_POINT_METRES);
        let is_copy = |other: &Vec<Point>| {
            let (a, b) = (ring_area(&ring), ring_area(other));
            (a - b).abs() <= OVERLAP_TOLERANCE * b
                && ring.iter().all(|p| has(other, p))
                && other.iter().all(|p| has(&ring, p))
        };
        if !kept.iter().any(is_copy) {
            kept.push(ring);
        }
    }
    *rings = kept;
}

/// Rings that only touch do not count as crossing and may still overlap: the covered area must equal the drawn area.
const OVERLAP_TOLERANCE: f64 = 1e-3;

fn covered_area(parts: &[Polygon]) -> f64 {
    let line = |ring: &[Point]| ring.iter().map(|p| (p.x, p.y)).collect::<geo::LineString<f64>>();
    let polygon = |p: &Polygon| geo::Polygon::new(line(&p.exterior), p.holes.iter().map(|h| line(h)).collect());
    let drawn: geo::MultiPolygon<f64> = parts.iter().map(polygon).collect();
    drawn.union_with_fill_rule(&geo::MultiPolygon::new(Vec::new()), FillRule::NonZero).unsigned_area()
}

/// Wider than half the Earth: drawn across the 180th meridian, where longitudes change their sign.
fn wide(rings: &[Vec<(f64, f64)>]) -> bool {
    let all = || rings.iter().flatten().map(|p| p.0);
    all().fold(f64::MIN, f64::max) - all().fold(f64::MAX, f64::min) > 180.0
}

fn unwrap(rings: &[Vec<(f64, f64)>]) -> Vec<Vec<(f64, f64)>> {
    let east = |p: &(f64, f64)| (if p.0 < 0.0 { p.0 + 360.0 } else { p.0 }, p.1);
    rings.iter().map(|ring| ring.iter().map(east).collect()).collect()
}

fn turned(longitude: f64) -> f64 {
    if longitude > 180.0 { longitude - 360.0 } else { longitude }
}

/// The middle of the bounding box: stable under any order of points.
fn middle(rings: &[Vec<(f64, f64)>]) -> Option<Position> {
    let mut points = rings.iter().flatten();
    let first = *points.next()?;
    let (lo, hi) =
        points.fold((first, first), |(lo, hi), p| ((p.0.min(lo.0), p.1.min(lo.1)), (p.0.max(hi.0), p.1.max(hi.1))));
    Some(Position { longitude: (lo.0 + hi.0) / 2.0, latitude: (lo.1 + hi.1) / 2.0 })
}

/// Without the closing point, repeated points and spikes; `None` when no area is left.
fn tidy(ring: Vec<Point>) -> Option<Vec<Point>> {
    let mut out: Vec<Point> = Vec::with_capacity(ring.len());
    for p in ring {
        if out.last().is_none_or(|l| distance(*l, p) > SAME_POINT_METRES) {
            out.push(p);
        }
        // There and back along one line: drop the tip and the way back.
        while let [.., a, tip, b] = out[..]
            && is_spike(a, tip, b)
        {
            out.truncate(out.len() - 2);
            if distance(a, b) <= SAME_POINT_METRES {
                break;
            }
            out.push(b);
        }
    }
    while out.len() > 1 && out.first().zip(out.last()).is_some_and(|(a, b)| distance(*a, *b) <= SAME_POINT_METRES) {
        out.pop();
    }
    (out.len() >= 3).then_some(out)
}

fn is_spike(a: Point, tip: Point, b: Point) -> bool {
    let (u, v) = ((tip.x - a.x, tip.y - a.y), (b.x - tip.x, b.y - tip.y));
    let cross = u.0 * v.1 - u.1 * v.0;
    let dot = u.0 * v.0 + u.1 * v.1;
    dot < 0.0 && cross.abs() <= SAME_POINT_METRES * u.0.hypot(u.1).max(v.0.hypot(v.1))
}

pub(crate) fn distance(a: Point, b: Point) -> f64 {
    (a.x - b.x).hypot(a.y - b.y)
}

/// Whether any two sides properly cross, within a ring or between rings. Touching is no crossing.
fn crosses_itself(rings: &[Vec<Point>]) -> bool {
    let mut sides: Vec<(Point, Point)> = rings.iter().flat_map(|r| edges(r)).collect();
    let west = |s: &(Point, Point)| s.0.x.min(s.1.x);
    sides.sort_by(|a, b| west(a).total_cmp(&west(b)));
    sides.iter().enumerate().any(|(i, a)| {
        let east = a.0.x.max(a.1.x);
        sides[i + 1..].iter().take_while(|b| west(b) <= east).any(|b| cross(*a, *b))
    })
}

fn cross(a: (Point, Point), b: (Point, Point)) -> bool {
    // Nearer than a millimetre to the line counts as on it: surveyors' corners meet, they do not cross.
    let side = |line: (Point, Point), p: Point| {
        let (dx, dy) = (line.1.x - line.0.x, line.1.y - line.0.y);
        let off = (dx * (p.y - line.0.y) - dy * (p.x - line.0.x)) / dx.hypot(dy);
        if off.abs() <= SAME_POINT_METRES { 0.0 } else { off.signum() }
    };
    side(a, b.0) * side(a, b.1) < 0.0 && side(b, a.0) * side(b, a.1) < 0.0
}

/// Rings within an odd number of others are holes, of the smallest ring around them. Orientation of the
/// input is not trusted: too many writers get it wrong.
fn nest(mut rings: Vec<Vec<Point>>) -> Vec<Polygon> {
    rings.sort_by(|a, b| ring_area(b).total_cmp(&ring_area(a)));
    let mut parts: Vec<(usize, Polygon)> = Vec::new();
    let around: Vec<Vec<usize>> =
        (0..rings.len()).map(|i| (0..i).filter(|&j| lies_within(&rings[i], &rings[j])).collect()).collect();
    for (i, mut ring) in rings.into_iter().enumerate() {
        let is_hole = around[i].len() % 2 == 1;
        if (signed_area(&ring) > 0.0) == is_hole {
            ring.reverse();
        }
        // The last of those around is the smallest, since rings come largest first.
        let owner = around[i].last().and_then(|o| parts.iter_mut().find(|(index, _)| index == o));
        match owner {
            Some((_, part)) if is_hole => part.holes.push(ring),
            _ => parts.push((i, Polygon { exterior: ring, holes: Vec::new() })),
        }
    }
    parts.into_iter().map(|(_, part)| part).collect()
}

/// Rings do not cross when this is asked, so one corner that is not on the border decides.
fn lies_within(inner: &[Point], outer: &[Point]) -> bool {
    let middles = edges(inner).map(|(a, b)| Point { x: (a.x + b.x) / 2.0, y: (a.y + b.y) / 2.0 });
    inner.iter().copied().chain(middles).find(|p| !on_border(*p, outer)).is_some_and(|p| ring_contains(outer, p))
}

fn on_border(p: Point, ring: &[Point]) -> bool {
    edges(ring).any(|(a, b)| {
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let t = (((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
        distance(p, Point { x: a.x + t * dx, y: a.y + t * dy }) <= SAME_POINT_METRES
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Metres about a place in Ohio, as degrees.
    fn degrees(ring: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let plane = LocalPlane::at(Position { longitude: -82.5, latitude: 40.25 });
        ring.iter().map(|&p| plane.position(p.into())).map(|p| (p.longitude, p.latitude)).collect()
    }

    fn square(x: f64, y: f64, side: f64) -> Vec<(f64, f64)> {
        degrees(&[(x, y), (x + side, y), (x + side, y + side), (x, y + side), (x, y)])
    }

    fn area_of(plan: &CleanOutline) -> f64 {
        plan.parts.iter().map(polygon_area).sum()
    }

    #[test]
    fn a_closed_ring_loses_its_last_point_and_turns_counter_clockwise() {
        let mut ring = square(0.0, 0.0, 10.0);
        ring.reverse();
        let plan = clean_outline(&[ring]).unwrap();
        assert_eq!(plan.parts[0].exterior.len(), 4);
        assert!((signed_area(&plan.parts[0].exterior) - 100.0).abs() < 1e-3);
    }

    #[test]
    fn repeated_points_and_spikes_go() {
        let ring = degrees(&[(0., 0.), (0., 0.), (10., 0.), (10., 10.), (10., 25.), (10., 10.), (0., 10.), (0., 0.)]);
        let plan = clean_outline(&[ring]).unwrap();
        assert_eq!(plan.parts[0].exterior.len(), 4);
        assert!((area_of(&plan) - 100.0).abs() < 1e-3);
    }

    #[test]
    fn holes_go_to_the_part_around_them_whatever_their_direction() {
        let rings = [square(100.0, 0.0, 10.0), square(3.0, 3.0, 4.0), square(0.0, 0.0, 20.0), square(102.0, 2.0, 3.0)];
        let plan = clean_outline(&rings).unwrap();
        assert_eq!(plan.parts.len(), 2);
        assert_eq!((plan.parts[0].holes.len(), plan.parts[1].holes.len()), (1, 1));
        assert!((area_of(&plan) - (400.0 - 16.0 + 100.0 - 9.0)).abs() < 0.01);
        assert!(signed_area(&plan.parts[0].exterior) > 0.0 && signed_area(&plan.parts[0].holes[0]) < 0.0);
    }

    #[test]
    fn a_building_in_a_courtyard_is_a_part_of_its_own() {
        let plan = clean_outline(&[square(0., 0., 30.), square(5., 5., 20.), square(10., 10., 5.)]).unwrap();
        assert_eq!(plan.parts.len(), 2);
        assert!((area_of(&plan) - (900.0 - 400.0 + 25.0)).abs() < 0.01);
    }

    #[test]
    fn a_ring_that_crosses_itself_by_a_hair_is_repaired_and_told() {
        // The last corner overshoots the first side by two centimetres.
        let ring = degrees(&[(0., 0.), (20., 0.), (20., 10.), (0.01, 10.), (0.01, -0.02), (0., -0.02)]);
        let plan = clean_outline(&[ring]).unwrap();
        assert!(plan.is_repaired);
        assert!((area_of(&plan) / 200.0 - 1.0).abs() < 1e-3, "{}", area_of(&plan));
    }

    #[test]
    fn ground_that_is_drawn_twice_is_never_counted_twice() {
        let copy: Vec<(f64, f64)> = square(0., 0., 10.).into_iter().rev().collect();
        let once = clean_outline(&[square(0., 0., 10.), copy, square(0., 0., 10.)]).unwrap();
        assert!((area_of(&once) - 100.0).abs() < 1e-3 && once.parts.len() == 1);
        let around_twice = [square(0., 0., 10.), square(0., 0., 10.)].concat();
        for rings in
            [vec![around_twice], vec![square(0., 0., 10.), degrees(&[(5., 0.), (15., 0.), (15., 10.), (5., 10.)])]]
        {
            let reason = clean_outline(&rings).unwrap_err().to_string();
            assert!(reason.contains("the same area twice"), "{reason}");
        }
    }

    #[test]
    fn a_building_on_the_180th_meridian_is_one_building() {
        let plane = LocalPlane::at(Position { longitude: 180.0, latitude: 52.0 });
        let half = plane.position(Point { x: 5.0, y: 0.0 }).longitude - 180.0;
        let ring = |w: f64, e: f64| vec![(w, 52.0), (e, 52.0), (e, 52.0001), (w, 52.0001)];
        let across = clean_outline(&[ring(180.0 - half, -180.0 + half)]).unwrap();
        let cut = clean_outline(&[ring(180.0 - half, 180.0), ring(-180.0, -180.0 + half)]).unwrap();
        for plan in [across, cut] {
            assert!((plan.origin.longitude.abs() - 180.0).abs() < 1e-9, "{:?}", plan.origin);
            assert!((area_of(&plan) / (10.0 * 11.127) - 1.0).abs() < 1e-3, "{}", area_of(&plan));
        }
    }

    #[test]
    fn what_is_no_building_is_refused_with_its_reason() {
        let bow = degrees(&[(0., 0.), (10., 10.), (10., 0.), (0., 10.)]);
        for (rings, says) in [
            (vec![bow], "crosses itself"),
            (vec![square(0., 0., 1.5)], "less than a building"),
            (vec![square(0., 0., 800.)], "more than a building"),
            (vec![degrees(&[(0., 0.), (5., 0.), (0., 0.)])], "fewer than three points"),
            (vec![square(0., 0., 10.), square(5., 5., 10.)], "crosses itself"),
            (vec![], "no points"),
        ] {
            let reason = clean_outline(&rings).unwrap_err().to_string();
            assert!(reason.contains(says), "{reason}");
        }
    }
}
