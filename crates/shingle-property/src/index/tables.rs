//! The tables of a file of an index, and a row of those that have texts.

use rusqlite::Row;

use super::packed::Malformed;
use super::street_row::StreetRow;

/// `SHGL`: marks our files among other SQLite files.
pub(crate) const APPLICATION_ID: i32 = 0x5348_474c;

/// `block` holds the homes, `key_list` leads to them by key hash. Streets are numbered in the order of their text, so the
/// streets that begin with the same letters are one span of numbers; each has its houses, and `numbered` finds a house number
/// in such a span. `title` holds each text once, in the same order ([`super::title_list`]), and `town` the towns of the
/// streets. A small file with few streets has none of the three, and no indices: what they say is read from `street`.
/// `parcel_list` leads from a hash of the parcel's number to the homes on it, `map_cell` from a piece of land to the homes
/// in it.
pub(crate) const TABLES: &str = "
    CREATE TABLE source (id INTEGER PRIMARY KEY, record BLOB NOT NULL);
    CREATE TABLE file (homes INTEGER NOT NULL, dictionary BLOB NOT NULL);
    CREATE TABLE block (id INTEGER PRIMARY KEY, homes BLOB NOT NULL);
    CREATE TABLE key_list (id INTEGER PRIMARY KEY, homes BLOB NOT NULL);
    CREATE TABLE street (
        id INTEGER PRIMARY KEY, predir TEXT NOT NULL, name TEXT NOT NULL, suffix TEXT NOT NULL, postdir TEXT NOT NULL,
        zip TEXT NOT NULL, city TEXT NOT NULL, place TEXT NOT NULL, sum INTEGER NOT NULL, houses BLOB NOT NULL);
    CREATE TABLE numbered (
        low INTEGER NOT NULL, street INTEGER NOT NULL, houses BLOB NOT NULL, PRIMARY KEY (low, street)) WITHOUT ROWID;
    CREATE TABLE title (id INTEGER PRIMARY KEY, texts BLOB NOT NULL);
    CREATE TABLE town (id INTEGER PRIMARY KEY, names BLOB NOT NULL);
    CREATE TABLE parcel_list (first INTEGER PRIMARY KEY, homes BLOB NOT NULL);
    CREATE TABLE map_cell (cells INTEGER PRIMARY KEY, homes BLOB NOT NULL);
";

/// What [`street_row`] reads.
pub(super) const STREET: &str = "SELECT id, predir, name, suffix, postdir, zip, city, place, sum FROM street";

/// What a small file does without.
pub(crate) const DROP_LISTS: &str = "DROP TABLE title; DROP TABLE town; DROP TABLE numbered;";

/// Made when the tables are filled.
pub(crate) const INDICES: &str = "
    CREATE INDEX street_by_zip ON street (zip, name);
    CREATE INDEX street_by_city ON street (city, name);
";

/// Whether a table or an index was made by one of these: with a changed declaration SQLite would read rows differently.
pub(super) fn is_declared(sql: &str) -> bool {
    [TABLES, INDICES].iter().any(|all| all.split_inclusive(';').any(|one| one.trim() == format!("{sql};")))
}

/// Why a row cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unread {
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    #[error(transparent)]
    Malformed(#[from] Malformed),
}

pub(super) fn street_row(row: &Row<'_>) -> Result<StreetRow, Unread> {
    let street = StreetRow {
        id: row.get(0)?,
        predir: row.get(1)?,
        name: row.get(2)?,
        suffix: row.get(3)?,
        postdir: row.get(4)?,
        zip: row.get(5)?,
        city: row.get(6)?,
        place: row.get(7)?,
    };
    if row.get::<_, i32>(8)? == street.sum() { Ok(street) } else { Err(Malformed.into()) }
}
