//! The client of the widget's public routes. JSON goes through the browser's own parser. Answers are handed to
//! functions: futures awaited in futures are compiled again for each pair.
//!
//! # Decision
//!
//! Responses go to callbacks, with one future for all requests. Nested futures compile again for each pair: three
//! kilobytes on the wire.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_net::http::Response;
use js_sys::{JSON, Object};
use shingle_domain::public::WidgetFacts;
use wasm_bindgen::prelude::*;
use web_sys::{AbortController, AbortSignal};

use super::dom::{Timers, spawn};
use super::read;
use crate::flow::RequestError;

const SESSION_MS: u32 = 8_000;
const SUGGEST_MS: u32 = 6_000;
const ROOF_MS: u32 = 25_000;
const LEAD_MS: u32 = 20_000;

/// What the server says of a widget that is switched off.
const INACTIVE: &str = "This widget is not active.";

#[wasm_bindgen]
extern "C" {
    /// In `stage.js`: `fetch`, which does the work that the server asks for where many ask at once.
    #[wasm_bindgen(catch)]
    async fn ask(url: &str, init: &JsValue) -> Result<JsValue, JsValue>;
}

#[derive(Clone)]
pub struct ApiClient {
    inner: Rc<Inner>,
}

struct Inner {
    /// `https://…/w/{id}`
    base: String,
    session: RefCell<Session>,
}

#[derive(Default)]
enum Session {
    #[default]
    Unknown,
    /// It is being fetched: everybody waits for the same one.
    Awaited(Vec<OnAnswer>),
    Token(JsValue),
}

impl Session {
    /// The server does not know this token. A new one that is being fetched is kept.
    fn expire(&mut self) {
        if matches!(self, Self::Token(_)) {
            *self = Self::Unknown;
        }
    }
}

/// Called with the answer.
pub type OnAnswer = Box<dyn FnOnce(Result<JsValue, RequestError>)>;

/// At most one request at a time; a newer one stops the older.
#[derive(Default)]
pub struct RequestSlot {
    running: RefCell<Option<AbortController>>,
}

impl RequestSlot {
    pub fn renew(&self) -> Option<AbortController> {
        self.stop();
        let fresh = AbortController::new().ok();
        self.running.replace(fresh.clone());
        fresh
    }

    pub fn stop(&self) {
        if let Some(running) = self.running.take() {
            running.abort();
        }
    }
}

/// What one request is made of, besides its body.
struct ApiRequest {
    method: &'static str,
    path: String,
    with_token: bool,
    /// The server did not know the first token.
    again: bool,
    /// Goes on when the page goes; and what is gone for good is said, not taken for a refusal of the page.
    lead: bool,
    timeout_ms: u32,
    stop: Option<AbortController>,
}

impl ApiClient {
    pub fn new(widget: &WidgetFacts) -> Self {
        let base = [&widget.base_url, "/w/", &widget.id].concat();
        Self { inner: Rc::new(Inner { base, session: RefCell::default() }) }
    }

    /// The session's token, fetched once.
    pub fn session(&self, then: OnAnswer) {
        let mut session = self.inner.session.borrow_mut();
        match &mut *session {
            Session::Token(token) => {
                let token = token.clone();
                drop(session);
                then(Ok(token));
            }
            Session::Awaited(waiting) => waiting.push(then),
            Session::Unknown => {
                *session = Session::Awaited(vec![then]);
                drop(session);
                let api = self.clone();
                let call = ApiRequest { with_token: false, ..post("/session", SESSION_MS) };
                self.exchange(call, Object::new().into(), Box::new(move |answer| api.session_answered(answer)));
            }
        }
    }

    fn session_answered(&self, answer: Result<JsValue, RequestError>) {
        let token = match answer {
            Ok(answer) if answer.is_object() => Ok(read::get(&answer, "token")),
            Ok(_) => Err(RequestError::Busy),
            Err(RequestError::Invalid) => Err(RequestError::Refused),
            Err(failure) => Err(failure),
        };
        let known = token.clone().map_or(Session::Unknown, Session::Token);
        if let Session::Awaited(waiting) = self.inner.session.replace(known) {
            for then in waiting {
                then(token.clone());
            }
        }
    }

    pub fn suggest(&self, text: String, stop: Option<AbortController>, then: OnAnswer) {
        let body = read::object(&[("text", text.into())]);
        self.ask(ApiRequest { stop, ..post("/suggest", SUGGEST_MS) }, body, then);
    }

