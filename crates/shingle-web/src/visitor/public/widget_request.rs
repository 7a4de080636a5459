//! A request of a visitor's browser that an allowed page made.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use shingle_app::leads::widget_request::WidgetRequest;
use shingle_domain::LinkId;
use shingle_store::StoredWidget;

use crate::state::Web;
use crate::visitor::public::page_origin::PageOrigin;
use crate::web::connection::Visitor;
use crate::web::error::{ApiError, ApiResult};

/// Bytes of a visitor's request.
pub const MAX_BODY_BYTES: usize = 16 * 1024;

/// The request of a page that the middleware found to be allowed.
pub struct FromAllowedPage(pub WidgetRequest);

impl<S: Sync> FromRequestParts<S> for FromAllowedPage {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        parts.extensions.get::<WidgetRequest>().cloned().map(Self).ok_or(ApiError::NotFound)
    }
}

const NOT_LISTED: &str = "This page may not use the widget. Its domain is not on the list.";
const NOT_TOLD: &str = "The request names no site: neither its Origin nor its Referer is the address of a page.";

/// Finds the widget, refuses pages that may not use it, and sets the CORS headers.
pub async fn authorize_page(State(web): State<Arc<Web>>, mut request: Request, next: Next) -> Response {
    let origin = PageOrigin::of(request.headers());
    let found = find_widget_of_path(&web, request.uri().path()).await;
    let stored = match found {
        Ok(found) => found,
        Err(error) => return error.into_response(),
    };
    let (tenant, widget) = (stored.tenant, &stored.widget);
    let refused = if origin.as_ref().is_some_and(|o| !o.host.is_empty()) { NOT_LISTED } else { NOT_TOLD };
    // A preview runs on pages of ours alone.
    let allowed = |host: &str| !stored.is_preview && widget.allows_page(host, tenant.environment);
    let Some(origin) = origin.filter(|o| o.is_own(&web, tenant.account) || allowed(&o.host)) else {
        let mut response = ApiError::Forbidden(refused).into_response();
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("origin"));
        return response;
    };
    let mut response = if request.method() == Method::OPTIONS {
        StatusCode::NO_CONTENT.into_response()
    } else if !widget.is_active() {
        ApiError::bad_request("This widget is not active.").into_response()
    } else {
        let Some(visitor) = request.extensions().get::<Visitor>().copied() else {
            return ApiError::Internal("a request has no connection".into()).into_response();
        };
        let tenant = stored.request_tenant();
        let (homes, host) = (stored.tenant.environment, origin.host.clone());
        let widget_request = WidgetRequest { tenant, stored, homes, host, ip: visitor.ip };
        request.extensions_mut().insert(widget_request);
        next.run(request).await
    };
    let headers = response.headers_mut();
    headers.insert(header::VARY, HeaderValue::from_static("origin"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(origin) = HeaderValue::from_str(&origin.text) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("POST, PATCH"));
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("content-type, idempotency-key"));
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("retry-after, x-request-id"));
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("7200"));
    }
    response
}

/// Finds the widget of any path below `/w/{id}`.
pub(crate) async fn find_widget_of_path(web: &Web, path: &str) -> ApiResult<Arc<StoredWidget>> {
    let id = path.strip_prefix("/w/").and_then(|rest| rest.split('/').next()).unwrap_or_default();
    let id: LinkId = id.parse().map_err(|_| ApiError::NotFound)?;
    web.store.widgets().find_public(id).await?.ok_or(ApiError::NotFound)
}
