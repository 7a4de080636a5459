//! Converts wire types to JavaScript objects (by serde) and back (by hand: derived readers were as large as the
//! rest of the flow, 120 kB of code). Tests compare both with the types' own JSON.

use std::cell::{Cell, RefCell};

use js_sys::{Array, Object, Reflect};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use shingle_domain::lead::MaterialPrice;
use shingle_domain::public::{
    AddressChoice, BuildingChoice, EstimateSummary, LeadReceipt, MeasureMethod, Provenance, PublicImage, PublicWidget,
    RoofFound, RoofResponse, SuggestResponse, Suggestion,
};
use shingle_domain::roof::{
    Alerts, AreaAlert, Aspect, Complexity, Dimension, DrawingBasis, Facet, LineKind, PitchAlert, RoofDrawing, RoofLine,
    RoofMaterial, Side,
};
use shingle_domain::widget::{ElementSize, ElementType};
use shingle_domain::{LeadId, Usd, WidgetId};
use uuid::Uuid;
use wasm_bindgen::prelude::*;

use crate::flow::{Lead, Prefill};
use crate::words::{WORD_COUNT, Words, w};

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
        if list.length() as usize != WORD_COUNT {
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
    fn member(&self, of: &JsValue, key: &str) -> JsValue {
        let value = get(of, key);
        if !value.is_object() {
            self.sound.set(false);
            return Object::new().into();
        }
        value
    }

    #[inline(never)]
    fn text(&self, of: &JsValue, key: &str) -> String {
        self.or_unsound(text(of, key))
    }

    #[inline(never)]
    fn id(&self, of: &JsValue) -> Uuid {
        self.or_unsound(text(of, "id").and_then(|id| uuid(&id)))
    }

    #[inline(never)]
    fn number(&self, of: &JsValue, key: &str) -> f64 {
        self.or_unsound(get(of, key).as_f64())
    }

    fn int(&self, of: &JsValue, key: &str) -> i32 {
        self.number(of, key) as i32
    }

    fn count(&self, of: &JsValue, key: &str) -> u32 {
        self.number(of, key) as u32
    }

    fn money(&self, of: &JsValue, key: &str) -> Usd {
        Usd::from_f64(self.number(of, key))
    }

    /// The index of a word among the allowed ones; the last if it is none of them.
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

    #[inline(never)]
    fn point(&self, of: &JsValue) -> [i32; 2] {
        let pair = self.list(of);
        [pair.get(0), pair.get(1)].map(|n| self.or_unsound(n.as_f64()) as i32)
    }

    #[inline(never)]
    fn ring(&self, of: &JsValue) -> Vec<[i32; 2]> {
        self.each(of, |point| self.point(point))
    }
}

/// A member that is an object; `None` if it is absent or null.
fn some(of: &JsValue, key: &str) -> Option<JsValue> {
    Some(get(of, key)).filter(JsValue::is_object)
}

pub fn widget(of: &JsValue) -> Option<PublicWidget> {
    if !of.is_object() {
        return None;
    }
    Reader::whole(|r| PublicWidget {
        id: WidgetId(r.id(of)),
        base_url: r.text(of, "baseUrl"),
        element_type: ElementType::ALL[r.word(of, "elementType", &["button", "banner", "custom"])],
        element_size: ElementSize::ALL[r.word(of, "elementSize", &["small", "medium", "large"])],
        element_location: text(of, "elementLocation").and_then(|l| l.parse().ok()),
        button_text: r.text(of, "buttonText"),
        banner_text: text(of, "bannerText"),
        first_page_title: r.text(of, "firstPageTitle"),
        company_name: r.text(of, "companyName"),
        company_phone: r.text(of, "companyPhone"),
        company_phone_dial: r.text(of, "companyPhoneDial"),
        company_email: r.text(of, "companyEmail"),
        company_address: r.text(of, "companyAddress"),
        company_url: r.text(of, "companyUrl"),
        footer_company_name: r.text(of, "footerCompanyName"),
        privacy_link: r.text(of, "privacyLink"),
        terms_link: text(of, "termsLink"),
        header_logo: picture(r, &r.member(of, "headerLogo")),
        footer_logo: some(of, "footerLogo").map(|of| picture(r, &of)),
        palette: r.all(of, "palette", |pair| {
            let pair = r.list(pair);
            let [name, value] = [pair.get(0), pair.get(1)].map(|t| r.or_unsound(t.as_string()));
            (name, value)
        }),
    })
}

