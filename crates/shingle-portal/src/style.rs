//! `/portal/portal.css` and `/portal/portal.js`, each one file for browsers and several for us. The build puts them together.

use std::io::Read as _;

use flate2::read::ZlibDecoder;

static STYLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/portal-css.zlib"));
static SCRIPT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/portal-js.zlib"));

pub fn portal_css() -> String {
    shingle_widget::ssr::minify_css(&unpacked(STYLE))
}

pub fn portal_js() -> String {
    unpacked(SCRIPT)
}

fn unpacked(packed: &[u8]) -> String {
    let mut text = String::new();
    match ZlibDecoder::new(packed).read_to_string(&mut text) {
        Ok(_) => text,
        Err(error) => unreachable!("the build has packed it: {error}"),
    }
}
