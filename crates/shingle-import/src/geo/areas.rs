//! Polygons that answer "which one is this position in?": parcels of a county, ZIP areas of a state.
//!
//! A polygon is stored as offsets between its points, in ten-millionths of a degree (11 mm): two to three bytes per
//! coordinate. A packed Hilbert tree holds the bounding boxes (20 bytes each).

use std::collections::HashMap;

use geo::{Area as _, BooleanOps};
use geo_index::rtree::sort::HilbertSort;
use geo_index::rtree::{RTree, RTreeBuilder, RTreeIndex};
use shingle_domain::evidence::{Point, Polygon, Position};

use crate::geo::misplaced::{Misplaced, check_position};
use shingle_domain::geometry::{edges, ring_area, ring_contains, signed_area};
use shingle_domain::messages;
use shingle_property::geometry::LocalPlane;

const STEPS_PER_DEGREE: f64 = 1e7;
/// The river of a county or the coast of a ZIP has tens of thousands.
const MAX_POINTS: usize = 2_000_000;
/// Square meters. Anything smaller is a drawing mistake.
const MIN_AREA: f64 = 0.5;

type Rings = Vec<Vec<(f64, f64)>>;

#[derive(Default)]
pub(crate) struct AreasBuilder {
    boxes: Vec<[f32; 4]>,
    shapes: Shapes,
    /// Equal polygons are kept once: condominiums have one for every unit.
    known: HashMap<u64, u32>,
}

#[derive(Default)]
struct Shapes {
    bytes: Vec<u8>,
    /// Where each ends.
    ends: Vec<u64>,
    /// Square meters.
    sizes: Vec<f32>,
}

messages! {
    /// Why a polygon of a layer is of no use.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum AreaProblem {
        TooManyPoints { points: usize, max: usize } => "it has {points} {points|point|points}; at most {max} are read",
        Misplaced { reason: Misplaced } => "{reason}",
        NoPoints => "it has no points",
        AcrossMeridian => "it reaches across the 180th meridian; draw it in two",
        NoArea => "it covers no area",
        TooManyPolygons => "there are too many polygons",
    }
}

pub(crate) struct Areas {
    tree: RTree<f32>,
    shapes: Shapes,
}

impl AreasBuilder {
    /// Takes a polygon with its holes and parts, in degrees, and gives its number: an older one when it is
    /// the same polygon again. What is inside an odd number of rings is inside, so winding does not matter.
    pub fn push(&mut self, rings: &Rings) -> Result<u32, AreaProblem> {
        let points: usize = rings.iter().map(Vec::len).sum();
        if points > MAX_POINTS {
            return Err(AreaProblem::TooManyPoints { points, max: MAX_POINTS });
        }
        for &(lon, lat) in rings.iter().flatten() {
            check_position(lon, lat).map_err(|reason| AreaProblem::Misplaced { reason })?;
        }
        let bounds = bounds(rings).ok_or(AreaProblem::NoPoints)?;
        if bounds[2] - bounds[0] > 180.0 {
            return Err(AreaProblem::AcrossMeridian);
        }
        let (bytes, size) = encode(rings);
        if size < MIN_AREA {
            return Err(AreaProblem::NoArea);
        }
        let hash = blake3::hash(&bytes);
        let short = u64::from_le_bytes(hash.as_bytes()[..8].try_into().unwrap_or_default());
        if let Some(known) = self.known.get(&short) {
            return Ok(*known);
        }
        let number = u32::try_from(self.boxes.len()).map_err(|_| AreaProblem::TooManyPolygons)?;
        // Rounded outwards: the tree may name too many, never too few.
        let [west, south, east, north] = bounds;
        self.boxes.push([down(west), down(south), up(east), up(north)]);
        self.shapes.bytes.extend(bytes);
        self.shapes.ends.push(self.shapes.bytes.len() as u64);
        self.shapes.sizes.push(size as f32);
        self.known.insert(short, number);
        Ok(number)
    }

