//! A logo that a site has as SVG: whether a file is one, and its color. The owner's browser draws it.
//!
//! # Decision
//!
//! Nothing on the server draws an SVG. The page of the first run gives it to the owner's browser, which draws it in an
//! `<img>`, where no script runs and nothing is loaded, and sends a PNG; the server checks that like any logo. Without
//! scripts the site's next picture is used. Turned down: a renderer of SVG in the server, which adds megabytes and a parser
//! of hostile files for what every browser does.

use std::io::Read as _;

use flate2::read::GzDecoder;
use percent_encoding::percent_decode_str;
use url::Url;

use crate::logo::MAX_LOGO_BYTES;

/// Bytes of the text that is put into a page.
const MAX_TEXT: usize = 512 * 1024;
/// Bytes before the drawing begins: a declaration, a comment of the program that made it, entities.
const MAX_PROLOG: usize = 16 * 1024;

/// The text of an SVG, also of a compressed one. `None` for anything else, and for one that is too long.
pub fn svg_text(bytes: &[u8]) -> Option<String> {
    let mut plain = Vec::new();
    let bytes = if bytes.starts_with(&[0x1f, 0x8b]) {
        GzDecoder::new(bytes).take(MAX_TEXT as u64 + 1).read_to_end(&mut plain).ok()?;
        plain.as_slice()
    } else {
        bytes
    };
    if bytes.len() > MAX_TEXT {
        return None;
    }
    let text = std::str::from_utf8(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)).ok()?;
    let prolog = text.find("<svg").filter(|at| *at <= MAX_PROLOG).map(|at| text[..at].trim_start())?;
    let is_svg = prolog.is_empty() || ["<?xml", "<!--", "<!DOCTYPE svg"].iter().any(|start| prolog.starts_with(start));
    (is_svg && !prolog.contains("<html")).then(|| text.to_owned())
}

/// The bytes of a `data:` address of a picture.
pub fn data_bytes(url: &Url) -> Option<Vec<u8>> {
    let (head, body) = url.path().split_once(',')?;
    // A color in a drawing may be written with a bare `#`.
    let whole = [body, url.query().map(|query| format!("?{query}")).unwrap_or_default().as_str()].concat();
    let whole = [whole, url.fragment().map(|rest| format!("#{rest}")).unwrap_or_default()].concat();
    let plain: Vec<u8> = percent_decode_str(&whole).collect();
    let bytes = if head.to_ascii_lowercase().ends_with(";base64") {
        let text: Vec<u8> = plain.into_iter().filter(|byte| !byte.is_ascii_whitespace()).collect();
        base64::Engine::decode(&base64::engine::general_purpose::STANDARD, text).ok()?
    } else {
        plain
    };
    (bytes.len() <= MAX_LOGO_BYTES).then_some(bytes)
}

/// The color that is named most often in a drawing, greys apart.
pub fn drawn_color(svg: &str) -> Option<[u8; 3]> {
    let mut counts: Vec<([u8; 3], u32)> = Vec::new();
    for after in svg.split('#').skip(1) {
        let digits = after.bytes().take_while(u8::is_ascii_hexdigit).count();
        // What goes on is the name of a part.
        if after.as_bytes().get(digits).is_some_and(|next| next.is_ascii_alphanumeric() || matches!(next, b'-' | b'_'))
        {
            continue;
        }
        let digit = |at: usize| after.as_bytes().get(at).and_then(|byte| char::from(*byte).to_digit(16));
        let color = match digits {
            3 => [0, 1, 2].map(|at| digit(at).map(|one| one * 17)),
            6 => [0, 2, 4].map(|at| digit(at).zip(digit(at + 1)).map(|(high, low)| high * 16 + low)),
            _ => continue,
        };
        let [Some(r), Some(g), Some(b)] = color else { continue };
        let color = [r, g, b].map(|part| u8::try_from(part).unwrap_or(u8::MAX));
        if r.max(g).max(b) - r.min(g).min(b) < 60 {
            continue;
        }
        let has_room = counts.len() < 64;
        match counts.iter_mut().find(|(known, _)| *known == color) {
            Some((_, count)) => *count += 1,
            None if has_room => counts.push((color, 1)),
            None => {}
        }
    }
    // The first of those that are named as often.
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map(|(color, _)| color)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"><path fill=\"#a1301f\" d=\"M0 0h9\"/></svg>";

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn a_file_is_an_svg_by_what_it_holds() {
        let declared = format!("\u{feff}<?xml version=\"1.0\"?>\n<!-- Made by hand -->\n{SVG}");
        let typed = format!("<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"x\" [<!ENTITY a \"b\">]>{SVG}");
        for text in [SVG, &format!(" \n{SVG}"), &declared, &typed] {
            assert!(svg_text(text.as_bytes()).is_some_and(|read| read.ends_with("</svg>")), "{text}");
        }
        assert_eq!(svg_text(&gzip(SVG.as_bytes())).as_deref(), Some(SVG));
        let page = format!("<!doctype html><html><body>{SVG}</body></html>");
        let late = format!("<!--{}-->{SVG}", "x".repeat(MAX_PROLOG));
        for other in [
            b"".as_slice(),
            b"\x89PNG\r\n",
            page.as_bytes(),
            late.as_bytes(),
            b"<?xml version='1.0'?><rss/>",
            b"<svg \xff/>",
        ] {
            assert_eq!(svg_text(other), None, "{}", String::from_utf8_lossy(other));
        }
    }

    #[test]
    fn a_drawing_of_five_megabytes_is_refused_compressed_or_not() {
        let large = format!("<svg>{}</svg>", " ".repeat(5 * 1024 * 1024));
        assert_eq!(svg_text(large.as_bytes()), None);
        let small = gzip(large.as_bytes());
        assert!(small.len() < MAX_TEXT);
        assert_eq!(svg_text(&small), None);
        assert_eq!(svg_text(&small[..small.len() / 2]), None, "cut");
    }

    #[test]
    fn a_picture_may_be_in_its_address() {
        let bytes = |address: &str| Url::parse(address).ok().and_then(|url| data_bytes(&url));
        assert_eq!(bytes("data:image/svg+xml,%3Csvg/%3E").as_deref(), Some(b"<svg/>".as_slice()));
        assert_eq!(bytes("data:image/svg+xml;charset=utf-8;base64,PHN2Zy8+").as_deref(), Some(b"<svg/>".as_slice()));
        assert_eq!(bytes("data:image/svg+xml,%3Cg fill='#f00'/%3E").as_deref(), Some(b"<g fill='#f00'/>".as_slice()));
        assert_eq!(bytes("data:image/png;base64,!!"), None);
        assert_eq!(bytes("data:image/png"), None);
    }

    #[test]
    fn the_color_of_a_drawing_is_the_one_that_it_names_most() {
        assert_eq!(drawn_color(SVG), Some([0xa1, 0x30, 0x1f]));
        assert_eq!(drawn_color("<g fill='#08f'/><g fill='#08f'/><g fill='#a1301f'/>"), Some([0, 0x88, 0xff]));
        assert_eq!(drawn_color("<use href='#badge'/><use href='#fade-in'/><g fill='#222222'/>"), None);
        assert_eq!(drawn_color(""), None);
    }
}
