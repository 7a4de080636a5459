//! A row that was read.

use serde::{Deserialize, Serialize};
use shingle_domain::Address;
use shingle_domain::evidence::{Assessor, Permit, Point, Polygon, Position, RoofPlane};

/// A row that was read, on its way into the index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(Default))]
pub(crate) struct ImportedRow {
    /// Rows with the same group are brought together: those of one parcel, else of one address.
    pub group: String,
    pub file: u16,
    pub row: u64,
    pub address: Option<Address>,
    pub unit: Option<String>,
    pub parcel: Option<String>,
    pub building_use: Option<String>,
    /// The origin of the outline's coordinates, or the point itself.
    pub origin: Option<Position>,
    pub plan: Vec<Polygon>,
    /// Whether the outline reaches over the border of its parcel.
    pub spans_parcels: bool,
    /// The border of its parcel, about the origin; only with an outline.
    pub lot: Vec<Point>,
    /// As laser points show it; only with an outline.
    pub roof: Option<SurveyedRoof>,
    /// Apart: it is half of a row, and rows move often.
    pub assessor: Box<Assessor>,
    pub permit: Option<Permit>,
}

/// A roof that was measured from the air.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SurveyedRoof {
    /// About the origin of the outline.
    pub planes: Vec<RoofPlane>,
    pub points_per_sqm: f32,
}

pub(crate) fn group(parcel: Option<&str>, address: Option<&Address>) -> String {
    match (parcel, address) {
        (Some(parcel), _) => ["p", parcel].concat(),
        (None, Some(address)) => {
            let mut group = String::with_capacity(64);
            group.push('a');
            for part in [&address.street_line(), ", ", &address.city_line()] {
                if part.is_ascii() {
                    let from = group.len();
                    group.push_str(part);
                    group[from..].make_ascii_uppercase();
                } else {
                    group.push_str(&part.to_uppercase());
                }
            }
            group
        }
        (None, None) => String::new(),
    }
}
