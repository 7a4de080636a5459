//! Opens SQLite and PostgreSQL and migrates their tables.
//!
//! # Decisions
//!
//! - A request waits four seconds for a PostgreSQL connection, then it is a 503 with `Retry-After`. An idle
//!   connection gets one second to answer a ping; once one is silent, equally idle ones are not asked. Turned down:
//!   `TCP_USER_TIMEOUT`, which sqlx does not set; a statement timeout, which would end imports and exports.
//! - A pooler in transaction mode is refused at startup: statements are prepared by name, and migrations hold a
//!   session lock.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, PgConnection, SqlitePool};

use crate::StoreError;
use crate::engine::changes::Changes;
use crate::engine::db::{Db, Postgres};
use crate::engine::patience::{ACQUIRE_TIMEOUT, Silence};
use crate::engine::redact::redact_password;
use crate::error::OpenProblem;

const MAX_SQLITE_READERS: u32 = 4;
const MAX_POSTGRES_CONNECTIONS: u32 = 16;

/// How long a connection that was idle has to show that it is alive. A failover or a NAT ends connections without a word.
const PING_TIMEOUT: Duration = Duration::from_secs(1);
/// The same for one that was just used, whose last statement may still run. Nobody waits for it.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(5);
/// Below what NAT gateways and load balancers allow, which is 350 seconds at the shortest of the large clouds.
const MAX_IDLE: Duration = Duration::from_secs(4 * 60);

/// How long another process (`shingle account …` beside a running server) may hold the write lock.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

pub(crate) struct Opened {
    pub db: Db,
    /// A file of SQLite without its write-ahead log, which is how it lies after its last user has closed it.
    pub lacks_log: bool,
    /// A file of SQLite that had its log.
    pub with_log: Option<PathBuf>,
}

pub(crate) fn log_of(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-wal");
    name.into()
}

/// Opens the database, creates it if it is missing, and migrates its tables.
pub(crate) async fn open(address: &str, changes: Changes<'_>) -> Result<Opened, StoreError> {
    let failed = |source: Box<dyn std::error::Error + Send + Sync>| StoreError::Open {
        address: redact_password(address),
        source,
    };
    match address.split_once("://") {
        Some(("sqlite", path)) if !path.is_empty() && !path.starts_with(':') && !path.contains('?') => {
            let path = Path::new(path);
            let lock = opening_lock(path).await.map_err(|error| failed(error.into()))?;
            // Only under the lock: a file that somebody else is making is empty for a moment.
            if std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == 0) {
                return Err(StoreError::EmptyFile(path.display().to_string()));
            }
            // Opening makes one.
            let had_log = log_of(path).exists();
            let opened = open_sqlite(path, changes).await.map_err(failed);
            drop(lock);
            opened.map(|db| Opened { db, lacks_log: !had_log, with_log: had_log.then(|| path.to_owned()) })
        }
        Some(("postgres" | "postgresql", _)) => {
            let db = open_postgres(address, changes).await.map_err(failed)?;
            Ok(Opened { db, lacks_log: false, with_log: None })
        }
        _ => Err(StoreError::DatabaseAddress(redact_password(address))),
    }
}

/// Two processes that start at the same time on a new file must not both create the tables.
async fn opening_lock(database: &Path) -> std::io::Result<std::fs::File> {
    if let Some(folder) = database.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let lock = std::fs::File::create(database.with_extension("lock"))?;
    tokio::task::spawn_blocking(move || lock.lock().map(|()| lock)).await?
}

/// After the last connection of this process to a file that had its log: the process that closes a file last folds the log into it, and
/// then it lacks nothing, though a server that was killed has left it as one that serves.
pub(crate) async fn note_folded_log(path: &Path) -> Result<(), StoreError> {
    let failed = |error: std::io::Error| StoreError::Open { address: path.display().to_string(), source: error.into() };
    let lock = opening_lock(path).await.map_err(failed)?;
    if log_of(path).exists() {
        return Ok(());
    }
    let mut connection = SqliteConnectOptions::new().filename(path).busy_timeout(BUSY_TIMEOUT).connect().await?;
    sqlx::query("UPDATE installation SET serving = 0 WHERE id = 1 AND serving <> 0").execute(&mut connection).await?;
    connection.close().await?;
    drop(lock);
    Ok(())
}

async fn open_sqlite(path: &Path, changes: Changes<'_>) -> Result<Db, Box<dyn std::error::Error + Send + Sync>> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        // FULL: an acknowledged lead survives a power cut.
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(BUSY_TIMEOUT)
        .foreign_keys(true)
        // Erased data is overwritten, not only unlinked.
        .pragma("secure_delete", "ON");
    let pool = |connections| {
        SqlitePoolOptions::new()
            .max_connections(connections)
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false)
    };
    let write: SqlitePool = pool(1).connect_with(options.clone()).await?;
    changes.make_in_sqlite(&write).await?;
    let read = pool(MAX_SQLITE_READERS).connect_lazy_with(options.read_only(true));
    Ok(Db::Sqlite { read, write })
}

