//! Keyboard, focus, errors, drawing.

use js_sys::{Array, Function, Object};
use shingle_widget::mount;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{HtmlElement, HtmlInputElement};

use crate::stage::*;

#[wasm_bindgen_test]
async fn the_skeleton_gives_way_and_the_field_has_the_focus() {
    let stage = open();
    stage.until(|s| s.focused() == "sh-address").await;
    assert_eq!(stage.the("#sh-title").inner_text(), "What would it cost?");
    assert!(!stage.the("dialog").inner_text().contains("skeleton"));
    stage.end();
}

#[wasm_bindgen_test]
async fn arrows_walk_the_suggestions_and_escape_closes_only_the_list() {
    let stage = open();
    stage.suggestions().await;
    let field = stage.the("#sh-address");
    let active = |s: &Stage| s.the("#sh-address").get_attribute("aria-activedescendant");
    press(&field, "ArrowDown");
    stage.until(|s| active(s).as_deref() == Some("sh-option-0")).await;
    press(&field, "ArrowUp");
    stage.until(|s| active(s).as_deref() == Some("sh-option-2")).await;
    assert_eq!(stage.the("#sh-option-2").get_attribute("aria-selected").as_deref(), Some("true"));
    assert!(!press(&field, "Escape"), "the dialog does not see it");
    stage.until(|s| s.the("#sh-address").get_attribute("aria-expanded").as_deref() == Some("false")).await;
    assert!(stage.the("dialog").has_attribute("open"));
    stage.end();
}

#[wasm_bindgen_test]
async fn the_part_that_was_typed_is_bold() {
    let stage = open();
    stage.suggestions().await;
    assert_eq!(stage.the("#sh-option-0 b").inner_text(), "14 Alder");
    stage.end();
}

#[wasm_bindgen_test]
async fn a_new_step_moves_the_focus_to_its_title_and_shows_what_the_server_has_drawn() {
    let stage = open();
    stage.roof().await;
    assert_eq!(stage.the("#sh-title").inner_text(), "Is this your roof?");
    assert_eq!(stage.the(".sh-inner .sh-lead").inner_text(), "14 Alder Court");
    let path = stage.the(".sh-pane svg.plan [data-building] path");
    assert_eq!(path.namespace_uri().as_deref(), Some("http://www.w3.org/2000/svg"));
    assert_eq!(path.get_attribute("d").as_deref(), Some("M0 0L9 9"));
    stage.end();
}

#[wasm_bindgen_test]
async fn wrong_fields_are_named_and_the_first_gets_the_focus() {
    let stage = open();
    stage.details().await;
    stage.type_into("#sh-first", "Dana");
    stage.type_into("#sh-last", "Whitfield");
    stage.type_into("#sh-email", "dana@example");
    stage.type_into("#sh-phone", "555");
    stage.the(".sh-btn.primary").click();
    stage.until(|s| s.focused() == "sh-email").await;
    assert_eq!(stage.the("#sh-email").get_attribute("aria-invalid").as_deref(), Some("true"));
    assert_eq!(stage.the("#sh-email-n").inner_text().trim(), "Add the ending, for example “.com”.");
    assert_eq!(stage.the("[role=alert]").inner_text().trim(), "2 fields need a look. Email and Phone.");
    assert!(!stage.the("#sh-first").has_attribute("aria-invalid"));
    stage.end();
}

#[wasm_bindgen_test]
async fn closing_asks_first_and_keeps_the_tabulator_inside_the_question() {
    let stage = open();
    stage.details().await;
    let cancel = web_sys::Event::new("cancel").unwrap();
    stage.the("dialog").dispatch_event(&cancel).unwrap();
    stage.until(|s| s.focused() == "sh-keep").await;
    let keep = stage.the("#sh-keep");
    press(&keep, "Tab");
    assert_ne!(stage.focused(), "sh-keep");
    keep.click();
    stage.until(|s| s.find("[role=alertdialog]").is_none()).await;
    assert!(stage.the("dialog").has_attribute("open"));
    stage.end();
}

#[wasm_bindgen_test]
async fn back_finds_what_was_typed() {
    let stage = open();
    stage.details().await;
    stage.type_into("#sh-email", "dana@example.com");
    stage.roof_and_back().await;
    let email: HtmlInputElement = stage.the("#sh-email").unchecked_into();
    assert_eq!(email.value(), "dana@example.com");
    stage.end();
}

#[wasm_bindgen_test]
fn a_configuration_that_is_not_understood_is_refused() {
    let host: HtmlElement = stage().get(0).unchecked_into();
    let refused = mount(host.clone(), None, parsed("{}"), JsValue::NULL, Function::new_no_args(""));
    assert!(refused.is_err());
    host.remove();
}

#[wasm_bindgen_test]
fn sentences_of_another_version_are_refused_instead_of_shown_in_the_wrong_places() {
    let whole = member(&words(), "words").unchecked_into::<Array>();
    for words in [
        JsValue::UNDEFINED,
        whole.slice(1, whole.length()).into(),
        whole.concat(&Array::of1(&"one more".into())).into(),
    ] {
        let context = Object::new();
        js_sys::Reflect::set(&context, &"words".into(), &words).unwrap();
        let stage = stage();
        let (host, dialog) = (stage.get(0).unchecked_into(), stage.get(1).unchecked_into());
        let refused = mount(host, Some(dialog), config(), context.into(), Function::new_no_args(""));
        assert_eq!(refused.err().and_then(|why| why.as_string()).as_deref(), Some("the words are not of this version"));
    }
}
