//! The browser's module: the exports of `shingle-widget`, linked.
//!
//! A crate of its own because cargo applies link-time optimisation only to a crate that is nothing but a program, and
//! `shingle-widget` is also a library for the server.

#[cfg(feature = "csr")]
pub use shingle_widget::{Handle, deliver, mount};

/// A small allocator: half the code of the standard library's.
#[cfg(feature = "csr")]
#[global_allocator]
static HEAP: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
