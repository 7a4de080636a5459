//! Icons: 20 × 20, drawn with the text's colour.

use super::el::{El, boxed, el};

pub const BACK: &str = "M12 4.5 6.5 10l5.5 5.5";
pub const CLOSE: &str = "m5 5 10 10M15 5 5 15";
pub const PHONE: &str =
    "M4 3.5h3l1.5 4-2 1.3a9 9 0 0 0 4.7 4.7l1.3-2 4 1.5v3c0 .6-.5 1-1 1C8.6 17 3 11.4 3 4.5c0-.5.4-1 1-1Z";
pub const PIN: &str = "M10 17.5s5.5-4.7 5.5-9a5.5 5.5 0 0 0-11 0c0 4.3 5.5 9 5.5 9ZM12 8.5a2 2 0 1 1-4 0a2 2 0 1 1 4 0";
pub const CHECK: &str = "m4.5 10.5 3.7 3.7 7.3-8";
pub const ALERT: &str = "M17.25 10a7.25 7.25 0 1 1-14.5 0a7.25 7.25 0 1 1 14.5 0M10 6.3v4.5M10 13.7v.1";
pub const INFO: &str = "M17.25 10a7.25 7.25 0 1 1-14.5 0a7.25 7.25 0 1 1 14.5 0M10 9.3v4.5M10 6.4v.1";
pub const OFFLINE: &str = "M3 3l14 14M5.8 9.8A7 7 0 0 1 8 8.4M2.8 7.4A11 11 0 0 1 6 5.2M9.4 5a11 11 0 0 1 7.8 2.4M12.4 8.7a7 7 0 0 1 1.8 1.1M10 14.5v.1";
pub const PRINT: &str = "M6 7V3.5h8V7M6 14H3.5V7h13v7H14M6 11.5h8v5H6z";
pub const ARROW: &str = "M4 10h12M11 5l5 5-5 5";
pub const RING: &str = "M17.25 10a7.25 7.25 0 1 1-14.5 0a7.25 7.25 0 1 1 14.5 0";
pub const PART: &str = "M10 2.75a7.25 7.25 0 1 1-6.3 10.8";

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
