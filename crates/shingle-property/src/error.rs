//! What can go wrong with an index or a reference table, each with the file, the fault and what to do.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum PropertyError {
    #[error("cannot read {shown}: {source}. Check that the path is right and that this user may read it", shown = .path.display())]
    Read { path: PathBuf, source: io::Error },

    #[error("cannot write {shown}: {source}. Check that this user may write there and that the disk is not full", shown = .path.display())]
    Write { path: PathBuf, source: io::Error },

    #[error("the property index {shown} is damaged: {detail}. Import this data set again", shown = .path.display())]
    Damaged { path: PathBuf, detail: String },

    #[error(
        "the property index {shown} has format {found}; this program reads format {expected}. Import the data again",
        shown = .path.display()
    )]
    Format { path: PathBuf, found: u32, expected: u32 },

    #[error("another import is writing {shown}. Wait for it to end, or stop it", shown = .path.display())]
    Busy { path: PathBuf },

    #[error(
        "`{name}` cannot name a data set: use up to 64 small letters, digits and hyphens, and begin with a letter or digit"
    )]
    DatasetName { name: String },

    #[error(
        "`{dataset}` had {before} places and would have {after}: is the file whole? The index is unchanged. Say \
         --allow-shrink if that is meant"
    )]
    Shrinks { dataset: String, before: u64, after: u64 },

    /// A reference table that cannot be used.
    #[error("{place}{}{}: {detail}", at_line(.line), in_column(.column))]
    Table { place: String, line: Option<u64>, column: Option<String>, detail: String },

    #[error("{place} is of {found}, older than the table in use ({current}). Use --older if that is meant")]
    OlderTable { place: String, found: String, current: String },
}

fn at_line(line: &Option<u64>) -> String {
    line.map(|n| format!(", line {n}")).unwrap_or_default()
}

fn in_column(column: &Option<String>) -> String {
    column.as_ref().map(|name| format!(", column `{name}`")).unwrap_or_default()
}

impl PropertyError {
    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Read { path, source }
    }

    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Write { path, source }
    }

    pub(crate) fn damaged(path: &Path, detail: impl ToString) -> Self {
        Self::Damaged { path: path.to_owned(), detail: detail.to_string() }
    }
}
