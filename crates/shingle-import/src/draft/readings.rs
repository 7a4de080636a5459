//! The first rows as a drafted mapping reads them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use shingle_domain::message::Message;

use crate::error::ImportError;
use crate::mapping::file::Mapping;
use crate::row::doubtful::AsWritten;
use crate::row::imported::ImportedRow;
use crate::run::checkpoint::Checkpoint;
use crate::run::import::Import;
use crate::run::job::ImportJob;
use crate::run::sink::RowSink;

/// Rows that are shown.
const SHOWN: usize = 10;

/// What the mapping makes of the files.
pub(super) struct Readings {
    pub rows: Vec<String>,
    pub read: u64,
    /// Rows with an address, or with a parcel that another row's address may come to.
    pub kept: u64,
    pub addressed: u64,
    /// The most frequent reason to refuse a row.
    pub reason: Option<(Message, u64)>,
}

impl Readings {
    pub fn of(mapping: &Mapping, files: &[PathBuf]) -> Result<Self, ImportError> {
        let job = ImportJob { files: files.to_vec(), mapping, into: Path::new(".").to_owned() };
        let (mut import, _) = Import::open(&job, &mut ())?;
        let mut first = FirstRows::default();
        import.read(&mut first, &mut ())?;
        Ok(Self {
            rows: first.rows,
            read: import.state.rows_read,
            kept: first.kept,
            addressed: first.addressed,
            reason: import.state.reasons.list().into_iter().next(),
        })
    }
}

#[derive(Default)]
struct FirstRows {
    rows: Vec<String>,
    kept: u64,
    addressed: u64,
}

impl RowSink for FirstRows {
    fn accept(&mut self, row: &mut ImportedRow, _: &dyn Fn() -> AsWritten) -> Result<bool, ImportError> {
        self.kept += 1;
        self.addressed += u64::from(row.address.is_some());
        if row.address.is_some() && self.rows.len() < SHOWN {
            self.rows.push(shown(row));
        }
        Ok(false)
    }

    fn reject(&mut self, _: &str, _: (u64, Option<u64>), _: &Message, _: &str) -> Result<(), ImportError> {
        Ok(())
    }

    fn checkpoint(&mut self, _: &mut Checkpoint) -> Result<(), ImportError> {
        Ok(())
    }
}

/// The address and the facts, without names of people and where they get their mail.
fn shown(row: &ImportedRow) -> String {
    let mut out = String::new();
    if let Some(a) = &row.address {
        let _ = write!(out, "{} {}", a.street_number, a.street_address);
        if let Some(unit) = &row.unit {
            let _ = write!(out, " | unit {unit}");
        }
        let _ = write!(out, " | {}", a.city_line());
    }
    if let Some(parcel) = &row.parcel {
        let _ = write!(out, " | parcel {parcel}");
    }
    if !row.plan.is_empty() {
        let area: f64 = row.plan.iter().map(shingle_domain::geometry::polygon_area).sum();
        let _ = write!(out, " | outline of {area:.0} m²");
    } else if row.origin.is_some() {
        out.push_str(" | a point");
    }
    let a = &row.assessor;
    let _ = match &a.year_built {
        Some(year) => write!(out, " | built {}", year.value),
        None => Ok(()),
    };
    let _ = match &a.living_area_sqft {
        Some(area) => write!(out, " | {:.0} sq ft lived in", area.value),
        None => Ok(()),
    };
    let _ = match &a.sale_date {
        Some(date) => write!(out, " | sold {}", date.value),
        None => Ok(()),
    };
    out
}
