//! `/api/v1/leads`: the leads of an account's widgets.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;
use shingle_domain::LeadId;
use shingle_domain::lead::Lead;
use shingle_domain::rules::{self, LeadPatch};
use shingle_store::{Cursor, LeadFilter, OwnerChange};

use super::auth::ApiCaller;
use super::error::{ApiError, ApiResult};
use super::json;
use super::photos;
use super::query_string::query_fields;
use crate::app::App;
use crate::lead_csv;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LeadPage {
    data: Vec<Lead>,
    /// Send it as `cursor` to get the next page; `null` on the last page.
    next_cursor: Option<String>,
}

pub async fn list(
    State(app): State<Arc<App>>,
    caller: ApiCaller,
    RawQuery(query): RawQuery,
) -> ApiResult<Json<LeadPage>> {
    let query = rules::LeadListQuery::parse(&query_fields(query.as_deref()))?;
    let after = query.cursor.as_deref().map(str::parse::<Cursor>).transpose()?;
    let filter = LeadFilter { widget: query.widget_id, status: query.status, ..LeadFilter::default() };
    let page = app.store.list_leads(caller.tenant(), &filter, after, query.limit).await?;
    Ok(Json(LeadPage { data: page.leads, next_cursor: page.next.map(|c| c.to_string()) }))
}

pub async fn download(
    State(app): State<Arc<App>>,
    caller: ApiCaller,
    RawQuery(query): RawQuery,
) -> ApiResult<impl IntoResponse> {
    let query = rules::LeadListQuery::parse(&query_fields(query.as_deref()))?;
    let filter = LeadFilter { widget: query.widget_id, status: query.status, ..LeadFilter::default() };
    let leads = lead_csv::all_leads(&app.store, caller.tenant(), &filter).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"leads.csv\""),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, lead_csv::csv(&leads).map_err(ApiError::internal)?))
}

pub async fn show(State(app): State<Arc<App>>, caller: ApiCaller, Path(id): Path<String>) -> ApiResult<Json<Lead>> {
    let lead = app.store.find_lead(caller.tenant(), parse_id(&id)?).await?;
    lead.map(Json).ok_or(ApiError::NotFound)
}

pub async fn update(
    State(app): State<Arc<App>>,
    caller: ApiCaller,
    Path(id): Path<String>,
    body: Bytes,
) -> ApiResult<Json<Lead>> {
    let patch = LeadPatch::parse(&json::fields(&body)?)?;
    let change = OwnerChange { status: patch.status, message: patch.message, inspection: patch.inspection };
    Ok(Json(app.store.change_lead(caller.tenant(), parse_id(&id)?, &change).await?))
}

/// Erases the personal data of a lead.
pub async fn delete(State(app): State<Arc<App>>, caller: ApiCaller, Path(id): Path<String>) -> ApiResult<Json<Erased>> {
    let id = parse_id(&id)?;
    app.store.erase_lead(caller.tenant(), id).await?;
    photos::delete_removed(&app).await?;
    Ok(Json(Erased { id, erased: true }))
}

#[derive(Debug, Serialize)]
pub struct Erased {
    id: LeadId,
    erased: bool,
}

fn parse_id(id: &str) -> ApiResult<LeadId> {
    id.parse().map_err(|_| ApiError::NotFound)
}
