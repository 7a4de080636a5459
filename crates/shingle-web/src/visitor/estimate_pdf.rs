//! `/w/{id}/estimate.pdf`: the estimate as a PDF, behind the link of the company's notice. It holds no phone number and no mail
//! address. It is the company's own copy: it has what the homeowner answered, and opens also when the homeowner's link was switched off, until the link is old or the lead erased.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use shingle_domain::LeadId;
use shingle_notice::HomeownerCopy;

use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use crate::web::query_string::query_fields;
use shingle_app::lead_reference::reference;
use shingle_app::notices::copy_of;

/// Any fault of the link is a 404, as is a lead that was erased meanwhile.
pub async fn show(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let query = query_fields(query.as_deref());
    let lead: LeadId = query.text("lead").and_then(|id| id.parse().ok()).ok_or(ApiError::NotFound)?;
    if !web.tokens.is_estimate(query.text("t").unwrap_or_default(), lead, web.clock.now()) {
        return Err(ApiError::NotFound);
    }
    let widget = id.parse().map_err(|_| ApiError::NotFound)?;
    let stored = web.store.widgets().find_public(widget).await?.ok_or(ApiError::NotFound)?;
    let tenant = web.store.widgets().home_of_lead(&stored.tenant, lead).await?;
    let found =
        web.store.leads().find(&tenant, lead).await?.filter(|lead| lead.widget_id == stored.widget.reference_id);
    let found = found.ok_or(ApiError::NotFound)?;
    let drawing = web.store.leads().drawing(&tenant, lead).await?;
    let settings = web.store.destinations().notice_settings(&tenant).await?.unwrap_or_default();
    let base_url = web.own_domains.base_of(tenant.account);
    let draw = move || {
        let about = copy_of(&found, drawing.as_ref(), &stored, tenant.environment, &settings.time_zone);
        HomeownerCopy { reference: &reference(lead), base_url: &base_url, ..about }.company_pdf()
    };
    let pdf = web.heavy_work.run(draw).await?.map_err(ApiError::internal)?.ok_or(ApiError::NotFound)?;
    let headers = [
        (header::CONTENT_TYPE, "application/pdf"),
        (header::CONTENT_DISPOSITION, "inline; filename=\"roof-estimate.pdf\""),
        (header::CACHE_CONTROL, "private, no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    Ok((headers, pdf).into_response())
}
