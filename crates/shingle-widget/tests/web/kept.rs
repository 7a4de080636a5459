//! What a tab and a device keep: drafts, and leads that are not yet with the server.

use js_sys::{Date, Function, JSON, Promise};
use shingle_widget::deliver;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{HtmlInputElement, Storage};

use crate::stage::*;

#[wasm_bindgen(inline_js = "
export function bar_storage() {
  const names = ['sessionStorage', 'localStorage'];
  const before = names.map((name) => Object.getOwnPropertyDescriptor(window, name));
  const get = () => {
    throw new DOMException('barred', 'SecurityError');
  };
  for (const name of names) Object.defineProperty(window, name, { configurable: true, get });
  return () => names.forEach((name, at) => Object.defineProperty(window, name, before[at]));
}
// Resolves with the first things that are told, as 'name detail'.
export function told(count, begin) {
  const heard = [];
  return new Promise((done) => {
    begin((name, detail) => heard.push(name + ' ' + Object.values(detail)) === count && done(heard.join('; ')));
  });
}
")]
extern "C" {
    fn bar_storage() -> Function;
    fn told(count: u32, begin: &Closure<dyn FnMut(Function)>) -> Promise;
}

const RECEIPT: &str = r#"{
  "id": "0193b5a0-0000-7000-8000-000000000002", "reference": "HP-4K7Q", "leadToken": "t", "estimate": {
    "heading": "Your estimate for 14 Alder Court", "chosen": 0, "above": "", "middle": "", "below": "", "pane": "",
    "prices": [{ "material": "asphalt shingle", "value": 6500, "price": "[[\"p\",{\"class\":\"price\"},\"$6,500\"]]",
      "row": "[[\"b\",{},\"Asphalt shingle\"]]", "monthly": "", "said": "Asphalt shingle: $6,500." }]
  },
  "booking": "", "thanks": "", "kept": "", "panel": "", "link": ""
}"#;

fn tab() -> Storage {
    web_sys::window().unwrap().session_storage().unwrap().unwrap()
}

fn device() -> Storage {
    web_sys::window().unwrap().local_storage().unwrap().unwrap()
}

const DRAFT: &str = "shingle:draft:0193b5a0-0000-7000-8000-000000000001";
const LEAD: &str = "shingle:0193b5a0-0000-7000-8000-000000000001:k1";

fn draft() -> Option<String> {
    tab().get_item(DRAFT).unwrap()
}

/// A draft of a visitor at the details.
async fn left_at_the_details() -> String {
    let stage = open();
    stage.details().await;
    stage.fill_in();
    let consent: HtmlInputElement = stage.the("[name=consent]").unchecked_into();
    consent.click();
    stage.end();
    draft().expect("a draft")
}

/// Puts a lead onto the device that is this old.
fn keep_lead(age_ms: f64) {
    keep_lead_as(LEAD, age_ms);
}

