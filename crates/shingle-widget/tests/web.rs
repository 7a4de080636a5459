//! The flow in a real document: keyboard, focus, errors, drawing. The server is made up.
#![cfg(all(target_arch = "wasm32", feature = "csr"))]
#![allow(clippy::unwrap_used, reason = "a test")]

use js_sys::{Array, Function, JSON, Promise};
use shingle_widget::{Handle, mount};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{HtmlDialogElement, HtmlElement, HtmlInputElement, ShadowRoot};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen(inline_js = "
export function serve(answers) {
  globalThis.fetch = async (request) => {
    const path = new URL(request.url).pathname.split('/').pop();
    return new Response(JSON.stringify(answers[path] ?? {}), { status: path in answers ? 200 : 503 });
  };
}
export function stage() {
  const host = document.createElement('div');
  document.body.append(host);
  const dialog = document.createElement('dialog');
  dialog.append('skeleton');
  host.attachShadow({ mode: 'open' }).append(dialog);
  dialog.showModal();
  return [host, dialog];
}
// The next time anything changes or takes the focus.
export function change(root) {
  return new Promise((done) => {
    const watch = new MutationObserver(end);
    function end() {
      watch.disconnect();
      root.removeEventListener('focusin', end);
      done();
    }
    root.addEventListener('focusin', end);
    watch.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  });
}
// The list a visitor gets, from the file of named sentences.
export function context(words) {
  return { words: Object.values(JSON.parse(words)).flat() };
}
export function press(element, key) {
  return element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, composed: true }));
}
")]
extern "C" {
    fn serve(answers: JsValue);
    fn stage() -> Array;
    fn change(root: &ShadowRoot) -> Promise;
    fn context(words: &str) -> JsValue;
    fn press(element: &HtmlElement, key: &str) -> bool;
}

const ENGLISH: &str = include_str!("../../../www/words/en.json");

const CONFIG: &str = r##"{
  "id": "0193b5a0-0000-7000-8000-000000000001", "baseUrl": "https://shingle.example", "elementType": "button",
  "elementSize": "medium", "elementLocation": "bottom_right", "buttonText": "Go", "bannerText": null,
  "firstPageTitle": "What would it cost?", "companyName": "Oak Roofing", "companyPhone": "(757) 555-0134",
  "companyPhoneDial": "+17575550134", "companyEmail": "hello@oak.example", "companyAddress": "1 Oak Way",
  "companyUrl": "https://oak.example/", "footerCompanyName": "Oak Roofing LLC",
  "privacyLink": "https://oak.example/privacy", "termsLink": null,
  "headerLogo": { "url": "data:image/gif;base64,R0lGODlhAQABAAAAACw=", "width": 1, "height": 1 }, "footerLogo": null,
  "palette": [["--primary", "#14365c"]]
}"##;

const ANSWERS: &str = r#"{
  "session": { "token": "t", "expiresIn": 600 },
  "suggest": { "suggestions": [
    { "key": "a", "street": "14 Alder Court", "city": "Portland, ME 04103", "matched": 8 },
    { "key": "b", "street": "14 Alder Common", "city": "Scarborough, ME 04074", "matched": 8 }
  ] },
  "roof": {
    "kind": "roof", "key": "a", "street": "14 Alder Court", "city": "Portland, ME 04103", "confidence": 100,
    "alerts": { "roofPitchAlert": null, "roofAreaAlert": null },
    "provenance": { "method": "outline", "year": "2021", "source": "town", "invented": true },
    "buildings": [{ "label": "House", "area": 1000, "longestSides": [400, 250], "shape": "Gable", "drawing": {
      "width": 400, "height": 250, "rings": [[[0, 0], [400, 0], [400, 250], [0, 250]]],
      "facets": [
        { "ring": [[0, 0], [400, 0], [400, 125], [0, 125]], "area": 500, "aspect": "north", "label": [200, 60] },
        { "ring": [[0, 125], [400, 125], [400, 250], [0, 250]], "area": 500, "aspect": "south", "label": [200, 190] }
      ],
      "lines": [{ "kind": "ridge", "from": [0, 125], "to": [400, 125], "length": 40 }],
      "dimensions": [], "basis": "modelled"
    } }]
  }
}"#;

struct Stage {
    handle: Handle,
    host: HtmlElement,
    root: ShadowRoot,
}

