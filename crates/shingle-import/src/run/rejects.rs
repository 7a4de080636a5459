//! The rejects file: every row that was not imported, with the reason.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use shingle_domain::message::Message;

use crate::error::ImportError;

pub(crate) struct Rejects {
    path: PathBuf,
    writer: csv::Writer<BufWriter<File>>,
}

impl Rejects {
    /// A new file, or the file of an interrupted import, cut back to its last checkpoint.
    pub fn open(path: &Path, keep: u64) -> Result<Self, ImportError> {
        let failed = ImportError::write(path);
        let open = || {
            let mut file = OpenOptions::new().create(true).write(true).truncate(false).open(path)?;
            file.set_len(keep)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let mut it =
            Self { path: path.to_owned(), writer: csv::Writer::from_writer(BufWriter::new(open().map_err(failed)?)) };
        if keep == 0 {
            it.write(["file", "row", "reason", "address", "line"])?;
        }
        Ok(it)
    }

    /// `row` is its number, and its line in a file of lines.
    pub fn push(
        &mut self,
        file: &str,
        (row, line): (u64, Option<u64>),
        reason: &Message,
        raw: &str,
    ) -> Result<(), ImportError> {
        let line = line.map(|line| line.to_string()).unwrap_or_default();
        self.write([&harmless(file), &row.to_string(), &harmless(&reason.to_string()), &harmless(raw), &line])
    }

    /// Writes everything to disk and gives the length of the file.
    pub fn sync(&mut self) -> Result<u64, ImportError> {
        let mut sync = || {
            self.writer.flush()?;
            let file = self.writer.get_ref().get_ref();
            file.sync_data()?;
            Ok(file.metadata()?.len())
        };
        sync().map_err(ImportError::write(&self.path))
    }

    fn write<T: AsRef<[u8]>>(&mut self, fields: [T; 5]) -> Result<(), ImportError> {
        self.writer.write_record(fields).map_err(|e| ImportError::write(&self.path)(e.into()))
    }

    /// Closes the file and moves it beside the index; `None` when it is empty.
    pub fn finish(mut self, rows: u64, destination: &Path) -> Result<Option<PathBuf>, ImportError> {
        self.sync()?;
        let Self { path, writer } = self;
        drop(writer.into_inner().map_err(|e| ImportError::write(&path)(e.into_error()))?.flush());
        if rows == 0 {
            for old in [destination, &path] {
                if old.exists() {
                    std::fs::remove_file(old).map_err(ImportError::write(old))?;
                }
            }
            return Ok(None);
        }
        std::fs::rename(&path, destination).map_err(ImportError::write(destination))?;
        Ok(Some(destination.to_owned()))
    }
}

/// Spreadsheets execute a cell that begins like a formula: an apostrophe makes it text.
fn harmless(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text.to_owned() }
}
