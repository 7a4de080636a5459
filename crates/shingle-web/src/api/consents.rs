//! `/api/v1/leads/{id}/consent`: what the homeowner agreed to, as a certificate.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::IntoResponse;
use shingle_consent::ConsentCertificate;

use crate::api::auth::LeadCaller;
use crate::api::leads::parse_id;
use crate::state::Web;
use crate::web::error::ApiResult;
use crate::web::page_headers::{HTML, set_security_headers};
use shingle_app::consent_page::consent_page;

/// The page has no scripts and no pictures; its style is in it, because it is kept as one file.
pub(crate) const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub async fn show(
    State(web): State<Arc<Web>>,
    caller: LeadCaller,
    Path(id): Path<String>,
) -> ApiResult<Json<ConsentCertificate>> {
    Ok(Json(web.store.consents().certificate(caller.tenant(), parse_id(&id)?).await?))
}

pub async fn page(
    State(web): State<Arc<Web>>,
    caller: LeadCaller,
    Path(id): Path<String>,
) -> ApiResult<impl IntoResponse> {
    let certificate = web.store.consents().certificate(caller.tenant(), parse_id(&id)?).await?;
    let mut headers = HeaderMap::from_iter([
        (header::CONTENT_TYPE, HeaderValue::from_static(HTML)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ]);
    set_security_headers(&mut headers, POLICY);
    Ok((headers, consent_page(&certificate, None)))
}
