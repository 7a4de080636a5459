//! The one corner of the town: a short street that ends at another, at the last of its lots. The home on the corner is a
//! manor under a roof of many planes.

use std::f64::consts::FRAC_PI_2;

use shingle_domain::evidence::Point;

use super::grid::{BLOCK, COLUMNS, CORNER, FRONTAGE, LOTS_A_SIDE, address};
use super::lot::Lot;
use crate::geometry::LocalPlane;

/// The home on the corner.
pub(super) const MANOR: (&str, &str) = ("25", "Quince Lane");
/// The place of its street among the town's.
const STREET: usize = 61;
const SIDE_STREET: &str = "Weathervane Walk";
/// Metres from the last house of the longer street to the middle of the short one, and from there to its houses.
const BESIDE: f64 = 27.0;
const SETBACK: f64 = 19.0;

/// The lots of the short street: three to its east, and behind the manor one to its west.
pub(super) fn lots() -> Vec<Lot> {
    let plane = LocalPlane::at(CORNER);
    let (column, row) = (STREET % COLUMNS, STREET / COLUMNS);
    let x = column as f64 * BLOCK.0 + (LOTS_A_SIDE as f64 - 0.5) * FRONTAGE + BESIDE;
    let y = row as f64 * BLOCK.1;
    let east = [(1, 27.0), (3, 53.0), (5, 79.0)].map(|(number, north)| (number, SETBACK, north));
    let all = east.into_iter().chain([(2, -SETBACK, 53.0)]);
    let lot = |(number, aside, north): (usize, f64, f64)| {
        Some(Lot {
            address: address(number, SIDE_STREET)?,
            parcel: format!("081-{number:03}"),
            at: plane.position(Point { x: x + aside, y: y + north }),
            // The front, which is drawn to the south, looks at the street.
            turn: if aside > 0.0 { -FRAC_PI_2 } else { FRAC_PI_2 },
            even: false,
            laid_out: 1976,
        })
    };
    all.filter_map(lot).collect()
}
