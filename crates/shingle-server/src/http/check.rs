//! `/w/{id}/check`: what an owner's site does with the widget, as a page or as JSON.
//!
//! `GET /w/{id}/check?url=ADDRESS` with `Accept: application/json` answers a [`SiteCheck`]; without `url` the
//! company's own page is looked at. Only pages on the widget's list of domains are fetched.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_deliver::{FetchLimits, FetchOutcome};
use shingle_domain::check::SiteCheck;
use shingle_domain::widget::Widget;
use shingle_widget::ssr::{CheckOutcome, check_css, check_page, public_widget};
use url::Url;

use super::connection::Visitor;
use super::error::{Answer, Failure};
use super::hosted::{guarded, widget};
use super::limits::Deed;
use crate::app::App;
use crate::check::{Subject, barred, judge};

/// Of one page.
const LIMITS: FetchLimits =
    FetchLimits { timeout: Duration::from_secs(15), max_bytes: 2 * 1024 * 1024, max_redirects: 5 };

pub async fn show(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    Extension(visitor): Extension<Visitor>,
    asked: HeaderMap,
) -> Answer<Response> {
    let widget = widget(&app, &id).await?.widget;
    let typed = parameter(query.as_deref(), "url");
    if wants_json(&asked) {
        let typed = typed.unwrap_or_else(|| widget.company_url.as_str().to_owned());
        return Ok(private(Json(look(&app, &widget, visitor, &typed).await?).into_response()));
    }
    let Some(typed) = typed else {
        return Ok(page(&app, &widget, widget.company_url.as_str(), CheckOutcome::Nothing, StatusCode::OK));
    };
    Ok(match look(&app, &widget, visitor, &typed).await {
        Ok(check) => page(&app, &widget, &typed, CheckOutcome::Found(&check), StatusCode::OK),
        Err(Failure::Refused(words)) => {
            page(&app, &widget, &typed, CheckOutcome::Refused(&words), StatusCode::BAD_REQUEST)
        }
        Err(Failure::TooMany { retry_after }) => {
            let words = format!("That were many checks in a short time. Please try again in {retry_after} seconds.");
            let mut answer = page(&app, &widget, &typed, CheckOutcome::Refused(&words), StatusCode::TOO_MANY_REQUESTS);
            answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(retry_after));
            answer
        }
        Err(other) => return Err(other),
    })
}

/// `/w/{id}/check.css`
pub async fn style() -> impl IntoResponse {
    let headers = [(header::CONTENT_TYPE, "text/css; charset=utf-8"), (header::CACHE_CONTROL, "public, max-age=3600")];
    (headers, check_css())
}

async fn look(app: &App, widget: &Widget, visitor: Visitor, typed: &str) -> Answer<SiteCheck> {
    let url = address(typed).ok_or_else(|| {
        Failure::refused(
            "That is not the address of a page. Write it as your browser shows it, like https://www.example.com/.",
        )
    })?;
    let subject =
        Subject::of(widget, &app.base_url).ok_or_else(|| Failure::Internal("the base URL is no web address".into()))?;
    if !subject.allows(&url) {
        return Ok(barred(&subject, &url));
    }
    app.gate.visit(Deed::Check, visitor.ip, subject.id)?;
    let outcome = match app.egress.target(url.as_str()) {
        Ok(target) => app.egress.get(target, LIMITS, |next| subject.allows(next)).await,
        Err(error) => FetchOutcome { redirects: Vec::new(), final_url: url, result: Err(error) },
    };
    tokio::task::spawn_blocking(move || judge(&subject, &outcome)).await.map_err(Failure::internal)
}

/// As people type it: often without `https://`.
fn address(typed: &str) -> Option<Url> {
    let typed = typed.trim();
    let full = if typed.contains("://") { typed.to_owned() } else { format!("https://{typed}") };
    let url = Url::parse(&full).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.has_host() && url.as_str().len() <= 2_000).then_some(url)
}

fn parameter(query: Option<&str>, wanted: &str) -> Option<String> {
    url::form_urlencoded::parse(query?.as_bytes()).find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
}

fn wants_json(asked: &HeaderMap) -> bool {
    let accepts = asked.get(header::ACCEPT).and_then(|v| v.to_str().ok()).unwrap_or_default();
    accepts.contains("application/json") && !accepts.contains("text/html")
}

fn page(app: &App, widget: &Widget, typed: &str, said: CheckOutcome<'_>, status: StatusCode) -> Response {
    let links = app.links();
    let html = check_page(&public_widget(widget, links.base_url, links.storage_url), typed, said);
    let own = Url::parse(&app.base_url).map(|u| u.origin().ascii_serialization()).unwrap_or_default();
    let policy = format!(
        "default-src 'none'; style-src 'self'; img-src 'self' {own}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    );
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
    guarded(private((status, headers, html).into_response()), &policy)
}

/// What was found is of this moment.
fn private(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_be_typed_without_its_scheme() {
        for (typed, read) in [
            ("oak.example.com", Some("https://oak.example.com/")),
            (" www.oak.example.com/roofs?a=b ", Some("https://www.oak.example.com/roofs?a=b")),
            ("http://oak.example.com", Some("http://oak.example.com/")),
            ("127.0.0.1:3000", Some("https://127.0.0.1:3000/")),
            ("", None),
            ("javascript:alert(1)", None),
            ("file:///etc/passwd", None),
            ("ftp://oak.example.com", None),
            ("oak roofing", None),
        ] {
            assert_eq!(address(typed).as_ref().map(Url::as_str), read, "{typed}");
        }
    }
}
