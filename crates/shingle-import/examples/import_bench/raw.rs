//! The yardstick: the homes of the built index, ready and in order, put by prepared statements into a plain table with an
//! index by ZIP and one by town, in one transaction. They are read from the index between the measured pieces.

use std::error::Error;
use std::path::Path;

use rusqlite::{Connection, params};
use shingle_domain::evidence::Place;
use shingle_property::{PropertyIndex, Reference};

use crate::clock::Meter;

const BATCH: usize = 4_096;

const TABLE: &str = "
    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -8192;
    CREATE TABLE home (
        zip TEXT NOT NULL, city TEXT NOT NULL, street TEXT NOT NULL, number TEXT NOT NULL, record BLOB NOT NULL);
    BEGIN;
";

const INDICES: &str = "
    COMMIT;
    CREATE INDEX home_by_zip ON home (zip, street, number);
    CREATE INDEX home_by_city ON home (city, street, number);
";

pub fn copy(folder: &Path) -> Result<(), Box<dyn Error>> {
    let index = PropertyIndex::open(folder, Reference::built_in())?;
    let path = folder.join("raw.sqlite");
    let _ = std::fs::remove_file(&path);
    let mut meter = Meter::start();
    let to = meter.timed(|| Connection::open(&path).and_then(|to| to.execute_batch(TABLE).map(|()| to)))?;
    let mut insert = to.prepare("INSERT INTO home VALUES (?1, ?2, ?3, ?4, ?5)")?;
    let mut rows = 0;
    let mut batch: Vec<(Place, Vec<u8>)> = Vec::with_capacity(BATCH);
    let mut put = |batch: &mut Vec<(Place, Vec<u8>)>, meter: &mut Meter| {
        rows += batch.len() as u64;
        let inserted = meter.timed(|| {
            batch.iter().try_for_each(|(place, record)| {
                let of = &place.address;
                let row = params![of.zip.as_str(), of.city, of.street_address, of.street_number, record];
                insert.execute(row).map(|_| ())
            })
        });
        batch.clear();
        inserted
    };
    let mut failed = None;
    index.each_place(|place| {
        match postcard::to_stdvec(&place) {
            Ok(record) => batch.push((place, record)),
            Err(error) => failed = Some(error.to_string()),
        }
        if batch.len() == BATCH
            && let Err(error) = put(&mut batch, &mut meter)
        {
            failed = Some(error.to_string());
        }
    })?;
    put(&mut batch, &mut meter)?;
    if let Some(failed) = failed {
        return Err(failed.into());
    }
    drop(insert);
    meter.timed(|| -> Result<(), Box<dyn Error>> {
        to.execute_batch(INDICES)?;
        to.close().map_err(|(_, e)| e)?;
        Ok(std::fs::File::open(&path)?.sync_all()?)
    })?;
    let bytes = std::fs::metadata(&path)?.len();
    std::fs::remove_file(&path)?;
    crate::report(rows, &meter, &format!(",\"bytes\":{bytes}"))
}
