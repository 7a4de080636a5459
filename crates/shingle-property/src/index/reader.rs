//! The open files of an index.

use std::ops::{Deref, Range};
use std::sync::{Arc, OnceLock};

use shingle_domain::State;

use super::key_directory::KeyDirectory;
use super::shard::ShardReader;
use crate::error::PropertyError;

/// An open file of the index, with the state it holds.
#[derive(Clone)]
pub(crate) struct Reader {
    pub state: State,
    /// When its data set was imported, in switches of the index.
    pub imported: u64,
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
    directories: Arc<KeyDirectories>,
    /// Whether some of them have places without a ZIP.
    without_zip: bool,
}

/// Each is made when it is first needed.
#[derive(Default)]
struct KeyDirectories {
    places: OnceLock<KeyDirectory>,
    parcels: OnceLock<KeyDirectory>,
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

    /// The numbers of the files of a state that may have a key hash.
    pub fn that_may_have(&self, state: State, hash: u64) -> Result<Vec<usize>, PropertyError> {
        self.found(state, |known| &known.places, |reader| reader.shard.place_keys(reader.places), hash)
    }

    /// The numbers of the files of a state that may have a parcel.
    pub fn that_may_have_parcel(&self, state: State, parcel: i64) -> Result<Vec<usize>, PropertyError> {
        self.found(state, |known| &known.parcels, |reader| reader.shard.parcels().map(Some), parcel as u64)
    }

    fn found(
        &self,
        state: State,
        directory: impl Fn(&KeyDirectories) -> &OnceLock<KeyDirectory>,
        keys_of: impl Fn(&Reader) -> Result<Option<Vec<u64>>, PropertyError>,
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
                let made = KeyDirectory::read(&places, |file| keys_of(&files[file]))?;
                // Of two threads that make it at once, one wins.
                directory.get_or_init(|| made)
            }
        };
        Ok(known.files_of(key).into_iter().map(|file| start + file).collect())
    }
}

impl Deref for Readers {
    type Target = [Reader];

    fn deref(&self) -> &[Reader] {
        &self.files
    }
}
