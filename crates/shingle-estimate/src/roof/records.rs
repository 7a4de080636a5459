//! A roof modelled from the assessor's record alone.

use shingle_domain::evidence::{Assessor, Fact, Garage, PropertyClass, RoofType};
use shingle_domain::roof::Complexity;

use super::plan::OVERHANG_FEET;

/// Square feet under the eaves, and one relative sigma of the plan alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RecordsPlan {
    pub area_sqft: f64,
    pub sigma: f64,
}

/// Perimeter of the median house over that of a square of the same area: 6,439 outlines of one US city.
pub(crate) const PERIMETER_RATIO: f64 = 1.135;
/// A roofed porch, on average.
pub(crate) const PORCH: f64 = 1.02;

/// An unrecorded garage: between none and one for two cars.
const UNRECORDED_GARAGE_SQFT: f64 = 250.0;

const SIGMA_GARAGE_AREA: f64 = 0.11;
const SIGMA_GARAGE_CARS: f64 = 0.12;
const SIGMA_GARAGE_UNKNOWN: f64 = 0.20;
const SIGMA_AREA_ONLY: f64 = 0.35;

/// A condominium, a flat, a home in a house of more than four: the roof is not its own, and the outline on the parcel
/// is that of the whole building.
pub(crate) fn shares_its_roof(assessor: &Assessor) -> bool {
    let class = assessor.property_class.as_ref().map(|c| c.value);
    matches!(class, Some(PropertyClass::Condominium | PropertyClass::Apartments))
        || assessor.units.as_ref().is_some_and(|u| u.value > 4)
}

/// `None` for a property without a roof of its own, without a home, or without a recorded area.
pub(crate) fn plan(assessor: &Assessor) -> Option<RecordsPlan> {
    if shares_its_roof(assessor) {
        return None;
    }
    match assessor.property_class.as_ref().map(|c| c.value) {
        None | Some(PropertyClass::SingleFamily | PropertyClass::TwoToFourUnits | PropertyClass::MobileHome) => {}
        Some(
            PropertyClass::Condominium
            | PropertyClass::Apartments
            | PropertyClass::MixedResidential
            | PropertyClass::VacantLand
            | PropertyClass::Commercial
            | PropertyClass::Other,
        ) => return None,
    }
    let parts = parts(assessor)?;
    Some(RecordsPlan { area_sqft: parts.walls() + parts.eaves, sigma: parts.sigma })
}

/// The parts of the plan, square feet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PlanParts {
    pub floor: f64,
    pub floor_because: &'static str,
    /// `None` when the estimated floor includes it already.
    pub garage: Option<(f64, &'static str)>,
    pub porch: f64,
    pub eaves: f64,
    sigma: f64,
}

impl PlanParts {
    fn walls(&self) -> f64 {
        self.floor + self.garage.map_or(0.0, |(sqft, _)| sqft) + self.porch
    }
}

/// `None` without any area on record.
pub(crate) fn parts(assessor: &Assessor) -> Option<PlanParts> {
    let living = area(&assessor.living_area_sqft).or_else(|| area(&assessor.building_area_sqft));
    let mut parts = match (ground_floor(assessor), living) {
        (Some(floor), _) => {
            let floor_because = match area(&assessor.ground_floor_sqft) {
                Some(_) => "ground floor on record",
                None => "recorded area over effective storeys",
            };
            let GaragePlan { sqft, sigma, because } = garage(assessor);
            let porch = (floor + sqft) * (PORCH - 1.0);
            PlanParts { floor, floor_because, garage: Some((sqft, because)), porch, eaves: 0.0, sigma }
        }
        (None, Some(living)) => {
            let floor_because = "529 + 0.66 of the recorded area, for storeys and garage are not known";
            PlanParts {
                floor: 529.0 + 0.66 * living,
                floor_because,
                garage: None,
                porch: 0.0,
                eaves: 0.0,
                sigma: SIGMA_AREA_ONLY,
            }
        }
        (None, None) => return None,
    };
    let e = OVERHANG_FEET;
    parts.eaves = e * PERIMETER_RATIO * 4.0 * parts.walls().sqrt() + 4.0 * e * e;
    Some(parts)
}

/// Recorded, or the living area spread over the storeys.
pub(crate) fn ground_floor(assessor: &Assessor) -> Option<f64> {
    area(&assessor.ground_floor_sqft).or_else(|| {
        let living = area(&assessor.living_area_sqft).or_else(|| area(&assessor.building_area_sqft))?;
        Some(living / effective_storeys(assessor)?)
    })
}

/// By how much the living area exceeds the ground floor: the upper floors are smaller than the lowest.
pub(crate) fn effective_storeys(assessor: &Assessor) -> Option<f64> {
    let split = assessor.style.as_ref().is_some_and(|style| {
        let style = style.value.to_lowercase();
        style.contains("split") || style.contains("bi-level")
    });
    if split {
        return Some(1.0);
    }
    let storeys = assessor.storeys.as_ref()?.value;
    if !(0.5..=20.0).contains(&storeys) {
        return None;
    }
    Some(match storeys {
        s if s <= 1.0 => 1.0,
        1.5 => 1.55,
        2.0 => 1.88,
        2.5 => 2.35,
        s => 0.94 * s,
    })
}

/// The garage under the same roof.
pub(crate) struct GaragePlan {
    pub sqft: f64,
    /// Of the whole plan, as far as this is known.
    sigma: f64,
    because: &'static str,
}

pub(crate) fn garage(assessor: &Assessor) -> GaragePlan {
    let of = |sqft, sigma, because| GaragePlan { sqft, sigma, because };
    match assessor.garage.as_ref().map(|g| g.value) {
        Some(Garage { attached: false, .. }) => of(0.0, SIGMA_GARAGE_AREA, "no garage under this roof"),
        Some(Garage { area_sqft: Some(area), .. }) if (0.0..=20_000.0).contains(&area) => {
            of(area, SIGMA_GARAGE_AREA, "attached garage on record")
        }
        Some(Garage { cars: Some(cars), .. }) if (0.0..=20.0).contains(&cars) => {
            let sqft = if cars > 0.0 { 37.0 + 250.0 * cars } else { 0.0 };
            of(sqft, SIGMA_GARAGE_CARS, "attached garage, 37 and 250 for each car")
        }
        _ => of(UNRECORDED_GARAGE_SQFT, SIGMA_GARAGE_UNKNOWN, "a garage nobody recorded: between none and two cars"),
    }
}

/// A plausible area: 100 to 100,000 sq ft.
fn area(fact: &Option<Fact<f64>>) -> Option<f64> {
    fact.as_ref().map(|f| f.value).filter(|a| (100.0..=100_000.0).contains(a))
}

/// By the roof's type; a large roof is one step up. Unknown stays unknown.
pub(crate) fn complexity(roof_type: Option<RoofType>, roof_sqft: f64) -> Option<Complexity> {
    const LARGE_SQFT: f64 = 3_500.0;
    let by_type = match roof_type? {
        RoofType::Flat | RoofType::Shed | RoofType::Gable => Complexity::Simple,
        RoofType::Hip | RoofType::Gambrel | RoofType::Mansard => Complexity::Average,
    };
    Some(match (by_type, roof_sqft > LARGE_SQFT) {
        (by_type, false) => by_type,
        (Complexity::Simple, true) => Complexity::Average,
        (_, true) => Complexity::Complex,
    })
}
