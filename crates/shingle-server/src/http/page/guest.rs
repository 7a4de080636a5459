//! A visitor of the hosted page: whose page it is, what was sent along, and in which language to answer.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, Method, header};
use axum::response::{IntoResponse, Response};
use shingle_domain::public::{AddressChoice, PublicWidget, RoofAnswer};
use shingle_widget::ssr::page::{Language, Step};
use shingle_widget::ssr::public_widget;
use url::{Url, form_urlencoded};

use crate::app::App;
use crate::ground::roof_of;
use crate::http::connection::Visitor;
use crate::http::error::{Answer, Failure};
use crate::http::hosted;
use crate::http::limits::Deed;
use crate::http::public::{Origin, Visit, widget_of};

/// Characters of the first page's query that are carried along.
const MAX_FROM: usize = 2_000;

pub(in crate::http) struct Guest {
    pub app: Arc<App>,
    pub visit: Visit,
    pub agent: Option<String>,
    /// Whether a form was sent by a page of ours, as far as the browser says.
    pub own: bool,
    pub policy: String,
    /// Path and query, to come back to.
    pub here: String,
    widget: PublicWidget,
    language: Language,
    from: String,
    sent: Vec<(String, String)>,
}

impl Guest {
    pub fn step(&self) -> Step<'_> {
        Step { widget: &self.widget, language: self.language, from: &self.from, first: false }
    }

    pub fn from(&self) -> &str {
        &self.from
    }

    pub fn has(&self, name: &str) -> bool {
        self.sent.iter().any(|(n, _)| n == name)
    }

    /// The text of a field; empty when it was not sent.
    pub fn text(&self, name: &str) -> &str {
        self.sent.iter().find(|(n, _)| n == name).map_or("", |(_, value)| value)
    }

    /// Looks an address up, which is counted.
    pub fn roof(&self, choice: &AddressChoice) -> Answer<RoofAnswer> {
        self.app.gate.visit(Deed::Roof, self.visit.ip, self.visit.id())?;
        let index = self.app.ground.of(self.visit.tenant.environment);
        let mut answer = roof_of(index, &choice.parse()?).map_err(Failure::internal)?;
        self.language.name_buildings(&mut answer);
        Ok(answer)
    }

    async fn of(request: Request, app: &Arc<App>) -> Answer<Result<Self, Response>> {
        let (tenant, stored) = widget_of(app, request.uri().path()).await?;
        let asked = request.headers().clone();
        if !stored.widget.is_active() {
            let language = Language::accepted(text(&asked, header::ACCEPT_LANGUAGE));
            return Ok(Err(hosted::paused(app, stored, language, &asked).await?));
        }
        let visitor = request.extensions().get::<Visitor>().copied();
        let visitor = visitor.ok_or_else(|| Failure::Internal("a request came in without its connection".into()))?;
        let here = request.uri().path_and_query().map(ToString::to_string).unwrap_or_default();
        let mut sent = fields(request.uri().query().unwrap_or_default().as_bytes());
        if request.method() == Method::POST {
            let body =
                Bytes::from_request(request, app).await.map_err(|_| Failure::refused("The form cannot be read"))?;
            sent.extend(fields(&body));
        }
        let find = |name: &str| sent.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str());
        let language = find("lang").and_then(Language::parse);
        let language = language.unwrap_or_else(|| Language::accepted(text(&asked, header::ACCEPT_LANGUAGE)));
        let first = format!("/w/{}", stored.widget.reference_id);
        let from = match find("from") {
            Some(from) => from.to_owned(),
            None => came_from(app, &asked, &first).unwrap_or_default(),
        };
        let links = app.links();
        Ok(Ok(Self {
            agent: Some(text(&asked, header::USER_AGENT)).filter(|t| !t.is_empty()).map(str::to_owned),
            own: is_own(app, &asked),
            policy: hosted::policy(app, &stored.widget),
            here,
            widget: public_widget(&stored.widget, links.base_url, links.storage_url),
            language,
            from: from.chars().take(MAX_FROM).collect(),
            sent,
            visit: Visit {
                tenant,
                host: Url::parse(&app.base_url).ok().and_then(|u| u.host_str().map(str::to_owned)).unwrap_or_default(),
                widget: Arc::new(stored.widget),
                ip: visitor.ip,
            },
            app: app.clone(),
        }))
    }
}

impl FromRequest<Arc<App>> for Guest {
    type Rejection = Response;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Response> {
        Self::of(request, app).await.map_err(Failure::into_response)?
    }
}

fn fields(encoded: &[u8]) -> Vec<(String, String)> {
    form_urlencoded::parse(encoded).into_owned().collect()
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> &str {
    headers.get(name).and_then(|v| v.to_str().ok()).unwrap_or_default()
}

/// Browsers say it themselves since 2020 to 2023; older ones name the origin.
fn is_own(app: &App, headers: &HeaderMap) -> bool {
    match headers.get("sec-fetch-site").and_then(|v| v.to_str().ok()) {
        Some(site) => matches!(site, "same-origin" | "none"),
        None if headers.contains_key(header::ORIGIN) => {
            Origin::of(headers).is_some_and(|origin| origin.is_own(app, headers))
        }
        None => true,
    }
}

/// The query of our own first page, where a visitor comes from there.
fn came_from(app: &App, headers: &HeaderMap, first: &str) -> Option<String> {
    let url = Url::parse(text(headers, header::REFERER)).ok()?;
    let by_page = Origin::of(headers).is_some_and(|origin| origin.is_own(app, headers));
    (by_page && url.path().ends_with(first)).then(|| url.query().unwrap_or_default().to_owned())
}
