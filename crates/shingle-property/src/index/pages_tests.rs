//! What the writer of pages makes is what SQLite would have made of the same rows.

use std::path::Path;

use rusqlite::Connection;

use super::*;

const SCHEMA: &str = "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF;
    CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, text TEXT NOT NULL, record BLOB NOT NULL);
    CREATE TABLE w (a INTEGER NOT NULL, b INTEGER NOT NULL, c INTEGER NOT NULL, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE INDEX w_by_b ON w (b);";

type Row = (i64, i64, String, Vec<u8>);

/// A file with these rows, written by SQLite in `sql`, by pages in `pages`.
fn both(folder: &Path, rows: &[Row], pairs: &[[i64; 3]]) -> [Connection; 2] {
    let sql = Connection::open(folder.join("sql")).unwrap();
    sql.execute_batch(SCHEMA).unwrap();
    sql.execute_batch("PRAGMA synchronous = OFF; BEGIN").unwrap();
    for row in rows {
        let mut insert = sql.prepare_cached("INSERT INTO t VALUES (?, ?, ?, ?)").unwrap();
        insert.execute((row.0, row.1, &row.2, &row.3)).unwrap();
    }
    for [a, b, c] in pairs {
        sql.prepare_cached("INSERT INTO w VALUES (?, ?, ?)").unwrap().execute((a, b, c)).unwrap();
    }
    sql.execute_batch("COMMIT").unwrap();

    let path = folder.join("pages");
    let made = Connection::open(&path).unwrap();
    made.execute_batch(SCHEMA).unwrap();
    let root = |name: &str| -> u32 {
        made.query_row("SELECT rootpage FROM sqlite_schema WHERE name = ?", [name], |row| row.get(0)).unwrap()
    };
    let (mut t, mut w, mut by_b) = (Tree::table(root("t")), Tree::index(root("w")), Tree::index(root("w_by_b")));
    made.close().unwrap();
    let mut file = PageFile::open(&path).unwrap();
    let mut pairs = pairs.to_vec();
    for (id, n, text, record) in rows {
        t.push(&mut file, *id, &[Value::Key, Value::Number(*n), Value::Text(text), Value::Blob(record)]).unwrap();
    }
    for row in &pairs {
        w.push_numbers(&mut file, *row).unwrap();
    }
    pairs.sort_unstable_by_key(|[a, b, _]| (*b, *a));
    for [a, b, _] in pairs {
        by_b.push_numbers(&mut file, [b, a]).unwrap();
    }
    for tree in [t, w, by_b] {
        tree.finish(&mut file).unwrap();
    }
    file.finish().unwrap();
    [sql, Connection::open(path).unwrap()]
}

fn check(rows: &[Row], pairs: &[[i64; 3]]) -> u32 {
    let folder = tempfile::tempdir().unwrap();
    let both = both(folder.path(), rows, pairs);
    for connection in &both {
        let said: String = connection.query_row("PRAGMA integrity_check", (), |row| row.get(0)).unwrap();
        assert_eq!(said, "ok");
    }
    let all = both.each_ref().map(|c| {
        let mut found = c.prepare("SELECT * FROM t ORDER BY id").unwrap();
        let rows = found.query_map((), |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?))).unwrap();
        rows.collect::<Result<Vec<Row>, _>>().unwrap()
    });
    assert!(all[0] == all[1] && all[1] == rows);
    let all = both.each_ref().map(|c| {
        let mut found = c.prepare("SELECT * FROM w ORDER BY a, b").unwrap();
        let rows = found.query_map((), |r| Ok([r.get(0)?, r.get(1)?, r.get(2)?])).unwrap();
        rows.collect::<Result<Vec<[i64; 3]>, _>>().unwrap()
    });
    assert!(all[0] == all[1] && all[1] == pairs);
    // One row of each, found as a look-up finds it.
    for (id, n, ..) in rows.iter().step_by(97) {
        let found: i64 = both[1].query_row("SELECT n FROM t WHERE id = ?", [id], |row| row.get(0)).unwrap();
        assert_eq!(found, *n);
    }
    for [a, b, c] in pairs.iter().step_by(97) {
        let sql = "SELECT c FROM w INDEXED BY w_by_b WHERE b = ? AND a = ?";
        assert_eq!(both[1].query_row(sql, [b, a], |row| row.get::<_, i64>(0)).unwrap(), *c);
    }
    both[1].query_row("PRAGMA page_count", (), |row| row.get(0)).unwrap()
}

/// Numbers of every width that SQLite has, and their neighbors.
fn widths() -> Vec<i64> {
    let edges = [7, 8, 14, 15, 16, 21, 23, 24, 31, 32, 47, 48, 56, 62].map(|bits| 1_i64 << bits);
    let mut all: Vec<i64> = edges.iter().flat_map(|n| [n - 1, *n, n + 1, -n - 1, -n, 1 - n]).collect();
    all.extend([0, 1, 2, -1, -2, i64::MAX, i64::MIN + 1]);
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn empty_tables_and_tables_of_one_row_are_whole() {
    check(&[], &[]);
    check(&[(-7, 3, String::new(), Vec::new())], &[[1, 2, 3]]);
}

#[test]
fn numbers_of_every_width_come_back() {
    let row = |n: &i64| (*n, *n, format!("{n}"), n.to_le_bytes().to_vec());
    let rows: Vec<Row> = widths().iter().map(row).collect();
    let pairs: Vec<[i64; 3]> = widths().iter().map(|n| [*n, n.wrapping_mul(3), !n]).collect();
    check(&rows, &pairs);
}

#[test]
fn trees_of_several_levels_are_whole() {
    // Every number of rows around the first page's end, and enough for a third level.
    for count in (0..1_000).step_by(37).chain([120_000]) {
        let rows: Vec<Row> =
            (0..count.min(20_000)).map(|n| (n * 3 - 9, n, "x".repeat(n as usize % 300), Vec::new())).collect();
        let wide = i64::MAX / 2;
        let mut pairs: Vec<[i64; 3]> = (0..count).map(|n| [wide + n / 3, wide - n, wide]).collect();
        pairs.sort_unstable();
        let pages = check(&rows, &pairs);
        assert!(pages < 10 || count > 100, "{pages} pages for {count} rows");
    }
}

#[test]
fn long_records_go_on_on_pages_of_their_own() {
    let lengths = (8_100..8_250).chain(16_000..16_400).step_by(3).chain([0, 1, 60, 30_000, 1_000_000]);
    let rows: Vec<Row> = lengths
        .enumerate()
        .map(|(n, len)| (n as i64, len, "é".repeat(n % 5), (0..len).map(|b| (b % 251) as u8).collect()))
        .collect();
    check(&rows, &[]);
}

#[test]
fn the_page_that_sqlite_locks_stays_empty() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pages");
    let made = Connection::open(&path).unwrap();
    made.execute_batch(SCHEMA).unwrap();
    made.close().unwrap();
    let mut file = PageFile::open(&path).unwrap();
    let before = file.pages;
    file.pages = LOCK_PAGE - 2;
    let page = [1; PAGE_SIZE];
    let numbers = [0; 3].map(|_| file.append(&page).unwrap());
    assert_eq!(numbers, [LOCK_PAGE - 1, LOCK_PAGE + 1, LOCK_PAGE + 2]);
    file.file.flush().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let written = &bytes[before as usize * PAGE_SIZE..];
    let sums: Vec<usize> = written.chunks(PAGE_SIZE).map(|p| p.iter().map(|b| usize::from(*b)).sum()).collect();
    assert_eq!(sums, [PAGE_SIZE, 0, PAGE_SIZE, PAGE_SIZE]);
}
