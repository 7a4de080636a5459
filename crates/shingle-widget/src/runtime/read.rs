//! Converts wire types to JavaScript objects (by serde) and back (by hand: derived readers were as large as the
//! rest of the flow, 120 kB of code). Tests compare both with the types' own JSON.

use std::cell::{Cell, RefCell};

use js_sys::{Array, JSON, Object, Reflect};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use shingle_domain::LeadId;
use shingle_domain::home_roof::BuildingSet;
use shingle_domain::public::{
    AddressChoice, BuildingRow, EstimateStep, LeadReceipt, Part, PriceRow, RoofAnswer, RoofStep, SuggestResponse,
    Suggestion, WidgetFacts,
};
use shingle_domain::roof::RoofMaterial;
use uuid::Uuid;
use wasm_bindgen::prelude::*;

use crate::flow::{Lead, NOT_MINE, Prefill};
use crate::words::{FLOW_WORD_COUNT, Words, w};

pub fn get(of: &JsValue, key: &str) -> JsValue {
    Reflect::get(of, &JsValue::from_str(key)).unwrap_or_default()
}

/// Only the hyphenated form, which our server writes: the crate's parser accepts four more.
fn uuid(text: &str) -> Option<Uuid> {
    let mut digits = text.chars().filter(|c| *c != '-').map(|c| c.to_digit(16));
    let bits = digits.try_fold(0, |bits, digit| Some(bits << 4 | u128::from(digit?)))?;
    (text.len() == 36).then(|| Uuid::from_u128(bits))
}

thread_local! {
    /// The languages that were read. They are leaked, so another dialog reuses them.
    static SPOKEN: RefCell<Vec<Words>> = const { RefCell::new(Vec::new()) };
}

/// The sentences of a page's language.
pub fn words(context: &JsValue) -> Option<Words> {
    let list: Array = get(context, "words").dyn_into().ok()?;
    let lang = list.get(0).as_string()?;
    SPOKEN.with_borrow_mut(|spoken| {
        if list.length() as usize != FLOW_WORD_COUNT {
            return None;
        }
        if let Some(known) = spoken.iter().find(|words| words[w::LANG] == lang) {
            return Some(*known);
        }
        let words = Words::of(list.join("\0").as_string()?.leak().split('\0').collect())?;
        spoken.push(words);
        Some(words)
    })
}

pub fn text(of: &JsValue, key: &str) -> Option<String> {
    get(of, key).as_string()
}

/// Reads members one after the other and remembers whether any was missing or of the wrong type. One check at the
/// end instead of one after each saves the code that drops half-read values.
struct Reader {
    sound: Cell<bool>,
}

impl Reader {
    fn whole<T>(read: impl FnOnce(&Self) -> T) -> Option<T> {
        let reader = Self { sound: Cell::new(true) };
        let value = read(&reader);
        reader.sound.get().then_some(value)
    }

    #[inline(never)]
    fn or_unsound<T: Default>(&self, value: Option<T>) -> T {
        if value.is_none() {
            self.sound.set(false);
        }
        value.unwrap_or_default()
    }

    #[inline(never)]
    fn text(&self, of: &JsValue, key: &str) -> String {
        self.or_unsound(text(of, key))
    }

    fn part(&self, of: &JsValue, key: &str) -> Part {
        Part(self.text(of, key))
    }

    #[inline(never)]
    fn id(&self, of: &JsValue) -> Uuid {
        self.or_unsound(text(of, "id").and_then(|id| uuid(&id)))
    }

    #[inline(never)]
    fn number(&self, of: &JsValue, key: &str) -> f64 {
        self.or_unsound(get(of, key).as_f64())
    }

    fn count(&self, of: &JsValue, key: &str) -> u32 {
        self.number(of, key) as u32
    }

    /// The index of a word among the allowed ones; the last if it is not among them.
    #[inline(never)]
    fn word(&self, of: &JsValue, key: &str, words: &[&str]) -> usize {
        let word = text(of, key).unwrap_or_default();
        words.iter().position(|w| *w == word).unwrap_or_else(|| {
            self.sound.set(false);
            words.len() - 1
        })
    }

    #[inline(never)]
    fn list(&self, of: &JsValue) -> Array {
        of.dyn_ref::<Array>().cloned().unwrap_or_else(|| {
            self.sound.set(false);
            Array::new()
        })
    }

    fn each<T>(&self, list: &JsValue, read: impl Fn(&JsValue) -> T) -> Vec<T> {
        let list = self.list(list);
        let mut members = Vec::new();
        for at in 0..list.length() {
            members.push(read(&list.get(at)));
        }
        members
    }

    fn all<T>(&self, of: &JsValue, key: &str, read: impl Fn(&JsValue) -> T) -> Vec<T> {
        self.each(&get(of, key), |member| {
            if !member.is_object() {
                self.sound.set(false);
            }
            read(if member.is_object() { member } else { of })
        })
    }
}

