//! Coordinate systems, as far as points need them.

use shingle_projection::EpsgSystem;

use super::units::{Unit, of_code, without_unit};
use crate::error::MeasureError;

#[derive(Debug, Clone, PartialEq)]
pub enum Horizontal {
    /// Nothing is known; meters are assumed.
    Unknown,
    Degrees,
    /// A plane without a known place on the Earth.
    Plane {
        meters: f64,
    },
    /// `proj` takes meters, whatever the unit of the file is.
    Projected {
        meters: f64,
        proj: String,
    },
}

/// By the number of a projected system: what its own unit is, unless the file states another.
pub fn projected(code: u32, stated: Option<Unit>) -> Result<Horizontal, MeasureError> {
    // Numbers that Web Mercator had before.
    let code = if matches!(code, 900_913 | 102_100 | 102_113 | 3785) { 3857 } else { code };
    let unknown = || MeasureError::Crs(format!("EPSG {code} is not built in"));
    let system = EpsgSystem::of(code).ok_or_else(unknown)?;
    let (proj, own) = without_unit(&system.proj);
    if proj.contains("+proj=longlat") {
        return Ok(Horizontal::Degrees);
    }
    Ok(Horizontal::Projected { meters: stated.map_or(own, |unit| unit.meters), proj })
}

/// Of a vertical system by its number.
pub fn vertical_of(code: u32) -> Option<f64> {
    match code {
        6360 | 8051 | 6358 | 6359 => of_code(9003),
        8228 | 8050 | 8052 | 8053 | 8054 => of_code(9002),
        5703 | 5702 | 5701 | 5705 | 5709 | 5710 | 5711 | 5720 | 5728 | 5773 | 5783 | 7837 | 3855 | 5941 | 6647
        | 5613 => Some(1.0),
        _ => None,
    }
}
