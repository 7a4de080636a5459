//! One file of an index: its tables, and reading them. SQLite, never written again once it is built.
//!
//! `<data set>/v<version>/<state>.sqlite`, named by `manifest.json`. A row of a county (a dozen facts, an outline of
//! eight corners) takes some 360 bytes: 240 of record, the rest for its number, parcel and share of the street. Five
//! million take 1.8 GB, and about twice as much while they are sorted. Building holds 32 MiB of records, 24 of houses, 8 of
//! parcels, 8 of map cells and 8 of search pieces, whatever the number of rows; SQLite sorts an index in 32 MiB more. 97 MiB
//! at most were measured at a million rows. Reading holds a page cache of 1 MiB a connection at most, filled by what is
//! read.
//!
//! # Decision
//!
//! Rows are sorted by our own sorter and inserted in order; indices are made when the tables are filled. Turned down: writing
//! the pages of the tables in SQLite's format, which took 376 lines. With it, an import took some 0.6 times the processor
//! time.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::{CachedStatement, OptionalExtension, Params, Row, StatementStatus};
use shingle_address::Street;
use shingle_domain::Address;
use shingle_domain::evidence::{Place, Position, Source};

use super::connections::{Connections, Lease};
use super::manifest::FORMAT;
use super::map_cell::{self, MapSpot};
use super::record;
use super::title::title_of;
use crate::error::PropertyError;
use crate::geometry::offset;

/// `SHGL`: marks our files among other SQLite files.
pub(crate) const APPLICATION_ID: i32 = 0x5348_474c;

/// `place` is found by key hash. Streets are numbered in the order of their text, so the streets that begin
/// with the same letters are one span of numbers, and `house_by_number` finds a house number in such a span
/// in one step. `title` holds each text once, in the same order, so it needs no index of its own. `typo` leads from pieces
/// of misspelled text to titles; a file with few titles ([`FEW_TITLES`]) has none, all its titles are compared instead.
/// A small file with few streets has neither of the two, and no indices: what they say is read from `street`.
/// `parcel` from a hash of the parcel's number to the places on it, `map_cell` from a piece of land to the places in it:
/// one row a cell, so that a place costs 13 bytes and not twenty.
pub(crate) const TABLES: &str = "
    CREATE TABLE source (id INTEGER PRIMARY KEY, record BLOB NOT NULL);
    CREATE TABLE place (key INTEGER PRIMARY KEY, record BLOB NOT NULL);
    CREATE TABLE street (
        id INTEGER PRIMARY KEY, predir TEXT NOT NULL, name TEXT NOT NULL, suffix TEXT NOT NULL, postdir TEXT NOT NULL,
        zip TEXT NOT NULL, city TEXT NOT NULL, place TEXT NOT NULL);
    CREATE TABLE house (
        street INTEGER NOT NULL, low INTEGER NOT NULL, key INTEGER NOT NULL, above INTEGER NOT NULL,
        PRIMARY KEY (street, low, key)) WITHOUT ROWID;
    CREATE TABLE title (id INTEGER PRIMARY KEY, text TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL);
    CREATE TABLE typo (piece INTEGER NOT NULL, title INTEGER NOT NULL, PRIMARY KEY (piece, title)) WITHOUT ROWID;
    CREATE TABLE parcel (parcel INTEGER NOT NULL, key INTEGER NOT NULL, PRIMARY KEY (parcel, key)) WITHOUT ROWID;
    CREATE TABLE map_cell (cell INTEGER PRIMARY KEY, places BLOB NOT NULL);
";

/// A file with at most so many titles compares all of them with what was typed.
pub(super) const FEW_TITLES: i64 = 4_096;

/// Streets of a small file that are asked one by one for a house number.
const ONE_BY_ONE: i64 = 16;

/// Bytes of a place in a map cell: its steps, then its key hash.
pub(super) const PLACE_IN_CELL: usize = 10;

/// What a small file does without.
pub(crate) const DROP_LISTS: &str = "DROP TABLE title; DROP TABLE typo;";

