//! Whether no home stands at an address of which no class is recorded: by the words of its type, or by what its
//! buildings are called.

use shingle_domain::Evidence;

use crate::details::words_of_type;
use crate::roof::{BuildingUse, use_of};

const NO_HOMES: [&str; 24] = [
    "COMMERCIAL",
    "COMM",
    "INDUSTRIAL",
    "INDUSTRY",
    "RETAIL",
    "SCHOOL",
    "CHURCH",
    "WORSHIP",
    "OFFICE",
    "OFFICES",
    "WAREHOUSE",
    "FACTORY",
    "HOSPITAL",
    "CLINIC",
    "HOTEL",
    "MOTEL",
    "BANK",
    "STORE",
    "STORES",
    "SHOP",
    "RESTAURANT",
    "GOVERNMENT",
    "MUNICIPAL",
    "EXEMPT",
];
const HOMES: [&str; 14] = [
    "RESIDENTIAL",
    "RESIDENCE",
    "RES",
    "FAMILY",
    "FAM",
    "DWELLING",
    "DWELLINGS",
    "HOME",
    "HOUSE",
    "HOUSING",
    "APARTMENT",
    "APARTMENTS",
    "CONDO",
    "CONDOMINIUM",
];

/// A recorded class says it itself, and where somebody's living area is recorded there is a home beside the shop.
pub(crate) fn is_no_home(evidence: &Evidence) -> bool {
    let assessor = &evidence.place.assessor;
    if assessor.property_class.is_some() || assessor.living_area_sqft.as_ref().is_some_and(|area| area.value > 0.0) {
        return false;
    }
    let words = assessor.property_type.as_ref().map(|kind| words_of_type(&kind.value)).unwrap_or_default();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    if has(&HOMES) {
        return false;
    }
    let mut uses = evidence.place.buildings.iter().map(use_of).filter(|kind| *kind != BuildingUse::Outbuilding);
    let drawn = uses.next().is_some_and(|first| first == BuildingUse::NoHome && uses.all(|kind| kind == first));
    has(&NO_HOMES) || drawn
}
