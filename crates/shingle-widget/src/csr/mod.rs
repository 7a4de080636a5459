//! What the browser draws, one file for each step. The views draw a [`State`](crate::flow::State) and send
//! [`Event`](crate::flow::Event)s, and know nothing of requests or timers. What they share with
//! the server is in [`view`](crate::view).
//!
//! # Decisions
//!
//! - The dialog is created at every opening and removed after closing; meanwhile an adopted stylesheet locks the
//!   page. The page's own styles are never changed, so nothing needs restoring.
//! - Keys, clicks and focus in the dialog stop at the window, before the page's listeners. The flow never pulls focus
//!   back: behind a modal dialog a page's focus trap has nothing to focus. Turned down: competing for focus, which
//!   can loop.
//! - `www/loader/stage.js`, not Rust, handles the page around the dialog: focus traps, on-screen keyboards, autofill
//!   that only sends `change`, list position, printing, module traps, history. A trapped module cannot report it, and
//!   the code is a third of the size there. Opening adds one history entry and each step one more; Back ends at the
//!   page. After a reload the current entry is reused, and a page that changes its address keeps the new one.

mod address;
mod address_form;
pub mod app;
mod block;
mod booking;
mod choose;
mod closing;
mod details;
pub mod el;
mod estimate;
pub mod flow;
mod frame;
mod kept;
mod measuring;
mod notfound;
mod parts;
mod paused;
mod plan;
mod retry;
mod roof;
mod thanks;
