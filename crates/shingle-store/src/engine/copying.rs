//! A copy of a whole database as one file, taken while others write, and the way back.
//!
//! # Decisions
//!
//! - SQLite: `VACUUM INTO`, one statement in one read snapshot. Writers go on, and everything committed before it began is in
//!   it. Turned down: the backup interface, which starts again whenever somebody writes.
//! - PostgreSQL: its own `pg_dump` and `pg_restore`, which know every version's dumps and are on every machine with
//!   its client. Turned down: rows read by ourselves, which no other program could restore.

use std::path::Path;
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, PgConnection};

use crate::StoreError;
use crate::engine::connect::{self, BUSY_TIMEOUT};
use crate::engine::redact::redact_password;
use crate::engine::snapshot::{ABOUT, copy_open_sqlite, dump_postgres};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// What a copy was taken of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseCopy {
    pub engine: Engine,
    /// The number of the newest change of the tables.
    pub schema: i64,
    /// Equal for equal secrets: see [`crate::Secret::check`].
    pub secret_check: String,
}

pub fn engine_of(address: &str) -> Result<Engine, StoreError> {
    match address.split_once("://") {
        Some(("sqlite", path)) if !path.is_empty() => Ok(Engine::Sqlite),
        Some(("postgres" | "postgresql", _)) => Ok(Engine::Postgres),
        _ => Err(StoreError::DatabaseAddress(redact_password(address))),
    }
}

/// Copies the database into a new file. Changes nothing in it, and does not migrate it.
pub async fn copy_database(address: &str, into: &Path) -> Result<DatabaseCopy, StoreError> {
    match engine_of(address)? {
        Engine::Sqlite => copy_sqlite(Path::new(&address["sqlite://".len()..]), into).await,
        Engine::Postgres => copy_postgres(address, into).await,
    }
}

async fn copy_sqlite(database: &Path, into: &Path) -> Result<DatabaseCopy, StoreError> {
    if !database.is_file() {
        return Err(StoreError::NoDatabase(database.display().to_string()));
    }
    let had_log = connect::log_of(database).exists();
    let options = SqliteConnectOptions::new().filename(database).busy_timeout(BUSY_TIMEOUT);
    let mut connection = options.connect().await?;
    let copied = copy_open_sqlite(&mut connection, into).await;
    connection.close().await?;
    if had_log {
        connect::note_folded_log(database).await?;
    }
    let (schema, secret_check) = copied?;
    Ok(DatabaseCopy { engine: Engine::Sqlite, schema, secret_check })
}

async fn copy_postgres(address: &str, into: &Path) -> Result<DatabaseCopy, StoreError> {
    let mut connection = PgConnection::connect_with(&PgConnectOptions::from_str(address)?).await?;
    let about: (i64, String) = sqlx::query_as(ABOUT).fetch_one(&mut connection).await?;
    connection.close().await?;
    dump_postgres(address, into).await?;
    Ok(DatabaseCopy { engine: Engine::Postgres, schema: about.0, secret_check: about.1 })
}

/// Whether the database is missing or has no tables, so that a copy may be put there.
pub async fn is_vacant(address: &str) -> Result<bool, StoreError> {
    match engine_of(address)? {
        Engine::Sqlite => {
            let database = Path::new(&address["sqlite://".len()..]);
            Ok(!database.exists() && !connect::log_of(database).exists())
        }
        Engine::Postgres => {
            let tables = "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = current_schema()";
            let mut connection = connect::connect_or_create(address)
                .await
                .map_err(|source| StoreError::Open { address: redact_password(address), source })?;
            let found: i64 = sqlx::query_scalar(tables).fetch_one(&mut connection).await?;
            connection.close().await?;
            Ok(found == 0)
        }
    }
}
