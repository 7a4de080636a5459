//! Whether a roof and its outline are of one time: ground where the outline has a roof, and roof beside the outline.

use super::cloud::Cloud;
use super::contour::{Mask, distances};
use super::near::cells;
use super::plane::{Leveled, Plane, Xyz};
use super::shape::{Inside, Shape};

/// Half of the width from which on a piece counts: overhangs and outlines that lie a little aside are thinner.
const HALF_WIDTH: f64 = 0.75;
/// Square meters, and share of the outline.
const LEAST: f64 = 8.0;
const LEAST_SHARE: f64 = 0.06;
/// Meters off a plane.
const ON: f64 = 0.15;
const MOST_CELLS: f64 = 500_000.0;
/// Points about an outline that say what is there.
const FEWEST_ABOUT: usize = 20;

/// Square meters of the outline on which the survey shows ground. 0 if so little comes from an inexact outline.
pub fn on_ground(shape: &Shape, cloud: &Cloud, spacing: f64) -> f64 {
    // A roof cut out of a survey has no ground about it, and its eaves are taken for that.
    if cloud.low.len() < 8 || cloud.outside * 4 < cloud.inside {
        return 0.0;
    }
    let mut mask = mask(shape, 0.0, spacing);
    let (roof, ground) = (to(&mask, &cloud.points), to(&mask, &cloud.low));
    let inside = Inside::of(shape);
    #[allow(clippy::cast_possible_truncation, reason = "a few squares")]
    let reach = (1.5 * spacing / mask.side) as f32;
    for cell in 0..mask.cells.len() {
        let (x, y) = mask.middle(cell);
        mask.cells[cell] = ground[cell] < roof[cell] && ground[cell] <= reach && inside.contains(x, y);
    }
    let area: f64 = pieces(&mask, spacing).sum();
    if area >= LEAST_SHARE * shape.area { area } else { 0.0 }
}

/// Whether what lies inside of the outline goes on all about it, and nothing lies lower: ground, in points that nobody
/// classified.
pub fn is_all_ground(cloud: &Cloud, planes: &[Plane]) -> bool {
    let planes: Vec<Leveled> = planes.iter().map(Leveled::from).collect();
    let on = cloud.around.iter().filter(|p| planes.iter().any(|plane| plane.distance(p).abs() < ON)).count();
    // A roof cut out of a survey has little about it but its own border.
    let is_seen = cloud.around.len() >= FEWEST_ABOUT && 2 * cloud.around.len() >= cloud.inside;
    cloud.ground.is_none() && is_seen && 10 * on > 8 * cloud.around.len()
}

/// Square meters beside the outline that its planes go on over, as far as was looked.
pub fn beyond(shape: &Shape, cloud: &Cloud, planes: &[Plane], facet_of: &[Option<usize>], spacing: f64) -> f64 {
    let planes: Vec<Leveled> =
        planes.iter().zip(facet_of).filter(|(_, facet)| facet.is_some()).map(|(plane, _)| plane.into()).collect();
    let is_on = |p: &&Xyz| planes.iter().any(|plane| plane.distance(p).abs() < ON);
    let on: Vec<Xyz> = cloud.around.iter().filter(is_on).copied().collect();
    if on.len() < 8 {
        return 0.0;
    }
    let mut mask = mask(shape, crate::place::MARGIN, spacing);
    let off: Vec<Xyz> = cloud.around.iter().filter(|p| !is_on(p)).copied().collect();
    let (here, other) = (to(&mask, &on), to(&mask, &off));
    let inside = Inside::of(shape);
    #[allow(clippy::cast_possible_truncation, reason = "a few squares")]
    let reach = (spacing / mask.side) as f32;
    for cell in 0..mask.cells.len() {
        let (x, y) = mask.middle(cell);
        mask.cells[cell] = here[cell] <= reach && here[cell] < other[cell] && !inside.contains(x, y);
    }
    let area = pieces(&mask, spacing).fold(0.0, f64::max);
    if area >= LEAST_SHARE * shape.area { area } else { 0.0 }
}

fn mask(shape: &Shape, margin: f64, spacing: f64) -> Mask {
    let min = shape.min.map(|v| v - margin);
    let (width, depth) = (shape.max[0] - min[0] + margin, shape.max[1] - min[1] + margin);
    let side = (0.5 * spacing).clamp(0.2, 0.5).max((width * depth / MOST_CELLS).sqrt());
    Mask::new(min, side, cells(width, side), cells(depth, side))
}

fn to(mask: &Mask, points: &[Xyz]) -> Vec<f32> {
    let mut is_source = vec![false; mask.cells.len()];
    for p in points {
        if let Some(cell) = mask.cell(p[0], p[1]) {
            is_source[cell] = true;
        }
    }
    distances(&is_source, mask.columns)
}

/// The areas of those that are wide and large enough, and have several points.
fn pieces(mask: &Mask, spacing: f64) -> impl Iterator<Item = f64> + use<'_> {
    let least = LEAST.max(12.0 * spacing * spacing);
    mask.parts(HALF_WIDTH.max(0.8 * spacing)).into_iter().map(|part| part.area()).filter(move |area| *area >= least)
}
