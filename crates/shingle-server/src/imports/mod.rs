//! Imports that an operator begins in the portal: the file that was uploaded, its mapping, and the one import that runs.
//!
//! Everything of an import is in one folder of the data folder, and goes with it: a record that is replaced in one step, the
//! mapping, the files until they are imported, the rejected rows.

mod record;
mod run;
mod shelf;
mod tables;
mod upload;

pub use record::{Checked, ImportId, ImportRecord, Imported, Stage, UploadedFile};
pub use run::{Work, why_unproposed};
pub use shelf::{Imports, RowsRead};
pub use upload::{Upload, UploadError};
