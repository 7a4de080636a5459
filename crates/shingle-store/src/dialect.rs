//! Everything that differs between SQLite and PostgreSQL.

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection, PgConnection, PgPool, SqlSafeStr, SqlitePool};

use crate::StoreError;
use crate::db::Db;

/// Takes the write lock at once: a transaction that reads first and writes later could lose it in between.
pub(crate) const SQLITE_BEGIN: &str = "BEGIN IMMEDIATE";

/// How often a transaction is run again when the engine asks for it.
pub(crate) const RETRIES: u32 = 20;

const SQLITE_READERS: u32 = 4;
const POSTGRES_CONNECTIONS: u32 = 16;

/// How long another process (`shingle account …` beside a running server) may hold the write lock.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Serialisation failure and deadlock (PostgreSQL, and engines that speak its protocol); a stale read
/// snapshot (SQLite).
pub(crate) fn asks_for_retry(error: &sqlx::Error) -> bool {
    const SQLITE_BUSY_SNAPSHOT: &str = "517";
    error
        .as_database_error()
        .and_then(|e| e.code())
        .is_some_and(|code| matches!(code.as_ref(), "40001" | "40P01" | SQLITE_BUSY_SNAPSHOT))
}

pub(crate) fn is_taken(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|e| e.is_unique_violation())
}

fn migrator() -> Migrator {
    let texts = [(1, "books", include_str!("../migrations/0001_books.sql"))];
    Migrator::with_migrations(
        texts
            .into_iter()
            .map(|(n, name, sql)| Migration::new(n, name.into(), MigrationType::Simple, sql.into_sql_str(), false))
            .collect(),
    )
}

/// Opens the database, makes it if there is none, and brings its tables up to date.
pub(crate) async fn open(address: &str) -> Result<Db, StoreError> {
    let failed = |source: Box<dyn std::error::Error + Send + Sync>| StoreError::Open {
        address: without_password(address),
        source,
    };
    match address.split_once("://") {
        Some(("sqlite", path)) if !path.is_empty() && !path.starts_with(':') && !path.contains('?') => {
            open_sqlite(Path::new(path)).await.map_err(failed)
        }
        Some(("postgres" | "postgresql", _)) => open_postgres(address).await.map_err(failed),
        _ => Err(StoreError::DatabaseAddress(without_password(address))),
    }
}

async fn open_sqlite(path: &Path) -> Result<Db, Box<dyn std::error::Error + Send + Sync>> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    // Two processes that start at once on a new file must not both lay the tables.
    let lock = std::fs::File::create(path.with_extension("lock"))?;
    let lock = tokio::task::spawn_blocking(move || lock.lock().map(|()| lock)).await??;
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        // FULL: a lead we acknowledged survives a power cut.
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(BUSY_TIMEOUT)
        .foreign_keys(true)
        // What is erased is overwritten, not merely unlinked.
        .pragma("secure_delete", "ON");
    let pool = |connections| {
        SqlitePoolOptions::new()
            .max_connections(connections)
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false)
    };
    let write: SqlitePool = pool(1).connect_with(options.clone()).await?;
    migrator().run(&write).await?;
    let read = pool(SQLITE_READERS).connect_lazy_with(options.read_only(true));
    drop(lock);
    Ok(Db::Sqlite { read, write })
}

async fn open_postgres(address: &str) -> Result<Db, Box<dyn std::error::Error + Send + Sync>> {
    const NO_SUCH_DATABASE: &str = "3D000";
    let options = PgConnectOptions::from_str(address)?.application_name("shingle");
    // One plain connection first: it fails at once and says why, where a pool would try until its time is up.
    match PgConnection::connect_with(&options).await {
        Err(e) if e.as_database_error().and_then(|e| e.code()).as_deref() == Some(NO_SUCH_DATABASE) => {
            <sqlx::Postgres as sqlx::migrate::MigrateDatabase>::create_database(address).await?;
        }
        probe => probe?.close().await?,
    }
    let pool: PgPool = PgPoolOptions::new().max_connections(POSTGRES_CONNECTIONS).connect_with(options).await?;
    migrator().run(&pool).await?;
    Ok(Db::Postgres(pool))
}

/// Folds the write-ahead log into the file and empties it, so that erased words are in neither.
pub(crate) async fn forget_log(db: &Db) -> sqlx::Result<()> {
    if let Db::Sqlite { write, .. } = db {
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(write).await?;
    }
    Ok(())
}

/// For messages and logs.
pub(crate) fn without_password(address: &str) -> String {
    match url::Url::parse(address) {
        // No host: perhaps a mistyped address, whose password could be anywhere.
        Ok(url) if url.cannot_be_a_base() && address.contains('@') => format!("{}:***", url.scheme()),
        Ok(mut url) => {
            if url.password().is_some() && url.set_password(Some("***")).is_err() {
                return format!("{}://***", url.scheme());
            }
            if url.query_pairs().any(|(name, _)| name == "password") {
                url.set_query(None);
            }
            url.into()
        }
        Err(_) if address.contains('@') => "***".to_owned(),
        Err(_) => address.to_owned(),
    }
}
