//! Address suggestions while typing: read from the index's files, nothing held in memory.

mod matched;
mod query;
mod typo;

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use shingle_domain::public::Suggestion;

use crate::error::PropertyError;
use crate::index::PlaceKey;
use crate::index::matching::areas;
use crate::index::readers::Reader;
use crate::index::record::Head;
use crate::index::shard::{Area, StreetRow, Title};
use crate::index::title::pieces_typed;
use query::{Query, StreetReading};
use shingle_address::{Normalized, number_span};
use typo::{between, forgiven, within};

/// Houses that a search reads for one reading in one file; more when most of them are in other towns.
const MAX_HOUSES: usize = 200;
const MAX_HOUSES_ELSEWHERE: usize = 4_000;
/// Streets whose neighbours are read when the typed number does not exist.
const MAX_STREETS: i64 = 24;
/// Titles that are read for one piece of misspelled text.
const MAX_TITLES: usize = 400;

/// Rows of all kinds that one search may read, however many files and streets there are. This limits its time; what lies
/// further is found once more is typed.
const MAX_ROWS: usize = 6_000;
/// The same for suggestions beside an address that was not found.
const MAX_ROWS_CLOSE: usize = 1_000;

/// A place found, with what decides its rank: earlier fields first, small before large.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Hit {
    /// The number typed, or else how far off (1 and more).
    number_off: u32,
    errors: usize,
    reading: usize,
    title: String,
    low: u32,
    zip: String,
    key: PlaceKey,
}

struct Search<'a> {
    readers: &'a [Reader],
    limit: usize,
    /// How many rows may be read, and how many are left.
    rows: usize,
    left: usize,
    hits: Vec<Hit>,
    seen: HashSet<PlaceKey>,
    streets: HashMap<(usize, i64), Option<StreetRow>>,
}

pub(crate) fn suggest(readers: &[Reader], text: &str, limit: usize) -> Result<Vec<Suggestion>, PropertyError> {
    let queries = query::queries(text);
    let mut search = Search::new(readers, limit, MAX_ROWS);
    if limit > 0 {
        search.run(&queries)?;
    }
    search.shown(&queries, Some(text))
}

/// Addresses close to one that was not found: the nearest numbers of its street, else its house in a town whose name
/// is spelled almost alike, else what it may be a misspelling of.
pub(crate) fn close(readers: &[Reader], wanted: &Normalized, limit: usize) -> Result<Vec<Suggestion>, PropertyError> {
    if wanted.name.is_empty() {
        return Ok(Vec::new());
    }
    let in_area = query::of_normalized(wanted);
    let anywhere = Query { area: String::new(), ..in_area.clone() };
    let queries = [in_area, anywhere];
    let mut search = Search::new(readers, limit, MAX_ROWS_CLOSE);
    if limit > 0 {
        search.own_street(wanted)?;
        if search.hits.is_empty() {
            search.town_misspelled(wanted)?;
        }
        if search.hits.is_empty() {
            search.run(&queries)?;
        }
    }
    search.shown(&queries, None)
}

/// A suggestion, and what tells whether it is another's address.
struct Shown {
    suggestion: Suggestion,
    in_town: String,
    without_zip: bool,
}

fn suggestions(found: Vec<Shown>) -> Vec<Suggestion> {
    found.into_iter().map(|s| s.suggestion).collect()
}

/// The units of one house: the one typed first, then as one counts.
fn units_in_order(readers: &[Reader], house: &[Hit], typed: &str) -> Result<Vec<PlaceKey>, PropertyError> {
    if let [only] = house {
        return Ok(vec![only.key]);
    }
    let mut units = Vec::with_capacity(house.len());
    for hit in house {
        let unit = head_of(readers, hit.key)?
            .map(|head| Normalized::from_texts(&head.address(), head.unit.as_deref()).unit)
            .unwrap_or_default();
        units.push((unit != typed, unit.len(), unit, hit.key));
    }
    units.sort();
    Ok(units.into_iter().map(|(.., key)| key).collect())
}

fn head_of(readers: &[Reader], key: PlaceKey) -> Result<Option<Head>, PropertyError> {
    for reader in readers.iter().filter(|r| r.state == key.state) {
        if let Some(head) = reader.shard.head(key.hash)? {
            return Ok(Some(head));
        }
    }
    Ok(None)
}

/// The place of a key as it is shown, if it is there.
pub(crate) fn suggestion(
    readers: &[Reader],
    key: PlaceKey,
    text: Option<&str>,
) -> Result<Option<Suggestion>, PropertyError> {
    Ok(shown(readers, key, text)?.map(|s| s.suggestion))
}

