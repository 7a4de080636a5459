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
//! assert_eq!(report.imported, 1);
//! let (reason, rows) = &report.reasons[0];
//! assert_eq!((reason.to_string().as_str(), *rows), ("no house number", 1));
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
mod note;
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
pub use join::surveyed::RoofFigures;
pub use mapping::file::{MANUAL, Mapping};
pub use mapping::formula::Unread;
pub use mapping::layers::SurveyBeside;
pub use row::doubtful::DoubtfulAddresses;
pub use row::finding::Finding;
pub use row::stats::UnreadCells;
pub use run::advice::{Suggestion, UnreadAdvice};
pub use run::check::check;
pub use run::check_report::{CheckReport, CheckedField, Extent, NEAR_ZIP_KM};
pub use run::checkpoint::discard;
pub use run::import::{run, run_allowing_shrink};
pub use run::job::{ImportJob, Progress};
pub use run::own_rows::{LEAST_FOUND_PERCENT, OwnRows};
pub use run::plausible::ValueRange;
pub use run::report::ImportReport;

/// The lists of every message of this crate, and of the projections that it speaks of.
pub const MESSAGES: &[&[(&str, &str)]] = &[
    draft::draft_problem::DraftProblem::SENTENCES,
    draft::draft_problem::SalesAlone::SENTENCES,
    error::ImportFault::SENTENCES,
    format::columns_problem::ColumnsProblem::SENTENCES,
    format::columns_problem::FixedText::SENTENCES,
    format::file_note::FileNote::SENTENCES,
    format::file_note::NextPages::SENTENCES,
    format::file_problem::FileProblem::SENTENCES,
    format::unread_row::UnreadRow::SENTENCES,
    geo::areas::AreaProblem::SENTENCES,
    geo::crs_problem::CrsNote::SENTENCES,
    geo::crs_problem::MostMisplaced::SENTENCES,
    geo::misplaced::Misplaced::SENTENCES,
    geo::outline::OutlineProblem::SENTENCES,
    join::layer_note::LayerNote::SENTENCES,
    join::layer_note::RoofDoubt::SENTENCES,
    join::layer_note::WhyUnmeasured::SENTENCES,
    join::layer_note::LayerProblem::SENTENCES,
    Unread::SENTENCES,
    mapping::mapping_problem::AsOfForms::SENTENCES,
    mapping::mapping_problem::AsOfProblem::SENTENCES,
    mapping::mapping_problem::CodeMeaning::SENTENCES,
    mapping::mapping_problem::DateLetters::SENTENCES,
    mapping::mapping_problem::KeyHint::SENTENCES,
    mapping::mapping_problem::MappingProblem::SENTENCES,
    mapping::mapping_problem::TomlMistake::SENTENCES,
    mapping::mapping_problem::TomlValue::SENTENCES,
    mapping::permit::PermitProblem::SENTENCES,
    mapping::roles::RoleProblem::SENTENCES,
    note::ImportNote::SENTENCES,
    Finding::SENTENCES,
    row::reason::ReasonOfRows::SENTENCES,
    row::row_problem::RowProblem::SENTENCES,
    run::import_problem::ImportProblem::SENTENCES,
    Suggestion::SENTENCES,
    UnreadAdvice::SENTENCES,
    shingle_projection::CrsAdvice::SENTENCES,
    shingle_projection::CrsProblem::SENTENCES,
    shingle_projection::DatumName::SENTENCES,
    shingle_projection::WktProblem::SENTENCES,
];
