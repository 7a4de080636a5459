//! Loads an operator's own table in place of the program's, and goes back to the program's.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use shingle_domain::area::Table;

use super::files::{file, text};
use super::{Reference, TableInfo};
use crate::error::PropertyError;

/// What [`load`] did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    pub table: TableInfo,
    /// What it took the place of.
    pub before: TableInfo,
}

/// Puts a file in place of a table, after reading it whole. What is in use stays as it is when the file is
/// broken, or older than it and `older` is not set. A server that runs uses it from its next start.
pub fn load(folder: &Path, table: Table, from: &Path, older: bool) -> Result<Loaded, PropertyError> {
    let text = text(from)?.ok_or_else(|| PropertyError::read(from)(ErrorKind::NotFound.into()))?;
    let table = Reference::check(table, &text, from)?;
    let before = Reference::open(folder)?.info(table.table);
    let age = |info: &TableInfo| (info.about.year, info.about.refreshed);
    if age(&table) < age(&before) && !older {
        return Err(PropertyError::OlderTable {
            place: from.display().to_string(),
            found: format!("{}, refreshed {}", table.about.year, table.about.refreshed),
            current: format!("{}, refreshed {}", before.about.year, before.about.refreshed),
        });
    }
    fs::create_dir_all(folder).map_err(PropertyError::write(folder))?;
    let kept = file(folder, table.table);
    let partial = folder.join(format!(".{}.{}", table.table.as_str(), std::process::id()));
    let written = fs::File::create(&partial)
        .and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&partial, &kept));
    if let Err(error) = written {
        let _ = fs::remove_file(&partial);
        return Err(PropertyError::write(&kept)(error));
    }
    Ok(Loaded { table: Reference::open(folder)?.info(table.table), before })
}

/// Goes back to the table of the program. Says whether there was another.
pub fn reset(folder: &Path, table: Table) -> Result<bool, PropertyError> {
    let kept = file(folder, table);
    match fs::remove_file(&kept) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(PropertyError::write(&kept)(error)),
    }
}
