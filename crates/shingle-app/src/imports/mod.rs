//! Imports that an operator begins in the portal: the file that was uploaded, its mapping, and the one import that runs.
//!
//! Everything of an import is in one folder of the data folder, and goes with it: a record that is replaced in one step, the
//! mapping, the files until they are imported, the rejected rows.
//!
//! # Decision
//!
//! A portal import is a folder of the data folder, with a record replaced in one step, the mapping, and the files
//! until they are imported; it survives a restart, and half an upload is removed at the next start. One runs at a
//! time, on a nice 10 thread. The importer switches the index in one step, and the previous version can be restored
//! (`undo_import`). A typed mapping reads no other file (`Mapping::typed`). Other nodes list what lies here, and send
//! on what people ask of it. Turned down: a table of jobs, since files and index are on one machine; a slot of
//! `heavy_work`, held for minutes.

mod import_message;
mod import_store;
mod record;
mod run;
mod tables;
mod upload;

pub use import_store::{Imports, RowsRead};
pub use record::{Checked, ImportId, ImportRecord, Imported, Stage, UploadedFile};
pub use run::{Work, is_to_be_written};
pub use upload::{Upload, UploadError};

pub(crate) use import_message::{CellProblem, ImportEnd};
