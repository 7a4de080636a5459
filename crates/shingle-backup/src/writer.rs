use std::io::{self, Read, Write};

use crate::header::Header;
use crate::manifest::{HEADER, MANIFEST, Manifest, Totals};
use crate::seal::{Passphrase, Seal, SealKey};
use crate::{ArchiveError, FileName};

/// Little effort: what is large is a database, which shrinks to a third with any level.
const LEVEL: i32 = 3;

pub struct ArchiveWriter<W: Write> {
    tar: tar::Builder<zstd::Encoder<'static, W>>,
    manifest: Manifest,
    key: Option<SealKey>,
}

/// What is read for the archive, with its digest. That the source fails is told apart from a full disk.
struct Source<'a> {
    content: &'a mut dyn Read,
    left: u64,
    digest: blake3::Hasher,
    failed: Option<ReadFault>,
}

enum ReadFault {
    Shrunk,
    Failed(String),
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A file that grows meanwhile is taken as it was.
        let most = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        if most == 0 {
            return Ok(0);
        }
        let read = loop {
            match self.content.read(&mut buffer[..most]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failed = Some(ReadFault::Failed(error.to_string()));
                    return Err(error);
                }
                Ok(0) => {
                    self.failed = Some(ReadFault::Shrunk);
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                Ok(read) => break read,
            }
        };
        self.left -= read as u64;
        self.digest.update(&buffer[..read]);
        Ok(read)
    }
}

impl<W: Write> ArchiveWriter<W> {
    pub fn new(to: W, mut header: Header, passphrase: Option<&Passphrase>) -> Result<Self, ArchiveError> {
        let seal = passphrase.map(|_| Seal::generate()).transpose()?;
        let key = match (&seal, passphrase) {
            (Some(seal), Some(passphrase)) => Some(seal.key(passphrase)?),
            _ => None,
        };
        header.seal = seal;
        let mut compressed = zstd::Encoder::new(to, LEVEL).map_err(|e| ArchiveError::writing(&e))?;
        compressed.include_checksum(true).map_err(|e| ArchiveError::writing(&e))?;
        let mut archive = Self { tar: tar::Builder::new(compressed), manifest: Manifest::default(), key };
        let text = serde_json::to_vec_pretty(&header).map_err(|e| ArchiveError::Write { why: e.to_string() })?;
        archive.put(HEADER, text.len() as u64, &mut &text[..])?;
        Ok(archive)
    }

    fn put(&mut self, name: &str, size: u64, content: &mut dyn Read) -> Result<blake3::Hash, ArchiveError> {
        let mut entry = tar::Header::new_gnu();
        entry.set_size(size);
        entry.set_mode(0o600);
        let mut source = Source { content, left: size, digest: blake3::Hasher::new(), failed: None };
        let written = self.tar.append_data(&mut entry, name, &mut source);
        match (written, source.failed) {
            (Ok(()), _) => Ok(source.digest.finalize()),
            (Err(_), Some(ReadFault::Shrunk)) => Err(ArchiveError::Shrunk { file: name.to_owned() }),
            (Err(_), Some(ReadFault::Failed(why))) => Err(ArchiveError::Read { file: name.to_owned(), why }),
            (Err(error), None) => Err(ArchiveError::writing(&error)),
        }
    }

    /// Of exactly this size; what comes after it is left out.
    pub fn add(&mut self, name: &FileName, size: u64, content: &mut dyn Read) -> Result<(), ArchiveError> {
        let digest = self.put(name.as_str(), size, content)?;
        self.manifest.note(name.as_str(), size, digest);
        Ok(())
    }

    pub fn add_bytes(&mut self, name: &FileName, bytes: &[u8]) -> Result<(), ArchiveError> {
        self.add(name, bytes.len() as u64, &mut &*bytes)
    }

    /// Encrypted with the key of the passphrase.
    pub fn add_sealed(&mut self, name: &FileName, bytes: &[u8]) -> Result<(), ArchiveError> {
        let sealed = self.key.as_ref().ok_or(ArchiveError::NotSealed)?.seal(name, bytes)?;
        self.add_bytes(name, &sealed)
    }

    /// Writes the manifest. Without it, the archive counts as cut short.
    pub fn finish(mut self) -> Result<(W, Totals), ArchiveError> {
        let text = serde_json::to_vec(&self.manifest).map_err(|e| ArchiveError::Write { why: e.to_string() })?;
        self.put(MANIFEST, text.len() as u64, &mut &text[..])?;
        let finished = self.tar.into_inner().and_then(zstd::Encoder::finish);
        Ok((finished.map_err(|e| ArchiveError::writing(&e))?, self.manifest.totals()))
    }
}
