//! The files of a version under construction: places in one pass, streets and search text in the next.

use std::fs::File;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use shingle_domain::evidence::{Place, Source};

use super::manifest::FORMAT;
use super::map_cell::MapSpot;
use super::merge::PlaceMerger;
use super::pages::{PAGE_SIZE, PageFile, Tree, Value};
use super::record::{self, CHECK};
use super::shard::{APPLICATION_ID, FEW_TITLES, HOUSE_INDEX, INDICES, PLACE_IN_CELL, TABLES};
use super::sort_key::{self, SortKey, SortedRow, ordered, signed};
use super::streets::{SortedStreets, Street};
use super::summary::{IndexSummary, StateSummary};
use super::title::pieces;
use crate::error::PropertyError;
use crate::external_sort::{Sorted, Sorter};

/// Bytes of search pieces and of houses by number held in memory before they go to disk.
const PIECE_BUDGET: usize = 8 << 20;
const NUMBER_BUDGET: usize = 16 << 20;

fn sqlite(path: &Path) -> impl Fn(rusqlite::Error) -> PropertyError {
    let path = path.to_owned();
    move |e| PropertyError::Write { path: path.clone(), source: std::io::Error::other(e) }
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> PropertyError {
    |e| PropertyError::write(path)(e)
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

/// The first pages of tables and indices.
fn roots<const N: usize>(path: &Path, names: [&str; N]) -> Result<[u32; N], PropertyError> {
    let read = || {
        let connection = open_for_writing(path)?;
        let mut found = connection.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?1")?;
        let mut roots = [0; N];
        for (root, name) in roots.iter_mut().zip(names) {
            *root = found.query_row([name], |row| row.get(0))?;
        }
        Ok(roots)
    };
    read().map_err(sqlite(path))
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
        start_file(&path, sources)?;
        let [place] = roots(&path, ["place"])?;
        let failed = failed(&path);
        let mut file = PageFile::open(&path).map_err(&failed)?;
        let mut table = Tree::table(place);
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
            table.push(&mut file, signed(first.key[1]), &[Value::Key, Value::Blob(&first.value)]).map_err(&failed)?;
            of_state.places += 1;
        }
        table.finish(&mut file).and_then(|()| file.finish()).map_err(&failed)?;
        summary.places += of_state.places;
        summary.states.push(of_state);
    }
    Ok(())
}

/// A file with its tables and sources. The indices of small tables are made when those are filled.
fn start_file(path: &Path, sources: &[Source]) -> Result<(), PropertyError> {
    let start = || {
        let connection = open_for_writing(path)?;
        connection.execute_batch(TABLES)?;
        connection.execute_batch(HOUSE_INDEX)?;
        connection.execute_batch("BEGIN")?;
        for (id, source) in sources.iter().enumerate() {
            let record = postcard::to_stdvec(source).map_err(|e| rusqlite::Error::ToSqlConversionFailure(e.into()))?;
            connection.execute("INSERT INTO source VALUES (?1, ?2)", (id as i64, record))?;
        }
        connection.execute_batch("COMMIT")?;
        connection.close().map_err(|(_, e)| e)
    };
    start().map_err(sqlite(path))
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
        let mut writer = StreetWriter::new(&path, work)?;
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
        let [map_cell] = roots(&path, ["map_cell"])?;
        let failed = failed(&path);
        let mut file = PageFile::open(&path).map_err(&failed)?;
        let mut table = Tree::table(map_cell);
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
            table.push(&mut file, cell as i64, &[Value::Key, Value::Blob(&places)]).map_err(&failed)?;
        }
        table.finish(&mut file).and_then(|()| file.finish()).map_err(&failed)?;
    }
    Ok(())
}

struct StreetWriter<'a> {
    path: &'a Path,
    file: PageFile,
    street: Tree,
    house: Tree,
    house_by_number: Tree,
    title: Tree,
    typo: Tree,
    parcel: Tree,
    streets: i64,
    title_text: String,
    titles: i64,
    first_of_title: i64,
    pieces: Sorter,
    numbers: Sorter,
}

