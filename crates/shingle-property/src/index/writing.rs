//! The files of a version under construction, in three passes, each in the order that the one before it sorted.
//!
//! 1. By key: the rows of a place become one record.
//! 2. By street and house number: homes are numbered and packed into blocks, and noted by key, parcel, map cell and street.
//! 3. By what they were noted by: the lists that lead to them.

use std::fs::File;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use shingle_address::Normalized;
use shingle_domain::evidence::Source;

use super::block::{BlockWriter, Samples};
use super::home::{CELL_BITS, Home, pack_cells};
use super::key_list::{KeyRows, parcels};
use super::manifest::FORMAT;
use super::map_cell::MapSpot;
use super::merge::PlaceMerger;
use super::packed::{Malformed, RowId, seal as sealed};
use super::record::{self, Spot};
use super::sort_key::{self, SortKey, SortedRow, signed};
use super::street_writer::StreetWriter;
use super::streets::{House, SortedStreets, Street, after_text, house_of_key, push_house};
use super::summary::{IndexSummary, StateSummary};
use super::tables::{APPLICATION_ID, DROP_LISTS, INDICES, TABLES};
use crate::error::{PropertyError, sqlite};
use crate::external_sort::{Sorted, Sorter};

/// Bytes of places, of house numbers with their streets, and of each other list held in memory before they go to disk.
const PLACE_BUDGET: usize = 32 << 20;
const HOUSE_BUDGET: usize = 16 << 20;
const LIST_BUDGET: usize = 8 << 20;
/// Bytes of a page. Blocks are long: half as many pages as usual are begun, filled and found.
const PAGE_SIZE: usize = 8_192;

/// A file under construction. It is either finished or thrown away, so it needs no journal.
fn open_for_writing(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.execute_batch(&format!(
        "PRAGMA page_size = {PAGE_SIZE}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
         PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -8192;",
    ))?;
    Ok(connection)
}

/// The state as the first number of a sort key.
pub(super) fn state_number(state: &str) -> u64 {
    state.bytes().fold(0, |n, b| n << 8 | u64::from(b))
}

fn state_text(number: u64) -> String {
    String::from_utf8_lossy(&(number as u16).to_be_bytes()).into_owned()
}

fn file_of(out: &Path, state: &str) -> PathBuf {
    out.join(format!("{state}.sqlite"))
}

/// Sorts by state, key hash as [`ordered`] and collision check; rows of one place stay in their order.
pub(super) fn place_key(state: u64, key: u64, check: u32) -> SortKey {
    [state, key, u64::from(check)]
}

/// What is noted of a row, before its record.
#[derive(Serialize, Deserialize)]
pub(super) struct RowHead<'a> {
    /// State and what tells streets apart.
    pub street: &'a str,
    /// First house number, and how far the last one is above it.
    pub span: Option<(u32, u32)>,
    /// The same of other rows of the place: one ZIP has several towns.
    #[serde(borrow)]
    pub others: Vec<(&'a str, u32, u32)>,
    pub parcels: Vec<u64>,
    pub spot: Option<Spot>,
}

impl<'a> RowHead<'a> {
    /// Writes it over what is there; the record comes behind it.
    pub fn write(&self, to: &mut Vec<u8>) -> Result<(), Malformed> {
        to.clear();
        *to = postcard::to_extend(self, std::mem::take(to))?;
        Ok(())
    }

    fn read(row: &'a [u8]) -> Result<(Self, &'a [u8]), Malformed> {
        Ok(postcard::take_from_bytes(row)?)
    }

    /// The same for several rows of one place: the first street is where its home is.
    fn of_all(mut heads: Vec<Self>, spot: Option<Spot>) -> Option<Self> {
        let place = |head: &Self| (head.street, head.span.map_or(u32::MAX, |(low, _)| low));
        heads.sort_by(|a, b| place(a).cmp(&place(b)));
        let mut heads = heads.into_iter();
        let mut all = heads.next()?;
        for head in heads {
            let house = head.span.map(|(low, above)| (head.street, low, above));
            let is_known = |house: &(&str, u32, u32)| place(&all) == (house.0, house.1) || all.others.contains(house);
            all.others.extend(house.filter(|house| !is_known(house)));
            all.parcels.extend(head.parcels);
        }
        all.parcels.sort_unstable();
        all.parcels.dedup();
        Some(Self { spot, ..all })
    }
}

