//! # Lead integrity: how far the records confirm what a lead says
//!
//! Four criteria, each with a weight. A confirmed one counts in full, an open one by half, a contradicted one not at
//! all:
//!
//! `score = 10 × Σ weight × (1, ½ or 0) / Σ weight`, rounded half up.
//!
//! | criterion | weight | confirmed | contradicted |
//! |---|---|---|---|
//! | structure | 3 | a building on record or drawn there | the class says vacant or parking; area and value are zero |
//! | surname | 3 | on the deed, by the rules of [`surname`] | another family's, or an organization's |
//! | zoning | 2 | the use class is a home's: 1 to 4 families, condominium, apartments, mobile home, mixed | another use |
//! | occupancy | 2 | exemption held; else mail goes there and the owner is no organization | mail goes elsewhere; an
//! organization owns it |
//!
//! Without a last name the surname is left out of the sum, so that a missing name lowers no score. A criterion is a
//! defect unless it is confirmed. No place, or one only interpolated (a neighbor's record), gives no score and no
//! defects.
//!
//! **Zoning** goes by the use code or class; then by the words of the type; an exemption for residents implies a
//! home. The district counts only where none of them is recorded, and for vacant land: words (`Single Family
//! Residential`) and codes that mean homes wherever they are used (`R-1`, `RS-7`, `SF-3`, `MF-2`) confirm. No
//! district ever contradicts: `C-1` is commercial in one city and homes in the next, and its letter alone decides
//! nothing.
//!
//! **Doubtful matches.** A property found by a similar street name counts like any other, but that the house stands
//! *at the given address* is confirmed only if the surname is on the deed too. Where the request names a flat and
//! the record is of the whole house, another surname on the deed contradicts nothing.
//!
//! The weights and halves are the research page's judgement; there is no published sample of leads with outcomes to
//! measure them on, and none is claimed. The score says what records confirm, not whether somebody will buy.

use shingle_domain::details::{Defect, LeadIntegrity, Reason};
use shingle_domain::evidence::{Assessor, Evidence, MatchLevel, PropertyClass};

use crate::confirmation::Confirmation;
use crate::details::{Occupancy, Structure, occupancy, own_record, structure, words_of_type};
use crate::owner::{OwnerKind, Owners};
use crate::surname;

/// The two fields of the record, and the reasons for them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct IntegrityScore {
    pub integrity: LeadIntegrity,
    pub reasons: Vec<Reason>,
}

struct Criterion {
    defect: Defect,
    name: &'static str,
    weight: u32,
    confirmation: Confirmation,
    because: &'static str,
}

/// Both fields `None` when no place was matched. A last name without a letter in it counts as not given.
///
/// The points of the reasons add up to the score before rounding.
pub fn lead_integrity(evidence: Option<&Evidence>, last_name: Option<&str>) -> IntegrityScore {
    let Some((evidence, assessor)) = evidence.and_then(|e| Some((e, own_record(e)?))) else {
        return IntegrityScore::default();
    };
    let surname = last_name.and_then(|name| surname_criterion(evidence, assessor, name));
    let at_the_address = evidence.matched.level != MatchLevel::SimilarName
        || surname.as_ref().is_some_and(|s| s.confirmation == Confirmation::Confirmed);
    let criteria = [
        Some(zoning_criterion(assessor)),
        Some(occupancy_criterion(assessor)),
        Some(structure_criterion(evidence, at_the_address)),
        surname,
    ];
    let criteria: Vec<Criterion> = criteria.into_iter().flatten().collect();
    let weights: u32 = criteria.iter().map(|p| p.weight).sum();
    let halves: u32 = criteria.iter().map(|p| p.weight * p.confirmation.halves()).sum();
    // 10 × halves / 2 / weights, half up, in whole numbers.
    let score = (10 * halves + weights) / (2 * weights);
    let reason = |p: &Criterion| Reason {
        field: "leadIntegrityScore",
        part: p.name,
        points: 5.0 * f64::from(p.weight * p.confirmation.halves()) / f64::from(weights),
        weight: Some(f64::from(p.weight)),
        because: p.because.to_owned(),
    };
    IntegrityScore {
        integrity: LeadIntegrity {
            lead_integrity_score: u8::try_from(score).ok(),
            lead_integrity_defects: Some(
                criteria.iter().filter(|p| p.confirmation != Confirmation::Confirmed).map(|p| p.defect).collect(),
            ),
        },
        reasons: criteria.iter().map(reason).collect(),
    }
}

