//! `GET /api/v1/{product}`: the record of one address, for the owner of a key.

use std::sync::Arc;

use axum::Json;
use axum::extract::{RawQuery, State};
use shingle_domain::lookup::{LookupQuery, Product};
use shingle_domain::{Tenant, Usd};
use shingle_property::Lookup;
use shingle_store::StoreError;

use super::auth::LookUpCaller;
use super::error::{ApiError, ApiResult};
use super::query_string::query_fields;
use crate::app::App;
use crate::products::LookupResponse;

pub async fn look_up(
    product: Product,
    State(app): State<Arc<App>>,
    LookUpCaller(caller): LookUpCaller,
    RawQuery(query): RawQuery,
) -> ApiResult<Json<LookupResponse>> {
    let query = LookupQuery::parse(product, &query_fields(query.as_deref()))?;
    let price = Usd::from_cents(app.settings.lookup_cents);
    let admission = app.store.admit(&caller.tenant, &caller.key, product, price).await?;
    caller.may_look_up(product).map_err(StoreError::from)?;
    let response = find_and_estimate(&app, &caller.tenant, product, &query);
    let billable = response.as_ref().is_ok_and(LookupResponse::is_determined);
    app.store.settle(admission, billable).await?;
    response.map(Json)
}

fn find_and_estimate(app: &App, tenant: &Tenant, product: Product, query: &LookupQuery) -> ApiResult<LookupResponse> {
    let found = app.indexes.of(tenant.environment).lookup(&query.address).map_err(ApiError::internal)?;
    let (evidence, close) = match found {
        Lookup::Found { evidence, .. } => (Some(evidence), Vec::new()),
        Lookup::Ambiguous(close) | Lookup::NotFound { close } => (None, close),
    };
    Ok(app.models().respond(product, evidence.as_ref(), query, close))
}
