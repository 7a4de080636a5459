//! The role of each file in an import.

use std::path::{Path, PathBuf};

use shingle_domain::messages;

use crate::error::ImportError;
use crate::format::open::open_rows;
use crate::format::source::{Row, Shape, Step};
use crate::mapping::file::Mapping;
use crate::mapping::table::TableMapping;
use crate::mapping::zip::ZipFrom;

/// What a file of an import is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileRole {
    Rows,
    Parcels,
    Outlines,
    ZipAreas,
    /// Laser points.
    Points,
}

impl FileRole {
    /// As the mapping calls the layer.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rows => "the rows",
            Self::Parcels => "[layers.parcels]",
            Self::Outlines => "[layers.outlines]",
            Self::ZipAreas => "[address] zip areas",
            Self::Points => "[layers.points]",
        }
    }
}

messages! {
    /// Why the files are not those of the mapping.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum RoleProblem {
        NoFile { name: &'static str, patterns: String } =>
            "the mapping's {name} is in a file named {patterns}; name it in the command too",
        OnlyLayers =>
            "every file is a layer, and a layer has no homes of its own: name the table or the points with the addresses in \
             the same command (`shingle import --guide STATE` says where they are), or make the patterns of the layers narrower",
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
        (FileRole::Points, mapping.layers.points.as_ref().map(|l| &l.files)),
    ];
    let is_optional = |role: FileRole| match role {
        FileRole::Outlines => mapping.layers.outlines.as_ref().is_some_and(|l| l.optional),
        FileRole::Points => mapping.layers.points.as_ref().is_some_and(|l| l.optional),
        FileRole::Rows | FileRole::Parcels | FileRole::ZipAreas => false,
    };
    let role = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let found = layers.iter().find(|(_, patterns)| patterns.is_some_and(|p| p.fit(&name)));
        (path.clone(), found.map_or(FileRole::Rows, |(role, _)| *role))
    };
    let mut files: Vec<(PathBuf, FileRole)> = files.iter().map(role).collect();
    if let Some(outlines) = mapping.layers.outlines.as_ref().filter(|l| l.optional) {
        for (path, role) in files.iter_mut().filter(|f| f.1 == FileRole::Outlines) {
            if begins_with_a_point(path, &outlines.mapping)? {
                *role = FileRole::Rows;
            }
        }
    }
    for (role, patterns) in layers {
        if let Some(patterns) = patterns
            && files.iter().all(|f| f.1 != role)
            && !is_optional(role)
        {
            let problem = RoleProblem::NoFile { name: role.name(), patterns: patterns.to_string() };
            return Err(ImportError::input(at, problem));
        }
    }
    if files.iter().all(|f| f.1 != FileRole::Rows) {
        return Err(ImportError::input(at, RoleProblem::OnlyLayers));
    }
    Ok(files)
}

/// Rows in which a shape is looked for.
const LOOKED_AT: usize = 1_000;

/// The patterns of an optional layer are wide, because most files are called `*.geojson`; but a point is no outline.
fn begins_with_a_point(path: &Path, outlines: &TableMapping) -> Result<bool, ImportError> {
    let mut rows = open_rows(path, &[], &outlines.dialect)?;
    let mut row = Row::default();
    for _ in 0..LOOKED_AT {
        match rows.next_row(&mut row)? {
            Step::Row if row.shape == Shape::None => {}
            Step::Row => return Ok(matches!(row.shape, Shape::Point(..))),
            Step::Bad(_) => {}
            Step::End => break,
        }
    }
    Ok(false)
}
