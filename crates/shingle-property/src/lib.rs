//! What is known of properties: the immutable index, written and read, suggestions, reference tables, the sample
//! town, and the geometry of ground plans.

pub mod error;
pub mod geometry;
pub mod index;
pub mod reference;
pub mod sample_town;
mod suggest;

pub use error::PropertyError;
pub use index::{BarePlace, IndexBuilder, IndexStatus, IndexSummary, Lookup, PlaceKey, PropertyIndex};
pub use reference::Reference;
