//! Writing an index: rows in any order, files in key order, switched to in one step.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::evidence::{Place, Source};

use super::building_plan::sort_by_size;
use super::manifest::{self, Manifest, Shard, Version, sync_folder, version_folder};
use super::parcel::parcel_hash;
use super::record::{self, PlaceName, Spot};
use super::sort_key::{self, SortKey, ordered};
use super::street_names::StreetNames;
use super::summary::IndexSummary;
use super::writing::{RowHead, join_places, place_key, seal, state_number, write_homes, write_lists};
use crate::error::PropertyError;
use crate::external_sort::Sorter;

/// Bytes of rows held in memory before they go to disk.
const ROW_BUDGET: usize = 32 << 20;

/// Called at each step of a build.
#[cfg(test)]
type Stop = Box<dyn Fn(&str)>;

/// One import run of one data set. Nothing of it is visible before [`IndexBuilder::finish`]; a builder that is
/// dropped leaves the index as it was.
pub struct IndexBuilder {
    root: PathBuf,
    dataset: String,
    work: PathBuf,
    rows_by_place: Sorter,
    names: StreetNames,
    sources: Vec<Source>,
    /// The row being written, and the numbers of its sources.
    record: Vec<u8>,
    numbers: Vec<u32>,
    rows: u64,
    without_street: u64,
    may_shrink: bool,
    national: bool,
    #[cfg(test)]
    stop_at: Option<Stop>,
    /// Held until the builder is gone: one import of a data set at a time.
    _lock: File,
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
            rows_by_place: Sorter::new(&work, "rows", ROW_BUDGET),
            names: StreetNames::default(),
            work,
            sources: Vec::new(),
            record: Vec::new(),
            numbers: Vec::new(),
            rows: 0,
            without_street: 0,
            may_shrink: true,
            national: false,
            #[cfg(test)]
            stop_at: None,
            _lock: lock,
        })
    }

    /// Refuses a version that has less than four fifths of the places of the one before: half a file, mostly.
    pub fn refuse_shrinking(&mut self) {
        self.may_shrink = false;
    }

    /// The data set covers the country: what a local one says is believed before it, whatever their dates.
    pub fn covers_the_country(&mut self) {
        self.national = true;
    }

    /// Takes one row. Memory stays bounded whatever their number and order.
    pub fn push(&mut self, mut place: Place) -> Result<(), PropertyError> {
        self.rows += 1;
        sort_by_size(&mut place.buildings);
        self.numbers.clear();
        for source in &place.sources {
            self.numbers.push(number_of(source, &mut self.sources));
        }
        let Some(key) = self.head(&place)? else { return Ok(()) };
        record::encode(&place, &self.numbers, &mut self.record).map_err(|e| PropertyError::damaged(&self.work, e))?;
        sort_key::push(&mut self.rows_by_place, key, &self.record)
    }

    /// Begins the record with where the row belongs. Gives what it is sorted by; `None` where no street can be read.
    fn head(&mut self, place: &Place) -> Result<Option<SortKey>, PropertyError> {
        let row = PlaceName::of(place);
        let Some(name) = self.names.of(row) else {
            self.without_street += 1;
            return Ok(None);
        };
        let head = RowHead {
            street: &name.street.text,
            span: name.span.map(|(low, high)| (low, high - low)),
            others: Vec::new(),
            parcels: place.parcel.as_deref().and_then(parcel_hash).into_iter().collect(),
            spot: place.origin.and_then(Spot::of),
        };
        head.write(&mut self.record).map_err(|e| PropertyError::damaged(&self.work, e))?;
        let state = state_number(row.state.as_str());
        Ok(Some(place_key(state, ordered(name.key.hash as i64), name.key.check)))
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
        self.names = StreetNames::default();
        let rows = std::mem::replace(&mut self.rows_by_place, Sorter::new(&self.work, "none", 0));
        let runs = rows.runs().to_vec();
        let rows = rows.sorted()?;
        let homes = join_places(&self.work, rows, &self.sources, &mut summary)?;
        // As many bytes again are needed for what comes next.
        self.rows_by_place.forget(&runs)?;
        self.reached("places");
        let lists = write_homes(&out, &self.work, homes, &self.sources, &summary)?;
        write_lists(&out, &self.work, lists, &mut summary)?;
        self.reached("streets");
        for state in &mut summary.states {
            let path = out.join(format!("{}.sqlite", state.state));
            state.bytes = seal(&path)?;
        }
        sync_folder(&out)?;
        self.reached("sealed");
        summary.conflicts_by_field.cold_sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        self.switch(&out, &mut summary)?;
        Ok(summary)
    }

    #[cfg(test)]
    fn stop_at(&mut self, stop: Stop) {
        self.stop_at = Some(stop);
    }

    /// Where a test may have the import die.
    fn reached(&self, _point: &str) {
        #[cfg(test)]
        if let Some(stop) = &self.stop_at {
            stop(_point);
        }
    }

    fn switch(&self, out: &Path, summary: &mut IndexSummary) -> Result<(), PropertyError> {
        let _lock = wait_for_lock(&self.root.join("lock"))?;
        let mut manifest = Manifest::read_to_replace(&self.root)?;
        let before = manifest.dataset(&self.dataset).cloned();
        let places = |shards: &[Shard]| shards.iter().map(|s| s.places).sum::<u64>();
        let (had, has) = (before.as_ref().map_or(0, |d| places(&d.current.shards)), summary.places);
        if !self.may_shrink && has * 5 < had * 4 {
            return Err(PropertyError::Shrinks { dataset: self.dataset.clone(), before: had, after: has });
        }
        let newest = before.iter().flat_map(|d| [Some(&d.current), d.previous.as_ref()]).flatten().map(|v| v.version);
        summary.version = newest.max().unwrap_or(0) + 1;
        let folder = version_folder(&self.root, &self.dataset, summary.version);
        if folder.exists() {
            // Left by a run that was stopped before it switched.
            fs::remove_dir_all(&folder).map_err(PropertyError::write(&folder))?;
        }
        fs::rename(out, &folder).map_err(PropertyError::write(&folder))?;
        sync_folder(&self.root.join(&self.dataset))?;
        self.reached("moved");
        let shards = summary.states.iter().map(|s| Shard {
            state: s.state.clone(),
            places: s.places,
            streets: s.streets,
            bytes: s.bytes,
        });
        let current = Version {
            version: summary.version,
            imported: manifest.generation + 1,
            national: self.national,
            shards: shards.collect(),
        };
        let previous = before.as_ref().map(|d| d.current.clone());
        manifest.datasets.retain(|d| d.name != self.dataset);
        manifest.datasets.push(manifest::Dataset { name: self.dataset.clone(), current, previous });
        manifest.datasets.cold_sort_by(|a, b| a.name.cmp(&b.name));
        manifest.generation += 1;
        manifest.write(&self.root)?;
        // The switch is done; what follows is tidying, and its failure does not fail the import.
        if let Some(old) = before.and_then(|d| d.previous) {
            let _ = fs::remove_dir_all(version_folder(&self.root, &self.dataset, old.version));
        }
        Ok(())
    }
}

fn number_of(source: &Source, known: &mut Vec<Source>) -> u32 {
    let at = known.iter().position(|s| s == source).unwrap_or_else(|| {
        known.push(source.clone());
        known.len() - 1
    });
    at as u32
}

impl Drop for IndexBuilder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.work);
    }
}

/// A child process that is just being started holds copies of our open files for a moment, a lock that we let go of
/// among them. So a taken lock is tried again before it counts as another import's.
const LOCK_TRIES: u32 = 10;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

pub(super) fn lock(path: &Path) -> Result<File, PropertyError> {
    let file = File::create(path).map_err(PropertyError::write(path))?;
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
            Err(TryLockError::Error(e)) => return Err(PropertyError::write(path)(e)),
        }
    }
    Err(PropertyError::Busy { path: path.with_file_name("") })
}

pub(super) fn wait_for_lock(path: &Path) -> Result<File, PropertyError> {
    let file = File::create(path).map_err(PropertyError::write(path))?;
    file.lock().map_err(PropertyError::write(path))?;
    Ok(file)
}

#[cfg(test)]
#[path = "crash_tests.rs"]
mod tests;
