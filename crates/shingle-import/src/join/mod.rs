//! Joins rows and layers: parcels, ZIP areas, owners' mailing addresses, measured roofs, and the sort that puts the rows of one parcel side
//! by side.

pub(crate) mod layer_note;
pub(crate) mod layers;
pub(crate) mod mailing;
pub(crate) mod meeting;
pub(crate) mod parcel_groups;
pub(crate) mod surveyed;
