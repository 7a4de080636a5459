//! An index that is given to another server, or taken from one.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::builder::{lock, wait_for_lock};
use super::manifest::{Dataset, Manifest, Version, shard_path, sync_folder, version_folder};
use crate::error::PropertyError;

/// What an index holds now, without the versions that are kept for an undo.
pub struct OfferedIndex {
    pub manifest: Vec<u8>,
    /// Counts the changes of this index.
    pub generation: u64,
    /// By their paths below the folder. They are open, so an import that removes one takes nothing away.
    pub files: Vec<(PathBuf, File)>,
}

/// Opens what is current.
pub fn offer_index(root: &Path) -> Result<OfferedIndex, PropertyError> {
    let opened = super::files::open_files(root)?;
    let mut manifest = match &opened.manifest {
        Some(bytes) => Manifest::parse(root, bytes)?,
        None => Manifest::empty(),
    };
    for dataset in &mut manifest.datasets {
        dataset.previous = None;
    }
    let current: Vec<PathBuf> = paths_of(&manifest).collect();
    let files = opened.files.into_iter().filter(|(path, _)| current.contains(path)).collect();
    let generation = manifest.generation;
    let manifest = serde_json::to_vec(&manifest).map_err(|e| PropertyError::damaged(root, e))?;
    Ok(OfferedIndex { manifest, generation, files })
}

/// An index that was taken.
pub struct TakenIndex {
    pub generation: u64,
    /// Where the files lie now, below the folder, by their paths in the offered index.
    pub files: BTreeMap<PathBuf, PathBuf>,
}

/// Puts an offered index in the place of what is here, in one step, as an import is. `files` says for each path of the
/// offered index where its content lies now: in a file of this index, which stays, or in one that is moved.
///
/// Files get a new version, so those that a reader may still open stay as they are until the switch.
pub fn take_index(
    root: &Path,
    manifest: &[u8],
    files: &BTreeMap<PathBuf, PathBuf>,
) -> Result<TakenIndex, PropertyError> {
    fs::create_dir_all(root).map_err(PropertyError::write(root))?;
    let offered = Manifest::parse(&Manifest::path(root), manifest)?;
    let before = Manifest::read_to_replace(root)?;
    let mut locks = Vec::new();
    // An import that runs would find another version under it.
    for name in before.datasets.iter().chain(&offered.datasets).map(|dataset| &dataset.name) {
        let folder = root.join(name);
        fs::create_dir_all(&folder).map_err(PropertyError::write(&folder))?;
        if !locks.iter().any(|(locked, _)| locked == name) {
            locks.push((name.clone(), lock(&folder.join("lock"))?));
        }
    }
    let _switching = wait_for_lock(&root.join("lock"))?;
    let before = Manifest::read_to_replace(root)?;
    let mut placed = BTreeMap::new();
    let mut datasets = Vec::new();
    for dataset in &offered.datasets {
        let known = before.dataset(&dataset.name);
        let newest = known.into_iter().flat_map(|k| [Some(&k.current), k.previous.as_ref()]).flatten();
        let version = newest.map(|version| version.version + 1).max().unwrap_or(1).max(dataset.current.version);
        let folder = version_folder(root, &dataset.name, version);
        fs::create_dir_all(&folder).map_err(PropertyError::write(&folder))?;
        for shard in &dataset.current.shards {
            let path = shard_path(Path::new(""), &dataset.name, dataset.current.version, &shard.state);
            let target = shard_path(Path::new(""), &dataset.name, version, &shard.state);
            let from = files.get(&path).ok_or_else(|| PropertyError::damaged(&path, "it was not sent"))?;
            put(from, root, &root.join(&target), shard.bytes)?;
            placed.insert(path, target);
        }
        sync_folder(&folder)?;
        let current = Version { version, ..dataset.current.clone() };
        datasets.push(Dataset { name: dataset.name.clone(), current, previous: None });
    }
    let generation = before.generation + 1;
    Manifest { generation, datasets, ..offered }.write(root)?;
    // The switch is done; files that a reader has open stay readable for it.
    for dataset in &before.datasets {
        for version in [Some(&dataset.current), dataset.previous.as_ref()].into_iter().flatten() {
            let _ = fs::remove_dir_all(version_folder(root, &dataset.name, version.version));
        }
    }
    Ok(TakenIndex { generation, files: placed })
}

