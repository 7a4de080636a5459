//! `/portal/portal.css` and `/portal/portal.js`, each one file for browsers and several for us. The build puts them together.

use shingle_widget::ssr::minify_css;

use crate::packed_words::text;

static STYLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/portal-css.zlib"));
static SCRIPT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/portal-js.zlib"));

pub fn portal_css() -> String {
    minify_css(&text(STYLE).unwrap_or_default())
}

pub fn portal_js() -> String {
    text(SCRIPT).unwrap_or_default()
}
