//! # Lead integrity: how far the records bear out what a lead says
//!
//! Four questions, each with a weight. What the records confirm counts in full, what they leave open by half, what
//! they contradict not at all:
//!
//! `score = 10 × Σ weight × (1, ½ or 0) / Σ weight`, rounded half up.
//!
//! | part | weight | confirmed | contradicted |
//! |---|---|---|---|
//! | structure | 3 | a building on record or drawn there | the class says vacant or parking; area and value are zero |
//! | surname | 3 | on the deed, by the rules of [`surname`](crate::surname) | another family's, or an organisation's |
//! | zoning | 2 | the use class is a home's: 1 to 4 families, condominium, apartments, mobile home, mixed | another use |
//! | occupancy | 2 | exemption held; else mail goes there and the owner is no organisation | mail goes elsewhere; an organisation owns it |
//!
//! Without a last name the surname leaves the sum, so that no score falls for want of a question. A part is a defect
//! unless it is confirmed. No place, or one only interpolated (a neighbour's record), gives no score and no defects.
//!
//! **Zoning** goes by the use code or class; then by the words of the type; an exemption for residents implies a
//! home. The district is a support where none of them speaks, and of vacant land: words (`Single Family
//! Residential`) and codes that mean homes wherever they are used (`R-1`, `RS-7`, `SF-3`, `MF-2`) confirm. No
//! district ever contradicts: `C-1` is commercial in one city and homes in the next, and its letter alone decides
//! nothing.
//!
//! **Doubtful matches.** A place found by a similar street name counts like any other, but that the house stands *at
//! the address given* is confirmed only if the surname is on the deed too. Where a flat was asked for and the whole
//! house answered, another surname on the house's deed contradicts nothing.
//!
//! The weights and halves are the research page's judgement; there is no published sample of leads with outcomes to
//! measure them on, and none is claimed. The score says what records confirm, not whether somebody will buy.

use shingle_domain::details::{Defect, LeadIntegrity, Reason};
use shingle_domain::evidence::{Assessor, Evidence, MatchLevel, PropertyClass};

use crate::details::{Occupancy, Structure, occupancy, own_record, structure, words_of_type};
use crate::owner::{Owners, Standing};
use crate::surname;

/// What the records say of one part. Ordered from worst to best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Finding {
    Contradicted,
    Unknown,
    Confirmed,
}

impl Finding {
    /// Twice its share of the weight.
    fn halves(self) -> u32 {
        match self {
            Self::Contradicted => 0,
            Self::Unknown => 1,
            Self::Confirmed => 2,
        }
    }
}

/// The two fields of the record, and how they came about.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct IntegrityAnswer {
    pub integrity: LeadIntegrity,
    pub reasons: Vec<Reason>,
}

struct Part {
    defect: Defect,
    name: &'static str,
    weight: u32,
    finding: Finding,
    because: &'static str,
}

/// Both fields `None` when no place was matched. A last name without a letter in it counts as not given.
///
/// The points of the reasons add up to the score before rounding.
pub fn lead_integrity(evidence: Option<&Evidence>, last_name: Option<&str>) -> IntegrityAnswer {
    let Some((evidence, assessor)) = evidence.and_then(|e| Some((e, own_record(e)?))) else {
        return IntegrityAnswer::default();
    };
    let surname = last_name.and_then(|name| surname_part(evidence, assessor, name));
    let at_the_address = evidence.matched.level != MatchLevel::SimilarName
        || surname.as_ref().is_some_and(|s| s.finding == Finding::Confirmed);
    let parts = [
        Some(zoning_part(assessor)),
        Some(occupancy_part(assessor)),
        Some(structure_part(evidence, at_the_address)),
        surname,
    ];
    let parts: Vec<Part> = parts.into_iter().flatten().collect();
    let weights: u32 = parts.iter().map(|p| p.weight).sum();
    let halves: u32 = parts.iter().map(|p| p.weight * p.finding.halves()).sum();
    // 10 × halves / 2 / weights, half up, in whole numbers.
    let score = (10 * halves + weights) / (2 * weights);
    let reason = |p: &Part| Reason {
        field: "leadIntegrityScore",
        part: p.name,
        points: 5.0 * f64::from(p.weight * p.finding.halves()) / f64::from(weights),
        weight: Some(f64::from(p.weight)),
        because: p.because.to_owned(),
    };
    IntegrityAnswer {
        integrity: LeadIntegrity {
            lead_integrity_score: u8::try_from(score).ok(),
            lead_integrity_defects: Some(
                parts.iter().filter(|p| p.finding != Finding::Confirmed).map(|p| p.defect).collect(),
            ),
        },
        reasons: parts.iter().map(reason).collect(),
    }
}

