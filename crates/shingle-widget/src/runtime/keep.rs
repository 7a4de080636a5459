//! Leads that are not yet with the server, on this device: one entry a lead, for seven days.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Date, Function};
use shingle_domain::public::{LeadReceipt, PublicWidget};
use wasm_bindgen::prelude::*;

use super::dom::Timers;
use super::drafts::Drafts;
use super::read::{self, object};
use super::store::DEVICE;
use super::wire::Wire;
use crate::flow::{Failure, backoff};

const WEEK_MS: f64 = 7.0 * 24.0 * 3600.0 * 1000.0;
/// Of one page view. The next one, or a connection that comes back, begins anew.
const ATTEMPTS: u32 = 5;

thread_local! {
    /// Keys of leads that somebody on this page is seeing to.
    static HELD: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

pub struct Shelf {
    /// What the names of this widget's entries begin with; the rest is the idempotency key.
    prefix: String,
    pub drafts: Drafts,
}

impl Shelf {
    pub fn new(widget: &PublicWidget) -> Self {
        Self { prefix: ["shingle:", &widget.id.text(), ":"].concat(), drafts: Drafts::new(widget) }
    }

    fn name(&self, key: &str) -> String {
        [&self.prefix, key].concat()
    }

    /// Keeps a lead that its flow sends.
    pub fn put(&self, key: &str, lead: &JsValue) {
        DEVICE.put(&self.name(key), &object(&[("at", Date::now().into()), ("lead", lead.clone())]));
    }

    #[inline(never)]
    pub fn remove(&self, key: &str) {
        release(key);
        DEVICE.remove(&self.name(key));
    }

    /// What lies under this key. What is older than a week, or is no lead, is thrown away.
    #[inline(never)]
    pub fn lead(&self, key: &str) -> Option<JsValue> {
        let lead = DEVICE.entry(&self.name(key)).and_then(|entry| {
            let fresh = read::get(&entry, "at").as_f64().is_some_and(|at| Date::now() - at < WEEK_MS);
            Some(read::get(&entry, "lead")).filter(|lead| fresh && lead.is_object())
        });
        if lead.is_none() {
            DEVICE.remove(&self.name(key));
        }
        lead
    }

    /// The keys of what lies there, whoever sees to it.
    fn keys(&self) -> Vec<String> {
        let names = DEVICE.names();
        let mut keys = Vec::new();
        for at in 0..names.length() {
            let name = names.get(at).as_string().unwrap_or_default();
            keys.extend(name.strip_prefix(&self.prefix).map(str::to_owned));
        }
        keys
    }
}

type Received = Box<dyn FnOnce(Result<LeadReceipt, Failure>)>;

/// Who brings leads to the server, and tells the page of those that no flow waits for.
pub struct Courier {
    pub shelf: Shelf,
    pub wire: Wire,
    pub timers: Timers,
    pub tell: Option<Function>,
}

impl Courier {
    pub fn new(widget: &PublicWidget, tell: Option<Function>) -> Rc<Self> {
        Rc::new(Self { shelf: Shelf::new(widget), wire: Wire::new(widget), timers: Timers::default(), tell })
    }

    /// Sends a lead. Once the server has it, or says that it never will, it is gone from here, whatever has
    /// become of the flow meanwhile.
    pub fn send(self: &Rc<Self>, key: String, lead: JsValue, then: Received) {
        let (courier, own, sent) = (self.clone(), key.clone(), lead.clone());
        let after = move |answer: Result<JsValue, Failure>| {
            // What is no receipt came from somebody else on the way.
            let receipt = answer.and_then(|answer| read::receipt(&answer).ok_or(Failure::Busy));
            if receipt.is_ok() {
                courier.shelf.drafts.arrived(&own, &sent);
            }
            if matches!(receipt, Ok(_) | Err(Failure::Invalid)) {
                courier.shelf.remove(&own);
            }
            then(receipt);
        };
        self.wire.lead(lead, &key, Box::new(after));
    }

    /// Sends what an earlier visit left and nobody sees to, each with its own key: the server knows those it
    /// already has, from this tab or another.
    pub fn deliver(self: &Rc<Self>) {
        for key in self.shelf.keys() {
            self.bring(key, 1);
        }
    }

    /// Tries a few times.
    fn bring(self: &Rc<Self>, key: String, attempt: u32) {
        if is_held(&key) {
            return;
        }
        let Some(lead) = self.shelf.lead(&key) else { return };
        hold(&key);
        let (courier, own) = (self.clone(), key.clone());
        let told: Received = Box::new(move |answer| {
            let (name, detail) = match answer {
                Ok(receipt) => ("submit", ("reference", receipt.reference.into())),
                Err(Failure::Invalid) => ("error", ("where", "refused".into())),
                Err(failure) => {
                    release(&own);
                    if failure != Failure::Refused && attempt < ATTEMPTS {
                        let again = courier.clone();
                        let wait = 1_000 * backoff(attempt, super::random());
                        courier.timers.after(wait, move || again.bring(own, attempt + 1));
                    }
                    return;
                }
            };
            courier.emit(name, detail);
        });
        self.send(key, lead, told);
    }

    /// Tells the page.
    pub fn emit(&self, name: &str, detail: (&str, JsValue)) {
        if let Some(tell) = &self.tell {
            let _ = tell.call2(&JsValue::NULL, &name.into(), &object(&[detail]));
        }
    }
}

fn is_held(key: &str) -> bool {
    HELD.with_borrow(|held| held.iter().any(|other| other == key))
}

pub fn hold(key: &str) {
    HELD.with_borrow_mut(|held| held.push(key.to_owned()));
}

/// Its flow is over: whoever delivers next may have it.
pub fn release(key: &str) {
    HELD.with_borrow_mut(|held| held.retain(|other| other != key));
}