    /// Square meters.
    pub fn size(&self, number: u32) -> f32 {
        self.shapes.sizes.get(number as usize).copied().unwrap_or_default()
    }

    pub fn finish(self) -> Areas {
        let Self { boxes, mut shapes, known } = self;
        drop(known);
        let mut builder = RTreeBuilder::<f32>::new(boxes.len() as u32);
        for [west, south, east, north] in &boxes {
            builder.add(*west, *south, *east, *north);
        }
        shapes.bytes.shrink_to_fit();
        shapes.ends.shrink_to_fit();
        shapes.sizes.shrink_to_fit();
        Areas { tree: builder.finish::<HilbertSort>(), shapes }
    }
}

impl Areas {
    /// The polygon that a position lies in; the smallest of several: a building's own lot before the common land.
    pub fn at(&self, place: Position) -> Option<u32> {
        let Position { longitude: x, latitude: y } = place;
        let found = self.tree.search(down(x), down(y), up(x), up(y));
        let within = found.into_iter().filter(|n| self.shapes.contains(*n, x, y));
        within.min_by(|a, b| self.size(*a).total_cmp(&self.size(*b)).then(a.cmp(b)))
    }

    /// Square meters.
    pub fn size(&self, number: u32) -> f32 {
        self.shapes.sizes.get(number as usize).copied().unwrap_or_default()
    }

