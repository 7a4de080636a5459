//! A request of a connector, built from its template. Its host is the base's, whatever the values are.

use bytes::Bytes;
use minijinja::Value as Term;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use url::Url;
use url::form_urlencoded;

use crate::connector::error::Mistake;
use crate::connector::filters::MAX_TEXT;
use crate::connector::messages::RequestProblem;
use crate::connector::settings::ConnectorSettings;
use crate::connector::template::{Base, Body, RequestTemplate};

/// Ready to be sent.
#[derive(Debug, Clone)]
pub struct BuiltRequest {
    pub url: Url,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// `instead` is a server that takes the place of the target's, for tests and trials.
pub fn build(
    template: &RequestTemplate,
    settings: &ConnectorSettings,
    context: &Term,
    instead: Option<&Url>,
) -> Result<BuiltRequest, Mistake> {
    let place = format!("request.{}", template.name);
    let url = url(template, settings, context, instead, &place)?;
    let mut headers = HeaderMap::new();
    for (name, text) in &template.headers {
        let place = format!("{place}.headers.{name}");
        let value = text.text(context, |value, _| value).map_err(|p| Mistake::new(&place, p))?;
        if value.is_empty() {
            continue;
        }
        let carried = Some(&value).filter(|value| value.is_ascii()).and_then(|v| HeaderValue::from_str(v).ok());
        let value = carried.ok_or_else(|| Mistake::new(&place, RequestProblem::HeaderCharacters))?;
        headers.insert(name.clone(), value);
    }
    let (kind, body) = body(&template.body, context, &place)?;
    if body.len() > MAX_TEXT {
        return Err(Mistake::new(place, RequestProblem::BodyTooLong));
    }
    if let Some(kind) = kind {
        headers.entry(CONTENT_TYPE).or_insert(HeaderValue::from_static(kind));
    }
    Ok(BuiltRequest { url, headers, body: body.into() })
}

fn url(
    template: &RequestTemplate,
    settings: &ConnectorSettings,
    context: &Term,
    instead: Option<&Url>,
    place: &str,
) -> Result<Url, Mistake> {
    let place = format!("{place}.path");
    let wrong = |problem: RequestProblem| Mistake::new(&place, problem);
    let base = match &template.base {
        Base::Fixed(url) => url.clone(),
        Base::Setting(name) => {
            let text = settings.text(name).ok_or_else(|| wrong(RequestProblem::NoAddress))?;
            Url::parse(text).map_err(|_| wrong(RequestProblem::NotAnAddress))?
        }
    };
    let base = match instead {
        Some(other) => moved(&base, other).ok_or_else(|| wrong(RequestProblem::OtherServer))?,
        None => base,
    };
    let dots = std::cell::Cell::new(false);
    let encoded = |value: String, raw: bool| {
        dots.set(dots.get() || value == "." || value == "..");
        if raw { value } else { percent_encoded(&value) }
    };
    let path = template.path.text(context, encoded).map_err(|p| Mistake::new(&place, p))?;
    if dots.get() {
        return Err(wrong(RequestProblem::StepUp));
    }
    let joined = joined(&base, &path).ok_or_else(|| wrong(RequestProblem::NoUrl))?;
    let stays = joined.origin() == base.origin()
        && joined.username().is_empty()
        && joined.password().is_none()
        && joined.path().starts_with(base.path().trim_end_matches('/'));
    if stays { Ok(joined) } else { Err(wrong(RequestProblem::LeadsAway)) }
}

/// The base's path on another server.
fn moved(base: &Url, to: &Url) -> Option<Url> {
    let mut url = to.clone();
    url.set_path(base.path());
    url.set_query(base.query());
    url.has_host().then_some(url)
}

fn joined(base: &Url, path: &str) -> Option<Url> {
    let (path, query) = path.split_once('?').map_or((path, None), |(path, query)| (path, Some(query)));
    let mut text = base.clone();
    text.set_query(None);
    text.set_fragment(None);
    let whole =
        if path.is_empty() { text.to_string() } else { format!("{}{path}", text.as_str().trim_end_matches('/')) };
    let mut url = Url::parse(&whole).ok()?;
    let queries: Vec<&str> = [base.query(), query].into_iter().flatten().filter(|q| !q.is_empty()).collect();
    if !queries.is_empty() {
        url.set_query(Some(&queries.join("&")));
    }
    Some(url)
}

fn percent_encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

fn body(body: &Body, context: &Term, place: &str) -> Result<(Option<&'static str>, Vec<u8>), Mistake> {
    match body {
        Body::None => Ok((None, Vec::new())),
        Body::Json(tree) => {
            let value = tree.value(context, &format!("{place}.json"))?;
            let bytes = serde_json::to_vec(&value).map_err(|e| Mistake::new(place, e.to_string()))?;
            Ok((Some("application/json"), bytes))
        }
        Body::Form(fields) => {
            let mut form = form_urlencoded::Serializer::new(String::new());
            for (name, text) in fields {
                let place = format!("{place}.form.{name}");
                let value = text.text(context, |value, _| value).map_err(|p| Mistake::new(place, p))?;
                if !value.is_empty() {
                    form.append_pair(name, &value);
                }
            }
            Ok((Some("application/x-www-form-urlencoded"), form.finish().into_bytes()))
        }
        Body::Text(text) => {
            let text = text.text(context, |value, _| value).map_err(|p| Mistake::new(format!("{place}.text"), p))?;
            Ok((Some("text/plain; charset=utf-8"), text.into_bytes()))
        }
    }
}
