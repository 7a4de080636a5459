//! The files of a version under construction: places in one pass, streets and search text in the next.

use std::fs::File;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use shingle_domain::evidence::{Place, Source};

use super::builder::{IndexSummary, StateSummary};
use super::bulk::{Numbers, Records};
use super::houses::{self, Street};
use super::manifest::FORMAT;
use super::merge::Joined;
use super::record;
use super::shard::{APPLICATION_ID, INDICES, TABLES};
use super::sorter::{Key, Merge, Sorter};
use super::title::pieces;
use crate::error::PropertyError;

/// Bytes of search pieces held in memory before they go to disk.
const PIECE_BUDGET: usize = 8 << 20;

fn sqlite(path: &Path) -> impl Fn(rusqlite::Error) -> PropertyError {
    let path = path.to_owned();
    move |e| PropertyError::Write { path: path.clone(), source: std::io::Error::other(e) }
}

/// A file under construction. It is either finished or thrown away, so it needs no journal.
/// Pages of 8 KiB: records are long, and half as many pages are begun, filled and found.
fn open_for_writing(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.execute_batch(
        "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
         PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -8192;",
    )?;
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

/// A number that SQLite sorts as the unsigned `ordered` sorts.
pub(super) fn ordered(signed: i64) -> u64 {
    signed as u64 ^ 1 << 63
}

fn signed(ordered: u64) -> i64 {
    (ordered ^ 1 << 63) as i64
}

/// The entry of a merge that is being looked at.
#[derive(Default)]
struct Row {
    key: Key,
    value: Vec<u8>,
}

impl Row {
    fn read(&mut self, merge: &mut Merge) -> Result<bool, PropertyError> {
        let Some((key, value)) = merge.next()? else { return Ok(false) };
        self.key = key;
        self.value.clear();
        self.value.extend_from_slice(value);
        Ok(true)
    }
}

/// First pass. Keys are state, key hash as [`ordered`] and collision check; values are records as they will stand in
/// the file.
pub(super) fn write_places(
    out: &Path,
    mut places: Merge,
    sources: &[Source],
    summary: &mut IndexSummary,
) -> Result<(), PropertyError> {
    let (mut first, mut row) = (Row::default(), Row::default());
    let mut more = row.read(&mut places)?;
    while more {
        let state = row.key[0];
        let mut of_state = StateSummary { state: state_text(state), places: 0, streets: 0, bytes: 0 };
        let path = file_of(out, &of_state.state);
        let connection = start_file(&path, sources)?;
        let failed = sqlite(&path);
        let mut rows = Records::into(&connection, "place").map_err(&failed)?;
        while more && row.key[0] == state {
            std::mem::swap(&mut first, &mut row);
            more = row.read(&mut places)?;
            let mut joined: Option<Joined> = None;
            while more && row.key[..2] == first.key[..2] {
                if row.key == first.key {
                    let known = match joined.take() {
                        Some(known) => known,
                        None => Joined::rows(decode(&path, &first.value, sources)?),
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
            rows.push(signed(first.key[1]), &mut first.value).map_err(&failed)?;
            of_state.places += 1;
        }
        rows.finish().map_err(&failed)?;
        connection.execute_batch("COMMIT").map_err(&failed)?;
        summary.places += of_state.places;
        summary.states.push(of_state);
    }
    Ok(())
}

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

fn decode(path: &Path, value: &[u8], sources: &[Source]) -> Result<Place, PropertyError> {
    let record = value.get(CHECK..).unwrap_or_default();
    record::decode(record, sources).map_err(|e| PropertyError::damaged(path, e))
}

/// Replaces the record in a value; its check stays. Joined rows have no source that no row has.
fn encode(path: &Path, place: &Place, sources: &[Source], value: &mut Vec<u8>) -> Result<(), PropertyError> {
    let number = |s: &Source| sources.iter().position(|known| known == s).map_or(0, |at| at as u32);
    let numbers: Vec<u32> = place.sources.iter().map(number).collect();
    value.truncate(CHECK);
    record::encode(place, &numbers, value).map_err(|e| PropertyError::damaged(path, e))
}

/// Bytes of the collision check before each record.
const CHECK: usize = 4;

/// Second pass: streets, house numbers, search text and parcels of every state.
pub(super) fn write_streets(
    out: &Path,
    work: &Path,
    houses: houses::Merge,
    mut parcels: Merge,
    summary: &mut IndexSummary,
) -> Result<(), PropertyError> {
    let mut houses = houses.peekable();
    let mut parcel = Row::default();
    let mut more_parcels = parcel.read(&mut parcels)?;
    for state in &mut summary.states {
        let path = file_of(out, &state.state);
        let connection = open_for_writing(&path).map_err(sqlite(&path))?;
        connection.execute_batch("BEGIN").map_err(sqlite(&path))?;
        let mut writer = StreetWriter::new(&connection, &path, work)?;
        let of_state = |s: &Result<Street, _>| s.as_ref().map_or(true, |s| s.text.starts_with(&state.state));
        while let Some(street) = houses.next_if(of_state) {
            writer.street(&street?)?;
        }
        state.streets = writer.streets.unsigned_abs();
        writer.finish()?;
        let number = state_number(&state.state);
        let failed = sqlite(&path);
        let mut rows = Numbers::into(&connection, "parcel").map_err(&failed)?;
        let mut last = None;
        while more_parcels && parcel.key[0] == number {
            if last != Some(parcel.key) {
                rows.push([signed(parcel.key[1]), signed(parcel.key[2])]).map_err(&failed)?;
                last = Some(parcel.key);
            }
            more_parcels = parcel.read(&mut parcels)?;
        }
        rows.finish().map_err(&failed)?;
        connection.execute_batch("COMMIT").map_err(sqlite(&path))?;
    }
    Ok(())
}

struct StreetWriter<'a> {
    path: &'a Path,
    street: rusqlite::Statement<'a>,
    houses: Numbers<'a, 4>,
    title: rusqlite::Statement<'a>,
    typos: Numbers<'a, 2>,
    streets: i64,
    title_text: String,
    titles: i64,
    first_of_title: i64,
    pieces: Sorter,
}

impl<'a> StreetWriter<'a> {
    fn new(connection: &'a Connection, path: &'a Path, work: &Path) -> Result<Self, PropertyError> {
        let prepare = |sql| connection.prepare(sql).map_err(sqlite(path));
        Ok(Self {
            path,
            street: prepare("INSERT INTO street VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?,
            houses: Numbers::into(connection, "house").map_err(sqlite(path))?,
            title: prepare("INSERT INTO title VALUES (?1, ?2, ?3, ?4)")?,
            typos: Numbers::into(connection, "typo").map_err(sqlite(path))?,
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
        let (title, name, suffix, postdir, predir, zip, city) =
            (part(), part(), part(), part(), part(), part(), part());
        if title != self.title_text {
            self.end_title()?;
            title.clone_into(&mut self.title_text);
            self.first_of_title = self.streets + 1;
        }
        self.streets += 1;
        let row = (self.streets, predir, name, suffix, postdir, zip, city);
        self.street.execute(row).map_err(sqlite(self.path))?;
        for house in &street.houses {
            let row = [self.streets, i64::from(house.low), house.key, i64::from(house.above)];
            self.houses.push(row).map_err(|e| sqlite(self.path)(e))?;
        }
        Ok(())
    }

    fn end_title(&mut self) -> Result<(), PropertyError> {
        if self.streets == 0 {
            return Ok(());
        }
        self.titles += 1;
        let row = (self.titles, &self.title_text, self.first_of_title, self.streets);
        self.title.execute(row).map_err(sqlite(self.path))?;
        for piece in pieces(&self.title_text) {
            self.pieces.push([ordered(piece), self.titles.unsigned_abs(), 0], &[])?;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(), PropertyError> {
        self.end_title()?;
        let mut pieces = self.pieces.sorted()?;
        while let Some(([piece, title, _], _)) = pieces.next()? {
            self.typos.push([signed(piece), title as i64]).map_err(|e| sqlite(self.path)(e))?;
        }
        let finish = || self.houses.finish().and_then(|()| self.typos.finish());
        finish().map_err(sqlite(self.path))
    }
}

/// Makes the last indices, signs the file and puts it on disk. Gives its size.
pub(super) fn seal(path: &Path) -> Result<u64, PropertyError> {
    let finish = || {
        let connection = open_for_writing(path)?;
        // What sorted the rows is gone: there is room to sort an index without files.
        connection.execute_batch("PRAGMA cache_size = -32768;")?;
        connection.execute_batch(INDICES)?;
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
        connection.pragma_update(None, "user_version", FORMAT)?;
        connection.close().map_err(|(_, e)| e)
    };
    finish().map_err(sqlite(path))?;
    let file = File::open(path).map_err(PropertyError::read(path))?;
    file.sync_all().map_err(PropertyError::write(path))?;
    file.metadata().map(|m| m.len()).map_err(PropertyError::read(path))
}
