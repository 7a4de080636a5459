//! Leads that are not yet with the server, on this device: one entry a lead, for seven days.

use std::cell::RefCell;

use js_sys::{Date, Function};
use shingle_domain::public::{LeadReceipt, PublicWidget};
use wasm_bindgen::prelude::*;

use super::dom::{Timers, spawn};
use super::drafts::Drafts;
use super::read::{self, object, written};
use super::store::DEVICE;
use super::wire::Wire;
use crate::flow::{Failure, Pending, backoff};

const WEEK_MS: f64 = 7.0 * 24.0 * 3600.0 * 1000.0;
/// Of one page view. The next one, or a connection that comes back, begins anew.
const ATTEMPTS: u32 = 5;

thread_local! {
    /// Keys of leads that somebody on this page is seeing to.
    static HELD: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

#[derive(Clone)]
pub struct Shelf {
    /// What the names of this widget's entries begin with; the rest is the idempotency key.
    prefix: String,
    pub drafts: Drafts,
}

/// Whom to tell that a lead has arrived after all, or never will.
pub type Tell = Option<Function>;

impl Shelf {
    pub fn new(widget: &PublicWidget) -> Self {
        Self { prefix: ["shingle:", &widget.id.text(), ":"].concat(), drafts: Drafts::new(widget) }
    }

    fn name(&self, key: &str) -> String {
        [&self.prefix, key].concat()
    }

    /// Keeps a lead that its flow sends.
    pub fn put(&self, pending: &Pending) {
        hold(&pending.key);
        let entry = object(&[("at", Date::now().into()), ("lead", written(&pending.submission))]);
        DEVICE.put(&self.name(&pending.key), &entry);
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
            self.remove(key);
        }
        lead
    }

    /// What an earlier visit left and nobody sees to, with its keys. It is held from now on.
    fn left(&self) -> Vec<(String, JsValue)> {
        let names = DEVICE.names();
        let mut left = Vec::new();
        for at in 0..names.length() {
            let name = names.get(at).as_string().unwrap_or_default();
            let key = name.strip_prefix(&self.prefix).filter(|key| !is_held(key));
            if let Some((key, lead)) = key.and_then(|key| Some((key, self.lead(key)?))) {
                hold(key);
                left.push((key.to_owned(), lead));
            }
        }
        left
    }

    /// Sends a lead. Once the server has it, or says that it never will, it is gone from here, whatever has
    /// become of the flow meanwhile.
    pub async fn send(&self, wire: &Wire, key: &str, lead: JsValue) -> Result<LeadReceipt, Failure> {
        let answer = wire.lead(&lead, key).await;
        if answer.is_ok() {
            self.drafts.arrived(key, &lead);
        }
        if matches!(answer, Ok(_) | Err(Failure::Invalid)) {
            self.remove(key);
        }
        answer
    }

    /// Sends what was left, each with its own key: the server knows those it already has, from this tab or
    /// another. Tries a few times.
    pub fn deliver(self, wire: Wire, timers: Timers, tell: Tell, attempt: u32) {
        let left = self.left();
        if left.is_empty() {
            return;
        }
        spawn(async move {
            let mut again = false;
            for (key, lead) in left {
                let (name, detail) = match self.send(&wire, &key, lead).await {
                    Ok(receipt) => ("submit", ("reference", receipt.reference.into())),
                    Err(Failure::Invalid) => ("error", ("where", "refused".into())),
                    Err(failure) => {
                        release(&key);
                        again |= failure != Failure::Refused;
                        continue;
                    }
                };
                if let Some(tell) = &tell {
                    let _ = tell.call2(&JsValue::NULL, &name.into(), &object(&[detail]));
                }
            }
            if again && attempt < ATTEMPTS {
                let later = timers.clone();
                let seed = (js_sys::Math::random() * f64::from(u32::MAX)) as u32;
                timers.after(1_000 * backoff(attempt, seed), move || self.deliver(wire, later, tell, attempt + 1));
            }
        });
    }
}

fn is_held(key: &str) -> bool {
    HELD.with_borrow(|held| held.iter().any(|other| other == key))
}

fn hold(key: &str) {
    HELD.with_borrow_mut(|held| held.push(key.to_owned()));
}

/// Its flow is over: whoever delivers next may have it.
pub fn release(key: &str) {
    HELD.with_borrow_mut(|held| held.retain(|other| other != key));
}
