//! `/w/{id}/privacy`: what happens to what homeowners enter.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use shingle_app::leads::privacy::privacy_facts;
use shingle_widget::ssr::page::{Step, privacy_page};
use shingle_widget::ssr::public_widget;

use crate::state::Web;
use crate::visitor::hosted::{find_widget, language};
use crate::web::error::ApiResult;
use crate::web::page_headers::{HTML, scriptless_policy, with_security_headers};

pub async fn show(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let stored = find_widget(&web, &id).await?;
    let language = language(query.as_deref(), &headers);
    let facts = privacy_facts(&web, &stored).await?;
    let widget = public_widget(&stored.widget, &stored.settings, language, &web.links(stored.tenant.account));
    let step = Step { widget: &widget, language, from: "", first: false };
    let headers =
        [(header::CONTENT_TYPE, HTML), (header::CACHE_CONTROL, "no-cache"), (header::VARY, "accept-language")];
    let response = (headers, privacy_page(&step, &stored.settings, facts)).into_response();
    Ok(with_security_headers(response, &scriptless_policy(&web)))
}
