//! The files of a version under construction: places in one pass, streets and search text in the next.

use std::fs::File;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use shingle_domain::evidence::Source;

use super::builder::{IndexSummary, ordered};
use super::manifest::FORMAT;
use super::shard::{APPLICATION_ID, INDICES, TABLES};
use super::sorter::Merge;
use super::title::{pieces, title_of};
use crate::address::{Normalized, Street};
use crate::error::PropertyError;

fn sqlite(path: &Path) -> impl Fn(rusqlite::Error) -> PropertyError {
    let path = path.to_owned();
    move |e| PropertyError::Write { path: path.clone(), source: std::io::Error::other(e) }
}

/// A file under construction. It is either finished or thrown away, so it needs no journal.
fn open_for_writing(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.execute_batch(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -8192;",
    )?;
    Ok(connection)
}

pub(super) struct PlaceFile {
    pub state: [u8; 2],
    path: PathBuf,
    connection: Connection,
}

impl PlaceFile {
    pub(super) fn create(out: &Path, state: [u8; 2], sources: &[Source]) -> Result<Self, PropertyError> {
        let path = out.join(format!("{}.sqlite", String::from_utf8_lossy(&state)));
        let start = || {
            let connection = open_for_writing(&path)?;
            connection.execute_batch(TABLES)?;
            connection.execute_batch("BEGIN")?;
            for (id, source) in sources.iter().enumerate() {
                let record =
                    postcard::to_stdvec(source).map_err(|e| rusqlite::Error::ToSqlConversionFailure(e.into()))?;
                connection.execute("INSERT INTO source VALUES (?1, ?2)", (id as i64, record))?;
            }
            Ok(connection)
        };
        let connection = start().map_err(sqlite(&path))?;
        Ok(Self { state, path, connection })
    }

    pub(super) fn insert(&self, hash: u64, record: &[u8]) -> Result<(), PropertyError> {
        self.connection
            .prepare_cached("INSERT INTO place VALUES (?1, ?2)")
            .and_then(|mut s| s.execute((hash as i64, record)))
            .map(|_| ())
            .map_err(sqlite(&self.path))
    }

    pub(super) fn finish(self) -> Result<(), PropertyError> {
        self.connection.execute_batch("COMMIT").map_err(sqlite(&self.path))
    }
}

/// Sorts by state, then by the text streets are searched by, then by what tells streets apart.
pub(super) fn house_key(n: &Normalized, state: [u8; 2], low: u32, hash: u64) -> Vec<u8> {
    let street =
        Street { predir: n.predir.clone(), name: n.name.clone(), suffix: n.suffix.clone(), postdir: n.postdir.clone() };
    let zip = n.zip.map(|z| z.to_string()).unwrap_or_default();
    let title = title_of(&street);
    let parts = [&title, &n.name, &n.suffix, &n.postdir, &n.predir, &zip, &n.city];
    let text = parts.map(String::as_str).join("\0");
    let mut key = Vec::with_capacity(text.len() + 15);
    key.extend_from_slice(&state);
    key.extend_from_slice(text.as_bytes());
    key.push(0);
    key.extend_from_slice(&low.to_be_bytes());
    key.extend_from_slice(&ordered(hash));
    key
}

/// Second pass: streets, house numbers and search text of every state, in the order of the text.
pub(super) fn write_streets(out: &Path, houses: Merge, summary: &mut IndexSummary) -> Result<(), PropertyError> {
    let mut file: Option<StreetFile> = None;
    for entry in houses {
        let (key, above) = entry?;
        let broken = || PropertyError::damaged(out, "a sorted run");
        let (state, rest) = key.split_first_chunk::<2>().ok_or_else(broken)?;
        let (rest, hash) = rest.split_last_chunk::<8>().ok_or_else(broken)?;
        let (text, low) = rest.split_last_chunk::<4>().ok_or_else(broken)?;
        let above = above.first_chunk().map(|a| u32::from_le_bytes(*a)).ok_or_else(broken)?;
        let text = std::str::from_utf8(text).map_err(|_| broken())?;
        if file.as_ref().is_none_or(|f| f.state != *state) {
            if let Some(done) = file.take() {
                done.finish(summary)?;
            }
            file = Some(StreetFile::open(out, *state)?);
        }
        if let Some(file) = &mut file {
            let hash = u64::from_be_bytes(*hash) ^ 1 << 63;
            file.insert(text, u32::from_be_bytes(*low), above, hash)?;
        }
    }
    file.map_or(Ok(()), |f| f.finish(summary))
}

