//! Keeps what is done inside the dialog from the page around it. Scripts of the page that listen at its document
//! would otherwise take keys for their own shortcuts (what is typed in a shadow root looks to them like typing
//! beside any field), eat the Tab key or clicks, or pull the focus back into a box of their own.
//!
//! Nothing here pulls the focus: the page behind a modal dialog is inert, so a trap that calls `focus()` there gets
//! nowhere, and two traps can never loop.

use wasm_bindgen::prelude::*;
use web_sys::{Event, HtmlElement, Node};

use super::dom::{Listener, window};
use super::read::get;

/// Whether the flow listens for it itself.
const CROSSING: [(&str, bool); 14] = [
    ("keydown", true),
    ("click", true),
    ("mousedown", true),
    ("focusin", true),
    ("keyup", false),
    ("keypress", false),
    ("mouseup", false),
    ("pointerdown", false),
    ("pointerup", false),
    ("touchstart", false),
    ("touchmove", false),
    ("touchend", false),
    ("wheel", false),
    ("focus", false),
];

/// Until what comes out is dropped.
pub fn around(root: &HtmlElement) -> impl Iterator<Item = Listener> {
    CROSSING.into_iter().map(|(name, heard)| {
        let root = root.clone();
        Listener::first(&window(), name, move |event| stop(&root, name, heard, &event))
    })
}

/// At the window nobody has seen it yet but other listeners of the window. What the browser itself does on it, it
/// does all the same.
fn stop(root: &HtmlElement, name: &str, heard: bool, event: &Event) {
    let Some(target) = event.composed_path().get(0).dyn_into::<Node>().ok().filter(|node| root.contains(Some(node)))
    else {
        return;
    };
    event.stop_propagation();
    if !heard {
        return;
    }
    let Some(inner) = window().document().and_then(|document| document.create_event("Event").ok()) else { return };
    // Not composed: it ends at the shadow root.
    inner.init_event_with_bubbles_and_cancelable(name, true, true);
    for key in ["key", "shiftKey"] {
        let _ = js_sys::Reflect::set(&inner, &key.into(), &get(event, key));
    }
    if !target.dispatch_event(&inner).unwrap_or(true) {
        event.prevent_default();
    }
}
