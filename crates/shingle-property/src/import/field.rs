//! The words of an assessor's record, and how a cell becomes one.

use std::fmt;

use serde::Deserialize;
use shingle_domain::Usd;
use shingle_domain::evidence::{Assessor, Fact, Garage, Grade, HeatFuel, PropertyClass, RoofType};

use super::cell;
use super::mapping::{Code, FactColumns};

/// The keys of `[assessor]`: the fields of [`Assessor`], the garage in three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Field {
    PrimaryOwner,
    SecondaryOwner,
    MailingAddress,
    ResidentialExemption,
    YearBuilt,
    Storeys,
    LivingAreaSqft,
    BuildingAreaSqft,
    GroundFloorSqft,
    GarageAttached,
    GarageAreaSqft,
    GarageCars,
    RoofType,
    RoofMaterial,
    Style,
    WallType,
    Grade,
    Units,
    PropertyClass,
    PropertyType,
    Zoning,
    County,
    Subdivision,
    SchoolDistrict,
    HeatFuel,
    SaleDate,
    SalePrice,
    AssessedValue,
    BuildingValue,
    TaxDelinquent,
}

/// Why a cell that is not blank gave no fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unread {
    /// Not in the code table, which has no `otherwise`.
    UnknownCode,
    NotReadable,
    OutOfRange,
}

/// Square feet of the largest thing a county would call one building.
const MAX_AREA_SQFT: f64 = 10_000_000.0;
const MAX_DOLLARS: f64 = 1e11;

