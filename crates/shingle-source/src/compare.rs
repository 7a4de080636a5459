//! What differs between two loads of one area, row by row, by the ids of the source.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use parquet::file::reader::{FileReader, SerializedFileReader};
use serde::{Deserialize, Serialize};

use crate::error::SourceError;

/// Of one layer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Changes {
    pub new: u64,
    pub gone: u64,
    /// The same, drawn elsewhere or otherwise.
    pub moved: u64,
    /// Another value in another column.
    pub changed: u64,
    pub same: u64,
}

impl Changes {
    pub fn is_none(&self) -> bool {
        self.new + self.gone + self.moved + self.changed == 0
    }
}

/// The digest of what is drawn, and of everything else. Twenty-four bytes for each row with its id.
type Digests = (u64, u64);

/// Compares the files of one layer.
pub fn compare(before: &[PathBuf], after: &[PathBuf]) -> Result<Changes, SourceError> {
    let mut old: HashMap<u64, Digests> = HashMap::new();
    for path in before {
        each_row(path, |id, digests| {
            old.insert(id, digests);
        })?;
    }
    let mut changes = Changes::default();
    for path in after {
        each_row(path, |id, (drawn, others)| match old.remove(&id) {
            None => changes.new += 1,
            Some((was_drawn, _)) if was_drawn != drawn => changes.moved += 1,
            Some((_, had)) if had != others => changes.changed += 1,
            Some(_) => changes.same += 1,
        })?;
    }
    changes.gone = old.len() as u64;
    Ok(changes)
}

fn each_row(path: &Path, mut each: impl FnMut(u64, Digests)) -> Result<(), SourceError> {
    let name = path.display().to_string();
    let damaged = |e: parquet::errors::ParquetError| SourceError::damaged(&name, e.to_string());
    let file = File::open(path).map_err(|e| SourceError::damaged(&name, e))?;
    let reader = SerializedFileReader::new(file).map_err(damaged)?;
    for row in reader.get_row_iter(None).map_err(damaged)? {
        let row = row.map_err(damaged)?;
        let (mut id, mut drawn, mut others) = (0, 0, blake3::Hasher::new());
        for (column, field) in row.get_column_iter() {
            match column.as_str() {
                "id" => id = digest(field.to_string().as_bytes()),
                "geometry" => {
                    drawn = match field {
                        parquet::record::Field::Bytes(bytes) => digest(bytes.data()),
                        other => digest(other.to_string().as_bytes()),
                    }
                }
                name => {
                    others.update(name.as_bytes());
                    others.update(field.to_string().as_bytes());
                    others.update(b"\0");
                }
            }
        }
        let others = others.finalize();
        each(id, (drawn, first_number(others.as_bytes())));
    }
    Ok(())
}

fn digest(bytes: &[u8]) -> u64 {
    first_number(blake3::hash(bytes).as_bytes())
}

fn first_number(digest: &[u8; 32]) -> u64 {
    digest.first_chunk().copied().map_or(0, u64::from_le_bytes)
}
