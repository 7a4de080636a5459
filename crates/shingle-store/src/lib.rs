//! The books of Shingle: accounts, keys, usage, widgets, leads, idempotency and events, kept in SQLite or
//! PostgreSQL with one SQL text; and blobs (logos, QR codes), kept beside them.
//!
//! - Every function on tenant data takes `&Tenant` first. Somebody else's id is simply not found.
//! - The time is handed in through [`Clock`]; nothing here asks the machine for it.
//! - What a function has answered is committed. A lead, its consent and its event are one transaction.
//! - Errors are one enum, [`StoreError`], which knows nothing of HTTP.

#[macro_use]
mod row;

mod account;
mod blob;
mod clock;
mod db;
mod dialect;
mod error;
mod event;
mod intake;
mod key;
mod lead;
mod mark;
mod metering;
mod secret;
mod store;
mod widget;

pub use account::Account;
pub use blob::{Blob, Blobs};
pub use clock::Clock;
pub use error::{Refusal, StoreError};
pub use event::{Event, EventId};
pub use intake::{Accepted, ConsentDraft, LeadDraft, Outcome};
pub use key::{ApiKey, Caller, IssuedKey};
pub use lead::{Cursor, HomeownerChange, LeadFilter, OwnerChange, Page};
pub use metering::Reservation;
pub use secret::Secret;
pub use store::Store;
pub use widget::StoredWidget;
