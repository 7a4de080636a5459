//! Pages and devices that get in the way.

use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlInputElement;

use crate::stage::*;

#[wasm_bindgen(inline_js = "
// A modal of the page that was never taken down: it pulls the focus back, and eats keys and clicks outside it.
export function trap() {
  const field = document.createElement('input');
  document.body.append(field);
  const ends = new AbortController();
  const options = { capture: true, signal: ends.signal };
  const heard = [];
  const eat = (e) => {
    if (e.target === field) return;
    heard.push(e.type);
    e.preventDefault();
    e.stopImmediatePropagation();
    field.focus();
  };
  for (const type of ['keydown', 'keyup', 'mousedown', 'touchstart', 'click']) document.addEventListener(type, eat, options);
  const pull = (e) => {
    if (e.target === field) return;
    heard.push(e.type);
    document.activeElement?.blur();
    field.focus();
  };
  for (const type of ['focusin', 'focus']) document.addEventListener(type, pull, options);
  const end = () => {
    ends.abort();
    field.remove();
  };
  return { heard, end, field };
}
export function end_trap(trap) {
  trap.end();
}
// Stops keys at the window, before anybody else.
export function swallow_keys() {
  const ends = new AbortController();
  window.addEventListener('keydown', (e) => e.stopPropagation(), { capture: true, signal: ends.signal });
  return ends;
}
export function end_swallowing(ends) {
  ends.abort();
}
export function phone() {
  const viewport = Object.assign(new EventTarget(), { height: innerHeight, scale: 1, offsetTop: 0 });
  Object.defineProperty(window, 'visualViewport', { configurable: true, value: viewport });
}
export function keyboard(height, top) {
  Object.assign(visualViewport, { height: innerHeight - height, offsetTop: top });
  visualViewport.dispatchEvent(new Event('resize'));
}
export function bubbling(name) {
  return new Event(name, { bubbles: true });
}
export function end_phone() {
  delete window.visualViewport;
}
")]
extern "C" {
    fn trap() -> JsValue;
    fn end_trap(trap: &JsValue);
    fn swallow_keys() -> JsValue;
    fn end_swallowing(ends: &JsValue);
    fn phone();
    fn keyboard(height: f64, top: f64);
    fn bubbling(name: &str) -> web_sys::Event;
    fn end_phone();
}

fn active(stage: &Stage) -> Option<String> {
    stage.the("#sh-address").get_attribute("aria-activedescendant")
}

#[wasm_bindgen_test]
async fn a_trap_of_the_page_catches_nothing_of_the_flow() {
    let trap = trap();
    let stage = open();
    // Until the flow is there the page may do as it likes.
    let heard: js_sys::Array = member(&trap, "heard").unchecked_into();
    heard.set_length(0);
    stage.until(|s| s.focused() == "sh-address").await;
    stage.suggestions().await;
    assert!(!press(&stage.the("#sh-address"), "ArrowDown"), "the field moves nowhere");
    stage.until(|s| active(s).as_deref() == Some("sh-option-0")).await;
    assert!(press(&stage.the("#sh-address"), "x"), "and a letter is typed");
    stage.the("#sh-option-0").click();
    stage.the(".sh-btn.primary").click();
    stage.until(|s| s.find("[data-screen=roof]").is_some() && s.focused() == "sh-title").await;
    assert_eq!(heard.length(), 0);

    let field: HtmlInputElement = member(&trap, "field").unchecked_into();
    field.focus().unwrap();
    assert_eq!(stage.focused(), "sh-title", "what is behind the dialog takes no focus");
    stage.end();
    web_sys::window().unwrap().document().unwrap().body().unwrap().click();
    assert_eq!(heard.get(0), "click", "the page has its own back");
    end_trap(&trap);
}

#[wasm_bindgen_test]
async fn keys_that_are_stopped_at_the_window_still_work() {
    let swallowing = swallow_keys();
    let stage = open();
    stage.suggestions().await;
    press(&stage.the("#sh-address"), "ArrowDown");
    stage.until(|s| active(s).as_deref() == Some("sh-option-0")).await;
    stage.end();
    end_swallowing(&swallowing);
}

#[wasm_bindgen_test]
async fn a_box_is_ticked_once_by_one_click() {
    let stage = open();
    stage.details().await;
    let consent: HtmlInputElement = stage.the("[name=consent]").unchecked_into();
    stage.the(".sh-check").click();
    assert!(consent.checked());
    consent.click();
    assert!(!consent.checked());
    stage.end();
}

#[wasm_bindgen_test]
async fn the_flow_stays_above_the_keyboard() {
    phone();
    let stage = open();
    let property = |name: &str| stage.the("dialog").style().get_property_value(name).unwrap();
    let whole = web_sys::window().unwrap().inner_height().unwrap().as_f64().unwrap();
    keyboard(300.0, 40.0);
    assert_eq!(property("--sh-height"), format!("{}px", whole - 300.0));
    assert_eq!(property("--sh-top"), "40px");
    keyboard(60.0, 0.0);
    assert_eq!((property("--sh-height"), property("--sh-top")), (String::new(), String::new()), "a bar is no keyboard");
    stage.end();
    end_phone();
}

#[wasm_bindgen_test]
async fn what_the_browser_fills_in_is_taken_though_it_only_says_that_it_changed() {
    let stage = open();
    stage.details().await;
    let email: HtmlInputElement = stage.the("#sh-email").unchecked_into();
    email.set_value("dana@example.com");
    email.dispatch_event(&bubbling("change")).unwrap();
    stage.roof_and_back().await;
    assert_eq!(stage.value("#sh-email"), "dana@example.com");
    stage.end();
}