impl<'a> StreetWriter<'a> {
    fn new(path: &'a Path, work: &Path) -> Result<Self, PropertyError> {
        let [street, house, house_by_number, title, typo, parcel] =
            roots(path, ["street", "house", "house_by_number", "title", "typo", "parcel"])?;
        Ok(Self {
            path,
            file: PageFile::open(path).map_err(PropertyError::write(path))?,
            street: Tree::table(street),
            house: Tree::index(house),
            house_by_number: Tree::index(house_by_number),
            title: Tree::table(title),
            typo: Tree::index(typo),
            parcel: Tree::index(parcel),
            streets: 0,
            title_text: String::new(),
            titles: 0,
            first_of_title: 1,
            pieces: Sorter::new(work, "pieces", PIECE_BUDGET),
            numbers: Sorter::new(work, "numbers", NUMBER_BUDGET),
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
        let failed = failed(self.path);
        let [predir, name, suffix, postdir, zip, city, place] =
            [predir, name, suffix, postdir, zip, city, place].map(Value::Text);
        let row = [Value::Key, predir, name, suffix, postdir, zip, city, place];
        self.street.push(&mut self.file, self.streets, &row).map_err(&failed)?;
        for house in &street.houses {
            let row = [self.streets, i64::from(house.low), house.key, i64::from(house.above)];
            self.house.push_numbers(&mut self.file, row).map_err(&failed)?;
            let key = [u64::from(house.low), self.streets.unsigned_abs(), ordered(house.key)];
            sort_key::push(&mut self.numbers, key, &[])?;
        }
        Ok(())
    }

    fn end_title(&mut self) -> Result<(), PropertyError> {
        if self.streets == 0 {
            return Ok(());
        }
        self.titles += 1;
        let (first, last) = (Value::Number(self.first_of_title), Value::Number(self.streets));
        let row = [Value::Key, Value::Text(&self.title_text), first, last];
        self.title.push(&mut self.file, self.titles, &row).map_err(failed(self.path))?;
        for piece in pieces(&self.title_text) {
            sort_key::push(&mut self.pieces, [ordered(piece), self.titles.unsigned_abs(), 0], &[])?;
        }
        Ok(())
    }

    fn parcel(&mut self, parcel: i64, key: i64) -> Result<(), PropertyError> {
        self.parcel.push_numbers(&mut self.file, [parcel, key]).map_err(failed(self.path))
    }

    fn finish(mut self) -> Result<(), PropertyError> {
        self.end_title()?;
        let failed = failed(self.path);
        let mut file = self.file;
        let (mut pieces, mut row) = (self.pieces.sorted()?, SortedRow::default());
        while self.titles > FEW_TITLES && row.read(&mut pieces)? {
            let [piece, title, _] = row.key;
            self.typo.push_numbers(&mut file, [signed(piece), title as i64]).map_err(&failed)?;
        }
        let mut numbers = self.numbers.sorted()?;
        while row.read(&mut numbers)? {
            let [low, street, key] = row.key;
            let row = [low as i64, street as i64, signed(key)];
            self.house_by_number.push_numbers(&mut file, row).map_err(&failed)?;
        }
        let trees = [self.street, self.house, self.house_by_number, self.title, self.typo, self.parcel];
        let finish = || trees.into_iter().try_for_each(|tree| tree.finish(&mut file)).and_then(|()| file.finish());
        finish().map_err(&failed)
    }
}

/// A file of at most so many bytes gets small pages: it has some fifteen trees, and half of the last page of each is empty.
const SMALL_FILE: u64 = 2 << 20;
const SMALL_PAGE: usize = 1_024;

/// Makes the last indices, signs the file and puts it on disk. Gives its size.
pub(super) fn seal(path: &Path) -> Result<u64, PropertyError> {
    let finish = || {
        let connection = open_for_writing(path)?;
        // What sorted the rows is gone: there is room to sort an index without files.
        connection.execute_batch("PRAGMA cache_size = -32768;")?;
        connection.execute_batch(INDICES)?;
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
        connection.pragma_update(None, "user_version", FORMAT)?;
        let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
        if pages.unsigned_abs() * PAGE_SIZE as u64 <= SMALL_FILE {
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
