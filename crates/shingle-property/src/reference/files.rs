//! Files of an operator's own tables: `NAME.csv` in a folder of the data.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use shingle_domain::area::Table;

use crate::error::PropertyError;

/// The largest shipped table has 2.5 MB.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Where the operator's own version of a table lies.
pub fn file(folder: &Path, table: Table) -> PathBuf {
    folder.join(format!("{}.csv", table.as_str()))
}

/// The text of a table's file, `None` without one.
pub(super) fn text(path: &Path) -> Result<Option<String>, PropertyError> {
    let size = match fs::metadata(path) {
        Ok(found) => found.len(),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(PropertyError::read(path)(error)),
    };
    let fault = |detail: &str| PropertyError::Table {
        place: path.display().to_string(),
        line: None,
        column: None,
        detail: detail.to_owned(),
    };
    if size > MAX_BYTES {
        return Err(fault("the file is larger than 64 MB; no reference table is"));
    }
    let bytes = fs::read(path).map_err(PropertyError::read(path))?;
    String::from_utf8(bytes).map(Some).map_err(|_| fault("the file is not UTF-8 text; save it as CSV UTF-8"))
}