/// Places, each once, by street and house number.
pub(super) struct Joined {
    homes: Sorter,
    /// Of all large files.
    dictionary: Vec<u8>,
    /// Of each state's file, where it is small and has its own.
    dictionaries: Vec<Option<Vec<u8>>>,
}

/// First pass. Keys are [`place_key`]s; values are heads and records.
pub(super) fn join_places(
    work: &Path,
    mut places: Sorted,
    sources: &[Source],
    summary: &mut IndexSummary,
) -> Result<Joined, PropertyError> {
    let (mut first, mut row) = (SortedRow::default(), SortedRow::default());
    let damaged = |e: Malformed| PropertyError::damaged(work, e);
    let (mut homes, mut dictionaries) = (Sorter::new(work, "homes", PLACE_BUDGET), Vec::new());
    let mut samples = Samples::new();
    let mut more = row.read(&mut places)?;
    while more {
        let state = row.key[0];
        let mut of_state = StateSummary { state: state_text(state), places: 0, streets: 0, bytes: 0 };
        let mut samples_of_state = Samples::new();
        while more && row.key[0] == state {
            std::mem::swap(&mut first, &mut row);
            more = row.read(&mut places)?;
            let mut same: Vec<Vec<u8>> = Vec::new();
            while more && row.key[..2] == first.key[..2] {
                if row.key[2] == first.key[2] {
                    same.push(row.value.clone());
                    summary.joined += 1;
                } else {
                    summary.collisions += 1;
                }
                more = row.read(&mut places)?;
            }
            if !same.is_empty() {
                let hash = signed(first.key[1]) as u64;
                first.value = join(&first.value, &same, hash, sources, summary).map_err(damaged)?;
            }
            let (head, record) = RowHead::read(&first.value).map_err(damaged)?;
            samples.add(record);
            samples_of_state.add(record);
            let low = head.span.map_or(u32::MAX, |(low, _)| low);
            homes.push(&[head.street.as_bytes(), &after_text(low, first.key[1])], &first.value)?;
            of_state.places += 1;
        }
        dictionaries.push((!samples_of_state.are_many()).then(|| samples_of_state.dictionary()));
        summary.places += of_state.places;
        summary.states.push(of_state);
    }
    let dictionary = if dictionaries.contains(&None) { samples.dictionary() } else { Vec::new() };
    Ok(Joined { homes, dictionary, dictionaries })
}

/// Head and record of what several rows say of the place with a key hash.
fn join(
    first: &[u8],
    others: &[Vec<u8>],
    hash: u64,
    sources: &[Source],
    summary: &mut IndexSummary,
) -> Result<Vec<u8>, Malformed> {
    let (head, record) = RowHead::read(first)?;
    let first = record::decode(record, head.spot, sources)?;
    let name = (first.address.clone(), first.unit.clone());
    let mut merger = PlaceMerger::rows(first);
    let mut heads = vec![head];
    for other in others {
        let (head, record) = RowHead::read(other)?;
        merger.add(record::decode(record, head.spot, sources)?);
        heads.push(head);
    }
    let mut place = merger.finish();
    if Normalized::from_place(&place).hash() != hash {
        // Its key follows from what it is called: not from the number of one row and the unit of another.
        (place.address, place.unit) = name;
    }
    summary.count_conflicts(&place);
    let head = RowHead::of_all(heads, place.origin.and_then(Spot::of)).ok_or(Malformed)?;
    let mut row = Vec::new();
    head.write(&mut row)?;
    // Merged rows have no source that no row has.
    let number = |s: &Source| sources.iter().position(|known| known == s).map_or(0, |at| at as u32);
    let numbers: Vec<u32> = place.sources.iter().map(number).collect();
    record::encode(&place, &numbers, &mut row)?;
    Ok(row)
}

/// What leads to the homes of all states.
pub(super) struct Lists {
    /// By state and key hash.
    keys: Sorter,
    /// By state and parcel.
    parcels: Sorter,
    /// By state, cell and spot.
    cells: Sorter,
    /// By street, house number and key hash.
    houses: Sorter,
}

