//! What a building is, by what its source calls it.
//!
//! # Decision
//!
//! A building called only `residential` beside a larger house is its garage or shed, because whole counties call
//! everything on a home's lot so. Alone, it is the house.

use shingle_domain::evidence::Building;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BuildingUse {
    Home,
    /// Nothing is said, or nothing that is known.
    Unnamed,
    Apartments,
    /// A shop, a church, a school.
    NoHome,
    Outbuilding,
}

pub(crate) fn use_of(building: &Building) -> BuildingUse {
    const OUTBUILDINGS: [&str; 24] = [
        "garage",
        "garages",
        "shed",
        "sheds",
        "carport",
        "carports",
        "barn",
        "outbuilding",
        "greenhouse",
        "gazebo",
        "pool",
        "stable",
        "silo",
        "storage",
        "hut",
        "outhouse",
        "accessory",
        "pavilion",
        "pergola",
        "cowshed",
        "auxiliary",
        "kiosk",
        "boathouse",
        "workshop",
    ];
    const APARTMENTS: [&str; 4] = ["apartments", "apartment", "dormitory", "condominium"];
    const NO_HOMES: [&str; 46] = [
        "commercial",
        "retail",
        "office",
        "warehouse",
        "industrial",
        "church",
        "school",
        "hospital",
        "hotel",
        "supermarket",
        "public",
        "civic",
        "university",
        "chapel",
        "cathedral",
        "mosque",
        "temple",
        "synagogue",
        "religious",
        "kindergarten",
        "college",
        "education",
        "government",
        "courthouse",
        "station",
        "hangar",
        "factory",
        "museum",
        "library",
        "restaurant",
        "shop",
        "store",
        "mall",
        "motel",
        "clinic",
        "medical",
        "stadium",
        "sports",
        "theater",
        "theatre",
        "entertainment",
        "military",
        "transportation",
        "manufacture",
        "bank",
        "arena",
    ];
    const HOMES: [&str; 11] = [
        "house",
        "detached",
        "home",
        "residential",
        "residence",
        "dwelling",
        "bungalow",
        "farm",
        "cabin",
        "terrace",
        "semidetached",
    ];
    let Some(use_) = &building.use_ else { return BuildingUse::Unnamed };
    let lower = use_.to_lowercase();
    let has = |list: &[&str]| lower.split(|c: char| !c.is_alphanumeric()).any(|word| list.contains(&word));
    // "Detached garage" is a garage, "apartment house" no house.
    if has(&OUTBUILDINGS) {
        BuildingUse::Outbuilding
    } else if has(&APARTMENTS) {
        BuildingUse::Apartments
    } else if has(&NO_HOMES) {
        BuildingUse::NoHome
    } else if has(&HOMES) {
        BuildingUse::Home
    } else {
        BuildingUse::Unnamed
    }
}

/// Whether the source says only that it belongs to a home, as for every garage and shed in whole counties (2,455 of the 2,682
/// "Residential" of Chesapeake, Virginia, are next to a "House").
pub(crate) fn is_of_a_home(building: &Building) -> bool {
    building.use_.as_deref().is_some_and(|of| of.trim().eq_ignore_ascii_case("residential"))
}

pub(crate) fn is_outbuilding(building: &Building) -> bool {
    use_of(building) == BuildingUse::Outbuilding
}
