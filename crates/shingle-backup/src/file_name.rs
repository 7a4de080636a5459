use std::fmt;
use std::path::{Component, Path};

use crate::ArchiveError;

const SEALED: &str = "sealed/";
const MAX_LENGTH: usize = 1_000;

/// The name of a file in an archive: words between slashes, none of which leads out of a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileName(String);

impl FileName {
    pub fn new(name: &str) -> Result<Self, ArchiveError> {
        let plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', '\0']);
        let is_relative = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if name.len() <= MAX_LENGTH && is_relative && name.split('/').all(plain) {
            Ok(Self(name.to_owned()))
        } else {
            Err(ArchiveError::FileName { name: name.chars().take(80).collect() })
        }
    }

    /// Of a file that is encrypted with the key of the passphrase.
    pub fn sealed(name: &str) -> Result<Self, ArchiveError> {
        Self::new(&format!("{SEALED}{name}"))
    }

    pub fn is_sealed(&self) -> bool {
        self.0.starts_with(SEALED)
    }

    /// What comes after `folder/`.
    pub fn below(&self, folder: &str) -> Option<&str> {
        self.0.strip_prefix(folder)?.strip_prefix('/')
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
