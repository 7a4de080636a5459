//! What is read by hand, and what is written, is what the types themselves say in JSON.

use js_sys::JSON;
use serde::Serialize;
use shingle_domain::lead::{LeadChannel, LeadSource, MaterialPrice};
use shingle_domain::public::*;
use shingle_domain::roof::*;
use shingle_domain::widget::{ElementLocation, ElementSize, ElementType};
use shingle_domain::{LeadId, Usd, WidgetId};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

use super::read;
use crate::flow::Lead;

wasm_bindgen_test_configure!(run_in_browser);

fn js(of: &impl Serialize) -> JsValue {
    JSON::parse(&serde_json::to_string(of).unwrap()).unwrap()
}

fn json(of: &JsValue) -> serde_json::Value {
    serde_json::from_str(&String::from(JSON::stringify(of).unwrap())).unwrap()
}

fn picture() -> PublicImage {
    PublicImage { url: "https://x.example/l.png".into(), width: 300, height: 150 }
}

#[wasm_bindgen_test]
fn a_widget_is_read_as_it_was_sent() {
    let mut widget = PublicWidget {
        id: WidgetId("0193b5a0-0000-7000-8000-000000000001".parse().unwrap()),
        base_url: "https://x.example".into(),
        element_type: ElementType::Banner,
        element_size: ElementSize::Large,
        element_location: Some(ElementLocation::Top),
        button_text: "a".into(),
        banner_text: Some("b".into()),
        first_page_title: "c".into(),
        company_name: "d".into(),
        company_phone: "(757) 555-0134".into(),
        company_phone_dial: "+17575550134".into(),
        company_email: "e@x.example".into(),
        company_address: "f".into(),
        company_url: "https://g.example/".into(),
        footer_company_name: "h".into(),
        privacy_link: "https://i.example/".into(),
        terms_link: Some("https://j.example/".into()),
        header_logo: picture(),
        footer_logo: Some(picture()),
        palette: vec![("--primary".into(), "#123456".into())],
    };
    assert_eq!(read::widget(&js(&widget)), Some(widget.clone()));
    (widget.element_location, widget.banner_text, widget.terms_link, widget.footer_logo) = (None, None, None, None);
    assert_eq!(read::widget(&js(&widget)), Some(widget));
}

#[wasm_bindgen_test]
fn every_answer_about_a_roof_is_read_as_it_was_sent() {
    let facet = |aspect| Facet { ring: vec![[0, 0], [10, 0], [10, 10]], area: 50, aspect, label: [5, 5] };
    let line = |kind| RoofLine { kind, from: [0, 1], to: [2, 3], length: 4 };
    let side = |side| Dimension { side, from: [0, 0], to: [10, 0], length: 10 };
    let drawing = |basis| RoofDrawing {
        width: 10,
        height: 20,
        rings: vec![vec![[0, 0], [10, 0], [10, 20]]],
        facets: [Aspect::North, Aspect::East, Aspect::South, Aspect::West, Aspect::Flat].map(facet).to_vec(),
        lines: [LineKind::Ridge, LineKind::Hip, LineKind::Valley].map(line).to_vec(),
        dimensions: [Side::North, Side::East, Side::South, Side::West].map(side).to_vec(),
        basis,
    };
    let building = |drawing: Option<RoofDrawing>| BuildingChoice {
        label: "House".into(),
        area: 900,
        longest_sides: drawing.is_some().then_some([10, 20]),
        drawing,
        at: [0, 0],
        ground: 0,
        shape: "Gable".into(),
        no_price: None,
    };
    let bases = [DrawingBasis::Measured, DrawingBasis::Modelled, DrawingBasis::Outline];
    let buildings = bases.into_iter().map(|b| building(Some(drawing(b)))).chain([building(None)]).collect::<Vec<_>>();
    let alerts = [
        Alerts::default(),
        Alerts { roof_pitch_alert: Some(PitchAlert::LowPitch), roof_area_alert: Some(AreaAlert::HighArea) },
        Alerts { roof_pitch_alert: Some(PitchAlert::HighPitch), roof_area_alert: Some(AreaAlert::LowArea) },
        Alerts { roof_pitch_alert: Some(PitchAlert::NoAlerts), roof_area_alert: Some(AreaAlert::NoAlerts) },
    ];
    for (alerts, method) in alerts.into_iter().zip([
        MeasureMethod::Survey,
        MeasureMethod::Outline,
        MeasureMethod::Records,
        MeasureMethod::Survey,
    ]) {
        let answer = RoofResponse::Roof(RoofFound {
            key: "k".into(),
            street: "14 Alder Court".into(),
            city: "Portland, ME 04103".into(),
            buildings: buildings.clone(),
            confidence: 50,
            alerts,
            provenance: Provenance { method, year: Some("2021".into()), source: "s".into(), invented: true },
        });
        assert_eq!(read::roof(&js(&answer)), Some(answer));
    }
    let close = vec![Suggestion { key: "k".into(), street: "s".into(), city: "c".into(), matched: 3 }];
    for answer in [
        RoofResponse::NoRoof { key: None, street: "s".into(), city: "c".into(), reason: None },
        RoofResponse::NoRoof { key: Some("k".into()), street: "s".into(), city: "c".into(), reason: None },
        RoofResponse::NotFound { typed: "t".into(), close: close.clone() },
    ] {
        assert_eq!(read::roof(&js(&answer)), Some(answer));
    }
    let suggestions = SuggestResponse { suggestions: close };
    assert_eq!(read::suggestions(&js(&suggestions)), Some(suggestions));
}

