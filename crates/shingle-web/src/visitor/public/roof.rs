//! `POST /w/{id}/suggest` and `/roof`: address suggestions, and the roof of an address. These routes never send names or
//! other facts of a property.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use shingle_domain::public::{RoofAnswer, RoofRequest, SuggestRequest, SuggestResponse};
use shingle_domain::text::is_clean;
use shingle_domain::visit::VisitStep;
use shingle_domain::{Language, Rule, Violations};
use shingle_property::PropertyError;
use shingle_widget::ssr::part::roof_answer;
use shingle_widget::words::flow_words;
use shingle_widget::words::name_buildings;

use crate::state::Web;
use crate::visitor::public::widget_request::FromAllowedPage;
use crate::web::error::{ApiError, ApiResult};
use crate::web::json;
use crate::web::rate_limits::{LimitedAction, Sender};
use shingle_app::property_indexes::find_roof;
use shingle_app::visit_count;

pub const MAX_SUGGESTIONS: usize = 5;
/// Characters of an address that somebody types.
pub const MAX_ADDRESS_CHARS: usize = 200;

pub async fn suggest(
    State(web): State<Arc<Web>>,
    FromAllowedPage(request): FromAllowedPage,
    body: Bytes,
) -> ApiResult<Json<SuggestResponse>> {
    let sent: SuggestRequest = json::parse(&body)?;
    request.check_session(&web, &sent.token)?;
    web.limits
        .check_visitor(LimitedAction::Suggestion, request.ip, request.id(), Sender::Script(sent.altcha.as_deref()))
        .await?;
    if !is_clean(&sent.text) || sent.text.chars().count() > MAX_ADDRESS_CHARS {
        return Err(Violations::one("text", Rule::Line { max: MAX_ADDRESS_CHARS }).into());
    }
    let (context, environment) = (web.clone(), request.homes);
    // In an index of all states this reads every file.
    let search = move || context.indexes.of(environment).suggest(&sent.text, MAX_SUGGESTIONS);
    let suggestions = web.heavy_work.run(search).await?.map_err(ApiError::internal)?;
    Ok(Json(SuggestResponse { suggestions }))
}

pub async fn show(
    State(web): State<Arc<Web>>,
    FromAllowedPage(request): FromAllowedPage,
    body: Bytes,
) -> ApiResult<Json<RoofAnswer>> {
    let sent: RoofRequest = json::parse(&body)?;
    request.check_session(&web, &sent.token)?;
    web.limits
        .check_visitor(LimitedAction::Roof, request.ip, request.id(), Sender::Script(sent.altcha.as_deref()))
        .await?;
    let choice = sent.address.parse()?;
    if let Some(at) = &sent.at {
        visit_count::count_sent(&web, &request, VisitStep::Address, at);
    }
    let (context, environment) = (web.clone(), request.homes);
    let photos = web.photos(&request.stored.settings).await?;
    let language = Language::of_tag(sent.lang.as_deref().unwrap_or_default());
    let measure = move || {
        let index = context.indexes.of(environment);
        let mut answer = find_roof(index, photos.as_ref(), &choice)?;
        visit_count::count_uncovered(&context, &request, &answer);
        name_buildings(language, &mut answer);
        Ok::<_, PropertyError>(roof_answer(flow_words(language), answer))
    };
    Ok(Json(web.heavy_work.run(measure).await?.map_err(ApiError::internal)?))
}
