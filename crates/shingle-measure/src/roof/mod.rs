//! One roof: from its points to its facets and edges.
//!
//! # Decision
//!
//! Planes are found by seeded RANSAC over few points, as many as tell one roof from another, and each hypothesis is
//! counted by the points that hang together on it: that decides how many there are and where. Then every point goes to
//! the plane it is nearest to, and planes are fitted again from all of their points but those near a ridge: that decides
//! their pitch and area. Turned down: region growing from the flattest place on, which found 1.6 facets too many; RANSAC
//! alone, whose planes lean where noise mixes the points of two facets; a limit of time, with which the same roof would
//! have two answers.

mod cells;
mod changed;
mod cloud;
mod contour;
mod detect;
mod edges;
mod narrow;
mod near;
mod partition;
mod plane;
mod raster;
mod refine;
mod settle;
mod shape;
mod straighten;
mod trace;

use geo::{Area as _, LineString, MultiPolygon, Polygon};

use cloud::{Cloud, thinned};
pub use cloud::{RoofPoint, is_noise};
use detect::{Limits, Local, detect};
pub use edges::{Edge, EdgeKind};
use near::Neighbors;
use partition::partition;
use plane::{Plane, Xyz};
use raster::{Assigned, Raster};
use refine::refine;
use settle::Evidence;
pub use shape::Shape;
pub use trace::trace;

/// Points a square meter that planes are looked for in; more do not find more planes.
const DENSE_ENOUGH: f64 = 6.0;
/// Points that planes are looked for in at most: a bound on the work for a roof of any size.
const MOST_THIN: f64 = 4_000.0;
/// Points a square meter below which the outline answers better, and how many standard deviations chance may take off.
const SPARSEST: f64 = 2.0;
const UNLUCKY: f64 = 3.0;
const FEWEST: usize = 40;
/// Square meters of the smallest facet.
const SMALLEST: f64 = 2.0;
/// A roof of which less than this share was seen is not measured.
const LEAST_SUPPORT: f64 = 0.6;
/// And of which less than this share was seen is said to be partly hidden.
const GOOD_SUPPORT: f64 = 0.85;
/// Share of the points that are on no plane from which on they are trees, and planes among them are chance. Houses with
/// walls and trees beside them have up to 0.3.
const MANY_OFF: f64 = 0.45;

/// Why a roof has no figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unmeasured {
    BadOutline,
    TooLarge,
    NoPoints,
    TooFewPoints,
    TooSparse,
    NoRoof,
    NoPlanes,
    /// The survey shows ground where the outline has a roof.
    PartlyOnGround {
        square_meters: u32,
    },
    UnderTrees,
    PartlyCovered,
}

/// What to know about figures that are given all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alert {
    /// The same planes have so many square meters or more beside the outline: it has grown, or it is a row of houses.
    GoesOn { square_meters: u32 },
    /// Less than most of it was seen.
    PartlyHidden { seen_percent: u32 },
}

impl Alert {
    /// For machines.
    pub fn code(self) -> &'static str {
        match self {
            Self::GoesOn { .. } => "goes on",
            Self::PartlyHidden { .. } => "partly hidden",
        }
    }
}

impl std::fmt::Display for Alert {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::GoesOn { square_meters } => write!(
                f,
                "the roof goes on beyond the outline, at least {square_meters} m²: it has grown, or a neighbor shares it"
            ),
            Self::PartlyHidden { seen_percent } => {
                write!(f, "the survey saw {seen_percent} % of the roof; trees may stand over the rest")
            }
        }
    }
}

impl Unmeasured {
    /// For machines.
    pub fn code(self) -> &'static str {
        match self {
            Self::BadOutline => "bad outline",
            Self::TooLarge => "too large",
            Self::NoPoints => "no points",
            Self::TooFewPoints => "too few points",
            Self::TooSparse => "too sparse",
            Self::NoRoof => "no roof",
            Self::NoPlanes => "no planes",
            Self::PartlyOnGround { .. } => "partly on ground",
            Self::UnderTrees => "under trees",
            Self::PartlyCovered => "partly covered",
        }
    }
}

