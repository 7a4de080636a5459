//! A connector: read from its file, with everything in it checked.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use reqwest::Method;
use reqwest::header::HeaderName;
use shingle_domain::message::ToMessage;
use url::Url;

use crate::connector::error::Mistake;
use crate::connector::expression::{Expression, Text};
use crate::connector::file::{self, ConnectorKind, File, Rate, Tried};
use crate::connector::messages::LeftOut;
use crate::connector::scope::Scope;
use crate::connector::settings::{SettingDeclaration, SettingKind};
use crate::connector::tree::Tree;
use crate::exchange::ExchangeLimits;

const MAX_REQUESTS: usize = 4;

/// A reviewed description of how a lead is written into somebody's system.
#[derive(Debug, Clone)]
pub struct ConnectorTemplate {
    pub name: String,
    pub title: String,
    pub kind: ConnectorKind,
    pub about: String,
    /// Where the target documents what is used here.
    pub documentation: String,
    pub tried: Tried,
    /// What its user has to do in the other system, in order.
    pub steps: Vec<String>,
    /// What its user has to paste there.
    pub script: Option<String>,
    pub settings: Vec<SettingDeclaration>,
    pub rate: Option<Rate>,
    pub limits: ExchangeLimits,
    pub(crate) requests: Vec<RequestTemplate>,
    pub(crate) record: Option<RecordTemplate>,
}

/// Where a request goes: nothing but the base decides about its host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Base {
    Fixed(Url),
    /// The name of a setting that is a URL.
    Setting(String),
}

#[derive(Debug, Clone)]
pub(crate) struct RequestTemplate {
    pub name: String,
    pub method: Method,
    pub base: Base,
    pub path: Text,
    pub when: Option<Expression>,
    pub why: Option<LeftOut>,
    /// For a token that soon ends: sent in every attempt, and what it captures is a secret that is kept nowhere.
    pub fresh: bool,
    pub headers: Vec<(HeaderName, Text)>,
    pub body: Body,
    pub success_status: Vec<u16>,
    pub success: Option<Expression>,
    pub retry: Option<Expression>,
    pub retry_after: Option<Expression>,
    pub error: Option<Expression>,
    pub captures: Vec<(String, Expression)>,
}

#[derive(Debug, Clone)]
pub(crate) enum Body {
    None,
    Json(Tree),
    Form(Vec<(String, Text)>),
    Text(Text),
}

#[derive(Debug, Clone)]
pub(crate) struct RecordTemplate {
    pub id: Expression,
    pub link: Option<Text>,
}

impl ConnectorTemplate {
    /// How many requests one lead takes at most.
    pub fn requests(&self) -> usize {
        self.requests.len()
    }

    /// Reports every mistake with its place.
    pub fn parse(text: &str) -> Result<Self, Vec<Mistake>> {
        let file = file::read(text)?;
        let mut reader = Reader { mistakes: Vec::new() };
        let template = reader.template(file);
        match template {
            Some(template) if reader.mistakes.is_empty() => Ok(template),
            _ => Err(reader.mistakes),
        }
    }

    /// Whether it sends anything on its own.
    pub fn sends(&self) -> bool {
        !self.requests.is_empty()
    }
}

struct Reader {
    mistakes: Vec<Mistake>,
}

impl Reader {
    fn wrong(&mut self, place: impl Into<String>, problem: impl ToMessage) {
        self.mistakes.push(Mistake::new(place, problem));
    }

    fn template(&mut self, file: File) -> Option<ConnectorTemplate> {
        self.describe(&file);
        let settings = self.settings(file.setting);
        let mut scope = Scope { settings: settings.iter().map(|s| s.name.clone()).collect(), ..Scope::default() };
        let base = self.base(file.base.as_deref(), file.base_setting, &settings);
        let hook = file.kind == ConnectorKind::Hook;
        match file.request.len() {
            0 if !hook => self.wrong("request", "there must be at least one request"),
            1.. if hook => self.wrong("request", "a hook sends nothing by itself"),
            n if n > MAX_REQUESTS => self.wrong("request", "there may be at most four requests"),
            _ => {}
        }
        let mut requests = Vec::new();
        for request in file.request {
            let captures: BTreeSet<String> = request.captures.keys().cloned().collect();
            let name = request.name.clone();
            if scope.captures.contains_key(&name) {
                self.wrong(format!("request.{name}"), "there are two requests of this name");
            }
            requests.extend(self.request(request, base.as_ref(), &scope));
            scope.captures.insert(name, captures);
        }
        let record = file.record.and_then(|record| self.record(record, &scope));
        let limits = self.limits(file.limits);
        Some(ConnectorTemplate {
            name: file.name,
            title: file.title,
            kind: file.kind,
            about: file.about,
            documentation: file.documentation,
            tried: file.tried,
            steps: file.steps,
            script: file.script,
            settings,
            rate: file.rate,
            limits,
            requests,
            record,
        })
    }

