//! `/api/v1/leads`: the leads of an account's widgets.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Path, RawQuery, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::{BoxError, Json};
use futures_util::{StreamExt, stream};
use schemars::JsonSchema;
use serde::Serialize;
use shingle_domain::lead::Lead;
use shingle_domain::rules::{self, LeadPatch};
use shingle_domain::{Language, LeadId, Tenant};
use shingle_store::{Cursor, LeadFilter, OwnerChange, RepeatedAddress};
use tracing::{Instrument as _, Span};

use crate::api::auth::{ApiCaller, LeadCaller};
use crate::portal::given_lead;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use crate::web::json;
use crate::web::query_string::query_fields;
use shingle_app::lead_csv::LeadTable;
use shingle_app::lead_pages::{LeadPages, REPEATED_FOR};
use shingle_app::leads::intake::GivenLead;
use shingle_app::photos;

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeadPage {
    /// The leads of this page, the newest first.
    data: Vec<Lead>,
    /// Sent as `cursor`, it gets the next page. Null on the last one. Example: `6414b2d39a000.0192f4c17d3e7a2b8c4d1f2e3d4c5b6a`
    next_cursor: Option<String>,
}

pub async fn list(
    State(web): State<Arc<Web>>,
    caller: LeadCaller,
    RawQuery(query): RawQuery,
) -> ApiResult<Json<LeadPage>> {
    let query = rules::LeadListQuery::parse(&query_fields(query.as_deref()))?;
    let after = query.cursor.as_deref().map(str::parse::<Cursor>).transpose()?;
    let filter = LeadFilter { widget: query.widget_id, status: query.status, ..LeadFilter::default() };
    let page = match &query.search {
        Some(text) => web.store.leads().search(caller.tenant(), &filter, text, after, query.limit).await?,
        None => web.store.leads().list(caller.tenant(), &filter, after, query.limit).await?,
    };
    Ok(Json(LeadPage { data: page.leads, next_cursor: page.next.map(|c| c.to_string()) }))
}

/// `GET /api/v1/leads/repeated`: addresses that many leads of one day name.
pub async fn list_repeated(State(web): State<Arc<Web>>, caller: ApiCaller) -> ApiResult<Json<Vec<RepeatedAddress>>> {
    let since = web.clock.now() - REPEATED_FOR;
    Ok(Json(web.store.leads().repeated_addresses(caller.tenant(), since).await?))
}

pub async fn download(
    State(web): State<Arc<Web>>,
    caller: LeadCaller,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let query = rules::LeadListQuery::parse(&query_fields(query.as_deref()))?;
    let filter = LeadFilter { widget: query.widget_id, status: query.status, ..LeadFilter::default() };
    let pages = LeadPages::new(web.store.clone(), *caller.tenant(), filter, query.search);
    let settings = web.store.destinations().cached_notice_settings(caller.tenant()).await?;
    let zone = Option::as_ref(&settings).map_or("UTC", |settings| settings.time_zone.as_str());
    let table = LeadTable::new(web.store.clone(), caller.tenant().account, zone, Language::English);
    csv_response(&web, caller.tenant(), pages, table).await
}

/// A list as a table, sent while it is read.
pub(crate) async fn csv_response(
    web: &Web,
    tenant: &Tenant,
    mut pages: LeadPages,
    table: LeadTable,
) -> ApiResult<Response> {
    let count = pages.count().await.inspect_err(|error| tracing::warn!(%error, "leads could not be counted"));
    // Read before the answer begins: what fails here gets the contract's body.
    let beginning = table.part(&pages.next().await?, true).await.map_err(ApiError::internal)?;
    // Reading goes on where the disk takes nothing more.
    if let Err(error) = web.store.audit().note_download(tenant, count.unwrap_or_default()).await {
        tracing::error!(%error, "a download of leads could not be written into the audit log");
    }
    let beginning = stream::once(async { Ok(Bytes::from(beginning)) });
    let body = Body::from_stream(beginning.chain(stream::try_unfold((pages, table, Span::current()), next_part)));
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"leads.csv\""),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, body).into_response())
}

/// An error breaks the answer off, so that nobody takes it for the whole list.
async fn next_part(
    (mut pages, table, request): (LeadPages, LeadTable, Span),
) -> Result<Option<(Bytes, (LeadPages, LeadTable, Span))>, BoxError> {
    let reader = pages.reader();
    let part = async {
        let leads = pages.next().await?;
        Ok(if leads.is_empty() { None } else { Some(table.part(&leads, false).await?) })
    };
    // The response has begun, so this is outside of the request's own span.
    let part: Result<_, BoxError> = reader.run(part.instrument(request.clone())).await;
    let broke_off = |error: &BoxError| request.in_scope(|| tracing::error!(%error, "a list of leads broke off"));
    let part = part.inspect_err(broke_off)?;
    Ok(part.map(|part| (Bytes::from(part), (pages, table, request))))
}

pub async fn show(State(web): State<Arc<Web>>, caller: LeadCaller, Path(id): Path<String>) -> ApiResult<Json<Lead>> {
    let lead = web.store.leads().find(caller.tenant(), parse_id(&id)?).await?;
    lead.map(Json).ok_or(ApiError::NotFound)
}

pub async fn update(
    State(web): State<Arc<Web>>,
    caller: LeadCaller,
    Path(id): Path<String>,
    body: Bytes,
) -> ApiResult<Json<Lead>> {
    let patch = LeadPatch::parse(&json::fields(&body)?)?;
    change(&web, caller.tenant(), parse_id(&id)?, patch).await.map(Json)
}

pub(crate) async fn change(web: &Arc<Web>, tenant: &Tenant, id: LeadId, patch: LeadPatch) -> ApiResult<Lead> {
    let change = OwnerChange {
        status: patch.status,
        message: patch.message,
        inspection: patch.inspection,
        ..OwnerChange::default()
    };
    let (lead, to) = web.store.leads().change_given(tenant, id, &change, None).await?;
    // One that is spam no more meets the company's rules.
    given_lead::tell(web, to.map(|to| GivenLead { tenant: *tenant, lead: lead.clone(), to })).await;
    Ok(lead)
}

/// Erases the personal data of a lead.
pub async fn delete(
    State(web): State<Arc<Web>>,
    caller: LeadCaller,
    Path(id): Path<String>,
) -> ApiResult<Json<Erased>> {
    let id = parse_id(&id)?;
    web.store.leads().erase(caller.tenant(), id).await?;
    photos::delete_removed_soon(&web).await;
    Ok(Json(Erased { id, erased: true }))
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Erased {
    /// Id of the lead. Example: `0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a`
    id: LeadId,
    /// Whether its personal data are gone: always true. Example: `true`
    erased: bool,
}

pub(crate) fn parse_id(id: &str) -> ApiResult<LeadId> {
    id.parse().map_err(|_| ApiError::NotFound)
}