impl std::fmt::Display for Unmeasured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::BadOutline => "the outline has no area, or lies where the survey's coordinates are not defined",
            Self::TooLarge => "the outline is more than 1,000 m long: no building",
            Self::NoPoints => "the survey has no points inside of the outline",
            Self::TooFewPoints => "the survey has fewer than 40 points inside of the outline",
            Self::TooSparse => "the survey has fewer than 2 points a square meter inside of the outline",
            Self::NoRoof => "the survey shows only ground inside of the outline: the building is newer or gone",
            Self::NoPlanes => "what the survey shows inside of the outline is not made of planes",
            Self::PartlyOnGround { square_meters } => {
                return write!(
                    f,
                    "the survey shows ground on {square_meters} m² of the outline: the roof has changed since, or the \
                     outline is misplaced"
                );
            }
            Self::UnderTrees => "trees stand over the roof: the survey saw too little of it",
            Self::PartlyCovered => "the survey shows only a part of the roof",
        })
    }
}

/// A plane piece of a roof.
#[derive(Debug, Clone, PartialEq)]
pub struct Facet {
    /// Square meters along the slope.
    pub area: f64,
    /// Square meters on the ground.
    pub plan_area: f64,
    pub pitch_degrees: f64,
    /// Where water runs, clockwise from grid north; 0 for a flat facet.
    pub azimuth_degrees: f64,
    /// Share of its area that has returns near it, 0 to 1.
    pub support: f64,
    /// Meters of its plane over the zero of the survey's heights, at the middle of the outline's box.
    pub height: f64,
    /// Meters east and north of the middle of the outline's box.
    pub polygons: MultiPolygon<f64>,
}

/// Rings without their repeated last corner: a border, then its holes.
pub type Rings = Vec<Vec<(f64, f64)>>;

impl Facet {
    /// Meters of its plane, as [`Facet::height`], at a place in meters.
    pub fn z(&self, x: f64, y: f64) -> f64 {
        let (sin, cos) = self.azimuth_degrees.to_radians().sin_cos();
        self.height - self.pitch_degrees.to_radians().tan() * (sin * x + cos * y)
    }

    /// Each piece of its area.
    pub fn pieces(&self) -> Vec<Rings> {
        let ring = |ring: &LineString<f64>| {
            let corners = ring.0.len().saturating_sub(1);
            ring.0.iter().take(corners).map(|c| (c.x, c.y)).collect()
        };
        let piece =
            |polygon: &Polygon<f64>| std::iter::once(polygon.exterior()).chain(polygon.interiors()).map(ring).collect();
        self.polygons.iter().map(piece).collect()
    }
}

/// The figures of a roof. Areas count what the outline counts: overhangs, where it was drawn about the eaves.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    pub area: f64,
    pub plan_area: f64,
    /// Mean of the facets' pitches, weighed by their areas.
    pub pitch_degrees: f64,
    /// The largest first.
    pub facets: Vec<Facet>,
    pub edges: Vec<Edge>,
    /// Points of the roof a square meter.
    pub density: f64,
    /// Share of the outline that has returns near it, 0 to 1.
    pub support: f64,
    /// Meters of the middle of the roof above the ground, where ground was seen.
    pub height: Option<f64>,
    pub alerts: Vec<Alert>,
}

