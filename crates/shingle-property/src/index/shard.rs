//! One file of an index: its tables, and reading them. SQLite, never written again once it is built.
//!
//! `<data set>/v<version>/<state>.sqlite`, named by `manifest.json`. Homes are numbered in the order of their streets and
//! house numbers and lie in blocks ([`super::block`]); every list names them by number ([`super::home`],
//! [`super::key_list`]), so their key hashes, which cannot be compressed, are in the file once. A point takes some 41 bytes,
//! an outline 85, a row of a roll 104, all three in one data set 162. Reading holds a share of the page caches of
//! [`super::connections`] a connection, and a dictionary that the large files of a data set share.
//!
//! SQLite answers all questions but the two of a look-up: a list of keys and a block are read past it ([`super::numbered_rows`]).
//!
//! Building sorts the rows twice, by key and by street; on disk that takes twice the bytes of the records. It holds some 80
//! MiB of what is sorted, whatever the number of rows; SQLite sorts an index in 32 MiB more.
//!
//! SQLite does not notice a changed byte, so every blob ends with a sum of its bytes and of the row it belongs to
//! ([`super::packed`]), and a row of texts has a sum of them. A look-up or a search of a damaged file gives the answer of a
//! sound one or an error (`damage_tests.rs`). What stands around a home may lack houses, because a search of the map does not
//! know how many rows there are.
//!
//! # Decisions
//!
//! - Rows are sorted by our own sorter and inserted in order; indices are made when the tables are filled. Turned down:
//!   writing the pages of the tables in SQLite's format, which took 376 lines. With it, an import took some 0.6 times the
//!   processor time.
//! - Lists of homes are blobs of a few dozen to some hundred entries. Turned down: a row an entry (the parcel, the house, its
//!   number, the cell: 81 bytes a home where the lists take 20), and files of our own beside SQLite's, which would have to
//!   find their pieces, cache and check them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rusqlite::{CachedStatement, Params, Row, StatementStatus};
use shingle_address::{Normalized, Street};
use shingle_domain::Address;
use shingle_domain::evidence::{Place, Position, Source};

use super::block::{Block, Dictionaries, Unpacking};
use super::connections::{Connections, Lease, PageCache};
use super::home::{CELL_BITS, Home, House, count_houses, unpack_cells, unpack_houses, unpack_numbered};
use super::key_list::{KeyRows, parcels};
use super::manifest::FORMAT;
use super::map_cell::{self, MapSpot};
use super::numbered_rows::HomeRows;
use super::packed::{Malformed, RowId, unseal};
use super::street_row::StreetRow;
use super::tables::{APPLICATION_ID, STREET, Unread, is_declared, street_row};
use super::title::title_of;
use super::title_list::{self, ListedTitle, TOWNS, TitleRow, TownName};
use crate::error::PropertyError;
use crate::geometry::offset;

/// Houses of a street that are looked at for one number, and how far before it a range may begin.
const MAX_ON_STREET: usize = 400;
const MAX_SPAN: u32 = 98;
/// Rows of the list of one house number that are read as a whole.
const MAX_NUMBERED: i64 = 3;

pub(crate) struct ShardReader {
    pub path: PathBuf,
    connections: Connections,
    unpacking: Unpacking,
    keys: KeyRows,
    homes: HomeRows,
    /// The block read last: who looks at one home of a street often looks at the next.
    newest: Mutex<Option<(i64, Arc<Block>)>>,
    /// Whether it knows the ZIP of some places and not of others: it may hold one place under two keys.
    pub mixed: bool,
    /// Whether it has places without a ZIP.
    pub without_zip: bool,
    /// Whether it finds its streets by name and its houses by number. A small file does not: a list in memory of all small
    /// files does it.
    pub has_lists: bool,
    streets: i64,
    fences: OnceLock<Vec<ListedTitle>>,
    /// Steps of SQLite's machine since the file was opened: what the work of a search is measured in.
    steps: AtomicU64,
}

