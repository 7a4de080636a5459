//! The first run's prices.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::Response;
use shingle_domain::roof::RoofMaterial;
use shingle_domain::rules::{Fields, WidgetPatch};
use shingle_domain::widget::Widget;
use shingle_domain::{Environment, Language, WidgetSettings};
use shingle_notice::is_time_zone;
use shingle_portal::{
    INCLUDED, MINIMUM, PriceRow, PricesView, USUALLY_INCLUDED, WidgetFormValues, refuse_settings, settings_input,
    start_prices_page, tidied, translated,
};
use shingle_store::{SeenWidget, StoredWidget};

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::responses::{page, page_with, to};
use crate::portal::settings::page::frame;
use crate::portal::start::progress::newest;
use crate::portal::widgets::edit::values_of;
use crate::portal::widgets::widget_editor::in_field;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

const ROWS: [(&str, &str, RoofMaterial); 4] = [
    ("installedPrice", "Asphalt shingle", RoofMaterial::AsphaltShingle),
    ("prices.metal", "Metal", RoofMaterial::Metal),
    ("prices.tile", "Tile", RoofMaterial::Tile),
    ("prices.slate", "Slate", RoofMaterial::Slate),
];

/// The company's own, else what is published.
pub fn show(web: &Web, frame: &shingle_portal::Signed<'_>, stored: &StoredWidget) -> Response {
    let is_new = stored.widget.installed_price.is_none();
    let rows = ROWS.map(|(field, material, of)| {
        let own = match of {
            RoofMaterial::AsphaltShingle => stored.widget.installed_price,
            other => stored.settings.prices.of(other),
        };
        let suggested = is_new.then(|| web.prices().price(of));
        let price = own.or(suggested).map(in_field).unwrap_or_default();
        PriceRow { field, material, price, is_suggested: own.is_none() && is_new, wrong: None }
    });
    let minimum = stored.settings.prices.minimum.map(in_field).unwrap_or_default();
    let year = web.prices().as_of();
    let view = PricesView { rows: &rows, year, minimum: &minimum, minimum_wrong: None, included: included(stored) };
    page(start_prices_page(frame, &view))
}

/// What is said to be included, else what usually is.
fn included(stored: &StoredWidget) -> [bool; 6] {
    let settings = &stored.settings;
    if settings.price_includes.is_empty() && settings.price_excludes.is_empty() {
        return USUALLY_INCLUDED;
    }
    INCLUDED.map(|one| settings.price_includes.iter().any(|said| said == one))
}

pub async fn set(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let Some(stored) = newest(&web, &signed).await? else { return Ok(to("/portal/start")) };
    let mut values = values_of(&web, &stored.widget, &stored.settings);
    for field in ROWS.map(|(field, ..)| field).into_iter().chain([MINIMUM]) {
        values.set(field, tidied("installedPrice", form.text(field)));
    }
    let included: Vec<usize> = form.all("included").filter_map(|n| n.parse().ok()).collect();
    let included: [bool; 6] = std::array::from_fn(|n| included.contains(&n));
    match changed(signed.language, &mut values, &stored, included) {
        Some((widget, settings)) => {
            publish(&web, &signed, &stored, &widget, &settings).await?;
            Ok(to("/portal/start?step=4"))
        }
        None => {
            let wrong = |field: &str| values.refused().find(|(name, _)| *name == field).map(|(_, said)| said);
            let rows = ROWS.map(|(field, material, _)| PriceRow {
                field,
                material,
                price: values.get(field).to_owned(),
                is_suggested: false,
                wrong: wrong(field).map(str::to_owned),
            });
            let view = PricesView {
                rows: &rows,
                year: web.prices().as_of(),
                minimum: values.get(MINIMUM),
                minimum_wrong: wrong(MINIMUM),
                included,
            };
            let html = start_prices_page(&frame(&signed, None), &view);
            Ok(page_with(StatusCode::UNPROCESSABLE_ENTITY, html))
        }
    }
}

/// `None`: a price breaks a rule, which its field says then.
fn changed(
    language: Language,
    values: &mut WidgetFormValues,
    stored: &StoredWidget,
    included: [bool; 6],
) -> Option<(Widget, WidgetSettings)> {
    let asphalt = values.get("installedPrice").to_owned();
    let patch = WidgetPatch::parse(&Fields::from_pairs([("installedPrice", asphalt.as_str())]));
    let widget = patch.and_then(|patch| match patch.installed_price {
        Some(_) => patch.apply(&stored.widget),
        None => Err(shingle_domain::Violations::one("installedPrice", shingle_domain::Rule::NotEmpty)),
    });
    let settings = WidgetSettings::parse(&settings_input(values), is_time_zone);
    let widget = widget.map_err(|broken| values.refuse_all(language, &broken)).ok();
    let settings = settings.map_err(|broken| refuse_settings(language, values, &broken)).ok();
    let (widget, mut settings) = (widget?, settings?);
    let said = |of: Language, is_in: bool| -> Vec<String> {
        let chosen = INCLUDED.iter().zip(included).filter(|(_, ticked)| *ticked == is_in);
        chosen.map(|(one, _)| translated(of, one).to_owned()).collect()
    };
    (settings.price_includes, settings.price_excludes) =
        (said(Language::English, true), said(Language::English, false));
    let spanish = &mut settings.texts.es;
    (spanish.price_includes, spanish.price_excludes) = (said(Language::Spanish, true), said(Language::Spanish, false));
    Some((widget, settings))
}

/// In one step, as the designer does it. A draft that somebody has begun there is theirs: what they typed stays a draft.
async fn publish(
    web: &Web,
    signed: &Signed,
    stored: &StoredWidget,
    widget: &Widget,
    settings: &WidgetSettings,
) -> ApiResult<()> {
    let (tenant, id) = (signed.tenant(Environment::Production), stored.widget.reference_id);
    let widgets = web.store.widgets();
    if widgets.find_draft(&tenant, id).await?.is_some() {
        widgets.set_settings(&tenant, id, settings).await?;
        let change = |old: &Widget| {
            let new = Widget { installed_price: widget.installed_price, ..old.clone() };
            let record = web.record(signed.account, &new);
            Ok::<_, ApiError>((new, record))
        };
        widgets.update(&tenant, id, change).await?;
        return Ok(());
    }
    let by = signed.user.name.as_str();
    let seen = SeenWidget { version: stored.version, mark: 0 };
    let mark = widgets.save_draft(&tenant, id, seen, by, (widget, settings)).await?;
    widgets.publish(&tenant, id, SeenWidget { mark, ..seen }, by, |widget| web.record(signed.account, widget)).await?;
    Ok(())
}
