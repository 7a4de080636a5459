//! The lead behind a link that its homeowner has, for the pages about its inspection.

use std::sync::Arc;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_domain::lead::Lead;
use shingle_domain::{Language, LinkId, Tenant};
use shingle_store::StoredWidget;
use shingle_widget::ssr::{InspectionPage, inspection_page, public_widget};

use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use crate::web::page_headers::{HTML, scriptless_policy, sheet_policy, with_security_headers};

/// From the page to where its style is.
const UP: &str = "../";

pub struct LinkedLead {
    pub tenant: Tenant,
    pub stored: Arc<StoredWidget>,
    pub lead: Lead,
}

/// `None`: the link is changed, switched off, or of a lead that was erased.
pub async fn find(web: &Web, widget: &str, token: &str) -> ApiResult<Option<LinkedLead>> {
    let id: LinkId = widget.parse().map_err(|_| ApiError::NotFound)?;
    let stored = web.store.widgets().find_public(id).await?.ok_or(ApiError::NotFound)?;
    let Some(lead) = web.tokens.link_lead(token) else { return Ok(None) };
    let tenant = web.store.widgets().home_of_lead(&stored.tenant, lead).await?;
    let Some(version) = web.store.leads().link_version(&tenant, lead).await? else { return Ok(None) };
    if !web.tokens.is_link(token, lead, version) {
        return Ok(None);
    }
    let lead = web.store.leads().find(&tenant, lead).await?;
    let lead = lead.filter(|lead| lead.widget_id == stored.widget.reference_id);
    Ok(lead.map(|lead| LinkedLead { tenant, stored, lead }))
}

/// It says nothing about what existed.
pub async fn ended(web: &Web, widget: &str, language: Language) -> ApiResult<Response> {
    let id: LinkId = widget.parse().map_err(|_| ApiError::NotFound)?;
    let stored = web.store.widgets().find_public(id).await?.ok_or(ApiError::NotFound)?;
    let public = public_widget(&stored.widget, &stored.settings, language, &web.links(stored.tenant.account));
    let html = shingle_widget::ssr::page::ended_page(&public, language, UP);
    let response = private((StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, HTML)], html).into_response());
    Ok(unreferred(with_security_headers(response, &sheet_policy(web))))
}

/// Of whose address nobody else should know.
pub fn private(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert("x-robots-tag", HeaderValue::from_static("noindex"));
    response
}

/// The address of the page is its key.
fn unreferred(mut response: Response) -> Response {
    response.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

pub fn respond(
    web: &Web,
    (stored, language): (&StoredWidget, Language),
    status: StatusCode,
    of: &InspectionPage<'_>,
) -> Response {
    let public = public_widget(&stored.widget, &stored.settings, language, &web.links(stored.tenant.account));
    let html = inspection_page(&public, language, UP, of);
    let response = private((status, [(header::CONTENT_TYPE, HTML)], html).into_response());
    unreferred(with_security_headers(response, &scriptless_policy(web)))
}
