//! Leads that are not yet with the server, on this device: one entry a lead, for seven days. Storage that is
//! barred is done without.

use js_sys::{Date, JSON, Reflect};
use shingle_domain::public::PublicWidget;
use wasm_bindgen::prelude::*;
use web_sys::Storage;

use super::dom::window;
use super::read::{object, written};
use super::wire::Wire;
use crate::flow::{Failure, Pending};

const WEEK_MS: f64 = 7.0 * 24.0 * 3600.0 * 1000.0;

#[derive(Clone)]
pub struct Shelf {
    /// What the names of this widget's entries begin with; the rest is the idempotency key.
    prefix: String,
}

impl Shelf {
    pub fn new(widget: &PublicWidget) -> Self {
        Self { prefix: ["shingle:", &widget.id.text(), ":"].concat() }
    }

    fn storage() -> Option<Storage> {
        window().local_storage().ok().flatten()
    }

    fn name(&self, key: &str) -> String {
        [&self.prefix, key].concat()
    }

    pub fn put(&self, pending: &Pending) {
        let entry = object(&[("at", Date::now().into()), ("lead", written(&pending.submission))]);
        if let (Some(storage), Some(text)) = (Self::storage(), JSON::stringify(&entry).ok().and_then(|t| t.as_string()))
        {
            let _ = storage.set_item(&self.name(&pending.key), &text);
        }
    }

    pub fn remove(&self, key: &str) {
        if let Some(storage) = Self::storage() {
            let _ = storage.remove_item(&self.name(key));
        }
    }

    /// What an earlier visit left, with its keys. What is older than a week is thrown away.
    fn left(&self) -> Vec<(String, JsValue)> {
        let Some(storage) = Self::storage() else { return Vec::new() };
        let names = (0..storage.length().unwrap_or(0)).filter_map(|at| storage.key(at).ok().flatten());
        let keys = names.filter_map(|name| name.strip_prefix(&self.prefix).map(str::to_owned)).collect::<Vec<_>>();
        let mut left = Vec::new();
        for key in keys {
            let entry = storage.get_item(&self.name(&key)).ok().flatten().and_then(|text| JSON::parse(&text).ok());
            let part = |name: &str| entry.as_ref().and_then(|e| Reflect::get(e, &name.into()).ok());
            let fresh = part("at").and_then(|at| at.as_f64()).is_some_and(|at| Date::now() - at < WEEK_MS);
            match part("lead").filter(|lead| fresh && lead.is_object()) {
                Some(lead) => left.push((key, lead)),
                None => self.remove(&key),
            }
        }
        left
    }

    /// Sends what was left, each with its own key: the server knows those it already has.
    pub fn deliver(&self, wire: Wire) {
        let left = self.left();
        if left.is_empty() {
            return;
        }
        let shelf = self.clone();
        wasm_bindgen_futures::spawn_local(async move {
            for (key, lead) in left {
                // What the server will never take is not worth keeping.
                if matches!(wire.lead(lead, &key).await, Ok(_) | Err(Failure::Invalid)) {
                    shelf.remove(&key);
                }
            }
        });
    }
}
