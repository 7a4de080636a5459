//! The files of a version under construction: places in one pass, streets and search text in the next.

use std::fs::File;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, Statement, params};
use shingle_domain::evidence::{Place, Source};

use super::manifest::FORMAT;
use super::map_cell::MapSpot;
use super::merge::PlaceMerger;
use super::record::{self, CHECK};
use super::shard::{APPLICATION_ID, DROP_LISTS, FEW_TITLES, INDICES, PLACE_IN_CELL, TABLES};
use super::sort_key::{self, SortKey, SortedRow, ordered, signed};
use super::streets::{House, SortedStreets, Street};
use super::summary::{IndexSummary, StateSummary};
use super::title::pieces;
use crate::error::PropertyError;
use crate::external_sort::{Sorted, Sorter};

/// Bytes of search pieces held in memory before they go to disk.
const PIECE_BUDGET: usize = 8 << 20;
/// Bytes of a page. Records are long: half as many pages as usual are begun, filled and found.
const PAGE_SIZE: usize = 8_192;

fn sqlite(path: &Path) -> impl Fn(rusqlite::Error) -> PropertyError {
    let path = path.to_owned();
    move |e| PropertyError::Write { path: path.clone(), source: std::io::Error::other(e) }
}

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

/// First pass. Keys are [`place_key`]s; values are records as they will be in the file.
pub(super) fn write_places(
    out: &Path,
    mut places: Sorted,
    sources: &[Source],
    summary: &mut IndexSummary,
) -> Result<(), PropertyError> {
    let (mut first, mut row) = (SortedRow::default(), SortedRow::default());
    let mut more = row.read(&mut places)?;
    while more {
        let state = row.key[0];
        let mut of_state = StateSummary { state: state_text(state), places: 0, streets: 0, bytes: 0 };
        let path = file_of(out, &of_state.state);
        let failed = sqlite(&path);
        let file = start_file(&path, sources)?;
        let mut insert = file.prepare("INSERT INTO place VALUES (?1, ?2)").map_err(&failed)?;
        while more && row.key[0] == state {
            std::mem::swap(&mut first, &mut row);
            more = row.read(&mut places)?;
            let mut joined: Option<PlaceMerger> = None;
            while more && row.key[..2] == first.key[..2] {
                if row.key[2] == first.key[2] {
                    let known = match joined.take() {
                        Some(known) => known,
                        None => PlaceMerger::rows(decode(&path, &first.value, sources)?),
                    };
                    joined.insert(known).add(decode(&path, &row.value, sources)?);
                    summary.joined += 1;
                } else {
                    summary.collisions += 1;
                }
                more = row.read(&mut places)?;
            }
            if let Some(joined) = joined {
                let place = joined.finish();
                summary.count_conflicts(&place);
                encode(&path, &place, sources, &mut first.value)?;
            }
            insert.execute(params![signed(first.key[1]), first.value]).map_err(&failed)?;
            of_state.places += 1;
        }
        drop(insert);
        finish(file).map_err(&failed)?;
        summary.places += of_state.places;
        summary.states.push(of_state);
    }
    Ok(())
}