/// A house of several streets, with the number of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numbered {
    pub street: i64,
    pub house: House,
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
    pub(crate) fn open(path: &Path, bytes: u64, known: &Dictionaries, cache: PageCache) -> Result<Self, PropertyError> {
        let file = File::open(path).map_err(PropertyError::read(path))?;
        let found = file.metadata().map_err(PropertyError::read(path))?.len();
        if found != bytes {
            return Err(PropertyError::damaged(path, format!("it has {found} bytes where {bytes} were written")));
        }
        let damaged = |e: rusqlite::Error| PropertyError::damaged(path, e);
        let connections = Connections::open(path, cache)?;
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
        let root = |table: &str| {
            let sql = "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?1";
            connections.lease()?.query_row(sql, [table], |row| row.get(0)).map_err(damaged)
        };
        let homes = HomeRows::open(file, root("block")?, root("key_list")?);
        let homes = homes.map_err(|e| PropertyError::damaged(path, e))?;
        let mut reader = Self {
            path: path.to_owned(),
            connections,
            unpacking: Unpacking::new(&[], Vec::new(), known),
            keys: KeyRows::of(0),
            homes,
            newest: Mutex::default(),
            mixed: true,
            without_zip: true,
            has_lists: false,
            streets: 0,
            fences: OnceLock::new(),
            steps: AtomicU64::new(0),
        };
        let declared = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL";
        let declared = reader.rows(declared, (), |row| row.get::<_, String>(0))?;
        if !declared.iter().all(|sql| is_declared(sql)) {
            return Err(reader.damaged(Malformed));
        }
        let mut sources = Vec::new();
        let (all, id) = ("SELECT record, id FROM source ORDER BY id", |row: &Row<'_>| row.get(1));
        reader.each_blob(all, (), id, |id, sealed| {
            sources.push(postcard::from_bytes(unseal(sealed, RowId(id))?.0)?);
            Ok(())
        })?;
        let mut file = None;
        let (one, homes) = ("SELECT dictionary, homes FROM file", |row: &Row<'_>| row.get(1));
        reader.each_blob(one, (), homes, |homes, sealed| {
            file = Some((homes, unseal(sealed, RowId(homes))?.0.to_vec()));
            Ok(())
        })?;
        let (homes, dictionary) = file.ok_or_else(|| PropertyError::damaged(path, "it does not say what it holds"))?;
        reader.unpacking = Unpacking::new(&dictionary, sources, known);
        reader.keys = KeyRows::of(homes.unsigned_abs());
        let mixed =
            "SELECT EXISTS (SELECT 1 FROM street WHERE zip = '') AND EXISTS (SELECT 1 FROM street WHERE zip > '')";
        let without_zip = "SELECT EXISTS (SELECT 1 FROM street WHERE zip = '')";
        reader.without_zip = reader.row(without_zip, (), |row| row.get(0))?.unwrap_or(true);
        let has_lists = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'title')";
        reader.has_lists = reader.row(has_lists, (), |row| row.get(0))?.unwrap_or_default();
        let streets = "SELECT COALESCE(MAX(id), 0) FROM street";
        reader.streets = reader.row(streets, (), |row| row.get(0))?.unwrap_or_default();
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

    fn rows<T, E: ToString>(
        &self,
        sql: &str,
        params: impl Params,
        mut read: impl FnMut(&Row<'_>) -> Result<T, E>,
    ) -> Result<Vec<T>, PropertyError> {
        let mut found = Vec::new();
        self.each_row(sql, params, |row| {
            found.push(read(row)?);
            Ok::<_, E>(())
        })?;
        Ok(found)
    }

    fn each_row<E: ToString>(
        &self,
        sql: &str,
        params: impl Params,
        mut each: impl FnMut(&Row<'_>) -> Result<(), E>,
    ) -> Result<(), PropertyError> {
        let connection = self.connections.lease()?;
        let mut statement = self.prepare(&connection, sql)?;
        let mut rows = statement.query(params).map_err(|e| self.damaged(e))?;
        while let Some(row) = rows.next().map_err(|e| self.damaged(e))? {
            each(row).map_err(|e| self.damaged(e))?;
        }
        drop(rows);
        self.count(&statement);
        Ok(())
    }

    fn row<T, E: ToString>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T, E>,
    ) -> Result<Option<T>, PropertyError> {
        let connection = self.connections.lease()?;
        let mut statement = self.prepare(&connection, sql)?;
        let mut rows = statement.query(params).map_err(|e| self.damaged(e))?;
        let found = rows.next().map_err(|e| self.damaged(e))?.map(read).transpose().map_err(|e| self.damaged(e));
        drop(rows);
        self.count(&statement);
        found
    }

    /// What is made of a blob, if there is a row.
    fn blob<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&[u8]) -> Result<T, Malformed>,
    ) -> Result<Option<T>, PropertyError> {
        let connection = self.connections.lease()?;
        let mut statement = self.prepare(&connection, sql)?;
        let mut rows = statement.query(params).map_err(|e| self.damaged(e))?;
        let mut found = None;
        if let Some(row) = rows.next().map_err(|e| self.damaged(e))? {
            let bytes = row.get_ref(0).and_then(|v| Ok(v.as_blob()?)).map_err(|e| self.damaged(e))?;
            found = Some(read(bytes).map_err(|e| self.damaged(e))?);
        }
        drop(rows);
        self.count(&statement);
        Ok(found)
    }

    /// Looks at a blob of each of some rows, its first column, with what stands behind it.
    fn each_blob<T>(
        &self,
        sql: &str,
        params: impl Params,
        behind: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
        mut each: impl FnMut(T, &[u8]) -> Result<(), Malformed>,
    ) -> Result<(), PropertyError> {
        self.each_row(sql, params, |row| {
            let bytes = row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?;
            each(behind(row)?, bytes).map_err(Unread::from)
        })
    }

    fn block(&self, of: Home) -> Result<Arc<Block>, PropertyError> {
        let id = of.block();
        let newest = || self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, block)) = &*newest()
            && *known == id
        {
            return Ok(block.clone());
        }
        let found = self.homes.block(id, |bytes| Block::open(bytes, id, &self.unpacking));
        let block = found.map_err(|e| self.damaged(e))?;
        let block = Arc::new(block.ok_or_else(|| self.damaged("a home is missing"))?);
        *newest() = Some((id, block.clone()));
        Ok(block)
    }

    /// What its lists have of the key hashes of all its places: [`super::key_list::mark_of`].
    pub(crate) fn place_keys(&self) -> Result<Vec<u64>, PropertyError> {
        let (mut keys, mut next) = (Vec::new(), 0);
        self.each_blob(
            "SELECT homes, id FROM key_list ORDER BY id",
            (),
            |row| row.get::<_, i64>(1),
            |id, bytes| {
                keys.extend(self.keys.marks(bytes, id)?);
                next += 1;
                Ok(())
            },
        )?;
        if next == self.keys.rows() { Ok(keys) } else { Err(self.damaged("a list of homes is missing")) }
    }

    /// The hashes of all its parcels.
    pub(crate) fn parcels(&self) -> Result<Vec<u64>, PropertyError> {
        let mut found = Vec::new();
        self.each_blob(
            "SELECT homes, first FROM parcel_list",
            (),
            |row| row.get(1),
            |first, bytes| {
                found.extend(parcels::unpack(bytes, first)?.into_iter().map(|(parcel, _)| parcel));
                Ok(())
            },
        )?;
        found.dedup();
        Ok(found)
    }

    /// The home with this key hash.
    pub(crate) fn home(&self, hash: u64) -> Result<Option<Home>, PropertyError> {
        let found = self.homes.key_list(self.keys.row_of(hash), |bytes| self.keys.home_of(bytes, hash));
        found.map_err(|e| self.damaged(e))?.ok_or_else(|| self.damaged("a list of homes is missing"))
    }

    /// The place with this key hash.
    pub(crate) fn place(&self, hash: u64) -> Result<Option<Place>, PropertyError> {
        self.home(hash)?.map(|home| self.place_of(home)).transpose()
    }

    pub(crate) fn place_of(&self, home: Home) -> Result<Place, PropertyError> {
        self.block(home)?.place(home, &self.unpacking).map_err(|e| self.damaged(e))
    }

    /// The key hash of a home.
    pub(crate) fn key_of(&self, home: Home) -> Result<u64, PropertyError> {
        let (address, unit) = self.address(home)?;
        Ok(Normalized::from_texts(&address, unit.as_deref()).hash())
    }

    /// Every place of the file, in the order of its streets, one block in memory at a time.
    pub(crate) fn each_place(&self, mut each: impl FnMut(Place)) -> Result<(), PropertyError> {
        self.each_blob(
            "SELECT homes, id FROM block ORDER BY id",
            (),
            |row| row.get(1),
            |id, bytes| {
                Block::open(bytes, id, &self.unpacking)?.places(&self.unpacking).try_for_each(|place| {
                    each(place?);
                    Ok(())
                })
            },
        )
    }

    /// The address and the unit of a home.
    pub(crate) fn address(&self, home: Home) -> Result<(Address, Option<String>), PropertyError> {
        let block = self.block(home)?;
        let name = block.name(home).map_err(|e| self.damaged(e))?;
        Ok((name.address(), name.unit.map(str::to_owned)))
    }

    /// The homes on a parcel.
    pub(crate) fn on_parcel(&self, parcel: u64, limit: usize) -> Result<Vec<Home>, PropertyError> {
        let sql = "SELECT homes, first FROM parcel_list WHERE first <= ?1 ORDER BY first DESC LIMIT 1";
        let mut found = Vec::new();
        self.each_blob(
            sql,
            [parcel.cast_signed()],
            |row| row.get(1),
            |first, bytes| {
                found = parcels::unpack(bytes, first)?;
                Ok(())
            },
        )?;
        Ok(found.into_iter().filter(|(of, _)| *of == parcel).map(|(_, home)| home).take(limit).collect())
    }

    /// The homes within some meters, each with its distance.
    pub(crate) fn within(&self, at: Position, radius: f64) -> Result<Vec<(f64, Home)>, PropertyError> {
        let mut found = Vec::new();
        for cells in map_cell::around(at, radius) {
            let sql = "SELECT homes, cells FROM map_cell WHERE cells BETWEEN ?1 AND ?2";
            let rows = (cells.start() >> CELL_BITS, cells.end() >> CELL_BITS);
            self.each_blob(
                sql,
                rows,
                |row| row.get::<_, i64>(1),
                |row, bytes| {
                    found.extend(unpack_cells(bytes, row)?.into_iter().filter_map(|(cell, steps, home)| {
                        let cell = row << CELL_BITS | i64::from(cell);
                        let (x, y) = offset(at, MapSpot { cell, steps }.position());
                        Some((x.hypot(y), home)).filter(|(away, _)| *away <= radius)
                    }));
                    Ok(())
                },
            )?;
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
        let sql = format!("{STREET} WHERE id BETWEEN ?1 AND ?2 AND name = ?3 LIMIT 1000");
        let mut found = self.rows(&sql, (first, last, name), street_row)?;
        found.retain(|street| area.has(&street.zip, &street.city));
        Ok(found)
    }

    /// Every street in order: its name, its ZIP and its town.
    pub(crate) fn each_street(&self, mut each: impl FnMut(i64, &str, &str, &str)) -> Result<(), PropertyError> {
        self.each_row(&format!("{STREET} ORDER BY id"), (), |row| {
            let StreetRow { id, name, zip, city, .. } = street_row(row)?;
            each(id, &name, &zip, &city);
            Ok::<_, Unread>(())
        })
    }

    pub(crate) fn streets(&self, name: &str, area: Area<'_>) -> Result<Vec<StreetRow>, PropertyError> {
        let (one, of) = match area {
            Area::Zip(zip) => ("zip = ?1 AND name = ?2", zip),
            Area::City(city) => ("city = ?1 AND name = ?2", city),
            Area::CityWithoutZip(city) => ("zip = '' AND name = ?2 AND city = ?1", city),
            Area::Anywhere => {
                // A title begins with the street's name, and nothing that is typed sorts between a space and this.
                let Some((first, last)) = self.span_between(name, &format!("{name}!"))? else { return Ok(Vec::new()) };
                return self.streets_between((first, last), name, area);
            }
        };
        let found = self.rows(&format!("{STREET} WHERE {one}"), [of, name], street_row)?;
        // A damaged index may lead to another row.
        match found.iter().all(|street| street.name == name && area.has(&street.zip, &street.city)) {
            true => Ok(found),
            false => Err(self.damaged(Malformed)),
        }
    }

    /// Whether a town has streets with this ZIP.
    pub(crate) fn has_town(&self, city: &str, zip: &str) -> Result<bool, PropertyError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM street WHERE city = ?1 AND zip = ?2)";
        Ok(self.row(sql, [city, zip], |row| row.get(0))?.unwrap_or_default())
    }

    /// Of whom its facts are.
    pub(crate) fn sources(&self) -> &[Source] {
        self.unpacking.sources()
    }

    /// House numbers by town. Reads all streets.
    pub(crate) fn homes_by_city(&self) -> Result<Vec<(String, u64)>, PropertyError> {
        let mut found: BTreeMap<String, u64> = BTreeMap::new();
        self.each_blob(
            "SELECT houses, city, id FROM street",
            (),
            |row| Ok((row.get::<_, String>(1)?, row.get(2)?)),
            |(city, id), bytes| {
                *found.entry(city).or_default() += count_houses(bytes, id)?;
                Ok(())
            },
        )?;
        Ok(found.into_iter().collect())
    }

    /// Every cell of the map in which a place stands; one may come several times.
    pub(crate) fn each_cell(&self, mut each: impl FnMut(i64)) -> Result<(), PropertyError> {
        self.each_blob(
            "SELECT homes, cells FROM map_cell",
            (),
            |row| row.get::<_, i64>(1),
            |row, bytes| {
                unpack_cells(bytes, row)?.into_iter().for_each(|(cell, ..)| each(row << CELL_BITS | i64::from(cell)));
                Ok(())
            },
        )
    }

    /// The texts that streets are searched by, in order, a row of them at a time; all at once of a file without lists. `None`
    /// behind the last row.
    pub(crate) fn titles(&self, row: i64) -> Result<Option<TitleRow>, PropertyError> {
        if self.has_lists {
            let sql = "SELECT texts FROM title WHERE id = ?1";
            return self.blob(sql, [row], |bytes| title_list::unpack(bytes, row));
        }
        let (mut titles, mut end) = (Vec::new(), 1);
        if row > 0 {
            return Ok(None);
        }
        self.each_title_of_streets(|text, first, last| {
            titles.push(ListedTitle { text: text.into(), first });
            end = last + 1;
        })?;
        Ok(Some(TitleRow { titles, end }))
    }

    /// How many streets it has; they are numbered from 1.
    pub(crate) fn street_count(&self) -> i64 {
        self.streets
    }

    /// The towns of its streets, in order.
    pub(crate) fn town_names(&self) -> Result<Vec<TownName>, PropertyError> {
        if self.has_lists {
            let towns = self.blob("SELECT names FROM town WHERE id = ?1", [TOWNS], title_list::unpack_towns)?;
            return towns.ok_or_else(|| self.damaged("the list of towns is missing"));
        }
        let mut towns = BTreeSet::new();
        self.each_street(|_, _, zip, city| _ = towns.insert(TownName { city: city.into(), zip: zip.into() }))?;
        Ok(towns.into_iter().collect())
    }

    fn each_title_of_streets(&self, mut each: impl FnMut(&str, i64, i64)) -> Result<(), PropertyError> {
        let (mut title, mut span): (String, Option<(i64, i64)>) = (String::new(), None);
        self.each_row(&format!("{STREET} ORDER BY id"), (), |row| {
            let StreetRow { id, predir, name, suffix, postdir, .. } = street_row(row)?;
            let next = title_of(&Street { predir, name, suffix, postdir });
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
            Ok::<_, Unread>(())
        })?;
        if let Some((first, last)) = span {
            each(&title, first, last);
        }
        Ok(())
    }

    /// Every house: its street and its first number, in the order of the streets.
    pub(crate) fn each_house(&self, mut each: impl FnMut(i64, u32)) -> Result<(), PropertyError> {
        let sql = "SELECT houses, id FROM street ORDER BY id";
        self.each_blob(
            sql,
            (),
            |row| row.get(1),
            |street, bytes| {
                unpack_houses(bytes, street)?.into_iter().for_each(|house| each(street, house.low));
                Ok(())
            },
        )
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
        self.row(&format!("{STREET} WHERE id = ?1"), [id], street_row)
    }

    fn houses(&self, street: i64) -> Result<Vec<House>, PropertyError> {
        let sql = "SELECT houses FROM street WHERE id = ?1";
        Ok(self.blob(sql, [street], |bytes| unpack_houses(bytes, street))?.unwrap_or_default())
    }

    /// The houses of a street whose numbers touch `low..=high`.
    pub(crate) fn houses_on(&self, street: i64, low: u32, high: u32) -> Result<Vec<House>, PropertyError> {
        let mut houses = self.houses(street)?;
        let first = low.saturating_sub(MAX_SPAN);
        houses.retain(|house| (first..=high).contains(&house.low) && house.low.saturating_add(house.above) >= low);
        houses.truncate(MAX_ON_STREET);
        Ok(houses)
    }

    /// The houses with exactly this number on a span of streets, in the order of the streets.
    pub(crate) fn houses_numbered(
        &self,
        low: u32,
        (first, last): (i64, i64),
        limit: usize,
    ) -> Result<Vec<Numbered>, PropertyError> {
        let mut found: Vec<Numbered> = Vec::new();
        if self.has_lists {
            // A row holds the streets from its own to the next row's.
            let sql = "SELECT houses, street FROM numbered WHERE low = ?1 AND street <= ?3 AND street >=
                    COALESCE((SELECT MAX(street) FROM numbered WHERE low = ?1 AND street <= ?2), 0) ORDER BY street";
            self.each_blob(
                sql,
                (low, first, last),
                |row| row.get(1),
                |street, bytes| {
                    let here = numbered(bytes, low, street)?.filter(|house| (first..=last).contains(&house.street));
                    found.extend(here.take(limit.saturating_sub(found.len())));
                    Ok(())
                },
            )?;
        } else {
            let sql = "SELECT houses, id FROM street WHERE id BETWEEN ?1 AND ?2 ORDER BY id";
            self.each_blob(
                sql,
                (first, last),
                |row| row.get(1),
                |street, bytes| {
                    let here = unpack_houses(bytes, street)?.into_iter().filter(|house| house.low == low);
                    found.extend(here.take(limit.saturating_sub(found.len())).map(|house| Numbered { street, house }));
                    Ok(())
                },
            )?;
        }
        Ok(found)
    }

    /// All houses with exactly this number, in the order of the streets; `None` where they are many.
    pub(crate) fn all_numbered(&self, low: u32) -> Result<Option<Vec<Numbered>>, PropertyError> {
        if !self.has_lists {
            return self.houses_numbered(low, (0, i64::MAX), usize::MAX).map(Some);
        }
        let (mut found, mut rows) = (Vec::new(), 0);
        self.each_blob(
            "SELECT houses, street FROM numbered WHERE low = ?1 ORDER BY street LIMIT ?2",
            (low, MAX_NUMBERED + 1),
            |row| row.get(1),
            |street, bytes| {
                rows += 1;
                if rows <= MAX_NUMBERED {
                    found.extend(numbered(bytes, low, street)?);
                }
                Ok(())
            },
        )?;
        Ok((rows <= MAX_NUMBERED).then_some(found))
    }

    /// The first house of a street at or above a number, and the last below it.
    pub(crate) fn nearest_houses(&self, street: i64, low: u32) -> Result<Vec<House>, PropertyError> {
        let houses = self.houses(street)?;
        let above = houses.partition_point(|house| house.low < low);
        // Of several units the same one whichever side it is on.
        let below = above.checked_sub(1).map(|at| houses.partition_point(|house| house.low < houses[at].low));
        Ok([Some(above), below].into_iter().flatten().filter_map(|at| houses.get(at)).copied().collect())
    }

    /// The first houses of a street.
    pub(crate) fn first_houses(&self, street: i64, limit: usize) -> Result<Vec<House>, PropertyError> {
        let mut houses = self.houses(street)?;
        houses.truncate(limit);
        Ok(houses)
    }

    /// The span of streets whose text begins with `prefix`.
    #[cfg(test)]
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
        let (first, behind) = (self.first_street_from(start)?, self.first_street_from(end)?);
        Ok((first < behind).then(|| (first, behind - 1)))
    }

    /// The first street whose text is at or above one, or the number behind the last street.
    fn first_street_from(&self, text: &str) -> Result<i64, PropertyError> {
        let below = self.fences()?.partition_point(|fence| *fence.text < *text);
        let Some(row) = below.checked_sub(1) else { return Ok(1) };
        let Some(TitleRow { titles, end }) = self.titles(row as i64)? else {
            return Err(self.damaged("a list of titles is missing"));
        };
        let found = titles.partition_point(|title| *title.text < *text);
        Ok(titles.get(found).map_or(end, |title| title.first))
    }

    /// The first title of each row of them, in memory from the first search by name on: a search reads two rows and not
    /// thirty streets all over the file.
    fn fences(&self) -> Result<&[ListedTitle], PropertyError> {
        if let Some(known) = self.fences.get() {
            return Ok(known);
        }
        let mut found = Vec::new();
        self.each_title(|row| found.extend(row.titles.into_iter().next()))?;
        // Of two threads that read them at once, one wins.
        Ok(self.fences.get_or_init(|| found))
    }

    /// Every row of titles, none of which is missing.
    fn each_title(&self, mut each: impl FnMut(TitleRow)) -> Result<(), PropertyError> {
        let mut next = 1;
        for row in 0.. {
            let Some(found) = self.titles(row)? else { break };
            if found.titles.first().is_some_and(|title| title.first != next) {
                return Err(self.damaged(Malformed));
            }
            next = found.end;
            each(found);
        }
        if next == self.streets + 1 { Ok(()) } else { Err(self.damaged("a list of titles is missing")) }
    }
}

/// The houses of one number in a row of their list, which is named by the number and its first street.
fn numbered(sealed: &[u8], low: u32, street: i64) -> Result<impl Iterator<Item = Numbered>, Malformed> {
    let houses = unpack_numbered(sealed, RowId::of_two(low, street))?.into_iter();
    Ok(houses.map(move |(street, home, is_plain)| Numbered { street, house: House { low, above: 0, home, is_plain } }))
}
