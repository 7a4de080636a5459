//! The first file of an archive: what it was made of.

use serde::{Deserialize, Serialize};

use crate::ArchiveError;
use crate::seal::{Passphrase, Seal, SealKey};

/// Raised when an older program could not read the archive.
pub const FORMAT: u32 = 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    Sqlite,
    Postgres,
}

impl Engine {
    pub fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Header {
    pub format: u32,
    /// The version that made it.
    pub program: String,
    pub engine: Engine,
    /// The number of the newest change of the tables.
    pub schema: i64,
    pub made_at: String,
    /// Equal for equal secrets of an installation.
    pub secret_check: String,
    /// How the key of the sealed files is made; `None`: no file is sealed.
    pub(crate) seal: Option<Seal>,
}

#[derive(Deserialize)]
struct FormatOnly {
    format: u32,
}

impl Header {
    pub fn new(program: &str, engine: Engine, schema: i64, made_at: &str, secret_check: &str) -> Self {
        let (program, made_at, secret_check) = (program.to_owned(), made_at.to_owned(), secret_check.to_owned());
        Self { format: FORMAT, program, engine, schema, made_at, secret_check, seal: None }
    }

    /// Whether it holds files that need the passphrase.
    pub fn is_sealed(&self) -> bool {
        self.seal.is_some()
    }

    /// What opens the sealed files. That the passphrase is the wrong one shows when the first is opened.
    pub fn key(&self, passphrase: &Passphrase) -> Result<SealKey, ArchiveError> {
        self.seal.as_ref().ok_or(ArchiveError::NotSealed)?.key(passphrase)
    }

    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, ArchiveError> {
        let FormatOnly { format } = serde_json::from_slice(bytes).map_err(|_| ArchiveError::NotABackup)?;
        if format > FORMAT {
            return Err(ArchiveError::NewerFormat { found: format, known: FORMAT });
        }
        serde_json::from_slice(bytes).map_err(|_| ArchiveError::Damaged { file: crate::manifest::HEADER.to_owned() })
    }
}
