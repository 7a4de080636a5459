//! Icons, drawn with the text's colour.

use super::el::{El, boxed, el};
pub use crate::strokes::{ALERT, ARROW, BACK, CHECK, CLOSE, INFO, OFFLINE, PART, PHONE, PIN, PRINT, RING};

pub fn icon(path: &'static str) -> El {
    drawing("sh-icon", "0 0 20 20", path)
}

/// One path, decoration only.
pub fn drawing(class: &'static str, view_box: &'static str, path: &'static str) -> El {
    boxed("svg", class)
        .set("viewBox", view_box)
        .set("aria-hidden", "true")
        .add(el("path").set("class", "l").set("d", path))
}
