//! Rows and layers brought together: parcels, ZIP areas, owners' mail, and
//! the sort that puts rows of one parcel side by side.

pub(crate) mod layers;
pub(crate) mod mailing;
pub(crate) mod parcel_groups;
pub(crate) mod row_sorter;
