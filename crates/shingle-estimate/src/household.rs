//! What the scores may know of a home. They never see a name: names are read only here, to find the kind of owner.
//!
//! # Decision
//!
//! Owner records become a `Household` without names before any score; the solar index and buyer scores see nothing
//! else about a person.

use shingle_domain::evidence::{Evidence, Fact, Grade, Permit, PermitKind, PropertyClass};
use shingle_domain::{Timestamp, Usd};

use crate::apartments::is_of_apartments;
use crate::details::{self, Structure, occupancy, structure};
use crate::no_home::is_no_home;
use crate::owner::{OwnerKind, Owners};

/// Deeds between relatives, and corrections, carry a token price.
const MAX_TOKEN_PRICE: Usd = Usd::from_dollars(100);
/// A recent price below a tenth of the value is not a market price either.
const MAX_TOKEN_SHARE: f64 = 0.1;
const MAX_RECENT_YEARS: f64 = 15.0;
/// A lower value is not that of a home.
const MIN_VALUE: f64 = 1_000.0;
const MAX_TENURE_YEARS: f64 = 100.0;

/// One home, from the record of the exact address. A neighbor's record is not used.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Household {
    /// Whether there is an assessor's record of the parcel.
    pub recorded: bool,
    /// What kind of owner is named, if one is.
    pub owner: Option<OwnerKind>,
    pub owner_occupied: Option<bool>,
    /// As in the details: the scores and `scructurePresent` never differ.
    pub structure: Structure,
    pub residential: Option<bool>,
    pub kind: Option<DwellingKind>,
    /// Years since it was built.
    pub age: Option<f64>,
    pub built: Option<u16>,
    /// Years since the last transfer.
    pub tenure: Option<f64>,
    /// USD, paid on the market at that transfer.
    pub price: Option<f64>,
    /// USD, as assessed.
    pub value: Option<f64>,
    pub units: Option<u16>,
    /// Square feet lived in.
    pub living_sqft: Option<f64>,
    pub tax_delinquent: Option<bool>,
    pub permits: Vec<PermitAge>,
    /// Whether one firm was hired twice; `None` where fewer than two permits name a firm.
    pub same_contractor: Option<bool>,
    /// Materials of roof and walls in the source's words, in lower case.
    pub roof_material: Option<String>,
    pub wall_type: Option<String>,
    pub grade: Option<Grade>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DwellingKind {
    SingleFamily,
    TwoToFourUnits,
    Condominium,
    FiveOrMoreUnits,
    MobileHome,
    Mixed,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PermitAge {
    pub kind: PermitKind,
    pub years: f64,
}

impl Household {
    pub fn of(evidence: &Evidence, now: Timestamp) -> Self {
        if !evidence.matched.level.is_exact() {
            return Self::default();
        }
        let place = &evidence.place;
        let a = &place.assessor;
        let this_year = now.date().year();
        let built = details::built_year(a, this_year).map(|(year, _)| year);
        let tenure = a.sale_date.as_ref().and_then(|d| now.years_since(&d.value)).filter(|y| *y <= MAX_TENURE_YEARS);
        let value = read(&a.assessed_value).map(Usd::dollars).filter(|v| *v >= MIN_VALUE);
        let class = read(&a.property_class);
        let units = read(&a.units).filter(|u| *u > 0);
        Self {
            recorded: is_recorded(evidence),
            owner: Owners::of(a).kind(),
            owner_occupied: occupancy(a).occupied(),
            structure: structure(evidence),
            residential: class.and_then(residential).or(is_no_home(evidence).then_some(false)),
            kind: kind(class, units).or_else(|| is_of_apartments(evidence).then_some(DwellingKind::FiveOrMoreUnits)),
            age: built.map(|y| f64::from(this_year) - f64::from(y)),
            built,
            tenure,
            price: read(&a.sale_price).filter(|p| *p > MAX_TOKEN_PRICE).map(Usd::dollars).filter(|p| {
                let recently = tenure.is_some_and(|t| t < MAX_RECENT_YEARS);
                !(recently && value.is_some_and(|v| *p < MAX_TOKEN_SHARE * v))
            }),
            value,
            units,
            living_sqft: details::area(&a.living_area_sqft)
                .or(details::area(&a.building_area_sqft))
                .map(|(area, _)| area),
            tax_delinquent: read(&a.tax_delinquent),
            permits: permits(&place.permits, now),
            same_contractor: same_contractor(&place.permits),
            roof_material: read(&a.roof_material).map(|m| m.to_lowercase()),
            wall_type: read(&a.wall_type).map(|w| w.to_lowercase()),
            grade: read(&a.grade),
        }
    }

    /// The value of one home over the median of its ZIP. In a house of several homes each counts with its share.
    pub fn value_ratio(&self, evidence: &Evidence) -> Option<f64> {
        let usual = evidence.area.homes.median_value.filter(|f| f.value >= MIN_VALUE)?.value;
        let homes = match self.kind {
            Some(DwellingKind::TwoToFourUnits | DwellingKind::FiveOrMoreUnits) => f64::from(self.units?),
            Some(DwellingKind::Mixed) => return None,
            Some(DwellingKind::SingleFamily | DwellingKind::Condominium | DwellingKind::MobileHome) | None => 1.0,
        };
        Some(self.value? / homes / usual)
    }

    /// Years since the newest permit of these kinds.
    pub fn newest_permit(&self, of: impl Fn(PermitKind) -> bool) -> Option<f64> {
        self.permits.iter().filter(|p| of(p.kind)).map(|p| p.years).min_by(f64::total_cmp)
    }

    /// Whether the record shows that the property is not residential.
    pub fn is_not_residential(&self) -> bool {
        self.residential == Some(false)
    }

    pub fn has_no_structure(&self) -> bool {
        self.structure.present() == Some(false)
    }

    /// Whether the records show both a building and none: such a property gets no score.
    pub fn has_contradictory_structure(&self) -> bool {
        matches!(self.structure, Structure::Contradictory { .. })
    }
}

fn read<T: Clone>(fact: &Option<Fact<T>>) -> Option<T> {
    fact.as_ref().map(|f| f.value.clone())
}

/// The county and the position alone are no record: outlines and address points have them too.
fn is_recorded(evidence: &Evidence) -> bool {
    let a = &evidence.place.assessor;
    [
        a.primary_owner.is_some(),
        a.mailing_address.is_some(),
        a.residential_exemption.is_some(),
        a.year_built.is_some(),
        a.living_area_sqft.is_some(),
        a.building_area_sqft.is_some(),
        a.property_class.is_some(),
        a.property_type.is_some(),
        a.assessed_value.is_some(),
        a.building_value.is_some(),
        a.sale_date.is_some(),
        a.sale_price.is_some(),
    ]
    .contains(&true)
}

/// Vacant land is neither: its structure shows that there is no house.
fn residential(class: PropertyClass) -> Option<bool> {
    match class {
        PropertyClass::VacantLand => None,
        PropertyClass::Commercial | PropertyClass::Other => Some(false),
        PropertyClass::SingleFamily
        | PropertyClass::TwoToFourUnits
        | PropertyClass::Condominium
        | PropertyClass::Apartments
        | PropertyClass::MobileHome
        | PropertyClass::MixedResidential => Some(true),
    }
}

fn kind(class: Option<PropertyClass>, units: Option<u16>) -> Option<DwellingKind> {
    match class {
        Some(PropertyClass::SingleFamily) => Some(DwellingKind::SingleFamily),
        Some(PropertyClass::TwoToFourUnits) => Some(DwellingKind::TwoToFourUnits),
        Some(PropertyClass::Condominium) => Some(DwellingKind::Condominium),
        Some(PropertyClass::Apartments) => Some(DwellingKind::FiveOrMoreUnits),
        Some(PropertyClass::MobileHome) => Some(DwellingKind::MobileHome),
        Some(PropertyClass::MixedResidential) => Some(DwellingKind::Mixed),
        Some(PropertyClass::VacantLand | PropertyClass::Commercial | PropertyClass::Other) => None,
        None => units.map(|u| match u {
            0 | 1 => DwellingKind::SingleFamily,
            2..=4 => DwellingKind::TwoToFourUnits,
            _ => DwellingKind::FiveOrMoreUnits,
        }),
    }
}

fn permits(permits: &[Permit], now: Timestamp) -> Vec<PermitAge> {
    permits.iter().filter_map(|p| Some(PermitAge { kind: p.kind, years: now.years_since(&p.issued)? })).collect()
}

fn same_contractor(permits: &[Permit]) -> Option<bool> {
    let mut firms: Vec<String> = permits
        .iter()
        .filter_map(|p| p.contractor.as_ref())
        .map(|name| name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase())
        .filter(|name| !name.is_empty())
        .collect();
    firms.sort_unstable();
    (firms.len() >= 2).then(|| firms.windows(2).any(|pair| pair[0] == pair[1]))
}
