//! The streets of a file with their houses, what they are searched by, and which of them have a house of a number.

use std::path::Path;

use rusqlite::{Connection, Statement, params};

use super::home::{Home, House, pack_houses, pack_numbered};
use super::key_list::{KeyRows, spread};
use super::packed::RowId;
use super::sort_key::{self, SortedRow, signed};
use super::street_row::StreetKey;
use super::streets::Street;
use super::tables::FEW_TITLES;
use super::title::{Title, pieces};
use crate::error::{PropertyError, sqlite};
use crate::external_sort::Sorter;

/// Bytes of search pieces, and of houses by their number, held in memory before they go to disk.
const BUDGET: usize = 8 << 20;
/// Houses of one number in a row of their table; more where one street has them.
const NUMBERED_OF_A_ROW: usize = 256;

/// Rows come in the order of their keys, so each is appended.
pub(super) struct StreetWriter<'a> {
    path: &'a Path,
    street: Statement<'a>,
    title: Statement<'a>,
    typo: Statement<'a>,
    numbered: Statement<'a>,
    streets: i64,
    title_text: String,
    titles: i64,
    first_of_title: i64,
    pieces: Sorter,
    /// Of the pieces.
    count: u64,
    numbers: Sorter,
    houses: Vec<House>,
}

impl<'a> StreetWriter<'a> {
    pub fn new(path: &'a Path, file: &'a Connection, work: &Path) -> Result<Self, PropertyError> {
        let insert = |sql| file.prepare(sql).map_err(sqlite(path));
        Ok(Self {
            path,
            street: insert("INSERT INTO street VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")?,
            title: insert("INSERT INTO title VALUES (?1, ?2, ?3, ?4, ?5)")?,
            typo: insert("INSERT INTO typo VALUES (?1, ?2)")?,
            numbered: insert("INSERT INTO numbered VALUES (?1, ?2, ?3)")?,
            streets: 0,
            title_text: String::new(),
            titles: 0,
            first_of_title: 1,
            pieces: Sorter::new(work, "pieces", BUDGET),
            count: 0,
            numbers: Sorter::new(work, "numbers", BUDGET),
            houses: Vec::new(),
        })
    }

    pub fn street(&mut self, street: &Street) -> Result<(), PropertyError> {
        let mut parts = street.text.get(2..).unwrap_or_default().split('\0');
        let mut part = || parts.next().unwrap_or_default();
        let (title, name, suffix, postdir, predir, zip, city, place) =
            (part(), part(), part(), part(), part(), part(), part(), part());
        if title != self.title_text {
            self.end_title()?;
            title.clone_into(&mut self.title_text);
            self.first_of_title = self.streets + 1;
        }
        self.streets += 1;
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

    fn end_title(&mut self) -> Result<(), PropertyError> {
        if self.streets == 0 {
            return Ok(());
        }
        self.titles += 1;
        let sum = Title::sum(self.titles, &self.title_text, (self.first_of_title, self.streets));
        let row = params![self.titles, self.title_text, self.first_of_title, self.streets, sum];
        self.title.execute(row).map_err(sqlite(self.path))?;
        for piece in pieces(&self.title_text) {
            sort_key::push(&mut self.pieces, [spread(piece as u32), self.titles.unsigned_abs(), 0], &[])?;
            self.count += 1;
        }
        Ok(())
    }

    /// Gives how many streets there are.
    pub fn finish(mut self) -> Result<u64, PropertyError> {
        self.end_title()?;
        let mut row = SortedRow::default();
        if self.titles > FEW_TITLES {
            let rows = KeyRows::of(self.count, self.titles.unsigned_abs());
            let (mut pieces, mut of_row) = (self.pieces.sorted()?, Vec::new());
            let mut more = row.read(&mut pieces)?;
            for id in 0..rows.rows() {
                of_row.clear();
                while more && rows.row_of(row.key[0]) == id {
                    of_row.push((row.key[0], Home(row.key[1] as u32)));
                    more = row.read(&mut pieces)?;
                }
                self.typo.execute(params![id, rows.pack(&of_row, id)]).map_err(sqlite(self.path))?;
            }
        }
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
