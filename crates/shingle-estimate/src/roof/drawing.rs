//! The roof in plan, in whole tenths of a foot, as a visitor recognizes it.

use shingle_domain::evidence::{Outline, Point, RoofType};
use shingle_domain::home_roof::BuildingSet;
use shingle_domain::public::RoofFound;
use shingle_domain::roof::{Aspect, Dimension, DrawingBasis, Facet, LineKind, OuterEdges, RoofDrawing, RoofLine, Side};

use super::geometry::{
    FEET_PER_METRE, bounds, cross, distance, dot, edges, label_point, length, point, signed_area, sub,
};
use super::lines::{self, Seam};
use super::pitch::Slope;
use super::plan::{Plan, Plane};
use super::shape::RoofShape;

/// Below 1/12 a plane faces no side.
const MAX_FLAT_RISE: f64 = 1.0 / 12.0;
/// Precision of a label's position, meters.
const LABEL_PRECISION: f64 = 0.3;
/// Shorter runs get no dimension, meters.
const MIN_DIMENSION: f64 = 1.0;

/// Draws an outline with its known planes, or models them at `pitch_degrees` (6/12 when that is not a plausible
/// pitch). `area_sqft`, along the slope, is what the facets add up to. `None` when the outline encloses
/// nothing.
pub fn drawing(
    outline: &Outline,
    pitch_degrees: f64,
    roof_type: Option<RoofType>,
    area_sqft: u32,
) -> Option<RoofDrawing> {
    let plan = Plan::of(outline)?;
    let slope = Slope::degrees(pitch_degrees).unwrap_or(Slope::twelfths(6.0));
    Some(of_shape(&RoofShape::of(&plan, slope, roof_type), area_sqft).0)
}

/// The drawing, and where its north-west corner lies: east and south of the origin of the outlines, feet × 10.
pub(crate) fn of_shape(shape: &RoofShape, area_sqft: u32) -> (RoofDrawing, [i32; 2]) {
    let canvas = Canvas::around(shape);
    let areas = shared_out(&shape.planes, area_sqft);
    let facets = shape.planes.iter().zip(areas).map(|(plane, area)| Facet {
        ring: canvas.ring(&plane.ring),
        area,
        aspect: aspect(plane),
        label: canvas.at(label_point(&plane.ring, LABEL_PRECISION)),
    });
    let lines = lines::between(&shape.planes);
    let lengths = whole_feet(&lines);
    let drawing = RoofDrawing {
        width: canvas.tenths(canvas.high.x - canvas.low.x),
        height: canvas.tenths(canvas.high.y - canvas.low.y),
        rings: shape.rings.iter().map(|ring| canvas.ring(ring)).collect(),
        facets: facets.collect(),
        lines: lines
            .iter()
            .zip(lengths)
            .map(|(l, length)| RoofLine { kind: l.kind, from: canvas.at(l.from), to: canvas.at(l.to), length })
            .collect(),
        dimensions: dimensions(shape, &canvas),
        outer: (shape.basis == DrawingBasis::Measured).then(|| {
            let (eaves, rakes) = lines::outer(&shape.planes);
            let feet = |meters: f64| (meters * FEET_PER_METRE).round() as u32;
            OuterEdges { eaves: feet(eaves), rakes: feet(rakes) }
        }),
        basis: shape.basis,
    };
    (drawing, [canvas.tenths(canvas.low.x), canvas.tenths(-canvas.high.y)])
}

/// Where the north-west corner of that drawing lies, as the buildings' own do.
pub fn chosen_corner(found: &RoofFound, chosen: BuildingSet) -> Option<[i32; 2]> {
    let drawn = chosen.indices().filter_map(|index| found.buildings.get(index)).filter(|of| of.drawing.is_some());
    drawn.map(|of| of.at).reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1])])
}

