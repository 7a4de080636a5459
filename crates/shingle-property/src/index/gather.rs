//! The records of one place, from every data set that holds it, made one by [`super::merge`].

use shingle_domain::State;
use shingle_domain::evidence::Place;

use super::key::PlaceKey;
use super::merge;
use super::readers::Reader;
use super::shard::Area;
use crate::address::{KeyHash, Normalized};
use crate::error::PropertyError;

/// A key hash, and the bytes that tell whether it is the very key.
pub(super) type Probe = (u64, Option<u32>);

/// The place of a key, joined from every data set that holds it.
pub(super) fn place_of(readers: &[Reader], key: PlaceKey) -> Result<Option<Place>, PropertyError> {
    joined(readers, key.state, &[(key.hash, None)])
}

/// The place that these keys name.
pub(super) fn joined(readers: &[Reader], state: State, keys: &[Probe]) -> Result<Option<Place>, PropertyError> {
    let mut found = Found::default();
    for key in keys {
        found.add(readers, state, *key)?;
    }
    found.widen(readers, state)?;
    found.records.sort_by_key(|r| std::cmp::Reverse(r.imported));
    Ok(merge::across(found.records.into_iter().map(|r| r.place)))
}

#[derive(Default)]
struct Found {
    records: Vec<Record>,
    asked: Vec<u64>,
}

struct Record {
    /// When its data set was imported, in switches of the index.
    imported: u64,
    place: Place,
}

impl Found {
    fn add(&mut self, readers: &[Reader], state: State, (hash, check): Probe) -> Result<(), PropertyError> {
        if self.asked.contains(&hash) {
            return Ok(());
        }
        self.asked.push(hash);
        for reader in readers.iter().filter(|r| r.state == state) {
            if let Some(place) = reader.shard.place(hash, check)? {
                self.records.push(Record { imported: reader.imported, place });
            }
        }
        Ok(())
    }

    /// The same address where one source knows its ZIP and another names it by its town.
    fn widen(&mut self, readers: &[Reader], state: State) -> Result<(), PropertyError> {
        let known: Vec<Normalized> = self.records.iter().map(|r| Normalized::from_place(&r.place)).collect();
        for n in known.iter().filter(|n| !n.city.is_empty()) {
            if n.zip.is_some() {
                self.add(readers, state, probe(n, &n.city))?;
            } else if let Some(zip) = zip_in_town(readers, state, n)? {
                self.add(readers, state, probe(n, &zip))?;
            }
        }
        Ok(())
    }
}

fn probe(n: &Normalized, area: &str) -> Probe {
    let key = KeyHash::of(&n.key_in(area));
    (key.hash, Some(key.check))
}

/// The ZIP under which other sources have an address of a town; none where the town has it twice.
fn zip_in_town(readers: &[Reader], state: State, n: &Normalized) -> Result<Option<String>, PropertyError> {
    let mut zips: Vec<String> = Vec::new();
    for reader in readers.iter().filter(|r| r.state == state) {
        for street in reader.shard.streets(&n.name, Area::City(&n.city))? {
            let same = (&street.predir, &street.suffix, &street.postdir) == (&n.predir, &n.suffix, &n.postdir);
            if same && !street.zip.is_empty() && !zips.contains(&street.zip) {
                let (hash, check) = probe(n, &street.zip);
                if reader.shard.place(hash, check)?.is_some() {
                    zips.push(street.zip);
                }
            }
        }
    }
    Ok(if zips.len() == 1 { zips.pop() } else { None })
}

#[cfg(test)]
#[path = "gather_tests.rs"]
mod tests;
