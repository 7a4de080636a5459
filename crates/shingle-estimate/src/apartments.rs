//! Whether a house of apartments stands at an address of which no class and no number of homes is recorded: by the words of
//! its type or by what the building map calls its buildings.
//!
//! # Decision
//!
//! A condominium, or a building of five or more homes, has no roof record. Turned down: a share of the building's
//! roof, which nobody pays for alone.

use shingle_domain::Evidence;
use shingle_domain::geometry::polygon_area;

use crate::building_use::{BuildingUse, use_of};
use crate::details::words_of_type;

const APARTMENTS: [&str; 5] = ["APARTMENT", "APARTMENTS", "APT", "APTS", "DORMITORY"];

pub(crate) fn is_of_apartments(evidence: &Evidence) -> bool {
    let assessor = &evidence.place.assessor;
    if assessor.property_class.is_some() || assessor.units.is_some() {
        return false;
    }
    if let Some(kind) = &assessor.property_type
        && words_of_type(&kind.value).iter().any(|word| APARTMENTS.contains(&word.as_str()))
    {
        return true;
    }
    let (mut apartments, mut others) = (0.0, 0.0);
    for building in &evidence.place.buildings {
        let area: f64 = building.outline.parts.iter().map(polygon_area).sum();
        match use_of(building) {
            BuildingUse::Apartments => apartments += area,
            BuildingUse::Outbuilding => {}
            BuildingUse::Home | BuildingUse::Unnamed | BuildingUse::NoHome => others += area,
        }
    }
    apartments > others
}
