//! The side file: every row that was not imported, with the reason.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use shingle_property::PropertyError;

pub(crate) struct Rejects {
    path: PathBuf,
    writer: csv::Writer<BufWriter<File>>,
}

impl Rejects {
    /// A new file, or the one of an interrupted import cut back to what its checkpoint had seen.
    pub fn open(path: &Path, keep: u64) -> Result<Self, PropertyError> {
        let failed = PropertyError::write(path);
        let open = || {
            let mut file = OpenOptions::new().create(true).write(true).truncate(false).open(path)?;
            file.set_len(keep)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let mut it =
            Self { path: path.to_owned(), writer: csv::Writer::from_writer(BufWriter::new(open().map_err(failed)?)) };
        if keep == 0 {
            it.write(["file", "row", "reason", "address"])?;
        }
        Ok(it)
    }

    pub fn push(&mut self, file: &str, row: u64, reason: &str, raw: &str) -> Result<(), PropertyError> {
        self.write([&harmless(file), &row.to_string(), &harmless(reason), &harmless(raw)])
    }

    /// On disk, and how long it is now.
    pub fn sync(&mut self) -> Result<u64, PropertyError> {
        let mut sync = || {
            self.writer.flush()?;
            let file = self.writer.get_ref().get_ref();
            file.sync_data()?;
            Ok(file.metadata()?.len())
        };
        sync().map_err(PropertyError::write(&self.path))
    }

    fn write<T: AsRef<[u8]>>(&mut self, fields: [T; 4]) -> Result<(), PropertyError> {
        self.writer.write_record(fields).map_err(|e| PropertyError::write(&self.path)(e.into()))
    }

    /// Ends the file at its place beside the index; `None` when there is nothing in it.
    pub fn finish(mut self, rows: u64, place: &Path) -> Result<Option<PathBuf>, PropertyError> {
        self.sync()?;
        let Self { path, writer } = self;
        drop(writer.into_inner().map_err(|e| PropertyError::write(&path)(e.into_error()))?.flush());
        if rows == 0 {
            for old in [place, &path] {
                if old.exists() {
                    std::fs::remove_file(old).map_err(PropertyError::write(old))?;
                }
            }
            return Ok(None);
        }
        std::fs::rename(&path, place).map_err(PropertyError::write(place))?;
        Ok(Some(place.to_owned()))
    }
}

/// Spreadsheets run a cell that begins like a formula: an apostrophe makes it text.
fn harmless(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text.to_owned() }
}
