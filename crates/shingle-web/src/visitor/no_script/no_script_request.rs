//! A request of a visitor without scripts: the widget, the fields that were sent, and the language of the response.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, Method, header};
use axum::response::{IntoResponse, Response};
use shingle_domain::public::{AddressChoice, PublicWidget, RoofResponse};
use shingle_domain::visit::VisitStep;
use shingle_domain::{AccountId, Language};
use shingle_widget::ssr::page::Step;
use shingle_widget::ssr::public_widget;
use shingle_widget::words::name_buildings;
use url::{Url, form_urlencoded};

use crate::state::Web;
use crate::visitor::hosted;
use crate::visitor::no_script::lead_source::lead_source;
use crate::visitor::public::page_origin::PageOrigin;
use crate::visitor::public::widget_request::find_widget_of_path;
use crate::web::connection::Visitor;
use crate::web::error::{ApiError, ApiResult};
use crate::web::page_headers::content_policy;
use crate::web::rate_limits::{LimitedAction, Sender};
use shingle_app::leads::widget_request::WidgetRequest;
use shingle_app::property_indexes;
use shingle_app::visit_count;

/// Characters of the entry page's query that are passed on.
const MAX_ENTRY_QUERY_CHARS: usize = 2_000;

pub(crate) struct NoScriptRequest {
    pub web: Arc<Web>,
    pub widget_request: WidgetRequest,
    pub user_agent: Option<String>,
    /// Whether a page of ours sent the form, as far as the browser says.
    pub is_same_origin: bool,
    /// Whether the browser says that its user sent it.
    pub is_by_hand: bool,
    pub policy: String,
    /// To link back to this page.
    pub path_and_query: String,
    widget: PublicWidget,
    language: Language,
    entry_query: String,
    fields: Vec<(String, String)>,
}

