//! Roofs measured from airborne laser points.

mod crs;
mod error;
mod las;
mod outline;
mod place;
pub mod roof;
mod survey;

pub use crs::{FileCrs, Frame};
pub use error::MeasureError;
pub use las::{Ended, Header, Point, PointFile};
pub use outline::{Outline, Outlines};
pub use survey::{FileFacts, FileReport, Report, Roof, measure_files, measure_traced};