fn structure_criterion(evidence: &Evidence, at_the_address: bool) -> Criterion {
    let found = structure(evidence);
    let (confirmation, because) = match found {
        Structure::Present { .. } if !at_the_address => {
            (Confirmation::Unknown, "a building is on record, but the street's name is only similar to the one given")
        }
        Structure::Present { .. } => (Confirmation::Confirmed, found.because()),
        Structure::Vacant { .. } | Structure::NothingBuilt { .. } => (Confirmation::Contradicted, found.because()),
        Structure::Contradictory { .. } | Structure::Unknown => (Confirmation::Unknown, found.because()),
    };
    Criterion { defect: Defect::Structure, name: "structure", weight: 3, confirmation, because }
}

fn occupancy_criterion(assessor: &Assessor) -> Criterion {
    let found = occupancy(assessor);
    let confirmation = match found {
        Occupancy::Exempt { .. } | Occupancy::MailedHere { .. } => Confirmation::Confirmed,
        Occupancy::Organisation { .. } | Occupancy::MailedElsewhere { .. } => Confirmation::Contradicted,
        Occupancy::Unknown { .. } => Confirmation::Unknown,
    };
    Criterion { defect: Defect::Occupancy, name: "occupancy", weight: 2, confirmation, because: found.because() }
}

fn surname_criterion(evidence: &Evidence, assessor: &Assessor, last_name: &str) -> Option<Criterion> {
    let owners = Owners::of(assessor);
    let confirmation = surname::find(&owners, last_name)?;
    let (confirmation, because) = match (confirmation, owners.kind()) {
        (_, None) => (Confirmation::Unknown, "no owner is recorded"),
        (Confirmation::Confirmed, Some(OwnerKind::Trust)) => {
            (confirmation, "the surname is that of the trust that owns it")
        }
        (Confirmation::Confirmed, _) => (confirmation, "the surname is on the deed"),
        (Confirmation::Unknown, _) => {
            (confirmation, "the surname may be on the deed: it is close to a name there, or the deed names no person")
        }
        (Confirmation::Contradicted, _) if is_part_of_building(evidence, assessor) => (
            Confirmation::Unknown,
            "another surname is on the deed of the whole building, which says nothing of its parts",
        ),
        (Confirmation::Contradicted, Some(OwnerKind::Organisation)) => (confirmation, "an organisation owns it"),
        (Confirmation::Contradicted, _) => (confirmation, "another surname is on the deed"),
    };
    Some(Criterion { defect: Defect::Surname, name: "surname", weight: 3, confirmation, because })
}

/// The request names a unit and the record is of its building, or the other way round.
fn is_part_of_building(evidence: &Evidence, assessor: &Assessor) -> bool {
    let class = assessor.property_class.as_ref().map(|c| c.value);
    let several = matches!(
        class,
        Some(
            PropertyClass::Condominium
                | PropertyClass::Apartments
                | PropertyClass::TwoToFourUnits
                | PropertyClass::MixedResidential
        )
    ) || assessor.units.as_ref().is_some_and(|u| u.value > 1);
    evidence.matched.level == MatchLevel::WithoutUnit && several
}

const RESIDENTIAL_WORDS: &[&str] = &[
    "RESIDENTIAL",
    "RESIDENCE",
    "RESIDENCES",
    "RESIDENT",
    "RES",
    "RESID",
    "FAMILY",
    "FAMILIES",
    "FAM",
    "DWELLING",
    "DWELLINGS",
    "CONDO",
    "CONDOMINIUM",
    "CONDOMINIUMS",
    "CNDO",
    "APARTMENT",
    "APARTMENTS",
    "APT",
    "APTS",
    "TOWNHOUSE",
    "TOWNHOUSES",
    "TOWNHOME",
    "TOWNHOMES",
    "DUPLEX",
    "TRIPLEX",
    "FOURPLEX",
    "QUADPLEX",
    "HOMESITE",
    "MULTIFAMILY",
    "SINGLEFAMILY",
    "SFR",
    "SFD",
    "MFR",
    "MOBILE",
    "MANUFACTURED",
    "ROWHOUSE",
    "BUNGALOW",
    "COOPERATIVE",
    "HOMESTEAD",
    "HOUSE",
    "HOME",
];

