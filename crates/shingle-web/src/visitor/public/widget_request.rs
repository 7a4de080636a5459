//! A request of a visitor's browser that an allowed page made.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use shingle_domain::{Environment, LeadId, LinkId, Tenant, Timestamp};
use shingle_store::StoredWidget;

use crate::state::Web;
use crate::visitor::public::page_origin::PageOrigin;
use crate::web::connection::Visitor;
use crate::web::error::{ApiError, ApiResult};
use crate::web::rate_limits::{LimitedAction, Sender};

/// Bytes of a visitor's request.
pub const MAX_BODY_BYTES: usize = 16 * 1024;

/// The widget, page and visitor of a request, once the page is known to be allowed.
#[derive(Clone)]
pub struct WidgetRequest {
    pub tenant: Tenant,
    pub stored: Arc<StoredWidget>,
    /// Host of the page, without port.
    pub host: String,
    pub ip: IpAddr,
}

impl WidgetRequest {
    pub fn id(&self) -> LinkId {
        self.stored.widget.link_id()
    }

    /// Whether what it sends is test data: a preview, or somebody's test on a live site.
    pub fn is_test(&self) -> bool {
        self.tenant != self.stored.tenant
    }

    /// From here on what it sends is test data.
    pub fn begin_test(&mut self) {
        self.tenant.environment = Environment::Sandbox;
    }

    /// Whose tokens its leads have. Those of tests have others, so that a lead's token says where the lead is.
    pub fn token_id(&self) -> LinkId {
        if self.is_test() { test_id(self.id()) } else { self.id() }
    }

    /// The session must have been issued for this page and network. When it was.
    pub fn check_session(&self, web: &Web, token: &str) -> ApiResult<Timestamp> {
        let since = web.tokens.session_since(token, self.id(), &self.host, self.ip, web.clock.now());
        since.ok_or(ApiError::SessionEnded)
    }

    /// The lead of a path, if the token is the one that its browser got.
    pub fn check_lead(&self, web: &Web, lead: &str, token: &str) -> ApiResult<LeadId> {
        let id: LeadId = lead.parse().map_err(|_| ApiError::NotFound)?;
        let valid = web.tokens.is_lead(token, self.token_id(), id, web.clock.now());
        if valid { Ok(id) } else { Err(ApiError::SessionEnded) }
    }

    /// A token of a test says that the request is one.
    pub fn note_test(&mut self, web: &Web, lead: &str, token: &str) {
        let of_test = |id: LeadId| web.tokens.is_lead(token, test_id(self.id()), id, web.clock.now());
        if lead.parse().is_ok_and(of_test) {
            self.begin_test();
        }
    }

    /// [`WidgetRequest::check_lead`] within the visitor's limit. It is a test from here on if the lead is one.
    pub fn own_lead(&mut self, web: &Web, lead: &str, token: &str, action: LimitedAction) -> ApiResult<LeadId> {
        self.note_test(web, lead, token);
        let id = self.check_lead(web, lead, token)?;
        web.limits.check_visitor(action, self.ip, self.id(), Sender::Form)?;
        Ok(id)
    }
}

/// No widget has it.
fn test_id(id: LinkId) -> LinkId {
    LinkId(uuid::Uuid::from_u128(!id.0.as_u128()))
}

impl<S: Sync> FromRequestParts<S> for WidgetRequest {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        parts.extensions.get::<Self>().cloned().ok_or(ApiError::NotFound)
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
    let Some(origin) = origin.filter(|o| o.is_own(&web) || allowed(&o.host)) else {
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
        let widget_request = WidgetRequest { tenant, stored, host: origin.host.clone(), ip: visitor.ip };
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
