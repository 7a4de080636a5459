//! `/portal/widgets`: the company's widgets, and the designer of one.

use std::sync::Arc;

use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use shingle_domain::Environment;
use shingle_portal::{
    Counted, Hours, Language, Notice, PreviewView, WidgetFormValues, WidgetView, counted, shades, widget_page,
    widgets_page,
};

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::responses::{FRAMING, or_not_there, page, page_with};
use crate::portal::settings::page::{frame, said, zone};
use crate::portal::widgets::edit::{logo_paths, values_of};
use crate::portal::widgets::preview::preview;
use crate::portal::widgets::share::share_view;
use crate::portal::widgets::sightings::{Look, SiteLooks};
use crate::portal::widgets::widget_editor::{Opened, sums};
use crate::state::Web;
use crate::web::error::ApiResult;

pub async fn list(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let widgets = web.store.widgets().list(&signed.tenant(Environment::Production)).await?;
    let records: Vec<_> = widgets.iter().map(|stored| web.record(signed.account, &stored.widget)).collect();
    let notice = copied(signed.language, &PortalForm::of_query(query.as_deref()));
    Ok(page(widgets_page(&frame(&signed, notice), &records)))
}

/// What became of a copy of parts: how many widgets have it, and how many were left alone.
fn copied(language: Language, query: &PortalForm) -> Option<Notice> {
    if query.text("said") != "copied" {
        return said(query);
    }
    let number = |name: &str| query.text(name).parse::<u32>().map_or(0, i64::from);
    let left = number("left");
    let done = counted(language, Counted::COPIED, number("count"));
    let rest = (left > 0).then(|| counted(language, Counted::NOT_COPIED, left));
    let text = [Some(done), rest].into_iter().flatten().collect::<Vec<_>>().join(" ");
    Some(Notice { text: text.into(), is_wrong: left > 0 })
}

fn told(query: &PortalForm) -> Option<Notice> {
    let (text, is_wrong) = match query.text("said") {
        "draft" => ("Saved as a draft. Visitors see it once you publish it.", false),
        "published" => ("Published. Visitors see it within minutes.", false),
        "duplicated" => (
            "This is the copy, and it is off. Change the company and its email, then publish it and turn it on.",
            false,
        ),
        "discarded" => ("Draft discarded. This is what visitors see.", false),
        _ => return said(query),
    };
    Some(Notice { text: text.into(), is_wrong })
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let shown = async {
        let opened = Opened::find(&web, &signed, &id).await?;
        let notice = told(&PortalForm::of_query(query.as_deref()));
        designer(&web, &signed, &opened, Shown { notice, ..Shown::default() }).await
    };
    or_not_there(shown.await)
}

/// How the designer is shown.
pub struct Shown {
    pub status: StatusCode,
    pub notice: Option<Notice>,
    /// What somebody typed and was not saved.
    pub typed: Option<WidgetFormValues>,
    pub picture_again: bool,
    /// At a page that was just asked about.
    pub look: Option<Look>,
}

impl Default for Shown {
    fn default() -> Self {
        Self { status: StatusCode::OK, notice: None, typed: None, picture_again: false, look: None }
    }
}

pub async fn designer(web: &Web, signed: &Signed, opened: &Opened, shown: Shown) -> ApiResult<Response> {
    let around = frame(signed, shown.notice);
    let (widget, settings) = opened.current();
    let hours = Hours::new(&zone(web, signed).await?, web.clock.now(), signed.language);
    let is_typed = shown.typed.is_some();
    let mut values = shown.typed.unwrap_or_else(|| values_of(web, widget, settings));
    values.set_shades(shades(widget, around.language));
    let looks = SiteLooks::find(web, signed, &opened.stored).await?;
    let live = preview(web, signed, opened, (widget, settings)).await?;
    let record = web.record(signed.account, &opened.stored.widget);
    let site = opened.stored.widget.site(&web.links(signed.account));
    let own_page = site.as_str();
    let view = WidgetView {
        record: &record,
        values: &values,
        seen: &opened.seen_text(),
        draft: opened.draft.as_ref().map(|draft| (draft.by.as_str(), draft.at)),
        is_typed,
        picture_again: shown.picture_again,
        hours: &hours,
        preview: PreviewView { page: live.page, stage: live.stage, logos: logo_paths(widget) },
        sums: &sums(web, widget, settings.prices),
        share: share_view(web, &opened.stored)?,
        check: looks.view(own_page, shown.look.as_ref(), &hours),
    };
    Ok(([FRAMING], page_with(shown.status, widget_page(&around, &view))).into_response())
}
