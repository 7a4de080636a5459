//! Where points are, and in which units. Horizontal and vertical units are resolved apart.

mod file;
mod keys;
mod projection;
mod stated;
mod system;
mod units;
mod wkt;

pub use file::{FileCrs, Stated};
pub use projection::{Frame, Projection};
pub use stated::StatedCrs;
pub use system::Horizontal;
