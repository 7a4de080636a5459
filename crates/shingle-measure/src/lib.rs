//! Roofs measured from airborne laser points.

mod crs;
mod error;
mod las;
mod outline;
mod place;
mod roof;
mod survey;

pub use crs::FileCrs;
pub use error::MeasureError;
pub use las::{Ended, Header, Point, PointFile};
pub use outline::{Outline, Outlines};
pub use roof::{Edge, EdgeKind, Facet, Measured, Unmeasured};
pub use survey::{FileFacts, FileReport, Report, Roof, measure_files};
