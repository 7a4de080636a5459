//! The edges of a roof: what a roofer buys metal and caps for.

use geo::{Coord, LineString, MultiPolygon, Simplify as _};

use super::partition::Partition;
use super::plane::Plane;
use super::shape::{Inside, Shape};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    /// Two slopes fall away from a level line.
    Ridge,
    /// Two slopes fall away from a line that falls itself.
    Hip,
    /// Two slopes fall toward the line.
    Valley,
    /// The pitch changes: both fall to the same side.
    Break,
    /// One facet ends above the other: there is a wall between them.
    Step,
    /// Where water leaves the roof, and every edge of a flat roof.
    Eave,
    /// An outer edge along the fall.
    Rake,
    /// The upper outer edge of a slope.
    High,
}

impl EdgeKind {
    /// For machines.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ridge => "ridge",
            Self::Hip => "hip",
            Self::Valley => "valley",
            Self::Break => "break",
            Self::Step => "step",
            Self::Eave => "eave",
            Self::Rake => "rake",
            Self::High => "high",
        }
    }
}

/// Meters about the origin of the roof; `z` as the survey has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    pub kind: EdgeKind,
    pub from: [f64; 3],
    pub to: [f64; 3],
    /// Meters along the roof, on the ground for a step.
    pub length: f64,
    /// Facets beside it, by their place in the list of facets.
    pub facets: (usize, Option<usize>),
}

/// Facets whose heights differ by more than this do not meet.
const STEP: f64 = 0.3;
/// And those that differ by less do.
const MEETS: f64 = 0.1;
/// A border farther than this from the line in which two planes meet is another line.
const ASIDE: f64 = 0.4;
const LEVEL_DEGREES: f64 = 5.0;
const FLAT_DEGREES: f64 = 2.0;
const SHORTEST: f64 = 0.25;

/// `facet_of` gives the place in the list of facets of each label.
pub fn edges(shape: &Shape, planes: &[Plane], partition: &Partition, facet_of: &[Option<usize>]) -> Vec<Edge> {
    let inside = Inside::of(shape);
    let mut edges = Vec::new();
    for border in &partition.borders {
        let (Some(Some(left)), Some(Some(right))) =
            (facet_of.get(border.left as usize), facet_of.get(border.right as usize))
        else {
            continue;
        };
        let both = [planes[border.left as usize], planes[border.right as usize]];
        for (from, to) in clipped(shape, &inside, border.from, border.to) {
            if (to.0 - from.0).hypot(to.1 - from.1) >= SHORTEST {
                edges.push(inner(both, from, to, (*left, *right)));
            }
        }
    }
    outer(shape, planes, partition, facet_of, &mut edges);
    edges
}

/// The parts of a line that are inside of the outline.
fn clipped(shape: &Shape, inside: &Inside, from: (f64, f64), to: (f64, f64)) -> Vec<((f64, f64), (f64, f64))> {
    let d = (to.0 - from.0, to.1 - from.1);
    let mut cuts = vec![0.0, 1.0];
    for (a, b) in shape.edges() {
        let e = (b.0 - a.0, b.1 - a.1);
        let det = d.0 * e.1 - d.1 * e.0;
        if det.abs() > 1e-12 {
            let f = (a.0 - from.0, a.1 - from.1);
            let (t, u) = ((f.0 * e.1 - f.1 * e.0) / det, (f.0 * d.1 - f.1 * d.0) / det);
            if (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u) {
                cuts.push(t);
            }
        }
    }
    cuts.sort_unstable_by(f64::total_cmp);
    let at = |t: f64| (from.0 + t * d.0, from.1 + t * d.1);
    let parts = cuts.windows(2).filter(|w| w[1] - w[0] > 1e-9).filter(|w| {
        let middle = at(f64::midpoint(w[0], w[1]));
        inside.contains(middle.0, middle.1)
    });
    let mut joined: Vec<(f64, f64)> = Vec::new();
    for part in parts {
        match joined.last_mut().filter(|last| part[0] - last.1 < 1e-9) {
            Some(last) => last.1 = part[1],
            None => joined.push((part[0], part[1])),
        }
    }
    joined.into_iter().map(|(a, b)| (at(a), at(b))).collect()
}

fn inner([left, right]: [Plane; 2], from: (f64, f64), to: (f64, f64), facets: (usize, usize)) -> Edge {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let ground = dx.hypot(dy);
    // To the left of the line.
    let (nx, ny) = (-dy / ground, dx / ground);
    let middle = (f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1));
    let gap = |p: (f64, f64)| (left.z(p.0, p.1) - right.z(p.0, p.1)).abs();
    let z = |p: (f64, f64)| f64::midpoint(left.z(p.0, p.1), right.z(p.0, p.1));
    let rise = (z(to) - z(from)).abs();
    let facets = (facets.0, Some(facets.1));
    // Meters from the line in which the planes meet.
    let bend = (left.a - right.a).hypot(left.b - right.b).max(1e-3);
    let is_off = |p: (f64, f64)| gap(p) > MEETS && gap(p) / bend > ASIDE;
    let is_step = gap(middle) > STEP || f64::midpoint(gap(from), gap(to)) > STEP;
    if is_step || (gap(from).max(gap(to)) > STEP && (is_off(from) || is_off(to))) {
        let at = |p: (f64, f64)| [p.0, p.1, left.z(p.0, p.1).max(right.z(p.0, p.1))];
        return Edge { kind: EdgeKind::Step, from: at(from), to: at(to), length: ground, facets };
    }
    // How steeply each falls away from the line.
    let falls_left = -(left.a * nx + left.b * ny);
    let falls_right = right.a * nx + right.b * ny;
    let level = LEVEL_DEGREES.to_radians().tan() * ground;
    let nearly = 0.035;
    let kind = match (falls_left, falls_right) {
        (l, r) if l > -nearly && r > -nearly && rise <= level => EdgeKind::Ridge,
        (l, r) if l > nearly && r > nearly => EdgeKind::Hip,
        (l, r) if l < nearly && r < nearly => EdgeKind::Valley,
        _ => EdgeKind::Break,
    };
    let at = |p: (f64, f64)| [p.0, p.1, z(p)];
    Edge { kind, from: at(from), to: at(to), length: ground.hypot(rise), facets }
}

