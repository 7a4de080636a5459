//! The search itself: which homes fit what was typed, the best first. Its work is bounded by rows, however many files,
//! streets and homes there are.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use shingle_domain::State;

use crate::error::PropertyError;
use crate::index::PlaceKey;
use crate::index::directory::{Directory, Span};
use crate::index::home::{Home, House};
use crate::index::shard::{Numbered, ShardReader};
use crate::index::street_row::StreetRow;
use crate::index::title::{Title, pieces_typed};
use shingle_address::tables::state_name;
use shingle_address::{KeyHash, Normalized};

use super::query::{Query, StreetReading};
use super::typo::{forgiven, same_numbers, within};

/// Houses that a search reads for one reading; more when most of them are in other towns.
const MAX_HOUSES: usize = 200;
const MAX_HOUSES_ELSEWHERE: usize = 4_000;
/// Houses that are found before a search that asks for no town has enough to choose from.
const ENOUGH: usize = 40;
/// Streets whose neighbors are read when the typed number does not exist.
pub(super) const MAX_STREETS: usize = 24;
/// Streets that are looked at for those in the town that was typed.
const MAX_STREETS_ELSEWHERE: usize = 400;
/// Houses on either side of a number whose files may be read.
const MAX_NEAR: usize = 32;
/// Titles that are read for one piece of misspelled text.
const MAX_TITLES: usize = 400;

/// Behind every reading of what was typed.
const DOUBTFUL: usize = 100;

/// Rows of all kinds that one search may read, however many files and streets there are. This limits its time; what lies
/// further is found once more is typed.
pub(super) const MAX_ROWS: usize = 6_000;
/// The same for suggestions beside an address that was not found.
pub(super) const MAX_ROWS_CLOSE: usize = 1_000;

/// A place found, with what decides its rank: earlier fields first, small before large.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hit {
    /// The number typed, or else how far off (1 and more).
    number_off: u32,
    /// Whether a unit was typed that is not this one.
    other_unit: bool,
    errors: usize,
    reading: usize,
    title: String,
    low: u32,
    zip: String,
    place: String,
    pub key: PlaceKey,
    /// Which file has it, and where.
    pub file: usize,
    pub home: Home,
}

impl Hit {
    pub fn same_house(&self, other: &Self) -> bool {
        let of = |h: &Self| (h.number_off, h.other_unit, h.errors, h.reading, h.low);
        of(self) == of(other) && self.title == other.title && self.zip == other.zip && self.place == other.place
    }
}

/// What decides the rank of the houses of one street.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rank {
    pub number_off: u32,
    pub errors: usize,
    pub reading: usize,
    pub low: u32,
}

pub(super) struct Search<'a> {
    pub directory: &'a Directory,
    pub limit: usize,
    /// Homes of this state alone.
    pub only: Option<State>,
    /// How many rows may be read, and how many are left.
    rows: usize,
    left: usize,
    pub hits: Vec<Hit>,
    seen: HashSet<PlaceKey>,
    streets: HashMap<(usize, i64), Option<StreetRow>>,
}

impl<'a> Search<'a> {
    pub fn new(directory: &'a Directory, only: Option<State>, limit: usize, rows: usize) -> Self {
        let (hits, seen, streets) = (Vec::new(), HashSet::new(), HashMap::new());
        Self { directory, limit, only, rows, left: rows, hits, seen, streets }
    }

    pub fn shard(&self, file: usize) -> Arc<ShardReader> {
        Arc::clone(&self.directory.readers[file].shard)
    }

    /// Searches wider until something is found: as typed, with typing errors, with other numbers.
    pub fn run(&mut self, queries: &[Query]) -> Result<(), PropertyError> {
        let (doubts, typed): (Vec<&Query>, Vec<&Query>) = queries.iter().partition(|query| query.is_doubt);
        for query in typed {
            self.as_typed(query)?;
            if !self.hits.is_empty() {
                break;
            }
        }
        for query in doubts {
            self.as_typed(query)?;
        }
        if !self.hits.is_empty() {
            return Ok(());
        }
        for query in queries.iter().take(2).filter(|w| !w.is_guess) {
            self.misspelled(query, true)?;
            if !self.hits.is_empty() {
                return Ok(());
            }
        }
        for query in queries.iter().filter(|w| w.number.is_some() && !w.is_guess) {
            self.other_numbers(query)?;
            if !self.hits.is_empty() {
                return Ok(());
            }
        }
        for query in queries.iter().take(2).filter(|w| w.number.is_some() && !w.is_guess) {
            self.misspelled(query, false)?;
        }
        Ok(())
    }

