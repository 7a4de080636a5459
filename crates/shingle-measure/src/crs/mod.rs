//! Where points are, and in which units. Horizontal and vertical units are resolved apart.

mod keys;
mod projection;
mod units;
mod wkt;

use crate::error::MeasureError;
use crate::las::Header;
use keys::GeoKeys;
pub use projection::{Frame, Projection};
use units::{Unit, of_code};

/// What a file says of its coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct FileCrs {
    pub(crate) horizontal: Horizontal,
    /// Meters of a unit of height.
    pub vertical: f64,
    /// The file states the unit of its heights.
    pub is_vertical_stated: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Horizontal {
    /// Nothing is known; meters are assumed.
    Unknown,
    Degrees,
    /// A plane without a known place on the Earth.
    Plane { meters: f64 },
    /// `proj` takes meters, whatever the unit of the file is.
    Projected { meters: f64, proj: String },
}

impl FileCrs {
    /// WKT is preferred, since keys are often poorer; what it leaves out is taken from the keys.
    pub fn of(header: &Header) -> Result<Self, MeasureError> {
        let keys = GeoKeys::parse(&header.crs.keys, &header.crs.doubles);
        let wkt = header.crs.wkt.as_deref().and_then(wkt::parse);
        let said = wkt.unwrap_or_default();
        let horizontal = match (said.horizontal, keys.horizontal()) {
            (Some(horizontal), _) | (None, Some(horizontal)) => horizontal?,
            (None, None) => Horizontal::Unknown,
        };
        let horizontal = match horizontal {
            // Numbers beyond those of degrees: the system that the file names is not the one it is in.
            Horizontal::Degrees if !fits_degrees(header) => Horizontal::Unknown,
            other => other,
        };
        let stated = said.vertical.or_else(|| keys.vertical());
        let assumed = match &horizontal {
            Horizontal::Projected { meters, .. } | Horizontal::Plane { meters } => *meters,
            Horizontal::Unknown | Horizontal::Degrees => 1.0,
        };
        Ok(Self { horizontal, vertical: stated.unwrap_or(assumed), is_vertical_stated: stated.is_some() })
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

fn fits_degrees(header: &Header) -> bool {
    header.bounds.is_none_or(|[min, max]| {
        min[0] >= -360.0 && max[0] <= 360.0 && min[1] >= -360.0 && max[1] <= 360.0
    })
}

/// By the number of a projected system: what its own unit is, unless the file states another.
fn projected(code: u32, stated: Option<Unit>) -> Result<Horizontal, MeasureError> {
    let unknown = || MeasureError::Crs(format!("EPSG {code} is not built in"));
    let code = if matches!(code, 102_100 | 102_113 | 900_913) { 3857 } else { code };
    let def = u16::try_from(code).ok().and_then(crs_definitions::from_code).ok_or_else(unknown)?;
    let (proj, own) = units::without_unit(def.proj4);
    if proj.contains("+proj=longlat") {
        return Ok(Horizontal::Degrees);
    }
    Ok(Horizontal::Projected { meters: stated.map_or(own, |unit| unit.meters), proj })
}

/// Of a vertical system by its number.
fn vertical_of(code: u32) -> Option<f64> {
    match code {
        6360 | 8051 | 6358 | 6359 => of_code(9003),
        8228 | 8050 | 8052 | 8053 | 8054 => of_code(9002),
        5703 | 5702 | 5701 | 5705 | 5709 | 5710 | 5711 | 5720 | 5728 | 5773 | 5783 | 7837 | 3855 | 5941 | 6647 | 5613 => {
            Some(1.0)
        }
        _ => None,
    }
}