/// Which facet is at a place.
struct Places {
    of_label: Vec<Option<Inside>>,
}

impl Places {
    fn of(partition: &Partition) -> Self {
        let inside = |polygons: &MultiPolygon<f64>| Some(Inside::of(&Shape::of(polygons.clone())?));
        Self { of_label: partition.polygons.iter().map(inside).collect() }
    }

    fn label(&self, x: f64, y: f64) -> Option<usize> {
        self.of_label.iter().position(|inside| inside.as_ref().is_some_and(|inside| inside.contains(x, y)))
    }
}

/// Along a plainer outline, since surveyed ones have teeth: each stretch by the facet behind it.
fn outer(shape: &Shape, planes: &[Plane], partition: &Partition, facet_of: &[Option<usize>], edges: &mut Vec<Edge>) {
    let places = Places::of(partition);
    let rings = shape.polygons.iter().flat_map(|p| std::iter::once(p.exterior()).chain(p.interiors()));
    for ring in rings {
        let plain = plain(ring);
        // Behind the teeth.
        let behind = if plain.0.len() == ring.0.len() { 0.08 } else { 0.4 };
        for line in plain.lines() {
            let (dx, dy) = (line.end.x - line.start.x, line.end.y - line.start.y);
            let length = dx.hypot(dy);
            if length < SHORTEST {
                continue;
            }
            let at = |t: f64| Coord { x: line.start.x + t * dx, y: line.start.y + t * dy };
            let normal = (-dy / length * behind, dx / length * behind);
            let label = |t: f64| {
                let p = at(t);
                let sides = [1.0, -1.0].map(|sign| places.label(p.x + sign * normal.0, p.y + sign * normal.1));
                sides[0].or(sides[1])
            };
            for (label, from, to) in runs(length, label) {
                if let Some(Some(facet)) = facet_of.get(label) {
                    edges.push(outer_edge(&planes[label], *facet, at(from), at(to), behind, &places));
                }
            }
        }
    }
}

/// Stretches of a side with one facet behind them, from 0 to 1. Those shorter than half a meter are the slip of the
/// places that were looked at, and go with the stretch before.
fn runs(length: f64, label: impl Fn(f64) -> Option<usize>) -> Vec<(usize, f64, f64)> {
    let steps = super::near::floor(length / 0.1).clamp(1, 2_000);
    #[allow(clippy::cast_precision_loss, reason = "a few steps")]
    let part = |step: usize| step as f64 / steps as f64;
    let mut runs: Vec<(usize, f64, f64)> = Vec::new();
    for step in 0..steps {
        let (from, to) = (part(step), part(step + 1));
        if let Some(label) = label(f64::midpoint(from, to)) {
            match runs.last_mut().filter(|run| run.0 == label) {
                Some(run) => run.2 = to,
                None => runs.push((label, from, to)),
            }
        }
    }
    let mut kept: Vec<(usize, f64, f64)> = Vec::new();
    for run in runs {
        let is_long = (run.2 - run.1) * length >= 0.5;
        match kept.last_mut() {
            Some(last) if last.0 == run.0 || !is_long => last.2 = run.2,
            Some(last) if (last.2 - last.1) * length < 0.5 => *last = (run.0, last.1, run.2),
            _ => kept.push(run),
        }
    }
    kept
}

fn outer_edge(plane: &Plane, facet: usize, from: Coord, to: Coord, behind: f64, places: &Places) -> Edge {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let ground = dx.hypot(dy).max(1e-9);
    let slope = plane.a.hypot(plane.b);
    // The sine between the edge and the fall.
    let across = if slope > 0.0 { (dx * plane.b - dy * plane.a).abs() / (ground * slope) } else { 1.0 };
    let middle = (f64::midpoint(from.x, to.x), f64::midpoint(from.y, to.y));
    let kind = if plane.pitch_degrees() < FLAT_DEGREES {
        EdgeKind::Eave
    } else if across < 0.7 {
        EdgeKind::Rake
    } else {
        // A step down the slope leaves the roof at its eave.
        let down = (-plane.a / slope * behind, -plane.b / slope * behind);
        match places.label(middle.0 + down.0, middle.1 + down.1) {
            None => EdgeKind::Eave,
            Some(_) => EdgeKind::High,
        }
    };
    let at = |p: Coord| [p.x, p.y, plane.z(p.x, p.y)];
    let (from, to) = (at(from), at(to));
    Edge { kind, from, to, length: ground.hypot(to[2] - from[2]), facets: (facet, None) }
}

/// Without teeth: a side that has many short pieces is drawn as one.
fn plain(ring: &LineString<f64>) -> LineString<f64> {
    let plain = ring.simplify(0.35);
    if plain.0.len() >= 4 { plain } else { ring.clone() }
}
