//! Two engines, one SQL text. Statements are written once and run by the `execute!` and `fetch_…!` macros
//! on a [`ReadConnection`] or, inside `transact!`, on a [`Tx`]. How one statement runs is in `engine/statement.rs`.
//!
//! # Decision
//!
//! A connection whose transaction failed is closed, unless a row was refused or the engine asks for a retry: SQLite
//! rolls back on its own when its disk is full, and sqlx does not notice. Turned down: a list of the errors that do
//! this.

use std::sync::Arc;

use sqlx::pool::PoolConnection;
use sqlx::{Connection, PgPool, Sqlite, SqlitePool, Transaction};

use crate::StoreError;
use crate::engine::connection_ref::ConnectionRef;
use crate::engine::dialect;
use crate::engine::patience::{Silence, acquire, in_time, is_lost};

#[derive(Clone)]
pub(crate) enum Db {
    /// SQLite allows one writer at a time: with one connection the others queue instead of spinning.
    Sqlite {
        read: SqlitePool,
        write: SqlitePool,
    },
    Postgres(Postgres),
}

#[derive(Clone)]
pub(crate) struct Postgres {
    pub pool: PgPool,
    pub silence: Arc<Silence>,
}

pub(crate) enum ReadConnection {
    Sqlite(PoolConnection<Sqlite>),
    Postgres(PoolConnection<sqlx::Postgres>, Arc<Silence>),
}

/// A connection for one transaction. One whose state is in doubt is closed and not used again: SQLite rolls back on its
/// own when a disk is full or fails, of which sqlx learns nothing, and every later transaction would be refused.
pub(crate) struct Writer {
    connection: WriteConnection,
    sound: bool,
}

enum WriteConnection {
    Sqlite(PoolConnection<Sqlite>),
    Postgres(PoolConnection<sqlx::Postgres>, Arc<Silence>),
}

pub(crate) struct Tx<'c> {
    transaction: EngineTransaction<'c>,
    sound: &'c mut bool,
}

enum EngineTransaction<'c> {
    Sqlite(Transaction<'c, Sqlite>),
    Postgres(Transaction<'c, sqlx::Postgres>, &'c Silence),
}

impl Db {
    pub async fn read(&self) -> sqlx::Result<ReadConnection> {
        Ok(match self {
            Self::Sqlite { read, .. } => ReadConnection::Sqlite(read.acquire().await?),
            Self::Postgres(Postgres { pool, silence }) => {
                ReadConnection::Postgres(acquire(pool, silence).await?, silence.clone())
            }
        })
    }

    pub async fn writer(&self) -> sqlx::Result<Writer> {
        let connection = match self {
            Self::Sqlite { write, .. } => WriteConnection::Sqlite(write.acquire().await?),
            Self::Postgres(Postgres { pool, silence }) => {
                WriteConnection::Postgres(acquire(pool, silence).await?, silence.clone())
            }
        };
        Ok(Writer { connection, sound: true })
    }

    pub async fn close(&self) {
        match self {
            Self::Sqlite { read, write } => {
                // Readers first: the last connection to close folds the write-ahead log into the file.
                read.close().await;
                write.close().await;
            }
            Self::Postgres(postgres) => postgres.pool.close().await,
        }
    }
}

impl ReadConnection {
    pub fn connection(&mut self) -> ConnectionRef<'_> {
        match self {
            Self::Sqlite(c) => ConnectionRef::Sqlite(&mut *c),
            Self::Postgres(c, silence) => ConnectionRef::Postgres(&mut *c, silence),
        }
    }
}

