//! `/portal/start`: the first ten minutes. Which step comes next follows from what is there, so it can be left at any time.
//!
//! # Decision
//!
//! The next setup step follows from what exists (a widget, a test lead), and facts read from the site are form
//! fields, so setup can be left and stores nothing. Turned down: a wizard with its own state, which can differ from
//! the truth.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use shingle_domain::Environment;
use shingle_domain::rules::WidgetDraft;
use shingle_portal::{
    Hours, ReadView, SiteView, StartScriptView, StartStep, StartWidgetView, TestLeadView, WidgetFormValues,
    start_lead_page, start_read_page, start_script_page, start_site_page, start_widget_page, tidied,
};
use shingle_store::{LeadFilter, StoredWidget};
use url::Url;

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::responses::{FRAMING, page, page_with, to, too_many};
use crate::portal::settings::page::{frame, said, zone};
use crate::portal::settings::profile;
use crate::portal::start::site::{self, Site};
use crate::portal::start::test_lead;
use crate::portal::widgets::new_widget::{COLOR, fields, fill_in, logo_of};
use crate::portal::widgets::sightings::{Look, SiteLooks};
use crate::portal::widgets::widget_editor::in_field;
use crate::state::Web;
use crate::web::connection::Visitor;
use crate::web::error::ApiResult;

const READ: [&str; 5] = ["companyName", "companyPhone", "companyEmail", "companyAddress", "footerPirvacyPolicyLink"];

/// The widget that was made last.
async fn newest(web: &Web, signed: &Signed) -> ApiResult<Option<StoredWidget>> {
    let widgets = web.store.widgets().list(&signed.tenant(Environment::Production)).await?;
    Ok(widgets.into_iter().max_by_key(|stored| stored.created_at))
}

async fn newest_test_lead(web: &Web, signed: &Signed) -> ApiResult<Option<String>> {
    let tenant = signed.tenant(Environment::Sandbox);
    let page = web.store.leads().list(&tenant, &LeadFilter::default(), None, 1).await?;
    Ok(page.leads.first().map(|lead| format!("/portal/leads/{}?data=sandbox", lead.id)))
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let query = PortalForm::of_query(query.as_deref());
    let (stored, lead_path) = (newest(&web, &signed).await?, newest_test_lead(&web, &signed).await?);
    let wished = StartStep::of(query.text("step"));
    let frame = frame(&signed, said(&query));
    let Some(stored) = stored.filter(|_| wished != Some(StartStep::Site)) else {
        let company = web.store.accounts().company(signed.account).await?;
        let view = SiteView { company: &signed.company, phone: &company.phone, website: &company.website, wrong: None };
        return Ok(page(start_site_page(&frame, &view)));
    };
    let step = wished.unwrap_or(if lead_path.is_some() { StartStep::TestLead } else { StartStep::Widget });
    let (record, link) = (web.record(&stored.widget), stored.widget.link_id());
    let view = StartWidgetView { record: &record, hosted_path: format!("/w/{link}") };
    Ok(match step {
        StartStep::OnSite => script(&web, &signed, &frame, &stored, None).await?,
        StartStep::TestLead => {
            let view = TestLeadView {
                company_email: stored.widget.company_email.as_str(),
                has_mail: web.mail.is_some(),
                devices: web.store.destinations().list_push_devices(signed.account, signed.user.id).await?.len(),
                lead_path,
            };
            page(start_lead_page(&frame, &view))
        }
        _ => ([FRAMING], page(start_widget_page(&frame, &view))).into_response(),
    })
}

async fn script(
    web: &Web,
    signed: &Signed,
    frame: &shingle_portal::Signed<'_>,
    stored: &StoredWidget,
    look: Option<Look>,
) -> ApiResult<Response> {
    let hours = Hours::new(&zone(web, signed).await?, web.clock.now(), signed.language);
    let looks = SiteLooks::find(web, signed, stored).await?;
    let record = web.record(&stored.widget);
    let check = looks.view(stored.widget.company_url.as_str(), look.as_ref(), &hours);
    let status = look.as_ref().map_or(StatusCode::OK, |look| look.status);
    Ok(page_with(status, start_script_page(frame, &StartScriptView { record: &record, check })))
}

/// Whether the script is on the site.
pub async fn check(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Extension(visitor): Extension<Visitor>,
    body: Bytes,
) -> ApiResult<Response> {
    let Some(stored) = newest(&web, &signed).await? else { return Ok(to("/portal/start")) };
    let typed = PortalForm::parse(&body).text("address").to_owned();
    let look = Look::at(&web, &signed, visitor, &stored, typed).await?;
    script(&web, &signed, &frame(&signed, None), &stored, Some(look)).await
}