/// Second pass: numbers the homes and packs them into blocks.
pub(super) fn write_homes(
    out: &Path,
    work: &Path,
    joined: Joined,
    sources: &[Source],
    summary: &IndexSummary,
) -> Result<Lists, PropertyError> {
    let Joined { homes, dictionary: of_all, dictionaries } = joined;
    let mut homes = homes.sorted()?;
    let list = |name, budget| Sorter::new(work, name, budget);
    let mut lists = Lists {
        keys: list("keys", LIST_BUDGET),
        parcels: list("parcels", LIST_BUDGET),
        cells: list("cells", LIST_BUDGET),
        houses: list("houses", HOUSE_BUDGET),
    };
    for (state, dictionary) in summary.states.iter().zip(&dictionaries) {
        let dictionary = dictionary.as_ref().unwrap_or(&of_all);
        let path = file_of(out, &state.state);
        let (failed, damaged) = (sqlite(&path), |e: Malformed| PropertyError::damaged(&path, e));
        let file = start_file(&path, sources)?;
        let mut insert = file.prepare("INSERT INTO block VALUES (?1, ?2)").map_err(&failed)?;
        let mut blocks = BlockWriter::new(dictionary).map_err(PropertyError::write(&path))?;
        let number = state_number(&state.state);
        for home in 0..state.places {
            let home =
                u32::try_from(home).map(Home).map_err(|_| PropertyError::damaged(&path, "it has too many homes"))?;
            let (key, value) = homes.next()?.ok_or_else(|| damaged(Malformed))?;
            let (head, record) = RowHead::read(value).map_err(damaged)?;
            let (hash, of_home) = (house_of_key(key).1, u64::from(home.0));
            sort_key::push(&mut lists.keys, [number, signed(hash) as u64, of_home], &[])?;
            for parcel in &head.parcels {
                sort_key::push(&mut lists.parcels, [number, *parcel, of_home], &[])?;
            }
            if let Some(spot) = head.spot.and_then(|spot| MapSpot::of(spot.position())) {
                sort_key::push(&mut lists.cells, cell_key(number, spot, of_home), &[])?;
            }
            let houses = head.span.map(|(low, above)| (head.street, low, above)).into_iter().chain(head.others);
            for (street, low, above) in houses {
                push_house(&mut lists.houses, street, House { low, key: hash, above, home })?;
            }
            let block = blocks.push(head.spot, record).map_err(PropertyError::write(&path))?;
            if let Some(block) = block {
                insert.execute(block).map_err(&failed)?;
            }
        }
        if let Some(block) = blocks.finish().map_err(PropertyError::write(&path))? {
            insert.execute(block).map_err(&failed)?;
        }
        drop(insert);
        let homes = state.places.cast_signed();
        let dictionary = sealed(dictionary.clone(), RowId(homes));
        file.execute("INSERT INTO file VALUES (?1, ?2)", params![homes, dictionary]).map_err(&failed)?;
        finish(file).map_err(&failed)?;
    }
    Ok(lists)
}

/// A file with its tables and sources, in a transaction.
fn start_file(path: &Path, sources: &[Source]) -> Result<Connection, PropertyError> {
    let start = || {
        let connection = open_for_writing(path)?;
        connection.execute_batch(TABLES)?;
        connection.execute_batch("BEGIN")?;
        for (id, source) in sources.iter().enumerate() {
            let record = postcard::to_stdvec(source).map_err(|e| rusqlite::Error::ToSqlConversionFailure(e.into()))?;
            let id = id as i64;
            connection.execute("INSERT INTO source VALUES (?1, ?2)", (id, sealed(record, RowId(id))))?;
        }
        Ok(connection)
    };
    start().map_err(sqlite(path))
}

fn go_on(path: &Path) -> Result<Connection, PropertyError> {
    let connection = open_for_writing(path).map_err(sqlite(path))?;
    connection.execute_batch("BEGIN").map_err(sqlite(path))?;
    Ok(connection)
}

fn finish(file: Connection) -> rusqlite::Result<()> {
    file.execute_batch("COMMIT")?;
    file.close().map_err(|(_, e)| e)
}

