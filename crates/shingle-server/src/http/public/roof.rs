//! `POST /w/{id}/suggest` and `/roof`: which address, and what its roof looks like. Roofs only: names and
//! other facts of a property never leave through here.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use shingle_domain::Violations;
use shingle_domain::public::{RoofAnswer, RoofRequest, SuggestAnswer, SuggestRequest};
use shingle_domain::text::is_clean;
use shingle_estimate::roof::roof_found;

use super::Visit;
use crate::app::App;
use crate::ground::{Chosen, choose};
use crate::http::error::{Answer, Failure};
use crate::http::json;
use crate::http::limits::Deed;

const SUGGESTIONS: usize = 5;
/// Characters of an address that is being typed.
const MAX_TYPED: usize = 200;

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
    let answer = match choose(index, &choice).map_err(Failure::internal)? {
        Chosen::Unknown { typed, close } => RoofAnswer::NotFound { typed, close },
        Chosen::Place { key, evidence } => {
            let key = key.to_string();
            let address = &evidence.place.address;
            roof_found(&key, &evidence).map_or_else(
                || RoofAnswer::NoRoof {
                    key: Some(key.clone()),
                    street: address.street_line(),
                    city: address.city_line(),
                },
                RoofAnswer::Roof,
            )
        }
    };
    Ok(Json(answer))
}
