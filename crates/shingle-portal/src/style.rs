//! `/portal/portal.css` and `/portal/portal.js`.

use shingle_widget::ssr::minify_css;

const STYLE: &str = include_str!("../../../www/portal/portal.css");
const SCRIPT: &str = include_str!("../../../www/portal/portal.js");

pub fn portal_css() -> String {
    minify_css(STYLE)
}

pub fn portal_js() -> &'static str {
    SCRIPT
}
