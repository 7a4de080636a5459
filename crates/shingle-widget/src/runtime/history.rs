//! One history entry for each step, so that the browser's back button works in the flow. Our entries keep the
//! page's own state; closing removes them.

use std::cell::Cell;

use wasm_bindgen::prelude::*;

use super::dom::window;

/// More entries than any flow has.
const MAX_DEPTH: f64 = 64.0;
const KEY: &str = "shingle";

pub struct HistoryEntries {
    /// Tells our entries from those of an earlier visit to this page.
    mark: f64,
    depth: Cell<usize>,
    /// Our own steps back whose events are still to come: the visitor did not cause them.
    own: Cell<u32>,
}

impl Default for HistoryEntries {
    fn default() -> Self {
        let mark = (js_sys::Math::random() * 1e9).floor() * MAX_DEPTH;
        Self { mark, depth: Cell::new(0), own: Cell::new(0) }
    }
}

impl HistoryEntries {
    /// Makes the browser's history hold this many entries of ours. In a page that may not write its history (a
    /// sandbox) nothing happens.
    pub fn set_depth(&self, depth: usize) {
        let Ok(history) = window().history() else { return };
        while self.depth.get() < depth {
            let next = self.depth.get() + 1;
            let state = js_sys::Object::new();
            if let Some(theirs) = history.state().ok().and_then(|s| s.dyn_into::<js_sys::Object>().ok()) {
                js_sys::Object::assign(&state, &theirs);
            }
            let _ = js_sys::Reflect::set(&state, &KEY.into(), &(self.mark + next as f64).into());
            if history.push_state(&state, "").is_err() {
                return;
            }
            self.depth.set(next);
        }
        if self.depth.get() > depth {
            let back = self.depth.replace(depth) - depth;
            if history.go_with_delta(-(back as i32)).is_ok() {
                self.own.set(self.own.get() + 1);
            }
        }
    }

    pub fn unwind(&self) {
        self.set_depth(0);
    }

    /// The new depth, if the visitor caused the event.
    pub fn popped(&self, event: &JsValue) -> Option<usize> {
        if self.own.get() > 0 {
            self.own.set(self.own.get() - 1);
            return None;
        }
        let state = js_sys::Reflect::get(event, &"state".into()).unwrap_or_default();
        let ours = if state.is_object() {
            js_sys::Reflect::get(&state, &KEY.into()).ok().and_then(|v| v.as_f64())
        } else {
            None
        };
        let depth = ours.map(|n| n - self.mark).filter(|n| (0.0..MAX_DEPTH).contains(n)).unwrap_or(0.0) as usize;
        (self.depth.replace(depth) != depth).then_some(depth)
    }
}
