//! `/w/{id}`, the hosted page with the same flow, and `/w/{id}.js`, the loader for contractors' pages.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_domain::WidgetId;
use shingle_store::StoredWidget;
use shingle_widget::ssr::inactive_script;
use shingle_widget::words::Language;

use super::cache_headers::allow_all_origins;
use super::error::{ApiError, ApiResult};
use super::render_cache::WidgetAsset;
use super::widget_assets::widget_asset;
use crate::app::App;

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
pub(super) const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
/// Browsers answer from the cache at once and renew it in the background, also while the server is down.
pub(super) const LOADER_CACHE: &str = "public, max-age=300, stale-while-revalidate=604800, stale-if-error=2592000";
const PAGE_CACHE: &str = "public, max-age=60, stale-if-error=86400";

pub async fn show(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> ApiResult<Response> {
    match name.strip_suffix(".js") {
        Some(id) => loader(&app, id, &headers).await,
        None => page(&app, &name, query.as_deref(), &headers).await,
    }
}

pub async fn script(State(app): State<Arc<App>>, Path(id): Path<String>, headers: HeaderMap) -> ApiResult<Response> {
    let asset = widget_asset(&app, find_widget(&app, &id).await?, WidgetAsset::Script).await?;
    Ok(asset.respond(&headers, JAVASCRIPT, PAGE_CACHE))
}

pub async fn theme(State(app): State<Arc<App>>, Path(id): Path<String>, headers: HeaderMap) -> ApiResult<Response> {
    let asset = widget_asset(&app, find_widget(&app, &id).await?, WidgetAsset::Theme).await?;
    Ok(asset.respond(&headers, CSS, PAGE_CACHE))
}

/// The page of a widget that is switched off. It names the company's telephone.
pub(super) async fn paused_page(
    app: &Arc<App>,
    stored: StoredWidget,
    language: Language,
    headers: &HeaderMap,
) -> ApiResult<Response> {
    let policy = content_policy(app, &stored);
    let asset = widget_asset(app, stored, WidgetAsset::PausedPage(language)).await?;
    Ok(with_security_headers(asset.respond(headers, HTML, "no-store"), &policy))
}

async fn loader(app: &Arc<App>, id: &str, headers: &HeaderMap) -> ApiResult<Response> {
    let id: WidgetId = id.parse().map_err(|_| ApiError::NotFound)?;
    let mut response = match app.store.find_public_widget(id).await? {
        Some((_, stored)) => {
            widget_asset(app, stored, WidgetAsset::Loader).await?.respond(headers, JAVASCRIPT, LOADER_CACHE)
        }
        // Nobody sees a 404 of a script. This script writes to the console.
        None => {
            let headers = [(header::CONTENT_TYPE, JAVASCRIPT), (header::CACHE_CONTROL, "public, max-age=60")];
            (StatusCode::NOT_FOUND, headers, inactive_script(id)).into_response()
        }
    };
    allow_all_origins(response.headers_mut());
    Ok(response)
}

async fn page(app: &Arc<App>, id: &str, query: Option<&str>, headers: &HeaderMap) -> ApiResult<Response> {
    let stored = find_widget(app, id).await?;
    let language = language(query, headers);
    if !stored.widget.is_active() {
        return paused_page(app, stored, language, headers).await;
    }
    let policy = content_policy(app, &stored);
    let asset = widget_asset(app, stored, WidgetAsset::Page(language)).await?;
    let mut response = asset.respond(headers, HTML, PAGE_CACHE);
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding, accept-language"));
    Ok(with_security_headers(response, &policy))
}

/// The language that the URL names, or else one that the browser prefers.
pub(super) fn language(query: Option<&str>, headers: &HeaderMap) -> Language {
    let pairs = url::form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    let named = pairs.filter(|(name, _)| name == "lang").find_map(|(_, code)| Language::parse(&code));
    named.unwrap_or_else(|| {
        let preferred = headers.get(header::ACCEPT_LANGUAGE).and_then(|v| v.to_str().ok());
        Language::accepted(preferred.unwrap_or_default())
    })
}

pub(super) async fn find_widget(app: &App, id: &str) -> ApiResult<StoredWidget> {
    let id: WidgetId = id.parse().map_err(|_| ApiError::NotFound)?;
    let (_, stored) = app.store.find_public_widget(id).await?.ok_or(ApiError::NotFound)?;
    Ok(stored)
}

/// Allows only our own files, and frames only on the company's own pages.
pub(super) fn content_policy(app: &App, stored: &StoredWidget) -> String {
    let frames: String = stored
        .widget
        .page_hosts(stored.tenant.environment)
        .iter()
        // A policy can name neither an IPv6 address nor a file.
        .filter(|host| !host.starts_with('[') && !host.is_empty())
        .map(|host| format!(" {host}:*"))
        .collect();
    let own = own_origin(app);
    format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' {own} data:; \
         connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'{frames}"
    )
}

/// Of pages without any script, which nobody may frame.
pub(super) fn scriptless_policy(app: &App) -> String {
    let own = own_origin(app);
    format!(
        "default-src 'none'; style-src 'self'; img-src 'self' {own}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
}

/// Of the estimate's sheet: a stylesheet, a script that prints, the company's logo.
pub(super) fn sheet_policy(app: &App) -> String {
    let own = own_origin(app);
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' {own}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

fn own_origin(app: &App) -> String {
    url::Url::parse(&app.base_url).map(|u| u.origin().ascii_serialization()).unwrap_or_default()
}

pub(super) fn with_security_headers(mut response: Response, policy: &str) -> Response {
    let headers = response.headers_mut();
    if let Ok(policy) = HeaderValue::from_str(policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.insert("permissions-policy", HeaderValue::from_static("camera=(), microphone=(), geolocation=()"));
    response
}
