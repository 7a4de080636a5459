//! Many rows a statement: SQLite opens the table once for all of them, which halves the cost of a small row.

use rusqlite::{Connection, Statement};

/// Rows of one statement.
const ROWS: usize = 64;

fn insert(table: &str, width: usize, rows: usize) -> String {
    let row = format!("({})", vec!["?"; width].join(", "));
    format!("INSERT INTO {table} VALUES {}", vec![row; rows].join(", "))
}

/// Rows of whole numbers.
pub(super) struct Numbers<'c, const WIDTH: usize> {
    many: Statement<'c>,
    one: Statement<'c>,
    rows: Vec<[i64; WIDTH]>,
}

impl<'c, const WIDTH: usize> Numbers<'c, WIDTH> {
    pub(super) fn into(connection: &'c Connection, table: &str) -> rusqlite::Result<Self> {
        let many = connection.prepare(&insert(table, WIDTH, ROWS))?;
        let one = connection.prepare(&insert(table, WIDTH, 1))?;
        Ok(Self { many, one, rows: Vec::with_capacity(ROWS) })
    }

    pub(super) fn push(&mut self, row: [i64; WIDTH]) -> rusqlite::Result<()> {
        self.rows.push(row);
        if self.rows.len() < ROWS {
            return Ok(());
        }
        for (at, number) in (1..).zip(self.rows.as_flattened()) {
            self.many.raw_bind_parameter(at, number)?;
        }
        self.rows.clear();
        self.many.raw_execute().map(|_| ())
    }

    pub(super) fn finish(mut self) -> rusqlite::Result<()> {
        for row in &self.rows {
            for (at, number) in (1..).zip(row) {
                self.one.raw_bind_parameter(at, number)?;
            }
            self.one.raw_execute()?;
        }
        Ok(())
    }
}

/// Rows of a key and a record.
pub(super) struct Records<'c> {
    many: Statement<'c>,
    one: Statement<'c>,
    rows: Vec<(i64, Vec<u8>)>,
    held: usize,
}

impl<'c> Records<'c> {
    pub(super) fn into(connection: &'c Connection, table: &str) -> rusqlite::Result<Self> {
        let many = connection.prepare(&insert(table, 2, ROWS))?;
        let one = connection.prepare(&insert(table, 2, 1))?;
        Ok(Self { many, one, rows: vec![Default::default(); ROWS], held: 0 })
    }

    /// Takes the record and leaves a buffer in its place.
    pub(super) fn push(&mut self, key: i64, record: &mut Vec<u8>) -> rusqlite::Result<()> {
        if let Some(row) = self.rows.get_mut(self.held) {
            row.0 = key;
            std::mem::swap(&mut row.1, record);
            self.held += 1;
        }
        if self.held < ROWS {
            return Ok(());
        }
        for (at, (key, record)) in self.rows.iter().enumerate() {
            self.many.raw_bind_parameter(2 * at + 1, key)?;
            self.many.raw_bind_parameter(2 * at + 2, record)?;
        }
        self.held = 0;
        self.many.raw_execute().map(|_| ())
    }

    pub(super) fn finish(mut self) -> rusqlite::Result<()> {
        for (key, record) in &self.rows[..self.held] {
            self.one.raw_bind_parameter(1, key)?;
            self.one.raw_bind_parameter(2, record)?;
            self.one.raw_execute()?;
        }
        Ok(())
    }
}