    fn as_typed(&mut self, query: &Query) -> Result<(), PropertyError> {
        let first = if query.is_doubt { DOUBTFUL } else { 0 };
        for (rank, reading) in (first..).zip(&query.readings()) {
            let titles = self.directory.beginning_with(&reading.text);
            self.listed_houses(query, reading, titles, (rank, 0))?;
            for at in self.directory.unlisted.clone() {
                if let Some(span) = self.shard(at).span(&reading.text)? {
                    self.houses(at, query, reading, span, (rank, 0))?;
                }
            }
        }
        Ok(())
    }

    /// How many of the rows left one file may use, so that each of many files has its turn.
    fn share(&self) -> usize {
        (self.rows / self.directory.unlisted.len().max(1)).max(MAX_HOUSES).min(self.left)
    }

    /// A query counts as a row even if it finds none.
    pub fn count_rows(&mut self, rows: usize) {
        self.left = self.left.saturating_sub(rows.max(1));
    }

    /// Streets whose text begins almost like that, with the typed number, or else with numbers near it.
    fn misspelled(&mut self, query: &Query, same_number: bool) -> Result<(), PropertyError> {
        for (rank, reading) in query.readings().iter().enumerate() {
            let most = forgiven(reading.text.chars().count());
            if most == 0 || reading.is_other_road {
                continue;
            }
            // Another number in a name is another road.
            let errors = |title: &str| {
                within(&reading.text, title, most).filter(|_| same_numbers(&reading.text, title, query.street_done))
            };
            let mut looked_at = HashSet::new();
            for piece in pieces_typed(&reading.text) {
                let titles: Vec<u32> = self.directory.like(piece, MAX_TITLES.min(self.left)).collect();
                self.count_rows(titles.len());
                for title in titles {
                    if !looked_at.insert(title) {
                        continue;
                    }
                    let Some(errors) = errors(self.directory.title(title)) else { continue };
                    match same_number {
                        true => self.listed_houses(query, reading, title..title + 1, (rank, errors))?,
                        false => self.listed_neighbours(query, reading, title..title + 1, (rank, errors))?,
                    }
                }
            }
            for at in self.directory.unlisted.clone() {
                let mut looked_at = HashSet::new();
                let pieces = pieces_typed(&reading.text);
                let titles = self.shard(at).titles_like(&pieces, MAX_TITLES.min(self.share()))?;
                self.count_rows(titles.len());
                for Title { text: title, span } in titles {
                    if !looked_at.insert(span) {
                        continue;
                    }
                    let Some(errors) = errors(&title) else { continue };
                    match same_number {
                        true => self.houses(at, query, reading, span, (rank, errors))?,
                        false => self.neighbours(at, query, reading, span, (rank, errors))?,
                    }
                }
            }
        }
        Ok(())
    }

    fn other_numbers(&mut self, query: &Query) -> Result<(), PropertyError> {
        for (rank, reading) in query.readings().iter().enumerate().filter(|(_, r)| !r.is_other_road) {
            let titles = self.directory.beginning_with(&reading.text);
            self.listed_neighbours(query, reading, titles, (rank, 0))?;
            for at in self.directory.unlisted.clone() {
                if let Some(span) = self.shard(at).span(&reading.text)? {
                    self.neighbours(at, query, reading, span, (rank, 0))?;
                }
            }
        }
        Ok(())
    }

    /// As [`Self::houses`], on streets of the listed files.
    fn listed_houses(
        &mut self,
        query: &Query,
        reading: &StreetReading,
        titles: Range<u32>,
        (rank, errors): (usize, usize),
    ) -> Result<(), PropertyError> {
        let directory = self.directory;
        let Some(low) = query.number else {
            let mut streets = directory.streets(&titles).flat_map(each_street).peekable();
            let first = streets.next();
            // One house of each of several streets; the first houses of a single one.
            let each = if streets.peek().is_some() { 1 } else { self.limit };
            let streets = self.in_town(query, first.into_iter().chain(streets))?;
            for (at, street) in streets {
                self.first_houses(at, query, reading, street, each, (rank, errors))?;
            }
            return Ok(());
        };
        let enough = if query.area.is_empty() { MAX_HOUSES } else { MAX_HOUSES_ELSEWHERE };
        let mut read = 0;
        let before = self.hits.len();
        for span in directory.with_number(low, &titles) {
            if read >= enough || self.left == 0 || query.area.is_empty() && self.hits.len() - before >= ENOUGH {
                break;
            }
            let found =
                self.houses_of(span.file as usize, query, reading, span.streets(), enough - read, (rank, errors, low))?;
            read += found.max(1);
        }
        Ok(())
    }

