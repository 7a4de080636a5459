//! Where to return after signing in: the page somebody opened before, for example from a mail.

use axum::extract::Request;
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use url::form_urlencoded::byte_serialize;

use crate::portal::responses::{COOKIES, either, to, with_cookie, without_cookie};
use crate::web::connection::Visitor;

const SECONDS: u64 = 15 * 60;
/// The longest is a website's request to be connected.
const MAX_LENGTH: usize = 1_600;

/// Whether this is a page of ours, in characters that a cookie holds.
fn is_page(path: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_?=&.%+".contains(&byte);
    path.starts_with("/portal/") && path.len() <= MAX_LENGTH && !path.contains("..") && path.bytes().all(is_plain)
}

/// To the sign-in. A browser whose person opened a page keeps which, and so does the address, for programs that follow a link
/// and hand its end to a browser. What scripts ask for is no page; browsers before 2020 to 2023 do not say which it is.
pub fn sign_in_first(request: &Request) -> Response {
    let path = request.uri().path_and_query().map_or("", |path| path.as_str());
    let is_opened = request.headers().get("sec-fetch-mode").is_none_or(|mode| mode == "navigate");
    let is_news = request.uri().path().rsplit('/').next().is_some_and(|name| ["news", "count"].contains(&name));
    match request.extensions().get::<Visitor>().copied() {
        Some(visitor) if *request.method() == Method::GET && is_opened && !is_news && is_page(path) => {
            let address: String = byte_serialize(path.as_bytes()).collect();
            keep_wished(to(&format!("/portal/sign-in?to={address}")), path, visitor)
        }
        _ => to("/portal/sign-in"),
    }
}

pub fn keep_wished(response: Response, path: &str, visitor: Visitor) -> Response {
    with_cookie(response, COOKIES.wished, path, SECONDS, visitor)
}

/// A page of ours that an address names.
pub fn wished_page(path: &str) -> Option<&str> {
    Some(path).filter(|path| is_page(path) && !path.starts_with("/portal/sign-in"))
}

/// What this browser asked for, or else `usual`.
pub fn page_after_sign_in<'h>(headers: &'h HeaderMap, usual: &'h str) -> &'h str {
    either(headers, COOKIES.wished).filter(|path| is_page(path)).unwrap_or(usual)
}

pub fn forget(response: Response, visitor: Visitor) -> Response {
    without_cookie(response, COOKIES.wished, visitor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_the_portal_are_kept() {
        for page in ["/portal/leads/0192f4c1-7d3e?data=sandbox", "/portal/notices", "/portal/leads?search=a%20b+c&x=1"]
        {
            assert!(is_page(page), "{page}");
        }
        let long = format!("/portal/{}", "x".repeat(MAX_LENGTH));
        for other in [
            "",
            "/",
            "/portal",
            "//evil.example",
            "https://evil.example/portal/",
            "/portal/../x",
            "/portal/a;b",
            "/portal/ü",
            &long,
        ] {
            assert!(!is_page(other), "{other}");
        }
    }
}
