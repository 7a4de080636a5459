//! Turns a row of a file into what it says about a property.

pub(crate) mod doubtful;
pub(crate) mod far_towns;
pub(crate) mod finding;
pub(crate) mod imported;
pub(crate) mod misread;
pub(crate) mod nearby;
pub(crate) mod parcel_id;
pub(crate) mod reader;
pub(crate) mod reason;
pub(crate) mod row_problem;
pub(crate) mod situs;
pub(crate) mod stats;
pub(crate) mod street_end;
pub(crate) mod values;