impl NoScriptRequest {
    pub fn step(&self) -> Step<'_> {
        Step { widget: &self.widget, language: self.language, from: &self.entry_query, first: false }
    }

    /// The query of the page on which the visitor entered.
    pub fn entry_query(&self) -> &str {
        &self.entry_query
    }

    pub fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|(n, _)| n == name)
    }

    /// The text of a field; empty when it was not sent.
    pub fn text(&self, name: &str) -> &str {
        self.fields.iter().find(|(n, _)| n == name).map_or("", |(_, value)| value)
    }

    /// The texts of all fields of this name.
    pub fn texts<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.fields.iter().filter(move |(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// Looks an address up, within the rate limit.
    pub async fn find_roof(&self, choice: &AddressChoice) -> ApiResult<RoofResponse> {
        self.web
            .limits
            .check_visitor(LimitedAction::Roof, self.widget_request.ip, self.widget_request.id(), Sender::Form)
            .await?;
        let (web, environment, choice) = (self.web.clone(), self.widget_request.homes, choice.parse()?);
        let photos = self.web.photos(&self.widget_request.stored.settings).await?;
        let shown = photos.clone();
        let find = move || {
            let index = web.indexes.of(environment);
            property_indexes::find_roof(index, shown.as_ref(), &choice)
        };
        let mut answer = self.web.heavy_work.run(find).await?.map_err(ApiError::internal)?;
        if let (Some(photos), Some(roof)) = (&photos, answer.roof_mut()) {
            // Nothing on the page could hide a photograph that shows nothing.
            let shown = if self.has("choose") { &mut roof.photo_of_homes } else { &mut roof.photo };
            photos.ready(&self.web.store, shown).await?;
        }
        visit_count::count_uncovered(&self.web, &self.widget_request, &answer);
        name_buildings(self.language, &mut answer);
        Ok(answer)
    }

    /// The town of an address that nobody knows, if none of its homes is known.
    pub async fn uncovered_town(&self, typed: &str) -> ApiResult<Option<String>> {
        let (web, environment) = (self.web.clone(), self.widget_request.homes);
        let choice = AddressChoice::Line(typed.to_owned());
        let find = move || property_indexes::uncovered_town(web.indexes.of(environment), &choice);
        self.web.heavy_work.run(find).await?.map_err(ApiError::internal)
    }

    /// Counts steps that this page proves.
    pub fn count(&self, steps: &[VisitStep]) {
        let page = self.web.links(self.widget_request.tenant.account).hosted_page(self.widget_request.id());
        let source = lead_source(&page, &self.entry_query);
        for step in steps {
            visit_count::count_from(&self.web, &self.widget_request.stored, *step, &source);
        }
    }

    async fn of(request: Request, web: &Arc<Web>) -> ApiResult<Result<Self, Response>> {
        let stored = find_widget_of_path(web, request.uri().path()).await?;
        let headers = request.headers().clone();
        if !stored.widget.is_active() {
            let language = hosted::preferred_language(&headers);
            return Ok(Err(hosted::paused_page(web, stored, language, &headers).await?));
        }
        let visitor = request.extensions().get::<Visitor>().copied();
        let visitor = visitor.ok_or_else(|| ApiError::Internal("a request has no connection".into()))?;
        let path_and_query = request.uri().path_and_query().map(ToString::to_string).unwrap_or_default();
        let mut fields = parse_fields(request.uri().query().unwrap_or_default().as_bytes());
        if request.method() == Method::POST {
            let body = Bytes::from_request(request, web)
                .await
                .map_err(|_| ApiError::bad_request("The form cannot be read"))?;
            fields.extend(parse_fields(&body));
        }
        let find = |name: &str| fields.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str());
        let language = find("lang").and_then(Language::parse);
        let language = language.unwrap_or_else(|| hosted::preferred_language(&headers));
        let entry_path = format!("/w/{}", stored.widget.link_id());
        let entry_query = match find("from") {
            Some(query) => query.to_owned(),
            None => referrer_query(web, stored.tenant.account, &headers, &entry_path).unwrap_or_default(),
        };
        let links = web.links(stored.tenant.account);
        let mut widget_request = WidgetRequest {
            tenant: stored.request_tenant(),
            host: Url::parse(&web.base_url).ok().and_then(|u| u.host_str().map(str::to_owned)).unwrap_or_default(),
            homes: stored.tenant.environment,
            stored: stored.clone(),
            ip: visitor.ip,
        };
        widget_request.note_test(web, find("lead").unwrap_or_default(), find("token").unwrap_or_default());
        Ok(Ok(Self {
            user_agent: Some(header_text(&headers, header::USER_AGENT)).filter(|t| !t.is_empty()).map(str::to_owned),
            is_same_origin: is_same_origin(web, stored.tenant.account, &headers),
            is_by_hand: headers.get("sec-fetch-user").is_some_and(|user| user == "?1"),
            policy: content_policy(web, &stored),
            path_and_query,
            widget: public_widget(&stored.widget, &stored.settings, language, &links),
            language,
            entry_query: entry_query.chars().take(MAX_ENTRY_QUERY_CHARS).collect(),
            fields,
            widget_request,
            web: web.clone(),
        }))
    }
}

impl FromRequest<Arc<Web>> for NoScriptRequest {
    type Rejection = Response;

    async fn from_request(request: Request, web: &Arc<Web>) -> Result<Self, Response> {
        Self::of(request, web).await.map_err(ApiError::into_response)?
    }
}

fn parse_fields(encoded: &[u8]) -> Vec<(String, String)> {
    form_urlencoded::parse(encoded).into_owned().collect()
}

fn header_text(headers: &HeaderMap, name: header::HeaderName) -> &str {
    headers.get(name).and_then(|v| v.to_str().ok()).unwrap_or_default()
}

/// Browsers since 2020 to 2023 send `Sec-Fetch-Site`; older ones send the origin.
fn is_same_origin(web: &Web, account: AccountId, headers: &HeaderMap) -> bool {
    match headers.get("sec-fetch-site").and_then(|v| v.to_str().ok()) {
        Some(site) => matches!(site, "same-origin" | "none"),
        None if headers.contains_key(header::ORIGIN) => {
            PageOrigin::of(headers).is_some_and(|origin| origin.is_own(web, account))
        }
        None => true,
    }
}

/// The query of our own entry page, if the visitor comes from there.
fn referrer_query(web: &Web, account: AccountId, headers: &HeaderMap, entry_path: &str) -> Option<String> {
    let url = Url::parse(header_text(headers, header::REFERER)).ok()?;
    let is_own_page = PageOrigin::of(headers).is_some_and(|origin| origin.is_own(web, account));
    (is_own_page && url.path().ends_with(entry_path)).then(|| url.query().unwrap_or_default().to_owned())
}
