//! The validated ground plan of a building, and its area under the eaves.

use shingle_domain::Evidence;
use shingle_domain::evidence::{Building, Outline, OutlineKind, Point, Polygon, RoofPlane};
use shingle_domain::home_roof::BuildingSet;

use super::geometry::{
    FEET_PER_METRE, SQFT_PER_SQM, dot, edges, perimeter, point, polygon_area, ring_area, signed_area, sub, valid_ring,
};
use super::pitch::Slope;
use crate::building_use::{BuildingUse, is_of_a_home, use_of};

/// Eaves reach this far beyond the walls unless something better is known (usual: 0.5 to 2 ft).
pub(crate) const OVERHANG_FEET: f64 = 1.0;

/// Smaller is not a building; larger is not a building that is re-roofed at once.
const AREA_SQM: core::ops::RangeInclusive<f64> = 1.0..=500_000.0;

/// One flat piece of a roof.
#[derive(Debug, Clone)]
pub(crate) struct Plane {
    /// Counter-clockwise, meters.
    pub ring: Vec<Point>,
    /// Clockwise.
    pub holes: Vec<Vec<Point>>,
    pub slope: Slope,
    /// The way water runs, a unit vector.
    pub downhill: Point,
    /// Meters over a zero that the planes of a roof share, at a place; `None` where only the slope is known.
    height: Option<(Point, f64)>,
}

impl Plane {
    /// Square meters in plan.
    pub fn plan_area(&self) -> f64 {
        (ring_area(&self.ring) - self.holes.iter().map(|hole| ring_area(hole)).sum::<f64>()).max(0.0)
    }

    /// A plane of a model: how high it stands is not known.
    pub fn modelled(ring: Vec<Point>, slope: Slope, downhill: Point) -> Self {
        Self { ring, holes: Vec::new(), slope, downhill, height: None }
    }

    /// How far this plane stands over another one at a place, in meters, where both heights are known.
    pub fn above(&self, other: &Self, at: Point) -> Option<f64> {
        let z = |plane: &Self| {
            let (from, height) = plane.height?;
            Some(height - plane.slope.rise() * dot(plane.downhill, sub(at, from)))
        };
        Some(z(self)? - z(other)?)
    }

    /// Of its border and its holes: it lies to the left of each.
    pub fn edges(&self) -> impl Iterator<Item = (Point, Point)> {
        std::iter::once(&self.ring).chain(&self.holes).flat_map(|ring| edges(ring))
    }

    pub fn sloped_area(&self) -> f64 {
        self.plan_area() * self.slope.factor()
    }

    fn known(plane: &RoofPlane) -> Option<Self> {
        let slope = Slope::degrees(plane.pitch_degrees)?;
        let azimuth = plane.azimuth_degrees;
        if !azimuth.is_finite() {
            return None;
        }
        let azimuth = (azimuth % 360.0).to_radians();
        let downhill = point(libm::sin(azimuth), libm::cos(azimuth));
        let mut ring = valid_ring(&plane.ring)?;
        if signed_area(&ring) < 0.0 {
            ring.reverse();
        }
        let mut holes: Vec<Vec<Point>> = plane.holes.iter().filter_map(|hole| valid_ring(hole)).collect();
        for hole in holes.iter_mut().filter(|hole| signed_area(hole) > 0.0) {
            hole.reverse();
        }
        let height = plane.ring.first().copied().zip(plane.height.map(f64::from));
        Some(Self { ring, holes, slope, downhill, height })
    }
}

/// An outline that encloses an area: every later step relies on that.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    /// Outer rings counter-clockwise, holes clockwise; largest part first.
    pub parts: Vec<Polygon>,
    /// Where a source knows them.
    pub planes: Vec<Plane>,
    /// The source of the planes, where it is not that of the outline.
    pub surveyed_by: Option<u8>,
    /// Square feet under the roof's edge, the overhang included.
    pub area_sqft: f64,
    pub kind: OutlineKind,
    pub spans_parcels: bool,
}

impl Plan {
    pub fn of(outline: &Outline) -> Option<Self> {
        let mut parts: Vec<Polygon> = outline.parts.iter().filter_map(valid_polygon).collect();
        parts.sort_by(|a, b| polygon_area(b).total_cmp(&polygon_area(a)));
        let drawn: f64 = parts.iter().map(polygon_area).sum();
        if !AREA_SQM.contains(&drawn) {
            return None;
        }
        let mut planes: Vec<Plane> = outline.planes.iter().filter_map(Plane::known).collect();
        if planes.iter().any(|plane| !plane.holes.is_empty()) {
            // What stands in a hole is drawn over the plane around it.
            planes.sort_by(|a, b| ring_area(&b.ring).total_cmp(&ring_area(&a.ring)));
        }
        let overhang = match outline.kind {
            OutlineKind::Eave => 0.0,
            OutlineKind::Wall => parts.iter().map(overhang_sqft).sum(),
        };
        Some(Self {
            parts,
            surveyed_by: outline.survey.filter(|_| !planes.is_empty()).map(|survey| survey.source),
            planes,
            area_sqft: drawn * SQFT_PER_SQM + overhang,
            kind: outline.kind,
            spans_parcels: outline.spans_parcels,
        })
    }

