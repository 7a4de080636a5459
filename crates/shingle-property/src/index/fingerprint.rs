//! By which servers see that they have the same homes.

use shingle_domain::cold_sort::ColdSort as _;
use std::path::Path;

use super::manifest::Manifest;
use crate::error::PropertyError;

/// Of names, places and sizes of the files. How often something was imported makes no difference; two indexes that differ in
/// values alone may have the same.
pub fn fingerprint(root: &Path) -> Result<String, PropertyError> {
    let manifest = Manifest::read(root)?;
    let mut lines: Vec<String> = manifest
        .datasets
        .iter()
        .flat_map(|dataset| dataset.current.shards.iter().map(move |shard| (dataset, shard)))
        .map(|(dataset, shard)| format!("{} {} {} {}\n", dataset.name, shard.state, shard.places, shard.bytes))
        .collect();
    lines.cold_sort();
    Ok(blake3::hash(lines.concat().as_bytes()).to_hex()[..16].to_owned())
}

/// Counts the changes of an index, each import and each undo.
pub fn generation(root: &Path) -> Result<u64, PropertyError> {
    Ok(Manifest::read(root)?.generation)
}

/// How many places all data sets have together.
pub fn places(root: &Path) -> Result<u64, PropertyError> {
    let manifest = Manifest::read(root)?;
    Ok(manifest.datasets.iter().flat_map(|dataset| &dataset.current.shards).map(|shard| shard.places).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_town;

    #[test]
    fn the_same_homes_have_one_fingerprint_however_often_they_were_imported() {
        let (one, two, none) =
            (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        sample_town::build(one.path()).unwrap();
        sample_town::build(two.path()).unwrap();
        sample_town::build(two.path()).unwrap();
        let of = |folder: &tempfile::TempDir| fingerprint(folder.path()).unwrap();
        assert_eq!(of(&one), of(&two));
        assert_ne!(of(&one), of(&none));
    }
}
