//! The ground that an area covers: circles, and the boxes around them that statistics are compared with.

use serde::{Deserialize, Serialize};
use shingle_domain::evidence::Position;

/// The mean radius of the Earth.
const EARTH_MILES: f64 = 3_958.761_3;

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Circle {
    pub latitude: f64,
    pub longitude: f64,
    pub miles: f64,
}

/// All that lies in one of the circles.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Area {
    circles: Vec<Circle>,
}

/// In degrees. A box whose west is larger than its east crosses the antimeridian.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoundingBox {
    pub west: f64,
    pub south: f64,
    pub east: f64,
    pub north: f64,
}

impl BoundingBox {
    fn crosses(&self) -> bool {
        self.west > self.east
    }

    /// At most two boxes, none of which crosses the antimeridian.
    fn pieces(&self) -> impl Iterator<Item = Self> {
        let (first, second) = match self.crosses() {
            true => (Self { east: 180.0, ..*self }, Some(Self { west: -180.0, ..*self })),
            false => (*self, None),
        };
        std::iter::once(first).chain(second)
    }

    /// In longitude and latitude.
    pub fn corners(&self) -> Vec<(f64, f64)> {
        vec![(self.west, self.south), (self.east, self.south), (self.east, self.north), (self.west, self.north)]
    }

    pub fn meets(&self, other: &Self) -> bool {
        self.pieces().any(|a| {
            other.pieces().any(|b| a.west <= b.east && b.west <= a.east && a.south <= b.north && b.south <= a.north)
        })
    }

    /// Square degrees, which are compared within one box only.
    fn size(&self) -> f64 {
        self.pieces().map(|p| (p.east - p.west).max(0.0) * (p.north - p.south).max(0.0)).sum()
    }

    fn common(&self, other: &Self) -> f64 {
        let both = |a: Self, b: &Self| Self {
            west: a.west.max(b.west),
            south: a.south.max(b.south),
            east: a.east.min(b.east),
            north: a.north.min(b.north),
        };
        self.pieces()
            .flat_map(|a| other.pieces().map(move |b| both(a, &b)))
            .filter(|b| b.west <= b.east && b.south <= b.north)
            .map(|b| b.size())
            .sum()
    }

    pub fn middle(&self) -> Position {
        let longitude = match self.crosses() {
            true => wrapped((self.west + self.east + 360.0) / 2.0),
            false => (self.west + self.east) / 2.0,
        };
        Position { longitude, latitude: (self.south + self.north) / 2.0 }
    }
}

fn wrapped(longitude: f64) -> f64 {
    if longitude > 180.0 {
        longitude - 360.0
    } else if longitude < -180.0 {
        longitude + 360.0
    } else {
        longitude
    }
}

impl Circle {
    fn around(&self) -> BoundingBox {
        let reach = (self.miles / EARTH_MILES).to_degrees();
        let (south, north) = (self.latitude - reach, self.latitude + reach);
        if north >= 90.0 || south <= -90.0 {
            return BoundingBox { west: -180.0, south: south.max(-90.0), east: 180.0, north: north.min(90.0) };
        }
        // The circle is widest a little nearer to the pole than its center.
        let across = (reach.to_radians().sin() / self.latitude.to_radians().cos()).clamp(-1.0, 1.0).asin().to_degrees();
        if across >= 180.0 {
            return BoundingBox { west: -180.0, south, east: 180.0, north };
        }
        BoundingBox { west: wrapped(self.longitude - across), south, east: wrapped(self.longitude + across), north }
    }

    fn holds(&self, at: Position) -> bool {
        let half = |x: f64, y: f64| ((y - x).to_radians() / 2.0).sin().powi(2);
        let across =
            half(self.longitude, at.longitude) * self.latitude.to_radians().cos() * at.latitude.to_radians().cos();
        2.0 * EARTH_MILES * (half(self.latitude, at.latitude) + across).sqrt().asin() <= self.miles
    }
}

impl Area {
    pub fn new(circles: Vec<Circle>) -> Self {
        Self { circles }
    }

    pub fn circles(&self) -> &[Circle] {
        &self.circles
    }

    /// The same with so many miles more at each edge.
    #[must_use]
    pub fn grown(&self, miles: f64) -> Self {
        Self { circles: self.circles.iter().map(|c| Circle { miles: c.miles + miles, ..*c }).collect() }
    }

    pub fn holds(&self, at: Position) -> bool {
        self.circles.iter().any(|c| c.holds(at))
    }

    pub fn meets(&self, other: &BoundingBox) -> bool {
        self.circles.iter().any(|c| c.around().meets(other))
    }

    /// Places all over it, at the same distance.
    pub fn spots(&self) -> Vec<Position> {
        const ACROSS: u32 = 24;
        let of_circle = |circle: &Circle| {
            let along =
                |from: f64, to: f64, step: u32| from + (to - from) * (f64::from(step) + 0.5) / f64::from(ACROSS);
            let boxes: Vec<BoundingBox> = circle.around().pieces().collect();
            let circle = *circle;
            boxes.into_iter().flat_map(move |b| {
                let at = move |n: u32| Position {
                    longitude: along(b.west, b.east, n / ACROSS),
                    latitude: along(b.south, b.north, n % ACROSS),
                };
                (0..ACROSS * ACROSS).map(at).filter(move |at| circle.holds(*at))
            })
        };
        self.circles.iter().flat_map(of_circle).collect()
    }

