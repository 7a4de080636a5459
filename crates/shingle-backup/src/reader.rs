use std::io::{self, Read};

use crate::header::Header;
use crate::manifest::{HEADER, MANIFEST, Manifest, Totals};
use crate::{ArchiveError, FileName};

/// Of a file that is read at once: the header, and what is sealed.
const MAX_SMALL_FILE: u64 = 1 << 20;
/// Of some ten million files.
const MAX_MANIFEST: u64 = 2 << 30;

/// Who takes what an archive holds, in its order.
pub trait Visitor {
    type Error: From<ArchiveError>;

    fn begin(&mut self, header: &Header) -> Result<(), Self::Error>;

    /// What is not read of the content is skipped.
    fn file(&mut self, name: &FileName, content: &mut Content<'_>) -> Result<(), Self::Error>;
}

/// A file of the archive, with its digest. That the archive fails is told apart from what a visitor cannot do with it.
pub struct Content<'a> {
    file: &'a mut dyn Read,
    size: u64,
    read: u64,
    digest: blake3::Hasher,
    failed: Option<ArchiveError>,
}

impl Read for Content<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer).inspect_err(|error| {
            if error.kind() != io::ErrorKind::Interrupted {
                self.failed = Some(ArchiveError::reading(error));
            }
        })?;
        self.read += read as u64;
        self.digest.update(&buffer[..read]);
        Ok(read)
    }
}

impl<'a> Content<'a> {
    fn new(file: &'a mut dyn Read, size: u64) -> Self {
        Self { file, size, read: 0, digest: blake3::Hasher::new(), failed: None }
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    /// All of it. Refused where it is large, as nothing sealed is.
    pub fn small(&mut self, name: &FileName) -> Result<Vec<u8>, ArchiveError> {
        self.whole(name.as_str(), MAX_SMALL_FILE)
    }

    fn whole(&mut self, name: &str, most: u64) -> Result<Vec<u8>, ArchiveError> {
        if self.size > most {
            return Err(ArchiveError::TooLarge { file: name.to_owned() });
        }
        let mut bytes = Vec::new();
        self.read_to_end(&mut bytes).map_err(|e| ArchiveError::reading(&e))?;
        if self.read == self.size { Ok(bytes) } else { Err(ArchiveError::CutShort) }
    }

    /// To its end, which proves it.
    fn finish(mut self) -> Result<(u64, blake3::Hash), ArchiveError> {
        io::copy(&mut self, &mut io::sink()).map_err(|e| ArchiveError::reading(&e))?;
        if self.read == self.size { Ok((self.read, self.digest.finalize())) } else { Err(ArchiveError::CutShort) }
    }
}

/// Hands everything to the visitor, then compares all of it with the manifest: what was made of the files is good only if
/// this succeeds.
pub fn read<V: Visitor>(from: impl Read, visitor: &mut V) -> Result<Totals, V::Error> {
    // Before the header is read, any fault means a file of another kind.
    let no_header = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => ArchiveError::CutShort,
        _ => ArchiveError::NotABackup,
    };
    let mut archive = tar::Archive::new(zstd::Decoder::new(from).map_err(no_header)?);
    let mut entries = archive.entries().map_err(no_header)?;
    let mut first = entries.next().ok_or(ArchiveError::NotABackup)?.map_err(no_header)?;
    if &*first.path_bytes() != HEADER.as_bytes() {
        return Err(ArchiveError::NotABackup.into());
    }
    let size = first.size();
    let header = Header::parse(&Content::new(&mut first, size).whole(HEADER, MAX_SMALL_FILE)?)?;
    drop(first);
    visitor.begin(&header)?;

    let mut found = Manifest::default();
    let mut listed: Option<Manifest> = None;
    for entry in entries {
        let mut entry = entry.map_err(|e| ArchiveError::reading(&e))?;
        let (path, size) = (String::from_utf8_lossy(&entry.path_bytes()).into_owned(), entry.size());
        let name = FileName::new(&path)?;
        if listed.is_some() {
            return Err(ArchiveError::NotListed { file: path }.into());
        }
        if !entry.header().entry_type().is_file() {
            return Err(ArchiveError::FileName { name: path }.into());
        }
        let mut content = Content::new(&mut entry, size);
        if path == MANIFEST {
            let text = content.whole(MANIFEST, MAX_MANIFEST)?;
            let damaged = |_| ArchiveError::Damaged { file: MANIFEST.to_owned() };
            listed = Some(serde_json::from_slice(&text).map_err(damaged)?);
            continue;
        }
        let visited = visitor.file(&name, &mut content);
        if let Some(fault) = content.failed.take() {
            return Err(fault.into());
        }
        visited?;
        let (size, digest) = content.finish()?;
        found.note(&path, size, digest);
    }
    // The end of the stream proves its checksum.
    io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(|e| ArchiveError::reading(&e))?;
    listed.ok_or(ArchiveError::CutShort)?.compare(&found)?;
    Ok(found.totals())
}
