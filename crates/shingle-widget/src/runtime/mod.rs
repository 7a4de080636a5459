//! What ties the flow to a browser: the exports the loader calls, the effects, requests and storage.
//!
//! Contract with the loader: it makes the `<dialog>` in an open shadow root, adopts the stylesheet and paints a
//! skeleton; [`mount`] puts the flow in the skeleton's place. Without a dialog the flow lives in the host itself.

mod api;
pub mod dom;
mod drafts;
mod kept;
mod mount;
mod mounted;
mod pending;
pub mod popover;
mod read;
#[cfg(test)]
#[cfg(target_arch = "wasm32")]
mod read_tests;
mod sender;
mod store;
pub mod submit;

pub use mount::{Handle, deliver, mount};