    /// The first streets of some, or the first of those in the town that was typed.
    fn in_town(
        &mut self,
        query: &Query,
        streets: impl Iterator<Item = (usize, i64)>,
    ) -> Result<Vec<(usize, i64)>, PropertyError> {
        if query.area.is_empty() {
            return Ok(streets.take(MAX_STREETS).collect());
        }
        let mut found = Vec::new();
        for (at, street) in streets.take(MAX_STREETS_ELSEWHERE) {
            if found.len() == MAX_STREETS || self.left == 0 {
                break;
            }
            self.count_rows(1);
            let state = self.directory.readers[at].state;
            if self.row(at, street)?.is_some_and(|row| in_area(row, state, &query.area)) {
                found.push((at, street));
            }
        }
        Ok(found)
    }

    fn listed_neighbours(
        &mut self,
        query: &Query,
        reading: &StreetReading,
        titles: Range<u32>,
        ranks: (usize, usize),
    ) -> Result<(), PropertyError> {
        let (directory, Some(number)) = (self.directory, query.number) else { return Ok(()) };
        let mut left = MAX_STREETS;
        for title in titles.take(MAX_STREETS) {
            let near = directory.nearest(title, number, MAX_NEAR);
            let only = title..title + 1;
            let spans = directory.streets(&only).filter(|span| near.iter().any(|side| side.contains(&span.file)));
            let streets = self.in_town(query, spans.flat_map(each_street))?;
            // Of a street that many files have, the file with the nearest house on either side.
            let is_there = |file: &&u32| streets.iter().any(|(at, _)| *at == **file as usize);
            let mut files: Vec<u32> = near.iter().filter_map(|side| side.iter().find(is_there)).copied().collect();
            files.dedup();
            let chosen = files.iter().flat_map(|file| streets.iter().filter(|(at, _)| *at == *file as usize));
            for (at, street) in chosen.take(left).copied().collect::<Vec<_>>() {
                left -= 1;
                self.neighbours(at, query, reading, (street, street), ranks)?;
            }
        }
        Ok(())
    }

    /// Houses with the number typed on a span of streets; without a number, the first houses of each street.
    fn houses(
        &mut self,
        at: usize,
        query: &Query,
        reading: &StreetReading,
        span: (i64, i64),
        (rank, errors): (usize, usize),
    ) -> Result<(), PropertyError> {
        match query.number {
            Some(low) => {
                let enough = if query.area.is_empty() { MAX_HOUSES } else { MAX_HOUSES_ELSEWHERE };
                self.houses_of(at, query, reading, span, enough.min(self.share()), (rank, errors, low))?;
            }
            None => {
                let last = span.1.min(span.0 + MAX_STREETS as i64 - 1);
                let each = if last > span.0 { 1 } else { self.limit };
                for street in span.0..=last {
                    self.first_houses(at, query, reading, street, each, (rank, errors))?;
                }
            }
        }
        Ok(())
    }

    /// Gives how many were read.
    fn houses_of(
        &mut self,
        at: usize,
        query: &Query,
        reading: &StreetReading,
        span: (i64, i64),
        most: usize,
        (reading_rank, errors, low): (usize, usize, u32),
    ) -> Result<usize, PropertyError> {
        let rank = Rank { number_off: 0, errors, reading: reading_rank, low };
        let rows = self.shard(at).houses_numbered(low, span, most)?;
        self.count_rows(rows.len());
        let mut last = None;
        for found in &rows {
            if last.replace(found.street) != Some(found.street) && !query.unit.is_empty() {
                self.add_unit(at, query, reading, *found, rank)?;
            }
            self.add(at, query, reading, *found, rank)?;
        }
        Ok(rows.len())
    }

    fn first_houses(
        &mut self,
        at: usize,
        query: &Query,
        reading: &StreetReading,
        street: i64,
        each: usize,
        (reading_rank, errors): (usize, usize),
    ) -> Result<(), PropertyError> {
        self.count_rows(each);
        if self.left == 0 {
            return Ok(());
        }
        for (order, house) in self.shard(at).first_houses(street, each)?.into_iter().enumerate() {
            let rank = Rank { number_off: order as u32, errors, reading: reading_rank, low: house.low };
            self.add(at, query, reading, Numbered { street, house }, rank)?;
        }
        Ok(())
    }

