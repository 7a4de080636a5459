//! Whether a roof is a home's, so that it can be priced from afar.
//!
//! This is the flow's question. The record of the look-up says what is known of a roof, no matter who lives under it.
//!
//! # Decision
//!
//! Whether a roof is a home's is decided by the flow, not the look-up: the API says what is known of any roof. The
//! reasons are an enum with figures a visitor can check. Outline and records contradict each other from a factor of
//! two, or three sigmas of the records model, whichever is larger. Turned down: nulls in the record, which the
//! contract does not have.

use shingle_domain::Evidence;
use shingle_domain::evidence::{MatchLevel, PropertyClass};
use shingle_domain::home_roof::{BuildingSet, NoPrice};

use crate::building_use::BuildingUse;
use crate::no_home::is_no_home;

use super::labels::label;
use super::plan::{MIN_HOME_SQFT, Plan, buildings, use_among};
use super::records;

/// Homes of up to four units are priced.
const MAX_HOMES: u16 = 4;

/// A home of three sections has 2,700; a larger roof is that of a building in the park.
const MAX_MOBILE_HOME_SQFT: f64 = 3_000.0;

/// Outline and records contradict each other from this factor on, either way. The records model missed one home in
/// twenty-five by more than a quarter (Ames, 2,930 homes with a recorded garage), and the other alerts, which only widen
/// the range, begin at 0.6 and 2.2 of the ground floor alone.
const MIN_CONTRADICTION: f64 = 2.0;
/// And from this many of the model's sigmas on: without storeys it knows much less.
const CONTRADICTING_SIGMAS: f64 = 3.0;

/// The reason why the chosen buildings get no price; `None` when they do.
pub fn no_price(evidence: &Evidence, chosen: BuildingSet) -> Option<NoPrice> {
    if let Some(reason) = of_property(evidence) {
        return Some(reason);
    }
    let buildings = buildings(evidence);
    if buildings.is_empty() {
        let plan = records::plan(&evidence.place.assessor).filter(|_| chosen == BuildingSet::FIRST);
        return match plan {
            None => Some(NoPrice::Unknown),
            Some(plan) if plan.area_sqft < MIN_HOME_SQFT => {
                Some(NoPrice::Small { label: "House".to_owned(), ground: whole(plan.area_sqft) })
            }
            Some(_) => None,
        };
    }
    if chosen.indices().any(|index| index >= buildings.len()) {
        return Some(NoPrice::Unknown);
    }
    let reasons: Vec<_> = chosen.indices().map(|index| of_building(evidence, index)).collect();
    // One home is enough: its garage comes with it.
    if reasons.iter().all(Option::is_some) {
        return reasons.into_iter().flatten().next();
    }
    let home = |index: &usize| of_building(evidence, *index).is_none();
    let ground = |index: usize| buildings[index].1.area_sqft;
    let largest = chosen.indices().filter(home).map(ground).fold(0.0, f64::max);
    sizes_differ(evidence, largest, chosen.indices().map(ground).sum())
}

/// The reason why this building alone gets no price: it is no home's. `index` counts as in the roof answer.
pub fn of_building(evidence: &Evidence, index: usize) -> Option<NoPrice> {
    let buildings = buildings(evidence);
    let (_, Plan { area_sqft, .. }) = buildings.get(index)?;
    let (label, ground) = (label(&buildings, index), whole(*area_sqft));
    match use_among(&buildings, index) {
        BuildingUse::Outbuilding => Some(NoPrice::Outbuilding { label, ground }),
        BuildingUse::Apartments => Some(NoPrice::Apartments { homes: None }),
        BuildingUse::NoHome => Some(NoPrice::NoHome { class: PropertyClass::Commercial }),
        BuildingUse::Home | BuildingUse::Unnamed if *area_sqft < MIN_HOME_SQFT => {
            Some(NoPrice::Small { label, ground })
        }
        BuildingUse::Home | BuildingUse::Unnamed => None,
    }
}

