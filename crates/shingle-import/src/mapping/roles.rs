//! Which file of an import is what.

use std::path::{Path, PathBuf};

use crate::error::ImportError;
use crate::mapping::file::Mapping;
use crate::mapping::zip::ZipFrom;

/// What a file of an import is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileRole {
    Rows,
    Parcels,
    Outlines,
    ZipAreas,
}

impl FileRole {
    /// As the mapping calls the layer.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rows => "the rows",
            Self::Parcels => "[layers.parcels]",
            Self::Outlines => "[layers.outlines]",
            Self::ZipAreas => "[address] zip areas",
        }
    }
}

/// Every file with its role. A layer without a file, and layers without rows, are errors.
pub(crate) fn roles(files: &[PathBuf], mapping: &Mapping, at: &Path) -> Result<Vec<(PathBuf, FileRole)>, ImportError> {
    let zips = match &mapping.table.address.zip {
        Some(ZipFrom::Areas(layer)) => Some(&layer.files),
        _ => None,
    };
    let layers = [
        (FileRole::Parcels, mapping.layers.parcels.as_ref().map(|l| &l.files)),
        (FileRole::ZipAreas, zips),
        (FileRole::Outlines, mapping.layers.outlines.as_ref().map(|l| &l.files)),
    ];
    let role = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let found = layers.iter().find(|(_, patterns)| patterns.is_some_and(|p| p.fit(&name)));
        (path.clone(), found.map_or(FileRole::Rows, |(role, _)| *role))
    };
    let files: Vec<(PathBuf, FileRole)> = files.iter().map(role).collect();
    for (role, patterns) in layers {
        if let Some(patterns) = patterns
            && files.iter().all(|f| f.1 != role)
            && !(role == FileRole::Outlines && mapping.layers.outlines.as_ref().is_some_and(|l| l.optional))
        {
            let name = role.name();
            return Err(ImportError::input(
                at,
                format!("the mapping's {name} is in a file named {patterns}; name it in the command too"),
            ));
        }
    }
    if files.iter().all(|f| f.1 != FileRole::Rows) {
        let detail = "every file is a layer; name the file with the addresses too, or make the patterns of the \
                      layers narrower";
        return Err(ImportError::input(at, detail));
    }
    Ok(files)
}
