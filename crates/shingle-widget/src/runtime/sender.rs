//! Sends leads, also those of earlier visits, and raises the events of those that no flow waits for.

use std::rc::Rc;

use js_sys::Function;
use shingle_domain::public::{LeadReceipt, WidgetFacts};
use wasm_bindgen::prelude::*;

use super::api::ApiClient;
use super::dom::{Timers, random};
use super::drafts::Drafts;
use super::kept::KeptLead;
use super::pending::{PendingLeads, claim, is_claimed, release};
use super::read::{self, object};
use crate::flow::{RequestError, backoff};

/// In one page view. The next page view, or a connection that returns, starts again.
const MAX_ATTEMPTS: u32 = 5;

type OnReceipt = Box<dyn FnOnce(Result<LeadReceipt, RequestError>)>;

/// Sends leads of one widget.
pub struct LeadSender {
    pub pending: PendingLeads,
    pub drafts: Drafts,
    pub kept: KeptLead,
    pub api: ApiClient,
    pub timers: Timers,
    pub on_event: Option<Function>,
}

impl LeadSender {
    pub fn new(widget: &WidgetFacts, on_event: Option<Function>) -> Rc<Self> {
        Rc::new(Self {
            pending: PendingLeads::new(widget),
            drafts: Drafts::new(widget),
            kept: KeptLead::new(widget),
            api: ApiClient::new(widget),
            timers: Timers::default(),
            on_event,
        })
    }

    /// Sends a lead. Once the server has accepted or refused it for good, it is deleted from the device, even if
    /// the flow has ended meanwhile.
    pub fn send(self: &Rc<Self>, key: String, lead: JsValue, then: OnReceipt) {
        let (sender, own, sent) = (self.clone(), key.clone(), lead.clone());
        let after = move |answer: Result<JsValue, RequestError>| {
            // An answer that is not a receipt came from something between us and the server.
            let receipt = answer.and_then(|answer| read::receipt(&answer).ok_or(RequestError::Busy));
            if receipt.is_ok() {
                sender.drafts.arrived(&own, &sent);
            }
            if matches!(receipt, Ok(_) | Err(RequestError::Invalid)) {
                sender.pending.remove(&own);
            }
            then(receipt);
        };
        self.api.lead(lead, &key, Box::new(after));
    }

    /// Sends the leads that an earlier visit left and nobody is sending, each with its own key: the server knows
    /// those it already has, from this tab or another.
    pub fn deliver(self: &Rc<Self>) {
        for key in self.pending.keys() {
            self.send_kept(key, 1);
        }
    }

    /// Tries a few times.
    fn send_kept(self: &Rc<Self>, key: String, attempt: u32) {
        if is_claimed(&key) {
            return;
        }
        let Some(lead) = self.pending.lead(&key) else { return };
        claim(&key);
        let (sender, own) = (self.clone(), key.clone());
        let report: OnReceipt = Box::new(move |answer| {
            let (name, detail) = match answer {
                Ok(receipt) => ("submit", ("reference", receipt.reference.into())),
                Err(RequestError::Invalid) => ("error", ("where", "refused".into())),
                Err(failure) => {
                    release(&own);
                    if failure != RequestError::Refused && attempt < MAX_ATTEMPTS {
                        let again = sender.clone();
                        let wait = 1_000 * backoff(attempt, random());
                        sender.timers.after(wait, move || again.send_kept(own, attempt + 1));
                    }
                    return;
                }
            };
            let _ = sender.emit(name, detail);
        });
        self.send(key, lead, report);
    }

    /// Raises an event for the page, or asks `stage.js`, whose answer it returns.
    pub fn emit(&self, name: &str, detail: (&str, JsValue)) -> JsValue {
        let called =
            self.on_event.as_ref().map(|on_event| on_event.call2(&JsValue::NULL, &name.into(), &object(&[detail])));
        called.and_then(Result::ok).unwrap_or_default()
    }
}
