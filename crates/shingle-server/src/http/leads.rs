//! `/api/v1/leads`: what homeowners sent, for the owner of the widget.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;
use shingle_domain::LeadId;
use shingle_domain::lead::Lead;
use shingle_domain::rules::{self, Fields, LeadPatch};
use shingle_store::{LeadCursor, LeadFilter, OwnerChange};

use super::auth::Holder;
use super::error::{Answer, Failure};
use super::json;
use crate::app::App;
use crate::export;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct List {
    data: Vec<Lead>,
    /// Hand it back as `cursor` for the next page; `null` on the last one.
    next_cursor: Option<String>,
}

pub async fn list(State(app): State<Arc<App>>, holder: Holder, RawQuery(query): RawQuery) -> Answer<Json<List>> {
    let asked = rules::LeadListQuery::parse(&fields(query.as_deref()))?;
    let after = asked.cursor.as_deref().map(str::parse::<LeadCursor>).transpose()?;
    let filter = LeadFilter { widget: asked.widget_id, status: asked.status, ..LeadFilter::default() };
    let page = app.store.list_leads(holder.tenant(), &filter, after, asked.limit).await?;
    Ok(Json(List { data: page.leads, next_cursor: page.next.map(|c| c.to_string()) }))
}

pub async fn download(
    State(app): State<Arc<App>>,
    holder: Holder,
    RawQuery(query): RawQuery,
) -> Answer<impl IntoResponse> {
    let asked = rules::LeadListQuery::parse(&fields(query.as_deref()))?;
    let filter = LeadFilter { widget: asked.widget_id, status: asked.status, ..LeadFilter::default() };
    let leads = export::all_leads(&app.store, holder.tenant(), &filter).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"leads.csv\""),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, export::csv(&leads).map_err(Failure::internal)?))
}

pub async fn show(State(app): State<Arc<App>>, holder: Holder, Path(id): Path<String>) -> Answer<Json<Lead>> {
    let lead = app.store.find_lead(holder.tenant(), known(&id)?).await?;
    lead.map(Json).ok_or(Failure::NotFound)
}

pub async fn update(
    State(app): State<Arc<App>>,
    holder: Holder,
    Path(id): Path<String>,
    body: Bytes,
) -> Answer<Json<Lead>> {
    let patch = LeadPatch::parse(&json::fields(&body)?)?;
    let change = OwnerChange { status: patch.status, message: patch.message };
    Ok(Json(app.store.change_lead(holder.tenant(), known(&id)?, &change).await?))
}

/// Erases what is personal; answers the id that no longer names anything.
pub async fn delete(State(app): State<Arc<App>>, holder: Holder, Path(id): Path<String>) -> Answer<Json<Erased>> {
    let id = known(&id)?;
    app.store.erase_lead(holder.tenant(), id).await?;
    Ok(Json(Erased { id, erased: true }))
}

#[derive(Debug, Serialize)]
pub struct Erased {
    id: LeadId,
    erased: bool,
}

/// The names and values of a query string, decoded.
pub(super) fn fields(query: Option<&str>) -> Fields<'_> {
    Fields::from_pairs(url::form_urlencoded::parse(query.unwrap_or_default().as_bytes()))
}

fn known(id: &str) -> Answer<LeadId> {
    id.parse().map_err(|_| Failure::NotFound)
}