/// Measures one roof. The same points give the same figures in any order.
pub fn measure(shape: &Shape, points: Vec<RoofPoint>) -> Result<Measured, Unmeasured> {
    if shape.is_too_large() {
        return Err(Unmeasured::TooLarge);
    }
    let cloud = Cloud::new(shape, points);
    if cloud.inside == 0 {
        return Err(Unmeasured::NoPoints);
    }
    if cloud.inside < FEWEST {
        return Err(Unmeasured::TooFewPoints);
    }
    let wanted = SPARSEST * shape.area;
    if count(cloud.inside) < wanted - UNLUCKY * wanted.sqrt() {
        return Err(Unmeasured::TooSparse);
    }
    if cloud.points.len() < FEWEST || count(cloud.points.len()) < 0.2 * count(cloud.inside) {
        return Err(Unmeasured::NoRoof);
    }
    let density = count(cloud.points.len()) / shape.area;
    let spacing = (shape.area / count(cloud.inside)).sqrt();
    let on_ground = changed::on_ground(shape, &cloud, spacing);
    if on_ground > 0.0 {
        return Err(Unmeasured::PartlyOnGround { square_meters: whole(on_ground) });
    }
    let Found { planes, mut raster, reach, thin, noise, off } = find(shape, &cloud, density)?;
    let evidence = Evidence { points: &thin, noise };
    let mut partition = partition(shape, &raster, &evidence, &planes).ok_or(Unmeasured::NoPlanes)?;
    // What squares take for a facet may be a splinter between straight lines.
    for _ in 0..planes.len() {
        let sloped = |(label, polygons): (usize, &MultiPolygon<f64>)| polygons.unsigned_area() / planes[label].cos();
        let is_splinter = |area: f64| area > 0.0 && area < 0.9 * SMALLEST;
        let splinters: Vec<bool> = partition.polygons.iter().enumerate().map(|of| is_splinter(sloped(of))).collect();
        let facets = partition.polygons.iter().filter(|p| p.unsigned_area() > 0.0).count();
        if facets < 2 || !splinters.contains(&true) {
            break;
        }
        raster.without(&splinters);
        partition = partition::partition(shape, &raster, &evidence, &planes).ok_or(Unmeasured::NoPlanes)?;
    }
    let areas = raster.areas(planes.len(), reach);
    let mut facets: Vec<(usize, Facet)> = Vec::new();
    for (label, (plane, polygons)) in planes.iter().zip(&partition.polygons).enumerate() {
        let polygons = polygons.clone();
        let plan_area = polygons.unsigned_area();
        let (squares, supported) = areas[label];
        if plan_area > 0.0 && squares > 0.0 {
            let pitch_degrees = plane.pitch_degrees();
            let azimuth_degrees = if pitch_degrees < 0.05 { 0.0 } else { plane.azimuth_degrees() };
            let support = supported / squares;
            let area = plan_area / plane.cos();
            let height = plane.z(0.0, 0.0);
            facets.push((label, Facet { area, plan_area, pitch_degrees, azimuth_degrees, support, height, polygons }));
        }
    }
    facets.sort_by(|a, b| b.1.area.total_cmp(&a.1.area).then(a.0.cmp(&b.0)));
    let mut facet_of = vec![None; planes.len()];
    for (place, (label, _)) in facets.iter().enumerate() {
        facet_of[*label] = Some(place);
    }
    let edges = edges::edges(shape, &planes, &partition, &facet_of);
    let facets: Vec<Facet> = facets.into_iter().map(|(_, facet)| facet).collect();
    let area: f64 = facets.iter().map(|f| f.area).sum();
    let plan_area: f64 = facets.iter().map(|f| f.plan_area).sum();
    if plan_area <= 0.0 {
        return Err(Unmeasured::NoPlanes);
    }
    let support = facets.iter().map(|f| f.support * f.plan_area).sum::<f64>() / plan_area;
    if off > MANY_OFF {
        return Err(Unmeasured::UnderTrees);
    }
    if support < LEAST_SUPPORT {
        return Err(Unmeasured::PartlyCovered);
    }
    if changed::is_all_ground(&cloud, &planes) {
        return Err(Unmeasured::NoRoof);
    }
    let mut alerts = Vec::new();
    let beyond = changed::beyond(shape, &cloud, &planes, &facet_of, spacing);
    if beyond > 0.0 {
        alerts.push(Alert::GoesOn { square_meters: whole(beyond) });
    }
    if support < GOOD_SUPPORT {
        alerts.push(Alert::PartlyHidden { seen_percent: whole(100.0 * support) });
    }
    let pitch_degrees = facets.iter().map(|f| f.area * f.pitch_degrees).sum::<f64>() / area;
    let height = height(&cloud);
    Ok(Measured { area, plan_area, pitch_degrees, facets, edges, density, support, height, alerts })
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float converts within bounds")]
fn whole(value: f64) -> u32 {
    value.round() as u32
}

struct Found {
    planes: Vec<Plane>,
    raster: Raster,
    /// Meters to a return that still counts as near.
    reach: f64,
    /// The points that planes were looked for in, and how many meters they are usually off them.
    thin: Vec<Xyz>,
    noise: f64,
    /// Share of the points that are on no plane.
    off: f64,
}

/// The planes of a roof, and which of them is where.
fn find(shape: &Shape, cloud: &Cloud, density: f64) -> Result<Found, Unmeasured> {
    let all = &cloud.points;
    let wanted = density.min(DENSE_ENOUGH).min(MOST_THIN / shape.area);
    let thin = match density > wanted * 1.2 {
        true => thinned(all, shape, (1.0 / wanted).sqrt()),
        false => all.clone(),
    };
    let thin_density = count(thin.len()) / shape.area;
    let spacing = (1.0 / thin_density).sqrt();
    let neighbors = Neighbors::find(&thin, spacing, 10);
    let local = Local::fit(&thin, &neighbors);
    let limits = Limits { epsilon: epsilon(&local), cos: 0.87, smallest: 8.max(near::floor(1.7 * thin_density)) };
    let mut detected = detect(&thin, &neighbors, &local, limits);
    refine(&thin, &neighbors, &mut detected, limits, (4.0 * spacing).max(2.0));
    if detected.planes.is_empty() {
        return Err(Unmeasured::NoPlanes);
    }
    let assigned = Assigned::new(all, &thin, &detected.labels, &detected.planes, limits.epsilon, spacing);
    let off = count(assigned.labels.iter().filter(|label| **label == detect::NONE).count()) / count(all.len());
    let mut raster = Raster::new(shape, all, &assigned.labels, (1.0 / density).sqrt());
    let planes = assigned.planes;
    let reach = 2.0 * spacing;
    loop {
        let areas = raster.areas(planes.len(), reach);
        let sloped = |i: usize| areas[i].0 / planes[i].cos();
        let small = (0..areas.len()).filter(|i| areas[*i].0 > 0.0 && sloped(*i) < SMALLEST);
        let Some(least) = small.min_by(|a, b| sloped(*a).total_cmp(&sloped(*b))) else { break };
        let mut dropped = vec![false; areas.len()];
        dropped[least] = true;
        raster.without(&dropped);
    }
    Ok(Found { planes, raster, reach, thin, noise: limits.epsilon / 3.0, off })
}

/// Meters off a plane that a return of it may be: three times the noise, within reason.
fn epsilon(local: &Local) -> f64 {
    let mut rough: Vec<f64> = local.roughness.iter().copied().filter(|r| r.is_finite()).collect();
    if rough.is_empty() {
        return 0.15;
    }
    let middle = rough.len() / 2;
    (3.0 * *rough.select_nth_unstable_by(middle, f64::total_cmp).1).clamp(0.15, 0.3)
}

fn height(cloud: &Cloud) -> Option<f64> {
    let ground = cloud.ground?;
    let mut heights: Vec<f64> = cloud.points.iter().map(|p| p[2] - ground.z(p[0], p[1])).collect();
    let middle = heights.len() / 2;
    if heights.is_empty() {
        return None;
    }
    Some(*heights.select_nth_unstable_by(middle, f64::total_cmp).1)
}

#[allow(clippy::cast_precision_loss, reason = "points of a roof are few")]
fn count(points: usize) -> f64 {
    points as f64
}