impl Writer {
    pub async fn begin(&mut self) -> sqlx::Result<Tx<'_>> {
        // A call that is dropped half way leaves SQLite in doubt; PostgreSQL takes a second rollback without harm.
        self.sound = matches!(self.connection, WriteConnection::Postgres(..));
        let begun = match &mut self.connection {
            WriteConnection::Sqlite(c) => c.begin_with(dialect::SQLITE_BEGIN).await.map(EngineTransaction::Sqlite),
            WriteConnection::Postgres(c, silence) => {
                in_time(silence, c.begin()).await.map(|begun| EngineTransaction::Postgres(begun, silence))
            }
        };
        match begun {
            Ok(transaction) => Ok(Tx { transaction, sound: &mut self.sound }),
            Err(error) => {
                self.sound = false;
                Err(error)
            }
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if !self.sound {
            match &mut self.connection {
                WriteConnection::Sqlite(c) => c.close_on_drop(),
                WriteConnection::Postgres(c, _) => c.close_on_drop(),
            }
        }
    }
}

impl Tx<'_> {
    pub fn connection(&mut self) -> ConnectionRef<'_> {
        match &mut self.transaction {
            EngineTransaction::Sqlite(t) => ConnectionRef::Sqlite(&mut *t),
            EngineTransaction::Postgres(t, silence) => ConnectionRef::Postgres(&mut *t, silence),
        }
    }

    /// Commits on success, rolls back on failure. `None`: the engine asks to try again.
    pub async fn finish<T>(self, result: Result<T, StoreError>, tries: u32) -> Option<Result<T, StoreError>> {
        let result = match result {
            Ok(value) => {
                let committed = match self.transaction {
                    EngineTransaction::Sqlite(t) => t.commit().await,
                    EngineTransaction::Postgres(t, silence) => in_time(silence, t.commit()).await,
                };
                *self.sound = committed.is_ok();
                committed.map(|()| value).map_err(StoreError::Database)
            }
            Err(StoreError::Database(error)) if is_lost(&error) => {
                *self.sound = false;
                Err(StoreError::Database(error))
            }
            Err(error) => {
                let rolled_back = match self.transaction {
                    EngineTransaction::Sqlite(t) => t.rollback().await,
                    EngineTransaction::Postgres(t, silence) => in_time(silence, t.rollback()).await,
                };
                let leaves_doubt = matches!(&error, StoreError::Database(e) if dialect::leaves_doubt(e));
                *self.sound = rolled_back.is_ok() && !leaves_doubt;
                Err(error)
            }
        };
        match &result {
            Err(StoreError::Database(e)) if tries < dialect::MAX_RETRIES && dialect::asks_for_retry(e) => None,
            _ => Some(result),
        }
    }
}

/// Returns the number of changed rows.
macro_rules! execute {
    ($on:expr, $sql:expr $(, $bind:expr)* $(,)?) => {
        $crate::engine::statement::run(
            $on.connection(),
            sqlx::SqlSafeStr::into_sql_str($sql),
            &[$($crate::engine::statement::Bind::from($bind)),*],
        )
        .await
    };
}

macro_rules! fetch_optional {
    ($on:expr, $row:ty, $sql:expr $(, $bind:expr)* $(,)?) => {
        $crate::engine::statement::first(
            $on.connection(),
            sqlx::SqlSafeStr::into_sql_str($sql),
            &[$($crate::engine::statement::Bind::from($bind)),*],
        )
        .await
        .and_then(|row| row.map(|row| row.read::<$row>()).transpose())
    };
}

macro_rules! fetch_all {
    ($on:expr, $row:ty, $sql:expr $(, $bind:expr)* $(,)?) => {
        $crate::engine::statement::all(
            $on.connection(),
            sqlx::SqlSafeStr::into_sql_str($sql),
            &[$($crate::engine::statement::Bind::from($bind)),*],
        )
        .await
        .and_then(|rows| rows.read::<$row>())
    };
}

/// One write transaction, run again when the engine asks for it: the body must be repeatable. The body is
/// a block of type `Result<_, StoreError>`; `?` and an early `return` leave only the block.
macro_rules! transact {
    ($db:expr, |$tx:ident| $body:block) => {{
        let mut tries = 0;
        loop {
            let mut writer = $db.writer().await?;
            let mut open = writer.begin().await?;
            let result = {
                let $tx = &mut open;
                async { $body }.await
            };
            if let Some(result) = open.finish(result, tries).await {
                break result;
            }
            tries += 1;
        }
    }};
}

pub(crate) use {execute, fetch_all, fetch_optional, transact};
