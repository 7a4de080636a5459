//! From the coordinates of a file to longitude and latitude and back, and to a plane in meters about one roof.

use proj4rs::Proj;
use proj4rs::transform::transform;

use super::system::Horizontal;
use crate::error::MeasureError;

/// A scale that is nearer to 1 than this is that of the grid. Surveys state their areas in it, and so do we.
const GRID_SCALE: f64 = 1e-3;

pub enum Projection {
    /// Meters of a unit. Where on the Earth is not known.
    Plane(f64),
    Degrees,
    Projected {
        meters: f64,
        from: Box<Proj>,
        to: Box<Proj>,
    },
}

impl Projection {
    pub fn of(horizontal: &Horizontal) -> Result<Self, MeasureError> {
        Ok(match horizontal {
            Horizontal::Unknown => Self::Plane(1.0),
            Horizontal::Plane { meters } => Self::Plane(*meters),
            Horizontal::Degrees => Self::Degrees,
            Horizontal::Projected { meters, proj } => {
                let new =
                    |text: &str| Proj::from_proj_string(text).map_err(|e| MeasureError::Crs(format!("{text}: {e}")));
                let (from, to) = match (new(proj), new("+proj=longlat +ellps=WGS84 +no_defs")) {
                    (Ok(from), Ok(to)) => (from, to),
                    // A projection that is not built in: the place is lost, the unit is not.
                    _ => return Ok(Self::Plane(*meters)),
                };
                Self::Projected { meters: *meters, from: Box::new(from), to: Box::new(to) }
            }
        })
    }

    pub fn degrees(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        match self {
            Self::Plane(_) => None,
            Self::Degrees => Some((x, y)),
            Self::Projected { meters, from, to } => {
                let mut point = (x * meters, y * meters, 0.0);
                transform(from, to, &mut point).ok()?;
                finite(point.0.to_degrees(), point.1.to_degrees())
            }
        }
    }

    /// The coordinates in the file of a place in degrees.
    pub fn file(&self, lon: f64, lat: f64) -> Option<(f64, f64)> {
        match self {
            Self::Plane(_) => None,
            Self::Degrees => Some((lon, lat)),
            Self::Projected { meters, from, to } => {
                let mut point = (lon.to_radians(), lat.to_radians(), 0.0);
                transform(to, from, &mut point).ok()?;
                finite(point.0 / meters, point.1 / meters)
            }
        }
    }

    /// A plane in meters about a point of the file.
    pub fn frame(&self, (x, y): (f64, f64)) -> Frame {
        let unit = match self {
            Self::Plane(meters) | Self::Projected { meters, .. } => *meters,
            Self::Degrees => 1e-5,
        };
        let grid = Frame { origin: (x, y), east: (unit, 0.0), north: (0.0, unit) };
        if matches!(self, Self::Plane(_)) {
            return grid;
        }
        let step = if matches!(self, Self::Degrees) { 1e-4 } else { 10.0 / unit };
        let derived = || {
            let (_, lat) = self.degrees(x, y)?;
            let (east, north) = meters_of_degree(lat)?;
            let change = |dx: f64, dy: f64| {
                let (a, b) = (self.degrees(x - dx, y - dy)?, self.degrees(x + dx, y + dy)?);
                let span = 2.0 * step;
                Some(((b.0 - a.0) * east / span, (b.1 - a.1) * north / span))
            };
            Some((change(step, 0.0)?, change(0.0, step)?))
        };
        let Some((by_x, by_y)) = derived() else { return grid };
        let scale = (by_x.0 * by_y.1 - by_x.1 * by_y.0).abs().sqrt() / unit;
        if (scale - 1.0).abs() < GRID_SCALE || !scale.is_finite() || scale == 0.0 {
            return grid;
        }
        Frame { origin: (x, y), east: (by_x.0, by_y.0), north: (by_x.1, by_y.1) }
    }
}

fn finite(x: f64, y: f64) -> Option<(f64, f64)> {
    (x.is_finite() && y.is_finite()).then_some((x, y))
}

/// Meters of a degree of longitude and of latitude, on WGS 84.
fn meters_of_degree(lat: f64) -> Option<(f64, f64)> {
    let (a, e2) = (6_378_137.0_f64, 0.006_694_379_990_14_f64);
    let (sin, cos) = lat.to_radians().sin_cos();
    let w = (1.0 - e2 * sin * sin).sqrt();
    let degree = 1_f64.to_radians();
    (lat.abs() < 89.0).then_some((a / w * cos * degree, a * (1.0 - e2) / (w * w * w) * degree))
}

/// A plane in meters, east and north of an origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    origin: (f64, f64),
    east: (f64, f64),
    north: (f64, f64),
}

impl Frame {
    pub fn meters(&self, x: f64, y: f64) -> (f64, f64) {
        let (dx, dy) = (x - self.origin.0, y - self.origin.1);
        (self.east.0 * dx + self.east.1 * dy, self.north.0 * dx + self.north.1 * dy)
    }

    /// The coordinates in the file of a place in meters.
    pub fn file(&self, x: f64, y: f64) -> (f64, f64) {
        let det = self.east.0 * self.north.1 - self.east.1 * self.north.0;
        let dx = (x * self.north.1 - y * self.east.1) / det;
        let dy = (y * self.east.0 - x * self.north.0) / det;
        (self.origin.0 + dx, self.origin.1 + dy)
    }

    /// The same plane about a place in meters.
    pub fn moved(&self, x: f64, y: f64) -> Self {
        Self { origin: self.file(x, y), ..*self }
    }

    /// So many meters in the unit of the file, rather more than less.
    pub fn units(&self, meters: f64) -> f64 {
        let (x, y) = (self.east.0.hypot(self.north.0), self.east.1.hypot(self.north.1));
        meters / x.min(y)
    }
}
