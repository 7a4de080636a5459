//! The floor area of a home from its outline, for houses whose size nobody recorded.

use shingle_domain::Evidence;

use super::plan::{OVERHANG_FEET, buildings};
use super::records::{PERIMETER_RATIO, PORCH, effective_storeys, garage};
use crate::building_use::is_outbuilding;

/// Between one storey and two.
const USUAL_STOREYS: f64 = 1.4;

/// The main home's ground plan and the floors above it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct HomePlan {
    /// Square feet under the eaves.
    pub plan_sqft: f64,
    /// Square feet on all floors: walls only, without porch and garage, times storeys.
    pub floor_sqft: f64,
    pub storeys_recorded: bool,
    /// Not one roof over several parcels.
    pub own_parcel: bool,
}

/// `None` without an outline of a home.
pub(crate) fn home_plan(evidence: &Evidence) -> Option<HomePlan> {
    let buildings = buildings(evidence);
    let (_, plan) = buildings.first().filter(|(building, _)| !is_outbuilding(building))?;
    let assessor = &evidence.place.assessor;
    let storeys = effective_storeys(assessor);
    let ground = walls(plan.area_sqft) / PORCH - garage(assessor).sqft;
    Some(HomePlan {
        plan_sqft: plan.area_sqft,
        floor_sqft: ground.max(0.0) * storeys.unwrap_or(USUAL_STOREYS),
        storeys_recorded: storeys.is_some(),
        own_parcel: !plan.spans_parcels,
    })
}

/// The records model's eaves taken off again: `w + e·r·4·√w + 4e²` is the plan, solved for `w`. A plan from a
/// wall line carries the same eaves, added by the same rule.
fn walls(plan_sqft: f64) -> f64 {
    let e = OVERHANG_FEET;
    let half = e * PERIMETER_RATIO * 2.0;
    let root = (half * half + (plan_sqft - 4.0 * e * e).max(0.0)).sqrt() - half;
    root.max(0.0) * root.max(0.0)
}
