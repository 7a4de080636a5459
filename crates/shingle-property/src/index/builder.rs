//! Writing an index: rows in any order, files in key order, switched to in one step.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use shingle_domain::evidence::{Place, Source};

use super::manifest::{self, Manifest, Shard, Version, sync_folder, version_folder};
use super::merge::Joined;
use super::plan::sort_by_size;
use super::record;
use super::sorter::Sorter;
use super::writing::{PlaceFile, house_key, seal, write_streets};
use crate::address::{KeyHash, Normalized, number_span};
use crate::error::PropertyError;

/// Bytes of rows and of house numbers held in memory before they go to disk.
const PLACE_BUDGET: usize = 32 << 20;
const HOUSE_BUDGET: usize = 12 << 20;

/// One import run of one data set. Nothing of it is visible before [`IndexBuilder::finish`]; a builder that is
/// dropped leaves the index as it was.
pub struct IndexBuilder {
    root: PathBuf,
    dataset: String,
    work: PathBuf,
    places: Sorter,
    sources: Vec<Source>,
    rows: u64,
    without_street: u64,
    /// Held until the builder is gone: one import of a data set at a time.
    _lock: File,
}

/// What an import run made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexSummary {
    pub dataset: String,
    pub version: u64,
    /// Rows pushed.
    pub rows: u64,
    /// Distinct places in the index.
    pub places: u64,
    /// Rows that joined another row's place.
    pub joined: u64,
    /// Facts on which joined rows differ, one a place and field: [`super::merge`] says which is believed.
    pub conflicts: u64,
    /// The same by field, the most frequent first.
    pub conflicts_by_field: Vec<(String, u64)>,
    /// Rows left out because another address has the same hash.
    pub collisions: u64,
    /// Rows left out because no street could be read from their address.
    pub without_street: u64,
    pub states: Vec<StateSummary>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateSummary {
    pub state: String,
    pub places: u64,
    pub streets: u64,
    pub bytes: u64,
}

impl IndexSummary {
    fn count_conflicts(&mut self, place: &Place) {
        for (at, conflict) in place.conflicts.iter().enumerate() {
            if place.conflicts[..at].iter().any(|c| c.field == conflict.field) {
                continue;
            }
            self.conflicts += 1;
            match self.conflicts_by_field.iter_mut().find(|(field, _)| *field == conflict.field) {
                Some((_, count)) => *count += 1,
                None => self.conflicts_by_field.push((conflict.field.clone(), 1)),
            }
        }
    }
}

impl IndexBuilder {
    /// Starts a new version of a data set in the index at `root`, which is made if it is missing.
    pub fn create(root: &Path, dataset: &str) -> Result<Self, PropertyError> {
        if !manifest::is_dataset_name(dataset) {
            return Err(PropertyError::DatasetName { name: dataset.to_owned() });
        }
        let folder = root.join(dataset);
        let work = folder.join("building");
        fs::create_dir_all(&folder).map_err(PropertyError::write(&folder))?;
        let lock = lock(&folder.join("lock"))?;
        if work.exists() {
            // Left by a run that was stopped.
            fs::remove_dir_all(&work).map_err(PropertyError::write(&work))?;
        }
        fs::create_dir_all(&work).map_err(PropertyError::write(&work))?;
        Ok(Self {
            root: root.to_owned(),
            dataset: dataset.to_owned(),
            places: Sorter::new(&work, "places", PLACE_BUDGET),
            work,
            sources: Vec::new(),
            rows: 0,
            without_street: 0,
            _lock: lock,
        })
    }

    /// Takes one row. Memory stays bounded whatever their number and order.
    pub fn push(&mut self, mut place: Place) -> Result<(), PropertyError> {
        self.rows += 1;
        let normalized = Normalized::from_place(&place);
        if normalized.name.is_empty() {
            self.without_street += 1;
            return Ok(());
        }
        sort_by_size(&mut place.buildings);
        let key = KeyHash::of(&normalized.key());
        let mut sort_key = Vec::with_capacity(22);
        sort_key.extend_from_slice(place.address.state.as_str().as_bytes());
        sort_key.extend_from_slice(&ordered(key.hash));
        sort_key.extend_from_slice(&key.check.to_be_bytes());
        sort_key.extend_from_slice(&self.rows.to_be_bytes());
        let record = self.encode(&place)?;
        self.places.push(sort_key, record)
    }

