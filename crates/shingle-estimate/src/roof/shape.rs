//! The shape of a roof: the planes that a source knows, the planes of a model, or the bare outline.

use shingle_domain::evidence::{Point, Polygon, RoofType};
use shingle_domain::roof::DrawingBasis;

use super::geometry::{Frame, SQFT_PER_SQM, cross, edges, point, signed_area, sub};
use super::lines;
use super::pitch::Slope;
use super::plan::{Plan, Plane};
use super::{rectangles, skeleton, squaring};

/// With more corners a modelled roof would be a guess.
const MAX_CORNERS: usize = 12;
/// Smaller planes are not counted, square feet along the slope.
const MIN_FACET_SQFT: f64 = 20.0;
/// Smaller details are dropped from the drawing of an outline that cannot be modelled, meters.
const MAX_DRAWN_NOISE: f64 = 0.3;

#[derive(Debug, Clone)]
pub(crate) struct RoofShape {
    pub basis: DrawingBasis,
    /// What is drawn as eaves: outer rings, each followed by its holes.
    pub rings: Vec<Vec<Point>>,
    pub planes: Vec<Plane>,
    /// Surveyed, or counted by the rectangle rule, never by the edges of a skeleton. `None` when they cannot be
    /// counted.
    pub facets: Option<u32>,
    pub frame: Frame,
    /// `Hip, L-shaped`, as far as known.
    pub words: String,
}

impl RoofShape {
    pub fn of(plan: &Plan, usual: Slope, known_type: Option<RoofType>) -> Self {
        let (frame, squared) = squared(plan);
        let shape = squared.as_deref().map_or("", plan_word);
        if !plan.planes.is_empty() {
            return Self::measured(plan, frame, shape);
        }
        let counted = |each: u32| {
            let parts = squared.clone().unwrap_or_else(|| turned(plan, frame));
            Some(each * rectangles::count(&parts))
        };
        let (model, facets) = match known_type {
            Some(RoofType::Flat) => (flat(plan), Some(plan.parts.len() as u32)),
            Some(RoofType::Shed) => (None, counted(1)),
            Some(RoofType::Gambrel | RoofType::Mansard) => (None, None),
            Some(RoofType::Hip) => (modelled(squared.as_deref(), frame, usual, false), counted(4)),
            Some(RoofType::Gable) | None => (modelled(squared.as_deref(), frame, usual, true), counted(2)),
        };
        let words = words(type_word(known_type), shape);
        match model {
            Some((rings, planes)) => Self { basis: DrawingBasis::Modelled, rings, planes, facets, frame, words },
            None => {
                let rings = drawn_rings(&plan.parts, MAX_DRAWN_NOISE);
                Self { basis: DrawingBasis::Outline, rings, planes: vec![], facets, frame, words }
            }
        }
    }

    /// What a survey knows, or the bare outline: nothing is modelled.
    pub fn known(plan: &Plan, _usual: Slope, known_type: Option<RoofType>) -> Self {
        let (frame, squared) = squared(plan);
        let shape = squared.as_deref().map_or("", plan_word);
        if !plan.planes.is_empty() {
            return Self::measured(plan, frame, shape);
        }
        let rings = drawn_rings(&plan.parts, MAX_DRAWN_NOISE);
        let words = words(type_word(known_type), shape);
        Self { basis: DrawingBasis::Outline, rings, planes: vec![], facets: None, frame, words }
    }

    fn measured(plan: &Plan, frame: Frame, shape: &str) -> Self {
        let planes = plan.planes.clone();
        let large = planes.iter().filter(|p| p.sloped_area() * SQFT_PER_SQM >= MIN_FACET_SQFT).count();
        let triangles = planes.iter().filter(|p| p.ring.len() == 3).count();
        let ridged = lines::between(&planes).iter().any(|l| l.kind == shingle_domain::roof::LineKind::Ridge);
        let flat = planes.iter().all(|p| p.slope.rise() < 1.0 / 12.0);
        let type_word = match (flat, triangles, ridged) {
            (true, ..) => "flat",
            (_, 2.., _) => "hip",
            (_, 0, true) => "gable",
            _ => "",
        };
        Self {
            basis: DrawingBasis::Measured,
            rings: drawn_rings(&plan.parts, 0.1),
            facets: Some(large.max(1) as u32),
            planes,
            frame,
            words: words(type_word, shape),
        }
    }
}

