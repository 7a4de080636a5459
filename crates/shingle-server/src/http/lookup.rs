//! `GET /api/v1/roof-estimate`: what one address comes to, for the holder of a key.

use std::sync::Arc;

use axum::Json;
use axum::extract::{RawQuery, State};
use serde::Serialize;
use shingle_domain::evidence::{MatchLevel, Source};
use shingle_domain::lookup::{Include, LookupQuery, Product};
use shingle_domain::public::Suggestion;
use shingle_domain::roof::{RoofDrawing, RoofEstimate, RoofEstimateRecord, RoofMaterial};
use shingle_domain::{Evidence, Usd};
use shingle_estimate::roof::{PriceTerms, roof_estimate as estimate, roof_found, sheet};
use shingle_property::Lookup;

use super::auth::Holder;
use super::error::{Answer, Failure};
use super::leads::fields;
use crate::app::App;

/// The contract's record, and what was asked for beyond it.
#[derive(Debug, Serialize)]
pub struct RoofAnswer {
    #[serde(flatten)]
    record: RoofEstimateRecord,
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    matched: Option<Match>,
    #[serde(skip_serializing_if = "Option::is_none")]
    provenance: Option<Vec<Source>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
    #[serde(skip_serializing_if = "Option::is_none")]
    segments: Option<Segments>,
}

/// How the address was tied to a place.
#[derive(Debug, Serialize)]
struct Match {
    level: Option<MatchLevel>,
    address: Option<String>,
    close: Vec<Suggestion>,
}

/// USD, around the estimate.
#[derive(Debug, Serialize)]
struct Range {
    low: Option<Usd>,
    high: Option<Usd>,
}

#[derive(Debug, Serialize)]
struct Segments {
    buildings: Vec<Segment>,
}

#[derive(Debug, Serialize)]
struct Segment {
    label: String,
    /// Square feet along the slope.
    area: u32,
    drawing: Option<RoofDrawing>,
}

pub async fn roof_estimate(
    State(app): State<Arc<App>>,
    holder: Holder,
    RawQuery(query): RawQuery,
) -> Answer<Json<RoofAnswer>> {
    let query = LookupQuery::parse(Product::RoofEstimate, &fields(query.as_deref()))?;
    let Holder(caller) = &holder;
    let price = Usd::from_cents(app.settings.lookup_cents);
    let leave = app.store.reserve(&caller.tenant, &caller.key, Product::RoofEstimate, price).await?;
    let answer = answer(&app, &holder, &query);
    let billable = answer.as_ref().is_ok_and(|a| a.record.estimate.roof_area.is_some());
    app.store.settle(leave, billable).await?;
    answer.map(Json)
}

fn answer(app: &App, holder: &Holder, query: &LookupQuery) -> Answer<RoofAnswer> {
    let found = app.ground.of(holder.tenant().environment).lookup(&query.address).map_err(Failure::internal)?;
    let (evidence, close) = match found {
        Lookup::Found { evidence, .. } => (Some(evidence), Vec::new()),
        Lookup::Ambiguous(close) | Lookup::NotFound { close } => (None, close),
    };
    let evidence = evidence.as_ref();
    let estimate = estimate(evidence, None, query.roof_material, query.installed_price, app.prices());
    let asked = |what| query.include.contains(&what);
    Ok(RoofAnswer {
        matched: asked(Include::Match).then(|| Match {
            level: evidence.map(|e| e.matched.level),
            address: evidence.map(|e| e.place.address.to_string()),
            close,
        }),
        provenance: asked(Include::Provenance).then(|| evidence.map(|e| e.place.sources.clone()).unwrap_or_default()),
        range: asked(Include::Range).then(|| range(app, evidence, query, &estimate)),
        segments: asked(Include::Segments).then(|| segments(evidence)),
        record: RoofEstimateRecord { timestamp: app.clock.now(), estimate },
    })
}

fn range(app: &App, evidence: Option<&Evidence>, query: &LookupQuery, estimate: &RoofEstimate) -> Range {
    let terms = PriceTerms { table: app.prices(), asphalt_override: query.installed_price };
    let material = estimate.roof_material.unwrap_or(RoofMaterial::AsphaltShingle);
    let line = evidence
        .and_then(|e| sheet(e, 0, &terms))
        .and_then(|sheet| sheet.prices.into_iter().find(|line| line.material == material));
    Range { low: line.as_ref().map(|l| l.low), high: line.as_ref().map(|l| l.high) }
}

fn segments(evidence: Option<&Evidence>) -> Segments {
    let buildings = evidence.and_then(|e| roof_found("", e)).map(|found| found.buildings).unwrap_or_default();
    let segment =
        |b: shingle_domain::public::BuildingChoice| Segment { label: b.label, area: b.area, drawing: b.drawing };
    Segments { buildings: buildings.into_iter().map(segment).collect() }
}
