//! The first run's company: its site is read, or four answers are typed, and a widget is made.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use shingle_app::company_site::{self, CompanySite};
use shingle_app::image_failure::ImageFailure;
use shingle_app::logo::Logo;
use shingle_app::refusal::Refusal;
use shingle_domain::message::ToMessage as _;
use shingle_domain::rules::Fields;
use shingle_domain::widget::{StoredImage, Widget};
use shingle_domain::{Environment, Role};
use shingle_portal::{
    ReadView, SiteReading, SiteView, WidgetFormValues, capital, phrase, say, start_read_page, start_site_page, tidied,
};
use shingle_store::Company;
use url::Url;

use crate::api::widget_form::WidgetForm;
use crate::portal::form::{PortalForm, request_key};
use crate::portal::gate::Signed;
use crate::portal::responses::{LOGOS, page, page_with, to, too_many};
use crate::portal::settings::page::frame;
use crate::portal::settings::profile;
use crate::portal::start::progress::{newest, unfinished};
use crate::portal::widgets::edit::{picture_refused, values_of};
use crate::portal::widgets::new_widget::{COLOR, draft, fill_in, logo_of};
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

/// What may be read from a site.
const READ: [&str; 5] = ["companyName", "companyPhone", "companyEmail", "companyAddress", "footerPirvacyPolicyLink"];
/// Rows that may be left out.
const ROWS: [&str; 5] = ["companyAddress", "footerPirvacyPolicyLink", "primaryColor", "secondaryColor", "logo"];

pub async fn ask_for_site(web: &Web, signed: &Signed, frame: &shingle_portal::Signed<'_>) -> ApiResult<Response> {
    let company = web.store.accounts().company(signed.account).await?;
    Ok(page(start_site_page(frame, &SiteView { website: &company.website, wrong: None })))
}

/// The form of a company without a site, or the widget of one that came back.
pub async fn without_site(web: &Web, signed: &Signed, frame: &shingle_portal::Signed<'_>) -> ApiResult<Response> {
    let begun = newest(web, signed).await?.and_then(|stored| unfinished(web, stored));
    let mut values = WidgetFormValues::default();
    let mut logo = None;
    match &begun {
        Some(stored) => {
            values = values_of(web, &stored.widget, &stored.settings);
            logo = Some(stored.widget.header_logo.path.clone());
        }
        None => {
            let company = web.store.accounts().company(signed.account).await?;
            values.set("companyName", signed.company.as_str());
            values.set("companyPhone", company.phone.as_str());
            values.set("companyEmail", signed.user.email.as_str());
        }
    }
    values.set("companyUrl", "");
    let color = Some(values.get("primaryColor").to_owned()).filter(|color| !color.is_empty());
    let view = ReadView {
        values: &values,
        reading: SiteReading::None,
        ticked: &[],
        logo: logo.as_deref(),
        drawing: None,
        opening: None,
        color: color.as_deref().unwrap_or(COLOR),
        second_color: None,
        found: &[],
        logo_wrong: None,
    };
    Ok(([LOGOS], page(start_read_page(frame, &view))).into_response())
}

