//! What is known of an address: the one type between the property index and the estimates. A new source fills more of
//! it; no formula changes.

use serde::{Deserialize, Serialize};

use crate::address::Address;
use crate::area::Area;
use crate::money::Usd;

/// Everything found for one address.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    pub matched: AddressMatch,
    pub place: Place,
    /// Figures of the whole ZIP or state.
    #[serde(default)]
    pub area: Area,
    /// The unit that was asked for where the record has none: `3`, `FL 2`.
    #[serde(default)]
    pub asked_unit: Option<String>,
}

impl Evidence {
    /// The unit of the home: recorded, or asked for.
    pub fn unit(&self) -> Option<&str> {
        [&self.place.unit, &self.asked_unit].into_iter().flatten().map(String::as_str).find(|unit| !unit.is_empty())
    }

    /// On one line, with the unit.
    pub fn address_line(&self) -> String {
        format!("{}, {}", self.street_line(), self.place.address.city_line())
    }

    /// On one line as it is recorded: with the unit where it was matched, without one that was only asked for.
    pub fn matched_line(&self) -> String {
        format!("{}, {}", self.street_with(self.place.unit.as_deref()), self.place.address.city_line())
    }

    /// House number, street and unit: `14 Alder Court Unit 3`.
    pub fn street_line(&self) -> String {
        self.street_with(self.unit())
    }

    fn street_with(&self, unit: Option<&str>) -> String {
        let street = self.place.address.street_line();
        match unit.filter(|unit| !unit.is_empty()) {
            Some(unit) if unit.contains(' ') || unit.starts_with('#') => format!("{street} {unit}"),
            Some(unit) => format!("{street} Unit {unit}"),
            None => street,
        }
    }
}

/// How the requested address was matched to a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddressMatch {
    pub level: MatchLevel,
}

/// How well an address was matched, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub enum MatchLevel {
    Exact,
    WithoutUnit,
    WithoutSuffix,
    NumberRange,
    SimilarName,
    Interpolated,
}

impl MatchLevel {
    /// Whether the record is that of the requested address.
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Exact | Self::WithoutUnit | Self::WithoutSuffix | Self::NumberRange)
    }
}

/// One place with an address, as an index stores it: importers make it, look-ups find it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// As the source writes it, in reading case.
    pub address: Address,
    pub unit: Option<String>,
    pub parcel: Option<String>,
    /// Longitude and latitude (WGS 84) of the local frame of the outlines: their common origin.
    pub origin: Option<Position>,
    /// Building outlines at this address or on its parcel, largest first.
    pub buildings: Vec<Building>,
    pub assessor: Assessor,
    /// Building permits, newest first.
    pub permits: Vec<Permit>,
    /// Values of other sources, where the newest source was preferred.
    pub conflicts: Vec<Conflict>,
    /// The sources of the facts; a fact refers to its source by its index in this list.
    pub sources: Vec<Source>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Permit {
    pub kind: PermitKind,
    /// ISO date it was issued.
    pub issued: String,
    pub contractor: Option<String>,
    pub source: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PermitKind {
    Roof,
    Solar,
    HeatPump,
    VehicleCharger,
    Kitchen,
    Other,
}

/// A value of a source that was not preferred.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// The field's name in [`Assessor`]: `year_built`.
    pub field: String,
    /// As it would be displayed.
    pub value: String,
    pub source: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Position {
    pub longitude: f64,
    pub latitude: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// `chesapeake-va-outlines`, say: the name in the mapping file.
    pub name: String,
    /// The same for people: `City of Chesapeake`.
    pub title: Option<String>,
    pub licence: Option<String>,
    /// The year or date of the source, as the mapping gives it: `2021`, `2025-01-01`.
    pub as_of: Option<String>,
    /// Invented data (the sample town), marked as such wherever it is shown.
    pub invented: bool,
}

impl Source {
    /// What people read.
    pub fn shown(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }
}

/// A value with its source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fact<T> {
    pub value: T,
    /// Index into [`Place::sources`].
    pub source: u8,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Building {
    pub outline: Outline,
    /// As the source calls it: `house`, `garage`, `shed`.
    pub use_: Option<String>,
    /// The border of the lot it stands on, where known: in meters like the outline, without what is too small to see.
    pub lot: Vec<Point>,
    pub source: u8,
}

/// The ground plan of one building, in meters east and north of [`Place::origin`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    pub kind: OutlineKind,
    /// Several when the building is drawn in separate parts.
    pub parts: Vec<Polygon>,
    /// Roof planes where a source knows them (a survey, the sample town); empty otherwise.
    pub planes: Vec<RoofPlane>,
    /// What measured the planes. `None`: the source of the outline knows them too.
    pub survey: Option<Survey>,
    /// Whether the outline crosses the border of its parcel, where parcels are known.
    pub spans_parcels: bool,
}