fn shown(readers: &[Reader], key: PlaceKey, text: Option<&str>) -> Result<Option<Shown>, PropertyError> {
    let Some(head) = head_of(readers, key)? else { return Ok(None) };
    let address = head.address();
    let normalized = Normalized::from_texts(&address, head.unit.as_deref());
    let street = match head.unit.as_deref().filter(|u| !u.is_empty()) {
        Some(unit) if unit.contains(' ') || unit.starts_with('#') => format!("{} {unit}", address.street_line()),
        Some(unit) => format!("{} Unit {unit}", address.street_line()),
        None => address.street_line(),
    };
    let without_zip = normalized.zip.is_none();
    let city = if without_zip { format!("{}, {}", address.city, address.state) } else { address.city_line() };
    let matched = text.map_or(0, |t| matched::matched(&street, t));
    let in_town = normalized.key_in(&normalized.city);
    let suggestion = Suggestion { key: key.to_string(), street, city, matched };
    Ok(Some(Shown { suggestion, in_town, without_zip }))
}

impl Hit {
    fn same_house(&self, other: &Self) -> bool {
        let of = |h: &Self| (h.number_off, h.errors, h.reading, h.low);
        of(self) == of(other) && self.title == other.title && self.zip == other.zip
    }
}

impl<'a> Search<'a> {
    fn new(readers: &'a [Reader], limit: usize, rows: usize) -> Self {
        Self { readers, limit, rows, left: rows, hits: Vec::new(), seen: HashSet::new(), streets: HashMap::new() }
    }

    /// What was found, best first.
    fn shown(mut self, queries: &[Query], text: Option<&str>) -> Result<Vec<Suggestion>, PropertyError> {
        self.hits.sort();
        let unit = queries.first().map_or("", |w| w.unit.as_str());
        let mut found: Vec<Shown> = Vec::new();
        for house in self.hits.chunk_by(Hit::same_house) {
            for key in units_in_order(self.readers, house, unit)? {
                let Some(next) = shown(self.readers, key, text)? else { continue };
                let same = |s: &Shown| s.in_town == next.in_town && (s.without_zip || next.without_zip);
                match found.iter().position(same) {
                    // One source knows the ZIP, another does not: one address, shown with its ZIP.
                    Some(at) if found[at].without_zip => found[at] = next,
                    Some(_) => {}
                    None if found.len() == self.limit => return Ok(suggestions(found)),
                    None => found.push(next),
                }
            }
        }
        Ok(suggestions(found))
    }