/// A file with its tables and sources, in a transaction.
fn start_file(path: &Path, sources: &[Source]) -> Result<Connection, PropertyError> {
    let start = || {
        let connection = open_for_writing(path)?;
        connection.execute_batch(TABLES)?;
        connection.execute_batch("BEGIN")?;
        for (id, source) in sources.iter().enumerate() {
            let record = postcard::to_stdvec(source).map_err(|e| rusqlite::Error::ToSqlConversionFailure(e.into()))?;
            connection.execute("INSERT INTO source VALUES (?1, ?2)", (id as i64, record))?;
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

fn decode(path: &Path, value: &[u8], sources: &[Source]) -> Result<Place, PropertyError> {
    let record = value.get(CHECK..).unwrap_or_default();
    record::decode(record, sources).map_err(|e| PropertyError::damaged(path, e))
}

/// Replaces the record in a value; its check stays. PlaceMerger rows have no source that no row has.
fn encode(path: &Path, place: &Place, sources: &[Source], value: &mut Vec<u8>) -> Result<(), PropertyError> {
    let number = |s: &Source| sources.iter().position(|known| known == s).map_or(0, |at| at as u32);
    let numbers: Vec<u32> = place.sources.iter().map(number).collect();
    value.truncate(CHECK);
    record::encode(place, &numbers, value).map_err(|e| PropertyError::damaged(path, e))
}

/// Second pass: streets, house numbers, search text and parcels of every state.
pub(super) fn write_streets(
    out: &Path,
    work: &Path,
    houses: SortedStreets,
    mut parcels: Sorted,
    summary: &mut IndexSummary,
) -> Result<(), PropertyError> {
    let mut houses = houses.peekable();
    let mut parcel = SortedRow::default();
    let mut more_parcels = parcel.read(&mut parcels)?;
    for state in &mut summary.states {
        let path = file_of(out, &state.state);
        let file = go_on(&path)?;
        let mut writer = StreetWriter::new(&path, &file, work)?;
        let of_state = |s: &Result<Street, _>| s.as_ref().map_or(true, |s| s.text.starts_with(&state.state));
        while let Some(street) = houses.next_if(of_state) {
            writer.street(&street?)?;
        }
        state.streets = writer.streets.unsigned_abs();
        let number = state_number(&state.state);
        let mut last = None;
        while more_parcels && parcel.key[0] == number {
            if last != Some(parcel.key) {
                writer.parcel(signed(parcel.key[1]), signed(parcel.key[2]))?;
                last = Some(parcel.key);
            }
            more_parcels = parcel.read(&mut parcels)?;
        }
        writer.finish()?;
        finish(file).map_err(sqlite(&path))?;
    }
    Ok(())
}

/// Places at one spot that are kept: the flats of a house are not all needed to draw it.
const MAX_AT_A_SPOT: usize = 8;
/// Places in one cell that are kept: more stand nowhere but where a source puts what it cannot place.
const MAX_IN_A_CELL: usize = 2_000;

/// Sorts by state, cell, spot and key hash, which comes as [`ordered`].
pub(super) fn cell_key(state: u64, spot: MapSpot, key: u64) -> SortKey {
    let [north, east] = spot.steps.map(u64::from);
    [state, spot.cell.unsigned_abs() << 16 | north << 8 | east, key]
}

/// Third pass: which places lie in each cell of the map.
pub(super) fn write_cells(out: &Path, mut cells: Sorted, summary: &IndexSummary) -> Result<(), PropertyError> {
    let mut row = SortedRow::default();
    let mut more = row.read(&mut cells)?;
    for state in &summary.states {
        let path = file_of(out, &state.state);
        let number = state_number(&state.state);
        let failed = sqlite(&path);
        let file = go_on(&path)?;
        let mut insert = file.prepare("INSERT INTO map_cell VALUES (?1, ?2)").map_err(&failed)?;
        let mut places = Vec::new();
        while more && row.key[0] == number {
            let cell = row.key[1] >> 16;
            places.clear();
            let (mut last, mut at_spot) = (None, 0);
            while more && row.key[0] == number && row.key[1] >> 16 == cell {
                at_spot = if last.is_some_and(|last: SortKey| last[1] == row.key[1]) { at_spot } else { 0 };
                let fits = at_spot < MAX_AT_A_SPOT && places.len() < MAX_IN_A_CELL * PLACE_IN_CELL;
                if fits && last != Some(row.key) {
                    places.extend_from_slice(&(row.key[1] as u16).to_be_bytes());
                    places.extend_from_slice(&signed(row.key[2]).to_le_bytes());
                    at_spot += 1;
                }
                last = Some(row.key);
                more = row.read(&mut cells)?;
            }
            insert.execute(params![cell as i64, places]).map_err(&failed)?;
        }
        drop(insert);
        finish(file).map_err(&failed)?;
    }
    Ok(())
}

/// Rows come in the order of their keys, so each is appended.
struct StreetWriter<'a> {
    path: &'a Path,
    street: Statement<'a>,
    house: Statement<'a>,
    title: Statement<'a>,
    typo: Statement<'a>,
    parcel: Statement<'a>,
    streets: i64,
    title_text: String,
    titles: i64,
    first_of_title: i64,
    pieces: Sorter,
}

impl<'a> StreetWriter<'a> {
    fn new(path: &'a Path, file: &'a Connection, work: &Path) -> Result<Self, PropertyError> {
        let insert = |sql| file.prepare(sql).map_err(sqlite(path));
        Ok(Self {
            path,
            street: insert("INSERT INTO street VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?,
            house: insert("INSERT INTO house VALUES (?1, ?2, ?3, ?4)")?,
            title: insert("INSERT INTO title VALUES (?1, ?2, ?3, ?4)")?,
            typo: insert("INSERT INTO typo VALUES (?1, ?2)")?,
            parcel: insert("INSERT INTO parcel VALUES (?1, ?2)")?,
            streets: 0,
            title_text: String::new(),
            titles: 0,
            first_of_title: 1,
            pieces: Sorter::new(work, "pieces", PIECE_BUDGET),
        })
    }

    fn street(&mut self, street: &Street) -> Result<(), PropertyError> {
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
        let failed = sqlite(self.path);
        let row = params![self.streets, predir, name, suffix, postdir, zip, city, place];
        self.street.execute(row).map_err(&failed)?;
        for House { low, key, above } in &street.houses {
            self.house.execute(params![self.streets, low, key, above]).map_err(&failed)?;
        }
        Ok(())
    }

    fn end_title(&mut self) -> Result<(), PropertyError> {
        if self.streets == 0 {
            return Ok(());
        }
        self.titles += 1;
        let row = params![self.titles, self.title_text, self.first_of_title, self.streets];
        self.title.execute(row).map_err(sqlite(self.path))?;
        for piece in pieces(&self.title_text) {
            sort_key::push(&mut self.pieces, [ordered(piece), self.titles.unsigned_abs(), 0], &[])?;
        }
        Ok(())
    }

    fn parcel(&mut self, parcel: i64, key: i64) -> Result<(), PropertyError> {
        self.parcel.execute([parcel, key]).map(drop).map_err(sqlite(self.path))
    }

    fn finish(mut self) -> Result<(), PropertyError> {
        self.end_title()?;
        let (mut pieces, mut row) = (self.pieces.sorted()?, SortedRow::default());
        while self.titles > FEW_TITLES && row.read(&mut pieces)? {
            let [piece, title, _] = row.key;
            self.typo.execute([signed(piece), title as i64]).map_err(sqlite(self.path))?;
        }
        Ok(())
    }
}

/// A file of at most so many bytes gets small pages, because half of the last page of each of its trees is empty.
const SMALL_FILE: u64 = 2 << 20;
/// With at most so many streets it has no lists of them: all such files of a state have one in memory, made when it is
/// needed. With more, a search would read too many rows.
const FEW_STREETS: i64 = 4_096;
const SMALL_PAGE: usize = 1_024;

/// Makes the last indices, signs the file and puts it on disk. Gives its size.
pub(super) fn seal(path: &Path) -> Result<u64, PropertyError> {
    let finish = || {
        let connection = open_for_writing(path)?;
        // What sorted the rows is gone: there is room to sort an index without files.
        connection.execute_batch("PRAGMA cache_size = -32768;")?;
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
        connection.pragma_update(None, "user_version", FORMAT)?;
        let is_small = || {
            let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
            Ok::<_, rusqlite::Error>(pages.unsigned_abs() * PAGE_SIZE as u64 <= SMALL_FILE)
        };
        let streets = "SELECT COALESCE(MAX(id), 0) FROM street";
        let streets: i64 = connection.query_row(streets, (), |row| row.get(0))?;
        let needs_lists = streets > FEW_STREETS || !is_small()?;
        connection.execute_batch(if needs_lists { INDICES } else { DROP_LISTS })?;
        if is_small()? {
            connection.pragma_update(None, "page_size", SMALL_PAGE as i64)?;
            connection.execute_batch("PRAGMA temp_store = MEMORY; VACUUM;")?;
        }
        connection.close().map_err(|(_, e)| e)
    };
    finish().map_err(sqlite(path))?;
    let file = File::open(path).map_err(PropertyError::read(path))?;
    file.sync_all().map_err(PropertyError::write(path))?;
    file.metadata().map(|m| m.len()).map_err(PropertyError::read(path))
}
