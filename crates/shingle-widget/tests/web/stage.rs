//! A page with a dialog in it, and a server that is made up.

use js_sys::{Array, Function, JSON, Promise};
use shingle_widget::{Handle, mount};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{HtmlDialogElement, HtmlElement, HtmlInputElement, ShadowRoot};

#[wasm_bindgen(inline_js = "
// What was asked for is remembered; `never` is answered never, and `status` says how. Of a list, one after the other.
export function serve(answers) {
  const asked = (globalThis.asked = []);
  globalThis.fetch = async (request) => {
    const path = new URL(request.url).pathname.split('/').pop();
    const body = JSON.parse(await request.text());
    const type = request.headers.get('content-type');
    asked.push({ path, body, type, keepalive: request.keepalive });
    globalThis.dispatchEvent(new Event('asked'));
    const answer = Array.isArray(answers[path]) ? answers[path].shift() : answers[path];
    if (answer === 'never') await new Promise(() => {});
    return new Response(JSON.stringify(answer ?? {}), { status: answer ? (answer.status ?? 200) : 503 });
  };
  // In the script's place: nobody here asks for work.
  globalThis.ask = (url, init) => fetch(new Request(url, init));
}
export function asked(path) {
  return globalThis.asked.filter((one) => one.path === path);
}
export function next_request() {
  return new Promise((done) => globalThis.addEventListener('asked', done, { once: true }));
}
export function forget() {
  sessionStorage.clear();
  localStorage.clear();
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
// The list a visitor gets, from the file of named sentences, and the parts that come with it.
export function context(words, more) {
  const named = JSON.parse(words);
  const all = Object.keys(named);
  const own = all.slice(0, all.indexOf('steps')).flatMap((name) => named[name]);
  const step = (n) => JSON.stringify([['ol', { class: 'sh-progress' }, ['li', {}, n + '']]]);
  const part = (name) => JSON.stringify([['p', { class: name }, name]]);
  const title = JSON.stringify([['h1', { id: 'sh-title', tabindex: '-1' }, named.lang == 'es' ? '¿Cuánto costaría?' : 'What would it cost?']]);
  const parts = [...['logo', 'call', 'foot', 'example', 'blank', 'paused'].map(part), title, ...[1, 2, 3, 4].map(step)];
  return { words: own, parts, ...more };
}
export function press(element, key) {
  return element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, composed: true }));
}
")]
extern "C" {
    pub fn serve(answers: JsValue);
    pub fn asked(path: &str) -> Array;
    pub fn next_request() -> Promise;
    pub fn forget();
    pub fn stage() -> Array;
    fn change(root: &ShadowRoot) -> Promise;
    fn context(words: &str, more: JsValue) -> JsValue;
    pub fn press(element: &HtmlElement, key: &str) -> bool;
}

pub const ENGLISH: &str = include_str!("../../../../www/words/en.json");

pub const CONFIG: &str = r##"{
  "id": "0193b5a0-0000-7000-8000-000000000001", "baseUrl": "https://shingle.example",
  "companyName": "Oak Roofing", "companyPhone": "(757) 555-0134",
  "companyPhoneDial": "+17575550134", "palette": [["--primary", "#14365c"]]
}"##;

pub const ANSWERS: &str = r#"{
  "session": { "token": "t", "expiresIn": 600 },
  "suggest": { "suggestions": [
    { "key": "a", "street": "14 Alder Court", "city": "Portland, ME 04103", "matched": 8 },
    { "key": "b", "street": "14 Alder Common", "city": "Scarborough, ME 04074", "matched": 8 }
  ] },
  "roof": {
    "kind": "roof", "key": "a", "street": "14 Alder Court", "city": "Portland, ME 04103",
    "heading": "Is this your roof?", "intro": "[[\"p\",{\"class\":\"sh-lead\"},\"14 Alder Court\"]]", "facts": "",
    "pane": "[[\"svg\",{\"class\":\"plan\",\"viewBox\":\"0 0 9 9\"},[\"g\",{\"data-building\":\"0\"},[\"path\",{\"d\":\"M0 0L9 9\"}]]]]",
    "aside": "[[\"p\",{},\"aside\"]]", "homes": [], "choose": "", "choosePane": "", "notMine": "",
    "buildings": [{ "row": "[[\"b\",{},\"House\"]]", "area": 1000, "picked": true, "why": "" }]
  }
}"#;