/// A member that is an object; `None` if it is absent or null.
fn some(of: &JsValue, key: &str) -> Option<JsValue> {
    Some(get(of, key)).filter(JsValue::is_object)
}

pub fn widget(of: &JsValue) -> Option<WidgetFacts> {
    if !of.is_object() {
        return None;
    }
    Reader::whole(|r| WidgetFacts {
        id: r.text(of, "id"),
        base_url: r.text(of, "baseUrl"),
        company_name: r.text(of, "companyName"),
        company_phone: r.text(of, "companyPhone"),
        company_phone_dial: r.text(of, "companyPhoneDial"),
        palette: r.all(of, "palette", |pair| {
            let pair = r.list(pair);
            let [name, value] = [pair.get(0), pair.get(1)].map(|t| r.or_unsound(t.as_string()));
            (name, value)
        }),
    })
}

/// The parts that come with the configuration. Anything but text counts as nothing.
pub fn parts(context: &JsValue) -> Vec<String> {
    let list: Array = get(context, "parts").dyn_into().unwrap_or_default();
    let mut parts = Vec::new();
    for at in 0..list.length() {
        parts.push(list.get(at).as_string().unwrap_or_default());
    }
    parts
}

pub fn suggestions(of: &JsValue) -> Option<SuggestResponse> {
    if !of.is_object() {
        return None;
    }
    Reader::whole(|r| SuggestResponse { suggestions: r.all(of, "suggestions", |s| suggestion(r, s)) })
}

fn suggestion(r: &Reader, of: &JsValue) -> Suggestion {
    Suggestion {
        key: r.text(of, "key"),
        street: r.text(of, "street"),
        city: r.text(of, "city"),
        matched: r.count(of, "matched"),
    }
}

pub fn roof(of: &JsValue) -> Option<RoofAnswer> {
    if !of.is_object() {
        return None;
    }
    Reader::whole(|r| match r.word(of, "kind", &["roof", "noRoof", "notFound"]) {
        0 => {
            let buildings = r.all(of, "buildings", |b| BuildingRow {
                row: r.part(b, "row"),
                area: r.count(b, "area"),
                picked: get(b, "picked").is_truthy(),
                why: r.part(b, "why"),
            });
            RoofAnswer::Roof(RoofStep {
                key: r.text(of, "key"),
                street: r.text(of, "street"),
                city: r.text(of, "city"),
                heading: r.text(of, "heading"),
                intro: r.part(of, "intro"),
                // Never empty by contract.
                buildings: r.or_unsound(Some(buildings).filter(|b| !b.is_empty())),
                facts: r.part(of, "facts"),
                pane: r.part(of, "pane"),
                aside: r.part(of, "aside"),
                homes: r.all(of, "homes", |s| suggestion(r, s)),
                choose: r.part(of, "choose"),
                choose_pane: r.part(of, "choosePane"),
                not_mine: r.part(of, "notMine"),
            })
        }
        1 => RoofAnswer::NoRoof {
            key: text(of, "key"),
            street: r.text(of, "street"),
            city: r.text(of, "city"),
            why: r.part(of, "why"),
            pane: r.part(of, "pane"),
        },
        _ => RoofAnswer::NotFound { typed: r.text(of, "typed"), close: r.all(of, "close", |s| suggestion(r, s)) },
    })
}

pub fn receipt(of: &JsValue) -> Option<LeadReceipt> {
    if !of.is_object() {
        return None;
    }
    Reader::whole(|r| LeadReceipt {
        id: LeadId(r.id(of)),
        reference: r.text(of, "reference"),
        lead_token: r.text(of, "leadToken"),
        estimate: some(of, "estimate").map(|of| estimate(r, &of)),
        booking: r.part(of, "booking"),
        thanks: r.part(of, "thanks"),
        kept: r.part(of, "kept"),
        panel: r.part(of, "panel"),
        link: r.text(of, "link"),
    })
}

fn estimate(r: &Reader, of: &JsValue) -> EstimateStep {
    EstimateStep {
        heading: r.text(of, "heading"),
        prices: r.all(of, "prices", |p| PriceRow {
            material: RoofMaterial::ALL[r.word(p, "material", &RoofMaterial::ALL.map(RoofMaterial::as_str))],
            value: r.number(p, "value"),
            price: r.part(p, "price"),
            row: r.part(p, "row"),
            monthly: r.part(p, "monthly"),
            said: r.text(p, "said"),
        }),
        chosen: r.count(of, "chosen"),
        above: r.part(of, "above"),
        middle: r.part(of, "middle"),
        below: r.part(of, "below"),
        pane: r.part(of, "pane"),
    }
}