/// What the address and its records say, whatever is there.
fn of_property(evidence: &Evidence) -> Option<NoPrice> {
    let assessor = &evidence.place.assessor;
    let class = assessor.property_class.as_ref().map(|c| c.value);
    let homes = assessor.units.as_ref().map(|u| u.value).filter(|n| *n > 1);
    let unit = || evidence.unit().map(|unit| without_word(unit).to_owned());
    if class == Some(PropertyClass::Condominium) {
        return Some(NoPrice::Unit { unit: unit(), homes });
    }
    if homes.is_none() && evidence.matched.level == MatchLevel::Exact && has_roof_of_its_own(evidence) {
        return None;
    }
    let in_a_house_of_one = class == Some(PropertyClass::SingleFamily) && homes.is_none();
    if let Some(unit) = unit().filter(|_| !in_a_house_of_one || evidence.matched.level == MatchLevel::Exact) {
        // Somebody typed a unit for a house that has none on record: it is still that house.
        return Some(NoPrice::Unit { unit: Some(unit), homes });
    }
    if class == Some(PropertyClass::Apartments) || homes.is_some_and(|n| n > MAX_HOMES) {
        return Some(NoPrice::Apartments { homes });
    }
    match class {
        Some(class @ (PropertyClass::VacantLand | PropertyClass::Commercial | PropertyClass::MixedResidential)) => {
            Some(NoPrice::NoHome { class })
        }
        Some(class) if class != PropertyClass::Other => None,
        _ => is_no_home(evidence).then_some(NoPrice::NoHome { class: PropertyClass::Commercial }),
    }
}

/// A mobile home's number is that of its lot: nobody else lives under its roof.
fn has_roof_of_its_own(evidence: &Evidence) -> bool {
    let by_record = evidence.place.assessor.property_class.as_ref().map(|c| c.value) == Some(PropertyClass::MobileHome);
    let buildings = buildings(evidence);
    let named = |at: &usize| {
        let named = buildings[*at].0.use_.as_deref().unwrap_or_default().to_lowercase();
        ["static_caravan", "static caravan", "mobile", "manufactured", "trailer"]
            .iter()
            .any(|word| named.contains(word))
    };
    let homes: Vec<usize> =
        (0..buildings.len()).filter(|at| use_among(&buildings, *at) != BuildingUse::Outbuilding).collect();
    match homes[..] {
        // Several outlines are those of the park.
        [only] => (by_record || named(&only)) && buildings[only].1.area_sqft <= MAX_MOBILE_HOME_SQFT,
        [] => by_record,
        _ => false,
    }
}

/// A unit without the word that only says that it is one: it is said where the unit is shown.
fn without_word(unit: &str) -> &str {
    let unit = unit.trim();
    let (word, id) = unit.split_once(' ').unwrap_or(("", unit));
    let says_unit = ["UNIT", "APT", "APT.", "APARTMENT", "STE", "SUITE", "#", "NO", "NO."];
    let id = if says_unit.iter().any(|says| says.eq_ignore_ascii_case(word)) { id } else { unit };
    Some(id.trim_start_matches('#').trim()).filter(|id| !id.is_empty()).unwrap_or(unit)
}

/// `largest` is the ground under the largest chosen home, `all` that under everything chosen: records may count a garage
/// that stands apart, and never two homes.
fn sizes_differ(evidence: &Evidence, largest: f64, all: f64) -> Option<NoPrice> {
    let recorded = records::plan(&evidence.place.assessor)?;
    let factor = MIN_CONTRADICTION.max(libm::exp(CONTRADICTING_SIGMAS * recorded.sigma));
    let outline = if largest > recorded.area_sqft * factor {
        largest
    } else if all < recorded.area_sqft / factor {
        all
    } else {
        return None;
    };
    Some(NoPrice::SizesDiffer { outline: whole(outline), records: whole(recorded.area_sqft) })
}

fn whole(area: f64) -> u32 {
    area.round() as u32
}
