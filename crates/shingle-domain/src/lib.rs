//! The domain types of Shingle: addresses, widgets, roofs, leads and the other records, with the field names of the
//! public contract (misspellings included), and the rules for the values of a request.
//!
//! Nothing here reads a file, a socket or a clock, so the same rules run in the server and in the browser.
//!
//! ```
//! use shingle_domain::lookup::{LookupQuery, Product};
//! use shingle_domain::rules::Fields;
//!
//! let fields = Fields::from_pairs([("address", "14 Alder Court, Harrow Falls, ME 04995"), ("installedPrice", "-1")]);
//! let violations = LookupQuery::parse(Product::RoofEstimate, &fields).unwrap_err();
//! assert_eq!(violations.messages(), ["installedPrice value must be a decimal greater than 0 with at most 2 decimal places"]);
//! ```

pub mod address;
pub mod aerial;
pub mod answers;
pub mod appointment;
pub mod area;
pub mod buyer;
pub mod check;
pub mod cold_sort;
pub mod color;
pub mod contact;
pub mod days_off;
pub mod decimal;
pub mod details;
pub mod error;
pub mod event;
pub mod evidence;
pub mod free_times;
pub mod geometry;
pub mod home_roof;
pub mod host;
pub mod id;
pub mod inspection;
mod language;
pub mod lead;
pub mod lookup;
pub mod loss;
pub mod mail;
pub mod materials;
#[macro_use]
pub mod message;
#[macro_use]
mod widget_fields;
pub mod money;
pub mod next_step;
pub mod notice;
mod number;
pub mod payment;
pub mod public;
pub mod quote;
pub mod reply;
pub mod roof;
pub mod rules;
#[cfg(feature = "schema")]
mod schema;
pub mod series;
pub mod settings;
pub mod solar;
pub mod surroundings;
pub mod tag;
pub mod text;
pub mod time;
pub mod usage;
mod user;
pub mod utility;
pub mod violation;
pub mod visit;
pub mod webhook;
pub mod widget;
pub mod widget_copy;
mod widget_scope;

pub use address::{Address, State, Zip};
pub use area::Area;
pub use color::HexColor;
pub use contact::{Email, Phone, SafeUrl};
pub use error::ErrorBody;
pub use evidence::Evidence;
pub use id::{
    AccountId, AppointmentId, CeremonyId, ConsentId, DeliveryId, DestinationId, EntryId, Environment, InviteId, KeyId,
    LeadId, LeadImportId, LinkId, PasskeyId, QuoteId, ReplyId, SessionId, Tenant, UserId, WidgetId,
};
pub use language::Language;
pub use money::Usd;
pub use settings::WidgetSettings;
pub use time::Timestamp;
pub use user::{Role, UserName};
pub use violation::{FieldPath, Rule, Violation, Violations};
pub use widget_scope::WidgetScope;

/// Every message of this crate: the key of its sentence, and its English.
pub const MESSAGES: &[&[(&str, &str)]] =
    &[series::Joint::SENTENCES, Rule::SENTENCES, violation::Broken::SENTENCES, violation::SettingOwner::SENTENCES];
