//! `/portal/portal.css` and `/portal/portal.js`, each one file for browsers and several for us. The build puts them together.

use shingle_packed::unpacked_text;
use shingle_widget::ssr::minify_css;

static STYLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/portal-css.br"));
static SCRIPT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/portal-js.br"));

pub fn portal_css() -> String {
    minify_css(&unpacked_text(STYLE))
}

pub fn portal_js() -> String {
    unpacked_text(SCRIPT)
}
