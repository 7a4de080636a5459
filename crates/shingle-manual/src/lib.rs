//! The manual, as the server shows it at `/manual`: pages, and a search that needs no script.
//!
//! The text is `assets/manual/src`, a book for mdBook too. The build renders it and checks every link (`build.rs`).
//!
//! # Decision
//!
//! The pages are ours and not mdBook's: they need no script, no fonts and no index of the search in the browser, look
//! like the portal, and take a tenth of the room. Turned down: embedding what `mdbook build` writes, which brings 1.5 MB
//! and inline scripts that our policy forbids.

mod book;
mod page;
mod search;

pub use book::names;
pub use page::{manual_page, search_page, style};
