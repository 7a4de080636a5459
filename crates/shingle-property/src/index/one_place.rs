//! The records of one place, from every data set that holds it, made one by [`super::merge`].
//!
//! **One place** is one address key: number, street, unit and ZIP, or the town where a source knows no ZIP. A source
//! with ZIPs and one without meet by the town, unless the town has the address under two ZIPs.
//!
//! **Parcels** bring together what is spelled so differently that no key agrees (`ML King Blvd`). A record of
//! another data set joins when its parcel number is the same, dashes aside, *and* its house number, unit and ZIP (or
//! town) are: every county numbers on its own, a parcel may hold many doors, and a corner lot has two
//! addresses of which only one is asked for. If several records of a data set fit, none joins.

use shingle_domain::State;
use shingle_domain::evidence::Place;

use super::key::PlaceKey;
use super::merge::{self, Reach};
use super::parcel::parcel_hash;
use super::reader::{Reader, Readers};
use super::shard::Area;
use crate::error::PropertyError;
use shingle_address::{KeyHash, Normalized};

/// Places of a parcel looked at: more doors than this are a complex, in which parcels distinguish nothing.
const MAX_ON_PARCEL: usize = 50;

/// The place of a key, joined from every data set that holds it.
pub(crate) fn place_of(readers: &Readers, key: PlaceKey) -> Result<Option<Place>, PropertyError> {
    Ok(joined(readers, key.state, &[key.hash])?.map(|(_, place)| place))
}

/// The place that these keys name, with the key hash of the address it is shown with.
pub(super) fn joined(readers: &Readers, state: State, keys: &[u64]) -> Result<Option<(u64, Place)>, PropertyError> {
    let mut found = Found::default();
    for key in keys {
        found.add(readers, state, *key)?;
    }
    let open = |found: &Found| {
        readers.iter().enumerate().any(|(at, reader)| reader.state == state && !found.is_done(at, reader))
    };
    if !found.records.is_empty() && open(&found) {
        found.widen(readers, state)?;
        found.by_parcel(readers, state)?;
    }
    found.records.sort_by_key(|r| std::cmp::Reverse(r.imported));
    // Reading an address costs as much as finding it, so it is read only where there are several.
    let first = found.records.first().map(|record| record.hash);
    let only = first.filter(|hash| found.records.iter().all(|record| record.hash == *hash));
    let place = merge::across(found.records.into_iter().map(|r| (r.place, r.reach)));
    Ok(place.map(|place| (only.unwrap_or_else(|| Normalized::from_place(&place).hash()), place)))
}

#[derive(Default)]
struct Found {
    records: Vec<Record>,
    asked: Vec<u64>,
}

struct Record {
    /// Which of the readers gave it.
    reader: usize,
    /// When its data set was imported, in switches of the index.
    imported: u64,
    reach: Reach,
    /// Of its key.
    hash: u64,
    place: Place,
}

impl Record {
    fn new(number: usize, reader: &Reader, hash: u64, place: Place) -> Self {
        let reach = if reader.national { Reach::National } else { Reach::Local };
        Self { reader: number, imported: reader.imported, reach, hash, place }
    }
}

impl Found {
    fn add(&mut self, readers: &Readers, state: State, hash: u64) -> Result<(), PropertyError> {
        if self.asked.contains(&hash) {
            return Ok(());
        }
        self.asked.push(hash);
        for at in readers.that_may_have(state, hash)? {
            let reader = &readers[at];
            if self.is_done(at, reader) {
                continue;
            }
            if let Some(place) = reader.shard.place(hash)? {
                self.records.push(Record::new(at, reader, hash, place));
            }
        }
        Ok(())
    }

    /// Whether this data set has said all it can of the place.
    fn is_done(&self, at: usize, reader: &Reader) -> bool {
        !reader.shard.mixed && self.records.iter().any(|r| r.reader == at)
    }

    /// The same parcel and house number in data sets that hold none of the keys.
    fn by_parcel(&mut self, readers: &Readers, state: State) -> Result<(), PropertyError> {
        for at in 0..self.records.len() {
            let place = &self.records[at].place;
            let Some(parcel) = place.parcel.as_deref().and_then(parcel_hash) else { continue };
            let others = readers.that_may_share_parcel(state, parcel)?;
            let others = others.into_iter().filter(|number| self.records.iter().all(|r| r.reader != *number));
            let others: Vec<usize> = others.collect();
            if others.is_empty() {
                continue;
            }
            let wanted = Normalized::from_place(place);
            for number in others {
                let reader = &readers[number];
                let mut fitting = Vec::new();
                for home in reader.shard.on_parcel(parcel, MAX_ON_PARCEL)? {
                    let place = reader.shard.place_of(home)?;
                    fitting.extend(is_same_door(&wanted, &place).then_some(place));
                }
                if let (Some(place), true) = (fitting.pop(), fitting.is_empty()) {
                    self.records.push(Record::new(number, reader, Normalized::from_place(&place).hash(), place));
                }
            }
        }
        Ok(())
    }

    /// The same address where one source knows its ZIP and another names it by its town.
    fn widen(&mut self, readers: &Readers, state: State) -> Result<(), PropertyError> {
        // Else every file names its places by their ZIP.
        if !readers.have_places_without_zip(state) {
            return Ok(());
        }
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

/// Whether a place on the same parcel is the same address, its street spelled in another way.
fn is_same_door(wanted: &Normalized, place: &Place) -> bool {
    let n = Normalized::from_place(place);
    let same_area = match (wanted.zip, n.zip) {
        (Some(a), Some(b)) => a == b,
        _ => wanted.city == n.city,
    };
    let same_place = n.place == wanted.place || n.place.is_empty() || wanted.place.is_empty();
    !n.number.is_empty() && n.number == wanted.number && n.unit == wanted.unit && same_place && same_area
}

fn probe(n: &Normalized, area: &str) -> u64 {
    KeyHash::of(&n.key_in(area)).hash
}

/// The ZIP under which other sources have an address of a town; none where the town has it twice.
fn zip_in_town(readers: &Readers, state: State, n: &Normalized) -> Result<Option<String>, PropertyError> {
    let mut zips: Vec<String> = Vec::new();
    for (at, street) in readers.streets(Some(state), &n.name, Area::City(&n.city))? {
        let same = (&street.predir, &street.suffix, &street.postdir, &street.place)
            == (&n.predir, &n.suffix, &n.postdir, &n.place);
        if same
            && !street.zip.is_empty()
            && !zips.contains(&street.zip)
            && readers[at].shard.home(probe(n, &street.zip))?.is_some()
        {
            zips.push(street.zip);
        }
    }
    Ok(if zips.len() == 1 { zips.pop() } else { None })
}

#[cfg(test)]
#[path = "one_place_tests.rs"]
mod tests;
