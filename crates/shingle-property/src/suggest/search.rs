//! The search itself: which homes fit what was typed, the best first. Its work is bounded by rows, however many files,
//! streets and homes there are.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use shingle_domain::State;

use crate::error::PropertyError;
use crate::index::PlaceKey;
use crate::index::directory::{Directory, Span};
use crate::index::home::{Home, House};
use crate::index::shard::{Numbered, ShardReader};
use crate::index::street_row::StreetRow;
use crate::index::title_list::TownName;
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
/// The same of files whose houses are not listed: which of them has the nearest one is not known.
const MAX_STREETS_IN_FILES: usize = 48;
/// Streets that are looked at for those in the town that was typed.
const MAX_STREETS_ELSEWHERE: usize = 400;
/// Houses on either side of a number whose files may be read.
const MAX_NEAR: usize = 32;
/// Titles that are compared with misspelled text for the price of a row.
const TITLES_OF_A_ROW: usize = 16;

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
    /// How many rows may be read still.
    left: usize,
    pub hits: Vec<Hit>,
    seen: HashSet<PlaceKey>,
    streets: HashMap<(usize, i64), Option<StreetRow>>,
    /// The files that may have homes in what was typed of a town.
    of_areas: HashMap<String, Rc<[usize]>>,
    /// All houses of a number, by file; `None` where they are many.
    numbered: HashMap<(usize, u32), Option<Rc<[Numbered]>>>,
}