    fn describe(&mut self, file: &File) {
        if !is_name(&file.name, '-') {
            self.wrong("name", "this must have small letters, digits and hyphens only");
        }
        for (place, text) in [("title", &file.title), ("about", &file.about)] {
            if text.trim().is_empty() {
                self.wrong(place, "this is empty");
            }
        }
        if !Url::parse(&file.documentation).is_ok_and(|url| url.scheme() == "https") {
            self.wrong("documentation", "this must be the address of a page");
        }
        if file.rate.is_some_and(|rate| rate.requests == 0 || rate.seconds == 0) {
            self.wrong("rate", "both numbers must be at least 1");
        }
    }

    fn limits(&mut self, limits: file::Limits) -> ExchangeLimits {
        if !(1..=30).contains(&limits.timeout_seconds) {
            self.wrong("limits.timeout_seconds", "this must be 1 to 30");
        }
        if !(1_024..=256 * 1_024).contains(&limits.max_bytes) {
            self.wrong("limits.max_bytes", "this must be 1024 to 262144");
        }
        ExchangeLimits { timeout: Duration::from_secs(limits.timeout_seconds), max_bytes: limits.max_bytes }
    }

    fn settings(&mut self, declared: Vec<file::Setting>) -> Vec<SettingDeclaration> {
        let mut known: Vec<SettingDeclaration> = Vec::new();
        for setting in declared {
            let place = format!("setting.{}", setting.name);
            if !is_name(&setting.name, '_') {
                self.wrong(&place, "the name must have small letters, digits and underscores only");
            }
            if known.iter().any(|other| other.name == setting.name) {
                self.wrong(&place, "there are two settings of this name");
            }
            if (setting.kind == SettingKind::Choice) == setting.options.is_empty() {
                self.wrong(&place, "a choice, and nothing else, has options");
            }
            if setting.kind != SettingKind::Url && !setting.hosts.is_empty() {
                self.wrong(&place, "only a URL has hosts");
            }
            let declaration = SettingDeclaration {
                required: setting.required.unwrap_or(setting.default.is_none()),
                name: setting.name,
                label: setting.label,
                hint: setting.hint,
                kind: setting.kind,
                secret: setting.secret,
                default: setting.default,
                options: setting.options,
                hosts: setting.hosts,
            };
            if let Some(Err(problem)) = declaration.default.as_deref().map(|text| declaration.parse(text)) {
                self.wrong(format!("{place}.default"), problem);
            }
            known.push(declaration);
        }
        known
    }

    fn base(&mut self, fixed: Option<&str>, by: Option<String>, settings: &[SettingDeclaration]) -> Option<Base> {
        match (fixed, by) {
            (Some(_), Some(_)) => {
                self.wrong("base", "there is a base_setting already");
                None
            }
            (Some(text), None) => self.fixed_base(text, "base"),
            (None, Some(name)) => {
                let declared = settings.iter().find(|s| s.name == name);
                if !declared.is_some_and(|s| s.kind == SettingKind::Url && (s.required || s.default.is_some())) {
                    self.wrong("base_setting", format!("{name} is not a setting that is a URL and always there"));
                    return None;
                }
                Some(Base::Setting(name))
            }
            (None, None) => None,
        }
    }

    fn fixed_base(&mut self, text: &str, place: &str) -> Option<Base> {
        match Url::parse(text) {
            Ok(url) if url.scheme() == "https" && url.query().is_none() && !text.contains("{{") => {
                Some(Base::Fixed(url))
            }
            _ => {
                self.wrong(place, "this must be an https:// address without expressions and without a query");
                None
            }
        }
    }

