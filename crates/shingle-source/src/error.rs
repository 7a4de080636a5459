//! What ends the reading of a source, each with what to do.

use std::io;
use std::path::Path;

use shingle_domain::message::{Message, ToMessage};
use shingle_domain::messages;

messages! {
    /// What can be too large to be honest.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum LargePart {
        Answer => "the answer",
        End => "the end of the file",
        Column => "a column",
        Page => "a page of a column",
    }
}

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum SourceError {
        /// No server answers, or not as it should; after all attempts.
        Unanswered { url: String, why: Message } => "{url} could not be read: {why}",
        Refused { url: String } => "{url} is refused: the server allows nobody to read it",
        NotThere { url: String } => "there is nothing at {url}",
        ReleaseGone { release: String } =>
            "the release {release} is not there any more: sources keep a release for some weeks; start again and the \
             newest is taken",
        NoRelease { url: String } => "no release is listed at {url}",
        Catalog { url: String, why: Message } => "the catalog {url} is not as expected: {why}",
        OtherPlace { href: String } =>
            "the catalog names a file outside of the release: {href}; nothing was loaded from there",
        NoRanges { url: String } => "the server of {url} does not send parts of a file",
        Changed { url: String } => "{url} changed again and again while it was read",
        Damaged { url: String, why: Message } => "{url} cannot be read as Parquet: {why}",
        NoColumn { url: String, column: String } => "{url} has no column `{column}`: the source's form has changed",
        NoBoxes { url: String } => "{url} does not say where its rows lie (the column `bbox`)",
        TooLarge { url: String, what: LargePart } => "{url} was given up: {what} is larger than any honest one",
        DiskFull { path: String } => "the disk is full: {path} could not be written, and nothing was changed",
        Write { path: String, why: String } => "{path} cannot be written: {why}",
        Stopped => "stopped; what was loaded is kept, and the area is as it was",
        Description { name: String, why: String } => "the source {name} is described wrongly: {why}",
    }
}

impl SourceError {
    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.display().to_string();
        move |e| match e.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                Self::DiskFull { path }
            }
            _ => Self::Write { path, why: e.to_string() },
        }
    }

    pub(crate) fn damaged(url: &str, why: impl ToMessage) -> Self {
        Self::Damaged { url: url.to_owned(), why: why.to_message() }
    }

    pub(crate) fn catalog(url: &str, why: impl ToMessage) -> Self {
        Self::Catalog { url: url.to_owned(), why: why.to_message() }
    }
}
