//! `/portal/widgets/{id}`: a draft, what it would change for visitors, publishing, and going back.
//!
//! # Decision
//!
//! A widget has one draft, and publishing shows its changes. A form holds the version and draft it was typed over;
//! the second editor gets their own text back beside the current one. Turned down: a draft per person, which somebody
//! would have to merge.

use std::sync::Arc;

use axum::extract::{Extension, Path, RawQuery, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use shingle_domain::Environment;
use shingle_portal::{Hours, WidgetVersionLine, review_page, say, versions_page, widget_changes};
use shingle_store::StoreError;

use crate::api::widget_form::WidgetForm;
use crate::portal::gate::Signed;
use crate::portal::responses::{or_not_there, page, to};
use crate::portal::settings::page::{frame, zone};
use crate::portal::widgets::edit::{self, Edit, values_of};
use crate::portal::widgets::list::{Shown, designer};
use crate::portal::widgets::widget_editor::{Opened, seen_by};
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

/// How many versions the page shows.
const SHOWN_VERSIONS: u32 = 20;

pub async fn save(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    or_not_there(saved(&web, &signed, &id, request).await)
}

async fn saved(web: &Web, signed: &Signed, id: &str, request: Request) -> ApiResult<Response> {
    let opened = Opened::find(web, signed, id).await?;
    let seen = seen_by(request.uri().query());
    let form = match WidgetForm::read(request).await {
        Ok(form) => form,
        Err(ApiError::BadRequest(said)) => {
            let (widget, settings) = opened.current();
            let mut typed = values_of(web, widget, settings);
            typed.refuse("", format!("{}.", say(signed.language, &said)));
            return refused(web, signed, &opened, StatusCode::UNPROCESSABLE_ENTITY, (typed, false)).await;
        }
        Err(other) => return Err(other),
    };
    let reviews = form.fields.text("then") == Some("review");
    let Edit { values, made, had_picture } = edit::read(web, signed.language, opened.current(), form).await?;
    let Some((widget, settings)) = made else {
        return refused(web, signed, &opened, StatusCode::UNPROCESSABLE_ENTITY, (values, had_picture)).await;
    };
    let tenant = signed.tenant(Environment::Production);
    let by = signed.user.name.as_str();
    let saved = match seen {
        Some(seen) => web.store.widgets().save_draft(&tenant, opened.id(), seen, by, (&widget, &settings)).await,
        None => Err(StoreError::Changed),
    };
    match saved {
        Ok(_) if reviews => Ok(to(&format!("{}/publish", opened.path()))),
        Ok(_) => Ok(to(&format!("{}?said=draft", opened.path()))),
        Err(StoreError::Changed) => {
            // As it is now, beside what was typed.
            let opened = Opened::find(web, signed, id).await?;
            let (widget, settings) = opened.current();
            let mut typed = values;
            typed.compare(&values_of(web, widget, settings));
            refused(web, signed, &opened, StatusCode::CONFLICT, (typed, had_picture)).await
        }
        Err(error) => Err(error.into()),
    }
}

async fn refused(
    web: &Web,
    signed: &Signed,
    opened: &Opened,
    status: StatusCode,
    (typed, picture_again): (shingle_portal::WidgetFormValues, bool),
) -> ApiResult<Response> {
    designer(web, signed, opened, Shown { status, typed: Some(typed), picture_again, ..Shown::default() }).await
}

pub async fn review(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
) -> Response {
    let shown = async {
        let opened = Opened::find(&web, &signed, &id).await?;
        let Some(draft) = &opened.draft else { return Ok(to(&opened.path())) };
        let public = values_of(&web, &opened.stored.widget, &opened.stored.settings);
        let changes = widget_changes(&public, &values_of(&web, &draft.widget, &draft.settings));
        let hours = Hours::new(&zone(&web, &signed).await?, web.clock.now(), signed.language);
        let (title, saved) = (&opened.stored.widget.first_page_title, (draft.by.as_str(), draft.at));
        let around = frame(&signed, None);
        Ok(page(review_page(&around, &opened.path(), title, &opened.seen_text(), &changes, saved, &hours)))
    };
    or_not_there(shown.await)
}

/// What was looked at is published, and nothing else: a draft that was saved meanwhile is looked at first.
pub async fn publish(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let published = async {
        let opened = Opened::find(&web, &signed, &id).await?;
        let (tenant, by) = (signed.tenant(Environment::Production), signed.user.name.as_str());
        let done = match seen_by(query.as_deref()) {
            Some(seen) => {
                web.store
                    .widgets()
                    .publish(&tenant, opened.id(), seen, by, |widget| web.record(signed.account, widget))
                    .await
            }
            None => Err(StoreError::Changed),
        };
        match done {
            Ok(_) => Ok(to(&format!("{}?said=published", opened.path()))),
            Err(StoreError::Changed | StoreError::NotFound) => conflict(&opened),
            Err(error) => Err(error.into()),
        }
    };
    or_not_there(published.await)
}

fn conflict(opened: &Opened) -> ApiResult<Response> {
    Ok(to(&format!("{}?said=widgetConflict", opened.path())))
}

pub async fn discard(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let discarded = async {
        let opened = Opened::find(&web, &signed, &id).await?;
        let Some(seen) = seen_by(query.as_deref()) else { return conflict(&opened) };
        match web.store.widgets().discard_draft(&signed.tenant(Environment::Production), opened.id(), seen).await {
            Ok(()) => Ok(to(&format!("{}?said=discarded", opened.path()))),
            Err(StoreError::Changed) => conflict(&opened),
            Err(error) => Err(error.into()),
        }
    };
    or_not_there(discarded.await)
}

pub async fn versions(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
) -> Response {
    let shown = async {
        let opened = Opened::find(&web, &signed, &id).await?;
        let tenant = signed.tenant(Environment::Production);
        let kept = web.store.widgets().versions(&tenant, opened.id(), SHOWN_VERSIONS + 1).await?;
        let values: Vec<_> = kept.iter().map(|kept| values_of(&web, &kept.widget, &kept.settings)).collect();
        let line = |(at, kept): (usize, &shingle_store::WidgetVersion)| WidgetVersionLine {
            version: kept.version,
            by: kept.by.clone(),
            at: kept.at,
            changes: values.get(at + 1).zip(values.get(at)).map(|(before, after)| widget_changes(before, after)),
        };
        let lines: Vec<_> = kept.iter().enumerate().take(SHOWN_VERSIONS as usize).map(line).collect();
        let hours = Hours::new(&zone(&web, &signed).await?, web.clock.now(), signed.language);
        let (title, around) = (&opened.stored.widget.first_page_title, frame(&signed, None));
        let (path, has_draft) = (opened.path(), opened.draft.is_some());
        Ok(page(versions_page(&around, &path, title, &opened.seen_text(), has_draft, &lines, &hours)))
    };
    or_not_there(shown.await)
}

/// Makes a draft of an older version, which is then looked at and published like any other.
pub async fn restore(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path((id, version)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    let restored = async {
        let opened = Opened::find(&web, &signed, &id).await?;
        let tenant = signed.tenant(Environment::Production);
        let version = version.parse().map_err(|_| ApiError::NotFound)?;
        let kept = web.store.widgets().find_version(&tenant, opened.id(), version).await?.ok_or(ApiError::NotFound)?;
        let Some(seen) = seen_by(query.as_deref()) else { return conflict(&opened) };
        let (by, made) = (signed.user.name.as_str(), (&kept.widget, &kept.settings));
        match web.store.widgets().save_draft(&tenant, opened.id(), seen, by, made).await {
            Ok(_) => Ok(to(&format!("{}/publish", opened.path()))),
            Err(StoreError::Changed) => conflict(&opened),
            Err(error) => Err(error.into()),
        }
    };
    or_not_there(restored.await)
}
