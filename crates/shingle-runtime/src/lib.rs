//! The browser's module: the exports of `shingle-widget`, linked.
//!
//! A crate of its own because cargo applies link-time optimization only to a crate that is nothing but a program, and
//! `shingle-widget` is also a library for the server. This saves 11 kB.
//!
//! # Decisions
//!
//! - Linking goes through `xtask` (`module_linker.rs`), which drops exports of classes nobody calls: a dependency's
//!   streams, which Leptos needs for server functions. Saves 3 kB on the wire. Turned down: removing them after
//!   linking, which leaves their functions in the module's table; wasm-opt, which cannot tell either.
//! - The allocator is rlsf's small one, and nothing in the module may ask for the thread: the standard library's
//!   thread handle brings dlmalloc back, two kilobytes on the wire.

#[cfg(feature = "csr")]
pub use shingle_widget::{Handle, deliver, mount};

/// A small allocator: half the code of the standard library's.
#[cfg(feature = "csr")]
#[global_allocator]
static HEAP: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
