//! The face: the flow a visitor walks through, as a state machine ([`flow`]), its words, its colours, its
//! pictures, and the glue that ties them to a browser.
//!
//! Without features only the machine and the colours are built, so they are tested natively. `csr` is the
//! browser's build, `ssr` is what the server sends before the browser has it: loader, launcher, hosted page.

pub mod flow;
pub mod palette;
pub mod plan;
#[cfg(feature = "csr")]
mod runtime;
#[cfg(feature = "ssr")]
pub mod ssr;
pub mod strokes;
#[cfg(any(feature = "csr", feature = "ssr"))]
pub mod view;
#[cfg(feature = "csr")]
mod views;
pub mod words;

#[cfg(feature = "csr")]
pub use runtime::{Handle, deliver, mount};

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod example;
