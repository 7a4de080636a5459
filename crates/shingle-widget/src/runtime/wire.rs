//! The public routes of the widget, from the browser's side. JSON goes through the browser's own parser.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo_net::http::Request;
use js_sys::{JSON, Promise, Reflect};
use shingle_domain::public::{AddressChoice, LeadChange, LeadReceipt, PublicWidget, RoofAnswer, SuggestAnswer};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise};
use web_sys::{AbortController, AbortSignal, RequestInit};

use super::dom::window;
use super::read;
use crate::flow::Failure;

const SESSION_MS: i32 = 8_000;
const SUGGEST_MS: i32 = 6_000;
const ROOF_MS: i32 = 25_000;
const LEAD_MS: i32 = 20_000;

#[derive(Clone)]
pub struct Wire {
    inner: Rc<Inner>,
}

struct Inner {
    /// `https://…/w/{id}`
    base: String,
    /// The session's token, or its being fetched: everybody waits for the same one.
    token: RefCell<Option<Promise>>,
}

/// At most one request at a time; a newer one stops the older.
#[derive(Default)]
pub struct Slot {
    running: RefCell<Option<AbortController>>,
}

impl Slot {
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
struct Call<'a> {
    method: &'static str,
    path: &'a str,
    /// The session's token goes into the body.
    with_token: bool,
    /// Goes on when the page goes; and what is gone for good is said, not taken for a refusal of the page.
    lead: bool,
    timeout_ms: i32,
    stop: Option<AbortController>,
}

impl Wire {
    pub fn new(widget: &PublicWidget) -> Self {
        let base = [&widget.base_url, "/w/", &widget.id.text()].concat();
        Self { inner: Rc::new(Inner { base, token: RefCell::default() }) }
    }

    /// The session's token, fetched once.
    pub async fn session(&self) -> Result<JsValue, Failure> {
        let known = self.inner.token.borrow().clone();
        let promise = known.unwrap_or_else(|| {
            let wire = self.clone();
            let fetching = future_to_promise(async move { wire.fetch_session().await.map_err(code) });
            self.inner.token.replace(Some(fetching.clone()));
            fetching
        });
        JsFuture::from(promise).await.map_err(|code| {
            self.inner.token.take();
            if code.is_truthy() { Failure::Refused } else { Failure::Offline }
        })
    }

    async fn fetch_session(&self) -> Result<JsValue, Failure> {
        let body = js_sys::Object::new().into();
        let call = Call { with_token: false, ..post("/session", SESSION_MS) };
        let answer = match self.send(&call, &body).await? {
            (200..300, answer) => answer,
            (status, _) if status == 429 || status >= 500 => return Err(Failure::Busy),
            _ => return Err(Failure::Refused),
        };
        Some(answer).filter(JsValue::is_object).map(|a| read::get(&a, "token")).ok_or(Failure::Busy)
    }

    pub async fn suggest(&self, text: String, stop: Option<AbortController>) -> Result<SuggestAnswer, Failure> {
        let body = read::object(&[("text", text.into())]);
        let answer = self.ask(Call { stop, ..post("/suggest", SUGGEST_MS) }, body).await?;
        read::suggestions(&answer).ok_or(Failure::Busy)
    }

    /// What the answer calls things is in the language `lang`.
    pub async fn roof(
        &self,
        address: AddressChoice,
        lang: &str,
        stop: Option<AbortController>,
    ) -> Result<RoofAnswer, Failure> {
        let body = read::object(&[("address", read::written(&address)), ("lang", lang.into())]);
        let answer = self.ask(Call { stop, ..post("/roof", ROOF_MS) }, body).await?;
        read::roof(&answer).ok_or(Failure::Busy)
    }

