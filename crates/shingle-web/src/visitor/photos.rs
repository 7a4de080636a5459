//! Photographs for a visit: the homeowner's browser sends and removes them, the owner of the lead sees them.
//!
//! # Decisions
//!
//! - A photo's form starts with the lead's token, and nothing from a stranger is read. HEIC is refused with its
//!   reason: we have no decoder for it.
//! - Notices link to photos instead of attaching them, so an erased lead's photos are gone from old mails too.

use std::sync::Arc;

use axum::Json;
use axum::extract::multipart::Field;
use axum::extract::{FromRequest, Multipart, Path, RawQuery, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use shingle_domain::inspection::PhotoId;
use shingle_domain::{LeadId, LinkId, Tenant};

use crate::api::auth::LeadCaller;
use crate::state::Web;
use crate::visitor::public::own_lead::{OwnLead, OwnLeadBody, own_lead};
use crate::visitor::public::widget_request::FromAllowedPage;
use crate::web::error::{ApiError, ApiResult};
use crate::web::query_string::query_fields;
use crate::web::rate_limits::LimitedAction;
use shingle_app::photo::MAX_PHOTO_BYTES;
use shingle_app::photos::{self, AddedPhoto};

/// Bytes of the form: so far above the photograph's own limit that a large one is read to its end and gets an answer.
pub const MAX_FORM_BYTES: usize = MAX_PHOTO_BYTES + 4 * 1024 * 1024;
const MAX_TOKEN_BYTES: usize = 200;

/// A form of two fields, `leadToken` before `photo`: nobody else's bytes are read.
pub async fn add(
    State(web): State<Arc<Web>>,
    FromAllowedPage(mut widget_request): FromAllowedPage,
    Path((_, lead)): Path<(String, String)>,
    request: Request,
) -> ApiResult<(StatusCode, Json<AddedPhoto>)> {
    let mut form = Multipart::from_request(request, &())
        .await
        .map_err(|_| ApiError::bad_request("The request is not multipart/form-data"))?;
    let token = next(&mut form, "leadToken", MAX_TOKEN_BYTES).await?;
    let token = String::from_utf8_lossy(&token);
    let lead = own_lead(&web, &mut widget_request, &lead, &token, LimitedAction::Photo).await?;
    let bytes = next(&mut form, "photo", MAX_PHOTO_BYTES).await?;
    Ok((StatusCode::CREATED, Json(photos::add(&web, &widget_request.tenant, lead, bytes).await?)))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Removal {
    lead_token: String,
}

impl OwnLeadBody for Removal {
    const ACTION: LimitedAction = LimitedAction::Photo;

    fn lead_token(&self) -> &str {
        &self.lead_token
    }
}

#[derive(Debug, Serialize)]
pub struct Removed {
    id: PhotoId,
    removed: bool,
}

pub async fn remove(
    State(web): State<Arc<Web>>,
    Path((_, _, photo)): Path<(String, String, String)>,
    OwnLead { request, id: lead, .. }: OwnLead<Removal>,
) -> ApiResult<Json<Removed>> {
    let id: PhotoId = photo.parse().map_err(|_| ApiError::NotFound)?;
    web.store.leads().remove_photo(&request.tenant, lead, id).await?;
    photos::delete_removed_soon(&web).await;
    Ok(Json(Removed { id, removed: true }))
}

/// `GET /api/v1/leads/{id}/photos/{photo}`
pub async fn show(
    State(web): State<Arc<Web>>,
    caller: LeadCaller,
    Path((lead, photo)): Path<(String, String)>,
) -> ApiResult<Response> {
    let lead: LeadId = lead.parse().map_err(|_| ApiError::NotFound)?;
    let photo: PhotoId = photo.parse().map_err(|_| ApiError::NotFound)?;
    picture(&web, caller.tenant(), lead, photo).await
}

/// `GET /w/{id}/photo`: a photograph behind the link of a notice. Any fault of the link is a 404.
pub async fn show_linked(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let query = query_fields(query.as_deref());
    let named = |name| query.text(name).unwrap_or_default();
    let lead: LeadId = named("lead").parse().map_err(|_| ApiError::NotFound)?;
    let photo: PhotoId = named("photo").parse().map_err(|_| ApiError::NotFound)?;
    if !web.tokens.is_photo(named("t"), lead, photo, web.clock.now()) {
        return Err(ApiError::NotFound);
    }
    let widget: LinkId = id.parse().map_err(|_| ApiError::NotFound)?;
    let stored = web.store.widgets().find_public(widget).await?.ok_or(ApiError::NotFound)?;
    let tenant = web.store.widgets().home_of_lead(&stored.tenant, lead).await?;
    let found = web.store.leads().find(&tenant, lead).await?;
    found.filter(|lead| lead.widget_id == stored.widget.reference_id).ok_or(ApiError::NotFound)?;
    picture(&web, &tenant, lead, photo).await
}

/// A photograph of a lead, for callers who may see it.
pub(crate) async fn picture(web: &Web, tenant: &Tenant, lead: LeadId, photo: PhotoId) -> ApiResult<Response> {
    let path = web.store.leads().photo_path(tenant, lead, photo).await?.ok_or(ApiError::NotFound)?;
    let blob = web.blobs.get(&path).await?.ok_or(ApiError::NotFound)?;
    let headers = [
        (header::CONTENT_TYPE, "image/jpeg"),
        (header::CACHE_CONTROL, "private, no-store"),
        (header::CONTENT_DISPOSITION, "inline; filename=\"roof.jpg\""),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    let headers: HeaderMap =
        headers.map(|(name, value)| (name, header::HeaderValue::from_static(value))).into_iter().collect();
    Ok((headers, blob.bytes).into_response())
}

/// The next field of the form, which must have this name.
async fn next(form: &mut Multipart, name: &str, max: usize) -> ApiResult<Vec<u8>> {
    let unreadable = |_| ApiError::bad_request("The form cannot be read");
    let field = form.next_field().await.map_err(unreadable)?;
    match field {
        Some(field) if field.name() == Some(name) => read(field, name, max).await,
        _ => Err(ApiError::bad_request(format!("{name} is missing: the form has leadToken, then photo"))),
    }
}

/// Reads to the end also what is too large: a browser that is still sending does not read an answer.
pub(crate) async fn read(mut field: Field<'_>, name: &str, max: usize) -> ApiResult<Vec<u8>> {
    let (mut bytes, mut size) = (Vec::new(), 0);
    loop {
        match field.chunk().await {
            Ok(Some(chunk)) => {
                size += chunk.len();
                if size <= max {
                    bytes.extend_from_slice(&chunk);
                }
            }
            Ok(None) if size > max => break,
            Ok(None) => return Ok(bytes),
            Err(error) if error.status() == StatusCode::PAYLOAD_TOO_LARGE => break,
            Err(_) => return Err(ApiError::bad_request("The form cannot be read")),
        }
    }
    Err(ApiError::bad_request(format!("{name} must have at most {} MB", max / 1024 / 1024)))
}
