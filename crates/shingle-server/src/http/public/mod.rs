//! `/w/{id}/…`: what a visitor's browser asks, from the pages that may.

pub mod leads;
pub mod roof;
pub mod session;

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use shingle_domain::widget::Widget;
use shingle_domain::{Tenant, WidgetId};
use shingle_store::StoredWidget;
use url::Url;

use super::connection::Visitor;
use super::error::{Answer, Failure};
use crate::app::App;

/// Bytes a visitor's request may have.
pub const MAX_BODY: usize = 16 * 1024;

/// Where a request comes from, once that is known to be allowed.
#[derive(Clone)]
pub struct Visit {
    pub tenant: Tenant,
    pub widget: Arc<Widget>,
    /// Host of the page, without port.
    pub host: String,
    pub ip: IpAddr,
}

impl Visit {
    pub fn id(&self) -> WidgetId {
        self.widget.reference_id
    }

    /// The session must have been given to this page and neighbourhood.
    pub fn check(&self, app: &App, token: &str) -> Answer<()> {
        let holds = app.tokens.is_session(token, self.id(), &self.host, self.ip, app.clock.now());
        if holds { Ok(()) } else { Err(Failure::NoSession) }
    }
}

impl<S: Sync> FromRequestParts<S> for Visit {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        parts.extensions.get::<Self>().cloned().ok_or(Failure::NotFound)
    }
}

/// The page a request was made by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Origin {
    /// As the header has it, to be echoed.
    text: String,
    host: String,
}

impl Origin {
    pub fn of(headers: &HeaderMap) -> Option<Self> {
        let text = |name| headers.get(name).and_then(|v: &HeaderValue| v.to_str().ok());
        let url = match text(header::ORIGIN) {
            Some(origin) => Url::parse(origin).ok()?,
            None => Url::parse(text(header::REFERER)?).ok()?,
        };
        let host = url.host_str()?.to_owned();
        matches!(url.scheme(), "http" | "https").then(|| Self { text: url.origin().ascii_serialization(), host })
    }

    /// A page that this server gave out itself.
    pub fn is_own(&self, app: &App, headers: &HeaderMap) -> bool {
        let served_as = headers.get(header::HOST).and_then(|v| v.to_str().ok());
        let authority = self.text.split_once("://").map(|(_, authority)| authority);
        Url::parse(&app.base_url).is_ok_and(|base| base.origin().ascii_serialization() == self.text)
            || (authority.is_some() && authority == served_as)
    }
}

/// Finds the widget, lets in the pages that may use it, and tells the browser so.
pub async fn admit(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let origin = Origin::of(request.headers());
    let found = widget_of(&app, request.uri().path()).await;
    let (tenant, widget) = match found {
        Ok((tenant, stored)) => (tenant, stored.widget),
        Err(failure) => return failure.into_response(),
    };
    let Some(origin) = origin.filter(|o| o.is_own(&app, request.headers()) || widget.allows_host(&o.host)) else {
        let mut response =
            Failure::Forbidden("This page may not use the widget. Its domain is not on the list.").into_response();
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("origin"));
        return response;
    };
    let mut response = if request.method() == Method::OPTIONS {
        StatusCode::NO_CONTENT.into_response()
    } else if !widget.is_active() {
        Failure::refused("This widget is not active.").into_response()
    } else {
        let Some(visitor) = request.extensions().get::<Visitor>().copied() else {
            return Failure::Internal("a request came in without its connection".into()).into_response();
        };
        let visit = Visit { tenant, widget: Arc::new(widget), host: origin.host.clone(), ip: visitor.ip };
        request.extensions_mut().insert(visit);
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

/// By the path of any route below `/w/{id}`.
pub(super) async fn widget_of(app: &App, path: &str) -> Answer<(Tenant, StoredWidget)> {
    let id = path.strip_prefix("/w/").and_then(|rest| rest.split('/').next()).unwrap_or_default();
    let id: WidgetId = id.parse().map_err(|_| Failure::NotFound)?;
    app.store.find_public_widget(id).await?.ok_or(Failure::NotFound)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(headers: &[(&'static str, &str)]) -> Option<Origin> {
        Origin::of(&headers.iter().map(|(n, v)| (n.parse().unwrap(), v.parse().unwrap())).collect())
    }

    #[test]
    fn the_page_is_known_by_its_origin_or_else_by_its_referrer() {
        let page = origin(&[("origin", "https://Oak.example.com:8443")]).unwrap();
        assert_eq!((page.text.as_str(), page.host.as_str()), ("https://oak.example.com:8443", "oak.example.com"));
        let page = origin(&[("referer", "http://localhost:3000/a?b#c")]).unwrap();
        assert_eq!((page.text.as_str(), page.host.as_str()), ("http://localhost:3000", "localhost"));
        for nobody in
            [&[][..], &[("origin", "null")], &[("origin", "file:///x")], &[("origin", "chrome-extension://x")]]
        {
            assert_eq!(origin(nobody), None, "{nobody:?}");
        }
    }
}
