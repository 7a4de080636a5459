//! One history entry a step, so that the browser's back button walks the flow. The page's own state is kept
//! beside ours, and on closing everything is as it was.

use std::cell::Cell;

use wasm_bindgen::prelude::*;

use super::dom::window;

/// Deeper than any flow goes.
const DEEPEST: f64 = 64.0;
const KEY: &str = "shingle";

pub struct Trail {
    /// Tells our entries from those of an earlier visit to this page.
    mark: f64,
    depth: Cell<usize>,
    /// Our own steps back, whose events are no wish of the visitor's.
    own: Cell<u32>,
}

impl Default for Trail {
    fn default() -> Self {
        let mark = (js_sys::Math::random() * 1e9).floor() * DEEPEST;
        Self { mark, depth: Cell::new(0), own: Cell::new(0) }
    }
}

impl Trail {
    /// Has the browser's history hold as many entries of ours as this. A page that may not write its history
    /// (a sandbox) goes without.
    pub fn stand_at(&self, depth: usize) {
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
        self.stand_at(0);
    }

    /// Where the browser went, if the visitor sent it.
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
        let depth = ours.map(|n| n - self.mark).filter(|n| (0.0..DEEPEST).contains(n)).unwrap_or(0.0) as usize;
        (self.depth.replace(depth) != depth).then_some(depth)
    }
}
