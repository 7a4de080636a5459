//! Leads that the server does not have yet, stored on this device: one entry for each, for seven days.

use std::cell::RefCell;

use js_sys::Date;
use shingle_domain::public::WidgetFacts;
use wasm_bindgen::prelude::*;

use super::read::{self, object};
use super::store::DEVICE;

const MAX_AGE_MS: f64 = 7.0 * 24.0 * 3600.0 * 1000.0;

thread_local! {
    /// Keys of the leads that a flow or a sender on this page is sending.
    static CLAIMED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

pub struct PendingLeads {
    /// The prefix of the names of this widget's entries; the rest is the idempotency key.
    prefix: String,
}

impl PendingLeads {
    pub fn new(widget: &WidgetFacts) -> Self {
        Self { prefix: ["shingle:", &widget.id, ":"].concat() }
    }

    fn name(&self, key: &str) -> String {
        [&self.prefix, key].concat()
    }

    /// Stores a lead.
    pub fn put(&self, key: &str, lead: &JsValue) {
        DEVICE.put(&self.name(key), &object(&[("at", Date::now().into()), ("lead", lead.clone())]));
    }

    #[inline(never)]
    pub fn remove(&self, key: &str) {
        release(key);
        DEVICE.remove(&self.name(key));
    }

    /// The lead under this key. An entry that is too old, or holds no lead, is deleted.
    #[inline(never)]
    pub fn lead(&self, key: &str) -> Option<JsValue> {
        let lead = DEVICE.entry(&self.name(key)).and_then(|entry| {
            let fresh = read::get(&entry, "at").as_f64().is_some_and(|at| Date::now() - at < MAX_AGE_MS);
            Some(read::get(&entry, "lead")).filter(|lead| fresh && lead.is_object())
        });
        if lead.is_none() {
            DEVICE.remove(&self.name(key));
        }
        lead
    }

    /// The keys of all leads kept here, claimed or not.
    pub fn keys(&self) -> Vec<String> {
        let names = DEVICE.names();
        let mut keys = Vec::new();
        for at in 0..names.length() {
            let name = names.get(at).as_string().unwrap_or_default();
            keys.extend(name.strip_prefix(&self.prefix).map(str::to_owned));
        }
        keys
    }
}

pub fn is_claimed(key: &str) -> bool {
    CLAIMED.with_borrow(|claimed| claimed.iter().any(|other| other == key))
}

/// Nobody else on this page sends this lead until it is released.
pub fn claim(key: &str) {
    CLAIMED.with_borrow_mut(|claimed| claimed.push(key.to_owned()));
}

/// Its flow is over: the next sender may take it.
pub fn release(key: &str) {
    CLAIMED.with_borrow_mut(|claimed| claimed.retain(|other| other != key));
}