/// One drawing of the chosen buildings as they stand; `None` where nothing of them is drawn.
///
/// Only the first has lengths: those of a shed's sides would crowd the house's.
pub fn chosen_drawing(found: &RoofFound, chosen: BuildingSet) -> Option<RoofDrawing> {
    let drawn = |index: usize| {
        let building = found.buildings.get(index)?;
        Some((building.at, building.drawing.as_ref()?))
    };
    let each: Vec<([i32; 2], &RoofDrawing)> = chosen.indices().filter_map(drawn).collect();
    let low = chosen_corner(found, chosen)?;
    let mut whole = RoofDrawing { basis: each.first()?.1.basis, ..RoofDrawing::default() };
    for (number, (at, drawing)) in each.into_iter().enumerate() {
        let [dx, dy] = [at[0] - low[0], at[1] - low[1]];
        let moved = |[x, y]: [i32; 2]| [x + dx, y + dy];
        let ring = |ring: &Vec<[i32; 2]>| ring.iter().copied().map(moved).collect();
        whole.width = whole.width.max(dx + drawing.width);
        whole.height = whole.height.max(dy + drawing.height);
        whole.rings.extend(drawing.rings.iter().map(ring));
        let facet = |f: &Facet| Facet { ring: ring(&f.ring), label: moved(f.label), ..f.clone() };
        whole.facets.extend(drawing.facets.iter().map(facet));
        let line = |l: &RoofLine| RoofLine { from: moved(l.from), to: moved(l.to), ..l.clone() };
        whole.lines.extend(drawing.lines.iter().map(line));
        // Of several roofs either all are measured, or no length holds.
        whole.outer = match (number, whole.outer, drawing.outer) {
            (0, _, outer) => outer,
            (_, Some(a), Some(b)) => Some(OuterEdges { eaves: a.eaves + b.eaves, rakes: a.rakes + b.rakes }),
            _ => None,
        };
        if number == 0 {
            let side = |d: &Dimension| Dimension { from: moved(d.from), to: moved(d.to), ..d.clone() };
            whole.dimensions = drawing.dimensions.iter().map(side).collect();
        }
    }
    Some(whole)
}

/// The longest wall along the building and the longest across it, the longer first, feet × 10.
pub(crate) fn longest_sides(shape: &RoofShape) -> Option<[i32; 2]> {
    let turned: Vec<Vec<Point>> =
        shape.rings.iter().map(|ring| ring.iter().map(|p| shape.frame.into(*p)).collect()).collect();
    let (low, high) = bounds(turned.iter().flatten())?;
    let longest = |along: fn(Point) -> (f64, f64), extent: f64| {
        turned
            .iter()
            .flat_map(|ring| edges(ring))
            .map(|(a, b)| along(sub(b, a)))
            .filter(|(with, aside)| with.abs() > 2.0 * aside.abs())
            .map(|(with, aside)| length(point(with, aside)))
            .max_by(f64::total_cmp)
            .unwrap_or(extent)
    };
    let (x, y) = (longest(|d| (d.x, d.y), high.x - low.x), longest(|d| (d.y, d.x), high.y - low.y));
    let tenths = |metres: f64| (metres * FEET_PER_METRE * 10.0).round() as i32;
    Some([tenths(x.max(y)), tenths(x.min(y))])
}

/// The coordinates of the drawing: origin in the north-west corner, y to the south.
struct Canvas {
    low: Point,
    high: Point,
}

impl Canvas {
    fn around(shape: &RoofShape) -> Self {
        let drawn = shape.rings.iter().chain(shape.planes.iter().map(|p| &p.ring)).flatten();
        let (low, high) = bounds(drawn).unwrap_or((point(0.0, 0.0), point(0.0, 0.0)));
        Self { low, high }
    }

    fn tenths(&self, metres: f64) -> i32 {
        (metres * FEET_PER_METRE * 10.0).round() as i32
    }

    fn at(&self, p: Point) -> [i32; 2] {
        [self.tenths(p.x - self.low.x), self.tenths(self.high.y - p.y)]
    }

    fn ring(&self, ring: &[Point]) -> Vec<[i32; 2]> {
        ring.iter().map(|p| self.at(*p)).collect()
    }
}