impl<'a> Search<'a> {
    pub fn new(directory: &'a Directory, only: Option<State>, limit: usize, rows: usize) -> Self {
        Self {
            directory,
            limit,
            only,
            left: rows,
            hits: Vec::new(),
            seen: HashSet::new(),
            streets: HashMap::new(),
            of_areas: HashMap::new(),
            numbered: HashMap::new(),
        }
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
            self.houses(query, reading, titles, (rank, 0))?;
        }
        Ok(())
    }

    /// The files that may have homes in the town that was typed.
    fn files(&mut self, area: &str) -> Rc<[usize]> {
        if let Some(known) = self.of_areas.get(area) {
            return known.clone();
        }
        let (directory, only) = (self.directory, self.only);
        let may_have = |file: &usize| {
            let state = directory.readers[*file].state;
            only.is_none_or(|only| only == state) && has_town_in(directory.towns(*file), state, area)
        };
        let files: Rc<[usize]> = (0..directory.readers.len()).filter(may_have).collect();
        self.of_areas.insert(area.to_owned(), files.clone());
        files
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
            let titles = self.directory.alike(&reading.text);
            self.count_rows(titles.len() / TITLES_OF_A_ROW);
            let found: Vec<(u32, usize)> =
                titles.into_iter().filter_map(|title| Some((title, errors(self.directory.title(title))?))).collect();
            // Titles next to each other with as many errors are looked for together: `MAPLE COURT`, `MAPLE STREET`.
            for next in found.chunk_by(|(one, few), (other, many)| one + 1 == *other && few == many) {
                let [(first, errors), ..] = *next else { continue };
                let titles = first..first + next.len() as u32;
                match same_number {
                    true => self.houses(query, reading, titles, (rank, errors))?,
                    false => self.neighbours(query, reading, titles, (rank, errors))?,
                }
            }
        }
        Ok(())
    }

    fn other_numbers(&mut self, query: &Query) -> Result<(), PropertyError> {
        for (rank, reading) in query.readings().iter().enumerate().filter(|(_, r)| !r.is_other_road) {
            let titles = self.directory.beginning_with(&reading.text);
            self.neighbours(query, reading, titles, (rank, 0))?;
        }
        Ok(())
    }

    /// Houses with the number typed on the streets of some titles; without a number, the first houses of each street.
    fn houses(
        &mut self,
        query: &Query,
        reading: &StreetReading,
        titles: Range<u32>,
        (rank, errors): (usize, usize),
    ) -> Result<(), PropertyError> {
        let (directory, files) = (self.directory, self.files(&query.area));
        if titles.is_empty() {
            return Ok(());
        }
        let Some(low) = query.number else {
            let mut streets = directory.streets(&titles, files.iter().copied()).flat_map(each_street).peekable();
            let first = streets.next();
            // One house of each of several streets; the first houses of a single one.
            let each = if streets.peek().is_some() { 1 } else { self.limit };
            let streets = self.in_town(query, first.into_iter().chain(streets))?;
            for (at, street) in streets {
                self.first_houses(at, query, reading, street, each, (rank, errors))?;
            }
            return Ok(());
        };
        let rank = Rank { number_off: 0, errors, reading: rank, low };
        let enough = if query.area.is_empty() { MAX_HOUSES } else { MAX_HOUSES_ELSEWHERE };
        let mut in_files = self.in_unlisted(&files, low, &titles, enough)?;
        let listed =
            directory.with_number(low, &titles).filter(|span| files.binary_search(&(span.file as usize)).is_ok());
        let mut listed = listed.peekable();
        let mut read = 0;
        let before = self.hits.len();
        while read < enough && self.left > 0 && !(query.area.is_empty() && self.hits.len() - before >= ENOUGH) {
            let next = listed.peek().map(|span| (span.title, span.file as usize));
            let found = if let Some(span) = listed.next_if(|_| in_files.next().is_none_or(|other| next < Some(other))) {
                let (file, most) = (span.file as usize, enough - read);
                let rows = self.shard(file).houses_numbered(low, span.streets(), most)?;
                self.add_all(file, query, reading, &rows, rank)?
            } else if let Some((file, rows)) = in_files.pop(directory) {
                self.add_all(file, query, reading, &rows, rank)?
            } else {
                break;
            };
            read += found.max(1);
        }
        Ok(())
    }

    /// The houses of a number on the streets of some titles, in those of some files that are not listed.
    fn in_unlisted(
        &mut self,
        files: &[usize],
        low: u32,
        titles: &Range<u32>,
        most: usize,
    ) -> Result<InFiles, PropertyError> {
        let directory = self.directory;
        let mut found = InFiles::default();
        for file in directory.unlisted.iter().filter(|file| files.binary_search(file).is_ok()) {
            let Some((first, last)) = directory.streets_in(*file, titles) else { continue };
            if self.left == 0 {
                break;
            }
            let houses = match self.all_numbered(*file, low)? {
                Some(all) => all,
                None => {
                    self.count_rows(1);
                    self.shard(*file).houses_numbered(low, (first, last), most)?.into()
                }
            };
            let from = houses.partition_point(|house| house.street < first);
            let end = houses.partition_point(|house| house.street <= last);
            found.push(directory, OfFile { file: *file, houses, left: from..end });
        }
        Ok(found)
    }

    /// All houses of a number in a file, unless they are many.
    fn all_numbered(&mut self, file: usize, low: u32) -> Result<Option<Rc<[Numbered]>>, PropertyError> {
        if let Some(known) = self.numbered.get(&(file, low)) {
            return Ok(known.clone());
        }
        self.count_rows(1);
        let found: Option<Rc<[Numbered]>> = self.shard(file).all_numbered(low)?.map(Rc::from);
        self.numbered.insert((file, low), found.clone());
        Ok(found)
    }

    /// Houses of one number in a file. Gives how many they are.
    fn add_all(
        &mut self,
        at: usize,
        query: &Query,
        reading: &StreetReading,
        houses: &[Numbered],
        rank: Rank,
    ) -> Result<usize, PropertyError> {
        self.count_rows(houses.len());
        let mut last = None;
        for found in houses {
            if last.replace(found.street) != Some(found.street) && !query.unit.is_empty() {
                self.add_unit(at, query, reading, *found, rank)?;
            }
            self.add(at, query, reading, *found, rank)?;
        }
        Ok(houses.len())
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
            if self.row(at, street)?.is_some_and(|row| in_area((&row.city, &row.zip), state, &query.area)) {
                found.push((at, street));
            }
        }
        Ok(found)
    }

    /// The houses next to the number typed, on the streets of some titles.
    fn neighbours(
        &mut self,
        query: &Query,
        reading: &StreetReading,
        titles: Range<u32>,
        ranks: (usize, usize),
    ) -> Result<(), PropertyError> {
        let (directory, Some(number)) = (self.directory, query.number) else { return Ok(()) };
        let files = self.files(&query.area);
        let is_unlisted = |file: u32| directory.unlisted.binary_search(&(file as usize)).is_ok();
        let (mut left, mut left_in_files) = (MAX_STREETS, MAX_STREETS_IN_FILES);
        for title in titles.take(MAX_STREETS) {
            let near = directory.nearest(title, number, MAX_NEAR);
            let only = title..title + 1;
            let spans = || directory.streets(&only, files.iter().copied());
            let listed = spans().filter(|span| near.iter().any(|side| side.contains(&span.file)));
            let streets = self.in_town(query, listed.flat_map(each_street))?;
            // Of a street that many files have, the file with the nearest house on either side.
            let is_there = |file: &&u32| streets.iter().any(|(at, _)| *at == **file as usize);
            let mut files: Vec<u32> = near.iter().filter_map(|side| side.iter().find(is_there)).copied().collect();
            files.dedup();
            let chosen = files.iter().flat_map(|file| streets.iter().filter(|(at, _)| *at == *file as usize));
            for (at, street) in chosen.take(left) {
                left -= 1;
                self.neighbours_on(*at, query, reading, *street, ranks)?;
            }
            if left_in_files == 0 {
                continue;
            }
            let unlisted = spans().filter(|span| is_unlisted(span.file));
            for (at, street) in self.in_town(query, unlisted.flat_map(each_street))?.into_iter().take(left_in_files) {
                left_in_files -= 1;
                self.neighbours_on(at, query, reading, street, ranks)?;
            }
        }
        Ok(())
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

    /// The houses next to the number typed, on one street.
    fn neighbours_on(
        &mut self,
        at: usize,
        query: &Query,
        reading: &StreetReading,
        street: i64,
        (reading_rank, errors): (usize, usize),
    ) -> Result<(), PropertyError> {
        let Some(number) = query.number else { return Ok(()) };
        self.count_rows(2);
        if self.left == 0 {
            return Ok(());
        }
        for house in self.shard(at).nearest_houses(street, number)? {
            let off = house.low.abs_diff(number).max(1);
            let rank = Rank { number_off: off, errors, reading: reading_rank, low: house.low };
            self.add(at, query, reading, Numbered { street, house }, rank)?;
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
        if !(reading.predir.is_none_or(|p| p == row.predir) && in_area((&row.city, &row.zip), state, &query.area)) {
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

/// Houses of one number in several files, in the order of their titles, then of the files.
#[derive(Default)]
struct InFiles {
    files: Vec<OfFile>,
    /// The next title of each file.
    next: BinaryHeap<Reverse<(u32, usize, usize)>>,
}

struct OfFile {
    file: usize,
    houses: Rc<[Numbered]>,
    left: Range<usize>,
}

impl InFiles {
    fn push(&mut self, directory: &Directory, of_file: OfFile) {
        if let Some(first) = of_file.houses[of_file.left.clone()].first() {
            self.next.push(Reverse((directory.title_of(of_file.file, first.street), of_file.file, self.files.len())));
            self.files.push(of_file);
        }
    }

    /// The next title and its file.
    fn next(&self) -> Option<(u32, usize)> {
        self.next.peek().map(|Reverse((title, file, _))| (*title, *file))
    }

    /// The file of the next title, and its houses.
    fn pop(&mut self, directory: &Directory) -> Option<(usize, Vec<Numbered>)> {
        let Reverse((title, file, at)) = self.next.pop()?;
        let OfFile { houses, left, .. } = &mut self.files[at];
        let rest = &houses[left.clone()];
        let of_title = rest.iter().take_while(|house| directory.title_of(file, house.street) == title);
        let found: Vec<Numbered> = of_title.copied().collect();
        left.start += found.len();
        if let Some(house) = rest.get(found.len()) {
            self.next.push(Reverse((directory.title_of(file, house.street), file, at)));
        }
        Some((file, found))
    }
}

/// Whether what was typed of the town can become one of these, which are in order.
fn has_town_in(towns: &[TownName], state: State, area: &str) -> bool {
    let fits = |town: &TownName| in_area((&town.city, &town.zip), state, area);
    let of_city = |city: &str| {
        let first = towns.partition_point(|town| *town.city < *city);
        towns[first..].iter().take_while(|town| *town.city == *city).any(fits)
    };
    let begins_so = towns.partition_point(|town| *town.city < *area);
    if towns.get(begins_so).is_some_and(|town| town.city.starts_with(area)) {
        return true;
    }
    let ends = area.match_indices(' ').map(|(at, _)| at).chain([area.len()]);
    let mut beginnings = ends.map(|end| &area[..end]);
    // What begins with a ZIP or a state says nothing of the order of the towns.
    let begins_otherwise = area.starts_with(|c: char| c.is_ascii_digit()) || {
        let (short, long) = (state.as_str(), state_name(state.as_str()).unwrap_or_default());
        [short, long].into_iter().any(|state| state.starts_with(area) || area.starts_with(state))
    };
    beginnings.any(of_city) || begins_otherwise && towns.iter().any(fits)
}

fn each_street(span: Span) -> impl Iterator<Item = (usize, i64)> {
    let (first, last) = span.streets();
    (first..=last).map(move |street| (span.file as usize, street))
}

/// Whether what was typed of the town can become this street's: `Portl`, `Portland ME`, `Portland Maine`, `ME 04103`, `041`.
fn in_area((city, zip): (&str, &str), state: State, area: &str) -> bool {
    if area.is_empty() {
        return true;
    }
    let short = state.as_str();
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_file_is_left_out_only_if_none_of_its_towns_fits(
            towns in proptest::collection::btree_set(
                (prop::sample::select(vec!["", "A", "AB", "A B", "MAINE", "ME", "B"]), prop::sample::select(vec!["", "04103", "14"])),
                0..4,
            ),
            area in "(A|B|M|ME|MAINE|0|04103|14| ){0,5}",
        ) {
            let state = State::parse("ME").unwrap();
            let area = area.split_whitespace().collect::<Vec<_>>().join(" ");
            let fits = towns.iter().any(|town| in_area(*town, state, &area));
            let towns: Vec<_> =
                towns.into_iter().map(|(city, zip)| TownName { city: city.into(), zip: zip.into() }).collect();
            prop_assert_eq!(has_town_in(&towns, state, &area), fits);
        }
    }
}
