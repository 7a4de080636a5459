//! The words of Shingle: what an address, a widget, a roof and a lead are, with the field names of the
//! public contract (misspellings included) and the rules their values must meet.
//!
//! Nothing here reads a file, a socket or a clock, so the same rules run in the server and in the browser.

pub mod address;
pub mod area;
pub mod buyer;
pub mod check;
pub mod color;
pub mod details;
pub mod error;
pub mod event;
pub mod evidence;
pub mod host;
pub mod id;
pub mod lead;
pub mod lookup;
pub mod money;
mod number;
pub mod public;
pub mod roof;
pub mod rules;
pub mod solar;
pub mod text;
pub mod time;
pub mod utility;
pub mod web;
pub mod widget;

pub use address::{Address, State, Zip};
pub use area::Area;
pub use color::HexColor;
pub use error::{ErrorBody, Violations};
pub use evidence::Evidence;
pub use id::{AccountId, Environment, KeyId, LeadId, Tenant, WidgetId};
pub use money::Usd;
pub use time::Timestamp;
pub use web::{Email, Phone, SafeUrl};