    /// `lead` is a `LeadSubmission`, as an object. The key goes into it: a header would cost a preflight.
    pub async fn lead(&self, lead: &JsValue, key: &str) -> Result<LeadReceipt, Failure> {
        let _ = Reflect::set(lead, &"idempotencyKey".into(), &key.into());
        let call = Call { lead: true, ..post("/leads", LEAD_MS) };
        read::receipt(&self.ask(call, lead.clone()).await?).ok_or(Failure::Busy)
    }

    pub async fn change(&self, id: &str, change: &LeadChange) -> Result<(), Failure> {
        let path = ["/leads/", id].concat();
        let call = Call { method: "PATCH", with_token: false, ..post(&path, LEAD_MS) };
        self.ask(call, read::written(change)).await.map(|_| ())
    }

    /// Sends, with a new session if the server no longer takes the old one.
    async fn ask(&self, call: Call<'_>, body: JsValue) -> Result<JsValue, Failure> {
        for attempt in 0..2 {
            if call.with_token {
                let token = self.session().await?;
                let _ = Reflect::set(&body, &"token".into(), &token);
            }
            let (status, answer) = self.send(&call, &body).await?;
            match status {
                200..300 => return Ok(answer),
                401 if call.with_token && attempt == 0 => {
                    self.inner.token.take();
                }
                // A lead that was erased at somebody's wish must not come back.
                404 | 410 if call.lead => return Err(Failure::Invalid),
                401 | 403 | 404 | 410 => return Err(Failure::Refused),
                408 | 409 | 425 | 429 | 500.. => return Err(Failure::Busy),
                _ => return Err(Failure::Invalid),
            }
        }
        Err(Failure::Refused)
    }

    async fn send(&self, call: &Call<'_>, body: &JsValue) -> Result<(u16, JsValue), Failure> {
        let stop = call.stop.clone().or_else(|| AbortController::new().ok());
        let signal: Option<AbortSignal> = stop.as_ref().map(AbortController::signal);
        let timeout = Timeout::start(stop, call.timeout_ms);
        let url = [&self.inner.base, call.path].concat();
        let text = read::json(body).ok_or(Failure::Offline)?;
        // Texts travel as `text/plain`, which needs no preflight: a round trip less on every step. By hand: gloo-net's
        // builder writes queries, and brings the formatting machinery for them.
        let init = read::object(&[
            ("method", call.method.into()),
            ("body", text.into()),
            ("keepalive", call.lead.into()),
            ("signal", signal.into()),
        ]);
        let request = web_sys::Request::new_with_str_and_init(&url, &init.unchecked_into::<RequestInit>());
        let request = Request::from(request.map_err(|_| Failure::Offline)?);
        let response = request.send().await.map_err(|_| Failure::Offline)?;
        let status = response.status();
        let answer = response.text().await.map_err(|_| Failure::Offline)?;
        drop(timeout);
        Ok((status, JSON::parse(&answer).unwrap_or_default()))
    }
}

fn post(path: &str, timeout_ms: i32) -> Call<'_> {
    Call { method: "POST", path, with_token: true, lead: false, timeout_ms, stop: None }
}

/// A failure as a promise carries it: whether it was a refusal.
fn code(failure: Failure) -> JsValue {
    (failure == Failure::Refused).into()
}

/// Ends a request that takes too long; dropped when it is over.
struct Timeout {
    id: Option<i32>,
    /// Keeps the callback alive as long as it may be called.
    _callback: Closure<dyn FnMut()>,
}

impl Timeout {
    fn start(stop: Option<AbortController>, ms: i32) -> Self {
        let over = Rc::new(Cell::new(stop));
        let callback = Closure::<dyn FnMut()>::new(move || {
            if let Some(stop) = over.take() {
                stop.abort();
            }
        });
        let set = window().set_timeout_with_callback_and_timeout_and_arguments_0(callback.as_ref().unchecked_ref(), ms);
        Self { id: set.ok(), _callback: callback }
    }
}

impl Drop for Timeout {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            window().clear_timeout_with_handle(id);
        }
    }
}