    /// A position inside: the centroid, else the middle of the widest part half way up.
    pub fn inside(&self, number: u32) -> Option<Position> {
        let rings = self.shapes.rings(number);
        let [west, south, _, north] = bounds(&rings)?;
        let (mut x, mut y, mut twice) = (0.0, 0.0, 0.0);
        let sign = |ring: &[(f64, f64)], depth: usize| {
            if (signed_area(ring) > 0.0) == (depth.is_multiple_of(2)) { 1.0 } else { -1.0 }
        };
        for (i, ring) in rings.iter().enumerate() {
            let depth = rings
                .iter()
                .enumerate()
                .filter(|(j, r)| *j != i && ring.first().is_some_and(|p| ring_contains(r, (*p).into())));
            let sign = sign(ring, depth.count());
            for (a, b) in edges(ring) {
                let cross = ((a.x - west) * (b.y - south) - (b.x - west) * (a.y - south)) * sign;
                x += (a.x + b.x - 2.0 * west) * cross;
                y += (a.y + b.y - 2.0 * south) * cross;
                twice += cross;
            }
        }
        let middle = (west + x / (3.0 * twice), south + y / (3.0 * twice));
        if middle.0.is_finite() && self.shapes.contains(number, middle.0, middle.1) {
            return Some(Position { longitude: middle.0, latitude: middle.1 });
        }
        // A little off half way, so that the line meets no corner.
        let y = south + (north - south) * 0.500_013;
        let mut crossings: Vec<f64> = rings
            .iter()
            .flat_map(|r| edges(r))
            .filter(|(a, b)| (a.y > y) != (b.y > y))
            .map(|(a, b)| (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x)
            .collect();
        crossings.sort_by(f64::total_cmp);
        let stretches = crossings.chunks_exact(2).map(|c| (c[1] - c[0], (c[0] + c[1]) / 2.0));
        let widest = stretches.max_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(Position { longitude: widest.1, latitude: y })
    }

    /// Polygons whose box meets the box of a plan about `origin`.
    pub fn near(&self, plan: &[Polygon], origin: Position) -> Vec<u32> {
        let plane = LocalPlane::at(origin);
        let corners = plan.iter().flat_map(|p| &p.exterior).map(|p| plane.position(*p));
        let ring: Vec<(f64, f64)> = corners.map(|p| (p.longitude, p.latitude)).collect();
        let Some([west, south, east, north]) = bounds(std::slice::from_ref(&ring)) else { return Vec::new() };
        self.tree.search(down(west), down(south), up(east), up(north))
    }

    /// Polygons whose border is so near to a place, each with its distance in meters.
    pub fn within(&self, place: Position, metres: f64) -> Vec<(u32, f64)> {
        let plane = LocalPlane::at(place);
        let (least, most) =
            (plane.position(Point { x: -metres, y: -metres }), plane.position(Point { x: metres, y: metres }));
        let found =
            self.tree.search(down(least.longitude), down(least.latitude), up(most.longitude), up(most.latitude));
        let distance = |number: u32| {
            let rings = self.shapes.rings(number).into_iter().map(|ring| {
                let ring = ring.into_iter().map(|(longitude, latitude)| plane.metres(Position { longitude, latitude }));
                ring.collect::<Vec<Point>>()
            });
            let from_ring = |ring: Vec<Point>| edges(&ring).map(|(a, b)| from_edge(a, b)).fold(f64::MAX, f64::min);
            rings.map(from_ring).fold(f64::MAX, f64::min)
        };
        found.into_iter().map(|number| (number, distance(number))).filter(|(_, d)| *d <= metres).collect()
    }

    /// The share of a plan that lies in a polygon, 0 to 1.
    pub fn share(&self, number: u32, plan: &[Polygon], origin: Position) -> f64 {
        let plane = LocalPlane::at(origin);
        let line = |ring: &[Point]| ring.iter().map(|p| (p.x, p.y)).collect::<geo::LineString<f64>>();
        let plan: geo::MultiPolygon<f64> = plan
            .iter()
            .map(|p| geo::Polygon::new(line(&p.exterior), p.holes.iter().map(|h| line(h)).collect()))
            .collect();
        let parcel: geo::MultiPolygon<f64> = self
            .shapes
            .rings(number)
            .iter()
            .map(|ring| {
                let metres = ring.iter().map(|&(longitude, latitude)| plane.metres(Position { longitude, latitude }));
                geo::Polygon::new(metres.map(|p| (p.x, p.y)).collect(), Vec::new())
            })
            .collect();
        let whole = plan.unsigned_area();
        if whole <= 0.0 { 0.0 } else { plan.intersection(&parcel).unsigned_area() / whole }
    }

    /// The largest ring of a polygon, open, in meters about `origin`.
    pub fn exterior(&self, number: u32, origin: Position) -> Vec<Point> {
        let plane = LocalPlane::at(origin);
        let rings = self.shapes.rings(number).into_iter().map(|mut ring| {
            if ring.first() == ring.last() {
                ring.pop();
            }
            ring.into_iter().map(|(longitude, latitude)| plane.metres(Position { longitude, latitude }))
        });
        let rings = rings.map(Iterator::collect::<Vec<Point>>);
        rings.max_by(|a, b| ring_area(a).total_cmp(&ring_area(b))).unwrap_or_default()
    }

    pub fn len(&self) -> usize {
        self.shapes.ends.len()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.tree.metadata().data_buffer_length() + self.shapes.bytes.len() + self.len() * 12
    }
}

impl Shapes {
    fn rings(&self, number: u32) -> Rings {
        let at = number as usize;
        let from = at.checked_sub(1).and_then(|i| self.ends.get(i)).copied().unwrap_or(0) as usize;
        let to = self.ends.get(at).copied().unwrap_or(0) as usize;
        decode(self.bytes.get(from..to).unwrap_or_default())
    }

