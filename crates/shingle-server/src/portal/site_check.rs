//! Whether a page of the company's shows the widget, asked from the designer.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use shingle_domain::Environment;
use shingle_portal::{phrase, retold};

use super::form::PortalForm;
use super::gate::Signed;
use super::opened::Opened;
use super::page::or_not_there;
use super::widgets::{Shown, designer};
use crate::app::App;
use crate::http::check::check_site;
use crate::http::connection::Visitor;
use crate::http::error::ApiError;

/// Looks at a page of the company's as a visitor's browser would, and keeps what was found.
pub async fn check(
    State(app): State<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let checked = async {
        let opened = Opened::find(&app, &signed, &id).await?;
        let typed = PortalForm::parse(&body).text("address").to_owned();
        let (status, outcome) = match check_site(&app, &opened.stored.widget, visitor, &typed).await {
            Ok(found) => {
                let verdict = serde_json::to_value(found.verdict).map_err(ApiError::internal)?;
                let (tenant, verdict) = (signed.tenant(Environment::Production), verdict.as_str().unwrap_or_default());
                app.store.note_site_check(&tenant, opened.id(), &found.url, verdict).await?;
                (StatusCode::OK, Ok(found))
            }
            Err(ApiError::BadRequest(said)) => (StatusCode::UNPROCESSABLE_ENTITY, Err(retold(signed.language, &said))),
            Err(ApiError::RateLimited { retry_after, .. }) => {
                let said = phrase(
                    signed.language,
                    "Too many checks in a short time. Please try again in {seconds} seconds.",
                    &[("seconds", &retry_after.to_string())],
                );
                (StatusCode::TOO_MANY_REQUESTS, Err(said))
            }
            Err(other) => return Err(other),
        };
        designer(&app, &signed, &opened, Shown { status, check: Some((typed, outcome)), ..Shown::default() }).await
    };
    or_not_there(checked.await)
}
