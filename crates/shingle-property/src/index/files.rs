//! The files of an index as its manifest lists them at one moment, for a copy of all of them.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::manifest::{Manifest, shard_path};
use crate::error::PropertyError;

/// An import replaces the manifest and removes the files of the version before the previous one. After so many imports in
/// a row the folder itself is at fault.
const MAX_TRIES: u32 = 10;

pub struct IndexFiles {
    /// The manifest's bytes. `None`: the index is empty.
    pub manifest: Option<Vec<u8>>,
    /// Every file that it lists, below the folder. They are open, so an import that removes one takes nothing away.
    pub files: Vec<(PathBuf, File)>,
}

/// Opens every file of the current and the previous versions.
pub fn open_files(root: &Path) -> Result<IndexFiles, PropertyError> {
    let path = Manifest::path(root);
    let mut tries = 0;
    'again: loop {
        tries += 1;
        if !path.exists() {
            return Ok(IndexFiles { manifest: None, files: Vec::new() });
        }
        let bytes = std::fs::read(&path).map_err(PropertyError::read(&path))?;
        let manifest = Manifest::read(root)?;
        let mut files = Vec::new();
        for dataset in &manifest.datasets {
            for version in [Some(&dataset.current), dataset.previous.as_ref()].into_iter().flatten() {
                for shard in &version.shards {
                    let file = shard_path(Path::new(""), &dataset.name, version.version, &shard.state);
                    match File::open(root.join(&file)) {
                        Ok(opened) => files.push((file, opened)),
                        Err(e) if e.kind() == ErrorKind::NotFound && tries < MAX_TRIES => continue 'again,
                        Err(e) => return Err(PropertyError::read(&root.join(&file))(e)),
                    }
                }
            }
        }
        // The same manifest before and after: these are its files.
        if std::fs::read(&path).is_ok_and(|now| now == bytes) || tries >= MAX_TRIES {
            return Ok(IndexFiles { manifest: Some(bytes), files });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::sample_town;

    #[test]
    fn every_file_of_the_sample_town_is_listed_and_opened() {
        let folder = tempfile::tempdir().unwrap();
        assert!(open_files(folder.path()).unwrap().manifest.is_none());
        sample_town::build(folder.path()).unwrap();
        let IndexFiles { manifest, files } = open_files(folder.path()).unwrap();
        assert_eq!(manifest.unwrap(), std::fs::read(folder.path().join("manifest.json")).unwrap());
        let names: BTreeSet<_> = files.iter().map(|(path, _)| path.clone()).collect();
        assert!(!names.is_empty() && names.len() == files.len());
        // A folder of these files alone is the same index.
        let copy = tempfile::tempdir().unwrap();
        std::fs::copy(folder.path().join("manifest.json"), copy.path().join("manifest.json")).unwrap();
        for name in names {
            std::fs::create_dir_all(copy.path().join(&name).parent().unwrap()).unwrap();
            std::fs::copy(folder.path().join(&name), copy.path().join(&name)).unwrap();
        }
        let status = |root: &Path| {
            let index = crate::PropertyIndex::open(root, crate::Reference::built_in()).unwrap();
            index.status().datasets.iter().map(|d| (d.name.clone(), d.places())).collect::<Vec<_>>()
        };
        assert_eq!(status(copy.path()), status(folder.path()));
        std::fs::remove_file(copy.path().join(&files[0].0)).unwrap();
        assert!(matches!(open_files(copy.path()), Err(PropertyError::Read { .. })), "a file that is lost is told");
    }
}