    fn contains(&self, number: u32, x: f64, y: f64) -> bool {
        self.rings(number).iter().fold(false, |inside, ring| inside ^ ring_contains(ring, Point { x, y }))
    }
}

fn bounds(rings: &[Vec<(f64, f64)>]) -> Option<[f64; 4]> {
    let mut points = rings.iter().flatten();
    let first = points.next()?;
    Some(
        points.fold([first.0, first.1, first.0, first.1], |[w, s, e, n], p| {
            [w.min(p.0), s.min(p.1), e.max(p.0), n.max(p.1)]
        }),
    )
}

/// From the origin to an edge.
fn from_edge(a: Point, b: Point) -> f64 {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let length = dx * dx + dy * dy;
    let at = if length > 0.0 { (-(a.x * dx + a.y * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
    (a.x + at * dx).hypot(a.y + at * dy)
}

fn down(v: f64) -> f32 {
    (v as f32).next_down()
}

fn up(v: f64) -> f32 {
    (v as f32).next_up()
}

/// The steps, and the square meters: rings within an odd number of others count as holes.
fn encode(rings: &Rings) -> (Vec<u8>, f64) {
    let mut bytes = Vec::new();
    let mut kept: Vec<Vec<(i64, i64)>> = Vec::new();
    for ring in rings {
        let mut points: Vec<(i64, i64)> = ring
            .iter()
            .map(|p| ((p.0 * STEPS_PER_DEGREE).round() as i64, (p.1 * STEPS_PER_DEGREE).round() as i64))
            .collect();
        points.dedup();
        while points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        if points.len() >= 3 {
            kept.push(points);
        }
    }
    write(&mut bytes, kept.len() as u64);
    for ring in &kept {
        write(&mut bytes, ring.len() as u64);
        let mut at = (0, 0);
        for p in ring {
            write(&mut bytes, zigzag(p.0 - at.0));
            write(&mut bytes, zigzag(p.1 - at.1));
            at = *p;
        }
    }
    let rings = decode(&bytes);
    let Some([west, south, east, north]) = bounds(&rings) else { return (bytes, 0.0) };
    let plane = LocalPlane::at(Position { longitude: (west + east) / 2.0, latitude: (south + north) / 2.0 });
    let size = |ring: &Vec<(f64, f64)>| {
        let metres = |p: &(f64, f64)| plane.metres(Position { longitude: p.0, latitude: p.1 });
        ring_area(&ring.iter().map(metres).collect::<Vec<_>>())
    };
    // Depth by one corner: exact enough to choose between overlapping polygons, and linear for one ring.
    let total = rings.iter().enumerate().map(|(i, ring)| {
        let holds = |r: &Vec<(f64, f64)>| ring.first().is_some_and(|p| ring_contains(r, (*p).into()));
        let depth = rings.iter().enumerate().filter(|(j, r)| *j != i && holds(r)).count();
        if depth.is_multiple_of(2) { size(ring) } else { -size(ring) }
    });
    let total = total.sum();
    (bytes, total)
}

fn decode(bytes: &[u8]) -> Rings {
    let mut rest = bytes;
    let count = read(&mut rest);
    (0..count)
        .map(|_| {
            let points = read(&mut rest);
            let mut at = (0, 0);
            let next = |_| {
                at.0 += unzigzag(read(&mut rest));
                at.1 += unzigzag(read(&mut rest));
                (at.0 as f64 / STEPS_PER_DEGREE, at.1 as f64 / STEPS_PER_DEGREE)
            };
            (0..points).map(next).collect()
        })
        .collect()
}

fn zigzag(v: i64) -> u64 {
    ((v << 1) ^ (v >> 63)) as u64
}

fn unzigzag(v: u64) -> i64 {
    (v >> 1) as i64 ^ -((v & 1) as i64)
}

fn write(into: &mut Vec<u8>, mut v: u64) {
    while v >= 0x80 {
        into.push(v as u8 | 0x80);
        v >>= 7;
    }
    into.push(v as u8);
}

fn read(from: &mut &[u8]) -> u64 {
    let (mut v, mut shift) = (0, 0);
    while let Some((&b, rest)) = from.split_first() {
        *from = rest;
        v |= u64::from(b & 0x7f) << shift;
        if b < 0x80 {
            break;
        }
        shift = (shift + 7) & 63;
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, y: f64, side: f64) -> Vec<(f64, f64)> {
        vec![(x, y), (x + side, y), (x + side, y + side), (x, y + side), (x, y)]
    }

    fn at(areas: &Areas, lon: f64, lat: f64) -> Option<u32> {
        areas.at(Position { longitude: lon, latitude: lat })
    }

    #[test]
    fn a_place_is_found_in_the_smallest_polygon_around_it() {
        let mut builder = AreasBuilder::default();
        for i in 0..40 {
            builder.push(&vec![square(-82.5 + f64::from(i) * 1e-3, 40.25, 1e-3)]).unwrap();
        }
        builder.push(&vec![square(-82.5002, 40.2499, 0.05)]).unwrap();
        let areas = builder.finish();
        assert_eq!(at(&areas, -82.4995, 40.2505), Some(0));
        assert_eq!(at(&areas, -82.4605, 40.2505), Some(39));
        assert_eq!(at(&areas, -82.4605, 40.2605), Some(40));
        assert_eq!(at(&areas, -82.6, 40.2505), None);
    }

    #[test]
    fn one_polygon_and_none_can_be_asked_too() {
        let mut builder = AreasBuilder::default();
        builder.push(&vec![square(-82.5, 40.25, 1e-3)]).unwrap();
        let areas = builder.finish();
        assert_eq!((at(&areas, -82.4995, 40.2505), at(&areas, -82.5995, 40.2505)), (Some(0), None));
        assert_eq!(at(&AreasBuilder::default().finish(), -82.4995, 40.2505), None);
    }

    #[test]
    fn a_hole_is_outside_whatever_its_winding() {
        for turned in [false, true] {
            let mut hole = square(-82.4997, 40.2503, 4e-4);
            if turned {
                hole.reverse();
            }
            let mut builder = AreasBuilder::default();
            builder.push(&vec![square(-82.5, 40.25, 1e-3), hole]).unwrap();
            let areas = builder.finish();
            assert_eq!(at(&areas, -82.4995, 40.2505), None);
            assert_eq!(at(&areas, -82.4999, 40.2501), Some(0));
            let inside = areas.inside(0).unwrap();
            assert_eq!(areas.at(inside), Some(0), "{inside:?}");
            // 1e-3 degrees each way are 85.0 by 111.0 m; the hole takes 16 % of them.
            assert!((f64::from(areas.size(0)) / (85.04 * 111.05 * 0.84) - 1.0).abs() < 2e-3, "{}", areas.size(0));
        }
    }

    #[test]
    fn equal_polygons_are_kept_once() {
        let mut builder = AreasBuilder::default();
        let numbers: Vec<u32> = (0..10_000).map(|_| builder.push(&vec![square(-82.5, 40.25, 1e-3)]).unwrap()).collect();
        assert!(numbers.iter().all(|n| *n == 0));
        assert_eq!(builder.finish().len(), 1);
    }

    #[test]
    fn what_is_no_area_is_refused_with_its_reason() {
        for (rings, says) in [
            (vec![], "no points"),
            (vec![vec![(-82.5, 40.25), (-82.4, 40.25), (-82.5, 40.25)]], "no area"),
            (vec![square(40.25, -82.5, 1e-3)], "swapped"),
            (vec![square(2.0, 48.0, 1e-3)], "outside the United States"),
            (vec![vec![(f64::NAN, 40.25), (-82.4, 40.25), (-82.4, 40.26)]], "outside the United States"),
            (vec![vec![(179.9, 52.0), (-179.9, 52.0), (-179.9, 52.1)]], "180th meridian"),
        ] {
            let reason = AreasBuilder::default().push(&rings).unwrap_err().to_string();
            assert!(reason.contains(says), "{reason}");
        }
    }

    #[test]
    fn the_share_of_a_plan_on_a_parcel_is_measured() {
        let mut builder = AreasBuilder::default();
        builder.push(&vec![square(-82.5, 40.25, 1e-3)]).unwrap();
        let areas = builder.finish();
        // 30 m wide, 10 m of it west of the border.
        let origin = Position { longitude: -82.5, latitude: 40.2505 };
        let ring = [(-10.0, 0.0), (20.0, 0.0), (20.0, 12.0), (-10.0, 12.0)];
        let plan = [Polygon { exterior: ring.iter().map(|&(x, y)| Point { x, y }).collect(), holes: Vec::new() }];
        let share = areas.share(0, &plan, origin);
        assert!((share - 2.0 / 3.0).abs() < 1e-3, "{share}");
        assert_eq!(areas.near(&plan, origin), vec![0]);
    }
}
