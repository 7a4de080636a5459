//! Rows as structs, on both engines. sqlx's own derive would compile both of its drivers a second time, for the
//! compiler's use.
//!
//! # Decision
//!
//! Rows are read by a small macro of our own. Turned down: sqlx's `derive(FromRow)`, whose crate compiles both
//! drivers and SQLite a second time.

/// A struct whose fields are the columns of a row, by name.
macro_rules! row {
    ($visibility:vis struct $name:ident { $($field:ident: $type:ty,)* }) => {
        $visibility struct $name { $($field: $type,)* }

        impl<'r, R: sqlx::Row> sqlx::FromRow<'r, R> for $name
        where
            &'static str: sqlx::ColumnIndex<R>,
            bool: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,
            i64: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,
            String: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,
        {
            fn from_row(row: &'r R) -> Result<Self, sqlx::Error> {
                Ok(Self { $($field: row.try_get(stringify!($field))?,)* })
            }
        }
    };
}
