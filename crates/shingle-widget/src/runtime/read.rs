//! The wire types into the browser's objects and out of them. Into: by serde. Out of: by hand, for derived
//! readers weighed as much as the rest of the flow (120 kB of code).

use js_sys::{Array, Object, Reflect};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use shingle_domain::lead::{LeadSource, MaterialPrice, Via};
use shingle_domain::public::{
    BuildingChoice, EstimateSheet, LeadReceipt, Method, Picture, Provenance, PublicWidget, RoofAnswer, RoofFound,
    SuggestAnswer, Suggestion,
};
use shingle_domain::roof::{
    Alerts, AreaAlert, Aspect, Complexity, Dimension, DrawingBasis, Facet, LineKind, PitchAlert, RoofDrawing, RoofLine,
    RoofMaterial, Side,
};
use shingle_domain::{LeadId, Usd, WidgetId};
use wasm_bindgen::prelude::*;

pub fn get(of: &JsValue, key: &str) -> JsValue {
    Reflect::get(of, &JsValue::from_str(key)).unwrap_or_default()
}

pub fn text(of: &JsValue, key: &str) -> Option<String> {
    get(of, key).as_string()
}

fn number(of: &JsValue, key: &str) -> Option<f64> {
    get(of, key).as_f64()
}

fn int(of: &JsValue, key: &str) -> Option<i32> {
    number(of, key).map(|n| n as i32)
}

fn count(of: &JsValue, key: &str) -> Option<u32> {
    number(of, key).map(|n| n as u32)
}

fn money(of: &JsValue, key: &str) -> Option<Usd> {
    number(of, key).map(Usd::from_f64)
}

/// What is there, unless it is absent or null.
fn some(of: &JsValue, key: &str) -> Option<JsValue> {
    Some(get(of, key)).filter(JsValue::is_object)
}

/// Every member of a list, or `None` if one is not understood.
fn each<T>(list: &JsValue, read: impl Fn(&JsValue) -> Option<T>) -> Option<Vec<T>> {
    list.dyn_ref::<Array>()?.iter().map(|member| read(&member)).collect()
}

fn all<T>(of: &JsValue, key: &str, read: impl Fn(&JsValue) -> Option<T>) -> Option<Vec<T>> {
    each(&get(of, key), read)
}

fn point(of: &JsValue) -> Option<[i32; 2]> {
    let pair = of.dyn_ref::<Array>()?;
    Some([pair.get(0).as_f64()? as i32, pair.get(1).as_f64()? as i32])
}

fn ring(of: &JsValue) -> Option<Vec<[i32; 2]>> {
    each(of, point)
}

pub fn widget(of: &JsValue) -> Option<PublicWidget> {
    Some(PublicWidget {
        id: text(of, "id")?.parse::<WidgetId>().ok()?,
        base_url: text(of, "baseUrl")?,
        element_type: text(of, "elementType")?.parse().ok()?,
        element_size: text(of, "elementSize")?.parse().ok()?,
        element_location: text(of, "elementLocation").and_then(|l| l.parse().ok()),
        button_text: text(of, "buttonText")?,
        banner_text: text(of, "bannerText"),
        first_page_title: text(of, "firstPageTitle")?,
        company_name: text(of, "companyName")?,
        company_phone: text(of, "companyPhone")?,
        company_phone_dial: text(of, "companyPhoneDial")?,
        company_email: text(of, "companyEmail")?,
        company_address: text(of, "companyAddress")?,
        company_url: text(of, "companyUrl")?,
        footer_company_name: text(of, "footerCompanyName")?,
        privacy_link: text(of, "privacyLink")?,
        terms_link: text(of, "termsLink"),
        header_logo: picture(&get(of, "headerLogo"))?,
        footer_logo: some(of, "footerLogo").as_ref().and_then(picture),
        palette: all(of, "palette", |pair| {
            let pair = pair.dyn_ref::<Array>()?;
            Some((pair.get(0).as_string()?, pair.get(1).as_string()?))
        })?,
    })
}

fn picture(of: &JsValue) -> Option<Picture> {
    Some(Picture { url: text(of, "url")?, width: count(of, "width")?, height: count(of, "height")? })
}

/// How the visitor came, as the loader saw it. What is missing is unknown.
pub fn source(of: &JsValue, otherwise: Via) -> LeadSource {
    if !of.is_object() {
        return LeadSource { via: otherwise, ..LeadSource::default() };
    }
    LeadSource {
        via: match text(of, "via").as_deref() {
            Some("embed") => Via::Embed,
            Some("hosted") => Via::Hosted,
            Some("link") => Via::Link,
            Some("qr") => Via::Qr,
            _ => otherwise,
        },
        page_url: text(of, "pageUrl"),
        referrer: text(of, "referrer"),
        utm_source: text(of, "utmSource"),
        utm_medium: text(of, "utmMedium"),
        utm_campaign: text(of, "utmCampaign"),
        utm_term: text(of, "utmTerm"),
        utm_content: text(of, "utmContent"),
        click_id: text(of, "clickId"),
    }
}

pub fn suggestions(of: &JsValue) -> Option<SuggestAnswer> {
    Some(SuggestAnswer { suggestions: all(of, "suggestions", suggestion)? })
}

fn suggestion(of: &JsValue) -> Option<Suggestion> {
    Some(Suggestion {
        key: text(of, "key")?,
        street: text(of, "street")?,
        city: text(of, "city")?,
        matched: count(of, "matched")?,
    })
}

