//! What becomes of rows once they are read: an index, or a report.

use super::checkpoint::{Checkpoint, Workshop};
use super::reading::Gathered;
use super::rejects::Rejects;
use super::spool::Spool;
use crate::PropertyError;

pub(super) trait Outcome {
    /// Takes a row that was understood. `true` when it is time for a [`checkpoint`](Self::checkpoint).
    fn keep(&mut self, row: Gathered) -> bool;
    fn refuse(&mut self, file: &str, row: u64, reason: &str, raw: &str) -> Result<(), PropertyError>;
    fn checkpoint(&mut self, state: &mut Checkpoint) -> Result<(), PropertyError>;
}

/// Rows on their way into an index.
pub(super) struct Keeping<'a> {
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
