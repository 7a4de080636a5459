//! The list of suggestions in the top layer, as wide as its field: below it, or above where there is no room.
//! A browser without popovers shows it in the flow of the form.

use std::any::Any;

use wasm_bindgen::JsValue;
use web_sys::HtmlElement;

use super::dom::{Listener, by_id, set_property, window};
use super::read::get;
use crate::flow::Effect;
use crate::views::{Flow, watch};

/// Less room below than this turns the list up.
const ROOM: f64 = 240.0;

/// Keeps the list at its field until what comes out is dropped.
pub fn follow(flow: Flow) -> Box<dyn Any> {
    let put = move |open| flow.run(Effect::PlaceList(open));
    let followed = watch(Box::new(move || put(flow.watch(|s| s.list.open))));
    let again =
        ["resize", "scroll"].map(|name| Listener::new(&window(), name, move |_| put(flow.read(|s| s.list.open))));
    Box::new((followed, again))
}

/// Shows or hides the list, and puts it in its place.
pub fn place(root: &HtmlElement, open: bool) {
    let (Some(list), Some(field)) = (by_id(root, "sh-list"), by_id(root, "sh-address")) else { return };
    if !open {
        let _ = list.hide_popover();
        return;
    }
    if list.show_popover().is_err() && !list.matches(":popover-open").unwrap_or(false) {
        return;
    }
    let at = field.get_bounding_client_rect();
    // What a keyboard covers is no room.
    let number = |of: &JsValue, key: &str| get(of, key).as_f64().unwrap_or_default();
    let seen = get(&window(), "visualViewport");
    let bottom = if seen.is_object() {
        number(&seen, "offsetTop") + number(&seen, "height")
    } else {
        number(&window(), "innerHeight")
    };
    let below = bottom - at.bottom();
    let px = |n: f64| [&(n.round() as i32).to_string(), "px"].concat();
    set_property(&list, "left", &px(at.left()));
    set_property(&list, "width", &px(at.width()));
    let above = at.top();
    let up = below < ROOM && above > below;
    // Room for the gap, and for a finger's breadth of what is behind.
    set_property(&list, "max-height", &px(if up { above } else { below } - 14.0));
    let top = if up { (above - 6.0 - f64::from(list.offset_height())).max(8.0) } else { at.bottom() + 6.0 };
    set_property(&list, "top", &px(top));
}