    /// What the answer calls things is in the language `lang`.
    pub fn roof(&self, address: JsValue, lang: &str, stop: Option<AbortController>, then: OnAnswer) {
        let body = read::object(&[("address", address), ("lang", lang.into())]);
        self.ask(ApiRequest { stop, ..post("/roof", ROOF_MS) }, body, then);
    }

    /// `lead` is a `LeadSubmission`, as an object. The key goes into it: a header would cost a preflight.
    pub fn lead(&self, lead: JsValue, key: &str, then: OnAnswer) {
        read::put(&lead, "idempotencyKey", &key.into());
        self.ask(ApiRequest { lead: true, ..post("/leads", LEAD_MS) }, lead, then);
    }

    /// `change` is a `LeadChange`. The answer is the receipt as it is then.
    pub fn change(&self, id: &str, change: JsValue, then: OnAnswer) {
        let call = ApiRequest { method: "PATCH", with_token: false, ..post("/leads/", LEAD_MS) };
        self.ask(ApiRequest { path: [&call.path, id].concat(), ..call }, change, then);
    }

    /// The receipt of a lead once more, in the language `lang`.
    pub fn receipt(&self, id: &str, token: &str, lang: &str, then: OnAnswer) {
        let body = read::object(&[("leadToken", token.into()), ("lang", lang.into())]);
        let call = ApiRequest { with_token: false, lead: true, ..post("/leads/", ROOF_MS) };
        self.ask(ApiRequest { path: [&call.path, id, "/estimate"].concat(), ..call }, body, then);
    }

    #[inline(never)]
    fn ask(&self, call: ApiRequest, body: JsValue, then: OnAnswer) {
        if !call.with_token {
            return self.exchange(call, body, then);
        }
        let api = self.clone();
        self.session(Box::new(move |token| match token {
            Ok(token) => {
                read::put(&body, "token", &token);
                api.exchange(call, body, then);
            }
            Err(failure) => then(Err(failure)),
        }));
    }

    fn exchange(&self, call: ApiRequest, body: JsValue, then: OnAnswer) {
        let api = self.clone();
        spawn(async move {
            let timeout = Timers::default();
            let answer = api.send(&call, &body, &timeout).await;
            timeout.stop();
            let failure = match answer {
                Ok((200..300, answer)) => return then(Ok(answer)),
                // With a new session if the server no longer takes the old one.
                Ok((401, _)) if call.with_token && !call.again => {
                    api.inner.session.borrow_mut().expire();
                    return api.ask(ApiRequest { again: true, ..call }, body, then);
                }
                // A lead that was erased on request must not come back.
                Ok((404 | 410, _)) if call.lead => RequestError::Invalid,
                Ok((401 | 403 | 404 | 410, _)) => RequestError::Refused,
                // The widget was switched off meanwhile, and may be switched on again: the lead is as good as before.
                Ok((400, answer))
                    if answer.is_object() && read::text(&answer, "message").as_deref() == Some(INACTIVE) =>
                {
                    RequestError::Refused
                }
                Ok((408 | 409 | 425 | 429 | 500.., _)) => RequestError::Busy,
                Ok(_) => RequestError::Invalid,
                Err(_) => RequestError::Offline,
            };
            then(Err(failure));
        });
    }

    /// A status and what was read; nothing without a connection, or without an answer in time.
    async fn send(&self, call: &ApiRequest, body: &JsValue, timeout: &Timers) -> Result<(u16, JsValue), ()> {
        let stop = call.stop.clone().or_else(|| AbortController::new().ok());
        let signal: Option<AbortSignal> = stop.as_ref().map(AbortController::signal);
        if let Some(stop) = stop {
            timeout.after(call.timeout_ms, move || stop.abort());
        }
        let url = [&*self.inner.base, &call.path].concat();
        // Texts travel as `text/plain`, which needs no preflight: a round trip less on every step. By hand: gloo-net's
        // builder writes queries, and brings the formatting machinery for them.
        let init = read::object(&[
            ("method", call.method.into()),
            ("body", JSON::stringify(body).map_err(drop)?.into()),
            ("keepalive", call.lead.into()),
            ("signal", signal.into()),
        ]);
        let response: web_sys::Response = ask(&url, &init).await.map_err(drop)?.unchecked_into();
        let response = Response::from(response);
        let answer = response.text().await.map_err(drop)?;
        Ok((response.status(), JSON::parse(&answer).unwrap_or_default()))
    }
}

fn post(path: &str, timeout_ms: u32) -> ApiRequest {
    let path = path.to_owned();
    ApiRequest { method: "POST", path, with_token: true, again: false, lead: false, timeout_ms, stop: None }
}