/// A member of the loader's context, which may be missing.
pub fn given(context: &JsValue, key: &str) -> JsValue {
    if context.is_object() { get(context, key) } else { JsValue::UNDEFINED }
}

/// What the page knows of the visitor. Members of the wrong type are ignored.
pub fn prefill(of: &JsValue) -> Prefill {
    if !of.is_object() {
        return Prefill::default();
    }
    Prefill {
        address: text(of, "address"),
        contact: ["firstName", "lastName", "email", "phone"].map(|key| text(of, key)),
        typed: get(of, "typed").is_truthy(),
    }
}

/// An object of these members, without the undefined ones.
#[inline(never)]
pub fn object(members: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new().into();
    for (name, value) in members {
        put(&object, name, value);
    }
    object
}

#[inline(never)]
pub fn put(object: &JsValue, name: &str, value: &JsValue) {
    if !value.is_undefined() {
        let _ = Reflect::set(object, &JsValue::from_str(name), value);
    }
}

/// The value of a member of a request body.
pub enum Member<'a> {
    Text(&'a str),
    Number(u32),
    Truth(bool),
    Inner(Members<'a>),
}

/// A request body. One type for all: a derived serializer for each wire type would be more code.
pub struct Members<'a>(pub &'a [(&'static str, Member<'a>)]);

impl Serialize for Members<'_> {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, member)| (name, member)))
    }
}

impl Serialize for Member<'_> {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => to.serialize_str(text),
            Self::Number(number) => to.serialize_u32(*number),
            Self::Truth(truth) => to.serialize_bool(*truth),
            Self::Inner(members) => members.serialize(to),
        }
    }
}

/// The object that the JSON of these members would parse to.
#[inline(never)]
fn written(members: &[(&'static str, Member<'_>)]) -> JsValue {
    Members(members).serialize(&Serializer::json_compatible()).unwrap_or_default()
}

/// An `AddressChoice`.
pub fn address(choice: &AddressChoice) -> JsValue {
    match choice {
        AddressChoice::Key(key) => written(&[("key", Member::Text(key))]),
        AddressChoice::Line(line) => written(&[("line", Member::Text(line))]),
        AddressChoice::Parts { street_number, street_address, city, state, zip } => {
            let parts = [
                ("streetNumber", Member::Text(street_number)),
                ("streetAddress", Member::Text(street_address)),
                ("city", Member::Text(city)),
                ("state", Member::Text(state)),
                ("zip", Member::Text(zip)),
            ];
            written(&[("parts", Member::Inner(Members(&parts)))])
        }
    }
}

/// A `LeadSubmission` without its token. `source` is a `LeadSource` object; `kept` are id and token of the lead that this
/// one may change.
pub fn lead(lead: &Lead, words: Words, consent_text: &str, source: &JsValue, kept: Option<[String; 2]>) -> JsValue {
    let [first, last, email, phone] = &lead.contact;
    let consent = [("given", Member::Truth(lead.consent)), ("text", Member::Text(consent_text))];
    let object = written(&[
        ("firstName", Member::Text(first)),
        ("lastName", Member::Text(last)),
        ("email", Member::Text(email)),
        ("consent", Member::Inner(Members(&consent))),
        ("website", Member::Text(&lead.website)),
        ("lang", Member::Text(words.text(w::LANG))),
        ("elapsedMs", Member::Number(lead.elapsed_ms)),
        ("acts", Member::Number(lead.acts)),
    ]);
    put(&object, "address", &address(&lead.address));
    let mut picked = if lead.picked == NOT_MINE { BuildingSet::NOT_MINE.to_owned() } else { String::new() };
    for at in (0..31_u8).filter(|at| lead.picked >> at & 1 == 1) {
        if !picked.is_empty() {
            picked.push(',');
        }
        picked.push_str(&at.to_string());
    }
    put(&object, "buildings", &picked.into());
    put(&object, "source", source);
    if let Some([id, token]) = kept {
        put(&object, "leadId", &id.into());
        put(&object, "leadToken", &token.into());
    }
    if !phone.is_empty() {
        put(&object, "phone", &phone.into());
    }
    object
}

/// Whether a stored lead contains a consent.
pub fn consents(lead: &JsValue) -> bool {
    let consent = get(lead, "consent");
    consent.is_object() && get(&consent, "given").is_truthy()
}

/// A `LeadChange`.
pub fn change(token: &str, material: RoofMaterial) -> JsValue {
    written(&[("leadToken", Member::Text(token)), ("roofMaterial", Member::Text(material.as_str()))])
}

/// A `LeadChange` that asks for a visit; `request` is JSON.
pub fn visit(token: &str, request: &str) -> JsValue {
    let object = written(&[("leadToken", Member::Text(token))]);
    put(&object, "inspection", &JSON::parse(request).unwrap_or_default());
    object
}
