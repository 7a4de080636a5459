//! The ground: what is known of addresses. Normalises and matches them, keeps the immutable property
//! index, and reads county tables and outlines into it.

pub mod address;
pub mod error;
pub mod import;
pub mod index;
pub mod reference;
pub mod sample_town;
mod suggest;

pub use address::{Normalized, ParsedLine, parse_line};
pub use error::PropertyError;
pub use index::{IndexBuilder, IndexStatus, IndexSummary, Lookup, PlaceKey, PropertyIndex};
pub use reference::Reference;
