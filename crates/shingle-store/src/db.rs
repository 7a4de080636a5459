//! Two engines, one SQL text. Statements are written once and run by the `execute!` and `fetch_…!` macros
//! on a [`ReadConnection`] or, inside `transact!`, on a [`Tx`].

use sqlx::pool::PoolConnection;
use sqlx::{PgConnection, PgPool, Postgres, Sqlite, SqliteConnection, SqlitePool, Transaction};

use crate::{StoreError, dialect};

#[derive(Clone)]
pub(crate) enum Db {
    /// SQLite allows one writer at a time: with one connection the others queue instead of spinning.
    Sqlite {
        read: SqlitePool,
        write: SqlitePool,
    },
    Postgres(PgPool),
}

pub(crate) enum ReadConnection {
    Sqlite(PoolConnection<Sqlite>),
    Postgres(PoolConnection<Postgres>),
}

pub(crate) enum Tx {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Transaction<'static, Postgres>),
}

/// A connection to either engine, for one statement.
pub(crate) enum ConnectionRef<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PgConnection),
}

impl Db {
    pub async fn read(&self) -> sqlx::Result<ReadConnection> {
        Ok(match self {
            Self::Sqlite { read, .. } => ReadConnection::Sqlite(read.acquire().await?),
            Self::Postgres(pool) => ReadConnection::Postgres(pool.acquire().await?),
        })
    }

    pub async fn begin(&self) -> sqlx::Result<Tx> {
        Ok(match self {
            Self::Sqlite { write, .. } => Tx::Sqlite(write.begin_with(dialect::SQLITE_BEGIN).await?),
            Self::Postgres(pool) => Tx::Postgres(pool.begin().await?),
        })
    }

    pub async fn close(&self) {
        match self {
            Self::Sqlite { read, write } => {
                // Readers first: the last connection to close folds the write-ahead log into the file.
                read.close().await;
                write.close().await;
            }
            Self::Postgres(pool) => pool.close().await,
        }
    }
}

impl ReadConnection {
    pub fn connection(&mut self) -> ConnectionRef<'_> {
        match self {
            Self::Sqlite(c) => ConnectionRef::Sqlite(&mut *c),
            Self::Postgres(c) => ConnectionRef::Postgres(&mut *c),
        }
    }
}

impl Tx {
    pub fn connection(&mut self) -> ConnectionRef<'_> {
        match self {
            Self::Sqlite(t) => ConnectionRef::Sqlite(&mut *t),
            Self::Postgres(t) => ConnectionRef::Postgres(&mut *t),
        }
    }

    /// Commits on success, rolls back on failure. `None`: the engine asks to try again.
    pub async fn finish<T>(self, result: Result<T, StoreError>, tries: u32) -> Option<Result<T, StoreError>> {
        let result = match result {
            Ok(value) => match self {
                Self::Sqlite(t) => t.commit().await,
                Self::Postgres(t) => t.commit().await,
            }
            .map(|()| value)
            .map_err(StoreError::Database),
            Err(error) => {
                // A failed rollback closes the connection, which rolls back too.
                let _ = match self {
                    Self::Sqlite(t) => t.rollback().await,
                    Self::Postgres(t) => t.rollback().await,
                };
                Err(error)
            }
        };
        match &result {
            Err(StoreError::Database(e)) if tries < dialect::MAX_RETRIES && dialect::asks_for_retry(e) => None,
            _ => Some(result),
        }
    }
}

/// Compiles the body for both engines and runs the one of the connection.
macro_rules! on_engine {
    ($connection:expr, |$c:ident| $body:expr) => {
        match $connection {
            $crate::db::ConnectionRef::Sqlite($c) => $body,
            $crate::db::ConnectionRef::Postgres($c) => $body,
        }
    };
}

/// Returns the number of changed rows.
macro_rules! execute {
    ($on:expr, $sql:expr $(, $bind:expr)* $(,)?) => {
        $crate::db::on_engine!($on.connection(), |c| {
            sqlx::query($sql)$(.bind($bind))*.execute(c).await.map(|done| done.rows_affected())
        })
    };
}

macro_rules! fetch_optional {
    ($on:expr, $row:ty, $sql:expr $(, $bind:expr)* $(,)?) => {
        $crate::db::on_engine!($on.connection(), |c| sqlx::query_as::<_, $row>($sql)$(.bind($bind))*.fetch_optional(c).await)
    };
}

macro_rules! fetch_all {
    ($on:expr, $row:ty, $sql:expr $(, $bind:expr)* $(,)?) => {
        $crate::db::on_engine!($on.connection(), |c| sqlx::query_as::<_, $row>($sql)$(.bind($bind))*.fetch_all(c).await)
    };
}

/// One write transaction, run again when the engine asks for it: the body must be repeatable. The body is
/// a block of type `Result<_, StoreError>`; `?` and an early `return` leave only the block.
macro_rules! transact {
    ($db:expr, |$tx:ident| $body:block) => {{
        let mut tries = 0;
        loop {
            let mut open = $db.begin().await?;
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

pub(crate) use {execute, fetch_all, fetch_optional, on_engine, transact};
