//! The parts of steps that the server draws for the runtime: whatever follows from data alone. The pages for browsers
//! without scripts are made of the same nodes. So a drawing or a figure costs the module nothing, and looks alike in both.
//! What is done with a part (wishes, photographs, answers, one-press buttons) is in `www/loader/parts.js`, which says by
//! which attributes.
//!
//! # Decision
//!
//! `www/loader/parts.js` handles what a visitor does inside a part (wishes, photos, answers, one-click buttons), by
//! attributes the server sets. Turned down: Rust, three times the bytes.

mod booking;
mod dates;
mod estimate;
mod frame;
mod kept;
mod link;
mod outcome;
mod roof;
mod taps;
mod terms;

use shingle_domain::public::Part;

use super::node::Node;
use crate::words::Words;

pub(crate) use booking::booking_nodes;
pub use booking::{BookingForm, FreeOffer, booking_part};
pub use dates::{long_day, month_and_day, short_day, weekday, wish_text};
pub use estimate::{EstimateParts, estimate_step};
pub use frame::frame_parts;
pub use kept::{Kept, kept_part};
pub use link::{EstimateLink, link_part};
pub(crate) use outcome::outcome_nodes;
pub use outcome::{Outcome, thanks_part};
pub use roof::roof_answer;
pub use taps::AskedLead;
pub(crate) use taps::{questions, section};
pub(crate) use terms::monthly_terms;
pub use terms::terms;

/// These nodes in one language.
pub(crate) fn part(nodes: impl IntoIterator<Item = Node>, words: Words) -> Part {
    let nodes: Vec<_> = nodes.into_iter().map(|node| node.read(words)).collect();
    // Strings, lists and maps with text keys: nothing in them can fail.
    Part(if nodes.is_empty() { String::new() } else { serde_json::to_string(&nodes).unwrap_or_default() })
}
