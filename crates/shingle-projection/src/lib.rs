//! Coordinate systems by their EPSG number, as proj strings, WKT 1 and 2 or PROJJSON, and from their coordinates to longitude
//! and latitude.

mod datum;
mod epsg;
mod problem;
mod projection;
mod projjson;
mod wkt;
mod wkt2;

pub use epsg::EpsgSystem;
pub use problem::{CrsAdvice, CrsProblem, DatumName, WktProblem};
pub use projection::Projection;
pub use projjson::as_wkt;
pub use wkt::{Node, ParsedCrs, nodes_of};
pub use wkt2::proj_of;