/// Reads the site, and shows what it says.
pub async fn read(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let website = tidied("companyUrl", form.text("website"));
    if website.is_empty() || !profile::is_website(&website) {
        let view = SiteView { website: form.text("website"), wrong: Some(profile::NO_WEBSITE) };
        return Ok(page_with(StatusCode::UNPROCESSABLE_ENTITY, start_site_page(&frame(&signed, None), &view)));
    }
    if let Err(wait) = web.portal.limits.may_read_site(signed.account) {
        return Ok(too_many(wait));
    }
    let known = web.store.accounts().company(signed.account).await?;
    let company = Company { website: website.clone(), ..known };
    web.store.accounts().set_company(signed.account, &company).await?;
    let read = company_site::read(&web, &website).await;
    let why = read.as_ref().err().map(|failed| say(signed.language, failed));
    let opening = match read.as_ref().err().filter(|_| signed.user.role == Role::Operator) {
        Some(failed) => company_site::opening_setting(&web, failed).await,
        None => None,
    };
    let site = read.unwrap_or_default();
    let mut values = WidgetFormValues::default();
    fill_in(&mut values, &site);
    let mut found: Vec<String> =
        READ.iter().filter(|name| !values.get(name).is_empty()).map(|name| (*name).to_owned()).collect();
    found.extend(site.facts.color.as_ref().map(|_| "primaryColor".to_owned()));
    found.extend(site.facts.second_color.as_ref().map(|_| "secondaryColor".to_owned()));
    found.extend(site.logo.as_ref().map(|_| "logo".to_owned()));
    // What somebody typed before is meant.
    for (field, text) in
        [("companyName", signed.company.as_str()), ("companyPhone", &company.phone), ("companyUrl", &website)]
    {
        if !text.is_empty() && values.get(field) != text {
            values.set(field, text);
            found.retain(|found| found != field);
        }
    }
    if values.get("companyEmail").is_empty() {
        values.set("companyEmail", signed.user.email.as_str());
    }
    let logo = match &site.logo {
        Some(_) => Some(logo_of(&web, site.logo.as_deref()).await?.path),
        None => None,
    };
    let ticked = ROWS.map(str::to_owned);
    let view = ReadView {
        values: &values,
        reading: match &why {
            Some(why) => SiteReading::Failed(why),
            None => SiteReading::Read(&site.host),
        },
        ticked: &ticked,
        logo: logo.as_deref(),
        drawing: site.drawing.as_deref(),
        opening: opening.as_deref(),
        color: site.facts.color.as_ref().map_or(COLOR, |color| color.as_str()),
        second_color: site.facts.second_color.as_ref().map(|color| color.as_str()),
        found: &found,
        logo_wrong: None,
    };
    Ok(([LOGOS], page(start_read_page(&frame(&signed, None), &view))).into_response())
}

/// What a form says, and what of it goes into the widget.
struct Typed {
    /// All of it, to show it again.
    values: WidgetFormValues,
    ticked: Vec<String>,
    was_read: bool,
}

impl Typed {
    fn of(fields: &Fields<'_>) -> Self {
        let text = |name: &str| fields.text(name).unwrap_or_default().trim();
        let mut values = WidgetFormValues::default();
        for name in READ.into_iter().chain(["companyUrl", "primaryColor", "secondaryColor"]) {
            values.set(name, tidied(name, text(name)));
        }
        let ticked = ROWS.into_iter().filter(|name| fields.has(&format!("use-{name}"))).map(str::to_owned).collect();
        Self { values, ticked, was_read: text("reading") == "read" }
    }

    /// A row without a box is always meant.
    fn is_meant(&self, name: &str) -> bool {
        !self.was_read || !ROWS.contains(&name) || self.ticked.iter().any(|ticked| ticked == name)
    }

    /// Without the rows that are left out.
    fn meant(&self) -> WidgetFormValues {
        let mut meant = self.values.clone();
        for name in ROWS.into_iter().filter(|name| !self.is_meant(name)) {
            meant.set(name, "");
        }
        let color = meant.get("primaryColor").to_owned();
        meant.set("linkColor", color);
        fill_in(&mut meant, &CompanySite::default());
        meant
    }
}

