//! Which record or rule each field comes from.

use shingle_domain::Timestamp;
use shingle_domain::area::Table;
use shingle_domain::evidence::Evidence;

use super::facts::{
    MAX_YEARS_AHEAD, building_size, built_year, county, own_record, owner_line, property_type, text, type_in_words,
    years_owned,
};
use super::occupancy::{Occupancy, occupancy};
use super::structure::structure;

/// Deeds up to this price, USD, transfer a property without selling it.
const MAX_NOMINAL_USD: i64 = 100;

/// Where a field's value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// As recorded by the source at this place in `place.sources`, which has its name and date.
    Recorded(u8),
    /// From a reference table: it holds for the area, not for the property.
    Table(Table),
    /// Follows from a recorded fact by a rule, given in words.
    Derived { source: u8, rule: &'static str },
}

/// The fields of the record that have a value, by their names in it, in its order.
pub fn sources(evidence: Option<&Evidence>, now: Timestamp) -> Vec<(&'static str, Origin)> {
    let Some(evidence) = evidence else { return Vec::new() };
    let county = county(evidence).map(|(_, source)| source.map_or(Origin::Table(Table::ZipAreas), Origin::Recorded));
    let Some(assessor) = own_record(evidence) else { return county.map(|c| ("county", c)).into_iter().collect() };
    let recorded = |found: Option<(_, u8)>| found.map(|(_, source): (String, u8)| Origin::Recorded(source));
    let derived = |source: Option<u8>, rule| source.map(|source| Origin::Derived { source, rule });

    let occupancy = occupancy(assessor);
    let occupied = match occupancy {
        Occupancy::Exempt { source } => Some(Origin::Recorded(source)),
        other => derived(other.source(), other.because()),
    };
    let nominal = assessor.sale_price.as_ref().is_some_and(|p| p.value.cents() <= MAX_NOMINAL_USD * 100);
    let since = if nominal {
        "whole years since the last deed, which names no price and may be within a family: at least so many"
    } else {
        "whole years since the last sale"
    };
    let size = building_size(assessor).map(|(_, source, name)| match name {
        "buildingArea" => Origin::Recorded(source),
        _ => Origin::Derived { source, rule: "the living area: all structures together have at least so much" },
    });
    let structure = structure(evidence);
    let kind = property_type(assessor).map(|(_, source)| match (type_in_words(assessor), &assessor.property_class) {
        (None, Some(_)) => Origin::Derived { source, rule: "the plain name of its class" },
        _ => Origin::Recorded(source),
    });
    let fields = [
        ("primaryOwner", recorded(owner_line(&assessor.primary_owner))),
        ("secondaryOwner", recorded(owner_line(&assessor.secondary_owner))),
        ("ownerOccupied", occupied),
        (
            "homeBuiltYear",
            built_year(assessor, now.date().year() + MAX_YEARS_AHEAD).map(|(_, source)| Origin::Recorded(source)),
        ),
        ("yearsInHome", derived(years_owned(assessor, now).map(|(_, source)| source), since)),
        ("county", county),
        ("subdivision", recorded(text(&assessor.subdivision))),
        ("school", recorded(text(&assessor.school_district))),
        ("propertyType", kind),
        ("areaBuildingSize", size),
        ("scructurePresent", derived(structure.source(), structure.because())),
    ];
    fields.into_iter().filter_map(|(field, origin)| Some((field, origin?))).collect()
}
