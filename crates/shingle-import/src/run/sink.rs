//! Where rows go once they are read: into an index, or into a report.

use std::io;

use shingle_domain::message::Message;
use shingle_property::external_sort::Sorter;

use crate::error::ImportError;
use crate::join::mailing::NormalizedCache;
use crate::join::parcel_groups::note_mail;
use crate::row::doubtful::AsWritten;
use crate::row::imported::ImportedRow;
use crate::run::checkpoint::{Checkpoint, ImportWorkdir};
use crate::run::fingerprint::Fingerprint;
use crate::run::own_rows::SampledRows;
use crate::run::rejects::Rejects;

pub(crate) trait RowSink {
    /// Takes a row that was read; `written` is its address as the file has it. `true` when it is time for a
    /// [`checkpoint`](Self::checkpoint).
    fn accept(&mut self, row: &mut ImportedRow, written: &dyn Fn() -> AsWritten) -> Result<bool, ImportError>;
    /// `row` is its number, and its line in a file of lines.
    fn reject(&mut self, file: &str, row: (u64, Option<u64>), reason: &Message, raw: &str) -> Result<(), ImportError>;
    fn checkpoint(&mut self, state: &mut Checkpoint) -> Result<(), ImportError>;
}

/// Sorts rows for the index, and keeps what is needed to resume.
pub(crate) struct IndexSink<'a> {
    pub sorter: Sorter,
    pub rejects: Rejects,
    pub workdir: &'a ImportWorkdir,
    pub fingerprint: &'a Fingerprint<'a>,
    pub properties: NormalizedCache,
    pub sampled: SampledRows,
}

impl RowSink for IndexSink<'_> {
    fn accept(&mut self, row: &mut ImportedRow, _: &dyn Fn() -> AsWritten) -> Result<bool, ImportError> {
        note_mail(row, &mut self.properties);
        self.sampled.look(row);
        let value =
            postcard::to_stdvec(row).map_err(|e| ImportError::write(self.workdir.folder())(io::Error::other(e)))?;
        Ok(self.sorter.push(&[row.group.as_bytes()], &value)?)
    }

    fn reject(&mut self, file: &str, row: (u64, Option<u64>), reason: &Message, raw: &str) -> Result<(), ImportError> {
        self.rejects.push(file, row, reason, raw)
    }

    fn checkpoint(&mut self, state: &mut Checkpoint) -> Result<(), ImportError> {
        if state.fingerprint.is_empty() {
            state.fingerprint = self.fingerprint.take()?;
        }
        self.sorter.sync()?;
        state.runs = self.sorter.runs().to_vec();
        state.side_file = self.rejects.sync()?;
        self.workdir.save(state)
    }
}
