//! The whole server over real sockets, each story on SQLite and on PostgreSQL.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod auth;
mod codes;
mod contract;
mod errors;
mod forms;
mod headers;
mod intake;
mod leads;
mod lookups;
mod metering;
mod pages;
mod products;
mod site_check;
mod support;
mod texts;
mod uploads;
mod visitors;
mod widgets;
