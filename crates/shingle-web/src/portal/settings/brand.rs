//! `/portal/settings/brand`: an agency's name, color and logo on the portal.

use std::sync::Arc;

use axum::extract::{Extension, RawQuery, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_app::image_failure::ImageFailure;
use shingle_app::logo::Logo;
use shingle_domain::HexColor;
use shingle_domain::text::is_clean;
use shingle_portal::{BrandForm, MAX_BRAND_NAME, OwnDomainView, brand_css, brand_page, translated};
use shingle_store::Brand;

use crate::api::widget_form::WidgetForm;
use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::responses::{LOGOS, page_with, to};
use crate::portal::settings::page::{frame, said};
use crate::portal::widgets::edit::picture_refused;
use crate::state::Web;
use crate::web::error::ApiResult;

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let domain = web.store.accounts().own_domain(signed.account).await?;
    let domain = OwnDomainView { domain: domain.as_ref(), server: web.own_domains.server() };
    let view = BrandForm { brand: &signed.brand, wrong_name: None, wrong_logo: None, domain };
    let notice = said(&PortalForm::of_query(query.as_deref()));
    Ok(([LOGOS], page_with(StatusCode::OK, brand_page(&frame(&signed, notice), &view))).into_response())
}

pub async fn save(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    request: Request,
) -> ApiResult<Response> {
    let mut form = WidgetForm::read(request).await?;
    let text = |name: &str| form.fields.text(name).unwrap_or_default().trim().to_owned();
    let keeps = text("removeLogo").is_empty();
    let mut brand = Brand {
        name: text("brandName"),
        color: HexColor::parse(&text("brandColor")),
        logo: signed.brand.logo.clone().filter(|_| keeps),
    };
    let domain = web.store.accounts().own_domain(signed.account).await?;
    let refused = |brand: &Brand, wrong_name, wrong_logo| {
        let domain = OwnDomainView { domain: domain.as_ref(), server: web.own_domains.server() };
        let html = brand_page(&frame(&signed, None), &BrandForm { brand, wrong_name, wrong_logo, domain });
        Ok(([LOGOS], page_with(StatusCode::UNPROCESSABLE_ENTITY, html)).into_response())
    };
    if brand.name.chars().count() > MAX_BRAND_NAME {
        return refused(&brand, Some("Please type at most 40 characters."), None);
    }
    let is_blank = !brand.name.is_empty() && !brand.name.chars().any(char::is_alphanumeric);
    if is_blank || !is_clean(&brand.name) {
        return refused(&brand, Some("It contains an invisible character. Please remove it."), None);
    }
    if brand.color.is_none() && !text("brandColor").is_empty() {
        return refused(&brand, None, Some(translated(signed.language, "Please choose a color.").to_owned()));
    }
    if let Some(sent) = form.take_logo(Logo::Header) {
        match web.store_logo(sent, Logo::Header).await {
            Ok(logo) => brand.logo = Some(logo.path),
            Err(ImageFailure::Logo { why, .. }) => {
                return refused(&brand, None, Some(picture_refused(signed.language, why)));
            }
            Err(other) => return Err(other.into()),
        }
    }
    web.store.accounts().set_brand(signed.account, &brand).await?;
    Ok(to("/portal/settings/brand?said=saved"))
}

/// The address names the color, so a browser may keep it.
pub async fn style(RawQuery(query): RawQuery) -> Response {
    let color = HexColor::parse(&format!("#{}", PortalForm::of_query(query.as_deref()).text("v")));
    let css = color.as_ref().map(brand_css).unwrap_or_default();
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/css; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=86400")),
    ];
    (headers, css).into_response()
}