/// What the outline follows: decides whether an overhang is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutlineKind {
    /// The roof's edge, as seen from the air.
    Eave,
    /// The walls, as surveyed or sketched.
    Wall,
}

/// A closed ring without its repeated last point; counter-clockwise outside, clockwise holes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Polygon {
    pub exterior: Vec<Point>,
    pub holes: Vec<Vec<Point>>,
}

/// Metres east (x) and north (y).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// Laser points of a survey from the air.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Survey {
    /// Index into [`Place::sources`].
    pub source: u8,
    /// Points of the roof on a square meter.
    pub points_per_sqm: f32,
}

/// One flat piece of a roof, in plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RoofPlane {
    pub ring: Vec<Point>,
    /// Where other pieces stand on it: dormers.
    pub holes: Vec<Vec<Point>>,
    pub pitch_degrees: f64,
    /// The downhill direction: degrees clockwise from north.
    pub azimuth_degrees: f64,
    /// Meters of the ring's first corner over a zero that the planes of a roof share.
    pub height: Option<f32>,
}

/// What a county's assessor records of a property.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Assessor {
    pub primary_owner: Option<Fact<String>>,
    pub secondary_owner: Option<Fact<String>>,
    /// One line, as recorded.
    pub mailing_address: Option<Fact<String>>,
    /// Whether the owner's mail goes to this property, after normalizing both addresses.
    pub mailed_here: Option<Fact<bool>>,
    pub residential_exemption: Option<Fact<bool>>,
    pub year_built: Option<Fact<u16>>,
    pub storeys: Option<Fact<f64>>,
    pub living_area_sqft: Option<Fact<f64>>,
    pub building_area_sqft: Option<Fact<f64>>,
    pub ground_floor_sqft: Option<Fact<f64>>,
    pub garage: Option<Fact<Garage>>,
    pub roof_type: Option<Fact<RoofType>>,
    pub roof_material: Option<Fact<String>>,
    pub style: Option<Fact<String>>,
    pub wall_type: Option<Fact<String>>,
    pub grade: Option<Fact<Grade>>,
    pub units: Option<Fact<u16>>,
    pub property_class: Option<Fact<PropertyClass>>,
    /// The class in the source's own words.
    pub property_type: Option<Fact<String>>,
    pub zoning: Option<Fact<String>>,
    pub county: Option<Fact<String>>,
    pub subdivision: Option<Fact<String>>,
    pub school_district: Option<Fact<String>>,
    pub heat_fuel: Option<Fact<HeatFuel>>,
    /// ISO date of the last sale.
    pub sale_date: Option<Fact<String>>,
    pub sale_price: Option<Fact<Usd>>,
    pub assessed_value: Option<Fact<Usd>>,
    pub building_value: Option<Fact<Usd>>,
    /// Published by few counties, read only where the mapping says so.
    pub tax_delinquent: Option<Fact<bool>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Garage {
    pub attached: bool,
    pub area_sqft: Option<f64>,
    pub cars: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RoofType {
    Flat,
    Shed,
    Gable,
    Hip,
    Gambrel,
    Mansard,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PropertyClass {
    SingleFamily,
    TwoToFourUnits,
    Condominium,
    Apartments,
    MobileHome,
    MixedResidential,
    VacantLand,
    Commercial,
    Other,
}

/// The heating fuel of the house.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HeatFuel {
    Gas,
    Oil,
    Propane,
    Electric,
    /// Wood, coal, sun, district steam.
    Other,
}

/// The assessor's grade of the construction quality.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Grade {
    BelowAverage,
    Average,
    AboveAverage,
}
