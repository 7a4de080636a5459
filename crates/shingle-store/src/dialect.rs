//! How SQL and its errors differ between SQLite and PostgreSQL. How the two are opened is in `connect.rs`.

/// Takes the write lock at once: a transaction that reads first and writes later might not get it.
pub(crate) const SQLITE_BEGIN: &str = "BEGIN IMMEDIATE";

/// How many times a transaction is run again when the engine asks for it.
pub(crate) const MAX_RETRIES: u32 = 20;

/// Serialisation failure and deadlock (PostgreSQL, and engines that speak its protocol); a stale read
/// snapshot (SQLite).
pub(crate) fn asks_for_retry(error: &sqlx::Error) -> bool {
    const SQLITE_BUSY_SNAPSHOT: &str = "517";
    error
        .as_database_error()
        .and_then(|e| e.code())
        .is_some_and(|code| matches!(code.as_ref(), "40001" | "40P01" | SQLITE_BUSY_SNAPSHOT))
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