fn structure_part(evidence: &Evidence, at_the_address: bool) -> Part {
    let found = structure(evidence);
    let (finding, because) = match found {
        Structure::Present { .. } if !at_the_address => {
            (Finding::Unknown, "a building is on record, but the street's name is only similar to the one given")
        }
        Structure::Present { .. } => (Finding::Confirmed, found.because()),
        Structure::Vacant { .. } | Structure::NothingBuilt { .. } => (Finding::Contradicted, found.because()),
        Structure::Contradictory { .. } | Structure::Unknown => (Finding::Unknown, found.because()),
    };
    Part { defect: Defect::Structure, name: "structure", weight: 3, finding, because }
}

fn occupancy_part(assessor: &Assessor) -> Part {
    let found = occupancy(assessor);
    let finding = match found {
        Occupancy::Exempt { .. } | Occupancy::MailedHere { .. } => Finding::Confirmed,
        Occupancy::Organisation { .. } | Occupancy::MailedElsewhere { .. } => Finding::Contradicted,
        Occupancy::Unknown { .. } => Finding::Unknown,
    };
    Part { defect: Defect::Occupancy, name: "occupancy", weight: 2, finding, because: found.because() }
}

fn surname_part(evidence: &Evidence, assessor: &Assessor, last_name: &str) -> Option<Part> {
    let owners = Owners::of(assessor);
    let finding = surname::find(&owners, last_name)?;
    let (finding, because) = match (finding, owners.standing()) {
        (_, None) => (Finding::Unknown, "no owner is recorded"),
        (Finding::Confirmed, Some(Standing::Trust)) => (finding, "the surname is that of the trust that owns it"),
        (Finding::Confirmed, _) => (finding, "the surname is on the deed"),
        (Finding::Unknown, _) => {
            (finding, "the surname may be on the deed: it is close to a name there, or the deed names no person")
        }
        (Finding::Contradicted, _) if of_a_part(evidence, assessor) => {
            (Finding::Unknown, "another surname is on the deed of the whole building, which says nothing of its parts")
        }
        (Finding::Contradicted, Some(Standing::Organisation)) => (finding, "an organisation owns it"),
        (Finding::Contradicted, _) => (finding, "another surname is on the deed"),
    };
    Some(Part { defect: Defect::Surname, name: "surname", weight: 3, finding, because })
}

/// A unit was asked for, and the building that has it answered, or the other way round.
fn of_a_part(evidence: &Evidence, assessor: &Assessor) -> bool {
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

const HOME_WORDS: &[&str] = &[
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

const OTHER_WORDS: &[&str] = &[
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

fn zoning_part(assessor: &Assessor) -> Part {
    let (finding, because) = zoning(assessor);
    Part { defect: Defect::Zoning, name: "zoning", weight: 2, finding, because }
}

fn zoning(assessor: &Assessor) -> (Finding, &'static str) {
    let class = assessor.property_class.as_ref().map(|c| c.value);
    let words = assessor.property_type.as_ref().map(|t| words_of_type(&t.value)).unwrap_or_default();
    let has = |list: &[&str]| words.iter().any(|w| list.contains(&w.as_str()));
    let (home, other) = (has(HOME_WORDS), has(OTHER_WORDS));
    let exempt = assessor.residential_exemption.as_ref().is_some_and(|f| f.value);
    let district = assessor.zoning.as_ref().is_some_and(|z| district_of_homes(&z.value));
    match class {
        Some(
            PropertyClass::SingleFamily
            | PropertyClass::TwoToFourUnits
            | PropertyClass::Condominium
            | PropertyClass::Apartments
            | PropertyClass::MobileHome
            | PropertyClass::MixedResidential,
        ) => (Finding::Confirmed, "the use class is a home's"),
        Some(PropertyClass::Commercial) => (Finding::Contradicted, "the use class is trade"),
        Some(PropertyClass::Other) if home && !other => (Finding::Confirmed, "the property type is a home's"),
        Some(PropertyClass::Other) if exempt => (Finding::Confirmed, "the exemption held is for residents"),
        Some(PropertyClass::Other) => (Finding::Contradicted, "the use class is no home's"),
        Some(PropertyClass::VacantLand) | None => {
            if home && !other {
                (Finding::Confirmed, "the property type is a home's")
            } else if exempt {
                (Finding::Confirmed, "the exemption held is for residents")
            } else if other && !home {
                (Finding::Contradicted, "the property type is no home's")
            } else if district {
                (Finding::Confirmed, "the zoning district is one of homes")
            } else {
                (Finding::Unknown, "no use is recorded, and the zoning district alone does not tell")
            }
        }
    }
}

/// Words that say so, or a code that means homes in every city: never a letter alone.
fn district_of_homes(district: &str) -> bool {
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
