//! Coordinates, outlines and the areas that places lie in.

pub(crate) mod areas;
pub(crate) mod crs;
pub(crate) mod crs_problem;
pub(crate) mod file_projection;
pub(crate) mod misplaced;
pub(crate) mod outline;
pub(crate) mod parcels;
pub(crate) mod state_boxes;