    /// The nearest numbers on the very street.
    fn own_street(&mut self, wanted: &Normalized) -> Result<(), PropertyError> {
        let Some((number, _)) = number_span(&wanted.number) else { return Ok(()) };
        for at in 0..self.readers.len() {
            let shard = std::sync::Arc::clone(&self.readers[at].shard);
            for area in areas(wanted) {
                for street in shard.streets(&wanted.name, area)?.into_iter().take(MAX_STREETS as usize) {
                    let same = (&street.predir, &street.suffix, &street.postdir)
                        == (&wanted.predir, &wanted.suffix, &wanted.postdir);
                    let query = Query::default();
                    let reading = StreetReading { predir: None, text: String::new() };
                    self.count_rows(2);
                    for (low, hash) in shard.nearest_houses(street.id, number)? {
                        let off = low.abs_diff(number).max(1);
                        self.add(at, &query, &reading, street.id, hash, (off, usize::from(!same), 0, low))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The very street and number in towns whose names are spelled almost alike: `Fenwcik`.
    fn town_misspelled(&mut self, wanted: &Normalized) -> Result<(), PropertyError> {
        let most = forgiven(wanted.city.chars().count());
        let Some((number, _)) = number_span(&wanted.number).filter(|_| most > 0) else { return Ok(()) };
        let reading = StreetReading { predir: None, text: String::new() };
        for at in 0..self.readers.len() {
            let shard = std::sync::Arc::clone(&self.readers[at].shard);
            let rows = shard.streets(&wanted.name, Area::Anywhere)?;
            self.count_rows(rows.len());
            for street in rows {
                let Some(errors) = between(&wanted.city, &street.city, most) else { continue };
                let same = |a: &str, b: &str| a.is_empty() || a == b;
                let fits = same(&wanted.predir, &street.predir)
                    && same(&wanted.suffix, &street.suffix)
                    && same(&wanted.postdir, &street.postdir);
                if !fits {
                    continue;
                }
                for hash in shard.houses_on(street.id, number, number)?.into_iter().take(self.limit) {
                    self.add(at, &Query::default(), &reading, street.id, hash, (0, errors, 0, number))?;
                }
            }
        }
        Ok(())
    }

    /// Searches wider until something is found: as typed, with typing errors, with other numbers.
    fn run(&mut self, queries: &[Query]) -> Result<(), PropertyError> {
        for query in queries {
            self.as_typed(query)?;
            if !self.hits.is_empty() {
                return Ok(());
            }
        }
        for query in queries.iter().take(2) {
            self.misspelled(query, true)?;
            if !self.hits.is_empty() {
                return Ok(());
            }
        }
        for query in queries.iter().filter(|w| w.number.is_some()) {
            self.other_numbers(query)?;
            if !self.hits.is_empty() {
                return Ok(());
            }
        }
        for query in queries.iter().take(2).filter(|w| w.number.is_some()) {
            self.misspelled(query, false)?;
        }
        Ok(())
    }

    fn as_typed(&mut self, query: &Query) -> Result<(), PropertyError> {
        for (rank, reading) in query.readings().iter().enumerate() {
            for at in 0..self.readers.len() {
                if let Some(span) = self.readers[at].shard.span(&reading.text)? {
                    self.houses(at, query, reading, span, (rank, 0))?;
                }
            }
        }
        Ok(())
    }

    /// How many of the rows left one file may use, so that each of many files has its turn.
    fn share(&self) -> usize {
        (self.rows / self.readers.len().max(1)).max(MAX_HOUSES).min(self.left)
    }

    /// A query counts as a row even if it finds none.
    fn count_rows(&mut self, rows: usize) {
        self.left = self.left.saturating_sub(rows.max(1));
    }

    /// Streets whose text begins almost like that, with the typed number, or else with numbers near it.
    fn misspelled(&mut self, query: &Query, same_number: bool) -> Result<(), PropertyError> {
        for (rank, reading) in query.readings().iter().enumerate() {
            let most = forgiven(reading.text.chars().count());
            if most == 0 {
                continue;
            }
            for at in 0..self.readers.len() {
                let mut looked_at = HashSet::new();
                for piece in pieces_typed(&reading.text) {
                    let titles = self.readers[at].shard.titles_like(piece, MAX_TITLES.min(self.share()))?;
                    self.count_rows(titles.len());
                    for Title { text: title, span } in titles {
                        if !looked_at.insert(span) {
                            continue;
                        }
                        let Some(errors) = within(&reading.text, &title, most) else { continue };
                        if same_number {
                            self.houses(at, query, reading, span, (rank, errors))?;
                        } else {
                            self.neighbours(at, query, reading, span, (rank, errors))?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn other_numbers(&mut self, query: &Query) -> Result<(), PropertyError> {
        for (rank, reading) in query.readings().iter().enumerate() {
            for at in 0..self.readers.len() {
                if let Some(span) = self.readers[at].shard.span(&reading.text)? {
                    self.neighbours(at, query, reading, span, (rank, 0))?;
                }
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
        let shard = std::sync::Arc::clone(&self.readers[at].shard);
        match query.number {
            Some(low) => {
                let enough = if query.area.is_empty() { MAX_HOUSES } else { MAX_HOUSES_ELSEWHERE };
                let rows = shard.houses_numbered(low, span, enough.min(self.share()))?;
                self.count_rows(rows.len());
                for (street, hash) in rows {
                    self.add(at, query, reading, street, hash, (0, errors, rank, low))?;
                }
            }
            None => {
                let last = span.1.min(span.0 + MAX_STREETS - 1);
                // One house of each of several streets; the first houses of a single one.
                let each = if last > span.0 { 1 } else { self.limit };
                for street in span.0..=last {
                    self.count_rows(each);
                    if self.left == 0 {
                        break;
                    }
                    for (order, (low, hash)) in shard.first_houses(street, each)?.into_iter().enumerate() {
                        self.add(at, query, reading, street, hash, (order as u32, errors, rank, low))?;
                    }
                }
            }
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
        (rank, errors): (usize, usize),
    ) -> Result<(), PropertyError> {
        let Some(number) = query.number else { return Ok(()) };
        let shard = std::sync::Arc::clone(&self.readers[at].shard);
        for street in first..=last.min(first + MAX_STREETS - 1) {
            self.count_rows(2);
            if self.left == 0 {
                break;
            }
            for (low, hash) in shard.nearest_houses(street, number)? {
                let off = low.abs_diff(number).max(1);
                self.add(at, query, reading, street, hash, (off, errors, rank, low))?;
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        at: usize,
        query: &Query,
        reading: &StreetReading,
        street: i64,
        hash: u64,
        (number_off, errors, rank, low): (u32, usize, usize, u32),
    ) -> Result<(), PropertyError> {
        let reader = &self.readers[at];
        let row = match self.streets.entry((at, street)) {
            std::collections::hash_map::Entry::Occupied(row) => row.into_mut(),
            std::collections::hash_map::Entry::Vacant(row) => row.insert(reader.shard.street(street)?),
        };
        let Some(row) = row else { return Ok(()) };
        let key = PlaceKey { state: reader.state, hash };
        let fits = reading.predir.is_none_or(|p| p == row.predir) && in_area(row, reader.state.as_str(), &query.area);
        if fits && self.seen.insert(key) {
            let title = format!("{} {} {}", row.name, row.suffix, row.postdir);
            self.hits.push(Hit { number_off, errors, reading: rank, title, low, zip: row.zip.clone(), key });
        }
        Ok(())
    }
}

/// Whether what was typed of the town can become this street's: `Portl`, `Portland ME`, `ME 04103`, `041`.
fn in_area(row: &StreetRow, state: &str, area: &str) -> bool {
    let (city, zip) = (row.city.as_str(), row.zip.as_str());
    area.is_empty()
        || begins(&[city, state, zip], area)
        || begins(&[city, zip], area)
        || begins(&[state, zip], area)
        || zip.starts_with(area)
}

/// Whether the words, with a space between them, begin with a text.
fn begins(words: &[&str], with: &str) -> bool {
    let mut bytes = words.iter().flat_map(|word| [" ", word]).flat_map(str::bytes).skip(1);
    with.bytes().all(|b| bytes.next() == Some(b))
}
