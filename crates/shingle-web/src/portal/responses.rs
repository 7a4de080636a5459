//! Responses of the portal: pages, redirects, cookies.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use shingle_portal::{Counted, Guest, counted, ended_page, refused_page};
use shingle_store::SESSION_LIFETIME;

use crate::web::connection::Visitor;
use crate::web::error::ApiError;

/// Names of our cookies. Those with the prefix are only taken over TLS, from this very host; without TLS, that is on
/// this machine, browsers would refuse them.
pub struct CookieNames {
    pub session: [&'static str; 2],
    /// Of a browser that asked for a mail.
    pub browser: [&'static str; 2],
    /// Of a browser whose device is asked for a passkey.
    pub passkey: [&'static str; 2],
    /// The page that was asked for before the sign-in.
    pub wished: [&'static str; 2],
    /// Of a browser in which somebody has signed in.
    pub known: [&'static str; 2],
}

pub const COOKIES: CookieNames = CookieNames {
    session: ["__Host-shingle", "shingle-local"],
    browser: ["__Host-shingle-browser", "shingle-local-browser"],
    passkey: ["__Host-shingle-passkey", "shingle-local-passkey"],
    wished: ["__Host-shingle-wished", "shingle-local-wished"],
    known: ["__Host-shingle-known", "shingle-local-known"],
};

/// A page where a script draws logos.
pub const LOGOS: (header::HeaderName, &str) = (
    header::CONTENT_SECURITY_POLICY,
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
);

/// A page that shows the visitor's own page in a frame; in the designer, a script draws logos too.
pub const FRAMING: (header::HeaderName, &str) = (
    header::CONTENT_SECURITY_POLICY,
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; \
     base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
);

/// The style is asked for before the page is read.
const STYLE_FIRST: (header::HeaderName, &str) = (header::LINK, "</portal/portal.css>; rel=preload; as=style");

pub fn page_with(status: StatusCode, html: String) -> Response {
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), STYLE_FIRST];
    (status, headers, html).into_response()
}

pub fn page(html: String) -> Response {
    page_with(StatusCode::OK, html)
}

/// After a form: a reload sends nothing again.
pub fn to(path: &str) -> Response {
    Redirect::to(path).into_response()
}

fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|line| line.split(';')).find_map(|pair| {
        let (found, value) = pair.trim().split_once('=')?;
        (found == name).then_some(value)
    })
}

/// The one of this browser, by whichever name it has.
pub fn either<'h>(headers: &'h HeaderMap, names: [&str; 2]) -> Option<&'h str> {
    names.iter().find_map(|name| cookie(headers, name))
}

fn set_cookie(names: [&str; 2], value: &str, seconds: u64, visitor: Visitor) -> Option<HeaderValue> {
    let text = if visitor.is_tls {
        format!("{}={value}; Path=/; Max-Age={seconds}; Secure; HttpOnly; SameSite=Lax", names[0])
    } else {
        format!("{}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax", names[1])
    };
    HeaderValue::from_str(&text).ok()
}

pub fn with_cookie(mut response: Response, names: [&str; 2], value: &str, seconds: u64, visitor: Visitor) -> Response {
    if let Some(cookie) = set_cookie(names, value, seconds, visitor) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// Signs this browser in, whatever it was before: a token that was there already is no longer used.
pub fn with_session(response: Response, token: &str, visitor: Visitor) -> Response {
    let response = with_cookie(response, COOKIES.session, token, SESSION_LIFETIME.as_secs(), visitor);
    with_cookie(response, COOKIES.browser, "", 0, visitor)
}

pub fn without_cookie(response: Response, names: [&str; 2], visitor: Visitor) -> Response {
    with_cookie(response, names, "", 0, visitor)
}

pub fn without_session(response: Response, visitor: Visitor) -> Response {
    with_cookie(response, COOKIES.session, "", 0, visitor)
}

/// What a page says that ends what was tried. The gate writes it, which knows who reads it.
#[derive(Debug, Clone, Copy)]
pub enum Ending {
    Said {
        title: &'static str,
        said: &'static str,
    },
    TooMany {
        seconds: u64,
    },
    /// To somebody who is signed in and may not.
    Refused {
        said: &'static str,
    },
}

impl Ending {
    pub fn html(self, guest: Guest<'_>) -> String {
        match self {
            Self::Said { title, said } => ended_page(guest, title, said),
            Self::TooMany { seconds } => {
                let minutes = seconds.div_ceil(60).max(1);
                let said = counted(guest.language, Counted::TRY_AGAIN, i64::try_from(minutes).unwrap_or(i64::MAX));
                ended_page(guest, "Too many tries", said)
            }
            Self::Refused { said } => refused_page(guest, said),
        }
    }

    /// For a browser in whose window an error of the API would stand otherwise.
    pub fn of_error(status: StatusCode) -> Self {
        match status {
            StatusCode::NOT_FOUND => NOT_THERE,
            status if status.is_server_error() => Self::Said {
                title: "Something went wrong here",
                said: "It’s our fault, and we’ve logged it. Please try again in a moment.",
            },
            _ => Self::Said {
                title: "That didn’t work",
                said: "We didn’t understand this request, so we changed nothing. Please go back, reload the page and try again.",
            },
        }
    }
}

const NOT_THERE: Ending =
    Ending::Said { title: "Nothing here", said: "It may have been erased, or it belongs to another company." };

pub fn ended(status: StatusCode, ending: Ending) -> Response {
    let mut response = status.into_response();
    response.extensions_mut().insert(ending);
    response
}

/// A page where the API would send JSON.
pub fn not_there() -> Response {
    ended(StatusCode::NOT_FOUND, NOT_THERE)
}

/// Our 404 as a page; everything else as it is.
pub fn or_not_there(result: Result<Response, ApiError>) -> Response {
    match result {
        Ok(response) => response,
        Err(ApiError::NotFound) => not_there(),
        Err(error) => error.into_response(),
    }
}

pub fn too_many(wait: u64) -> Response {
    let mut response = ended(StatusCode::TOO_MANY_REQUESTS, Ending::TooMany { seconds: wait });
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait));
    response
}
