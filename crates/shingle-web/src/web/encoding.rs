//! Content negotiation: which encoding a browser accepts, and whether it already has the file.

use axum::http::{HeaderMap, header};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Plain,
    Gzip,
    Brotli,
}

impl Encoding {
    /// The smallest that the request accepts.
    pub fn accepted(headers: &HeaderMap) -> Self {
        let lines = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|v| v.to_str().ok());
        let mut best = Self::Plain;
        for part in lines.flat_map(|line| line.split(',')) {
            let (coding, weight) = part.split_once(';').map_or((part, None), |(coding, q)| (coding, Some(q)));
            let coding = match coding.trim() {
                coding if coding.eq_ignore_ascii_case("br") => Self::Brotli,
                coding if coding.eq_ignore_ascii_case("gzip") => Self::Gzip,
                _ => continue,
            };
            let is_refused =
                weight.is_some_and(|q| q.trim().trim_start_matches("q=").parse::<f32>().is_ok_and(|q| q <= 0.0));
            match coding {
                _ if is_refused => {}
                Self::Brotli => return Self::Brotli,
                _ => best = coding,
            }
        }
        best
    }

    /// For `Content-Encoding`.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Gzip => Some("gzip"),
            Self::Brotli => Some("br"),
        }
    }
}

/// Whether `If-None-Match` names this tag.
pub fn is_cached(headers: &HeaderMap, tag: &str) -> bool {
    headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|v| v.to_str().ok()).any(|line| {
        line.split(',').map(str::trim).any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_accepted_encoding_is_chosen() {
        let pick = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, value.parse().unwrap());
            Encoding::accepted(&headers)
        };
        assert_eq!(pick("gzip, deflate, br, zstd"), Encoding::Brotli);
        assert_eq!(pick("gzip, br;q=0"), Encoding::Gzip);
        assert_eq!(pick("GZIP;q=0.5"), Encoding::Gzip);
        assert_eq!(pick("identity"), Encoding::Plain);
        assert_eq!(pick("broccoli"), Encoding::Plain);
        assert_eq!(Encoding::accepted(&HeaderMap::new()), Encoding::Plain);
    }

    #[test]
    fn an_etag_matches_weak_or_strong_or_by_star() {
        let is_known = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::IF_NONE_MATCH, value.parse().unwrap());
            is_cached(&headers, "\"abc\"")
        };
        assert!(is_known("\"abc\"") && is_known("W/\"abc\"") && is_known("\"x\", \"abc\"") && is_known("*"));
        assert!(!is_known("\"abcd\"") && !is_known("abc"));
    }
}
