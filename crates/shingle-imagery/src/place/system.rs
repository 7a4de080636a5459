//! The coordinate system of a picture, from what the file states and what the caller gives.

use shingle_projection::{EpsgSystem, Projection};

use super::keys::GeoKeys;
use crate::error::ImageryError;

/// A unit that is further off than this is another one. Feet of the survey and others differ by two millionths.
const SAME_UNIT: f64 = 1e-3;

#[derive(Debug)]
pub struct System {
    name: String,
    projection: Projection,
}

impl System {
    fn named(name: &str) -> Result<Self, ImageryError> {
        let name = name.trim();
        let projection = Projection::named(name).map_err(|problem| {
            // What follows is advice for the mapping of an import.
            let why = problem.to_string();
            let why = why.split(';').next().unwrap_or_default().to_owned();
            ImageryError::System { name: name.to_owned(), why }
        })?;
        Ok(Self { name: name.to_owned(), projection })
    }

    /// What the file states; `given` where it states nothing.
    pub fn of(keys: &GeoKeys, given: Option<&str>, corners: &[(f64, f64)]) -> Result<Self, ImageryError> {
        let given = given.map(Self::named).transpose()?;
        let Some(code) = keys.system() else { return given.ok_or(ImageryError::NoSystem) };
        check_unit(keys, code)?;
        let stated = Self::named(&format!("EPSG:{code}"))?;
        if let Some(given) = given {
            let meters = corners.iter().map(|at| stated.meters_from(&given, *at)).fold(0.0, f64::max);
            // Names of one system differ, and so do NAD 83 and WGS 84, which count as one here.
            if meters > 0.5 {
                return Err(ImageryError::OtherSystem { stated: stated.name, given: given.name, meters });
            }
        }
        Ok(stated)
    }

    fn meters_from(&self, other: &Self, (x, y): (f64, f64)) -> f64 {
        match (self.degrees(x, y), other.degrees(x, y)) {
            (Some(a), Some(b)) => {
                let (east, north) = meters_of_degree(a.1);
                ((a.0 - b.0) * east).hypot((a.1 - b.1) * north)
            }
            _ => f64::INFINITY,
        }
    }

    pub fn degrees(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        self.projection.degrees(x, y)
    }

    pub fn coordinates(&self, lon: f64, lat: f64) -> Option<(f64, f64)> {
        self.projection.coordinates(lon, lat)
    }
}

fn check_unit(keys: &GeoKeys, code: u32) -> Result<(), ImageryError> {
    let (Some(stated), Some(system)) = (keys.unit(), EpsgSystem::of(code)) else { return Ok(()) };
    let value = |key: &str| system.proj.split_whitespace().find_map(|word| word.strip_prefix(key));
    let own = match (value("+to_meter="), value("+units=")) {
        (Some(number), _) => number.parse().unwrap_or(1.0),
        (None, Some("us-ft")) => 1200.0 / 3937.0,
        (None, Some("ft")) => 0.3048,
        _ => 1.0,
    };
    let degrees = system.proj.contains("+proj=longlat");
    if degrees || (stated / own - 1.0).abs() < SAME_UNIT {
        return Ok(());
    }
    Err(ImageryError::Units { code, own, stated })
}

/// Meters of a degree of longitude and of latitude, on WGS 84.
pub fn meters_of_degree(latitude: f64) -> (f64, f64) {
    let (a, e2) = (6_378_137.0_f64, 0.006_694_379_990_14_f64);
    let (sin, cos) = latitude.to_radians().sin_cos();
    let w = (1.0 - e2 * sin * sin).sqrt();
    let degree = 1_f64.to_radians();
    (a / w * cos * degree, a * (1.0 - e2) / (w * w * w) * degree)
}
