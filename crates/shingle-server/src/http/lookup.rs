//! `GET /api/v1/{product}`: what one address comes to, for the holder of a key.

use std::sync::Arc;

use axum::Json;
use axum::extract::{RawQuery, State};
use shingle_domain::Usd;
use shingle_domain::lookup::{LookupQuery, Product};
use shingle_property::Lookup;

use super::auth::Holder;
use super::error::{Answer, Failure};
use super::leads::fields;
use crate::app::App;
use crate::products::Complete;

pub async fn look_up(
    product: Product,
    State(app): State<Arc<App>>,
    holder: Holder,
    RawQuery(query): RawQuery,
) -> Answer<Json<Complete>> {
    let query = LookupQuery::parse(product, &fields(query.as_deref()))?;
    let Holder(caller) = &holder;
    let price = Usd::from_cents(app.settings.lookup_cents);
    let leave = app.store.reserve(&caller.tenant, &caller.key, product, price).await?;
    let answer = answer(&app, &holder, product, &query);
    let billable = answer.as_ref().is_ok_and(|a| a.is_determined());
    app.store.settle(leave, billable).await?;
    answer.map(Json)
}

fn answer(app: &App, holder: &Holder, product: Product, query: &LookupQuery) -> Answer<Complete> {
    let found = app.ground.of(holder.tenant().environment).lookup(&query.address).map_err(Failure::internal)?;
    let (evidence, close) = match found {
        Lookup::Found { evidence, .. } => (Some(evidence), Vec::new()),
        Lookup::Ambiguous(close) | Lookup::NotFound { close } => (None, close),
    };
    Ok(app.models().complete(product, evidence.as_ref(), query, close))
}
