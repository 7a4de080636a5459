//! The log of deliveries, and sending again: `/api/v1/webhooks/{id}/deliveries`, `/api/v1/deliveries/{id}`. The same log
//! for every kind of destination.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{OriginalUri, Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;
use shingle_domain::event::EventKind;
use shingle_domain::rules::{DeliveryListQuery, ReplayRequest};
use shingle_domain::{DeliveryId, DestinationId, Timestamp};
use shingle_store::{Attempt, Cursor, Delivery, DeliveryFilter, DeliveryState, EventId};

use crate::api::auth::ApiCaller;
use crate::api::find_destination::find_destination;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use crate::web::json;
use crate::web::query_string::query_fields;
use crate::web::request_key::request_key;

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryView {
    /// Id of the delivery. Example: `0192f4c2-0d11-7c5e-8a41-6b2f3d4c5b01`
    id: DeliveryId,
    /// Id of the webhook or connector that it goes to. Example: `0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b70`
    destination_id: DestinationId,
    /// Id of the event, the same for every destination and attempt. Example: `evt_0192f4c17d3e7a2b8c4d1f2e3d4c5b6a`
    event_id: EventId,
    /// Kind of the event: one that a webhook can want, or `ping`, a test. Example: `lead.created`
    #[schemars(with = "String")]
    event: EventKind,
    /// Id of the lead or widget that it is about. Example: `0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a`
    resource_id: String,
    /// Counts the events of that lead or widget from 1. Example: `1`
    sequence: u64,
    /// Where it stands. Example: `delivered`
    state: DeliveryState,
    /// Why it is in that state, where that needs a reason. Null otherwise. Example: `HTTP 503`
    reason: Option<String>,
    /// Attempts so far. Example: `1`
    attempt_count: u32,
    /// When it is tried next, in UTC. Null unless it is pending. Example: `2026-11-22T23:09:04.000Z`
    next_attempt_at: Option<Timestamp>,
    /// When the event happened, in UTC. Example: `2026-11-22T23:04:04.000Z`
    created_at: Timestamp,
    /// When it was first tried, in UTC. Null before that. Example: `2026-11-22T23:04:05.000Z`
    first_attempt_at: Option<Timestamp>,
    /// When it was delivered, given up or skipped, in UTC. Null before that. Example: `2026-11-22T23:04:05.000Z`
    completed_at: Option<Timestamp>,
    /// Every attempt, the first one first. Absent in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    attempts: Option<Vec<AttemptView>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttemptView {
    /// Counts from 1. Example: `1`
    number: u32,
    /// When it began, in UTC. Example: `2026-11-22T23:04:05.000Z`
    started_at: Timestamp,
    /// How long it took, in milliseconds. Example: `148`
    duration_ms: u64,
    /// Whether it was a success. Example: `true`
    delivered: bool,
    /// HTTP status of the answer. Null where none arrived. Example: `200`
    status: Option<u16>,
    /// Why it failed. Null where it did not. Example: `HTTP 503`
    cause: Option<String>,
    /// Request and response, without secrets. Null where nothing was sent, and once the lead is erased. Example:
    /// `{"request": {"method": "POST", "url": "https://hooks.example.com/shingle", "headers": []}, "response": null}`
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    exchange: Option<Box<RawValue>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryList {
    /// The deliveries of this page, the newest first.
    data: Vec<DeliveryView>,
    /// Sent as `cursor`, it gets the next page. Null on the last one. Example: `6414b2d39a000.0192f4c17d3e7a2b8c4d1f2e3d4c5b6a`
    next_cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Started {
    /// Id of the new delivery. Example: `0192f4c2-0d11-7c5e-8a41-6b2f3d4c5b01`
    delivery_id: DeliveryId,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Replayed {
    /// How many deliveries are sent again. Example: `3`
    replayed: u64,
}

pub async fn list(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> ApiResult<Json<DeliveryList>> {
    let destination = find_destination(&web, &caller, &id, None).await?;
    let query = DeliveryListQuery::parse(&query_fields(query.as_deref()))?;
    let after = query.cursor.as_deref().map(str::parse::<Cursor>).transpose()?;
    let state = |text: &String| DeliveryState::ALL.into_iter().find(|state| state.as_str() == text);
    let filter = DeliveryFilter { kind: query.event, state: query.state.as_ref().and_then(state), since: query.since };
    let page = web.store.deliveries().list(caller.tenant(), destination.id, &filter, after, query.limit).await?;
    let data = page.deliveries.into_iter().map(|delivery| view(delivery, None)).collect();
    Ok(Json(DeliveryList { data, next_cursor: page.next.map(|c| c.to_string()) }))
}

pub async fn show(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    Path(id): Path<String>,
) -> ApiResult<Json<DeliveryView>> {
    let id = id.parse().map_err(|_| ApiError::NotFound)?;
    let (delivery, attempts) = web.store.deliveries().find(caller.tenant(), id).await?.ok_or(ApiError::NotFound)?;
    Ok(Json(view(delivery, Some(attempts))))
}

/// The deliveries of everything that happened to one lead, to any destination.
pub async fn of_lead(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    Path(id): Path<String>,
) -> ApiResult<Json<DeliveryList>> {
    let id: shingle_domain::LeadId = id.parse().map_err(|_| ApiError::NotFound)?;
    web.store.leads().find(caller.tenant(), id).await?.ok_or(ApiError::NotFound)?;
    let deliveries = web.store.deliveries().list_of(caller.tenant(), id.0).await?;
    Ok(Json(DeliveryList { data: deliveries.into_iter().map(|d| view(d, None)).collect(), next_cursor: None }))
}

pub async fn replay(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    OriginalUri(uri): OriginalUri,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<(StatusCode, Json<Started>)> {
    let id = id.parse().map_err(|_| ApiError::NotFound)?;
    let key = request_key(&headers, uri.path(), &body)?;
    let delivery_id = web.store.deliveries().replay(caller.tenant(), id, key.as_ref()).await?;
    Ok((StatusCode::ACCEPTED, Json(Started { delivery_id })))
}

/// Everything that failed or was skipped since then.
pub async fn replay_since(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    Path(id): Path<String>,
    body: Bytes,
) -> ApiResult<(StatusCode, Json<Replayed>)> {
    let destination = find_destination(&web, &caller, &id, None).await?;
    let request = ReplayRequest::parse(&json::fields(&body)?)?;
    let replayed = web.store.deliveries().replay_since(caller.tenant(), destination.id, request.since).await?;
    Ok((StatusCode::ACCEPTED, Json(Replayed { replayed })))
}

/// Sends a `ping`.
pub async fn test(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    OriginalUri(uri): OriginalUri,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<(StatusCode, Json<Started>)> {
    let destination = find_destination(&web, &caller, &id, None).await?;
    let key = request_key(&headers, uri.path(), &body)?;
    let delivery_id = web.store.deliveries().send_ping(caller.tenant(), destination.id, key.as_ref()).await?;
    Ok((StatusCode::ACCEPTED, Json(Started { delivery_id })))
}

fn view(of: Delivery, attempts: Option<Vec<Attempt>>) -> DeliveryView {
    let pending = of.state == DeliveryState::Pending;
    DeliveryView {
        id: of.id,
        destination_id: of.destination,
        event_id: of.event,
        event: of.kind,
        resource_id: of.resource.to_string(),
        sequence: of.sequence,
        state: of.state,
        reason: of.reason.map(|reason| reason.to_string()),
        attempt_count: of.attempts,
        next_attempt_at: pending.then_some(of.due_at),
        created_at: of.created_at,
        first_attempt_at: of.first_attempt_at,
        completed_at: of.completed_at,
        attempts: attempts.map(|list| list.into_iter().map(attempt_view).collect()),
    }
}

fn attempt_view(of: Attempt) -> AttemptView {
    AttemptView {
        number: of.number,
        started_at: of.started_at,
        duration_ms: u64::try_from(of.duration.as_millis()).unwrap_or(u64::MAX),
        delivered: of.delivered,
        status: of.status,
        cause: of.cause.map(|cause| cause.to_string()),
        exchange: of.exchange.and_then(|text| RawValue::from_string(text).ok()),
    }
}
