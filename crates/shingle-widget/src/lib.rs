//! The lead widget: the flow a visitor walks through from an address to a price, and everything that shows it.
//!
//! | module | what it is | built |
//! |---|---|---|
//! | [`flow`] | the flow as a state machine: no DOM, no clock, no network | always |
//! | [`words`], [`palette`], `plan`, `site`, [`strokes`] | sentences, colors, the drawing of a roof, icons | always |
//! | `view` | the markup that server and browser have in common, over one trait | with `csr` or `ssr` |
//! | `csr` | the browser's views (Leptos): `view`, and what follows the state | with `csr` |
//! | `runtime` | ties the flow to a browser: effects, requests, storage, the exports | with `csr` |
//! | `ssr` | what the server sends: loader, launcher, hosted page, the pages for browsers without scripts | with `ssr` |
//!
//! The flow takes events and says what has to be done:
//!
//! ```
//! use shingle_widget::flow::{Effect, Event, Screen, State};
//!
//! let mut state = State::new(7);
//! state.apply(Event::Opened);
//! assert_eq!(state.screen(), Screen::Address);
//!
//! // The runtime waits until typing pauses, and raises the event that is in the effect.
//! let effects = state.apply(Event::Typed("14 Alder Court".to_owned()));
//! let [Effect::After(_ms, due)] = &effects[..] else { panic!("{effects:?}") };
//! let effects = state.apply(due.clone());
//! assert!(matches!(&effects[..], [Effect::Suggest(_, text)] if text == "14 Alder Court"));
//! ```

#[cfg(feature = "csr")]
mod csr;
pub mod flow;
pub mod palette;
#[cfg(feature = "ssr")]
pub mod path;
#[cfg(feature = "ssr")]
pub mod plan;
#[cfg(feature = "ssr")]
pub mod price_parts;
#[cfg(feature = "csr")]
mod runtime;
#[cfg(feature = "ssr")]
pub mod site;
#[cfg(feature = "ssr")]
pub mod ssr;
pub mod strokes;
#[cfg(any(feature = "csr", feature = "ssr"))]
pub mod view;
pub mod words;

#[cfg(feature = "csr")]
pub use runtime::{Handle, deliver, mount};

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod example;
