//! One statement with its values, on either engine.
//!
//! # Decision
//!
//! Values are collected in an enum and rows are read after the statement has ended, so what waits for the engine is
//! compiled once and not for each of five hundred statements twice. Turned down: sqlx's own `query(…).bind(…)` at each
//! statement, which makes the program larger and slower to compile.

use std::borrow::Cow;

use sqlx::postgres::{PgArguments, PgRow};
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Arguments, FromRow, SqlStr};

use crate::engine::connection_ref::ConnectionRef;
use crate::engine::patience::in_time;

/// A value of a statement. `None` is NULL, of a known type.
pub(crate) enum Bind<'v> {
    Integer(Option<i64>),
    Text(Option<Cow<'v, str>>),
    Bool(Option<bool>),
}

impl Bind<'_> {
    fn add_to<A: Arguments>(&self, arguments: &mut A) -> Result<(), sqlx::error::BoxDynError>
    where
        for<'t> Option<i64>: sqlx::Encode<'t, A::Database> + sqlx::Type<A::Database>,
        for<'t> Option<&'t str>: sqlx::Encode<'t, A::Database> + sqlx::Type<A::Database>,
        for<'t> Option<bool>: sqlx::Encode<'t, A::Database> + sqlx::Type<A::Database>,
    {
        match self {
            Self::Integer(value) => arguments.add(*value),
            Self::Text(value) => arguments.add(value.as_deref()),
            Self::Bool(value) => arguments.add(*value),
        }
    }
}

macro_rules! binds {
    ($($variant:ident: $($type:ty as |$value:ident| $made:expr),*;)*) => {$($(
        impl<'v> From<$type> for Bind<'v> {
            fn from($value: $type) -> Self {
                Self::$variant($made)
            }
        }
    )*)*};
}

binds! {
    Integer: i64 as |value| Some(value), &i64 as |value| Some(*value), Option<i64> as |value| value,
        &Option<i64> as |value| *value, Option<&i64> as |value| value.copied();
    Bool: bool as |value| Some(value), &bool as |value| Some(*value), Option<bool> as |value| value;
    Text: &'v str as |value| Some(Cow::Borrowed(value)), &'v &str as |value| Some(Cow::Borrowed(*value)),
        String as |value| Some(Cow::Owned(value)), &'v String as |value| Some(Cow::Borrowed(value.as_str())),
        &'v &String as |value| Some(Cow::Borrowed(value.as_str())),
        Option<String> as |value| value.map(Cow::Owned), Option<&'v str> as |value| value.map(Cow::Borrowed),
        Option<&'v String> as |value| value.map(|text| Cow::Borrowed(text.as_str())),
        &'v Option<String> as |value| value.as_deref().map(Cow::Borrowed);
}

fn arguments<A: Arguments>(binds: &[Bind<'_>]) -> sqlx::Result<A>
where
    for<'t> Option<i64>: sqlx::Encode<'t, A::Database> + sqlx::Type<A::Database>,
    for<'t> Option<&'t str>: sqlx::Encode<'t, A::Database> + sqlx::Type<A::Database>,
    for<'t> Option<bool>: sqlx::Encode<'t, A::Database> + sqlx::Type<A::Database>,
{
    let mut arguments = A::default();
    for bind in binds {
        bind.add_to(&mut arguments).map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}

/// What a statement returned.
pub(crate) enum Rows {
    Sqlite(Vec<SqliteRow>),
    Postgres(Vec<PgRow>),
}

/// A row as a struct of `row!` or a tuple.
pub(crate) trait EitherRow: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> {}

impl<R: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow>> EitherRow for R {}

impl Rows {
    pub fn read<R: EitherRow>(self) -> sqlx::Result<Vec<R>> {
        match self {
            Self::Sqlite(rows) => rows.iter().map(R::from_row).collect(),
            Self::Postgres(rows) => rows.iter().map(R::from_row).collect(),
        }
    }
}

pub(crate) enum OneRow {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl OneRow {
    pub fn read<R: EitherRow>(self) -> sqlx::Result<R> {
        match self {
            Self::Sqlite(row) => R::from_row(&row),
            Self::Postgres(row) => R::from_row(&row),
        }
    }
}

/// The number of changed rows.
pub(crate) async fn run(on: ConnectionRef<'_>, sql: SqlStr, binds: &[Bind<'_>]) -> sqlx::Result<u64> {
    match on {
        ConnectionRef::Sqlite(c) => {
            let query = sqlx::query_with(sql, arguments::<SqliteArguments>(binds)?);
            query.execute(c).await.map(|done| done.rows_affected())
        }
        ConnectionRef::Postgres(c, silence) => {
            let query = sqlx::query_with(sql, arguments::<PgArguments>(binds)?);
            in_time(silence, query.execute(c)).await.map(|done| done.rows_affected())
        }
    }
}

pub(crate) async fn first(on: ConnectionRef<'_>, sql: SqlStr, binds: &[Bind<'_>]) -> sqlx::Result<Option<OneRow>> {
    match on {
        ConnectionRef::Sqlite(c) => {
            let query = sqlx::query_with(sql, arguments::<SqliteArguments>(binds)?);
            Ok(query.fetch_optional(c).await?.map(OneRow::Sqlite))
        }
        ConnectionRef::Postgres(c, silence) => {
            let query = sqlx::query_with(sql, arguments::<PgArguments>(binds)?);
            Ok(in_time(silence, query.fetch_optional(c)).await?.map(OneRow::Postgres))
        }
    }
}

pub(crate) async fn all(on: ConnectionRef<'_>, sql: SqlStr, binds: &[Bind<'_>]) -> sqlx::Result<Rows> {
    match on {
        ConnectionRef::Sqlite(c) => {
            let query = sqlx::query_with(sql, arguments::<SqliteArguments>(binds)?);
            query.fetch_all(c).await.map(Rows::Sqlite)
        }
        ConnectionRef::Postgres(c, silence) => {
            let query = sqlx::query_with(sql, arguments::<PgArguments>(binds)?);
            in_time(silence, query.fetch_all(c)).await.map(Rows::Postgres)
        }
    }
}
