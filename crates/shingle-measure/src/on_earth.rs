//! From the meters about a roof to longitude and latitude.

use crate::crs::{Frame, Projection};

/// A plane about one roof, which is small: what the Earth's curvature and the grid's scale change in it is far below a
/// centimeter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnEarth {
    origin: (f64, f64),
    /// Degrees of longitude and latitude of a meter to the east, and of one to the north.
    east: (f64, f64),
    north: (f64, f64),
}

/// Half the width of a roof, meters: over it, the slope of the projection is taken.
const REACH: f64 = 20.0;

impl OnEarth {
    /// `None` where the points do not say where they are.
    pub(crate) fn of(frame: &Frame, projection: &Projection) -> Option<Self> {
        let at = |x: f64, y: f64| {
            let (x, y) = frame.file(x, y);
            projection.degrees(x, y)
        };
        let change = |a: (f64, f64), b: (f64, f64)| ((b.0 - a.0) / (2.0 * REACH), (b.1 - a.1) / (2.0 * REACH));
        Some(Self {
            origin: at(0.0, 0.0)?,
            east: change(at(-REACH, 0.0)?, at(REACH, 0.0)?),
            north: change(at(0.0, -REACH)?, at(0.0, REACH)?),
        })
    }

    /// Longitude and latitude of a point in meters, east and north, of the roof.
    pub fn degrees(&self, x: f64, y: f64) -> (f64, f64) {
        (self.origin.0 + self.east.0 * x + self.north.0 * y, self.origin.1 + self.east.1 * x + self.north.1 * y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crs::Horizontal;

    #[test]
    fn a_roof_lies_where_the_projection_puts_it() {
        let foot = 1200.0 / 3937.0;
        let utm = "+proj=utm +zone=17 +datum=NAD83 +no_defs".to_owned();
        let mercator = "+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +no_defs".to_owned();
        for (horizontal, at) in [
            (Horizontal::Projected { meters: 1.0, proj: utm.clone() }, (300_000.0, 4_400_000.0)),
            (Horizontal::Projected { meters: foot, proj: utm }, (300_000.0 / foot, 4_400_000.0 / foot)),
            (Horizontal::Projected { meters: 1.0, proj: mercator }, (-9_262_000.0, 4_865_000.0)),
            (Horizontal::Degrees, (-83.2, 39.9)),
        ] {
            let projection = Projection::of(&horizontal).unwrap();
            let frame = projection.frame(at);
            let on_earth = OnEarth::of(&frame, &projection).unwrap();
            for (x, y) in [(0.0, 0.0), (30.0, -20.0), (-100.0, 100.0)] {
                let file = frame.file(x, y);
                let (lon, lat) = projection.degrees(file.0, file.1).unwrap();
                let (found_lon, found_lat) = on_earth.degrees(x, y);
                // A hundred-millionth of a degree is a millimeter; a tenth of a meter at a hundred is the curvature.
                let off = (found_lon - lon).abs().max((found_lat - lat).abs());
                assert!(off < 2e-8, "{horizontal:?}: {off} at {x}, {y}");
            }
        }
        let nowhere = Projection::of(&Horizontal::Unknown).unwrap();
        assert_eq!(OnEarth::of(&nowhere.frame((5.0, 5.0)), &nowhere), None);
    }
}