struct StreetFile {
    state: [u8; 2],
    path: PathBuf,
    connection: Connection,
    /// The street of the last row, as its sort text, and its number.
    street: String,
    streets: i64,
    title: String,
    titles: i64,
    first_of_title: i64,
    /// Piece and title, written at the end in the order of the table.
    typos: Vec<(i64, i64)>,
}

impl StreetFile {
    fn open(out: &Path, state: [u8; 2]) -> Result<Self, PropertyError> {
        let path = out.join(format!("{}.sqlite", String::from_utf8_lossy(&state)));
        let connection = open_for_writing(&path)
            .and_then(|c| {
                c.execute_batch("BEGIN")?;
                Ok(c)
            })
            .map_err(sqlite(&path))?;
        Ok(Self {
            state,
            path,
            connection,
            street: String::new(),
            streets: 0,
            title: String::new(),
            titles: 0,
            first_of_title: 1,
            typos: Vec::new(),
        })
    }

    fn insert(&mut self, text: &str, low: u32, above: u32, hash: u64) -> Result<(), PropertyError> {
        self.try_insert(text, low, above, hash).map_err(sqlite(&self.path))
    }

    fn try_insert(&mut self, text: &str, low: u32, above: u32, hash: u64) -> rusqlite::Result<()> {
        if text != self.street {
            let mut parts = text.split('\0');
            let mut part = || parts.next().unwrap_or_default();
            let (title, name, suffix, postdir, predir, zip, city) =
                (part(), part(), part(), part(), part(), part(), part());
            if title != self.title {
                self.end_title()?;
                self.title = title.to_owned();
                self.first_of_title = self.streets + 1;
            }
            self.streets += 1;
            self.connection.prepare_cached("INSERT INTO street VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?.execute((
                self.streets,
                predir,
                name,
                suffix,
                postdir,
                zip,
                city,
            ))?;
            self.street = text.to_owned();
        }
        self.connection.prepare_cached("INSERT INTO house VALUES (?1, ?2, ?3, ?4)")?.execute((
            self.streets,
            low,
            hash as i64,
            above,
        ))?;
        Ok(())
    }

    fn end_title(&mut self) -> rusqlite::Result<()> {
        if self.streets == 0 {
            return Ok(());
        }
        self.titles += 1;
        self.connection.prepare_cached("INSERT INTO title VALUES (?1, ?2, ?3, ?4)")?.execute((
            self.titles,
            &self.title,
            self.first_of_title,
            self.streets,
        ))?;
        self.typos.extend(pieces(&self.title).into_iter().map(|p| (p, self.titles)));
        Ok(())
    }

    fn finish(mut self, summary: &mut IndexSummary) -> Result<(), PropertyError> {
        self.end_title()
            .and_then(|()| {
                self.typos.sort_unstable();
                for typo in &self.typos {
                    self.connection.prepare_cached("INSERT INTO typo VALUES (?1, ?2)")?.execute(*typo)?;
                }
                self.connection.execute_batch("COMMIT")
            })
            .map_err(sqlite(&self.path))?;
        let state = summary.states.iter_mut().find(|s| s.state.as_bytes() == self.state);
        if let Some(state) = state {
            state.streets = self.streets.unsigned_abs();
        }
        Ok(())
    }
}

/// Makes the last indices, signs the file and puts it on disk. Gives its size.
pub(super) fn seal(path: &Path) -> Result<u64, PropertyError> {
    let finish = || {
        let connection = open_for_writing(path)?;
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