fn keep_lead_as(name: &str, age_ms: f64) {
    let lead = r#"{ "address": { "key": "a" }, "firstName": "Dana", "consent": { "given": true, "text": "I agree" } }"#;
    let at = Date::now() - age_ms;
    device().set_item(name, &format!(r#"{{ "at": {at}, "lead": {lead} }}"#)).unwrap();
}

/// The idempotency key of a request.
fn key(of: &JsValue) -> String {
    member(&member(of, "body"), "idempotencyKey").as_string().unwrap()
}

/// The first events of a page view that opens nothing.
async fn delivered() -> String {
    let begin = Closure::new(|on_event| deliver(config(), Some(on_event)).unwrap());
    JsFuture::from(told(1, &begin)).await.unwrap().as_string().unwrap()
}

#[wasm_bindgen_test]
async fn a_flow_that_was_closed_opens_where_it_was() {
    left_at_the_details().await;
    let stage = open_again();
    stage.until(|s| s.find("[data-screen=details] #sh-email").is_some()).await;
    assert_eq!((stage.value("#sh-first"), stage.value("#sh-email")), ("Dana".into(), "dana@example.com".into()));
    let consent: HtmlInputElement = stage.the("[name=consent]").unchecked_into();
    assert!(!consent.checked(), "consent is given anew");
    assert_eq!(asked("roof").length(), 1, "the roof is asked for again");
    stage.end();
}

#[wasm_bindgen_test]
async fn a_flow_goes_on_from_what_another_page_hands_over() {
    let text = left_at_the_details().await;
    forget();
    let more = js_sys::Object::new();
    js_sys::Reflect::set(&more, &"draft".into(), &text.into()).unwrap();
    let stage = open_with(answers(&[]), more.into());
    stage.until(|s| s.find("[data-screen=details] #sh-email").is_some()).await;
    assert_eq!(stage.value("#sh-email"), "dana@example.com");
    stage.end();
}

#[wasm_bindgen_test]
async fn discarding_leaves_nothing_behind() {
    left_at_the_details().await;
    let stage = open_again();
    stage.until(|s| s.find("[data-screen=details]").is_some()).await;
    stage.the("dialog").dispatch_event(&web_sys::Event::new("cancel").unwrap()).unwrap();
    stage.until(|s| s.focused() == "sh-keep").await;
    assert!(draft().is_some());
    stage.the(".sh-alert .secondary").click();
    assert_eq!(draft(), None);
    assert!(!stage.the("dialog").has_attribute("open"));
    stage.end();
}

#[wasm_bindgen_test]
async fn who_only_looked_leaves_nothing_behind() {
    let stage = open();
    stage.until(|s| s.focused() == "sh-address").await;
    stage.end();
    assert_eq!((tab().length().unwrap(), device().length().unwrap()), (0, 0));
}

#[wasm_bindgen_test]
async fn a_draft_that_is_old_strange_or_of_another_version_is_thrown_away() {
    let good = left_at_the_details().await;
    let entry = JSON::parse(&good).unwrap();
    let hours = 3_600_000.0;
    let with = |key: &str, value: JsValue| {
        let entry = JSON::parse(&good).unwrap();
        js_sys::Reflect::set(&entry, &key.into(), &value).unwrap();
        String::from(JSON::stringify(&entry).unwrap())
    };
    let at = member(&entry, "at").as_f64().unwrap();
    for text in [
        with("at", (at - 5.0 * hours).into()),
        with("at", (at + 5.0 * hours).into()),
        with("v", 2.into()),
        with("texts", "x".into()),
        "null".into(),
        "{".into(),
    ] {
        tab().set_item(DRAFT, &text).unwrap();
        let stage = open_again();
        stage.until(|s| s.focused() == "sh-address").await;
        assert_eq!((stage.value("#sh-address"), draft()), (String::new(), None), "{text}");
        stage.end();
    }
}

#[wasm_bindgen_test]
async fn without_storage_the_flow_goes_on_all_the_same() {
    forget();
    let free = bar_storage();
    assert!(web_sys::window().unwrap().session_storage().is_err());
    let stage = open_with(answers(&[("leads", RECEIPT)]), JsValue::UNDEFINED);
    stage.details().await;
    stage.fill_in();
    stage.the(".sh-btn.primary").click();
    stage.until(|s| s.find("[data-screen=estimate]").is_some()).await;
    stage.end();
    free.call0(&JsValue::NULL).unwrap();
}

#[wasm_bindgen_test]
async fn a_lead_that_the_page_did_not_live_to_send_is_sent_by_the_next_under_the_same_key() {
    forget();
    let stage = open_with(answers(&[("leads", r#""never""#)]), JsValue::UNDEFINED);
    stage.details().await;
    stage.fill_in();
    stage.the(".sh-btn.primary").click();
    while asked("leads").length() == 0 {
        JsFuture::from(next_request()).await.unwrap();
    }
    let first = asked("leads").get(0);
    assert!(member(&first, "keepalive").is_truthy(), "the browser goes on when the page goes");
    assert_eq!(member(&first, "type").as_string().as_deref(), Some("text/plain;charset=UTF-8"), "no preflight");
    stage.end();
    assert_eq!(device().length().unwrap(), 1, "kept until it is known to have arrived");

    serve(answers(&[("leads", RECEIPT)]));
    assert_eq!(delivered().await, "submit HP-4K7Q");
    assert_eq!(device().length().unwrap(), 0);
    assert_eq!(key(&asked("leads").get(0)), key(&first));

    // The visitor who comes back is shown what he was waiting for, and nobody counts him twice.
    let stage = open_with(answers(&[("leads", RECEIPT)]), JsValue::UNDEFINED);
    stage.until(|s| s.find("[data-screen=estimate]").is_some()).await;
    assert_eq!(key(&asked("leads").get(0)), key(&first));
    assert_eq!((draft(), device().length().unwrap()), (None, 1));
    let left = device().key(0).unwrap().unwrap();
    assert!(left.starts_with("shingle:kept:"), "the way back to the estimate, no lead: {left}");
    stage.end();
}

#[wasm_bindgen_test]
async fn a_lead_that_another_tab_has_sent_is_not_begun_again() {
    forget();
    let stage = open_with(answers(&[("leads", r#""never""#)]), JsValue::UNDEFINED);
    stage.details().await;
    stage.fill_in();
    stage.the(".sh-btn.primary").click();
    stage.end();
    device().clear().unwrap();
    let stage = open_again();
    stage.until(|s| s.focused() == "sh-address").await;
    assert_eq!((stage.value("#sh-address"), draft()), (String::new(), None));
    stage.end();
}

#[wasm_bindgen_test]
async fn two_deliveries_at_once_send_once() {
    forget();
    keep_lead(0.0);
    serve(answers(&[("leads", RECEIPT)]));
    let begin = Closure::new(|on_event: Function| {
        deliver(config(), Some(on_event.clone())).unwrap();
        deliver(config(), Some(on_event)).unwrap();
    });
    assert_eq!(JsFuture::from(told(1, &begin)).await.unwrap(), "submit HP-4K7Q");
    assert_eq!(asked("leads").iter().map(|one| key(&one)).collect::<Vec<_>>(), ["k1"]);
    assert_eq!(device().length().unwrap(), 0);
}

#[wasm_bindgen_test]
async fn two_leads_that_are_sent_with_an_old_token_both_arrive_with_a_new_one() {
    forget();
    keep_lead(0.0);
    keep_lead_as(&LEAD.replace("k1", "k2"), 0.0);
    let refusal = r#"{ "status": 401 }"#;
    serve(answers(&[("leads", &format!("[{refusal}, {refusal}, {RECEIPT}, {RECEIPT}]"))]));
    let begin = Closure::new(|on_event| deliver(config(), Some(on_event)).unwrap());
    let heard = JsFuture::from(told(2, &begin)).await.unwrap();
    assert_eq!(heard, "submit HP-4K7Q; submit HP-4K7Q");
    assert_eq!((device().length().unwrap(), asked("leads").length()), (0, 4));
}

#[wasm_bindgen_test]
fn a_lead_older_than_a_week_is_dropped_unsent() {
    forget();
    keep_lead(7.1 * 24.0 * 3_600_000.0);
    serve(answers(&[("leads", RECEIPT)]));
    deliver(config(), None).unwrap();
    assert_eq!((device().length().unwrap(), asked("session").length()), (0, 0));
}

#[wasm_bindgen_test]
async fn a_lead_refused_for_good_is_dropped_and_told() {
    for status in [400, 404, 410] {
        forget();
        keep_lead(0.0);
        let refusal = format!(r#"{{ "status": {status}, "message": "no" }}"#);
        serve(answers(&[("leads", &refusal)]));
        assert_eq!(delivered().await, "error refused");
        assert_eq!(device().length().unwrap(), 0, "{status}");
    }
}
