//! `/api/v1/webhooks`: where an account's events are posted.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{OriginalUri, Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use serde::Serialize;
use shingle_app::webhooks;
use shingle_domain::DestinationId;
use shingle_domain::rules::{WebhookDraft, WebhookPatch};
use shingle_domain::webhook::Webhook;
use shingle_store::DestinationKind;

use crate::api::auth::ApiCaller;
use crate::api::find_destination::find_destination;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use crate::web::ignored_fields::{Ignoring, ignored_names};
use crate::web::json;
use crate::web::request_key::request_key;
use shingle_app::webhook_record::webhook_record;

const WEBHOOK: Option<DestinationKind> = Some(DestinationKind::Webhook);

pub async fn create(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<Ignoring<ApiResult<(StatusCode, Json<Webhook>)>>> {
    let made = async {
        let draft = webhooks::read_draft(&web, &json::fields(&body)?).await?;
        // Asked for once the body is found to be right.
        let key = request_key(&headers, uri.path(), &body)?;
        let (made, secret) = webhooks::make(&web, caller.tenant(), draft, key.as_ref()).await?;
        Ok((StatusCode::CREATED, Json(Webhook { secret: Some(secret), ..webhook_record(&made)? })))
    };
    Ok(Ignoring::new(ignored(&body)?, made.await))
}

fn ignored(body: &Bytes) -> ApiResult<Option<HeaderValue>> {
    Ok(ignored_names(&WebhookDraft::ignored(&json::fields(body)?)))
}

pub async fn list(State(web): State<Arc<Web>>, caller: ApiCaller) -> ApiResult<Json<Vec<Webhook>>> {
    let found = web.store.destinations().list(caller.tenant(), DestinationKind::Webhook).await?;
    Ok(Json(found.iter().map(webhook_record).collect::<Result<_, _>>()?))
}

pub async fn show(State(web): State<Arc<Web>>, caller: ApiCaller, Path(id): Path<String>) -> ApiResult<Json<Webhook>> {
    Ok(Json(webhook_record(&find_destination(&web, &caller, &id, WEBHOOK).await?)?))
}

pub async fn update(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    Path(id): Path<String>,
    body: Bytes,
) -> ApiResult<Json<Webhook>> {
    let found = find_destination(&web, &caller, &id, WEBHOOK).await?;
    let patch = read_patch(&web, &body).await.map_err(syntax_error)?;
    Ok(Json(webhook_record(&webhooks::change(&web, caller.tenant(), found.id, &patch).await?)?))
}

pub async fn delete(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    Path(id): Path<String>,
) -> ApiResult<Json<Webhook>> {
    let found = find_destination(&web, &caller, &id, WEBHOOK).await?;
    let deleted = web.store.destinations().delete(caller.tenant(), found.id).await?;
    Ok(Json(webhook_record(&deleted)?))
}

pub async fn rotate_secret(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    Path(id): Path<String>,
) -> ApiResult<Json<Webhook>> {
    let found = find_destination(&web, &caller, &id, WEBHOOK).await?;
    let (changed, secret) = webhooks::renew_secret(&web, caller.tenant(), found.id).await?;
    Ok(Json(Webhook { secret: Some(secret), ..webhook_record(&changed)? }))
}

/// The public key of a webhook's `v1a` signatures, for receivers that hold no secret. Public, as the name says.
#[derive(Debug, Serialize)]
pub struct KeySet {
    keys: Vec<String>,
}

pub async fn keys(State(web): State<Arc<Web>>, Path(id): Path<String>) -> ApiResult<Json<KeySet>> {
    let id: DestinationId = id.parse().map_err(|_| ApiError::NotFound)?;
    let found = web.store.destinations().one_of_any_tenant(id).await?;
    found.filter(|d| d.draft.kind == DestinationKind::Webhook).ok_or(ApiError::NotFound)?;
    let key = web.webhook_keys.of(id).ok_or(ApiError::NotFound)?;
    Ok(Json(KeySet { keys: vec![key.public_key()] }))
}

async fn read_patch(web: &Web, body: &Bytes) -> ApiResult<WebhookPatch> {
    Ok(webhooks::read_patch(web, &json::fields(body)?).await?)
}

/// The document wants one sentence for every mistake in an update.
fn syntax_error(error: ApiError) -> ApiError {
    const SENTENCE: &str = "The request contains a syntax error. Fields must be correctly specified";
    match error {
        ApiError::InvalidFields(broken) => ApiError::bad_request(format!("{SENTENCE}: {broken}.")),
        ApiError::BadRequest(_) => ApiError::bad_request(format!("{SENTENCE}.")),
        other => other,
    }
}
