//! The log of deliveries, and sending again: `/api/v1/webhooks/{id}/deliveries`, `/api/v1/deliveries/{id}`. The same log
//! for every kind of destination.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{OriginalUri, Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use serde::Serialize;
use serde_json::value::RawValue;
use shingle_domain::event::EventKind;
use shingle_domain::rules::{DeliveryListQuery, ReplayRequest};
use shingle_domain::{DeliveryId, DestinationId, Timestamp};
use shingle_store::{Attempt, Cursor, Delivery, DeliveryFilter, DeliveryState, EventId};

use super::auth::ApiCaller;
use super::error::{ApiError, ApiResult};
use super::find_destination::find_destination;
use super::json;
use super::query_string::query_fields;
use super::request_key::request_key;
use crate::app::App;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryView {
    id: DeliveryId,
    destination_id: DestinationId,
    event_id: EventId,
    event: EventKind,
    resource_id: String,
    sequence: u64,
    state: DeliveryState,
    reason: Option<String>,
    attempt_count: u32,
    /// While it is pending.
    next_attempt_at: Option<Timestamp>,
    created_at: Timestamp,
    first_attempt_at: Option<Timestamp>,
    completed_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attempts: Option<Vec<AttemptView>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AttemptView {
    number: u32,
    started_at: Timestamp,
    duration_ms: u64,
    delivered: bool,
    status: Option<u16>,
    cause: Option<String>,
    /// Request and response; `null` once the lead is erased.
    exchange: Option<Box<RawValue>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryList {
    data: Vec<DeliveryView>,
    next_cursor: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Started {
    delivery_id: DeliveryId,
}

#[derive(Debug, Serialize)]
pub struct Replayed {
    replayed: u64,
}

pub async fn list(
    State(app): State<Arc<App>>,
    caller: ApiCaller,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> ApiResult<Json<DeliveryList>> {
    let destination = find_destination(&app, &caller, &id, None).await?;
    let query = DeliveryListQuery::parse(&query_fields(query.as_deref()))?;
    let after = query.cursor.as_deref().map(str::parse::<Cursor>).transpose()?;
    let state = |text: &String| DeliveryState::ALL.into_iter().find(|state| state.as_str() == text);
    let filter = DeliveryFilter { kind: query.event, state: query.state.as_ref().and_then(state), since: query.since };
    let page = app.store.list_deliveries(caller.tenant(), destination.id, &filter, after, query.limit).await?;
    let data = page.deliveries.into_iter().map(|delivery| view(delivery, None)).collect();
    Ok(Json(DeliveryList { data, next_cursor: page.next.map(|c| c.to_string()) }))
}

pub async fn show(
    State(app): State<Arc<App>>,
    caller: ApiCaller,
    Path(id): Path<String>,
) -> ApiResult<Json<DeliveryView>> {
    let id = id.parse().map_err(|_| ApiError::NotFound)?;
    let (delivery, attempts) = app.store.find_delivery(caller.tenant(), id).await?.ok_or(ApiError::NotFound)?;
    Ok(Json(view(delivery, Some(attempts))))
}

/// The deliveries of everything that happened to one lead, to any destination.
pub async fn of_lead(
    State(app): State<Arc<App>>,
    caller: ApiCaller,
    Path(id): Path<String>,
) -> ApiResult<Json<DeliveryList>> {
    let id: shingle_domain::LeadId = id.parse().map_err(|_| ApiError::NotFound)?;
    app.store.find_lead(caller.tenant(), id).await?.ok_or(ApiError::NotFound)?;
    let deliveries = app.store.list_deliveries_of(caller.tenant(), id.0).await?;
    Ok(Json(DeliveryList { data: deliveries.into_iter().map(|d| view(d, None)).collect(), next_cursor: None }))
}

pub async fn replay(
    State(app): State<Arc<App>>,
    caller: ApiCaller,
    OriginalUri(uri): OriginalUri,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<(StatusCode, Json<Started>)> {
    let id = id.parse().map_err(|_| ApiError::NotFound)?;
    let key = request_key(&headers, uri.path(), &body)?;
    let delivery_id = app.store.replay_delivery(caller.tenant(), id, key.as_ref()).await?;
    Ok((StatusCode::ACCEPTED, Json(Started { delivery_id })))
}

/// Everything that failed or was skipped since then.
pub async fn replay_since(
    State(app): State<Arc<App>>,
    caller: ApiCaller,
    Path(id): Path<String>,
    body: Bytes,
) -> ApiResult<(StatusCode, Json<Replayed>)> {
    let destination = find_destination(&app, &caller, &id, None).await?;
    let request = ReplayRequest::parse(&json::fields(&body)?)?;
    let replayed = app.store.replay_since(caller.tenant(), destination.id, request.since).await?;
    Ok((StatusCode::ACCEPTED, Json(Replayed { replayed })))
}

/// Sends a `ping`.
pub async fn test(
    State(app): State<Arc<App>>,
    caller: ApiCaller,
    OriginalUri(uri): OriginalUri,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<(StatusCode, Json<Started>)> {
    let destination = find_destination(&app, &caller, &id, None).await?;
    let key = request_key(&headers, uri.path(), &body)?;
    let delivery_id = app.store.send_ping(caller.tenant(), destination.id, key.as_ref()).await?;
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
        reason: of.reason,
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
        cause: of.cause,
        exchange: of.exchange.and_then(|text| RawValue::from_string(text).ok()),
    }
}
