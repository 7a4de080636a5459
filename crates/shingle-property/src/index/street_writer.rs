//! The streets of a file with their houses, what they are searched by, and which of them have a house of a number.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::{Connection, Statement, params};

use super::home::{Home, House, pack_houses, pack_numbered};
use super::packed::RowId;
use super::sort_key::{self, SortedRow, signed};
use super::street_row::StreetKey;
use super::streets::Street;
use super::title_list::{self, ListedTitle, TOWNS, TitleRow, TownName, pack_towns};
use crate::error::{PropertyError, sqlite};
use crate::external_sort::Sorter;

/// Bytes of houses by their number held in memory before they go to disk.
const BUDGET: usize = 8 << 20;
/// Houses of one number in a row of their table; more where one street has them.
const NUMBERED_OF_A_ROW: usize = 256;

/// Rows come in the order of their keys, so each is appended.
pub(super) struct StreetWriter<'a> {
    path: &'a Path,
    street: Statement<'a>,
    title: Statement<'a>,
    town: Statement<'a>,
    numbered: Statement<'a>,
    streets: i64,
    /// Of the row that is being filled.
    titles: Vec<ListedTitle>,
    title_rows: i64,
    towns: BTreeSet<TownName>,
    numbers: Sorter,
    houses: Vec<House>,
}

impl<'a> StreetWriter<'a> {
    pub fn new(path: &'a Path, file: &'a Connection, work: &Path) -> Result<Self, PropertyError> {
        let insert = |sql| file.prepare(sql).map_err(sqlite(path));
        Ok(Self {
            path,
            street: insert("INSERT INTO street VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")?,
            title: insert("INSERT INTO title VALUES (?1, ?2)")?,
            town: insert("INSERT INTO town VALUES (?1, ?2)")?,
            numbered: insert("INSERT INTO numbered VALUES (?1, ?2, ?3)")?,
            streets: 0,
            titles: Vec::new(),
            title_rows: 0,
            towns: BTreeSet::new(),
            numbers: Sorter::new(work, "numbers", BUDGET),
            houses: Vec::new(),
        })
    }

    pub fn street(&mut self, street: &Street) -> Result<(), PropertyError> {
        let mut parts = street.text.get(2..).unwrap_or_default().split('\0');
        let mut part = || parts.next().unwrap_or_default();
        let (title, name, suffix, postdir, predir, zip, city, place) =
            (part(), part(), part(), part(), part(), part(), part(), part());
        if self.titles.last().is_none_or(|last| *last.text != *title) {
            if self.titles.len() == title_list::OF_A_ROW {
                self.end_titles()?;
            }
            self.titles.push(ListedTitle { text: title.into(), first: self.streets + 1 });
        }
        self.streets += 1;
        let town = TownName { city: city.into(), zip: zip.into() };
        if !self.towns.contains(&town) {
            self.towns.insert(town);
        }
        let mut keys = StreetKey::of(predir, name, suffix, postdir, zip, city, place);
        self.houses.clear();
        for house in &street.houses {
            let is_plain = keys.of_plain(house.low) == signed(house.key) as u64;
            self.houses.push(House { low: house.low, above: house.above, home: house.home, is_plain });
            let mut value = [0; 5];
            value[..4].copy_from_slice(&house.home.0.to_le_bytes());
            value[4] = u8::from(is_plain);
            sort_key::push(&mut self.numbers, [u64::from(house.low), self.streets.unsigned_abs(), 0], &value)?;
        }
        let sum = RowId(self.streets).sum_of([predir, name, suffix, postdir, zip, city, place]);
        let houses = pack_houses(&self.houses, self.streets);
        let row = params![self.streets, predir, name, suffix, postdir, zip, city, place, sum, houses];
        self.street.execute(row).map_err(sqlite(self.path))?;
        Ok(())
    }

    fn end_titles(&mut self) -> Result<(), PropertyError> {
        let row = TitleRow { titles: std::mem::take(&mut self.titles), end: self.streets + 1 };
        let packed = title_list::pack(&row, self.title_rows);
        self.title.execute(params![self.title_rows, packed]).map_err(sqlite(self.path))?;
        self.title_rows += 1;
        Ok(())
    }

    /// Gives how many streets there are.
    pub fn finish(mut self) -> Result<u64, PropertyError> {
        if !self.titles.is_empty() {
            self.end_titles()?;
        }
        self.town.execute(params![TOWNS, pack_towns(&self.towns)]).map_err(sqlite(self.path))?;
        let mut row = SortedRow::default();
        let mut numbers = self.numbers.sorted()?;
        let (mut number, mut houses): (u64, Vec<(i64, Home, bool)>) = (0, Vec::new());
        loop {
            let more = row.read(&mut numbers)?;
            let [low, street, _] = row.key;
            let (of, is_full) = (street as i64, houses.len() >= NUMBERED_OF_A_ROW);
            // A street is in one row, so that the row is found by its first street.
            let ends = !more || low != number || is_full && houses.last().is_some_and(|(last, ..)| *last != of);
            if let Some((first, ..)) = houses.first()
                && ends
            {
                let id = RowId::of_two(number as u32, *first);
                let row = params![number as i64, first, pack_numbered(&houses, id)];
                self.numbered.execute(row).map_err(sqlite(self.path))?;
                houses.clear();
            }
            if !more {
                return Ok(self.streets.unsigned_abs());
            }
            number = low;
            let home = row.value.first_chunk().map_or(0, |home| u32::from_le_bytes(*home));
            houses.push((of, Home(home), row.value.last() == Some(&1)));
        }
    }
}
