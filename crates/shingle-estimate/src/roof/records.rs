//! A roof modelled from the assessor's table alone.

use shingle_domain::evidence::{Assessor, Fact, Garage, PropertyClass, RoofType};
use shingle_domain::roof::Complexity;

use super::plan::OVERHANG_FEET;

/// Square feet under the eaves, and one relative sigma of the plan alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RecordsPlan {
    pub area_sqft: f64,
    pub sigma: f64,
}

/// The median house is longer around than a square of its area: 6,439 outlines of one US city.
pub(crate) const PERIMETER_RATIO: f64 = 1.135;
/// A roofed porch, on average.
pub(crate) const PORCH: f64 = 1.02;

/// A garage that nobody recorded: between no bay and two.
const UNRECORDED_GARAGE_SQFT: f64 = 250.0;

const SIGMA_GARAGE_AREA: f64 = 0.11;
const SIGMA_GARAGE_CARS: f64 = 0.12;
const SIGMA_GARAGE_UNKNOWN: f64 = 0.20;
const SIGMA_AREA_ONLY: f64 = 0.35;

/// `None` for what has no roof of its own (a condominium, a flat, more than four units), what is no home,
/// and what has no area on record.
pub(crate) fn plan(assessor: &Assessor) -> Option<RecordsPlan> {
    if assessor.units.as_ref().is_some_and(|u| u.value > 4) {
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
    let living = area(&assessor.living_area_sqft).or_else(|| area(&assessor.building_area_sqft));
    let (wall, sigma) = match (ground_floor(assessor), living) {
        (Some(floor), _) => {
            let (garage, sigma) = garage(assessor);
            ((floor + garage) * PORCH, sigma)
        }
        (None, Some(living)) => (529.0 + 0.66 * living, SIGMA_AREA_ONLY),
        (None, None) => return None,
    };
    let e = OVERHANG_FEET;
    let around = PERIMETER_RATIO * 4.0 * wall.sqrt();
    Some(RecordsPlan { area_sqft: wall + e * around + 4.0 * e * e, sigma })
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

/// Square feet of plan beside the house, and the sigma of the whole plan that this knowledge leaves.
pub(crate) fn garage(assessor: &Assessor) -> (f64, f64) {
    match assessor.garage.as_ref().map(|g| g.value) {
        Some(Garage { attached: false, .. }) => (0.0, SIGMA_GARAGE_AREA),
        Some(Garage { area_sqft: Some(area), .. }) if (0.0..=20_000.0).contains(&area) => (area, SIGMA_GARAGE_AREA),
        Some(Garage { cars: Some(cars), .. }) if (0.0..=20.0).contains(&cars) => {
            (if cars > 0.0 { 37.0 + 250.0 * cars } else { 0.0 }, SIGMA_GARAGE_CARS)
        }
        _ => (UNRECORDED_GARAGE_SQFT, SIGMA_GARAGE_UNKNOWN),
    }
}

/// An area that can be one: 100 to 100,000 sq ft.
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
