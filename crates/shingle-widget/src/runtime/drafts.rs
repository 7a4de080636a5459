//! What was typed and chosen, kept for this tab: a reload, another page of the site, a crash or a closed dialog
//! loses nothing. After a few hours it is no longer used.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Date};
use shingle_domain::public::WidgetFacts;
use wasm_bindgen::prelude::*;

use super::pending::PendingLeads;
use super::read;
use super::store::{self, TAB};
use super::submit;
use crate::flow::Draft;

const VERSION: f64 = 1.0;
const MAX_AGE_MS: f64 = 4.0 * 3600.0 * 1000.0;

#[derive(Clone)]
pub struct Drafts {
    name: String,
    /// What is stored, as far as this flow knows.
    stored: Rc<RefCell<Vec<String>>>,
}

/// What went into a draft so far.
#[derive(Clone, Copy, Default)]
pub struct Work {
    /// How often the visitor did something.
    pub acts: u32,
    /// Milliseconds since the flow was opened for the first time.
    pub took: f64,
}

/// A draft as it was stored.
struct StoredDraft {
    entry: JsValue,
    draft: Draft,
    work: Work,
}

/// Where to go on.
pub struct Resumed {
    pub draft: Draft,
    /// The lead that was being sent.
    pub lead: Option<JsValue>,
    pub work: Work,
}

impl Drafts {
    pub fn new(widget: &WidgetFacts) -> Self {
        Self { name: ["shingle:draft:", &widget.id].concat(), stored: Rc::default() }
    }

    /// To be called after every event: only a change reaches the storage.
    pub fn save(&self, draft: Option<Draft>, acts: u32) {
        let texts = draft.map(Draft::into_texts).unwrap_or_default();
        if *self.stored.borrow() == texts {
            return;
        }
        if texts.is_empty() {
            TAB.remove(&self.name);
        } else {
            let list = Array::new();
            for text in &texts {
                list.push(&JsValue::from_str(text));
            }
            let entry = read::object(&[
                ("v", VERSION.into()),
                ("at", Date::now().into()),
                ("acts", acts.into()),
                ("took", submit::elapsed().into()),
                ("texts", list.into()),
            ]);
            TAB.put(&self.name, &entry);
        }
        self.stored.replace(texts);
    }

    /// The lead of this tab's draft has arrived while nobody looked: it goes into the draft, so that sending it
    /// once more, under the same key, shows the visitor what he was waiting for.
    pub fn arrived(&self, key: &str, lead: &JsValue) {
        if let Some(stored) = self.own().filter(|stored| stored.draft.lead() == key) {
            read::put(&stored.entry, "lead", lead);
            TAB.put(&self.name, &stored.entry);
        }
    }

    fn own(&self) -> Option<StoredDraft> {
        stored_draft(TAB.entry(&self.name)?)
    }

    /// Where to go on: what another page hands over, or what this tab has.
    pub fn find(&self, given: &JsValue, pending: &PendingLeads) -> Option<Resumed> {
        if let Some(StoredDraft { mut draft, work, .. }) = store::parsed(given).and_then(stored_draft) {
            // The other page has the lead, and sends it.
            draft.forget_lead();
            return Some(Resumed { draft, lead: None, work });
        }
        let found = self.own().and_then(|StoredDraft { entry, draft, work }| {
            let key = draft.lead();
            if key.is_empty() {
                return Some(Resumed { draft, lead: None, work });
            }
            let lead = pending.lead(key).unwrap_or_else(|| read::get(&entry, "lead"));
            // Neither here nor there: another tab has sent it, and all is done.
            lead.is_object().then_some(Resumed { draft, lead: Some(lead), work })
        });
        match &found {
            Some(Resumed { draft, .. }) => drop(self.stored.replace(draft.texts().to_vec())),
            None => TAB.remove(&self.name),
        }
        found
    }
}

/// `None` for what is old, of another version, or not understood.
#[inline(never)]
fn stored_draft(entry: JsValue) -> Option<StoredDraft> {
    let number = |key| read::get(&entry, key).as_f64();
    let fresh = number("at").is_some_and(|at| (0.0..MAX_AGE_MS).contains(&(Date::now() - at)));
    if !fresh || number("v") != Some(VERSION) {
        return None;
    }
    let list: Array = read::get(&entry, "texts").dyn_into().ok()?;
    let mut texts = Vec::new();
    for at in 0..list.length() {
        texts.push(list.get(at).as_string()?);
    }
    // An earlier release stored neither.
    let work = Work { acts: number("acts").unwrap_or_default() as u32, took: number("took").unwrap_or_default() };
    Some(StoredDraft { draft: Draft::from_texts(texts)?, entry, work })
}
