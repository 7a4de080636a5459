//! County tables, outlines and parcels into the property index: files of any common format, and a mapping that says
//! which column is what. Bad rows go to a file of their own with the reason; a bad file ends the import and leaves the
//! index as it was.
//!
//! ```
//! use shingle_import::{ImportJob, Mapping, run};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let table = folder.path().join("assessor.csv");
//! std::fs::write(&table, "NO,STREET,BUILT\n14,Alder Ct,1987\n,Elm St,1990\n")?;
//! let mapping = r#"
//!     dataset = "harrow-oh"
//!     [address]
//!     number = "NO"
//!     street = "STREET"
//!     city = { constant = "Harrow" }
//!     state = { constant = "OH" }
//!     zip = { constant = "43099" }
//!     [assessor]
//!     year_built = "BUILT"
//! "#;
//! let mapping = Mapping::from_toml(mapping, "harrow-oh.toml")?;
//! let job = ImportJob { files: vec![table], mapping: &mapping, into: folder.path().join("index") };
//! let report = run(job, &mut ())?;
//! assert_eq!((report.imported, report.reasons), (1, vec![("no house number".to_owned(), 1)]));
//! # Ok(())
//! # }
//! ```
//!
//! # Decisions
//!
//! - An import can be stopped through `Progress::stops`, and then leaves nothing. An import that was killed leaves a
//!   checkpoint and continues when it is started again, only with the same mapping (a digest tells). Turned down:
//!   continuing with an edited mapping; half of the rows would follow the old one.
//! - Parquet is read by the crate `parquet` without Arrow, OpenStreetMap XML by quick-xml. GeoPackage, FlatGeobuf,
//!   TopoJSON, PBF and archives are refused by name with the command that converts them. Turned down: GDAL, a C library in a
//!   single binary.
//! - A new version with less than four fifths of the previous places is refused without `--allow-shrink`.

mod draft;
mod error;
mod format;
mod geo;
mod guide;
mod join;
mod mapping;
mod row;
mod run;
#[cfg(test)]
mod tests;

pub use draft::columns::{FIELD_KEYS, FieldFrom, MappedField, mapped_fields, names, with_columns, with_names};
pub use draft::preview::{Preview, PreviewCell, PreviewRow, PreviewRows, preview};
pub use draft::proposal::{Draft, draft};
pub use draft::sample::columns_of;
pub use error::{ImportError, explained, without_folder};
pub use guide::guide;
pub use mapping::file::{MANUAL, Mapping};
pub use row::doubtful::DoubtfulAddresses;
pub use row::finding::Finding;
pub use row::stats::UnreadCells;
pub use run::check::check;
pub use run::check_report::{CheckReport, CheckedField, Extent, NEAR_ZIP_KM};
pub use run::checkpoint::discard;
pub use run::import::{run, run_allowing_shrink};
pub use run::job::{ImportJob, Progress};
pub use run::own_rows::{LEAST_FOUND_PERCENT, OwnRows};
pub use run::plausible::ValueRange;
pub use run::report::ImportReport;
