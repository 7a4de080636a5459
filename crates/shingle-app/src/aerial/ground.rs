//! The square of ground that a photograph of a home shows.

use shingle_domain::evidence::{Point, Position};
use shingle_domain::public::RoofFound;
use shingle_property::geometry::LocalPlane;
use shingle_widget::site::homes::homes_window;

/// Drawings count tenths of feet.
const TENTHS_PER_METER: f64 = 10.0 / 0.3048;
/// Meters from the middle to each side: enough for a drawing's window and the street before it.
const LEAST: f64 = 40.0;
const MOST: f64 = 80.0;
/// The same where there are homes to choose from, which are at most 65 m away: in a column they make the widest drawing.
const MOST_OF_HOMES: f64 = 250.0;
/// What the ground has beside the lot.
const AROUND_A_LOT: f64 = 1.6;
const AROUND_A_ROOF: f64 = 2.4;

/// A square, north up, in whole units: the same home has the same ground each time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ground {
    /// Of its middle, in ten millionths of a degree: about a centimeter.
    pub longitude: i32,
    pub latitude: i32,
    /// Decimeters from the middle to each side.
    pub half: u16,
}

const PER_DEGREE: f64 = 1e7;

impl Ground {
    pub fn about(longitude: f64, latitude: f64, half_meters: f64) -> Self {
        let [longitude, latitude] = [longitude, latitude].map(|degrees| (degrees * PER_DEGREE).round() as i32);
        Self { longitude, latitude, half: (half_meters * 10.0).round() as u16 }
    }

    pub fn middle(&self) -> Position {
        Position { longitude: f64::from(self.longitude) / PER_DEGREE, latitude: f64::from(self.latitude) / PER_DEGREE }
    }

    pub fn half_meters(&self) -> f64 {
        f64::from(self.half) / 10.0
    }

    /// West, south, east and north, in degrees.
    pub fn bounds(&self) -> [f64; 4] {
        let half = self.half_meters();
        let plane = LocalPlane::at(self.middle());
        let [a, b] = [-half, half].map(|to| plane.position(Point { x: to, y: to }));
        [a.longitude, a.latitude, b.longitude, b.latitude]
    }

    pub fn corners_and_middle(&self) -> [(f64, f64); 5] {
        let [west, south, east, north] = self.bounds();
        let Position { longitude, latitude } = self.middle();
        [(longitude, latitude), (west, south), (east, south), (west, north), (east, north)]
    }

    /// The ground about a home, and where it lies on the drawing: left, top, width and height.
    pub fn of_home(origin: Position, roof: &RoofFound) -> Option<(Self, [i32; 4])> {
        let drawn = roof.buildings.iter().filter_map(|of| Some((of.at, of.drawing.as_ref()?)));
        let home = bounds(drawn.flat_map(|([x, y], of)| [[x, y], [x + of.width, y + of.height]]))?;
        let lot = roof.around.as_ref().and_then(|around| bounds(around.lot.iter().copied()));
        let longest = |[left, top, right, bottom]: [i32; 4]| f64::from((right - left).max(bottom - top));
        let wanted = (longest(home) * AROUND_A_ROOF).max(lot.map_or(0.0, |lot| longest(lot) * AROUND_A_LOT));
        let half = (wanted / TENTHS_PER_METER / 2.0).clamp(LEAST, MOST);
        let middle = [(home[0] + home[2]) / 2, (home[1] + home[3]) / 2];
        Some(Self::drawn(origin, middle, half))
    }

    /// The ground about the homes to choose from, as wide as their drawing.
    pub fn of_homes(origin: Position, roof: &RoofFound) -> Option<(Self, [i32; 4])> {
        let [left, top, wide, high] = homes_window(roof)?;
        let half = f64::from(wide) / TENTHS_PER_METER / 2.0;
        (half <= MOST_OF_HOMES).then(|| Self::drawn(origin, [left + wide / 2, top + high / 2], half.max(LEAST)))
    }

    /// So much about a place of the drawing.
    fn drawn(origin: Position, middle: [i32; 2], half: f64) -> (Self, [i32; 4]) {
        let [x, y] = middle.map(|n| f64::from(n) / TENTHS_PER_METER);
        let at = LocalPlane::at(origin).position(Point { x, y: -y });
        let reach = (half * TENTHS_PER_METER).round() as i32;
        let frame = [middle[0] - reach, middle[1] - reach, 2 * reach, 2 * reach];
        (Self::about(at.longitude, at.latitude, half), frame)
    }
}

/// Left, top, right and bottom.
fn bounds(points: impl Iterator<Item = [i32; 2]>) -> Option<[i32; 4]> {
    points.map(|[x, y]| [x, y, x, y]).reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])])
}
