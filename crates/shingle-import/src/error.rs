//! What ends an import, each with the file, the fault and what to do.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use shingle_domain::message::{Message, ToMessage};
use shingle_domain::messages;
use shingle_property::{FileFault, PropertyError};

#[derive(Debug)]
pub enum ImportError {
    Read {
        path: PathBuf,
        source: io::Error,
    },
    Write {
        path: PathBuf,
        source: io::Error,
    },
    Busy {
        path: PathBuf,
    },
    /// A file or a mapping that an import cannot use.
    Input {
        path: PathBuf,
        detail: Message,
    },
    /// The person who started it has stopped it.
    Stopped,
    /// The index could not be written.
    Index(PropertyError),
}

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum ImportFault {
        Input { path: PathBuf, detail: Message } => "{path}: {detail}",
        /// `the mapping: `, where no file of its own holds it.
        Mapping { detail: Message } => "the mapping: {detail}",
        Stopped => "the import was stopped; the index is unchanged",
    }
}

impl ToMessage for ImportError {
    fn to_message(&self) -> Message {
        match self {
            Self::Read { path, source } => FileFault::Read { path: path.clone(), why: source.to_string() }.into(),
            Self::Write { path, source } => FileFault::Write { path: path.clone(), why: source.to_string() }.into(),
            Self::Busy { path } => FileFault::Busy { path: path.clone() }.into(),
            Self::Input { path, detail } if path == Path::new(TYPED) => {
                ImportFault::Mapping { detail: detail.clone() }.into()
            }
            Self::Input { path, detail } => ImportFault::Input { path: path.clone(), detail: detail.clone() }.into(),
            Self::Stopped => ImportFault::Stopped.into(),
            Self::Index(error) => error.to_message(),
        }
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_message().fmt(f)
    }
}

impl Error for ImportError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Read { source, .. } | Self::Write { source, .. } => Some(source),
            Self::Index(error) => error.source(),
            _ => None,
        }
    }
}

impl From<PropertyError> for ImportError {
    fn from(error: PropertyError) -> Self {
        Self::Index(error)
    }
}

/// The name of a mapping that is not a file.
pub(crate) const TYPED: &str = "the mapping";

impl ImportError {
    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Read { path, source }
    }

    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Write { path, source }
    }

    pub(crate) fn input(path: &Path, detail: impl ToMessage) -> Self {
        Self::Input { path: path.to_owned(), detail: detail.to_message() }
    }
}

/// What is wrong for somebody who does not know the folders of this machine: files by their names alone.
pub fn explained(error: &ImportError) -> Message {
    let named = |path: &Path, detail: Message| {
        ImportError::input(Path::new(path.file_name().unwrap_or_default()), detail).to_message()
    };
    match error {
        ImportError::Input { path, detail } => named(path, without_folder(detail, path)),
        ImportError::Read { path, source } => named(path, source.to_message()),
        other => other.to_message(),
    }
}

/// What is said of a file and of those beside it, for the same reader.
pub fn without_folder(said: &Message, file: &Path) -> Message {
    match file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => {
            let folder = format!("{}{MAIN_SEPARATOR}", folder.display());
            said.clone().map_texts(&|text| text.replace(&folder, ""))
        }
        None => said.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::file_problem::FileProblem;
    use crate::geo::crs_problem::CrsNote;

    #[test]
    fn files_are_called_by_their_names_alone() {
        let shapes = Path::new("/srv/shingle/imports/1/lots.shp");
        let note = ImportError::input(shapes, CrsNote::NoPrj).to_message();
        assert!(without_folder(&note, shapes).to_string().starts_with("lots.shp: there is no .prj"));
        let dbf = shapes.with_extension("dbf");
        let error = ImportError::input(shapes, FileProblem::OtherCount { rows: 7, records: 9, dbf });
        assert_eq!(
            explained(&error).to_string(),
            "lots.shp: 7 shapes here, 9 records in lots.dbf: the files do not belong together"
        );
        let bare = Message::Text("lots.shp: a note".to_owned());
        assert_eq!(without_folder(&bare, Path::new("lots.shp")), bare);
        assert_eq!(explained(&ImportError::input(Path::new(TYPED), "wrong")).to_string(), "the mapping: wrong");
    }
}
