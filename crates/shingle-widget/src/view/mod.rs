//! What server and browser draw alike, written once over [`Markup`]. The server builds nodes with it and writes
//! them as HTML; the browser builds elements with it and adds what follows the state.

pub mod address;
pub mod block;
#[cfg(feature = "ssr")]
pub mod choose;
pub mod contact;
#[cfg(feature = "ssr")]
pub mod estimate;
#[cfg(feature = "ssr")]
pub mod frame;
#[cfg(feature = "ssr")]
pub mod gate;
pub mod markup;
#[cfg(feature = "ssr")]
pub mod photo;
#[cfg(feature = "ssr")]
pub mod plan;
#[cfg(feature = "ssr")]
pub mod roof;
#[cfg(feature = "ssr")]
pub mod thanks;

pub use markup::{Fixed, Markup, Text};
