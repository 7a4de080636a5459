//! `/portal/portal.css` and `/portal/portal.js`, each one file for browsers and several for us.

use shingle_widget::ssr::minify_css;

const STYLES: &[&str] = &[
    include_str!("../../../www/portal/portal.css"),
    include_str!("../../../www/portal/leads.css"),
    include_str!("../../../www/portal/operator.css"),
    include_str!("../../../www/portal/passkey.css"),
    include_str!("../../../www/portal/start.css"),
    include_str!("../../../www/portal/connections.css"),
    include_str!("../../../www/portal/designer.css"),
    include_str!("../../../www/portal/results.css"),
    include_str!("../../../www/portal/areas.css"),
];
const SCRIPTS: &[&str] = &[
    include_str!("../../../www/portal/seen.js"),
    include_str!("../../../www/portal/portal.js"),
    include_str!("../../../www/portal/leads.js"),
    include_str!("../../../www/portal/app.js"),
    include_str!("../../../www/portal/imports.js"),
    include_str!("../../../www/portal/passkey.js"),
    include_str!("../../../www/portal/connections.js"),
    include_str!("../../../www/portal/designer.js"),
    include_str!("../../../www/portal/logo.js"),
    include_str!("../../../www/portal/phone.js"),
    include_str!("../../../www/portal/areas.js"),
];

pub fn portal_css() -> String {
    minify_css(&STYLES.concat())
}

pub fn portal_js() -> String {
    SCRIPTS.concat()
}
