//! Pages as they are sent: packed where the browser takes that.
//!
//! # Decision
//!
//! Only pages requested from our own site are compressed, style and script once for all. Requests from another site
//! get plain bytes: their words may be in the page beside a homeowner's, and the length would reveal matches. Turned
//! down: a layer for every route.

use std::io::Write;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::web::encoding::Encoding;
use crate::web::error::ApiError;

/// Shorter ones fit into the packets of the head.
const LEAST: usize = 1_000;
/// A list of 50 leads takes 0.6 ms, and is an eighth longer than what 1.5 ms would give: a browser waits for the first byte.
const QUALITY: i32 = 3;

pub async fn compress(request: Request, next: Next) -> Response {
    let encoding = match *request.method() {
        Method::HEAD => Encoding::Plain,
        _ => encoding(request.headers()),
    };
    let response = next.run(request).await;
    if encoding == Encoding::Plain || !is_page(response.headers()) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let plain = match to_bytes(body, usize::MAX).await {
        Ok(plain) => plain,
        Err(error) => return ApiError::internal(error).into_response(),
    };
    parts.headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    let packed = if plain.len() < LEAST { None } else { packed(&plain, encoding) };
    let (Some(packed), Some(name)) = (packed, encoding.name()) else {
        return Response::from_parts(parts, Body::from(plain));
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
    Response::from_parts(parts, Body::from(packed))
}

/// A page that another site has asked for is not packed. It may hold words of that site, in a search, beside those of
/// homeowners; the length of both packed together would tell an eavesdropper whether they are alike (BREACH).
fn encoding(headers: &HeaderMap) -> Encoding {
    match headers.get("sec-fetch-site").map(HeaderValue::as_bytes) {
        Some(b"same-origin" | b"none") => Encoding::accepted(headers),
        _ => Encoding::Plain,
    }
}

fn is_page(headers: &HeaderMap) -> bool {
    let is_html = headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    is_html && !headers.contains_key(header::CONTENT_ENCODING)
}

fn packed(plain: &[u8], encoding: Encoding) -> Option<Vec<u8>> {
    let mut packed = Vec::new();
    match encoding {
        Encoding::Plain => return None,
        Encoding::Gzip => {
            let mut writer = flate2::write::GzEncoder::new(packed, flate2::Compression::default());
            writer.write_all(plain).ok()?;
            packed = writer.finish().ok()?;
        }
        Encoding::Brotli => {
            let settings = brotli::enc::BrotliEncoderParams { quality: QUALITY, ..Default::default() };
            brotli::BrotliCompress(&mut &*plain, &mut packed, &settings).ok()?;
        }
    }
    Some(packed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_that_were_asked_for_from_here_are_packed() {
        let asked = |site: &'static str, accepted: &'static str| {
            let site = ("sec-fetch-site", site);
            let all = [site, ("accept-encoding", accepted)].into_iter().filter(|(_, value)| !value.is_empty());
            let named = |(name, value): (&'static str, &'static str)| {
                (header::HeaderName::from_static(name), HeaderValue::from_static(value))
            };
            encoding(&all.map(named).collect())
        };
        assert_eq!(asked("same-origin", "gzip, br"), Encoding::Brotli);
        assert_eq!(asked("none", "gzip"), Encoding::Gzip);
        assert_eq!(asked("same-origin", ""), Encoding::Plain);
        for site in ["cross-site", "same-site", "", "elsewhere"] {
            assert_eq!(asked(site, "gzip, br"), Encoding::Plain, "{site}");
        }
    }

    #[test]
    fn what_is_packed_is_read_again() {
        let page = "<p>A home in Harrow Falls</p>".repeat(1_000).into_bytes();
        let mut read = Vec::new();
        brotli::BrotliDecompress(&mut packed(&page, Encoding::Brotli).unwrap().as_slice(), &mut read).unwrap();
        assert_eq!(read, page);
        let zipped = packed(&page, Encoding::Gzip).unwrap();
        assert!(zipped.len() < page.len() / 10);
        let mut read = Vec::new();
        std::io::copy(&mut flate2::read::GzDecoder::new(zipped.as_slice()), &mut read).unwrap();
        assert_eq!(read, page);
    }
}
