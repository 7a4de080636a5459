//! The flow as a state machine: what is known ([`State`]), what happens ([`Event`]), and what must be done
//! about it outside ([`Effect`]). No DOM, no clock, no network: those belong to the code that runs the effects.
//!
//! Requests carry a number. An answer whose number is no longer awaited is ignored: a late answer never
//! overwrites a newer one.

mod address;
mod address_form;
mod announcement;
mod apply;
mod booking;
mod choose;
pub mod contact;
mod draft;
mod event;
mod kept;
mod lead;
mod pending;
mod photo;
mod resume;
mod screen;
mod state;
mod walk;

#[cfg(test)]
pub(crate) mod tests;

pub use address_form::{AddressForm, AddressPart, NamedAddress};
pub use announcement::Announcement;
pub use choose::NOT_MINE;
pub use draft::{Draft, Prefill};
pub use event::{Effect, Event, Focus, RequestError};
pub use pending::{Booking, Lead, Pending, Retry, backoff};
pub use photo::Photo;
pub use screen::Screen;
pub use state::{State, Suggestions};