/// Reads the site, and shows what it says.
pub async fn read(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let (name, typed) = (form.text("company"), form.text("website"));
    let again = |wrong: (&'static str, &'static str)| {
        let view = SiteView { company: name, phone: form.text("phone"), website: typed, wrong: Some(wrong) };
        page_with(StatusCode::UNPROCESSABLE_ENTITY, start_site_page(&frame(&signed, None), &view))
    };
    let company = match profile::company(&form) {
        Ok(company) if company.website.is_empty() => return Ok(again(profile::NO_WEBSITE)),
        Ok(company) => company,
        Err(wrong) => return Ok(again(wrong)),
    };
    if let Err(wait) = web.portal.limits.may_read_site(signed.account) {
        return Ok(too_many(wait));
    }
    if signed.company != name {
        web.store.accounts().rename(signed.account, name).await?;
    }
    web.store.accounts().set_company(signed.account, &company).await?;
    let found = site::read(&web, &company.website).await;
    let host = Url::parse(&company.website).ok().and_then(|url| url.host_str().map(str::to_owned));
    let host = host.filter(|_| found.is_some());
    let site = found.unwrap_or_default();
    let mut values = WidgetFormValues::default();
    fill_in(&mut values, &site);
    let mut from_site: Vec<String> =
        READ.iter().filter(|name| !values.get(name).is_empty()).map(|name| (*name).to_owned()).collect();
    from_site.extend(site.facts.color.as_ref().map(|_| "primaryColor".to_owned()));
    from_site.extend(site.logo.as_ref().map(|_| "logo".to_owned()));
    // What was typed is meant.
    for (field, text) in
        [("companyName", name), ("companyPhone", company.phone.as_str()), ("companyUrl", &company.website)]
    {
        if !text.is_empty() && values.get(field) != text {
            values.set(field, text);
            from_site.retain(|found| found != field);
        }
    }
    if values.get("companyEmail").is_empty() {
        values.set("companyEmail", signed.user.email.as_str());
    }
    let logo = match &site.logo {
        Some(_) => Some(format!("/storage/{}", logo_of(&web, site.logo.as_deref()).await?.path)),
        None => None,
    };
    let mut ticked: Vec<String> = READ.iter().map(|name| (*name).to_owned()).collect();
    ticked.extend(["primaryColor".to_owned(), "logo".to_owned()]);
    let color = site.facts.color.as_ref().map_or(COLOR, |color| color.as_str()).to_owned();
    let view = ReadView {
        values: &values,
        ticked: &ticked,
        host: host.as_deref(),
        unread: host.is_none(),
        logo: logo.as_deref(),
        color: &color,
        found: &from_site,
    };
    Ok(page(start_read_page(&frame(&signed, None), &view)))
}

/// Makes the widget of the rows that are ticked.
pub async fn make(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let ticked: Vec<String> = form.all("use").take(READ.len() + 2).map(str::to_owned).collect();
    let is_ticked = |name: &str| ticked.iter().any(|ticked| ticked == name);
    let mut values = WidgetFormValues::default();
    values.set("companyUrl", tidied("companyUrl", form.text("companyUrl")));
    for name in READ.into_iter().chain(["primaryColor"]).filter(|name| is_ticked(name)) {
        values.set(name, tidied(name, form.text(name)));
    }
    if !is_ticked("companyName") {
        values.set("companyName", signed.company.as_str());
    }
    if !is_ticked("companyEmail") {
        values.set("companyEmail", signed.user.email.as_str());
    }
    values.set("installedPrice", in_field(web.asphalt()));
    let color = values.get("primaryColor").to_owned();
    values.set("linkColor", color.as_str());
    fill_in(&mut values, &Site::default());
    let id = web.store.new_id()?.to_string();
    let draft = match WidgetDraft::parse(&fields(&values, &id), true) {
        Ok(draft) => draft,
        Err(violations) => {
            values.refuse_all(signed.language, &violations);
            for name in READ {
                values.set(name, tidied(name, form.text(name)));
            }
            let color = if color.is_empty() { COLOR } else { &color };
            let view =
                ReadView { values: &values, ticked: &ticked, host: None, unread: false, logo: None, color, found: &[] };
            let html = start_read_page(&frame(&signed, None), &view);
            return Ok(page_with(StatusCode::UNPROCESSABLE_ENTITY, html));
        }
    };
    let mut logo = None;
    if is_ticked("logo") {
        if let Err(wait) = web.portal.limits.may_read_site(signed.account) {
            return Ok(too_many(wait));
        }
        logo = site::read(&web, values.get("companyUrl")).await.and_then(|site| site.logo);
    }
    let widget = draft.into_widget(logo_of(&web, logo.as_deref()).await?, None);
    let tenant = signed.tenant(Environment::Production);
    web.store.widgets().create(&tenant, &widget, |widget| web.record(widget), form.request_key().as_ref()).await?;
    Ok(to("/portal/start?step=3"))
}

pub async fn send_test_lead(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Extension(visitor): Extension<Visitor>,
) -> ApiResult<Response> {
    let Some(stored) = newest(&web, &signed).await? else { return Ok(to("/portal/start")) };
    if let Err(wait) = web.portal.limits.may_send_test_lead(signed.account) {
        return Ok(too_many(wait));
    }
    test_lead::send(&web, &signed, &stored, visitor.ip).await?;
    Ok(to("/portal/start?step=5"))
}
