//! The open files of an index.

use std::ops::{Deref, Range};
use std::sync::{Arc, OnceLock};

use shingle_domain::State;

use super::key_directory::KeyDirectory;
use super::key_list::mark_of;
use super::shard::{Area, ShardReader};
use super::street_directory::{StreetDirectory, StreetLister};
use super::street_row::StreetRow;
use crate::error::PropertyError;

/// An open file of the index, with the state it holds.
#[derive(Clone)]
pub(crate) struct Reader {
    pub state: State,
    /// When its data set was imported, in switches of the index.
    pub imported: u64,
    /// Its data set covers the country.
    pub national: bool,
    pub places: u64,
    pub shard: Arc<ShardReader>,
}

/// The open files of one state, or of all states, one state after the other.
#[derive(Default)]
pub(crate) struct Readers {
    files: Vec<Reader>,
    states: Vec<StateFiles>,
}

struct StateFiles {
    state: State,
    /// Where they are among all files.
    span: Range<usize>,
    directories: Arc<Directories>,
    /// Whether some of them have places without a ZIP.
    without_zip: bool,
}

/// Each is made when it is first needed.
#[derive(Default)]
struct Directories {
    places: OnceLock<KeyDirectory>,
    parcels: OnceLock<KeyDirectory>,
    streets: OnceLock<StreetDirectory>,
}

/// So few files are asked one by one.
const FEW_FILES: usize = 3;

impl Readers {
    pub fn of_state(state: State, files: Vec<Reader>) -> Self {
        let without_zip = files.iter().any(|reader| reader.shard.without_zip);
        let of_state = StateFiles { state, span: 0..files.len(), directories: Arc::default(), without_zip };
        Self { files, states: vec![of_state] }
    }

    /// Several states together. What is known of their keys is shared.
    pub fn of_states(states: &[Arc<Self>]) -> Self {
        let mut all = Self::default();
        for of_state in states.iter().flat_map(|readers| &readers.states) {
            let StateFiles { state, without_zip, .. } = *of_state;
            let start = all.states.last().map_or(0, |before| before.span.end);
            let (span, directories) = (start..start + of_state.span.len(), of_state.directories.clone());
            all.states.push(StateFiles { state, span, directories, without_zip });
        }
        all.files = states.iter().flat_map(|readers| readers.files.clone()).collect();
        all
    }

    pub fn have_places_without_zip(&self, state: State) -> bool {
        self.states.iter().any(|of_state| of_state.state == state && of_state.without_zip)
    }

    /// Each state once.
    pub fn states(&self) -> impl Iterator<Item = State> {
        self.states.iter().map(|of_state| of_state.state)
    }

    /// The numbers of the files of a state that may have a key hash.
    pub fn that_may_have(&self, state: State, hash: u64) -> Result<Vec<usize>, PropertyError> {
        let made = |files: &[Reader], places: &[u64]| {
            let keys = |file: usize| files[file].shard.place_keys();
            KeyDirectory::read(places, |file| Ok(Some(keys(file)?.into_iter().map(spread).collect())))
        };
        self.found(state, |known| &known.places, made, spread(mark_of(hash)))
    }

    /// The numbers of the files of a state that may have a parcel too, which one of them has.
    pub fn that_may_share_parcel(&self, state: State, parcel: u64) -> Result<Vec<usize>, PropertyError> {
        let made = |files: &[Reader], places: &[u64]| {
            let parcels = |file: usize| files[file].shard.parcels();
            KeyDirectory::of_shared(places, |file| Ok(Some(parcels(file)?.into_iter().map(spread).collect())))
        };
        self.found(state, |known| &known.parcels, made, spread(parcel))
    }

    fn found(
        &self,
        state: State,
        directory: impl Fn(&Directories) -> &OnceLock<KeyDirectory>,
        made: impl Fn(&[Reader], &[u64]) -> Result<KeyDirectory, PropertyError>,
        key: u64,
    ) -> Result<Vec<usize>, PropertyError> {
        let Some(of_state) = self.states.iter().find(|of_state| of_state.state == state) else { return Ok(Vec::new()) };
        let Range { start, end } = of_state.span;
        if end - start <= FEW_FILES {
            return Ok((start..end).collect());
        }
        let directory = directory(&of_state.directories);
        let known = match directory.get() {
            Some(known) => known,
            None => {
                let files = &self.files[start..end];
                let places: Vec<u64> = files.iter().map(|reader| reader.places).collect();
                let made = made(files, &places)?;
                // Of two threads that make it at once, one wins.
                directory.get_or_init(|| made)
            }
        };
        Ok(known.files_of(key).into_iter().map(|file| start + file).collect())
    }

