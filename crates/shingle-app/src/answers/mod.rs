//! Emails that homeowners write back: read, cut to what is new, and stored with the lead.
//!
//! # Decisions
//!
//! - The address that an answer goes to names the email it answers, by a keyed token; who wrote it is told where it is another
//!   address than the lead's. Turned down: trusting `From`, which anybody can write, or `In-Reply-To`, which programs drop.
//! - Nothing here writes back, so two machines cannot keep each other busy; a lead takes 50 emails a day.
//! - Attachments are named and dropped. Turned down: keeping them, which makes the inbox a place to leave files.

mod html;
mod inbound;
mod quoted;
mod receive;
mod report;

pub use inbound::MAX_MESSAGE_BYTES;
pub use receive::{Received, Receiver, ReplyAddress};
