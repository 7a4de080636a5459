//! Around a widget: its links and codes, a test on the live site, and whether the site shows it.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use shingle_domain::Environment;
use shingle_portal::{ShareView, sheet_page};
use shingle_store::StoredWidget;
use url::Url;

use super::edit::logo_paths;
use super::form::PortalForm;
use super::gate::Signed;
use super::page::{or_not_there, page};
use super::settings::frame;
use super::widgets::{Opened, Shown, designer};
use crate::app::App;
use crate::http::check::check_site;
use crate::http::connection::Visitor;
use crate::http::error::{ApiError, ApiResult};
use crate::tokens::TEST_PARAMETER;

fn codes(stored: &StoredWidget) -> [String; 2] {
    [stored.widget.widget_qr_path(), stored.widget.hosted_qr_path()].map(|path| format!("/storage/{path}"))
}

pub fn share_view(app: &App, stored: &StoredWidget) -> ApiResult<ShareView> {
    let (widget, links) = (&stored.widget, app.links());
    let id = widget.link_id();
    let key = app.tokens.test(id, app.clock.now())?;
    let mut site = Url::parse(widget.company_url.as_str()).map_err(ApiError::internal)?;
    site.query_pairs_mut().append_pair("roof-estimate", &id.to_string()).append_pair(TEST_PARAMETER, &key);
    let hosted = links.hosted_page(id);
    Ok(ShareView {
        tests: [site.to_string(), format!("{hosted}?{TEST_PARAMETER}={key}")],
        redirect: links.redirect(id),
        hosted,
        codes: codes(stored),
    })
}

pub async fn sheet(
    State(app): State<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
) -> Response {
    let shown = async {
        let opened = Opened::find(&app, &signed, &id).await?;
        let record = app.record(&opened.stored.widget);
        let [logo, _] = logo_paths(&opened.stored.widget);
        let language = frame(&signed, None).language;
        Ok(page(sheet_page(language, &record, &codes(&opened.stored), &logo.unwrap_or_default())))
    };
    or_not_there(shown.await)
}

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
            Err(ApiError::BadRequest(said)) => (StatusCode::UNPROCESSABLE_ENTITY, Err(said)),
            Err(ApiError::RateLimited { retry_after, .. }) => {
                let said = format!("Too many checks in a short time. Please try again in {retry_after} seconds.");
                (StatusCode::TOO_MANY_REQUESTS, Err(said))
            }
            Err(other) => return Err(other),
        };
        designer(&app, &signed, &opened, Shown { status, check: Some((typed, outcome)), ..Shown::default() }).await
    };
    or_not_there(checked.await)
}
