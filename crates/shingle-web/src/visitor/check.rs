//! `/w/{id}/check`: whether a contractor's page runs the widget, as a page or as JSON.
//!
//! `GET /w/{id}/check?url=URL` with `Accept: application/json` returns a [`SiteCheck`]; without `url` it checks the
//! company's own page. Only pages on the widget's list of domains are fetched.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_app::site_check::{PageToCheck, page_to_check};
use shingle_domain::check::SiteCheck;
use shingle_domain::widget::Widget;
use shingle_domain::{Language, WidgetSettings};
use shingle_store::StoredWidget;
use shingle_widget::ssr::{CheckOutcome, check_css, check_page, public_widget};

use crate::state::Web;
use crate::visitor::hosted::find_widget;
use crate::web::connection::Visitor;
use crate::web::error::{ApiError, ApiResult};
use crate::web::page_headers::{scriptless_policy, with_security_headers};
use crate::web::rate_limits::{LimitedAction, Sender};
use shingle_app::refusal::Refusal;

pub async fn show(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let stored = find_widget(&web, &id).await?;
    let widget = &stored.widget;
    let site = widget.site(&web.links(stored.tenant.account));
    let typed = query_parameter(query.as_deref(), "url");
    if wants_json(&headers) {
        let typed = typed.unwrap_or_else(|| site.as_str().to_owned());
        return Ok(uncached(Json(check_site(&web, widget, visitor, &typed).await?).into_response()));
    }
    let Some(typed) = typed else {
        return Ok(page(&web, &stored, site.as_str(), CheckOutcome::Nothing, StatusCode::OK));
    };
    Ok(match check_site(&web, widget, visitor, &typed).await {
        Ok(check) => page(&web, &stored, &typed, CheckOutcome::Found(&check), StatusCode::OK),
        Err(ApiError::BadRequest(message)) => {
            page(&web, &stored, &typed, CheckOutcome::Refused(&message.to_string()), StatusCode::BAD_REQUEST)
        }
        Err(ApiError::RateLimited { retry_after, .. }) => {
            let message = format!("Too many checks in a short time. Please try again in {retry_after} seconds.");
            let mut response =
                page(&web, &stored, &typed, CheckOutcome::Refused(&message), StatusCode::TOO_MANY_REQUESTS);
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(retry_after));
            response
        }
        Err(other) => return Err(other),
    })
}

/// `/w/{id}/check.css`
pub async fn style() -> impl IntoResponse {
    let headers = [(header::CONTENT_TYPE, "text/css; charset=utf-8"), (header::CACHE_CONTROL, "public, max-age=3600")];
    (headers, check_css())
}

pub(crate) async fn check_site(web: &Web, widget: &Widget, visitor: Visitor, typed: &str) -> ApiResult<SiteCheck> {
    let page = page_to_check(web, widget, typed)?.ok_or_else(|| ApiError::bad_request(Refusal::NotAPage))?;
    match page {
        PageToCheck::Unlisted(check) => Ok(check),
        PageToCheck::Listed(page) => {
            web.limits.check_visitor(LimitedAction::Check, visitor.ip, page.widget(), Sender::Form).await?;
            Ok(page.check(web).await?)
        }
    }
}

fn query_parameter(query: Option<&str>, wanted: &str) -> Option<String> {
    url::form_urlencoded::parse(query?.as_bytes()).find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
}

fn wants_json(headers: &HeaderMap) -> bool {
    let accepts = headers.get(header::ACCEPT).and_then(|v| v.to_str().ok()).unwrap_or_default();
    accepts.contains("application/json") && !accepts.contains("text/html")
}

fn page(web: &Web, stored: &StoredWidget, typed: &str, said: CheckOutcome<'_>, status: StatusCode) -> Response {
    let links = web.links(stored.tenant.account);
    let html =
        check_page(&public_widget(&stored.widget, &WidgetSettings::default(), Language::English, &links), typed, said);
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
    with_security_headers(uncached((status, headers, html).into_response()), &scriptless_policy(web))
}

/// A check is true only for the moment.
fn uncached(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
    response
}