/// Made when the tables are filled.
pub(crate) const INDICES: &str = "
    CREATE INDEX house_by_number ON house (low, street);
    CREATE INDEX street_by_zip ON street (zip, name);
    CREATE INDEX street_by_city ON street (city, name);
";

pub(crate) struct ShardReader {
    pub path: PathBuf,
    connections: Connections,
    sources: Vec<Source>,
    /// Whether it knows the ZIP of some places and not of others: it may hold one place under two keys.
    pub mixed: bool,
    /// Whether it has places without a ZIP.
    pub without_zip: bool,
    /// Whether it finds its streets by name and its houses by number. A small file does not: a list in memory of all small
    /// files does it.
    pub has_lists: bool,
    titles: i64,
    /// Steps of SQLite's machine since the file was opened: what the work of a search is measured in.
    steps: AtomicU64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StreetRow {
    pub id: i64,
    pub predir: String,
    pub name: String,
    pub suffix: String,
    pub postdir: String,
    pub zip: String,
    pub city: String,
    /// The named place in the town, where addresses say it.
    pub place: String,
}

/// A text that streets are searched by, and the span of streets that have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Title {
    pub text: String,
    pub span: (i64, i64),
}

/// Which streets of a name are meant.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Area<'a> {
    Zip(&'a str),
    /// Streets of this town whatever their ZIP.
    City(&'a str),
    /// Streets of this town whose source gives no ZIP.
    CityWithoutZip(&'a str),
    Anywhere,
}

impl Area<'_> {
    pub fn has(&self, zip: &str, city: &str) -> bool {
        match *self {
            Self::Zip(of) => of == zip,
            Self::City(of) => of == city,
            Self::CityWithoutZip(of) => of == city && zip.is_empty(),
            Self::Anywhere => true,
        }
    }
}

impl ShardReader {
    pub(crate) fn open(path: &Path, bytes: u64) -> Result<Self, PropertyError> {
        let found = std::fs::metadata(path).map_err(PropertyError::read(path))?.len();
        if found != bytes {
            return Err(PropertyError::damaged(path, format!("it has {found} bytes where {bytes} were written")));
        }
        let damaged = |e: rusqlite::Error| PropertyError::damaged(path, e);
        let connections = Connections::open(path)?;
        let pragma = |name: &str| {
            let connection = connections.lease()?;
            connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0)).map_err(damaged)
        };
        if pragma("application_id")? != APPLICATION_ID {
            return Err(PropertyError::damaged(path, "it is not a file of an index"));
        }
        let format = pragma("user_version")?;
        if format != FORMAT as i32 {
            return Err(PropertyError::Format { path: path.to_owned(), found: format as u32, expected: FORMAT });
        }
        let mut reader = Self {
            path: path.to_owned(),
            connections,
            sources: Vec::new(),
            mixed: true,
            without_zip: true,
            has_lists: false,
            titles: 0,
            steps: AtomicU64::new(0),
        };
        reader.sources = reader
            .rows("SELECT record FROM source ORDER BY id", (), |row| row.get::<_, Vec<u8>>(0))?
            .iter()
            .map(|bytes| postcard::from_bytes(bytes).map_err(|e| PropertyError::damaged(path, e)))
            .collect::<Result<_, _>>()?;
        let mixed =
            "SELECT EXISTS (SELECT 1 FROM street WHERE zip = '') AND EXISTS (SELECT 1 FROM street WHERE zip > '')";
        let without_zip = "SELECT EXISTS (SELECT 1 FROM street WHERE zip = '')";
        reader.without_zip = reader.row(without_zip, (), |row| row.get(0))?.unwrap_or(true);
        let has_lists = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'title')";
        reader.has_lists = reader.row(has_lists, (), |row| row.get(0))?.unwrap_or_default();
        if reader.has_lists {
            let titles = "SELECT COALESCE(MAX(id), 0) FROM title";
            reader.titles = reader.row(titles, (), |row| row.get(0))?.unwrap_or_default();
        }
        reader.mixed = reader.row(mixed, (), |row| row.get(0))?.unwrap_or(true);
        Ok(reader)
    }

    #[cfg(test)]
    pub(crate) fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    fn damaged(&self, e: impl ToString) -> PropertyError {
        PropertyError::damaged(&self.path, e)
    }

    fn prepare<'l>(&self, on: &'l Lease<'_>, sql: &str) -> Result<CachedStatement<'l>, PropertyError> {
        on.prepare_cached(sql).map_err(|e| self.damaged(e))
    }

    fn count(&self, statement: &CachedStatement<'_>) {
        let steps = statement.reset_status(StatementStatus::VmStep);
        self.steps.fetch_add(u64::from(steps.unsigned_abs()), Ordering::Relaxed);
    }

    fn rows<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, PropertyError> {
        let connection = self.connections.lease()?;
        let mut statement = self.prepare(&connection, sql)?;
        let found = statement.query_map(params, read).and_then(Iterator::collect).map_err(|e| self.damaged(e));
        self.count(&statement);
        found
    }

    fn row<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, PropertyError> {
        let connection = self.connections.lease()?;
        let mut statement = self.prepare(&connection, sql)?;
        let found = statement.query_row(params, read).optional().map_err(|e| self.damaged(e));
        self.count(&statement);
        found
    }

    /// The collision check and the encoded place.
    fn record<T>(
        &self,
        hash: u64,
        read: impl FnOnce(u32, &[u8]) -> Result<T, postcard::Error>,
    ) -> Result<Option<T>, PropertyError> {
        let connection = self.connections.lease()?;
        let mut statement = self.prepare(&connection, "SELECT record FROM place WHERE key = ?1")?;
        let mut rows = statement.query([hash as i64]).map_err(|e| self.damaged(e))?;
        let mut found = None;
        if let Some(row) = rows.next().map_err(|e| self.damaged(e))? {
            let bytes = row.get_ref(0).and_then(|v| Ok(v.as_blob()?)).map_err(|e| self.damaged(e))?;
            let (check, rest) = bytes.split_first_chunk().ok_or_else(|| self.damaged("a record is too short"))?;
            found = Some(read(u32::from_le_bytes(*check), rest).map_err(|e| self.damaged(e))?);
        }
        drop(rows);
        self.count(&statement);
        Ok(found)
    }

    /// The key hashes of all its `places`; `None` if some are in no street, where they would be missed.
    pub(crate) fn place_keys(&self, places: u64) -> Result<Option<Vec<u64>>, PropertyError> {
        let mut keys = self.rows("SELECT key FROM house", (), |row| row.get::<_, i64>(0).map(|key| key as u64))?;
        keys.sort_unstable();
        keys.dedup();
        Ok((keys.len() as u64 == places).then_some(keys))
    }

    /// The hashes of all its parcels.
    pub(crate) fn parcels(&self) -> Result<Vec<u64>, PropertyError> {
        self.rows("SELECT DISTINCT parcel FROM parcel", (), |row| row.get::<_, i64>(0).map(|parcel| parcel as u64))
    }

    /// The place with this key hash; with `check`, only if it is the very key.
    pub(crate) fn place(&self, hash: u64, check: Option<u32>) -> Result<Option<Place>, PropertyError> {
        let found = self.record(hash, |stored, bytes| {
            if check.is_some_and(|c| c != stored) { Ok(None) } else { record::decode(bytes, &self.sources).map(Some) }
        })?;
        Ok(found.flatten())
    }

    /// Every place of the file, in the order of its keys, one in memory at a time.
    pub(crate) fn each_place(&self, mut each: impl FnMut(Place)) -> Result<(), PropertyError> {
        let connection = self.connections.lease()?;
        let mut statement = self.prepare(&connection, "SELECT record FROM place ORDER BY key")?;
        let mut rows = statement.query(()).map_err(|e| self.damaged(e))?;
        while let Some(row) = rows.next().map_err(|e| self.damaged(e))? {
            let bytes = row.get_ref(0).and_then(|v| Ok(v.as_blob()?)).map_err(|e| self.damaged(e))?;
            let (_, rest) = bytes.split_first_chunk::<4>().ok_or_else(|| self.damaged("a record is too short"))?;
            each(record::decode(rest, &self.sources).map_err(|e| self.damaged(e))?);
        }
        Ok(())
    }

    /// The address and the unit of a place.
    pub(crate) fn address(&self, hash: u64) -> Result<Option<(Address, Option<String>)>, PropertyError> {
        self.record(hash, |_, bytes| {
            let name = record::decode_name(bytes)?;
            Ok((name.address(), name.unit.map(str::to_owned)))
        })
    }

    /// Key hashes of the places on a parcel.
    pub(crate) fn on_parcel(&self, parcel: i64, limit: usize) -> Result<Vec<u64>, PropertyError> {
        self.rows("SELECT key FROM parcel WHERE parcel = ?1 LIMIT ?2", (parcel, limit as i64), |row| {
            row.get::<_, i64>(0).map(|k| k as u64)
        })
    }

    /// Key hashes of the places within some meters, each with its distance.
    pub(crate) fn within(&self, at: Position, radius: f64) -> Result<Vec<(f64, u64)>, PropertyError> {
        let mut found = Vec::new();
        for cells in map_cell::around(at, radius) {
            let sql = "SELECT cell, places FROM map_cell WHERE cell BETWEEN ?1 AND ?2";
            let rows = self.rows(sql, (cells.start(), cells.end()), |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?))
            })?;
            for (cell, places) in rows {
                let (places, _) = places.as_chunks::<PLACE_IN_CELL>();
                found.extend(places.iter().filter_map(|[north, east, key @ ..]| {
                    let (x, y) = offset(at, MapSpot { cell, steps: [*north, *east] }.position());
                    Some((x.hypot(y), u64::from_le_bytes(*key))).filter(|(away, _)| *away <= radius)
                }));
            }
        }
        Ok(found)
    }

    /// The streets of a name, which are all between two of its streets.
    pub(crate) fn streets_between(
        &self,
        (first, last): (i64, i64),
        name: &str,
        area: Area<'_>,
    ) -> Result<Vec<StreetRow>, PropertyError> {
        let sql = "SELECT id, predir, name, suffix, postdir, zip, city, place FROM street
                    WHERE id BETWEEN ?1 AND ?2 AND name = ?3 LIMIT 1000";
        let mut found = self.rows(sql, (first, last, name), street_row)?;
        found.retain(|street| area.has(&street.zip, &street.city));
        Ok(found)
    }

    /// Every street in order: its name, its ZIP and its town.
    pub(crate) fn each_street(&self, mut each: impl FnMut(i64, &str, &str, &str)) -> Result<(), PropertyError> {
        let connection = self.connections.lease()?;
        let mut statement = self.prepare(&connection, "SELECT id, name, zip, city FROM street ORDER BY id")?;
        let mut rows = statement.query(()).map_err(|e| self.damaged(e))?;
        while let Some(row) = rows.next().map_err(|e| self.damaged(e))? {
            let text = |column: usize| -> rusqlite::Result<&str> { Ok(row.get_ref(column)?.as_str()?) };
            let read = || Ok((row.get(0)?, text(1)?, text(2)?, text(3)?));
            let (id, name, zip, city) = read().map_err(|e: rusqlite::Error| self.damaged(e))?;
            each(id, name, zip, city);
        }
        Ok(())
    }

    pub(crate) fn streets(&self, name: &str, area: Area<'_>) -> Result<Vec<StreetRow>, PropertyError> {
        let columns = "SELECT id, predir, name, suffix, postdir, zip, city, place FROM street WHERE";
        match area {
            Area::Zip(zip) => self.rows(&format!("{columns} zip = ?1 AND name = ?2"), [zip, name], street_row),
            Area::City(city) => self.rows(&format!("{columns} city = ?1 AND name = ?2"), [city, name], street_row),
            Area::CityWithoutZip(city) => {
                self.rows(&format!("{columns} zip = '' AND name = ?2 AND city = ?1"), [city, name], street_row)
            }
            Area::Anywhere => {
                // A title begins with the street's name, and nothing that is typed sorts between a space and this.
                let Some((first, last)) = self.span_between(name, &format!("{name}!"))? else { return Ok(Vec::new()) };
                self.streets_between((first, last), name, area)
            }
        }
    }

    /// Whether a town has streets with this ZIP.
    pub(crate) fn has_town(&self, city: &str, zip: &str) -> Result<bool, PropertyError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM street WHERE city = ?1 AND zip = ?2)";
        Ok(self.row(sql, [city, zip], |row| row.get(0))?.unwrap_or_default())
    }

    /// Of whom its facts are.
    pub(crate) fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// House numbers by town. Reads all of them.
    pub(crate) fn homes_by_city(&self) -> Result<Vec<(String, u64)>, PropertyError> {
        let sql = "SELECT street.city, SUM(counted.homes)
                     FROM (SELECT street, COUNT(*) AS homes FROM house GROUP BY street) AS counted
                     JOIN street ON street.id = counted.street GROUP BY street.city";
        self.rows(sql, (), |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs())))
    }

    /// Every cell of the map in which a place stands.
    pub(crate) fn each_cell(&self, mut each: impl FnMut(i64)) -> Result<(), PropertyError> {
        let connection = self.connections.lease()?;
        let mut statement = self.prepare(&connection, "SELECT cell FROM map_cell")?;
        let mut rows = statement.query(()).map_err(|e| self.damaged(e))?;
        while let Some(row) = rows.next().map_err(|e| self.damaged(e))? {
            each(row.get(0).map_err(|e| self.damaged(e))?);
        }
        Ok(())
    }

    /// Every text that streets are searched by, in order, with the first and last of its streets.
    pub(crate) fn each_title(&self, mut each: impl FnMut(&str, i64, i64)) -> Result<(), PropertyError> {
        if !self.has_lists {
            return self.each_title_of_streets(each);
        }
        let connection = self.connections.lease()?;
        let mut statement = self.prepare(&connection, "SELECT text, first, last FROM title ORDER BY id")?;
        let mut rows = statement.query(()).map_err(|e| self.damaged(e))?;
        while let Some(row) = rows.next().map_err(|e| self.damaged(e))? {
            let read = || Ok((row.get_ref(0)?.as_str()?, row.get(1)?, row.get(2)?));
            let (text, first, last) = read().map_err(|e: rusqlite::Error| self.damaged(e))?;
            each(text, first, last);
        }
        Ok(())
    }

    fn each_title_of_streets(&self, mut each: impl FnMut(&str, i64, i64)) -> Result<(), PropertyError> {
        let connection = self.connections.lease()?;
        let mut statement = self.prepare(&connection, "SELECT id, name, suffix, postdir FROM street ORDER BY id")?;
        let mut rows = statement.query(()).map_err(|e| self.damaged(e))?;
        let (mut title, mut span): (String, Option<(i64, i64)>) = (String::new(), None);
        while let Some(row) = rows.next().map_err(|e| self.damaged(e))? {
            let read = || {
                let street =
                    Street { predir: String::new(), name: row.get(1)?, suffix: row.get(2)?, postdir: row.get(3)? };
                Ok((row.get(0)?, title_of(&street)))
            };
            let (id, next): (i64, String) = read().map_err(|e: rusqlite::Error| self.damaged(e))?;
            span = match span {
                Some((first, _)) if next == title => Some((first, id)),
                before => {
                    if let Some((first, last)) = before {
                        each(&title, first, last);
                    }
                    title = next;
                    Some((id, id))
                }
            };
        }
        if let Some((first, last)) = span {
            each(&title, first, last);
        }
        Ok(())
    }

    /// Every house: its street and its first number, in the order of the streets.
    pub(crate) fn each_house(&self, mut each: impl FnMut(i64, u32)) -> Result<(), PropertyError> {
        let connection = self.connections.lease()?;
        let mut statement = self.prepare(&connection, "SELECT street, low FROM house ORDER BY street, low")?;
        let mut rows = statement.query(()).map_err(|e| self.damaged(e))?;
        while let Some(row) = rows.next().map_err(|e| self.damaged(e))? {
            let read = || Ok((row.get(0)?, row.get(1)?));
            let (street, low) = read().map_err(|e: rusqlite::Error| self.damaged(e))?;
            each(street, low);
        }
        Ok(())
    }

    /// Whether it has a street in this town, or with this ZIP.
    pub(crate) fn covers(&self, city: &str, zip: &str) -> Result<bool, PropertyError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM street WHERE city = ?1 AND ?1 > '')
                       OR EXISTS (SELECT 1 FROM street WHERE zip = ?2 AND ?2 > '')";
        Ok(self.row(sql, [city, zip], |row| row.get(0))?.unwrap_or_default())
    }

    /// The names of the streets of an area, each once.
    pub(crate) fn each_name(&self, area: Area<'_>, mut each: impl FnMut(&str)) -> Result<(), PropertyError> {
        let (sql, of) = match area {
            Area::Zip(zip) => ("SELECT DISTINCT name FROM street WHERE zip = ?1", zip),
            Area::City(city) => ("SELECT DISTINCT name FROM street WHERE city = ?1", city),
            Area::CityWithoutZip(city) => ("SELECT DISTINCT name FROM street WHERE city = ?1 AND zip = ''", city),
            // Similar names are looked for within a town only.
            Area::Anywhere => return Ok(()),
        };
        if matches!(area, Area::CityWithoutZip(_)) && !self.without_zip {
            // Else every street of the town would be looked at for nothing.
            return Ok(());
        }
        let connection = self.connections.lease()?;
        let mut statement = self.prepare(&connection, sql)?;
        let mut rows = statement.query([of]).map_err(|e| self.damaged(e))?;
        while let Some(row) = rows.next().map_err(|e| self.damaged(e))? {
            each(row.get_ref(0).and_then(|v| Ok(v.as_str()?)).map_err(|e| self.damaged(e))?);
        }
        drop(rows);
        self.count(&statement);
        Ok(())
    }

    pub(crate) fn street(&self, id: i64) -> Result<Option<StreetRow>, PropertyError> {
        self.row(
            "SELECT id, predir, name, suffix, postdir, zip, city, place FROM street WHERE id = ?1",
            [id],
            street_row,
        )
    }

    /// Keys of the houses of a street whose numbers touch `low..=high`.
    pub(crate) fn houses_on(&self, street: i64, low: u32, high: u32) -> Result<Vec<u64>, PropertyError> {
        self.rows(
            "SELECT key FROM house WHERE street = ?1 AND low BETWEEN ?2 - 98 AND ?3 AND low + above >= ?2 LIMIT 400",
            (street, low, high),
            |row| row.get::<_, i64>(0).map(|k| k as u64),
        )
    }

    /// Street and key of the houses with exactly this number on a span of streets, in the order of the streets.
    pub(crate) fn houses_numbered(
        &self,
        low: u32,
        (first, last): (i64, i64),
        limit: usize,
    ) -> Result<Vec<(i64, u64)>, PropertyError> {
        if !self.has_lists && last - first < ONE_BY_ONE {
            // The houses of each street are in the order of their numbers.
            let sql = "SELECT street, key FROM house WHERE street = ?1 AND low = ?2 ORDER BY key LIMIT ?3";
            let mut found = Vec::new();
            for street in first..=last {
                let left = limit - found.len();
                found.extend(
                    self.rows(sql, (street, low, left as i64), |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?,
                );
            }
            return Ok(found);
        }
        self.rows(
            "SELECT street, key FROM house WHERE low = ?1 AND street BETWEEN ?2 AND ?3 ORDER BY street, key LIMIT ?4",
            (low, first, last, limit as i64),
            |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)),
        )
    }

    /// Number and key of the first house of a street at or above a number, and of the last below it.
    pub(crate) fn nearest_houses(&self, street: i64, low: u32) -> Result<Vec<(u32, u64)>, PropertyError> {
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64));
        let above = "SELECT low, key FROM house WHERE street = ?1 AND low >= ?2 ORDER BY low, key LIMIT 1";
        let below = "SELECT low, key FROM house WHERE street = ?1 AND low < ?2 ORDER BY low DESC, key LIMIT 1";
        let found = [self.row(above, (street, low), read)?, self.row(below, (street, low), read)?];
        Ok(found.into_iter().flatten().collect())
    }

    /// The first houses of a street.
    pub(crate) fn first_houses(&self, street: i64, limit: usize) -> Result<Vec<(u32, u64)>, PropertyError> {
        self.rows(
            "SELECT low, key FROM house WHERE street = ?1 ORDER BY low, key LIMIT ?2",
            (street, limit as i64),
            |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)),
        )
    }

    /// The span of streets whose text begins with `prefix`.
    pub(crate) fn span(&self, prefix: &str) -> Result<Option<(i64, i64)>, PropertyError> {
        self.span_between(prefix, &format!("{prefix}\u{10ffff}"))
    }

    /// The span of streets whose text is at or above one text and below another.
    fn span_between(&self, start: &str, end: &str) -> Result<Option<(i64, i64)>, PropertyError> {
        if !self.has_lists {
            let mut span = None;
            self.each_title_of_streets(|title, first, last| {
                if title >= start && title < end {
                    span = Some((span.map_or(first, |(first, _)| first), last));
                }
            })?;
            return Ok(span);
        }
        let (first, behind) = (self.first_title_from(start)?, self.first_title_from(end)?);
        if first == behind {
            return Ok(None);
        }
        let street = |column: &str, title: i64| {
            self.row(&format!("SELECT {column} FROM title WHERE id = ?1"), [title], |row| row.get(0))
        };
        Ok(street("first", first)?.zip(street("last", behind - 1)?))
    }

    /// The number of the first title at or above a text. Titles are numbered in their order, from 1.
    fn first_title_from(&self, text: &str) -> Result<i64, PropertyError> {
        let (mut low, mut high) = (1, self.titles + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            let is_below = self.row("SELECT text < ?2 FROM title WHERE id = ?1", (middle, text), |row| row.get(0))?;
            match is_below {
                Some(true) => low = middle + 1,
                _ => high = middle,
            }
        }
        Ok(low)
    }

    /// The titles that share a piece with what was typed, a number of them for each piece. All titles of a file that has few.
    pub(crate) fn titles_like(&self, pieces: &[i64], limit: usize) -> Result<Vec<Title>, PropertyError> {
        if !self.has_lists {
            let mut found = Vec::new();
            self.each_title_of_streets(|text, first, last| {
                found.push(Title { text: text.to_owned(), span: (first, last) });
            })?;
            return Ok(found);
        }
        let title = |row: &Row<'_>| Ok(Title { text: row.get(0)?, span: (row.get(1)?, row.get(2)?) });
        if self.titles <= FEW_TITLES {
            return self.rows("SELECT text, first, last FROM title", (), title);
        }
        let sql = "SELECT text, first, last FROM typo JOIN title ON title.id = typo.title WHERE piece = ?1 LIMIT ?2";
        let mut found = Vec::new();
        for piece in pieces {
            found.extend(self.rows(sql, (piece, limit as i64), title)?);
        }
        Ok(found)
    }
}

fn street_row(row: &Row<'_>) -> rusqlite::Result<StreetRow> {
    Ok(StreetRow {
        id: row.get(0)?,
        predir: row.get(1)?,
        name: row.get(2)?,
        suffix: row.get(3)?,
        postdir: row.get(4)?,
        zip: row.get(5)?,
        city: row.get(6)?,
        place: row.get(7)?,
    })
}
