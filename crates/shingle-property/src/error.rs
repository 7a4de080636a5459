//! What can go wrong with an index or a reference table, each with the file, the fault and what to do.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use shingle_domain::message::{Message, ToMessage};
use shingle_domain::messages;

#[derive(Debug)]
pub enum PropertyError {
    Read {
        path: PathBuf,
        source: io::Error,
    },
    Write {
        path: PathBuf,
        source: io::Error,
    },
    Damaged {
        path: PathBuf,
        detail: String,
    },
    Format {
        path: PathBuf,
        found: u32,
        expected: u32,
    },
    Busy {
        path: PathBuf,
    },
    DatasetName {
        name: String,
    },
    Shrinks {
        dataset: String,
        before: u64,
        after: u64,
    },
    /// A reference table that cannot be used.
    Table {
        place: String,
        line: Option<u64>,
        column: Option<String>,
        detail: String,
    },
    OlderTable {
        place: String,
        found: String,
        current: String,
    },
}

messages! {
    /// What keeps this program from a file or a folder.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum FileFault {
        Read { path: PathBuf, why: String } =>
            "cannot read {path}: {why}. Check that the path is right and that this user may read it",
        Write { path: PathBuf, why: String } =>
            "cannot write {path}: {why}. Check that this user may write there and that the disk is not full",
        Busy { path: PathBuf } => "another import is writing {path}. Wait for it to end, or stop it",
    }
}

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum IndexFault {
        Damaged { path: PathBuf, detail: String } =>
            "the property index {path} is damaged: {detail}. Import this data set again",
        Format { path: PathBuf, found: u32, expected: u32 } =>
            "the property index {path} has format {found}; this program reads format {expected}. Import the data again",
        DatasetName { name: String } =>
            "`{name}` cannot name a data set: use up to 64 small letters, digits and hyphens, and begin with a letter or digit",
        Shrinks { dataset: String, before: u64, after: u64 } =>
            "`{dataset}` had {before} {before|place|places} and would have {after}: is the file whole? The index is unchanged. Say \
             --allow-shrink if that is meant",
        OlderTable { place: String, found: String, current: String } =>
            "{place} is of {found}, older than the table in use ({current}). Use --older if that is meant",
    }
}

/// The lists of every message of this crate.
pub const MESSAGES: &[&[(&str, &str)]] = &[FileFault::SENTENCES, IndexFault::SENTENCES];

impl ToMessage for PropertyError {
    fn to_message(&self) -> Message {
        match self {
            Self::Read { path, source } => FileFault::Read { path: path.clone(), why: source.to_string() }.into(),
            Self::Write { path, source } => FileFault::Write { path: path.clone(), why: source.to_string() }.into(),
            Self::Busy { path } => FileFault::Busy { path: path.clone() }.into(),
            Self::Damaged { path, detail } => IndexFault::Damaged { path: path.clone(), detail: detail.clone() }.into(),
            Self::Format { path, found, expected } => {
                IndexFault::Format { path: path.clone(), found: *found, expected: *expected }.into()
            }
            Self::DatasetName { name } => IndexFault::DatasetName { name: name.clone() }.into(),
            Self::Shrinks { dataset, before, after } => {
                IndexFault::Shrinks { dataset: dataset.clone(), before: *before, after: *after }.into()
            }
            // Shown in a terminal alone.
            Self::Table { place, line, column, detail } => {
                let line = line.map(|n| format!(", line {n}")).unwrap_or_default();
                let column = column.as_ref().map(|name| format!(", column `{name}`")).unwrap_or_default();
                Message::Text(format!("{place}{line}{column}: {detail}"))
            }
            Self::OlderTable { place, found, current } => {
                let (place, found, current) = (place.clone(), found.clone(), current.clone());
                IndexFault::OlderTable { place, found, current }.into()
            }
        }
    }
}

impl fmt::Display for PropertyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_message().fmt(f)
    }
}

impl Error for PropertyError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Read { source, .. } | Self::Write { source, .. } => Some(source),
            _ => None,
        }
    }
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

/// A file that SQLite could not write.
pub(crate) fn sqlite(path: &Path) -> impl Fn(rusqlite::Error) -> PropertyError {
    let path = path.to_owned();
    move |e| PropertyError::Write { path: path.clone(), source: io::Error::other(e) }
}
