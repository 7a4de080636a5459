//! `/w/{id}/e/{token}`: the estimate behind its link, on one sheet. The link is the key: it opens for 90 days, unless it was
//! switched off, and shows nothing of the person.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;
use shingle_domain::inspection::VisitDate;
use shingle_domain::{LeadId, LinkId};
use shingle_notice::local_day;
use shingle_portal::date_and_time;
use shingle_widget::ssr::page::{Sheet, ended_page, sheet_page};
use shingle_widget::ssr::public_widget;
use shingle_widget::words::fill;

use crate::api::auth::LeadCaller;
use crate::state::Web;
use crate::visitor::hosted;
use crate::visitor::inspection_words;
use crate::visitor::public::own_lead::{OwnLead, TokenAlone};
use crate::web::error::{ApiError, ApiResult};
use crate::web::page_headers;
use shingle_app::lead_reference::reference;
use shingle_app::leads::receipt::chosen;
use shingle_app::self_booking::PickableTimes;
use shingle_app::self_booking_words::pick_words;
use shingle_app::tokens::{MAX_LINK_AGE, estimate_path, inspection_path, pick_path};
use shingle_app::visits::CompanyHours;

pub async fn show(
    State(web): State<Arc<Web>>,
    Path((widget, token)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> ApiResult<Response> {
    page(&web, &widget, &token, query.as_deref(), &headers, "../").await
}

pub async fn print(
    State(web): State<Arc<Web>>,
    Path((widget, token)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> ApiResult<Response> {
    page(&web, &widget, &token, query.as_deref(), &headers, "../../").await
}

async fn page(
    web: &Web,
    widget: &str,
    token: &str,
    query: Option<&str>,
    headers: &HeaderMap,
    up: &'static str,
) -> ApiResult<Response> {
    let id: LinkId = widget.parse().map_err(|_| ApiError::NotFound)?;
    let stored = web.store.widgets().find_public(id).await?.ok_or(ApiError::NotFound)?;
    let language = hosted::language(query, headers);
    let public = public_widget(&stored.widget, &stored.settings, language, &web.links(stored.tenant.account));
    let now = web.clock.now();
    let ended = || respond(web, StatusCode::NOT_FOUND, ended_page(&public, language, up));

    let Some(lead) = web.tokens.link_lead(token) else { return Ok(ended()) };
    let tenant = web.store.widgets().home_of_lead(&stored.tenant, lead).await?;
    let Some(version) = web.store.leads().link_version(&tenant, lead).await? else { return Ok(ended()) };
    let found = web.store.leads().find(&tenant, lead).await?.filter(|found| {
        found.widget_id == stored.widget.reference_id
            && found.created_at + MAX_LINK_AGE > now
            && web.tokens.is_link(token, lead, version)
    });
    let (Some(found), Some(mut shown)) = (found, web.store.leads().shown(&tenant, lead).await?) else {
        return Ok(ended());
    };
    if let Some(roof) = &mut shown.roof {
        web.renew_photo(&stored.settings, roof).await?;
    }
    let Some(price) = chosen(&found, &shown) else { return Ok(ended()) };
    let hours = CompanyHours::of(&web.store, &tenant, &stored.settings, now).await?;
    let day = |at| VisitDate(local_day(hours.time_zone(), at));
    let link = format!("{}{}", web.links(stored.tenant.account).pages_url, estimate_path(id, token));
    let booked = web.store.leads().appointment(&tenant, lead).await?.filter(|booked| booked.state.stands());
    let booked = booked.map(|booked| {
        let time = date_and_time(language, booked.time.date, booked.time.time);
        let said = fill(inspection_words::words(language).on_estimate, &[("time", &time)]);
        [said, format!("{}?lang={}", inspection_path(id, token), language.tag())]
    });
    let booked = match booked {
        None if PickableTimes::of(web, &tenant, &found, &stored).await?.is_some() => {
            Some([pick_words(language).link.to_owned(), format!("{}?lang={}", pick_path(id, token), language.tag())])
        }
        booked => booked,
    };
    let html = sheet_page(&Sheet {
        widget: &public,
        settings: &stored.settings,
        language,
        address: &found.address,
        reference: &reference(lead),
        shown: &shown,
        price,
        made: day(found.created_at),
        until: day(found.created_at + MAX_LINK_AGE),
        link: &link,
        inspection: booked.as_ref().map(|[said, href]| [said.as_str(), href.as_str()]),
        up,
    });
    Ok(respond(web, StatusCode::OK, html))
}

fn respond(web: &Web, status: StatusCode, html: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, page_headers::HTML),
        (header::CACHE_CONTROL, "private, no-store"),
        (header::VARY, "accept-language"),
    ];
    let response = (status, headers, html).into_response();
    let mut response = page_headers::with_security_headers(response, &page_headers::sheet_policy(web));
    // The address of the page is its key.
    response.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response.headers_mut().insert("x-robots-tag", HeaderValue::from_static("noindex"));
    response
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Revoked {
    /// Id of the lead. Example: `0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a`
    id: LeadId,
    /// Whether the link is off: always true. Example: `true`
    revoked: bool,
}

/// The homeowner switches the link off.
pub async fn revoke(
    State(web): State<Arc<Web>>,
    OwnLead { request, id, .. }: OwnLead<TokenAlone>,
) -> ApiResult<Json<Revoked>> {
    web.store.leads().revoke_link(&request.tenant, id).await?;
    Ok(Json(Revoked { id, revoked: true }))
}

/// The owner of the lead switches its link off.
pub async fn revoke_by_owner(
    State(web): State<Arc<Web>>,
    caller: LeadCaller,
    Path(lead): Path<String>,
) -> ApiResult<Json<Revoked>> {
    let id: LeadId = lead.parse().map_err(|_| ApiError::NotFound)?;
    web.store.leads().revoke_link(caller.tenant(), id).await?;
    Ok(Json(Revoked { id, revoked: true }))
}

pub async fn style() -> impl IntoResponse {
    let headers = [(header::CONTENT_TYPE, "text/css; charset=utf-8"), (header::CACHE_CONTROL, "public, max-age=3600")];
    (headers, include_str!("../../../../www/sheet.css"))
}

pub async fn script() -> impl IntoResponse {
    let headers =
        [(header::CONTENT_TYPE, "text/javascript; charset=utf-8"), (header::CACHE_CONTROL, "public, max-age=3600")];
    (headers, include_str!("../../../../www/sheet.js"))
}
