//! What surrounds every answer: the scheme check, the log line, the contract's 404, and an end to waiting.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use shingle_domain::error::Message;

use super::connection::{Connection, Target, Visitor};
use super::error::{Cause, Failure, Missing, body};
use crate::app::App;

/// The longest an answer may take, its request's body included.
const LONGEST: Duration = Duration::from_secs(60);
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

pub(super) async fn frame(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let begun = app.clock.now();
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let target = request.extensions().get::<Target>().map_or_else(|| path.clone(), |t| t.0.clone());
    let visitor = request.extensions().get::<Connection>().map(|c| Visitor::of(*c, request.headers(), &app.settings));
    let id = app.request_id();

    let mut response = match visitor {
        Some(visitor) if visitor.private => {
            request.extensions_mut().insert(visitor);
            let late = || body(StatusCode::REQUEST_TIMEOUT, Message::One("The request took too long.".into()));
            tokio::time::timeout(LONGEST, next.run(request)).await.unwrap_or_else(|_| late())
        }
        // Health is for load balancers, which ask over plain HTTP and learn nothing from it.
        Some(_) if matches!(path.as_str(), "/healthz" | "/readyz") => next.run(request).await,
        _ => Failure::refused(
            "Only HTTPS is supported. Behind a proxy that ends TLS, name its network in the setting trusted_proxy.",
        )
        .into_response(),
    };
    if response.extensions().get::<Missing>().is_some() {
        response = body(StatusCode::NOT_FOUND, Message::One(format!("Cannot {method} {target}")));
    }
    let status = response.status();
    let micros = app.clock.now().micros() - begun.micros();
    match response.extensions().get::<Cause>() {
        Some(Cause(cause)) => tracing::error!(%method, path, status = status.as_u16(), micros, id, cause),
        None => tracing::info!(%method, path, status = status.as_u16(), micros, id),
    }
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert(REQUEST_ID, id);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
