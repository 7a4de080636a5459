//! The archive of a backup. It is written and read as a stream, so its size does not matter to memory.
//!
//! An archive is a tar file compressed with zstd, which common tools open. Its first file, `backup.json`, says which
//! program made it and from which database. Its last file, `manifest.json`, lists the size and the BLAKE3 digest of every
//! file between them: an archive without it was cut short. Files below `sealed/` are encrypted with a key made of a
//! passphrase.
//!
//! ```
//! use shingle_backup::{ArchiveError, ArchiveWriter, Content, Engine, FileName, Header, Passphrase, Visitor, read};
//!
//! struct Secret(Passphrase, Option<shingle_backup::SealKey>, Vec<u8>);
//!
//! impl Visitor for Secret {
//!     type Error = ArchiveError;
//!
//!     fn begin(&mut self, header: &Header) -> Result<(), ArchiveError> {
//!         self.1 = Some(header.key(&self.0)?);
//!         Ok(())
//!     }
//!
//!     fn file(&mut self, name: &FileName, content: &mut Content<'_>) -> Result<(), ArchiveError> {
//!         if let (Some(key), true) = (&self.1, name.is_sealed()) {
//!             self.2 = key.open(name, &content.small(name)?)?;
//!         }
//!         Ok(())
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let passphrase = Passphrase::new("correct horse battery")?;
//! let header = Header::new("0.1.0", Engine::Sqlite, 1, "2026-11-28T21:00:00Z", "check");
//! let mut archive = ArchiveWriter::new(Vec::new(), header, Some(&passphrase))?;
//! archive.add_bytes(&FileName::new("data/notes.txt")?, b"hello")?;
//! archive.add_sealed(&FileName::sealed("secret")?, b"of the house")?;
//! let (bytes, totals) = archive.finish()?;
//!
//! let mut secret = Secret(passphrase, None, Vec::new());
//! assert_eq!(read(&bytes[..], &mut secret)?, totals);
//! assert_eq!(secret.2, b"of the house");
//! # Ok(())
//! # }
//! ```
//!
//! # Decisions
//!
//! - Tar and zstd rather than a form of our own: the files can be read without this program.
//! - The manifest comes last, because digests are known only when the files were read. Turned down: a file of digests
//!   beside the archive, which is lost on the way.
//! - The key of a passphrase is made by Argon2id, whose cost stands in the header and can rise. Sealed files are AES-256-GCM
//!   under it, bound to their names. Turned down: encrypting the whole archive, because personal data in the
//!   database is encrypted already, and disks, S3 and `age` encrypt the rest.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test that cannot go on has failed"))]

mod error;
mod file_name;
mod header;
mod manifest;
mod reader;
mod seal;
mod writer;

pub use error::ArchiveError;
pub use file_name::FileName;
pub use header::{Engine, FORMAT, Header};
pub use manifest::Totals;
pub use reader::{Content, Visitor, read};
pub use seal::{MIN_PASSPHRASE, Passphrase, SealKey};
pub use writer::ArchiveWriter;

/// Every message of this crate: the key of its sentence, and its English.
pub const MESSAGES: &[&[(&str, &str)]] = &[ArchiveError::SENTENCES];

#[cfg(test)]
mod tests;