fn put(from: &Path, root: &Path, to: &Path, bytes: u64) -> Result<(), PropertyError> {
    let size = fs::metadata(from).map_err(PropertyError::read(from))?.len();
    if size != bytes {
        return Err(PropertyError::damaged(from, format!("it has {size} bytes instead of {bytes}")));
    }
    // What a switch that was cut off has left.
    match fs::remove_file(to) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(PropertyError::write(to)(e)),
        _ => {}
    }
    let is_of_this_index = from.strip_prefix(root).is_ok_and(|path| path.components().count() == 3);
    let moved = match is_of_this_index {
        true => fs::hard_link(from, to).or_else(|_| fs::copy(from, to).and_then(|_| File::open(to)?.sync_all())),
        false => fs::rename(from, to),
    };
    moved.map_err(PropertyError::write(to))
}

fn paths_of(manifest: &Manifest) -> impl Iterator<Item = PathBuf> {
    manifest.datasets.iter().flat_map(|dataset| {
        let shards = dataset.current.shards.iter();
        shards.map(|shard| shard_path(Path::new(""), &dataset.name, dataset.current.version, &shard.state))
    })
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;
    use crate::{PropertyIndex, Reference, sample_town};

    /// A folder of files, each with the path that the offer gave it.
    fn sent(root: &Path, to: &Path) -> (Vec<u8>, BTreeMap<PathBuf, PathBuf>) {
        let OfferedIndex { manifest, files, .. } = offer_index(root).unwrap();
        let mut sent = BTreeMap::new();
        for (number, (path, mut file)) in files.into_iter().enumerate() {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            let staged = to.join(number.to_string());
            fs::write(&staged, bytes).unwrap();
            sent.insert(path, staged);
        }
        (manifest, sent)
    }

    fn places(root: &Path) -> u64 {
        let index = PropertyIndex::open(root, Reference::built_in()).unwrap();
        let status = index.status();
        assert_eq!(status.problem, None);
        status.datasets.iter().map(|dataset| dataset.places()).sum()
    }

    #[test]
    fn an_index_is_taken_in_one_step_and_again_with_files_that_are_here() {
        let (from, to, staged) =
            (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        sample_town::build(from.path()).unwrap();
        let (manifest, files) = sent(from.path(), staged.path());
        let placed = take_index(to.path(), &manifest, &files).unwrap().files;
        assert_eq!(places(to.path()), places(from.path()));
        assert!(placed.values().all(|path| to.path().join(path).is_file()));
        // The second time nothing has to be sent.
        let here = placed.iter().map(|(path, placed)| (path.clone(), to.path().join(placed))).collect();
        let again = take_index(to.path(), &manifest, &here).unwrap().files;
        assert_eq!(places(to.path()), places(from.path()));
        assert!(placed.values().all(|path| !to.path().join(path).exists()), "the version before is gone");
        assert!(again.values().all(|path| to.path().join(path).is_file()));
    }

    #[test]
    fn what_is_missing_or_cut_short_leaves_everything_as_it_was() {
        let (from, to, staged) =
            (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        sample_town::build(from.path()).unwrap();
        sample_town::build(to.path()).unwrap();
        let before = fs::read(Manifest::path(to.path())).unwrap();
        let (manifest, files) = sent(from.path(), staged.path());
        assert!(take_index(to.path(), &manifest, &BTreeMap::new()).is_err());
        let (_, cut) = files.iter().next().unwrap();
        let whole = fs::read(cut).unwrap();
        fs::write(cut, &whole[..whole.len() / 2]).unwrap();
        assert!(take_index(to.path(), &manifest, &files).is_err());
        assert!(take_index(to.path(), b"{", &files).is_err());
        let outside = br#"{"format":1,"generation":1,"datasets":[{"name":"../x","version":1,"imported":1,"shards":[],"previous":null}]}"#;
        assert!(take_index(to.path(), outside, &files).is_err());
        assert_eq!(fs::read(Manifest::path(to.path())).unwrap(), before);
        assert_eq!(places(to.path()), places(from.path()));
    }
}