/// Makes the widget, or changes the one that is being set up.
pub async fn make(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    request: Request,
) -> ApiResult<Response> {
    let (mut form, refused) = WidgetForm::read_as_far(request).await;
    let too_large = Refusal::LargeLogo { field: Logo::Header.field() }.to_message();
    let mut wrong = match refused {
        None => None,
        Some(ApiError::BadRequest(said)) if said == too_large => {
            Some(phrase(signed.language, "This picture is larger than 1 MB. Choose a smaller one.", &[]))
        }
        Some(ApiError::BadRequest(said)) => Some(format!("{}.", capital(&say(signed.language, &said)))),
        Some(other) => return Err(other),
    };
    let typed = Typed::of(&form.fields);
    // It is kept whatever else is refused.
    let mut logo = stored_logo(&web, form.fields.text("logo").unwrap_or_default()).await?;
    if let Some(sent) = form.take_logo(Logo::Header) {
        match web.store_logo(sent, Logo::Header).await {
            Ok(stored) => logo = Some(stored),
            Err(ImageFailure::Logo { why, .. }) => wrong = Some(picture_refused(signed.language, why)),
            Err(other) => return Err(other.into()),
        }
    }
    let mut meant = typed.meant();
    let id = web.store.new_id()?.to_string();
    let made = match draft(&meant, &id) {
        Ok(made) if wrong.is_none() => made,
        refused => {
            let mut typed = typed;
            if let Err(violations) = refused {
                meant.refuse_all(signed.language, &violations);
                for (name, said) in meant.refused() {
                    typed.values.refuse(name, said);
                }
            }
            return Ok(again(&signed, typed, logo.as_ref(), wrong));
        }
    };
    let header = match logo.filter(|_| typed.is_meant("logo")) {
        Some(logo) => logo,
        None => logo_of(&web, None).await?,
    };
    let widget = made.into_widget(header);
    keep_company(&web, &signed, &widget).await?;
    let tenant = signed.tenant(Environment::Production);
    if let Some(begun) = newest(&web, &signed).await?.and_then(|stored| unfinished(&web, stored)) {
        let change = |old: &Widget| {
            let new = Widget { reference_id: old.reference_id, link_id: old.link_id, ..widget.clone() };
            let record = web.record(signed.account, &new);
            Ok::<_, ApiError>((new, record))
        };
        web.store.widgets().update(&tenant, begun.widget.reference_id, change).await?;
    } else {
        let sent: Vec<&str> = READ.iter().map(|name| typed.values.get(name)).collect();
        let once = request_key(form.fields.text("once").unwrap_or_default(), &sent);
        let by = signed.user.name.as_str();
        web.store
            .widgets()
            .create_by(by, &tenant, &widget, |widget| web.record(signed.account, widget), once.as_ref())
            .await?;
    }
    Ok(to("/portal/start?step=3"))
}

/// The account's own name, phone and website are those of its first widget.
async fn keep_company(web: &Web, signed: &Signed, widget: &Widget) -> ApiResult<()> {
    let known = web.store.accounts().company(signed.account).await?;
    if known.phone.is_empty() {
        let company = Company { phone: widget.company_phone.as_str().to_owned(), ..known };
        web.store.accounts().set_company(signed.account, &company).await?;
    }
    Ok(())
}

/// The form once more, with everything that was typed, read or sent.
fn again(signed: &Signed, typed: Typed, logo: Option<&StoredImage>, wrong: Option<String>) -> Response {
    let website = typed.values.get("companyUrl").to_owned();
    let host = Url::parse(&website).ok().and_then(|url| url.host_str().map(str::to_owned));
    let color = Some(typed.values.get("primaryColor").to_owned()).filter(|color| !color.is_empty());
    let second = Some(typed.values.get("secondaryColor").to_owned()).filter(|color| !color.is_empty());
    let view = ReadView {
        values: &typed.values,
        reading: match &host {
            Some(host) if typed.was_read => SiteReading::Read(host),
            _ => SiteReading::None,
        },
        ticked: &typed.ticked,
        logo: logo.map(|logo| logo.path.as_str()),
        drawing: None,
        opening: None,
        color: color.as_deref().unwrap_or(COLOR),
        second_color: second.as_deref(),
        found: &[],
        logo_wrong: wrong.as_deref(),
    };
    let html = start_read_page(&frame(signed, None), &view);
    ([LOGOS], page_with(StatusCode::UNPROCESSABLE_ENTITY, html)).into_response()
}

/// A logo that an earlier page has stored. Logos are public, so a page may name any.
async fn stored_logo(web: &Web, path: &str) -> ApiResult<Option<StoredImage>> {
    let is_logo = path.strip_prefix("logos/").is_some_and(|name| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
    });
    if !is_logo {
        return Ok(None);
    }
    let Some(found) = web.blobs.get(path).await.map_err(ApiError::internal)? else { return Ok(None) };
    Ok(web.store_logo(found.bytes, Logo::Header).await.ok())
}
