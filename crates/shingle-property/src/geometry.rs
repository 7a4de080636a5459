//! Metres about a place on the WGS 84 ellipsoid.

use shingle_domain::evidence::{Point, Position};

/// The ellipsoid of WGS 84: its larger half axis in meters, and its flattening.
const SEMI_MAJOR_AXIS: f64 = 6_378_137.0;
const FLATTENING: f64 = 1.0 / 298.257_223_563;
/// The square of its first eccentricity.
const ECCENTRICITY_SQUARED: f64 = FLATTENING * (2.0 - FLATTENING);

/// The mean radius of the Earth, for distances on a sphere.
const MEAN_RADIUS_KM: f64 = 6_371.008_8;

/// A plane that touches the ellipsoid at its origin; over one lot its areas are true to 1 in 100,000.
#[derive(Debug, Clone, Copy)]
pub struct LocalPlane {
    origin: Position,
    /// Metres of a degree of longitude and of latitude.
    east: f64,
    north: f64,
}

impl LocalPlane {
    pub fn at(origin: Position) -> Self {
        let latitude = origin.latitude.to_radians();
        let w = 1.0 - ECCENTRICITY_SQUARED * latitude.sin().powi(2);
        let (prime_vertical, meridian) =
            (SEMI_MAJOR_AXIS / w.sqrt(), SEMI_MAJOR_AXIS * (1.0 - ECCENTRICITY_SQUARED) / w.powf(1.5));
        let degree = 1_f64.to_radians();
        Self { origin, east: prime_vertical * latitude.cos() * degree, north: meridian * degree }
    }

    pub fn position(&self, at: Point) -> Position {
        Position {
            longitude: self.origin.longitude + at.x / self.east,
            latitude: self.origin.latitude + at.y / self.north,
        }
    }

    pub fn metres(&self, at: Position) -> Point {
        Point {
            x: (at.longitude - self.origin.longitude) * self.east,
            y: (at.latitude - self.origin.latitude) * self.north,
        }
    }
}

/// Metres east and north from one place to another; good to millimetres within a parcel.
pub fn offset(from: Position, to: Position) -> (f64, f64) {
    let middle = Position { latitude: (from.latitude + to.latitude) / 2.0, ..from };
    let plane = LocalPlane::at(middle);
    ((to.longitude - from.longitude) * plane.east, (to.latitude - from.latitude) * plane.north)
}

/// Along the great circle (haversine).
pub fn kilometres(a: Position, b: Position) -> f64 {
    let half = |x: f64, y: f64| ((y - x).to_radians() / 2.0).sin().powi(2);
    let across = half(a.longitude, b.longitude) * a.latitude.to_radians().cos() * b.latitude.to_radians().cos();
    2.0 * MEAN_RADIUS_KM * (half(a.latitude, b.latitude) + across).sqrt().asin()
}

/// The angle in degrees that a distance takes on the sphere.
pub fn degrees_of(km: f64) -> f64 {
    (km / MEAN_RADIUS_KM).to_degrees()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_degree_has_its_published_length() {
        // Lengths on WGS 84 at 45 degrees: 111,131.8 m of latitude and 78,846.8 m of longitude.
        let plane = LocalPlane::at(Position { longitude: -90.0, latitude: 45.0 });
        assert!((plane.north - 111_131.8).abs() < 0.1, "{}", plane.north);
        assert!((plane.east - 78_846.8).abs() < 0.1, "{}", plane.east);
    }

    #[test]
    fn metres_and_degrees_are_one_place() {
        let plane = LocalPlane::at(Position { longitude: -82.5, latitude: 40.25 });
        let there = plane.metres(plane.position(Point { x: 12.5, y: -7.25 }));
        assert!((there.x - 12.5).abs() < 1e-8 && (there.y + 7.25).abs() < 1e-8);
    }
}