fn picture(r: &Reader, of: &JsValue) -> PublicImage {
    PublicImage { url: r.text(of, "url"), width: r.count(of, "width"), height: r.count(of, "height") }
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

pub fn roof(of: &JsValue) -> Option<RoofResponse> {
    if !of.is_object() {
        return None;
    }
    Reader::whole(|r| match r.word(of, "kind", &["roof", "noRoof", "notFound"]) {
        0 => {
            let buildings = r.all(of, "buildings", |b| building(r, b));
            RoofResponse::Roof(RoofFound {
                key: r.text(of, "key"),
                street: r.text(of, "street"),
                city: r.text(of, "city"),
                confidence: r.count(of, "confidence") as u8,
                alerts: alerts(&get(of, "alerts")),
                provenance: provenance(r, &r.member(of, "provenance")),
                // Never empty by contract.
                buildings: r.or_unsound(Some(buildings).filter(|b| !b.is_empty())),
            })
        }
        1 => RoofResponse::NoRoof {
            key: text(of, "key"),
            street: r.text(of, "street"),
            city: r.text(of, "city"),
            reason: None,
        },
        _ => RoofResponse::NotFound { typed: r.text(of, "typed"), close: r.all(of, "close", |s| suggestion(r, s)) },
    })
}

fn building(r: &Reader, of: &JsValue) -> BuildingChoice {
    BuildingChoice {
        label: r.text(of, "label"),
        area: r.count(of, "area"),
        drawing: some(of, "drawing").map(|of| drawing(r, &of)),
        longest_sides: some(of, "longestSides").map(|of| r.point(&of)),
        shape: r.text(of, "shape"),
        at: [0, 0],
        ground: 0,
        no_price: None,
    }
}

fn drawing(r: &Reader, of: &JsValue) -> RoofDrawing {
    const ASPECTS: [Aspect; 5] = [Aspect::North, Aspect::East, Aspect::South, Aspect::West, Aspect::Flat];
    const LINES: [LineKind; 3] = [LineKind::Ridge, LineKind::Hip, LineKind::Valley];
    const SIDES: [Side; 4] = [Side::North, Side::East, Side::South, Side::West];
    const BASES: [DrawingBasis; 3] = [DrawingBasis::Measured, DrawingBasis::Modelled, DrawingBasis::Outline];
    const WINDS: [&str; 5] = ["north", "east", "south", "west", "flat"];
    RoofDrawing {
        width: r.int(of, "width"),
        height: r.int(of, "height"),
        rings: r.all(of, "rings", |ring| r.ring(ring)),
        facets: r.all(of, "facets", |f| Facet {
            ring: r.ring(&get(f, "ring")),
            area: r.count(f, "area"),
            aspect: ASPECTS[r.word(f, "aspect", &WINDS)],
            label: r.point(&get(f, "label")),
        }),
        lines: r.all(of, "lines", |l| RoofLine {
            kind: LINES[r.word(l, "kind", &["ridge", "hip", "valley"])],
            from: r.point(&get(l, "from")),
            to: r.point(&get(l, "to")),
            length: r.count(l, "length"),
        }),
        dimensions: r.all(of, "dimensions", |d| Dimension {
            side: SIDES[r.word(d, "side", &WINDS[..4])],
            from: r.point(&get(d, "from")),
            to: r.point(&get(d, "to")),
            length: r.int(d, "length"),
        }),
        basis: BASES[r.word(of, "basis", &["measured", "modelled", "outline"])],
    }
}

fn alerts(of: &JsValue) -> Alerts {
    if !of.is_object() {
        return Alerts::default();
    }
    Alerts {
        roof_pitch_alert: text(of, "roofPitchAlert").map(|alert| match alert.as_str() {
            "LOW_PITCH" => PitchAlert::LowPitch,
            "HIGH_PITCH" => PitchAlert::HighPitch,
            _ => PitchAlert::NoAlerts,
        }),
        roof_area_alert: text(of, "roofAreaAlert").map(|alert| match alert.as_str() {
            "LOW_AREA" => AreaAlert::LowArea,
            "HIGH_AREA" => AreaAlert::HighArea,
            _ => AreaAlert::NoAlerts,
        }),
    }
}

fn provenance(r: &Reader, of: &JsValue) -> Provenance {
    const METHODS: [MeasureMethod; 3] = [MeasureMethod::Survey, MeasureMethod::Outline, MeasureMethod::Records];
    Provenance {
        method: METHODS[r.word(of, "method", &["survey", "outline", "records"])],
        year: text(of, "year"),
        source: r.text(of, "source"),
        invented: get(of, "invented").is_truthy(),
    }
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
    })
}

fn estimate(r: &Reader, of: &JsValue) -> EstimateSummary {
    const LEVELS: [Complexity; 3] = [Complexity::Simple, Complexity::Average, Complexity::Complex];
    EstimateSummary {
        street: r.text(of, "street"),
        roof_area: r.count(of, "roofArea"),
        areas: Vec::new(),
        assumed_pitch: None,
        squares_tenths: r.count(of, "squaresTenths"),
        pitch_tenths: r.count(of, "pitchTenths"),
        rise_halves: r.count(of, "riseHalves"),
        complexity: text(of, "complexity").map(|_| LEVELS[r.word(of, "complexity", &["simple", "average", "complex"])]),
        facets: get(of, "facets").as_f64().map(|n| n as u32),
        alerts: alerts(&get(of, "alerts")),
        prices: r.all(of, "prices", |p| MaterialPrice {
            material: RoofMaterial::ALL[r.word(p, "material", &RoofMaterial::ALL.map(RoofMaterial::as_str))],
            price_per_square: r.money(p, "pricePerSquare"),
            cost: r.money(p, "cost"),
            low: r.money(p, "low"),
            high: r.money(p, "high"),
        }),
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

/// A `LeadSubmission` without its token. `source` is a `LeadSource` object.
pub fn lead(lead: &Lead, consent_text: &str, source: &JsValue) -> JsValue {
    let [first, last, email, phone] = &lead.contact;
    let consent = [("given", Member::Truth(lead.consent)), ("text", Member::Text(consent_text))];
    let object = written(&[
        ("building", Member::Number(lead.building)),
        ("firstName", Member::Text(first)),
        ("lastName", Member::Text(last)),
        ("email", Member::Text(email)),
        ("consent", Member::Inner(Members(&consent))),
        ("website", Member::Text(&lead.website)),
        ("elapsedMs", Member::Number(lead.elapsed_ms)),
    ]);
    put(&object, "address", &address(&lead.address));
    put(&object, "source", source);
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
