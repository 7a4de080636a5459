//! The last file of an archive: what is in it.

use serde::{Deserialize, Serialize};

use crate::ArchiveError;

pub(crate) const HEADER: &str = "backup.json";
pub(crate) const MANIFEST: &str = "manifest.json";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Listed {
    pub name: String,
    pub size: u64,
    pub blake3: String,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub files: Vec<Listed>,
}

/// Of the files in an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Totals {
    pub files: usize,
    /// Before they were compressed.
    pub bytes: u64,
}

impl Manifest {
    pub(crate) fn note(&mut self, name: &str, size: u64, digest: blake3::Hash) {
        self.files.push(Listed { name: name.to_owned(), size, blake3: digest.to_hex().to_string() });
    }

    pub(crate) fn totals(&self) -> Totals {
        Totals { files: self.files.len(), bytes: self.files.iter().map(|file| file.size).sum() }
    }

    /// Names the first file in which what was read differs from what was written.
    pub(crate) fn compare(&self, read: &Self) -> Result<(), ArchiveError> {
        for (at, written) in self.files.iter().enumerate() {
            match read.files.get(at) {
                Some(found) if found == written => {}
                Some(found) if found.name == written.name => {
                    return Err(ArchiveError::Damaged { file: written.name.clone() });
                }
                _ => return Err(ArchiveError::Missing { file: written.name.clone() }),
            }
        }
        match read.files.get(self.files.len()) {
            Some(extra) => Err(ArchiveError::NotListed { file: extra.name.clone() }),
            None => Ok(()),
        }
    }
}
