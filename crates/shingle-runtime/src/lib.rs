//! The browser's module: the exports of `shingle-widget`, linked.
//!
//! A crate of its own because cargo optimises at link time only what is a program and nothing else, and
//! `shingle-widget` is a library for the server too.

#[cfg(feature = "csr")]
pub use shingle_widget::{Handle, deliver, mount};

/// A small one: half the code of the standard library's.
#[cfg(feature = "csr")]
#[global_allocator]
static HEAP: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
