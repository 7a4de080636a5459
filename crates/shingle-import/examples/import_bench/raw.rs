//! The yardstick: rows that are ready and in order, put by prepared statements into a file of the same tables and
//! indices, in one transaction. What is read from the built file is read between the measured pieces.

use std::error::Error;
use std::path::{Path, PathBuf};

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};

use crate::clock::Meter;

const BATCH: usize = 4_096;

pub fn copy(folder: &Path) -> Result<(), Box<dyn Error>> {
    let built = built(folder)?;
    let from = Connection::open_with_flags(&built, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let made = |kind: &str| -> rusqlite::Result<Vec<(String, String)>> {
        let sql = "SELECT name, sql FROM sqlite_schema WHERE type = ?1 AND sql IS NOT NULL ORDER BY rowid";
        from.prepare(sql)?.query_map([kind], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    };
    let path = folder.join("raw.sqlite");
    let _ = std::fs::remove_file(&path);
    let mut meter = Meter::start();
    let tables = made("table")?;
    let to = meter.timed(|| -> rusqlite::Result<Connection> {
        let to = Connection::open(&path)?;
        to.execute_batch(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -8192;",
        )?;
        tables.iter().try_for_each(|(_, sql)| to.execute_batch(sql))?;
        to.execute_batch("BEGIN")?;
        Ok(to)
    })?;
    let mut rows = 0;
    for (name, _) in &tables {
        let mut read = from.prepare(&format!("SELECT * FROM {name}"))?;
        let columns = read.column_count();
        let marks = vec!["?"; columns].join(", ");
        let mut insert = to.prepare(&format!("INSERT INTO {name} VALUES ({marks})"))?;
        let mut found = read.query(())?;
        loop {
            let mut batch: Vec<Vec<Value>> = Vec::with_capacity(BATCH);
            while batch.len() < BATCH
                && let Some(row) = found.next()?
            {
                batch.push((0..columns).map(|c| row.get(c)).collect::<rusqlite::Result<_>>()?);
            }
            if batch.is_empty() {
                break;
            }
            rows += if name == "place" { batch.len() as u64 } else { 0 };
            meter.timed(|| batch.iter().try_for_each(|row| insert.execute(params_from_iter(row)).map(|_| ())))?;
        }
    }
    let indices = made("index")?;
    meter.timed(|| -> Result<(), Box<dyn Error>> {
        to.execute_batch("COMMIT")?;
        indices.iter().try_for_each(|(_, sql)| to.execute_batch(sql))?;
        to.close().map_err(|(_, e)| e)?;
        Ok(std::fs::File::open(&path)?.sync_all()?)
    })?;
    let bytes = std::fs::metadata(&path)?.len();
    std::fs::remove_file(&path)?;
    crate::report(rows, &meter, &format!(",\"bytes\":{bytes}"))
}

/// The one file of the newest version of the one data set.
fn built(folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "sqlite") && path.file_stem().is_some_and(|s| s != "raw") {
                found.push(path);
            }
        }
    }
    found.sort();
    found.pop().ok_or_else(|| "nothing is built in this folder".into())
}
