//! What becomes of rows once they are read: an index, or a report.

use crate::join::row_sorter::Spool;
use crate::row::reader::Gathered;
use crate::run::checkpoint::{Checkpoint, Workshop};
use crate::run::rejects::Rejects;
use shingle_property::PropertyError;

pub(crate) trait Outcome {
    /// Takes a row that was understood. `true` when it is time for a [`checkpoint`](Self::checkpoint).
    fn keep(&mut self, row: Gathered) -> bool;
    fn refuse(&mut self, file: &str, row: u64, reason: &str, raw: &str) -> Result<(), PropertyError>;
    fn checkpoint(&mut self, state: &mut Checkpoint) -> Result<(), PropertyError>;
}

/// Rows on their way into an index.
pub(crate) struct Keeping<'a> {
    pub spool: Spool,
    pub rejects: Rejects,
    pub workshop: &'a Workshop,
}

impl Outcome for Keeping<'_> {
    fn keep(&mut self, row: Gathered) -> bool {
        self.spool.push(row)
    }

    fn refuse(&mut self, file: &str, row: u64, reason: &str, raw: &str) -> Result<(), PropertyError> {
        self.rejects.push(file, row, reason, raw)
    }

    fn checkpoint(&mut self, state: &mut Checkpoint) -> Result<(), PropertyError> {
        state.runs = self.spool.flush()?.to_vec();
        state.side_file = self.rejects.sync()?;
        self.workshop.save(state)
    }
}
