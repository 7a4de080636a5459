//! The roof estimate: the record of the contract, and the drawing for the visitor.

use core::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::money::Usd;
use crate::number::serialize_number;
use crate::time::Timestamp;

/// `GET /api/v1/roof-estimate`. Areas in square feet, pitch in degrees, money in USD.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RoofEstimateRecord {
    pub timestamp: Timestamp,
    #[serde(flatten)]
    pub estimate: RoofEstimate,
}

/// Every field `None` when nothing is known.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RoofEstimate {
    #[serde(serialize_with = "serialize_number")]
    pub roof_area: Option<f64>,
    #[serde(serialize_with = "serialize_number")]
    pub squares_with_pitch: Option<f64>,
    #[serde(serialize_with = "serialize_number")]
    pub average_roof_pitch: Option<f64>,
    pub roof_complexity_level: Option<Complexity>,
    pub roof_material: Option<RoofMaterial>,
    pub installed_price: Option<Usd>,
    pub roof_cost_estimate: Option<Usd>,
    pub structure_present_confidence_score: Option<u8>,
    /// Spelled as the contract spells it.
    pub data_accurcy_alerts: Alerts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Alerts {
    pub roof_pitch_alert: Option<PitchAlert>,
    pub roof_area_alert: Option<AreaAlert>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PitchAlert {
    LowPitch,
    HighPitch,
    NoAlerts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AreaAlert {
    LowArea,
    HighArea,
    NoAlerts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Complexity {
    Simple,
    Average,
    Complex,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RoofMaterial {
    #[serde(rename = "asphalt shingle")]
    AsphaltShingle,
    #[serde(rename = "slate")]
    Slate,
    #[serde(rename = "tile")]
    Tile,
    #[serde(rename = "metal")]
    Metal,
    #[serde(rename = "other")]
    Other,
}

impl RoofMaterial {
    /// In the order of the contract.
    pub const ALL: [Self; 5] = [Self::AsphaltShingle, Self::Slate, Self::Tile, Self::Metal, Self::Other];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::AsphaltShingle => "asphalt shingle",
            Self::Slate => "slate",
            Self::Tile => "tile",
            Self::Metal => "metal",
            Self::Other => "other",
        }
    }
}

impl FromStr for RoofMaterial {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|m| m.as_str() == text).ok_or(())
    }
}

/// Prices of an installed roof: for every material one figure with its source and year.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceTable {
    /// In the order of [`RoofMaterial::ALL`].
    rows: [RoofPrice; 5],
}

/// USD per square (100 sq ft), all-in, tear-off included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoofPrice {
    pub material: RoofMaterial,
    pub per_square: Usd,
    /// The published range around it.
    pub low: Usd,
    pub high: Usd,
    pub source: String,
    /// The year of the source.
    pub year: u16,
}

impl PriceTable {
    /// `None` unless every material is there exactly once, with `0 < low <= price <= high`.
    pub fn new(rows: Vec<RoofPrice>) -> Option<Self> {
        let mut rows: [RoofPrice; 5] = rows.try_into().ok()?;
        rows.sort_by_key(|row| RoofMaterial::ALL.iter().position(|m| *m == row.material));
        let complete = rows.iter().zip(RoofMaterial::ALL).all(|(row, material)| row.material == material);
        let sound = rows.iter().all(|r| r.low.cents() > 0 && r.low <= r.per_square && r.per_square <= r.high);
        (complete && sound).then_some(Self { rows })
    }

    pub fn rows(&self) -> &[RoofPrice] {
        &self.rows
    }

    pub fn row(&self, material: RoofMaterial) -> &RoofPrice {
        match material {
            RoofMaterial::AsphaltShingle => &self.rows[0],
            RoofMaterial::Slate => &self.rows[1],
            RoofMaterial::Tile => &self.rows[2],
            RoofMaterial::Metal => &self.rows[3],
            RoofMaterial::Other => &self.rows[4],
        }
    }

    /// USD per square.
    pub fn price(&self, material: RoofMaterial) -> Usd {
        self.row(material).per_square
    }

    /// The newest year of its sources.
    pub fn as_of(&self) -> u16 {
        self.rows.iter().map(|r| r.year).max().unwrap_or_default()
    }
}

/// A roof in plan, ready to draw: feet × 10 in whole numbers, x to the east, y to the SOUTH (as SVG
/// counts), north up, the smallest x and y at 0.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RoofDrawing {
    pub width: i32,
    pub height: i32,
    /// Eaves: one closed ring a part, then its holes.
    pub rings: Vec<Vec<[i32; 2]>>,
    /// Empty when the planes are not known and cannot be modelled reliably.
    pub facets: Vec<Facet>,
    pub lines: Vec<RoofLine>,
    /// The longest run of each side that has one, at most four.
    pub dimensions: Vec<Dimension>,
    pub basis: DrawingBasis,
}

/// What the drawing is based on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DrawingBasis {
    /// Outline and planes come from a source.
    Measured,
    /// The outline is known, the planes are modelled from it.
    Modelled,
    /// Only the outline is known.
    #[default]
    Outline,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Facet {
    pub ring: Vec<[i32; 2]>,
    /// Square feet along the slope; the facets of a roof add up to its area.
    pub area: u32,
    pub aspect: Aspect,
    /// The best position for its label.
    pub label: [i32; 2],
}

/// The side a facet faces: chooses its shade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Aspect {
    North,
    East,
    South,
    West,
    Flat,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RoofLine {
    pub kind: LineKind,
    pub from: [i32; 2],
    pub to: [i32; 2],
    /// Feet, along the slope.
    pub length: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineKind {
    Ridge,
    Hip,
    Valley,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Dimension {
    pub side: Side,
    pub from: [i32; 2],
    pub to: [i32; 2],
    /// Feet × 10.
    pub length: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    North,
    East,
    South,
    West,
}