impl Field {
    pub fn name(self) -> &'static str {
        match self {
            Self::PrimaryOwner => "primary_owner",
            Self::SecondaryOwner => "secondary_owner",
            Self::MailingAddress => "mailing_address",
            Self::ResidentialExemption => "residential_exemption",
            Self::YearBuilt => "year_built",
            Self::Storeys => "storeys",
            Self::LivingAreaSqft => "living_area_sqft",
            Self::BuildingAreaSqft => "building_area_sqft",
            Self::GroundFloorSqft => "ground_floor_sqft",
            Self::GarageAttached => "garage_attached",
            Self::GarageAreaSqft => "garage_area_sqft",
            Self::GarageCars => "garage_cars",
            Self::RoofType => "roof_type",
            Self::RoofMaterial => "roof_material",
            Self::Style => "style",
            Self::WallType => "wall_type",
            Self::Grade => "grade",
            Self::Units => "units",
            Self::PropertyClass => "property_class",
            Self::PropertyType => "property_type",
            Self::Zoning => "zoning",
            Self::County => "county",
            Self::Subdivision => "subdivision",
            Self::SchoolDistrict => "school_district",
            Self::HeatFuel => "heat_fuel",
            Self::SaleDate => "sale_date",
            Self::SalePrice => "sale_price",
            Self::AssessedValue => "assessed_value",
            Self::BuildingValue => "building_value",
            Self::TaxDelinquent => "tax_delinquent",
        }
    }

    /// Whether a code table may send a value to this word.
    pub fn check_code(self, code: &Code) -> Result<(), String> {
        let ok = match (self, code) {
            (Self::ResidentialExemption | Self::GarageAttached | Self::TaxDelinquent, Code::Flag(_)) => true,
            (Self::RoofType, Code::Word(w)) => roof_type(w).is_some(),
            (Self::PropertyClass, Code::Word(w)) => property_class(w).is_some(),
            (Self::HeatFuel, Code::Word(w)) => heat_fuel(w).is_some(),
            (Self::Grade, Code::Word(w)) => grade(w).is_some(),
            (Self::ResidentialExemption | Self::GarageAttached | Self::TaxDelinquent, _) => false,
            (_, Code::Word(_)) => self.is_text(),
            _ => false,
        };
        let meant = match self {
            Self::ResidentialExemption | Self::GarageAttached | Self::TaxDelinquent => "true or false",
            Self::HeatFuel => "gas, oil, propane, electric or other",
            Self::Grade => "belowAverage, average or aboveAverage",
            Self::RoofType => "flat, shed, gable, hip, gambrel or mansard",
            Self::PropertyClass => {
                "singleFamily, twoToFourUnits, condominium, apartments, mobileHome, mixedResidential, vacantLand, \
                 commercial or other"
            }
            _ if self.is_text() => "a text",
            _ => "nothing: this field takes no codes",
        };
        let shown = match code {
            Code::Flag(b) => b.to_string(),
            Code::Word(w) => w.clone(),
        };
        if ok { Ok(()) } else { Err(format!("a code means {meant}; `{shown}` does not")) }
    }

    fn is_text(self) -> bool {
        matches!(
            self,
            Self::PrimaryOwner
                | Self::SecondaryOwner
                | Self::MailingAddress
                | Self::RoofMaterial
                | Self::Style
                | Self::PropertyType
                | Self::Zoning
                | Self::County
                | Self::Subdivision
                | Self::SchoolDistrict
                | Self::WallType
        )
    }

    /// Whether the record has this word, for the summary's coverage.
    pub fn is_known(self, a: &Assessor) -> bool {
        match self {
            Self::PrimaryOwner => a.primary_owner.is_some(),
            Self::SecondaryOwner => a.secondary_owner.is_some(),
            Self::MailingAddress => a.mailing_address.is_some(),
            Self::ResidentialExemption => a.residential_exemption.is_some(),
            Self::YearBuilt => a.year_built.is_some(),
            Self::Storeys => a.storeys.is_some(),
            Self::LivingAreaSqft => a.living_area_sqft.is_some(),
            Self::BuildingAreaSqft => a.building_area_sqft.is_some(),
            Self::GroundFloorSqft => a.ground_floor_sqft.is_some(),
            Self::GarageAttached => a.garage.is_some(),
            Self::GarageAreaSqft => a.garage.as_ref().is_some_and(|g| g.value.area_sqft.is_some()),
            Self::GarageCars => a.garage.as_ref().is_some_and(|g| g.value.cars.is_some()),
            Self::RoofType => a.roof_type.is_some(),
            Self::RoofMaterial => a.roof_material.is_some(),
            Self::Style => a.style.is_some(),
            Self::WallType => a.wall_type.is_some(),
            Self::Grade => a.grade.is_some(),
            Self::Units => a.units.is_some(),
            Self::PropertyClass => a.property_class.is_some(),
            Self::PropertyType => a.property_type.is_some(),
            Self::Zoning => a.zoning.is_some(),
            Self::County => a.county.is_some(),
            Self::Subdivision => a.subdivision.is_some(),
            Self::SchoolDistrict => a.school_district.is_some(),
            Self::HeatFuel => a.heat_fuel.is_some(),
            Self::SaleDate => a.sale_date.is_some(),
            Self::SalePrice => a.sale_price.is_some(),
            Self::AssessedValue => a.assessed_value.is_some(),
            Self::BuildingValue => a.building_value.is_some(),
            Self::TaxDelinquent => a.tax_delinquent.is_some(),
        }
    }

    /// Puts a cell that is not blank into the record. Zero means "not recorded" for years, storeys, areas,
    /// units and prices; a value of zero dollars is a value.
    pub fn set(self, map: &FactColumns, cell: &str, a: &mut Assessor) -> Result<(), Unread> {
        let coded = match map.codes.get(&cell.to_lowercase()).or(map.otherwise.as_ref()) {
            Some(code) => Some(code),
            // A text that is not renamed stays as it is.
            None if !map.codes.is_empty() && !self.is_text() => return Err(Unread::UnknownCode),
            None => None,
        };
        let text = || match coded {
            Some(Code::Word(w)) => w.clone(),
            _ => cell.to_owned(),
        };
        let flag = || match coded {
            Some(Code::Flag(b)) => Ok(*b),
            _ => cell::flag(cell).ok_or(Unread::NotReadable),
        };
        let area = || positive(cell, MAX_AREA_SQFT);
        match self {
            Self::PrimaryOwner => a.primary_owner = fact(text()),
            Self::SecondaryOwner => a.secondary_owner = fact(text()),
            Self::MailingAddress => a.mailing_address = fact(text()),
            Self::RoofMaterial => a.roof_material = fact(text()),
            Self::Style => a.style = fact(text()),
            Self::WallType => a.wall_type = fact(text()),
            Self::Grade => a.grade = fact(grade(&text()).ok_or(Unread::UnknownCode)?),
            Self::PropertyType => a.property_type = fact(text()),
            Self::Zoning => a.zoning = fact(text()),
            Self::County => a.county = fact(text()),
            Self::Subdivision => a.subdivision = fact(text()),
            Self::SchoolDistrict => a.school_district = fact(text()),
            Self::HeatFuel => a.heat_fuel = fact(heat_fuel(&text()).ok_or(Unread::UnknownCode)?),
            Self::ResidentialExemption => a.residential_exemption = fact(flag()?),
            Self::RoofType => a.roof_type = fact(roof_type(&text()).ok_or(Unread::UnknownCode)?),
            Self::PropertyClass => a.property_class = fact(property_class(&text()).ok_or(Unread::UnknownCode)?),
            Self::YearBuilt => match positive(cell, 2_200.0)? {
                Some(year) if year < 1_600.0 || year.fract() != 0.0 => return Err(Unread::OutOfRange),
                year => a.year_built = year.and_then(|y| fact(y as u16)),
            },
            Self::Storeys => a.storeys = positive(cell, 200.0)?.and_then(fact),
            Self::Units => a.units = positive(cell, 10_000.0)?.and_then(|u| fact(u as u16)),
            Self::LivingAreaSqft => a.living_area_sqft = area()?.and_then(fact),
            Self::BuildingAreaSqft => a.building_area_sqft = area()?.and_then(fact),
            Self::GroundFloorSqft => a.ground_floor_sqft = area()?.and_then(fact),
            Self::GarageAttached => garage(a).attached = flag()?,
            Self::GarageAreaSqft => {
                if let Some(area) = area()? {
                    garage(a).area_sqft = Some(area);
                }
            }
            Self::GarageCars => {
                if let Some(cars) = positive(cell, 1_000.0)? {
                    garage(a).cars = Some(cars);
                }
            }
            Self::SaleDate => a.sale_date = fact(cell::date(cell, &map.formats).ok_or(Unread::NotReadable)?),
            Self::SalePrice => a.sale_price = money(cell)?.filter(|p| p.cents() > 0).and_then(fact),
            Self::AssessedValue => a.assessed_value = money(cell)?.and_then(fact),
            Self::BuildingValue => a.building_value = money(cell)?.and_then(fact),
            Self::TaxDelinquent => a.tax_delinquent = fact(flag()?),
        }
        Ok(())
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Every imported fact is of the one source of its mapping.
fn fact<T>(value: T) -> Option<Fact<T>> {
    Some(Fact { value, source: 0 })
}

fn garage(a: &mut Assessor) -> &mut Garage {
    let none = Garage { attached: false, area_sqft: None, cars: None };
    &mut a.garage.get_or_insert(Fact { value: none, source: 0 }).value
}

fn positive(cell: &str, most: f64) -> Result<Option<f64>, Unread> {
    match cell::number(cell) {
        None => Err(Unread::NotReadable),
        Some(0.0) => Ok(None),
        Some(n) if n < 0.0 || n > most => Err(Unread::OutOfRange),
        Some(n) => Ok(Some(n)),
    }
}

fn money(cell: &str) -> Result<Option<Usd>, Unread> {
    match cell::number(cell) {
        None => Err(Unread::NotReadable),
        Some(n) if !(0.0..=MAX_DOLLARS).contains(&n) => Err(Unread::OutOfRange),
        Some(n) => Ok(Some(Usd::from_f64(n))),
    }
}

fn roof_type(word: &str) -> Option<RoofType> {
    Some(match word.to_ascii_lowercase().as_str() {
        "flat" => RoofType::Flat,
        "shed" => RoofType::Shed,
        "gable" => RoofType::Gable,
        "hip" => RoofType::Hip,
        "gambrel" => RoofType::Gambrel,
        "mansard" => RoofType::Mansard,
        _ => return None,
    })
}

fn heat_fuel(word: &str) -> Option<HeatFuel> {
    Some(match word.to_ascii_lowercase().as_str() {
        "gas" => HeatFuel::Gas,
        "oil" => HeatFuel::Oil,
        "propane" => HeatFuel::Propane,
        "electric" => HeatFuel::Electric,
        "other" => HeatFuel::Other,
        _ => return None,
    })
}

fn grade(word: &str) -> Option<Grade> {
    Some(match word {
        "belowAverage" => Grade::BelowAverage,
        "average" => Grade::Average,
        "aboveAverage" => Grade::AboveAverage,
        _ => return None,
    })
}

fn property_class(word: &str) -> Option<PropertyClass> {
    Some(match word {
        "singleFamily" => PropertyClass::SingleFamily,
        "twoToFourUnits" => PropertyClass::TwoToFourUnits,
        "condominium" => PropertyClass::Condominium,
        "apartments" => PropertyClass::Apartments,
        "mobileHome" => PropertyClass::MobileHome,
        "mixedResidential" => PropertyClass::MixedResidential,
        "vacantLand" => PropertyClass::VacantLand,
        "commercial" => PropertyClass::Commercial,
        "other" => PropertyClass::Other,
        _ => return None,
    })
}