fn turned(plan: &Plan, frame: Frame) -> Vec<Polygon> {
    plan.parts.iter().map(|p| mapped(p, |q| frame.into(q))).collect()
}

/// The main direction of the walls, and the parts squared about it; `None` where one cannot be squared.
fn squared(plan: &Plan) -> (Frame, Option<Vec<Polygon>>) {
    let outer: Vec<&[Point]> = plan.parts.iter().map(|p| p.exterior.as_slice()).collect();
    let frame = Frame::of(&outer);
    let squared = turned(plan, frame).iter().map(squaring::squared).collect();
    (frame, squared)
}

type Model = (Vec<Vec<Point>>, Vec<Plane>);

fn modelled(squared: Option<&[Polygon]>, frame: Frame, slope: Slope, gables: bool) -> Option<Model> {
    let parts = squared?;
    let mut model: Model = (vec![], vec![]);
    for part in parts {
        let corners = part.exterior.len() + part.holes.iter().map(Vec::len).sum::<usize>();
        if corners > MAX_CORNERS {
            return None;
        }
        for (ring, downhill) in skeleton::planes(part, gables)? {
            let ring: Vec<Point> = ring.into_iter().map(|p| frame.back(p)).collect();
            model.1.push(Plane::modelled(ring, slope, frame.back(downhill)));
        }
        model.0.extend(rings(&mapped(part, |p| frame.back(p))));
    }
    Some(model)
}

/// One level plane for each part; none for a courtyard, which a single ring cannot draw.
fn flat(plan: &Plan) -> Option<Model> {
    if plan.parts.iter().any(|p| !p.holes.is_empty()) {
        return None;
    }
    let rings = drawn_rings(&plan.parts, MAX_DRAWN_NOISE);
    let level = |ring: &Vec<Point>| Plane::modelled(ring.clone(), Slope::twelfths(0.0), point(0.0, -1.0));
    Some((rings.clone(), rings.iter().map(level).collect()))
}

fn mapped(polygon: &Polygon, by: impl Fn(Point) -> Point) -> Polygon {
    let ring = |r: &Vec<Point>| r.iter().map(|p| by(*p)).collect();
    Polygon { exterior: ring(&polygon.exterior), holes: polygon.holes.iter().map(ring).collect() }
}

fn rings(polygon: &Polygon) -> impl Iterator<Item = Vec<Point>> {
    core::iter::once(polygon.exterior.clone()).chain(polygon.holes.clone())
}

fn drawn_rings(parts: &[Polygon], tolerance: f64) -> Vec<Vec<Point>> {
    parts.iter().flat_map(rings).map(|ring| squaring::reduced(&ring, tolerance)).collect()
}

fn type_word(known_type: Option<RoofType>) -> &'static str {
    match known_type {
        Some(RoofType::Flat) => "flat",
        Some(RoofType::Shed) => "shed",
        Some(RoofType::Gable) => "gable",
        Some(RoofType::Hip) => "hip",
        Some(RoofType::Gambrel) => "gambrel",
        Some(RoofType::Mansard) => "mansard",
        None => "",
    }
}

/// The shape of the plan from above; empty when no word fits.
fn plan_word(parts: &[Polygon]) -> &'static str {
    let [part] = parts else { return "in parts" };
    if !part.holes.is_empty() {
        return "with a courtyard";
    }
    let ring = &part.exterior;
    if ring.len() == 4 {
        return "rectangular";
    }
    if ring.len() == 6 {
        return "L-shaped";
    }
    if ring.len() != 8 {
        return "";
    }
    let turn_sign = signed_area(ring).signum();
    let sides: Vec<Point> = edges(ring).map(|(a, b)| sub(b, a)).collect();
    let inward: Vec<usize> = (0..8).filter(|i| cross(sides[*i], sides[(i + 1) % 8]) * turn_sign < 0.0).collect();
    let [first, second] = inward[..] else { return "" };
    match (second - first).min(first + 8 - second) {
        1 => "U-shaped",
        3 => "T-shaped",
        4 => "Z-shaped",
        _ => "",
    }
}

fn words(type_word: &str, plan_word: &str) -> String {
    let joined = [type_word, plan_word].into_iter().filter(|w| !w.is_empty()).collect::<Vec<_>>().join(", ");
    let mut letters = joined.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