    /// The corners of a box about each circle, in longitude and latitude.
    pub fn corners(&self) -> Vec<Vec<(f64, f64)>> {
        let boxes = self.circles.iter().flat_map(|circle| circle.around().pieces().collect::<Vec<_>>());
        boxes.map(|b| b.corners()).collect()
    }

    /// About which share of a box lies in the area, as if its rows were spread evenly.
    pub fn share_of(&self, other: &BoundingBox) -> f64 {
        let size = other.size();
        if size <= 0.0 {
            return f64::from(u8::from(self.meets(other)));
        }
        const STEPS: u32 = 12;
        let along = |from: f64, to: f64, step: u32| from + (to - from) * (f64::from(step) + 0.5) / f64::from(STEPS);
        let spots = other.pieces().flat_map(|p| (0..STEPS * STEPS).map(move |n| (p, n / STEPS, n % STEPS)));
        let (mut within, mut all) = (0_u32, 0_u32);
        for (piece, x, y) in spots {
            let longitude = along(piece.west, piece.east, x);
            all += 1;
            within += u32::from(self.holds(Position { longitude, latitude: along(piece.south, piece.north, y) }));
        }
        if within > 0 {
            return f64::from(within) / f64::from(all);
        }
        // The area lies between the spots. Circles that overlap are counted twice; it is an estimate.
        let common: f64 = self.circles.iter().map(|c| c.around().common(other) * std::f64::consts::FRAC_PI_4).sum();
        (common / size).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circle(latitude: f64, longitude: f64, miles: f64) -> Area {
        Area::new(vec![Circle { latitude, longitude, miles }])
    }

    #[test]
    fn a_circle_holds_what_is_near_and_meets_the_boxes_around_it() {
        let boulder = circle(40.025, -105.349, 25.0);
        let at = |latitude, longitude| Position { longitude, latitude };
        assert!(boulder.holds(at(40.0, -105.2)));
        // 25 miles are 0.362 degrees of latitude.
        assert!(boulder.holds(at(40.025 + 0.361, -105.349)) && !boulder.holds(at(40.025 + 0.363, -105.349)));
        let near = BoundingBox { west: -105.0, south: 40.0, east: -104.8, north: 40.1 };
        let far = BoundingBox { west: -104.0, south: 40.0, east: -103.0, north: 41.0 };
        assert!(boulder.meets(&near) && !boulder.meets(&far));
        assert_eq!(boulder.share_of(&far), 0.0);
        let point = BoundingBox { west: -105.3, south: 40.0, east: -105.3, north: 40.0 };
        assert_eq!((boulder.share_of(&point), boulder.meets(&point)), (1.0, true));
        assert!(boulder.share_of(&near) > 0.2 && boulder.share_of(&near) <= 1.0);
    }

    #[test]
    fn an_area_at_the_antimeridian_has_both_sides() {
        let adak = circle(51.9, 179.9, 50.0);
        let at = |longitude| Position { longitude, latitude: 51.9 };
        assert!(adak.holds(at(179.5)) && adak.holds(at(-179.5)) && !adak.holds(at(-177.0)) && !adak.holds(at(0.0)));
        let west = BoundingBox { west: -180.0, south: 51.0, east: -179.0, north: 52.5 };
        let east = BoundingBox { west: 179.0, south: 51.0, east: 180.0, north: 52.5 };
        let crossing = BoundingBox { west: 179.8, south: 51.0, east: -179.9, north: 52.5 };
        let middle = BoundingBox { west: -10.0, south: 51.0, east: 10.0, north: 52.5 };
        assert!(adak.meets(&west) && adak.meets(&east) && adak.meets(&crossing) && !adak.meets(&middle));
        assert!((crossing.middle().longitude - 179.95).abs() < 1e-9, "{:?}", crossing.middle());
    }

    #[test]
    fn every_point_of_a_circle_lies_in_its_box() {
        for latitude in [-14.0_f64, 20.0, 48.0, 71.0] {
            let area = circle(latitude, -100.0, 60.0);
            let around = area.circles[0].around();
            for step in 0..720 {
                let angle = f64::from(step).to_radians() / 2.0;
                let (r, lat) = (60.0 / EARTH_MILES, latitude.to_radians());
                let north = (lat.sin() * r.cos() + lat.cos() * r.sin() * angle.cos()).asin();
                let east = (angle.sin() * r.sin() * lat.cos()).atan2(r.cos() - lat.sin() * north.sin());
                let (x, y) = (-100.0 + east.to_degrees(), north.to_degrees());
                assert!(around.west - 1e-9 <= x && x <= around.east + 1e-9, "{latitude} {step}");
                assert!(around.south - 1e-9 <= y && y <= around.north + 1e-9, "{latitude} {step}");
            }
        }
    }
}