    fn request(&mut self, request: file::Request, base: Option<&Base>, scope: &Scope) -> Option<RequestTemplate> {
        let place = format!("request.{}", request.name);
        if !is_name(&request.name, '_') {
            self.wrong(&place, "the name must have small letters, digits and underscores only");
        }
        let method = match request.method.as_str() {
            "GET" => Some(Method::GET),
            "POST" => Some(Method::POST),
            "PUT" => Some(Method::PUT),
            "PATCH" => Some(Method::PATCH),
            _ => {
                self.wrong(format!("{place}.method"), "this must be GET, POST, PUT or PATCH");
                None
            }
        };
        let own = request.base.as_deref().map(|text| self.fixed_base(text, &format!("{place}.base")));
        let base = own.unwrap_or_else(|| base.cloned());
        if base.is_none() {
            self.wrong(&place, "it has no base");
        }
        if !(request.path.is_empty() || request.path.starts_with(['/', '?'])) {
            self.wrong(format!("{place}.path"), "this must begin with / or ?");
        }
        let body = self.body(request.json, request.form, request.text, scope, &place);
        if method == Some(Method::GET) && !matches!(body, Body::None) {
            self.wrong(&place, "GET has no body");
        }
        if request.when.is_some() && request.why.is_none() {
            self.wrong(format!("{place}.why"), "a request with `when` says why it is skipped");
        }
        let path = self.text(&request.path, scope, &format!("{place}.path"));
        let when = request.when.map(|source| self.expression(&source, scope, &format!("{place}.when")));
        let headers = self.headers(request.headers, scope, &place);
        let after = Scope { response: true, ..scope.clone() };
        let mut later = |source: Option<String>, key: &str| {
            source.map(|source| self.expression(&source, &after, &format!("{place}.{key}")))
        };
        let success = later(request.success.when, "success.when");
        let retry = later(request.retry, "retry");
        let retry_after = later(request.retry_after, "retry_after");
        let error = later(request.error, "error");
        let mut captures = Vec::new();
        for (name, source) in request.captures {
            let place = format!("{place}.captures.{name}");
            captures.push((name, self.expression(&source, &after, &place)));
        }
        for status in request.success.status.iter().filter(|status| !(200..400).contains(*status)) {
            self.wrong(format!("{place}.success.status"), format!("{status} is not a status of success"));
        }
        Some(RequestTemplate {
            name: request.name,
            method: method?,
            base: base?,
            path: path?,
            when,
            why: request.why,
            fresh: request.fresh,
            headers,
            body,
            success_status: request.success.status,
            success,
            retry,
            retry_after,
            error,
            captures,
        })
    }

    fn headers(&mut self, given: BTreeMap<String, String>, scope: &Scope, place: &str) -> Vec<(HeaderName, Text)> {
        let mut headers = Vec::new();
        for (name, source) in given {
            let place = format!("{place}.headers.{name}");
            match HeaderName::from_bytes(name.as_bytes()) {
                Ok(name) if ["host", "content-length", "transfer-encoding", "connection"].contains(&name.as_str()) => {
                    self.wrong(&place, "this header is set by the client");
                }
                Ok(name) => headers.extend(self.text(&source, scope, &place).map(|text| (name, text))),
                Err(_) => self.wrong(&place, "this is not the name of a header"),
            }
        }
        headers
    }

    fn body(
        &mut self,
        json: Option<String>,
        form: Option<BTreeMap<String, String>>,
        text: Option<String>,
        scope: &Scope,
        place: &str,
    ) -> Body {
        match (json, form, text) {
            (None, None, None) => Body::None,
            (Some(source), None, None) => self.json(&source, scope, &format!("{place}.json")),
            (None, Some(fields), None) => {
                let mut form = Vec::new();
                for (name, source) in fields {
                    let place = format!("{place}.form.{name}");
                    form.extend(self.text(&source, scope, &place).map(|text| (name, text)));
                }
                Body::Form(form)
            }
            (None, None, Some(source)) => {
                self.text(&source, scope, &format!("{place}.text")).map_or(Body::None, Body::Text)
            }
            _ => {
                self.wrong(place, "it has more than one of json, form and text");
                Body::None
            }
        }
    }

    fn json(&mut self, source: &str, scope: &Scope, place: &str) -> Body {
        match serde_json::from_str(source) {
            Ok(value) => {
                let tree = Tree::parse(&value, place, &mut self.mistakes);
                tree.check(scope, place, &mut self.mistakes);
                Body::Json(tree)
            }
            Err(e) => {
                self.wrong(place, format!("this is not JSON: {e}"));
                Body::None
            }
        }
    }

    fn record(&mut self, record: file::Record, scope: &Scope) -> Option<RecordTemplate> {
        let id = self.expression(&record.id, scope, "record.id");
        let link = match record.link {
            Some(source) => Some(self.text(&source, scope, "record.link")?),
            None => None,
        };
        Some(RecordTemplate { id, link })
    }

    fn expression(&mut self, source: &str, scope: &Scope, place: &str) -> Expression {
        let expression = Expression::new(source);
        for problem in expression.problems(scope) {
            self.wrong(place, problem);
        }
        expression
    }

    fn text(&mut self, source: &str, scope: &Scope, place: &str) -> Option<Text> {
        match Text::parse(source) {
            Ok(text) => {
                for problem in text.problems(scope) {
                    self.wrong(place, problem);
                }
                Some(text)
            }
            Err(problem) => {
                self.wrong(place, problem);
                None
            }
        }
    }
}

fn is_name(text: &str, joint: char) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == joint;
    text.starts_with(|c: char| c.is_ascii_lowercase()) && text.len() <= 40 && text.chars().all(fits)
}