    fn of(&self, state: Option<State>) -> impl Iterator<Item = &StateFiles> {
        self.states.iter().filter(move |of_state| state.is_none_or(|state| state == of_state.state))
    }

    /// The files of a state that find their streets themselves, each with its number.
    fn with_lists(&self, of_state: &StateFiles) -> impl Iterator<Item = (usize, &ShardReader)> {
        let all = self.files[of_state.span.clone()].iter().enumerate();
        let start = of_state.span.start;
        all.filter(|(_, reader)| reader.shard.has_lists).map(move |(at, reader)| (start + at, &*reader.shard))
    }

    /// The streets of the other files.
    fn street_directory<'s>(&self, of_state: &'s StateFiles) -> Result<&'s StreetDirectory, PropertyError> {
        let known = &of_state.directories.streets;
        if let Some(known) = known.get() {
            return Ok(known);
        }
        let mut lister = StreetLister::default();
        let files = self.files[of_state.span.clone()].iter().enumerate();
        for (at, reader) in files.filter(|(_, reader)| !reader.shard.has_lists) {
            reader.shard.each_street(|id, name, zip, city| lister.street(at, id, name, zip, city))?;
        }
        // Of two threads that make it at once, one wins.
        Ok(known.get_or_init(|| lister.listed()))
    }

    /// The streets of a name, each with the number of its file, in the order of the files.
    pub fn streets(
        &self,
        state: Option<State>,
        name: &str,
        area: Area<'_>,
    ) -> Result<Vec<(usize, StreetRow)>, PropertyError> {
        let mut found = Vec::new();
        for of_state in self.of(state) {
            for (at, shard) in self.with_lists(of_state) {
                found.extend(shard.streets(name, area)?.into_iter().map(|street| (at, street)));
            }
            for (file, span) in self.street_directory(of_state)?.spans_of(name) {
                let at = of_state.span.start + file;
                let streets = self.files[at].shard.streets_between(span, name, area)?;
                found.extend(streets.into_iter().map(|street| (at, street)));
            }
        }
        found.sort_by_key(|(at, _)| *at);
        Ok(found)
    }

    /// The names of the streets of an area; one may come several times.
    pub fn each_name(&self, area: Area<'_>, mut each: impl FnMut(&str)) -> Result<(), PropertyError> {
        for of_state in &self.states {
            for (_, shard) in self.with_lists(of_state) {
                shard.each_name(area, &mut each)?;
            }
            // Similar names are looked for within a town only.
            if !matches!(area, Area::Anywhere) {
                self.street_directory(of_state)?.each_name(area, &mut each);
            }
        }
        Ok(())
    }

    /// Whether a town has streets with this ZIP.
    pub fn has_town(&self, state: Option<State>, city: &str, zip: &str) -> Result<bool, PropertyError> {
        for of_state in self.of(state) {
            for (_, shard) in self.with_lists(of_state) {
                if shard.has_town(city, zip)? {
                    return Ok(true);
                }
            }
            if self.street_directory(of_state)?.has_town(|of, town| (of, town) == (zip, city)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether some street is in this town, or has this ZIP.
    pub fn covers(&self, city: &str, zip: &str) -> Result<bool, PropertyError> {
        for of_state in &self.states {
            for (_, shard) in self.with_lists(of_state) {
                if shard.covers(city, zip)? {
                    return Ok(true);
                }
            }
            let is_it = |of: &str, town: &str| town == city && !city.is_empty() || of == zip && !zip.is_empty();
            if self.street_directory(of_state)?.has_town(is_it) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// A number of forty bits or some more as one whose first and last bits tell it from others, as the directory needs.
fn spread(n: u64) -> u64 {
    n.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Deref for Readers {
    type Target = [Reader];

    fn deref(&self) -> &[Reader] {
        &self.files
    }
}
