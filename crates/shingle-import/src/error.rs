//! What ends an import, each with the file, the fault and what to do.

use std::io;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use shingle_property::PropertyError;

#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("cannot read {shown}: {source}. Check that the path is right and that this user may read it", shown = .path.display())]
    Read { path: PathBuf, source: io::Error },

    #[error("cannot write {shown}: {source}. Check that this user may write there and that the disk is not full", shown = .path.display())]
    Write { path: PathBuf, source: io::Error },

    #[error("another import is writing {shown}. Wait for it to end, or stop it", shown = .path.display())]
    Busy { path: PathBuf },

    /// A file or a mapping that an import cannot use.
    #[error("{}: {detail}", .path.display())]
    Input { path: PathBuf, detail: String },

    /// The person who started it has stopped it.
    #[error("the import was stopped; the index is unchanged")]
    Stopped,

    /// The index could not be written.
    #[error(transparent)]
    Index(#[from] PropertyError),
}

impl ImportError {
    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Read { path, source }
    }

    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Write { path, source }
    }

    pub(crate) fn input(path: &Path, detail: impl Into<String>) -> Self {
        Self::Input { path: path.to_owned(), detail: detail.into() }
    }
}

/// What is wrong for somebody who does not know the folders of this machine: files by their names alone.
pub fn explained(error: &ImportError) -> String {
    match error {
        ImportError::Input { path, detail } => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            format!("{name}: {detail}", detail = without_folder(detail, path))
        }
        ImportError::Read { path, source } => {
            format!("{}: {source}", path.file_name().unwrap_or_default().to_string_lossy())
        }
        other => other.to_string(),
    }
}

/// What is said of a file and of those beside it, for the same reader.
pub fn without_folder(said: &str, file: &Path) -> String {
    match file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => said.replace(&format!("{}{MAIN_SEPARATOR}", folder.display()), ""),
        None => said.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_called_by_their_names_alone() {
        let shapes = Path::new("/srv/shingle/imports/1/lots.shp");
        let note = "/srv/shingle/imports/1/lots.shp: there is no .prj; coordinates were read as longitude and latitude";
        assert!(without_folder(note, shapes).starts_with("lots.shp: there is no .prj"));
        let error =
            ImportError::input(shapes, "7 shapes here, 9 records in /srv/shingle/imports/1/lots.dbf: they differ");
        assert_eq!(explained(&error), "lots.shp: 7 shapes here, 9 records in lots.dbf: they differ");
        assert_eq!(without_folder("lots.shp: a note", Path::new("lots.shp")), "lots.shp: a note");
    }
}
