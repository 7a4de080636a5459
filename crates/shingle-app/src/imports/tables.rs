//! Which of the uploaded files are read.

use shingle_domain::cold_sort::ColdSort as _;
use std::path::{Path, PathBuf};

/// What an import is told to read: what belongs to a shapefile is found beside it.
pub fn tables(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut all: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    all.cold_sort();
    let ending = |path: &Path| path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    let shapes: Vec<_> = all.iter().filter(|path| ending(path) == "shp").map(|path| path.with_extension("")).collect();
    let is_part = |path: &PathBuf| {
        matches!(&*ending(path), "dbf" | "shx" | "prj" | "cpg" | "sbn" | "sbx")
            && shapes.contains(&path.with_extension(""))
    };
    all.retain(|path| !is_part(path));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_shapefile_are_found_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["town.shp", "town.DBF", "town.prj", "other.dbf", "a.csv"] {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        let names = tables(folder.path())
            .iter()
            .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
            .collect::<Vec<_>>();
        assert_eq!(names, ["a.csv", "other.dbf", "town.shp"]);
    }
}
