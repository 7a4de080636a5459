//! `/portal/widgets`: the company's widgets, and the designer of one.

use std::sync::Arc;

use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use shingle_domain::check::{SiteCheck, Verdict};
use shingle_domain::roof::RoofMaterial;
use shingle_domain::widget::Widget;
use shingle_domain::{Environment, WidgetId, WidgetSettings};
use shingle_estimate::roof::PriceTerms;
use shingle_portal::{
    Hours, Notice, PreviewView, SiteCheckView, WidgetFormValues, WidgetView, shades, widget_page, widgets_page,
};
use shingle_store::{SavedDraft, SeenWidget, StoredWidget};

use super::edit::{logo_paths, values_of};
use super::form::PortalForm;
use super::gate::Signed;
use super::page::{FRAMING, or_not_there, page, page_with};
use super::preview::preview;
use super::settings::{frame, said, zone};
use super::share::share_view;
use crate::app::App;
use crate::http::error::{ApiError, ApiResult};

/// Of a roof whose price is shown as an example.
const EXAMPLE_SQUARES: i64 = 20;

pub async fn list(
    State(app): State<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let widgets = app.store.list_widgets(&signed.tenant(Environment::Production)).await?;
    let records: Vec<_> = widgets.iter().map(|stored| app.record(&stored.widget)).collect();
    let notice = said(&PortalForm::of_query(query.as_deref()));
    Ok(page(widgets_page(&frame(&signed, notice), &records)))
}

/// A widget of the company, and what of it is not published.
pub struct Opened {
    pub stored: Arc<StoredWidget>,
    pub draft: Option<SavedDraft>,
}

impl Opened {
    pub async fn find(app: &App, signed: &Signed, id: &str) -> ApiResult<Self> {
        let id: WidgetId = id.parse().map_err(|_| ApiError::NotFound)?;
        let tenant = signed.tenant(Environment::Production);
        let stored = app.store.find_widget(&tenant, id).await?.ok_or(ApiError::NotFound)?;
        Ok(Self { draft: app.store.find_widget_draft(&tenant, id).await?, stored })
    }

    pub fn id(&self) -> WidgetId {
        self.stored.widget.reference_id
    }

    pub fn path(&self) -> String {
        format!("/portal/widgets/{}", self.id())
    }

    /// The draft, or else what visitors see.
    pub fn current(&self) -> (&Widget, &WidgetSettings) {
        match &self.draft {
            Some(draft) => (&draft.widget, &draft.settings),
            None => (&self.stored.widget, &self.stored.settings),
        }
    }

    pub fn seen(&self) -> SeenWidget {
        SeenWidget { version: self.stored.version, mark: self.draft.as_ref().map_or(0, |draft| draft.mark) }
    }

    /// As it stands in forms.
    pub fn seen_text(&self) -> String {
        let SeenWidget { version, mark } = self.seen();
        format!("{version}.{mark}")
    }
}

/// What somebody had in front of them who sent a form. One that does not say so has seen nothing.
pub fn seen_by(query: Option<&str>) -> Option<SeenWidget> {
    let query = PortalForm::of_query(query);
    let (version, mark) = query.text("seen").split_once('.')?;
    Some(SeenWidget { version: version.parse().ok()?, mark: mark.parse().ok()? })
}

fn told(query: &PortalForm) -> Option<Notice<'static>> {
    let (text, is_wrong) = match query.text("said") {
        "draft" => ("Saved as a draft. Visitors see it once you publish it.", false),
        "published" => ("Published. Visitors see it within minutes.", false),
        "discarded" => ("The draft is gone. This is what visitors see.", false),
        _ => return said(query),
    };
    Some(Notice { text, is_wrong })
}

pub async fn show(
    State(app): State<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let shown = async {
        let opened = Opened::find(&app, &signed, &id).await?;
        let notice = told(&PortalForm::of_query(query.as_deref()));
        designer(&app, &signed, &opened, Shown { notice, ..Shown::default() }).await
    };
    or_not_there(shown.await)
}

/// How the designer is shown.
pub struct Shown<'s> {
    pub status: StatusCode,
    pub notice: Option<Notice<'s>>,
    /// What somebody typed and was not saved.
    pub typed: Option<WidgetFormValues>,
    pub picture_again: bool,
    /// The address that was checked, and what came of it.
    pub check: Option<(String, Result<SiteCheck, String>)>,
}

impl Default for Shown<'_> {
    fn default() -> Self {
        Self { status: StatusCode::OK, notice: None, typed: None, picture_again: false, check: None }
    }
}

pub async fn designer(app: &App, signed: &Signed, opened: &Opened, shown: Shown<'_>) -> ApiResult<Response> {
    let around = frame(signed, shown.notice);
    let (widget, settings) = opened.current();
    let tenant = signed.tenant(Environment::Production);
    let hours = Hours::new(&zone(app, signed).await?, app.clock.now());
    let is_typed = shown.typed.is_some();
    let mut values = shown.typed.unwrap_or_else(|| values_of(app, widget, settings));
    values.set_shades(shades(widget, around.language));
    app.store.note_widget_sightings(&app.sightings.take()).await?;
    let seen = app.store.widget_sightings(&tenant, opened.id()).await?;
    let looks = app.store.site_checks(&tenant, opened.id()).await?;
    let looks: Vec<_> =
        looks.into_iter().filter_map(|look| Some((look.at, look.page, verdict(&look.verdict)?))).collect();
    let live = preview(app, signed, opened, (widget, settings)).await?;
    let record = app.record(&opened.stored.widget);
    let own_page = opened.stored.widget.company_url.as_str();
    let view = WidgetView {
        record: &record,
        values: &values,
        seen: &opened.seen_text(),
        draft: opened.draft.as_ref().map(|draft| (draft.by.as_str(), draft.at)),
        is_typed,
        picture_again: shown.picture_again,
        hours: &hours,
        preview: PreviewView { page: live.page, stage: live.stage, logos: logo_paths(widget) },
        sums: &sums(app, widget),
        share: share_view(app, &opened.stored)?,
        check: SiteCheckView {
            address: shown.check.as_ref().map_or(own_page, |(address, _)| address),
            outcome: shown.check.as_ref().map(|(_, outcome)| outcome.as_ref().map_err(String::as_str)),
            seen: &seen,
            looks: &looks,
            hours: &hours,
        },
    };
    Ok(([FRAMING], page_with(shown.status, widget_page(&around, &view))).into_response())
}

fn verdict(text: &str) -> Option<Verdict> {
    serde_json::from_value(text.into()).ok()
}

/// What a roof of some squares costs, by material: the prices that visitors are shown.
pub fn sums(app: &App, widget: &Widget) -> Vec<(&'static str, String, String)> {
    let terms = PriceTerms { table: app.prices(), asphalt_override: widget.installed_price };
    let offered = [
        (RoofMaterial::AsphaltShingle, "Asphalt shingle"),
        (RoofMaterial::Metal, "Metal"),
        (RoofMaterial::Tile, "Tile"),
        (RoofMaterial::Slate, "Slate"),
    ];
    let row = |(material, name): (RoofMaterial, &'static str)| {
        let square = terms.price(material);
        let sum = shingle_domain::Usd::from_cents(square.cents().saturating_mul(EXAMPLE_SQUARES));
        (name, square.to_string(), sum.to_string())
    };
    offered.into_iter().map(row).collect()
}
