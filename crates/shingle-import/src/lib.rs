//! County tables, outlines and parcels into the property index: files of any common format, and a mapping that says
//! which column is what.

mod format;
mod geo;
mod join;
mod mapping;
mod row;
mod run;
#[cfg(test)]
mod tests;

pub use mapping::file::Mapping;
pub use row::reader::UnreadCells;
pub use run::check::{CheckReport, CheckedField, Ground, NEAR_KM, check};
pub use run::import::{ImportJob, ImportReport, Progress, run};
