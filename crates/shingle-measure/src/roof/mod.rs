//! One roof: from its points to its facets.

mod cells;
mod cloud;
mod detect;
mod near;
mod partition;
mod plane;
mod raster;
mod refine;
mod shape;

use geo::{Area as _, MultiPolygon};

pub use cloud::RoofPoint;
use cloud::{Cloud, thinned};
use detect::{Limits, Local, detect};
use near::Neighbors;
use partition::partition;
pub use plane::Plane;
use plane::Xyz;
use raster::{Assigned, Raster};
use refine::refine;
pub use shape::Shape;

/// Points a square meter that planes are looked for in; more do not find more planes.
const DENSE_ENOUGH: f64 = 6.0;
/// Points that planes are looked for in at most: a bound on the work for a roof of any size.
const MOST_THIN: f64 = 4_000.0;
const SPARSEST: f64 = 1.2;
const FEWEST: usize = 24;

/// Why a roof has no figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unmeasured {
    BadOutline,
    NoPoints,
    TooFewPoints,
    TooSparse,
    NoRoof,
    PartlyCovered,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Facet {
    pub plane: Plane,
    pub plan_area: f64,
    pub area: f64,
    pub support: f64,
    pub polygons: MultiPolygon<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    pub area: f64,
    pub plan_area: f64,
    pub pitch: f64,
    pub facets: Vec<Facet>,
    pub borders: Vec<cells::Border>,
    pub density: f64,
    pub support: f64,
    /// Meters of the middle of the roof above the ground, where ground was seen.
    pub height: Option<f64>,
}

/// For pictures.
pub struct Trace {
    pub points: Vec<Xyz>,
    pub labels: Vec<u32>,
}

pub fn measure(shape: &Shape, points: Vec<RoofPoint>) -> (Result<Measured, Unmeasured>, Trace) {
    let mut trace = Trace { points: Vec::new(), labels: Vec::new() };
    let result = measure_traced(shape, points, &mut trace);
    (result, trace)
}

#[allow(clippy::cast_precision_loss, reason = "points of a roof are few")]
fn measure_traced(shape: &Shape, points: Vec<RoofPoint>, trace: &mut Trace) -> Result<Measured, Unmeasured> {
    let cloud = Cloud::new(shape, points);
    if cloud.inside == 0 {
        return Err(Unmeasured::NoPoints);
    }
    if cloud.inside < FEWEST {
        return Err(Unmeasured::TooFewPoints);
    }
    if cloud.inside as f64 / shape.area < SPARSEST {
        return Err(Unmeasured::TooSparse);
    }
    let all = &cloud.points;
    if all.len() < FEWEST {
        return Err(Unmeasured::NoRoof);
    }
    let density = all.len() as f64 / shape.area;
    let wanted = density.min(DENSE_ENOUGH).min(MOST_THIN / shape.area);
    let thin = match density > wanted * 1.2 {
        true => thinned(all, shape, (1.0 / wanted).sqrt()),
        false => all.clone(),
    };
    let thin_density = thin.len() as f64 / shape.area;
    let spacing = (1.0 / thin_density).sqrt();
    let neighbors = Neighbors::find(&thin, spacing, 10);
    let local = Local::fit(&thin, &neighbors);
    let limits = Limits { epsilon: 0.15, cos: 0.87, smallest: 8.max(near::floor(1.7 * thin_density)) };
    let mut detected = detect(&thin, &neighbors, &local, limits);
    refine(&thin, &neighbors, &mut detected, limits, (4.0 * spacing).max(2.0));
    if detected.planes.is_empty() {
        return Err(Unmeasured::NoRoof);
    }
    let assigned = Assigned::new(all, &thin, &detected.labels, &detected.planes, limits.epsilon, spacing);
    let mut raster = Raster::new(shape, all, &assigned.labels, (1.0 / density).sqrt());
    let reach = 2.0 * spacing;
    loop {
        let areas = raster.areas(assigned.planes.len(), reach);
        let sloped = |i: usize| areas[i].0 / assigned.planes[i].cos();
        let least = (0..areas.len()).filter(|i| areas[*i].0 > 0.0 && sloped(*i) < 2.0);
        let Some(least) = least.min_by(|a, b| sloped(*a).total_cmp(&sloped(*b))) else { break };
        let mut dropped = vec![false; areas.len()];
        dropped[least] = true;
        raster.without(&dropped);
    }
    let areas = raster.areas(assigned.planes.len(), reach);
    let in_raster: f64 = areas.iter().map(|a| a.0).sum();
    if in_raster <= 0.0 {
        return Err(Unmeasured::NoRoof);
    }
    let partition = partition(shape, &raster, &assigned.planes).ok_or(Unmeasured::NoRoof)?;
    trace.points.clone_from(all);
    trace.labels.clone_from(&assigned.labels);
    let facets: Vec<Facet> = assigned
        .planes
        .iter()
        .zip(&areas)
        .zip(&partition.polygons)
        .map(|((plane, (squares, supported)), polygons)| {
            let plan_area = polygons.unsigned_area();
            Facet {
                plane: *plane,
                plan_area,
                area: plan_area / plane.cos(),
                support: if *squares > 0.0 { supported / squares } else { 0.0 },
                polygons: polygons.clone(),
            }
        })
        .filter(|facet| facet.plan_area > 0.0)
        .collect();
    let area: f64 = facets.iter().map(|f| f.area).sum();
    let pitch = facets.iter().map(|f| f.area * f.plane.pitch_degrees()).sum::<f64>() / area;
    let support = facets.iter().map(|f| f.support * f.plan_area).sum::<f64>() / shape.area;
    let height = cloud.ground.and_then(|ground| {
        let mut heights: Vec<f64> = all.iter().map(|p| p[2] - ground.z(p[0], p[1])).collect();
        let middle = heights.len() / 2;
        Some(*heights.select_nth_unstable_by(middle, f64::total_cmp).1).filter(|h| h.is_finite())
    });
    Ok(Measured { area, plan_area: facets.iter().map(|f| f.plan_area).sum(), pitch, facets, borders: partition.borders, density, support, height })
}
