//! What is stored about a person, and for how long: `/api/v1/people`, `/api/v1/retention`.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use schemars::JsonSchema;
use serde::Serialize;
use shingle_domain::rules::{PersonQuery, RetentionDays};
use shingle_domain::{LeadId, Timestamp};
use shingle_store::{DueForErasure, Person, PersonRecord, Retention};

use crate::api::auth::ApiCaller;
use crate::state::Web;
use crate::web::error::ApiResult;
use crate::web::json;
use crate::web::query_string::query_fields;
use shingle_app::photos;

/// Everything that is stored of a person.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonExport {
    /// When this was put together, in UTC. Example: `2026-11-23T08:00:00.000Z`
    exported_at: Timestamp,
    /// Lead by lead, the newest first. Empty: nothing is stored of this person.
    data: Vec<PersonRecord>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct ErasedPerson {
    /// Ids of the leads that were erased, the newest first. Example: `["0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a"]`
    leads: Vec<LeadId>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RetentionView {
    #[serde(flatten)]
    retention: Retention,
    /// What is older than `days` of the query, or else than the account keeps leads. Null where neither says a number.
    due: Option<DueForErasure>,
}

pub async fn export(State(web): State<Arc<Web>>, caller: ApiCaller, body: Bytes) -> ApiResult<Json<PersonExport>> {
    let data = web.store.leads().export_person(caller.tenant(), &person(&body)?).await?;
    Ok(Json(PersonExport { exported_at: web.store.now(), data }))
}

pub async fn erase(State(web): State<Arc<Web>>, caller: ApiCaller, body: Bytes) -> ApiResult<Json<ErasedPerson>> {
    let leads = web.store.leads().erase_person(caller.tenant(), &person(&body)?).await?;
    photos::delete_removed_soon(&web).await;
    Ok(Json(ErasedPerson { leads }))
}

pub async fn show_retention(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    RawQuery(query): RawQuery,
) -> ApiResult<Json<RetentionView>> {
    let asked = RetentionDays::parse_query(&query_fields(query.as_deref()))?;
    Ok(Json(view(&web, &caller, asked).await?))
}

pub async fn set_retention(
    State(web): State<Arc<Web>>,
    caller: ApiCaller,
    body: Bytes,
) -> ApiResult<Json<RetentionView>> {
    let days = RetentionDays::parse_body(&json::object(&body)?)?;
    web.store.accounts().set_retention(caller.tenant().account, days.map(RetentionDays::get)).await?;
    Ok(Json(view(&web, &caller, None).await?))
}

async fn view(web: &Web, caller: &ApiCaller, asked: Option<RetentionDays>) -> ApiResult<RetentionView> {
    let account = caller.tenant().account;
    let retention = web.store.accounts().retention(account).await?;
    let due = match asked.map(RetentionDays::get).or(retention.days) {
        Some(days) => Some(web.store.accounts().due_for_erasure(account, days).await?),
        None => None,
    };
    Ok(RetentionView { retention, due })
}

fn person(body: &Bytes) -> ApiResult<Person> {
    let PersonQuery { email, phone } = PersonQuery::parse(&json::object(body)?)?;
    Ok(Person { email, phone })
}
