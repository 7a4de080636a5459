//! Whether no home stands at an address: by its class or, where none is recorded, by the words of its type and by what its
//! buildings are called.
//!
//! # Decision
//!
//! A building that is not a home gets no bill, index or scores: by its class, else the words of its type, else the
//! name of every drawn building. Its roof area is still given. A recorded living area does not make a store a home:
//! some counties write every floor into that column. Turned down: deriving a class from those words, which would be
//! shown as recorded.

use shingle_domain::Evidence;
use shingle_domain::evidence::PropertyClass;
use shingle_domain::geometry::polygon_area;

use crate::building_use::{BuildingUse, use_of};
use crate::details::words_of_type;

const NO_HOMES: [&str; 58] = [
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
    "SCHOOLS",
    "CHURCHES",
    "RELIGIOUS",
    "UNIVERSITY",
    "COLLEGE",
    "MEDICAL",
    "MALL",
    "SHOPPING",
    "SHOPS",
    "WAREHOUSES",
    "THEATER",
    "THEATRE",
    "LIBRARY",
    "MUSEUM",
    "CEMETERY",
    "STATION",
    "HANGAR",
    "HANGARS",
    "AIRPORT",
    "HOTELS",
    "MOTELS",
    "BANKS",
    "RESTAURANTS",
    "SUPERMARKET",
    "GROCERY",
    "DEALERSHIP",
    "PARKING",
    "LABORATORY",
    "MANUFACTURING",
    "MFG",
    "MILL",
    "BOWLING",
    "STADIUM",
    "ARENA",
];
const HOMES: [&str; 32] = [
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
    "CONDOS",
    "APT",
    "APTS",
    "FLAT",
    "FLATS",
    "LIVING",
    "MULTIFAMILY",
    "DUPLEX",
    "TRIPLEX",
    "FOURPLEX",
    "TOWNHOUSE",
    "TOWNHOME",
    "ROWHOUSE",
    "MOBILE",
    "MFD",
    "COTTAGE",
    "BUNGALOW",
    "CABIN",
];

/// What says that no home stands there.
enum Sign {
    /// The words of its type.
    Type(String),
    /// What its buildings are called.
    Buildings,
}

pub(crate) fn is_no_home(evidence: &Evidence) -> bool {
    sign(evidence).is_some()
}

/// A recorded class says it itself (`Other` is every code that a mapping does not name). Whole counties record the floor of a
/// shop as a living area, so that says nothing; a home above it is in the words of its type.
fn sign(evidence: &Evidence) -> Option<Sign> {
    let assessor = &evidence.place.assessor;
    let classed = assessor.property_class.as_ref().is_some_and(|class| class.value != PropertyClass::Other);
    if classed {
        return None;
    }
    if let Some(kind) = &assessor.property_type {
        let words = words_of_type(&kind.value);
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        if has(&HOMES) {
            return None;
        }
        if has(&NO_HOMES) {
            return Some(Sign::Type(kind.value.clone()));
        }
    }
    // Somebody lives there, whatever the building map calls it.
    if assessor.living_area_sqft.as_ref().is_some_and(|area| area.value > 0.0) {
        return None;
    }
    // A church may have its parson's house beside it: what is larger counts.
    let (mut homes, mut no_homes) = (0.0, 0.0);
    for building in &evidence.place.buildings {
        let area: f64 = building.outline.parts.iter().map(polygon_area).sum();
        match use_of(building) {
            BuildingUse::NoHome => no_homes += area,
            BuildingUse::Outbuilding => {}
            BuildingUse::Home | BuildingUse::Unnamed | BuildingUse::Apartments => homes += area,
        }
    }
    (no_homes > homes).then_some(Sign::Buildings)
}

/// Why the roof at an address is no home's, in a sentence's words; `None` where it is one's or nobody says.
pub(crate) fn why_no_home(evidence: &Evidence) -> Option<String> {
    let class = evidence.place.assessor.property_class.as_ref().map(|class| class.value);
    Some(match class {
        Some(PropertyClass::Commercial) => "the records class the property as commercial".to_owned(),
        Some(PropertyClass::VacantLand) => "the records class the property as vacant land".to_owned(),
        _ => match sign(evidence)? {
            Sign::Type(kind) => format!("the records call the property {kind}"),
            Sign::Buildings => "the building map calls the building no home".to_owned(),
        },
    })
}
