//! Roofs measured from airborne laser points: area, pitch, facets with their support, and edges.
//!
//! ```no_run
//! use shingle_measure::{MeasureError, Outlines, measure_files, point_files};
//!
//! # fn main() -> Result<(), MeasureError> {
//! let tiles = point_files(&["tiles".into()])?;
//! let outlines = Outlines::from_geojson(&std::fs::read_to_string("outlines.geojson")?)?;
//! for roof in measure_files(&tiles, &outlines)?.roofs {
//!     match roof.result {
//!         Ok(m) => println!("{}: {:.1} m² at {:.1}°, {} facets", roof.id, m.area, m.pitch_degrees, m.facets.len()),
//!         Err(why) => println!("{}: {why}", roof.id),
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The way of a point: `las` reads it from a file or `ept` from a folder of them, `crs` says which units it is in, `place` brings the outlines to
//! it, `batch` keeps it with the roofs it is near, within a bound of memory, and `roof` measures. Where no outlines are
//! given, `seek` finds what may be a roof and traces it first.
//!
//! - Nothing depends on the order of points or files, on a clock or on chance: the same points give the same bytes.
//! - Classes are a hint: ground points show where the ground is. Whether a point is of the roof, planes decide.
//! - Areas are those of the survey's own grid, unless that is off by more than a thousandth (Web Mercator, degrees).
//! - Areas count what the outline counts, overhangs with it.

mod batch;
mod boxes;
mod crs;
mod ept;
mod error;
mod las;
mod on_earth;
mod outline;
mod place;
mod roof;
mod seek;
mod survey;
mod tiles;

pub use boxes::Needs;
pub use crs::{FileCrs, StatedCrs};
pub use ept::{Near, Octree, Walk};
pub use error::MeasureError;
pub use las::{Ended, Header, Key as NodeKey, Point, PointFile};
pub use on_earth::OnEarth;
pub use outline::{Outline, Outlines};
pub use roof::{Alert, Edge, EdgeKind, Facet, Measured, Unmeasured};
pub use survey::{Report, Roof, TakeRoof, Traced, measure_each, measure_files, measure_found};
pub use tiles::{FileFacts, FileReport, nothing_read, point_files};
