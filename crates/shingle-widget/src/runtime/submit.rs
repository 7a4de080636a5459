//! Submitting the contact form: what the browser adds to it is a fresh key, and how long the visitor took.
//!
//! # Decision
//!
//! Ids that Google and Meta set on the contractor's page are read once, when a lead is sent, so visitors who only
//! look are not read and a retried lead is identical. The hosted page reads none. Turned down: our own cookies.

use std::cell::Cell;

use wasm_bindgen::prelude::*;

use super::dom;
use crate::csr::flow::Flow;
use crate::flow::Event;

#[wasm_bindgen]
extern "C" {
    /// A clock that nobody sets. The page may have another `performance`.
    #[wasm_bindgen(catch, js_namespace = performance)]
    fn now() -> Result<f64, JsValue>;
}

thread_local! {
    /// When a flow was first opened on this page, less what earlier pages had taken.
    static OPENED: Cell<f64> = const { Cell::new(f64::INFINITY) };
}

/// A flow is opened, whose draft was worked on for so many milliseconds on earlier pages.
pub fn opened_now(earlier: f64) {
    OPENED.set(OPENED.get().min(now().unwrap_or_default() - earlier));
}

/// Milliseconds since the first opening.
pub fn elapsed() -> f64 {
    (now().unwrap_or_default() - OPENED.get()).clamp(0.0, f64::from(u32::MAX))
}

pub fn submit(flow: Flow) {
    flow.send(Event::Submit { key: dom::fresh_key(), elapsed_ms: elapsed() as u32 });
}
