use sqlx::{PgConnection, SqliteConnection};

use crate::engine::patience::Silence;

/// A connection to either engine, for one statement.
pub(crate) enum ConnectionRef<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PgConnection, &'c Silence),
}
