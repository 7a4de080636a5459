//! The fields of an assessor's record, and how a cell becomes one.

use std::fmt;

use serde::Deserialize;
use shingle_domain::Usd;
use shingle_domain::evidence::{Assessor, Fact, Garage, Grade, HeatFuel, PropertyClass, RoofType};

use crate::format::{cell, date};
use crate::mapping::codes::Code;
use crate::mapping::formula::{Formula, Unread, Value};
use crate::mapping::mapping_problem::{CodeMeaning, MappingProblem};
use crate::mapping::unit::Unit;

/// The keys of `[assessor]`: the fields of [`Assessor`], the garage in three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Field {
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

/// Square feet of the largest thing that a county would call one building.
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

    /// Whether a code table may give this value to the field.
    pub fn check_code(self, code: &Code) -> Result<(), MappingProblem> {
        let ok = match (self, code) {
            (Self::RoofType, Code::Word(w)) => roof_type(w).is_some(),
            (Self::PropertyClass, Code::Word(w)) => property_class(w).is_some(),
            (Self::HeatFuel, Code::Word(w)) => heat_fuel(w).is_some(),
            (Self::Grade, Code::Word(w)) => grade(w).is_some(),
            (Self::SaleDate, _) => false,
            (_, Code::Flag(_)) => self.is_flag(),
            (_, Code::Word(_)) => self.is_text(),
            (_, Code::Number(_)) => self.is_text() || self.is_number(),
        };
        let meant = match self {
            Self::HeatFuel => CodeMeaning::Fuel,
            Self::Grade => CodeMeaning::Grade,
            Self::RoofType => CodeMeaning::RoofType,
            Self::PropertyClass => CodeMeaning::PropertyClass,
            _ if self.is_flag() => CodeMeaning::Flag,
            _ if self.is_text() => CodeMeaning::Text,
            _ if self.is_number() => CodeMeaning::Number,
            _ => CodeMeaning::Nothing,
        };
        if ok { Ok(()) } else { Err(MappingProblem::Code { meant, shown: code.shown() }) }
    }

    /// The texts that it reads without codes; `None` for fields of text, which keep any text.
    pub fn understood(self) -> Option<fn(&str) -> bool> {
        match self {
            Self::RoofType => Some(|t| roof_type(t).is_some()),
            Self::PropertyClass => Some(|t| property_class(t).is_some()),
            Self::HeatFuel => Some(|t| heat_fuel(t).is_some()),
            Self::Grade => Some(|t| grade(t).is_some()),
            _ if self.is_flag() => Some(|t| cell::flag(t).is_some()),
            _ if self.is_number() => Some(|t| cell::number(t).is_some()),
            _ => None,
        }
    }

    /// Only areas are measured in units.
    pub fn check_unit(self, unit: Option<Unit>) -> Result<(), MappingProblem> {
        use Field::{BuildingAreaSqft, GarageAreaSqft, GroundFloorSqft, LivingAreaSqft};
        let is_area = matches!(self, LivingAreaSqft | BuildingAreaSqft | GroundFloorSqft | GarageAreaSqft);
        match unit {
            None => Ok(()),
            Some(unit) if is_area && unit.is_area() => Ok(()),
            Some(_) if is_area => Err(MappingProblem::NotAnArea),
            Some(_) => Err(MappingProblem::NoUnit),
        }
    }

    fn is_flag(self) -> bool {
        matches!(self, Self::ResidentialExemption | Self::GarageAttached | Self::TaxDelinquent)
    }

    pub fn is_number(self) -> bool {
        !(self.is_of_few_words() || self.is_text() || self.is_flag() || self == Self::SaleDate)
    }

    /// Whether it knows only the words that the manual names.
    pub fn is_of_few_words(self) -> bool {
        matches!(self, Self::RoofType | Self::PropertyClass | Self::HeatFuel | Self::Grade)
    }

    /// Whether it names people or where they live.
    pub fn is_personal(self) -> bool {
        matches!(self, Self::PrimaryOwner | Self::SecondaryOwner | Self::MailingAddress)
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

    /// Whether the record has this field, for the coverage of the report.
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

    /// Puts a value into the record. Zero means "not recorded" for years, storeys, areas, units and prices; a
    /// value of zero dollars is a value, and so is a sale for one dollar. An owner who is nobody ("UNKNOWN") is not
    /// recorded. `Ok(false)` when nothing is recorded.
    pub fn set(self, from: &Formula, value: Value<'_>, a: &mut Assessor) -> Result<bool, Unread> {
        // A text without a code stays as it is; a word that is not one of ours is an unknown code.
        let unknown = |e: Unread| if from.codes().next().is_some() { Unread::UnknownCode } else { e };
        let text = || value.as_text().into_owned();
        let flag = || match &value {
            Value::Coded(Code::Flag(b)) => Ok(*b),
            other => cell::flag(&other.as_text()).ok_or_else(|| unknown(Unread::NotReadable)),
        };
        let word = || value.as_text();
        let positive = |most| positive(&value, most).map_err(|e| if e == Unread::NotReadable { unknown(e) } else { e });
        let money = || money(&value).map_err(|e| if e == Unread::NotReadable { unknown(e) } else { e });
        let area = || positive(MAX_AREA_SQFT);
        let person = || Some(text()).filter(|name| !cell::is_nobody(name));
        let known = match self {
            Self::PrimaryOwner => keep(&mut a.primary_owner, person()),
            Self::SecondaryOwner => keep(&mut a.secondary_owner, person()),
            Self::MailingAddress => keep(&mut a.mailing_address, Some(text())),
            Self::RoofMaterial => keep(&mut a.roof_material, Some(text())),
            Self::Style => keep(&mut a.style, Some(text())),
            Self::WallType => keep(&mut a.wall_type, Some(text())),
            Self::Grade => keep(&mut a.grade, Some(grade(&word()).ok_or(Unread::UnknownCode)?)),
            Self::PropertyType => keep(&mut a.property_type, Some(text())),
            Self::Zoning => keep(&mut a.zoning, Some(text())),
            Self::County => keep(&mut a.county, Some(text())),
            Self::Subdivision => keep(&mut a.subdivision, Some(text())),
            Self::SchoolDistrict => keep(&mut a.school_district, Some(text())),
            Self::HeatFuel => keep(&mut a.heat_fuel, Some(heat_fuel(&word()).ok_or(Unread::UnknownCode)?)),
            Self::ResidentialExemption => keep(&mut a.residential_exemption, Some(flag()?)),
            Self::RoofType => keep(&mut a.roof_type, Some(roof_type(&word()).ok_or(Unread::UnknownCode)?)),
            Self::PropertyClass => {
                keep(&mut a.property_class, Some(property_class(&word()).ok_or(Unread::UnknownCode)?))
            }
            Self::YearBuilt => match positive(2_200.0)? {
                Some(year) if year < 1_600.0 || year.fract() != 0.0 => return Err(Unread::OutOfRange),
                year => keep(&mut a.year_built, year.map(|y| y as u16)),
            },
            Self::Storeys => keep(&mut a.storeys, positive(200.0)?),
            Self::Units => match positive(10_000.0)? {
                Some(units) if units.fract() != 0.0 => return Err(Unread::OutOfRange),
                units => keep(&mut a.units, units.map(|u| u as u16)),
            },
            Self::LivingAreaSqft => keep(&mut a.living_area_sqft, area()?),
            Self::BuildingAreaSqft => keep(&mut a.building_area_sqft, area()?),
            Self::GroundFloorSqft => keep(&mut a.ground_floor_sqft, area()?),
            Self::GarageAttached => {
                garage(a).attached = flag()?;
                true
            }
            Self::GarageAreaSqft => area()?.map(|area| garage(a).area_sqft = Some(area)).is_some(),
            Self::GarageCars => positive(1_000.0)?.map(|cars| garage(a).cars = Some(cars)).is_some(),
            Self::SaleDate => {
                let text = value.as_text();
                let sold = Some(&*text).filter(|text| !date::is_no_date(text));
                let sold = sold.map(|text| date::date(text, from.formats()).ok_or(Unread::NotReadable)).transpose()?;
                keep(&mut a.sale_date, sold)
            }
            Self::SalePrice => keep(&mut a.sale_price, Some(money()?).filter(|p| p.cents() > 0)),
            Self::AssessedValue => keep(&mut a.assessed_value, Some(money()?)),
            Self::BuildingValue => keep(&mut a.building_value, Some(money()?)),
            Self::TaxDelinquent => keep(&mut a.tax_delinquent, Some(flag()?)),
        };
        Ok(known)
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Every imported fact is of the one source of its mapping.
fn keep<T>(into: &mut Option<Fact<T>>, value: Option<T>) -> bool {
    *into = value.map(|value| Fact { value, source: 0 });
    into.is_some()
}

fn garage(a: &mut Assessor) -> &mut Garage {
    let none = Garage { attached: false, area_sqft: None, cars: None };
    &mut a.garage.get_or_insert(Fact { value: none, source: 0 }).value
}

fn positive(value: &Value<'_>, most: f64) -> Result<Option<f64>, Unread> {
    match value.number()? {
        0.0 => Ok(None),
        n if n < 0.0 || n > most => Err(Unread::OutOfRange),
        n => Ok(Some(n)),
    }
}

fn money(value: &Value<'_>) -> Result<Usd, Unread> {
    match value.number()? {
        n if !(0.0..=MAX_DOLLARS).contains(&n) => Err(Unread::OutOfRange),
        n => Ok(Usd::from_f64(n)),
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
    Some(match word.to_ascii_lowercase().as_str() {
        "belowaverage" | "below average" => Grade::BelowAverage,
        "average" => Grade::Average,
        "aboveaverage" | "above average" => Grade::AboveAverage,
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
