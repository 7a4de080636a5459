//! What is known of an address: the one type between the ground (`shingle-property`) and the sums
//! (`shingle-estimate`). A new source fills more of it; no sum changes.

use serde::{Deserialize, Serialize};

use crate::address::Address;
use crate::area::Area;
use crate::money::Usd;

/// Everything found for one address.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    pub matched: Matched,
    pub place: Place,
    /// What holds for the whole ZIP or state.
    #[serde(default)]
    pub area: Area,
}

/// How the address asked for was tied to a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Matched {
    pub level: MatchLevel,
}

/// The rungs of the matching ladder, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MatchLevel {
    Exact,
    WithoutUnit,
    WithoutSuffix,
    NumberRange,
    /// Number, street and town agree, the ZIP does not.
    OtherZip,
    SimilarName,
    Interpolated,
}

impl MatchLevel {
    /// Whether the record is of the very address that was asked for.
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Exact | Self::WithoutUnit | Self::WithoutSuffix | Self::NumberRange)
    }
}

/// One addressed place as an index holds it: what importers make and look-ups find.
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
    /// What other sources say where the newest one was believed.
    pub conflicts: Vec<Conflict>,
    /// Where facts came from; facts name a source by its place in this list.
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

/// A value that was not believed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// The field's name in [`Assessor`]: `year_built`.
    pub field: String,
    /// As it would be shown.
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
    pub licence: Option<String>,
    /// The year or date the source speaks of, as the mapping gives it: `2021`, `2025-01-01`.
    pub as_of: Option<String>,
    /// Invented data (the sample town): shown as such wherever it appears.
    pub invented: bool,
}

/// A value with the source that says so.
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
    pub source: u8,
}

/// The ground plan of one building, in metres east and north of [`Place::origin`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    pub kind: OutlineKind,
    /// Several when the building is drawn in separate parts.
    pub parts: Vec<Polygon>,
    /// Roof planes where a source knows them (a survey, the sample town); empty otherwise.
    pub planes: Vec<RoofPlane>,
    /// Whether the outline reaches over the border of its parcel, where parcels are known.
    pub spans_parcels: bool,
}

/// What the line was drawn around: decides whether an overhang is added.
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

/// One flat piece of a roof, in plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RoofPlane {
    pub ring: Vec<Point>,
    pub pitch_degrees: f64,
    /// The way water runs: degrees clockwise from north.
    pub azimuth_degrees: f64,
}

/// What a county's assessor records of a property.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Assessor {
    pub primary_owner: Option<Fact<String>>,
    pub secondary_owner: Option<Fact<String>>,
    /// One line, as recorded.
    pub mailing_address: Option<Fact<String>>,
    /// Whether the owner's mail goes to this very property, once both addresses are normalised.
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

/// What the house is heated with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HeatFuel {
    Gas,
    Oil,
    Propane,
    Electric,
    /// Wood, coal, sun, steam from the street.
    Other,
}

/// The assessor's judgement of how well it is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Grade {
    BelowAverage,
    Average,
    AboveAverage,
}
