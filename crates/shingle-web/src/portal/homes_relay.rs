//! Imports and areas lie on the server that got them. The others list them, and send it what is asked of their pages: the
//! request and its answer go through the database (`shingle_store::nodes`). The server that answers checks the session, the
//! role and the form itself, as if the request had come to it.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Serialize};
use shingle_app::imports::ImportId;
use shingle_domain::Role;
use tokio::time::Instant;

use crate::portal::homes_places::{AREAS, UPLOADS};
use crate::portal::responses::{Ending, ended};
use crate::state::Web;
use crate::web::connection::{Connection, Visitor};
use crate::web::error::{ApiError, ApiResult};

/// How often the answer is looked for.
const LOOKS_EACH: Duration = Duration::from_millis(150);
/// Longer than any page works.
const PATIENCE: Duration = Duration::from_secs(20);
/// A form with a mapping, in which each letter may take three characters.
const MAX_QUESTION: usize = 2 * 1024 * 1024;
/// Of rejected rows. Longer tables are fetched from the server itself.
const MAX_ANSWER: usize = 8 * 1024 * 1024;

/// Headers of one connection, and those that only a proxy may send.
const NOT_SENT_ON: [HeaderName; 5] =
    [header::CONNECTION, header::TRANSFER_ENCODING, header::ACCEPT_ENCODING, header::FORWARDED, header::CONTENT_LENGTH];

/// On a request that came from another server.
#[derive(Debug, Clone, Copy)]
struct Relayed;

#[derive(Serialize, Deserialize)]
pub struct Question {
    method: String,
    target: String,
    headers: Vec<(String, String)>,
    /// Base64.
    body: String,
    /// The visitor's address, as the first server saw it.
    visitor: SocketAddr,
    is_tls: bool,
}

#[derive(Serialize, Deserialize)]
pub struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

pub enum Relay {
    /// This server answers.
    Here(Request),
    /// As the other server sent it, with all its headers.
    Answered(Response),
    /// There is no answer, for this reason.
    Ended(Response),
}

const SILENT: Ending = Ending::Said {
    title: "Another server has this",
    said: "The server that has these files doesn’t answer. Start it again, then reload this page to see what was done.",
};
const TOO_LONG: Ending = Ending::Said {
    title: "Another server has this",
    said: "This file is too long to fetch from another server. Open this page on the server that has it.",
};

/// What of homes a page is about; `None`: nothing.
fn subject(web: &Web, role: Role, request: &Request) -> Option<String> {
    if role != Role::Operator || request.extensions().get::<Relayed>().is_some() {
        return None;
    }
    let path = request.uri().path();
    if let Some(id) = path.strip_prefix(UPLOADS).and_then(|rest| rest.strip_prefix('/')) {
        let id: ImportId = id.split('/').next()?.parse().ok()?;
        return web.imports.find(id).is_none().then(|| id.to_string());
    }
    let shows_areas = matches!(path, "/portal/start" | "/portal/towns") && *request.method() == Method::GET;
    let is_of_areas = shows_areas || path.starts_with("/portal/operator/areas");
    (is_of_areas && web.areas.is_empty()).then(|| AREAS.to_owned())
}

/// Whether another server answers, and what.
pub async fn relay(web: &Web, role: Role, visitor: Option<Visitor>, request: Request) -> ApiResult<Relay> {
    if !web.node.has_others() {
        return Ok(Relay::Here(request));
    }
    let (Some(subject), Some(visitor)) = (subject(web, role, &request), visitor) else {
        return Ok(Relay::Here(request));
    };
    let Some(place) = web.store.nodes().homes_place(&web.node.id, &subject).await? else {
        return Ok(Relay::Here(request));
    };
    if !place.runs {
        // A list of areas without those of the other is better than none.
        let is_of_areas = subject == AREAS;
        return Ok(if is_of_areas { Relay::Here(request) } else { Relay::Ended(silent()) });
    }
    let Ok(question) = Question::of(request, visitor).await else {
        return Ok(Relay::Ended(StatusCode::PAYLOAD_TOO_LARGE.into_response()));
    };
    let question = serde_json::to_string(&question).map_err(ApiError::internal)?;
    let id = web.store.nodes().ask_node(&place.node, &question).await?;
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        if let Some(answer) = web.store.nodes().take_answer(&id).await? {
            let answer: Answer = serde_json::from_str(&answer).map_err(ApiError::internal)?;
            return answer.relay();
        }
        tokio::time::sleep(LOOKS_EACH).await;
    }
    web.store.nodes().drop_question(&id).await?;
    Ok(Relay::Ended(silent()))
}

fn silent() -> Response {
    ended(StatusCode::SERVICE_UNAVAILABLE, SILENT)
}

fn texts(headers: &axum::http::HeaderMap) -> Vec<(String, String)> {
    let kept =
        headers.iter().filter(|(name, _)| !NOT_SENT_ON.contains(name) && !name.as_str().starts_with("x-forwarded-"));
    // The portal reads only headers that are text.
    kept.filter_map(|(name, value)| Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))).collect()
}

impl Question {
    async fn of(request: Request, visitor: Visitor) -> Result<Self, axum::Error> {
        let (parts, body) = request.into_parts();
        let body = to_bytes(body, MAX_QUESTION).await?;
        Ok(Self {
            method: parts.method.to_string(),
            target: parts.uri.path_and_query().map(ToString::to_string).unwrap_or_default(),
            headers: texts(&parts.headers),
            body: BASE64.encode(body),
            visitor: SocketAddr::new(visitor.ip, 0),
            is_tls: visitor.is_secure,
        })
    }

    /// As if it had come to this server. `None`: another version has written it.
    pub fn request(self) -> Option<Request> {
        let body = BASE64.decode(&self.body).ok()?;
        let mut request = Request::builder().method(&*self.method).uri(&self.target);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let request = request.header(header::CONTENT_LENGTH, body.len()).body(Body::from(body)).ok()?;
        let mut request = Connection { peer: self.visitor, tls: self.is_tls }.prepare_request(request);
        request.extensions_mut().insert(Relayed);
        Some(request)
    }
}

impl Answer {
    pub async fn of(response: Response) -> Self {
        let (parts, body) = response.into_parts();
        match to_bytes(body, MAX_ANSWER).await {
            Ok(body) => {
                Self { status: parts.status.as_u16(), headers: texts(&parts.headers), body: BASE64.encode(body) }
            }
            Err(_) => {
                Self { status: StatusCode::INSUFFICIENT_STORAGE.as_u16(), headers: Vec::new(), body: String::new() }
            }
        }
    }

    fn relay(self) -> ApiResult<Relay> {
        let status = StatusCode::from_u16(self.status).map_err(ApiError::internal)?;
        if status == StatusCode::INSUFFICIENT_STORAGE {
            return Ok(Relay::Ended(ended(StatusCode::SERVICE_UNAVAILABLE, TOO_LONG)));
        }
        let body = BASE64.decode(&self.body).map_err(ApiError::internal)?;
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = status;
        for (name, value) in self.headers {
            let name = HeaderName::try_from(name).map_err(ApiError::internal)?;
            response.headers_mut().append(name, HeaderValue::try_from(value).map_err(ApiError::internal)?);
        }
        Ok(Relay::Answered(response))
    }
}