#[wasm_bindgen_test]
fn a_receipt_is_read_as_it_was_sent() {
    for complexity in [None, Some(Complexity::Simple), Some(Complexity::Average), Some(Complexity::Complex)] {
        let price = |material| MaterialPrice {
            material,
            price_per_square: Usd::from_cents(65_050),
            cost: Usd::from_dollars(16_120),
            low: Usd::from_dollars(14_500),
            high: Usd::from_dollars(17_700),
        };
        let receipt = LeadReceipt {
            id: LeadId("0193b5a0-0000-7000-8000-000000000001".parse().unwrap()),
            reference: "HP-4K7Q".into(),
            lead_token: "t".into(),
            estimate: complexity.map(|_| EstimateSummary {
                street: "s".into(),
                roof_area: 2480,
                areas: vec![],
                squares_tenths: 248,
                pitch_tenths: 266,
                rise_halves: 12,
                assumed_pitch: None,
                complexity,
                facets: Some(6),
                alerts: Alerts::default(),
                prices: RoofMaterial::ALL.map(price).to_vec(),
            }),
        };
        assert_eq!(read::receipt(&js(&receipt)), Some(receipt));
    }
}

#[wasm_bindgen_test]
fn nonsense_is_not_read() {
    for nonsense in ["null", "7", "[]", "{}", r#"{"kind":"roof"}"#, r#"{"kind":"tent"}"#, r#"{"suggestions":[1]}"#] {
        let nonsense = JSON::parse(nonsense).unwrap();
        assert_eq!(read::roof(&nonsense), None);
        assert_eq!(read::receipt(&nonsense), None);
        assert_eq!(read::suggestions(&nonsense), None);
        assert_eq!(read::widget(&nonsense), None);
    }
}

#[wasm_bindgen_test]
fn what_is_sent_is_what_the_server_reads() {
    let parts = AddressChoice::Parts {
        street_number: "14".into(),
        street_address: "Alder Court".into(),
        city: "Portland".into(),
        state: "ME".into(),
        zip: "04103".into(),
    };
    for (address, phone) in [
        (AddressChoice::Key("k".into()), ""),
        (AddressChoice::Line("l".into()), "(207) 555-0163"),
        (parts, "(207) 555-0163"),
    ] {
        let wanted: AddressChoice = serde_json::from_value(json(&read::address(&address))).unwrap();
        assert_eq!(wanted, address);
        let lead = Lead {
            address: address.clone(),
            building: 1,
            contact: ["Dana", "Whitfield", "dana@example.com", phone].map(str::to_owned),
            consent: true,
            website: "w".into(),
            elapsed_ms: 9_000,
        };
        let source =
            LeadSource { via: LeadChannel::Qr, page_url: Some("https://x.example/".into()), ..LeadSource::default() };
        let sent = read::lead(&lead, "I agree", &js(&source));
        assert!(read::consents(&sent));
        read::put(&sent, "token", &"t".into());
        let read: LeadSubmission = serde_json::from_value(json(&sent)).unwrap();
        let expected = LeadSubmission {
            token: "t".into(),
            idempotency_key: None,
            address,
            building: 1,
            first_name: "Dana".into(),
            last_name: "Whitfield".into(),
            email: "dana@example.com".into(),
            phone: Some(phone.to_owned()).filter(|p| !p.is_empty()),
            preferred_contact_time: None,
            message: None,
            consent: ConsentChoice { given: true, text: "I agree".into() },
            source,
            website: "w".into(),
            elapsed_ms: 9_000,
        };
        assert_eq!(read, expected);
    }
    for material in RoofMaterial::ALL {
        let change = LeadChange {
            lead_token: "t".into(),
            roof_material: Some(material),
            preferred_contact_time: None,
            message: None,
        };
        assert_eq!(serde_json::from_value::<LeadChange>(json(&read::change("t", material))).unwrap(), change);
    }
}
