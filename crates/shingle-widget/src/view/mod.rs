//! What server and browser draw alike, written once over [`Markup`]. The server builds nodes with it and writes
//! them as HTML; the browser builds elements with it and adds what follows the state.

pub mod address;
pub mod block;
pub mod contact;
pub mod estimate;
pub mod frame;
pub mod markup;
pub mod plan;
pub mod roof;
pub mod thanks;

pub use markup::{Fixed, Markup, Text};
