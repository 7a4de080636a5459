//! `POST /w/{id}/suggest` and `/roof`: which address, and what its roof looks like. Roofs only: names and
//! other facts of a property never leave through here.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use shingle_domain::Violations;
use shingle_domain::public::{RoofAnswer, RoofRequest, SuggestAnswer, SuggestRequest};
use shingle_domain::text::is_clean;
use shingle_widget::words::Language;

use super::Visit;
use crate::app::App;
use crate::ground::roof_of;
use crate::http::error::{Answer, Failure};
use crate::http::json;
use crate::http::limits::Deed;

pub const SUGGESTIONS: usize = 5;
/// Characters of an address that is being typed.
pub const MAX_TYPED: usize = 200;

pub async fn suggest(State(app): State<Arc<App>>, visit: Visit, body: Bytes) -> Answer<Json<SuggestAnswer>> {
    let asked: SuggestRequest = json::shape(&body)?;
    visit.check(&app, &asked.token)?;
    app.gate.visit(Deed::Suggestion, visit.ip, visit.id())?;
    if !is_clean(&asked.text) || asked.text.chars().count() > MAX_TYPED {
        return Err(Violations(vec!["text must be a line of at most 200 characters".into()]).into());
    }
    let index = app.ground.of(visit.tenant.environment);
    let suggestions = index.suggest(&asked.text, SUGGESTIONS).map_err(Failure::internal)?;
    Ok(Json(SuggestAnswer { suggestions }))
}

pub async fn find(State(app): State<Arc<App>>, visit: Visit, body: Bytes) -> Answer<Json<RoofAnswer>> {
    let asked: RoofRequest = json::shape(&body)?;
    visit.check(&app, &asked.token)?;
    app.gate.visit(Deed::Roof, visit.ip, visit.id())?;
    let choice = asked.address.parse()?;
    let index = app.ground.of(visit.tenant.environment);
    let mut answer = roof_of(index, &choice).map_err(Failure::internal)?;
    Language::of_tag(asked.lang.as_deref().unwrap_or_default()).name_buildings(&mut answer);
    Ok(Json(answer))
}
