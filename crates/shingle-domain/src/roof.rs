//! The roof estimate: the record of the contract, and the drawing for the visitor.

use core::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::money::Usd;
use crate::number::serialize_number;
use crate::time::Timestamp;

/// The roof at an address and what a new one would cost: an approximation, which replaces no inspection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RoofEstimateRecord {
    /// When the answer was made, in UTC. Example: `2026-11-22T23:04:04.000Z`
    pub timestamp: Timestamp,
    #[serde(flatten)]
    pub estimate: RoofEstimate,
}

/// Size, pitch and price of a roof.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RoofEstimate {
    /// Total area of the roof along its slope, in square feet. Null where it cannot be determined. Example: `2480`
    #[serde(serialize_with = "serialize_number")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub roof_area: Option<f64>,
    /// The same in squares; a square is 100 square feet. Null where it cannot be determined. Example: `24.8`
    #[serde(serialize_with = "serialize_number")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub squares_with_pitch: Option<f64>,
    /// Average pitch, in degrees. Null where it cannot be determined. Example: `26.57`
    #[serde(serialize_with = "serialize_number")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub average_roof_pitch: Option<f64>,
    /// How complex the roof is, by the number of its facets. Null where it cannot be determined. Example: `simple`
    pub roof_complexity_level: Option<Complexity>,
    /// The material of the estimate: the requested one, or asphalt shingle. Null where there is no estimate. Example:
    /// `asphalt shingle`
    pub roof_material: Option<RoofMaterial>,
    /// Price of one installed square, in US dollars: the requested one, or that of the reference table. Null where
    /// there is no estimate. Example: `525`
    pub installed_price: Option<Usd>,
    /// Estimated cost of the whole roof, in US dollars. An approximation, which replaces no inspection. Null where it
    /// cannot be determined. Example: `13020`
    pub roof_cost_estimate: Option<Usd>,
    /// 100: the data are those of the primary structure at this very address. 50: they may be those of a structure
    /// nearby. Null where there are none. Example: `100`
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 100)))]
    pub structure_present_confidence_score: Option<u8>,
    /// What is unusual about the measurement and should be looked at. The name is spelled as the API spells it.
    pub data_accurcy_alerts: Alerts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Alerts {
    /// Whether the pitch is unusual. Null where it cannot be determined. Example: `NO_ALERTS`
    pub roof_pitch_alert: Option<PitchAlert>,
    /// Whether the area is unusual. Null where it cannot be determined. Example: `NO_ALERTS`
    pub roof_area_alert: Option<AreaAlert>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PitchAlert {
    LowPitch,
    HighPitch,
    NoAlerts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AreaAlert {
    LowArea,
    HighArea,
    NoAlerts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum Complexity {
    Simple,
    Average,
    Complex,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
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

/// Prices of an installed roof: for every material, and for what is too low for shingles, one figure with its source and
/// year.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceTable {
    /// In the order of [`RoofMaterial::ALL`].
    rows: [ListedPrice; 5],
    low_slope: ListedPrice,
}

/// USD per square (100 sq ft), all-in, tear-off included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedPrice {
    pub per_square: Usd,
    /// The published range around it.
    pub low: Usd,
    pub high: Usd,
    pub source: String,
    /// The year of the source.
    pub year: u16,
}

impl PriceTable {
    /// `None` unless every material is there exactly once, and every row has `0 < low <= price <= high`.
    pub fn new(mut rows: Vec<(RoofMaterial, ListedPrice)>, low_slope: ListedPrice) -> Option<Self> {
        rows.sort_by_key(|(row, _)| RoofMaterial::ALL.iter().position(|m| m == row));
        let complete = rows.iter().map(|(material, _)| *material).eq(RoofMaterial::ALL);
        let rows: [ListedPrice; 5] = rows.into_iter().map(|(_, row)| row).collect::<Vec<_>>().try_into().ok()?;
        let sound = |r: &ListedPrice| r.low.cents() > 0 && r.low <= r.per_square && r.per_square <= r.high;
        let sound = rows.iter().all(sound) && sound(&low_slope);
        (complete && sound).then_some(Self { rows, low_slope })
    }

    /// What has less than 2/12: a membrane, no shingles.
    pub fn low_slope(&self) -> &ListedPrice {
        &self.low_slope
    }

    pub fn row(&self, material: RoofMaterial) -> &ListedPrice {
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RoofDrawing {
    /// From west to east, in tenths of a foot. Example: `520`
    pub width: i32,
    /// From north to south, in tenths of a foot. Example: `340`
    pub height: i32,
    /// The eaves: one closed ring for each part, then its holes. Points are `[x, y]` in tenths of a foot. Example:
    /// `[[[0, 0], [520, 0], [520, 340], [0, 340], [0, 0]]]`
    pub rings: Vec<Vec<[i32; 2]>>,
    /// The planes. Empty where they are not known and cannot be modelled reliably.
    pub facets: Vec<Facet>,
    /// Ridges, hips and valleys.
    pub lines: Vec<RoofLine>,
    /// The longest run of each side that has one, at most four.
    pub dimensions: Vec<Dimension>,
    /// How long its outer edges are. Absent where nobody measured the planes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outer: Option<OuterEdges>,
    /// What the drawing rests on. Example: `outline`
    pub basis: DrawingBasis,
}

/// The edges of a roof that no other plane touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OuterEdges {
    /// Edges that water runs off, in feet. Example: `104`
    pub eaves: u32,
    /// Edges along the slope, and upper edges, in feet along the slope. Example: `76`
    pub rakes: u32,
}

/// What the drawing is based on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Facet {
    /// Its outline as `[x, y]` points, in tenths of a foot. Example: `[[0, 0], [520, 0], [520, 170], [0, 170], [0, 0]]`
    pub ring: Vec<[i32; 2]>,
    /// Its area along the slope, in square feet. Example: `1240`
    pub area: u32,
    /// The side that it faces. Example: `south`
    pub aspect: Aspect,
    /// The best place for its label, in tenths of a foot. Example: `[260, 85]`
    pub label: [i32; 2],
}

/// The side a facet faces: chooses its shade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum Aspect {
    North,
    East,
    South,
    West,
    Flat,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RoofLine {
    /// What kind of line it is. Example: `ridge`
    pub kind: LineKind,
    /// One end, in tenths of a foot. Example: `[0, 170]`
    pub from: [i32; 2],
    /// The other end, in tenths of a foot. Example: `[520, 170]`
    pub to: [i32; 2],
    /// Its length along the slope, in feet. Example: `52`
    pub length: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum LineKind {
    Ridge,
    Hip,
    Valley,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Dimension {
    /// The side of the house. Example: `south`
    pub side: Side,
    /// One end, in tenths of a foot. Example: `[0, 340]`
    pub from: [i32; 2],
    /// The other end, in tenths of a foot. Example: `[520, 340]`
    pub to: [i32; 2],
    /// Its length, in tenths of a foot. Example: `520`
    pub length: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum Side {
    North,
    East,
    South,
    West,
}