const NON_RESIDENTIAL_WORDS: &[&str] = &[
    "COMMERCIAL",
    "COM",
    "COMM",
    "INDUSTRIAL",
    "IND",
    "RETAIL",
    "OFFICE",
    "WAREHOUSE",
    "MANUFACTURING",
    "HOTEL",
    "MOTEL",
    "CHURCH",
    "WORSHIP",
    "RELIGIOUS",
    "SCHOOL",
    "HOSPITAL",
    "MUNICIPAL",
    "CITY",
    "TOWN",
    "COUNTY",
    "STATE",
    "FEDERAL",
    "GOVERNMENT",
    "EXEMPT",
    "UTILITY",
    "UTIL",
    "AGRICULTURAL",
    "FARM",
    "STORE",
    "RESTAURANT",
    "BANK",
    "GAS",
    "STATION",
    "PARKING",
    "TRANSPORT",
    "AUTHORITY",
    "PARK",
    "PARKS",
    "CLUB",
    "MALL",
    "SHOPPING",
    "EDU",
    "EDUCATIONAL",
    "COLLEGE",
    "INSTITUTIONAL",
    "STORAGE",
    "NURSING",
    "CEMETERY",
];

fn zoning_criterion(assessor: &Assessor) -> Criterion {
    let (confirmation, because) = zoning(assessor);
    Criterion { defect: Defect::Zoning, name: "zoning", weight: 2, confirmation, because }
}

fn zoning(assessor: &Assessor) -> (Confirmation, &'static str) {
    let class = assessor.property_class.as_ref().map(|c| c.value);
    let words = assessor.property_type.as_ref().map(|t| words_of_type(&t.value)).unwrap_or_default();
    let has = |list: &[&str]| words.iter().any(|w| list.contains(&w.as_str()));
    let (home, other) = (has(RESIDENTIAL_WORDS), has(NON_RESIDENTIAL_WORDS));
    let exempt = assessor.residential_exemption.as_ref().is_some_and(|f| f.value);
    let district = assessor.zoning.as_ref().is_some_and(|z| is_residential_district(&z.value));
    match class {
        Some(
            PropertyClass::SingleFamily
            | PropertyClass::TwoToFourUnits
            | PropertyClass::Condominium
            | PropertyClass::Apartments
            | PropertyClass::MobileHome
            | PropertyClass::MixedResidential,
        ) => (Confirmation::Confirmed, "the use class is a home's"),
        Some(PropertyClass::Commercial) => (Confirmation::Contradicted, "the use class is trade"),
        Some(PropertyClass::Other) if home && !other => (Confirmation::Confirmed, "the property type is a home's"),
        Some(PropertyClass::Other) if exempt => (Confirmation::Confirmed, "the exemption held is for residents"),
        Some(PropertyClass::Other) => (Confirmation::Contradicted, "the use class is no home's"),
        Some(PropertyClass::VacantLand) | None => {
            if home && !other {
                (Confirmation::Confirmed, "the property type is a home's")
            } else if exempt {
                (Confirmation::Confirmed, "the exemption held is for residents")
            } else if other && !home {
                (Confirmation::Contradicted, "the property type is no home's")
            } else if district {
                (Confirmation::Confirmed, "the zoning district is one of homes")
            } else {
                (Confirmation::Unknown, "no use is recorded, and the zoning district alone does not tell")
            }
        }
    }
}

/// By its words, or by a code that means homes in every city: never by a letter alone.
fn is_residential_district(district: &str) -> bool {
    let words = words_of_type(district);
    let spelled = ["RESIDENTIAL", "RESIDENCE", "RESIDENCES", "RESID", "FAMILY", "DWELLING", "MULTIFAMILY", "HOUSING"];
    if words.iter().any(|w| spelled.contains(&w.as_str())) {
        return !words
            .iter()
            .any(|w| matches!(w.as_str(), "NON" | "NONRESIDENTIAL" | "OFFICE" | "COMMERCIAL" | "BUSINESS"));
    }
    let code: String = words.concat();
    let letters: String = code.chars().take_while(|c| c.is_ascii_alphabetic()).collect();
    let numbered = code[letters.len()..].starts_with(|c: char| c.is_ascii_digit());
    match letters.as_str() {
        "R" | "RS" | "RM" | "RD" | "SF" | "MF" | "SR" | "MR" | "TF" => numbered,
        "RES" | "SFR" | "MFR" | "RSF" | "RMF" => true,
        _ => false,
    }
}