/// Third pass: what leads to the homes of each state.
pub(super) fn write_lists(
    out: &Path,
    work: &Path,
    lists: Lists,
    summary: &mut IndexSummary,
) -> Result<(), PropertyError> {
    let (mut keys, mut parcels) = (Rows::of(lists.keys)?, Rows::of(lists.parcels)?);
    let mut cells = Rows::of(lists.cells)?;
    let mut streets = SortedStreets::new(lists.houses.sorted()?)?.peekable();
    for state in &mut summary.states {
        let path = file_of(out, &state.state);
        let file = go_on(&path)?;
        let number = state_number(&state.state);
        write_keys(&path, &file, &mut keys, number, state.places)?;
        write_parcels(&path, &file, &mut parcels, number)?;
        write_cells(&path, &file, &mut cells, number)?;
        let mut writer = StreetWriter::new(&path, &file, work)?;
        let of_state = |s: &Result<Street, _>| s.as_ref().map_or(true, |s| s.text.starts_with(&state.state));
        while let Some(street) = streets.next_if(of_state) {
            writer.street(&street?)?;
        }
        state.streets = writer.finish()?;
        finish(file).map_err(sqlite(&path))?;
    }
    Ok(())
}

/// Sorted rows, of which the next one can be looked at.
struct Rows {
    rows: Sorted,
    next: Option<SortKey>,
}

impl Rows {
    fn of(sorter: Sorter) -> Result<Self, PropertyError> {
        let mut rows = Self { rows: sorter.sorted()?, next: None };
        rows.advance()?;
        Ok(rows)
    }

    fn advance(&mut self) -> Result<(), PropertyError> {
        let mut row = SortedRow::default();
        self.next = row.read(&mut self.rows)?.then_some(row.key);
        Ok(())
    }

    /// The next row, if this holds for it.
    fn next_if(&mut self, is_it: impl FnOnce(&SortKey) -> bool) -> Result<Option<SortKey>, PropertyError> {
        match self.next {
            Some(row) if is_it(&row) => {
                self.advance()?;
                Ok(Some(row))
            }
            _ => Ok(None),
        }
    }
}

fn home_of(number: u64) -> Home {
    Home(number as u32)
}

fn write_keys(path: &Path, file: &Connection, keys: &mut Rows, state: u64, homes: u64) -> Result<(), PropertyError> {
    let mut insert = file.prepare("INSERT INTO key_list VALUES (?1, ?2)").map_err(sqlite(path))?;
    let rows = KeyRows::of(homes);
    let mut of_row = Vec::new();
    for row in 0..rows.rows() {
        of_row.clear();
        while let Some([_, hash, home]) = keys.next_if(|key| key[0] == state && rows.row_of(key[1]) == row)? {
            of_row.push((hash, home_of(home)));
        }
        insert.execute(params![row, rows.pack(&of_row, row)]).map_err(sqlite(path))?;
    }
    Ok(())
}

/// Parcels of a row of their table.
const PARCELS_OF_A_ROW: usize = 64;

fn write_parcels(path: &Path, file: &Connection, sorted: &mut Rows, state: u64) -> Result<(), PropertyError> {
    let mut insert = file.prepare("INSERT INTO parcel_list VALUES (?1, ?2)").map_err(sqlite(path))?;
    let mut of_row: Vec<(u64, Home)> = Vec::new();
    loop {
        let next = sorted.next_if(|key| key[0] == state)?;
        // What is on one parcel stays together: a row is found by its first parcel.
        let is_full = |of_row: &[(u64, Home)], next: u64| {
            of_row.len() >= PARCELS_OF_A_ROW && of_row.last().is_some_and(|(last, _)| *last != next)
        };
        if let Some(first) = of_row.first()
            && next.is_none_or(|[_, parcel, _]| is_full(&of_row, parcel))
        {
            insert.execute(params![first.0 as i64, parcels::pack(&of_row)]).map_err(sqlite(path))?;
            of_row.clear();
        }
        let Some([_, parcel, home]) = next else { return Ok(()) };
        of_row.push((parcel, home_of(home)));
    }
}

/// Places at one spot that are kept: the flats of a house are not all needed to draw it.
const MAX_AT_A_SPOT: usize = 8;
/// Places in one cell that are kept: more stand nowhere but where a source puts what it cannot place.
const MAX_IN_A_CELL: usize = 2_000;

