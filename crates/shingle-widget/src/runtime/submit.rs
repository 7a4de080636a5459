//! Submitting the contact form: what the browser adds to it is a fresh key, and how long the flow was open.

use std::cell::Cell;

use super::dom;
use crate::csr::flow::Flow;
use crate::flow::Event;

thread_local! {
    /// When a flow was last opened on this page: only one dialog can be.
    static OPENED: Cell<f64> = const { Cell::new(0.0) };
}

pub fn opened_now() {
    OPENED.set(js_sys::Date::now());
}

pub fn submit(flow: Flow) {
    let elapsed = js_sys::Date::now() - OPENED.get();
    flow.send(Event::Submit { key: dom::fresh_key(), elapsed_ms: elapsed.clamp(0.0, f64::from(u32::MAX)) as u32 });
}