fn open() -> Stage {
    serve(JSON::parse(ANSWERS).unwrap());
    let stage = stage();
    let host: HtmlElement = stage.get(0).unchecked_into();
    let dialog: HtmlDialogElement = stage.get(1).unchecked_into();
    let heard = Function::new_no_args("");
    let handle =
        mount(host.clone(), Some(dialog), JSON::parse(CONFIG).unwrap(), context(ENGLISH), heard).expect("mounted");
    Stage { handle, root: host.shadow_root().unwrap(), host }
}

impl Stage {
    fn find(&self, selector: &str) -> Option<HtmlElement> {
        self.root.query_selector(selector).unwrap().map(JsCast::unchecked_into)
    }

    fn the(&self, selector: &str) -> HtmlElement {
        self.find(selector).unwrap_or_else(|| panic!("no {selector}"))
    }

    fn count(&self, selector: &str) -> u32 {
        self.root.query_selector_all(selector).unwrap().length()
    }

    fn focused(&self) -> String {
        self.root.active_element().map(|e| e.id()).unwrap_or_default()
    }

    /// Waits for changes of the document until this holds.
    async fn until(&self, holds: impl Fn(&Self) -> bool) {
        while !holds(self) {
            JsFuture::from(change(&self.root)).await.unwrap();
        }
    }

    fn type_into(&self, selector: &str, text: &str) {
        let field: HtmlInputElement = self.the(selector).unchecked_into();
        field.set_value(text);
        field.dispatch_event(&web_sys::Event::new("input").unwrap()).unwrap();
    }

    async fn suggestions(&self) {
        self.type_into("#sh-address", "14 alder");
        self.until(|s| s.count("[role=option]") == 3).await;
    }

    async fn roof(&self) {
        self.suggestions().await;
        self.the("#sh-option-0").click();
        self.the(".sh-btn.primary").click();
        self.until(|s| s.find("[data-screen=roof]").is_some() && s.focused() == "sh-title").await;
    }

    async fn details(&self) {
        self.roof().await;
        self.the(".sh-btn.primary").click();
        self.until(|s| s.find("[data-screen=details]").is_some() && s.focused() == "sh-title").await;
    }

    fn end(self) {
        self.handle.destroy();
        assert_eq!(self.root.text_content().unwrap_or_default(), "", "nothing is left");
        self.host.remove();
    }
}

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
async fn a_new_step_moves_the_focus_to_its_title_and_draws_every_facet() {
    let stage = open();
    stage.roof().await;
    assert_eq!(stage.the("#sh-title").inner_text(), "Is this your roof?");
    assert_eq!(stage.count(".fills path"), 2);
    let tags = stage.the(".sh-tags").inner_text();
    assert!(tags.contains("Invented sample data") && tags.contains("Ridges modelled"), "{tags}");
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
    stage.the(".sh-head .sh-iconbtn").click();
    stage.until(|s| s.find("[data-screen=roof]").is_some()).await;
    stage.the(".sh-btn.primary").click();
    stage.until(|s| s.find("[data-screen=details] #sh-email").is_some()).await;
    let email: HtmlInputElement = stage.the("#sh-email").unchecked_into();
    assert_eq!(email.value(), "dana@example.com");
    stage.end();
}

#[wasm_bindgen_test]
fn a_configuration_that_is_not_understood_is_refused() {
    let host: HtmlElement = stage().get(0).unchecked_into();
    let refused = mount(host.clone(), None, JSON::parse("{}").unwrap(), JsValue::NULL, Function::new_no_args(""));
    assert!(refused.is_err());
    host.remove();
}

#[wasm_bindgen_test]
fn sentences_of_another_version_are_refused_instead_of_shown_in_the_wrong_places() {
    let whole = js_sys::Reflect::get(&context(ENGLISH), &"words".into()).unwrap().unchecked_into::<Array>();
    for words in [
        JsValue::UNDEFINED,
        whole.slice(1, whole.length()).into(),
        whole.concat(&Array::of1(&"one more".into())).into(),
    ] {
        let context = js_sys::Object::new();
        js_sys::Reflect::set(&context, &"words".into(), &words).unwrap();
        let stage = stage();
        let (host, dialog) = (stage.get(0).unchecked_into(), stage.get(1).unchecked_into());
        let refused =
            mount(host, Some(dialog), JSON::parse(CONFIG).unwrap(), context.into(), Function::new_no_args(""));
        assert_eq!(refused.err().and_then(|why| why.as_string()).as_deref(), Some("the words are not of this version"));
    }
}