/// Sorts by state, cell, spot and home.
fn cell_key(state: u64, spot: MapSpot, home: u64) -> SortKey {
    let [north, east] = spot.steps.map(u64::from);
    [state, spot.cell.unsigned_abs() << 16 | north << 8 | east, home]
}

/// Which places lie in each cell of the map.
fn write_cells(path: &Path, file: &Connection, cells: &mut Rows, state: u64) -> Result<(), PropertyError> {
    let mut insert = file.prepare("INSERT INTO map_cell VALUES (?1, ?2)").map_err(sqlite(path))?;
    let mut homes: Vec<(u8, [u8; 2], Home)> = Vec::new();
    let row_of = |key: &SortKey| key[1] >> (16 + CELL_BITS);
    let mut next = cells.next_if(|key| key[0] == state)?;
    while let Some(first) = next {
        homes.clear();
        let (mut last, mut at_spot, mut in_cell) = (None, 0, 0);
        while let Some([_, spot, home]) = next.filter(|key| row_of(key) == row_of(&first)) {
            let is_same = |shift: u32| last.is_some_and(|last: u64| last >> shift == spot >> shift);
            (at_spot, in_cell) = (if is_same(0) { at_spot } else { 0 }, if is_same(16) { in_cell } else { 0 });
            if at_spot < MAX_AT_A_SPOT && in_cell < MAX_IN_A_CELL {
                let cell = (spot >> 16) as u8 & ((1 << CELL_BITS) - 1);
                homes.push((cell, (spot as u16).to_be_bytes(), home_of(home)));
                (at_spot, in_cell) = (at_spot + 1, in_cell + 1);
            }
            last = Some(spot);
            next = cells.next_if(|key| key[0] == state)?;
        }
        let row = row_of(&first).cast_signed();
        insert.execute(params![row, pack_cells(&homes, row)]).map_err(sqlite(path))?;
    }
    Ok(())
}

/// Half of the last page of each tree is empty, which counts in a file of at most so many bytes; in small pages, what lies
/// behind the last block that fits. Such a file gets the pages that make it the smallest.
const SMALL_FILE: u64 = 4 << 20;
const SMALL_PAGES: [usize; 3] = [4_096, 2_048, 1_024];
/// With at most so many streets and homes it has no lists of them: all such files of a state have one in memory, made when
/// it is needed. With more, a search would read too many rows.
const FEW_STREETS: i64 = 4_096;
const FEW_HOMES: i64 = 10_000;

/// Makes the last indices, signs the file and puts it on disk. Gives its size.
pub(super) fn seal(path: &Path) -> Result<u64, PropertyError> {
    let finish = || {
        let connection = open_for_writing(path)?;
        // What sorted the rows is gone: there is room to sort an index without files.
        connection.execute_batch("PRAGMA cache_size = -32768;")?;
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
        connection.pragma_update(None, "user_version", FORMAT)?;
        let bytes = |page: usize| {
            let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
            Ok::<_, rusqlite::Error>(pages.unsigned_abs() * page as u64)
        };
        let in_pages = |page: usize| {
            connection.pragma_update(None, "page_size", page as i64)?;
            connection.execute_batch("PRAGMA temp_store = MEMORY; VACUUM;")?;
            bytes(page)
        };
        let streets = "SELECT COALESCE(MAX(id), 0) FROM street";
        let streets: i64 = connection.query_row(streets, (), |row| row.get(0))?;
        let homes: i64 = connection.query_row("SELECT homes FROM file", (), |row| row.get(0))?;
        let needs_lists = streets > FEW_STREETS || homes > FEW_HOMES;
        connection.execute_batch(if needs_lists { INDICES } else { DROP_LISTS })?;
        let mut best = (bytes(PAGE_SIZE)?, PAGE_SIZE);
        if best.0 <= SMALL_FILE {
            let mut last = PAGE_SIZE;
            for page in SMALL_PAGES {
                (last, best) = (page, best.min((in_pages(page)?, page)));
            }
            if last != best.1 {
                in_pages(best.1)?;
            }
        }
        connection.close().map_err(|(_, e)| e)
    };
    finish().map_err(sqlite(path))?;
    let file = File::open(path).map_err(PropertyError::read(path))?;
    file.sync_all().map_err(PropertyError::write(path))?;
    file.metadata().map(|m| m.len()).map_err(PropertyError::read(path))
}