    fn encode(&mut self, place: &Place) -> Result<Vec<u8>, PropertyError> {
        let mut numbers = Vec::with_capacity(place.sources.len());
        for source in &place.sources {
            let at = self.sources.iter().position(|s| s == source).unwrap_or_else(|| {
                self.sources.push(source.clone());
                self.sources.len() - 1
            });
            numbers.push(at as u32);
        }
        record::encode(place, numbers).map_err(|e| PropertyError::damaged(&self.work, e))
    }

    /// Merges, writes and syncs the files, then switches to them in one step. The version before stays on disk.
    pub fn finish(mut self) -> Result<IndexSummary, PropertyError> {
        let mut summary = IndexSummary {
            dataset: self.dataset.clone(),
            version: 0,
            rows: self.rows,
            places: 0,
            joined: 0,
            conflicts: 0,
            conflicts_by_field: Vec::new(),
            collisions: 0,
            without_street: self.without_street,
            states: Vec::new(),
        };
        let out = self.work.join("out");
        fs::create_dir(&out).map_err(PropertyError::write(&out))?;
        let mut houses = Sorter::new(&self.work, "houses", HOUSE_BUDGET);
        self.write_places(&out, &mut houses, &mut summary)?;
        write_streets(&out, houses.sorted()?, &mut summary)?;
        for state in &mut summary.states {
            let path = out.join(format!("{}.sqlite", state.state));
            state.bytes = seal(&path)?;
        }
        sync_folder(&out)?;
        summary.conflicts_by_field.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        self.switch(&out, &mut summary)?;
        Ok(summary)
    }

    fn write_places(
        &mut self,
        out: &Path,
        houses: &mut Sorter,
        summary: &mut IndexSummary,
    ) -> Result<(), PropertyError> {
        let places = std::mem::replace(&mut self.places, Sorter::new(&self.work, "none", 0));
        let mut file: Option<PlaceFile> = None;
        let mut group: Option<Group> = None;
        for entry in places.sorted()? {
            let (key, value) = entry?;
            let (state, hash, check) =
                sort_parts(&key).ok_or_else(|| PropertyError::damaged(&self.work, "a sorted run"))?;
            if let Some(open) = &mut group
                && open.state == state
                && open.hash == hash
            {
                if open.check == check {
                    let joined = match open.joined.take() {
                        Some(joined) => joined,
                        None => Joined::rows(self.decode(&open.record)?),
                    };
                    open.joined.insert(joined).add(self.decode(&value)?);
                    summary.joined += 1;
                } else {
                    summary.collisions += 1;
                }
                continue;
            }
            if let Some(done) = group.take() {
                self.write_place(out, &mut file, done, houses, summary)?;
            }
            group = Some(Group { state, hash, check, record: value, joined: None });
        }
        if let Some(done) = group {
            self.write_place(out, &mut file, done, houses, summary)?;
        }
        file.map_or(Ok(()), PlaceFile::finish)
    }

    fn decode(&self, record: &[u8]) -> Result<Place, PropertyError> {
        record::decode(record, &self.sources).map_err(|e| PropertyError::damaged(&self.work, e))
    }

