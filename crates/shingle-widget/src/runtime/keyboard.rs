//! Phones: an on-screen keyboard that only shrinks the visual viewport, and fields that the browser fills in.

use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{Element, Event, EventTarget, HtmlElement, ShadowRoot};

use super::dom::{Listener, set_property, window};
use super::read::{get, object};

/// Anything lower is a bar of the browser's.
const LOWEST: f64 = 120.0;

pub fn viewport() -> Option<EventTarget> {
    Reflect::get(&window(), &"visualViewport".into()).ok()?.dyn_into().ok()
}

pub fn number(of: &JsValue, key: &str) -> f64 {
    get(of, key).as_f64().unwrap_or_default()
}

/// Keeps the flow above the keyboard, and the field that is typed into in sight.
pub fn follow(root: &HtmlElement) -> Vec<Listener> {
    let Some(viewport) = viewport() else { return Vec::new() };
    ["resize", "scroll"]
        .map(|name| {
            let (root, viewport) = (root.clone(), viewport.clone());
            Listener::new(&viewport.clone(), name, move |_| fit(&root, &viewport, name == "resize"))
        })
        .into()
}

fn fit(root: &HtmlElement, viewport: &JsValue, resized: bool) {
    let height = number(viewport, "height");
    // Zoomed in by hand is no keyboard.
    let keyboard = number(&window(), "innerHeight") - height > LOWEST && number(viewport, "scale") < 1.01;
    if !keyboard {
        for name in ["--sh-height", "--sh-top"] {
            let _ = root.style().remove_property(name);
        }
        return;
    }
    let px = |n: f64| [&(n as i32).to_string(), "px"].concat();
    set_property(root, "--sh-height", &px(height));
    // Some browsers push the page up under the keyboard.
    set_property(root, "--sh-top", &px(number(viewport, "offsetTop")));
    let focused = root.get_root_node().dyn_into::<ShadowRoot>().ok().and_then(|shadow| shadow.active_element());
    if let Some(field) = focused.filter(|_| resized) {
        let nearest = object(&[("block", "nearest".into())]);
        let show = get(&field, "scrollIntoView").dyn_into::<Function>();
        let _ = show.map(|show| show.call1(&field, &nearest));
    }
}

/// Some browsers and password managers fill a field in and say only that it has changed.
pub fn hear_autofill(root: &HtmlElement) -> Listener {
    Listener::new(root, "change", |event| {
        let field = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        if let Some(field) = field.filter(|field| field.matches(".sh-input").unwrap_or(false)) {
            let _ = Event::new("input").map(|input| field.dispatch_event(&input));
        }
    })
}