    /// The houses next to the number typed, on a span of streets.
    fn neighbours(
        &mut self,
        at: usize,
        query: &Query,
        reading: &StreetReading,
        (first, last): (i64, i64),
        (reading_rank, errors): (usize, usize),
    ) -> Result<(), PropertyError> {
        let Some(number) = query.number else { return Ok(()) };
        let shard = self.shard(at);
        for street in first..=last.min(first + MAX_STREETS as i64 - 1) {
            self.count_rows(2);
            if self.left == 0 {
                break;
            }
            for house in shard.nearest_houses(street, number)? {
                let off = house.low.abs_diff(number).max(1);
                let rank = Rank { number_off: off, errors, reading: reading_rank, low: house.low };
                self.add(at, query, reading, Numbered { street, house }, rank)?;
            }
        }
        Ok(())
    }

    fn row(&mut self, at: usize, street: i64) -> Result<Option<&StreetRow>, PropertyError> {
        let row = match self.streets.entry((at, street)) {
            std::collections::hash_map::Entry::Occupied(row) => row.into_mut(),
            std::collections::hash_map::Entry::Vacant(row) => {
                row.insert(self.directory.readers[at].shard.street(street)?)
            }
        };
        Ok(row.as_ref())
    }

    /// The very unit that was typed: a tower has more than a search reads.
    fn add_unit(
        &mut self,
        at: usize,
        query: &Query,
        reading: &StreetReading,
        found: Numbered,
        rank: Rank,
    ) -> Result<(), PropertyError> {
        let Some(row) = self.row(at, found.street)? else { return Ok(()) };
        let StreetRow { predir, name, suffix, postdir, zip, city, place, .. } = row.clone();
        let area = if zip.is_empty() { city } else { zip };
        let (number, unit) = (query.number_text.clone(), query.unit.clone());
        let wanted = Normalized { number, predir, name, suffix, postdir, unit, place, ..Normalized::default() };
        let hash = KeyHash::of(&wanted.key_in(&area)).hash;
        self.count_rows(1);
        if let Some(home) = self.shard(at).home(hash)? {
            let unit = Numbered { house: House { home, is_plain: false, ..found.house }, ..found };
            self.add_ranked(at, query, reading, unit, rank, false)?;
        }
        Ok(())
    }

    pub fn add(
        &mut self,
        at: usize,
        query: &Query,
        reading: &StreetReading,
        found: Numbered,
        rank: Rank,
    ) -> Result<(), PropertyError> {
        self.add_ranked(at, query, reading, found, rank, !query.unit.is_empty())
    }

    fn add_ranked(
        &mut self,
        at: usize,
        query: &Query,
        reading: &StreetReading,
        Numbered { street, house }: Numbered,
        Rank { number_off, errors, reading: rank, low }: Rank,
        other_unit: bool,
    ) -> Result<(), PropertyError> {
        let state = self.directory.readers[at].state;
        if self.only.is_some_and(|only| only != state) {
            return Ok(());
        }
        let Some(row) = self.row(at, street)? else { return Ok(()) };
        if !(reading.predir.is_none_or(|p| p == row.predir) && in_area(row, state, &query.area)) {
            return Ok(());
        }
        let title = format!("{} {} {}", row.name, row.suffix, row.postdir);
        let (zip, place) = (row.zip.clone(), row.place.clone());
        // Most keys follow from the street; else the home is looked at.
        let hash = if house.is_plain { Some(row.key_of_plain(house.low)) } else { None };
        let hash = hash.map_or_else(|| self.shard(at).key_of(house.home), Ok)?;
        let (key, home) = (PlaceKey { state, hash }, house.home);
        if self.seen.insert(key) {
            let hit =
                Hit { number_off, other_unit, errors, reading: rank, title, low, zip, place, key, file: at, home };
            self.hits.push(hit);
        }
        Ok(())
    }
}

fn each_street(span: Span) -> impl Iterator<Item = (usize, i64)> {
    let (first, last) = span.streets();
    (first..=last).map(move |street| (span.file as usize, street))
}

/// Whether what was typed of the town can become this street's: `Portl`, `Portland ME`, `Portland Maine`, `ME 04103`, `041`.
fn in_area(row: &StreetRow, state: State, area: &str) -> bool {
    if area.is_empty() {
        return true;
    }
    let (city, zip, short) = (row.city.as_str(), row.zip.as_str(), state.as_str());
    let long = state_name(short).unwrap_or(short);
    [short, long].into_iter().any(|state| begins(&[city, state, zip], area) || begins(&[state, zip], area))
        || [short, long].into_iter().any(|state| begins(&[zip, city, state], area) || begins(&[state, city, zip], area))
        || begins(&[city, zip], area)
        || !zip.is_empty() && zip.starts_with(area)
}

/// Whether the words, with a space between them, begin with a text.
fn begins(words: &[&str], with: &str) -> bool {
    let mut bytes = words.iter().flat_map(|word| [" ", word]).flat_map(str::bytes).skip(1);
    with.bytes().all(|b| bytes.next() == Some(b))
}
