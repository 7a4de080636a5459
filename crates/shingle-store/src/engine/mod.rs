//! SQLite and PostgreSQL behind one interface: connections, transactions, SQL for both, and what is kept in memory.

#[macro_use]
pub(crate) mod row;
pub(crate) mod caches;
pub(crate) mod changes;
pub(crate) mod connect;
pub(crate) mod connection_ref;
pub(crate) mod copying;
pub(crate) mod cursor;
pub(crate) mod db;
pub(crate) mod dialect;
pub(crate) mod group;
pub(crate) mod patience;
pub(crate) mod record_cache;
pub(crate) mod redact;
pub(crate) mod snapshot;
pub(crate) mod statement;
pub(crate) mod stored_message;
