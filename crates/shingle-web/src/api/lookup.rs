//! `GET /api/v1/{product}`: the record of one address, for the owner of a key.

use std::sync::Arc;

use axum::Json;
use axum::extract::{RawQuery, State};
use shingle_domain::evidence::MatchLevel;
use shingle_domain::lookup::{LookupQuery, Product};
use shingle_domain::{Tenant, Usd};
use shingle_property::Lookup;
use shingle_store::{Caller, StoreError};

use crate::api::auth::LookUpCaller;
use crate::state::Web;
use crate::telemetry;
use crate::web::error::{ApiError, ApiResult};
use crate::web::query_string::query_fields;
use shingle_app::look_ups::LookupResponse;
use shingle_app::stop_watch::StopWatch;

pub async fn look_up(
    product: Product,
    State(web): State<Arc<Web>>,
    LookUpCaller(caller): LookUpCaller,
    RawQuery(query): RawQuery,
) -> ApiResult<Json<LookupResponse>> {
    let query = LookupQuery::parse(product, &query_fields(query.as_deref()))?;
    metered(&web, &caller, product, &query).await.map(Json)
}

/// Checked before the work, and charged after it.
pub async fn metered(web: &Web, caller: &Caller, product: Product, query: &LookupQuery) -> ApiResult<LookupResponse> {
    let price = Usd::from_cents(web.settings.lookup_cents);
    let mut watch = StopWatch::start(web);
    let admission = web.store.usage().admit(&caller.tenant, &caller.key, product, price).await?;
    web.metrics.store("admit", watch.lap());
    caller.may_look_up(product).map_err(StoreError::from)?;
    let response = find_and_estimate(web, &caller.tenant, product, query);
    watch.lap();
    let billable = response.as_ref().is_ok_and(LookupResponse::is_determined);
    web.store.usage().settle(admission, billable).await?;
    web.metrics.store("settle", watch.lap());
    response
}

fn find_and_estimate(web: &Web, tenant: &Tenant, product: Product, query: &LookupQuery) -> ApiResult<LookupResponse> {
    let mut watch = StopWatch::start(web);
    let found = web.indexes.of(tenant.environment).lookup(&query.address).map_err(ApiError::internal)?;
    web.metrics.index(watch.lap());
    let level = level(&found);
    web.metrics.look_up(product.as_str(), level);
    telemetry::note_look_up(product.as_str(), level);
    let (evidence, close) = match found {
        Lookup::Found { evidence, .. } => (Some(evidence), Vec::new()),
        Lookup::Ambiguous(close) | Lookup::NotFound { close } => (None, close),
    };
    Ok(web.models().respond(product, evidence.as_ref(), query, close))
}

/// How an address was matched, as `/metrics` says it.
fn level(found: &Lookup) -> &'static str {
    match found {
        Lookup::Found { evidence, .. } => match evidence.matched.level {
            MatchLevel::Exact => "exact",
            MatchLevel::WithoutUnit => "without-unit",
            MatchLevel::WithoutSuffix => "without-suffix",
            MatchLevel::NumberRange => "number-range",
            MatchLevel::SimilarName => "similar-name",
            MatchLevel::Interpolated => "interpolated",
        },
        Lookup::Ambiguous(_) => "several",
        Lookup::NotFound { .. } => "none",
    }
}
