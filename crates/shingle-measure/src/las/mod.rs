//! LAS 1.0 to 1.4 and LAZ, COPC among them.
//!
//! # Decision
//!
//! The headers are read here, only the compression is left to `laz`. Turned down: `las` 0.11, which decodes every field of
//! every point into a record of its own (three times as slow here) and refuses a file for what is written in a
//! field that we do not need; `copc-rs`, since a COPC file is a LAZ file whose chunks have different sizes, and a
//! page of its hierarchy is a list of them.

mod bytes;
mod chunks;
mod copc;
mod header;
mod octree;
mod point10;
mod points;

pub use header::Header;
pub use octree::{Cube, Key};
pub use points::{Ended, Point, PointFile};
