//! Coordinates, outlines and the areas that places lie in.

pub(crate) mod areas;
pub(crate) mod crs;
pub(crate) mod crs_problem;
pub(crate) mod datum;
pub(crate) mod datum_names;
pub(crate) mod epsg;
pub(crate) mod misplaced;
pub(crate) mod outline;
pub(crate) mod parcels;
pub(crate) mod projection;
pub(crate) mod projjson;
pub(crate) mod state_boxes;
pub(crate) mod wkt;
pub(crate) mod wkt2;