    fn write_place(
        &mut self,
        out: &Path,
        file: &mut Option<PlaceFile>,
        group: Group,
        houses: &mut Sorter,
        summary: &mut IndexSummary,
    ) -> Result<(), PropertyError> {
        if file.as_ref().is_none_or(|f| f.state != group.state) {
            if let Some(done) = file.take() {
                done.finish()?;
            }
            *file = Some(PlaceFile::create(out, group.state, &self.sources)?);
            let state = String::from_utf8_lossy(&group.state).into_owned();
            summary.states.push(StateSummary { state, places: 0, streets: 0, bytes: 0 });
        }
        let encoded = match group.joined {
            Some(joined) => {
                let place = joined.finish();
                summary.count_conflicts(&place);
                self.encode(&place)?
            }
            None => group.record,
        };
        let head = record::decode_head(&encoded).map_err(|e| PropertyError::damaged(&self.work, e))?;
        let normalized = Normalized::from_texts(&head.address(), head.unit.as_deref());
        if let Some((low, high)) = number_span(&normalized.number) {
            houses.push(house_key(&normalized, group.state, low, group.hash), (high - low).to_le_bytes().to_vec())?;
        }
        let mut record = group.check.to_le_bytes().to_vec();
        record.extend(encoded);
        if let Some(file) = file {
            file.insert(group.hash, &record)?;
        }
        summary.places += 1;
        if let Some(state) = summary.states.last_mut() {
            state.places += 1;
        }
        Ok(())
    }

    fn switch(&self, out: &Path, summary: &mut IndexSummary) -> Result<(), PropertyError> {
        let _lock = wait_for_lock(&self.root.join("lock"))?;
        let mut manifest = Manifest::read_to_replace(&self.root)?;
        let before = manifest.dataset(&self.dataset).cloned();
        let newest = before.iter().flat_map(|d| [Some(&d.current), d.previous.as_ref()]).flatten().map(|v| v.version);
        summary.version = newest.max().unwrap_or(0) + 1;
        let folder = version_folder(&self.root, &self.dataset, summary.version);
        if folder.exists() {
            // Left by a run that was stopped before it switched.
            fs::remove_dir_all(&folder).map_err(PropertyError::write(&folder))?;
        }
        fs::rename(out, &folder).map_err(PropertyError::write(&folder))?;
        sync_folder(&self.root.join(&self.dataset))?;
        let shards = summary.states.iter().map(|s| Shard {
            state: s.state.clone(),
            places: s.places,
            streets: s.streets,
            bytes: s.bytes,
        });
        let current = Version { version: summary.version, imported: manifest.generation + 1, shards: shards.collect() };
        let previous = before.as_ref().map(|d| d.current.clone());
        manifest.datasets.retain(|d| d.name != self.dataset);
        manifest.datasets.push(manifest::Dataset { name: self.dataset.clone(), current, previous });
        manifest.datasets.sort_by(|a, b| a.name.cmp(&b.name));
        manifest.generation += 1;
        manifest.write(&self.root)?;
        // The switch is done; what follows is tidying, and a failure of it is no failure of the import.
        if let Some(old) = before.and_then(|d| d.previous) {
            let _ = fs::remove_dir_all(version_folder(&self.root, &self.dataset, old.version));
        }
        Ok(())
    }
}

impl Drop for IndexBuilder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.work);
    }
}

fn lock(path: &Path) -> Result<File, PropertyError> {
    let file = File::create(path).map_err(PropertyError::write(path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(PropertyError::Busy { path: path.with_file_name("") }),
        Err(TryLockError::Error(e)) => Err(PropertyError::write(path)(e)),
    }
}

fn wait_for_lock(path: &Path) -> Result<File, PropertyError> {
    let file = File::create(path).map_err(PropertyError::write(path))?;
    file.lock().map_err(PropertyError::write(path))?;
    Ok(file)
}

/// Bytes that sort as SQLite sorts the hash: as a signed number.
pub(super) fn ordered(hash: u64) -> [u8; 8] {
    (hash ^ 1 << 63).to_be_bytes()
}

fn sort_parts(key: &[u8]) -> Option<([u8; 2], u64, u32)> {
    let (state, rest) = key.split_first_chunk::<2>()?;
    let (hash, rest) = rest.split_first_chunk::<8>()?;
    let (check, _) = rest.split_first_chunk::<4>()?;
    Some((*state, u64::from_be_bytes(*hash) ^ 1 << 63, u32::from_be_bytes(*check)))
}

/// Rows of one key, as they are gathered.
struct Group {
    state: [u8; 2],
    hash: u64,
    check: u32,
    /// The first row, encoded: most places have no other.
    record: Vec<u8>,
    joined: Option<Joined>,
}
