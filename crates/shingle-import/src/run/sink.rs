//! What becomes of rows once they are read: an index, or a report.

use crate::join::mailing::Properties;
use crate::join::parcel_groups::note_mail;
use crate::join::row_sorter::Spool;
use crate::row::reader::Gathered;
use crate::run::checkpoint::{Checkpoint, Workshop};
use crate::run::coverage::Coverage;
use crate::run::rejects::Rejects;
use shingle_property::PropertyError;

pub(crate) trait Outcome {
    /// Takes a row that was understood. `true` when it is time for a [`checkpoint`](Self::checkpoint).
    fn keep(&mut self, row: &mut Gathered) -> Result<bool, PropertyError>;
    fn refuse(&mut self, file: &str, row: u64, reason: &str, raw: &str) -> Result<(), PropertyError>;
    fn checkpoint(&mut self, state: &mut Checkpoint) -> Result<(), PropertyError>;
}

/// Rows on their way into an index.
pub(crate) struct Keeping<'a> {
    pub spool: Spool,
    pub rejects: Rejects,
    pub workshop: &'a Workshop,
    pub coverage: Coverage,
    pub properties: Properties,
}

impl Outcome for Keeping<'_> {
    fn keep(&mut self, row: &mut Gathered) -> Result<bool, PropertyError> {
        note_mail(row, &mut self.properties);
        let has = self.coverage.of(row);
        self.spool.push(row, has)
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
