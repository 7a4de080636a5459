//! Ground plans in metres: a plane about a place, and areas on it.

use shingle_domain::evidence::{Point, Polygon, Position};

/// A plane that touches the WGS 84 ellipsoid at its origin; over one lot its areas are true to 1 in 100,000.
#[derive(Debug, Clone, Copy)]
pub struct LocalPlane {
    origin: Position,
    /// Metres of a degree of longitude and of latitude.
    pub east: f64,
    pub north: f64,
}

impl LocalPlane {
    pub fn at(origin: Position) -> Self {
        const A: f64 = 6_378_137.0;
        const E2: f64 = 0.006_694_379_990_141_316;
        let lat = origin.latitude.to_radians();
        let w = 1.0 - E2 * lat.sin().powi(2);
        let degree = 1_f64.to_radians();
        Self { origin, east: A / w.sqrt() * lat.cos() * degree, north: A * (1.0 - E2) / w.powf(1.5) * degree }
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

/// Square metres; positive when counter-clockwise.
pub fn signed_area(ring: &[Point]) -> f64 {
    let Some(&o) = ring.first() else { return 0.0 };
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(a, b)| (a.x - o.x) * (b.y - o.y) - (b.x - o.x) * (a.y - o.y)).sum::<f64>() / 2.0
}

pub fn polygon_area(p: &Polygon) -> f64 {
    signed_area(&p.exterior).abs() - p.holes.iter().map(|h| signed_area(h).abs()).sum::<f64>()
}
