//! `/w/{id}`, the same flow on a page of our own, and `/w/{id}.js`, the loader for everybody else's.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_domain::WidgetId;
use shingle_domain::widget::Widget;
use shingle_store::StoredWidget;
use shingle_widget::ssr::inactive_script;
use shingle_widget::words::Language;

use super::error::{Answer, Failure};
use super::runtime::open_to_all;
use super::shelf::{Shelf, Text};
use crate::app::App;

const SCRIPT: &str = "text/javascript; charset=utf-8";
pub(super) const PAGE: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
/// At once from the cache, fresh the next time, and there even while we are not.
pub(super) const LOADER_CACHE: &str = "public, max-age=300, stale-while-revalidate=604800, stale-if-error=2592000";
const PAGE_CACHE: &str = "public, max-age=60, stale-if-error=86400";

pub async fn show(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
    asked: HeaderMap,
) -> Answer<Response> {
    match name.strip_suffix(".js") {
        Some(id) => loader(&app, id, &asked).await,
        None => page(&app, &name, query.as_deref(), &asked).await,
    }
}

pub async fn script(State(app): State<Arc<App>>, Path(id): Path<String>, asked: HeaderMap) -> Answer<Response> {
    let finished = Shelf::take(&app, widget(&app, &id).await?, Text::Script).await?;
    Ok(finished.answer(&asked, SCRIPT, PAGE_CACHE))
}

pub async fn theme(State(app): State<Arc<App>>, Path(id): Path<String>, asked: HeaderMap) -> Answer<Response> {
    let finished = Shelf::take(&app, widget(&app, &id).await?, Text::Theme).await?;
    Ok(finished.answer(&asked, STYLE, PAGE_CACHE))
}

/// The page of a widget that is switched off: what happened, and the company's telephone.
pub(super) async fn paused(
    app: &Arc<App>,
    stored: StoredWidget,
    language: Language,
    asked: &HeaderMap,
) -> Answer<Response> {
    let policy = policy(app, &stored.widget);
    let finished = Shelf::take(app, stored, Text::Paused(language)).await?;
    Ok(guarded(finished.answer(asked, PAGE, "no-store"), &policy))
}

async fn loader(app: &Arc<App>, id: &str, asked: &HeaderMap) -> Answer<Response> {
    let id: WidgetId = id.parse().map_err(|_| Failure::NotFound)?;
    let mut response = match app.store.find_public_widget(id).await? {
        Some((_, stored)) => Shelf::take(app, stored, Text::Loader).await?.answer(asked, SCRIPT, LOADER_CACHE),
        // A script element shows a 404 to nobody; the console does.
        None => {
            let headers = [(header::CONTENT_TYPE, SCRIPT), (header::CACHE_CONTROL, "public, max-age=60")];
            (StatusCode::NOT_FOUND, headers, inactive_script(id)).into_response()
        }
    };
    open_to_all(response.headers_mut());
    Ok(response)
}

async fn page(app: &Arc<App>, id: &str, query: Option<&str>, asked: &HeaderMap) -> Answer<Response> {
    let stored = widget(app, id).await?;
    let language = language(query, asked);
    if !stored.widget.is_active() {
        return paused(app, stored, language, asked).await;
    }
    let policy = policy(app, &stored.widget);
    let finished = Shelf::take(app, stored, Text::Page(language)).await?;
    let mut response = finished.answer(asked, PAGE, PAGE_CACHE);
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding, accept-language"));
    Ok(guarded(response, &policy))
}

/// As the address says, else as the browser does.
pub(super) fn language(query: Option<&str>, asked: &HeaderMap) -> Language {
    let pairs = url::form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    let named = pairs.filter(|(name, _)| name == "lang").find_map(|(_, code)| Language::parse(&code));
    named.unwrap_or_else(|| {
        let likes = asked.get(header::ACCEPT_LANGUAGE).and_then(|v| v.to_str().ok());
        Language::accepted(likes.unwrap_or_default())
    })
}

pub(super) async fn widget(app: &App, id: &str) -> Answer<StoredWidget> {
    let id: WidgetId = id.parse().map_err(|_| Failure::NotFound)?;
    let (_, stored) = app.store.find_public_widget(id).await?.ok_or(Failure::NotFound)?;
    Ok(stored)
}

/// Nothing but our own files, and framed by nobody but the company's own pages.
pub(super) fn policy(app: &App, widget: &Widget) -> String {
    let frames: String = widget
        .allowed_hosts()
        .iter()
        // A policy has no way to write an address of version 6.
        .filter(|host| !host.starts_with('['))
        .map(|host| format!(" {host}:*"))
        .collect();
    let own = url::Url::parse(&app.base_url).map(|u| u.origin().ascii_serialization()).unwrap_or_default();
    format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' {own} data:; \
         connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'{frames}"
    )
}

pub(super) fn guarded(mut response: Response, policy: &str) -> Response {
    let headers = response.headers_mut();
    if let Ok(policy) = HeaderValue::from_str(policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.insert("permissions-policy", HeaderValue::from_static("camera=(), microphone=(), geolocation=()"));
    response
}
