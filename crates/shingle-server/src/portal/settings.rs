//! `/portal/settings`: one's own name, browsers, recovery codes; and what every page has around it.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use shingle_domain::{Environment, SessionId, UserName};
use shingle_portal::{Hours, Language, Notice, SettingsView, settings_page};

use super::form::PortalForm;
use super::gate::Signed;
use super::page::{or_not_there, page_with, to};
use crate::app::App;
use crate::http::error::{ApiError, ApiResult};

pub fn frame<'s>(signed: &'s Signed, notice: Option<Notice<'s>>) -> shingle_portal::Signed<'s> {
    shingle_portal::Signed {
        name: signed.user.name.as_str(),
        company: Some(&signed.company),
        role: signed.user.role,
        language: Language::English,
        notice,
        visiting: signed.visiting.as_deref(),
        new_leads: signed.new_leads,
        trouble: signed.trouble,
    }
}

/// What became of the form before this page. The address names it by a word, so nobody can write a sentence into our pages.
pub fn said(query: &PortalForm) -> Option<Notice<'static>> {
    let (text, is_wrong) = match query.text("said") {
        "saved" => ("Saved.", false),
        "made" => ("Your widget is made. Try it here, change what you like, then put it on your site.", false),
        "unread" => ("Your widget is made. Your website could not be read, so look through logo and colors.", true),
        "widgetConflict" => (
            "Somebody has changed this widget since you opened it. This is how it stands now; nothing was saved.",
            true,
        ),
        "set" => ("The status is set.", false),
        "some" => ("Some of them are not there any more; the others are set.", true),
        "none" => ("Nothing was selected.", true),
        "step" => ("The step is too long, or its day is none. Nothing was saved.", true),
        "kept" => ("The list is kept.", false),
        "many" => ("You have kept 20 lists already. Forget one first.", true),
        "worth" => ("That is no amount of dollars. Nothing was saved.", true),
        "taken" => ("You’re on it.", false),
        "faster" => ("Somebody was faster.", true),
        "conflict" => {
            ("Somebody has changed this lead since you opened it. This is how it stands now; nothing was saved.", true)
        }
        "reference" => ("That is not the reference of this lead. Nothing was erased.", true),
        "erased" => ("The lead is erased.", false),
        "unknown" => ("That is none of the choices. Nothing was saved.", true),
        "ended" => ("The invite is taken back.", false),
        "removed" => ("They are signed out everywhere and can sign in no more.", false),
        "self" => ("Nobody removes themselves: ask another owner.", true),
        "above" => ("Only an operator removes an operator.", true),
        "lastOwner" => ("The company would have no owner. Invite another one first.", true),
        "signedOut" => ("Signed out there.", false),
        _ => return None,
    };
    Some(Notice { text, is_wrong })
}

/// Of the company, as its notices have it.
pub async fn zone(app: &App, signed: &Signed) -> ApiResult<String> {
    let settings = app.store.cached_notice_settings(&signed.tenant(Environment::Production)).await?;
    Ok(Option::as_ref(&settings).map_or_else(|| "UTC".to_owned(), |settings| settings.time_zone.clone()))
}

async fn settings(
    app: &App,
    signed: &Signed,
    status: StatusCode,
    codes: &[String],
    name: &str,
    wrong: Option<&str>,
    notice: Option<Notice<'_>>,
) -> ApiResult<Response> {
    let hours = Hours::new(&zone(app, signed).await?, app.clock.now());
    let sessions = app.store.list_sessions(signed.user.id).await?;
    let view = SettingsView {
        sessions: &sessions,
        own: signed.session.id,
        codes_left: app.store.recovery_codes_left(signed.user.id).await?,
        codes,
        hours: &hours,
        name,
        wrong,
    };
    Ok(page_with(status, settings_page(&frame(signed, notice), &view)))
}

pub async fn show(
    State(app): State<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let notice = said(&PortalForm::of_query(query.as_deref()));
    settings(&app, &signed, StatusCode::OK, &[], signed.user.name.as_str(), None, notice).await
}

pub async fn rename(
    State(app): State<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    match UserName::parse(form.text("name")) {
        Ok(name) => {
            app.store.rename_user(signed.user.id, &name).await?;
            Ok(to("/portal/settings?said=saved"))
        }
        Err(wrong) => {
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            settings(&app, &signed, status, &[], form.text("name"), Some(wrong), None).await
        }
    }
}

/// Shown in the answer itself: they are in no address and no history.
pub async fn make_codes(State(app): State<Arc<App>>, Extension(signed): Extension<Arc<Signed>>) -> ApiResult<Response> {
    let codes = app.store.make_recovery_codes(signed.user.id).await?;
    settings(&app, &signed, StatusCode::OK, &codes, signed.user.name.as_str(), None, None).await
}

pub async fn end_session(
    State(app): State<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
) -> Response {
    let ended = async {
        let id: SessionId = id.parse().map_err(|_| ApiError::NotFound)?;
        app.store.end_session(signed.user.id, id).await?;
        Ok(to("/portal/settings?said=signedOut"))
    };
    or_not_there(ended.await)
}

pub async fn end_others(State(app): State<Arc<App>>, Extension(signed): Extension<Arc<Signed>>) -> ApiResult<Response> {
    app.store.end_other_sessions(signed.user.id, signed.session.id).await?;
    Ok(to("/portal/settings?said=signedOut"))
}
