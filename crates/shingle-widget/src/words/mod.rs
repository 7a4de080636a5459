//! The sentences of the flow. They are in `www/words`, one file for each language; [`w`] has a name for each. A
//! browser gets one language as a plain list, so the module contains no sentences.
//!
//! # Decision
//!
//! Sentences are in `www/words`, one file per language, and reach the module as a list of fixed length. Only
//! sentences that the module itself shows travel to the browser; they come first in the files. Turned down: sentences
//! in the module, which would send every language to every visitor.

#[cfg(any(feature = "ssr", test))]
mod building_names;
#[cfg(any(feature = "ssr", test))]
mod consent;
mod fill;
mod labels;
#[cfg(any(feature = "ssr", test))]
mod language;
mod numbers;
mod problem;
#[cfg(all(debug_assertions, any(feature = "ssr", test)))]
pub mod pseudo;
mod table;
#[cfg(any(feature = "ssr", test))]
mod told;

#[cfg(any(feature = "ssr", test))]
pub use building_names::name_buildings;
#[cfg(any(feature = "ssr", test))]
pub use consent::{consent_language, consent_text};
pub use fill::fill;
pub use labels::{area_alert, complexity, material, material_in_text, pitch_alert};
#[cfg(any(feature = "ssr", test))]
pub use language::flow_words;
#[cfg(feature = "ssr")]
pub(crate) use language::in_language;
#[cfg(any(feature = "ssr", test))]
pub use numbers::{cents, money};
pub use numbers::{dollars, squares, tenths, thousands};
pub use problem::Problem;
pub use table::{FLOW_WORD_COUNT, Group, WORD_COUNT, Word, Words, w};
#[cfg(any(feature = "ssr", test))]
pub use told::{Told, told, urgent, wants, written};
