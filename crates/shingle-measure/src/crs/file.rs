//! What a file says of its coordinates.

use super::keys::GeoKeys;
use super::projection::Projection;
use super::system::{Horizontal, projected, vertical_of};
use super::wkt;
use crate::error::MeasureError;
use crate::las::Header;

/// A coordinate system as a description beside the points says it.
#[derive(Debug, Default)]
pub struct Stated {
    pub wkt: Option<String>,
    /// EPSG numbers.
    pub horizontal: Option<u32>,
    pub vertical: Option<u32>,
}

/// What a file says of its coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct FileCrs {
    pub(crate) horizontal: Horizontal,
    /// Meters of a unit of height.
    pub vertical: f64,
    /// The file states the unit of its heights.
    pub is_vertical_stated: bool,
}

impl FileCrs {
    /// WKT is preferred, since keys are often poorer; what it leaves out is taken from the keys.
    pub fn of(header: &Header) -> Result<Self, MeasureError> {
        let keys = GeoKeys::parse(&header.crs.keys, &header.crs.doubles);
        let wkt = header.crs.wkt.as_deref().and_then(wkt::parse);
        let said = wkt.unwrap_or_default();
        let vertical = said.vertical.or_else(|| keys.vertical());
        Self::resolved(said.horizontal.or_else(|| keys.horizontal()), vertical, header.bounds)
    }

    /// WKT is preferred here as well.
    pub(crate) fn stated(stated: &Stated, bounds: Option<[[f64; 3]; 2]>) -> Result<Self, MeasureError> {
        let said = stated.wkt.as_deref().and_then(wkt::parse).unwrap_or_default();
        let numbered = || stated.horizontal.map(Self::numbered);
        let vertical = said.vertical.or_else(|| stated.vertical.and_then(vertical_of));
        Self::resolved(said.horizontal.or_else(numbered), vertical, bounds)
    }

    fn resolved(
        horizontal: Option<Result<Horizontal, MeasureError>>,
        stated: Option<f64>,
        bounds: Option<[[f64; 3]; 2]>,
    ) -> Result<Self, MeasureError> {
        let horizontal = match horizontal.unwrap_or(Ok(Horizontal::Unknown))? {
            // Numbers beyond those of degrees: the system that the file names is not the one it is in.
            Horizontal::Degrees if !fits_degrees(bounds) => Horizontal::Unknown,
            other => other,
        };
        let assumed = match &horizontal {
            Horizontal::Projected { meters, .. } | Horizontal::Plane { meters } => *meters,
            Horizontal::Unknown | Horizontal::Degrees => 1.0,
        };
        Ok(Self { horizontal, vertical: stated.unwrap_or(assumed), is_vertical_stated: stated.is_some() })
    }

    pub(crate) fn unknown() -> Self {
        Self { horizontal: Horizontal::Unknown, vertical: 1.0, is_vertical_stated: false }
    }

    /// Of a horizontal unit, roughly where it is an angle.
    pub(crate) fn meters(&self) -> f64 {
        match &self.horizontal {
            Horizontal::Unknown => 1.0,
            Horizontal::Degrees => 1e5,
            Horizontal::Projected { meters, .. } | Horizontal::Plane { meters } => *meters,
        }
    }

    /// Converts to longitude and latitude, as far as the file says where it is.
    pub(crate) fn projection(&self) -> Result<Projection, MeasureError> {
        Projection::of(&self.horizontal)
    }

    /// The system of an EPSG number, as outlines name it.
    pub(crate) fn numbered(code: u32) -> Result<Horizontal, MeasureError> {
        match code {
            4326 | 4269 | 4258 => Ok(Horizontal::Degrees),
            _ => projected(code, None),
        }
    }
}

fn fits_degrees(bounds: Option<[[f64; 3]; 2]>) -> bool {
    bounds.is_none_or(|[min, max]| min[0] >= -360.0 && max[0] <= 360.0 && min[1] >= -360.0 && max[1] <= 360.0)
}
