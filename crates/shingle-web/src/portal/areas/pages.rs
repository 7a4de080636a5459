//! `/portal/operator/areas`: add an area, and all that are loaded.

use std::sync::Arc;

use axum::extract::{Extension, RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use shingle_portal::{AreaPlace, AreasView, Hours, Notice, areas_page};

use crate::portal::areas::form::{AreaAnswer, TypedArea, map_view};
use crate::portal::areas::rows::rows;
use crate::portal::form::PortalForm;
use crate::portal::gate::Operating;
use crate::portal::operator::{ZONE, frame};
use crate::portal::responses::page_with;
use crate::state::Web;

/// What became of a form of an area, in the next address.
pub fn said(query: &PortalForm) -> Option<Notice> {
    let (text, is_wrong) = match query.text("area") {
        "busy" => ("Another area is loading. One at a time: wait for it, or stop it.", true),
        "newest" => ("You have the newest data.", false),
        "newer" => ("There is new data.", false),
        "unchecked" => ("The source doesn’t answer. Your homes stay as they are; try again later.", true),
        "undone" => ("Undone. Visitors get the release before.", false),
        "monthly" => ("Saved.", false),
        "kept" => ("The data you have stays.", false),
        "removed" => ("Area removed.", false),
        "refused" => ("That didn’t work. The area stays as it was.", true),
        _ => return None,
    };
    Some(Notice { text: text.into(), is_wrong })
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(operating): Extension<Arc<Operating>>,
    RawQuery(query): RawQuery,
) -> Response {
    let query = PortalForm::of_query(query.as_deref());
    let typed = TypedArea::of(&query);
    let answer = match query.has("place") {
        true => AreaAnswer::asked(&web, operating.language, typed).await,
        false => AreaAnswer::proposed(typed),
    };
    page_of(&web, &operating, &answer, said(&query))
}

/// With what was typed, and what is wrong with it.
pub fn page_of(web: &Arc<Web>, operating: &Operating, answer: &AreaAnswer, notice: Option<Notice>) -> Response {
    let areas = web.area_loads.areas();
    let records = areas.list();
    let map = areas.map(records.iter().map(|record| &record.found)).map(map_view);
    let view = AreasView {
        form: answer.view(web, AreaPlace::Areas),
        rows: &rows(web, operating.language),
        map: map.as_ref(),
        monthly: areas.monthly(),
        hours: &Hours::new(ZONE, web.clock.now(), operating.language),
    };
    let status = if answer.is_refused() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    page_with(status, areas_page(&frame(operating, notice), &view))
}