/// Square feet along the slope of each plane, adding up to `total`.
fn shared_out(planes: &[Plane], total: u32) -> Vec<u32> {
    let areas: Vec<f64> = planes.iter().map(Plane::sloped_area).collect();
    let sum: f64 = areas.iter().sum();
    if sum <= 0.0 {
        return vec![0; planes.len()];
    }
    largest_remainder(&areas.iter().map(|a| a / sum * f64::from(total)).collect::<Vec<_>>(), total)
}

/// Whole feet of each line, adding up to the rounded sum of its kind.
fn whole_feet(lines: &[Seam]) -> Vec<u32> {
    let mut feet = vec![0; lines.len()];
    for kind in [LineKind::Ridge, LineKind::Hip, LineKind::Valley] {
        let places: Vec<usize> = (0..lines.len()).filter(|i| lines[*i].kind == kind).collect();
        let exact: Vec<f64> = places.iter().map(|i| lines[*i].length * FEET_PER_METRE).collect();
        let total = exact.iter().sum::<f64>().round() as u32;
        for (place, length) in places.iter().zip(largest_remainder(&exact, total)) {
            feet[*place] = length;
        }
    }
    feet
}

/// Whole numbers that add up to `total`: each is rounded down, and what is missing goes to the largest
/// remainders.
fn largest_remainder(exact: &[f64], total: u32) -> Vec<u32> {
    let mut whole: Vec<u32> = exact.iter().map(|a| a.floor() as u32).collect();
    let mut order: Vec<usize> = (0..exact.len()).collect();
    order.sort_by(|a, b| exact[*b].fract().total_cmp(&exact[*a].fract()).then(a.cmp(b)));
    let missing = total.saturating_sub(whole.iter().sum());
    for index in order.iter().cycle().take(missing as usize) {
        whole[*index] += 1;
    }
    whole
}

fn aspect(plane: &Plane) -> Aspect {
    let d = plane.downhill;
    if plane.slope.rise() < MAX_FLAT_RISE {
        Aspect::Flat
    } else if d.y.abs() >= d.x.abs() {
        if d.y > 0.0 { Aspect::North } else { Aspect::South }
    } else if d.x > 0.0 {
        Aspect::East
    } else {
        Aspect::West
    }
}

/// The longest wall that faces each side.
fn dimensions(shape: &RoofShape, canvas: &Canvas) -> Vec<Dimension> {
    let outer = shape.rings.iter().filter(|ring| signed_area(ring) > 0.0);
    let mut longest: [Option<(f64, Point, Point)>; 4] = [None; 4];
    for (a, b) in outer.flat_map(|ring| edges(ring)) {
        let (d, run) = (sub(b, a), distance(a, b));
        // Outwards is to the right of a counter-clockwise ring's edge.
        let place = match (d.x.abs() >= d.y.abs(), d.x < 0.0, d.y > 0.0) {
            (true, true, _) => 0,
            (false, _, true) => 1,
            (true, false, _) => 2,
            (false, _, false) => 3,
        };
        let slot = &mut longest[place];
        if run >= MIN_DIMENSION && slot.is_none_or(|(best, ..)| run > best + 1e-9) {
            *slot = Some((run, a, b));
        }
    }
    [Side::North, Side::East, Side::South, Side::West]
        .into_iter()
        .zip(longest)
        .filter_map(|(side, found)| {
            let (run, a, b) = found?;
            // From west to east and from north to south, as one reads.
            let forward = dot(sub(b, a), point(1.0, 0.0)) > 0.0;
            let downward = cross(point(1.0, 0.0), sub(b, a)) < 0.0;
            let keep = if matches!(side, Side::North | Side::South) { forward } else { downward };
            let (from, to) = if keep { (a, b) } else { (b, a) };
            Some(Dimension { side, from: canvas.at(from), to: canvas.at(to), length: canvas.tenths(run) })
        })
        .collect()
}
