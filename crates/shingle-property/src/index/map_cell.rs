//! Cells of the map, by which an index finds what stands near a spot.
//!
//! A cell is a 1,500th of a degree each way: 74 m high, and 48 m wide at the Canadian border, 67 m in Florida. Its
//! number grows from west to east within a row of cells, so the cells of a row that are asked for are one span.

use std::ops::RangeInclusive;

use shingle_domain::evidence::{Point, Position};

use crate::geometry::LocalPlane;

const CELLS_IN_A_DEGREE: f64 = 1_500.0;
/// A row of cells goes around the Earth: 540,000 of them.
const ROW_BITS: u32 = 20;
/// Steps of a cell from side to side: less than 0.3 m.
const STEPS: f64 = 256.0;
/// Near the poles a circle would touch cells without end.
const MAX_COLUMNS: i64 = 40;

/// A cell, and where in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MapSpot {
    pub cell: i64,
    /// Steps to the north, then to the east, of the cell's south-western corner.
    pub steps: [u8; 2],
}

impl MapSpot {
    /// `None` for what is nowhere on the Earth.
    pub(super) fn of(at: Position) -> Option<Self> {
        let on_earth = at.latitude.abs() <= 90.0 && at.longitude.abs() <= 180.0;
        let [north, east] = from_corner(at);
        let step = |cells: f64| (cells.fract() * STEPS) as u8;
        on_earth.then(|| Self { cell: (north as i64) << ROW_BITS | east as i64, steps: [step(north), step(east)] })
    }

    /// The middle of the step.
    pub(super) fn position(self) -> Position {
        let degrees = |cell: i64, step: u8| (cell as f64 + (f64::from(step) + 0.5) / STEPS) / CELLS_IN_A_DEGREE;
        let (row, column) = (self.cell >> ROW_BITS, self.cell & ((1 << ROW_BITS) - 1));
        Position { latitude: degrees(row, self.steps[0]) - 90.0, longitude: degrees(column, self.steps[1]) - 180.0 }
    }
}

/// The cells that a circle touches, one span for each row of them.
pub(super) fn around(at: Position, radius: f64) -> impl Iterator<Item = RangeInclusive<i64>> {
    let plane = LocalPlane::at(at);
    let corner = |x: f64, y: f64| from_corner(plane.position(Point { x, y })).map(|cells| cells.max(0.0) as i64);
    let ([south, west], [north, east]) = (corner(-radius, -radius), corner(radius, radius));
    let row = move |row: i64| row << ROW_BITS | west..=row << ROW_BITS | east.min(west + MAX_COLUMNS);
    (south..=north).map(row)
}

/// Cells from the corner of the map, to the north and to the east.
fn from_corner(at: Position) -> [f64; 2] {
    [(at.latitude + 90.0) * CELLS_IN_A_DEGREE, (at.longitude + 180.0) * CELLS_IN_A_DEGREE]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::geometry::offset;

    proptest! {
        #[test]
        fn a_spot_keeps_its_place_and_lies_in_every_circle_about_it(
            latitude in 17.0..72.0_f64,
            longitude in -179.0..-64.0_f64,
            angle in 0.0..std::f64::consts::TAU,
            far in 0.0..75.0_f64,
        ) {
            let at = Position { longitude, latitude };
            let spot = MapSpot::of(at).unwrap();
            let (x, y) = offset(at, spot.position());
            prop_assert!(x.hypot(y) < 0.21, "{} m away", x.hypot(y));
            let (sin, cos) = angle.sin_cos();
            let home = LocalPlane::at(at).position(Point { x: far * cos, y: far * sin });
            prop_assert!(around(home, 76.0).any(|cells| cells.contains(&spot.cell)));
            let cells: i64 = around(home, 75.0).map(|cells| cells.end() - cells.start() + 1).sum();
            // Most in the north of Alaska, where cells are narrow.
            prop_assert!(cells <= if latitude < 49.0 { 20 } else { 32 }, "{cells}");
        }
    }

    #[test]
    fn what_is_nowhere_has_no_cell() {
        for (longitude, latitude) in [(f64::NAN, 40.0), (-70.0, f64::INFINITY), (-190.0, 40.0), (40.0, -100.0)] {
            assert_eq!(MapSpot::of(Position { longitude, latitude }), None);
        }
        // The corners of the map have one, and asking about them ends.
        for (longitude, latitude) in [(180.0, 90.0), (-180.0, -90.0), (0.0, 90.0)] {
            let at = Position { longitude, latitude };
            assert!(MapSpot::of(at).is_some());
            assert!(around(at, 75.0).map(|cells| cells.end() - cells.start() + 1).sum::<i64>() <= 200);
        }
    }
}
