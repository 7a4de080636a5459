//! `/portal/widgets/new`: a widget from a few fields and the company's site.
//!
//! # Decision
//!
//! A new widget takes empty fields from the company's site, and defaults stay defaults: a save stores only changed
//! fields. It is live at once, because no site runs it yet.

use std::sync::Arc;

use axum::extract::{Extension, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use shingle_domain::rules::{Fields, WidgetDraft};
use shingle_domain::widget::{DEFAULT_FIRST_PAGE_TITLE, HOSTED_PRIVACY, HOSTED_SITE, StoredImage, Widget};
use shingle_domain::{Email, Environment, Violations};
use shingle_portal::{WidgetFormValues, new_widget_page, say, tidied, widget_field_names};

use crate::api::widget_form::WidgetForm;
use crate::portal::form::request_key;
use crate::portal::gate::Signed;
use crate::portal::responses::{LOGOS, page, page_with, to, too_many};
use crate::portal::settings::page::frame;
use crate::portal::widgets::edit::picture_refused;
use crate::portal::widgets::widget_editor::in_field;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::company_site::{self, CompanySite};
use shingle_app::image_failure::ImageFailure;
use shingle_app::logo::{Logo, plain_roof};

/// A calm blue, of enough contrast on white.
pub const COLOR: &str = "#1f4e79";

/// A calm grey, for what is not the main button.
const SECOND_COLOR: &str = "#44515c";

pub async fn show(State(web): State<Arc<Web>>, Extension(signed): Extension<Arc<Signed>>) -> Response {
    let mut values = WidgetFormValues::default();
    values.set("companyName", signed.company.as_str());
    values.set("companyEmail", signed.user.email.as_str());
    values.set("installedPrice", in_field(web.asphalt()));
    ([LOGOS], page(new_widget_page(&frame(&signed, None), &values, false))).into_response()
}

pub async fn create(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    request: Request,
) -> ApiResult<Response> {
    let mut values = WidgetFormValues::default();
    let mut form = match WidgetForm::read(request).await {
        Ok(form) => form,
        Err(ApiError::BadRequest(said)) => {
            values.refuse("", format!("{}.", say(signed.language, &said)));
            return Ok(again(&signed, &values, false));
        }
        Err(other) => return Err(other),
    };
    let once = form.fields.text("once").unwrap_or_default();
    let sent: Vec<&str> = widget_field_names().filter_map(|name| form.fields.text(name)).collect();
    let request = request_key(once, &sent);
    for name in widget_field_names() {
        values.set(name, tidied(name, form.fields.text(name).unwrap_or_default()));
    }
    let site = match values.get("companyUrl") {
        "" => None,
        url => {
            if let Err(wait) = web.portal.limits.may_read_site(signed.account) {
                return Ok(too_many(wait));
            }
            company_site::read(&web, url).await.ok()
        }
    };
    let was_read = site.is_some();
    let site = site.unwrap_or_default();
    fill_in(&mut values, &site);
    let id = web.store.new_id()?.to_string();
    let draft = match draft(&values, &id) {
        Ok(draft) => draft,
        Err(violations) => {
            values.refuse_all(signed.language, &violations);
            return Ok(again(&signed, &values, was_read));
        }
    };
    // The one that was sent, else the site's, else a plain roof.
    let logo = match form.take_logo(Logo::Header) {
        Some(sent) => match web.store_logo(sent, Logo::Header).await {
            Ok(logo) => logo,
            Err(ImageFailure::Logo { why, .. }) => {
                values.refuse("headerLogo", picture_refused(signed.language, why));
                return Ok(again(&signed, &values, was_read));
            }
            Err(other) => return Err(other.into()),
        },
        None => logo_of(&web, site.logo.as_deref()).await?,
    };
    let widget = draft.into_widget(logo);
    let tenant = signed.tenant(Environment::Production);
    let made = web
        .store
        .widgets()
        .create_by(
            signed.user.name.as_str(),
            &tenant,
            &widget,
            |widget| web.record(signed.account, widget),
            request.as_ref(),
        )
        .await?;
    let said = if was_read { "made" } else { "unread" };
    Ok(to(&format!("/portal/widgets/{}?said={said}", made.widget.reference_id)))
}

fn again(signed: &Signed, values: &WidgetFormValues, was_read: bool) -> Response {
    let html = new_widget_page(&frame(signed, None), values, was_read);
    ([LOGOS], page_with(StatusCode::UNPROCESSABLE_ENTITY, html)).into_response()
}

/// What was typed stays; what was left empty comes from the site, or is what most would choose.
pub fn fill_in(values: &mut WidgetFormValues, site: &CompanySite) {
    let facts = &site.facts;
    let found = [
        ("companyName", facts.name.clone()),
        ("companyPhone", facts.phone.as_ref().map(|phone| phone.as_str().to_owned())),
        ("companyEmail", facts.email.as_ref().map(|email: &Email| email.as_str().to_owned())),
        ("companyAddress", facts.address.clone()),
        ("footerPirvacyPolicyLink", facts.privacy.as_ref().map(ToString::to_string)),
        ("footerTermsOfUseLink", facts.terms.as_ref().map(ToString::to_string)),
    ];
    for (name, text) in found {
        if let (true, Some(text)) = (values.get(name).is_empty(), text) {
            values.set(name, text);
        }
    }
    let color = facts.color.as_ref().map_or(COLOR, |color| color.as_str()).to_owned();
    let second = facts.second_color.as_ref().map_or(SECOND_COLOR, |color| color.as_str()).to_owned();
    let company = values.get("companyName").to_owned();
    for (name, text) in [
        ("footerCompanyName", company.as_str()),
        ("firstPageTitle", DEFAULT_FIRST_PAGE_TITLE),
        ("primaryColor", &color),
        ("linkColor", &color),
        ("secondaryColor", &second),
        ("backgroundColor", "#ffffff"),
        ("cardBackgroundColor", "#f5f6f7"),
        ("textColor", "#1a1f24"),
        ("status", "active"),
    ] {
        if values.get(name).is_empty() {
            values.set(name, text);
        }
    }
}

/// The widget of these texts, without its logo. What a company may lack has a page of ours in its place; the API alone
/// needs an address.
pub fn draft(values: &WidgetFormValues, id: &str) -> Result<Draft, Violations> {
    const NO_ADDRESS: &str = "none";
    let typed = widget_field_names().map(|name| (name, values.get(name)));
    let filled = typed.map(|(name, text)| match name {
        "companyUrl" if text.is_empty() => (name, HOSTED_SITE),
        "footerPirvacyPolicyLink" if text.is_empty() => (name, HOSTED_PRIVACY),
        "companyAddress" if text.is_empty() => (name, NO_ADDRESS),
        _ => (name, text),
    });
    let fields = Fields::from_pairs(filled.filter(|(_, text)| !text.is_empty()).chain([("referenceId", id)]));
    let has_address = !values.get("companyAddress").is_empty();
    Ok(Draft { of: WidgetDraft::parse(&fields, true)?, has_address })
}

/// A widget that lacks its logo.
pub struct Draft {
    of: WidgetDraft,
    has_address: bool,
}

impl Draft {
    pub fn into_widget(self, logo: StoredImage) -> Widget {
        let mut widget = self.of.into_widget(logo, None);
        if !self.has_address {
            widget.company_address.clear();
        }
        widget
    }
}

/// The one that was found, else a plain roof.
pub async fn logo_of(web: &Web, found: Option<&[u8]>) -> ApiResult<StoredImage> {
    if let Some(found) = found
        && let Ok(stored) = web.store_logo(found.to_vec(), Logo::Header).await
    {
        return Ok(stored);
    }
    let drawn = web.heavy_work.run(|| plain_roof([0x44, 0x51, 0x5c])).await?;
    Ok(web.store_logo(drawn.map_err(ApiError::internal)?, Logo::Header).await?)
}
