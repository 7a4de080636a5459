//! A file that is read at positions, never beyond its end.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::error::ImageryError;

#[derive(Debug)]
pub struct Bytes {
    file: File,
    length: u64,
}

impl Bytes {
    pub fn open(path: &Path) -> Result<Self, ImageryError> {
        let file = File::open(path)?;
        let facts = file.metadata()?;
        if !facts.is_file() {
            return Err(io::Error::other("it is not a file").into());
        }
        Ok(Self { file, length: facts.len() })
    }

    pub fn length(&self) -> u64 {
        self.length
    }

    /// So many bytes; nothing is allocated for what the file cannot hold.
    pub fn read(&self, at: u64, length: u64, what: &'static str) -> Result<Vec<u8>, ImageryError> {
        let cut_off = || ImageryError::CutOff { what, at, length: self.length };
        if at.checked_add(length).is_none_or(|end| end > self.length) {
            return Err(cut_off());
        }
        let mut bytes = vec![0; usize::try_from(length).map_err(|_| cut_off())?];
        read_at(&self.file, at, &mut bytes)?;
        Ok(bytes)
    }
}

#[cfg(unix)]
fn read_at(file: &File, at: u64, into: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, into, at)
}

#[cfg(windows)]
fn read_at(file: &File, mut at: u64, mut into: &mut [u8]) -> io::Result<()> {
    while !into.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, into, at)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        (at, into) = (at + read as u64, &mut into[read..]);
    }
    Ok(())
}