pub fn roof(of: &JsValue) -> Option<RoofAnswer> {
    Some(match text(of, "kind")?.as_str() {
        "roof" => RoofAnswer::Roof(RoofFound {
            key: text(of, "key")?,
            street: text(of, "street")?,
            city: text(of, "city")?,
            buildings: all(of, "buildings", building).filter(|b| !b.is_empty())?,
            confidence: count(of, "confidence")? as u8,
            alerts: alerts(&get(of, "alerts")),
            provenance: provenance(&get(of, "provenance"))?,
        }),
        "noRoof" => RoofAnswer::NoRoof { key: text(of, "key"), street: text(of, "street")?, city: text(of, "city")? },
        "notFound" => RoofAnswer::NotFound { typed: text(of, "typed")?, close: all(of, "close", suggestion)? },
        _ => return None,
    })
}

fn building(of: &JsValue) -> Option<BuildingChoice> {
    Some(BuildingChoice {
        label: text(of, "label")?,
        area: count(of, "area")?,
        drawing: match some(of, "drawing") {
            Some(of) => Some(drawing(&of)?),
            None => None,
        },
        longest_sides: some(of, "longestSides").as_ref().and_then(point),
        shape: text(of, "shape")?,
    })
}

fn drawing(of: &JsValue) -> Option<RoofDrawing> {
    Some(RoofDrawing {
        width: int(of, "width")?,
        height: int(of, "height")?,
        rings: all(of, "rings", ring)?,
        facets: all(of, "facets", |f| {
            let aspect = match text(f, "aspect")?.as_str() {
                "north" => Aspect::North,
                "east" => Aspect::East,
                "south" => Aspect::South,
                "west" => Aspect::West,
                _ => Aspect::Flat,
            };
            Some(Facet {
                ring: ring(&get(f, "ring"))?,
                area: count(f, "area")?,
                aspect,
                label: point(&get(f, "label"))?,
            })
        })?,
        lines: all(of, "lines", |l| {
            let kind = match text(l, "kind")?.as_str() {
                "ridge" => LineKind::Ridge,
                "hip" => LineKind::Hip,
                "valley" => LineKind::Valley,
                _ => return None,
            };
            Some(RoofLine {
                kind,
                from: point(&get(l, "from"))?,
                to: point(&get(l, "to"))?,
                length: count(l, "length")?,
            })
        })?,
        dimensions: all(of, "dimensions", |d| {
            let side = match text(d, "side")?.as_str() {
                "north" => Side::North,
                "east" => Side::East,
                "south" => Side::South,
                _ => Side::West,
            };
            Some(Dimension {
                side,
                from: point(&get(d, "from"))?,
                to: point(&get(d, "to"))?,
                length: int(d, "length")?,
            })
        })?,
        basis: match text(of, "basis")?.as_str() {
            "measured" => DrawingBasis::Measured,
            "modelled" => DrawingBasis::Modelled,
            _ => DrawingBasis::Outline,
        },
    })
}

fn alerts(of: &JsValue) -> Alerts {
    if !of.is_object() {
        return Alerts::default();
    }
    Alerts {
        roof_pitch_alert: match text(of, "roofPitchAlert").as_deref() {
            Some("LOW_PITCH") => Some(PitchAlert::LowPitch),
            Some("HIGH_PITCH") => Some(PitchAlert::HighPitch),
            Some(_) => Some(PitchAlert::NoAlerts),
            None => None,
        },
        roof_area_alert: match text(of, "roofAreaAlert").as_deref() {
            Some("LOW_AREA") => Some(AreaAlert::LowArea),
            Some("HIGH_AREA") => Some(AreaAlert::HighArea),
            Some(_) => Some(AreaAlert::NoAlerts),
            None => None,
        },
    }
}

fn provenance(of: &JsValue) -> Option<Provenance> {
    let method = match text(of, "method")?.as_str() {
        "survey" => Method::Survey,
        "outline" => Method::Outline,
        _ => Method::Records,
    };
    Some(Provenance {
        method,
        year: text(of, "year"),
        source: text(of, "source")?,
        invented: get(of, "invented").is_truthy(),
    })
}

pub fn receipt(of: &JsValue) -> Option<LeadReceipt> {
    Some(LeadReceipt {
        id: text(of, "id")?.parse::<LeadId>().ok()?,
        reference: text(of, "reference")?,
        lead_token: text(of, "leadToken")?,
        estimate: match some(of, "estimate") {
            Some(of) => Some(estimate(&of)?),
            None => None,
        },
    })
}

fn estimate(of: &JsValue) -> Option<EstimateSheet> {
    Some(EstimateSheet {
        street: text(of, "street")?,
        roof_area: count(of, "roofArea")?,
        squares_tenths: count(of, "squaresTenths")?,
        pitch_tenths: count(of, "pitchTenths")?,
        rise_halves: count(of, "riseHalves")?,
        complexity: match text(of, "complexity").as_deref() {
            Some("simple") => Some(Complexity::Simple),
            Some("average") => Some(Complexity::Average),
            Some("complex") => Some(Complexity::Complex),
            _ => None,
        },
        facets: count(of, "facets"),
        alerts: alerts(&get(of, "alerts")),
        prices: all(of, "prices", |p| {
            Some(MaterialPrice {
                material: text(p, "material")?.parse::<RoofMaterial>().ok()?,
                price_per_square: money(p, "pricePerSquare")?,
                cost: money(p, "cost")?,
                low: money(p, "low")?,
                high: money(p, "high")?,
            })
        })?,
    })
}

/// An object of these members; what is undefined is left out.
pub fn object(members: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in members {
        if !value.is_undefined() {
            let _ = Reflect::set(&object, &JsValue::from_str(name), value);
        }
    }
    object.into()
}

/// A wire type as the object its JSON would parse to.
pub fn written(value: &impl Serialize) -> JsValue {
    value.serialize(&Serializer::json_compatible()).unwrap_or_default()
}