async fn open_postgres(address: &str, changes: Changes<'_>) -> Result<Db, Box<dyn std::error::Error + Send + Sync>> {
    // One plain connection first: it fails at once with the reason, where a pool would try until its timeout.
    let connection = connect_or_create(address).await?;
    let options = postgres_options(address)?;
    refuse_transaction_pooler(&options).await?;
    let silence = Arc::new(Silence::default());
    let pool = postgres_pool(silence.clone()).connect_with(options).await?;
    changes.make_in_postgres(address, connection, &pool).await?;
    Ok(Db::Postgres(Postgres { pool, silence }))
}

fn postgres_options(address: &str) -> sqlx::Result<PgConnectOptions> {
    // Values come in binary form, where the digits of a float are not a matter, and older poolers refuse the parameter.
    Ok(PgConnectOptions::from_str(address)?.application_name("shingle").extra_float_digits(None))
}

/// Connects to a database of PostgreSQL, which is created where it is missing.
pub(crate) async fn connect_or_create(address: &str) -> Result<PgConnection, Box<dyn std::error::Error + Send + Sync>> {
    const NO_SUCH_DATABASE: &str = "3D000";
    if is_cut_short(address) {
        return Err(Box::new(OpenProblem::CutShort));
    }
    let options = postgres_options(address)?;
    match PgConnection::connect_with(&options).await {
        Err(e) if e.as_database_error().and_then(|e| e.code()).as_deref() == Some(NO_SUCH_DATABASE) => {
            let made = <sqlx::Postgres as sqlx::migrate::MigrateDatabase>::create_database(address).await;
            // Another node may have made it at the same time. Where nobody may, that it is missing says more.
            let connected = PgConnection::connect_with(&options).await;
            Ok(connected.map_err(|now| if made.is_ok() { now } else { e })?)
        }
        connected => Ok(connected?),
    }
}

/// Whether a `#`, `/` or `?` of the password ends the address, which then seems to name another host.
fn is_cut_short(address: &str) -> bool {
    let Ok(url) = url::Url::parse(address) else { return false };
    let names_user_later = |part: &str| url.username().is_empty() && part.contains('@');
    let before_names = url.query().and_then(|query| query.split('=').next()).unwrap_or_default();
    url.fragment().is_some() || names_user_later(url.path()) || names_user_later(before_names)
}

/// A server that does not hear of the end of a connection keeps its transaction and all locks for two hours. What a server does
/// not know is left out.
const SESSION: &str = "SELECT set_config(wish.name, wish.value, false) FROM (VALUES \
    ('idle_in_transaction_session_timeout', '15s'), ('client_connection_check_interval', '5s'), ('tcp_user_timeout', '15s'), \
    ('tcp_keepalives_idle', '30'), ('tcp_keepalives_interval', '5'), ('tcp_keepalives_count', '3')) AS wish (name, value) \
    JOIN pg_settings USING (name)";

fn postgres_pool(silence: Arc<Silence>) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(MAX_POSTGRES_CONNECTIONS)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .idle_timeout(MAX_IDLE)
        .test_before_acquire(false)
        .after_connect(|connection, _| {
            Box::pin(async move {
                // Each server knows others of them, and without any of them it serves as well.
                if let Err(error) = sqlx::raw_sql(SESSION).execute(&mut *connection).await {
                    tracing::debug!(%error, "the session keeps the settings of its server");
                }
                connection.ping().await
            })
        })
        .after_release(|connection, _| {
            Box::pin(async move {
                let answer = tokio::time::timeout(RELEASE_TIMEOUT, connection.ping()).await;
                answer.unwrap_or_else(|_| Err(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into()))).map(|()| true)
            })
        })
        .before_acquire(move |connection, meta| {
            let silence = silence.clone();
            Box::pin(async move {
                if silence.is_later_than(meta.idle_for) {
                    return Ok(false);
                }
                match tokio::time::timeout(PING_TIMEOUT, connection.ping()).await {
                    Ok(answer) => answer.map(|()| true),
                    Err(_) => {
                        silence.note();
                        Err(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into()))
                    }
                }
            })
        })
}

/// Statements are prepared by name on a connection of one's own, and migrations hold a lock of the session. Two connections
/// that are open at once and have the same server process share it transaction by transaction.
async fn refuse_transaction_pooler(options: &PgConnectOptions) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    /// A name that another client of the pooler has given a statement already.
    const DUPLICATE_STATEMENT: &str = "42P05";
    let mut first = PgConnection::connect_with(options).await?;
    let mut second = PgConnection::connect_with(options).await?;
    let mut processes = Vec::new();
    for connection in [&mut first, &mut second] {
        match sqlx::query_scalar::<_, i32>("SELECT pg_backend_pid()").fetch_one(connection).await {
            Ok(process) => processes.push(process),
            Err(e) if e.as_database_error().and_then(|e| e.code()).as_deref() == Some(DUPLICATE_STATEMENT) => {
                return Err(Box::new(OpenProblem::TransactionPooler));
            }
            Err(e) => return Err(e.into()),
        }
    }
    if processes[0] == processes[1] {
        return Err(Box::new(OpenProblem::TransactionPooler));
    }
    first.close().await?;
    second.close().await?;
    Ok(())
}

/// Moves the write-ahead log into the file and empties it, so that erased data is in neither.
pub(crate) async fn truncate_log(db: &Db) -> sqlx::Result<()> {
    if let Db::Sqlite { write, .. } = db {
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(write).await?;
    }
    Ok(())
}
