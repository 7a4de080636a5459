//! `/portal/operator/areas/{id}`: one area, and how far its load is.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, Path, RawQuery, State};
use axum::response::{IntoResponse as _, Response};
use serde_json::json;
use shingle_app::areas::AreaRecord;
use shingle_portal::{Hours, area_page, loading_in_short, loading_in_words, translated};

use crate::portal::areas::pages::said;
use crate::portal::areas::rows::{loading_view, row};
use crate::portal::form::PortalForm;
use crate::portal::gate::Operating;
use crate::portal::operator::{ZONE, frame};
use crate::portal::responses::{or_not_there, page};
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

pub fn found(web: &Web, id: &str) -> ApiResult<AreaRecord> {
    web.area_loads.areas().find(id).map_err(|_| ApiError::NotFound)
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(operating): Extension<Arc<Operating>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let shown = found(&web, &id).map(|record| {
        let row = row(&web, operating.language, record);
        let hours = Hours::new(ZONE, web.clock.now(), operating.language);
        let notice = said(&PortalForm::of_query(query.as_deref()));
        page(area_page(&frame(&operating, notice), &row, &hours))
    });
    or_not_there(shown)
}

/// For the script of a page.
pub async fn progress(
    State(web): State<Arc<Web>>,
    Extension(operating): Extension<Arc<Operating>>,
    Path(id): Path<String>,
) -> Response {
    let language = operating.language;
    let now = web.area_loads.running_of(&id).map(|running| loading_view(language, &running));
    Json(match &now {
        Some(now) => json!({
            "working": true,
            "percent": now.percent(),
            "said": loading_in_words(language, now),
            "short": loading_in_short(language, now),
        }),
        None => json!({ "working": false, "short": translated(language, "Loading has ended") }),
    })
    .into_response()
}
