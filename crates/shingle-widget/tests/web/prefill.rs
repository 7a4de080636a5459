//! What the page knows of the visitor.

use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::stage::*;

fn knowing(prefill: &str) -> JsValue {
    parsed(&[r#"{ "prefill": "#, prefill, " }"].concat())
}

#[wasm_bindgen_test]
async fn an_address_typed_in_the_page_is_chosen_when_it_is_one_of_those_suggested() {
    forget();
    let stage = open_with(answers(&[]), knowing(r#"{ "address": "14 alder court", "typed": true }"#));
    stage.until(|s| s.value("#sh-address") == "14 Alder Court, Portland, ME 04103").await;
    stage.the(".sh-btn.primary").click();
    stage.until(|s| s.find("[data-screen=roof]").is_some()).await;
    stage.end();
}

#[wasm_bindgen_test]
async fn half_an_address_opens_the_list() {
    forget();
    let stage = open_with(answers(&[]), knowing(r#"{ "address": "14 alder" }"#));
    stage.until(|s| s.count("[role=option]") == 3).await;
    stage.until(|s| s.the("#sh-address").get_attribute("aria-expanded").as_deref() == Some("true")).await;
    stage.end();
}

#[wasm_bindgen_test]
async fn what_is_unknown_or_of_the_wrong_kind_is_left_out() {
    forget();
    let odd = r#"{ "address": 14, "firstName": "Dana", "lastName": null, "email": ["x"], "phone": {}, "age": 40 }"#;
    let stage = open_with(answers(&[]), knowing(odd));
    stage.details().await;
    let values = ["#sh-first", "#sh-last", "#sh-email", "#sh-phone"].map(|field| stage.value(field));
    assert_eq!(values, ["Dana", "", "", ""]);
    stage.end();
}

#[wasm_bindgen_test]
async fn what_the_visitor_typed_is_not_overwritten_later() {
    let stage = open();
    stage.details().await;
    stage.type_into("#sh-first", "Dana");
    for nothing in [JsValue::NULL, JsValue::UNDEFINED, "x".into()] {
        stage.handle.prefill(nothing);
    }
    stage.handle.prefill(parsed(r#"{ "firstName": "Dan", "email": "dan@example.com", "address": "9 Elm Street" }"#));
    stage.roof_and_back().await;
    assert_eq!(stage.value("#sh-email"), "dan@example.com");
    assert_eq!(stage.value("#sh-first"), "Dana");
    stage.end();
}
