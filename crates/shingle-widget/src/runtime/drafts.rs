//! What was typed and chosen, kept for this tab: a reload, another page of the site, a crash or a closed dialog
//! lose nothing. A few hours later it is nobody's any more. Storage that is barred is done without.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Date, JSON, Reflect};
use shingle_domain::public::PublicWidget;
use wasm_bindgen::prelude::*;
use web_sys::Storage;

use super::dom::window;
use super::keep::Shelf;
use super::read;
use crate::flow::{Draft, Pending};

const VERSION: f64 = 1.0;
const LASTS_MS: f64 = 4.0 * 3600.0 * 1000.0;

#[derive(Clone)]
pub struct Drafts {
    name: String,
    /// What is stored, as far as this flow knows.
    stored: Rc<RefCell<Vec<String>>>,
}

/// A draft as it was stored.
struct Sheet {
    entry: JsValue,
    draft: Draft,
}

impl Drafts {
    pub fn new(widget: &PublicWidget) -> Self {
        Self { name: ["shingle:draft:", &widget.id.text()].concat(), stored: Rc::default() }
    }

    fn storage() -> Option<Storage> {
        window().session_storage().ok().flatten()
    }

    fn put(&self, entry: &JsValue) {
        if let (Some(storage), Some(text)) = (Self::storage(), read::json(entry)) {
            let _ = storage.set_item(&self.name, &text);
        }
    }

    /// To be called after every event: only a change reaches the storage.
    pub fn save(&self, draft: Option<Draft>) {
        let texts = draft.map(|d| d.texts()).unwrap_or_default();
        if *self.stored.borrow() == texts {
            return;
        }
        if texts.is_empty() {
            self.remove();
        } else {
            let list: Array = texts.iter().map(|text| JsValue::from_str(text)).collect();
            self.put(&read::object(&[("v", VERSION.into()), ("at", Date::now().into()), ("texts", list.into())]));
        }
        self.stored.replace(texts);
    }

    fn remove(&self) {
        if let Some(storage) = Self::storage() {
            let _ = storage.remove_item(&self.name);
        }
    }

    /// The lead of this tab's draft has arrived while nobody looked: it goes into the draft, so that sending it
    /// once more, under the same key, shows the visitor what he was waiting for.
    pub fn arrived(&self, key: &str, lead: &JsValue) {
        if let Some(sheet) = self.own().filter(|sheet| sheet.draft.lead == key) {
            let _ = Reflect::set(&sheet.entry, &"lead".into(), lead);
            self.put(&sheet.entry);
        }
    }

    fn own(&self) -> Option<Sheet> {
        sheet(&Self::storage()?.get_item(&self.name).ok().flatten()?)
    }

    /// Where to go on: what another page hands over, or what this tab has; and the lead that was being sent.
    pub fn find(&self, given: Option<String>, shelf: &Shelf) -> Option<(Draft, Option<Pending>)> {
        if let Some(Sheet { mut draft, .. }) = given.and_then(|text| sheet(&text)) {
            // The lead itself lies with the other page, which sends it.
            draft.lead.clear();
            return Some((draft, None));
        }
        let found = self.own().and_then(|Sheet { entry, draft }| {
            let lead =
                read::pending(&draft.lead, &shelf.lead(&draft.lead).unwrap_or_else(|| read::get(&entry, "lead")));
            // Neither here nor there: another tab has sent it, and all is done.
            (draft.lead.is_empty() || lead.is_some()).then_some((draft, lead))
        });
        match &found {
            Some((draft, _)) => drop(self.stored.replace(draft.texts())),
            None => self.remove(),
        }
        found
    }
}

/// `None` for what is old, of another version, or not understood.
fn sheet(text: &str) -> Option<Sheet> {
    let entry = JSON::parse(text).ok().filter(JsValue::is_object)?;
    let number = |key| read::get(&entry, key).as_f64();
    let fresh = number("at").is_some_and(|at| (0.0..LASTS_MS).contains(&(Date::now() - at)));
    if !fresh || number("v") != Some(VERSION) {
        return None;
    }
    let list: Array = read::get(&entry, "texts").dyn_into().ok()?;
    let texts = list.iter().filter_map(|text| text.as_string()).collect::<Vec<_>>();
    Some(Sheet { draft: Draft::from_texts(&texts)?, entry })
}
