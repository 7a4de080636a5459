//! What is read by hand, and what is written, is what the types themselves say in JSON.

use js_sys::JSON;
use serde::Serialize;
use shingle_domain::LeadId;
use shingle_domain::lead::{LeadChannel, LeadSource};
use shingle_domain::public::*;
use shingle_domain::roof::RoofMaterial;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

use super::read;
use crate::flow::Lead;
use crate::words::{FLOW_WORD_COUNT, Words};

wasm_bindgen_test_configure!(run_in_browser);

fn js(of: &impl Serialize) -> JsValue {
    JSON::parse(&serde_json::to_string(of).unwrap()).unwrap()
}

fn json(of: &JsValue) -> serde_json::Value {
    serde_json::from_str(&String::from(JSON::stringify(of).unwrap())).unwrap()
}

/// A list as a browser gets it.
fn words() -> Words {
    let mut list = vec![""; FLOW_WORD_COUNT];
    list[0] = "en";
    Words::of(list).unwrap()
}

fn part(text: &str) -> Part {
    Part(["[[\"p\",{},\"", text, "\"]]"].concat())
}

#[wasm_bindgen_test]
fn a_widget_is_read_as_it_was_sent() {
    let widget = WidgetFacts {
        id: "0193b5a0-0000-7000-8000-000000000001".into(),
        base_url: "https://x.example".into(),
        company_name: "d".into(),
        company_phone: "(757) 555-0134".into(),
        company_phone_dial: "+17575550134".into(),
        palette: vec![("--primary".into(), "#123456".into())],
    };
    assert_eq!(read::widget(&js(&widget)), Some(widget));
}

#[wasm_bindgen_test]
fn every_answer_about_a_roof_is_read_as_it_was_sent() {
    let building = |picked| BuildingRow { row: part("row"), area: 900, picked, why: part("why") };
    let close = vec![Suggestion { key: "k".into(), street: "s".into(), city: "c".into(), matched: 3 }];
    let no_roof =
        |key| RoofAnswer::NoRoof { key, street: "s".into(), city: "c".into(), why: part("why"), pane: Part::default() };
    for answer in [
        RoofAnswer::Roof(RoofStep {
            key: "k".into(),
            street: "14 Alder Court".into(),
            city: "Portland, ME 04103".into(),
            heading: "h".into(),
            intro: part("intro"),
            buildings: vec![building(true), building(false)],
            facts: part("facts"),
            pane: part("pane"),
            aside: part("aside"),
            homes: close.clone(),
            choose: part("choose"),
            choose_pane: part("choose pane"),
            not_mine: part("not mine"),
        }),
        no_roof(None),
        no_roof(Some("k".into())),
        RoofAnswer::NotFound { typed: "t".into(), close: close.clone() },
    ] {
        assert_eq!(read::roof(&js(&answer)), Some(answer));
    }
    let suggestions = SuggestResponse { suggestions: close };
    assert_eq!(read::suggestions(&js(&suggestions)), Some(suggestions));
}

#[wasm_bindgen_test]
fn a_receipt_is_read_as_it_was_sent() {
    let price = |material| PriceRow {
        material,
        value: 16_120.5,
        price: part("price"),
        row: part("row"),
        monthly: Part::default(),
        said: "said".into(),
    };
    let estimate = EstimateStep {
        heading: "s".into(),
        prices: RoofMaterial::ALL.map(price).to_vec(),
        chosen: 2,
        above: part("above"),
        middle: part("middle"),
        below: part("below"),
        pane: part("pane"),
    };
    for estimate in [None, Some(estimate)] {
        let receipt = LeadReceipt {
            id: LeadId("0193b5a0-0000-7000-8000-000000000001".parse().unwrap()),
            reference: "HP-4K7Q".into(),
            lead_token: "t".into(),
            estimate,
            booking: part("booking"),
            thanks: part("thanks"),
            kept: part("kept"),
            panel: part("panel"),
            link: "https://x.example/".into(),
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
            picked: 0b101,
            contact: ["Dana", "Whitfield", "dana@example.com", phone].map(str::to_owned),
            consent: true,
            website: "w".into(),
            elapsed_ms: 9_000,
            acts: 12,
        };
        let source =
            LeadSource { via: LeadChannel::Qr, page_url: Some("https://x.example/".into()), ..LeadSource::default() };
        let sent = read::lead(&lead, words(), "I agree", &js(&source), Some(["i", "t"].map(str::to_owned)));
        assert!(read::consents(&sent));
        read::put(&sent, "token", &"t".into());
        let read: LeadSubmission = serde_json::from_value(json(&sent)).unwrap();
        let expected = LeadSubmission {
            token: "t".into(),
            idempotency_key: None,
            lead_id: Some("i".into()),
            lead_token: Some("t".into()),
            address,
            buildings: "0,2".into(),
            first_name: "Dana".into(),
            last_name: "Whitfield".into(),
            email: "dana@example.com".into(),
            phone: Some(phone.to_owned()).filter(|p| !p.is_empty()),
            preferred_contact_time: None,
            message: None,
            consent: ConsentChoice { given: true, text: "I agree".into() },
            lang: Some("en".into()),
            source,
            website: "w".into(),
            elapsed_ms: 9_000,
            acts: Some(12),
            altcha: None,
        };
        assert_eq!(read, expected);
    }
    for material in RoofMaterial::ALL {
        let change = LeadChange {
            lead_token: "t".into(),
            roof_material: Some(material),
            preferred_contact_time: None,
            message: None,
            lang: None,
            inspection: None,
            answers: None,
        };
        assert_eq!(serde_json::from_value::<LeadChange>(json(&read::change("t", material))).unwrap(), change);
    }
}
