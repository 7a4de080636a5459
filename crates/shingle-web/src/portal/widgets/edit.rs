//! A form of the designer read over a widget: what it would become, or what stands in the way.

use shingle_domain::WidgetSettings;
use shingle_domain::rules::{Fields, WidgetPatch};
use shingle_domain::widget::{HOSTED_PRIVACY, HOSTED_SITE, StoredImage, Widget};
use shingle_notice::is_time_zone;
use shingle_portal::{
    Language, WidgetFormValues, phrase, refuse_settings, say, setting_field_names, settings_input, tidied, typed_hours,
    widget_field_names, widget_values,
};

use crate::api::widget_form::WidgetForm;
use crate::state::Web;
use crate::web::error::ApiResult;
use shingle_app::image_failure::ImageFailure;
use shingle_app::logo::{Logo, LogoError};

/// What a form says, and the widget that it makes: `None` where it breaks a rule.
pub struct Edit {
    pub values: WidgetFormValues,
    pub made: Option<(Widget, WidgetSettings)>,
    /// A page cannot give a chosen file back.
    pub had_picture: bool,
}

fn picture_path(image: &StoredImage) -> String {
    format!("/storage/{}", image.path)
}

/// Of both logos, on this server.
pub fn logo_paths(widget: &Widget) -> [Option<String>; 2] {
    [Some(picture_path(&widget.header_logo)), widget.footer_logo.as_ref().map(picture_path)]
}

/// What the form shows of a widget.
pub fn values_of(web: &Web, widget: &Widget, settings: &WidgetSettings) -> WidgetFormValues {
    let mut values = widget_values(&widget.record(&web.own_links(), web.asphalt()), settings);
    if !widget.has_site() {
        values.set("companyUrl", "");
    }
    if !widget.has_privacy_policy() {
        values.set("footerPirvacyPolicyLink", "");
    }
    for (logo, path) in Logo::BOTH.into_iter().zip(logo_paths(widget)) {
        values.set(logo.field(), path.unwrap_or_default());
    }
    values
}

pub fn picture_refused(language: Language, why: LogoError) -> String {
    phrase(language, "The picture {rule}.", &[("rule", &say(language, &why))])
}

/// Only what differs is a change: a default that was shown stays a default.
pub async fn read(
    web: &Web,
    language: Language,
    base: (&Widget, &WidgetSettings),
    mut form: WidgetForm,
) -> ApiResult<Edit> {
    let had_picture = Logo::BOTH.into_iter().any(|logo| form.has(logo));
    let mut values = values_of(web, base.0, base.1);
    let (patch, unset) = patch(&mut values, &form.fields);
    let settings = settings(language, &mut values, base.1, &form.fields);
    let widget = match patch.and_then(|patch| patch.apply(base.0)) {
        Ok(widget) => Some(widget),
        Err(violations) => {
            values.refuse_all(language, &violations);
            None
        }
    };
    let (Some(mut widget), Some(settings)) = (widget, settings) else {
        return Ok(Edit { values, made: None, had_picture });
    };
    if unset.terms {
        widget.footer_terms_of_use_link = None;
    }
    if unset.address {
        widget.company_address.clear();
    }
    for logo in Logo::BOTH {
        let Some(bytes) = form.take_logo(logo) else { continue };
        match web.store_logo(bytes, logo).await {
            Ok(image) if logo == Logo::Header => widget.header_logo = image,
            Ok(image) => widget.footer_logo = Some(image),
            Err(ImageFailure::Logo { why, .. }) => {
                values.refuse(logo.field(), picture_refused(language, why));
                return Ok(Edit { values, made: None, had_picture });
            }
            Err(other) => return Err(other.into()),
        }
    }
    Ok(Edit { values, made: Some((widget, settings)), had_picture })
}

/// What is taken back, and what the API cannot take back.
#[derive(Default)]
struct Unset {
    terms: bool,
    address: bool,
}

/// The changes of the record.
fn patch(values: &mut WidgetFormValues, form: &Fields<'_>) -> (Result<WidgetPatch, shingle_domain::Violations>, Unset) {
    let mut changes = Vec::new();
    let mut unset = Unset::default();
    for name in widget_field_names() {
        let Some(typed) = form.text(name).map(|text| tidied(name, text)) else { continue };
        let shown = values.get(name);
        // Browsers choose colors without transparency: one that has some is shown, and sent back, without.
        let shown = if name.ends_with("Color") { shown.get(..7).unwrap_or(shown) } else { shown };
        if typed == shown {
            continue;
        }
        values.set(name, typed.as_str());
        match name {
            "footerTermsOfUseLink" if typed.is_empty() => unset.terms = true,
            "companyAddress" if typed.is_empty() => unset.address = true,
            "companyUrl" if typed.is_empty() => changes.push((name, HOSTED_SITE.to_owned())),
            "footerPirvacyPolicyLink" if typed.is_empty() => changes.push((name, HOSTED_PRIVACY.to_owned())),
            // Where it usually stands is no change.
            "elementLocation" if typed.is_empty() => {}
            _ => changes.push((name, typed)),
        }
    }
    if form.text("removeFooterLogo") == Some("true") {
        changes.push(("removeFooterLogo", "true".to_owned()));
    }
    (WidgetPatch::parse(&Fields::from_pairs(changes)), unset)
}

/// A form without the mark has no fields of the settings, and an empty box of it would be no answer.
fn settings(
    language: Language,
    values: &mut WidgetFormValues,
    base: &WidgetSettings,
    form: &Fields<'_>,
) -> Option<WidgetSettings> {
    if !form.has("settings") {
        return Some(base.clone());
    }
    let mut is_changed = false;
    for name in setting_field_names() {
        let hours = typed_hours(name, |field| form.text(field));
        let typed = match &hours {
            Some(hours) => hours,
            None => form.text(name).unwrap_or_default(),
        };
        let typed = tidied(name, &typed.replace("\r\n", "\n"));
        if typed != values.get(name) {
            is_changed = true;
            values.set(name, typed);
        }
    }
    if !is_changed {
        return Some(base.clone());
    }
    match WidgetSettings::parse(&settings_input(values), is_time_zone) {
        Ok(settings) => Some(settings),
        Err(violations) => {
            refuse_settings(language, values, &violations);
            None
        }
    }
}