    /// Sloped area over plan area, and the mean pitch in degrees weighted by sloped area.
    pub fn slope(&self, usual: Slope) -> (f64, f64) {
        let plan: f64 = self.planes.iter().map(Plane::plan_area).sum();
        let sloped: f64 = self.planes.iter().map(Plane::sloped_area).sum();
        if plan <= 0.0 {
            return (usual.factor(), usual.in_degrees());
        }
        let pitch: f64 = self.planes.iter().map(|p| p.sloped_area() * p.slope.in_degrees()).sum();
        (sloped / plan, pitch / sloped)
    }
}

/// What eaves add around a wall line: a strip along every wall and a square at every outer corner more
/// than inner ones (four, for walls at right angles). A courtyard's eaves reach inwards.
fn overhang_sqft(part: &Polygon) -> f64 {
    let e = OVERHANG_FEET;
    let outer = e * perimeter(&part.exterior) * FEET_PER_METRE + 4.0 * e * e;
    let inner = |hole: &Vec<Point>| {
        let strip = e * perimeter(hole) * FEET_PER_METRE - 4.0 * e * e;
        strip.clamp(0.0, ring_area(hole) * SQFT_PER_SQM)
    };
    outer + part.holes.iter().map(inner).sum::<f64>()
}

fn valid_polygon(polygon: &Polygon) -> Option<Polygon> {
    let mut exterior = valid_ring(&polygon.exterior)?;
    if signed_area(&exterior) < 0.0 {
        exterior.reverse();
    }
    let mut holes: Vec<Vec<Point>> = polygon.holes.iter().filter_map(|h| valid_ring(h)).collect();
    for hole in &mut holes {
        if signed_area(hole) > 0.0 {
            hole.reverse();
        }
    }
    Some(Polygon { exterior, holes })
}

/// Less ground than this is a shed's or a garage's: one US house in a hundred has a roof below 1,260 sq ft.
pub(crate) const MIN_HOME_SQFT: f64 = 400.0;

/// The buildings a visitor can choose from, in the order of the roof answer: what a source calls a home, then the rest,
/// then garages and sheds; the larger first; at most nine. So a barn is no house
/// because it is the largest. Outlines that enclose nothing are left out.
pub(crate) fn buildings(evidence: &Evidence) -> Vec<(&Building, Plan)> {
    let mut found: Vec<(&Building, Plan)> =
        evidence.place.buildings.iter().filter_map(|b| Some((b, Plan::of(&b.outline)?))).collect();
    let house = largest_house(&found);
    found.sort_by(|(a, plan_a), (b, plan_b)| {
        let ranks = rank(a, plan_a, house).cmp(&rank(b, plan_b, house));
        ranks.then(plan_b.area_sqft.total_cmp(&plan_a.area_sqft))
    });
    found.truncate(BuildingSet::MAX_BUILDINGS);
    found
}

/// The ground of the largest building that its source calls a home, a house and not only residential.
fn largest_house(buildings: &[(&Building, Plan)]) -> f64 {
    let houses = buildings.iter().filter(|(b, _)| use_of(b) == BuildingUse::Home && !is_of_a_home(b));
    houses.map(|(_, plan)| plan.area_sqft).fold(0.0, f64::max)
}

/// What a building is, with what else stands on the lot: one that is only "residential" beside a larger house is its garage or
/// shed.
pub(crate) fn use_among(buildings: &[(&Building, Plan)], index: usize) -> BuildingUse {
    let (building, plan) = &buildings[index];
    use_beside(building, plan, largest_house(buildings))
}

fn use_beside(building: &Building, plan: &Plan, house: f64) -> BuildingUse {
    if is_of_a_home(building) && plan.area_sqft < house { BuildingUse::Outbuilding } else { use_of(building) }
}

fn rank(building: &Building, plan: &Plan, house: f64) -> u8 {
    match use_beside(building, plan, house) {
        // A playhouse may be called a house.
        BuildingUse::Home if plan.area_sqft >= MIN_HOME_SQFT => 0,
        BuildingUse::Home | BuildingUse::Unnamed | BuildingUse::Apartments | BuildingUse::NoHome => 1,
        BuildingUse::Outbuilding => 2,
    }
}
