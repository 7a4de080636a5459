//! `/portal/connect`: an owner lets a website have widgets. The website spends its code at `/connect/widgets`.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, RawQuery, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use shingle_app::site_connection::{SiteRequest, grant as let_have};
use shingle_domain::widget::WidgetStatus;
use shingle_domain::{Environment, LinkId};
use shingle_portal::{
    ConnectGuideView, ConnectSiteView, Notice, OfferedWidget, connect_guide_page, connect_site_page, widget_names,
};
use url::Url;
use url::form_urlencoded::Serializer;

use crate::portal::access::OWNER;
use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::responses::{Ending, ended, page, page_with};
use crate::portal::route::Page;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

const NO_REQUEST: Ending = Ending::Said {
    title: "This link doesn’t work",
    said: "A website sent you here, but not with all we need, or without a secure connection (https). Nothing was connected. Start again from the plugin’s settings.",
};

/// What a website asks for, or how to connect one.
pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let query = PortalForm::of_query(query.as_deref());
    if !query.has("return") {
        return guide(&web, &signed).await;
    }
    match SiteRequest::parse(|name| query.text(name)) {
        Some(request) => ask(&web, &signed, &request, StatusCode::OK, None).await,
        None => Ok(ended(StatusCode::BAD_REQUEST, NO_REQUEST)),
    }
}

async fn guide(web: &Web, signed: &Signed) -> ApiResult<Response> {
    let mut sites: Vec<(String, String)> = Vec::new();
    for stored in web.store.widgets().list(&signed.tenant(Environment::Production)).await? {
        let Ok(mut url) = Url::parse(stored.widget.company_url.as_str()) else { continue };
        let host = stored.widget.company_url.host();
        if !stored.widget.has_site() || url.scheme() != "https" || sites.iter().any(|(known, _)| *known == host) {
            continue;
        }
        url.set_path("/wp-admin/options-general.php");
        let settings = Serializer::new(String::new())
            .append_pair("page", "shingle-roof-estimates")
            .append_pair("server", &web.base_url)
            .finish();
        url.set_query(Some(&settings));
        url.set_fragment(None);
        sites.push((host, url.into()));
    }
    let view = ConnectGuideView { server: &web.base_url, sites: &sites };
    Ok(page(connect_guide_page(&signed.frame(None), &view)))
}

async fn ask(
    web: &Web,
    signed: &Signed,
    request: &SiteRequest,
    status: StatusCode,
    notice: Option<Notice>,
) -> ApiResult<Response> {
    let widgets = web.store.widgets().list(&signed.tenant(Environment::Production)).await?;
    let names = widget_names(widgets.iter().map(|stored| stored.widget.first_page_title.as_str()));
    let mut missing: Vec<String> = Vec::new();
    for host in widgets.iter().flat_map(|stored| request.missing(&stored.widget)) {
        if !missing.iter().any(|known| known == host) {
            missing.push(host.to_owned());
        }
    }
    let offered = widgets.iter().zip(names).map(|(stored, name)| OfferedWidget {
        id: stored.widget.link_id().to_string(),
        name,
        kind: stored.widget.element_type(),
        status: stored.widget.status,
        is_chosen: stored.widget.status == WidgetStatus::Active,
    });
    let fields = request.fields();
    let mut query = Serializer::new(String::new());
    for (name, value) in &fields {
        query.append_pair(name, value);
    }
    let path = format!("/portal/connect?{}", query.finish());
    let denied = request.denied();
    let view = ConnectSiteView {
        host: request.host(),
        widgets: &offered.collect::<Vec<_>>(),
        missing: &missing,
        fields: &fields,
        denied: denied.as_str(),
        path: &path,
    };
    let mut response = page_with(status, connect_site_page(&signed.frame(notice), &view));
    // The answer to the form leads there, which browsers count as a place that the form goes to.
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; \
         base-uri 'none'; form-action 'self' {}; frame-ancestors 'none'",
        request.origin()
    );
    let policy = HeaderValue::from_str(&policy).map_err(ApiError::internal)?;
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    Ok(response)
}

pub async fn grant(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let Some(request) = SiteRequest::parse(|name| form.text(name)) else {
        return Ok(ended(StatusCode::BAD_REQUEST, NO_REQUEST));
    };
    let chosen: Vec<LinkId> = form.all("widget").filter_map(|id| id.parse().ok()).collect();
    let tenant = signed.tenant(Environment::Production);
    match let_have(&web, &tenant, signed.user.id, &request, &chosen, form.text("allow") == "yes").await? {
        Some(back) => Ok(Redirect::to(back.as_str()).into_response()),
        None => {
            let notice = Notice { text: "Please choose at least one widget.".into(), is_wrong: true };
            ask(&web, &signed, &request, StatusCode::UNPROCESSABLE_ENTITY, Some(notice)).await
        }
    }
}

/// The routes of this feature.
pub(crate) fn pages() -> Vec<Page> {
    vec![Page::get("/portal/connect", OWNER, show), Page::post("/portal/connect", OWNER, grant)]
}
