//! How SQL and its errors differ between SQLite and PostgreSQL. How the two are opened is in `engine/connect.rs`.

/// Takes the write lock at once: a transaction that reads first and writes later might not get it.
pub(crate) const SQLITE_BEGIN: &str = "BEGIN IMMEDIATE";

/// How many times a transaction is run again when the engine asks for it.
pub(crate) const MAX_RETRIES: u32 = 20;

/// Serialisation failure, deadlock, and a reference that another transaction broke (PostgreSQL, and engines that speak its protocol); a stale read
/// snapshot (SQLite).
pub(crate) fn asks_for_retry(error: &sqlx::Error) -> bool {
    const SERIALIZATION: &str = "40001";
    const DEADLOCK: &str = "40P01";
    // A row that this transaction has read was deleted meanwhile, or got a row that refers to it.
    const FOREIGN_KEY: &str = "23503";
    const SQLITE_BUSY_SNAPSHOT: &str = "517";
    error
        .as_database_error()
        .and_then(|e| e.code())
        .is_some_and(|code| matches!(code.as_ref(), SERIALIZATION | DEADLOCK | FOREIGN_KEY | SQLITE_BUSY_SNAPSHOT))
}

/// Whether the state of a connection is unknown after this error: it is, unless the engine only refused a row or asks for
/// another try.
pub(crate) fn leaves_doubt(error: &sqlx::Error) -> bool {
    use sqlx::error::ErrorKind::{CheckViolation, ForeignKeyViolation, NotNullViolation, UniqueViolation};
    let refused_row = error
        .as_database_error()
        .is_some_and(|e| matches!(e.kind(), UniqueViolation | ForeignKeyViolation | NotNullViolation | CheckViolation));
    !refused_row && !asks_for_retry(error)
}

/// Whether the database itself failed, and not what one statement asked of it: another try would fail too, and may wait
/// long for it.
pub(crate) fn is_outage(error: &sqlx::Error) -> bool {
    /// Connection, resources, shutdown, system: the classes of PostgreSQL's five characters.
    const CLASSES: [&str; 4] = ["08", "53", "57", "58"];
    /// A transaction in which nothing was said for long.
    const GIVEN_UP: &str = "25P03";
    /// Busy, locked, input or output, full: the low byte of SQLite's numbers, which are shorter.
    const CODES: [u32; 4] = [5, 6, 10, 13];
    let Some(code) = error.as_database_error().and_then(|e| e.code()) else { return true };
    match code.len() {
        5 => code == GIVEN_UP || CLASSES.iter().any(|class| code.starts_with(class)),
        _ => code.parse::<u32>().is_ok_and(|code| CODES.contains(&(code & 0xff))),
    }
}

pub(crate) fn is_duplicate(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|e| e.is_unique_violation())
}

/// Ends a subquery that chooses rows to claim: PostgreSQL leaves out rows that another node is claiming; SQLite has one
/// writer and needs nothing.
macro_rules! skip_locked {
    () => {
        " FOR UPDATE SKIP LOCKED"
    };
}
pub(crate) use skip_locked;

/// Begins a statement whose first parameter holds rows as JSON: they become the table `given`. One statement then does
/// for many rows what would be one for each.
macro_rules! given_rows {
    // Worked out once: a condition that is asked of many rows would read the JSON again for each.
    (sqlite: $first:ident $first_type:ident $(, $name:ident $type:ident)*) => {
        concat!(
            "WITH given AS MATERIALIZED (SELECT value->>'", stringify!($first), "' AS ", stringify!($first),
            $(", value->>'", stringify!($name), "' AS ", stringify!($name),)*
            " FROM json_each($1)) "
        )
    };
    (postgres: $first:ident $first_type:ident $(, $name:ident $type:ident)*) => {
        concat!(
            "WITH given AS (SELECT * FROM json_to_recordset($1::json) AS row_of(",
            stringify!($first), " ", stringify!($first_type),
            $(", ", stringify!($name), " ", stringify!($type),)*
            ")) "
        )
    };
}
pub(crate) use given_rows;

#[cfg(test)]
mod tests {
    use sqlx::{Connection, Executor, SqliteConnection};

    use super::leaves_doubt;

    #[tokio::test]
    async fn only_a_refused_row_leaves_no_doubt() {
        let mut lite = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        lite.execute("CREATE TABLE t (a INTEGER PRIMARY KEY CHECK (a < 9))").await.unwrap();
        lite.execute("INSERT INTO t VALUES (1)").await.unwrap();
        for refused in ["INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (9)"] {
            assert!(!leaves_doubt(&lite.execute(refused).await.unwrap_err()), "{refused}");
        }
        // As SQLite does when memory runs out or somebody interrupts it, which rolls back without a word to sqlx.
        lite.lock_handle().await.unwrap().set_progress_handler(1, || false);
        let interrupted = lite.execute("INSERT INTO t VALUES (2)").await.unwrap_err();
        assert_eq!(interrupted.as_database_error().unwrap().code().as_deref(), Some("9"));
        assert!(leaves_doubt(&interrupted));
    }
}