pub struct Stage {
    pub handle: Handle,
    pub host: HtmlElement,
    pub root: ShadowRoot,
}

/// As a loader opens it for a new visitor.
pub fn open() -> Stage {
    forget();
    open_again()
}

/// With what an earlier flow has left.
pub fn open_again() -> Stage {
    open_with(answers(&[]), JsValue::UNDEFINED)
}

pub fn open_with(answers: JsValue, more: JsValue) -> Stage {
    serve(answers);
    let stage = stage();
    let host: HtmlElement = stage.get(0).unchecked_into();
    let dialog: HtmlDialogElement = stage.get(1).unchecked_into();
    let heard = Function::new_no_args("");
    let handle = mount(host.clone(), Some(dialog), config(), context(ENGLISH, more), heard).expect("mounted");
    handle.painted();
    Stage { handle, root: host.shadow_root().unwrap(), host }
}

pub fn config() -> JsValue {
    parsed(CONFIG)
}

pub fn words() -> JsValue {
    context(ENGLISH, JsValue::UNDEFINED)
}

pub fn parsed(json: &str) -> JsValue {
    JSON::parse(json).unwrap()
}

pub fn member(of: &JsValue, key: &str) -> JsValue {
    js_sys::Reflect::get(of, &key.into()).unwrap()
}

/// The usual answers, and some others.
pub fn answers(others: &[(&str, &str)]) -> JsValue {
    let answers = parsed(ANSWERS);
    for (path, answer) in others {
        js_sys::Reflect::set(&answers, &(*path).into(), &parsed(answer)).unwrap();
    }
    answers
}

impl Stage {
    pub fn find(&self, selector: &str) -> Option<HtmlElement> {
        self.root.query_selector(selector).unwrap().map(JsCast::unchecked_into)
    }

    pub fn the(&self, selector: &str) -> HtmlElement {
        self.find(selector).unwrap_or_else(|| panic!("no {selector}"))
    }

    pub fn count(&self, selector: &str) -> u32 {
        self.root.query_selector_all(selector).unwrap().length()
    }

    pub fn focused(&self) -> String {
        self.root.active_element().map(|e| e.id()).unwrap_or_default()
    }

    /// Waits for changes of the document until this holds.
    pub async fn until(&self, holds: impl Fn(&Self) -> bool) {
        while !holds(self) {
            JsFuture::from(change(&self.root)).await.unwrap();
        }
    }

    pub fn type_into(&self, selector: &str, text: &str) {
        let field: HtmlInputElement = self.the(selector).unchecked_into();
        field.set_value(text);
        field.dispatch_event(&web_sys::Event::new("input").unwrap()).unwrap();
    }

    pub async fn suggestions(&self) {
        self.type_into("#sh-address", "14 alder");
        self.until(|s| s.count("[role=option]") == 3).await;
    }

    pub async fn roof(&self) {
        self.suggestions().await;
        self.the("#sh-option-0").click();
        self.the(".sh-btn.primary").click();
        self.until(|s| s.find("[data-screen=roof]").is_some() && s.focused() == "sh-title").await;
    }

    pub async fn details(&self) {
        self.roof().await;
        self.the(".sh-btn.primary").click();
        self.until(|s| s.find("[data-screen=details]").is_some() && s.focused() == "sh-title").await;
    }

    pub fn value(&self, selector: &str) -> String {
        self.the(selector).unchecked_into::<HtmlInputElement>().value()
    }

    pub fn fill_in(&self) {
        for (field, text) in [("#sh-first", "Dana"), ("#sh-last", "Whitfield"), ("#sh-email", "dana@example.com")] {
            self.type_into(field, text);
        }
    }

    /// From the details a step back and on again: what is drawn again says what is known.
    pub async fn roof_and_back(&self) {
        self.the(".sh-head .sh-iconbtn").click();
        self.until(|s| s.find("[data-screen=roof]").is_some()).await;
        self.the(".sh-btn.primary").click();
        self.until(|s| s.find("[data-screen=details] #sh-email").is_some()).await;
    }

    pub fn end(self) {
        self.handle.destroy();
        assert_eq!(self.root.text_content().unwrap_or_default(), "", "nothing is left");
        self.host.remove();
    }
}
