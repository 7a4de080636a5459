//! `/w/{id}`, the hosted page with the same flow, and `/w/{id}.js`, the loader for contractors' pages.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_domain::lead::LeadSource;
use shingle_domain::visit::VisitStep;
use shingle_domain::{Language, LinkId};
use shingle_store::StoredWidget;
use shingle_widget::ssr::inactive_script;
use url::Url;

use crate::state::Web;
use crate::visitor::no_script::lead_source;
use crate::visitor::widget_assets::{JAVASCRIPT, widget_asset};
use crate::web::cache_headers::allow_all_origins;
use crate::web::error::{ApiError, ApiResult};
use crate::web::render_cache::WidgetAsset;
use shingle_app::visit_count;

pub(crate) const ROUTE: &str = "/w/{name}";
pub(crate) const FOLDER: &str = "/w/";

pub async fn show(
    State(web): State<Arc<Web>>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> ApiResult<Response> {
    loader_or_page(&web, &name, query.as_deref(), &headers).await
}

/// The same for a path without `%`, which is as it was sent.
pub(crate) async fn show_undecoded(State(web): State<Arc<Web>>, request: Request) -> ApiResult<Response> {
    let name = request.uri().path().strip_prefix(FOLDER).unwrap_or_default();
    loader_or_page(&web, name, request.uri().query(), request.headers()).await
}

async fn loader_or_page(web: &Arc<Web>, name: &str, query: Option<&str>, headers: &HeaderMap) -> ApiResult<Response> {
    match name.strip_suffix(".js") {
        Some(id) => loader(web, id, headers).await,
        None => page(web, name, query, headers).await,
    }
}

pub async fn script(State(web): State<Arc<Web>>, Path(id): Path<String>, headers: HeaderMap) -> ApiResult<Response> {
    Ok(widget_asset(&web, find_widget(&web, &id).await?, WidgetAsset::Script).await?.respond(&headers))
}

pub async fn theme(State(web): State<Arc<Web>>, Path(id): Path<String>, headers: HeaderMap) -> ApiResult<Response> {
    Ok(widget_asset(&web, find_widget(&web, &id).await?, WidgetAsset::Theme).await?.respond(&headers))
}

/// The page of a widget that is switched off. It names the company's phone.
pub(crate) async fn paused_page(
    web: &Arc<Web>,
    stored: Arc<StoredWidget>,
    language: Language,
    headers: &HeaderMap,
) -> ApiResult<Response> {
    Ok(widget_asset(web, stored, WidgetAsset::PausedPage(language)).await?.respond(headers))
}

async fn loader(web: &Arc<Web>, id: &str, headers: &HeaderMap) -> ApiResult<Response> {
    let id: LinkId = id.parse().map_err(|_| ApiError::NotFound)?;
    if let Some(stored) = web.store.widgets().find_public(id).await? {
        note_page(web, &stored, headers);
        if stored.widget.is_active() && !stored.is_preview {
            web.store.widgets().count_load(stored.tenant, stored.widget.reference_id);
        }
        return Ok(widget_asset(web, stored, WidgetAsset::Loader).await?.respond(headers));
    }
    // Nobody sees a 404 of a script. This script writes to the console.
    let headers = [(header::CONTENT_TYPE, JAVASCRIPT), (header::CACHE_CONTROL, "public, max-age=60")];
    let mut response = (StatusCode::NOT_FOUND, headers, inactive_script(id)).into_response();
    allow_all_origins(response.headers_mut());
    Ok(response)
}

/// The owner sees on which of their sites the script was last loaded, not by whom.
fn note_page(web: &Web, stored: &StoredWidget, headers: &HeaderMap) {
    let page = headers.get(header::REFERER).and_then(|page| page.to_str().ok()).and_then(|page| Url::parse(page).ok());
    if let Some(host) = page.as_ref().and_then(Url::host_str)
        && !stored.is_preview
        && stored.widget.allows_page(host, stored.tenant.environment)
    {
        web.sightings.note(stored.widget.link_id(), host, web.clock.now());
    }
}

async fn page(web: &Arc<Web>, id: &str, query: Option<&str>, headers: &HeaderMap) -> ApiResult<Response> {
    let stored = find_widget(web, id).await?;
    let language = language(query, headers);
    if !stored.widget.is_active() {
        return paused_page(web, stored, language, headers).await;
    }
    // In a frame it stands in for the overlay, whose script was counted; or the company looks at it.
    if headers.get("sec-fetch-dest").is_none_or(|dest| dest != "iframe") {
        let source = lead_source(
            &web.links(stored.tenant.account).hosted_page(stored.widget.link_id()),
            query.unwrap_or_default(),
        );
        let referrer = source.referrer.or_else(|| referrer(headers));
        visit_count::count_from(web, &stored, VisitStep::Seen, &LeadSource { referrer, ..source });
    }
    Ok(widget_asset(web, stored, WidgetAsset::Page(language)).await?.respond(headers))
}

/// The language that the URL names, or else one that the browser prefers.
pub(crate) fn language(query: Option<&str>, headers: &HeaderMap) -> Language {
    let pairs = url::form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    let named = pairs.filter(|(name, _)| name == "lang").find_map(|(_, code)| Language::parse(&code));
    named.unwrap_or_else(|| preferred_language(headers))
}

/// The one that the browser prefers.
pub fn preferred_language(headers: &HeaderMap) -> Language {
    let preferred = headers.get(header::ACCEPT_LANGUAGE).and_then(|v| v.to_str().ok());
    Language::accepted(preferred.unwrap_or_default())
}

pub(crate) async fn find_widget(web: &Web, id: &str) -> ApiResult<Arc<StoredWidget>> {
    let id: LinkId = id.parse().map_err(|_| ApiError::NotFound)?;
    web.store.widgets().find_public(id).await?.ok_or(ApiError::NotFound)
}

/// The page before the hosted one, as its request names it.
fn referrer(headers: &HeaderMap) -> Option<String> {
    headers.get(header::REFERER).and_then(|value| value.to_str().ok()).map(str::to_owned)
}
